//! What is said in a session: by the assistant itself, and by each subagent.

use std::collections::{HashMap, HashSet};

use super::super::assembly::{Assembly, subagent_mark};
use super::super::tally::Tally;
use crate::json::{Map, Value};
use crate::model::{Branch, Conversation, turn_id};

/// A session that is being read.
#[derive(Default)]
pub(super) struct Session {
    pub(super) read: Conversation,
    /// What is said in it: first by the assistant itself, then by each subagent.
    pub(super) lanes: Vec<Lane>,
    /// The lanes of subagents, by the calls that started them.
    by_call: HashMap<String, usize>,
    /// The lanes of calls.
    pub(super) owners: HashMap<String, usize>,
    /// The ids of calls that stand in something private.
    private_calls: HashSet<String>,
    /// What subagents are called, by the calls that started them.
    pub(super) names: HashMap<String, String>,
    /// The folder in which it ran.
    pub(super) cwd: Option<String>,
    /// The model that answers.
    pub(super) model: Option<String>,
    /// What is not shown.
    pub(super) tally: Tally,
}

/// What one of them says.
#[derive(Default)]
pub(super) struct Lane {
    pub(super) assembly: Assembly,
    /// The call that started it.
    call: Option<String>,
    /// A thought that the next message may repeat.
    pub(super) thought: Option<String>,
}

impl Session {
    /// Returns the place of the lane that the data of an event belong to.
    pub(super) fn lane(&mut self, data: &Map) -> usize {
        if self.lanes.is_empty() {
            self.lanes.push(Lane::default());
        }
        let call = data.get("parentToolCallId").and_then(Value::as_str);
        let Some(call) = call.filter(|call| !call.is_empty()) else { return 0 };
        if let Some(lane) = self.by_call.get(call) {
            return *lane;
        }
        self.lanes.push(Lane { call: Some(call.to_owned()), ..Lane::default() });
        let place = self.lanes.len() - 1;
        self.by_call.insert(call.to_owned(), place);
        place
    }

    /// Leaves out an event, with what comes of the calls that it names.
    pub(super) fn leave_out(&mut self, data: &Map) {
        let calls = data.get("toolRequests").and_then(Value::as_array);
        let ids = calls.into_iter().flatten().map(|call| call.get("toolCallId"));
        let ids = ids.chain([data.get("toolCallId")]);
        let ids = ids.filter_map(|id| id?.as_str()).filter(|id| !id.is_empty());
        self.private_calls.extend(ids.map(str::to_owned));
    }

    /// Returns whether an event is about a call that stands in something private.
    pub(super) fn is_of_private_call(&self, data: &Map) -> bool {
        let ids = ["toolCallId", "parentToolCallId"];
        let mut ids = ids.iter().filter_map(|key| data.get(*key)?.as_str());
        ids.any(|id| self.private_calls.contains(id))
    }

    /// Puts the lanes into a conversation.
    pub(super) fn finish(self) -> (Conversation, Tally, Option<String>) {
        let mut read = self.read;
        // The turn of each call, and which branch it is in.
        let mut turns: HashMap<String, String> = HashMap::new();
        let mut known: HashSet<String> = HashSet::new();
        for (number, lane) in self.lanes.into_iter().enumerate() {
            let Lane { assembly, call, .. } = lane;
            let places = assembly.places();
            let mut said = assembly.finish(&mut read);
            for turn in &mut said {
                if !known.insert(turn.id.clone()) {
                    turn.id = turn_id(&format!("{number}/{}", turn.id));
                    known.insert(turn.id.clone());
                }
            }
            let turn = |(call, place)| Some((call, said.get::<usize>(place)?.id.clone()));
            turns.extend(places.into_iter().filter_map(turn));
            let Some(call) = call else {
                read.turns = said;
                continue;
            };
            if said.is_empty() {
                continue;
            }
            let mut after = turns.get(&call).cloned();
            let started_by = after.is_some().then(|| call.clone());
            let name = self.names.get(&call).cloned();
            if after.is_none() {
                let mark = subagent_mark(&call, name.as_deref());
                after = Some(mark.id.clone());
                read.turns.push(mark);
            }
            read.branches.push(Branch {
                name,
                after,
                started_by,
                turns: said,
                ..Branch::default()
            });
        }
        (read, self.tally, self.cwd)
    }
}

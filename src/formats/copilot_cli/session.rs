//! The state of a session: the turns of the assistant and of each subagent.

use std::collections::{BTreeMap, HashMap, HashSet};

use crate::shared::agents::turns::{BranchStart, Turns};
use crate::shared::tally::{ORPHANS, Tally};
use convo_base::json::{Map, Value};
use convo_base::model::Conversation;

/// A session that is being read.
#[derive(Default)]
pub(super) struct Session {
    pub(super) read: Conversation,
    /// The turns of the assistant and of each subagent.
    pub(super) turns: Turns,
    /// The paths of subagents, by the calls that started them.
    by_call: BTreeMap<String, usize>,
    /// The ids of calls in private events.
    private_calls: HashSet<String>,
    /// A thought that the next message may repeat, by path.
    pub(super) thoughts: HashMap<usize, String>,
    /// The names of subagents, by the calls that started them.
    pub(super) names: HashMap<String, String>,
    /// The working folder.
    pub(super) cwd: Option<String>,
    /// The current model.
    pub(super) model: Option<String>,
    /// Counts of what is not shown.
    pub(super) tally: Tally,
}

impl Session {
    /// Switches to the path of an event's data, and returns its number.
    pub(super) fn go(&mut self, data: &Map) -> usize {
        let call = data.get("parentToolCallId").and_then(Value::as_str);
        let way = call.filter(|call| !call.is_empty()).map_or(0, |call| {
            let start = || BranchStart { call: Some(call.to_owned()), ..BranchStart::default() };
            *self.by_call.entry(call.to_owned()).or_insert_with(|| self.turns.branch(start()))
        });
        self.turns.on(way);
        way
    }

    /// Skips an event, with the results of the calls in it.
    pub(super) fn withhold(&mut self, data: &Map) {
        let calls = data.get("toolRequests").and_then(Value::as_array);
        let ids = calls.into_iter().flatten().map(|call| call.get("toolCallId"));
        let ids = ids.chain([data.get("toolCallId")]);
        let ids = ids.filter_map(|id| id?.as_str()).filter(|id| !id.is_empty());
        self.private_calls.extend(ids.map(str::to_owned));
    }

    /// Returns whether an event belongs to a call in a private event.
    pub(super) fn is_of_private_call(&self, data: &Map) -> bool {
        let ids = ["toolCallId", "parentToolCallId"];
        let mut ids = ids.iter().filter_map(|key| data.get(*key)?.as_str());
        ids.any(|id| self.private_calls.contains(id))
    }

    /// Moves the turns into a conversation.
    pub(super) fn finish(mut self) -> (Conversation, Tally, Option<String>) {
        let mut read = self.read;
        self.tally.add_all(ORPHANS, self.turns.orphans());
        for (call, way) in self.by_call {
            self.turns.name(way, self.names.remove(&call));
        }
        self.turns.fill(&mut read);
        (read, self.tally, self.cwd)
    }
}

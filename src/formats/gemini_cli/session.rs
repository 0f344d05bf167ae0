//! Sessions, with the subagents that they started.

use std::collections::{HashMap, HashSet};

use super::super::{File, Parsed, opens_json};
use super::log::Log;
use super::message::Lane;
use super::{history, shared};
use crate::shared::access::{home, visibility};
use crate::shared::agents::turns::subagent_mark;
use crate::shared::json::long_list;
use crate::shared::json::object::Object;
use crate::shared::tally::{EMPTY, Tally};
use convo_base::diag::{Counted, Lines, Note};
use convo_base::json::{self, Value};
use convo_base::model::{Branch, Conversation, Kind, Place, Turn, name_turns, turn_id};

/// Messages that the user rewound.
const TAKEN_BACK: Counted = Counted::not_shown("rewound message", "rewound messages");

pub(super) fn parse(files: &[File]) -> Parsed {
    let mut parsed = Parsed::default();
    let mut sessions = Vec::new();
    for (index, file) in files.iter().enumerate() {
        let mut tally = Tally::default();
        let mut notes = Vec::new();
        let text = file.text.trim_start();
        if !opens_json(text) {
            parsed.conversations.extend(shared::read(file, index, &mut tally));
        } else if history::is_one(text) {
            let found = history::read(file, index, &mut tally, &mut notes);
            parsed.conversations.extend(found);
        } else {
            sessions.push(Session::read(file, index, &mut tally, &mut notes));
        }
        parsed.notes.extend(notes);
        parsed.notes.extend(tally.notes().map(|note| note.in_file(index)));
    }
    parsed.conversations.extend(families(sessions));
    for read in &mut parsed.conversations {
        home::hide(read);
    }
    parsed
}

/// A session, or a subagent of one.
struct Session {
    /// Its metadata.
    read: Conversation,
    /// The id of the session whose folder contains it.
    parent: Option<String>,
    turns: Vec<Turn>,
    lane: LaneLinks,
}

/// The places where subagents were started.
#[derive(Default)]
struct LaneLinks {
    agents: HashMap<String, String>,
    tasks: HashMap<String, String>,
    /// The turns of calls.
    places: HashMap<String, usize>,
}

impl Session {
    fn read(file: &File, index: usize, tally: &mut Tally, notes: &mut Vec<Note>) -> Self {
        let lines = Lines::new(&file.text);
        let Log { mut read, messages, taken_back, .. } = Log::read(file, index, notes);
        tally.add_all(TAKEN_BACK, taken_back);
        let mut lane = Lane::default();
        for (number, (_, at)) in messages.into_iter().enumerate() {
            // Problems in it were reported before.
            let value = long_list::parse(&file.text, at.clone(), index, &mut Vec::new());
            let Ok(Value::Object(map)) = value else { continue };
            let place = Place { file: index, line: lines.line(at.start), quoted: true };
            let object = Object::new(map, &file.text, index, at);
            lane.add(object.named(format!("messages.{number}")), place, tally, notes);
        }
        if let Some(first) = lane.marked.first() {
            let note = visibility::withheld_turns_note(lane.marked.len(), first.clone());
            notes.push(note.in_file(index));
        }
        let places = lane.turns.places();
        let (agents, tasks) = (std::mem::take(&mut lane.agents), std::mem::take(&mut lane.tasks));
        lane.finish(&mut read, tally);
        let mut turns = std::mem::take(&mut read.turns);
        let is_from_system = |turn: &Turn| {
            read.participant(&turn.speaker).is_none_or(|who| who.kind == Kind::System)
        };
        if turns.iter().all(is_from_system) {
            turns.clear();
            tally.add(EMPTY);
        }
        let folder = file.name.rsplit('/').nth(1).map(str::to_owned);
        let lane = LaneLinks { agents, tasks, places };
        Self { read, parent: folder, turns, lane }
    }
}

/// Returns a conversation for each session that was not started by another one.
fn families(sessions: Vec<Session>) -> Vec<Conversation> {
    let ids: HashMap<String, usize> = sessions
        .iter()
        .enumerate()
        .filter_map(|(at, session)| Some((session.read.id.clone()?, at)))
        .collect();
    let parent_of = |at: usize, session: &Session| {
        let parent = ids.get(session.parent.as_ref()?).copied();
        parent.filter(|parent| *parent != at)
    };
    let parents: Vec<Option<usize>> =
        sessions.iter().enumerate().map(|(at, session)| parent_of(at, session)).collect();
    let mut children: Vec<Vec<usize>> = vec![Vec::new(); sessions.len()];
    let mut roots = Vec::new();
    for (at, parent) in parents.iter().enumerate() {
        match parent.and_then(|parent| children.get_mut(parent)) {
            Some(list) => list.push(at),
            None => roots.push(at),
        }
    }
    let mut sessions: Vec<Option<Session>> = sessions.into_iter().map(Some).collect();
    // Sessions that are in each other's folders are roots as well.
    let all: Vec<usize> = roots.into_iter().chain(0..sessions.len()).collect();
    let mut found = Vec::new();
    for root in all {
        let Some(session) = sessions.get_mut(root).and_then(Option::take) else {
            continue;
        };
        let Session { mut read, turns, lane, .. } = session;
        read.turns = turns;
        let mut open = vec![(root, lane, None)];
        let mut next = 0;
        while let Some((parent, lane, branch)) = open.get_mut(next) {
            let (parent, lane, branch) = (*parent, std::mem::take(lane), *branch);
            next += 1;
            for child in children.get(parent).into_iter().flatten() {
                let Some(agent) = sessions.get_mut(*child).and_then(Option::take) else {
                    continue;
                };
                read.private |= agent.read.private;
                let of = match branch {
                    None => &read.turns,
                    Some(at) => {
                        read.branches.get::<usize>(at).map_or(&read.turns, |found| &found.turns)
                    }
                };
                let call = agent.read.id.as_ref().and_then(|id| lane.agents.get(id)).cloned();
                let turn = call.as_ref().and_then(|call| of.get(*lane.places.get(call)?));
                let mut after = turn.map(|turn| turn.id.clone());
                let name = call.as_ref().and_then(|call| lane.tasks.get(call)).cloned();
                let name = name.or(agent.read.title);
                if agent.turns.is_empty() {
                    continue;
                }
                let started_by = call.filter(|_| after.is_some());
                if after.is_none() {
                    let id = agent.read.id.as_deref().unwrap_or_default();
                    let mark = subagent_mark(id, name.as_deref());
                    after = Some(mark.id.clone());
                    read.turns.push(mark);
                }
                for who in agent.read.participants.iter() {
                    read.introduce(&who.name, who.kind);
                }
                open.push((*child, agent.lane, Some(read.branches.len())));
                read.branches.push(Branch {
                    name,
                    after,
                    started_by,
                    turns: agent.turns,
                    ..Branch::default()
                });
            }
        }
        unique_ids(&mut read);
        if !read.turns.is_empty() || !read.branches.is_empty() {
            found.push(read);
        }
    }
    found
}

/// Changes duplicate turn ids; subagents may use the same numbers.
fn unique_ids(read: &mut Conversation) {
    let mut known: HashSet<String> = read.turns.iter().map(|turn| turn.id.clone()).collect();
    for (number, branch) in read.branches.iter_mut().enumerate() {
        for turn in &mut branch.turns {
            if !known.insert(turn.id.clone()) {
                turn.id = turn_id(&format!("{number}/{}", turn.id));
                known.insert(turn.id.clone());
            }
        }
        name_turns(branch.turns.iter_mut());
    }
}

/// Returns the first value of a key in the objects at the start of a log.
pub(super) fn first_value<'t>(head: &'t str, key: &str) -> Option<&'t str> {
    let keys = json::keys(head);
    let (_, value) = keys.iter().find(|(known, _)| *known == key)?;
    value.ends_with('"').then(|| value.trim_matches('"'))
}

//! Subagents: finds the call that started each one, and adds its conversation as a branch there.

use std::collections::{HashMap, HashSet};

use super::entry::{Entry, What, plain};
use super::files::About;
use super::prompt::{Piece, pieces};
use super::talk::{Lane, Origin, SUBAGENT, Talk, Voices};
use convo_base::hash::Hash;
use convo_base::model::{Block, Place, turn_id};

/// A subagent with the records of its conversation.
pub(super) struct Agent {
    pub(super) id: String,
    pub(super) entries: Vec<Entry>,
    /// The workflow that it belongs to.
    pub(super) run: Option<String>,
    /// For a subagent whose records are among those of the session: the lane and the number of its turns at
    /// its first record.
    pub(super) beside: Option<(usize, usize)>,
}

/// The conversation of a subagent, converted to turns.
pub(super) struct AgentBranch {
    pub(super) lane: usize,
    pub(super) name: Option<String>,
    /// The call that started it, with the lane and place of its turn.
    pub(super) call: Option<String>,
    /// The lane and place of the turn that it follows.
    pub(super) after: Option<(usize, usize)>,
}

/// Finds the subagents whose records are among those of a session. They are identified by their ids or by
/// their parent records.
pub(super) fn inline(entries: Vec<(Entry, Option<(usize, usize)>)>) -> Vec<Agent> {
    let mut all: Vec<Agent> = Vec::new();
    let mut by_id: HashMap<String, usize> = HashMap::new();
    let mut by_record: HashMap<String, usize> = HashMap::new();
    let mut last = None;
    for (entry, beside) in entries {
        let parent = match &entry.parent {
            super::entry::Parent::Id(id) => by_record.get(id).copied(),
            _ => None,
        };
        let known = entry.agent.as_ref().and_then(|agent| by_id.get(agent).copied());
        // Only a prompt can begin the conversation of a subagent.
        let is_beginning = beside != last || matches!(entry.what, What::User(_));
        let previous = all.len().checked_sub(1).filter(|_| !is_beginning);
        last = beside;
        let place = known.or(parent).or(previous).unwrap_or_else(|| {
            let id = entry.agent.clone().or(entry.id.clone()).unwrap_or_default();
            all.push(Agent { id, entries: Vec::new(), run: None, beside });
            all.len() - 1
        });
        if let Some(agent) = &entry.agent {
            by_id.entry(agent.clone()).or_insert(place);
        }
        if let Some(id) = &entry.id {
            by_record.insert(id.clone(), place);
        }
        all[place].entries.push(entry);
    }
    all
}

/// Adds the conversations of subagents. Those whose call is unknown are added at the end, after an event
/// that describes them.
pub(super) fn add(
    talk: &mut Talk<'_>,
    agents: Vec<Agent>,
    about: &HashMap<String, About>,
) -> Vec<AgentBranch> {
    let is_shown = |agent: &Agent| first_words(&agent.entries).as_deref() != Some("Warmup");
    let mut waiting: Vec<Agent> = agents.into_iter().filter(is_shown).collect();
    let mut all = Vec::new();
    let mut taken = HashSet::new();
    loop {
        // A subagent may start another one.
        let before = waiting.len();
        let mut still = Vec::new();
        for agent in waiting {
            match call_of(talk, &agent, about, &mut taken) {
                Some(call) => all.push(shown(talk, agent, about, Some(call))),
                None => still.push(agent),
            }
        }
        waiting = still;
        if waiting.is_empty() || waiting.len() == before {
            break;
        }
    }
    // A call sorts before its subagents, because its lane was created before theirs.
    all.sort_by_key(|aside: &AgentBranch| {
        let place = aside.call.as_ref().and_then(|call| talk.calls.get(call));
        place.map(|place| (place.lane, place.turn, place.block))
    });
    for agent in waiting {
        let call = call_of(talk, &agent, about, &mut taken);
        all.push(shown(talk, agent, about, call));
    }
    all
}

fn call_of(
    talk: &mut Talk<'_>,
    agent: &Agent,
    about: &HashMap<String, About>,
    taken: &mut HashSet<String>,
) -> Option<String> {
    let starts = &mut talk.starts;
    let known = about.get(&agent.id).and_then(|about| about.call.clone());
    let known = known.or_else(|| starts.agents.get(&agent.id).cloned());
    let known = known.or_else(|| starts.runs.get(agent.run.as_ref()?).cloned());
    if let Some(call) = known.filter(|call| talk.calls.contains_key(call)) {
        taken.insert(call.clone());
        return Some(call);
    }
    // Older logs link them only by the prompt or by position.
    let words = first_words(&agent.entries);
    let calls = words.and_then(|words| starts.prompts.get_mut(&Hash::of(words.trim())));
    let reported = calls.and_then(|calls| {
        let place = calls.iter().position(|call| !taken.contains(call))?;
        Some(calls.remove(place))
    });
    let call = match reported {
        Some(call) => call,
        None => last_call(talk, agent.beside?, taken)?,
    };
    taken.insert(call.clone());
    talk.calls.contains_key(&call).then_some(call)
}

/// Returns the last call before a place that starts a subagent and has none yet.
fn last_call(
    talk: &Talk<'_>,
    (lane, turns): (usize, usize),
    taken: &HashSet<String>,
) -> Option<String> {
    let turn = talk.lanes.get(lane)?.turns.get(turns.checked_sub(1)?)?;
    let calls = turn.blocks.iter().rev().filter_map(|block| match block {
        Block::Tool(call) if ["Task", "Agent"].contains(&call.name.as_str()) => Some(&call.id),
        _ => None,
    });
    calls.into_iter().find(|call| !taken.contains(*call)).cloned()
}

/// Returns the prompt of an agent.
fn first_words(entries: &[Entry]) -> Option<String> {
    entries.iter().find_map(|entry| {
        let What::User(user) = &entry.what else { return None };
        pieces(&plain(&user.content)).into_iter().find_map(|piece| match piece {
            Piece::Words(text) | Piece::Teammate { text, .. } => Some(text),
            _ => None,
        })
    })
}

fn shown(
    talk: &mut Talk<'_>,
    agent: Agent,
    about: &HashMap<String, About>,
    call: Option<String>,
) -> AgentBranch {
    let lane = talk.lanes.len();
    talk.lanes.push(Lane::default());
    let name = name(talk, &agent, about, call.as_deref());
    let mut after = call.as_ref().and_then(|call| {
        let place = talk.calls.get(call)?;
        Some((place.lane, place.turn))
    });
    if after.is_none() {
        after = agent.beside.and_then(|(lane, turns)| Some((lane, turns.checked_sub(1)?)));
    }
    if after.is_none() {
        after = Some(mark(talk, &agent, name.as_deref()));
    }
    let member = call.as_ref().and_then(|call| talk.starts.names.get(call)).cloned();
    let answering = member.as_deref().unwrap_or(SUBAGENT.answering);
    let voices = Voices { answering, ..SUBAGENT };
    for entry in agent.entries {
        talk.add(lane, entry, voices);
    }
    let is_unnamed = name.is_none() && call.is_none();
    let name = if is_unnamed { Some(answering.to_owned()) } else { name };
    AgentBranch { lane, name, call, after }
}

fn name(
    talk: &Talk<'_>,
    agent: &Agent,
    about: &HashMap<String, About>,
    call: Option<&str>,
) -> Option<String> {
    let about = about.get(&agent.id).cloned().unwrap_or_default();
    let by_call = call.and_then(|call| talk.starts.descriptions.get(call)).cloned();
    match (about.description, about.kind) {
        (Some(description), Some(kind)) => Some(format!("{description} ({kind})")),
        (Some(description), None) => Some(by_call.unwrap_or(description)),
        (None, kind) => by_call.or(kind),
    }
}

/// Adds an event at the end of the main path for a subagent whose call is missing.
fn mark(talk: &mut Talk<'_>, agent: &Agent, name: Option<&str>) -> (usize, usize) {
    let text = match name {
        Some(name) => format!("Subagent: {name}"),
        None => "Subagent".to_owned(),
    };
    let first = agent.entries.first();
    let place = first.map_or(Place::default(), |entry| Place {
        file: entry.file,
        line: entry.line,
        quoted: true,
    });
    let time = first.and_then(|entry| entry.time.clone());
    let start = first.map_or(0, |entry| entry.start);
    let at = Origin { id: None, time, place, start };
    talk.event(0, "subagent", text, None, &at);
    let turns = &mut talk.lanes[0].turns;
    let line = place.line;
    if let Some(turn) = turns.last_mut() {
        turn.id = turn_id(&format!("{}@{line}", agent.id));
    }
    (0, turns.len() - 1)
}

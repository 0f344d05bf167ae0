//! Subagents: finds the call that started each one, and adds its conversation as a branch there.

use std::collections::{HashMap, HashSet};

use super::entry::{Entry, What, plain};
use super::files::About;
use super::talk::{Talk, Voices};
use crate::shared::agents::prompt::{Piece, pieces};
use crate::shared::agents::turns::BranchStart;
use convo_base::hash::Hash;
use convo_base::model::Block;

/// A subagent with the records of its conversation.
pub(super) struct Agent {
    pub(super) id: String,
    pub(super) entries: Vec<Entry>,
    /// The workflow that it belongs to.
    pub(super) run: Option<String>,
    /// For a subagent whose records are among those of the session: the place of the last turn before its
    /// first record.
    pub(super) beside: Option<(usize, usize)>,
}

/// The places of the calls that started subagents.
pub(super) type Places = HashMap<String, Option<(usize, usize, usize)>>;

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
        let is_named = entry.agent.is_some();
        let previous = all.len().checked_sub(1).filter(|_| !is_beginning && !is_named);
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

/// Adds the conversations of subagents, and returns the places of their calls. Those whose call is unknown are
/// added at the end, after an event that describes them.
pub(super) fn add(
    talk: &mut Talk<'_>,
    agents: Vec<Agent>,
    about: &HashMap<String, About>,
) -> Places {
    let is_shown = |agent: &Agent| first_words(&agent.entries).as_deref() != Some("Warmup");
    let mut waiting: Vec<Agent> = agents.into_iter().filter(is_shown).collect();
    let mut taken = HashSet::new();
    loop {
        // A subagent may start another one.
        let before = waiting.len();
        let mut still = Vec::new();
        for agent in waiting {
            match call_of(talk, &agent, about, &mut taken) {
                Some(call) => show(talk, agent, about, Some(call)),
                None => still.push(agent),
            }
        }
        waiting = still;
        if waiting.is_empty() || waiting.len() == before {
            break;
        }
    }
    for agent in waiting {
        let call = call_of(talk, &agent, about, &mut taken);
        show(talk, agent, about, call);
    }
    let places = taken.into_iter().map(|call| {
        let place = talk.turns.place_of(&call);
        (call, place)
    });
    places.collect()
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
    // In stream output, its id is that of the call.
    let known = known.or_else(|| Some(agent.id.clone()));
    if let Some(call) = known.filter(|call| talk.turns.place_of(call).is_some()) {
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
    talk.turns.place_of(&call).map(|_| call)
}

/// Returns the last call in a turn that starts a subagent and has none yet.
fn last_call(talk: &Talk<'_>, turn: (usize, usize), taken: &HashSet<String>) -> Option<String> {
    let mut calls = talk.turns.turn_at(turn)?.blocks.iter().rev().filter_map(|block| match block {
        Block::Tool(call) if ["Task", "Agent"].contains(&call.name.as_str()) => Some(&call.id),
        _ => None,
    });
    calls.find(|call| !taken.contains(*call)).cloned()
}

/// Returns the prompt of an agent.
pub(super) fn first_words(entries: &[Entry]) -> Option<String> {
    entries.iter().find_map(|entry| {
        let What::User(user) = &entry.what else { return None };
        pieces(&plain(&user.content), &mut Vec::new()).into_iter().find_map(|piece| match piece {
            Piece::Words(text) | Piece::Teammate { text, .. } => Some(text),
            _ => None,
        })
    })
}

fn show(talk: &mut Talk<'_>, agent: Agent, about: &HashMap<String, About>, call: Option<String>) {
    let name = name(talk, &agent, about, call.as_deref());
    let member = call.as_ref().and_then(|call| talk.starts.names.get(call));
    talk.voices = Voices::subagent(member.map(String::as_str));
    let after = match call {
        Some(_) => None,
        None => agent.beside.or_else(|| mark(talk, &agent, name.as_deref())),
    };
    let answering = || talk.voices.answering.to_string();
    let name = name.or_else(|| call.is_none().then(answering));
    let lane = talk.turns.branch(BranchStart { name, after, call, ..BranchStart::default() });
    agent.entries.into_iter().for_each(|entry| talk.add(lane, entry));
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

/// Adds an event at the end of the main path for a subagent whose call is missing, and returns its place.
fn mark(talk: &mut Talk<'_>, agent: &Agent, name: Option<&str>) -> Option<(usize, usize)> {
    let first = agent.entries.first()?;
    talk.go_to(0, first);
    talk.at.id = Some(format!("{}@{}", agent.id, first.line));
    let text = name.map_or_else(|| "Subagent".to_owned(), |name| format!("Subagent: {name}"));
    talk.event("subagent", text, None);
    talk.turns.end()
}

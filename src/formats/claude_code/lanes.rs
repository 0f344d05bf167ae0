//! The main path of a log, and the paths beside it: what was said before a person went back and
//! asked something else.
//!
//! Every record names the one before it, but most forks mean nothing: results of tools that ran at
//! the same time, progress, what the program added. Prompts of a person that follow the same answer
//! are alternatives; of these the last one is on the main path.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::entry::{Entry, Parent, What, plain};
use super::prompt::{Piece, pieces};
use convo_base::json::Value;

/// The lanes of a log. The main path is lane 0.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Lanes {
    /// Of each record its lane.
    pub(super) of: Vec<usize>,
    /// The beginnings of the lanes from lane 1 on.
    pub(super) forks: Vec<Fork>,
}

/// The beginning of a lane.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Fork {
    /// The record that it follows; none for another beginning of the log.
    pub(super) after: Option<usize>,
}

/// What alternatives have in common: the record that they follow, or the beginning of a session.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Anchor {
    Entry(usize),
    Start(Option<String>, usize),
    Nothing(usize),
}

/// Finds the lanes of records in the order of the log.
pub(super) fn lanes(entries: &[&Entry]) -> Lanes {
    let mut places: HashMap<&str, usize> = HashMap::with_capacity(entries.len());
    let mut messages: HashMap<&str, usize> = HashMap::new();
    // Of each record the one before it, and the last one before it or itself that says something.
    let mut before: Vec<Option<usize>> = Vec::with_capacity(entries.len());
    let mut said: Vec<Option<usize>> = Vec::with_capacity(entries.len());
    let mut is_asked: Vec<bool> = Vec::with_capacity(entries.len());
    let mut has_next = vec![false; entries.len()];
    let mut groups: BTreeMap<Anchor, Vec<usize>> = BTreeMap::new();
    let mut answered: HashSet<usize> = HashSet::new();
    let mut summaries = 0;
    for (place, entry) in entries.iter().enumerate() {
        let named = match &entry.parent {
            Parent::Id(id) => places.get(id.as_str()).copied(),
            _ => None,
        };
        if let Some(named) = named {
            has_next[named] = true;
        }
        let previous = named.or(place.checked_sub(1));
        before.push(previous);
        let is_prompt = is_prompt(entry);
        if is_prompt {
            let last = previous.and_then(|previous| said[previous]);
            let anchor = match (&entry.parent, last) {
                (Parent::None, _) => Anchor::Start(entry.session.clone(), summaries),
                // A log without links is one path.
                (_, Some(last)) if named.is_some() => Anchor::Entry(last),
                (_, None) if named.is_some() => Anchor::Start(entry.session.clone(), summaries),
                // It is the alternative of nothing. So is the first one of a ring.
                _ => Anchor::Nothing(place),
            };
            groups.entry(anchor).or_default().push(place);
        } else if let What::Assistant(_) = entry.what
            && let Some(last) = previous.and_then(|previous| said[previous])
            && named.is_some()
            && is_asked[last]
            && answered.insert(last)
        {
            // Somebody who then asks something else went back behind this answer.
            groups.entry(Anchor::Entry(last)).or_default().push(place);
        }
        is_asked.push(is_prompt);
        said.push(match &entry.what {
            What::Assistant(answer) => match &answer.message {
                Some(message) => Some(*messages.entry(message).or_insert(place)),
                None => Some(place),
            },
            What::Summary(_) => {
                summaries += 1;
                Some(place)
            }
            _ if is_prompt => Some(place),
            _ => previous.and_then(|previous| said[previous]),
        });
        if let Some(id) = &entry.id {
            places.entry(id).or_insert(place);
        }
    }
    // Of each prompt that has alternatives, what it follows, and whether it is the last of them.
    let mut options: HashMap<usize, (Option<usize>, bool)> = HashMap::new();
    for (anchor, mut group) in groups {
        if !group.last().is_some_and(|last| is_asked[*last]) {
            // What was answered after all goes on where it stands.
            continue;
        }
        let last = group.pop();
        group.retain(|place| {
            // Another beginning is one only if it led somewhere.
            matches!(anchor, Anchor::Entry(_)) || has_next[*place]
        });
        let after = match anchor {
            Anchor::Entry(place) => Some(place),
            Anchor::Start(..) | Anchor::Nothing(_) => None,
        };
        if let Some(last) = last.filter(|_| !group.is_empty()) {
            options.insert(last, (after, true));
            options.extend(group.into_iter().map(|place| (place, (after, false))));
        }
    }
    let mut lanes = Lanes { of: Vec::with_capacity(entries.len()), forks: Vec::new() };
    for (place, previous) in before.iter().enumerate() {
        let lane_of = |at: Option<usize>| at.map_or(0, |at| lanes.of[at]);
        let lane = match options.get(&place) {
            Some((after, true)) => lane_of(*after),
            Some((after, false)) => {
                lanes.forks.push(Fork { after: *after });
                lanes.forks.len()
            }
            None => lane_of(*previous),
        };
        lanes.of.push(lane);
    }
    lanes
}

/// Returns whether it is what a person asked.
fn is_prompt(entry: &Entry) -> bool {
    let What::User(user) = &entry.what else { return false };
    let is_result = |block: &Value| block.get("type").is_some_and(|kind| kind == "tool_result");
    let answers = user.content.as_array().is_some_and(|blocks| blocks.iter().any(is_result));
    if user.is_hidden || user.is_sent_by_program || answers {
        return false;
    }
    let is_words =
        |piece: &Piece| matches!(piece, Piece::Words(_) | Piece::Command { .. } | Piece::Shell(_));
    pieces(&plain(&user.content)).iter().any(is_words)
}

//! The main path of a log, and its branches: messages before the user rewound and asked something else.
//!
//! Every record names its parent, but most forks are not branches: results of parallel tool calls, progress
//! messages, or additions of Claude Code. Prompts of the user that follow the same answer are alternatives;
//! the last one is on the main path.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::entry::{Entry, Parent, What, plain};
use crate::shared::agents::prompt::{Piece, pieces};
use convo_base::json::Value;

/// The lanes of a log. The main path is lane 0.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Lanes {
    /// The lane of each record.
    pub(super) of: Vec<usize>,
    /// The starts of the lanes from lane 1 on.
    pub(super) forks: Vec<Fork>,
}

/// The start of a lane.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Fork {
    /// The record that it follows; `None` if it is an alternative start of the log.
    pub(super) after: Option<usize>,
}

/// What alternatives have in common: the record that they follow, or the start of a session.
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
    // For each record, its parent, and the nearest record with a message, which may be itself.
    let mut before: Vec<Option<usize>> = Vec::with_capacity(entries.len());
    let mut last_messages: Vec<Option<usize>> = Vec::with_capacity(entries.len());
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
            let last = previous.and_then(|previous| last_messages[previous]);
            let anchor = match (&entry.parent, last) {
                (Parent::None, _) => Anchor::Start(entry.session.clone(), summaries),
                // A log without links is a single path.
                (_, Some(last)) if named.is_some() => Anchor::Entry(last),
                (_, None) if named.is_some() => Anchor::Start(entry.session.clone(), summaries),
                // It has no alternatives, and neither does the first record of a cycle.
                _ => Anchor::Nothing(place),
            };
            groups.entry(anchor).or_default().push(place);
        } else if let What::Assistant(_) = entry.what
            && let Some(last) = previous.and_then(|previous| last_messages[previous])
            && named.is_some()
            && is_asked[last]
            && answered.insert(last)
        {
            // If the user then asks something else, they rewound to before this answer.
            groups.entry(Anchor::Entry(last)).or_default().push(place);
        }
        is_asked.push(is_prompt);
        last_messages.push(match &entry.what {
            What::Assistant(answer) => match &answer.message {
                Some(message) => Some(*messages.entry(message).or_insert(place)),
                None => Some(place),
            },
            What::Summary(_) => {
                summaries += 1;
                Some(place)
            }
            _ if is_prompt => Some(place),
            _ => previous.and_then(|previous| last_messages[previous]),
        });
        if let Some(id) = &entry.id {
            places.entry(id).or_insert(place);
        }
    }
    // For each prompt with alternatives, the record that it follows, and whether it is the last
    // alternative.
    let mut options: HashMap<usize, (Option<usize>, bool)> = HashMap::new();
    for (anchor, mut group) in groups {
        if !group.last().is_some_and(|last| is_asked[*last]) {
            // A prompt that was answered after all continues in place.
            continue;
        }
        let last = group.pop();
        group.retain(|place| {
            // Another start counts only if something follows it.
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

/// Returns whether it is a prompt of the user.
fn is_prompt(entry: &Entry) -> bool {
    let What::User(user) = &entry.what else { return false };
    let is_result = |block: &Value| block.get("type").is_some_and(|kind| kind == "tool_result");
    let answers = user.content.as_array().is_some_and(|blocks| blocks.iter().any(is_result));
    if user.is_hidden || user.is_sent_by_program || answers {
        return false;
    }
    let is_words =
        |piece: &Piece| matches!(piece, Piece::Words(_) | Piece::Command { .. } | Piece::Shell(_));
    pieces(&plain(&user.content), &mut Vec::new()).iter().any(is_words)
}

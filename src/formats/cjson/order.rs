//! Orders messages, and finds which are alternatives of one another.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::branches::Branches;
use super::message::Message;
use super::turn::finish;
use convo_base::diag::Note;
use convo_base::json::Value;
use convo_base::model::{Branch, Conversation, Turn, name_turns};

pub(super) fn same_ids(messages: &[Message], notes: &mut Vec<Note>) {
    let mut seen = HashMap::new();
    for message in messages {
        let Some(id) = message.turn.unpublished.get("id").and_then(Value::as_str) else {
            continue;
        };
        if seen.insert(id.to_owned(), ()).is_some() {
            let text = format!("duplicate message id `{id}`");
            let note = Note::warning("duplicate-id", message.start.clone(), text);
            notes.push(note.hint("both messages are kept"));
        }
    }
}

/// Puts the messages in order. Messages at the same position are alternatives, and messages of branches
/// that CJSON cannot represent go to their branches.
pub(super) fn arrange(
    mut messages: Vec<Message>,
    own: &mut Branches,
    read: &mut Conversation,
    notes: &mut Vec<Note>,
) {
    own.take(&mut messages);
    let all_placed = messages.iter().all(|message| message.index.is_some());
    let mut positions: Vec<(i64, Vec<Message>)> = Vec::new();
    let mut by_index: BTreeMap<i64, usize> = BTreeMap::new();
    for message in messages {
        match message.index {
            Some(index) => match by_index.get(&index) {
                Some(place) => positions[*place].1.push(message),
                None => {
                    by_index.insert(index, positions.len());
                    positions.push((index, vec![message]));
                }
            },
            None => positions.push((0, vec![message])),
        }
    }
    if all_placed {
        positions.sort_by_key(|(index, _)| *index);
    }
    let mut others = Vec::new();
    for (_, mut messages) in positions {
        let preferred: Vec<usize> =
            (0..messages.len()).filter(|at| messages[*at].preferred).collect();
        if preferred.len() > 1 {
            let text = "two messages at the same position are preferred; the first of them is \
                        shown first";
            notes.push(Note::warning("two-preferred", messages[preferred[1]].start.clone(), text));
        }
        // A regenerated answer replaces the older one.
        let chosen = preferred.first().copied().unwrap_or(messages.len() - 1);
        let main = messages.remove(chosen);
        let after = read.turns.len().checked_sub(1);
        read.turns.push(finish(main));
        others.extend(messages.into_iter().map(|message| (after, finish(message))));
    }
    let mut seen = HashSet::new();
    let (main, rest) = (&mut read.turns, &mut others);
    let rest = rest.iter_mut().map(|(_, turn)| turn).chain(own.turns_mut());
    let mut all: Vec<&mut Turn> = main.iter_mut().chain(rest).collect();
    for turn in &mut all {
        // A copied message needs another id.
        if !turn.id.is_empty() && !seen.insert(turn.id.clone()) {
            turn.id.clear();
        }
    }
    name_turns(all);
    for (after, turn) in others {
        let after = after.map(|at| read.turns[at].id.clone());
        read.branches.push(Branch { after, rejoins: true, turns: vec![turn], ..Branch::default() });
    }
    own.put_into(&mut read.branches);
}

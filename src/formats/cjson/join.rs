//! Moves approvals and results to the calls that they belong to.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::message::Message;
use super::schema::MADE_UP_ID_PREFIX;
use convo_base::diag::Note;
use convo_base::model::{Block, ToolCall};

/// Moves approvals and results into their calls. Messages that become empty are removed. Omitted messages
/// keep their content, and take the approvals and results that belong to them.
pub(super) fn join(messages: &mut Vec<Message>, notes: &mut Vec<Note>) {
    let mut calls: HashMap<String, (usize, usize)> = HashMap::new();
    let mut loose = Vec::new();
    for (at, message) in messages.iter().enumerate() {
        for (place, block) in message.turn.blocks.iter().enumerate() {
            let Block::Tool(call) = block else { continue };
            if call.name.is_empty() && message.withheld {
                continue;
            }
            if call.name.is_empty() {
                loose.push((at, place, calls.get(&call.id).copied()));
            } else if !call.id.is_empty()
                && calls.insert(call.id.clone(), (at, place)).is_some()
                // A branch may start with a copy of the turns before it.
                && message.branch.is_none()
            {
                let text = format!("duplicate tool call id `{}`", call.id);
                let note = Note::warning("duplicate-id", message.start.clone(), text);
                notes.push(note.hint("each result goes to the nearest call before it"));
            }
        }
    }
    let mut gone: BTreeMap<usize, HashSet<usize>> = BTreeMap::new();
    for (at, place, before) in loose {
        let id = match &messages[at].turn.blocks[place] {
            Block::Tool(call) => call.id.clone(),
            _ => continue,
        };
        let Some((to, call_place)) = before.or_else(|| calls.get(&id).copied()) else {
            if id.starts_with(MADE_UP_ID_PREFIX) {
                // The id was made up when the file was written, so there was no call.
                continue;
            }
            let message = format!("no tool call has the id `{id}`");
            notes.push(Note::warning("orphan-result", messages[at].start.clone(), message));
            continue;
        };
        let Block::Tool(part) = &mut messages[at].turn.blocks[place] else { continue };
        let ToolCall { approvals, results, .. } = std::mem::take(&mut **part);
        if let Block::Tool(call) = &mut messages[to].turn.blocks[call_place] {
            call.approvals.extend(approvals);
            call.results.extend(results);
        }
        gone.entry(at).or_default().insert(place);
    }
    for (at, gone) in gone {
        retain(&mut messages[at].turn.blocks, &gone);
        retain(&mut messages[at].passthrough, &gone);
        if messages[at].turn.blocks.is_empty() {
            // Mark the message instead of removing it now, so that indexes stay valid.
            messages[at].role.clear();
            messages[at].role.push_str(EMPTIED_ROLE);
        }
    }
    messages.retain(|message| message.role != EMPTIED_ROLE);
}

/// Removes the elements at these indexes.
fn retain<T>(list: &mut Vec<T>, gone: &HashSet<usize>) {
    let mut places = 0..;
    list.retain(|_| places.next().is_some_and(|place| !gone.contains(&place)));
}

/// Marks a message that became empty.
const EMPTIED_ROLE: &str = "\0";

//! Turns messages into turns, with a main path and branches.

use std::collections::{HashMap, HashSet};

use super::message::{Message, Parent};
use super::source::Context;
use crate::shared::access::visibility;
use crate::shared::agents::tree::{self, Node, Paths};
use crate::shared::agents::turns::{TreeMessage, along};
use convo_base::diag::Note;
use convo_base::model::{Conversation, turn_id};

/// Adds messages to a conversation. The main path ends at the message with the id `leaf`; without it, it
/// takes the last message at every fork.
pub(crate) fn assemble(
    read: &mut Conversation,
    messages: Vec<Message>,
    leaf: Option<&str>,
    context: &mut Context<'_>,
) {
    let (messages, paths) = arrange(read, messages, |_, _| leaf.map(str::to_owned), context.notes);
    let whole = messages.into_iter().map(|message| {
        let Message { kind, turn, alternatives, .. } = message?;
        Some(TreeMessage { kind, turn, alternatives })
    });
    along(whole.collect(), paths).fill(read);
    if read.time.is_none() {
        read.time = read.turns.iter().find_map(|turn| turn.time.clone());
    }
}

/// Finds the paths through messages, of which the main path ends at the `leaf`, and records the messages
/// that are omitted. If several messages have the same id, the last one is used.
pub(crate) fn arrange<T>(
    read: &mut Conversation,
    messages: Vec<Message<T>>,
    leaf: impl Fn(&[Node<'_>], &[Message<T>]) -> Option<String>,
    notes: &mut Vec<Note>,
) -> (Vec<Option<Message<T>>>, Paths) {
    let messages = latest(messages);
    let hidden = || messages.iter().filter(|message| message.is_withheld);
    read.withheld_ids = hidden().filter(|m| !m.id.is_empty()).map(|m| turn_id(&m.id)).collect();
    if let Some(first) = hidden().next() {
        let note = visibility::withheld_turns_note(hidden().count(), first.start.clone());
        notes.push(note.in_file(first.turn.place.file));
    }
    let paths = order(&messages, leaf);
    let shown = messages.into_iter().map(|message| Some(message).filter(|m| !m.is_withheld));
    (shown.collect(), paths)
}

/// Keeps the last of several messages with the same id, at the position of the first one. If any of them is
/// omitted, all are.
fn latest<T>(messages: Vec<Message<T>>) -> Vec<Message<T>> {
    let mut all: Vec<Message<T>> = Vec::with_capacity(messages.len());
    let mut places: HashMap<String, usize> = HashMap::new();
    for message in messages {
        let known = places.get(&message.id).and_then(|place| all.get_mut(*place));
        match known.filter(|_| !message.id.is_empty()) {
            Some(known) => {
                let is_withheld = message.is_withheld || known.is_withheld;
                *known = Message { is_withheld, ..message };
            }
            None => {
                places.insert(message.id.clone(), all.len());
                all.push(message);
            }
        }
    }
    all
}

/// Finds the paths through the messages.
fn order<T>(
    messages: &[Message<T>],
    leaf: impl Fn(&[Node<'_>], &[Message<T>]) -> Option<String>,
) -> Paths {
    let made_up: Vec<String> = (0..messages.len()).map(|at| format!("#{at}")).collect();
    let id = |at: usize| match messages[at].id.as_str() {
        "" => made_up[at].as_str(),
        id => id,
    };
    let known: HashSet<&str> = (0..messages.len()).map(id).collect();
    let node = |at: usize| {
        let parent = match &messages[at].parent {
            Parent::Nobody => None,
            Parent::Id(parent) if known.contains(parent.as_str()) => Some(parent.as_str()),
            // The parent is missing, so the message above is used.
            Parent::Id(_) | Parent::Above => at.checked_sub(1).map(id),
        };
        Node { id: id(at), parent }
    };
    let nodes: Vec<Node<'_>> = (0..messages.len()).map(node).collect();
    tree::paths(&nodes, leaf(&nodes, messages).as_deref())
}

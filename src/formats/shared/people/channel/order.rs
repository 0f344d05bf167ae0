//! The order of messages.

use std::collections::HashMap;

use jiff::{SignedDuration, Timestamp};

use super::Message;

/// The most by which the clock of a log goes back when summer time ends.
const CLOCK_CHANGE: SignedDuration = SignedDuration::from_hours(1);

/// What is known about the order of messages in a source.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Source {
    /// A log: each message was added below the one before it.
    Log,
    Records,
}

/// Returns messages in chronological order; those without a time follow the preceding one, and
/// replies in a thread follow the message that started it. If an id repeats, the last message
/// replaces the first one.
pub(super) fn ordered(messages: Vec<Message>, source: Source) -> Vec<Message> {
    let messages = latest(messages);
    let mut now: Option<Timestamp> = None;
    let mut dated: Vec<(Option<Timestamp>, Message)> = Vec::with_capacity(messages.len());
    let mut file = None;
    for message in messages {
        let before = now.filter(|_| source == Source::Log && file == Some(message.place.file));
        file = Some(message.place.file);
        if let Some(time) = &message.time {
            let at = time.instant();
            // A log of local times keeps its order when its clock goes back.
            let goes_back = |before: &Timestamp| {
                !time.has_zone() && at < *before && before.duration_since(at) <= CLOCK_CHANGE
            };
            now = before.filter(goes_back).or(Some(at));
        }
        dated.push((now, message));
    }
    dated.sort_by_key(|(time, _)| *time);
    group_threads(dated.into_iter().map(|(_, message)| message).collect())
}

fn latest(messages: Vec<Message>) -> Vec<Message> {
    let mut places: HashMap<String, usize> = HashMap::new();
    let mut all: Vec<Message> = Vec::with_capacity(messages.len());
    for message in messages {
        let known = places.get(&message.id).filter(|_| !message.id.is_empty());
        match known.and_then(|place| all.get_mut(*place)) {
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

/// Moves replies after the message that started their thread. Nested threads are one thread.
fn group_threads(messages: Vec<Message>) -> Vec<Message> {
    if messages.iter().all(|message| message.thread.is_none()) {
        return messages;
    }
    let places = messages.iter().enumerate().filter(|(_, message)| !message.id.is_empty());
    let places: HashMap<&str, usize> =
        places.map(|(place, message)| (message.id.as_str(), place)).collect();
    let root_of = |message: &Message| {
        let root = *places.get(message.thread.as_deref()?)?;
        (messages[root].id != message.id).then_some(root)
    };
    // A message that is itself a reply in a thread starts none.
    let roots: Vec<Option<usize>> = messages
        .iter()
        .map(|message| root_of(message).filter(|root| root_of(&messages[*root]).is_none()))
        .collect();
    let mut replies: HashMap<usize, Vec<usize>> = HashMap::new();
    for (place, root) in roots.iter().enumerate() {
        if let Some(root) = root {
            replies.entry(*root).or_default().push(place);
        }
    }
    let tops = (0..messages.len()).filter(|place| roots[*place].is_none());
    let order: Vec<usize> = tops
        .flat_map(|top| std::iter::once(top).chain(replies.remove(&top).unwrap_or_default()))
        .collect();
    let mut messages: Vec<Option<Message>> = messages.into_iter().map(Some).collect();
    order.into_iter().filter_map(|place| messages[place].take()).collect()
}

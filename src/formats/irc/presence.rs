//! Consecutive joins and parts, merged into one event.

use crate::shared::people::channel::{Message, event_block};
use convo_base::text::plural;
use convo_base::time::Time;

/// The maximum number of joins and parts that are named.
const MAX_NAMED: usize = 12;

/// The joins and parts since the last message.
#[derive(Default)]
pub(super) struct Presence {
    phrases: Vec<String>,
    /// The number of those that are not named.
    others: u64,
    /// The place and time of the first one.
    first: Option<Message>,
}

impl Presence {
    /// Adds one. If a new day begins, returns the event of the preceding day.
    pub(super) fn add(&mut self, phrase: Option<String>, at: Message) -> Option<Message> {
        let day = |message: &Message| message.time.as_ref().map(Time::day);
        let is_new_day = self.first.as_ref().is_some_and(|first| day(first) != day(&at));
        let done = if is_new_day { self.end() } else { None };
        match phrase.filter(|_| self.phrases.len() < MAX_NAMED) {
            Some(phrase) => self.phrases.push(phrase),
            None => self.others += 1,
        }
        self.first.get_or_insert(at);
        done
    }

    /// Returns the event for all of them.
    pub(super) fn end(&mut self) -> Option<Message> {
        let first = self.first.take()?;
        let mut phrases = std::mem::take(&mut self.phrases);
        let others = std::mem::take(&mut self.others);
        if others > 0 {
            phrases.push(match phrases.is_empty() {
                true => plural(others, "person joined or left", "people joined or left"),
                false => plural(others, "other joined or left", "others joined or left"),
            });
        }
        Some(Message { blocks: vec![event_block("presence", phrases.join(", "))], ..first })
    }
}

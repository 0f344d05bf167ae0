//! Those who came and went one after another, as one event.

use crate::channel::{Message, happened};
use convo_base::text::plural;
use convo_base::time::Time;

/// The most of them that are named.
const MAX_NAMED: usize = 12;

/// Those who came and went since somebody said something.
#[derive(Default)]
pub(super) struct Presence {
    phrases: Vec<String>,
    /// Those who are not named.
    others: u64,
    /// Where the first of them stands, and when that was.
    first: Option<Message>,
}

impl Presence {
    /// Adds one of them; those of another day before it are returned.
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

    /// Returns the event of all of them.
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
        Some(Message { blocks: vec![happened("presence", phrases.join(", "))], ..first })
    }
}

//! What was said since a person last asked, so that copies are known as such.

use std::collections::{HashMap, HashSet};

use convo_base::hash::Hash;

/// Which of the copies of what happened a record is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Source {
    /// What went to the model or came from it.
    Response,
    /// What the program showed.
    Event,
    /// An item of a paginated session.
    Item,
    /// A repetition at the end of a turn.
    Summary,
}

/// What a text is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Role {
    /// What a person asked.
    Asked,
    /// What the model answered.
    Answered,
    /// What the model thought.
    Thought,
    /// A search in the web.
    Searched,
    /// A message of another agent.
    Told,
    /// A command of the person.
    Ran,
}

/// What a person asked, with the one copy of it that was seen.
#[derive(Debug)]
pub(super) struct Alone {
    /// Its words without spaces.
    pub(super) words: String,
    /// The copy that was seen.
    pub(super) source: Source,
    /// Its place among the turns.
    pub(super) turn: usize,
}

/// What was said since a person last asked.
#[derive(Debug, Default)]
pub(super) struct Scope {
    /// How often each text came from each source.
    counts: HashMap<(Role, Hash), [u32; 4]>,
    /// The turns of what was asked.
    asked: HashMap<Hash, usize>,
    /// The last question, while only one copy of it was seen.
    pub(super) alone: Option<Alone>,
    /// Whether anything was answered.
    pub(super) is_answered: bool,
    /// The names by which servers have the tools of calls, by the ids of these.
    served: HashMap<String, String>,
    /// Kinds of records that have a placeholder.
    unknown: HashSet<String>,
}

impl Scope {
    /// Counts a text, and returns whether it was not said before by another source.
    pub(super) fn is_new(&mut self, role: Role, source: Source, text: &str) -> bool {
        let counts = self.counts.entry((role, key(text))).or_default();
        let most = counts.iter().copied().max().unwrap_or(0);
        let count = &mut counts[source as usize];
        *count += 1;
        *count > most
    }

    /// Remembers the turn of a question.
    pub(super) fn ask(&mut self, text: &str, source: Source, turn: usize) {
        self.asked.insert(key(text), turn);
        self.alone = Some(Alone { words: words(text), source, turn });
    }

    /// Returns the turn of a question, of which another copy was seen.
    pub(super) fn turn_of(&mut self, text: &str) -> Option<usize> {
        let turn = self.asked.get(&key(text)).copied();
        if self.alone.as_ref().is_some_and(|alone| Some(alone.turn) == turn) {
            self.alone = None;
        }
        turn
    }

    /// Remembers the name by which a server has the tool of a call.
    pub(super) fn serve(&mut self, call: &str, name: String) {
        self.served.insert(call.to_owned(), name);
    }

    /// Returns that name, where it is known.
    pub(super) fn served(&self, call: &str) -> Option<&str> {
        self.served.get(call).map(String::as_str)
    }

    /// Returns whether a kind of record has no placeholder yet.
    pub(super) fn is_first_unknown(&mut self, kind: &str) -> bool {
        self.unknown.insert(kind.to_owned())
    }
}

/// Returns a text without its spaces, which differ between copies.
pub(super) fn words(text: &str) -> String {
    text.chars().filter(|c| !c.is_whitespace()).collect()
}

fn key(text: &str) -> Hash {
    Hash::of_bytes(words(text).as_bytes())
}

#[cfg(test)]
mod tests {
    use super::{Role, Scope, Source};

    #[test]
    fn a_text_of_two_sources_is_said_once_and_of_one_twice() {
        let mut scope = Scope::default();
        let mut says = |source| scope.is_new(Role::Answered, source, "Yes.");
        assert!(says(Source::Response));
        assert!(!says(Source::Event));
        assert!(says(Source::Response));
        assert!(!says(Source::Event));
        assert!(says(Source::Event));
    }
}

//! Detects repeated records since the last question.

use std::collections::{HashMap, HashSet};

use convo_base::hash::Hash;

/// The origin of a record, which may be one of several copies.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Source {
    /// Input or output of the model.
    Response,
    /// Displayed by Codex.
    Event,
    /// An item of a paginated session.
    Item,
    /// A repetition at the end of a turn.
    Summary,
}

/// The role of a text.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Role {
    /// A question.
    Question,
    /// An answer of the model.
    Answer,
    /// A thought of the model.
    Thought,
    /// A web search.
    Search,
    /// A message of another agent.
    AgentMessage,
    /// A command of the user.
    Command,
}

/// A question of which only one copy was found.
#[derive(Debug)]
pub(super) struct UnpairedQuestion {
    /// Its text without spaces.
    pub(super) words: String,
    /// The origin of the copy.
    pub(super) source: Source,
    /// The index of its turn.
    pub(super) turn: usize,
}

/// The state since the last question.
#[derive(Debug, Default)]
pub(super) struct Scope {
    /// How often each text occurred in each origin.
    counts: HashMap<(Role, Hash), [u32; 4]>,
    /// The turns of the questions.
    asked: HashMap<Hash, usize>,
    /// The last question, while only one copy of it was found.
    pub(super) alone: Option<UnpairedQuestion>,
    /// Whether there is an answer.
    pub(super) is_answered: bool,
    /// The servers' names for the tools of calls, by call id.
    served: HashMap<String, String>,
    /// Kinds of records that already have a placeholder.
    unknown: HashSet<String>,
}

impl Scope {
    /// Counts a text, and returns whether it is new, that is, not a copy from another origin.
    pub(super) fn is_new(&mut self, role: Role, source: Source, text: &str) -> bool {
        let counts = self.counts.entry((role, key(text))).or_default();
        let most = counts.iter().copied().max().unwrap_or(0);
        let count = &mut counts[source as usize];
        *count += 1;
        *count > most
    }

    /// Records the turn of a question.
    pub(super) fn ask(&mut self, text: &str, source: Source, turn: usize) {
        self.asked.insert(key(text), turn);
        self.alone = Some(UnpairedQuestion { words: words(text), source, turn });
    }

    /// Returns the turn of a question of which another copy was found.
    pub(super) fn turn_of(&mut self, text: &str) -> Option<usize> {
        let turn = self.asked.get(&key(text)).copied();
        if self.alone.as_ref().is_some_and(|alone| Some(alone.turn) == turn) {
            self.alone = None;
        }
        turn
    }

    /// Records the server's name for the tool of a call.
    pub(super) fn serve(&mut self, call: &str, name: String) {
        self.served.insert(call.to_owned(), name);
    }

    /// Returns that name, if known.
    pub(super) fn served(&self, call: &str) -> Option<&str> {
        self.served.get(call).map(String::as_str)
    }

    /// Returns whether a kind of record has no placeholder yet.
    pub(super) fn is_first_unknown(&mut self, kind: &str) -> bool {
        self.unknown.insert(kind.to_owned())
    }
}

/// Returns a text without spaces, which differ between copies.
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
    fn a_text_of_two_sources_is_shown_once_and_of_one_twice() {
        let mut scope = Scope::default();
        let mut is_new = |source| scope.is_new(Role::Answer, source, "Yes.");
        assert!(is_new(Source::Response));
        assert!(!is_new(Source::Event));
        assert!(is_new(Source::Response));
        assert!(!is_new(Source::Event));
        assert!(is_new(Source::Event));
    }
}

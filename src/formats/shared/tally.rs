//! Counts what is in a file but not shown, or shown only by name. There is one note for each kind of thing
//! and key, at its first place.

use std::collections::BTreeMap;
use std::ops::Range;

use convo_base::diag::{Counted, Note, Severity};
use convo_base::text::short_name;

/// Returns the note on a file without messages.
pub(crate) fn no_messages(severity: Severity) -> Note {
    Note::new(severity, "no-turns", None, "no messages found in this file")
}

/// Conversations without messages.
pub(crate) const EMPTY: Counted =
    Counted::not_shown("conversation without messages", "conversations without messages");
/// Records that only programs use.
pub(crate) const BOOKKEEPING: Counted =
    Counted::not_shown("bookkeeping record", "bookkeeping records");
/// Tool results without a call.
pub(crate) const ORPHANS: Counted = Counted::new(
    Severity::Warning,
    "orphan-result",
    "tool result has no matching call",
    "tool results have no matching call",
)
.hint(
    "results without a call are not shown, because their tool is unknown; the call may be in a \
     missing part of the log",
);
/// Records of tool calls in private messages.
pub(crate) const OF_PRIVATE: Counted =
    Counted::not_shown("record of a private tool call", "records of private tool calls");
/// Sources that tools of third parties found.
pub(crate) const TOOL_SOURCES: Counted =
    Counted::not_shown("list of sources of a third party", "lists of sources of third parties");
/// Parts that are marked as private.
pub(crate) const MARKED: Counted =
    Counted::not_shown("part marked as private", "parts marked as private");
/// Messages that a program writes for the model.
pub(crate) const INJECTED: Counted = Counted::not_shown(
    "message from the program to the model",
    "messages from the program to the model",
);
/// Texts that a program adds to what people write for the agent.
pub(crate) const PROGRAM_NOTES: Counted =
    Counted::not_shown("note from the program to the agent", "notes from the program to the agent");
/// The code of the hint on turns that are not shown.
pub const WITHHELD_TURNS: &str = "turns-held-back";
/// Turns that are marked as private or deleted.
pub(crate) const WITHHELD: Counted = Counted::new(
    Severity::Hint,
    WITHHELD_TURNS,
    "turn is marked as private or deleted, so it is not shown",
    "turns are marked as private or deleted, so they are not shown",
);
/// Files that a message refers to and that are not in the export.
const MISSING: Counted = Counted::new(
    Severity::Hint,
    "missing-attachment",
    "attached file is not in the export",
    "attached files are not in the export",
)
.hint("a placeholder with the file name is shown instead");
/// Records of an unknown type, each replaced by a placeholder.
pub(crate) const UNKNOWN: Counted = Counted::new(
    Severity::Warning,
    "unknown-record",
    "record of unknown type",
    "records of unknown type",
)
.hint("a placeholder is shown instead");
/// Records of an unknown type that are skipped.
const UNKNOWN_LEFT_OUT: Counted =
    UNKNOWN.hint("not shown, because it may be private; everything else is read");
/// Messages of an unknown role.
const ROLE: Counted = Counted::new(
    Severity::Warning,
    "unknown-role",
    "message has the unknown role",
    "messages have the unknown role",
)
.hint("the role is shown as the speaker's name");

/// The maximum length of a key.
const MAX_KEY: usize = 60;
/// The maximum number of keys of one kind per file.
const MAX_KEYS: usize = 12;

/// The counts and the first places, by key.
type Keys = BTreeMap<String, (u64, Option<Range<usize>>)>;

/// The counts of a source.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    /// The counts for each kind and file number.
    counts: BTreeMap<(Counted, usize), Keys>,
}

impl Tally {
    /// Counts one thing.
    pub(crate) fn add(&mut self, what: Counted) {
        self.add_all(what, 1);
    }

    /// Counts several things.
    pub(crate) fn add_all(&mut self, what: Counted, number: u64) {
        self.count(what, "", number, 0, None);
    }

    /// Counts one thing at a place in a file.
    pub(crate) fn add_at(&mut self, what: Counted, file: usize, at: Range<usize>) {
        self.count(what, "", 1, file, Some(at));
    }

    /// Counts something that is not shown, given its singular and plural names.
    pub(crate) fn not_shown(&mut self, one: &'static str, many: &'static str) {
        self.add(Counted::not_shown(one, many));
    }

    /// Counts a record of an unknown type that is replaced by a placeholder.
    pub(crate) fn unknown(&mut self, kind: &str) {
        self.count(UNKNOWN, kind_name(kind), 1, 0, None);
    }

    /// Does the same for a record at a place in a file.
    pub(crate) fn unknown_at(&mut self, kind: &str, file: usize, at: Range<usize>) {
        self.count(UNKNOWN, kind_name(kind), 1, file, Some(at));
    }

    /// Counts a record of an unknown type that is skipped.
    pub(crate) fn unknown_skipped(&mut self, kind: &str) {
        self.count(UNKNOWN_LEFT_OUT, kind_name(kind), 1, 0, None);
    }

    /// Counts a message with an unknown role.
    pub(crate) fn role(&mut self, role: &str) {
        self.count(ROLE, short_name(role, MAX_KEY), 1, 0, None);
    }

    /// Does the same for a message at a place.
    pub(crate) fn role_at(&mut self, role: &str, at: Range<usize>) {
        self.count(ROLE, short_name(role, MAX_KEY), 1, 0, Some(at));
    }

    /// Counts a file that is referred to but is not in the export.
    pub(crate) fn missing_file(&mut self) {
        self.add(MISSING);
    }

    fn count(
        &mut self,
        what: Counted,
        key: &str,
        number: u64,
        file: usize,
        at: Option<Range<usize>>,
    ) {
        if number == 0 {
            return;
        }
        let keys = self.counts.entry((what, file)).or_default();
        let key = match keys.len() < MAX_KEYS || keys.contains_key(key) {
            true => key,
            false => "(others)",
        };
        let (known, _) = keys.entry(key.to_owned()).or_insert((0, at));
        *known = known.saturating_add(number);
    }

    /// Returns the notes on everything that was counted.
    pub(crate) fn notes(self) -> impl Iterator<Item = Note> {
        self.counts.into_iter().flat_map(|((what, file), keys)| {
            let notes = keys.into_iter();
            notes
                .map(move |(key, (number, at))| Note::counted(what, &key, number, at).in_file(file))
        })
    }
}

/// Returns a type name if it is safe to show. Names that are not plain words could contain anything.
pub(crate) fn kind_name(kind: &str) -> &str {
    let is_part = |c: char| c.is_ascii_alphanumeric() || "._:/ -".contains(c);
    match kind.is_empty() || kind.len() > MAX_KEY || !kind.chars().all(is_part) {
        true => "(no type)",
        false => kind,
    }
}

#[cfg(test)]
mod tests {
    use super::{EMPTY, Tally};

    #[test]
    fn things_of_one_kind_and_key_are_one_note() {
        let mut tally = Tally::default();
        tally.unknown_at("hologram", 1, 7..8);
        tally.unknown_at("hologram", 1, 9..10);
        tally.unknown("a key of `somebody`");
        tally.add_all(EMPTY, 0);
        tally.add_all(EMPTY, 1200);
        (0..20).for_each(|number| tally.unknown_skipped(&format!("kind-{number:02}")));
        let notes: Vec<_> = tally.notes().collect();
        let messages: Vec<&str> = notes.iter().map(|note| note.message.as_str()).collect();
        assert!(messages.contains(&"not shown: 1,200 conversations without messages"));
        assert!(messages.contains(&"1 record of unknown type `(no type)`"), "{messages:?}");
        assert!(messages.contains(&"8 records of unknown type `(others)`"), "{messages:?}");
        let two = notes.iter().find(|note| note.message.starts_with("2 ")).unwrap();
        assert_eq!(two.message, "2 records of unknown type `hologram`");
        assert_eq!((two.file, two.range.clone()), (1, Some(7..8)));
    }
}

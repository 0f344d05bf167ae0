//! What of a file is not shown, counted.

use std::collections::BTreeMap;

use crate::diag::{Note, Severity};
use crate::text::plural;

/// Counts of what is not shown of a file, or only by its name.
#[derive(Default)]
pub(in crate::formats) struct Tally {
    /// What is left out, by its name for one and for many.
    left_out: BTreeMap<(&'static str, &'static str), u64>,
    /// Files that are named and not in the export.
    pub(in crate::formats) missing_files: u64,
    /// Kinds of parts that nobody knows, with what stands for them.
    unknown: BTreeMap<(String, Stead), u64>,
    /// Roles that nobody knows.
    roles: BTreeMap<String, u64>,
}

/// What stands for a part of a kind that is not known.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Stead {
    Placeholder,
    Text,
    Nothing,
}

impl Stead {
    fn hint(self) -> &'static str {
        match self {
            Self::Placeholder => "a placeholder stands in its place",
            Self::Text => "its text is shown",
            Self::Nothing => "it is not shown; the rest is read",
        }
    }
}

impl Tally {
    /// Counts something that is left out, by its name for one and for many.
    pub(in crate::formats) fn leave_out(
        &mut self,
        one: &'static str,
        many: &'static str,
    ) {
        *self.left_out.entry((one, many)).or_default() += 1;
    }

    /// Counts a part of a kind that is not known, in whose place a placeholder stands.
    pub(in crate::formats) fn unknown(&mut self, kind: &str) {
        self.count_unknown(kind, Stead::Placeholder);
    }

    /// Counts one of which the text is shown.
    pub(in crate::formats) fn unknown_text(&mut self, kind: &str) {
        self.count_unknown(kind, Stead::Text);
    }

    /// Counts one of which nothing is shown.
    pub(in crate::formats) fn unknown_left_out(&mut self, kind: &str) {
        self.count_unknown(kind, Stead::Nothing);
    }

    fn count_unknown(&mut self, kind: &str, stead: Stead) {
        *self.unknown.entry((kind.to_owned(), stead)).or_default() += 1;
    }

    /// Counts a message of a role that is not known.
    pub(in crate::formats) fn role(&mut self, role: &str) {
        *self.roles.entry(role.to_owned()).or_default() += 1;
    }

    /// Returns the notes on all of it.
    pub(in crate::formats) fn notes(self) -> Vec<Note> {
        let mut notes = Vec::new();
        let counted =
            |((one, many), count): (&(&str, &str), &u64)| plural(*count, one, many);
        let left_out: Vec<String> = self.left_out.iter().map(counted).collect();
        if !left_out.is_empty() {
            let message = format!("not shown: {}", left_out.join(", "));
            notes.push(Note::new(Severity::Hint, "not-shown", None, message));
        }
        if self.missing_files > 0 {
            let files = plural(self.missing_files, "file is", "files are");
            let message = format!("{files} named and not in the export");
            let note = Note::new(Severity::Hint, "missing-attachment", None, message);
            notes.push(note.hint("a placeholder with its name stands for each"));
        }
        for ((kind, stead), count) in self.unknown {
            let times = plural(count, "part", "parts");
            let message =
                format!("{times} of the unknown kind `{}`", kind.replace('`', "'"));
            let note = Note::new(Severity::Warning, "unknown-record", None, message);
            notes.push(note.hint(stead.hint()));
        }
        for (role, count) in self.roles {
            let times = plural(count, "message has", "messages have");
            let message = format!("{times} a role that is not known");
            let note = Note::new(Severity::Warning, "unknown-role", None, message);
            let name = role.replace('`', "'");
            notes.push(note.hint(format!("they stand under the name `{name}`")));
        }
        notes
    }
}

//! What of a file is not shown, counted.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use crate::diag::{Note, Severity};
use crate::text::plural;

/// Counts of what is not shown of a file, or only by its name.
#[derive(Default)]
pub(crate) struct Tally {
    /// What is left out, by its name for one and for many.
    left_out: BTreeMap<(&'static str, &'static str), u64>,
    /// Files that are named and not in the export.
    pub(crate) missing_files: u64,
    /// Kinds of parts that are not known, in whose place a placeholder is.
    unknown: BTreeMap<String, u64>,
    /// Kinds of parts that are not known, of which nothing is shown.
    unknown_left_out: BTreeMap<String, u64>,
    /// Roles that nobody knows.
    roles: BTreeMap<String, u64>,
}

/// The most bytes of the name of a kind.
const MAX_KIND: usize = 60;
/// The most kinds that are named.
const MAX_KINDS: usize = 12;

impl Tally {
    /// Counts something that is left out, by its name for one and for many.
    pub(crate) fn leave_out(&mut self, one: &'static str, many: &'static str) {
        *self.left_out.entry((one, many)).or_default() += 1;
    }

    /// Counts a part of a kind that is not known, in whose place a placeholder is.
    pub(crate) fn unknown(&mut self, kind: &str) {
        *self.unknown.entry(kind_name(kind).to_owned()).or_default() += 1;
    }

    /// Counts one of which nothing is shown.
    pub(crate) fn unknown_left_out(&mut self, kind: &str) {
        *self.unknown_left_out.entry(kind_name(kind).to_owned()).or_default() += 1;
    }

    /// Counts a message of a role that is not known.
    pub(crate) fn role(&mut self, role: &str) {
        *self.roles.entry(role.to_owned()).or_default() += 1;
    }

    /// Returns the notes on all of it.
    pub(crate) fn notes(self) -> Vec<Note> {
        let mut notes = Vec::new();
        let counted = |((one, many), count): (&(&str, &str), &u64)| plural(*count, one, many);
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
        for (kind, count) in self.unknown {
            let times = plural(count, "part", "parts");
            let message = format!("{times} of the unknown kind `{kind}`");
            let note = Note::new(Severity::Warning, "unknown-record", None, message);
            notes.push(note.hint("a placeholder stands in its place"));
        }
        notes.extend(not_shown(&self.unknown_left_out));
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

/// Returns the warning on all parts of which nothing is shown.
fn not_shown(kinds: &BTreeMap<String, u64>) -> Option<Note> {
    let mut named: Vec<(&String, &u64)> = kinds.iter().collect();
    named.sort_by_key(|(_, count)| Reverse(**count));
    let all = kinds.values().sum();
    let few = named.iter().take(MAX_KINDS);
    let mut words: Vec<String> = few.map(|(kind, count)| format!("`{kind}` ({count})")).collect();
    if let Some(more) = named.len().checked_sub(MAX_KINDS).filter(|more| *more > 0) {
        words.push(plural(more as u64, "more kind", "more kinds"));
    }
    (all > 0).then(|| {
        let (parts, kinds) = (plural(all, "part", "parts"), words.join(", "));
        let message = format!("{parts} of kinds that are not known: {kinds}");
        Note::new(Severity::Warning, "unknown-record", None, message)
            .hint("they are not shown, as they may be private; the rest is read")
    })
}

/// Returns a kind as it may be named: one that is not a word may be anything.
fn kind_name(kind: &str) -> &str {
    let is_part = |c: char| c.is_ascii_alphanumeric() || "._:/ -".contains(c);
    match kind.is_empty() || kind.len() > MAX_KIND || !kind.chars().all(is_part) {
        true => "(no kind)",
        false => kind,
    }
}

//! Counts of what a file has and no page shows, told once for all of it.

use std::collections::BTreeMap;

use crate::diag::{Note, Severity};
use crate::text::plural;

/// The counts of one file.
#[derive(Default)]
pub(super) struct Tally {
    /// Messages that are not for readers: instructions, memories, what tools answered.
    pub(super) hidden: u64,
    /// Recordings of calls, of which the words are shown.
    pub(super) voices: u64,
    /// Conversations of which nothing but the name is there.
    pub(super) shells: u64,
    /// Kinds that are not known, each with its count and the place of the first.
    unknown: BTreeMap<String, (u64, usize)>,
}

impl Tally {
    /// Counts something of a kind that is not known, in the record that starts at byte `at`.
    pub(super) fn add_unknown(&mut self, kind: String, at: usize) {
        self.unknown.entry(kind).or_insert((0, at)).0 += 1;
    }

    /// Makes the notes.
    pub(super) fn notes(self) -> impl Iterator<Item = Note> {
        let hidden = (self.hidden > 0).then(|| {
            let count = plural(self.hidden, "message is", "messages are");
            format!("{count} not shown: instructions, memories, what tools told the model")
        });
        let shells = (self.shells > 0).then(|| {
            let count = plural(self.shells, "conversation has", "conversations have");
            format!("{count} no messages in the export")
        });
        let voices = (self.voices > 0).then(|| {
            let count = plural(self.voices, "recording is", "recordings are");
            format!("{count} left out, of which the words are shown")
        });
        let not_shown: Vec<String> = hidden.into_iter().chain(voices).chain(shells).collect();
        let not_shown = (!not_shown.is_empty())
            .then(|| Note::new(Severity::Hint, "not-shown", None, not_shown.join("; ")));
        let unknown = self.unknown.into_iter().map(|(kind, (count, at))| {
            let count = plural(count, "record is", "records are");
            let message = format!("{count} of the unknown kind `{kind}`");
            let note = Note::warning("unknown-record", at..at + 1, message);
            note.hint("a placeholder stands in its place")
        });
        not_shown.into_iter().chain(unknown)
    }
}

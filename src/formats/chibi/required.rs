//! Checks that entries have a speaker and content. This detects files in another format.

use std::collections::BTreeMap;
use std::ops::Range;

use super::entry::Entry;
use convo_base::diag::{Note, Severity};
use convo_base::text::plural;

/// What is missing: a field of an entry that is still shown, or both fields.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Missing {
    From,
    Content,
    Both,
}

/// Incomplete entries by what is missing: their number, the range of the first one, and its file.
#[derive(Default)]
pub(super) struct Required(BTreeMap<Missing, (u64, Range<usize>, usize)>);

impl Required {
    /// Returns whether an entry is complete enough to be shown.
    pub(super) fn is_met(&mut self, entry: &Entry) -> bool {
        let has = |key: &str| entry.whole.get(key).is_some_and(|value| !value.is_null());
        let missing = match (has("from"), has("content")) {
            (true, true) => return true,
            (false, true) => Missing::From,
            (true, false) => Missing::Content,
            (false, false) => Missing::Both,
        };
        let (count, ..) =
            self.0.entry(missing).or_insert_with(|| (0, entry.range.clone(), entry.file));
        *count += 1;
        missing != Missing::Both
    }

    /// Returns a note for each kind of incomplete entry, at the first one.
    pub(super) fn notes(self) -> impl Iterator<Item = Note> {
        self.0.into_iter().map(|(missing, (count, range, file))| {
            let entries = plural(count, "entry", "entries");
            let (severity, what, hint) = match missing {
                Missing::From => (Severity::Warning, "`from` is", "the speaker is unknown"),
                Missing::Content => (Severity::Warning, "`content` is", "shown without text"),
                Missing::Both => {
                    (Severity::Error, "`from` and `content` are", "not a chibi entry; skipped")
                }
            };
            let message = format!("{what} missing in {entries}");
            Note::new(severity, "missing-key", Some(range), message).in_file(file).hint(hint)
        })
    }
}

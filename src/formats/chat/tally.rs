//! What is told once for a file, however often it is found.

use std::collections::BTreeMap;
use std::ops::Range;

use super::super::visibility;
use crate::diag::{Note, Severity};
use crate::text::plural;

/// Things to be told once for a file, however often they are found.
#[derive(Default)]
pub(crate) struct Tally {
    found: BTreeMap<(Told, String), (u64, Range<usize>)>,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Told {
    NoMessage,
    Record,
    Role,
    LeftOut,
}

impl Tally {
    /// A part of a message of a kind that is not known.
    pub(crate) fn unknown(&mut self, kind: &str, at: Range<usize>) {
        self.add(Told::Record, kind, at);
    }

    /// A message that is none: it has no role, or is no object.
    pub(crate) fn no_message(&mut self, at: Range<usize>) {
        self.add(Told::NoMessage, "", at);
    }

    /// A role that is not known.
    pub(crate) fn role(&mut self, role: &str, at: Range<usize>) {
        self.add(Told::Role, role, at);
    }

    /// A message that says that it is private or deleted.
    pub(crate) fn left_out(&mut self, at: Range<usize>) {
        self.add(Told::LeftOut, "", at);
    }

    fn add(&mut self, told: Told, what: &str, at: Range<usize>) {
        self.found.entry((told, what.to_owned())).or_insert((0, at)).0 += 1;
    }

    pub(super) fn notes(self) -> impl Iterator<Item = Note> {
        self.found.into_iter().map(|((told, what), (count, at))| {
            let what = what.replace('`', "'");
            match told {
                Told::NoMessage => {
                    let times = plural(count, "message has", "messages have");
                    let message = format!("{times} no role");
                    Note::error("missing-key", at, message)
                        .hint("they are left out; the others are kept")
                }
                Told::Record => {
                    let times = plural(count, "part of a message is", "parts of messages are");
                    let message = format!("{times} of the unknown kind `{what}`");
                    Note::new(Severity::Warning, "unknown-record", Some(at), message)
                        .hint("a placeholder stands for each; its contents are not published")
                }
                Told::Role => {
                    let times = plural(count, "message has", "messages have");
                    let message = format!("{times} the unknown role `{what}`");
                    Note::new(Severity::Warning, "unknown-role", Some(at), message)
                        .hint("the role was taken for the name of who speaks")
                }
                Told::LeftOut => visibility::left_out(count as usize, at),
            }
        })
    }
}

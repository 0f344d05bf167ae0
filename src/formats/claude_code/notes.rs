//! What there is to say of a log: each thing once for each file, however often it is there.

use std::collections::BTreeMap;
use std::ops::Range;

use super::super::visibility;
use crate::diag::{Note, Severity};
use crate::text::plural;

/// How often something was found in a file, and where at first.
type Found = BTreeMap<(usize, String), (u64, Range<usize>)>;

/// Counts.
#[derive(Default)]
pub(super) struct Tally {
    no_object: Found,
    unknown: Found,
    passed_over: Found,
    /// Records of speakers without a message.
    silent: Found,
    left_out: Found,
    /// Results without a call.
    orphans: Found,
    /// Outputs of which only the beginning is here.
    cut_off: Found,
}

fn count(found: &mut Found, file: usize, what: &str, at: Range<usize>) {
    let start = at.start..at.start + 1;
    found.entry((file, what.to_owned())).or_insert((0, start)).0 += 1;
}

impl Tally {
    pub(super) fn no_object(&mut self, kind: &str, file: usize, at: Range<usize>) {
        count(&mut self.no_object, file, kind, at);
    }

    /// A record of an unknown kind, which holds a message or not.
    pub(super) fn unknown(&mut self, kind: &str, says: bool, file: usize, at: Range<usize>) {
        match says {
            true => count(&mut self.unknown, file, kind, at),
            false => count(&mut self.passed_over, file, "", at),
        }
    }

    pub(super) fn silent(&mut self, file: usize, at: Range<usize>) {
        count(&mut self.silent, file, "", at);
    }

    pub(super) fn left_out(&mut self, file: usize, at: Range<usize>) {
        count(&mut self.left_out, file, "", at);
    }

    pub(super) fn unknown_block(&mut self, kind: &str, file: usize, start: usize) {
        count(&mut self.unknown, file, kind, start..start);
    }

    pub(super) fn orphan(&mut self, file: usize, start: usize) {
        count(&mut self.orphans, file, "", start..start);
    }

    pub(super) fn cut_off(&mut self, file: usize, start: usize) {
        count(&mut self.cut_off, file, "", start..start);
    }

    /// The notes on what was counted.
    pub(super) fn notes(self) -> Vec<Note> {
        let mut notes = Vec::new();
        for ((file, kind), (number, at)) in self.no_object {
            let records = plural(number, "record is", "records are");
            let message = format!("{records} {kind} where an object belongs");
            let note = Note::warning("wrong-type", at, message).in_file(file);
            notes.push(note.hint("what is none is left out; the others are kept"));
        }
        for ((file, kind), (number, at)) in self.unknown {
            let records = plural(number, "record", "records");
            let message = format!("{records} of the unknown kind `{kind}`");
            let note = Note::warning("unknown-record", at, message).in_file(file);
            notes.push(note.hint("a placeholder stands for what is in it"));
        }
        for ((file, _), (number, at)) in self.passed_over {
            let records = plural(number, "record", "records");
            let message = format!("{records} of unknown kinds that hold no message");
            let note = Note::new(Severity::Hint, "not-shown", Some(at), message);
            notes.push(note.in_file(file));
        }
        for ((file, _), (number, first)) in self.left_out {
            notes.push(visibility::left_out(number as usize, first).in_file(file));
        }
        for ((file, _), (number, at)) in self.silent {
            let records = plural(number, "record of a speaker has", "records of speakers have");
            let message = format!("{records} no message with contents");
            let note = Note::warning("missing-key", at, message).in_file(file);
            notes.push(note.hint("nothing of it can be shown; the others are kept"));
        }
        for ((file, _), (number, at)) in self.orphans {
            let message = format!("{} no call", plural(number, "result has", "results have"));
            let note = Note::warning("orphan-result", at, message);
            let hint = "nobody knows of which tools they are, so they are not shown; the calls may \
                 stand in a part of the log that is missing";
            notes.push(note.in_file(file).hint(hint));
        }
        for ((file, _), (number, at)) in self.cut_off {
            let outputs = plural(number, "long output is", "long outputs are");
            let message = format!("{outputs} here only in part");
            let note = Note::new(Severity::Hint, "not-shown", Some(at), message);
            let hint = "copy the folder `tool-results` of the session with its log";
            notes.push(note.in_file(file).hint(hint));
        }
        notes
    }
}

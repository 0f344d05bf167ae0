//! Notes that count something: a kind of thing, its key and the number. Their text is made from
//! these values, so that notes on several parts of a file can be added up.

use super::Severity;
use crate::text::plural;

/// A kind of thing that is counted, with the texts of its note.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Counted {
    /// The severity of the note.
    pub severity: Severity,
    /// The code of the note.
    pub code: &'static str,
    /// The text before the number.
    pub before: &'static str,
    /// The text after the number, if there is one.
    pub one: &'static str,
    /// The text after the number, if there are several.
    pub many: &'static str,
    /// The hint of the note, or an empty string.
    pub hint: &'static str,
}

impl Counted {
    /// Something that is not published, as in `not shown: 2 link previews`.
    pub const fn not_shown(one: &'static str, many: &'static str) -> Self {
        Self { before: "not shown: ", ..Self::new(Severity::Hint, "not-shown", one, many) }
    }

    /// Anything else; the note reads `one` or `many` after the number.
    pub const fn new(
        severity: Severity,
        code: &'static str,
        one: &'static str,
        many: &'static str,
    ) -> Self {
        Self { severity, code, before: "", one, many, hint: "" }
    }

    /// Adds a hint.
    pub const fn hint(self, hint: &'static str) -> Self {
        Self { hint, ..self }
    }
}

/// The number of things of one kind and key.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Count {
    /// The kind.
    pub what: Counted,
    /// What distinguishes them from others of their kind, such as the name of a record type; may be
    /// empty.
    pub key: String,
    /// The number.
    pub number: u64,
}

impl Count {
    /// Returns the message of the note.
    pub fn message(&self) -> String {
        let Counted { before, one, many, .. } = self.what;
        let number = plural(self.number, one, many);
        match self.key.is_empty() {
            true => format!("{before}{number}"),
            false => format!("{before}{number} `{}`", self.key),
        }
    }
}

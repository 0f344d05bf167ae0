//! Notes that count something: a kind of thing, its key and the number of them. The text is made from
//! these, so that the notes on the parts of a file can be added up.

use super::Severity;
use crate::text::plural;

/// A kind of thing that is counted, with the text on it.
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
    /// The hint of the note, or an empty text.
    pub hint: &'static str,
}

impl Counted {
    /// Something that is not published: `not shown: 2 previews of links`.
    pub const fn not_shown(one: &'static str, many: &'static str) -> Self {
        Self { before: "not shown: ", ..Self::new(Severity::Hint, "not-shown", one, many) }
    }

    /// Something else, of which a note with this code says `one` or `many` after the number.
    pub const fn new(
        severity: Severity,
        code: &'static str,
        one: &'static str,
        many: &'static str,
    ) -> Self {
        Self { severity, code, before: "", one, many, hint: "" }
    }

    /// With a hint.
    pub const fn hint(self, hint: &'static str) -> Self {
        Self { hint, ..self }
    }
}

/// The number of things of one kind and key.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Count {
    /// The kind.
    pub what: Counted,
    /// What tells them from others of the kind, such as the name of a record's type; it may be empty.
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

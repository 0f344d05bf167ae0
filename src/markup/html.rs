//! Markup that is safe to print.

use serde::{Serialize, Serializer};

/// HTML that only this folder can make, from escaped text and tags of its own.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Html(pub(super) String);

impl Html {
    /// The markup.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// Templates see a string, which they print with `| safe`.
impl Serialize for Html {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(&self.0)
    }
}

/// Appends `text` with everything escaped that could end a text or a quoted attribute.
pub(crate) fn escape(out: &mut String, text: &str) {
    let mut done = 0;
    for (at, byte) in text.bytes().enumerate() {
        let entity = match byte {
            b'&' => "&amp;",
            b'<' => "&lt;",
            b'>' => "&gt;",
            b'"' => "&quot;",
            _ => continue,
        };
        out.push_str(&text[done..at]);
        out.push_str(entity);
        done = at + 1;
    }
    out.push_str(&text[done..]);
}

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
///
/// HTML has no way to hold control characters, which terminals leave behind in logs; each
/// becomes its picture, such as `␛`, or U+FFFD.
pub(crate) fn escape(out: &mut String, text: &str) {
    let mut done = 0;
    for (at, c) in text.char_indices() {
        let mut picture = [0; 4];
        let replaced = match c {
            '&' => "&amp;",
            '<' => "&lt;",
            '>' => "&gt;",
            '"' => "&quot;",
            '\t' | '\n' | '\r' | '\u{c}' | ' '..='~' => continue,
            '\0'..='\x1f' => match char::from_u32(0x2400 + c as u32) {
                Some(visible) => visible.encode_utf8(&mut picture),
                None => "\u{fffd}",
            },
            '\x7f' => "\u{2421}",
            '\u{80}'..='\u{9f}' => "\u{fffd}",
            _ => continue,
        };
        out.push_str(&text[done..at]);
        out.push_str(replaced);
        done = at + c.len_utf8();
    }
    out.push_str(&text[done..]);
}

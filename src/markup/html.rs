//! HTML that is safe to print.

use serde::{Serialize, Serializer};

/// HTML that only this module can create, from escaped text and its own tags.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Html(pub(super) String);

impl Html {
    /// Returns the markup.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// Serializes as a string, which templates print with `| safe`.
impl Serialize for Html {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(&self.0)
    }
}

/// Returns whether [`escape`] would leave a text as it is.
pub fn is_plain(text: &str) -> bool {
    !text.bytes().any(|byte| SPECIAL[byte as usize])
}

/// Appends `text` with all characters escaped that could end a text or a quoted attribute.
///
/// HTML cannot contain control characters, which terminals leave in logs. Each becomes a symbol
/// such as `␛`, or U+FFFD.
pub fn escape(out: &mut String, text: &str) {
    let mut done = 0;
    let mut at = 0;
    while let Some(found) = text.as_bytes()[at..].iter().position(|byte| SPECIAL[*byte as usize]) {
        at += found;
        let c = text[at..].chars().next().unwrap_or_default();
        let mut picture = [0; 4];
        let replaced = match c {
            '&' => "&amp;",
            '<' => "&lt;",
            '>' => "&gt;",
            '"' => "&quot;",
            '\0'..='\x1f' => match char::from_u32(0x2400 + c as u32) {
                Some(visible) => visible.encode_utf8(&mut picture),
                None => "\u{fffd}",
            },
            '\x7f' => "\u{2421}",
            '\u{80}'..='\u{9f}' => "\u{fffd}",
            // Other characters start with the same byte.
            other => {
                at += other.len_utf8();
                continue;
            }
        };
        out.push_str(&text[done..at]);
        out.push_str(replaced);
        at += c.len_utf8();
        done = at;
    }
    out.push_str(&text[done..]);
}

/// The first bytes of all characters that are replaced.
const SPECIAL: [bool; 256] = {
    let mut special = [false; 256];
    let mut byte = 0;
    while byte < 256 {
        special[byte] = matches!(byte as u8, b'&' | b'<' | b'>' | b'"' | 0x7f | 0xc2)
            || byte < 0x20 && !matches!(byte as u8, b'\t' | b'\n' | b'\r' | 0x0c);
        byte += 1;
    }
    special
};

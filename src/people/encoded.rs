//! Base64 texts, which mails use for text outside ASCII.

use crate::text::{base64_decode, base64_encode};

/// The minimum number of Base64 characters to decode: those of a name of nine bytes.
const MIN_LETTERS: usize = 12;
/// The minimum length of a line that continues on the next one.
const MIN_LINE: usize = 56;

/// Calls a function with each decoded Base64 text. The function returns whether it changed the text.
/// Returns whether any text changed.
pub(super) fn replace_encoded(
    text: &mut String,
    replace: &mut dyn FnMut(&mut String) -> bool,
) -> bool {
    let mut out = String::new();
    let (mut at, mut done) = (0, 0);
    while let Some(len) = text.get(at..).map(run).filter(|_| at < text.len()) {
        let encoded = text.get(at..at + len).unwrap_or_default();
        if let Some(mut inside) = decoded(encoded)
            && replace(&mut inside)
        {
            out.push_str(text.get(done..at).unwrap_or_default());
            out.push_str(&base64_encode(inside.as_bytes()));
            done = at + len;
        }
        let rest = text.get(at + len..).unwrap_or_default();
        at += len + rest.find(is_letter).unwrap_or(rest.len());
    }
    if done > 0 {
        out.push_str(text.get(done..).unwrap_or_default());
        *text = out;
    }
    done > 0
}

/// Decodes Base64 to text.
fn decoded(encoded: &str) -> Option<String> {
    let letters: String = encoded.chars().filter(|c| is_letter(*c)).collect();
    if letters.len() < MIN_LETTERS {
        return None;
    }
    let text = String::from_utf8(base64_decode(&letters)?).ok()?;
    let is_text = |c: char| !c.is_control() || matches!(c, '\n' | '\r' | '\t');
    text.chars().all(is_text).then_some(text)
}

/// Returns the length of the Base64 at the start of a text. It may continue over line ends and quote
/// markers after full lines.
fn run(text: &str) -> usize {
    let (mut end, mut line, mut is_between) = (0, 0, false);
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'=' if end == at && at > 0 => {
                let is_padded = text.as_bytes().get(at + 1) == Some(&b'=');
                return at + 1 + usize::from(is_padded);
            }
            byte if is_letter(char::from(byte)) => {
                line = if is_between { 1 } else { line + 1 };
                is_between = false;
                end = at + 1;
            }
            b'\n' if !is_between && line >= MIN_LINE => is_between = true,
            b'\r' if line >= MIN_LINE => {}
            b'>' | b' ' if is_between => {}
            _ => break,
        }
    }
    end
}

fn is_letter(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '+' | '/' | '-' | '_')
}

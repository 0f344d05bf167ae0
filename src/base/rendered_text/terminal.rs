//! Control sequences of terminals, which colour a part of a word: `\u{1b}[31m`, and the ways in which
//! programs and people write them as text.

/// How the escape character is written in front of `[`.
const ESCAPES: [&str; 12] = [
    "\u{1b}", "\u{241b}", "^[", r"\x1b", r"\x1B", r"\033", r"\e", r"\E", r"\u001b", r"\u001B",
    r"\u{1b}", r"\u{1B}",
];

/// The maximum number of backslashes before the name of an escape.
const MAX_SLASHES: usize = 8;
/// The maximum length of the parameters of a sequence, in bytes.
const MAX_BYTES: usize = 64;

/// Returns the length of the sequence at the start of a text, or 0. It ends after its parameters, before
/// the next word.
pub(super) fn sequence_len(text: &str) -> usize {
    if !text.starts_with(['\u{1b}', '\u{9b}', '\u{241b}', '^', '\\', '[']) {
        return 0;
    }
    if let Some(rest) = text.strip_prefix('\u{9b}') {
        return parameters(rest).map_or(0, |(len, _)| '\u{9b}'.len_utf8() + len);
    }
    let slashes = text.bytes().take(MAX_SLASHES).take_while(|byte| *byte == b'\\').count();
    let bare = text.get(slashes..).unwrap_or_default();
    let escape = ESCAPES.iter().find_map(|escape| {
        // In JSON, a backslash is escaped again.
        let rest = match escape.strip_prefix('\\') {
            Some(name) if slashes > 0 => bare.strip_prefix(name)?,
            Some(_) => return None,
            None => text.strip_prefix(escape)?,
        };
        rest.strip_prefix('[')
    });
    match escape.or_else(|| text.strip_prefix('[')) {
        Some(rest) => {
            let Some((len, is_colour)) = parameters(rest) else { return 0 };
            // Without the escape character, which some programs drop, only colours are recognised.
            let is_sequence = escape.is_some() || is_colour;
            if is_sequence { text.len() - rest.len() + len } else { 0 }
        }
        None if text.starts_with('\u{1b}') => {
            let short = text.chars().nth(1).filter(|c| "78=>DEHMNOZc".contains(*c));
            short.map_or(0, |c| 1 + c.len_utf8())
        }
        None => 0,
    }
}

/// Returns the length of the parameters after `[` and the letter that ends them, and whether they set a
/// colour.
fn parameters(text: &str) -> Option<(usize, bool)> {
    let is_parameter = |byte: &u8| (0x20..0x40).contains(byte);
    let len = text.bytes().take(MAX_BYTES).take_while(is_parameter).count();
    let end = text.as_bytes().get(len).filter(|byte| (0x40..0x7f).contains(*byte))?;
    let is_number = |byte: u8| byte.is_ascii_digit() || byte == b';';
    let is_colour = *end == b'm' && len > 0 && text.bytes().take(len).all(is_number);
    Some((len + 1, is_colour))
}

#[cfg(test)]
mod tests {
    use super::sequence_len;

    #[test]
    fn sequences_end_with_a_letter() {
        for (text, len) in [
            ("\u{1b}[31mBea", 5),
            ("\u{1b}[KBea", 3),
            ("\u{9b}1mBea", 4),
            ("\u{1b}MBea", 2),
            ("^[[1mBea", 5),
            (r"\x1b[1mBea", 7),
            (r"\\u001b[1;31mBea", 13),
            (r"\e[0mBea", 5),
            ("[0;1mBea", 5),
            ("[m]", 0),
            ("[Bea](url)", 0),
            ("\u{1b}Bea", 0),
            ("\\mBea", 0),
            ("\u{1b}[é", 0),
        ] {
            assert_eq!(sequence_len(text), len, "{text:?}");
        }
    }
}

//! The context of a name in a text: the rest of a word, or the end of a sentence.

use std::ops::Range;

/// Words before an apostrophe that are words of their own, as in `l'Ada`.
const ELISIONS: [&str; 16] = [
    "c", "d", "j", "l", "m", "n", "o", "s", "t", "qu", "un", "all", "dall", "dell", "nell", "sull",
];

/// The maximum number of bytes to read around an apostrophe.
const MAX_JOINED: usize = 24;

/// Returns whether an apostrophe makes a name part of a word, as in `aren't` and `o'clock`. `shown` is the
/// name as written. A possessive ending, as in `Ada's`, is not part of the name; after a lower-case word,
/// only `s` counts as one.
pub(super) fn is_part_of_word(before: &str, after: &str, shown: &str) -> bool {
    let is_apart = |c: char| !c.is_alphanumeric();
    if let Some(rest) = after.strip_prefix('\'') {
        let rest = rest.get(..rest.floor_char_boundary(MAX_JOINED)).unwrap_or(rest);
        let end = rest.split(is_apart).next().unwrap_or_default();
        let is_capital = shown.starts_with(|c: char| !c.is_lowercase());
        let is_word = || crate::text::is_everyday_name(&shown.to_lowercase());
        if end == "t" || !matches!(end, "" | "s") && !is_capital && is_word() {
            return true;
        }
    }
    before.strip_suffix('\'').is_some_and(|rest| {
        let from = rest.ceil_char_boundary(rest.len().saturating_sub(MAX_JOINED));
        let rest = rest.get(from..).unwrap_or(rest);
        let start = rest.rsplit(is_apart).next().unwrap_or_default();
        !start.is_empty() && !ELISIONS.contains(&start)
    })
}

/// Returns whether a sentence, line or quotation starts after a text, where any word has a capital letter.
pub(super) fn starts_sentence(before: &str) -> bool {
    let is_between = |c: char| {
        matches!(c, ' ' | '\t' | '\u{a0}' | '-' | '–' | '—' | '>' | '#' | '|' | '·' | '•')
            || is_mark(c)
    };
    let words = before.trim_end_matches(is_between);
    let is_bracketed = || before.trim_end_matches([' ', '\t']).ends_with(is_mark);
    words.is_empty()
        || words.ends_with(['\n', '.', '!', '?', ':', ';', '…', '。', '！', '？'])
        || is_bracketed()
}

/// Returns whether a character is a quotation mark or a bracket.
fn is_mark(c: char) -> bool {
    matches!(
        c,
        '"' | '\''
            | '“'
            | '”'
            | '„'
            | '‘'
            | '’'
            | '«'
            | '»'
            | '('
            | ')'
            | '['
            | ']'
            | '*'
            | '_'
            | '`'
    )
}

/// Returns the word around a range of a text.
pub(super) fn word_around<'t>(text: &'t str, range: &Range<usize>) -> &'t str {
    let before = text.get(..range.start).unwrap_or_default();
    let after = text.get(range.end..).unwrap_or_default();
    let is_apart = |c: char| !c.is_alphanumeric();
    let most = before.len().saturating_sub(MAX_JOINED);
    let floor = before.ceil_char_boundary(most);
    let start = before.get(floor..).unwrap_or_default();
    let start = start.rfind(is_apart).map_or(floor, |at| {
        floor + at + start.get(at..).and_then(|rest| rest.chars().next()).map_or(1, char::len_utf8)
    });
    let end = after.get(..after.floor_char_boundary(MAX_JOINED)).unwrap_or(after);
    let end = range.end + end.find(is_apart).unwrap_or(end.len());
    text.get(start..end).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::{is_part_of_word, starts_sentence, word_around};

    #[test]
    fn an_apostrophe_joins_words() {
        for (before, after, shown, is_part) in [
            ("", "'t ready", "aren", true),
            ("", "'t ready", "Aren", true),
            ("", "'s here", "Ada", false),
            ("", "'s here", "test", false),
            ("", "'re here", "they", true),
            ("", "'ll be here", "Ada", false),
            ("", "'ya", "Ada", false),
            ("", "' he said", "Ada", false),
            ("she said '", "", "Ada", false),
            ("l'", "", "Ada", false),
            ("rock'", "", "roll", true),
        ] {
            assert_eq!(is_part_of_word(before, after, shown), is_part, "{before}{shown}{after}");
        }
    }

    #[test]
    fn sentences_begin_behind_ends_and_marks() {
        for before in ["", "So. ", "So\n", "So\n> ", "(", "he said: \"", "- "] {
            assert!(starts_sentence(before), "{before}");
        }
        for before in ["I asked ", "with Ada, ", "half-"] {
            assert!(!starts_sentence(before), "{before}");
        }
        assert_eq!(word_around("so balders go", &(4..9)), "balders");
    }
}

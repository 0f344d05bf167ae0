//! Typographic quotation marks of languages.

/// The marks of a language around quotations and around nested quotations.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct QuotationMarks {
    /// The marks around a quotation.
    pub outer: [&'static str; 2],
    /// The marks around a quotation inside a quotation.
    pub inner: [&'static str; 2],
}

const APOSTROPHE: char = '’';
/// Language-independent opening and closing marks, for the state between pieces.
const OPENING: char = '“';
const CLOSING: char = '”';

/// The marks of languages, from the delimiters of Unicode CLDR 47, with narrow spaces in French.
const MARKS: [(&[&str], [&str; 4]); 8] = [
    (&["en", "pt", "nl", "tr", "da", "zh"], ["“", "”", "‘", "’"]),
    (&["de", "cs", "sk", "sl", "bg", "is", "lt"], ["„", "“", "‚", "‘"]),
    (&["fr"], ["«\u{202f}", "\u{202f}»", "“", "”"]),
    (&["es", "it", "ca", "gl", "el"], ["«", "»", "“", "”"]),
    (&["nb", "no", "nn"], ["«", "»", "‘", "’"]),
    (&["ru", "uk", "be"], ["«", "»", "„", "“"]),
    (&["pl", "ro", "hu"], ["„", "”", "«", "»"]),
    (&["sv", "fi"], ["”", "”", "’", "’"]),
];

impl QuotationMarks {
    /// Returns the marks for a BCP 47 tag; `None` for languages without a replacement for straight
    /// marks.
    pub fn of(language: &str) -> Option<Self> {
        let primary = language.split('-').next()?.to_ascii_lowercase();
        let (_, [open, close, open_inner, close_inner]) =
            MARKS.iter().find(|(languages, _)| languages.contains(&primary.as_str()))?;
        Some(Self { outer: [open, close], inner: [open_inner, close_inner] })
    }
}

/// Replaces straight marks in a text that is read in pieces.
#[derive(Clone, Copy, Default, Debug)]
pub struct Quoting {
    /// The character before the next piece; `None` at the start of a block.
    before: Option<char>,
    /// Whether an outer and a nested quotation are open.
    open: [bool; 2],
}

impl Quoting {
    /// Skips something that is not text, such as code.
    pub fn pass(&mut self, last: char) {
        self.before = Some(last);
    }

    /// Returns a piece with typographic marks. Marks that are not quotation marks are kept, as in
    /// 5'10".
    pub fn apply(&mut self, text: &str, marks: &QuotationMarks) -> String {
        let last_close = last_close(text);
        let mut out = String::with_capacity(text.len() + 8);
        let mut rest = text.char_indices().peekable();
        while let Some((at, c)) = rest.next() {
            let after = rest.peek().map(|(_, c)| *c);
            let level = match c {
                '"' => 0,
                '\'' => 1,
                _ => {
                    out.push(c);
                    self.before = Some(c);
                    continue;
                }
            };
            let of_level = [marks.outer, marks.inner][level];
            let follows = !self.before.is_none_or(opens_after);
            let is_number = self.before.is_some_and(|c| c.is_ascii_digit());
            let continues = after.is_some_and(char::is_alphanumeric);
            let is_apostrophe = level == 1
                && match follows {
                    true => (continues || !self.open[1]) && !is_number,
                    false => {
                        after.is_some_and(|c| c.is_ascii_digit())
                            || last_close.is_none_or(|last| last <= at)
                    }
                };
            if is_apostrophe {
                out.push(APOSTROPHE);
                self.before = Some(APOSTROPHE);
            } else if !follows {
                self.open[level] = true;
                out.push_str(of_level[0]);
                self.before = Some(OPENING);
            } else if is_number && (continues || !self.open[level]) {
                out.push(c);
                self.before = Some(c);
            } else {
                self.open[level] = false;
                out.push_str(of_level[1]);
                self.before = Some(CLOSING);
            }
        }
        out
    }
}

/// Returns whether a mark after this character opens a quotation.
fn opens_after(before: char) -> bool {
    before.is_whitespace() || "([{<—–-/“‘„‚«=".contains(before)
}

/// Returns the position of the last single mark that can close a quotation.
fn last_close(text: &str) -> Option<usize> {
    text.rmatch_indices('\'').map(|(at, _)| at).find(|at| {
        let before = text[..*at].chars().next_back();
        let after = text[at + 1..].chars().next();
        before.is_some_and(|c| !c.is_whitespace()) && !after.is_some_and(char::is_alphanumeric)
    })
}

#[cfg(test)]
mod tests {
    use super::{QuotationMarks, Quoting};

    #[track_caller]
    fn check(language: &str, text: &str, expected: &str) {
        let marks = QuotationMarks::of(language).unwrap();
        assert_eq!(Quoting::default().apply(text, &marks), expected);
    }

    #[test]
    fn languages_have_marks_of_their_own() {
        check("en", "\"It's 'so'\", he said.", "“It’s ‘so’”, he said.");
        check("de-AT", "\"Ist's 'so'?\"", "„Ist’s ‚so‘?“");
        check("fr", "\"C'est ça\"", "«\u{202f}C’est ça\u{202f}»");
        assert_eq!(QuotationMarks::of("ja"), None);
        assert_eq!(QuotationMarks::of(""), None);
    }

    #[test]
    fn apostrophes_and_measures_are_not_quotations() {
        check("en", "the '90s, James' 5'10\" door", "the ’90s, James’ 5'10\" door");
        check("en", "a 12\" pipe (\"new\")", "a 12\" pipe (“new”)");
        check("de", "Hans' \"Haus\"", "Hans’ „Haus“");
    }
}

//! Texts as readers see them, without escapes, markup and variants of letters. Words and names that
//! readers must not see are searched for in this form.
//!
//! Each view has two layers above the source text. The first one removes escapes (`&eacute;`, `\_`,
//! `\u00e9`, `%20`), emphasis marks and invisible characters. The second one normalizes letters to
//! lower case without accents, and each run of whitespace to one space. If markup may split words,
//! another view has a layer without markup below these two.

mod escapes;
mod joined;
mod layer;
mod line_marks;
mod literal;
mod look_alikes;
mod markup;
mod terminal;
mod words;

use std::ops::Range;

use self::layer::Layer;
pub use self::literal::Literals;
pub use self::words::{TooManyWords, Words, WordsBuilder};
use crate::text::{ascii_form, folded, is_mark, to_nfc};

/// A text as readers see it.
pub struct RenderedText {
    /// Without markup such as links, if there is any.
    unmarked: Option<Layer>,
    /// Without escapes.
    shown: Layer,
    /// With normalized letters.
    compared: Layer,
}

/// The values that something splits in a text, each on its own line.
pub struct JoinedValues {
    /// Values split by markup. With images in the text, there are two views.
    pub markup: Vec<RenderedText>,
    /// Values that continue in another line or string.
    pub continued: Option<RenderedText>,
}

impl RenderedText {
    /// Returns a view for finding words: ignores case, accents and compatibility forms.
    pub fn folded(written: &str) -> Self {
        let shown = escapes::decoded(written, true);
        let compared = one_form(&shown.text, false);
        Self { unmarked: None, shown, compared }
    }

    /// Returns the same view with words in other alphabets read as Latin if all their letters look
    /// like Latin ones; `None` if there are no such words. Words with mixed alphabets are always
    /// read as Latin.
    pub fn in_latin(written: &str) -> Option<Self> {
        let count = |with_foreign| look_alikes::words(written, with_foreign).len();
        (count(true) > count(false)).then(|| {
            let shown = escapes::decoded(written, true);
            let compared = one_form(&shown.text, true);
            Self { unmarked: None, shown, compared }
        })
    }

    /// Returns a view for patterns of the site's author, which distinguishes case and accents.
    /// `None` if it equals the source text.
    pub fn plain(written: &str) -> Option<Self> {
        if written.is_ascii() && !written.bytes().any(escapes::may_hide) {
            return None;
        }
        let shown = escapes::decoded(written, false);
        let compared = composed(&shown.text);
        (compared.text != written).then_some(Self { unmarked: None, shown, compared })
    }

    /// Returns views of a page without the markup that may split words, for finding words or
    /// patterns of the site's author.
    pub fn without_markup(written: &str, is_folded: bool) -> Vec<Self> {
        let joined = joined::joined(written, joined::Wanted::Words).markup;
        // Escapes that the page shows literally: `\&\#81;`, and marks that a URL encodes: `%2A`.
        let marks = |text: &str| text.bytes().filter(|byte| b"*`".contains(byte)).count();
        let shown_escapes = (escapes::hides_ascii(written) || written.contains('%'))
            .then(|| escapes::decoded(written, false))
            .filter(|once| escapes::hides_ascii(&once.text) || marks(&once.text) > marks(written));
        let layers = markup::undone(written)
            .into_iter()
            .chain(joined)
            .chain(shown_escapes)
            .chain(line_marks::removed(written));
        layers.map(|unmarked| Self::over(unmarked, is_folded)).collect()
    }

    /// Returns a view for finding secrets, which consist of ASCII. `None` if no escape encodes such
    /// a character and no invisible character is between two of them.
    pub fn if_escaped(written: &str) -> Option<Self> {
        escapes::hides_ascii(written).then(|| Self::plain(written)).flatten()
    }

    /// Returns the values that something splits, for finding secrets.
    pub fn joined(written: &str) -> JoinedValues {
        let joined = joined::joined(written, joined::Wanted::Secrets);
        JoinedValues {
            markup: joined.markup.into_iter().map(|layer| Self::over(layer, false)).collect(),
            continued: joined.continued.map(|layer| Self::over(layer, false)),
        }
    }

    /// Adds the usual layers on top of a layer without markup.
    fn over(unmarked: Layer, is_folded: bool) -> Self {
        let shown = escapes::decoded(&unmarked.text, is_folded);
        let compared = match is_folded {
            true => one_form(&shown.text, false),
            false => composed(&shown.text),
        };
        Self { unmarked: Some(unmarked), shown, compared }
    }

    /// Returns the normalized text.
    pub fn text(&self) -> &str {
        &self.compared.text
    }

    /// Returns the position of a range in the source text.
    pub fn written(&self, range: Range<usize>) -> Range<usize> {
        let range = self.shown.written(self.compared.written(range));
        self.unmarked.as_ref().map_or(range.clone(), |layer| layer.written(range))
    }

    /// Like [`Self::written`], and includes adjacent marks of links, emphasis, code and strikethrough that
    /// have only one end inside of the range.
    pub fn written_whole(&self, written: &str, range: Range<usize>) -> Range<usize> {
        let mut range = self.written(range);
        let inside = written.get(range.clone()).unwrap_or_default();
        let count = |mark: char| inside.matches(mark).count();
        if count(']') > count('[')
            && written.get(..range.start).is_some_and(|before| before.ends_with('['))
        {
            range.start -= 1;
        }
        let marks = ["~~", "**", "__", "*", "_", "`"].into_iter();
        for mark in marks.filter(|mark| is_unpaired(inside, mark)) {
            if written.get(range.end..).is_some_and(|after| after.starts_with(mark)) {
                range.end += mark.len();
            } else if written.get(..range.start).is_some_and(|text| text.ends_with(mark)) {
                range.start -= mark.len();
            }
        }
        range
    }

    /// Returns whether something was removed at a place of the unescaped text where words end.
    fn is_broken(&self, at: usize) -> bool {
        let below = |layer: &Layer| {
            let Range { start, end } = self.shown.written(at..at);
            layer.is_broken(start) || layer.is_broken(end)
        };
        self.shown.is_broken(at) || self.unmarked.as_ref().is_some_and(below)
    }

    /// Returns the text without escapes and emphasis marks.
    pub fn unescaped(&self) -> &str {
        &self.shown.text
    }

    /// Returns the visible text before a place.
    pub fn shown_before(&self, at: usize) -> &str {
        let end = self.compared.written(at..at).start;
        self.shown.text.get(..end).unwrap_or_default()
    }

    /// Returns the visible text of a range, in its original case.
    pub fn shown(&self, range: Range<usize>) -> &str {
        self.shown.text.get(self.compared.written(range)).unwrap_or_default()
    }

    /// Returns whether a range is not part of a longer word. In and next to scripts without spaces
    /// between words, every range is. A plural `s` may follow, as in `Acmes`.
    pub fn is_whole(&self, range: Range<usize>) -> bool {
        let text = self.text();
        let (Some(before), Some(inside), Some(after)) =
            (text.get(..range.start), text.get(range.clone()), text.get(range.end..))
        else {
            return false;
        };
        let shown = self.compared.written(range);
        let first = inside.chars().next();
        let last = inside.chars().next_back();
        // `\n` in JSON text ends a word, although its `n` is a letter.
        let starts = ["\\n", "\\r", "\\t"].iter().any(|end| before.ends_with(end))
            || self.is_broken(shown.start)
            || parts(before.chars().next_back(), first);
        let is_plural = || {
            let rest = after.strip_prefix('s');
            // Stops at the third letter, because names may be long and occur at many places.
            rest.is_some_and(|rest| parts(rest.chars().next(), Some('s')))
                && last.is_some_and(|c| c.is_alphabetic() && !is_spaceless(c))
                && inside.chars().filter(|c| c.is_alphabetic()).nth(2).is_some()
        };
        let ends = self.is_broken(shown.end) || parts(after.chars().next(), last) || is_plural();
        starts && ends
    }
}

/// Returns whether two adjacent characters belong to different words.
fn parts(outer: Option<char>, inner: Option<char>) -> bool {
    match (outer, inner) {
        (Some(outer), Some(inner)) if is_spaceless(outer) || is_spaceless(inner) => true,
        (Some(outer), Some(_)) if is_mark(outer) => false,
        (Some(outer), Some(inner)) => !is_in_word(outer) || !is_in_word(inner),
        _ => true,
    }
}

/// Returns whether a character is part of a word. Superscript numbers, as of footnotes, are not.
fn is_in_word(c: char) -> bool {
    (c.is_alphanumeric() || is_mark(c)) && !is_small_number(c)
}

fn is_small_number(c: char) -> bool {
    matches!(c, '²' | '³' | '¹' | '\u{2070}'..='\u{2089}' | '\u{2460}'..='\u{249b}')
}

/// Returns whether a letter belongs to a script without spaces between words.
fn is_spaceless(c: char) -> bool {
    matches!(c,
        '\u{0e00}'..='\u{0eff}' | '\u{1000}'..='\u{109f}' | '\u{1780}'..='\u{17ff}'
        | '\u{2e80}'..='\u{a4cf}' | '\u{ac00}'..='\u{d7ff}' | '\u{f900}'..='\u{faff}'
        | '\u{20000}'..='\u{3ffff}')
}

/// Returns the length of the first letter with its combining marks.
fn letter_len(text: &str) -> usize {
    let mut chars = text.char_indices();
    let combines = |c: char| is_mark(c) || matches!(c, '\u{1160}'..='\u{11ff}');
    chars.next();
    chars.find(|(_, c)| !combines(*c)).map_or(text.len(), |(at, _)| at)
}

/// Returns the normalized form of a text whose punctuation is literal.
fn literal(text: &str) -> String {
    let visible: String = text.chars().filter(|c| !escapes::is_invisible(*c)).collect();
    one_form(&visible, false).text
}

/// Returns whether a text has an odd number of runs of a mark. Underscores within a word and escaped marks
/// are text.
fn is_unpaired(text: &str, mark: &str) -> bool {
    let byte = mark.as_bytes()[0];
    let bytes = text.as_bytes();
    let is_letter = |at: Option<usize>| {
        at.and_then(|at| bytes.get(at)).is_some_and(|byte| byte.is_ascii_alphanumeric())
    };
    let (mut count, mut at) = (0, 0);
    while at < bytes.len() {
        let len = bytes[at..].iter().take_while(|other| **other == byte).count();
        if len == 0 {
            at += 1 + usize::from(bytes[at] == b'\\');
            continue;
        }
        let is_inside_word =
            byte == b'_' && is_letter(at.checked_sub(1)) && is_letter(Some(at + len));
        // Three marks are those of two elements.
        let is_counted = len == mark.len() || len == 3;
        count += usize::from(is_counted && !is_inside_word);
        at += len;
    }
    count % 2 == 1
}

/// Normalizes letters and whitespace. With `in_latin`, words in other alphabets are read as Latin
/// if each of their letters looks like a Latin one.
fn one_form(text: &str, in_latin: bool) -> Layer {
    let mut layer = Layer::with_capacity(text.len());
    let bytes = text.as_bytes();
    let mut at = 0;
    let mut look_alikes = look_alikes::words(text, in_latin).into_iter().peekable();
    while let (Some(byte), Some(rest)) = (bytes.get(at), text.get(at..)) {
        let is_alone = bytes.get(at + 1).is_none_or(u8::is_ascii);
        if byte.is_ascii_graphic() && is_alone {
            layer.text.push(char::from(byte.to_ascii_lowercase()));
            at += 1;
            continue;
        }
        let c = rest.chars().next().unwrap_or_default();
        let len = if is_blank(c) { blank_len(rest) } else { letter_len(rest) };
        let letter = rest.get(..len).unwrap_or_default();
        while look_alikes.next_if(|word| word.end <= at).is_some() {}
        let is_disguised = look_alikes.peek().is_some_and(|word| word.contains(&at));
        if let Some(latin) = look_alikes::latin(c).filter(|_| is_disguised) {
            layer.put(latin.to_ascii_lowercase().encode_utf8(&mut [0; 4]), at..at + len);
            at += len;
            continue;
        }
        let is_same_number = c.is_numeric() && !c.is_ascii() && is_small_number(c);
        if is_blank(c) {
            // No word continues in another paragraph.
            let lines = letter.bytes().filter(|byte| *byte == b'\n').count();
            layer.put(if lines > 1 { "\n" } else { " " }, at..at + len);
        } else if is_dash(c) {
            layer.put("-", at..at + len);
        } else if matches!(c, '’' | '‘' | 'ʼ' | '＇') {
            layer.put("'", at..at + len);
        } else if c.is_alphanumeric() && !is_same_number {
            layer.put(&folded(letter), at..at + len);
        } else {
            layer.put(letter, at..at + len);
        }
        at += len;
    }
    layer
}

/// Replaces characters by the ASCII ones of which they are another form.
fn to_ascii_form(text: &str) -> String {
    let form = |c: char| match has_ascii_form(c) {
        true => ascii_form(c).unwrap_or(c),
        false => c,
    };
    text.chars().map(form).collect()
}

fn is_blank(c: char) -> bool {
    c.is_whitespace() || c == '\u{2800}'
}

/// Returns whether a character is a hyphen or dash, as between parts of a name.
fn is_dash(c: char) -> bool {
    matches!(c, '\u{2010}'..='\u{2014}' | '\u{2212}' | '\u{fe63}' | '\u{ff0d}')
}

/// Returns whether a character is a dash as between digits, including the Japanese long vowel mark.
fn is_number_dash(c: char) -> bool {
    is_dash(c) || c == '\u{30fc}'
}

/// Returns whether a character is a full-width letter, digit or punctuation mark of names, or a
/// mathematical, circled or squared letter or digit.
fn has_ascii_form(c: char) -> bool {
    matches!(c,
        '\u{ff0d}'..='\u{ff19}' | '\u{ff1d}' | '\u{ff21}'..='\u{ff3a}' | '\u{ff3f}'
        | '\u{ff41}'..='\u{ff5a}' | '\u{24b6}'..='\u{24e9}' | '\u{1d400}'..='\u{1d7ff}'
        | '\u{1f130}'..='\u{1f149}' | '\u{1f150}'..='\u{1f169}' | '\u{1f170}'..='\u{1f189}' | '\u{1fbf0}'..='\u{1fbf9}'
        // Mathematical letters that are apart from the others.
        | '\u{2102}' | '\u{210a}'..='\u{2113}' | '\u{2115}' | '\u{2119}'..='\u{211d}' | '\u{2124}'
        | '\u{2128}' | '\u{212c}' | '\u{212d}' | '\u{212f}'..='\u{2131}' | '\u{2133}' | '\u{2134}'
        | '\u{2139}' | '\u{2145}'..='\u{2149}')
}

/// Returns the length of the whitespace at the start of a text, including quote marks at the starts
/// of lines.
fn blank_len(text: &str) -> usize {
    let mut is_line_start = false;
    let end = text.find(|c: char| {
        let is_quote = is_line_start && c == '>';
        is_line_start = c == '\n' || is_line_start && (is_blank(c) || is_quote);
        !is_blank(c) && !is_quote
    });
    end.unwrap_or(text.len())
}

/// Composes letters with their marks, and replaces whitespace by spaces and numbers by ASCII.
fn composed(text: &str) -> Layer {
    let mut layer = Layer::with_capacity(text.len());
    let mut at = 0;
    while let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) {
        // The last ASCII character may combine with the next character.
        let ascii = rest.bytes().position(|byte| !byte.is_ascii());
        let plain = ascii.map_or(rest.len(), |len| len.saturating_sub(1));
        if plain > 0 {
            layer.text.push_str(rest.get(..plain).unwrap_or_default());
            at += plain;
            continue;
        }
        let c = rest.chars().next().unwrap_or_default();
        let len = letter_len(rest);
        let is_behind_digit = || layer.text.ends_with(|c: char| c.is_ascii_digit() || c == ')');
        match rest.get(..len).unwrap_or_default() {
            letter if len == 1 => layer.text.push_str(letter),
            _ if is_blank(c) => layer.put(" ", at..at + len),
            _ if is_number_dash(c) && is_behind_digit() => layer.put("-", at..at + len),
            letter if has_ascii_form(c) => layer.put(&to_ascii_form(letter), at..at + len),
            letter => layer.put(&to_nfc(letter), at..at + len),
        }
        at += len;
    }
    layer
}

#[cfg(test)]
mod tests {
    use super::RenderedText;

    #[test]
    fn similar_characters_are_folded() {
        for (written, seen) in [
            ("Jos\u{e9} JOSE\u{301} Jos&eacute; Jos&#xE9; Jos%C3%A9", "jose jose jose jose jose"),
            (r"Jos\u00e9 \\u00e9 \ud83d\ude00", "jose e 😀"),
            ("ΆΔΑ Άδα ΑΔΑ", "αδα αδα αδα"),
            ("Аdа Αdα Ада Сара Rоsе", "ada ada ада сара rose"),
            ("Ada=20Jos=C3=A9=\nf x=30", "ada josef x=30"),
            ("IŞIK ışık İpek", "isik isik ipek"),
            ("Groß GROSS ﬁ Ｂｅａ 𝐁𝐞𝐚", "gross gross fi bea bea"),
            ("a\u{a0}&nbsp; \u{2003}b\n> c\n\nd", "a b c\nd"),
            ("Be\u{ad}a Be&shy;a **Be**a Be<b>a</b> Be\u{200d}a", "bea bea bea bea bea"),
            (r"a\_b AT&T &zzz; 5% \d %zz %e4", r"a_b at&t &zzz; 5% \d %zz %e4"),
            ("x² Acme™ A\u{2011}B 한글 \u{1112}\u{1161}\u{11ab}글", "x² acme™ a-b 한글 한글"),
        ] {
            let view = RenderedText::folded(written);
            assert_eq!(view.text(), seen, "{written}");
            assert_eq!(view.written(0..view.text().len()).end, written.len(), "{written}");
        }
    }

    #[test]
    fn marks_with_one_end_in_a_range_belong_to_it() {
        for written in [
            "a [**Ada** & *Bea*] b", "a [*Ada* __Bea__] b", "a [***Ada*** Bea] b",
            "a [~~Ada~~ Bea] b", "a [Ada **Bea**] b", "a _[Ada_x_Bea] b_", "a [`Ada` Bea] b",
            "a [Ada \\* Bea]* b",
        ] {
            let expected = written.find('[').unwrap()..written.find(']').unwrap() - 1;
            let text = written.replace(['[', ']'], "");
            let view = RenderedText::folded(&text);
            let range = view.text().find("ada").unwrap()..view.text().find("bea").unwrap() + 3;
            assert_eq!(view.written_whole(&text, range), expected, "{written}");
        }
    }

    #[test]
    fn disguises_in_a_secret_are_decoded() {
        for (written, shown, at) in [
            (r"see a\_b\_c.", "a_b_c", 4..11),
            ("see a&#95;b&lowbar;c.", "a_b_c", 4..20),
            ("see &#x61;_b_c &amp; d", "a_b_c", 4..14),
            (r"\\a&#95;b\_c", "a_b_c", 2..12),
            (r"see a\u005fb_c.", "a_b_c", 4..14),
            ("see a\u{200b}_b\u{ad}_c.", "a_b_c", 4..14),
        ] {
            let view = RenderedText::if_escaped(written).expect("escaped");
            let start = view.text().find(shown).expect("there");
            assert_eq!(view.written(start..start + shown.len()), at, "{written}");
        }
        for plain in [
            "AT&T; a\\b & c &#1234; &zzz; &amp; &lt; 5%20 \\n",
            "\"fine\" ☀\u{fe0f} – \u{200b}so \\\"x\\\" \\(a|b\\)",
        ] {
            assert!(RenderedText::if_escaped(plain).is_none(), "{plain}");
        }
    }

    #[test]
    fn offsets_refer_to_the_source() {
        for (written, word, at) in [
            ("so &#66;ea said", "bea", 3..10),
            ("so **B**ea** said", "bea", 5..10),
            ("so Be\u{ad}a\u{ad} said", "bea", 3..8),
            ("so BE\u{301}a said", "bea", 3..8),
            ("so Groß\u{300} said", "gross", 3..10),
            ("so Acme &amp;\n> Ltd said", "acme & ltd", 3..19),
        ] {
            let view = RenderedText::folded(written);
            let start = view.text().find(word).expect("there");
            let range = start..start + word.len();
            assert_eq!(view.written(range.clone()), at, "{written}");
            assert!(view.is_whole(range), "{written}");
        }
        let view = RenderedText::folded("Beacon Bea2 xBea Beast Bea\u{ad}con");
        let text = view.text().to_owned();
        for (at, _) in text.match_indices("bea") {
            assert!(!view.is_whole(at..at + 3), "{at}");
        }
        let view = RenderedText::folded(r"Beas Bea's (BEAS) _Bea_ \nBea Bea² x\u200bBea **Bea**m");
        let text = view.text().to_owned();
        for (at, _) in text.match_indices("bea") {
            assert!(view.is_whole(at..at + 3), "{at}");
        }
    }
}

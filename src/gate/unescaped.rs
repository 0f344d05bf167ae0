//! Texts as Markdown shows them, without backslashes and character references.

use std::ops::Range;

/// A text without backslashes before marks, such as `\_`, and with characters in place of
/// references to them, such as `&#95;`.
pub(super) struct Unescaped {
    pub(super) text: String,
    /// For each of them where it is in this text, and by how many bytes all of them so far are longer
    /// as they are written.
    places: Vec<(usize, usize)>,
}

impl Unescaped {
    /// Returns it for a text; `None` for one in which nothing is escaped.
    pub(super) fn of(written: &str) -> Option<Self> {
        if !written.contains('\\') && !written.contains('&') {
            return None;
        }
        let (mut text, mut places) = (String::new(), Vec::new());
        let (mut done, mut longer) = (0, 0);
        for (at, _) in written.match_indices(['\\', '&']) {
            let rest = written.get(at..)?;
            let Some((shown, len)) = escape(rest).filter(|_| at >= done) else {
                continue;
            };
            text.push_str(written.get(done..at)?);
            longer += len - 1;
            places.push((text.len(), longer));
            text.push(shown);
            done = at + len;
        }
        text.push_str(written.get(done..)?);
        (!places.is_empty()).then_some(Self { text, places })
    }

    /// Returns where a range of this text is in the one that is written.
    pub(super) fn written(&self, range: Range<usize>) -> Range<usize> {
        let at = |here: usize| {
            let before = self.places.partition_point(|(place, _)| *place < here);
            let longer = before.checked_sub(1).and_then(|last| self.places.get(last));
            here + longer.map_or(0, |(_, longer)| *longer)
        };
        at(range.start)..at(range.end)
    }
}

/// Marks that stand in secrets, and by which names HTML knows them.
const MARKS: [(char, &str); 12] = [
    ('_', "lowbar"),
    ('-', "hyphen"),
    ('.', "period"),
    ('=', "equals"),
    ('+', "plus"),
    ('~', "tilde"),
    ('/', "sol"),
    ('!', "excl"),
    ('$', "dollar"),
    ('@', "commat"),
    (':', "colon"),
    ('#', "num"),
];

/// The most bytes between `&` and `;`.
const MAX_NAME_BYTES: usize = 9;

/// Returns the character for which a text begins with an escape, and the length of that.
fn escape(text: &str) -> Option<(char, usize)> {
    if let Some(rest) = text.strip_prefix('\\') {
        let mark = rest.chars().next().filter(|c| "_-.=+~/!$@:#*".contains(*c))?;
        return Some((mark, 2));
    }
    let rest = text.strip_prefix('&')?;
    let end = rest.bytes().take(MAX_NAME_BYTES + 1).position(|byte| byte == b';')?;
    let name = rest.get(..end)?;
    let number =
        name.strip_prefix('#').and_then(|number| match number.strip_prefix(['x', 'X']) {
            Some(digits) => u8::from_str_radix(digits, 16).ok(),
            None => number.parse().ok(),
        });
    let shown = match number {
        Some(code) => Some(char::from(code)).filter(char::is_ascii_graphic),
        None => MARKS.iter().find(|(_, known)| *known == name).map(|(mark, _)| *mark),
    };
    Some((shown?, end + 2))
}

#[cfg(test)]
mod tests {
    use super::Unescaped;

    #[test]
    fn places_are_those_of_what_is_written() {
        for (written, shown, at) in [
            (r"see a\_b\_c.", "a_b_c", 4..11),
            ("see a&#95;b&lowbar;c.", "a_b_c", 4..20),
            ("see &#x61;_b_c &amp; d", "a_b_c", 4..14),
            (r"\\a&#95;b\_c", "a_b_c", 2..12),
        ] {
            let unescaped = Unescaped::of(written).unwrap();
            let start = unescaped.text.find(shown).unwrap();
            let range = unescaped.written(start..start + shown.len());
            assert_eq!(range, at, "{written}");
        }
        assert!(Unescaped::of("AT&T; a\\b & c &#1234; &zzz;").is_none());
    }
}

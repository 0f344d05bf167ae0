//! Splits names into parts, whatever separates them: `Quill, Tomas`, `Tomas (Quill)`, `Tomas-Jan Quill`.

use crate::text::is_mark;

/// Returns the words of a name in spoken order.
pub(super) fn words_of(name: &str) -> Vec<&str> {
    let is_apart = |c: char| !is_letter(c) && !matches!(c, '-' | '\'' | '’' | '.' | '_');
    let bare = |part: &'_ str| -> bool { part.contains(is_letter) };
    let of = |text| -> Vec<&str> {
        let words = str::split(text, is_apart).map(|word| {
            // A full stop after a word marks an abbreviation: `Jr.`
            word.trim_start_matches(|c| !is_letter(c))
                .trim_end_matches(|c: char| !is_letter(c) && c != '.')
        });
        words.filter(|word| bare(word)).collect()
    };
    match name.split_once(',') {
        // The family name comes first.
        Some((family, given)) if !given.contains(',') => {
            let mut words = of(given);
            words.extend(of(family));
            words
        }
        _ => of(name),
    }
}

/// Returns the parts of a name that may be used alone, and whether each belongs to the first word. A word
/// with hyphens or full stops also has its own parts.
pub(super) fn parts_of<'a>(words: &[&'a str]) -> Vec<(&'a str, bool)> {
    let mut parts = Vec::new();
    for (at, word) in words.iter().enumerate() {
        if words.len() > 1 {
            parts.push((*word, at == 0));
        }
        let joined: Vec<&str> = word.split(['-', '.', '_']).collect();
        if joined.len() > 1 {
            let is_first = |place: usize| at == 0 && (words.len() > 1 || place == 0);
            let joined = joined.into_iter().enumerate();
            parts.extend(joined.map(|(place, part)| (part, is_first(place))));
        }
    }
    parts
}

/// Returns whether a part can be a name on its own. It must be long enough and, if `needs_capital` is set
/// and its script has capitals, start with a capital letter.
pub(super) fn is_name_part(part: &str, needs_capital: bool) -> bool {
    let letters = part.chars().filter(|c| c.is_alphabetic()).count();
    let first = part.chars().next();
    let is_small = first.is_some_and(char::is_lowercase);
    let is_letter = first.is_some_and(char::is_alphabetic);
    let is_short_script = first.is_some_and(|c| c >= '\u{2e80}');
    let is_long = letters >= if is_short_script { 2 } else { 3 };
    is_letter && is_long && !(needs_capital && is_small)
}

fn is_letter(c: char) -> bool {
    c.is_alphanumeric() || is_mark(c)
}

#[cfg(test)]
mod tests {
    use super::{parts_of, words_of};

    #[test]
    fn names_have_parts() {
        for (name, words) in [
            ("Tomas Quill", &["Tomas", "Quill"][..]),
            ("Quill, Tomas", &["Tomas", "Quill"]),
            ("Tomas (Quill)", &["Tomas", "Quill"]),
            ("Tomas/Quill \u{1f496}", &["Tomas", "Quill"]),
            ("T. \"Tom\" O'Quill Jr.", &["T.", "Tom", "O'Quill", "Jr."]),
            ("Tomas-Jan Quill", &["Tomas-Jan", "Quill"]),
        ] {
            assert_eq!(words_of(name), words, "{name}");
        }
        let parts = parts_of(&["Tomas-Jan", "Quill"]);
        let expected = [("Tomas-Jan", true), ("Tomas", true), ("Jan", true), ("Quill", false)];
        assert_eq!(parts, expected);
    }
}

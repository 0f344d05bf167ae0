//! Lines that open turns in shapes that also occur in other texts: without a colon, or with a single
//! letter.

use super::name::{End, MAX_NAME_BYTES, is_capitals, name, opens_name};
use super::shape::{Mark, Shape};
use super::stamp::stamp;
use super::words;

/// Reads `Q. Hello` and `**Q: Hello**`.
pub(super) fn question<'a>(line: &str, bare: &'a str) -> Option<Mark<'a>> {
    let text = bare.strip_prefix("**").unwrap_or(bare);
    let marked = text.len() < bare.len();
    if marked && (text.find("**")? + 2 != text.len() || text.len() < 6) {
        return None;
    }
    if !text.starts_with(['Q', 'A']) {
        return None;
    }
    let shape = match text.as_bytes().get(1)? {
        b'.' => Shape::Dot,
        b':' if marked => Shape::Colon,
        _ => return None,
    };
    let rest = &text[2..];
    let words = rest.trim_start_matches([' ', '\t', '\u{a0}']);
    (words.len() < rest.len() && !words.is_empty()).then(|| Mark {
        shape,
        name: &text[..1],
        aside: None,
        stamp: None,
        text_start: line.len() - words.len(),
        marked,
        tight: false,
        colon: line.len() - rest.len() - 1,
    })
}

/// Reads `[Ada] Hello` and `[SPEAKER_00]: Hello`.
pub(super) fn bracketed<'a>(line: &str, bare: &'a str) -> Option<Mark<'a>> {
    let inside = bare.strip_prefix('[')?;
    let head = &inside[..inside.floor_char_boundary(MAX_NAME_BYTES)];
    let (inside, rest) = (&inside[..head.find(']')?], &inside[head.find(']')? + 1..]);
    let named = name(inside).filter(|_| opens_name(inside))?;
    if named.end != End::Line || named.name.is_empty() || named.aside.is_some() {
        return None;
    }
    // `[USER]:` is common in logs.
    if is_capitals(inside) && words::part(inside).is_some() {
        return None;
    }
    let (shape, after) = match rest.strip_prefix(':') {
        Some(after) => (Shape::Colon, after),
        None => (Shape::Bracket, rest),
    };
    let words = after.trim_start_matches([' ', '\t']);
    // The target of a link reference: `[pond]: https://…`, `[pond]: #reeds`, `[^note]: …`
    let word = words.split_whitespace().next().unwrap_or_default();
    let linked = word.contains(['/', '#', '@', '<']) || word.contains(".md");
    let fits = words.is_empty() || words.len() < after.len();
    (fits && !linked).then(|| Mark {
        shape,
        name: named.name,
        aside: None,
        stamp: named.stamp,
        text_start: line.len() - words.len(),
        marked: false,
        tight: false,
        colon: line.len() - after.len() - usize::from(shape == Shape::Colon),
    })
}

/// Titles before names that end in a full stop.
const TITLES: [&str; 8] = ["MR.", "MRS.", "MS.", "DR.", "ST.", "LT.", "SGT.", "PROF."];

/// Reads `JANE. Hello` and `LADY JANE. Hello`, with only capital letters in the name.
pub(super) fn stop<'a>(line: &str, bare: &'a str) -> Option<Mark<'a>> {
    let mut end = 0;
    for word in bare.split_inclusive(' ').take(4) {
        let letters = word.trim_end().trim_end_matches('.');
        let capital = |c: char| c.is_uppercase() || "'’-".contains(c);
        if letters.is_empty() || !letters.chars().all(capital) {
            return None;
        }
        end += word.len();
        // `JANE (aside). Hello`
        if word.ends_with(' ') && bare[end..].starts_with('(') {
            let name = bare[..end].trim_end();
            let close = bare[end..].find("). ")? + end;
            let rest = bare[close + 2..].trim_start();
            let long = name.chars().filter(|c| c.is_alphabetic()).count() > 1;
            let fits = long
                && close - end < 80
                && !rest.is_empty()
                && !rest.starts_with(['—', '–', '-'])
                && !name.ends_with('.');
            return fits.then(|| Mark {
                shape: Shape::Stop,
                name,
                aside: Some(&bare[end..=close]),
                stamp: None,
                text_start: line.len() - rest.len(),
                marked: false,
                tight: false,
                colon: line.len() - rest.len(),
            });
        }
        if word.ends_with(". ") && !TITLES.contains(&word.trim_end()) {
            let name = bare[..end].trim_end().trim_end_matches('.');
            let rest = bare[end..].trim_start();
            let long = name.chars().filter(|c| c.is_alphabetic()).count() > 1;
            // `ADA. — Hello` is the style of another kind of play.
            let fits = long && !rest.is_empty() && !rest.starts_with(['—', '–', '-']);
            return fits.then(|| Mark {
                shape: Shape::Stop,
                name,
                aside: None,
                stamp: None,
                text_start: line.len() - rest.len(),
                marked: false,
                tight: false,
                colon: line.len() - rest.len(),
            });
        }
    }
    None
}

/// Reads `**Ada** Hello`, without a colon. If the text continues in lower case, it is a sentence.
pub(super) fn bold<'a>(line: &str, bare: &'a str) -> Option<Mark<'a>> {
    let inside = bare.strip_prefix("**")?;
    let head = &inside[..inside.floor_char_boundary(MAX_NAME_BYTES)];
    let (inside, rest) = inside.split_at(head.find("**")?);
    let rest = &rest[2..];
    let named = name(inside).filter(|_| opens_name(inside))?;
    let words = rest.trim_start_matches(' ');
    let opens = |c: char| c.is_alphanumeric() && !c.is_lowercase() || "\"“«„¿¡'‘’(…".contains(c);
    let fits = named.end == End::Line
        && named.stamp.is_none()
        && named.aside.is_none()
        && named.name.len() == inside.len()
        && rest.starts_with(' ')
        && words.starts_with(opens);
    fits.then_some(Mark {
        shape: Shape::Bold,
        name: named.name,
        aside: None,
        stamp: None,
        text_start: line.len() - words.len(),
        marked: true,
        tight: false,
        colon: line.len() - rest.len(),
    })
}

/// Reads `Ada - Hello`. This counts only if the name is known from other lines.
pub(super) fn hyphen<'a>(line: &str, bare: &'a str) -> Option<Mark<'a>> {
    let head = &bare[..bare.floor_char_boundary(MAX_NAME_BYTES)];
    let end = head.find(" - ")?;
    let (found, rest) = (bare[..end].trim_end(), &bare[end + 3..]);
    let plain = |c: char| c.is_alphanumeric() || " .'’-_".contains(c);
    let fits = found.chars().all(plain) && found.split(' ').count() <= 4;
    let timed = stamp(rest.trim_start()).is_some();
    (fits && !found.is_empty() && !rest.trim().is_empty() && !timed).then(|| Mark {
        shape: Shape::Dash,
        name: found,
        aside: None,
        stamp: None,
        text_start: line.len() - rest.trim_start().len(),
        marked: false,
        tight: true,
        colon: line.len() - rest.len() - 3,
    })
}

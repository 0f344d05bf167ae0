//! Escapes lines so that they do not open turns.

use std::collections::HashSet;

use super::shape::Shape;
use super::{candidates, mark};

/// Replaces the space after a name in bold type that does not open a turn, and precedes a name on a line of
/// its own that does not open one.
pub(super) const SPACE: &str = "&#32;";

/// Escapes a line that starts with the name of a speaker, so that it does not open a turn.
pub(in crate::markdown) fn escaped(line: &str, known: &HashSet<String>) -> Option<String> {
    if let Some(at) = behind_bold(line, known) {
        return Some(format!("{}{SPACE}{}", &line[..at], &line[at + 1..]));
    }
    if is_name_alone(line, known) {
        return Some(format!("{SPACE}{line}"));
    }
    let at = colon(line, known)?;
    Some(format!("{}\\{}", &line[..at], &line[at..]))
}

/// Removes the escapes of lines.
pub(in crate::markdown) fn unescaped(text: &str, known: &HashSet<String>) -> String {
    let mut out = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        match bare(line, known) {
            Some(line) => out.push_str(&line),
            None => out.push_str(line),
        }
    }
    out
}

/// Returns a line without its escape.
fn bare(line: &str, known: &HashSet<String>) -> Option<String> {
    if let Some(name) = line.strip_prefix(SPACE).filter(|it| is_name_alone(it, known)) {
        return Some(name.to_owned());
    }
    if let Some((before, after)) = line.split_once(SPACE) {
        let bare = format!("{before} {after}");
        if behind_bold(&bare, known) == Some(before.len()) {
            return Some(bare);
        }
    }
    [":", ".", "-", "—", "–"].iter().find_map(|sign| {
        let (before, after) = line.split_once(&*format!("\\{sign}"))?;
        let bare = format!("{before}{sign}{after}");
        (colon(bare.trim_end(), known) == Some(before.len())).then_some(bare)
    })
}

/// Returns whether a line contains only the name of a speaker, in bold type or in capitals.
fn is_name_alone(line: &str, known: &HashSet<String>) -> bool {
    let line = line.trim_end_matches('\n');
    let alone = mark::mark(line).filter(|mark| mark.shape == Shape::Alone);
    let found = alone.or_else(|| mark::in_capitals(line));
    found.is_some_and(|mark| known.contains(&candidates::key(mark.name)))
}

/// Returns the position of the space after a speaker's name in bold type, in bytes.
fn behind_bold(line: &str, known: &HashSet<String>) -> Option<usize> {
    let mark = mark::mark(line.trim_end_matches('\n'))?;
    let fits = mark.shape == Shape::Bold && known.contains(&candidates::key(mark.name));
    fits.then_some(mark.colon)
}

/// Returns the position of the colon, or its substitute, after a speaker's name, in bytes.
fn colon(line: &str, known: &HashSet<String>) -> Option<usize> {
    let mark = mark::mark(line.trim_end_matches('\n'))?;
    let fits = known.contains(&candidates::key(mark.name));
    match mark.shape {
        Shape::Colon => line[..mark.text_start].rfind(':').filter(|_| fits),
        Shape::Dot => fits.then_some(mark.colon),
        Shape::Dash if mark.tight => fits.then_some(mark.colon + 1),
        Shape::Dash => line[..mark.text_start].rfind(['—', '–']).filter(|_| fits),
        _ => None,
    }
}

/// Returns the names of the speakers in their form for comparison.
pub(in crate::markdown) fn keys<'a>(names: impl Iterator<Item = &'a str>) -> HashSet<String> {
    names.map(candidates::key).collect()
}

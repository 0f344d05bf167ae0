//! How lines are kept from opening turns.

use std::collections::HashSet;

use super::shape::Shape;
use super::{mark, survey};

/// Stands for the space behind a name in bold type that opens no turn, and before a name that is a line of
/// its own and opens none.
pub(super) const SPACE: &str = "&#32;";

/// Keeps a line that starts with the name of one who speaks from opening a turn.
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

/// Takes away what kept lines from opening turns.
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

/// Returns a line without what keeps it from opening a turn.
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

/// Returns whether a line is the name of one who speaks, in bold type or in capitals, and nothing else.
fn is_name_alone(line: &str, known: &HashSet<String>) -> bool {
    let line = line.trim_end_matches('\n');
    let alone = mark::mark(line).filter(|mark| mark.shape == Shape::Alone);
    let found = alone.or_else(|| mark::in_capitals(line));
    found.is_some_and(|mark| known.contains(&survey::key(mark.name)))
}

/// Where the space stands behind the name in bold type of one who speaks. Bytes.
fn behind_bold(line: &str, known: &HashSet<String>) -> Option<usize> {
    let mark = mark::mark(line.trim_end_matches('\n'))?;
    let fits = mark.shape == Shape::Bold && known.contains(&survey::key(mark.name));
    fits.then_some(mark.colon)
}

/// Where the colon stands behind the name of one who speaks, or what stands for one. Bytes.
fn colon(line: &str, known: &HashSet<String>) -> Option<usize> {
    let mark = mark::mark(line.trim_end_matches('\n'))?;
    let fits = known.contains(&survey::key(mark.name));
    match mark.shape {
        Shape::Colon => line[..mark.said].rfind(':').filter(|_| fits),
        Shape::Dot => fits.then_some(mark.colon),
        Shape::Dash if mark.tight => fits.then_some(mark.colon + 1),
        Shape::Dash => line[..mark.said].rfind(['—', '–']).filter(|_| fits),
        _ => None,
    }
}

/// Names of those who speak, as they are compared.
pub(in crate::markdown) fn keys<'a>(names: impl Iterator<Item = &'a str>) -> HashSet<String> {
    names.map(survey::key).collect()
}

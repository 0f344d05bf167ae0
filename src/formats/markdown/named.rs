//! Names in bold type if the front matter lists the speakers: `speakers: [Ada, Bo]`.
//!
//! Then `**Warning:**` is part of a turn, and so is any other name that occurs only once. The list may be
//! incomplete, however: a name that returns belongs to a forgotten speaker, whose text is never attributed
//! to someone else.

use std::collections::HashMap;

use super::names;
use super::shapes::{is_only_label, key, listed::Listed, looks_like_name};
use super::start::Start;

/// Returns whether a line opens with the name of a listed speaker, in any spelling.
pub(super) fn is_one(speakers: &Listed, start: &Start) -> bool {
    speakers.has(&bare(&start.name))
}

/// Returns the lines that open turns if these are the speakers: their own lines, those of parts such as
/// `Narrator`, of breaks, and of other names that return or have a time of a recording.
pub(super) fn openings(text: &str, speakers: &Listed, starts: &[Start]) -> Vec<Start> {
    let mut counts: HashMap<String, usize> = HashMap::new();
    for start in starts {
        *counts.entry(bare(&start.name)).or_default() += 1;
    }
    let comes_back = |name: &str| {
        counts.get(&bare(name)).is_some_and(|count| *count > 1)
            && looks_like_name(name)
            && !is_only_label(name)
    };
    let opens = |start: &&Start| {
        let name = start.name.as_str();
        is_one(speakers, start)
            || bare(name).is_empty()
            || names::is_part(name)
            || names::is_pause(name)
            || start.is_recorded(text)
            || comes_back(name)
    };
    starts.iter().filter(opens).cloned().collect()
}

/// Returns a name in its form for comparison, without what follows in brackets.
fn bare(name: &str) -> String {
    key(name.split(['(', '<', '[']).next().unwrap_or_default())
}

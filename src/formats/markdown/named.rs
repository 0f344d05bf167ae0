//! Names in bold type where the front matter says who speaks: `speakers: [Ada, Bo]`.
//!
//! Then `**Warning:**` is what one of them says, and so is whatever else stands there once. A list may be too
//! short all the same: a name that comes back is that of somebody who was forgotten, and what is said under it
//! is never put into the mouth of another one.

use std::collections::HashMap;

use super::names;
use super::shapes::{is_called, is_only_label, key, listed::Listed};
use super::start::Start;

/// Returns whether a line opens with one of the speakers, in any spelling.
pub(super) fn is_one(speakers: &Listed, start: &Start) -> bool {
    speakers.has(&bare(&start.name))
}

/// Returns those of the lines that open turns where these speak: theirs, those of parts such as `Narrator`, of
/// breaks, and of others who come back or have the time of a recording.
pub(super) fn openings(text: &str, speakers: &Listed, starts: &[Start]) -> Vec<Start> {
    let mut counts: HashMap<String, usize> = HashMap::new();
    for start in starts {
        *counts.entry(bare(&start.name)).or_default() += 1;
    }
    let comes_back = |name: &str| {
        counts.get(&bare(name)).is_some_and(|count| *count > 1)
            && is_called(name)
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

/// Returns a name as it is compared, without what stands in brackets behind it.
fn bare(name: &str) -> String {
    key(name.split(['(', '<', '[']).next().unwrap_or_default())
}

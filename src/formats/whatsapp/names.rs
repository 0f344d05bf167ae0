//! Who writes: the name before the first `: ` behind a head, which lines that the phone wrote itself
//! may seem to have as well.

use std::collections::{HashMap, HashSet};

/// The most characters of a name that stands there once only.
const MAX_CHARS: usize = 40;
const MAX_WORDS: usize = 5;
/// The mark before what a phone wrote itself.
const PHONE: char = '\u{200e}';

/// The lines in which a chat says that its group was made.
const FIRST_LINES: usize = 5;

/// The names in a chat.
pub(super) struct Names<'a>(HashMap<&'a str, usize>);

impl<'a> Names<'a> {
    /// Counts what may be names. `rests` is what stands behind each head.
    pub(super) fn new(rests: impl Iterator<Item = &'a str>) -> Self {
        let mut counts: HashMap<&str, usize> = HashMap::new();
        for (name, _) in rests.filter_map(parted) {
            *counts.entry(name).or_default() += 1;
        }
        Self(counts)
    }

    /// Returns the name of a group: what a phone writes in the place of a name before its own words, and
    /// nobody else has for a name.
    /// On other phones the name stands in quotation marks in one of the first lines.
    pub(super) fn group<'b>(
        &self,
        rests: impl Iterator<Item = &'b str> + Clone,
    ) -> Option<String> {
        let first = rests.clone().take(FIRST_LINES);
        let created = first.filter(|rest| self.part(rest).0.is_none()).find_map(quoted);
        let mut group: Option<&str> = None;
        let mut speaking: HashSet<&str> = HashSet::new();
        for (name, text) in
            rests.filter_map(parted).filter(|(name, _)| self.is_name(name))
        {
            match text.starts_with(PHONE) {
                true => group = group.or(Some(name)),
                false => _ = speaking.insert(name),
            }
        }
        let group = group.filter(|name| !speaking.contains(name));
        group.or(created).map(str::to_owned)
    }

    /// Returns the name and the text of a message; no name for what the phone wrote itself.
    pub(super) fn part<'b>(&self, rest: &'b str) -> (Option<&'b str>, &'b str) {
        match parted(rest).filter(|(name, _)| self.is_name(name)) {
            Some((name, text)) => (Some(name), text),
            None => (None, rest),
        }
    }

    fn is_name(&self, name: &str) -> bool {
        let is_short = name.chars().count() <= MAX_CHARS
            && name.split_whitespace().count() <= MAX_WORDS
            && !name.contains(['"', '“', '”', '«', '»', '„']);
        is_short || self.0.get(name).is_some_and(|count| *count > 1)
    }
}

/// Parts what may be a name from the text behind it.
fn parted(rest: &str) -> Option<(&str, &str)> {
    let first = rest.lines().next().unwrap_or_default();
    let (name, text) = match first.split_once(": ") {
        Some((name, _)) => (name, &rest[name.len() + 2..]),
        // The space behind the colon of an empty message was lost.
        None => (first.strip_suffix(':')?, &rest[first.len()..]),
    };
    // `~ Ada` is somebody who is not among the contacts.
    let bare =
        name.trim_matches([PHONE, '\u{200f}', '\u{202a}', '\u{202c}', ' ', '\u{a0}']);
    let bare = bare
        .strip_prefix('~')
        .map_or(bare, |bare| bare.trim_start_matches([' ', '\u{a0}', '\u{202f}']));
    (!bare.is_empty()).then_some((bare, text))
}

/// Returns what stands in quotation marks.
fn quoted(text: &str) -> Option<&str> {
    let text = text.lines().next()?;
    let (open, close) = [('"', '"'), ('“', '”'), ('„', '“'), ('«', '»')]
        .into_iter()
        .find(|(open, _)| text.contains(*open))?;
    let (_, behind) = text.split_once(open)?;
    let (name, _) = behind.rsplit_once(close)?;
    (!name.trim().is_empty()).then(|| name.trim())
}

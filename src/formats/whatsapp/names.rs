//! Who writes: the name before the first `: ` behind a head, which lines that the phone wrote itself
//! may seem to have as well.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::body;
use super::line::PHONE;
use crate::channel::{is_contact, notices};

/// The most characters of a name that stands there once only.
const MAX_CHARS: usize = 64;
const MAX_WORDS: usize = 8;
/// The same for one with quotation marks, as groups have in the words of phones.
const MAX_QUOTED_WORDS: usize = 3;
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
    /// nobody else has for a name. Whoever sends only pictures has such lines as well, and so has
    /// the other one of a chat of two.
    /// On other phones the name stands in quotation marks in one of the first lines. `is_owner` tells words
    /// that stand for the owner of the phone.
    pub(super) fn group<'b>(
        &self,
        rests: impl Iterator<Item = &'b str> + Clone,
        is_owner: impl Fn(&str) -> bool,
    ) -> Option<String> {
        let first = rests.clone().take(FIRST_LINES);
        let created = first.filter(|rest| self.part(rest).0.is_none()).find_map(quoted);
        let mut speaking: HashSet<&str> = HashSet::new();
        // Whether a phone says of somebody else what happened in the group.
        let mut silent: BTreeMap<&str, bool> = BTreeMap::new();
        let mut first: Option<&str> = None;
        for (name, text) in rests.filter_map(parted).filter(|(name, _)| self.is_name(name)) {
            first.get_or_insert(name);
            // Phones once wrote the first notice as if the group had said it.
            let is_phones = text.starts_with(PHONE) || body::is_whole_encryption(text);
            if !is_phones || body::is_anybodys(text) {
                speaking.insert(name);
                continue;
            }
            // A number that changed, and what the owner of the phone did.
            if is_contact(name) || is_owner(name) {
                continue;
            }
            let bare = text.trim_matches([PHONE, '\u{200f}', '\u{2068}', ' ']);
            let is_about = !bare.starts_with(name)
                && (notices::is_about_group(bare) || quoted(bare) == Some(name));
            *silent.entry(name).or_default() |= is_about;
        }
        silent.retain(|name, _| !speaking.contains(name));
        let is_groups = |(name, is_about): &(&&str, &bool)| {
            **is_about || Some(**name) == first && speaking.len() > 1
        };
        let group = silent.iter().find(is_groups).map(|(name, _)| (*name).to_owned());
        group.or(created.map(str::to_owned))
    }

    /// Returns the name and the text of a message; no name for what the phone wrote itself.
    pub(super) fn part<'b>(&self, rest: &'b str) -> (Option<&'b str>, &'b str) {
        match parted(rest).filter(|(name, _)| self.is_name(name)) {
            Some((name, text)) => (Some(name), text),
            None => (None, rest),
        }
    }

    fn is_name(&self, name: &str) -> bool {
        let words = name.split_whitespace().count();
        let quotes = name.matches(['"', '“', '”', '«', '»', '„']).count();
        // `Ada "Bell" Vane` is a name, `Ada changed "a` and `Ada changed "a" to b` are none.
        let is_quoted = quotes > 0 && (quotes % 2 == 1 || words > MAX_QUOTED_WORDS);
        let is_short = name.chars().count() <= MAX_CHARS
            && words <= MAX_WORDS
            && !is_quoted
            && (words < 3 || !notices::is_about_group(name));
        is_short || is_contact(name) || self.0.get(name).is_some_and(|count| *count > 1)
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
    let bare = name.trim_matches([PHONE, '\u{200f}', '\u{202a}', '\u{202c}', ' ', '\u{a0}']);
    let bare = notices::without_tilde(bare);
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

//! Senders: the name before the first `: ` of a message. System lines may also contain a `: `.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::body;
use super::line::{SYSTEM_MARK, unmarked};
use crate::shared::people::channel::{is_contact, notices};

/// The maximum length of a name that occurs only once. Characters and words.
const MAX_CHARS: usize = 64;
const MAX_WORDS: usize = 8;
/// The maximum number of words of a name with quotation marks, which surround group names in
/// system text.
const MAX_QUOTED_WORDS: usize = 3;
/// The number of lines in which a chat reports the creation of its group.
const FIRST_LINES: usize = 5;

/// The names in a chat.
pub(super) struct Names<'a>(HashMap<&'a str, usize>);

impl<'a> Names<'a> {
    /// Counts possible names. `rests` are the texts after the beginning of each message.
    pub(super) fn new(rests: impl Iterator<Item = &'a str>) -> Self {
        let mut counts: HashMap<&str, usize> = HashMap::new();
        for (name, _) in rests.filter_map(parted) {
            *counts.entry(name).or_default() += 1;
        }
        Self(counts)
    }

    /// Returns the name of the group. Some phones write it in place of a sender before system text,
    /// and nobody else has that name; but people who send only pictures, and the other person of a
    /// chat of two, have such lines too. Other phones write it in quotation marks on one of the
    /// first lines. `is_owner` recognises words for the owner of the phone.
    pub(super) fn group<'b>(
        &self,
        rests: impl Iterator<Item = &'b str> + Clone,
        is_owner: impl Fn(&str) -> bool,
    ) -> Option<String> {
        let first = rests.clone().take(FIRST_LINES);
        let created = first.filter(|rest| self.part(rest).0.is_none()).find_map(quoted);
        let mut speaking: HashSet<&str> = HashSet::new();
        // Whether a system line under this name describes an event of the group.
        let mut silent: BTreeMap<&str, bool> = BTreeMap::new();
        let mut first: Option<&str> = None;
        for (name, text) in rests.filter_map(parted).filter(|(name, _)| self.is_name(name)) {
            first.get_or_insert(name);
            // Older phones wrote the first notice as if the group had sent it.
            let is_system_text = text.starts_with(SYSTEM_MARK) || body::is_whole_encryption(text);
            if !is_system_text || body::is_sender_event(text) {
                speaking.insert(name);
                continue;
            }
            // A number that changed, and what the owner of the phone did.
            if is_contact(name) || is_owner(name) {
                continue;
            }
            let bare = unmarked(text);
            let is_about = !bare.starts_with(name)
                && (notices::is_about_group(bare) || quoted(bare) == Some(name));
            *silent.entry(name).or_default() |= is_about;
        }
        silent.retain(|name, _| !speaking.contains(name));
        let is_group_name = |(name, is_about): &(&&str, &bool)| {
            **is_about || Some(**name) == first && speaking.len() > 1
        };
        let group = silent.iter().find(is_group_name).map(|(name, _)| (*name).to_owned());
        group.or(created.map(str::to_owned))
    }

    /// Splits a message into sender and text; system text has no sender.
    pub(super) fn part<'b>(&self, rest: &'b str) -> (Option<&'b str>, &'b str) {
        match parted(rest).filter(|(name, _)| self.is_name(name)) {
            Some((name, text)) => (Some(name), text),
            None => (None, rest),
        }
    }

    fn is_name(&self, name: &str) -> bool {
        let words = name.split_whitespace().count();
        let quotes = name.matches(['"', '“', '”', '«', '»', '„']).count();
        // `Ada "Bell" Vane` is a name; `Ada changed "a` and `Ada changed "a" to b` are not.
        let is_quoted = quotes > 0 && (quotes % 2 == 1 || words > MAX_QUOTED_WORDS);
        let is_short = name.chars().count() <= MAX_CHARS
            && words <= MAX_WORDS
            && !is_quoted
            && (words < 3 || !notices::is_about_group(name));
        is_short || is_contact(name) || self.0.get(name).is_some_and(|count| *count > 1)
    }
}

/// Splits a possible name from the text after it.
fn parted(rest: &str) -> Option<(&str, &str)> {
    let first = rest.lines().next().unwrap_or_default();
    let (name, text) = match first.split_once(": ") {
        Some((name, _)) => (name, &rest[name.len() + 2..]),
        // The space after the colon of an empty message was lost.
        None => (first.strip_suffix(':')?, &rest[first.len()..]),
    };
    let bare = unmarked(name);
    let bare = notices::without_tilde(bare);
    (!bare.is_empty()).then_some((bare, text))
}

/// Returns the text in quotation marks.
fn quoted(text: &str) -> Option<&str> {
    let text = text.lines().next()?;
    let (open, close) = [('"', '"'), ('“', '”'), ('„', '“'), ('«', '»')]
        .into_iter()
        .find(|(open, _)| text.contains(*open))?;
    let (_, behind) = text.split_once(open)?;
    let (name, _) = behind.rsplit_once(close)?;
    (!name.trim().is_empty()).then(|| name.trim())
}

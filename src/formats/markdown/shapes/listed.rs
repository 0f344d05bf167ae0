//! Names that a text lists above the transcript: `speakers:`, `participants:`, `hosts:`, `guests:`.

use std::collections::HashSet;

use super::super::{front, names};
use super::candidates::{key, lists_names};
use crate::shared::text::rows::row;
use convo_base::json::Value;
use convo_base::model::Conversation;

/// The names that a text lists.
#[derive(Default)]
pub(crate) struct Listed {
    names: HashSet<String>,
    /// Single words of the names, which may be used as short forms.
    words: HashSet<String>,
    /// Whether the front matter lists them, which is conclusive.
    pub(crate) settled: bool,
}

/// The maximum number of silent speakers that a note lists.
const MAX_SILENT: usize = 12;

/// The maximum number of names in a list.
const MAX_NAMES: usize = 500;

impl Listed {
    pub(crate) fn of(text: &str) -> Self {
        let mut found = Self::default();
        let (range, body) = front::split(text);
        if let Some(range) = range {
            let mut read = Conversation::default();
            front::read(text, range, &mut read, &mut Vec::new());
            for (key, value) in &read.extra {
                if names::names_speakers(key) {
                    found.take(value);
                }
            }
            found.settled = !found.names.is_empty();
        }
        // Rows of metadata above the first turn.
        let above = text[body..].lines().map(str::trim).filter(|line| !line.is_empty());
        for (name, value) in above.take(12).filter_map(row) {
            if lists_names(name, value) {
                split(value).for_each(|name| found.add(name));
            }
        }
        found
    }

    /// Returns the names under `speakers` in the front matter, if these are all speakers. Hosts and guests
    /// are only some of them.
    pub(in super::super) fn speakers(text: &str) -> Option<Self> {
        let range = front::split(text).0?;
        let mut read = Conversation::default();
        front::read(text, range, &mut read, &mut Vec::new());
        let mut found = Self::default();
        for (key, value) in &read.extra {
            if key.eq_ignore_ascii_case("speakers") {
                found.take(value);
            }
        }
        // A list that reached the limit may be incomplete.
        (1..MAX_NAMES).contains(&found.names.len()).then_some(found)
    }

    /// Returns the names under `speakers` in the front matter that never speak.
    pub(in super::super) fn silent(read: &Conversation) -> Vec<String> {
        let spoken: HashSet<String> = read.participants.iter().map(|who| key(&who.name)).collect();
        let words: HashSet<&str> = spoken.iter().flat_map(|name| name.split(' ')).collect();
        let values = read
            .extra
            .iter()
            .filter(|(key, _)| ["speakers", "speaker"].contains(&key.to_lowercase().as_str()));
        let mut named = Vec::new();
        values.for_each(|(_, value)| each(value, &mut |name| named.push(name.to_owned())));
        named.retain(|name| {
            let name = key(name.split(['(', '<', '[']).next().unwrap_or_default());
            let mut known = Self::default();
            known.add(&name);
            let short = || spoken.iter().any(|spoken| known.has(spoken));
            !name.is_empty()
                && !spoken.contains(&name)
                && !words.contains(name.as_str())
                && !short()
        });
        named.truncate(MAX_SILENT);
        named
    }

    fn take(&mut self, value: &Value) {
        each(value, &mut |name| self.add(name));
    }

    fn add(&mut self, name: &str) {
        let name = name.split(['(', '<', '[']).next().unwrap_or_default().trim();
        let key = key(name);
        if key.is_empty() || self.names.len() >= MAX_NAMES {
            return;
        }
        let words: Vec<&str> = key.split(' ').collect();
        if words.len() > 1 {
            let ends = words.first().into_iter().chain(words.last());
            self.words.extend(ends.map(|word| (*word).to_owned()));
            let initials = words.iter().filter_map(|word| word.chars().next());
            self.words.insert(initials.collect());
        }
        self.names.insert(key);
    }

    /// Returns whether the key is one of them, or a short form of one.
    pub(crate) fn has(&self, key: &str) -> bool {
        let bare = key.rsplit(' ').next().unwrap_or(key);
        let titled =
            key.split(' ').count() == 2 && TITLES.iter().any(|title| key.starts_with(title));
        self.names.contains(key) || self.words.contains(key) || titled && self.words.contains(bare)
    }
}

/// Titles before last names.
pub(crate) const TITLES: [&str; 12] = [
    "mr. ", "mrs. ", "ms. ", "mr ", "mrs ", "ms ", "dr. ", "dr ", "prof. ", "herr ", "frau ",
    "sir ",
];

/// Calls `add` with each name in a front matter value.
fn each(value: &Value, add: &mut impl FnMut(&str)) {
    match value {
        Value::String(text) => split(text).for_each(add),
        Value::Array(list) => list.iter().for_each(|value| match value {
            Value::String(text) => add(text),
            value => each(value, add),
        }),
        Value::Object(map) => match map.get("name").and_then(Value::as_str) {
            Some(name) => add(name),
            None => map.keys().for_each(|name| add(name)),
        },
        _ => {}
    }
}

fn split(text: &str) -> impl Iterator<Item = &str> {
    text.split([',', ';', '&', '/', '，', '、'])
        .flat_map(|part| part.split(" and "))
        .flat_map(|part| part.split(" und "))
        .map(str::trim)
        .filter(|name| !name.is_empty())
}

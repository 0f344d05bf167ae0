//! The data that formats use to claim a file.

use std::cell::OnceCell;

use convo_base::json;

/// A file whose format is being detected. All formats share the same probe, so that each lookup is done
/// once.
pub struct Probe<'a> {
    /// The name of the file.
    pub name: &'a str,
    /// The text. For long JSON and JSON Lines files, this is only the beginning, cut off anywhere.
    pub text: &'a str,
    keys: OnceCell<Vec<(&'a str, &'a str)>>,
}

impl<'a> Probe<'a> {
    /// Creates a probe of a file with this text, or this beginning.
    pub fn new(name: &'a str, text: &'a str) -> Self {
        Self { name, text, keys: OnceCell::new() }
    }

    /// Returns the raw value of a top-level key.
    pub fn value(&self, key: &str) -> Option<&'a str> {
        value_of(self.keys(), key)
    }

    /// Returns the keys and raw values of the first record: the first element of the list under one of
    /// `lists`, or the top level.
    pub(super) fn record(&self, lists: &[&str]) -> Vec<(&'a str, &'a str)> {
        let mut lists = lists.iter().filter_map(|list| self.value(list));
        let list = lists.find(|list| list.starts_with('['));
        list.map_or_else(|| self.keys().to_vec(), json::keys)
    }

    /// Returns the top-level keys and their raw values: see [`json::keys`].
    pub fn keys(&self) -> &[(&'a str, &'a str)] {
        self.keys.get_or_init(|| json::keys(self.text))
    }
}

/// Returns the raw value of a key.
pub(super) fn value_of<'a>(keys: &[(&str, &'a str)], key: &str) -> Option<&'a str> {
    keys.iter().find(|(known, _)| *known == key).map(|(_, value)| *value)
}

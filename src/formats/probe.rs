//! What is known of a file when its format is asked for.

use std::cell::OnceCell;

use convo_base::json;

/// A file whose format is asked for. Every format looks at the same one, so that what several look
/// for is found once.
pub struct Probe<'a> {
    /// The name of the file.
    pub name: &'a str,
    /// Its text; of JSON and of JSON lines that are long only the beginning, cut off anywhere.
    pub text: &'a str,
    keys: OnceCell<Vec<(&'a str, &'a str)>>,
}

impl<'a> Probe<'a> {
    /// A probe of the file `name` with this text, or with this beginning.
    pub fn new(name: &'a str, text: &'a str) -> Self {
        Self { name, text, keys: OnceCell::new() }
    }

    /// Returns the text of the value of a key of the text.
    pub fn value(&self, key: &str) -> Option<&'a str> {
        value_of(self.keys(), key)
    }

    /// Returns the keys of the first of the records that it holds: in the list under one of `lists`, or
    /// those of the text, each with the text of its value.
    pub(super) fn record(&self, lists: &[&str]) -> Vec<(&'a str, &'a str)> {
        let mut lists = lists.iter().filter_map(|list| self.value(list));
        let list = lists.find(|list| list.starts_with('['));
        list.map_or_else(|| self.keys().to_vec(), json::keys)
    }

    /// Returns the keys of the text, each with the text of its value: see [`json::keys`].
    pub fn keys(&self) -> &[(&'a str, &'a str)] {
        self.keys.get_or_init(|| json::keys(self.text))
    }
}

/// Returns the text of the value of a key.
pub(super) fn value_of<'a>(keys: &[(&str, &'a str)], key: &str) -> Option<&'a str> {
    keys.iter().find(|(known, _)| *known == key).map(|(_, value)| *value)
}

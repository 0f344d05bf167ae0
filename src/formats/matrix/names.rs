//! The names of accounts in events: `@ada:example.org`.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use convo_base::model::Conversation;

/// The maximum length of an account in bytes, as specified by Matrix.
const MAX_ACCOUNT: usize = 255;

/// Names by account.
#[derive(Default)]
pub(super) struct Names {
    shown: HashMap<String, String>,
    /// All names that each account had.
    all: BTreeMap<String, BTreeSet<String>>,
}

impl Names {
    /// Records a name of an account. The first name is the one shown.
    pub(super) fn record(&mut self, account: &str, name: &str) {
        if !name.trim().is_empty() && !name.starts_with('@') {
            let name = name.trim();
            self.shown.entry(account.to_owned()).or_insert_with(|| name.to_owned());
            self.all.entry(account.to_owned()).or_default().insert(name.to_owned());
        }
    }

    /// Adds the other names of known accounts to a conversation, so that pseudonyms replace them
    /// too.
    pub(super) fn introduce(&self, read: &mut Conversation) {
        for (account, names) in &self.all {
            let name = self.of(account);
            names.iter().for_each(|other| read.also_called(name, other));
            read.also_called(name, local(account));
        }
    }

    /// Makes the names of different accounts unique.
    pub(super) fn settle(&mut self) {
        let mut accounts: Vec<&String> = self.shown.keys().collect();
        accounts.sort_unstable_by_key(|account| (local(account), *account));
        let mut taken: HashSet<&str> = HashSet::new();
        let twice: Vec<String> = accounts
            .into_iter()
            .filter(|account| !taken.insert(&self.shown[*account]))
            .cloned()
            .collect();
        for account in twice {
            let local = local(&account).to_owned();
            if let Some(name) = self.shown.get_mut(&account) {
                *name = format!("{name} ({local})");
            }
        }
    }

    /// Returns the name of an account.
    pub(super) fn of<'a>(&'a self, account: &'a str) -> &'a str {
        self.shown.get(account).map_or_else(|| local(account), String::as_str)
    }

    /// Returns a text with names in place of accounts.
    pub(super) fn in_text(&self, text: &str) -> String {
        let mut out = String::with_capacity(text.len());
        let mut rest = text;
        while let Some(at) = rest.find('@') {
            out.push_str(&rest[..at]);
            let is_part = |c: char| c.is_ascii_alphanumeric() || "@:._=-/+".contains(c);
            let behind = &rest[at..];
            let near = &behind[..behind.floor_char_boundary(MAX_ACCOUNT + 1)];
            let end = near.find(|c| !is_part(c)).unwrap_or(near.len());
            let account = near[..end].trim_end_matches(['.', ':', '-', '/']);
            let is_alone = !out.ends_with(|c: char| c.is_ascii_alphanumeric());
            let host = account.split_once(':').map(|(_, host)| host);
            let is_short = account.len() <= MAX_ACCOUNT;
            if is_alone && is_short && host.is_some_and(|host| host.contains('.')) {
                out.push_str(self.of(account));
                rest = &behind[account.len()..];
            } else {
                out.push('@');
                rest = &behind[1..];
            }
        }
        out.push_str(rest);
        out
    }
}

fn local(account: &str) -> &str {
    account.strip_prefix('@').unwrap_or(account).split(':').next().unwrap_or(account)
}

#[cfg(test)]
mod tests {
    use super::Names;

    #[test]
    fn accounts_have_names() {
        let mut names = Names::default();
        names.record("@ada:example.org", "Ada");
        names.record("@ada2:example.org", "Ada");
        names.settle();
        assert_eq!(names.of("@ada2:example.org"), "Ada (ada2)");
        assert_eq!(names.of("@bob:example.org"), "bob");
        let text = names.in_text("ask @ada:example.org, or a@b.example @ 5.");
        assert_eq!(text, "ask Ada, or a@b.example @ 5.");
    }
}

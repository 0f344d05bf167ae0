//! Decides whether a site uses pseudonyms.

use super::keys::Config;
use super::people::Others;
use super::source_rule::SourceRule;

impl Config {
    /// Returns whether pseudonyms may be used, which need a key.
    pub fn uses_pseudonyms(&self) -> bool {
        let others = match self.people.others {
            Some(others) => others == Others::Pseudonym,
            // Authors in channels that are published get pseudonyms.
            None => self.edits_open_chats || self.source.iter().any(SourceRule::opens),
        };
        others || self.people.listed.iter().any(|person| person.pseudonym)
    }
}

//! Whether a site makes up names.

use super::keys::Config;
use super::people::Others;
use super::source_rule::SourceRule;

impl Config {
    /// Returns whether names may be made up, for which a site needs a key.
    pub fn makes_up_names(&self) -> bool {
        let others = match self.people.others {
            Some(others) => others == Others::Pseudonym,
            // Who writes in a channel that is opened gets one.
            None => self.source.iter().any(SourceRule::opens),
        };
        others || self.people.listed.iter().any(|person| person.pseudonym)
    }
}

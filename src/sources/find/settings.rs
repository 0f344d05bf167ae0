//! The settings that reading depends on.

use crate::config::{Config, Host, Indexing, LoadKind, Schema};

/// The settings, besides the rules, that the entry of a conversation depends on. Code that reads
/// sources gets these instead of the [`Config`]. So results cannot depend on other settings, and
/// stay cached when those change.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct ReadSettings {
    /// Whether `$…$` and similar are mathematics.
    pub(crate) math: bool,
    /// Hosts whose images pages may load.
    pub(crate) image_hosts: Vec<Host>,
    /// Hosts whose recordings pages may load, possibly with a `*.` prefix.
    pub(crate) media_hosts: Vec<String>,
    /// The maximum number of turns on a page.
    pub(crate) page_turns: usize,
    /// The approximate maximum size of a page. Bytes of HTML.
    pub(crate) page_bytes: usize,
    /// Whether the first turn of each conversation is recorded.
    pub(crate) finds_openers: bool,
    /// Whether texts are compared to find similar ones.
    pub(crate) makes_minhashes: bool,
}

impl ReadSettings {
    /// Returns the settings of a configuration.
    pub(crate) fn of(config: &Config) -> Self {
        Self {
            math: config.math,
            image_hosts: config.image_hosts.clone(),
            media_hosts: config.services.hosts_for(LoadKind::Media),
            page_turns: config.page_turns.0,
            page_bytes: config.page_kilobytes.0 * 1000,
            finds_openers: config.schema == Schema::Forum,
            makes_minhashes: config.index == Indexing::Auto,
        }
    }
}

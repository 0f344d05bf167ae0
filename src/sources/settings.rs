//! The part of the configuration on which reading depends.

use crate::config::{Config, Host, Indexing, LoadKind, Schema};

/// The settings, besides the rules, on which the entry of a conversation depends. Code that reads
/// sources is given these and not the [`Config`], so that what it reads cannot depend on anything
/// else, and stays in the cache when a setting changes that is not here.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct ReadSettings {
    /// Whether `$…$` and the like are mathematics.
    pub(super) math: bool,
    /// Hosts whose images pages may load.
    pub(super) image_hosts: Vec<Host>,
    /// Hosts whose recordings pages may load, perhaps with `*.` in front.
    pub(super) media_hosts: Vec<String>,
    /// The most turns on one page.
    pub(super) page_turns: usize,
    /// The most bytes of HTML on one page, about.
    pub(super) page_bytes: usize,
    /// Whether it is noted which turn opened a conversation.
    pub(super) finds_openers: bool,
    /// Whether texts are compared.
    pub(super) makes_minhashes: bool,
}

impl ReadSettings {
    /// Returns those of a configuration.
    pub(super) fn of(config: &Config) -> Self {
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

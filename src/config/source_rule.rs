//! A `[[source]]`: what is to be known of some of the files.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::gate::GatePolicy;
use super::moment::Moment;
use super::placed::Placed;
use super::values::Updated;
use crate::model::{Kind, Split};

/// One `[[source]]`: what files that match a pattern do not say of themselves.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SourceRule {
    /// A pattern of paths below the content folder, such as `podcasts/**/*.md`, or a folder.
    pub files: Placed,
    /// The name of their format.
    #[serde(default)]
    pub format: Option<Placed>,
    /// What speakers are, by their names.
    #[serde(default)]
    pub speakers: BTreeMap<String, Kind>,
    /// The time zone of times that name none.
    #[serde(default)]
    pub time_zone: Option<Placed>,
    /// Words under which their conversations are filed.
    #[serde(default)]
    pub tags: Vec<String>,
    /// Whether they are published, where this is said.
    #[serde(default)]
    pub visibility: Option<Visibility>,
    /// Whether `visibility = "public"` is about direct messages and private channels as well, which are
    /// among others in an export.
    #[serde(default)]
    pub direct_messages: bool,
    /// Servers of tools whose input and output pages show, besides those of the whole site.
    #[serde(default)]
    pub open_servers: Vec<String>,
    /// Where channels are cut into conversations, where that is not left to their format.
    #[serde(default)]
    pub split: Option<Split>,
    /// Where the recording of each of them is: a path below the content folder or an address, in which
    /// `{stem}` is the name of the file without its ending.
    #[serde(default)]
    pub media: Option<Placed>,
    /// Whether they are episodes of the site's podcast.
    #[serde(default)]
    pub podcast: bool,
    /// Whether they are not ready yet, where this is said.
    #[serde(default)]
    pub draft: Option<bool>,
    /// When they are to be published.
    #[serde(default)]
    pub publish: Option<Moment>,
    /// When they are to be gone again.
    #[serde(default)]
    pub expires: Option<Moment>,
    /// Whether they are passed over: they hold no conversations and are nobody's business.
    #[serde(default)]
    pub ignore: bool,
    /// Whether system prompts are published, which are otherwise left out.
    #[serde(default)]
    pub show_system: bool,
    /// Queries, of which a conversation must meet one to be on the site; none for all of them.
    #[serde(default)]
    pub include: Vec<Placed>,
    /// Queries, of which a conversation on the site meets none.
    #[serde(default)]
    pub exclude: Vec<Placed>,
    /// What becomes of secrets and personal data in them, where that differs from `[gate]`.
    #[serde(default)]
    pub gate: GatePolicy,
    /// What says when they were last changed, where that differs.
    #[serde(default)]
    pub updated: Option<Updated>,
    /// Whether search finds them.
    #[serde(default = "yes")]
    pub search: bool,
}

impl SourceRule {
    /// Returns whether it keeps conversations off the site, now or later.
    pub fn holds_back(&self) -> bool {
        self.visibility == Some(Visibility::Private)
            || self.draft == Some(true)
            || self.publish.is_some()
            || self.expires.is_some()
    }

    /// Returns whether it publishes what is private unless somebody says so.
    pub fn opens(&self) -> bool {
        self.visibility == Some(Visibility::Public)
    }

    /// Returns all that it says but what becomes of secrets.
    pub fn without_gate(&self) -> Self {
        Self { gate: GatePolicy::default(), ..self.clone() }
    }
}

fn yes() -> bool {
    true
}

/// The keys of a [`SourceRule`].
pub(super) const KEYS: [&str; 21] = [
    "files", "format", "speakers", "time_zone", "tags", "visibility", "direct_messages",
    "open_servers", "split", "media", "podcast", "draft", "publish", "expires", "ignore",
    "show_system", "include", "exclude", "gate", "updated", "search",
];

/// The visibility of conversations.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Visibility {
    /// Those that do not say that they are private.
    Public,
    /// None.
    Private,
}

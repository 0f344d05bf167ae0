//! A `[[source]]` of `site.toml`: settings for some of the files.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::date_or_time::DateOrTime;
use super::gate::GatePolicy;
use super::located_text::LocatedText;
use super::values::Updated;
use crate::model::{Kind, Split};

/// One `[[source]]`: settings for the files that match a pattern.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SourceRule {
    /// A pattern of paths below the content folder, such as `podcasts/**/*.md`, or a folder.
    pub files: LocatedText,
    /// The name of the format.
    #[serde(default)]
    pub format: Option<LocatedText>,
    /// The kinds of speakers, by name.
    #[serde(default)]
    pub speakers: BTreeMap<String, Kind>,
    /// The time zone of times without one.
    #[serde(default)]
    pub time_zone: Option<LocatedText>,
    /// The languages of conversations that name none.
    #[serde(default)]
    pub languages: Vec<String>,
    /// Tags for the conversations.
    #[serde(default)]
    pub tags: Vec<String>,
    /// Whether conversations are published, if set.
    #[serde(default)]
    pub visibility: Option<Visibility>,
    /// Whether `visibility = "public"` also applies to direct messages and private channels in an export.
    #[serde(default)]
    pub direct_messages: bool,
    /// Tool servers whose input and output is published, in addition to those of the whole site.
    #[serde(default)]
    pub open_servers: Vec<String>,
    /// How channels are split into conversations; by default, the format decides.
    #[serde(default)]
    pub split: Option<Split>,
    /// The recording of each conversation: a path below the content folder or a URL, in which `{stem}` is the file
    /// name without its extension.
    #[serde(default)]
    pub media: Option<LocatedText>,
    /// Whether conversations are episodes of the podcast.
    #[serde(default)]
    pub podcast: bool,
    /// Whether conversations are drafts, if set.
    #[serde(default)]
    pub draft: Option<bool>,
    /// When conversations are published.
    #[serde(default)]
    pub publish: Option<DateOrTime>,
    /// When conversations expire.
    #[serde(default)]
    pub expires: Option<DateOrTime>,
    /// Whether files are skipped, without any report.
    #[serde(default)]
    pub ignore: bool,
    /// Whether system prompts are published.
    #[serde(default)]
    pub show_system: bool,
    /// Search queries; only conversations that match one of them are on the site. Empty for all conversations.
    #[serde(default)]
    pub include: Vec<LocatedText>,
    /// Search queries; conversations that match one of them are not on the site.
    #[serde(default)]
    pub exclude: Vec<LocatedText>,
    /// How secrets and personal data are handled, if different from `[gate]`.
    #[serde(default)]
    pub gate: GatePolicy,
    /// The source of modification dates, if different from the whole site.
    #[serde(default)]
    pub updated: Option<Updated>,
    /// Whether conversations are in the search index.
    #[serde(default = "yes")]
    pub search: bool,
}

impl SourceRule {
    /// Returns whether it withholds conversations, now or later.
    pub fn holds_back(&self) -> bool {
        self.visibility == Some(Visibility::Private)
            || self.draft == Some(true)
            || self.publish.is_some()
            || self.expires.is_some()
    }

    /// Returns whether it publishes conversations that are private by default.
    pub fn opens(&self) -> bool {
        self.visibility == Some(Visibility::Public)
    }

    /// Returns a copy without the settings for secrets.
    pub fn without_gate(&self) -> Self {
        Self { gate: GatePolicy::default(), ..self.clone() }
    }
}

fn yes() -> bool {
    true
}

/// The keys of a [`SourceRule`].
pub(super) const KEYS: [&str; 22] = [
    "files", "format", "speakers", "time_zone", "languages", "tags", "visibility",
    "direct_messages", "open_servers", "split", "media", "podcast", "draft", "publish", "expires",
    "ignore", "show_system", "include", "exclude", "gate", "updated", "search",
];

/// The visibility of conversations.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Visibility {
    /// Published, unless a conversation itself is private.
    Public,
    /// Not published.
    Private,
}

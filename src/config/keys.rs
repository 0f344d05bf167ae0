//! The keys of `site.toml`.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::Deserialize;

use super::base_url::{BaseUrl, Host};
use super::code::Code;
use super::extra::Extra;
use super::frame::{Footer, Head, HomeParts, MenuLink};
use super::gate::{GatePolicy, OwnWords};
use super::key_locations::KeyLocations;
use super::located_text::LocatedText;
use super::people::People;
use super::podcast::Podcast;
use super::publish_list::PublishList;
use super::search::Search;
use super::services::Services;
use super::source_rule::SourceRule;
use super::theme_overrides::ThemeOverrides;
use super::values::{
    Count, Deploy, Download, EditUrl, Indexing, OgImages, OutputOptions, Publish, Review, Schema,
    Updated,
};
use crate::hash::Hash;
use crate::locale::Locale;
use crate::markup::RawHtml;

/// The configuration of a site. The keys are described in [`REFERENCE`](super::REFERENCE).
#[derive(Clone, PartialEq, Eq, Hash, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Config {
    /// The URL of the site; may be empty.
    pub base_url: BaseUrl,
    /// The name of the site.
    pub title: String,
    /// The description of the site.
    pub description: String,
    /// The author of the site.
    pub author: String,
    /// The language of page texts, as a BCP 47 tag.
    pub language: String,
    /// The IANA time zone in which times are shown, and of times without a zone; may be empty.
    pub time_zone: String,
    /// The folder with the conversations, relative to the site folder.
    pub content: String,
    /// The name of the theme.
    pub theme: String,
    /// Changes to the theme.
    #[serde(default)]
    pub look: ThemeOverrides,
    /// The style of code.
    #[serde(default)]
    pub code: Code,
    /// The menu; empty for the default menu with all listings.
    #[serde(default)]
    pub menu: Vec<MenuLink>,
    /// The footer of every page.
    #[serde(default)]
    pub footer: Footer,
    /// Metadata in the head of every page.
    #[serde(default)]
    pub head: Head,
    /// The home page.
    #[serde(default)]
    pub home: HomeParts,
    /// Values for templates.
    #[serde(default)]
    pub extra: Extra,
    /// How raw HTML in conversations is handled.
    pub html: RawHtml,
    /// Hosts whose images pages may load.
    pub image_hosts: Vec<Host>,
    /// Tool servers whose input and output is published.
    pub open_servers: Vec<String>,
    /// Whether `$…$`, `\(…\)` and similar are rendered as mathematics.
    pub math: bool,
    /// Whether straight quotation marks in prose become typographic ones.
    pub smart_quotes: bool,
    /// Whether bare URLs become links.
    pub autolink: bool,
    /// The number of conversations on the home page.
    pub home_entries: Count,
    /// The number of conversations on one page of a listing.
    pub page_entries: Count,
    /// The number of turns on one page of a conversation.
    pub page_turns: Count,
    /// Approximate kilobytes of HTML on one page of a conversation.
    pub page_kilobytes: Count,
    /// Which conversations are published.
    pub publish: Publish,
    /// Whether a conversation must be reviewed before it is published.
    pub review: Review,
    /// The downloads of a conversation.
    pub downloads: Vec<Download>,
    /// Whether each conversation and each custom page also has a Markdown version.
    pub markdown: bool,
    /// Whether the turns of each page of a conversation are also published as JSON.
    pub turns_json: bool,
    /// The source of the modification date of a conversation.
    pub updated: Updated,
    /// The URL at which readers can suggest edits to the file of a conversation; may be empty.
    pub edit_url: EditUrl,
    /// The number of conversations in the feed.
    pub feed_entries: Count,
    /// Whether search engines may list the site.
    pub search_engines: bool,
    /// Which conversations search engines may list.
    pub index: Indexing,
    /// The schema.org type of conversations.
    pub schema: Schema,
    /// Preview images of conversations for link previews.
    #[serde(default)]
    pub og_images: OgImages,
    /// Redirects from paths of the site.
    #[serde(default)]
    pub redirects: BTreeMap<LocatedText, LocatedText>,
    /// Whether search engines of AI products may read the site.
    pub ai_search: bool,
    /// Whether crawlers for AI training may read the site.
    pub ai_training: bool,
    /// How output files are written.
    #[serde(default)]
    pub output: OutputOptions,
    /// The podcast.
    #[serde(default)]
    pub podcast: Podcast,
    /// How readers search the site.
    #[serde(default)]
    pub search: Search,
    /// The host of the site.
    #[serde(default)]
    pub deploy: Deploy,
    /// The services of other hosts that pages use.
    #[serde(default)]
    pub services: Services,
    /// How secrets and personal data are handled.
    #[serde(default)]
    pub gate: GatePolicy,
    /// Words that are redacted on all pages.
    #[serde(default)]
    pub redact: Vec<OwnWords>,
    /// Settings for some of the files.
    #[serde(default)]
    pub source: Vec<SourceRule>,
    /// The list of published conversations, if `publish` is [`Publish::Listed`].
    #[serde(skip)]
    pub publish_list: Option<Arc<PublishList>>,
    /// Whether an edit may publish a chat between people.
    #[serde(skip)]
    pub edits_open_chats: bool,
    /// People with several names or a different name on the site.
    #[serde(skip)]
    pub people: People,
    /// The key for pseudonyms, from a separate file.
    #[serde(skip)]
    pub people_key: Option<Hash>,
    /// The locations of values in `site.toml`.
    #[serde(skip)]
    pub places: KeyLocations,
    /// The page texts for `language`, with changes by the site.
    #[serde(skip)]
    pub locale: Arc<Locale>,
}

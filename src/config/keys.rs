//! The keys of `site.toml`.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::Deserialize;

use super::base_url::{BaseUrl, Host};
use super::code::Code;
use super::extra::Extra;
use super::frame::{Footer, Head, HomeParts, MenuLink};
use super::gate::{GatePolicy, OwnWords};
use super::look::Look;
use super::people::People;
use super::placed::Placed;
use super::places::Places;
use super::podcast::Podcast;
use super::publish_list::PublishList;
use super::search::Search;
use super::services::Services;
use super::source_rule::SourceRule;
use super::values::{
    Count, Deploy, Download, EditUrl, Indexing, OgImages, OutputOptions, Publish, RawHtml, Review,
    Schema, Updated,
};
use crate::hash::Hash;
use crate::locale::Locale;

/// The configuration of a site. The keys are described in [`REFERENCE`](super::REFERENCE).
#[derive(Clone, PartialEq, Eq, Hash, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Config {
    /// Where the site will stand; may be empty.
    pub base_url: BaseUrl,
    /// The name of the site.
    pub title: String,
    /// What the site is about.
    pub description: String,
    /// Who publishes it.
    pub author: String,
    /// BCP 47 tag of the site's own words.
    pub language: String,
    /// The IANA time zone in which times are shown; may be empty.
    pub time_zone: String,
    /// Folder of the conversations, relative to the site folder.
    pub content: String,
    /// Name of the theme.
    pub theme: String,
    /// What is changed about the theme.
    #[serde(default)]
    pub look: Look,
    /// How code looks.
    #[serde(default)]
    pub code: Code,
    /// The menu, where it is not the site's own overviews.
    #[serde(default)]
    pub menu: Vec<MenuLink>,
    /// The foot of every page.
    #[serde(default)]
    pub footer: Footer,
    /// What stands in the head of every page, for programs.
    #[serde(default)]
    pub head: Head,
    /// The home page.
    #[serde(default)]
    pub home: HomeParts,
    /// Values for templates.
    #[serde(default)]
    pub extra: Extra,
    /// What becomes of raw HTML in conversations.
    pub html: RawHtml,
    /// Hosts whose images pages may load.
    pub image_hosts: Vec<Host>,
    /// Servers of tools whose input and output pages show.
    pub open_servers: Vec<String>,
    /// Whether `$…$`, `\(…\)` and the like are mathematics.
    pub math: bool,
    /// Whether straight quotation marks in prose become those of its language.
    pub smart_quotes: bool,
    /// Whether bare addresses become links.
    pub autolink: bool,
    /// Conversations on the home page.
    pub home_entries: Count,
    /// Conversations on one page of a list.
    pub page_entries: Count,
    /// Turns on one page of a conversation.
    pub page_turns: Count,
    /// Kilobytes of HTML of one page of a conversation, about.
    pub page_kilobytes: Count,
    /// Which conversations are published.
    pub publish: Publish,
    /// Whether somebody must have reviewed a conversation before it is published.
    pub review: Review,
    /// What readers may keep of a conversation.
    pub downloads: Vec<Download>,
    /// Whether each page of a conversation or of one's own is there as Markdown as well.
    pub markdown: bool,
    /// Whether the turns of each page of a conversation are there as JSON as well.
    pub turns_json: bool,
    /// What says when a conversation was last changed.
    pub updated: Updated,
    /// Where readers can propose changes to the file of a conversation; may be empty.
    pub edit_url: EditUrl,
    /// Conversations in the feed.
    pub feed_entries: Count,
    /// Whether search engines may list the site.
    pub search_engines: bool,
    /// The policy for which conversations search engines are asked to list.
    pub index: Indexing,
    /// The schema.org type by which conversations are described to search engines.
    pub schema: Schema,
    /// Pictures that stand for conversations where links to them are shown.
    #[serde(default)]
    pub og_images: OgImages,
    /// Addresses below the site's that lead to others.
    #[serde(default)]
    pub redirects: BTreeMap<Placed, Placed>,
    /// Whether the search engines of AI products may read it.
    pub ai_search: bool,
    /// Whether those may read it who collect texts to train models with.
    pub ai_training: bool,
    /// How files of the output are written.
    #[serde(default)]
    pub output: OutputOptions,
    /// The podcast.
    #[serde(default)]
    pub podcast: Podcast,
    /// How readers search the site.
    #[serde(default)]
    pub search: Search,
    /// Where the site is put.
    #[serde(default)]
    pub deploy: Deploy,
    /// What pages load from other hosts.
    #[serde(default)]
    pub services: Services,
    /// What becomes of secrets and personal data.
    #[serde(default)]
    pub gate: GatePolicy,
    /// Words that no page shows.
    #[serde(default)]
    pub redact: Vec<OwnWords>,
    /// What is to be known of some of the files.
    #[serde(default)]
    pub source: Vec<SourceRule>,
    /// The list of what is published, where `publish` is [`Publish::Listed`].
    #[serde(skip)]
    pub publish_list: Option<Arc<PublishList>>,
    /// Who is one person under several names, and who is shown under another one.
    #[serde(skip)]
    pub people: People,
    /// The secret from which names are made up, which is in a file of its own.
    #[serde(skip)]
    pub people_key: Option<Hash>,
    /// Where values stand in `site.toml`.
    #[serde(skip)]
    pub places: Places,
    /// The words of pages, which follow from `language` and the site's own.
    #[serde(skip)]
    pub locale: Arc<Locale>,
}

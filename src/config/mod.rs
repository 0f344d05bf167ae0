//! `site.toml` as a value.

mod gate;
mod load;
mod look;
mod misplaced;
mod people;
mod publish_list;
mod source;

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::Deserialize;

pub use self::gate::{Action, GatePolicy, OwnWords, PersonalAction};
pub use self::load::{load, load_at, parse, place_of};
pub use self::look::Look;
pub use self::people::{Others, People, Person, PersonAlias};
pub use self::publish_list::{ListedConversation, PublishList};
pub use self::source::{Placed, SourceRule, Visibility};
use crate::diag::Location;
use crate::hash::Hash;
use crate::locale::Locale;

/// The reference configuration, which holds every key with its default, and tables as examples
/// behind a `#`.
pub const REFERENCE: &str = include_str!("../../site.toml");

/// The configuration of a site. The keys are described in [`REFERENCE`].
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
    /// What becomes of raw HTML in conversations.
    pub html: RawHtml,
    /// Hosts whose images pages may load.
    pub image_hosts: Vec<Host>,
    /// Whether `$…$`, `\(…\)` and the like are mathematics.
    pub math: bool,
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
    /// Where the site is put.
    #[serde(default)]
    pub deploy: Deploy,
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

/// Places in `site.toml` by the names of keys, which change nothing about the site.
#[derive(Clone, Debug, Default)]
pub struct Places(BTreeMap<String, Location>);

impl Places {
    /// That of a key's value; the file as a whole where the key is not there.
    pub fn of(&self, key: &str) -> Location {
        let whole = || Location { file: load::FILE.to_owned(), span: None };
        self.0.get(key).cloned().unwrap_or_else(whole)
    }
}

impl PartialEq for Places {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for Places {}

impl std::hash::Hash for Places {
    fn hash<H: std::hash::Hasher>(&self, _: &mut H) {}
}

/// Returns the configuration of a site that chooses nothing.
pub fn defaults() -> Config {
    load("").map(|loaded| loaded.value).expect("the reference configuration is TOML")
}

/// The deployment of a site.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Deploy {
    /// Whose limits `check` knows.
    #[serde(default)]
    pub host: Hosting,
}

/// The host of a site.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Hosting {
    /// GitHub Pages.
    GithubPages,
    /// Netlify.
    Netlify,
    /// Cloudflare Pages.
    CloudflarePages,
    /// Any other.
    #[default]
    Other,
}

/// The policy for which conversations search engines are asked to list.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Indexing {
    /// All of them.
    All,
    /// Those that have something to say that no other one says, and a title.
    Auto,
}

/// The schema.org type by which conversations are described to search engines.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Schema {
    /// Articles of the site's publisher.
    Article,
    /// Discussions of the site's users.
    Forum,
}

/// Which conversations are published.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Publish {
    /// All that do not say otherwise.
    All,
    /// Those that a [`PublishList`] names.
    Listed,
}

/// Whether somebody must have reviewed a conversation before it is published.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Review {
    /// It need not be.
    Optional,
    /// It says of itself that it was reviewed.
    Required,
}

/// A form in which readers may keep a conversation.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Download {
    /// Markdown, as it stands beside every page.
    Markdown,
    /// The neutral form as JSON, without what no page shows.
    Json,
    /// The file from which it was read, whatever is in it.
    Original,
}

/// Pictures that stand for conversations elsewhere.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OgImages {
    /// Whether one is drawn for each conversation.
    #[serde(default)]
    pub per_conversation: bool,
    /// The paths of fonts in the site folder, for letters that those of the theme lack.
    #[serde(default)]
    pub fonts: Vec<String>,
}

/// The policy for raw HTML in conversations.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum RawHtml {
    /// It is shown as text.
    Escape,
    /// A few harmless elements are let through.
    Basic,
}

/// A number from 1 to 10,000.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Deserialize)]
#[serde(try_from = "i64")]
pub struct Count(pub usize);

impl TryFrom<i64> for Count {
    type Error = &'static str;

    fn try_from(count: i64) -> Result<Self, Self::Error> {
        match usize::try_from(count) {
            Ok(count @ 1..=10_000) => Ok(Self(count)),
            _ => Err("expected a number from 1 to 10000"),
        }
    }
}

/// A host name with an optional port, fit for a Content-Security-Policy.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Deserialize)]
#[serde(try_from = "String")]
pub struct Host(pub String);

impl TryFrom<String> for Host {
    type Error = &'static str;

    fn try_from(host: String) -> Result<Self, Self::Error> {
        let (name, port) = host.split_once(':').unwrap_or((&host, "443"));
        let fits = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-');
        let is_name = name.chars().all(fits) && !name.split('.').any(str::is_empty);
        // `data:` is no host but lets every page bring its own images.
        if !is_name || port.parse::<u16>().is_err() {
            return Err("expected a host name such as `images.example.org`");
        }
        Ok(Self(host.to_ascii_lowercase()))
    }
}

/// The address of the site: an origin, and a path that starts and ends with `/`.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Deserialize)]
#[serde(try_from = "String")]
pub struct BaseUrl {
    /// `https://ada.github.io`, or empty when it is not known.
    pub origin: String,
    /// `/talks/`.
    pub path: String,
}

impl TryFrom<String> for BaseUrl {
    type Error = &'static str;

    fn try_from(url: String) -> Result<Self, Self::Error> {
        if url.is_empty() {
            return Ok(Self { origin: String::new(), path: "/".to_owned() });
        }
        let wrong = "expected an address such as `https://ada.github.io/talks/`";
        let rest = url.strip_prefix("https://").or_else(|| url.strip_prefix("http://"));
        let rest = rest.ok_or(wrong)?;
        let (host, path) = rest.split_once('/').unwrap_or((rest, ""));
        let fits = |c: char| c.is_ascii_alphanumeric() || "-._~/%".contains(c);
        let plain = path.chars().all(fits) && !path.split('/').any(|part| part == "..");
        if Host::try_from(host.to_owned()).is_err() || !plain {
            return Err(wrong);
        }
        let path = path.trim_matches('/');
        let path = if path.is_empty() { "/".to_owned() } else { format!("/{path}/") };
        let origin = url[..url.len() - rest.len() + host.len()].to_ascii_lowercase();
        Ok(Self { origin, path })
    }
}

impl BaseUrl {
    /// Returns whether it is one of the addresses that are set aside for examples, such as a new
    /// site has.
    pub fn is_example(&self) -> bool {
        let host = self.origin.split_once("://").map_or("", |(_, host)| host);
        let host = host.strip_prefix("www.").unwrap_or(host);
        self.path == "/" && ["example.org", "example.com", "example.net"].contains(&host)
    }

    /// Returns the link to a file or folder of the output, such as `c/a-talk/`.
    pub fn link(&self, path: &str) -> String {
        let mut url = self.path.clone();
        url.push_str(&crate::text::percent_encode(path));
        url
    }

    /// Returns the absolute URL of a path; `None` when the origin is not known.
    pub fn absolute(&self, path: &str) -> Option<String> {
        (!self.origin.is_empty()).then(|| format!("{}{}", self.origin, self.link(path)))
    }
}

//! The menu, the footer, the head of pages, and the parts of the home page.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::located_text::LocatedText;

/// An entry of the menu or a link in the footer; its target is exactly one of `url`, `page` and `section`.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Deserialize)]
#[serde(try_from = "WrittenLink")]
pub struct MenuLink {
    /// Its text, if it is not the title of its target.
    pub title: Option<String>,
    /// Its target.
    pub target: MenuTarget,
}

/// The target of a menu entry.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum MenuTarget {
    /// A URL, or a path on the site that starts with `/`.
    Url(LocatedText),
    /// A Markdown page of the site.
    Page(LocatedText),
    /// A listing of the site.
    Section(&'static str),
    /// All listings that the menu does not name.
    OtherSections,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenLink {
    title: Option<String>,
    url: Option<LocatedText>,
    page: Option<LocatedText>,
    section: Option<String>,
}

/// Returns whether a URL is safe in a link: it has one of a few schemes, or is a path on the site.
fn is_harmless(url: &str) -> bool {
    let is_clean = !url.chars().any(|c| c.is_control() || c.is_whitespace() || c == '\\');
    let schemes = ["https://", "http://", "mailto:"];
    let is_path = url.starts_with('/') && !url.starts_with("//");
    is_clean && (is_path || schemes.iter().any(|scheme| url.starts_with(scheme)))
}

/// The names of the listings of a site.
pub const SECTIONS: [&str; 8] =
    ["archive", "collections", "speakers", "models", "languages", "tags", "types", "statistics"];

impl TryFrom<WrittenLink> for MenuLink {
    type Error = String;

    fn try_from(written: WrittenLink) -> Result<Self, Self::Error> {
        let WrittenLink { title, url, page, section } = written;
        let target = match (url, page, section) {
            (Some(url), None, None) => {
                if title.is_none() {
                    return Err("an entry with a `url` needs a `title`".to_owned());
                }
                if !is_harmless(&url.text) {
                    return Err("expected a `url` such as `https://example.org/`, \
                                `mailto:ada@example.org` or `/archive/`"
                        .to_owned());
                }
                MenuTarget::Url(url)
            }
            (None, Some(page), None) => MenuTarget::Page(page),
            (None, None, Some(name)) if name == "others" => MenuTarget::OtherSections,
            (None, None, Some(name)) => {
                let known = SECTIONS.into_iter().find(|known| *known == name);
                let known = known.ok_or_else(|| {
                    let all = SECTIONS.join("`, `");
                    format!("unknown section `{name}`; known sections: `{all}` and `others`")
                })?;
                MenuTarget::Section(known)
            }
            _ => {
                return Err("an entry needs exactly one of `url`, `page` and `section`".to_owned());
            }
        };
        Ok(Self { title, target })
    }
}

/// The footer of every page.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Footer {
    /// Its text, as Markdown.
    pub text: String,
    /// Its links.
    pub links: Vec<MenuLink>,
    /// Whether it names convo-site.
    pub made_with: bool,
}

impl Default for Footer {
    fn default() -> Self {
        Self { text: String::new(), links: Vec::new(), made_with: true }
    }
}

/// Metadata in the head of every page.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Head {
    /// The path of the icon in the site folder; may be empty.
    pub favicon: String,
    /// URLs of other profiles of the site's author.
    pub me: Vec<ProfileUrl>,
    /// The codes with which services verify the owner of the site, by `<meta>` name.
    pub verification: BTreeMap<MetaName, String>,
}

/// A URL that starts with `https://` or `mailto:`.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Deserialize)]
#[serde(try_from = "String")]
pub struct ProfileUrl(pub String);

impl TryFrom<String> for ProfileUrl {
    type Error = &'static str;

    fn try_from(url: String) -> Result<Self, Self::Error> {
        let is_web = url.starts_with("https://") || url.starts_with("mailto:");
        match is_web && is_harmless(&url) {
            true => Ok(Self(url)),
            false => Err("expected a URL such as `https://social.example/@ada`"),
        }
    }
}

/// The name of a `<meta>` for verification.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Deserialize)]
#[serde(try_from = "String")]
pub struct MetaName(pub String);

/// Names that pages already use for other purposes.
const OTHER_NAMES: [&str; 7] =
    ["color-scheme", "description", "generator", "referrer", "robots", "theme-color", "viewport"];

impl TryFrom<String> for MetaName {
    type Error = &'static str;

    fn try_from(name: String) -> Result<Self, Self::Error> {
        let fits = |c: char| c.is_ascii_alphanumeric() || "-_.:".contains(c);
        let lower = name.to_ascii_lowercase();
        if name.is_empty() || !name.chars().all(fits) {
            return Err("expected a name such as `google-site-verification`");
        }
        if OTHER_NAMES.contains(&lower.as_str()) || lower.starts_with("twitter:") {
            return Err("pages set this tag themselves; only verification tags are allowed here");
        }
        Ok(Self(name))
    }
}

/// The home page.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct HomeParts {
    /// Its parts, in this order.
    pub parts: Vec<HomePart>,
    /// Its text, as Markdown, if there is no `pages/home.md`.
    pub text: String,
}

/// A part of the home page.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum HomePart {
    /// The text.
    Text,
    /// The search field.
    Search,
    /// The conversations that are marked as featured.
    Featured,
    /// The years and months, with the numbers of conversations.
    Years,
    /// The newest conversations, pinned ones first.
    Latest,
    /// The collections.
    Collections,
    /// The most frequent speakers.
    Speakers,
    /// The most frequent models.
    Models,
    /// The most frequent tags.
    Tags,
}

impl HomePart {
    /// Returns its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Search => "search",
            Self::Featured => "featured",
            Self::Years => "years",
            Self::Latest => "latest",
            Self::Collections => "collections",
            Self::Speakers => "speakers",
            Self::Models => "models",
            Self::Tags => "tags",
        }
    }
}

impl Default for HomeParts {
    fn default() -> Self {
        use HomePart::{
            Collections, Featured, Latest, Models, Search, Speakers, Tags, Text, Years,
        };
        let parts =
            vec![Text, Search, Years, Featured, Latest, Collections, Speakers, Models, Tags];
        Self { parts, text: String::new() }
    }
}

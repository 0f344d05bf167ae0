//! What a site says around its pages: menu, footer, head, and the parts of the home page.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::placed::Placed;

/// An entry of the menu or a link of the footer: exactly one of `url`, `page` and `section` says
/// where it leads.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Deserialize)]
#[serde(try_from = "WrittenLink")]
pub struct MenuLink {
    /// What readers see, if that is not the title of what it leads to.
    pub title: Option<String>,
    /// Where it leads.
    pub target: MenuTarget,
}

/// Where an entry of the menu leads.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum MenuTarget {
    /// To an address as it is written; one that starts with `/` is below the site's.
    Url(Placed),
    /// To the plain page that stands there.
    Page(Placed),
    /// To one of the site's own overviews.
    Section(&'static str),
    /// To all of those that the menu does not name.
    OtherSections,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenLink {
    title: Option<String>,
    url: Option<Placed>,
    page: Option<Placed>,
    section: Option<String>,
}

/// Returns whether an address may stand in a link: one of a few schemes, or a path of the site.
fn is_harmless(url: &str) -> bool {
    let is_clean = !url.chars().any(|c| c.is_control() || c.is_whitespace() || c == '\\');
    let schemes = ["https://", "http://", "mailto:"];
    let is_path = url.starts_with('/') && !url.starts_with("//");
    is_clean && (is_path || schemes.iter().any(|scheme| url.starts_with(scheme)))
}

/// The names of the site's own overviews.
pub const SECTIONS: [&str; 8] =
    ["archive", "collections", "speakers", "models", "languages", "tags", "types", "statistics"];

impl TryFrom<WrittenLink> for MenuLink {
    type Error = String;

    fn try_from(written: WrittenLink) -> Result<Self, Self::Error> {
        let WrittenLink { title, url, page, section } = written;
        let target = match (url, page, section) {
            (Some(url), None, None) => {
                if title.is_none() {
                    return Err("an entry with a `url` has a `title`".to_owned());
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
                    format!("no section `{name}`; there are `{all}` and `others`")
                })?;
                MenuTarget::Section(known)
            }
            _ => {
                return Err("an entry has one of `url`, `page` and `section`".to_owned());
            }
        };
        Ok(Self { title, target })
    }
}

/// The foot of every page.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Footer {
    /// What it says, as Markdown.
    pub text: String,
    /// Its links.
    pub links: Vec<MenuLink>,
    /// Whether it names the program.
    pub made_with: bool,
}

impl Default for Footer {
    fn default() -> Self {
        Self { text: String::new(), links: Vec::new(), made_with: true }
    }
}

/// What stands in the head of every page, for programs.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Head {
    /// The path of the icon in the site folder; may be empty.
    pub favicon: String,
    /// Addresses of profiles of the site's author, elsewhere.
    pub me: Vec<ProfileUrl>,
    /// What services ask for to know whose site it is, by the name of the `<meta>`.
    pub verification: BTreeMap<MetaName, String>,
}

/// An address that starts with `https://`.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Deserialize)]
#[serde(try_from = "String")]
pub struct ProfileUrl(pub String);

impl TryFrom<String> for ProfileUrl {
    type Error = &'static str;

    fn try_from(url: String) -> Result<Self, Self::Error> {
        let is_web = url.starts_with("https://") || url.starts_with("mailto:");
        match is_web && is_harmless(&url) {
            true => Ok(Self(url)),
            false => Err("expected an address such as `https://social.example/@ada`"),
        }
    }
}

/// The name of a `<meta>` that verifies something.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Deserialize)]
#[serde(try_from = "String")]
pub struct MetaName(pub String);

/// Names that say something else, which pages have of their own.
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
            return Err("pages say that of themselves; only tags that verify stand here");
        }
        Ok(Self(name))
    }
}

/// The home page.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct HomeParts {
    /// What stands on it, in this order.
    pub parts: Vec<HomePart>,
    /// What it says, as Markdown, where there is no `pages/home.md`.
    pub text: String,
}

/// A part of the home page.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum HomePart {
    /// What the site's author says there.
    Text,
    /// The field of the search.
    Search,
    /// The conversations that their authors chose for it.
    Featured,
    /// The years, with the numbers of conversations.
    Years,
    /// The newest conversations; those that are pinned stand first.
    Latest,
    /// The collections.
    Collections,
    /// The speakers who take part most often.
    Speakers,
    /// The tags that are given most often.
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
            Self::Tags => "tags",
        }
    }
}

impl Default for HomeParts {
    fn default() -> Self {
        use HomePart::{Collections, Featured, Latest, Search, Speakers, Tags, Text, Years};
        let parts = vec![Text, Search, Featured, Years, Latest, Collections, Speakers, Tags];
        Self { parts, text: String::new() }
    }
}

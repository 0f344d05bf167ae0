//! Values that only a few words or numbers fit.

use serde::Deserialize;

/// Which conversations are published.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Publish {
    /// All that do not say otherwise.
    All,
    /// Those that a [`PublishList`](super::PublishList) names.
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

/// The policy for raw HTML in conversations.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum RawHtml {
    /// It is shown as text.
    Escape,
    /// A few harmless elements are let through.
    Basic,
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

/// The deployment of a site.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Deploy {
    /// Whose limits `check` knows.
    #[serde(default)]
    pub host: Hosting,
    /// Files and folders of the output folder that the build does not make, and that go out with the
    /// site all the same.
    #[serde(default)]
    pub extra_files: Vec<String>,
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

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

/// What says when a conversation was last changed.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Updated {
    /// The latest time in it.
    #[default]
    Conversation,
    /// The last commit that changed its file as well.
    Git,
}

/// An address at which a file can be edited; empty for none.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Deserialize)]
#[serde(try_from = "String")]
pub struct EditUrl(String);

impl TryFrom<String> for EditUrl {
    type Error = &'static str;

    fn try_from(url: String) -> Result<Self, Self::Error> {
        let is_web = url.starts_with("https://") || url.starts_with("http://");
        let is_plain = !url.contains(|c: char| c.is_whitespace() || "\"'<>".contains(c));
        match url.is_empty() || is_web && is_plain && url.contains("{path}") {
            true => Ok(Self(url)),
            false => Err("expected an address with `{path}` in it, such as \
                 `https://github.com/ada/talks/edit/main/{path}`"),
        }
    }
}

impl EditUrl {
    /// Returns the address for a file of the site.
    pub fn of(&self, path: &str) -> Option<String> {
        let path = crate::text::percent_encode(path);
        (!self.0.is_empty()).then(|| self.0.replace("{path}", &path))
    }
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
    /// The branch that the host publishes as the site itself; other branches are previews.
    #[serde(default)]
    pub production_branch: Option<String>,
}

/// The host of a site.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Hosting {
    /// GitHub Pages.
    GithubPages,
    /// Netlify.
    Netlify,
    /// Cloudflare Pages, or the static assets of Cloudflare Workers.
    CloudflarePages,
    /// GitLab Pages.
    GitlabPages,
    /// Any other.
    #[default]
    Other,
}

/// How files of the output are written.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OutputOptions {
    /// The packings in which each file stands beside itself, where it is smaller so.
    #[serde(default)]
    pub precompress: Vec<Packing>,
}

/// A way to pack a file that browsers unpack.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Deserialize)]
pub enum Packing {
    /// Brotli, RFC 7932.
    #[serde(rename = "br")]
    Brotli,
    /// gzip, RFC 1952.
    #[serde(rename = "gzip")]
    Gzip,
}

impl Packing {
    /// Returns the ending of files that are packed so.
    pub fn ending(self) -> &'static str {
        match self {
            Self::Brotli => ".br",
            Self::Gzip => ".gz",
        }
    }
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

//! Values of `site.toml` with a limited set of words or numbers.

use serde::Deserialize;

/// Which conversations are published.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Publish {
    /// All that are not withheld.
    All,
    /// Those in the [`PublishList`](super::PublishList).
    Listed,
}

/// Whether a conversation must be reviewed before it is published.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Review {
    /// No.
    Optional,
    /// Yes; its front matter must mark it as reviewed.
    Required,
}

/// The source of the modification date of a conversation.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Updated {
    /// The latest time in the conversation.
    #[default]
    Conversation,
    /// Also the last commit that changed its file.
    Git,
}

/// The URL at which a file can be edited; empty for none.
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
            false => Err("expected a URL with `{path}` in it, such as \
                 `https://github.com/ada/talks/edit/main/{path}`"),
        }
    }
}

impl EditUrl {
    /// Returns the URL for a file of the site.
    pub fn of(&self, path: &str) -> Option<String> {
        let path = crate::text::percent_encode(path);
        (!self.0.is_empty()).then(|| self.0.replace("{path}", &path))
    }
}

/// A download of a conversation.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Download {
    /// Markdown, as beside every page.
    Markdown,
    /// JSON, without unpublished data.
    Json,
    /// The original file, unchanged.
    Original,
}

/// The conversations that search engines may list.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Indexing {
    /// All of them.
    All,
    /// Those with a title and unique content.
    Auto,
}

/// The schema.org type of conversations.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Schema {
    /// Articles by the publisher of the site.
    Article,
    /// Discussions between users of the site.
    Forum,
}

/// The `[deploy]` table.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Deploy {
    /// The host, whose limits are checked.
    #[serde(default)]
    pub host: Hosting,
    /// Files and folders in the output folder that the build does not write but that are published with the site.
    #[serde(default)]
    pub extra_files: Vec<String>,
    /// The branch that the host publishes; other branches are previews.
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

/// How output files are written.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OutputOptions {
    /// The formats in which compressed copies are written beside files, if they are smaller.
    #[serde(default)]
    pub precompress: Vec<Packing>,
}

/// A compression format that browsers support.
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
    /// Returns the extension of compressed files.
    pub fn extension(self) -> &'static str {
        match self {
            Self::Brotli => ".br",
            Self::Gzip => ".gz",
        }
    }
}

/// Preview images of conversations for link previews.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OgImages {
    /// Whether an image is drawn for each conversation.
    #[serde(default)]
    pub per_conversation: bool,
    /// The paths of fonts in the site folder, for characters that the fonts of the theme lack.
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

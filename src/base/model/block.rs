//! The parts of a turn.

use serde::{Deserialize, Deserializer, Serialize};

use super::action::{Action, Citation, citation_list};
use super::markdown::{escaped, fenced, quoted};
use crate::json::{self, Map, Value};
use crate::text::{base64_decode, percent_decode};

/// A part of a turn.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum Block {
    /// Prose meant as Markdown.
    Markdown {
        /// CommonMark.
        text: String,
    },
    /// What a model thought before it spoke.
    Thinking {
        /// CommonMark.
        text: String,
    },
    /// A tool call with everything that came of it.
    Tool(Box<ToolCall>),
    /// Something that was handed over with the turn.
    Attachment(Box<Attachment>),
    /// Something that happened: a break, a context that was compacted.
    Event {
        /// Its kind in one or a few words, such as `break` or `compaction`.
        name: String,
        /// What the source says of it.
        text: String,
        /// More of it, as Markdown, such as the summary of what was compacted.
        #[serde(skip_serializing_if = "Option::is_none")]
        detail: Option<String>,
    },
    /// The pages on which what was said before it is based, in the order of their numbers, from 1.
    Citations {
        /// The pages.
        citations: Vec<Citation>,
    },
    /// Something of a kind that is not known, as it stands in the source.
    Unknown {
        /// The kind's name in the source.
        name: String,
        /// All of it.
        value: Value,
    },
}

/// A tool call, its approvals and its results.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct ToolCall {
    /// Tells it from the other calls of the conversation; may be empty.
    pub id: String,
    /// The tool; empty for a result whose call is nowhere.
    pub name: String,
    /// The arguments: any JSON, or text that is none.
    #[serde(skip_serializing_if = "Option::is_none", deserialize_with = "present")]
    pub input: Option<Value>,
    /// What it did, where the kind of the tool is known; it is shown in place of `input`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub action: Option<Action>,
    /// Whether a person had to allow it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub requires_approval: Option<bool>,
    /// What people decided.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub approvals: Vec<Approval>,
    /// What came of it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub results: Vec<ToolResult>,
    /// Whatever else the source says of the call, such as the tool's version.
    #[serde(skip_serializing_if = "Map::is_empty")]
    pub extra: Map,
    /// See [`super::Conversation::unpublished`].
    #[serde(skip_serializing_if = "Map::is_empty")]
    pub unpublished: Map,
}

/// The decision of a person on a tool call.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Approval {
    /// `approved`, `rejected`, `canceled`, or another word of the source.
    pub state: String,
    /// The id of the person.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub by: Option<String>,
    /// Why.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// See [`super::Conversation::unpublished`].
    #[serde(skip_serializing_if = "Map::is_empty")]
    pub unpublished: Map,
}

/// The result of a tool call.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct ToolResult {
    /// `succeeded`, `failed`, `timed_out`, `canceled`, another word, or empty when unknown.
    pub state: String,
    /// Any JSON; a string is plain text.
    #[serde(skip_serializing_if = "Option::is_none", deserialize_with = "present")]
    pub output: Option<Value>,
    /// What went wrong.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<ToolError>,
    /// How long it took. Milliseconds, as the source writes the number.
    #[serde(skip_serializing_if = "Option::is_none", deserialize_with = "present")]
    pub duration: Option<Value>,
    /// See [`super::Conversation::unpublished`].
    #[serde(skip_serializing_if = "Map::is_empty")]
    pub unpublished: Map,
}

/// The error of a tool call that failed.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct ToolError {
    /// A code of the tool's own.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub code: Option<String>,
    /// In words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// Any JSON beside it.
    #[serde(skip_serializing_if = "Option::is_none", deserialize_with = "present")]
    pub data: Option<Value>,
}

/// Something that was handed over with a turn.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Attachment {
    /// Its file name, or what the source calls it.
    pub name: String,
    /// What it is to be shown as.
    #[serde(rename = "as")]
    pub kind: AttachmentKind,
    /// Its MIME type as the source has it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mime: Option<String>,
    /// Its size as the source has it. Bytes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub size: Option<u64>,
    /// The SHA-256 of its bytes as the source has it, in hexadecimal digits.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sha256: Option<String>,
    /// Where its bytes are.
    pub content: Content,
    /// The id of the call before it in its turn that returned it, while its source is read.
    #[serde(skip)]
    pub call: Option<String>,
    /// See [`super::Conversation::unpublished`].
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub unpublished: Map,
}

/// The kind of an attachment, which decides how it is shown.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum AttachmentKind {
    /// A file to be downloaded.
    File,
    /// A picture.
    Image,
    /// Sound.
    Audio,
    /// A film.
    Video,
    /// Something elsewhere.
    Link,
    /// Anything else.
    Other,
}

impl AttachmentKind {
    /// Every kind with its word.
    pub const ALL: [(Self, &'static str); 6] = [
        (Self::File, "file"),
        (Self::Image, "image"),
        (Self::Audio, "audio"),
        (Self::Video, "video"),
        (Self::Link, "link"),
        (Self::Other, "other"),
    ];

    /// Returns the kind of that word.
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|(_, known)| *known == word).map(|(kind, _)| kind)
    }

    /// Returns the word for it.
    pub fn word(self) -> &'static str {
        Self::ALL.into_iter().find(|(kind, _)| *kind == self).map_or("other", |(_, word)| word)
    }
}

/// The content of an attachment: its bytes, or where they are.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Content {
    /// At an address: relative to the source's file, `https:`, `data:` or another. `asset:` starts
    /// the name that an export has for one of its files, which is found when the site is built;
    /// `asset:?` those of a file that may well not be there, parted by `|`.
    Uri(String),
    /// Here, in Base64.
    Base64(String),
    /// Nowhere.
    Missing,
}

/// The name of an event whose detail was said before, as in a mail that holds the one that it answers.
pub const QUOTATION: &str = "quotation";

/// Returns whether an address is itself what stands there.
pub fn is_data(uri: &str) -> bool {
    uri.get(..5).is_some_and(|scheme| scheme.eq_ignore_ascii_case("data:"))
}

impl Block {
    /// Returns whether it is folded because somebody said it before: see [`QUOTATION`].
    pub fn is_quotation(&self) -> bool {
        matches!(self, Self::Event { name, detail: Some(_), .. } if name == QUOTATION)
    }

    /// Returns the block as Markdown, for formats that hold nothing else and for anchors.
    pub fn to_markdown(&self) -> String {
        match self {
            Self::Markdown { text } => text.clone(),
            Self::Thinking { text } => format!("*Thinking:*\n\n{}", quoted(text)),
            Self::Tool(call) => call.to_markdown(),
            Self::Attachment(attachment) => attachment.to_markdown(),
            Self::Event { name, text, detail } => {
                let what = if text.is_empty() { name } else { text };
                let mark = format!("*{}*", escaped(what));
                match detail {
                    Some(detail) => format!("{mark}\n\n{}", quoted(detail)),
                    None => mark,
                }
            }
            Self::Citations { citations } => {
                format!("*Sources:*\n\n{}", citation_list(citations))
            }
            Self::Unknown { name, value } => {
                format!("*{}:*\n\n{}", escaped(name), fenced("json", &json::pretty(value)))
            }
        }
    }
}

impl ToolCall {
    fn to_markdown(&self) -> String {
        let name = if self.name.is_empty() { "(unknown)" } else { &self.name };
        let mut parts = vec![format!("*Tool call:* `{}`", name.replace('`', "'"))];
        match &self.action {
            Some(action) => parts.push(action.to_markdown()),
            None => parts.extend(self.input.as_ref().map(data)),
        }
        for approval in &self.approvals {
            let state = escaped(&approval.state);
            parts.push(match &approval.reason {
                Some(reason) => format!("*Decision: {state}:* {}", escaped(reason)),
                None => format!("*Decision: {state}*"),
            });
        }
        for result in &self.results {
            let state = if result.state.is_empty() {
                String::new()
            } else {
                format!(" ({})", result.state)
            };
            parts.push(format!("*Result{}:*", escaped(&state)));
            if let Some(error) = &result.error {
                let words = [&error.code, &error.message];
                let words: Vec<&str> = words.into_iter().flatten().map(String::as_str).collect();
                if !words.is_empty() {
                    parts.push(escaped(&words.join(": ")));
                }
                parts.extend(error.data.as_ref().map(data));
            }
            parts.extend(result.output.as_ref().map(data));
        }
        parts.join("\n\n")
    }
}

impl Attachment {
    /// One of which nothing is known but what it is called, and what it is.
    pub fn new(name: impl Into<String>, kind: AttachmentKind) -> Self {
        Self {
            name: name.into(),
            kind,
            mime: None,
            size: None,
            sha256: None,
            content: Content::Missing,
            call: None,
            unpublished: Map::new(),
        }
    }

    /// Decodes the bytes of an attachment that carries them with it.
    pub fn inline_bytes(&self) -> Option<Vec<u8>> {
        match &self.content {
            Content::Base64(text) => base64_decode(text),
            Content::Uri(uri) if is_data(uri) => {
                let (kind, data) = uri.get(5..)?.split_once(',')?;
                match kind.ends_with(";base64") {
                    true => base64_decode(&percent_decode(data)),
                    false => Some(percent_decode(data).into_bytes()),
                }
            }
            Content::Uri(_) | Content::Missing => None,
        }
    }

    fn to_markdown(&self) -> String {
        let name = match self.name.trim() {
            "" => "file".to_owned(),
            name => escaped(name),
        };
        match &self.content {
            Content::Uri(uri)
                if !["data:", "asset:"].iter().any(|inside| uri.starts_with(inside))
                    && !uri.contains(['<', '>', '\n']) =>
            {
                let mark = if self.kind == AttachmentKind::Image { "!" } else { "" };
                format!("{mark}[{name}](<{uri}>)")
            }
            _ => format!("*Attachment: {name}*"),
        }
    }
}

/// Any JSON as a code block; a string is its own text.
fn data(value: &Value) -> String {
    match value {
        Value::String(text) => fenced("", text),
        value => fenced("json", &json::pretty(value)),
    }
}

/// A value that is there, be it null.
fn present<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Value>, D::Error> {
    Value::deserialize(from).map(Some)
}

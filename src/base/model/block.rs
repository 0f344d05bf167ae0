//! The parts of a turn.

use serde::{Deserialize, Deserializer, Serialize};

use super::action::{Action, Citation, citation_list};
use super::markdown::{escaped, fenced, quoted};
use super::terminal::TerminalColors;
use crate::json::{self, Map, Value};
use crate::text::{base64_decode, percent_decode};

/// A part of a turn.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum Block {
    /// Prose, as Markdown.
    Markdown {
        /// CommonMark.
        text: String,
    },
    /// The reasoning of a model before its answer.
    Thinking {
        /// CommonMark.
        text: String,
    },
    /// A tool call with its approvals and results.
    Tool(Box<ToolCall>),
    /// A file or link attached to the turn.
    Attachment(Box<Attachment>),
    /// An event, such as a break or a compacted context.
    Event {
        /// The kind of event in one or a few words, such as `break` or `compaction`.
        name: String,
        /// The description in the source, if any.
        text: String,
        /// Details as Markdown, such as the summary of a compacted context.
        #[serde(skip_serializing_if = "Option::is_none")]
        detail: Option<String>,
    },
    /// The pages that the preceding text is based on, in the order of their numbers, from 1.
    Citations {
        /// The pages.
        citations: Vec<Citation>,
    },
    /// A part of an unknown kind, unchanged from the source.
    Unknown {
        /// The kind's name in the source.
        name: String,
        /// The whole part.
        value: Value,
    },
}

/// A tool call, its approvals and its results.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct ToolCall {
    /// The id, unique in the conversation; may be empty.
    pub id: String,
    /// The tool; empty for a result without a call.
    pub name: String,
    /// The arguments: any JSON, or text that is not JSON.
    #[serde(skip_serializing_if = "Option::is_none", deserialize_with = "present")]
    pub input: Option<Value>,
    /// The effect, if the kind of the tool is known; it is shown instead of `input`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub action: Option<Action>,
    /// Whether a person had to approve it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub requires_approval: Option<bool>,
    /// The decisions of people.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub approvals: Vec<Approval>,
    /// The results.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub results: Vec<ToolResult>,
    /// Other fields of the call in the source, such as the version of the tool.
    #[serde(skip_serializing_if = "Map::is_empty")]
    pub extra: Map,
    /// See [`super::Conversation::unpublished`].
    #[serde(skip_serializing_if = "Map::is_empty")]
    pub unpublished: Map,
    /// The server that it called through another tool, if its input is withheld because of that.
    #[serde(skip)]
    pub withheld_server: Option<String>,
}

/// The decision of a person on a tool call.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Approval {
    /// `approved`, `rejected`, `canceled`, or another value of the source.
    pub state: String,
    /// The id of the person.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub by: Option<String>,
    /// The reason.
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
    /// `succeeded`, `failed`, `timed_out`, `canceled`, another value, or empty if unknown.
    pub state: String,
    /// Any JSON; a string is plain text.
    #[serde(skip_serializing_if = "Option::is_none", deserialize_with = "present")]
    pub output: Option<Value>,
    /// The error, if it failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<ToolError>,
    /// The duration. Milliseconds, as written in the source.
    #[serde(skip_serializing_if = "Option::is_none", deserialize_with = "present")]
    pub duration: Option<Value>,
    /// The colours of the output, if it is a text that a terminal showed in colours.
    #[serde(skip)]
    pub colors: Option<Box<TerminalColors>>,
    /// See [`super::Conversation::unpublished`].
    #[serde(skip_serializing_if = "Map::is_empty")]
    pub unpublished: Map,
}

/// The error of a tool call that failed.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct ToolError {
    /// An error code of the tool.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub code: Option<String>,
    /// The message.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// Any further JSON.
    #[serde(skip_serializing_if = "Option::is_none", deserialize_with = "present")]
    pub data: Option<Value>,
}

/// A file or link attached to a turn.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Attachment {
    /// The file name, or what the source calls it.
    pub name: String,
    /// The kind, which decides how it is shown.
    #[serde(rename = "as")]
    pub kind: AttachmentKind,
    /// The MIME type according to the source.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mime: Option<String>,
    /// The size according to the source. Bytes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub size: Option<u64>,
    /// The SHA-256 of its bytes according to the source, in hexadecimal digits.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sha256: Option<String>,
    /// The content.
    pub content: Content,
    /// The id of the preceding call in the same turn that returned it, or `*` if any call of the
    /// turn may have; only used while the source is read.
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
    /// A file to download.
    File,
    /// An image.
    Image,
    /// Audio.
    Audio,
    /// A video.
    Video,
    /// A link.
    Link,
    /// Anything else.
    Other,
}

impl AttachmentKind {
    /// All kinds with their names.
    pub const ALL: [(Self, &'static str); 6] = [
        (Self::File, "file"),
        (Self::Image, "image"),
        (Self::Audio, "audio"),
        (Self::Video, "video"),
        (Self::Link, "link"),
        (Self::Other, "other"),
    ];

    /// Returns the kind with this name.
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|(_, known)| *known == word).map(|(kind, _)| kind)
    }

    /// Returns the name of the kind.
    pub fn word(self) -> &'static str {
        Self::ALL.into_iter().find(|(kind, _)| *kind == self).map_or("other", |(_, word)| word)
    }
}

/// The content of an attachment: its bytes, or their location.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Content {
    /// A URL: relative to the file of the source, `https:`, `data:` or another. `asset:` precedes
    /// the name that an export uses for one of its files; the file is found when the site is built.
    /// `asset:?` precedes several names, separated by `|`, of files that may be missing.
    Uri(String),
    /// The bytes in Base64.
    Base64(String),
    /// Missing.
    Missing,
}

/// The name of an event whose detail repeats an earlier text, such as the quoted original in a
/// reply by mail.
pub const QUOTATION: &str = "quotation";

/// The name of the event that a program replaced earlier messages by a summary.
pub const COMPACTION: &str = "compaction";

/// The name of the event that a program sent the model a prompt in place of the command that a person typed. Its
/// detail is the prompt.
pub const EXPANSION: &str = "prompt of the command";

/// The name of the event that a person stopped the program.
pub const INTERRUPTION: &str = "interruption";

/// Returns whether a URL contains the data itself.
pub fn is_data(uri: &str) -> bool {
    uri.get(..5).is_some_and(|scheme| scheme.eq_ignore_ascii_case("data:"))
}

impl Block {
    /// Returns the event that a program replaced earlier messages by a summary, which may be unknown.
    pub fn compaction(summary: Option<String>) -> Self {
        let detail = summary.filter(|summary| !summary.trim().is_empty());
        Self::Event { name: COMPACTION.to_owned(), text: String::new(), detail }
    }

    /// Returns the event that a program sent the model a prompt in place of a command.
    pub fn expansion(prompt: String) -> Self {
        Self::Event { name: EXPANSION.to_owned(), text: String::new(), detail: Some(prompt) }
    }

    /// Returns the prompt of a [`Block::expansion`].
    pub fn expanded(&self) -> Option<&str> {
        match self {
            Self::Event { name, detail, .. } if name == EXPANSION => detail.as_deref(),
            _ => None,
        }
    }

    /// Returns the event that a person stopped the program.
    pub fn interruption() -> Self {
        Self::Event { name: INTERRUPTION.to_owned(), text: String::new(), detail: None }
    }

    /// Returns whether it is a [`Block::compaction`].
    pub fn is_compaction(&self) -> bool {
        matches!(self, Self::Event { name, .. } if name == COMPACTION)
    }

    /// Returns whether it is a [`Block::interruption`].
    pub fn is_interruption(&self) -> bool {
        matches!(self, Self::Event { name, .. } if name == INTERRUPTION)
    }

    /// Returns whether it is collapsed because it repeats an earlier text: see [`QUOTATION`].
    pub fn is_quotation(&self) -> bool {
        matches!(self, Self::Event { name, detail: Some(_), .. } if name == QUOTATION)
    }

    /// Returns whether it is not something said, but the work behind it.
    pub fn is_work(&self) -> bool {
        match self {
            Self::Thinking { .. }
            | Self::Tool(_)
            | Self::Citations { .. }
            | Self::Unknown { .. } => true,
            Self::Markdown { .. } | Self::Attachment(_) | Self::Event { .. } => false,
        }
    }

    /// Returns the block as Markdown without the labels of its parts, such as `*Result:*`.
    pub fn unlabelled(&self) -> String {
        let markdown = self.to_markdown();
        if !self.is_work() {
            return markdown;
        }
        markdown.lines().map(without_label).collect::<Vec<_>>().join("\n")
    }

    /// Returns the block as Markdown, for anchors and for formats that support nothing else.
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
    /// Returns the state of the last result or, without one, the decision against the call; empty
    /// if neither is known.
    pub fn state(&self) -> &str {
        let decision = self.approvals.last().map(|approval| approval.state.as_str());
        match (self.results.last(), decision) {
            (Some(result), _) => result.state(),
            (None, Some(decision @ ("rejected" | "canceled"))) => decision,
            (None, _) => "",
        }
    }

    /// Returns whether the call failed or was not made.
    pub fn has_failed(&self) -> bool {
        let exit_code = match &self.action {
            Some(Action::Command { exit_code, .. }) => *exit_code,
            _ => None,
        };
        ["failed", "timed_out", "rejected", "canceled"].contains(&self.state())
            || exit_code.is_some_and(|code| code != 0)
    }

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

impl ToolResult {
    /// Returns the state; `failed` if there is an error and no state.
    pub fn state(&self) -> &str {
        match self.state.as_str() {
            "" if self.error.is_some() => "failed",
            state => state,
        }
    }
}

impl Attachment {
    /// Creates an attachment with only a name and a kind.
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

    /// Decodes the bytes, if the attachment contains them.
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

/// Returns a line of [`Block::to_markdown`] without its label.
fn without_label(line: &str) -> &str {
    let labels = ["*Tool call:* ", "*Thinking:*", "*Sources:*"];
    if let Some(rest) = labels.iter().find_map(|label| line.strip_prefix(label)) {
        return rest;
    }
    let label = line.strip_prefix("*Decision: ").or_else(|| line.strip_prefix("*Exit code: "));
    match label.or_else(|| line.strip_prefix("*Result")).and_then(|rest| rest.split_once('*')) {
        Some((_, rest)) => rest,
        None => line,
    }
}

/// Returns any JSON as a code block; a string becomes its own text.
fn data(value: &Value) -> String {
    match value {
        Value::String(text) => fenced("", text),
        value => fenced("json", &json::pretty(value)),
    }
}

/// Deserializes a value that is present, even if it is null.
fn present<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Value>, D::Error> {
    Value::deserialize(from).map(Some)
}

//! A turn of a conversation.

use serde::ser::SerializeStruct;
use serde::{Serialize, Serializer};

use super::{Block, MessageInfo, Spoken, Usage, moment};
use crate::json::Map;
use crate::time::Time;

/// Everything that one participant said before another one spoke.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Turn {
    /// The id, unique in the conversation and stable while the text is the same. It is the
    /// `#anchor` on the page.
    pub id: String,
    /// The name of the participant; empty for an event without a speaker.
    pub speaker: String,
    /// The time.
    pub time: Option<Time>,
    /// The position in a recording, as written: `01:33`, `1:02:03.50`.
    pub offset: Option<String>,
    /// When each of its words is spoken in a recording, if the source says so. It is derived from
    /// the source, and no format writes it.
    pub spoken: Vec<Spoken>,
    /// Whether it is pending: a question without an answer yet, or a message not delivered yet.
    pub pending: bool,
    /// Whether a user pinned it.
    pub pinned: bool,
    /// Whether it is an instruction of the program, such as a system prompt. These are published
    /// only on request.
    pub withheld: bool,
    /// The tokens and cost, for a turn of a model.
    pub usage: Option<Box<Usage>>,
    /// Additional fields of a message in a channel.
    pub message: Option<Box<MessageInfo>>,
    /// The content.
    pub blocks: Vec<Block>,
    /// Other fields of the source.
    pub extra: Map,
    /// See [`super::Conversation::unpublished`].
    pub unpublished: Map,
    /// Where its text starts in the source.
    pub place: Place,
}

/// A position in a source.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Place {
    /// The index of the file in the source.
    pub file: usize,
    /// The line, from 1.
    pub line: u32,
    /// Whether the text there is encoded, such as in a JSON string, so that its lines differ from
    /// those of the file.
    pub quoted: bool,
}

impl Default for Place {
    fn default() -> Self {
        Self { file: 0, line: 1, quoted: false }
    }
}

impl Turn {
    /// Creates a turn with a speaker and Markdown text.
    pub fn from_text(speaker: impl Into<String>, text: impl Into<String>) -> Self {
        let blocks = vec![Block::Markdown { text: text.into() }];
        Self { speaker: speaker.into(), blocks, ..Self::default() }
    }

    /// Returns whether it contains text; a tool call does not count.
    pub fn has_text(&self) -> bool {
        let is_text =
            |block: &Block| matches!(block, Block::Markdown { text } if !text.trim().is_empty());
        self.blocks.iter().any(is_text)
    }

    /// Returns when it starts, from the start of a recording. Milliseconds.
    pub fn moment(&self) -> Option<u64> {
        let written = || moment(self.offset.as_deref()?);
        self.spoken.first().map(|first| first.start).or_else(written)
    }

    /// Returns the whole turn as Markdown, including tool calls and everything else.
    pub fn text(&self) -> String {
        markdown_of(self.blocks.iter())
    }

    /// Returns the prose: the Markdown without reasoning, tool calls, attachments and events.
    pub fn prose(&self) -> String {
        markdown_of(self.blocks.iter().filter(|block| matches!(block, Block::Markdown { .. })))
    }

    /// Returns the same without quoted earlier text: see [`Block::is_quotation`].
    pub fn own_text(&self) -> String {
        markdown_of(self.blocks.iter().filter(|block| !block.is_quotation()))
    }
}

fn markdown_of<'a>(blocks: impl Iterator<Item = &'a Block>) -> String {
    let mut parts: Vec<String> = blocks.map(Block::to_markdown).collect();
    match parts.len() {
        1 => parts.swap_remove(0),
        _ => parts.join("\n\n"),
    }
}

impl Serialize for Turn {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut turn = serializer.serialize_struct("Turn", 12)?;
        turn.serialize_field("id", &self.id)?;
        turn.serialize_field("speaker", &self.speaker)?;
        turn.serialize_field("time", &self.time.as_ref().map(Time::as_written))?;
        if let Some(offset) = &self.offset {
            turn.serialize_field("offset", offset)?;
        }
        if self.pending {
            turn.serialize_field("pending", &true)?;
        }
        if self.pinned {
            turn.serialize_field("pinned", &true)?;
        }
        if self.withheld {
            turn.serialize_field("withheld", &true)?;
        }
        if let Some(usage) = &self.usage {
            turn.serialize_field("usage", usage)?;
        }
        if let Some(message) = &self.message {
            turn.serialize_field("message", message)?;
        }
        turn.serialize_field("text", &self.text())?;
        turn.serialize_field("blocks", &self.blocks)?;
        if !self.extra.is_empty() {
            turn.serialize_field("extra", &self.extra)?;
        }
        if !self.unpublished.is_empty() {
            turn.serialize_field("unpublished", &self.unpublished)?;
        }
        turn.end()
    }
}

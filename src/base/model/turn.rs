//! One turn.

use serde::ser::SerializeStruct;
use serde::{Serialize, Serializer};

use super::{Block, MessageInfo, Spoken, Usage, moment};
use crate::json::Map;
use crate::time::Time;

/// A turn: what one participant said before another one spoke.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Turn {
    /// Tells it from every other turn of the conversation for as long as it says the same; it
    /// is the `#anchor` on the page.
    pub id: String,
    /// The name of a participant; empty for an event that nobody said.
    pub speaker: String,
    /// When it was said.
    pub time: Option<Time>,
    /// When it was said, from the start of a recording, as written: `01:33`, `1:02:03.50`.
    pub offset: Option<String>,
    /// When each of its words was said in a recording, as far as the source says it. It follows from
    /// the source, and no format writes it.
    pub spoken: Vec<Spoken>,
    /// Whether it waits: a question without an answer yet, or a message not yet delivered.
    pub pending: bool,
    /// Whether a reader marked it as important.
    pub pinned: bool,
    /// Whether it is an instruction of the program, such as a system prompt, that is published only
    /// where that is asked for.
    pub withheld: bool,
    /// What making it took, for a turn of a model.
    pub usage: Option<Box<Usage>>,
    /// What it has more as a message of a channel.
    pub message: Option<Box<MessageInfo>>,
    /// What was said.
    pub blocks: Vec<Block>,
    /// Whatever else the source says of it.
    pub extra: Map,
    /// See [`super::Conversation::unpublished`].
    pub unpublished: Map,
    /// Where its text starts in the source.
    pub place: Place,
}

/// A place in a source.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Place {
    /// Its place among the files of the source, from 0.
    pub file: usize,
    /// The line, from 1.
    pub line: u32,
    /// Whether what stands there is not the text itself but a form of it, such as a JSON
    /// string, whose lines are not the text's.
    pub quoted: bool,
}

impl Default for Place {
    fn default() -> Self {
        Self { file: 0, line: 1, quoted: false }
    }
}

impl Turn {
    /// Creates a turn from what a participant said, as Markdown.
    pub fn said(speaker: impl Into<String>, text: impl Into<String>) -> Self {
        let blocks = vec![Block::Markdown { text: text.into() }];
        Self { speaker: speaker.into(), blocks, ..Self::default() }
    }

    /// Returns whether anything was said in it; calling a tool is no saying.
    pub fn has_words(&self) -> bool {
        let is_said =
            |block: &Block| matches!(block, Block::Markdown { text } if !text.trim().is_empty());
        self.blocks.iter().any(is_said)
    }

    /// Returns when it begins, from the start of a recording. Milliseconds.
    pub fn moment(&self) -> Option<u64> {
        let written = || moment(self.offset.as_deref()?);
        self.spoken.first().map(|first| first.start).or_else(written)
    }

    /// Returns all of the turn as Markdown, its tool calls and everything else spelled out.
    pub fn text(&self) -> String {
        markdown_of(self.blocks.iter())
    }

    /// Returns the same without what was said before it: see [`Block::is_quotation`].
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

//! The searchable text of turns, and whether they contain code or tool calls.

use crate::commonmark::{Event, Tag, TagEnd as End, cap_quotes, events};
use crate::model::{Block, Conversation, Turn};
use crate::text::{end_cell, end_row, readable};

/// The plain text of a turn.
pub struct TurnText {
    /// All text that a reader can see, including code and folded parts.
    pub text: String,
    /// Whether the turn contains code.
    pub has_code: bool,
    /// Whether the turn contains a tool call.
    pub has_tool: bool,
}

/// Returns the searchable texts of a conversation's turns: the main path, then each branch. Folded
/// quotations are omitted, as the quoted message itself is searchable.
pub fn texts(conversation: &Conversation) -> impl Iterator<Item = (&Turn, TurnText)> {
    conversation.all_turns().map(|turn| (turn, turn_text(turn, &turn.own_text())))
}

/// Returns the texts with folded quotations, for checks of everything on the pages of a
/// conversation.
pub(super) fn whole_texts(conversation: &Conversation) -> impl Iterator<Item = (&Turn, TurnText)> {
    conversation.all_turns().map(|turn| (turn, turn_text(turn, &turn.text())))
}

fn turn_text(turn: &Turn, markdown: &str) -> TurnText {
    let (text, has_code) = plain_text(markdown);
    let has_tool = turn.blocks.iter().any(|block| matches!(block, Block::Tool(_)));
    TurnText { text, has_code, has_tool }
}

/// The plain text of a turn for excerpts.
pub struct ExcerptTexts {
    /// The prose of the turn.
    pub prose: String,
    /// The work that is shown with it: reasoning, tool calls, sources and unknown parts.
    pub work: String,
}

/// Returns the plain text of a turn for excerpts, without folded quotations.
pub fn excerpt_texts(turn: &Turn) -> ExcerptTexts {
    let blocks = || turn.blocks.iter().filter(|block| !block.is_quotation());
    let plain = |is_work: bool| {
        let parts = blocks().filter(|block| block.is_work() == is_work).map(Block::unlabelled);
        readable(&plain_text(&parts.collect::<Vec<_>>().join("\n\n")).0)
    };
    ExcerptTexts { prose: plain(false), work: plain(true) }
}

/// Renders Markdown as plain text, and returns whether it contains a code block.
pub fn plain_text(markdown: &str) -> (String, bool) {
    let mut text = String::with_capacity(markdown.len());
    let mut has_code = false;
    for (event, _) in events(&cap_quotes(markdown, r"\>"), false) {
        match event {
            Event::Start(Tag::CodeBlock(_)) => has_code = true,
            Event::Text(part)
            | Event::Code(part)
            | Event::Html(part)
            | Event::InlineHtml(part)
            | Event::InlineMath(part)
            | Event::DisplayMath(part) => text.push_str(&part),
            Event::SoftBreak | Event::HardBreak => text.push('\n'),
            Event::End(
                End::Emphasis | End::Strong | End::Strikethrough | End::Link | End::Image,
            ) => {}
            Event::End(End::TableCell) => end_cell(&mut text),
            Event::End(End::TableRow | End::TableHead) => end_row(&mut text),
            Event::End(_) => text.push('\n'),
            _ => {}
        }
    }
    (text, has_code)
}

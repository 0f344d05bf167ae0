//! Turns as search sees them: plain text, and whether code or a tool is in it.

use crate::commonmark::{Event, Tag, TagEnd as End, cap_quotes, events};
use crate::model::{Block, Conversation, Turn};

/// A turn's text, without its markup.
pub struct TurnText {
    /// What a reader can see of it, code and folded parts included.
    pub text: String,
    /// Whether code stands in it.
    pub has_code: bool,
    /// Whether a tool was called in it.
    pub has_tool: bool,
}

/// Returns the texts of a conversation's turns, in which readers find something: the main path, then
/// each branch. Folded quotations are not among them: what was said is found where it was said.
pub fn texts(conversation: &Conversation) -> impl Iterator<Item = (&Turn, TurnText)> {
    conversation.all_turns().map(|turn| (turn, turn_text(turn, &turn.own_text())))
}

/// Returns the same with folded quotations, for whoever asks what stands on the pages of a conversation.
pub(super) fn whole_texts(conversation: &Conversation) -> impl Iterator<Item = (&Turn, TurnText)> {
    conversation.all_turns().map(|turn| (turn, turn_text(turn, &turn.text())))
}

fn turn_text(turn: &Turn, markdown: &str) -> TurnText {
    let (text, has_code) = plain_text(markdown);
    let has_tool = turn.blocks.iter().any(|block| matches!(block, Block::Tool(_)));
    TurnText { text, has_code, has_tool }
}

/// Renders Markdown as plain text, and tells whether there is a code block in it.
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
            Event::End(_) => text.push('\n'),
            _ => {}
        }
    }
    (text, has_code)
}

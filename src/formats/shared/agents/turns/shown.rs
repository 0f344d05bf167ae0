//! Removes text from blocks that programs write for models.

use crate::shared::access::hidden_tags::{Author, strip_in};
use crate::shared::text::blocks::closed;
use crate::shared::text::escapes::{with_colors, without_escapes};
use convo_base::json::Value;
use convo_base::model::{Block, ToolResult};

/// Removes what must not be shown from a block, and returns whether anything is left.
pub(super) fn is_shown(block: &mut Block, is_model: bool) -> bool {
    let (Block::Markdown { text } | Block::Thinking { text }) = block else {
        if let Block::Tool(call) = block {
            call.results.iter_mut().for_each(clean_result);
        }
        return true;
    };
    strip_in(text, Author::Writer);
    // An unclosed block in an answer must not swallow what follows it.
    if is_model && let std::borrow::Cow::Owned(whole) = closed(text) {
        *text = whole;
    }
    !text.trim().is_empty()
}

/// Removes terminal colours and text for the model from a tool result.
pub(super) fn clean_result(result: &mut ToolResult) {
    let mut tidy = |text: &mut String| {
        *text = without_escapes(text);
        strip_in(text, Author::Program);
    };
    if let Some(Value::String(text)) = &mut result.output {
        let (plain, colors) = with_colors(text);
        *text = plain;
        result.colors = colors.map(Box::new);
    }
    let message = result.error.as_mut().and_then(|error| error.message.as_mut());
    message.into_iter().for_each(&mut tidy);
    let mut open: Vec<&mut Value> = result.output.iter_mut().collect();
    while let Some(value) = open.pop() {
        match value {
            Value::String(text) => tidy(text),
            Value::Array(list) => open.extend(list),
            Value::Object(map) => open.extend(map.values_mut()),
            _ => {}
        }
    }
}

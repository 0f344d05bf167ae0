//! The text of a message: plain, or a list of parts with types.

use super::links;
use crate::shared::agents::thread::text as word;
use crate::shared::people::channel::{Contacts, Prose, Style};
use crate::shared::tally::Tally;
use convo_base::json::{Map, Value};
use convo_base::model::Block;

/// Known types of parts.
const KINDS: [&str; 23] = [
    "", "bold", "italic", "strikethrough", "code", "pre", "blockquote", "text_link", "mention",
    "phone", "bank_card", "plain", "unknown", "link", "mention_name", "hashtag", "cashtag",
    "bot_command", "email", "underline", "spoiler", "custom_emoji", "date_time",
];

/// Reads the text of a message.
pub(super) fn text(map: &Map, contacts: &mut Contacts, tally: &mut Tally) -> Option<Block> {
    let mut prose = Prose::default();
    let entities = map
        .get("text_entities")
        .filter(|list| list.as_array().is_some_and(|list| !list.is_empty()));
    if let Some(text) = entities.or(map.get("text")) {
        add(text, &mut prose, contacts, tally);
    }
    let plain = prose.done();
    plain.or_else(|| rich(map.get("rich_message")?, contacts, tally))
}

/// Reads the text of a message with headings, lists and tables, which has no other text.
fn rich(message: &Value, contacts: &mut Contacts, tally: &mut Tally) -> Option<Block> {
    let mut prose = Prose::default();
    for block in message.get("blocks").and_then(Value::as_array).into_iter().flatten() {
        rich_block(block, 0, &mut prose, contacts, tally);
    }
    prose.done()
}

/// The maximum depth of blocks in blocks.
const MAX_DEPTH: usize = 16;
/// Keys of blocks that hold texts, and keys that hold blocks.
const TEXTS: [&str; 5] = ["title", "text", "formula", "caption", "credit"];
const BLOCKS: [&str; 5] = ["blocks", "items", "block", "rows", "cells"];

/// Known types of blocks; items, rows, cells and captions have none.
const BLOCK_KINDS: [&str; 23] = [
    "", "heading", "paragraph", "footer", "thinking", "author_date", "code", "divider", "anchor",
    "list", "quote", "photo", "video", "audio", "file", "cover", "collage", "slideshow", "embed",
    "embed_post", "math", "table", "details",
];
/// Blocks that are not shown: places, other chats and buttons.
const NOT_SHOWN: [&str; 6] =
    ["map", "input_map", "channel", "button_row", "related_articles", "unsupported"];
/// Known types of texts in blocks.
const TEXT_KINDS: [&str; 30] = [
    "", "empty", "plain", "concat", "bold", "italic", "underline", "strikethrough", "code",
    "subscript", "superscript", "marked", "spoiler", "mention", "hashtag", "bot_command",
    "cashtag", "link", "email", "phone", "bank_card", "text_link", "anchor", "math",
    "custom_emoji", "mention_name", "formatted_date", "inline_image", "diff", "button",
];

/// Adds a block of such a text, and those in it.
fn rich_block(
    block: &Value,
    depth: usize,
    prose: &mut Prose,
    contacts: &mut Contacts,
    tally: &mut Tally,
) {
    let Some(block) = block.as_object().filter(|_| depth < MAX_DEPTH) else { return };
    let kind = word(block, "type").unwrap_or_default();
    if NOT_SHOWN.contains(&kind) {
        return;
    }
    if !BLOCK_KINDS.contains(&kind) {
        return tally.unknown_skipped(kind);
    }
    if kind == "code" {
        let code = plain_rich(block.get("text").unwrap_or(&Value::Null), contacts, tally);
        return prose.fenced(word(block, "language").unwrap_or_default(), &code);
    }
    let texts = TEXTS.iter().filter_map(|key| block.get(*key));
    for text in texts {
        match text {
            Value::Object(inner) if inner.contains_key("credit") => {
                rich_block(text, depth + 1, prose, contacts, tally);
            }
            text if kind == "heading" => prose.add(&plain_rich(text, contacts, tally), Style::BOLD),
            text if kind.is_empty() && block.contains_key("content") => {
                prose.item(&plain_rich(text, contacts, tally));
            }
            text => rich_text(text, Style::PLAIN, prose, contacts, tally),
        }
        prose.plain("\n\n");
    }
    for inner in BLOCKS.iter().filter_map(|key| block.get(*key)) {
        let list = inner.as_array().map_or(std::slice::from_ref(inner), Vec::as_slice);
        list.iter().for_each(|block| rich_block(block, depth + 1, prose, contacts, tally));
    }
    if ["photo", "video", "audio", "file"].contains(&kind) {
        tally.not_shown("picture or file in a text", "pictures and files in texts");
    }
}

/// Adds a text, which is a string, a list, or an object with the text and its style.
fn rich_text(
    value: &Value,
    style: Style,
    prose: &mut Prose,
    contacts: &mut Contacts,
    tally: &mut Tally,
) {
    match value {
        Value::String(text) => prose.add(text, style),
        Value::Array(parts) => {
            parts.iter().for_each(|part| rich_text(part, style, prose, contacts, tally));
        }
        Value::Object(part) if !is_known_text(part, tally) => {}
        Value::Object(part) => {
            let inner = part.get("text").or(part.get("source")).unwrap_or(&Value::Null);
            match word(part, "type").unwrap_or_default() {
                "bold" => rich_text(inner, style.with(Style::BOLD), prose, contacts, tally),
                "italic" => rich_text(inner, style.with(Style::ITALIC), prose, contacts, tally),
                "strikethrough" => {
                    rich_text(inner, style.with(Style::STRUCK), prose, contacts, tally);
                }
                "code" => prose.code(&plain_rich(inner, contacts, tally)),
                "text_link" | "link" => add_link(part, &plain_rich(inner, contacts, tally), prose),
                "mention" | "phone" | "bank_card" | "mention_name" => {
                    prose.plain(&plain_rich(value, contacts, tally));
                }
                _ => rich_text(inner, style, prose, contacts, tally),
            }
        }
        _ => {}
    }
}

/// Returns whether the type of a text is known; counts unknown ones.
fn is_known_text(part: &Map, tally: &mut Tally) -> bool {
    let kind = word(part, "type").unwrap_or_default();
    let is_known = TEXT_KINDS.contains(&kind);
    if !is_known {
        tally.unknown_skipped(kind);
    }
    is_known
}

/// Adds a link, or only its text if its URL is not published.
fn add_link(part: &Map, text: &str, prose: &mut Prose) {
    match (links::hidden_part(part, text), word(part, "href")) {
        (Some(shown), _) => prose.plain(&shown),
        (None, Some(url)) => prose.link(text, url),
        (None, None) => prose.plain(text),
    }
}

/// Returns such a text without formatting. Account names, phone numbers and card numbers are not published.
fn plain_rich(value: &Value, contacts: &mut Contacts, tally: &mut Tally) -> String {
    let part = match value {
        Value::String(text) => return text.clone(),
        Value::Array(parts) => {
            return parts.iter().map(|part| plain_rich(part, contacts, tally)).collect();
        }
        Value::Object(part) if is_known_text(part, tally) => part,
        _ => return String::new(),
    };
    let inner = part.get("text").or(part.get("source"));
    let text = inner.map(|inner| plain_rich(inner, contacts, tally)).unwrap_or_default();
    match word(part, "type").unwrap_or_default() {
        "mention" => format!("@{}", contacts.number(&text)),
        "phone" => contacts.number(&text),
        "bank_card" => "(card number)".to_owned(),
        "link" | "text_link" => links::hidden_part(part, &text).unwrap_or(text),
        "mention_name" => {
            contacts.mention(&text);
            text
        }
        _ => text,
    }
}

/// Adds a text in either form.
pub(super) fn add(value: &Value, prose: &mut Prose, contacts: &mut Contacts, tally: &mut Tally) {
    match value {
        Value::String(text) => prose.plain(text),
        Value::Array(parts) => {
            parts.iter().for_each(|part| add(part, prose, contacts, tally));
        }
        Value::Object(part) if is_known(part, tally) => entity(part, prose, contacts),
        _ => {}
    }
}

/// Returns a text without formatting.
pub(super) fn plain(value: &Value, tally: &mut Tally) -> String {
    match value {
        Value::Array(parts) => parts.iter().map(|part| plain(part, tally)).collect(),
        Value::Object(part) if is_known(part, tally) => {
            part.get("text").map(|text| plain(text, tally)).unwrap_or_default()
        }
        Value::String(text) => text.clone(),
        _ => String::new(),
    }
}

/// Returns whether the type of a part is known; counts unknown ones.
fn is_known(part: &Map, tally: &mut Tally) -> bool {
    let kind = word(part, "type").unwrap_or_default();
    let is_known = KINDS.contains(&kind);
    if !is_known {
        tally.unknown_skipped(kind);
    }
    is_known
}

fn entity(part: &Map, prose: &mut Prose, contacts: &mut Contacts) {
    let text = part.get("text").and_then(Value::as_str).unwrap_or_default();
    match word(part, "type").unwrap_or_default() {
        "bold" => prose.add(text, Style::BOLD),
        "italic" => prose.add(text, Style::ITALIC),
        "strikethrough" => prose.add(text, Style::STRUCK),
        "code" => prose.code(text),
        "pre" => prose.fenced(word(part, "language").unwrap_or_default(), text),
        "blockquote" => prose.quote(text),
        "text_link" | "link" => add_link(part, text, prose),
        // Account names, phone numbers and card numbers are not published.
        "mention" => prose.plain(&format!("@{}", contacts.number(text))),
        "phone" => prose.plain(&contacts.number(text)),
        "bank_card" => prose.plain("(card number)"),
        "mention_name" => {
            contacts.mention(text);
            prose.plain(text);
        }
        _ => prose.plain(text),
    }
}

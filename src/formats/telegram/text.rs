//! The text of a message: plain, or a list of parts with types.

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
    add(entities.or(map.get("text"))?, &mut prose, contacts, tally);
    prose.done()
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
        "text_link" => prose.link(text, word(part, "href").unwrap_or_default()),
        // Account names, phone numbers and card numbers are not published.
        "mention" => prose.plain(&format!("@{}", contacts.number(text))),
        "phone" => prose.plain(&contacts.number(text)),
        "bank_card" => prose.plain("(card number)"),
        _ => prose.plain(text),
    }
}

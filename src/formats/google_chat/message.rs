//! A single message.

use super::text as texts;
use crate::shared::access::visibility::{Field, Public};
use crate::shared::json::object::{Object, text};
use crate::shared::people::channel::{
    Message, NamedFile, event_block, objects, or_placeholder, react,
};
use crate::shared::tally::Tally;
use crate::shared::text::dates;
use convo_base::diag::{Note, Severity};
use convo_base::json::{Map, Value};
use convo_base::model::{Block, Place, Reaction, quoted};

/// The field in which a message says that it can be read.
const STATE_FIELDS: [Field<'_>; 1] = [Field::optional(
    &["messagestate"],
    Public::Words(&["ACTIVE", "CREATED", "EDITED", "SENT", "UPDATED", "VISIBLE"]),
)];

/// Reads a message. `undated` collects notes on dates in an unknown language.
pub(super) fn read(
    mut object: Object<'_>,
    place: Place,
    tally: &mut Tally,
    undated: &mut Vec<Note>,
    notes: &mut Vec<Note>,
) -> Message {
    let is_withheld = object.is_withheld(notes);
    let map = object.copy();
    let written = text(&map, "created_date");
    let time = written.and_then(dates::written);
    if let Some(written) = written.filter(|_| time.is_none()) {
        let message =
            format!("`{}` is not a date in a supported language", written.replace('`', "'"));
        undated.push(object.note(Severity::Warning, "bad-time", "created_date", message));
    }
    let creator = map.get("creator").and_then(Value::as_object);
    let sender = creator.and_then(|creator| text(creator, "name").or(text(creator, "email")));
    let is_bot = creator.and_then(|creator| text(creator, "user_type")) == Some("Bot");
    let id = text(&map, "message_id").unwrap_or_default().to_owned();
    let message = Message {
        thread: opener(&id).filter(|opener| *opener != id),
        id,
        time,
        is_withheld,
        place,
        ..Message::default()
    };
    if !object.is_public(&STATE_FIELDS) || map.contains_key("deletion_metadata") {
        return Message {
            blocks: vec![event_block("deleted", "A message was deleted")],
            ..message
        };
    }
    let plain_text = object.text("text", notes).unwrap_or_default();
    let quotation = map.get("quoted_message_metadata").and_then(Value::as_object);
    let answers = quotation.and_then(|quoted| text(quoted, "message_id"));
    let mut markdown = texts::to_markdown(&plain_text, objects(&map, "annotations"));
    // Without the id of the quoted message, its quoted text is all there is.
    if let Some(words) = quotation.filter(|_| answers.is_none()).and_then(|own| text(own, "text")) {
        markdown = format!("{}\n\n{markdown}", quoted(&texts::to_markdown(words, [].into_iter())));
    }
    let own_text = (!markdown.trim().is_empty()).then_some(Block::Markdown { text: markdown });
    let mut blocks: Vec<Block> = own_text.into_iter().collect();
    for file in objects(&map, "attached_files") {
        blocks.push(attached(file, tally));
    }
    for annotation in objects(&map, "annotations") {
        let drive = annotation.get("drive_metadata").and_then(Value::as_object);
        if let Some(name) = drive.and_then(|drive| text(drive, "title")) {
            blocks.push(NamedFile { name, ..NamedFile::default() }.block(tally));
        }
        if annotation.contains_key("video_call_metadata") {
            blocks.push(event_block("call", "A video call"));
        }
    }
    Message {
        // Deleted accounts have no name.
        sender: sender.unwrap_or("Unknown").to_owned(),
        is_bot,
        blocks: or_placeholder(blocks),
        answers: answers.map(str::to_owned),
        reactions: reactions(&map),
        is_edited: objects(&map, "previous_message_versions").next().is_some(),
        ..message
    }
}

/// Returns the id of the message that opened a topic: `AAAA/topic/topic` for `AAAA/topic/message`.
fn opener(id: &str) -> Option<String> {
    let mut parts = id.split('/');
    let (space, topic, _) = (parts.next()?, parts.next()?, parts.next()?);
    Some(format!("{space}/{topic}/{topic}"))
}

/// Returns an exported file. Takeout replaces `?` in file names.
fn attached(file: &Map, tally: &mut Tally) -> Block {
    let name = text(file, "original_name").or(text(file, "export_name"));
    let name = name.and_then(|name| name.split('?').next()).unwrap_or_default();
    let beside = text(file, "export_name").map(|name| name.replace('?', "_"));
    let address = beside.as_deref();
    NamedFile { name, address, ..NamedFile::default() }.block(tally)
}

fn reactions(map: &Map) -> Vec<Reaction> {
    let mut all = Vec::new();
    for reaction in objects(map, "reactions") {
        let emoji = reaction.get("emoji").and_then(Value::as_object);
        let own = |emoji: &Map| {
            let custom = emoji.get("custom_emoji")?.as_object()?;
            text(custom, "shortcode").map(str::to_owned)
        };
        let shown = emoji
            .and_then(|emoji| text(emoji, "unicode").map(str::to_owned).or_else(|| own(emoji)));
        let people = reaction.get("reactor_emails").and_then(Value::as_array);
        let count = people.map_or(1, |people| people.len().max(1) as u64);
        if let Some(shown) = shown {
            react(&mut all, &shown, count);
        }
    }
    all
}

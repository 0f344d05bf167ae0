//! Media of messages: files, polls, and content that is not published.

use crate::shared::agents::thread::{text as word, whole};
use crate::shared::people::channel::{Contacts, Prose, event_block};
use crate::shared::tally::Tally;
use crate::shared::text::attachment_kind::kind_of;
use convo_base::json::{Map, Value};
use convo_base::model::{Attachment, AttachmentKind, Block, Content};
use convo_base::text::percent_encode;

/// Content that is recognised by a key, and the event shown for it. Locations, payments and contact
/// cards are not published.
const EVENTS: [(&str, &str); 9] = [
    ("location_information", "location"),
    ("live_location_period_seconds", "location"),
    ("place_name", "location"),
    ("contact_information", "contact"),
    ("contact_vcard", "contact"),
    ("invoice_information", "payment"),
    ("giveaway_information", "giveaway"),
    ("giveaway_results", "giveaway"),
    ("paid_stars_amount", "payment"),
];

/// Reads the media of a message.
pub(super) fn media(map: &Map, contacts: &mut Contacts, tally: &mut Tally) -> Vec<Block> {
    let mut blocks = Vec::new();
    if map.contains_key("photo") {
        blocks.push(file(map, "photo", tally));
    }
    match (word(map, "media_type"), word(map, "sticker_emoji")) {
        (Some("sticker"), Some(emoji)) if !is_picture(map) => {
            blocks.push(Block::Markdown { text: emoji.to_owned() });
        }
        // Browsers cannot show animated stickers.
        (Some("sticker"), None) if is_moving(map) => {
            blocks.push(event_block("sticker", ""));
        }
        _ if map.contains_key("file") => blocks.push(file(map, "file", tally)),
        _ => {}
    }
    if let Some((_, name)) = EVENTS.iter().find(|(key, _)| map.contains_key(*key)) {
        blocks.push(event_block(name, ""));
    }
    if let Some(title) = word(map, "game_title") {
        blocks.push(event_block("game", title));
    }
    if let Some(dice) = map.get("dice").and_then(Value::as_object) {
        let emoji = word(dice, "emoji").unwrap_or_default();
        let value = whole(dice.get("value")).unwrap_or_default();
        blocks.push(Block::Markdown { text: format!("{emoji} {value}").trim().to_owned() });
    }
    blocks.extend(
        map.get("poll").and_then(Value::as_object).and_then(|it| poll(it, contacts, tally)),
    );
    let list = map.get("todo_list").and_then(Value::as_object);
    blocks.extend(list.and_then(|list| checklist(list, contacts, tally)));
    blocks
}

/// Returns whether the picture of a sticker was exported in a format that pages can show.
fn is_picture(map: &Map) -> bool {
    word(map, "file").is_some_and(|file| file.ends_with(".webp"))
}

fn is_moving(map: &Map) -> bool {
    word(map, "file").is_some_and(|file| file.ends_with(".tgs"))
}

/// Reads a file: its path in the export, or the reason in parentheses why it is missing.
fn file(map: &Map, key: &str, tally: &mut Tally) -> Block {
    let path = word(map, key).unwrap_or_default();
    let (name, mime) = (word(map, "file_name"), word(map, "mime_type"));
    let kind = match (key, word(map, "media_type")) {
        ("photo", _) | (_, Some("sticker")) => AttachmentKind::Image,
        (_, Some("video_file" | "video_message" | "animation")) => AttachmentKind::Video,
        (_, Some("audio_file" | "voice_message")) => AttachmentKind::Audio,
        _ => kind_of(name.unwrap_or(path), mime),
    };
    let is_there = !path.is_empty() && !path.ends_with(')');
    let own = path.rsplit('/').next().filter(|_| is_there);
    let name = name.or(word(map, "title")).or(own).unwrap_or(kind.word());
    let content = match is_there {
        true => Content::Uri(percent_encode(path)),
        false => Content::Missing,
    };
    if !is_there {
        tally.missing_file();
    }
    Block::Attachment(Box::new(Attachment {
        mime: mime.map(str::to_owned),
        size: ["file_size", "photo_file_size"].iter().find_map(|key| whole(map.get(*key))),
        content,
        ..Attachment::new(name, kind)
    }))
}

/// The keys that hold the items of a checklist.
const ITEMS: [&str; 3] = ["answers", "items", "tasks"];

/// A checklist: its title and its items.
fn checklist(list: &Map, contacts: &mut Contacts, tally: &mut Tally) -> Option<Block> {
    let mut prose = Prose::default();
    if let Some(title) = list.get("title") {
        super::text::add(title, &mut prose, contacts, tally);
    }
    let items = ITEMS.iter().filter_map(|key| list.get(*key)?.as_array());
    for item in items.flatten() {
        let words = super::text::plain(item.get("text").unwrap_or(item), tally);
        if !words.is_empty() {
            prose.item(&words);
        }
    }
    prose.done().or_else(|| Some(event_block("list", "")))
}

/// A poll: its question and answers, with the number of votes.
fn poll(poll: &Map, contacts: &mut Contacts, tally: &mut Tally) -> Option<Block> {
    let mut prose = Prose::default();
    if let Some(question) = poll.get("question") {
        super::text::add(question, &mut prose, contacts, tally);
    }
    let answers = poll.get("answers").and_then(Value::as_array);
    for answer in answers.into_iter().flatten().filter_map(Value::as_object) {
        let words = word(answer, "text").unwrap_or_default();
        match whole(answer.get("voters")) {
            Some(voters) => prose.item(&format!("{words} ({voters})")),
            None => prose.item(words),
        }
    }
    prose.done()
}

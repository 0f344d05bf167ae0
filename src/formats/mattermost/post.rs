//! A post with what was answered to it.

use super::super::channel::{
    Members, Message, NamedFile, emoji, happened, objects, or_empty, react,
};
use super::super::object::text;
use super::super::thread::{Tally, time};
use super::super::verbatim::verbatim;
use super::super::visibility;
use super::super::web_links::public_url;
use super::text::{to_markdown, to_plain};
use crate::json::{Map, Value};
use crate::model::{Block, Place, quoted};

/// The folder of an export in which files stand.
const DATA: &str = "data/";

/// Reads a post and its replies.
pub(super) fn read(
    map: &Map,
    place: Place,
    is_left_out: bool,
    members: &mut Members,
    tally: &mut Tally,
) -> Vec<Message> {
    let mut first = message(map, place, members, tally);
    first.is_left_out |= is_left_out;
    let (root, is_left_out) = (first.id.clone(), first.is_left_out);
    let mut all = vec![first];
    for reply in objects(map, "replies") {
        let reply = message(reply, place, members, tally);
        // What answers to something that is held back may tell of it.
        let is_left_out = reply.is_left_out || is_left_out;
        all.push(Message { thread: Some(root.clone()), is_left_out, ..reply });
    }
    all
}

fn message(map: &Map, place: Place, members: &mut Members, tally: &mut Tally) -> Message {
    let user = text(map, "user").unwrap_or_default();
    let said = text(map, "message").unwrap_or_default();
    let created = map.get("create_at");
    let is_set =
        |key: &str| map.get(key).and_then(Value::as_i64).is_some_and(|at| at > 0);
    let message = Message {
        // It has no id of its own.
        id: format!(
            "{user} {} {said}",
            created.map(Value::to_string).unwrap_or_default()
        ),
        time: created.and_then(time),
        is_left_out: is_set("delete_at") || visibility::is_marked(map),
        place,
        ..Message::default()
    };
    let kind = text(map, "type").unwrap_or_default();
    if kind.starts_with("system_") {
        let name = if kind == "system_call" { "call" } else { "notice" };
        let event = happened(name, to_plain(said, members));
        return Message { blocks: vec![event], ..message };
    }
    let props = map.get("props").and_then(Value::as_object);
    let of_hook = props.and_then(|props| text(props, "override_username"));
    let is_hook = props.is_some_and(|props| {
        ["from_webhook", "from_bot"].iter().any(|key| text(props, key) == Some("true"))
    });
    let mut parts = vec![to_markdown(said, members)];
    for attachment in props.into_iter().flat_map(|props| objects(props, "attachments")) {
        parts.push(quoted(&attached(attachment, members)));
    }
    parts.retain(|part| !part.trim().is_empty());
    let mut words = parts.join("\n\n");
    if kind == "me" && !words.contains('\n') {
        words = format!("*{}*", words.trim_matches('*'));
    }
    let said = (!words.is_empty()).then_some(Block::Markdown { text: words });
    let mut blocks: Vec<Block> = said.into_iter().collect();
    for file in objects(map, "attachments") {
        let path = text(file, "path").unwrap_or_default();
        let name = path.rsplit(['/', '\\']).next().unwrap_or(path);
        // The server leaves out the folder in which all files of an export stand.
        let path = match path.starts_with(DATA) {
            true => path.to_owned(),
            false => format!("{DATA}{path}"),
        };
        let file = NamedFile { name, address: Some(&path), ..NamedFile::default() };
        blocks.push(file.block(tally));
    }
    let mut reactions = Vec::new();
    for reaction in objects(map, "reactions") {
        if let Some(name) = text(reaction, "emoji_name") {
            react(&mut reactions, &emoji(name), 1);
        }
    }
    let sender = match of_hook.filter(|_| is_hook) {
        Some(name) => name.to_owned(),
        None => members.name(user),
    };
    Message {
        sender,
        is_bot: is_hook || members.is_bot(user),
        is_edited: is_set("edit_at"),
        blocks: or_empty(blocks),
        reactions,
        ..message
    }
}

/// Returns what a program attached as Markdown.
fn attached(attachment: &Map, members: &mut Members) -> String {
    let mut parts: Vec<String> = Vec::new();
    let get = |key: &str| text(attachment, key).unwrap_or_default();
    parts.push(to_markdown(get("pretext"), members));
    parts.push(verbatim(get("author_name")));
    let title = verbatim(get("title"));
    parts.push(match public_url(get("title_link")).filter(|_| !title.is_empty()) {
        Some(url) => format!("[{title}](<{url}>)"),
        None => title,
    });
    parts.push(to_markdown(get("text"), members));
    for field in objects(attachment, "fields") {
        let name = verbatim(text(field, "title").unwrap_or_default());
        let value = to_markdown(text(field, "value").unwrap_or_default(), members);
        parts.push(format!("**{name}** {value}"));
    }
    parts.retain(|part| !part.trim().is_empty());
    if parts.is_empty() {
        parts.push(verbatim(get("fallback")));
    }
    parts.join("\n\n")
}

//! A post with its replies.

use super::text::{to_markdown, to_plain};
use crate::shared::access::visibility;
use crate::shared::json::object::{Object, text};
use crate::shared::people::channel::{
    Members, Message, NamedFile, emoji, event_block, objects, or_placeholder, react,
};
use crate::shared::tally::Tally;
use crate::shared::text::dates::of_value;
use crate::shared::text::verbatim::verbatim;
use crate::shared::text::web_links::public_url;
use convo_base::diag::Note;
use convo_base::json::{Map, Value};
use convo_base::model::{Block, Place, quoted};
use convo_base::text::base_name;

/// The folder of files in an export.
const DATA: &str = "data/";
/// Marks of a deleted post.
const GONE: [&str; 3] = ["deleteat", "deletedat", "deleteby"];

/// Reads a post and its replies.
pub(super) fn read(
    object: &mut Object<'_>,
    place: Place,
    is_withheld: bool,
    members: &mut Members,
    tally: &mut Tally,
    notes: &mut Vec<Note>,
) -> Vec<Message> {
    let mut first = message(object, place, members, tally, notes);
    first.is_withheld |= is_withheld;
    let (root, is_withheld) = (first.id.clone(), first.is_withheld);
    let mut all = vec![first];
    for (reply, at) in object.array("replies", notes).unwrap_or_default() {
        let Value::Object(reply) = reply else { continue };
        let reply = message(&object.at(reply, at), place, members, tally, notes);
        // A reply to a withheld post may reveal its contents.
        let is_withheld = reply.is_withheld || is_withheld;
        all.push(Message { thread: Some(root.clone()), is_withheld, ..reply });
    }
    all
}

/// Returns whether a post was deleted, or was visible only to one reader or for a limited time.
fn is_gone(object: &Object<'_>, kind: &str, props: Option<&Map>) -> bool {
    object.is_set(&GONE)
        || props.is_some_and(|props| visibility::is_set_in(props, &GONE))
        || kind.contains("ephemeral")
        || kind == "burn_on_read"
}

fn message(
    object: &Object<'_>,
    place: Place,
    members: &mut Members,
    tally: &mut Tally,
    notes: &mut Vec<Note>,
) -> Message {
    let map = &object.copy();
    let user = text(map, "user").unwrap_or_default();
    let message_text = text(map, "message").unwrap_or_default();
    let created = map.get("create_at");
    let kind = text(map, "type").unwrap_or_default();
    let props = map.get("props").and_then(Value::as_object);
    let message = Message {
        // Posts have no id in the export.
        id: format!("{user} {} {message_text}", created.map(Value::to_string).unwrap_or_default()),
        time: created.and_then(of_value),
        is_withheld: is_gone(object, kind, props) || object.is_withheld(notes),
        place,
        ..Message::default()
    };
    if kind.starts_with("system_") {
        let name = if kind == "system_call" { "call" } else { "notice" };
        let event = event_block(name, to_plain(message_text, members));
        return Message { blocks: vec![event], ..message };
    }
    if !["", "me", "slack_attachment", "reminder"].contains(&kind) {
        tally.unknown_skipped(kind);
        return message;
    }
    let of_hook = props.and_then(|props| text(props, "override_username"));
    let is_hook = props.is_some_and(|props| {
        ["from_webhook", "from_bot"].iter().any(|key| text(props, key) == Some("true"))
    });
    let mut parts = vec![to_markdown(message_text, members)];
    for attachment in props.into_iter().flat_map(|props| objects(props, "attachments")) {
        parts.push(quoted(&attached(attachment, members)));
    }
    parts.retain(|part| !part.trim().is_empty());
    let mut words = parts.join("\n\n");
    if kind == "me" && !words.contains('\n') {
        words = format!("*{}*", words.trim_matches('*'));
    }
    let message_text = (!words.is_empty()).then_some(Block::Markdown { text: words });
    let mut blocks: Vec<Block> = message_text.into_iter().collect();
    for file in objects(map, "attachments") {
        let path = text(file, "path").unwrap_or_default();
        let name = base_name(path);
        // The server omits the folder that contains all files of an export.
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
        is_edited: object.is_set(&["editat"]),
        blocks: or_placeholder(blocks),
        reactions,
        ..message
    }
}

/// Returns an attachment of an integration as Markdown.
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

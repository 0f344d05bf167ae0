//! The files of a chat.

use crate::shared::agents::thread::text;
use crate::shared::tally::Tally;
use crate::shared::text::attachment_kind::kind_of;
use crate::shared::text::web_links::public_url;
use convo_base::json::{Map, Value};
use convo_base::model::{Attachment, AttachmentKind, Block, Content};
use convo_base::text::percent_encode;

/// The keys that list files, with their kinds.
const LISTS: [(&str, Option<AttachmentKind>); 6] = [
    ("photos", Some(AttachmentKind::Image)),
    ("videos", Some(AttachmentKind::Video)),
    ("audio_files", Some(AttachmentKind::Audio)),
    ("gifs", Some(AttachmentKind::Image)),
    ("files", None),
    ("media", None),
];

/// Reads the files of a message of the chat at `thread`, a path relative to the folder of all
/// messages.
pub(super) fn files(map: &Map, thread: &str, tally: &mut Tally) -> Vec<Block> {
    let list = |key: &str| map.get(key).and_then(Value::as_array).into_iter().flatten();
    let listed = LISTS.iter().flat_map(|(key, kind)| list(key).map(move |file| (file, *kind)));
    let sticker = map.get("sticker").map(|file| (file, Some(AttachmentKind::Image)));
    let found = listed.chain(sticker).filter_map(|(file, kind)| Some((file.as_object()?, kind)));
    found.map(|(file, kind)| attachment(file, kind, thread, tally)).collect()
}

fn attachment(file: &Map, kind: Option<AttachmentKind>, thread: &str, tally: &mut Tally) -> Block {
    let uri = text(file, "uri").unwrap_or_default();
    let name = uri.split(['?', '#']).next().unwrap_or_default().rsplit('/').next();
    let name = name.unwrap_or_default();
    let kind = kind.unwrap_or_else(|| kind_of(name, None));
    let content = match uri.contains("://") {
        true => public_url(uri).map(Content::Uri),
        false => below(uri, thread).map(|path| Content::Uri(percent_encode(&path))),
    };
    if content.is_none() {
        tally.missing_file();
    }
    let name = if name.is_empty() { kind.word() } else { name };
    let content = content.unwrap_or(Content::Missing);
    Block::Attachment(Box::new(Attachment { content, ..Attachment::new(name, kind) }))
}

/// Converts a path that is relative to the export to one that is relative to the folder of the
/// chat.
fn below(uri: &str, thread: &str) -> Option<String> {
    if let Some(path) = uri.strip_prefix("./") {
        return Some(path.to_owned());
    }
    let (_, inside) = uri.split_once("messages/")?;
    let path = inside.strip_prefix(thread).and_then(|path| path.strip_prefix('/'));
    match path.filter(|_| !thread.is_empty()) {
        Some(path) => Some(path.to_owned()),
        // Stickers are in a folder beside all chats.
        None => {
            let up = thread.split('/').filter(|part| !part.is_empty()).count();
            (up > 0).then(|| format!("{}{inside}", "../".repeat(up)))
        }
    }
}

//! The contents of a message: text, files, stickers and forwarded messages.

use super::OwnChannel;
use super::{embeds, marks};
use crate::shared::agents::thread::{first, text, whole};
use crate::shared::people::channel::{Members, NamedFile, objects};
use crate::shared::tally::Tally;
use convo_base::json::{Map, Value};
use convo_base::model::{Block, quoted};

/// Reads the contents of a message or a forwarded message.
pub(super) fn read(
    map: &Map,
    own: &OwnChannel,
    members: &mut Members,
    tally: &mut Tally,
) -> Vec<Block> {
    let mut parts: Vec<String> = Vec::new();
    let mut files: Vec<Block> = Vec::new();
    if let Some(content) = text(map, "content") {
        parts.push(marks::to_markdown(content, own, members));
    }
    for file in objects(map, "attachments") {
        let address = text(file, "url").filter(|url| !url.contains("://"));
        let file = NamedFile {
            name: first(file, &["fileName", "filename"]).unwrap_or_default(),
            mime: None,
            size: whole(file.get("fileSizeBytes")),
            address,
        };
        files.push(file.block(tally));
    }
    let content = text(map, "content").unwrap_or_default();
    for embed in objects(map, "embeds") {
        match embeds::read(embed, content, own, members) {
            Some(embed) => parts.push(quoted(&embed)),
            None => tally.not_shown("link preview", "link previews"),
        }
    }
    for sticker in objects(map, "stickers") {
        let name = text(sticker, "name").unwrap_or("sticker");
        let name = if name.contains('.') { name.to_owned() } else { format!("{name} (sticker)") };
        let address = text(sticker, "sourceUrl").filter(|url| !url.contains("://"));
        let file = NamedFile { name: &name, mime: Some("image"), address, ..NamedFile::default() };
        files.push(file.block(tally));
    }
    if let Some(forwarded) = map.get("forwardedMessage").and_then(Value::as_object) {
        for block in read(forwarded, own, members, tally) {
            match block {
                Block::Markdown { text } => {
                    parts.push(format!("> *Forwarded:*\n>\n{}", quoted(&text)));
                }
                file => files.push(file),
            }
        }
    }
    parts.retain(|part| !part.trim().is_empty());
    let text = parts.join("\n\n");
    let own_text = (!text.is_empty()).then_some(Block::Markdown { text });
    own_text.into_iter().chain(files).collect()
}

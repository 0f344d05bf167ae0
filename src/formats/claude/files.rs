//! Files attached to messages. The export contains the text of documents and pasted texts, but no other
//! file data.

use std::collections::HashSet;

use super::message::Parts;
use super::tools::text;
use crate::shared::tally::Tally;
use crate::shared::text::attachment_kind::kind_of;
use convo_base::json::{Map, Value};
use convo_base::model::{Attachment, AttachmentKind, Block, Content, fenced};
use convo_base::text::base_name;

/// Returns the attachments of a message, without duplicates. If `is_mute`, a pasted text is the text of the
/// message. Counts missing files.
pub(super) fn attached(message: &Parts, is_mute: bool, tally: &mut Tally) -> Vec<Block> {
    let mut blocks = Vec::new();
    let mut named: HashSet<&str> = HashSet::new();
    for attachment in message.attachments.iter().filter_map(Value::as_object) {
        let name = text(attachment, "file_name");
        let words = text(attachment, "extracted_content");
        match words.filter(|words| !words.trim().is_empty()) {
            Some(words) if is_mute && name.is_none_or(is_paste) => {
                blocks.push(Block::Markdown { text: words.to_owned() });
            }
            Some(words) => {
                named.extend(name);
                blocks.push(folded(name, words));
            }
            None if name.is_none() => {}
            None => blocks.push(placeholder(attachment, tally)),
        }
    }
    let mut ids: HashSet<&str> = HashSet::new();
    let mut names: HashSet<&str> = HashSet::new();
    let lists = [(&message.files, false), (&message.files_again, true)];
    for (list, is_again) in lists {
        for file in list {
            let (id, name) = match file {
                Value::String(name) => (None, Some(name.as_str())),
                Value::Object(file) => {
                    let id = text(file, "file_uuid").or_else(|| text(file, "uuid"));
                    (id, text(file, "file_name"))
                }
                _ => continue,
            };
            let is_known = match id {
                Some(id) => !ids.insert(id),
                None => is_again && name.is_some_and(|name| names.contains(name)),
            };
            // The text of a document is among the attachments.
            if is_known || name.is_some_and(|name| named.contains(name)) {
                continue;
            }
            names.extend(name);
            blocks.push(match file {
                Value::Object(file) => placeholder(file, tally),
                _ => {
                    tally.missing_file();
                    let name = name.unwrap_or_default();
                    Block::Attachment(Box::new(missing_file(name, kind_of(name, None), None)))
                }
            });
        }
    }
    blocks
}

/// Returns whether a name is generated for pasted text.
fn is_paste(name: &str) -> bool {
    let stem = name.strip_suffix(".txt").unwrap_or(name);
    let rest = stem.strip_prefix("pasted-text").or_else(|| stem.strip_prefix("paste"));
    rest.is_some_and(|rest| rest.chars().all(|c| c.is_ascii_digit() || "-_ ()".contains(c)))
}

/// Returns a text that is shown on demand.
fn folded(name: Option<&str>, words: &str) -> Block {
    let name = name.map(base_name).filter(|name| !name.is_empty());
    let title = name.unwrap_or("Pasted text").to_owned();
    let ending = name.and_then(|name| name.rsplit_once('.')).map(|(_, ending)| ending);
    let is_plain = |ending: &&str| ending.chars().all(|c| c.is_ascii_alphanumeric());
    let language = ending.filter(is_plain).unwrap_or_default().to_ascii_lowercase();
    let is_prose = ["txt", "pdf", "docx", "doc", "odt", "rtf", "pptx", "epub"];
    let language = if is_prose.contains(&&*language) { "" } else { &language };
    let detail = Some(fenced(language, words.trim_end_matches('\n')));
    Block::Event { name: "attachment".to_owned(), text: title, detail }
}

fn placeholder(file: &Map, tally: &mut Tally) -> Block {
    tally.missing_file();
    let name = text(file, "file_name").unwrap_or_default();
    let kind = match text(file, "file_kind") {
        Some("image") => AttachmentKind::Image,
        _ => kind_of(name, text(file, "file_type").or_else(|| text(file, "mime_type"))),
    };
    let size = ["file_size", "size_bytes"].iter().find_map(|key| file.get(*key)?.as_u64());
    Block::Attachment(Box::new(Attachment {
        size,
        ..missing_file(name, kind, mime(text(file, "file_type")))
    }))
}

/// Returns the placeholder of a file that is missing from the export.
pub(super) fn missing_file(name: &str, kind: AttachmentKind, mime: Option<String>) -> Attachment {
    Attachment { mime, ..Attachment::new(base_name(name), kind) }
}

/// Returns a picture or a document that is a block of its own. Some contain their data.
pub(super) fn of_block(block: &Map) -> Attachment {
    let source = block.get("source").and_then(Value::as_object);
    let from = |key: &str| source.and_then(|source| text(source, key)).or_else(|| text(block, key));
    let name = ["file_name", "name", "title"].iter().find_map(|key| from(key));
    let mime = ["media_type", "mime_type", "file_type"].iter().find_map(|key| from(key));
    let name = name.unwrap_or_default();
    let is_image = text(block, "type") == Some("image");
    let kind = if is_image { AttachmentKind::Image } else { kind_of(name, mime) };
    let bytes = from("data").filter(|_| from("type") == Some("base64"));
    let content = bytes.map_or(Content::Missing, |data| Content::Base64(data.to_owned()));
    Attachment { content, ..missing_file(name, kind, self::mime(mime)) }
}

fn mime(kind: Option<&str>) -> Option<String> {
    kind.filter(|kind| kind.contains('/')).map(str::to_owned)
}

//! What a message holds: text, pictures, sound, files.

use std::collections::VecDeque;
use std::ops::Range;

use super::message::call_block;
use super::rows::Tally;
use crate::formats::hidden_tags::{Author, strip_in, without_hidden};
use crate::json::{Map, Value};
use crate::model::{Attachment, AttachmentKind, Block, Content};

/// The media of a row, for which marks such as `<image>` stand in its texts, in order.
#[derive(Default)]
pub(in crate::formats) struct Media {
    images: VecDeque<String>,
    videos: VecDeque<String>,
    audios: VecDeque<String>,
}

const MARKS: [(&str, AttachmentKind); 3] = [
    ("<image>", AttachmentKind::Image),
    ("<video>", AttachmentKind::Video),
    ("<audio>", AttachmentKind::Audio),
];

impl Media {
    /// Takes the media that a row lists.
    pub(in crate::formats) fn of(mut take: impl FnMut(&str) -> Option<Value>) -> Self {
        let mut list = |keys: [&str; 2]| {
            let mut found = VecDeque::new();
            for value in keys.into_iter().filter_map(&mut take) {
                let values = match value {
                    Value::Array(values) => values,
                    value => vec![value],
                };
                found.extend(values.iter().filter_map(address));
            }
            found
        };
        Self {
            images: list(["images", "image"]),
            videos: list(["videos", "video"]),
            audios: list(["audios", "audio"]),
        }
    }

    fn next(&mut self, kind: AttachmentKind) -> Option<String> {
        match kind {
            AttachmentKind::Image => self.images.pop_front(),
            AttachmentKind::Video => self.videos.pop_front(),
            AttachmentKind::Audio => self.audios.pop_front(),
            _ => None,
        }
    }

    /// Returns the media that no mark stands for.
    pub(in crate::formats) fn rest(&mut self) -> Vec<Block> {
        let mut blocks = Vec::new();
        for (_, kind) in MARKS {
            while let Some(address) = self.next(kind) {
                blocks.push(attachment(address, kind));
            }
        }
        blocks
    }
}

/// Returns the address that a value is or has.
fn address(value: &Value) -> Option<String> {
    let text = |value: &Value| value.as_str().map(str::to_owned);
    let keys = ["url", "path", "image", "video", "audio"];
    text(value).or_else(|| keys.iter().find_map(|key| text(value.get(*key)?)))
}

/// Something at an address, or in a `data:` address.
fn attachment(address: String, kind: AttachmentKind) -> Block {
    let is_data = address.starts_with("data:");
    let path = address.split(['?', '#']).next().unwrap_or_default();
    let name = match is_data {
        true => kind.word().to_owned(),
        false => path.rsplit(['/', '\\']).next().unwrap_or_default().to_owned(),
    };
    let mime =
        address.strip_prefix("data:").and_then(|rest| rest.split([';', ',']).next());
    let mime = mime.filter(|mime| !mime.is_empty()).map(str::to_owned);
    let content =
        if is_signed(&address) { Content::Missing } else { Content::Uri(address) };
    attached(name, kind, mime, content)
}

fn attached(
    name: String,
    kind: AttachmentKind,
    mime: Option<String>,
    content: Content,
) -> Block {
    let (size, sha256, unpublished) = (None, None, Map::new());
    Block::Attachment(Box::new(Attachment {
        name,
        kind,
        mime,
        size,
        sha256,
        content,
        unpublished,
    }))
}

/// Returns whether an address opens something for whoever has it.
fn is_signed(address: &str) -> bool {
    let query = address.split_once('?').map_or("", |(_, query)| query);
    let marks = ["Signature=", "signature=", "sig=", "token=", "Token="];
    query.split('&').any(|part| marks.iter().any(|mark| part.contains(mark)))
}

/// Returns a text as blocks: a thought that a model wrote first, media where their marks stand,
/// Markdown.
pub(in crate::formats) fn text_blocks(
    text: &str,
    is_model: bool,
    media: &mut Media,
) -> Vec<Block> {
    let text = &*without_hidden(text, Author::Writer);
    let mut blocks = Vec::new();
    let mut rest = text;
    if is_model
        && let Some(inside) = text.trim_start().strip_prefix("<think>")
        && let Some((thought, said)) = inside.split_once("</think>")
    {
        if !thought.trim().is_empty() {
            blocks.push(Block::Thinking { text: thought.trim().to_owned() });
        }
        rest = said.trim_start();
    }
    let mut said = String::new();
    let flush = |said: &mut String, blocks: &mut Vec<Block>| {
        let text = std::mem::take(said);
        let text = text.trim_matches('\n').trim_end();
        if !text.trim().is_empty() {
            blocks.push(Block::Markdown { text: text.to_owned() });
        }
    };
    while let Some(found) = rest.find('<') {
        let (before, from) = rest.split_at(found);
        said.push_str(before);
        let mark = MARKS.iter().find(|(mark, _)| from.starts_with(mark));
        let Some((mark, kind)) = mark else {
            said.push('<');
            rest = &from[1..];
            continue;
        };
        rest = &from[mark.len()..];
        match media.next(*kind) {
            Some(address) => {
                flush(&mut said, &mut blocks);
                blocks.push(attachment(address, *kind));
                rest = rest.trim_start();
            }
            // Markdown would take it for HTML, and show nothing.
            None => {
                said.push('\\');
                said.push_str(mark);
            }
        }
    }
    said.push_str(rest);
    flush(&mut said, &mut blocks);
    blocks
}

/// Takes the results of tools out of a content, as the interface of Anthropic puts them there: the
/// id of the call and what was returned, and whether the tool failed.
pub(super) fn take_results(content: &mut Value) -> Vec<(String, Value, bool)> {
    let Value::Array(parts) = content else { return Vec::new() };
    let is_result = |part: &Value| {
        let kind = part.get("type").and_then(Value::as_str).unwrap_or_default();
        kind == "tool_result" || kind.ends_with("_tool_result")
    };
    let mut found = Vec::new();
    parts.retain_mut(|part| {
        if !is_result(part) {
            return true;
        }
        let id = part.get("tool_use_id").and_then(Value::as_str).unwrap_or_default();
        let failed = part.get("is_error").and_then(Value::as_bool).unwrap_or_default();
        let id = id.to_owned();
        let output = part.get_mut("content").map(Value::take).unwrap_or_default();
        found.push((id, output, failed));
        false
    });
    found
}

/// Returns the address or the bytes of a picture, as the interface of Anthropic has them.
fn source(map: &Map) -> Option<(Option<String>, Content)> {
    let source = map.get("source")?;
    let field = |key: &str| source.get(key).and_then(Value::as_str).map(str::to_owned);
    let mime = field("media_type");
    let content = match field("data") {
        Some(data) => Content::Base64(data),
        None => Content::Uri(field("url").filter(|url| !is_signed(url))?),
    };
    Some((mime, content))
}

/// Returns the blocks of the content of a message: a text, or a list of parts.
pub(super) fn blocks(
    content: Value,
    is_model: bool,
    media: &mut Media,
    tally: &mut Tally,
    at: &Range<usize>,
) -> Vec<Block> {
    match content {
        Value::String(text) => text_blocks(&text, is_model, media),
        Value::Array(parts) => {
            let parts = parts.into_iter();
            parts.flat_map(|part| part_blocks(part, is_model, media, tally, at)).collect()
        }
        Value::Object(map) => part_blocks(map.into(), is_model, media, tally, at),
        Value::Null => Vec::new(),
        other => vec![Block::Markdown { text: other.to_string() }],
    }
}

fn part_blocks(
    part: Value,
    is_model: bool,
    media: &mut Media,
    tally: &mut Tally,
    at: &Range<usize>,
) -> Vec<Block> {
    let Value::Object(mut map) = part else {
        return match part {
            Value::String(text) => text_blocks(&text, is_model, media),
            _ => Vec::new(),
        };
    };
    let kind = map.get("type").and_then(Value::as_str).unwrap_or("text").to_owned();
    let mut text = |key: &str| match map.get_mut(key).map(Value::take) {
        Some(Value::String(text)) => Some(text),
        _ => None,
    };
    match kind.as_str() {
        "text" | "input_text" | "output_text" | "refusal" => {
            let said = text("text").or_else(|| text("refusal")).unwrap_or_default();
            text_blocks(&said, is_model, media)
        }
        "thinking" | "reasoning" => {
            let mut said = text("thinking").or_else(|| text("text")).unwrap_or_default();
            strip_in(&mut said, Author::Writer);
            let is_said = !said.trim().is_empty();
            is_said.then_some(Block::Thinking { text: said }).into_iter().collect()
        }
        "image_url" | "image" | "input_image" | "video_url" | "video" | "audio_url"
        | "audio" => {
            let of = match kind.as_str() {
                kind if kind.contains("image") => AttachmentKind::Image,
                kind if kind.contains("video") => AttachmentKind::Video,
                _ => AttachmentKind::Audio,
            };
            if let Some((mime, content)) = source(&map) {
                return vec![attached(of.word().to_owned(), of, mime, content)];
            }
            let keys = [kind.as_str(), "image_url", "url", "path"];
            let found = keys.iter().find_map(|key| address(map.get(*key)?));
            let found = found.or_else(|| media.next(of));
            let missing = || attached(of.word().to_owned(), of, None, Content::Missing);
            vec![found.map_or_else(missing, |address| attachment(address, of))]
        }
        "input_audio" => {
            let audio = map.get("input_audio");
            let field = |key: &str| audio.and_then(|audio| audio.get(key)?.as_str());
            let mime = field("format").map(|format| format!("audio/{format}"));
            let content = field("data").map(|data| Content::Base64(data.to_owned()));
            let content = content.unwrap_or(Content::Missing);
            vec![attached("audio".to_owned(), AttachmentKind::Audio, mime, content)]
        }
        // As the interface of Anthropic has them.
        "tool_use" | "server_tool_use" => {
            let id = text("id").unwrap_or_default();
            map.shift_remove("id");
            vec![call_block(map, id)]
        }
        "redacted_thinking" => Vec::new(),
        "file" | "input_file" => {
            let file = map.get("file").unwrap_or(&Value::Null);
            let field = |key: &str| file.get(key).or_else(|| map.get(key))?.as_str();
            let name = field("filename").unwrap_or("file").to_owned();
            let data = field("file_data").filter(|data| data.starts_with("data:"));
            let content =
                data.map_or(Content::Missing, |data| Content::Uri(data.to_owned()));
            vec![attached(name, AttachmentKind::File, None, content)]
        }
        _ => {
            tally.unknown(&kind, at.clone());
            vec![Block::Unknown { name: kind, value: Value::Null }]
        }
    }
}

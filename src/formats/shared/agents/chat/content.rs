//! Reads the content of a message: text, images, audio and files.

use std::ops::Range;

use super::calls::call_block;
use super::inline_calls::{self, Piece};
use super::media::{MARKS, Media, address, attached, attachment};
use crate::shared::access::hidden_tags::{Author, strip_in, without_hidden};
use crate::shared::access::tool_access::full_name;
use crate::shared::tally::Tally;
use crate::shared::text::web_links::content_at;
use convo_base::json::{Map, Value};
use convo_base::model::{AttachmentKind, Block, Content};

/// Splits a text into blocks: an initial thought of a model, media in place of their marks, and Markdown.
pub(crate) fn text_blocks(text: &str, is_model: bool, media: &mut Media) -> Vec<Block> {
    let text = &*without_hidden(text, Author::Writer);
    let mut blocks = Vec::new();
    let mut rest = text;
    if is_model
        && let Some(inside) = text.trim_start().strip_prefix("<think>")
        && let Some((thought, answer)) = inside.split_once("</think>")
    {
        for piece in inline_calls::pieces(thought) {
            match piece {
                Piece::Text(thought) if thought.trim().is_empty() => {}
                Piece::Text(thought) => {
                    blocks.push(Block::Thinking { text: thought.trim().to_owned() });
                }
                Piece::Calls(calls) => blocks.extend(calls),
            }
        }
        rest = answer.trim_start();
    }
    let pieces = if is_model { inline_calls::pieces(rest) } else { vec![Piece::Text(rest)] };
    for piece in pieces {
        match piece {
            Piece::Text(text) => prose_blocks(text, media, &mut blocks),
            Piece::Calls(calls) => blocks.extend(calls),
        }
    }
    blocks
}

/// Adds a text to blocks, with media in place of their marks.
fn prose_blocks(text: &str, media: &mut Media, blocks: &mut Vec<Block>) {
    let mut rest = text;
    let mut prose = String::new();
    let flush = |prose: &mut String, blocks: &mut Vec<Block>| {
        let text = std::mem::take(prose);
        let text = text.trim_matches('\n').trim_end();
        if !text.trim().is_empty() {
            blocks.push(Block::Markdown { text: text.to_owned() });
        }
    };
    while let Some(found) = rest.find('<') {
        let (before, from) = rest.split_at(found);
        prose.push_str(before);
        let mark = MARKS.iter().find(|(mark, _)| from.starts_with(mark));
        let Some((mark, kind)) = mark else {
            prose.push('<');
            rest = &from[1..];
            continue;
        };
        rest = &from[mark.len()..];
        match media.next(*kind) {
            Some(address) => {
                flush(&mut prose, blocks);
                blocks.push(attachment(address, *kind));
                rest = rest.trim_start();
            }
            // Markdown would treat the mark as HTML and show nothing.
            None => {
                prose.push('\\');
                prose.push_str(mark);
            }
        }
    }
    prose.push_str(rest);
    flush(&mut prose, blocks);
}

/// A tool result in a content.
pub(super) struct PartResult {
    /// The id of its call; empty if there is none.
    pub(super) id: String,
    /// The name of its tool; empty if it is not known.
    pub(super) name: String,
    pub(super) output: Value,
    pub(super) failed: bool,
}

/// Takes tool results out of a content, where the Anthropic API puts them.
pub(super) fn take_results(content: &mut Value) -> Vec<PartResult> {
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
        let name = part.get("name").and_then(Value::as_str).unwrap_or_default();
        let name = part.as_object().map(|part| full_name(part, name)).unwrap_or_default();
        let output = part.get_mut("content").map(Value::take).unwrap_or_default();
        found.push(PartResult { id, name, output, failed });
        false
    });
    found
}

/// Returns the URL or the bytes of an image in the form of the Anthropic API.
fn source(map: &Map) -> Option<(Option<String>, Content)> {
    let source = map.get("source")?;
    let field = |key: &str| source.get(key).and_then(Value::as_str).map(str::to_owned);
    let mime = field("media_type");
    let content = match field("data") {
        Some(data) => Content::Base64(data),
        None => content_at(field("url")?),
    };
    Some((mime, content))
}

/// Returns the blocks of a message's content, which is a string or a list of parts.
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
            let words = text("text").or_else(|| text("refusal")).unwrap_or_default();
            text_blocks(&words, is_model, media)
        }
        "thinking" | "reasoning" => {
            let mut words = text("thinking").or_else(|| text("text")).unwrap_or_default();
            strip_in(&mut words, Author::Writer);
            let has_text = !words.trim().is_empty();
            has_text.then_some(Block::Thinking { text: words }).into_iter().collect()
        }
        "image_url" | "image" | "input_image" | "video_url" | "video" | "audio_url" | "audio" => {
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
        // The form of the Anthropic API.
        "tool_use" | "server_tool_use" | "mcp_tool_use" => {
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
            let content = data.map_or(Content::Missing, |data| Content::Uri(data.to_owned()));
            vec![attached(name, AttachmentKind::File, None, content)]
        }
        _ => {
            tally.unknown_at(&kind, 0, at.clone());
            vec![Block::Unknown { name: kind, value: Value::Null }]
        }
    }
}

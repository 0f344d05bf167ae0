//! Contents of messages, by kind.

use super::assets;
use super::message::{Message, list, object, text, words};
use convo_base::json::{Map, Value};
use convo_base::model::{Attachment, AttachmentKind};

/// A piece of a message.
pub(super) enum Piece {
    /// Text, as Markdown.
    Words(String),
    /// A picture, a recording or another file.
    File(Attachment),
    /// Data that is not shown.
    Aside,
    /// A voice or camera recording whose transcript is in the message.
    Voice,
    /// Data of an unknown kind.
    Unknown(String),
}

/// Returns the pieces of a message that consists of text, pictures and recordings.
pub(super) fn pieces(message: Message<'_>) -> Vec<Piece> {
    let named = message.list("attachments");
    let mut pieces = Vec::new();
    let Some(content) = message.content() else { return pieces };
    let is_transcript = |part: &Value| {
        let part = part.as_object();
        part.and_then(|part| text(part, "content_type")) == Some("audio_transcription")
    };
    let is_written_down = list(content, "parts").iter().any(is_transcript);
    let mut texts: Vec<&str> = Vec::new();
    let say = |texts: &mut Vec<&str>, pieces: &mut Vec<Piece>| {
        if texts.iter().any(|text| !text.trim().is_empty()) {
            pieces.push(Piece::Words(texts.join("\n")));
        }
        texts.clear();
    };
    for part in list(content, "parts") {
        match part {
            Value::String(text) => texts.push(text),
            Value::Object(part) => {
                say(&mut texts, &mut pieces);
                match is_written_down && is_voice(part) {
                    true => pieces.push(Piece::Voice),
                    false => self::part(part, named, &mut pieces),
                }
            }
            Value::Null => {}
            _ => pieces.push(Piece::Unknown("a part that is not text".to_owned())),
        }
    }
    texts.extend(text(content, "text"));
    say(&mut texts, &mut pieces);
    pieces
}

/// Returns whether a part is a recording of a voice chat.
fn is_voice(part: &Map) -> bool {
    let kind = text(part, "content_type").unwrap_or_default();
    matches!(kind, "audio_asset_pointer" | "real_time_user_audio_video_asset_pointer")
}

/// Adds a part that is not text.
fn part(part: &Map, named: &[Value], pieces: &mut Vec<Piece>) {
    let kind = text(part, "content_type").unwrap_or_default();
    let mut add = |part: &Map, kind| {
        let pointer = words(part, "asset_pointer").or_else(|| words(part, "image_url"));
        if let Some(pointer) = pointer {
            let file = assets::pointed(pointer, title(part), kind, named);
            pieces.push(Piece::File(file));
        }
    };
    match kind {
        "image_asset_pointer" => add(part, AttachmentKind::Image),
        "audio_asset_pointer" => add(part, AttachmentKind::Audio),
        "video_container_asset_pointer" => add(part, AttachmentKind::Video),
        "real_time_user_audio_video_asset_pointer" => {
            let audio = object(part, "audio_asset_pointer");
            audio.into_iter().for_each(|audio| add(audio, AttachmentKind::Audio));
            let video = part.get("video_container_asset_pointer");
            match video {
                Some(Value::Object(video)) => add(video, AttachmentKind::Video),
                Some(Value::String(pointer)) => {
                    let file = assets::pointed(pointer, None, AttachmentKind::Video, named);
                    pieces.push(Piece::File(file));
                }
                _ => {}
            }
            // Single frames of a camera recording are not shown.
            let frames = list(part, "frames_asset_pointers").len();
            pieces.extend((0..frames).map(|_| Piece::Aside));
        }
        "audio_transcription" | "text" => {
            pieces.extend(words(part, "text").map(|text| Piece::Words(text.to_owned())));
        }
        "" => match words(part, "text") {
            Some(text) => pieces.push(Piece::Words(text.to_owned())),
            None => pieces.push(Piece::Unknown("a part without a type".to_owned())),
        },
        kind => pieces.push(Piece::Unknown(kind.to_owned())),
    }
}

/// Returns the prompt of a generated picture.
fn title(part: &Map) -> Option<&str> {
    let metadata = object(part, "metadata")?;
    let prompt = |key: &str| words(object(metadata, key)?, "prompt");
    prompt("dalle").or_else(|| prompt("generation"))
}

/// Returns the pictures that executed code made.
pub(super) fn plots(message: Message<'_>) -> Vec<Attachment> {
    let outcome = message.metadata("aggregate_result").and_then(Value::as_object);
    let messages = outcome.map_or(&[][..], |outcome| list(outcome, "messages"));
    let pointer = |item: &Value| {
        let pointer = words(item.as_object()?, "image_url")?;
        Some(assets::pointed(pointer, None, AttachmentKind::Image, &[]))
    };
    messages.iter().filter_map(pointer).collect()
}

/// Returns the files attached to a message, except those whose ids are in `shown`.
pub(super) fn handed_over(message: Message<'_>, shown: &[Piece]) -> Vec<Attachment> {
    let is_shown = |id: &str| {
        shown.iter().any(|piece| matches!(piece, Piece::File(file) if assets::id(file) == Some(id)))
    };
    let files = message.list("attachments").iter().filter_map(Value::as_object);
    let files = files.filter_map(assets::handed_over).filter(|(_, id)| !is_shown(id));
    files.map(|(file, _)| file).collect()
}

/// Returns the thoughts of a model, as Markdown.
pub(super) fn thoughts(content: &Map) -> String {
    let thought = |thought: &Value| {
        let Value::Object(thought) = thought else {
            return thought.as_str().map(str::to_owned);
        };
        let chunks: Vec<&str> = list(thought, "chunks").iter().filter_map(Value::as_str).collect();
        let chunks = chunks.concat();
        let body = words(thought, "content").unwrap_or(chunks.trim());
        let summary = words(thought, "summary");
        let summary = summary.map(|words| format!("**{}**", super::unmarked::escaped(words)));
        let parts = summary.into_iter().chain((!body.is_empty()).then(|| body.to_owned()));
        let parts: Vec<String> = parts.collect();
        (!parts.is_empty()).then(|| parts.join("\n\n"))
    };
    let thoughts: Vec<String> = list(content, "thoughts").iter().filter_map(thought).collect();
    thoughts.join("\n\n")
}

/// Returns a quotation of a web page with its source, as Markdown; `None` for one of a file.
pub(super) fn quote(content: &Map) -> Option<String> {
    let url = words(content, "url").and_then(super::links::public_url)?;
    let label = ["title", "domain"].iter().find_map(|key| words(content, key));
    let label = super::unmarked::escaped(label.unwrap_or(&url));
    let quoted: Vec<String> = words(content, "text")
        .unwrap_or_default()
        .lines()
        .map(|line| format!("> {}", super::unmarked::escaped(&super::unmarked::bare(line))))
        .collect();
    Some(format!("{}\n>\n> — [{label}](<{url}>)", quoted.join("\n")))
}

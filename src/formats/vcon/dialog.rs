//! A dialog of a vCon: a text, an e-mail, a recording, or a failed call.

use super::parties::Parties;
use crate::shared::agents::thread::{Blocks, Context, Message, file, first, rest, text};
use crate::shared::json::object::Object;
use crate::shared::people::mail::body::{self as mail, Origin};
use crate::shared::people::mail::fields::Fields;
use crate::shared::text::attachment_kind::kind_of;
use crate::shared::text::dates;
use crate::shared::text::decode;
use crate::shared::text::html;
use crate::shared::text::verbatim::verbatim_lines;
use convo_base::diag::Severity;
use convo_base::json::{Map, Value};
use convo_base::model::{Attachment, Content};
use convo_base::text::{base64_decode, base64_encode};
use convo_base::time::Time;

/// Keys that are read, or that describe content that is not shown.
const KNOWN: [&str; 30] = [
    "type", "start", "duration", "parties", "originator", "mediatype", "mimetype", "filename",
    "body", "encoding", "url", "content_hash", "signature", "alg", "meta", "disposition",
    "message_id", "session_id", "application", "party_history", "transferee", "transferor",
    "transfer_target", "transfer-target", "original", "consultation", "target_dialog",
    "target-dialog", "campaign", "interaction",
];

/// Reads a dialog, and returns it with its start time.
pub(super) fn read(
    object: Object<'_>,
    parties: &Parties,
    context: &mut Context<'_>,
) -> (Message, Option<Time>) {
    let map = object.copy();
    // The first party is the speaker.
    let places = match map.get("parties") {
        Some(Value::Array(list)) => list.iter().filter_map(first_place).next(),
        Some(other) => other.as_u64(),
        None => None,
    };
    let speaker = map.get("originator").and_then(Value::as_u64).or(places);
    let (speaker, kind) = parties.at(speaker.unwrap_or_default() as usize);
    let mut message = Message::new(&object, None, (&speaker, kind), context);
    let start = map.get("start").and_then(time_of);
    if start.is_none() && map.get("start").is_some_and(|start| !start.is_null()) {
        let reported = format!("`{}start` is not a valid time", object.name());
        context.notes.push(object.note(Severity::Warning, "bad-time", "start", reported));
    }
    message.turn.time.clone_from(&start);
    let is_text = matches!(text(&map, "type"), None | Some("text"));
    if !is_text {
        // Recordings and failed calls have no speaker.
        message.turn.speaker = String::new();
    }
    if message.is_withheld {
        return (message, start);
    }
    let mut blocks = Blocks::default();
    match text(&map, "type").unwrap_or_default() {
        "text" => add_content(&map, &mut message, &mut blocks, context),
        "recording" | "video" | "audio" => blocks.attach(recorded(&map, context)),
        "incomplete" => {
            let reported = text(&map, "disposition").unwrap_or("incomplete");
            blocks.event("incomplete", &reported.replace(['-', '_'], " "));
        }
        "transfer" => blocks.event("transfer", "The call was transferred"),
        kind => context.tally.unknown_skipped(kind),
    }
    message.turn.blocks = blocks.done();
    message.turn.unpublished = rest(map, &KNOWN);
    (message, start)
}

/// Several parties may share a channel; they are a nested list.
fn first_place(value: &Value) -> Option<u64> {
    value.as_u64().or_else(|| value.as_array()?.first()?.as_u64())
}

/// Reads a time in any of the formats that programs have used.
fn time_of(value: &Value) -> Option<Time> {
    dates::of_value(value).or_else(|| dates::letter(value.as_str()?).map(|date| date.time))
}

fn media_type(map: &Map) -> &str {
    first(map, &["mediatype", "mimetype"]).unwrap_or("text/plain")
}

/// Adds a text or an e-mail.
fn add_content(map: &Map, message: &mut Message, blocks: &mut Blocks, context: &mut Context<'_>) {
    let body = match map.get("body") {
        Some(Value::String(body)) => body.clone(),
        Some(Value::Null) | None => {
            // The text is stored elsewhere.
            if first(map, &["url"]).is_some() {
                blocks.attach(recorded(map, context));
            }
            return;
        }
        Some(_) => return context.tally.unknown_skipped("body"),
    };
    let is_encoded = text(map, "encoding").is_some_and(|encoding| encoding.starts_with("base64"));
    let bytes = match is_encoded {
        true => base64_decode(&body).unwrap_or_default(),
        false => body.into_bytes(),
    };
    // It may be a folded header field.
    let head = format!("Content-Type: {}\r\n", media_type(map).replace(char::is_control, " "));
    let fields = Fields::read(head.as_bytes());
    let mime = fields.as_ref().map(Fields::mime).unwrap_or_default();
    let of_kind = |key| fields.as_ref()?.of_kind(key);
    let words = || decode::in_encoding(of_kind("charset").filter(|_| is_encoded), &bytes);
    match mime.as_str() {
        "message/rfc822" => add_mail(&bytes, is_encoded, message, blocks, context),
        several if several.starts_with("multipart/") => {
            let mail = [head.as_bytes(), b"\r\n", &bytes].concat();
            if mail::is_divided(&mail) {
                add_mail(&mail, is_encoded, message, blocks, context);
            } else if of_kind("boundary").is_some() {
                // With another boundary, the text would be shown with the headers of its parts.
                context.tally.unknown_skipped(several);
            } else {
                blocks.push_text(&verbatim_lines(&words()), false);
            }
        }
        "text/html" => blocks.push_text(&html::to_markdown(&words()), false),
        "text/markdown" => blocks.push_text(&words(), false),
        text if text.is_empty() || text.starts_with("text/") => {
            blocks.push_text(&verbatim_lines(&words()), false);
        }
        kind => context.tally.unknown_skipped(kind),
    }
}

/// Adds an e-mail, and withholds the message if it asks not to be published.
fn add_mail(
    bytes: &[u8],
    is_encoded: bool,
    message: &mut Message,
    blocks: &mut Blocks,
    context: &mut Context<'_>,
) {
    let bytes = decode::without_mark(bytes).trim_ascii_start();
    if mail::is_withheld(bytes, context.tally) {
        message.is_withheld = true;
        return;
    }
    // A text in JSON is Unicode, and speakers are shown by their roles.
    let origin = Origin { is_utf8: !is_encoded, hides_names: true };
    let read = mail::body(bytes, origin, context.tally);
    let place = message.turn.place;
    context.notes.extend(read.loss_note(message.start.start).map(|note| note.in_file(place.file)));
    read.blocks.into_iter().for_each(|block| blocks.push(block));
}

/// Returns a recording: its bytes, or its public URL.
fn recorded(map: &Map, context: &mut Context<'_>) -> Attachment {
    let mime = first(map, &["mediatype", "mimetype"]);
    let name = first(map, &["filename"]).unwrap_or("recording");
    let bytes = text(map, "body").and_then(base64_decode).filter(|bytes| !bytes.is_empty());
    match bytes {
        Some(bytes) => Attachment {
            mime: mime.map(str::to_owned),
            size: Some(bytes.len() as u64),
            content: Content::Base64(base64_encode(&bytes)),
            ..Attachment::new(name, kind_of(name, mime))
        },
        None => {
            let mut described = Map::new();
            described.insert("name".to_owned(), name.into());
            described.extend(mime.map(|mime| ("type".to_owned(), mime.into())));
            described.extend(map.get("url").map(|url| ("url".to_owned(), url.clone())));
            file(&described, context.tally)
        }
    }
}

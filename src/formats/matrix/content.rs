//! The content of events.

use super::names::Names;
use crate::shared::agents::thread::{text, whole};
use crate::shared::people::channel::{Prose, Style, event_block, plain};
use crate::shared::tally::Tally;
use crate::shared::text::attachment_kind::kind_of;
use crate::shared::text::html::{Token, attribute, name, to_markdown, tokens};
use convo_base::json::{Map, Value};
use convo_base::model::{Attachment, AttachmentKind, Block};

/// Reads the content of a message.
pub(super) fn content(content: &Map, names: &Names, tally: &mut Tally) -> Vec<Block> {
    let body = text(content, "body").unwrap_or_default();
    match text(content, "msgtype").unwrap_or("m.sticker") {
        "m.text" | "m.notice" => words(content, body, names).into_iter().collect(),
        "m.emote" => {
            let mut prose = Prose::default();
            prose.add(&names.in_text(body), Style::ITALIC);
            prose.done().into_iter().collect()
        }
        "m.image" | "m.sticker" => file(content, body, AttachmentKind::Image, names, tally),
        "m.audio" => file(content, body, AttachmentKind::Audio, names, tally),
        "m.video" => file(content, body, AttachmentKind::Video, names, tally),
        "m.file" => {
            let info = content.get("info").and_then(Value::as_object);
            let mime = info.and_then(|info| text(info, "mimetype"));
            file(content, body, kind_of(body, mime), names, tally)
        }
        "m.location" => vec![event_block("location", "")],
        other => {
            tally.unknown_skipped(other);
            Vec::new()
        }
    }
}

/// Reads a typed text. A reply begins with a copy of the message it replies to, which is removed.
fn words(content: &Map, body: &str, names: &Names) -> Option<Block> {
    let html = text(content, "formatted_body");
    if let Some(html) = html.filter(|_| text(content, "format") == Some("org.matrix.custom.html")) {
        let text = to_markdown(&without_accounts(html, names));
        return (!text.trim().is_empty()).then_some(Block::Markdown { text });
    }
    let is_answer = content.get("m.relates_to").is_some_and(|of| of.get("m.in_reply_to").is_some());
    let body = match is_answer && body.starts_with("> <") {
        true => body.split_once("\n\n").map_or(body, |(_, body)| body),
        false => body,
    };
    plain(&names.in_text(body))
}

/// Returns HTML without the copy of the replied-to message and without links to accounts.
fn without_accounts(html: &str, names: &Names) -> String {
    let mut out = String::with_capacity(html.len());
    let (mut is_repeated, mut is_account) = (false, false);
    for token in tokens(html) {
        match token {
            Token::Text(text) if !is_repeated => out.push_str(&names.in_text(text)),
            Token::Text(_) => {}
            Token::Tag(tag) => match name(tag) {
                (tag, is_end) if tag == "mx-reply" => is_repeated = !is_end,
                _ if is_repeated => {}
                (bare, false) if bare == "a" => {
                    let href = attribute(tag, "href").unwrap_or_default();
                    let mark = ["matrix.to/#/@", "matrix.to/#/%40", "matrix:u/"];
                    is_account = mark.iter().any(|mark| href.contains(mark));
                    if !is_account {
                        out.push_str(&format!("<{tag}>"));
                    }
                }
                (bare, true) if bare == "a" && is_account => is_account = false,
                // Pictures are stored on the servers of accounts.
                (bare, _) if bare == "img" => {
                    out.push_str(&attribute(tag, "alt").unwrap_or_default());
                }
                _ => out.push_str(&format!("<{tag}>")),
            },
        }
    }
    out
}

/// Reads a file, which is exported by name only, and its caption.
fn file(
    content: &Map,
    body: &str,
    kind: AttachmentKind,
    names: &Names,
    tally: &mut Tally,
) -> Vec<Block> {
    tally.missing_file();
    let info = content.get("info").and_then(Value::as_object);
    let name = text(content, "filename");
    let caption = name.filter(|name| *name != body).and_then(|_| words(content, body, names));
    let name = name.unwrap_or(body);
    let name = if name.is_empty() { kind.word() } else { name };
    let attachment = Attachment {
        mime: info.and_then(|info| text(info, "mimetype")).map(str::to_owned),
        size: info.and_then(|info| whole(info.get("size"))),
        ..Attachment::new(name, kind)
    };
    [Block::Attachment(Box::new(attachment))].into_iter().chain(caption).collect()
}

/// Reads a poll: its question and answers.
pub(super) fn poll(content: &Map, names: &Names) -> Option<Block> {
    let keys = ["m.poll", "m.poll.start", "org.matrix.msc3381.poll.start"];
    let poll = keys.iter().find_map(|key| content.get(*key)?.as_object())?;
    let text_of = |of: &Map| {
        let keys = ["org.matrix.msc1767.text", "body", "m.text"];
        let text = keys.iter().find_map(|key| text(of, key));
        names.in_text(text.unwrap_or_default())
    };
    let mut prose = Prose::default();
    if let Some(question) = poll.get("question").and_then(Value::as_object) {
        prose.plain(&text_of(question));
    }
    let answers = poll.get("answers").and_then(Value::as_array);
    for answer in answers.into_iter().flatten().filter_map(Value::as_object) {
        prose.item(&text_of(answer));
    }
    prose.done()
}

//! The media of a message.

use crate::shared::people::channel::{Contacts, Message, Prose, event_block};
use crate::shared::tally::Tally;
use crate::shared::text::attachment_kind::kind_of;
use crate::shared::text::html::Element;
use convo_base::model::{Attachment, AttachmentKind, Block, Content};
use convo_base::text::{base_name, percent_encode};

/// Classes of media that were exported, and their kinds.
const FILES: [(&str, AttachmentKind); 9] = [
    ("photo_wrap", AttachmentKind::Image),
    ("sticker_wrap", AttachmentKind::Image),
    ("animated_wrap", AttachmentKind::Video),
    ("video_file_wrap", AttachmentKind::Video),
    ("media_photo", AttachmentKind::Image),
    ("media_video", AttachmentKind::Video),
    ("media_voice_message", AttachmentKind::Audio),
    ("media_audio_file", AttachmentKind::Audio),
    ("media_file", AttachmentKind::File),
];

/// Classes of other media, and the events shown for them. Places, payments and contact cards are not published.
const EVENTS: [(&str, &str); 8] = [
    ("media_call", "call"),
    ("media_contact", "contact"),
    ("media_game", "game"),
    ("media_giveaway", "giveaway"),
    ("media_invoice", "payment"),
    ("media_live_location", "location"),
    ("media_location", "location"),
    ("media_venue", "location"),
];

/// The start of the titles of pictures and videos that disappear after a while.
const PASSING: &str = "Self-destructing";

/// Adds the media to a message.
pub(super) fn media(
    wrap: &Element<'_>,
    message: &mut Message,
    contacts: &mut Contacts,
    tally: &mut Tally,
) {
    for element in wrap.elements() {
        if element.is("media_poll") {
            message.blocks.extend(poll(element, contacts));
            continue;
        }
        if let Some((_, name)) = EVENTS.iter().find(|(class, _)| element.is(class)) {
            let title = title(element).filter(|_| *name == "game").unwrap_or_default();
            message.blocks.push(event_block(name, title));
            continue;
        }
        let Some((_, kind)) = FILES.iter().find(|(class, _)| element.is(class)) else {
            tally.unknown_skipped("media");
            continue;
        };
        message.is_withheld |= title(element).is_some_and(|title| title.starts_with(PASSING));
        message.blocks.push(file(element, *kind, tally));
    }
}

fn title(element: &Element<'_>) -> Option<String> {
    element.find("title").map(Element::words).filter(|title| !title.is_empty())
}

/// Reads a file, which has no link if it was not exported.
fn file(element: &Element<'_>, kind: AttachmentKind, tally: &mut Tally) -> Block {
    let path = element.attribute("href").map(|href| in_chat(&href).to_owned());
    let path = path.filter(|path| !path.is_empty() && !path.contains("://"));
    if path.is_none() {
        tally.missing_file();
    }
    let own = path.as_deref().map(base_name);
    let name = title(element).filter(|_| kind == AttachmentKind::File).or(own.map(str::to_owned));
    let name = name.unwrap_or_else(|| kind.word().to_owned());
    let kind = if kind == AttachmentKind::File { kind_of(&name, None) } else { kind };
    let content = match path {
        Some(path) => Content::Uri(percent_encode(&path)),
        None => Content::Missing,
    };
    Block::Attachment(Box::new(Attachment { content, ..Attachment::new(name, kind) }))
}

/// Returns a path in the folder of the chat. In the export of an account, paths begin at its page.
fn in_chat(href: &str) -> &str {
    match href.rsplit_once("chats/chat_").and_then(|(_, rest)| rest.split_once('/')) {
        Some((_, path)) => path,
        None => href,
    }
}

/// A poll or a checklist: its question and its answers, with the number of votes.
fn poll(poll: &Element<'_>, contacts: &mut Contacts) -> Option<Block> {
    let mut prose = Prose::default();
    if let Some(question) = poll.child("question") {
        prose.plain(&contacts.without_numbers(&question.words()));
    }
    for answer in poll.elements().filter(|element| element.is("answer")) {
        let text = answer.own_text();
        let text = contacts.without_numbers(text.trim().trim_start_matches("- "));
        let votes = answer.child("details").map(Element::words).unwrap_or_default();
        let count: String = votes.chars().take_while(char::is_ascii_digit).collect();
        match count.is_empty() {
            true => prose.item(&text),
            false => prose.item(&format!("{text} ({count})")),
        }
    }
    prose.done()
}

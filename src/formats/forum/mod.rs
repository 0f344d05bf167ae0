//! Forum threads, as returned by the public APIs of their sites.

pub(super) mod discourse;
pub(super) mod hacker_news;
pub(super) mod reddit;

use crate::shared::access::visibility;
use crate::shared::agents::thread::Context;
use crate::shared::json::object::Object;
use crate::shared::people::channel::{Contacts, Message, assemble_unsorted};
use crate::shared::tally::Tally;
use crate::shared::text::html;
use convo_base::json::{Map, Value};
use convo_base::model::{Block, Conversation, Place};

/// The maximum number of comments of a thread.
const MAX_COMMENTS: usize = 200_000;

/// A node of a comment tree that is walked from the top.
struct Node<'v> {
    value: &'v Value,
    /// The id of the parent comment.
    above: Option<String>,
    /// The id of its ancestor that is a direct reply to the post.
    top: Option<String>,
}

/// Walks a tree of comments in page order: each comment before its replies. `visit` reads one, and
/// returns its id and its replies.
fn walk<'v>(
    roots: Vec<&'v Value>,
    post: &str,
    tally: &mut Tally,
    mut visit: impl FnMut(&Node<'v>, &mut Tally) -> Option<(String, Vec<&'v Value>)>,
) {
    let above = (!post.is_empty()).then(|| post.to_owned());
    let node = |value| Node { value, above: above.clone(), top: None };
    let mut waiting: Vec<Node<'v>> = roots.into_iter().rev().map(node).collect();
    let mut count = 0;
    while let Some(next) = waiting.pop() {
        count += 1;
        if count > MAX_COMMENTS {
            tally.not_shown("comment after the first 200,000", "comments after the first 200,000");
            continue;
        }
        let Some((id, below)) = visit(&next, tally) else { continue };
        // A post that is walked together with its comments belongs to no thread.
        let top = next.above.as_ref().and(next.top.clone().or_else(|| Some(id.clone())));
        waiting.extend(below.into_iter().rev().map(|value| Node {
            value,
            above: Some(id.clone()),
            top: top.clone(),
        }));
    }
}

/// Makes the conversation of a thread.
fn conversation(
    id: String,
    title: Option<&str>,
    messages: Vec<Message>,
    context: &mut Context<'_>,
) -> Conversation {
    let title = title.map(str::trim).filter(|title| !title.is_empty());
    let mut read = Conversation {
        id: Some(id),
        title: title.map(str::to_owned),
        kind: Some("discussion".to_owned()),
        ..Conversation::default()
    };
    assemble_unsorted(&mut read, messages, &mut Contacts::default(), context.notes);
    read
}

/// Converts HTML to blocks; returns nothing if no text remains.
fn from_html(html: &str) -> Vec<Block> {
    text_blocks(html::to_markdown(&without_avatars(html)))
}

/// Converts Markdown to blocks.
fn text_blocks(text: String) -> Vec<Block> {
    let text = text.trim().to_owned();
    if text.is_empty() { Vec::new() } else { vec![Block::Markdown { text }] }
}

/// Returns HTML without avatars, and with emoji replaced by their names.
fn without_avatars(html: &str) -> String {
    let mut out = String::with_capacity(html.len());
    for token in html::tokens(html) {
        match token {
            html::Token::Text(text) => out.push_str(text),
            html::Token::Tag(tag) => {
                let class = html::attribute(tag, "class").unwrap_or_default();
                let is_image = html::name(tag).0 == "img";
                if is_image && class.contains("emoji") {
                    out.push_str(&html::attribute(tag, "title").unwrap_or_default());
                } else if !is_image || !class.contains("avatar") {
                    out.push('<');
                    out.push_str(tag);
                    out.push('>');
                }
            }
        }
    }
    out
}

/// Marks of content deleted by its author or a moderator.
const GONE: [&str; 12] = [
    "deleted", "deletedat", "deletedby", "dead", "removed", "removedat", "removedby",
    "removedbycategory", "removalreason", "spam", "bannedby", "bannedatutc",
];

/// Returns whether content was deleted.
fn is_gone(map: &Map) -> bool {
    visibility::is_set_in(map, &GONE)
}

/// Returns whether content is not public. Archived content is public, but no longer accepts
/// replies.
fn is_closed(map: &Map) -> bool {
    visibility::is_marked_but(map, &["archived"])
}

/// Returns the message as its source allows: omitted if it is not public, a placeholder if it was
/// deleted.
fn judged(map: &Map, message: Message) -> Message {
    match is_gone(map) {
        true => deleted(message),
        false => Message { is_withheld: is_closed(map), ..message },
    }
}

/// Returns a placeholder for a deleted message.
fn deleted(message: Message) -> Message {
    let Message { blocks, .. } = Message::event("deleted", "deleted");
    Message { sender: String::new(), blocks, ..message }
}

/// Returns the line of a record, used for everything in it.
fn place(object: &Object<'_>, context: &Context<'_>) -> Place {
    let line = context.lines.line(object.start().start);
    Place { file: object.file(), line, quoted: true }
}

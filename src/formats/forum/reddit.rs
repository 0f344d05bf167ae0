//! Reddit threads, as returned by the site.
//!
//! ```text
//! [ { "kind": "Listing", "data": { "children": [ { "kind": "t3", "data": { "title": …, "selftext": … } } ] } },
//!   { "kind": "Listing", "data": { "children": [ { "kind": "t1", "data": { "body": …, "replies": "" } },
//!     { "kind": "more", "data": { "count": 5 } } ] } } ]
//! ```
//!
//! Replies are another listing, or an empty string.

use super::super::{About, Claim, File, Format, Parsed, Probe, Read};
use super::{Node, conversation, deleted, is_closed, is_gone, judged, place, text_blocks, walk};
use crate::shared::access::visibility::{self, Field, Public};
use crate::shared::agents::thread::{self, Context, ListApp, text, whole};
use crate::shared::json::object::Object;
use crate::shared::people::channel::Message;
use crate::shared::tally::MARKED;
use crate::shared::text::dates::of_value;
use crate::shared::text::entities;
use crate::shared::text::verbatim::verbatim;
use crate::shared::text::web_links::public_url;
use convo_base::json::{self, Map, Step, Value};
use convo_base::model::{Conversation, Place};

pub(crate) const FORMAT: Format = Format {
    name: "reddit",
    title: "Reddit thread",
    source_label: "Reddit",
    between_people: true,
    has_typed_prompts: false,
    about: About {
        what: "A Reddit post with its comments.",
        find: "The URL of the post with `.json` appended, saved as a file.",
        reads: "The post, its URL, and every comment in page order, with what it replies to and \
                which were edited.",
        leaves_out: "Votes, awards, and the text of deleted or removed comments. The number of \
                     comments missing from the file is reported.",
    },
    read: Some(Read::new(claims, parse)),
    write: None,
};

const APP: ListApp = ListApp { read: threads, record: "listing" };
/// The author of a deleted post or comment, and the placeholder texts.
const DELETED: [&str; 3] = ["[deleted]", "[removed]", "[deleted by user]"];

fn claims(probe: &Probe<'_>) -> Claim {
    let text = probe.text;
    let head = text.trim_start();
    let is_listing = head.starts_with('[')
        && json::keys(head[1..].trim_start()).iter().any(|(key, _)| *key == "kind");
    let has = |what: &str| head.contains(what);
    match is_listing && has("\"Listing\"") && (has("\"t3\"") || has("\"t1\"")) {
        true => Claim::Signature,
        false => Claim::No,
    }
}

fn parse(files: &[File]) -> Parsed {
    thread::read_lists(&APP, files)
}

fn threads(listings: Vec<Object<'_>>, context: &mut Context<'_>) -> Vec<Conversation> {
    let mut messages = Vec::new();
    let (mut title, mut post) = (None, String::new());
    let mut is_private = false;
    let at = listings.first().map(|first| place(first, context)).unwrap_or_default();
    for listing in listings {
        let source = listing.source();
        let list = &source[listing.place(&[Step::Key("data"), Step::Key("children")])];
        let places = json::elements(list, &[]);
        let listing = Value::Object(listing.rest());
        is_private |= is_list_closed(&listing);
        let children = listing.pointer("/data/children").and_then(Value::as_array);
        let mut comments = Vec::new();
        for (number, child) in children.into_iter().flatten().enumerate() {
            let data = child.get("data").and_then(Value::as_object);
            match (child.get("kind").and_then(Value::as_str), data) {
                (Some("t3"), Some(data)) if post.is_empty() => {
                    text(data, "name").unwrap_or("post").clone_into(&mut post);
                    title = text(data, "title")
                        .filter(|_| !is_gone(data))
                        .map(|title| entities::decoded(title).into_owned());
                    let own = places.get(number).map(|own| &list[own.clone()]);
                    is_private |= !own.is_some_and(is_public);
                    is_private |= is_closed(data) || is_wrapper_closed(child);
                    messages.push(Message { place: at, ..of_post(data, &post) });
                }
                _ => comments.push(child),
            }
        }
        add_comments(comments, &post, at, &mut messages, context);
    }
    if messages.is_empty() {
        return Vec::new();
    }
    let id = format!("reddit-{}", post.strip_prefix("t3_").unwrap_or(&post));
    let mut read = conversation(id, title.as_deref(), messages, context);
    read.private |= is_private;
    vec![read]
}

/// The field in which a post says who can read its subreddit.
const POST_FIELDS: [Field<'_>; 1] = [Field::always(
    &["subreddittype"],
    Public::Words(&["public", "restricted", "archived", "user"]),
)];

/// Returns whether everybody can read the subreddit of a post.
fn is_public(post: &str) -> bool {
    let data = json::members(post).filter(|(key, _)| *key == "data").last();
    data.is_some_and(|(_, data)| visibility::is_public(data, &POST_FIELDS))
}

/// Returns whether the object around a post, a comment or a listing is marked as not public. What
/// it contains is checked separately.
fn is_wrapper_closed(wrapper: &Value) -> bool {
    let wrapper = wrapper.as_object();
    wrapper.is_some_and(|wrapper| visibility::is_marked_but(wrapper, &["data"]))
}

/// Returns whether a listing is marked as not public, apart from its elements.
fn is_list_closed(listing: &Value) -> bool {
    let data = listing.get("data").and_then(Value::as_object);
    is_wrapper_closed(listing)
        || data.is_some_and(|data| visibility::is_marked_but(data, &["children"]))
}

fn of_post(data: &Map, id: &str) -> Message {
    let mut blocks = Vec::new();
    let is_self = data.get("is_self") == Some(&Value::Bool(true));
    if let Some(url) = text(data, "url").filter(|_| !is_self).and_then(public_url) {
        blocks.extend(text_blocks(format!("<{url}>")));
    }
    blocks.extend(written(data, "selftext"));
    if blocks.is_empty() {
        let title = text(data, "title").unwrap_or_default();
        blocks.extend(text_blocks(verbatim(&entities::decoded(title))));
    }
    message(data, id.to_owned(), blocks)
}

fn add_comments(
    comments: Vec<&Value>,
    post: &str,
    at: Place,
    messages: &mut Vec<Message>,
    context: &mut Context<'_>,
) {
    walk(comments, post, context.tally, |node, tally| {
        let data = node.value.get("data").and_then(Value::as_object);
        let (Some(kind), Some(data)) = (node.value.get("kind").and_then(Value::as_str), data)
        else {
            tally.not_shown("malformed comment", "malformed comments");
            return None;
        };
        match kind {
            "t1" => {
                let (mut message, mut below) = comment(data, node, post);
                message.is_withheld |= is_wrapper_closed(node.value);
                if data.get("replies").is_some_and(is_list_closed) {
                    tally.add_all(MARKED, below.len() as u64);
                    below.clear();
                }
                let id = message.id.clone();
                messages.push(Message { place: at, ..message });
                Some((id, below))
            }
            "more" => {
                for _ in 0..whole(data.get("count")).unwrap_or(1).min(100_000) {
                    tally.not_shown(
                        "comment missing from the file",
                        "comments missing from the file",
                    );
                }
                None
            }
            kind => {
                tally.unknown_skipped(kind);
                None
            }
        }
    });
}

fn comment<'v>(data: &'v Map, node: &Node<'v>, post: &str) -> (Message, Vec<&'v Value>) {
    let id = text(data, "name").or(text(data, "id")).unwrap_or_default().to_owned();
    let blocks = written(data, "body").into_iter().collect();
    let found = Message {
        answers: node.above.clone().filter(|above| above != post),
        thread: node.top.clone(),
        ..message(data, id, blocks)
    };
    let below = data.get("replies").and_then(|replies| replies.pointer("/data/children"));
    (found, below.and_then(Value::as_array).into_iter().flatten().collect())
}

fn message(data: &Map, id: String, blocks: Vec<convo_base::model::Block>) -> Message {
    let author = text(data, "author").filter(|author| !DELETED.contains(author));
    let found = Message {
        id,
        sender: author.unwrap_or_default().to_owned(),
        time: data.get("created_utc").and_then(of_value),
        is_edited: data.get("edited").is_some_and(Value::is_number),
        blocks,
        ..Message::default()
    };
    let is_empty = found.blocks.is_empty() || found.sender.is_empty();
    judged(data, if is_empty { deleted(found) } else { found })
}

/// Returns the Markdown under a key, in which HTML is escaped.
fn written(data: &Map, key: &str) -> Option<convo_base::model::Block> {
    let text = text(data, key).filter(|text| !DELETED.contains(&text.trim()))?;
    text_blocks(with_named_pictures(&entities::decoded(text))).pop()
}

/// The maximum number of bytes of a picture name.
const MAX_NAME: usize = 120;

/// Replaces pictures that have a Reddit-specific name instead of a URL with text, or with a link if
/// there is one: `![gif](giphy|abc)`, `![img](emote|t5_x|123)`, `![img](abc)`.
fn with_named_pictures(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, behind)) = rest.split_once("![") {
        out.push_str(before);
        let picture = named_picture(&behind[..behind.floor_char_boundary(MAX_NAME)]);
        let (count, shown) = picture.unwrap_or_else(|| (0, "![".to_owned()));
        out.push_str(&shown);
        rest = &behind[count..];
    }
    out.push_str(rest);
    out
}

/// Parses such a picture after `![`, and returns its length in bytes and its replacement.
fn named_picture(text: &str) -> Option<(usize, String)> {
    let (label, behind) = text.split_once("](")?;
    let (name, _) = behind.split_once(')')?;
    let is_part = |c: char| c.is_ascii_alphanumeric() || "|_-".contains(c);
    if !["gif", "img"].contains(&label) || name.is_empty() || !name.chars().all(is_part) {
        return None;
    }
    let shown = match name.strip_prefix("giphy|").and_then(|id| id.split('|').next()) {
        Some(id) => format!("[GIF](<https://giphy.com/gifs/{id}>)"),
        None if name.starts_with("emote|") => "*emote*".to_owned(),
        None => "*image*".to_owned(),
    };
    Some((label.len() + 2 + name.len() + 1, shown))
}

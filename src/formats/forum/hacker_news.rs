//! Hacker News threads, as returned by its search API.
//!
//! ```text
//! { "id": 1, "type": "story", "author": "ada", "title": …, "url": …, "text": null, "children": [
//!   { "id": 2, "type": "comment", "author": "bob", "text": "<p>…", "parent_id": 1, "children": [] } ] }
//! ```

use super::super::{About, Claim, File, Format, Parsed, Parts, Probe, Read};
use super::{Node, conversation, deleted, from_html, is_gone, judged, place, text_blocks, walk};
use crate::shared::agents::thread::{self, App, Context, text, words};
use crate::shared::json::object::Object;
use crate::shared::people::channel::Message;
use crate::shared::text::dates::of_value;
use crate::shared::text::verbatim::verbatim;
use crate::shared::text::web_links::public_url;
use convo_base::json::{Map, Value};
use convo_base::model::Conversation;

pub(crate) const FORMAT: Format = Format {
    name: "hacker-news",
    title: "Hacker News thread",
    source_label: "Hacker News",
    between_people: true,
    has_typed_prompts: false,
    about: About {
        what: "A Hacker News story with its comments.",
        find: "`hn.algolia.com/api/v1/items/ID`, with the number from the URL of the story, saved \
               as `.json`.",
        reads: "The story, its URL, and every comment in page order, with what it replies to.",
        leaves_out: "Points, and the text of deleted comments.",
    },
    read: Some(Read::new(claims, parse).parts(Parts::Records)),
    write: None,
};

const APP: App = App { lists: &[], read: story };

fn claims(probe: &Probe<'_>) -> Claim {
    let keys = probe.keys();
    let has = |name: &str| keys.iter().any(|(key, _)| *key == name);
    match has("children") && has("created_at_i") && (has("story_id") || has("points")) {
        true => Claim::Signature,
        false => Claim::No,
    }
}

fn parse(files: &[File]) -> Parsed {
    thread::read(&APP, files)
}

/// Types of items.
const KINDS: [&str; 6] = ["", "story", "comment", "job", "poll", "pollopt"];

fn story(mut object: Object<'_>, context: &mut Context<'_>) -> Option<Conversation> {
    let private = object.holds_back("private", &["children"], context.notes);
    let at = place(&object, context);
    let story = Value::Object(object.rest());
    let map = story.as_object()?;
    let title = text(map, "title").filter(|_| !is_gone(map)).map(str::to_owned);
    let mut messages = Vec::new();
    let id = map.get("id").and_then(words).unwrap_or_default();
    walk(vec![&story], "", context.tally, |node, tally| {
        let Some(map) = node.value.as_object() else {
            tally.not_shown("malformed comment", "malformed comments");
            return None;
        };
        let kind = text(map, "type").unwrap_or_default();
        if !KINDS.contains(&kind) {
            tally.unknown_skipped(kind);
            return None;
        }
        let (message, below) = comment(map, node, &id);
        let id = message.id.clone();
        messages.push(Message { place: at, ..message });
        Some((id, below))
    });
    let mut read = conversation(format!("hacker-news-{id}"), title.as_deref(), messages, context);
    read.private |= private;
    Some(read)
}

fn comment<'v>(map: &'v Map, node: &Node<'v>, story: &str) -> (Message, Vec<&'v Value>) {
    let id = map.get("id").and_then(words).unwrap_or_default();
    let is_story = node.above.is_none();
    let mut blocks = Vec::new();
    if let Some(url) = text(map, "url").filter(|_| is_story).and_then(public_url) {
        blocks.extend(text_blocks(format!("<{url}>")));
    }
    blocks.extend(text(map, "text").map(from_html).into_iter().flatten());
    if is_story && blocks.is_empty() {
        blocks.extend(
            text(map, "title").map(|title| text_blocks(verbatim(title))).into_iter().flatten(),
        );
    }
    let message = Message {
        id,
        sender: text(map, "author").unwrap_or_default().to_owned(),
        time: map.get("created_at").and_then(of_value),
        blocks,
        answers: node.above.clone().filter(|above| above != story),
        thread: node.top.clone(),
        ..Message::default()
    };
    let is_empty = message.sender.is_empty() || message.blocks.is_empty();
    let message = if is_empty { deleted(message) } else { message };
    let message = judged(map, message);
    let below = map.get("children").and_then(Value::as_array);
    (message, below.into_iter().flatten().collect())
}

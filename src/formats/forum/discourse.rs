//! Topics of Discourse forums.
//!
//! ```text
//! { "id": 7, "title": …, "post_stream": { "stream": [70, 71, 72], "posts": [ { "id": 70, "username": "ada",
//!   "cooked": "<p>…", "post_number": 2, "reply_to_post_number": 1, "post_type": 1, "version": 2 } ] } }
//! ```
//!
//! The site returns only the first twenty posts, and the ids of all posts.

use super::super::{About, Claim, File, Format, Parsed, Parts, Probe, Read};
use super::{conversation, deleted, from_html, place};
use crate::shared::access::visibility::{self, Field, Public};
use crate::shared::agents::thread::{self, App, Context, text, whole, words};
use crate::shared::json::object::Object;
use crate::shared::people::channel::Message;
use crate::shared::text::dates::of_value;
use convo_base::json::{self, Map, Step, Value};
use convo_base::model::Conversation;

pub(crate) const FORMAT: Format = Format {
    name: "discourse",
    title: "Discourse topic",
    source_label: "Discourse",
    between_people: true,
    has_typed_prompts: false,
    about: About {
        what: "A topic of a Discourse forum.",
        find: "The URL of the topic with `.json` appended, saved as a file; with `?print=true` it \
               has up to 1,000 posts.",
        reads: "Posts with their authors and times, what they reply to, and which were edited.",
        leaves_out: "Avatars, likes, whispers and hidden posts. The number of posts missing from \
                     the file is reported. Personal messages are withheld.",
    },
    read: Some(Read::new(claims, parse).parts(Parts::Records)),
    write: None,
};

const APP: App = App { lists: &[], read: topic };
/// The author of posts without one.
const ANONYMOUS: &str = "Anonymous";
/// Keys that do not say who may read the topic.
const VENDORS: [&str; 5] = ["post_stream", "details", "suggested_topics", "archived", "closed"];

fn claims(probe: &Probe<'_>) -> Claim {
    let keys = probe.keys();
    let has = |name: &str| keys.iter().any(|(key, _)| *key == name);
    let is_topic = has("post_stream") && (has("title") || has("fancy_title") || has("id"));
    if is_topic { Claim::Signature } else { Claim::No }
}

fn parse(files: &[File]) -> Parsed {
    thread::read(&APP, files)
}

fn topic(mut object: Object<'_>, context: &mut Context<'_>) -> Option<Conversation> {
    let mut private = object.holds_back("private", &VENDORS, context.notes);
    private |= !is_public(&object);
    let at = place(&object, context);
    let source = object.source();
    let places = object.place(&[Step::Key("post_stream"), Step::Key("posts")]);
    let topic = object.rest();
    let stream = topic.get("post_stream").and_then(Value::as_object)?;
    let listed = stream.get("posts").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    let places = json::elements(&source[places.clone()], &[])
        .into_iter()
        .map(|at| &source[places.start + at.start..places.start + at.end]);
    let posts = listed.iter().zip(places);
    let posts: Vec<(&Map, &str)> =
        posts.filter_map(|(post, json)| Some((post.as_object()?, json))).collect();
    for _ in posts.len()..listed.len() {
        context.tally.not_shown("malformed post", "malformed posts");
    }
    let all = stream.get("stream").and_then(Value::as_array).map_or(0, Vec::len);
    for _ in listed.len()..all {
        context.tally.not_shown("post missing from the file", "posts missing from the file");
    }
    let messages = posts.into_iter();
    let messages =
        messages.map(|(post, json)| Message { place: at, ..message(post, json) }).collect();
    let id = topic.get("id").and_then(words).unwrap_or_default();
    let slug = text(&topic, "slug").unwrap_or_default();
    let mut read =
        conversation(format!("discourse-{id}-{slug}"), text(&topic, "title"), messages, context);
    read.private |= private;
    let tags = topic.get("tags").and_then(Value::as_array).into_iter().flatten();
    let name = |tag: &Value| tag.as_str().or_else(|| tag.get("name")?.as_str()).map(str::to_owned);
    read.tags = tags.filter_map(name).collect();
    read.private |= read.tags.iter().any(|tag| visibility::is_closed_label(tag));
    Some(read)
}

/// Fields in which a topic says who can read it.
const TOPIC_FIELDS: [Field<'_>; 2] = [
    Field::always(&["archetype"], Public::Words(&["regular", "banner"])),
    Field::optional(&["readrestricted", "categoryreadrestricted", "iswarning"], Public::False),
];
/// Fields of the details of a topic. Only personal messages list their recipients.
const DETAIL_FIELDS: [Field<'_>; 1] =
    [Field::optional(&["allowedusers", "allowedgroups"], Public::Nothing)];
/// The field in which a post says who can read it. Staff-only posts have another type.
const POST_FIELDS: [Field<'_>; 1] =
    [Field::always(&["posttype"], Public::Numbers(&[1.0, 2.0, 3.0]))];

/// Returns whether everybody can read a topic.
fn is_public(object: &Object<'_>) -> bool {
    let details = object.get("details").and_then(Value::as_object);
    object.is_public(&TOPIC_FIELDS)
        && details.is_none_or(|details| visibility::is_public_in(details, &DETAIL_FIELDS))
}

/// Reads a post. `json` is its source text.
fn message(post: &Map, json: &str) -> Message {
    let number = |key: &str| post.get(key).and_then(words);
    let is_set = |marks: &[&str]| visibility::is_set(json, marks);
    let kind = post.get("post_type").and_then(Value::as_u64).unwrap_or_default();
    let name = text(post, "name").filter(|name| !name.trim().is_empty());
    let is_hidden = is_set(&["hidden", "hiddenreasonid", "cookedhidden"])
        || visibility::is_held_back(json, &[]);
    let found = Message {
        id: number("post_number").unwrap_or_default(),
        sender: name.or(text(post, "username")).unwrap_or(ANONYMOUS).to_owned(),
        time: post.get("created_at").and_then(of_value),
        blocks: text(post, "cooked").map(from_html).unwrap_or_default(),
        answers: number("reply_to_post_number"),
        is_edited: whole(post.get("version")).is_some_and(|version| version > 1),
        is_withheld: !visibility::is_public(json, &POST_FIELDS) || is_hidden,
        ..Message::default()
    };
    let is_gone = is_set(&["userdeleted", "deletedat", "deletedby"]);
    match kind {
        _ if is_gone => deleted(Message { is_withheld: false, ..found }),
        // Moderator actions.
        3 => {
            let what = text(post, "action_code").unwrap_or("action").replace('.', " ");
            Message {
                sender: String::new(),
                ..Message { blocks: Message::event("action", what).blocks, ..found }
            }
        }
        _ => found,
    }
}

//! OASST: trees of messages that people wrote and ranked.
//!
//! ```text
//! {"message_tree_id": "…", "prompt": {"message_id": "…", "role": "prompter", "text": "…", "replies": […]}}
//! {"message_tree_id": "…", "message_id": "…", "parent_id": "…", "role": "assistant", "rank": 0, "text": "…"}
//! ```
//!
//! The main path takes the reply with the best rank at every fork; the others are branches. In the second
//! form, each line is a message. The authors of messages are never kept.

use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};
use std::ops::Range;

use super::{About, Claim, File, Format, Parsed, Parts, Probe, Read};
use crate::shared::access::visibility;
use crate::shared::agents::tree::{self, Node};
use crate::shared::agents::turns::{TreeMessage, along};
use crate::shared::json::object::Object;
use crate::shared::json::records::{Record, records};
use crate::shared::tally::{Tally, WITHHELD};
use convo_base::diag::{Counted, Note, Severity};
use convo_base::json::{Map, Value};
use convo_base::model::{Conversation, Kind, Place, Turn, Usage, turn_id};
use convo_base::time::Time;

pub(super) const FORMAT: Format = Format {
    name: "oasst",
    title: "OASST message trees",
    source_label: "OASST",
    between_people: false,
    has_typed_prompts: true,
    about: About {
        what: "Message trees of the OpenAssistant dataset.",
        find: "JSON Lines files with `message_tree_id`.",
        reads: "Each tree as a conversation: the highest-ranked messages, and the rest as branches.",
        leaves_out: "User ids, and deleted messages.",
    },
    read: Some(Read::new(claims, parse).parts(Parts::Records)),
    write: None,
};

fn claims(probe: &Probe<'_>) -> Claim {
    let text = probe.text;
    let keys = probe.keys();
    let has = |name: &str| keys.iter().any(|(key, _)| *key == name);
    let is_tree = has("prompt") && text.contains("\"prompter\"");
    let is_message = has("message_id") && has("role") && has("text");
    match has("message_tree_id") && (is_tree || is_message) {
        true => Claim::Signature,
        false => Claim::No,
    }
}

/// The messages of a tree.
#[derive(Default)]
struct Tree {
    id: String,
    messages: Vec<Message>,
    unpublished: Map,
    /// Whether it is marked as private as a whole.
    is_private: bool,
}

/// A message of a tree.
struct Message {
    id: String,
    parent: Option<String>,
    rank: i64,
    is_deleted: bool,
    turn: Turn,
    language: Option<String>,
}

fn parse(files: &[File]) -> Parsed {
    let mut parsed = Parsed::default();
    for (index, file) in files.iter().enumerate() {
        let mut reader = Reader { file: index, line: 1, ..Reader::default() };
        let mut broken = Vec::new();
        for Record { value, at, .. } in records(file, index, &[], &mut broken) {
            let above = file.text.get(reader.counted..at.start).unwrap_or_default();
            reader.line += above.matches('\n').count() as u32;
            reader.counted = at.start;
            reader.record(value, at, &file.text);
        }
        parsed.notes.append(&mut broken);
        parsed.notes.append(&mut reader.notes);
        let trees = std::mem::take(&mut reader.trees);
        parsed.conversations.extend(trees.into_iter().filter_map(conversation));
        parsed.notes.extend(reader.tally.notes().map(|note| note.in_file(index)));
    }
    parsed
}

/// Records that lack required keys.
const BROKEN: Counted = Counted::new(
    Severity::Error,
    "missing-key",
    "record has no `message_id` or no `text`",
    "records have no `message_id` or no `text`",
)
.hint("only these messages and the replies to them are skipped");

#[derive(Default)]
struct Reader {
    file: usize,
    line: u32,
    counted: usize,
    trees: Vec<Tree>,
    places: HashMap<String, usize>,
    tally: Tally,
    notes: Vec<Note>,
}

impl Reader {
    /// Reads a tree or a message at this place in the text of the file.
    fn record(&mut self, value: Value, at: Range<usize>, file: &str) {
        let Value::Object(mut map) = value else {
            return self.tally.add_at(BROKEN, 0, at);
        };
        let id = text(&mut map, "message_tree_id").unwrap_or_default();
        let new = self.trees.len();
        let place = match id.is_empty() {
            true => new,
            false => *self.places.entry(id.clone()).or_insert(new),
        };
        if place == new {
            self.trees.push(Tree { id, ..Tree::default() });
        }
        let messages = match map.shift_remove("prompt") {
            Some(Value::Object(prompt)) => {
                let messages = self.prompt(prompt, &at);
                let mut tree = Object::new(map, file, self.file, at);
                let is_private = tree.holds_back("private", &["prompt"], &mut self.notes);
                let mut rest = tree.rest();
                rest.shift_remove("user_id");
                self.trees[place].is_private |= is_private;
                self.trees[place].unpublished = rest;
                messages
            }
            _ => self.message(map, None, &at).map(|(message, _)| message).into_iter().collect(),
        };
        self.trees[place].messages.extend(messages);
    }

    /// Reads a message with its replies, without recursion.
    fn prompt(&mut self, prompt: Map, at: &Range<usize>) -> Vec<Message> {
        let mut found = Vec::new();
        let mut open = vec![(prompt, None::<String>)];
        while let Some((map, parent)) = open.pop() {
            if let Some((message, replies)) = self.message(map, parent, at) {
                let replies = replies.into_iter().rev().filter_map(|reply| match reply {
                    Value::Object(map) => Some((map, Some(message.id.clone()))),
                    _ => None,
                });
                open.extend(replies);
                found.push(message);
            }
        }
        found
    }

    fn message(
        &mut self,
        mut map: Map,
        parent: Option<String>,
        at: &Range<usize>,
    ) -> Option<(Message, Vec<Value>)> {
        let replies = match map.shift_remove("replies") {
            Some(Value::Array(replies)) => replies,
            _ => Vec::new(),
        };
        let settings = visibility::read_access_of_map(&map, visibility::Scope::Turn);
        let is_deleted =
            visibility::holds_back(&settings) || visibility::is_set_in(&map, &["deleted"]);
        map.shift_remove("deleted");
        let id = text(&mut map, "message_id");
        let body = text(&mut map, "text");
        let role = text(&mut map, "role");
        let (Some(id), Some(body)) = (id, body) else {
            self.tally.add_at(BROKEN, 0, at.clone());
            return None;
        };
        if is_deleted {
            self.tally.add_at(WITHHELD, 0, at.clone());
        }
        let role = role.unwrap_or_default();
        let who = Who::of(&role);
        if let Who::Unknown(name) = &who {
            self.tally.role_at(name, at.clone());
        }
        let speaker = match &who {
            Who::User => "User",
            Who::Assistant => "Assistant",
            Who::System => "System",
            Who::Unknown(name) => name,
        };
        let rank = map.shift_remove("rank").as_ref().and_then(Value::as_i64);
        let parent = text(&mut map, "parent_id").or(parent);
        let language = text(&mut map, "lang");
        let time = text(&mut map, "created_date").and_then(|time| Time::parse(&time).ok());
        let model = text(&mut map, "model_name").filter(|model| !model.is_empty());
        // The author is private.
        map.shift_remove("user_id");
        let place = Place { file: self.file, line: self.line, quoted: true };
        let mut turn = Turn { place, id: turn_id(&id), ..Turn::from_text(speaker, body) };
        turn.time = time.map(|(time, _)| time);
        turn.usage = model.map(|model| Box::new(Usage { model: Some(model), ..Usage::default() }));
        turn.unpublished = map;
        turn.withheld = who == Who::System;
        let rank = rank.unwrap_or(i64::MAX);
        Some((Message { id, parent, rank, is_deleted, turn, language }, replies))
    }
}

/// The role of a message's author.
#[derive(PartialEq, Eq)]
enum Who {
    User,
    Assistant,
    /// System instructions for the assistant.
    System,
    /// Another role, or none.
    Unknown(String),
}

impl Who {
    fn of(role: &str) -> Self {
        let role = role.trim();
        let lower = role.to_lowercase();
        let says = |word: &&str| lower.contains(*word);
        match lower.as_str() {
            "prompter" => Self::User,
            "assistant" => Self::Assistant,
            _ if ["system", "instruction", "memory"].iter().any(says) => Self::System,
            "" | "user" => Self::Unknown("Unknown".to_owned()),
            _ => Self::Unknown(role.to_owned()),
        }
    }
}

fn text(map: &mut Map, key: &str) -> Option<String> {
    match map.shift_remove(key) {
        Some(Value::String(text)) => Some(text),
        _ => None,
    }
}

fn conversation(tree: Tree) -> Option<Conversation> {
    let mut messages = tree.messages;
    // Of duplicate messages, the last one is used.
    let mut seen = HashSet::new();
    messages.reverse();
    messages.retain(|message| seen.insert(message.id.clone()));
    let parents: HashMap<String, Option<String>> = messages
        .iter()
        .filter(|message| message.is_deleted)
        .map(|message| (message.id.clone(), message.parent.clone()))
        .collect();
    messages.retain(|message| !message.is_deleted);
    // A path over missing messages is never longer than their number.
    for message in &mut messages {
        for _ in 0..=parents.len().min(64) {
            match message.parent.as_ref().and_then(|parent| parents.get(parent)) {
                Some(above) => message.parent.clone_from(above),
                None => break,
            }
        }
    }
    // The last of several replies is on the main path, and so is the last root. Without ranks, that must be
    // the first one in the file.
    messages.sort_by_key(|message| (message.parent.is_none(), Reverse(message.rank)));
    let node = |message: &Message| (message.id.clone(), message.parent.clone());
    let names: Vec<(String, Option<String>)> = messages.iter().map(node).collect();
    let nodes = names.iter().map(|(id, parent)| Node { id, parent: parent.as_deref() });
    let nodes: Vec<Node<'_>> = nodes.collect();
    let paths = tree::paths(&nodes, None);
    let mut read = Conversation {
        id: Some(tree.id).filter(|id| !id.is_empty()),
        private: tree.is_private,
        unpublished: tree.unpublished,
        ..Conversation::default()
    };
    let language = paths.main.first().and_then(|at| messages.get(*at)?.language.clone());
    read.languages.extend(language.filter(|tag| !tag.is_empty()));
    let found = messages.into_iter().map(|message| {
        let turn = message.turn;
        let kind = match turn.speaker.as_str() {
            _ if turn.withheld => Kind::System,
            "User" => Kind::Person,
            "Assistant" => Kind::Assistant,
            name => Kind::guess(name),
        };
        Some(TreeMessage { kind, turn, alternatives: Vec::new() })
    });
    along(found.collect(), paths).fill(&mut read);
    read.time = read.turns.iter().find_map(|turn| turn.time.clone());
    (!read.turns.is_empty()).then_some(read)
}

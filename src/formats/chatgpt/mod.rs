//! The data export of ChatGPT.
//!
//! ```text
//! export/
//!   conversations.json                  all conversations, or
//!   conversations-000.json …            a hundred in each file
//!   file-AbC…-photo.png, file_00….dat   pictures, recordings and other files, by their ids
//!   library_files.json                  the names of files that ChatGPT made
//!   user.json, chat.html, …             account data, and the conversations as HTML
//!
//! [ { "title": "…", "create_time": 1700000000.5, "current_node": "…", "mapping": {
//!       "…": { "parent": "…", "children": ["…"], "message": {
//!                "author": { "role": "user" }, "content": { "content_type": "text", … } } } } } ]
//! ```
//!
//! [`nodes`] orders the messages of a record and finds the path that was shown last. [`talk`] makes turns
//! of such a path, with the help of [`content`] for the kinds of contents and [`tools`] for the tools.
//! [`marks`] replaces citation marks by links, according to [`sources`]. [`mod@assets`] handles the other
//! files of an export.
//!
//! Custom instructions, memories, and data from connectors are never read into a conversation.

mod assets;
mod canvas;
mod code;
mod content;
mod conversation;
mod damage;
mod links;
mod marked;
mod marks;
mod message;
mod nodes;
mod sources;
mod talk;
mod tools;
mod unmarked;
mod writing;

use std::collections::{HashMap, HashSet};

use self::conversation::Found;
use super::{About, Claim, File, Format, Parsed, Parts, Probe, Read};
use crate::shared::json::object::lines_of;
use crate::shared::json::records::records_without;
use crate::shared::tally::{EMPTY, Tally};
use convo_base::diag::Note;
use convo_base::json::{self, Value, type_of};
use convo_base::model::{Block, Conversation};

pub(super) const FORMAT: Format = Format {
    name: "chatgpt",
    title: "ChatGPT export",
    source_label: "ChatGPT",
    between_people: false,
    has_typed_prompts: true,
    about: About {
        what: "The data export of a ChatGPT account.",
        find: "In ChatGPT: Settings, Data controls, Export data; you receive a link to a ZIP file by mail.",
        reads: "Every conversation: edits and regenerated answers as branches, thoughts, tool calls with their results, canvas documents, searches with their sources, transcripts of voice chats, and the pictures and files in the export.",
        leaves_out: "Account data, instructions, memories, input and output of third-party tools, hidden messages, temporary chats, voice recordings, group chats, and Codex cloud tasks.",
    },
    read: Some(Read::new(claims, parse).parts(Parts::Records).assets(assets::find)),
    write: None,
};

/// The names of the speakers.
const PERSON: &str = "User";
const ASSISTANT: &str = "ChatGPT";
const SYSTEM: &str = "System";

/// The key of the list of conversations in some exports.
const LIST: &str = "conversations";
/// The key of the messages of a conversation.
const MAPPING: &str = "mapping";
/// The maximum number of records that are searched for one that identifies the export.
const MAX_SHELLS: usize = 50;

fn claims(probe: &Probe<'_>) -> Claim {
    let text = probe.text;
    let text = text.trim_start();
    let list = probe.value(LIST).filter(|list| list.starts_with('['));
    match heads(list.unwrap_or(text)).take(MAX_SHELLS).any(is_conversation) {
        true => Claim::Signature,
        false => Claim::No,
    }
}

/// Iterates over the elements of the array at the start of a text, or over the text as a single value. The
/// last element may be truncated.
fn heads(text: &str) -> impl Iterator<Item = &str> {
    let mut at = usize::from(text.starts_with('['));
    let is_list = at == 1;
    std::iter::from_fn(move || {
        let found = json::value_at(text, at);
        let element = text.get(found.clone()).filter(|element| element.starts_with('{'))?;
        at = match is_list {
            true => text[found.end..].find(',').map_or(text.len(), |comma| found.end + comma + 1),
            false => text.len(),
        };
        Some(element)
    })
}

/// Returns whether a record contains messages by id, each with an author, and no keys of DeepSeek, which
/// uses the same shape.
fn is_conversation(record: &str) -> bool {
    let keys = json::keys(record);
    let has = |key: &str| keys.iter().any(|(known, _)| *known == key);
    let Some((_, mapping)) = keys.iter().find(|(key, _)| *key == "mapping") else {
        return false;
    };
    if has("inserted_at") || !mapping.starts_with('{') {
        return false;
    }
    let is_dated = ["create_time", "current_node"].into_iter().any(has);
    let mut is_node = false;
    for (_, node) in json::keys(mapping) {
        let node = json::keys(node);
        let has = |key: &str| node.iter().any(|(known, _)| *known == key);
        let message = node.iter().find(|(key, _)| *key == "message");
        match message {
            Some((_, message)) if message.starts_with('{') => {
                let keys = json::keys(message);
                let has = |key: &str| keys.iter().any(|(known, _)| *known == key);
                return has("author") && !has("fragments") && !has("inserted_at");
            }
            Some(_) => is_node |= has("parent"),
            // A text that ends inside a long list of children has no further keys of the node.
            None => is_node |= has("parent") && has("children"),
        }
    }
    is_node && is_dated
}

fn parse(files: &[File]) -> Parsed {
    let mut parsed = Parsed::default();
    for (index, file) in files.iter().enumerate() {
        let mut all: Vec<Found> = Vec::new();
        let mut places: HashMap<String, usize> = HashMap::new();
        let mut tally = Tally::default();
        let mut reported = Vec::new();
        let mut held_back: HashSet<String> = HashSet::new();
        let long = Some(MAPPING);
        for record in records_without(long, file, index, &[LIST], &mut parsed.notes) {
            let long = record.long.map(|at| (&file.text[at.clone()], at.start));
            let Value::Object(map) = record.value else {
                let message =
                    format!("a conversation must be an object, not {}", type_of(&record.value));
                let at = record.at.start..record.at.start + 1;
                let note = Note::error("wrong-type", at, message).in_file(index);
                reported.push(note.hint("only this conversation is skipped"));
                continue;
            };
            let found = conversation::read(
                map,
                &file.text[record.at.clone()],
                record.at.start,
                long,
                &mut held_back,
                &mut tally,
                &mut reported,
            );
            let Some(found) = found else { continue };
            let known = found.read.id.as_ref().and_then(|id| places.get(id).copied());
            match known.and_then(|place| all.get_mut(place)) {
                Some(known) if known.is_older_than(&found) => *known = found,
                Some(_) => {}
                None => {
                    let id = found.read.id.clone();
                    places.extend(id.map(|id| (id, all.len())));
                    all.push(found);
                }
            }
        }
        all.iter_mut().for_each(|found| spell_tools(&mut found.read));
        // If one version of a conversation is private, all of them are.
        for found in &mut all {
            let id = found.read.id.as_ref();
            found.read.private |= id.is_some_and(|id| held_back.contains(id));
        }
        // Sort by position, because a duplicate may come after later conversations.
        let mut starts: Vec<(usize, usize)> =
            all.iter().map(|found| found.at).enumerate().collect();
        starts.sort_by_key(|(_, at)| *at);
        let lines = lines_of(&file.text, starts.iter().map(|(_, at)| *at));
        for ((place, _), line) in starts.iter().zip(lines) {
            all[*place].read.all_turns_mut().for_each(|turn| {
                (turn.place.file, turn.place.line, turn.place.quoted) = (index, line, true);
            });
        }
        let found = all.len();
        // A private conversation withholds its other versions elsewhere in the export.
        all.retain(|found| found.read.private || has_words(&found.read));
        tally.add_all(EMPTY, (found - all.len()) as u64);
        reported.extend(tally.notes());
        parsed.notes.extend(reported.into_iter().map(|note| note.in_file(index)));
        parsed.conversations.extend(all.into_iter().map(|found| found.read));
    }
    parsed
}

/// Replaces the technical names of tools by readable ones.
fn spell_tools(read: &mut Conversation) {
    for block in read.all_turns_mut().flat_map(|turn| &mut turn.blocks) {
        if let Block::Tool(call) = block
            && let Some(words) = tools::words_for(&call.name)
        {
            call.name = words.to_owned();
        }
    }
}

/// Returns whether a conversation contains anything but system instructions.
fn has_words(read: &Conversation) -> bool {
    read.all_turns().any(|turn| !turn.withheld)
}

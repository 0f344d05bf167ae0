//! A conversation: its messages in order, and its branches.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use super::message::{self, CLAUDE, Message, Parent, is_blank, is_marked, is_set, message};
use super::reader::Reader;
use crate::shared::access::visibility;
use crate::shared::agents::tree::{Node, Path, Paths, paths};
use crate::shared::agents::turns::{BranchStart, join};
use crate::shared::json::long_list::each_element;
use crate::shared::json::object::Object;
use crate::shared::tally::{EMPTY, Tally};
use convo_base::diag::{Lines, Note, Severity};
use convo_base::json::{Value, type_of};
use convo_base::model::{Conversation, turn_id};

/// The key of the messages.
pub(super) const MESSAGES: &str = "chat_messages";
/// Keys of a conversation that do not affect its visibility.
const VENDORS: [&str; 7] =
    ["chat_messages", "account", "settings", "project", "summary", "name", "title"];
/// Keys with account data or redundant data.
const IGNORED: [&str; 9] = [
    "account", "settings", "platform", "session_id", "organization", "organization_uuid",
    "conversation_id", "current_leaf_message_uuid", "workspace_id",
];

/// Reads a conversation; one without messages is counted. If there are too many messages for the object,
/// `long` is their place. The ids of private conversations are added to `held_back`.
pub(super) fn read(
    mut object: Object<'_>,
    long: Option<Range<usize>>,
    file: usize,
    lines: &Lines<'_>,
    held_back: &mut HashSet<String>,
    tally: &mut Tally,
    notes: &mut Vec<Note>,
) -> Option<Conversation> {
    let private = object.holds_back("private", &VENDORS, notes) || is_fleeting(&object);
    let id = ["uuid", "id"].iter().find_map(|key| object.get(key)?.as_str());
    held_back.extend(id.filter(|id| private && !id.is_empty()).map(str::to_owned));
    let mut read = Conversation { private, ..Default::default() };
    // A private conversation withholds its other versions in other files, even if it has no messages.
    let shell = id.filter(|id| private && !id.is_empty()).map(|id| Conversation {
        id: Some(id.to_owned()),
        private,
        ..Default::default()
    });
    if !object.has(MESSAGES) {
        let note = object.missing(Severity::Warning, MESSAGES);
        notes.push(note.hint("only this conversation is skipped"));
        return shell;
    }
    let title = |key: &str, object: &mut Object<'_>, notes: &mut Vec<Note>| {
        object.text(key, notes).filter(|title| !title.trim().is_empty())
    };
    read.title = title("name", &mut object, notes).or_else(|| title("title", &mut object, notes));
    let id = object.text("uuid", notes).or_else(|| object.text("id", notes));
    read.id = id.filter(|id| !id.is_empty());
    read.time = object.time("created_at", notes);
    read.updated = object.time("updated_at", notes);
    let model = object.text("model", notes).filter(|model| !model.is_empty());
    let leaf = object.get("current_leaf_message_uuid").and_then(Value::as_str);
    let leaf = leaf.map(str::to_owned);
    let text = object.source();
    let messages = match messages(&mut object, long, lines, notes) {
        Ok(messages) => messages,
        Err(note) => {
            notes.push(note);
            return shell;
        }
    };
    if messages.is_empty() {
        tally.add(EMPTY);
        return shell;
    }
    let mut rest = object.rest();
    rest.retain(|key, value| !IGNORED.contains(&key.as_str()) && !is_blank(value));
    read.unpublished = rest;
    introduce(&mut read, &messages, model);
    fill(&mut read, messages, (text, file), leaf.as_deref(), tally, notes);
    let is_empty = read.turns.is_empty() && read.branches.is_empty();
    if is_empty { shell } else { Some(read) }
}

/// Returns whether a conversation is temporary, or its settings mark it as private.
fn is_fleeting(object: &Object<'_>) -> bool {
    let settings = object.get("settings").and_then(Value::as_object);
    let says = |key: &&str| {
        let values = [object.get(key), settings.and_then(|map| map.get(*key))];
        values.into_iter().flatten().any(is_set)
    };
    ["is_temporary", "is_incognito"].iter().any(says)
        || settings.is_some_and(message::is_marked_private)
}

/// Parses all messages. Of duplicates, the later one is used. Of messages at `long`, only the places are
/// kept.
fn messages(
    object: &mut Object<'_>,
    long: Option<Range<usize>>,
    lines: &Lines<'_>,
    notes: &mut Vec<Note>,
) -> Result<Vec<Message>, Note> {
    let mut messages: Vec<Message> = Vec::new();
    let mut places: HashMap<String, usize> = HashMap::new();
    let (is_long, file) = (long.is_some(), object.file());
    let mut index = 0;
    each_element(object, MESSAGES, long, notes, &mut |object, (value, at), notes| {
        let name = format!("{MESSAGES}.{index}");
        index += 1;
        let Value::Object(map) = value else {
            let found = type_of(&value);
            let text = format!("`{name}` must be an object, not {found}");
            let at = at.start..at.start + 1;
            let note = Note::error("wrong-type", at, text).in_file(file);
            notes.push(note.hint("only this message is skipped"));
            return;
        };
        let marked = is_marked(&map);
        let object = object.at(map, at.clone()).named(name);
        let mut read = Message {
            is_left_out: marked && object.is_left_out(notes),
            ..message(object, lines, notes)
        };
        if is_long {
            read.put_aside(at);
        }
        match read.id.as_ref().and_then(|id| places.get(id)) {
            Some(place) => {
                let is_left_out = read.is_left_out || messages[*place].is_left_out;
                messages[*place] = Message { is_left_out, ..read };
            }
            None => {
                places.extend(read.id.clone().map(|id| (id, messages.len())));
                messages.push(read);
            }
        }
    })?;
    Ok(messages)
}

/// Adds the participants in order. The model is that of the conversation or, if it has none, the one that
/// wrote all messages.
fn introduce(read: &mut Conversation, messages: &[Message], model: Option<String>) {
    let mut models: HashSet<&str> = HashSet::new();
    for message in messages.iter().filter(|message| !message.is_left_out) {
        read.introduce(&message.speaker, message.kind);
        models.extend(message.model.as_deref());
    }
    let only = models.iter().next().filter(|_| models.len() == 1);
    let model = model.or_else(|| only.map(|model| (*model).to_owned()));
    for who in read.participants.iter_mut().filter(|who| who.name == CLAUDE) {
        who.model.clone_from(&model);
    }
}

/// Converts messages to turns, path by path. Their text is in the file with this number.
fn fill(
    read: &mut Conversation,
    messages: Vec<Message>,
    (text, file): (&str, usize),
    leaf: Option<&str>,
    tally: &mut Tally,
    notes: &mut Vec<Note>,
) {
    let hidden = messages.iter().filter(|message| message.is_left_out);
    read.left_out = hidden.filter_map(|message| Some(turn_id(message.id.as_ref()?))).collect();
    let unshown: Vec<_> =
        messages.iter().filter(|message| message.is_left_out).map(|m| m.start.clone()).collect();
    if let Some(first) = unshown.first() {
        let note = visibility::withheld_turns_note(unshown.len(), first.clone());
        notes.push(note.in_file(file));
    }
    let order = order(&messages, leaf);
    let mut reader = Reader::new(!order.branches.is_empty(), tally);
    let mut messages: Vec<Option<Message>> = messages.into_iter().map(Some).collect();
    let main = Path { after: None, nodes: order.main };
    let (mut turns, mut ways) = (Vec::new(), Vec::new());
    for path in std::iter::once(main).chain(order.branches) {
        let start = path.after.and_then(|node| reader.turn_of(node));
        reader.begin(start);
        for node in path.nodes {
            if let Some(message) = messages.get_mut(node).and_then(Option::take) {
                reader.add(node, message.whole(text));
            }
        }
        ways.push(BranchStart { after: start, ..BranchStart::default() });
        turns.push(reader.end());
    }
    join(read, turns, ways.into_iter().enumerate().skip(1), &HashMap::new());
}

/// Finds the paths through the messages: by their parents or, if none has a parent, in the order of the
/// list.
fn order(messages: &[Message], leaf: Option<&str>) -> Paths {
    let is_tree = messages.iter().any(|message| !matches!(message.parent, Parent::Unknown));
    if !is_tree {
        return Paths { main: (0..messages.len()).collect(), branches: Vec::new() };
    }
    let made_up: Vec<String> = (0..messages.len()).map(|at| format!("#{at}")).collect();
    let id = |at: usize| messages[at].id.as_deref().unwrap_or(&made_up[at]);
    let known: HashSet<&str> = (0..messages.len()).map(id).collect();
    let node = |at: usize| {
        let before = || at.checked_sub(1).map(id);
        let parent = match &messages[at].parent {
            Parent::Nobody => None,
            Parent::Id(parent) if known.contains(parent.as_str()) => Some(parent.as_str()),
            // The parent is not in the export, so the message before this one is used.
            Parent::Id(_) | Parent::Unknown => before(),
        };
        Node { id: id(at), parent }
    };
    let nodes: Vec<Node<'_>> = (0..messages.len()).map(node).collect();
    let leaf = leaf.filter(|leaf| known.contains(leaf));
    paths(&nodes, leaf.or_else(|| newest_leaf(&nodes, messages)))
}

/// Returns the last message without a reply.
fn newest_leaf<'a>(nodes: &[Node<'a>], messages: &[Message]) -> Option<&'a str> {
    let answered: HashSet<&str> = nodes.iter().filter_map(|node| node.parent).collect();
    let leaves = nodes.iter().enumerate().filter(|(_, node)| !answered.contains(node.id));
    let time = |at: usize| messages[at].time.as_ref().map(|time| time.instant());
    leaves.max_by_key(|(at, _)| (time(*at), *at)).map(|(_, node)| node.id)
}

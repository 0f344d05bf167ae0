//! A record of the export: one conversation with all its branches.

use std::collections::{HashMap, HashSet};

use super::message::{is_set, object, seconds, time, words};
use super::nodes::Nodes;
use super::talk::{Talk, read_path};
use super::{ASSISTANT, PERSON};
use crate::shared::access::visibility::{self, Scope, read_access_of_map};
use crate::shared::agents::turns::{BranchStart, join};
use crate::shared::tally::{EMPTY, Tally};
use convo_base::diag::Note;
use convo_base::json::{Map, Value};
use convo_base::model::{Conversation, Kind, Participant};

/// A conversation found in an export.
pub(super) struct Found {
    pub(super) read: Conversation,
    /// The byte of the file at which it starts.
    pub(super) at: usize,
    updated: f64,
    nodes: usize,
}

impl Found {
    /// Returns whether another version of the same conversation is newer or more complete.
    pub(super) fn is_older_than(&self, other: &Self) -> bool {
        let order = self.updated.total_cmp(&other.updated);
        order.then(self.nodes.cmp(&other.nodes)).is_lt()
    }
}

/// Keys of a conversation written by ChatGPT, none of which affects visibility.
const KEYS: [&str; 42] = [
    "id", "conversation_id", "title", "create_time", "update_time", "mapping", "current_node",
    "default_model_slug", "model_slug", "gizmo_id", "gizmo_type", "is_archived", "is_starred",
    "is_study_mode", "is_do_not_remember", "is_read_only", "is_temporary", "is_temporary_chat",
    "is_anonymous", "voice", "pinned_time", "plugin_ids", "safe_urls", "blocked_urls",
    "moderation_results", "memory_scope", "conversation_template_id", "conversation_origin",
    "async_status", "disabled_tool_ids", "context_scopes", "atlas_mode_enabled", "owner",
    "sugar_item_id", "sugar_item_visible", "workspace_id", "snorlax", "continuation_bundle_id",
    "is_incognito", "mcp_connector_link_ids", "resource_mentions", "type",
];

/// Keys whose values are kept for programs but not published.
const UNPUBLISHED: [&str; 11] = [
    "gizmo_id", "gizmo_type", "conversation_template_id", "conversation_origin", "is_archived",
    "is_starred", "is_study_mode", "is_read_only", "pinned_time", "plugin_ids", "voice",
];

/// Reads the record with the text `whole`, which starts at byte `at` of the file. If its `mapping` is too
/// long, it is empty in `map`, and `long` is its text and position. The ids of private conversations are
/// added to `held_back`, even if they have no messages.
pub(super) fn read(
    map: Map,
    whole: &str,
    at: usize,
    long: Option<(&str, usize)>,
    held_back: &mut HashSet<String>,
    tally: &mut Tally,
    notes: &mut Vec<Note>,
) -> Option<Found> {
    let mut access_notes = Vec::new();
    let private = is_private(&map, at, &mut access_notes);
    let id = ["conversation_id", "id"].iter().find_map(|key| words(&map, key));
    let id = id.map(str::to_owned);
    held_back.extend(id.clone().filter(|_| private));
    let Some(mapping) = object(&map, "mapping") else {
        let is_absent = map.get("mapping").is_none_or(Value::is_null);
        match is_absent {
            // Deleted and shared conversations leave entries with only a title.
            true => tally.add(EMPTY),
            false => {
                let message = "`mapping` must be an object";
                let note = Note::error("wrong-type", at..at + 1, message);
                notes.push(note.hint("only this conversation is skipped"));
            }
        }
        // A private conversation withholds its other versions, in other files.
        let read = Conversation { id, private, ..Conversation::default() };
        let found = Found { read, at, updated: f64::NEG_INFINITY, nodes: 0 };
        return Some(found).filter(|found| private && found.read.id.is_some());
    };
    notes.append(&mut access_notes);
    let mut read = Conversation {
        id,
        title: words(&map, "title").map(str::to_owned),
        time: map.get("create_time").and_then(seconds).and_then(time),
        updated: map.get("update_time").and_then(seconds).and_then(time),
        private,
        ..Conversation::default()
    };
    // With `auto`, ChatGPT chooses the model, and each message names it.
    let model = ["default_model_slug", "model_slug"]
        .iter()
        .find_map(|key| words(&map, key))
        .filter(|model| *model != "auto");
    let nodes = match long {
        Some((text, start)) => match Nodes::of_text(text, start, notes) {
            Ok(nodes) => nodes,
            Err(note) => {
                notes.push(note);
                // A private conversation withholds its other versions.
                let read = Conversation { id: read.id, private, ..Conversation::default() };
                let found = Found { read, at, updated: f64::NEG_INFINITY, nodes: 0 };
                return Some(found).filter(|found| private && found.read.id.is_some());
            }
        },
        None => Nodes::new(mapping, whole, at, notes),
    };
    read_turns(&mut read, &nodes, words(&map, "current_node"), at, tally, notes);
    introduce(&mut read, model);
    let kept = UNPUBLISHED.into_iter().filter_map(|key| {
        let value = map.get(key).filter(|value| {
            !value.is_null() && **value != false && !matches!(value, Value::Object(_))
        })?;
        Some((key.to_owned(), value.clone()))
    });
    read.unpublished = kept.collect();
    let updated = map.get("update_time").and_then(seconds).unwrap_or_default();
    Some(Found { read, at, updated, nodes: nodes.len() })
}

/// Returns whether this is a temporary chat, or is marked as private.
fn is_private(map: &Map, at: usize, notes: &mut Vec<Note>) -> bool {
    let is_fleeting = ["is_temporary", "is_temporary_chat", "is_do_not_remember", "is_incognito"]
        .iter()
        .any(|key| map.get(*key).is_some_and(is_set));
    let own = map.iter().filter(|(key, _)| !KEYS.contains(&key.as_str()));
    let own: Map = own.map(|(key, value)| (key.clone(), value.clone())).collect();
    let settings = read_access_of_map(&own, Scope::Conversation);
    notes.extend(visibility::notes(&settings, |_| at..at + 1));
    is_fleeting || visibility::holds_back(&settings)
}

/// Reads the main path and the branches.
fn read_turns(
    read: &mut Conversation,
    nodes: &Nodes<'_>,
    current: Option<&str>,
    at: usize,
    tally: &mut Tally,
    notes: &mut Vec<Note>,
) {
    let paths = nodes.paths(current);
    let thread = read.id.clone().unwrap_or_default();
    let mut ways = Ways {
        talks: Vec::with_capacity(paths.branches.len() + 1),
        shown_in: vec![None; nodes.len()],
        steps: vec![(0, 0); nodes.len()],
    };
    let main = std::iter::once((None, &paths.main));
    let branches = paths.branches.iter().map(|path| (path.after, &path.nodes));
    for (parting, path) in main.chain(branches) {
        let above = parting.and_then(|node| ways.fork_turn(node));
        let talk = read_path(nodes, path, &thread, at, tally);
        let way = ways.talks.len();
        for (step, (node, turn)) in path.iter().zip(&talk.places).enumerate() {
            ways.steps[*node] = (way, step);
            ways.shown_in[*node] = match (turn, nodes.parent(*node)) {
                (Some(turn), _) => Some((way, *turn)),
                // A message that is not shown has the place of the message before it.
                (None, Some(parent)) => ways.shown_in[parent],
                (None, None) => None,
            };
        }
        ways.talks.push((above, talk));
    }
    let left_out: usize = ways.talks.iter().map(|(_, talk)| talk.left_out).sum();
    notes.extend((left_out > 0).then(|| visibility::withheld_turns_note(left_out, at..at + 1)));
    read.left_out = ways.talks.iter().flat_map(|(_, talk)| talk.hidden.clone()).collect();
    let talks = ways.talks.into_iter();
    let (ways, turns): (Vec<BranchStart>, _) = talks
        .map(|(after, talk)| (BranchStart { after, ..BranchStart::default() }, talk.turns))
        .unzip();
    join(read, turns, ways.into_iter().enumerate().skip(1), &HashMap::new());
}

/// The paths read so far.
struct Ways {
    /// Each path, with the path and index of the turn that it follows.
    talks: Vec<(Option<(usize, usize)>, Talk)>,
    /// For each message, the turn that shows it, or the turn before it.
    shown_in: Vec<Option<(usize, usize)>>,
    /// For each message, its path and its place in it.
    steps: Vec<(usize, usize)>,
}

impl Ways {
    /// Returns the turn that a branch from a message follows. If the turn of that message continues after
    /// it, the branch is an alternative to the turn, and follows the turn before it.
    fn fork_turn(&self, node: usize) -> Option<(usize, usize)> {
        let (way, turn) = self.shown_in[node]?;
        let (above, talk) = self.talks.get(way)?;
        let (own_way, step) = self.steps[node];
        let continues = own_way == way && talk.ends.get(turn).is_some_and(|end| step < *end);
        match (continues, turn) {
            (true, 0) => *above,
            (true, turn) => Some((way, turn - 1)),
            (false, turn) => Some((way, turn)),
        }
    }
}

fn introduce(read: &mut Conversation, model: Option<&str>) {
    let speaks = |name: &str| read.all_turns().any(|turn| turn.speaker == name);
    let (person, assistant, system) = (speaks(PERSON), speaks(ASSISTANT), speaks(super::SYSTEM));
    if person {
        read.introduce(PERSON, Kind::Person);
    }
    if assistant {
        let model = model.map(str::to_owned);
        read.participants
            .push(Participant { model, ..Participant::new(ASSISTANT, Kind::Assistant) });
    }
    if system {
        read.introduce(super::SYSTEM, Kind::System);
    }
}

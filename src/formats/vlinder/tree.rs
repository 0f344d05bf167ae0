//! Reads the newer layout: a folder for each message, and a file for each field.

use std::collections::{BTreeMap, BTreeSet};

use super::super::{Bundle, File, Listing, Parsed};
use super::path::Timelines;
use crate::shared::access::visibility::{self, Scope};
use convo_base::diag::{Note, Severity};
use convo_base::json::{self, Map, Value};
use convo_base::model::{Block, Conversation, Kind, Place, ToolCall, ToolResult, Turn};
use convo_base::text::base64_decode;
use convo_base::time::Time;

/// Returns every repository that has timelines.
pub(super) fn gather(listing: &Listing<'_>) -> Vec<Bundle> {
    let mut roots = BTreeSet::new();
    let folders = listing.names.iter().filter_map(|name| {
        let at = match name.find("/timelines/") {
            Some(at) => at + 1,
            None => name.starts_with("timelines/").then_some(0)?,
        };
        Some(&name[..at])
    });
    for folder in folders.collect::<BTreeSet<&str>>() {
        // Timelines are next to the agents, or inside each session.
        let session = below(listing, folder)
            .any(|(_, inside)| message_of(&format!("a/s/{inside}")).is_some());
        let above = |path: &'_ str| path.trim_end_matches('/').rfind('/').map_or(0, |at| at + 1);
        let root = if session { above(&folder[..above(folder)]) } else { folder.len() };
        roots.insert(&folder[..root]);
    }
    // A repository without timelines is recognised by its messages.
    for name in listing.names.iter().filter(|name| name.ends_with("/payload")) {
        let mut ends = name.match_indices('/').map(|(at, _)| at + 1).rev().skip(3);
        let root = ends.next().unwrap_or(0);
        let typed = format!("{}type", name.trim_end_matches("payload"));
        if message_of(&name[root..]).is_some()
            && listing.names.binary_search(&typed.as_str()).is_ok()
            && !folders_above(name).any(|folder| roots.contains(folder))
        {
            roots.insert(&name[..root]);
        }
    }
    let bundle = |root: &str| {
        let files = below(listing, root)
            .filter(|(_, inside)| timeline_of(inside).is_some() || message_of(inside).is_some());
        let files: Vec<String> = files.map(|(name, _)| name.to_owned()).collect();
        let messages = files.iter().any(|name| message_of(&name[root.len()..]).is_some());
        let folder = root.to_owned();
        messages.then(|| Bundle {
            folder,
            files,
            aside: Vec::new(),
            shared: Vec::new(),
            private: None,
            neighbours: None,
        })
    };
    roots.into_iter().filter_map(bundle).collect()
}

/// Returns the files of a folder, each with its path relative to the folder.
fn below<'a>(listing: &Listing<'a>, folder: &str) -> impl Iterator<Item = (&'a str, &'a str)> {
    let first = listing.names.partition_point(|name| *name < folder);
    let names = listing.names[first..].iter();
    names.map_while(move |name| Some((*name, name.strip_prefix(folder)?)))
}

/// Returns the folders that contain a file, each with a trailing slash.
fn folders_above(name: &str) -> impl Iterator<Item = &str> {
    let above = name.match_indices('/').map(|(at, _)| &name[..=at]);
    std::iter::once("").chain(above)
}

/// Returns the folder of the message and the name of the field for a path.
fn message_of(path: &str) -> Option<(&str, &str)> {
    let (folder, field) = path.rsplit_once('/')?;
    let mut parts = folder.split('/');
    let (_agent, _session, message) = (parts.next()?, parts.next()?, parts.next()?);
    let number = message.split('-').next()?;
    let numbered = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
    (numbered && parts.next().is_none()).then_some((folder, field))
}

/// Returns the session and the name of a timeline. The session is empty if the timelines are for all
/// sessions.
fn timeline_of(path: &str) -> Option<(&str, &str)> {
    if let Some(name) = path.strip_prefix("timelines/") {
        return Some(("", name));
    }
    let at = path.find("/timelines/")?;
    let session = &path[..at];
    (session.matches('/').count() == 1).then(|| (session, &path[at + "/timelines/".len()..]))
}

/// A message with its fields by name.
struct Message<'a> {
    fields: BTreeMap<&'a str, &'a str>,
    /// The number of the file with the content.
    file: usize,
    /// Whether it must not be shown.
    withheld: bool,
}

impl Message<'_> {
    /// Returns whether its short fields, or those that contain JSON, say that it must not be shown.
    fn is_withheld(&self, notes: &mut Vec<Note>) -> bool {
        let about = |key: &str| visibility::may_set_access(key);
        let fields = self.fields.iter().map(|(key, text)| (*key, *text));
        let settings =
            visibility::read_access_of_fields(fields.filter(|(key, _)| about(key)), Scope::Turn);
        let wrong = visibility::notes(&settings, |_| 0..0).into_iter();
        let wrong = wrong.filter(|note| note.severity == Severity::Error);
        notes.extend(wrong.map(|note| Note { range: None, ..note }.in_file(self.file)));
        visibility::holds_back(&settings) || self.is_payload_marked()
    }

    fn is_payload_marked(&self) -> bool {
        let field = |name: &str| self.fields.get(name).map(|text| text.trim()).unwrap_or_default();
        // What a service was asked is content.
        let payload = Some(field("payload")).filter(|_| !field("type").ends_with("request"));
        match payload.filter(|text| text.starts_with('{')).map(visibility::parse) {
            Some(Ok((Value::Object(map), _))) => visibility::is_marked(&map),
            _ => false,
        }
    }
}

pub(super) fn parse(files: &[File]) -> Parsed {
    let mut parsed = Parsed::default();
    let mut messages: BTreeMap<&str, Message<'_>> = BTreeMap::new();
    let mut timelines: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    let mut active = "main";
    for (index, file) in files.iter().enumerate() {
        if let Some((session, name)) = timeline_of(&file.name) {
            if name == "ACTIVE" {
                active = file.text.trim();
                continue;
            }
            let lines = file.text.lines().map(|line| line.trim().trim_end_matches('/'));
            let paths = lines.filter(|line| !line.is_empty()).map(|line| {
                // A name without a folder is that of a message in the same session.
                let bare = !session.is_empty() && !line.contains('/');
                if bare { format!("{session}/{line}") } else { line.to_owned() }
            });
            timelines.entry(name).or_default().extend(paths);
        } else if let Some((folder, field)) = message_of(&file.name) {
            let message = messages.entry(folder).or_insert_with(|| Message {
                fields: BTreeMap::new(),
                file: index,
                withheld: false,
            });
            message.fields.insert(field, &file.text);
            if field == "payload" {
                message.file = index;
            }
        }
    }
    // For a name such as `refs/heads/main`, the last part is used.
    let active = active.rsplit('/').next().unwrap_or(active);
    check(&messages, &timelines, &mut parsed.notes);
    for message in messages.values_mut() {
        message.withheld = message.is_withheld(&mut parsed.notes);
    }
    let mut withheld = messages.values().filter(|message| message.withheld);
    if let Some(first) = withheld.next() {
        let note = visibility::withheld_turns_note(1 + withheld.count(), 0..0).in_file(first.file);
        parsed.notes.push(Note { range: None, ..note });
    }
    let mut sessions: BTreeMap<&str, Session<'_>> = BTreeMap::new();
    for path in messages.keys() {
        let Some(session) = session_of(path) else { continue };
        sessions.entry(session).or_default().messages.push(path);
    }
    for (timeline, paths) in &timelines {
        for path in paths.iter().filter(|path| messages.contains_key(path.as_str())) {
            let Some(session) = session_of(path) else { continue };
            let session = sessions.entry(session).or_default();
            session.timelines.entry(*timeline).or_default().push(path);
        }
    }
    for (session, mut inside) in sessions {
        let main = inside.timelines.get(active).or_else(|| inside.timelines.get("main"));
        let main = main.cloned().unwrap_or_else(|| {
            inside.messages.sort_by_key(|path| (number(path), *path));
            inside.messages
        });
        let mut read = Conversation::default();
        read.turns = turns(&main, &messages, &mut read, &mut parsed.notes);
        let mut known = Timelines::new(&mut read);
        for (timeline, path) in inside.timelines {
            if timeline == active {
                continue;
            }
            let mut other = Conversation::default();
            let branch = turns(&path, &messages, &mut other, &mut Vec::new());
            other.participants.iter().for_each(|who| read.introduce(&who.name, who.kind));
            known.add(&mut read, timeline, branch);
        }
        let first = main.first().and_then(|path| messages.get(path));
        let field = |name: &str| first.and_then(|message| message.fields.get(name));
        read.id = field("session_id").map(|id| id.trim().to_owned());
        if read.id.is_none() {
            read.id = session.rsplit('/').next().map(str::to_owned);
        }
        read.time = read.turns.iter().find_map(|turn| turn.time.clone());
        if !read.turns.is_empty() {
            parsed.conversations.push(read);
        }
    }
    parsed
}

/// The messages of a session, and the messages of each timeline.
#[derive(Default)]
struct Session<'a> {
    messages: Vec<&'a str>,
    timelines: BTreeMap<&'a str, Vec<&'a str>>,
}

fn session_of(path: &str) -> Option<&str> {
    path.rsplit_once('/').map(|(session, _)| session)
}

fn number(path: &str) -> u64 {
    let name = path.rsplit('/').next().unwrap_or_default();
    name.split('-').next().and_then(|digits| digits.parse().ok()).unwrap_or(u64::MAX)
}

/// Reports timelines that refer to missing messages, and messages that are in no timeline.
fn check(
    messages: &BTreeMap<&str, Message<'_>>,
    timelines: &BTreeMap<&str, Vec<String>>,
    notes: &mut Vec<Note>,
) {
    for (name, paths) in timelines {
        for path in paths.iter().filter(|path| !messages.contains_key(path.as_str())) {
            let message = format!("timeline `{name}` refers to `{path}`, which does not exist");
            notes.push(Note::new(Severity::Warning, "missing-message", None, message));
        }
    }
    let listed: BTreeSet<&str> = timelines.values().flatten().map(String::as_str).collect();
    let sessions_with_timelines: BTreeSet<&str> =
        listed.iter().filter_map(|path| session_of(path)).collect();
    for (path, message) in messages.iter().filter(|(path, _)| !listed.contains(**path)) {
        // Sessions without timelines are read in the order of their message numbers.
        if session_of(path).is_some_and(|session| sessions_with_timelines.contains(session)) {
            let text = format!("`{path}` is not in any timeline, so it is not shown");
            let note = Note::new(Severity::Warning, "unlisted-message", None, text);
            notes.push(note.in_file(message.file));
        }
    }
}

fn turns(
    path: &[&str],
    messages: &BTreeMap<&str, Message<'_>>,
    read: &mut Conversation,
    notes: &mut Vec<Note>,
) -> Vec<Turn> {
    let mut turns: Vec<Turn> = Vec::new();
    // Service calls of an agent, which wait for the turn that ends them, and whether each may be shown.
    let mut calls: Vec<(Block, bool)> = Vec::new();
    // The indexes of calls without an answer.
    let mut unanswered: Vec<usize> = Vec::new();
    let mut waiting = false;
    for folder in path {
        let Some(message) = messages.get(folder) else { continue };
        let name = folder.rsplit('/').next().unwrap_or_default();
        let mut parts = name.split('-').skip(1);
        let sender = parts.next().unwrap_or_default();
        let field = |name: &str| message.fields.get(name).map(|text| text.trim());
        let in_name = name.rsplit('-').next().unwrap_or_default();
        let kind = field("type").filter(|kind| !kind.is_empty()).unwrap_or(in_name);
        let agent = field("agent_id").filter(|id| !id.is_empty());
        let agent = agent.or_else(|| folder.split('/').next()).unwrap_or("Agent");
        for key in ["type", "payload", "created_at"] {
            if field(key).is_none() {
                let text = format!("`{folder}` has no file `{key}`");
                let note = Note::new(Severity::Warning, "missing-key", None, text);
                notes.push(note.in_file(message.file));
            }
        }
        let payload = message.fields.get("payload").copied().unwrap_or_default();
        let time = field("created_at").and_then(|text| match Time::parse(text) {
            Ok((time, _)) => Some(time),
            Err(_) => text.parse().ok().and_then(Time::from_unix),
        });
        let place = Place { file: message.file, line: 1, quoted: false };
        let mut turn = Turn { time, place, ..Turn::default() };
        let shown = ["state", "submission_id"];
        for (key, value) in &message.fields {
            let value = value.trim();
            if value.is_empty() || ["type", "payload", "created_at"].contains(key) {
                continue;
            }
            let map = if shown.contains(key) { &mut turn.extra } else { &mut turn.unpublished };
            map.insert((*key).to_owned(), value.into());
        }
        match kind {
            "invoke" | "complete" => {
                let person = kind == "invoke";
                turn.speaker = if person { "User".to_owned() } else { agent.to_owned() };
                let role = if person { Kind::Person } else { Kind::Assistant };
                if !message.withheld {
                    read.introduce(&turn.speaker, role);
                }
                if !person {
                    turn.blocks.extend(shown_calls(&mut calls));
                    unanswered.clear();
                }
                let text = if person { asked(payload) } else { payload.to_owned() };
                turn.blocks.push(Block::Markdown { text });
                waiting = person && !message.withheld;
                turns.extend(Some(turn).filter(|_| !message.withheld));
            }
            "request" | "svc_request" => {
                let call = ToolCall {
                    name: sender.to_owned(),
                    input: Some(data(payload)),
                    ..ToolCall::default()
                };
                unanswered.push(calls.len());
                calls.push((Block::Tool(Box::new(call)), !message.withheld));
            }
            "response" | "svc_response" => {
                let output = Some(data(payload));
                let result = ToolResult { output, ..ToolResult::default() };
                let open = unanswered.pop().and_then(|place| calls.get_mut(place));
                match open {
                    Some((Block::Tool(call), is_shown)) => {
                        *is_shown &= !message.withheld;
                        // The service that answers is the tool that was called.
                        call.name = sender.to_owned();
                        call.results.push(result);
                    }
                    _ => {
                        let call = ToolCall { results: vec![result], ..ToolCall::default() };
                        calls.push((Block::Tool(Box::new(call)), !message.withheld));
                    }
                }
            }
            _ if message.withheld => {}
            "fork" | "promote" | "delegate" => {
                let detail = Some(payload.trim().to_owned()).filter(|text| !text.is_empty());
                let text = match kind {
                    "fork" => "Forked",
                    "promote" => "Promoted to the main timeline",
                    _ => "Delegated",
                };
                let text = text.to_owned();
                turn.blocks.push(Block::Event { name: kind.to_owned(), text, detail });
                turns.push(turn);
            }
            other => {
                let text = format!("`{other}` is not a vlinder message type");
                let note = Note::new(Severity::Warning, "unknown-entry", None, text);
                notes.push(note.in_file(message.file).hint("it is shown as is"));
                let fields: Map = message
                    .fields
                    .iter()
                    .map(|(key, value)| ((*key).to_owned(), (*value).into()))
                    .collect();
                turn.blocks.push(Block::Unknown { name: other.to_owned(), value: fields.into() });
                turns.push(turn);
            }
        }
    }
    if !calls.is_empty() {
        let agent = path.first().and_then(|path| path.split('/').next()).unwrap_or("Agent");
        read.introduce(agent, Kind::Assistant);
        let blocks = shown_calls(&mut calls);
        if !blocks.is_empty() {
            turns.push(Turn { speaker: agent.to_owned(), blocks, ..Turn::default() });
        }
    }
    if waiting && let Some(last) = turns.iter_mut().rev().find(|turn| turn.speaker == "User") {
        last.pending = true;
    }
    turns
}

/// Takes the calls, and returns those that may be shown.
fn shown_calls(calls: &mut Vec<(Block, bool)>) -> Vec<Block> {
    calls.drain(..).filter(|(_, is_shown)| *is_shown).map(|(block, _)| block).collect()
}

/// Returns the question of a person. Some versions wrap it in an envelope that names the previous message.
fn asked(payload: &str) -> String {
    let envelope = match json::parse(payload) {
        Ok((Value::Object(map), _)) if map.contains_key("dag_parent") => map,
        _ => return payload.to_owned(),
    };
    let inside = envelope.get("payload").and_then(Value::as_str);
    if let Some(bytes) = inside.and_then(base64_decode) {
        return String::from_utf8_lossy(&bytes).into_owned();
    }
    let texts: Vec<&str> = envelope
        .get("current_input")
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
        .filter_map(|message| message.get("content")?.as_str())
        .collect();
    if texts.is_empty() { payload.to_owned() } else { texts.join("\n\n") }
}

/// Returns a payload as JSON if it is valid, and otherwise as a string.
fn data(payload: &str) -> Value {
    match json::parse(payload) {
        Ok((value @ (Value::Object(_) | Value::Array(_)), _)) => value,
        _ => payload.into(),
    }
}

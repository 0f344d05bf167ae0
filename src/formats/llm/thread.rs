//! Threads of version 0.32 and later: messages, each of which names its parent.

use std::collections::{HashMap, HashSet};

use super::super::File;
use super::ASSISTANT;
use super::responses::{add_result, attach, call_of, fragment_of, usage};
use crate::shared::agents::editor::{line_starts, time_in_utc};
use crate::shared::agents::turns::{At, Turns, Who};
use crate::shared::json::stored::{self, Row};
use crate::shared::tally::no_messages;
use convo_base::diag::{Lines, Note, Severity};
use convo_base::json::{Map, Value};
use convo_base::model::Conversation;

/// The rows of a thread.
#[derive(Default)]
struct Rows {
    tip: Option<String>,
    messages: HashMap<String, (u32, Map)>,
    /// The private messages, with their positions.
    private: HashMap<String, usize>,
    /// Private parts and files.
    hidden: HashSet<String>,
    parts: HashMap<String, Vec<Map>>,
    /// The turns, by their last message.
    turns: HashMap<String, Map>,
    fragments: HashMap<String, Map>,
    /// The ids of attachments by part, and the attachments.
    attached: HashMap<String, Vec<String>>,
    files: HashMap<String, Map>,
}

pub(super) fn read(file: &File, index: usize, notes: &mut Vec<Note>) -> Option<Conversation> {
    let lines = Lines::new(&file.text);
    let mut session = Turns::new(index, ASSISTANT);
    let mut rows = Rows::default();
    stored::each(file, index, &lines, notes, &mut |row, notes| {
        let Row { table, mut columns, line } = row;
        if table == "threads" {
            session.read.private |= columns.holds_back("private", &[], notes);
            session.read.id = columns.text("id", notes);
            session.read.title = columns.text("name", notes);
            session.read.parent = columns.text("forked_from", notes);
            session.read.time = time_in_utc(columns.get("datetime_utc"));
            rows.tip = columns.text("tip_message_hash", notes);
        } else {
            let is_withheld = columns.is_withheld(notes).then(|| columns.start().start);
            rows.add(&table, columns.rest(), line, is_withheld);
        }
    });
    let mut chain = Vec::new();
    let mut seen = HashSet::new();
    let mut next = rows.tip.clone();
    while let Some(hash) = next.take() {
        // Stops at a cycle.
        let Some((line, message)) = rows.messages.get(&hash).filter(|_| seen.insert(hash.clone()))
        else {
            let message = "a message of this thread is missing from the database";
            let note = Note::new(Severity::Warning, "lost-message", None, message);
            notes.push(note.in_file(index).hint("earlier messages are not shown"));
            break;
        };
        next = message.get("parent_hash").and_then(Value::as_str).map(str::to_owned);
        chain.push((hash, *line, text(message, "role").to_owned()));
    }
    for (hash, line, role) in chain.into_iter().rev() {
        rows.show(&mut session, &hash, line, &role);
    }
    let read = session.done(&line_starts(&file.text), notes);
    if read.is_none() {
        let note = no_messages(Severity::Warning);
        notes.push(note.in_file(index));
    }
    read
}

fn text<'a>(map: &'a Map, key: &str) -> &'a str {
    map.get(key).and_then(Value::as_str).unwrap_or_default()
}

/// Returns an id, which is a text or a number.
fn key(map: &Map, name: &str) -> String {
    match map.get(name) {
        Some(Value::String(text)) => text.clone(),
        Some(Value::Number(number)) => number.to_string(),
        _ => String::new(),
    }
}

impl Rows {
    fn add(&mut self, table: &str, map: Map, line: u32, withheld: Option<usize>) {
        if let Some(start) = withheld {
            let hash = ["hash", "message_hash", "tip_message_hash"];
            let of = hash.iter().map(|name| key(&map, name)).find(|hash| !hash.is_empty());
            match table {
                "messages" | "turns" => self.private.extend(of.map(|of| (of, start))),
                "parts" => _ = self.hidden.insert(key(&map, "id")),
                // Only its name is known.
                _ => return,
            }
        }
        match table {
            "messages" => _ = self.messages.insert(key(&map, "hash"), (line, map)),
            "parts" => self.parts.entry(key(&map, "message_hash")).or_default().push(map),
            "turns" => _ = self.turns.insert(key(&map, "tip_message_hash"), map),
            "fragments" => _ = self.fragments.insert(key(&map, "id"), map),
            "part_attachments" => {
                let to = self.attached.entry(key(&map, "part_id")).or_default();
                to.push(key(&map, "attachment_id"));
            }
            _ => _ = self.files.insert(key(&map, "id"), map),
        }
    }

    fn show(&mut self, session: &mut Turns, hash: &str, line: u32, role: &str) {
        let turn = self.turns.get(hash);
        let at = At {
            line,
            quoted: true,
            time: turn.and_then(|turn| time_in_utc(turn.get("datetime_utc"))),
            id: Some(hash.to_owned()),
        };
        let mut parts = self.parts.remove(hash).unwrap_or_default();
        let start = self.private.get(hash).copied();
        parts.retain(|part| {
            let is_withheld = start.is_some() || self.hidden.contains(&key(part, "id"));
            if is_withheld {
                session.withhold_calls([&Value::Object(part.clone())], "tool_call_id");
            }
            if is_withheld && start.is_none() {
                session.count_hidden();
            }
            !is_withheld
        });
        if let Some(start) = start {
            return session.withhold(start);
        }
        let is_result = |part: &Map| text(part, "type") == "tool_result";
        if !parts.is_empty() && parts.iter().all(is_result) {
            return parts.iter().for_each(|part| add_result(session, part, &at));
        }
        let who = match role {
            "user" => Who::Person,
            "assistant" => Who::Assistant,
            "system" => Who::System,
            _ => Who::Program,
        };
        session.turn(who, at.clone());
        for part in &parts {
            match text(part, "type") {
                "text" if text(part, "text").is_empty() && !key(part, "fragment_id").is_empty() => {
                    fragment_of(session, self.fragments.get(&key(part, "fragment_id")));
                }
                "text" => session.say(text(part, "text")),
                "reasoning" if part.get("redacted").and_then(Value::as_i64) == Some(1) => {
                    session.count_hidden();
                }
                "reasoning" => session.think(text(part, "text")),
                "tool_call" => session.call(call_of(part)),
                "tool_result" => add_result(session, part, &at),
                "attachment" => {}
                kind => session.unknown(kind, line),
            }
            for id in self.attached.remove(&key(part, "id")).unwrap_or_default() {
                attach(session, self.files.get(&id));
            }
        }
        if let Some(turn) = turn {
            session.add_usage(&usage(turn, None));
        }
    }
}

//! Writes conversations as Markdown transcripts.

use std::collections::HashSet;

use super::super::{Claim, Probe};
use super::event::{ASTERISKS, DIRECTION};
use super::{claim, line, sections, shapes};
use crate::shared::text::{blocks, plain};
use convo_base::commonmark::{Event, Tag, lossless_events};
use convo_base::json::Value;
use convo_base::model::{Block, Conversation, Turn};
use convo_base::time::Time;

/// The type that is written to the front matter if a conversation has none.
const ANY_KIND: &str = "conversation";

/// A file name for checks whose result depends on the name.
const ANY_NAME: &str = "conversation.md";

/// Returns the file of one conversation.
pub(super) fn write(conversation: &Conversation) -> String {
    let body = body(conversation);
    let kind = conversation.kind.as_deref();
    let out = front_matter(conversation, kind, &[]) + &body;
    // A short conversation may look like a manual; then the front matter declares what it is.
    match claim::claims(&Probe::new(ANY_NAME, &out)) {
        Claim::Shape => out,
        _ => {
            let speakers = speakers(conversation);
            front_matter(conversation, kind.or(Some(ANY_KIND)), &speakers) + &body
        }
    }
}

/// Returns the names of the speakers, as they are read from the body.
fn speakers(conversation: &Conversation) -> Vec<String> {
    let mut speakers: Vec<String> = Vec::new();
    let turns = plain::plain_turns(conversation);
    for (turn, spoken) in conversation.turns.iter().zip(turns) {
        let opening = format!("**{}:**", escaped_name(&spoken.speaker));
        let name = line::opening(&opening).map_or(spoken.speaker, |found| found.name);
        if event(turn).is_none() && !speakers.contains(&name) {
            speakers.push(name);
        }
    }
    speakers
}

fn body(conversation: &Conversation) -> String {
    let mut out = String::new();
    if !conversation.preface.is_empty() {
        for line in blocks::closed(&conversation.preface).lines() {
            // Bold text with a colon would be read as a name.
            match line.starts_with("**") {
                true => out.push_str(&line.replacen(":**", "\\:**", 1)),
                false => out.push_str(line),
            }
            out.push('\n');
        }
        out.push('\n');
    }
    let turns = plain::plain_turns(conversation);
    let known = shapes::keys(turns.iter().map(|turn| turn.speaker.as_str()));
    for (turn, spoken) in conversation.turns.iter().zip(turns) {
        if let Some(lines) = event(turn).or_else(|| section(turn, &known)) {
            out.push_str(&lines);
            out.push_str("\n\n");
            continue;
        }
        out.push_str(&format!("**{}:**", escaped_name(&spoken.speaker)));
        if let Some(offset) = &turn.offset {
            out.push_str(&format!(" \\[{offset}\\]"));
        }
        let text = sections::escaped(&blocks::closed(&spoken.text), conversation);
        let text = escaped(&text, &known);
        if !text.is_empty() {
            let beside = opens_with_prose(&text) && !opens_with_time(&text);
            out.push_str(if beside { " " } else { "\n\n" });
            out.push_str(&text);
        }
        out.push_str("\n\n");
    }
    out.truncate(out.trim_end().len());
    out.push('\n');
    out
}

/// Every JSON string is valid YAML.
fn front_matter(conversation: &Conversation, kind: Option<&str>, speakers: &[String]) -> String {
    let mut rows: Vec<(String, Value)> = Vec::new();
    let mut row = |key: &str, value: Value| rows.push((key.to_owned(), value));
    if let Some(title) = &conversation.title {
        row("title", title.clone().into());
    }
    if let Some(kind) = kind {
        row("type", kind.into());
    }
    if let Some(time) = &conversation.time {
        row("date", Time::as_written(time).into());
    }
    if !conversation.languages.is_empty() {
        row("languages", conversation.languages.clone().into());
    }
    if !conversation.tags.is_empty() {
        row("tags", conversation.tags.clone().into());
    }
    if conversation.private {
        row("private", true.into());
    }
    if !speakers.is_empty() {
        row("speakers", speakers.into());
    }
    for (key, value) in conversation.extra.clone() {
        // YAML allows each key once.
        if rows.iter().all(|(known, _)| *known != key) {
            rows.push((key, value));
        }
    }
    if rows.is_empty() {
        return String::new();
    }
    let mut out = String::from("---\n");
    for (key, value) in rows {
        let plain = key.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
        let key = if plain { key } else { Value::from(key).to_string() };
        out.push_str(&format!("{key}: {value}\n"));
    }
    out + "---\n\n"
}

/// Writes an event as in transcripts; returns `None` for other turns.
fn event(turn: &Turn) -> Option<String> {
    let [Block::Event { name, text, detail: None }] = turn.blocks.as_slice() else {
        return None;
    };
    if !turn.speaker.is_empty() || *name != text.to_lowercase() {
        return None;
    }
    match (&turn.offset, turn.extra.get("to").and_then(Value::as_str)) {
        (Some(from), Some(to)) => {
            Some(format!("**{}:** \\[{from}\\] to \\[{to}\\]", escaped_name(text)))
        }
        (Some(from), None) => Some(format!("**{}:** \\[{from}\\]", escaped_name(text))),
        (None, _) if name == "break" => Some(ASTERISKS.to_owned()),
        (None, _) if text.trim().is_empty() || text.contains('\n') => None,
        (None, _) => Some(format!("{}{text}{}", DIRECTION.0, DIRECTION.1)),
    }
}

/// Returns a heading between turns, with the text below it.
fn section(turn: &Turn, known: &HashSet<String>) -> Option<String> {
    match turn.blocks.as_slice() {
        [Block::Markdown { text }] if turn.speaker.is_empty() && text.starts_with('#') => {
            Some(escaped(&blocks::closed(text), known))
        }
        _ => None,
    }
}

/// Escapes a name so that it is read back as a name, and shortens it if it is too long.
fn escaped_name(name: &str) -> String {
    let mut out = String::with_capacity(name.len());
    for c in plain::one_line(name).chars() {
        if out.len() + c.len_utf8() + 1 >= line::MAX_NAME_BYTES {
            break;
        }
        if "\\*_`[]<>:#".contains(c) {
            out.push('\\');
        }
        out.push(c);
    }
    out
}

/// Escapes lines of a text so that they do not open turns.
fn escaped(text: &str, known: &HashSet<String>) -> String {
    let mut out = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        match line::opening(line.trim_end_matches('\n')) {
            Some(found) => {
                out.push_str(&line[..found.colon]);
                out.push('\\');
                out.push_str(&line[found.colon..]);
            }
            None => match shapes::escaped(line, known) {
                Some(line) => out.push_str(&line),
                None => out.push_str(line),
            },
        }
    }
    out
}

/// Returns whether the text starts with a time, or the end of a time span: `to \[01:05\]`. Beside a name it
/// would be read as the time of the turn.
fn opens_with_time(text: &str) -> bool {
    let first = text.lines().next().unwrap_or_default();
    line::time(first).is_some() || line::times(&format!("[00:00] {first}")).is_some()
}

/// Returns whether the text starts with a paragraph, which may be on the line of the name.
fn opens_with_prose(text: &str) -> bool {
    let first = lossless_events(text, false).next();
    let paragraph = matches!(first, Some((Event::Start(Tag::Paragraph), _)));
    paragraph && !text.starts_with([' ', '\t', '\n'])
}

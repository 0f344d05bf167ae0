//! `chat.md`: a message begins with its time in brackets and a name.

use crate::File;
use crate::shared::json::rows::rows;
use crate::shared::people::channel::{Message, Prose, event_block, react};
use crate::shared::tally::Tally;
use crate::shared::text::attachment_kind::kind_of;
use crate::shared::text::dates::iso;
use convo_base::diag::Note;
use convo_base::model::{Attachment, Block, Content, Place};
use convo_base::text::{percent_decode, percent_encode};
use convo_base::time::Time;

/// The number of lines from which a chat is recognised.
const FIRST_LINES: usize = 200;

/// The beginning of a message.
struct Head<'a> {
    time: Time,
    sender: &'a str,
    text: &'a str,
}

/// Returns whether a text is a chat. If its name does not decide, it must contain something that
/// only signal-export writes.
pub(super) fn is_chat(text: &str, is_named: bool) -> bool {
    let rows = || text.lines().take(FIRST_LINES);
    let first = rows().find(|row| !row.trim().is_empty());
    let heads = rows().filter(|row| head(row).is_some()).count();
    let is_marked = rows().any(|row| reaction(row).is_some() || row.contains("](./media/"));
    first.is_some_and(|row| head(row).is_some()) && (is_named || heads >= 2 && is_marked)
}

/// Parses `[2026-03-01 10:00:00] Ada: Hello`, also with a comma after the date and without seconds.
fn head(row: &str) -> Option<Head<'_>> {
    let (time, rest) = row.strip_prefix('[')?.split_once("] ")?;
    let (day, clock) = time.split_once(", ").or_else(|| time.split_once(' '))?;
    let is_clock = clock.bytes().all(|byte| byte.is_ascii_digit() || byte == b':');
    if day.len() != 10 || !(5..=8).contains(&clock.len()) || !is_clock {
        return None;
    }
    let time = iso(&format!("{day}T{clock}"))?;
    let (sender, text) = match rest.split_once(": ") {
        Some(found) => found,
        None => (rest.strip_suffix(':')?, ""),
    };
    let is_name = !sender.trim().is_empty() && sender.chars().count() <= 80;
    is_name.then_some(Head { time, sender: sender.trim(), text })
}

/// Parses `(- Ada: 👍, Bela: 👍 -)`.
fn reaction(row: &str) -> Option<Vec<&str>> {
    let inside = row.trim().strip_prefix("(- ")?.strip_suffix(" -)")?;
    let emoji = |one: &'_ str| one.rfind(": ").map_or(0, |at| at + 2);
    Some(inside.split(", ").map(|one| one[emoji(one)..].trim()).collect())
}

/// Reads the messages of a file.
pub(super) fn read(
    file: &File,
    index: usize,
    tally: &mut Tally,
    notes: &mut Vec<Note>,
) -> Vec<Message> {
    let mut messages: Vec<(Message, Vec<&str>)> = Vec::new();
    let mut has_preface = false;
    for (line, start, row) in rows(&file.text) {
        if let Some(head) = head(row) {
            let place = Place { file: index, line, quoted: false };
            let (sender, time) = (head.sender.to_owned(), Some(head.time));
            let message = Message { sender, time, place, ..Message::default() };
            messages.push((message, vec![head.text]));
            continue;
        }
        match (messages.last_mut(), reaction(row)) {
            (Some((message, _)), Some(emoji)) => {
                emoji.into_iter().for_each(|emoji| react(&mut message.reactions, emoji, 1));
            }
            (Some((_, rows)), None) => rows.push(row),
            (None, _) if row.trim().is_empty() || has_preface => {}
            (None, _) => {
                has_preface = true;
                let words = "text before the first message";
                let note = Note::warning("preface", start..start + row.len(), words);
                notes.push(note.in_file(index).hint("it is not shown"));
            }
        }
    }
    let done = messages.into_iter().map(|(message, rows)| {
        let blocks = blocks(&rows, tally);
        Message { blocks, ..message }
    });
    done.collect()
}

/// Returns the contents of the lines of a message.
fn blocks(rows: &[&str], tally: &mut Tally) -> Vec<Block> {
    let whole = rows.join("\n");
    match whole.trim() {
        "(This message was deleted)" | "(message deleted)" => {
            return vec![event_block("deleted", "")];
        }
        _ => {}
    }
    let (mut prose, mut files) = (Prose::default(), Vec::new());
    let mut quoted: Vec<&str> = Vec::new();
    let flush = |quoted: &mut Vec<&str>, prose: &mut Prose| {
        if !quoted.is_empty() {
            prose.quote(&quoted.join("\n"));
            quoted.clear();
        }
    };
    for (place, row) in rows.iter().enumerate() {
        if let Some(words) = row.strip_prefix("> ").or(row.strip_prefix('>')) {
            quoted.push(words);
            continue;
        }
        flush(&mut quoted, &mut prose);
        if let Some((name, path)) = link(row) {
            files.push(attachment(name, path, None, tally));
            continue;
        }
        let sticker = row.trim().strip_prefix("((").and_then(|row| row.strip_suffix("))"));
        if let Some(words) = sticker {
            files.push(event_block("sticker", words.trim()));
            continue;
        }
        if place > 0 {
            prose.plain("\n");
        }
        prose.plain(row);
    }
    flush(&mut quoted, &mut prose);
    prose.done().into_iter().chain(files).collect()
}

/// Parses `![name](./media/file.jpg)`.
fn link(row: &str) -> Option<(&str, &str)> {
    let row = row.trim();
    let row = row.strip_prefix('!').unwrap_or(row);
    let (name, path) = row.strip_prefix('[')?.strip_suffix(')')?.split_once("](")?;
    path.starts_with("./media/").then_some((name, path))
}

/// Returns quoted text.
pub(super) fn quote(text: &str) -> Option<Block> {
    let mut prose = Prose::default();
    let lines = text.lines().map(|line| line.strip_prefix("> ").unwrap_or(line));
    prose.quote(&lines.collect::<Vec<_>>().join("\n"));
    prose.done()
}

/// Returns a file beside the chat. Without a path, its name or type is shown.
pub(super) fn attachment(name: &str, path: &str, mime: Option<&str>, tally: &mut Tally) -> Block {
    let path = path.strip_prefix("./").unwrap_or(path);
    let name = name.rsplit('/').next().unwrap_or(name);
    let is_below = !path.is_empty() && !path.starts_with('/') && !path.contains("..");
    if !is_below {
        tally.missing_file();
    }
    let content = match is_below {
        true => Content::Uri(percent_encode(&percent_decode(path))),
        false => Content::Missing,
    };
    let kind = kind_of(if path.is_empty() { name } else { path }, mime);
    let name = if name.is_empty() { kind.word() } else { name };
    Block::Attachment(Box::new(Attachment { content, ..Attachment::new(name, kind) }))
}

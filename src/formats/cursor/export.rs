//! Exported conversations: Markdown in which a separate line names the speaker.
//!
//! ```text
//! # Sorting the shed
//! _Exported on 3/14/2026 at 12:51:23 PST from Cursor (2.2.14)_
//!
//! ---
//!
//! **User**
//!
//! Where are the rakes?
//!
//! ---
//!
//! **Cursor**
//! ```

use std::ops::Range;

use super::super::File;
use crate::shared::access::hidden_tags::{Author, without_hidden};
use crate::shared::access::home;
use crate::shared::text::front;
use convo_base::diag::Note;
use convo_base::model::{Block, Conversation, Kind, Place, Turn, name_turns};
use convo_base::text::trim_blank_lines;

/// The number of lines at the start that may contain the line that identifies an export.
const HEAD_LINES: usize = 12;

/// The speakers of a conversation, and the lines that open their turns.
const SPEAKERS: [(&str, &str, Kind); 2] =
    [("**User**", "User", Kind::Person), ("**Cursor**", "Cursor", Kind::Assistant)];

/// Returns whether a text, possibly truncated, is an export.
pub(super) fn is_one(text: &str) -> bool {
    let (_, body) = front::split(text);
    let head = text.get(body..).unwrap_or_default();
    let head = head.lines().filter(|line| !line.trim().is_empty()).take(HEAD_LINES);
    let is_stamp =
        |line: &str| line.starts_with("_Exported on ") && line.contains(" from Cursor (");
    let mut head = head.skip_while(|line| !is_stamp(line)).skip(1);
    head.next() == Some("---") && head.next().and_then(speaker).is_some()
}

/// Reads an export.
pub(super) fn read(file: &File, index: usize, notes: &mut Vec<Note>) -> Option<Conversation> {
    let text = &*file.text;
    let mut read = Conversation::default();
    let mut reported = Vec::new();
    let (front, body) = front::split(text);
    if let Some(range) = front {
        front::read(text, range, &mut read, &mut reported);
    }
    front::access_at(text, body, &mut reported).apply(&mut read);
    // The speaker, the line that names them, and the range of the text.
    let mut opened: Vec<(&str, Kind, u32, Range<usize>)> = Vec::new();
    let mut line_number = text.get(..body)?.matches('\n').count() as u32;
    let (mut at, mut rule) = (body, None);
    for line in text.get(body..)?.split_inclusive('\n') {
        let start = at;
        at += line.len();
        line_number += 1;
        let bare = line.trim_end();
        match (speaker(bare), rule) {
            (Some((name, kind)), Some(rule)) => {
                if let Some((.., last)) = opened.last_mut() {
                    last.end = rule;
                }
                opened.push((name, kind, line_number, at..text.len()));
            }
            _ if opened.is_empty() => {
                let title = bare.strip_prefix("# ").map(str::trim);
                read.title = read.title.take().or_else(|| title.map(str::to_owned));
            }
            _ => {}
        }
        // Two lines open a turn: a rule, and the speaker.
        rule = match bare {
            "---" => Some(start),
            "" => rule,
            _ => None,
        };
    }
    for (name, kind, line, words) in opened {
        let words = without_hidden(text.get(words).unwrap_or_default(), Author::Writer);
        let words = trim_blank_lines(&words).0.to_owned();
        read.introduce(name, kind);
        read.turns.push(Turn {
            speaker: name.to_owned(),
            place: Place { file: index, line, quoted: true },
            blocks: vec![Block::Markdown { text: words }],
            ..Turn::default()
        });
    }
    name_turns(&mut read.turns);
    home::hide(&mut read);
    notes.extend(reported.into_iter().map(|note| note.in_file(index)));
    (!read.turns.is_empty()).then_some(read)
}

/// Returns the speaker that a line names.
fn speaker(line: &str) -> Option<(&'static str, Kind)> {
    let found = SPEAKERS.iter().find(|(opens, ..)| *opens == line);
    found.map(|(_, name, kind)| (*name, *kind))
}

//! The table that KakaoTalk exports on macOS: `Date,User,Message`.

use super::body;
use crate::shared::people::channel::Message;
use crate::shared::people::phone_chat::NamedPeople;
use crate::shared::tally::Tally;
use crate::shared::text::dates::iso;
use convo_base::diag::Note;
use convo_base::model::Place;

/// The first line.
const HEADER: &str = "Date,User,Message";

/// Returns whether a text is such a table.
pub(super) fn is_one(text: &str) -> bool {
    let mut rows = text.trim_start_matches('\u{feff}').lines();
    rows.next().is_some_and(|row| row.trim_end() == HEADER) && rows.next().is_none_or(begins_row)
}

/// Returns whether a line begins like a message row: `2026-03-04 18:20:05,`.
fn begins_row(row: &str) -> bool {
    const SHAPE: &[u8] = b"9999-99-99 99:99:99,";
    let fits = |(byte, shape): (u8, &u8)| match shape {
        b'9' => byte.is_ascii_digit(),
        _ => byte == *shape,
    };
    row.len() >= SHAPE.len() && row.bytes().zip(SHAPE).all(fits)
}

/// Returns the chat name in a file name: `KakaoTalk_Chat_Ada_2026-03-04-18-30-05.csv`.
pub(super) fn name(file: &str) -> &str {
    let stem = file.strip_prefix("KakaoTalk_Chat_").and_then(|rest| rest.strip_suffix(".csv"));
    let is_saved = |saved: &str| saved.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-');
    match stem.and_then(|stem| stem.rsplit_once('_')) {
        Some((name, saved)) if is_saved(saved) => name,
        _ => stem.unwrap_or_default(),
    }
}

/// Reads the messages of a table.
pub(super) fn messages(
    text: &str,
    tally: &mut Tally,
    called: &mut NamedPeople,
    notes: &mut Vec<Note>,
) -> Vec<Message> {
    let mut messages = Vec::new();
    let mut first_bad = None;
    for row in rows(text).into_iter().skip(1) {
        let [date, sender, body_text] = row.cells.as_slice() else {
            if row.cells.iter().any(|cell| !cell.trim().is_empty()) {
                first_bad.get_or_insert(row.at);
                tally.not_shown("row that is not a message", "rows that are not messages");
            }
            continue;
        };
        // A notice is in the row of the person concerned, or in a row without a user.
        let is_own = sender.is_empty() || body_text.starts_with(sender.as_str());
        let is_chatroom = body_text.trim_end().ends_with(" this chatroom.");
        let is_notice_row = is_own || is_chatroom || body_text.contains('님');
        if !body_text.contains('\n')
            && is_notice_row
            && (sender.is_empty() || body::is_notice(body_text))
        {
            called.notice(body_text);
            tally.not_shown("KakaoTalk notice", "KakaoTalk notices");
            continue;
        }
        let time = iso(&date.trim().replacen(' ', "T", 1));
        if time.is_none() {
            let message = "cannot tell when this message was sent";
            notes.push(Note::warning("bad-time", row.at..row.at + 1, message));
        }
        called.person(sender);
        called.mentions(body_text);
        let Some(blocks) = body::body(body_text, tally) else { continue };
        messages.push(Message {
            sender: sender.trim().to_owned(),
            time,
            blocks,
            place: Place { file: 0, line: row.line, quoted: false },
            ..Message::default()
        });
    }
    if let Some(at) = first_bad {
        let message = "expected three cells: date, user, message";
        let note = Note::warning("unknown-record", at..at + 1, message);
        notes.push(note.hint("this row and others like it are not shown"));
    }
    messages
}

/// A row of a table.
#[derive(Debug)]
struct Row {
    cells: Vec<String>,
    line: u32,
    at: usize,
}

/// Splits comma-separated values (RFC 4180) into rows: a quoted cell may contain line breaks, and
/// doubled quotation marks. A quoted cell that is not closed ends where the next message begins.
fn rows(text: &str) -> Vec<Row> {
    let mut rows = Vec::new();
    let mut row = Row { cells: vec![String::new()], line: 1, at: 0 };
    let (mut line, mut is_quoted) = (1, false);
    let mut chars = text.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        line += u32::from(c == '\n');
        let cell = row.cells.last_mut().expect("a row has a cell");
        match c {
            '"' if is_quoted && chars.next_if(|(_, next)| *next == '"').is_some() => {
                cell.push('"');
            }
            '"' if is_quoted => is_quoted = false,
            '"' if cell.is_empty() => is_quoted = true,
            ',' if !is_quoted => row.cells.push(String::new()),
            '\n' if !is_quoted || begins_row(&text[at + 1..]) => {
                is_quoted = false;
                let next = Row { cells: vec![String::new()], line, at: at + 1 };
                rows.push(std::mem::replace(&mut row, next));
            }
            c => cell.push(c),
        }
    }
    rows.push(row);
    rows
}

#[cfg(test)]
mod tests {
    use super::{name, rows};

    #[test]
    fn cells_may_have_lines_and_marks() {
        let rows = rows("a,b\n\"x,\n\"\"y\"\"\",z\"\nlast");
        let cells: Vec<_> = rows.iter().map(|row| (row.line, row.cells.join("|"))).collect();
        assert_eq!(
            cells,
            [(1, "a|b".to_owned()), (2, "x,\n\"y\"|z\"".to_owned()), (4, "last".to_owned())]
        );
    }

    #[test]
    fn a_mark_that_nothing_closes_ends_at_the_next_message() {
        let rows = rows("2026-03-04 18:20:05,a,\"x\ny\n2026-03-04 18:20:06,b,z");
        let cells: Vec<_> = rows.iter().map(|row| row.cells[1..].join("|")).collect();
        assert_eq!(cells, ["a|x\ny", "b|z"]);
    }

    #[test]
    fn a_file_is_named_after_its_chat() {
        assert_eq!(name("KakaoTalk_Chat_The_watch_2026-03-04-18-30-05.csv"), "The_watch");
        assert_eq!(name("other.csv"), "");
    }
}

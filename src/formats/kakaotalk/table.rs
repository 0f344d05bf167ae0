//! The table that KakaoTalk saves on macOS: `Date,User,Message`.

use super::body;
use crate::diag::Note;
use crate::formats::channel::Message;
use crate::formats::thread::Tally;
use crate::model::Place;
use crate::time::Time;

/// The first line.
const HEADER: &str = "Date,User,Message";

/// Returns whether a text is such a table.
pub(super) fn is_one(text: &str) -> bool {
    text.trim_start_matches('\u{feff}').starts_with(HEADER)
}

/// Returns the name of a chat from the name of its file: `KakaoTalk_Chat_Ada_2026-03-04-18-30-05.csv`.
pub(super) fn name(file: &str) -> &str {
    let stem =
        file.strip_prefix("KakaoTalk_Chat_").and_then(|rest| rest.strip_suffix(".csv"));
    let is_saved =
        |saved: &str| saved.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-');
    match stem.and_then(|stem| stem.rsplit_once('_')) {
        Some((name, saved)) if is_saved(saved) => name,
        _ => stem.unwrap_or_default(),
    }
}

/// Reads the messages of a table.
pub(super) fn messages(
    text: &str,
    tally: &mut Tally,
    notes: &mut Vec<Note>,
) -> Vec<Message> {
    let mut messages = Vec::new();
    for row in rows(text).into_iter().skip(1) {
        let [date, sender, said] = row.cells.as_slice() else {
            if row.cells.iter().any(|cell| !cell.trim().is_empty()) {
                let message = "this row has not the three cells of a message";
                let note = Note::warning("unknown-record", row.at..row.at + 1, message);
                notes.push(note.hint("it is not shown"));
            }
            continue;
        };
        if body::is_notice(said) {
            tally.leave_out("notice of KakaoTalk", "notices of KakaoTalk");
            continue;
        }
        let time = Time::parse(&date.trim().replacen(' ', "T", 1));
        if time.is_err() {
            let message = "nothing tells when this was sent";
            notes.push(Note::warning("bad-time", row.at..row.at + 1, message));
        }
        let Some(blocks) = body::body(said, tally) else { continue };
        messages.push(Message {
            sender: sender.trim().to_owned(),
            time: time.ok().map(|(time, _)| time),
            blocks,
            place: Place { file: 0, line: row.line, quoted: false },
            ..Message::default()
        });
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

/// Parts comma-separated values (RFC 4180) into rows: a cell in quotation marks may have lines, and two marks
/// for one.
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
            '\n' if !is_quoted => {
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
        let cells: Vec<_> =
            rows.iter().map(|row| (row.line, row.cells.join("|"))).collect();
        assert_eq!(
            cells,
            [
                (1, "a|b".to_owned()),
                (2, "x,\n\"y\"|z\"".to_owned()),
                (4, "last".to_owned())
            ]
        );
    }

    #[test]
    fn a_file_is_named_after_its_chat() {
        assert_eq!(name("KakaoTalk_Chat_The_watch_2026-03-04-18-30-05.csv"), "The_watch");
        assert_eq!(name("other.csv"), "");
    }
}

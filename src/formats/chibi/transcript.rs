//! Reads `transcript.md`: paragraphs that start with `[USER]:` or `[ASSISTANT]:`.

use convo_base::model::{Conversation, Kind, Place, Turn};
use convo_base::text::trim_blank_lines;

const MARKS: [(&str, &str, Kind); 3] = [
    ("[USER]:", "User", Kind::Person),
    ("[ASSISTANT]:", "Assistant", Kind::Assistant),
    ("[SYSTEM]:", "System", Kind::System),
];

fn mark(line: &str) -> Option<&'static (&'static str, &'static str, Kind)> {
    MARKS.iter().find(|(mark, ..)| line.starts_with(mark))
}

/// Returns whether the first non-blank line starts a turn.
pub(super) fn looks_like_one(text: &str) -> bool {
    text.lines().find(|line| !line.trim().is_empty()).is_some_and(|line| mark(line).is_some())
}

/// Adds the turns of a transcript.
pub(super) fn read(text: &str, file: usize, read: &mut Conversation) {
    let mut open: Option<(&str, usize, u32)> = None;
    let mut start = 0;
    let close = |read: &mut Conversation, open: Option<(&str, usize, u32)>, end: usize| {
        let Some((speaker, from, line)) = open else { return };
        let body = trim_blank_lines(&text[from..end]).0;
        let place = Place { file, line, quoted: true };
        read.turns.push(Turn { place, ..Turn::from_text(speaker, body) });
    };
    for (number, line) in text.split_inclusive('\n').enumerate() {
        if let Some((mark, name, kind)) = mark(line) {
            close(read, open, start);
            read.introduce(name, *kind);
            let body = start + mark.len() + usize::from(line[mark.len()..].starts_with(' '));
            open = Some((name, body, number as u32 + 1));
        }
        start += line.len();
    }
    close(read, open, text.len());
}

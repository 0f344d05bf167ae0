//! The text format: a message begins after an empty line, with its time and a name.

use super::draft::Drafts;
use super::head::head;
use crate::shared::json::rows::rows;
use crate::shared::tally::Tally;
use convo_base::diag::Note;

/// The number of lines from which a chat is recognised.
const FIRST_LINES: usize = 60;
/// The indentation of a reply.
const INDENT: &str = "    ";
/// Headings of reactions.
const REACTIONS: [&str; 2] = ["Tapbacks:", "Reactions:"];

/// Returns whether a text is a chat: its first line is a time, or several lines are, each after an
/// empty line and with a name below it.
pub(super) fn is_one(text: &str) -> bool {
    let mut lines = text.lines().take(FIRST_LINES).peekable();
    let (mut is_first, mut is_blank, mut count) = (true, true, 0);
    while let Some(line) = lines.next() {
        if line.trim().is_empty() {
            is_blank = true;
            continue;
        }
        let opens = head(line).is_some_and(|head| {
            let next = lines.peek().copied().unwrap_or_default().trim();
            let is_message = head.rest.is_empty() && !next.is_empty();
            let is_event = !head.rest.is_empty() && next.is_empty();
            is_blank && (is_message || is_event)
        });
        count += usize::from(opens);
        if is_first && opens || count > 1 {
            return true;
        }
        (is_first, is_blank) = (false, false);
    }
    false
}

/// Reads the messages of a file.
pub(super) fn read(text: &str, drafts: &mut Drafts, tally: &mut Tally, notes: &mut Vec<Note>) {
    let mut reader = Reader { drafts, tally, top: None, answer: None, held: None };
    let (mut is_blank, mut has_preface) = (true, false);
    let mut rows = rows(text).peekable();
    while let Some((line, start, row)) = rows.next() {
        if row.trim().is_empty() {
            reader.line("", false);
            is_blank = true;
            continue;
        }
        let indented = row.strip_prefix(INDENT).filter(|_| reader.top.is_some());
        let bare = indented.unwrap_or(row);
        let found = head(bare).filter(|_| indented.is_some() || is_blank);
        let sender = rows.peek().map_or("", |(_, _, next)| *next);
        let is_below = indented.is_none() || sender.starts_with(INDENT);
        let was_blank = std::mem::take(&mut is_blank);
        match found {
            Some(head) if head.rest.is_empty() && is_below && !sender.trim().is_empty() => {
                if head.time.is_none() {
                    let words = "this date does not exist";
                    let note = Note::warning("bad-time", start..start + row.len(), words);
                    notes.push(note);
                }
                reader.open((head.stamp, head.time, line), sender, indented.is_some());
                rows.next();
            }
            Some(head) if !head.rest.is_empty() && indented.is_none() => {
                reader.close();
                (reader.top, reader.answer) = (None, None);
                reader.drafts.add_event((head.stamp, head.time, line), head.rest);
            }
            _ if reader.top.is_some() => {
                reader.line(bare, indented.is_none() && was_blank);
            }
            _ if !std::mem::replace(&mut has_preface, true) => {
                let words = "text before the first message";
                let note = Note::warning("preface", start..start + row.len(), words);
                notes.push(note.hint("it is not shown"));
            }
            _ => {}
        }
    }
    reader.close();
}

struct Reader<'a> {
    drafts: &'a mut Drafts,
    tally: &'a mut Tally,
    /// The current message and the current reply below it.
    top: Option<usize>,
    answer: Option<usize>,
    /// The preceding line, if it may be the heading of reactions.
    held: Option<Held>,
}

enum Held {
    Label(String),
    Reactions,
}

impl Reader<'_> {
    fn open(
        &mut self,
        at: (&str, Option<convo_base::time::Time>, u32),
        sender: &str,
        is_answer: bool,
    ) {
        self.close();
        let answers = self.top.filter(|_| is_answer);
        let number = self.drafts.open(at, sender, answers);
        match is_answer {
            true => self.answer = Some(number),
            false => (self.top, self.answer) = (Some(number), None),
        }
    }

    /// Reads a line of a message. With `is_above`, it belongs to the message itself rather than to
    /// a reply below it.
    fn line(&mut self, line: &str, is_above: bool) {
        if is_above {
            self.close();
            self.answer = None;
        }
        let Some(number) = self.answer.or(self.top) else { return };
        let draft = self.drafts.get(number);
        match self.held.take() {
            Some(_) if draft.react(line) => {
                self.held = Some(Held::Reactions);
                return;
            }
            // The preceding line was text, not a heading.
            Some(Held::Label(label)) => draft.line(&label, self.tally),
            _ => {}
        }
        match REACTIONS.contains(&line.trim()) {
            true => self.held = Some(Held::Label(line.to_owned())),
            false => draft.line(line, self.tally),
        }
    }

    /// Adds a held line that was not a heading.
    fn close(&mut self) {
        if let Some(Held::Label(label)) = self.held.take()
            && let Some(number) = self.answer.or(self.top)
        {
            self.drafts.get(number).line(&label, self.tally);
        }
    }
}

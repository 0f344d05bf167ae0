//! Converts the turns of a text.

use std::collections::HashMap;

use convo_base::diag::{Note, Severity};
use convo_base::model::{Conversation, Kind, ToolCall, Usage};
use convo_base::text::trim_blank_lines;
use convo_base::time::Time;

use super::body::{self, Piece};
use super::calls;
use super::head::Head;
use super::layout::{Layout, Section};
use super::pattern::captures;
use super::table::{self, Calls, Exporter, Role, assistant_named};
use crate::shared::agents::editor::line_starts;
use crate::shared::agents::task_messages::of_texts;
use crate::shared::agents::turns::{At, Turns, Who};
use crate::shared::tally::no_messages;
use crate::shared::text::dates::ambiguous_dates;
use crate::shared::text::front;
use crate::shared::text::rows::account_notes;
use crate::{File, Parsed};

pub(super) fn parse(files: &[File]) -> Parsed {
    let mut parsed = Parsed::default();
    for (index, file) in files.iter().enumerate() {
        let mut notes = Vec::new();
        let read = text(&file.name, &file.text, index, &mut notes);
        if read.is_empty() {
            notes.push(no_messages(Severity::Error));
        }
        parsed.conversations.extend(read);
        parsed.notes.extend(notes.into_iter().map(|note| note.in_file(index)));
    }
    parsed
}

/// Returns notes on times above the first turn that could not be read.
fn bad_times(head: &Head, name: &str, text: &str) -> Vec<Note> {
    let note = |time: &String| {
        let at = text.find(time.as_str()).unwrap_or_default();
        let at = at..at + time.len();
        if head.is_ambiguous(time) {
            return ambiguous_dates(at, name);
        }
        let note = Note::warning("bad-time", at, format!("`{time}` is not a valid time"));
        note.hint("the conversation has no date; add one to it in front matter")
    };
    head.bad_times.iter().map(note).collect()
}

/// Reads a text: one conversation, or several if its entries name them.
fn text(name: &str, text: &str, file: usize, notes: &mut Vec<Note>) -> Vec<Conversation> {
    let mut common = Conversation::default();
    let (range, start) = front::split(text);
    let Some(exporter) = table::exporter_of(text, start) else { return Vec::new() };
    let mut front = "";
    if let Some(range) = range {
        front::read(text, range.clone(), &mut common, notes);
        if exporter.has_front {
            front = &text[range];
            common.extra.clear();
        }
    }
    front::access_at(text, start, notes).apply(&mut common);
    let layout = Layout::of(text, start, exporter);
    let mut head = Head::read(name, front, layout.head, exporter, &mut common);
    notes.extend(account_notes(text, start..start + layout.head.len()));
    notes.extend(bad_times(&head, name, text));
    let last = text.trim_end().lines().next_back().unwrap_or_default();
    if let Some([name, _]) = captures("Powered by [… Exporter](…)", last).as_deref() {
        head.assistant = Some(assistant_named(name));
    }
    if !common.preface.is_empty() {
        let at = start..start + layout.head.trim_end().len();
        let note = Note::warning("preface", at, "this text has no speaker");
        notes.push(note.hint("it is shown above the first turn"));
    }
    let starts = line_starts(text);
    if exporter.calls == Calls::Cline {
        let session = Dialog::new(file, exporter, &head, &common).turns;
        let texts = layout.sections.iter().map(|section| {
            let text = body::own_text(section.text, exporter);
            let who = if section.role == Role::Person { Who::Person } else { Who::Assistant };
            (who, text.into(), At { line: section.line, ..At::default() })
        });
        return of_texts(session, texts).done(&starts, notes).into_iter().collect();
    }
    let mut dialogs: Vec<Dialog<'_>> = Vec::new();
    let mut numbers: HashMap<&str, usize> = HashMap::new();
    let mut current = 0;
    for section in layout.sections {
        if let (Role::Entry, [_, id, ..]) = (section.role, section.details.as_slice()) {
            current = *numbers.entry(id).or_insert(dialogs.len());
        }
        if dialogs.len() <= current {
            dialogs.push(Dialog::new(file, exporter, &head, &common));
        }
        dialogs[current].add(&section);
    }
    dialogs.into_iter().filter_map(|dialog| dialog.turns.done(&starts, notes)).collect()
}

/// A conversation that is being read.
struct Dialog<'e> {
    exporter: &'e Exporter,
    head: &'e Head,
    turns: Turns,
    /// The time and the model of the entry that is being read.
    time: Option<Time>,
    model: Option<String>,
    calls: usize,
}

impl<'e> Dialog<'e> {
    fn new(file: usize, exporter: &'e Exporter, head: &'e Head, common: &Conversation) -> Self {
        let assistant = head.assistant.as_deref().unwrap_or(exporter.assistant);
        let mut turns = Turns::new(file, assistant);
        turns.read = common.clone();
        turns.read.agent = exporter.agent;
        Self { exporter, head, turns, time: None, model: head.model.clone(), calls: 0 }
    }

    fn add(&mut self, section: &Section<'_>) {
        let own = body::own_text(section.text, self.exporter);
        let (time, text) = self.without_time(&own);
        let time = time.or_else(|| self.time_in(section)).or_else(|| self.time.clone());
        let at = At { line: section.line, quoted: false, time, id: None };
        match section.role {
            Role::Entry => self.entry(section, text),
            Role::Question => {
                let (question, answer) = text.split_once('\n').unwrap_or((text, ""));
                self.turns.turn(Who::Person, at.clone());
                self.turns.say(question.trim());
                self.answer(section, answer.trim_matches('\n'), at);
            }
            Role::Person => {
                self.turns.turn(Who::Person, at);
                self.turns.say(text);
            }
            Role::System => {
                self.turns.turn(Who::System, at);
                self.turns.say(text);
            }
            Role::Assistant => self.answer(section, text, at),
            Role::Tool => {
                let name = section.details.first().copied().unwrap_or_default();
                self.turns.turn(Who::Assistant, at);
                self.call(calls::in_details(name, section.opening, text));
            }
            Role::Result => self.result(text, &at),
        }
    }

    /// Reads the heading of a question with its answer, and the model below it.
    fn entry(&mut self, section: &Section<'_>, text: &str) {
        if let [time, id, ..] = section.details.as_slice() {
            // Without a zone, as in a database of llm, it is in UTC.
            let utc = self.head.time(&format!("{time}Z"));
            self.time = utc.or_else(|| self.head.time(time));
            self.turns.read.id = Some((*id).to_owned());
        }
        // The model that it resolves to may follow.
        let models = text.lines().filter_map(|line| captures("Model: **…**…", line.trim()));
        let named = models.filter_map(|parts| parts.first().copied()).next();
        self.model = named.map(str::to_owned).or_else(|| self.head.model.clone());
    }

    fn answer(&mut self, section: &Section<'_>, text: &str, at: At) {
        let mut model = self.model.clone();
        match (section.details.as_slice(), section.opening) {
            ([named], opening) if names_assistant(opening) => {
                self.turns.start(&assistant_named(named), Kind::Assistant, at);
            }
            ([details], _) => {
                // The agent, the model and the time that it took.
                let parts: Vec<&str> = details.split(" · ").collect();
                model = parts
                    .get(1)
                    .filter(|_| parts.len() == 3)
                    .map(|name| (*name).to_owned())
                    .or(model);
                self.turns.turn(Who::Assistant, at);
            }
            _ => self.turns.turn(Who::Assistant, at),
        }
        body::pieces(text, self.exporter).into_iter().for_each(|piece| self.piece(piece));
        if model.is_some() {
            self.turns.add_usage(&Usage { model, ..Usage::default() });
        }
    }

    fn piece(&mut self, piece: Piece) {
        match piece {
            Piece::Text(text) => self.turns.say(trim_blank_lines(&text).0),
            Piece::Thought(text) => self.turns.think(&text),
            Piece::Call(call) => self.call(*call),
        }
    }

    fn call(&mut self, mut call: ToolCall) {
        self.calls += 1;
        call.id = self.last_call();
        self.turns.call(call);
    }

    /// Adds the result of the last call.
    fn result(&mut self, text: &str, at: &At) {
        let (id, output) = (self.last_call(), calls::output(text.to_owned(), ""));
        if self.calls == 0 || self.turns.is_answered(&id) {
            let call = ToolCall { results: vec![output], ..ToolCall::default() };
            return self.turns.add_results(call, at);
        }
        self.turns.result(id.as_str(), output);
    }

    fn last_call(&self) -> String {
        format!("call-{}", self.calls)
    }

    /// Splits the time that a program writes on the first line off the text of a turn.
    fn without_time<'t>(&self, text: &'t str) -> (Option<Time>, &'t str) {
        let (first, rest) = text.split_once('\n').unwrap_or((text, ""));
        let pattern = self.exporter.time.filter(|_| !rest.trim().is_empty());
        let time = pattern.and_then(|pattern| captures(pattern, first.trim())?.pop());
        match time.and_then(|time| self.head.time_alone(time)) {
            Some(time) => (Some(time), trim_blank_lines(rest).0),
            None => (None, text),
        }
    }

    /// Returns the time in a line that opens a turn: `>[!nexus_user] **User** - 08/20/2025 at 8:48:32 AM`.
    fn time_in(&self, section: &Section<'_>) -> Option<Time> {
        let (_, time) = section.details.first()?.split_once(" - ")?;
        self.head.time(time)
    }
}

/// Returns whether a line that opens a turn names the assistant.
fn names_assistant(opening: &str) -> bool {
    opening.starts_with("## Message From ") || opening.ends_with(" response")
}

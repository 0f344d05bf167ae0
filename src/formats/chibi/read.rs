//! Entries as turns.

use super::super::{File, Parsed};
use super::entry::{Entry, entries};
use super::transcript;
use crate::diag::{Note, Severity};
use crate::json::{self, Map, Value};
use crate::model::{
    Block, Conversation, Kind, Place, ToolCall, ToolResult, Turn, name_turns,
};

pub(super) fn parse(files: &[File]) -> Parsed {
    let mut log = Log::default();
    let mut notes = Vec::new();
    for (index, file) in files.iter().enumerate() {
        let bare = file.name.rsplit('/').next().unwrap_or_default();
        if transcript::looks_like_one(&file.text) {
            transcript::read(&file.text, index, &mut log.read);
            continue;
        }
        for entry in entries(&file.text, index, &mut notes) {
            if bare == "inbox.jsonl" {
                log.pending(entry);
            } else {
                log.entry(entry, &mut notes);
            }
        }
    }
    let mut read = log.read;
    if read.turns.is_empty() {
        if !notes.iter().any(|note| note.severity == Severity::Error) {
            let note = Note::new(
                Severity::Warning,
                "no-turns",
                None,
                "nobody says anything here",
            );
            notes.push(note.hint("delete the context if it is empty"));
        }
        return Parsed { conversations: Vec::new(), notes };
    }
    read.time = read.turns.iter().find_map(|turn| turn.time.clone());
    name_turns(&mut read.turns);
    Parsed { conversations: vec![read], notes }
}

#[derive(Default)]
struct Log {
    read: Conversation,
    /// Calls without a result: id, tool, and the place of their block.
    open: Vec<(String, String, usize, usize)>,
    /// Whether the last turn may still grow.
    growing: bool,
}

impl Log {
    fn entry(&mut self, entry: Entry, notes: &mut Vec<Note>) {
        match entry.kind.as_str() {
            "message" | "" => self.message(entry),
            "tool_call" => self.call(entry),
            "tool_result" => self.result(entry, notes),
            "context_created" | "compaction" | "archival" | "control_transfer" => {
                self.event(entry);
            }
            "system_prompt" | "system_prompt_changed" => self.system(entry),
            _ => {
                let message = format!("`{}` is no entry type of chibi", entry.kind);
                let note = Note::warning("unknown-entry", entry.range.clone(), message);
                notes.push(note.in_file(entry.file).hint("it is shown as it stands"));
                let block = Block::Unknown {
                    name: entry.kind.clone(),
                    value: entry.whole.clone().into(),
                };
                self.growing = false;
                let speaker = self.speaker(&entry);
                self.start(&entry, speaker, block);
            }
        }
    }

    /// Who says it. What came before roles were written is told by whom it was said to.
    fn speaker(&mut self, entry: &Entry) -> String {
        let known = self.read.participant(&entry.from).map(|who| who.kind);
        let kind = match entry.role.as_deref() {
            Some("user") => Kind::Person,
            Some("agent" | "assistant") => Kind::Assistant,
            Some("system") => Kind::System,
            _ if entry.from == "system" => Kind::System,
            _ if entry.to == "user" || entry.kind == "tool_call" => Kind::Assistant,
            _ => known.unwrap_or(Kind::Person),
        };
        let name = match entry.from.as_str() {
            "" => "Unknown",
            "system" => "System",
            name => name,
        };
        self.read.introduce(name, kind);
        name.to_owned()
    }

    fn start(&mut self, entry: &Entry, speaker: String, block: Block) {
        let tool = matches!(block, Block::Tool(_));
        let mut turn = Turn {
            speaker,
            time: entry.time.clone(),
            blocks: vec![block],
            place: Place { file: entry.file, line: entry.line, quoted: true },
            ..Turn::default()
        };
        if !tool {
            keep(&mut turn, entry);
        }
        self.read.turns.push(turn);
    }

    fn message(&mut self, entry: Entry) {
        let speaker = self.speaker(&entry);
        let block = Block::Markdown { text: entry.content.clone() };
        // What an agent says after its tools answered belongs to the same turn.
        if let Some(turn) = self.read.turns.last_mut()
            && self.growing
            && turn.speaker == speaker
            && matches!(turn.blocks.last(), Some(Block::Tool(_)))
        {
            turn.blocks.push(block);
            keep(turn, &entry);
        } else {
            self.start(&entry, speaker, block);
        }
        self.growing = true;
    }

    fn pending(&mut self, entry: Entry) {
        let entry = Entry { kind: String::new(), ..entry };
        let name = if entry.from.is_empty() { "Unknown" } else { &entry.from };
        // Such messages go from one context to another.
        self.read.introduce(name, Kind::Assistant);
        let block = Block::Markdown { text: entry.content.clone() };
        self.start(&entry, name.to_owned(), block);
        if let Some(turn) = self.read.turns.last_mut() {
            turn.pending = true;
        }
        self.growing = false;
    }

    fn call(&mut self, entry: Entry) {
        let speaker = self.speaker(&entry);
        let mut call = ToolCall {
            id: entry.call.clone().unwrap_or_default(),
            name: if entry.to.is_empty() {
                "(no name)".to_owned()
            } else {
                entry.to.clone()
            },
            ..ToolCall::default()
        };
        call.unpublished = luggage(&entry);
        call.unpublished.shift_remove("to");
        call.input = Some(match json::parse(&entry.content) {
            Ok((value, _)) if !value.is_string() => {
                let written = value.to_string();
                if written != entry.content {
                    call.unpublished
                        .insert("content".to_owned(), entry.content.clone().into());
                }
                value
            }
            _ => entry.content.clone().into(),
        });
        let (id, name) = (call.id.clone(), call.name.clone());
        let block = Block::Tool(Box::new(call));
        match self.read.turns.last_mut() {
            Some(turn) if self.growing && turn.speaker == speaker => {
                turn.blocks.push(block);
            }
            _ => self.start(&entry, speaker, block),
        }
        self.growing = true;
        let turn = self.read.turns.len() - 1;
        self.open.push((id, name, turn, self.read.turns[turn].blocks.len() - 1));
    }

    fn result(&mut self, entry: Entry, notes: &mut Vec<Note>) {
        let by_id = entry.call.as_ref().and_then(|id| {
            self.open.iter().position(|(known, ..)| known == id && !id.is_empty())
        });
        let place = by_id.or_else(|| {
            let by_name = |(id, name, ..): &(String, String, usize, usize)| {
                *name == entry.from && (id.is_empty() || entry.call.is_none())
            };
            self.open.iter().position(by_name)
        });
        let mut unpublished = luggage(&entry);
        unpublished.shift_remove("tool_call_id");
        let result = ToolResult {
            output: Some(entry.content.clone().into()),
            unpublished,
            ..ToolResult::default()
        };
        if let Some(place) = place {
            let (_, _, turn, block) = self.open.remove(place);
            if let Block::Tool(call) = &mut self.read.turns[turn].blocks[block] {
                call.results.push(result);
            }
            return;
        }
        let message = format!("`{}` answers, and nobody called it", entry.from);
        let note = Note::warning("orphan-result", entry.range.clone(), message);
        notes.push(
            note.in_file(entry.file).hint("its call may stand in a part that is missing"),
        );
        let id = entry.call.clone().unwrap_or_default();
        let call = ToolCall { id, results: vec![result], ..ToolCall::default() };
        let name =
            if entry.to.is_empty() { "Unknown".to_owned() } else { entry.to.clone() };
        self.read.introduce(&name, Kind::Assistant);
        let block = Block::Tool(Box::new(call));
        match self.read.turns.last_mut() {
            Some(turn) if self.growing && turn.speaker == name => turn.blocks.push(block),
            _ => self.start(&entry, name, block),
        }
        self.growing = true;
    }

    fn event(&mut self, entry: Entry) {
        let detail = match entry.metadata.get("summary") {
            Some(Value::String(text)) => Some(text.clone()),
            _ => None,
        };
        let text = match entry.content.as_str() {
            "" if entry.kind == "control_transfer" => {
                format!("Control passed from {} to {}", entry.from, entry.to)
            }
            content => content.to_owned(),
        };
        let name = entry.kind.clone();
        let mut entry = entry;
        if detail.is_some() {
            entry.metadata.shift_remove("summary");
        }
        self.start(&entry, String::new(), Block::Event { name, text, detail });
        self.growing = false;
    }

    fn system(&mut self, entry: Entry) {
        let entry = Entry { role: None, ..entry };
        self.read.introduce("System", Kind::System);
        let block = Block::Markdown { text: entry.content.clone() };
        self.start(&entry, "System".to_owned(), block);
        if let Some(turn) = self.read.turns.last_mut() {
            turn.unpublished.insert("entry_type".to_owned(), entry.kind.into());
        }
        self.growing = false;
    }
}

/// What an entry says beside what is shown of it.
fn luggage(entry: &Entry) -> Map {
    let mut map = entry.rest.clone();
    if !entry.to.is_empty() {
        map.insert("to".to_owned(), entry.to.clone().into());
    }
    if let Some(role) = &entry.role {
        map.insert("role".to_owned(), role.clone().into());
    }
    if let Some(time) = &entry.time {
        map.insert("timestamp".to_owned(), time.unix().0.into());
    }
    if !entry.metadata.is_empty() {
        map.insert("metadata".to_owned(), entry.metadata.clone().into());
    }
    map
}

/// Keeps the luggage of an entry that became a part of `turn`.
fn keep(turn: &mut Turn, entry: &Entry) {
    let kept =
        turn.unpublished.entry("entries").or_insert_with(|| Vec::<Value>::new().into());
    if let Value::Array(list) = kept {
        list.push(luggage(entry).into());
    }
}

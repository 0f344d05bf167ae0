//! Turns entries into turns.

use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};
use std::ops::Range;

use super::super::{File, Parsed};
use super::entry::{Entry, entries};
use super::required::Required;
use super::transcript;
use crate::shared::access::tool_access::{UNNAMED, reveals_server};
use crate::shared::access::visibility;
use crate::shared::tally::no_messages;
use convo_base::diag::{Note, Severity};
use convo_base::hash::Hash;
use convo_base::json::{self, Map, Value};
use convo_base::model::{Block, Conversation, Kind, Place, ToolCall, ToolResult, Turn, name_turns};
use convo_base::text::plural;

pub(super) fn parse(files: &[File]) -> Parsed {
    let (parsed, withheld) = read(files, &BTreeSet::new());
    // If an entry occurs twice, the copy that is marked as private need not be the first one.
    if withheld.is_empty() { parsed } else { read(files, &withheld).0 }
}

/// Reads the entries except those with the ids `withheld`. Returns the ids of shown entries of which
/// another copy must not be shown.
fn read(files: &[File], withheld: &BTreeSet<String>) -> (Parsed, BTreeSet<String>) {
    let mut log =
        Log { is_continued: files.first().is_some_and(|file| file.is_continued), ..Log::default() };
    let mut notes = Vec::new();
    let (mut seen, mut required) = (EntriesById::default(), Required::default());
    let mut marked = BTreeSet::new();
    for (index, file) in files.iter().enumerate() {
        let bare = file.name.rsplit('/').next().unwrap_or_default();
        if transcript::looks_like_one(&file.text) {
            transcript::read(&file.text, index, &mut log.read);
            continue;
        }
        for entry in entries(&file.text, index, &mut notes) {
            if entry.withheld {
                marked.extend(id_of(&entry).map(str::to_owned));
            }
            if entry.withheld || id_of(&entry).is_some_and(|id| withheld.contains(id)) {
                log.withhold(&entry);
                continue;
            }
            if !seen.is_new(&entry, &mut notes) || !required.is_met(&entry) {
                continue;
            }
            if bare == "inbox.jsonl" {
                log.pending(entry);
            } else {
                log.entry(entry, &mut notes);
            }
        }
    }
    marked.retain(|id| seen.by_id.contains_key(id));
    notes.extend(seen.notes(files));
    notes.extend(required.notes());
    if let Some((first, file)) = log.first_withheld {
        notes.push(visibility::withheld_turns_note(log.withheld, first).in_file(file));
    }
    let mut read = log.read;
    if read.turns.is_empty() && !read.private {
        let has_errors = notes.iter().any(|note| note.severity == Severity::Error);
        if log.withheld == 0 && !has_errors {
            let note = no_messages(Severity::Warning);
            notes.push(note.hint("delete the context if it is empty"));
        }
        return (Parsed { conversations: Vec::new(), notes }, marked);
    }
    read.time = read.turns.iter().find_map(|turn| turn.time.clone());
    name_turns(&mut read.turns);
    (Parsed { conversations: vec![read], notes }, marked)
}

fn id_of(entry: &Entry) -> Option<&str> {
    entry.rest.get("id").and_then(Value::as_str).filter(|id| !id.is_empty())
}

/// Finds duplicate entries by id. If a log was rotated while it was written, some entries are in two files.
#[derive(Default)]
struct EntriesById {
    /// The file and the content hash of each id.
    by_id: HashMap<String, (usize, Hash)>,
    /// For each pair of files, the number of duplicate entries and the place of the first one.
    again: BTreeMap<(usize, usize), (u64, Range<usize>)>,
}

impl EntriesById {
    /// Returns whether an entry is new: no entry with its id has the same content.
    fn is_new(&mut self, entry: &Entry, notes: &mut Vec<Note>) -> bool {
        let Some(id) = id_of(entry) else { return true };
        let hash = Hash::of(&(&entry.from, &entry.content));
        let Some((file, known)) = self.by_id.get(id) else {
            self.by_id.insert(id.to_owned(), (entry.file, hash));
            return true;
        };
        if *known == hash {
            let found = self.again.entry((*file, entry.file));
            found.or_insert((0, entry.range.clone())).0 += 1;
            return false;
        }
        let message = format!("duplicate entry id `{id}`");
        let note = Note::warning("duplicate-id", entry.range.clone(), message);
        notes.push(note.in_file(entry.file).hint("both entries are shown"));
        true
    }

    fn notes(self, files: &[File]) -> impl Iterator<Item = Note> {
        self.again.into_iter().map(move |((first, file), (count, range))| {
            let entries = plural(count, "entry is", "entries are");
            let message = match first == file {
                true => format!("{entries} in this file twice; each is shown once"),
                false => {
                    format!("{entries} also in `{}`; each is shown once", files[first].name)
                }
            };
            let note = Note::warning("duplicate-id", range, message).in_file(file);
            note.hint("delete them from one of the two places")
        })
    }
}

#[derive(Default)]
struct Log {
    read: Conversation,
    open: Calls,
    /// Whether the last turn may still grow.
    growing: bool,
    /// Whether the earlier part of the log is read separately.
    is_continued: bool,
    /// The number of entries that are not shown.
    withheld: usize,
    first_withheld: Option<(Range<usize>, usize)>,
}

/// The place of the block of a call: the indexes of the turn and the block; `None` if the call is not
/// shown.
type CallPlace = Option<(usize, usize)>;

/// The calls in order, and which of them wait for a result.
#[derive(Default)]
struct Calls {
    /// The place of each call; `None` once it has its result.
    places: Vec<Option<CallPlace>>,
    by_id: HashMap<String, VecDeque<usize>>,
    by_name: HashMap<String, VecDeque<usize>>,
    /// The calls without an id, by name.
    bare: HashMap<String, VecDeque<usize>>,
}

impl Calls {
    fn add(&mut self, id: String, name: String, place: CallPlace) {
        let number = self.places.len();
        self.places.push(Some(place));
        if id.is_empty() {
            self.bare.entry(name.clone()).or_default().push_back(number);
        } else {
            self.by_id.entry(id).or_default().push_back(number);
        }
        self.by_name.entry(name).or_default().push_back(number);
    }

    /// Returns the place of the first call that a result may belong to, and marks it as answered.
    fn answer(&mut self, id: Option<&str>, name: &str) -> Option<CallPlace> {
        let places = &mut self.places;
        let mut first = |calls: &mut HashMap<String, VecDeque<usize>>, key: &str| {
            let waiting = calls.get_mut(key)?;
            std::iter::from_fn(|| waiting.pop_front()).find_map(|call| places[call].take())
        };
        let by_id = id.and_then(|id| first(&mut self.by_id, id));
        by_id.or_else(|| match id {
            None => first(&mut self.by_name, name),
            Some(_) => first(&mut self.bare, name),
        })
    }
}

impl Log {
    /// Handles an entry that must not be shown. Its results are not shown either and, if it opens the
    /// context, nothing of the context is.
    fn withhold(&mut self, entry: &Entry) {
        self.read.private |= entry.kind == "context_created";
        self.withheld += 1;
        self.first_withheld.get_or_insert_with(|| (entry.range.clone(), entry.file));
        self.growing = false;
        match entry.kind.as_str() {
            "tool_call" => {
                let id = entry.call.clone().unwrap_or_default();
                self.open.add(id, entry.to.clone(), None);
            }
            "tool_result" => {
                self.open.answer(entry.call.as_deref(), &entry.from);
            }
            _ => {}
        }
    }

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
                let message = format!("`{}` is not a chibi entry type", entry.kind);
                let note = Note::warning("unknown-entry", entry.range.clone(), message);
                notes.push(note.in_file(entry.file).hint("it is shown as is"));
                let block =
                    Block::Unknown { name: entry.kind.clone(), value: entry.whole.clone().into() };
                self.growing = false;
                let speaker = self.speaker(&entry);
                self.start(&entry, speaker, block);
            }
        }
    }

    /// Returns the speaker of an entry. In old logs without roles, it follows from the recipient.
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
        // What an agent writes after a tool result belongs to the same turn.
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
        // Such messages are sent from one context to another.
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
            name: if entry.to.is_empty() { UNNAMED.to_owned() } else { entry.to.clone() },
            ..ToolCall::default()
        };
        call.unpublished = passthrough(&entry);
        call.unpublished.shift_remove("to");
        call.input = Some(match json::parse(&entry.content) {
            Ok((value, _)) if !value.is_string() => {
                let written = value.to_string();
                if written != entry.content {
                    call.unpublished.insert("content".to_owned(), entry.content.clone().into());
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
        let block = self.read.turns[turn].blocks.len() - 1;
        self.open.add(id, name, Some((turn, block)));
    }

    fn result(&mut self, entry: Entry, notes: &mut Vec<Note>) {
        let place = self.open.answer(entry.call.as_deref(), &entry.from);
        let mut unpublished = passthrough(&entry);
        unpublished.shift_remove("tool_call_id");
        let result = ToolResult {
            output: Some(entry.content.clone().into()),
            unpublished,
            ..ToolResult::default()
        };
        if let Some(place) = place {
            let Some((turn, block)) = place else {
                self.withheld += 1;
                return;
            };
            if let Block::Tool(call) = &mut self.read.turns[turn].blocks[block] {
                if reveals_server(&entry.from, &call.name) {
                    call.name.clone_from(&entry.from);
                }
                call.results.push(result);
            }
            return;
        }
        let message = format!("result of `{}` without a call", entry.from);
        let note = Note::warning("orphan-result", entry.range.clone(), message);
        if self.is_continued {
            // The call is far above and may be private.
            let hint = "its call is in an earlier part of the log, which may be private, so the \
                        result is not shown";
            notes.push(note.in_file(entry.file).hint(hint));
            self.withheld += 1;
            return;
        }
        notes.push(
            note.in_file(entry.file).hint("its call may be in a part of the log that is missing"),
        );
        let id = entry.call.clone().unwrap_or_default();
        let call = ToolCall { id, results: vec![result], ..ToolCall::default() };
        let name = if entry.to.is_empty() { "Unknown".to_owned() } else { entry.to.clone() };
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

/// Returns the values of an entry that no page shows.
fn passthrough(entry: &Entry) -> Map {
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

/// Keeps the unpublished values of an entry that became part of `turn`.
fn keep(turn: &mut Turn, entry: &Entry) {
    let kept = turn.unpublished.entry("entries").or_insert_with(|| Vec::<Value>::new().into());
    if let Value::Array(list) = kept {
        list.push(passthrough(entry).into());
    }
}

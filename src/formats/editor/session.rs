//! A session as turns, with the results of tools at their calls.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::super::hidden_tags::{Author, strip_in, without_hidden};
use super::super::tool_access::action;
use super::super::web_links::without_query;
use super::super::{blocks, home, visibility};
use crate::diag::Note;
use crate::formats::tally::{BOOKKEEPING, UNKNOWN};
use crate::json::Value;
use crate::model::{
    Attachment, AttachmentKind, Block, Content, Conversation, Kind, Place, ToolCall, ToolResult,
    Turn, Usage, name_turns, turn_id,
};
use crate::text::short_name;
use crate::time::Time;

/// Who a turn is of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::formats) enum Who {
    Person,
    Assistant,
    /// An instruction of the program, which is withheld.
    System,
    /// The program itself, which nobody hears speak.
    Program,
}

/// Where and when something was said.
#[derive(Clone, Default)]
pub(in crate::formats) struct At {
    /// The line of the file, from 1.
    pub(in crate::formats) line: u32,
    /// Whether the text there is a form of it, such as a JSON string.
    pub(in crate::formats) quoted: bool,
    pub(in crate::formats) time: Option<Time>,
    /// The id that the program gave it.
    pub(in crate::formats) id: Option<String>,
}

/// A session that is being read.
pub(in crate::formats) struct Session {
    /// What is known of it beside its turns.
    pub(in crate::formats) read: Conversation,
    /// The folder in which the work was done.
    pub(in crate::formats) cwd: Option<String>,
    /// The model, where no message says another one.
    pub(in crate::formats) model: Option<String>,
    /// The number of the file that is being read.
    pub(in crate::formats) file: usize,
    /// The name of the assistant.
    assistant: &'static str,
    /// Who the last turn is of.
    last: Option<Who>,
    /// The calls, by their ids.
    calls: HashMap<String, (usize, usize)>,
    /// The ids of calls that stand in something private.
    private_calls: HashSet<String>,
    /// What is not shown, and what is not known, counted.
    hidden: u64,
    left_out: (u64, usize),
    unknown: BTreeMap<String, (u64, u32)>,
}

impl Session {
    pub(in crate::formats) fn new(file: usize, assistant: &'static str) -> Self {
        Self {
            read: Conversation::default(),
            cwd: None,
            model: None,
            file,
            assistant,
            last: None,
            calls: HashMap::new(),
            private_calls: HashSet::new(),
            hidden: 0,
            left_out: (0, 0),
            unknown: BTreeMap::new(),
        }
    }

    /// Opens a turn. What an assistant does in several messages without a word of anybody between
    /// them is one turn.
    pub(in crate::formats) fn turn(&mut self, who: Who, at: At) {
        if who == Who::Assistant && self.last == Some(Who::Assistant) {
            return;
        }
        self.drop_empty();
        let (speaker, kind) = match who {
            Who::Person => ("User", Kind::Person),
            Who::Assistant => (self.assistant, Kind::Assistant),
            Who::System => ("System", Kind::System),
            Who::Program => ("", Kind::System),
        };
        self.last = Some(who);
        self.read.turns.push(Turn {
            id: at.id.as_deref().map(turn_id).unwrap_or_default(),
            speaker: speaker.to_owned(),
            time: at.time,
            withheld: who == Who::System,
            place: Place { file: self.file, line: at.line, quoted: at.quoted },
            ..Turn::default()
        });
        self.read.introduce(speaker, kind);
    }

    /// Returns who the last turn is of.
    pub(in crate::formats) fn last(&self) -> Option<Who> {
        self.last
    }

    /// Adds to the last turn.
    pub(in crate::formats) fn push(&mut self, block: Block) {
        if let Some(turn) = self.read.turns.last_mut() {
            turn.blocks.push(block);
        }
    }

    /// Adds Markdown to the last turn.
    pub(in crate::formats) fn say(&mut self, text: &str) {
        let text = without_hidden(text, Author::Writer);
        let text = text.trim_matches('\n').trim_end();
        if text.trim().is_empty() {
            return;
        }
        let text = match self.last {
            // What an answer leaves open must not swallow what follows.
            Some(Who::Assistant) => blocks::closed(text).into_owned(),
            _ => text.to_owned(),
        };
        self.push(Block::Markdown { text });
    }

    /// Adds a thought to the last turn.
    pub(in crate::formats) fn think(&mut self, text: &str) {
        let text = without_hidden(text, Author::Writer);
        if !text.trim().is_empty() {
            let text = blocks::closed(text.trim()).into_owned();
            self.push(Block::Thinking { text });
        }
    }

    /// Adds something that happened to the last turn.
    pub(in crate::formats) fn event(&mut self, name: &str, text: &str) {
        let text = without_hidden(text, Author::Program).trim().to_owned();
        self.push(Block::Event { name: name.to_owned(), text, detail: None });
    }

    /// Adds a picture or a file to the last turn, of which an address or a path is known. A path of
    /// the author's machine is nobody's business: only its last name is kept.
    pub(in crate::formats) fn attach(&mut self, name: &str, address: &str) {
        self.attach_to(None, name, address);
    }

    /// Adds a picture or a file that the call of an id returned.
    pub(in crate::formats) fn attach_to(
        &mut self,
        call: Option<String>,
        name: &str,
        address: &str,
    ) {
        let is_data = address.starts_with("data:");
        let is_image = address.starts_with("data:image/") || is_picture(name);
        let kind = if is_image { AttachmentKind::Image } else { AttachmentKind::File };
        let name = without_query(name).trim_end_matches('/');
        let name = name.rsplit(['/', '\\']).next().unwrap_or_default();
        let content = match is_data {
            true => Content::Uri(address.to_owned()),
            false => Content::Missing,
        };
        self.push(Block::Attachment(Box::new(Attachment {
            content,
            call,
            ..Attachment::new(name, kind)
        })));
    }

    /// Adds a call of a tool to the last turn.
    pub(in crate::formats) fn call(&mut self, mut call: ToolCall) {
        let Some(turn) = self.read.turns.len().checked_sub(1) else { return };
        if !call.id.is_empty() {
            let block = self.read.turns.last().map_or(0, |turn| turn.blocks.len());
            self.calls.insert(call.id.clone(), (turn, block));
        }
        if let Some(input) = &call.input
            && call.action.is_none()
        {
            call.action = action(&call.name, input);
        }
        call.results.iter_mut().for_each(tidy);
        self.push(Block::Tool(Box::new(call)));
    }

    /// Returns whether something came of the call of that id.
    pub(in crate::formats) fn is_answered(&self, id: &str) -> bool {
        self.tool(id).is_some_and(|call| !call.results.is_empty())
    }

    /// Returns the call of that id.
    fn tool(&self, id: &str) -> Option<&ToolCall> {
        let (turn, block) = *self.calls.get(id)?;
        match self.read.turns.get(turn)?.blocks.get(block)? {
            Block::Tool(call) => Some(call),
            _ => None,
        }
    }

    /// Adds the result of a call, if there is such a call.
    pub(in crate::formats) fn result(&mut self, id: &str, mut result: ToolResult) -> bool {
        let place = self.calls.get(id).copied();
        let block =
            place.and_then(|(turn, block)| self.read.turns.get_mut(turn)?.blocks.get_mut(block));
        let Some(Block::Tool(call)) = block else { return false };
        tidy(&mut result);
        call.results.push(result);
        true
    }

    /// Adds what came of a call, which `call` has: to the call of its id or, if there is none or it has
    /// another name, by itself. The result of a call that is in something private is as private.
    pub(in crate::formats) fn brought(&mut self, call: ToolCall, at: &At) {
        if self.is_private_call(&call.id) {
            return self.hide();
        }
        let known = self.tool(&call.id);
        if known.is_none_or(|known| !call.name.is_empty() && known.name != call.name) {
            self.turn(Who::Assistant, at.clone());
            return self.call(call);
        }
        for result in call.results {
            self.result(&call.id, result);
        }
    }

    /// Notes that calls stand in something private; `key` has the id of each.
    pub(in crate::formats) fn leave_out_calls<'v>(
        &mut self,
        calls: impl IntoIterator<Item = &'v Value>,
        key: &str,
    ) {
        let ids = calls.into_iter().filter_map(|call| call.get(key)?.as_str());
        let ids = ids.filter(|id| !id.is_empty()).map(str::to_owned);
        self.private_calls.extend(ids);
    }

    /// Returns whether the call of that id stands in something private.
    pub(in crate::formats) fn is_private_call(&self, id: &str) -> bool {
        self.private_calls.contains(id)
    }

    /// Adds output to the last result of a call, or as its first one, if there is such a call.
    pub(in crate::formats) fn add_output(&mut self, id: &str, output: &Value) -> bool {
        let place = self.calls.get(id).copied();
        let block =
            place.and_then(|(turn, block)| self.read.turns.get_mut(turn)?.blocks.get_mut(block));
        let Some(Block::Tool(call)) = block else { return false };
        let last = call.results.last_mut().and_then(|result| result.output.as_mut());
        match (last, output) {
            (Some(Value::String(known)), Value::String(more)) => {
                known.push('\n');
                known.push_str(&without_hidden(more, Author::Program));
                true
            }
            _ => {
                let output = Some(output.clone());
                self.result(id, ToolResult { output, ..ToolResult::default() })
            }
        }
    }

    /// Adds what the last turn took.
    pub(in crate::formats) fn used(&mut self, usage: &Usage) {
        let Some(turn) = self.read.turns.last_mut().filter(|_| !usage.is_empty()) else {
            return;
        };
        match &mut turn.usage {
            Some(known) => known.add(usage),
            None => turn.usage = Some(Box::new(usage.clone())),
        }
    }

    /// Counts something that is not shown.
    pub(in crate::formats) fn hide(&mut self) {
        self.hidden += 1;
    }

    /// Counts a message that says that it is private, and starts at that byte.
    pub(in crate::formats) fn leave_out(&mut self, at: usize) {
        if self.left_out.0 == 0 {
            self.left_out.1 = at;
        }
        self.left_out.0 += 1;
    }

    /// Puts a placeholder in the place of something of a kind that is not known.
    pub(in crate::formats) fn unknown(&mut self, kind: &str, line: u32) {
        let kind = short_name(kind, 60).to_owned();
        self.unknown.entry(kind.clone()).or_insert((0, line)).0 += 1;
        self.push(Block::Unknown { name: kind, value: Value::Null });
    }

    fn drop_empty(&mut self) {
        self.read.turns.pop_if(|turn| turn.blocks.is_empty());
    }

    /// Returns the session, if anything is said in it, with notes on what is not shown of it.
    /// `starts` are the bytes at which lines start.
    pub(in crate::formats) fn finish(
        mut self,
        lines: &[usize],
        notes: &mut Vec<Note>,
    ) -> Option<Conversation> {
        self.drop_empty();
        let file = self.file;
        if self.hidden > 0 {
            let hidden = Note::counted(BOOKKEEPING, "", self.hidden, None);
            notes.push(hidden.in_file(file));
        }
        if self.left_out.0 > 0 {
            let count = usize::try_from(self.left_out.0).unwrap_or(usize::MAX);
            let at = self.left_out.1..self.left_out.1;
            notes.push(visibility::left_out(count, at).in_file(file));
        }
        for (kind, (count, line)) in self.unknown {
            let at = lines.get((line as usize).saturating_sub(1)).map(|at| *at..*at);
            notes.push(Note::counted(UNKNOWN, &kind, count, at).in_file(file));
        }
        let mut read = self.read;
        let is_said = |turn: &Turn| !turn.withheld && !turn.speaker.is_empty();
        if !read.turns.iter().any(is_said) {
            return None;
        }
        if let Some(title) = &mut read.title {
            strip_in(title, Author::Writer);
        }
        read.title = read.title.filter(|title| !title.trim().is_empty());
        read.time = read.time.or_else(|| read.turns.iter().find_map(|turn| turn.time.clone()));
        name_turns(&mut read.turns);
        home::hide_with(&mut read, self.cwd.as_deref());
        Some(read)
    }
}

fn is_picture(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    [".png", ".jpg", ".jpeg", ".gif", ".webp"].iter().any(|ending| name.ends_with(ending))
}

/// Removes what is hidden from what a tool said.
fn tidy(result: &mut ToolResult) {
    let message = result.error.as_mut().and_then(|error| error.message.as_mut());
    message.into_iter().for_each(|text| strip_in(text, Author::Program));
    let mut open: Vec<&mut Value> = result.output.iter_mut().collect();
    while let Some(value) = open.pop() {
        match value {
            Value::String(text) => strip_in(text, Author::Program),
            Value::Array(list) => open.extend(list),
            Value::Object(map) => open.extend(map.values_mut()),
            _ => {}
        }
    }
}

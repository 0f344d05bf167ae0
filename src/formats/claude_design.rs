//! Chats of Claude Design: `design_chats/*.json` in a Claude export.
//!
//! ```text
//! { "uuid": …, "project": { "name": … }, "messages": [
//!   { "uuid": …, "role": "user", "content": { "content": "Draw a door.", "authorName": … } },
//!   { "uuid": …, "role": "assistant", "content": { "contentBlocks": [ … ] } } ] }
//! ```
//!
//! `turnChanges` repeats the tool calls. Messages sent while the assistant works split its turn. The names
//! of users are not published: they are shown as "User", "User 2" and so on.

use std::collections::HashMap;
use std::ops::Range;

use super::{About, Claim, File, Format, Parsed, Parts, Probe, Read};
use crate::shared::access::tool_access::{UNNAMED, edit};
use crate::shared::access::visibility;
use crate::shared::agents::thread::{Context, read_long};
use crate::shared::json::long_list::each_element;
use crate::shared::json::object::Object;
use crate::shared::tally::{BOOKKEEPING, Tally};
use crate::shared::text::attachment_kind::kind_of;
use convo_base::diag::{Note, Severity};
use convo_base::json::{self, Map, Value};
use convo_base::model::{
    Action, Attachment, Block, Content, Conversation, Kind, Place, ToolCall, ToolError, ToolResult,
    Turn, Usage, fenced, name_turns, turn_id,
};
use convo_base::text::base_name;
use convo_base::time::Time;

pub(super) const FORMAT: Format = Format {
    name: "claude-design",
    title: "Claude Design chat",
    source_label: "Claude Design",
    between_people: false,
    has_typed_prompts: true,
    about: About {
        what: "Chats of Claude Design from the data export of a Claude account.",
        find: "The folder `design_chats` in the Claude export.",
        reads: "Messages, reasoning, tool calls, and errors.",
        leaves_out: "Account names.",
    },
    read: Some(Read::new(claims, parse).parts(Parts::Records)),
    write: None,
};

const CLAUDE: &str = "Claude";
/// The key of the messages.
const MESSAGES: &str = "messages";

fn claims(probe: &Probe<'_>) -> Claim {
    let keys = probe.keys();
    let has = |key: &str| keys.iter().any(|(known, _)| *known == key);
    let messages = probe.value("messages");
    let (Some(messages), true, false) = (messages, has("project"), has("chat_messages")) else {
        return Claim::No;
    };
    let first = json::keys(messages);
    let content = first.iter().find(|(key, _)| *key == "content");
    let is_object = content.is_some_and(|(_, value)| value.starts_with('{'));
    match is_object || messages.starts_with("[]") && has("uuid") {
        true => Claim::Signature,
        false => Claim::No,
    }
}

fn parse(files: &[File]) -> Parsed {
    read_long(&["conversations", "chats"], MESSAGES, files, chat)
}

/// Reads a chat. If there are too many messages for the object, `long` is their place.
fn chat(
    mut object: Object<'_>,
    long: Option<Range<usize>>,
    context: &mut Context<'_>,
) -> Option<Conversation> {
    let Context { lines, tally, notes, .. } = context;
    let private = object.holds_back("private", &[MESSAGES, "project"], notes);
    let mut read = Conversation { private, ..Default::default() };
    let mut first = |keys: &[&str]| {
        let mut texts = keys.iter().filter_map(|key| object.text(key, notes));
        texts.find(|text| !text.trim().is_empty())
    };
    read.id = first(&["uuid", "id"]);
    read.title = first(&["title", "name"]);
    read.time = object.time("created_at", notes);
    read.updated = object.time("updated_at", notes);
    let mut chat = Chat { read, tally, authors: HashMap::new() };
    let (mut index, file) = (0, object.file());
    let done = each_element(&mut object, MESSAGES, long, notes, &mut |object, item, notes| {
        let place = Place { file, line: lines.line(item.1.start), quoted: true };
        let path = format!("{MESSAGES}.{index}");
        index += 1;
        if let Some(message) = object.element(item, path, "message", notes) {
            chat.message(message, place, notes);
        }
    });
    if let Err(note) = done {
        notes.push(note);
        return Some(chat.read).filter(|read| read.private);
    }
    let mut read = chat.read;
    read.time = read.time.or_else(|| read.turns.iter().find_map(|turn| turn.time.clone()));
    name_turns(&mut read.turns);
    let mut rest = object.rest();
    rest.retain(|key, value| !value.is_null() && !["account", "creator"].contains(&key.as_str()));
    read.unpublished = rest;
    Some(read)
}

/// A chat that is being read.
struct Chat<'a> {
    read: Conversation,
    tally: &'a mut Tally,
    /// The display names of users, by account.
    authors: HashMap<String, String>,
}

impl Chat<'_> {
    fn message(&mut self, mut object: Object<'_>, place: Place, notes: &mut Vec<Note>) {
        let id = object.text("uuid", notes).or_else(|| object.text("id", notes));
        let time = object.time("created_at", notes);
        let role = object.text("role", notes);
        let mut content = match object.take("content") {
            Some(Value::Object(map)) => map,
            Some(Value::Null) | None => Map::new(),
            Some(text) => Map::from_iter([("content".to_owned(), text)]),
        };
        if object.is_withheld(notes) || visibility::is_marked(&content) {
            let note = visibility::withheld_turns_note(1, object.start());
            return notes.push(note.in_file(place.file));
        }
        // In some messages, it is nested one level deeper.
        if let Some(Value::Object(inner)) = content.get_mut("content") {
            let inner = std::mem::take(inner);
            content.remove("content");
            content.extend(inner);
        }
        let own = content.get("role").and_then(Value::as_str).map(str::to_owned);
        let (speaker, kind) = match role.or(own).as_deref() {
            Some("assistant") => (CLAUDE.to_owned(), Kind::Assistant),
            Some("user" | "human") => (self.author(&content), Kind::Person),
            Some("system") => ("System".to_owned(), Kind::System),
            Some(other) => (other.to_owned(), Kind::guess(other)),
            None => {
                notes.push(object.missing(Severity::Warning, "role"));
                (String::new(), Kind::System)
            }
        };
        let own_time = text(&content, "timestamp").and_then(|text| Time::parse(text).ok());
        let model = text(&content, "model").map(str::to_owned);
        let usage = model.map(|model| Box::new(Usage { model: Some(model), ..Usage::default() }));
        self.read.introduce(&speaker, kind);
        self.read.turns.push(Turn {
            id: id.as_deref().map(turn_id).unwrap_or_default(),
            speaker,
            time: time.or(own_time.map(|(time, _)| time)),
            withheld: kind == Kind::System,
            usage,
            place,
            ..Turn::default()
        });
        let before = self.read.turns.len();
        self.content(content);
        // There is no turn after the last message of the user.
        if self.read.turns.len() > before {
            self.read.turns.pop_if(|turn| turn.blocks.is_empty());
        }
    }

    /// Returns the display name of the user who wrote a message.
    fn author(&mut self, content: &Map) -> String {
        let account = ["authorAccountUuid", "authorName"];
        let account = account.iter().find_map(|key| text(content, key));
        let Some(account) = account else { return "User".to_owned() };
        let number = self.authors.len() + 1;
        let name = self.authors.entry(account.to_owned()).or_insert_with(|| match number {
            1 => "User".to_owned(),
            number => format!("User {number}"),
        });
        name.clone()
    }

    fn content(&mut self, mut content: Map) {
        let attachments = content.remove("attachments");
        if let Some(Value::Array(list)) = attachments {
            list.iter().filter_map(Value::as_object).for_each(|file| self.attached(file));
        }
        let blocks = content.remove("contentBlocks");
        let has_blocks = matches!(&blocks, Some(Value::Array(list)) if !list.is_empty());
        match content.get("content") {
            Some(Value::String(words)) if !has_blocks => self.push_text(words),
            Some(Value::Array(list)) if !has_blocks => {
                list.iter().for_each(|block| self.block(block));
            }
            _ => {}
        }
        if let Some(Value::Array(list)) = blocks {
            list.iter().for_each(|block| self.block(block));
        }
    }

    fn push(&mut self, block: Block) {
        if let Some(turn) = self.read.turns.last_mut() {
            turn.blocks.push(block);
        }
    }

    fn push_text(&mut self, words: &str) {
        if !words.trim().is_empty() {
            self.push(Block::Markdown { text: words.to_owned() });
        }
    }

    fn attached(&mut self, file: &Map) {
        let name = ["name", "file_name", "fileName", "filename", "title"];
        let name = name.iter().find_map(|key| text(file, key)).map(base_name);
        let kind = text(file, "type").unwrap_or_default();
        match text(file, "content").filter(|words| !words.trim().is_empty()) {
            Some(words) if kind != "image" && !words.starts_with("data:") => {
                let title = name.or(Some(kind).filter(|kind| !kind.is_empty()));
                let title = title.unwrap_or("attachment").to_owned();
                let detail = Some(fenced("", words.trim_end_matches('\n')));
                self.push(Block::Event { name: "attachment".to_owned(), text: title, detail });
            }
            bytes => {
                let bytes = bytes.filter(|bytes| bytes.starts_with("data:"));
                if bytes.is_none() {
                    self.tally.missing_file();
                }
                let kind = kind_of(name.unwrap_or_default(), Some(kind));
                let content = bytes.map(|bytes| Content::Uri(bytes.to_owned()));
                self.push(Block::Attachment(Box::new(Attachment {
                    content: content.unwrap_or(Content::Missing),
                    ..Attachment::new(name.unwrap_or_default(), kind)
                })));
            }
        }
    }

    fn block(&mut self, block: &Value) {
        let block = match block {
            Value::Object(block) => block,
            Value::String(words) => return self.push_text(words),
            _ => return,
        };
        let words = |keys: &[&str]| keys.iter().find_map(|key| message(block.get(*key)?));
        match text(block, "type").unwrap_or_default() {
            "text" => self.push_text(&words(&["text", "content"]).unwrap_or_default()),
            "thinking" => match words(&["thinking", "text", "content"]) {
                Some(text) => self.push(Block::Thinking { text }),
                None => self.tally.add(BOOKKEEPING),
            },
            "tool_call" | "tool_use" => {
                let call = block.get("toolCall").and_then(Value::as_object).unwrap_or(block);
                self.push(Block::Tool(Box::new(tool_call(call))));
            }
            "error" => {
                let text = words(&["message", "error", "text"]).unwrap_or_default();
                let text = if text.is_empty() { "error".to_owned() } else { text };
                self.push(Block::Event { name: "error".to_owned(), text, detail: None });
            }
            "user_interjection" => self.interjection(block),
            "" => self.unknown("contentBlocks"),
            kind => self.unknown(kind),
        }
    }

    fn unknown(&mut self, kind: &str) {
        self.tally.unknown(kind);
        self.push(Block::Unknown { name: kind.to_owned(), value: Value::Null });
    }

    /// Splits the turn of the assistant at a message of the user.
    fn interjection(&mut self, block: &Map) {
        let inner = block.get("message").or_else(|| block.get("content"));
        let inner = inner.or_else(|| block.get("text"));
        let author = match inner {
            Some(Value::Object(inner)) => self.author(inner),
            _ => self.author(block),
        };
        let Some(turn) = self.read.turns.last() else { return };
        let (speaker, usage, place) = (turn.speaker.clone(), turn.usage.clone(), turn.place);
        // An answer that is still empty begins only after the message.
        let first = self.read.turns.pop_if(|turn| turn.blocks.is_empty());
        self.read.introduce(&author, Kind::Person);
        let time = text(block, "timestamp").and_then(|text| Time::parse(text).ok());
        self.read.turns.push(Turn {
            speaker: author,
            time: time.map(|(time, _)| time),
            place,
            ..Turn::default()
        });
        match inner {
            Some(Value::Object(inner)) => self.content(inner.clone()),
            Some(inner) => self.push_text(&message(inner).unwrap_or_default()),
            None => {}
        }
        let rest = Turn { speaker, usage, place, ..Turn::default() };
        self.read.turns.push(first.unwrap_or(rest));
    }
}

fn text<'a>(map: &'a Map, key: &str) -> Option<&'a str> {
    map.get(key)?.as_str().filter(|text| !text.is_empty())
}

/// Returns the text of a message, from any of its keys.
fn message(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Object(map) => {
            ["content", "text", "message"].iter().find_map(|key| message(map.get(*key)?))
        }
        _ => None,
    }
    .filter(|text| !text.trim().is_empty())
}

fn tool_call(call: &Map) -> ToolCall {
    let input = call.get("input").filter(|input| !input.is_null()).cloned();
    let output = call.get("output").filter(|output| !output.is_null());
    let error = call.get("error").and_then(message);
    let failed = call.get("is_error").or_else(|| call.get("isError"));
    let failed = failed.and_then(Value::as_bool).or(error.is_some().then_some(true));
    let state = match failed {
        Some(true) => "failed",
        Some(false) => "succeeded",
        None => "",
    };
    let results = (output.is_some() || error.is_some()).then(|| ToolResult {
        state: state.to_owned(),
        output: output.cloned(),
        error: error.map(|message| ToolError { message: Some(message), ..Default::default() }),
        ..ToolResult::default()
    });
    ToolCall {
        id: text(call, "id").unwrap_or_default().to_owned(),
        name: text(call, "name").unwrap_or(UNNAMED).to_owned(),
        action: input
            .as_ref()
            .and_then(|input| edit(input.as_object()?))
            .map(|file| Action::Edit { files: vec![file] }),
        input,
        results: results.into_iter().collect(),
        ..ToolCall::default()
    }
}

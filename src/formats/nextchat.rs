//! Conversations of NextChat, formerly ChatGPT Next Web.
//!
//! ```text
//! backup-4_29_2025, 3_04_09 PM.json: all stores of the browser
//! { "chat-next-web-store": { "sessions": [
//!     { "id": …, "topic": "The mill", "memoryPrompt": …, "lastUpdate": 1745939049000, "mask": …, "messages": [
//!       { "id": …, "date": "4/29/2025, 3:03:10 PM", "role": "user", "content": … },
//!       { "role": "assistant", "model": …, "tools": [ … ], … } ] }, … ] },
//!   "access-control": { "openaiApiKey": …, … }, "mask-store": …, … }
//! { "state": { "sessions": [ … ] }, "version": … }        the database of the browser
//! { "messages": [ … ], "topic": … }                       one conversation
//! ```
//!
//! Calls to MCP servers and their answers are fences in the text: `json:mcp:files` and `json:mcp-response:files`.

use super::probe::value_of;
use super::{About, Claim, File, Format, Parsed, Probe, Read};
use crate::shared::access::tool_access::{served_name, some_call};
use crate::shared::access::visibility::{Scope, holds_back, read_access};
use crate::shared::agents::placeholder_titles::is_placeholder;
use crate::shared::agents::thread::{
    self, App, Blocks, Context, Message, SYSTEM, USER, arguments, assemble, file, moment, rest,
    text, words,
};
use crate::shared::json::object::Object;
use crate::shared::text::dates::{Order, localized, numbers_of_date};
use convo_base::diag::Severity;
use convo_base::json::{self, Map, Value};
use convo_base::model::{Attachment, Conversation, Kind, ToolCall, ToolResult};

pub(super) const FORMAT: Format = Format {
    name: "nextchat",
    title: "NextChat backup",
    source_label: "NextChat",
    between_people: false,
    has_typed_prompts: true,
    about: About {
        what: "The conversations of NextChat, formerly ChatGPT Next Web.",
        find: "In NextChat: Settings, Local data, Export. The backup also contains your API keys: do not publish it.",
        reads: "Each conversation with its title, times, models, pictures and plugin calls.",
        leaves_out: "API keys, settings, masks and their prompts, summaries for the model, and the input and output of plugins and MCP servers.",
    },
    read: Some(Read::new(claims, parse)),
    write: None,
};

const APP: App =
    App { lists: &["chat-next-web-store.sessions", "state.sessions"], read: conversation };
/// The keys of the objects with those lists.
const STORES: [&str; 2] = ["chat-next-web-store", "state"];
/// The speaker of an answer.
const ASSISTANT: &str = "Assistant";
/// The server that plugins count as: they are programs of third parties.
const PLUGINS: &str = "plugin";
/// The start of fences that contain calls and answers of MCP servers, and of those that contain answers.
const SERVED: &str = "```json:mcp";
const RESPONSE: &str = "```json:mcp-response:";
/// The maximum length of the name of a server, in bytes.
const MAX_NAME: usize = 60;
/// Keys that do not affect visibility.
const VENDORS: [&str; 3] = ["messages", "mask", "stat"];
/// Keys of a conversation that are read, or that contain settings.
const KNOWN: [&str; 10] = [
    "id", "topic", "messages", "memoryPrompt", "lastUpdate", "stat", "lastSummarizeIndex", "mask",
    "clearContextIndex", "isGenerating",
];
/// Keys of a message that are read, or that describe its state.
const KNOWN_OF_MESSAGE: [&str; 11] = [
    "id", "date", "role", "content", "model", "streaming", "tools", "isError", "preview",
    "audio_url", "isMcpResponse",
];

fn claims(probe: &Probe<'_>) -> Claim {
    let is_session = |list: &str| {
        let keys = json::keys(list);
        ["topic", "memoryPrompt", "messages"].iter().all(|key| value_of(&keys, key).is_some())
    };
    let inside = |key: &str| {
        let keys = json::keys(probe.value(key)?);
        value_of(&keys, "sessions")
            .map(|list| list.starts_with('[') && (is_session(list) || is_empty(list)))
    };
    let messages = json::keys(probe.value("messages").unwrap_or_default());
    let is_dated =
        ["id", "date", "role", "content"].iter().all(|key| value_of(&messages, key).is_some());
    let is_one = probe.text.trim_start().starts_with('{')
        && (probe.value("chat-next-web-store").is_some()
            || inside("state") == Some(true)
            || probe.value("topic").is_some() && is_dated);
    if is_one { Claim::Signature } else { Claim::No }
}

fn is_empty(list: &str) -> bool {
    list[1..].trim_start().starts_with(']')
}

fn parse(files: &[File]) -> Parsed {
    let mut parsed = thread::read(&APP, files);
    // The list is in an object that can be marked.
    let is_marked = files.iter().any(|file| {
        let stores = json::members(&file.text).filter(|(key, _)| STORES.contains(key));
        let mut access = stores.map(|(_, store)| read_access(store, Scope::Turn, &["sessions"]));
        access.any(|access| holds_back(&access))
    });
    parsed.conversations.iter_mut().for_each(|read| read.private |= is_marked);
    parsed
}

fn conversation(mut object: Object<'_>, context: &mut Context<'_>) -> Option<Conversation> {
    let private = object.holds_back("private", &VENDORS, context.notes);
    let mut read = Conversation { private, ..Conversation::default() };
    read.id = object.take("id").as_ref().and_then(words);
    read.title = object.text("topic", context.notes).filter(|title| !is_placeholder(title));
    read.updated = moment(&mut object, "lastUpdate", context);
    let list = object.array("messages", context.notes).unwrap_or_default();
    let dates =
        list.iter().filter_map(|(item, _)| numbers_of_date(text(item.as_object()?, "date")?));
    let order = Order::of_all(dates);
    let mut messages = Vec::new();
    for (at, item) in list.into_iter().enumerate() {
        let name = format!("messages.{at}");
        let Some(item) = object.element(item, name, "message", context.notes) else { continue };
        messages.push(message(&item, order, context));
    }
    assemble(&mut read, messages, None, context);
    read.unpublished = rest(object.rest(), &KNOWN);
    Some(read)
}

fn message(object: &Object<'_>, order: Option<Order>, context: &mut Context<'_>) -> Message {
    let map = object.copy();
    let is_set = |value: &Value| !value.is_null() && *value != false;
    let role = text(&map, "role").unwrap_or_default();
    let is_answer_of_server = map.get("isMcpResponse").is_some_and(is_set)
        || text(&map, "content").is_some_and(|text| text.trim_start().starts_with(RESPONSE))
        || ["tool", "function"].contains(&role);
    let who = match role {
        "user" if !is_answer_of_server => (USER, Kind::Person),
        "user" | "assistant" | "tool" | "function" => (ASSISTANT, Kind::Assistant),
        "system" => (SYSTEM, Kind::System),
        "" => {
            context.notes.push(object.missing(Severity::Warning, "role"));
            ("", Kind::System)
        }
        other => {
            context.tally.role(other);
            (other, Kind::guess(other))
        }
    };
    let mut message = Message::new(object, map.get("id").and_then(words), who, context);
    message.turn.time = text(&map, "date").and_then(|date| localized(date, order));
    let is_model = who.1 == Kind::Assistant;
    if is_model {
        message.made_by(text(&map, "model"));
    }
    if message.is_withheld {
        return message;
    }
    let mut blocks = Blocks::default();
    let tools = map.get("tools").and_then(Value::as_array);
    for tool in tools.into_iter().flatten().filter_map(Value::as_object) {
        blocks.call(plugin_call(tool));
    }
    match map.get("content") {
        Some(content) if is_answer_of_server => response(content, &mut blocks),
        Some(Value::String(words)) => said(words, is_model, &mut blocks),
        Some(Value::Array(parts)) => {
            for part in parts.iter().filter_map(Value::as_object) {
                read_part(part, is_model, &mut blocks, context);
            }
        }
        _ => {}
    }
    message.turn.blocks = blocks.done();
    message.turn.unpublished = rest(map, &KNOWN_OF_MESSAGE);
    message
}

fn read_part(part: &Map, is_model: bool, blocks: &mut Blocks, context: &mut Context<'_>) {
    match text(part, "type").unwrap_or_default() {
        "text" => said(text(part, "text").unwrap_or_default(), is_model, blocks),
        "image_url" => {
            let mut own = Map::new();
            let image = part.get("image_url");
            let url = image.and_then(|image| image.as_str().or_else(|| image.get("url")?.as_str()));
            own.insert("url".to_owned(), url.unwrap_or_default().into());
            own.insert("type".to_owned(), "image".into());
            let call = some_call(is_model);
            blocks.attach(Attachment { call, ..file(&own, context.tally) });
        }
        kind => blocks.unknown(kind, context.tally),
    }
}

/// Adds a text. Fences in it may be calls of MCP servers, and their answers.
fn said(words: &str, is_model: bool, blocks: &mut Blocks) {
    let mut rest = words;
    while let Some((before, fence)) = rest.split_once(SERVED) {
        blocks.push_text(before, is_model);
        let call = fence.strip_prefix(':');
        let named = call.or_else(|| fence.strip_prefix("-response:"));
        // Without a name, the fence begins with the next line.
        let line = fence.find('\n').map_or("", |end| &fence[end..]);
        let (server, body, behind) = divided(named.unwrap_or(line));
        let body = (!body.trim().is_empty()).then(|| Value::from(body));
        match call {
            Some(_) => {
                let call = arguments(body.as_ref());
                let params = call.as_ref().and_then(|call| call.get("params"));
                let tool = params.and_then(|params| params.get("name")?.as_str()).unwrap_or("call");
                let name = served_name(server, tool);
                blocks.call(ToolCall { name, input: call, ..ToolCall::default() });
            }
            None => answered(server, body, blocks),
        }
        rest = behind;
    }
    blocks.push_text(rest, is_model);
}

/// Adds the answer of a server to a call. All of the message belongs to the server.
fn response(content: &Value, blocks: &mut Blocks) {
    let fence = content.as_str().and_then(|words| Some(words.split_once(RESPONSE)?.1));
    answered(fence.map_or("", |fence| divided(fence).0), Some(content.clone()), blocks);
}

fn answered(server: &str, output: Option<Value>, blocks: &mut Blocks) {
    let name = served_name(server, "response");
    let results = vec![ToolResult { output, ..ToolResult::default() }];
    blocks.call(ToolCall { name, results, ..ToolCall::default() });
}

/// Divides the text after the start of a fence into the name of the server, the body of the fence, and the text
/// behind. An open fence ends with the text.
fn divided(fence: &str) -> (&str, &str, &str) {
    let is_end = |c: char| c.is_whitespace() || ['{', '[', '`'].contains(&c);
    let (server, rest) = fence.split_at(fence.find(is_end).unwrap_or(fence.len()));
    // In JSON, a line break is written as an escape.
    let whole = rest.split_once("\n```").or_else(|| rest.split_once("```"));
    let (body, behind) = whole.unwrap_or((rest, ""));
    let is_name = |c: char| c.is_alphanumeric() || ['-', '_', '.', '/', '@'].contains(&c);
    let server = if server.len() <= MAX_NAME && server.chars().all(is_name) { server } else { "" };
    (server, body, behind)
}

/// Reads a call of a plugin, with its result.
fn plugin_call(tool: &Map) -> ToolCall {
    let function = tool.get("function").and_then(Value::as_object);
    let name = function.and_then(|function| text(function, "name")).unwrap_or_default();
    let input = function.and_then(|function| arguments(function.get("arguments")));
    let failed = tool.get("isError") == Some(&Value::Bool(true));
    let output = tool.get("content").or(tool.get("errorMsg")).filter(|output| !output.is_null());
    let results = output.map(|output| ToolResult {
        state: if failed { "failed" } else { "" }.to_owned(),
        output: Some(output.clone()),
        ..ToolResult::default()
    });
    ToolCall {
        id: text(tool, "id").unwrap_or_default().to_owned(),
        name: served_name(PLUGINS, name),
        input,
        results: results.into_iter().collect(),
        ..ToolCall::default()
    }
}

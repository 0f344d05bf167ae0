//! Conversations of LM Studio.
//!
//! ```text
//! ~/.lmstudio/conversations/1784921389195.conversation.json
//! { "name": …, "createdAt": 1784921389195, "systemPrompt": …, "messages": [
//!   { "currentlySelected": 0, "versions": [ { "type": "singleStep", "role": "user", "content": [ … ] } ] },
//!   { "currentlySelected": 1, "versions": [ …, { "type": "multiStep", "role": "assistant", "steps": [
//!     { "type": "contentBlock", "style": { "type": "thinking" }, "content": [ … ] } ] } ] } ] }
//! ```
//!
//! Versions of a message that are not selected are alternatives. Messages have no times.

use super::{About, Claim, File, Format, Parsed, Probe, Read};
use crate::shared::access::tool_access::{full_name, served_name, some_call};
use crate::shared::agents::thread::{
    self, App, Blocks, Context, Message, SYSTEM, USER, arguments, assemble, file, first, moment,
    rest, text, whole,
};
use crate::shared::json::object::Object;
use crate::shared::text::attachment_kind::kind_of;
use convo_base::diag::Severity;
use convo_base::json::{self, Map, Value};
use convo_base::model::{Attachment, Conversation, Kind, ToolCall, ToolResult, Turn, Usage};

pub(super) const FORMAT: Format = Format {
    name: "lm-studio",
    title: "LM Studio conversation",
    source_label: "LM Studio",
    between_people: false,
    has_typed_prompts: true,
    about: About {
        what: "Conversations stored by LM Studio.",
        find: "The folder `~/.lmstudio/conversations`; in older versions `~/.cache/lm-studio/conversations`.",
        reads: "Each conversation: regenerated answers as alternatives, reasoning, tool calls with their results, models, tokens, and the names of files.",
        leaves_out: "System prompts, settings, debug information, input and output of third-party tools, and the files themselves.",
    },
    read: Some(Read::new(claims, parse)),
    write: None,
};

const APP: App = App { lists: &[], read: conversation };
/// The speaker of an answer whose model is not named.
const ASSISTANT: &str = "Assistant";
/// Keys that do not affect visibility.
const VENDORS: [&str; 4] = ["messages", "name", "systemPrompt", "plugins"];
/// Keys of a conversation that are read, or that contain settings.
const KNOWN: [&str; 19] = [
    "name", "pinned", "createdAt", "preset", "tokenCount", "userLastMessagedAt",
    "assistantLastMessagedAt", "systemPrompt", "messages", "usePerChatPredictionConfig",
    "perChatPredictionConfig", "clientInput", "clientInputFiles", "userFilesSizeBytes",
    "lastUsedModel", "notes", "plugins", "pluginConfigs", "disabledPluginTools",
];

fn claims(probe: &Probe<'_>) -> Claim {
    let (name, text) = (probe.name, probe.text);
    let get = |keys: &[(&str, &str)], name: &str| {
        keys.iter().find(|(key, _)| *key == name).map(|(_, value)| (*value).to_owned())
    };
    let keys = probe.keys();
    if text.trim_start().starts_with('[') {
        return Claim::No;
    }
    let Some(messages) = get(keys, "messages").filter(|list| list.starts_with('[')) else {
        return Claim::No;
    };
    let message = json::keys(&messages);
    let is_message = get(&message, "versions").is_some_and(|list| list.starts_with('['));
    let is_empty = messages[1..].trim_start().starts_with(']');
    let has = |name: &str| get(keys, name).is_some();
    let is_settings = has("systemPrompt") || has("lastUsedModel") || has("tokenCount");
    let is_named = name.to_lowercase().ends_with(".conversation.json");
    let is_selected = get(&message, "currentlySelected").is_some();
    match is_message && (is_selected || is_settings) || is_empty && is_settings && is_named {
        true => Claim::Signature,
        false => Claim::No,
    }
}

fn parse(files: &[File]) -> Parsed {
    thread::read(&APP, files)
}

fn conversation(mut object: Object<'_>, context: &mut Context<'_>) -> Option<Conversation> {
    let private = object.holds_back("private", &VENDORS, context.notes);
    let mut read = Conversation { private, ..Conversation::default() };
    read.title = object.text("name", context.notes).filter(|title| !title.trim().is_empty());
    read.time = moment(&mut object, "createdAt", context);
    let times = ["assistantLastMessagedAt", "userLastMessagedAt"];
    let times = times.map(|key| moment(&mut object, key, context));
    read.updated = times.into_iter().flatten().max_by_key(|time| time.instant());
    // The file name is the time at which the conversation began.
    let stem = context.name.rsplit('/').next().unwrap_or_default();
    let stem = stem.split('.').next().unwrap_or_default();
    let is_id = stem.len() > 9 && stem.bytes().all(|byte| byte.is_ascii_digit());
    read.id = is_id.then(|| stem.to_owned());
    let list = object.array("messages", context.notes).unwrap_or_default();
    let mut messages = Vec::new();
    for (at, item) in list.into_iter().enumerate() {
        let name = format!("messages.{at}");
        let Some(item) = object.element(item, name, "message", context.notes) else { continue };
        messages.push(message(&item, context));
    }
    assemble(&mut read, messages, None, context);
    read.unpublished = rest(object.rest(), &KNOWN);
    Some(read)
}

/// Reads a message with all its versions.
fn message(object: &Object<'_>, context: &mut Context<'_>) -> Message {
    let map = object.copy();
    // The format before versions were introduced.
    let alone = [Value::Object(map.clone())];
    let versions = map.get("versions").and_then(Value::as_array).map_or(&alone[..], Vec::as_slice);
    let chosen = whole(map.get("currentlySelected")).unwrap_or_default() as usize;
    let chosen = chosen.min(versions.len().saturating_sub(1));
    let of = |at: usize| versions.get(at).and_then(Value::as_object);
    // If the selected version does not exist, the newest one is used.
    let chosen = match of(chosen) {
        Some(_) => chosen,
        None => versions.iter().rposition(Value::is_object).unwrap_or(chosen),
    };
    if of(chosen).is_none() {
        let message = format!("`{}versions` must be a list of objects", object.name());
        let note = object.note(Severity::Error, "wrong-type", "versions", message);
        context.notes.push(note.hint("only this message is skipped"));
    }
    let who = of(chosen).map_or((String::new(), Kind::System), speaker);
    let mut message = Message::new(object, None, (&who.0, who.1), context);
    if message.is_withheld {
        return message;
    }
    let place = message.turn.place;
    for at in 0..versions.len() {
        let Some(version) = of(at) else { continue };
        let turn = Turn { place, ..turn(version, context) };
        match at == chosen {
            true => message.turn = turn,
            false => message.alternatives.push(turn),
        }
    }
    message
}

/// Returns the speaker of a version of a message.
fn speaker(version: &Map) -> (String, Kind) {
    let role = text(version, "role").unwrap_or_default();
    let sender = version.get("senderInfo").and_then(|info| text(info.as_object()?, "senderName"));
    match role {
        "user" => (USER.to_owned(), Kind::Person),
        "assistant" => (sender.unwrap_or(ASSISTANT).to_owned(), Kind::Assistant),
        "system" => (SYSTEM.to_owned(), Kind::System),
        other => (other.to_owned(), Kind::guess(other)),
    }
}

fn turn(version: &Map, context: &mut Context<'_>) -> Turn {
    let (speaker, kind) = speaker(version);
    if !["user", "assistant", "system"].contains(&text(version, "role").unwrap_or_default()) {
        context.tally.role(&speaker);
    }
    let mut usage = Usage::default();
    let mut blocks = Blocks::default();
    let is_model = kind == Kind::Assistant;
    let steps = version.get("steps").and_then(Value::as_array);
    match steps {
        Some(steps) => {
            for step in steps.iter().filter_map(Value::as_object) {
                read_step(step, is_model, &mut blocks, &mut usage, context);
            }
        }
        None => content(version, is_model, false, &mut blocks, context),
    }
    if is_model && usage.model.is_none() {
        let sender =
            version.get("senderInfo").and_then(|info| text(info.as_object()?, "senderName"));
        usage.model = sender.map(str::to_owned);
    }
    Turn {
        speaker,
        withheld: kind == Kind::System,
        usage: (is_model && !usage.is_empty()).then(|| Box::new(usage)),
        blocks: blocks.done(),
        ..Turn::default()
    }
}

fn read_step(
    step: &Map,
    is_model: bool,
    blocks: &mut Blocks,
    usage: &mut Usage,
    context: &mut Context<'_>,
) {
    match text(step, "type").unwrap_or_default() {
        "contentBlock" => {
            let style = step.get("style").and_then(|style| text(style.as_object()?, "type"));
            let is_thought = style == Some("thinking") || text(step, "prefix") == Some("<think>");
            content(step, is_model, is_thought, blocks, context);
            if let Some(own) = step.get("genInfo").and_then(Value::as_object) {
                usage.add(&took(own));
            }
        }
        "debugInfoBlock" => {
            context.tally.not_shown("debug record", "debug records");
        }
        // The state of a call; its result contains it as well.
        "toolStatus" | "status" => {}
        "error" | "errorBlock" => {
            let reported = first(step, &["message", "error", "text"]);
            blocks.event("error", reported.unwrap_or("Error"));
        }
        kind => blocks.unknown(kind, context.tally),
    }
}

/// Adds the parts of the contents.
fn content(
    map: &Map,
    is_model: bool,
    is_thought: bool,
    blocks: &mut Blocks,
    context: &mut Context<'_>,
) {
    let parts = match map.get("content") {
        Some(Value::String(words)) => return blocks.push_text(words, is_model),
        Some(Value::Array(parts)) => parts,
        _ => return,
    };
    for part in parts {
        let Some(part) = part.as_object() else {
            blocks.push_text(part.as_str().unwrap_or_default(), is_model);
            continue;
        };
        match text(part, "type").unwrap_or_default() {
            "text" => match (text(part, "text").unwrap_or_default(), is_thought) {
                (thought, true) => blocks.think(thought),
                (words, false) => blocks.push_text(words, is_model),
            },
            "file" | "image" => {
                let call = some_call(is_model);
                blocks.attach(Attachment { call, ..handed_over(part, context) });
            }
            "toolCallRequest" => {
                let inner = part.get("toolCallRequest").and_then(Value::as_object).unwrap_or(part);
                let plugin = first(part, &["pluginIdentifier"]);
                let name = text(inner, "name").unwrap_or_default();
                // The server of a tool determines whether the tool reads private data.
                let name = match plugin {
                    Some(plugin) if plugin.starts_with("mcp/") => {
                        served_name(&plugin["mcp/".len()..], name)
                    }
                    _ => full_name(inner, name),
                };
                let input =
                    ["parameters", "arguments"].iter().find_map(|key| arguments(inner.get(*key)));
                let id = call_id(part).or_else(|| call_id(inner)).unwrap_or_default();
                blocks.call(ToolCall { id, name, input, ..ToolCall::default() });
            }
            "toolCallResult" => {
                let output = arguments(part.get("content")).map(output);
                let result = ToolResult { output, ..ToolResult::default() };
                blocks.result(&call_id(part).unwrap_or_default(), result);
            }
            kind => blocks.unknown(kind, context.tally),
        }
    }
}

/// Returns the output of a tool; from a list of texts, their text.
fn output(value: Value) -> Value {
    let text_of = |part: &Value| text(part.as_object()?, "text").map(str::to_owned);
    let words = value.as_array().map(|parts| parts.iter().map(text_of).collect::<Option<Vec<_>>>());
    match words.flatten().filter(|words| !words.is_empty()) {
        Some(words) => words.join("\n\n").into(),
        None => value,
    }
}

/// Returns the id that a call shares with its result.
fn call_id(map: &Map) -> Option<String> {
    ["callId", "toolCallRequestId", "toolCallId", "id"]
        .iter()
        .find_map(|key| map.get(*key).and_then(thread::words))
}

/// Returns the attachment for a file, whose identifier consists of a time and a name:
/// `1784921393420 - eel.png`.
fn handed_over(part: &Map, context: &mut Context<'_>) -> Attachment {
    let id = first(part, &["fileIdentifier", "identifier", "name"]).unwrap_or_default();
    let name = match id.split_once(" - ") {
        Some((moment, name)) if moment.bytes().all(|byte| byte.is_ascii_digit()) => name,
        _ => id,
    };
    let kind = kind_of(name, text(part, "fileType"));
    let mut described = part.clone();
    described.insert("name".to_owned(), name.into());
    described.shift_remove("type");
    Attachment { kind, ..file(&described, context.tally) }
}

/// Returns the usage of a part of an answer.
fn took(own: &Map) -> Usage {
    let stats = own.get("stats").and_then(Value::as_object);
    let number = |key: &str| whole(stats?.get(key));
    let seconds = stats.and_then(|stats| stats.get("totalTimeSec")?.as_f64());
    Usage {
        model: first(own, &["identifier"]).map(str::to_owned),
        input_tokens: number("promptTokensCount"),
        output_tokens: number("predictedTokensCount"),
        duration_ms: seconds.filter(|time| *time > 0.0).map(|time| (time * 1000.0) as u64),
        ..Usage::default()
    }
}

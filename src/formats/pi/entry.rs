//! One entry of a session.

use super::prompt::{self, Prompt};
use super::session::Session;
use crate::shared::access::tool_access::full_name;
use crate::shared::access::visibility;
use crate::shared::agents::exit_code;
use crate::shared::agents::thread::{Context, Message, Parent, SYSTEM, USER, first, text, whole};
use crate::shared::agents::turns::{Outcome, inline_file};
use crate::shared::json::object::Object;
use crate::shared::tally::{BOOKKEEPING, INJECTED, MARKED};
use convo_base::json::{Map, Value};
use convo_base::model::{Action, Block, Kind, ToolCall, ToolResult, Usage};

/// What an entry adds to its path.
#[derive(Default)]
pub(super) enum Content {
    /// A turn with these blocks, which may be none.
    Turn(Vec<Block>),
    /// Events without a speaker.
    Events(Vec<Block>),
    /// The result of a call: the id and the tool of the call, the result, and the files in it.
    Result { id: String, tool: String, outcome: Box<Outcome>, files: Vec<Block> },
    /// Nothing.
    #[default]
    Nothing,
}

/// The kind of an entry that only OpenClaw writes, near the beginning.
const OF_OPENCLAW: &str = "model-snapshot";

/// Reads an entry.
pub(super) fn read(
    mut object: Object<'_>,
    session: &mut Session,
    context: &mut Context<'_>,
) -> Message<Content> {
    let kind = object.text("type", context.notes).unwrap_or_default();
    let id = object.text("id", context.notes).filter(|id| !id.is_empty());
    let time = object.time("timestamp", context.notes);
    let parent = match object.take_any("parentId") {
        Some(Value::String(parent)) => Parent::of(Some(parent)),
        Some(_) => Parent::Nobody,
        None => Parent::Above,
    };
    let map = object.copy();
    let inner = map.get("message").and_then(Value::as_object);
    let body = inner.unwrap_or(&map);
    let role = match kind.as_str() {
        "message" => text(body, "role").unwrap_or_default(),
        kind => kind,
    };
    let who = match role {
        "user" | "bashExecution" => (USER, Kind::Person),
        "assistant" | "toolResult" => (session.assistant(), Kind::Assistant),
        "system" => (SYSTEM, Kind::System),
        _ => ("", Kind::System),
    };
    let mut message =
        Message::of_parts(&object, id, who, Content::Nothing, &["message", "content"], context);
    message.is_withheld |=
        inner.is_some_and(|inner| visibility::is_marked_but(inner, &["content"]));
    message.parent = parent;
    message.turn.time = time;
    if message.is_withheld {
        session.private_calls.extend(parts(body).filter(|part| is_call(part)).cloned());
        // It may be from a group.
        session.read.private |= session.is_openclaw && role == "user";
        return message;
    }
    message.contents = match role {
        "user" => asked(body, session, context),
        "assistant" => {
            message.turn.usage = Some(Box::new(usage(body))).filter(|usage| !usage.is_empty());
            answered(body, session, context)
        }
        "toolResult" => result(body, context),
        // Typed with `!!`: the person did not show it to the model.
        "bashExecution" if body.get("excludeFromContext") == Some(&Value::Bool(true)) => {
            context.tally.not_shown("command typed with `!!`", "commands typed with `!!`");
            Content::Nothing
        }
        "bashExecution" => Content::Turn(vec![typed_command(body)]),
        "system" => Content::Turn(vec![markdown(&prose(body))]),
        "compaction" | "compactionSummary" => {
            let summary = text(body, "summary").map(str::to_owned);
            Content::Events(vec![Block::compaction(summary)])
        }
        "branch_summary" | "branchSummary" => {
            event("summary", "Summary of a branch", text(body, "summary"))
        }
        "custom_message" | "custom" | "hookMessage" if body.contains_key("content") => {
            added(body, session, context)
        }
        // It may be a number, or the name of a group.
        "session_info" if session.is_openclaw => Content::Nothing,
        "session_info" => {
            let name = text(body, "name").map(str::to_owned);
            session.read.title = name.or(session.read.title.take());
            Content::Nothing
        }
        "leaf" => {
            session.leaf = text(body, "targetId").map(str::to_owned).or(session.leaf.take());
            Content::Nothing
        }
        "custom" if text(body, "customType") == Some(OF_OPENCLAW) => {
            session.is_openclaw = true;
            Content::Nothing
        }
        "model_change"
        | "thinking_level_change"
        | "label"
        | "usage"
        | "context_edit"
        | "context_transform"
        | "ephemeral"
        | "custom" => Content::Nothing,
        role => {
            let name = if role.is_empty() { "entry" } else { role };
            context.tally.unknown(name);
            Content::Events(vec![Block::Unknown { name: name.to_owned(), value: Value::Null }])
        }
    };
    message
}

/// Reads a prompt. OpenClaw puts what it knows about a message from a chat app before its text.
fn asked(body: &Map, session: &mut Session, context: &mut Context<'_>) -> Content {
    let mut blocks = Vec::new();
    // Another session sent it.
    let provenance = body.get("provenance").and_then(|from| from.get("kind")?.as_str());
    if provenance == Some("inter_session") {
        context.tally.add(INJECTED);
        return Content::Turn(blocks);
    }
    each_part(body, context, &mut |part, context| match text(part, "type").unwrap_or("text") {
        "text" => {
            let Prompt { text, files, is_withheld, is_from_program } =
                prompt::read(text(part, "text").unwrap_or_default(), session.is_openclaw);
            session.read.private |= is_withheld;
            if is_from_program {
                context.tally.add(INJECTED);
            }
            blocks.push(markdown(&text));
            for file in files {
                context.tally.missing_file();
                blocks.push(file);
            }
        }
        kind => blocks.push(picture_or_unknown(kind, part, context)),
    });
    Content::Turn(blocks)
}

fn answered(body: &Map, session: &mut Session, context: &mut Context<'_>) -> Content {
    let mut blocks = Vec::new();
    each_part(body, context, &mut |part, context| match text(part, "type").unwrap_or("text") {
        "text" if !session.is_openclaw => {
            blocks.push(markdown(text(part, "text").unwrap_or_default()));
        }
        "text" => match prompt::answer(text(part, "text").unwrap_or_default()) {
            Some(words) => blocks.push(markdown(&words)),
            None => context.tally.add(BOOKKEEPING),
        },
        "thinking" => {
            let thought = text(part, "thinking").unwrap_or_default().to_owned();
            blocks.push(Block::Thinking { text: thought });
        }
        "toolCall" => {
            let name = full_name(part, text(part, "name").unwrap_or_default());
            let id = text(part, "id").unwrap_or_default().to_owned();
            let input = part.get("arguments").filter(|input| !input.is_null()).cloned();
            blocks.push(Block::Tool(Box::new(ToolCall { id, name, input, ..ToolCall::default() })));
        }
        kind => blocks.push(picture_or_unknown(kind, part, context)),
    });
    let marked = parts(body).filter(|part| is_marked(part) && is_call(part));
    session.private_calls.extend(marked.cloned());
    match (text(body, "stopReason"), text(body, "errorMessage")) {
        (Some("aborted"), _) => blocks.push(Block::interruption()),
        (Some("error"), error) => {
            let (name, text) = ("error".to_owned(), error.unwrap_or("error").to_owned());
            blocks.push(Block::Event { name, text, detail: None });
        }
        _ => {}
    }
    Content::Turn(blocks)
}

fn result(body: &Map, context: &mut Context<'_>) -> Content {
    let id = text(body, "toolCallId").unwrap_or_default().to_owned();
    let tool = full_name(body, text(body, "toolName").unwrap_or_default());
    let (mut texts, mut files) = (Vec::new(), Vec::new());
    each_part(body, context, &mut |part, context| match text(part, "type").unwrap_or("text") {
        "text" => texts.push(text(part, "text").unwrap_or_default().to_owned()),
        kind => files.push(picture_or_unknown(kind, part, context)),
    });
    let output = texts.join("\n");
    let exit_code = exit_code::below(&output).map(|(code, _)| code);
    let state = match body.get("isError") {
        Some(Value::Bool(true)) => "failed",
        Some(Value::Bool(false)) => "succeeded",
        _ => "",
    };
    let result = ToolResult {
        state: state.to_owned(),
        output: Some(output).filter(|output| !output.is_empty()).map(Value::from),
        ..ToolResult::default()
    };
    Content::Result { id, tool, outcome: Box::new(Outcome { result, exit_code }), files }
}

/// Reads a command that the person typed after `!`.
fn typed_command(body: &Map) -> Block {
    let command = text(body, "command").unwrap_or_default().to_owned();
    let exit_code = body.get("exitCode").and_then(Value::as_i64);
    let state = match (body.get("cancelled"), exit_code) {
        (Some(Value::Bool(true)), _) => "canceled",
        (_, Some(0)) => "succeeded",
        (_, Some(_)) => "failed",
        (_, None) => "",
    };
    let output = text(body, "output").map(Value::from);
    let result = ToolResult { state: state.to_owned(), output, ..ToolResult::default() };
    Block::Tool(Box::new(ToolCall {
        name: "bash".to_owned(),
        action: Some(Action::Command { command, exit_code }),
        results: vec![result],
        ..ToolCall::default()
    }))
}

/// Reads a message of an extension. Those that Pi does not display are for the model; those of OpenClaw can
/// contain messages of others.
fn added(body: &Map, session: &Session, context: &mut Context<'_>) -> Content {
    if session.is_openclaw || body.get("display") != Some(&Value::Bool(true)) {
        context.tally.add(INJECTED);
        return Content::Nothing;
    }
    let name = first(body, &["customType"]).unwrap_or("extension");
    event("extension", name, Some(prose(body).as_str()))
}

fn event(name: &str, words: &str, detail: Option<&str>) -> Content {
    let detail = detail.filter(|detail| !detail.trim().is_empty()).map(str::to_owned);
    let (name, text) = (name.to_owned(), words.to_owned());
    Content::Events(vec![Block::Event { name, text, detail }])
}

fn markdown(text: &str) -> Block {
    Block::Markdown { text: text.to_owned() }
}

fn parts(body: &Map) -> impl Iterator<Item = &Value> {
    body.get("content").and_then(Value::as_array).into_iter().flatten()
}

/// Passes the parts of a message to `each`, except those that are marked as private.
fn each_part(body: &Map, context: &mut Context<'_>, each: &mut dyn FnMut(&Map, &mut Context<'_>)) {
    let of_text = |text: &str| Map::from_iter([("text".to_owned(), text.into())]);
    if let Some(Value::String(text)) = body.get("content") {
        return each(&of_text(text), context);
    }
    for part in parts(body) {
        match part {
            part if is_marked(part) => context.tally.add(MARKED),
            Value::Object(part) => each(part, context),
            Value::String(text) => each(&of_text(text), context),
            _ => {}
        }
    }
}

/// Returns the text of a message.
fn prose(body: &Map) -> String {
    if let Some(Value::String(text)) = body.get("content") {
        return text.clone();
    }
    let texts = parts(body).filter(|part| !is_marked(part));
    let texts = texts.filter_map(|part| part.get("text").and_then(Value::as_str));
    texts.collect::<Vec<_>>().join("\n\n")
}

fn picture_or_unknown(kind: &str, part: &Map, context: &mut Context<'_>) -> Block {
    match (kind, text(part, "data")) {
        ("image", Some(data)) => inline_file(text(part, "mimeType"), data, "image"),
        _ => {
            context.tally.unknown(kind);
            Block::Unknown { name: kind.to_owned(), value: Value::Null }
        }
    }
}

fn is_marked(part: &Value) -> bool {
    part.as_object().is_some_and(visibility::is_marked)
}

fn is_call(part: &Value) -> bool {
    part.get("type").is_some_and(|kind| kind == "toolCall")
}

fn usage(body: &Map) -> Usage {
    let own = body.get("usage").and_then(Value::as_object);
    let count = |key: &str| whole(own?.get(key)).filter(|count| *count > 0);
    let cost = own.and_then(|own| own.get("cost")?.get("total")?.as_f64());
    Usage {
        // OpenClaw writes some answers itself.
        model: text(body, "model")
            .filter(|_| text(body, "provider") != Some("openclaw"))
            .map(str::to_owned),
        input_tokens: count("input"),
        output_tokens: count("output"),
        cache_read_tokens: count("cacheRead"),
        cache_write_tokens: count("cacheWrite"),
        cost_usd: cost.filter(|cost| *cost > 0.0),
        ..Usage::default()
    }
}

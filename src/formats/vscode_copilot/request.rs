//! A request: the prompt and its answer.

use super::response;
use crate::shared::access::visibility;
use crate::shared::agents::turns::{Message, Turns, USER};
use crate::shared::json::object::text;
use crate::shared::tally::{MARKED, Tally};
use crate::shared::text::dates::of_value;
use convo_base::json::{Map, Value};
use convo_base::model::{Attachment, AttachmentKind, Block, Kind, Place, Usage, fenced};

/// Reads a request.
pub(super) fn read(request: Map, who: &str, place: Place, turns: &mut Turns, tally: &mut Tally) {
    let time = request.get("timestamp").and_then(of_value);
    let id = text(&request, "requestId").map(str::to_owned);
    let prompt = match request.get("message") {
        Some(Value::String(prompt)) => prompt.clone(),
        Some(Value::Object(message)) => message
            .get("text")
            .and_then(Value::as_str)
            .map_or_else(|| parts(message), str::to_owned),
        _ => String::new(),
    };
    let mut blocks = vec![Block::Markdown { text: prompt }];
    let attached = request.get("variableData").and_then(|data| data.get("variables"));
    let attached = attached.or_else(|| request.get("attachedContext"));
    for variable in attached.and_then(Value::as_array).into_iter().flatten() {
        match variable.as_object() {
            Some(variable) if visibility::is_marked(variable) => tally.add(MARKED),
            Some(variable) => blocks.extend(handed_over(variable, tally)),
            None => {}
        }
    }
    turns.add(
        USER,
        Kind::Person,
        Message { id, time: time.clone(), blocks, place, ..Message::default() },
    );
    let mut blocks = response::blocks(request.get("response"), tally);
    let result = request.get("result").and_then(Value::as_object);
    let error = result.and_then(|result| result.get("errorDetails")?.as_object());
    if let Some(error) = error {
        let message = text(error, "message").unwrap_or("error").to_owned();
        blocks.push(Block::Event { name: "error".to_owned(), text: message, detail: None });
    } else if request.get("isCanceled") == Some(&Value::Bool(true)) {
        blocks.push(Block::interruption());
    }
    let id = text(&request, "responseId").map(str::to_owned);
    let usage = usage(&request, result);
    turns.add(who, Kind::Assistant, Message { id, time: None, blocks, usage, place });
}

/// Returns the text of a message that has only parts.
fn parts(message: &Map) -> String {
    let list = message.get("parts").and_then(Value::as_array);
    list.into_iter().flatten().filter_map(|part| part.get("text")?.as_str()).collect()
}

/// Kinds of variables that the editor adds by itself, or that only control the answer.
const ADDED: [&str; 10] = [
    "implicit", "promptFile", "promptText", "workspace", "tool", "toolset", "generic", "command",
    "debugVariable", "sessionReference",
];

/// Returns the block for an attached file or text.
fn handed_over(variable: &Map, tally: &mut Tally) -> Option<Block> {
    let kind = text(variable, "kind").unwrap_or_default();
    let id = text(variable, "id").unwrap_or_default();
    let is_added = ADDED.contains(&kind)
        || id.starts_with("vscode.implicit")
        || id.starts_with("vscode.instructions");
    let is_root = variable.get("isRoot").is_some()
        || variable.get("automaticallyAdded") == Some(&Value::Bool(true));
    if is_added || is_root || kind.is_empty() {
        return None;
    }
    let name = text(variable, "name").or_else(|| text(variable, "fullName"))?;
    let name = name.strip_prefix("file:").unwrap_or(name);
    if let (Some(code), "paste") = (text(variable, "code"), kind) {
        let language = text(variable, "language").unwrap_or_default();
        let detail = Some(fenced(language, code));
        return Some(Block::Event { name: "attachment".to_owned(), text: name.to_owned(), detail });
    }
    tally.missing_file();
    let kind = if kind == "image" { AttachmentKind::Image } else { AttachmentKind::File };
    Some(Block::Attachment(Box::new(Attachment::new(name, kind))))
}

/// Reads the usage of an answer.
fn usage(request: &Map, result: Option<&Map>) -> Usage {
    let metadata = result.and_then(|result| result.get("metadata")?.as_object());
    let number = |key: &str| metadata.and_then(|metadata| metadata.get(key)?.as_u64());
    let resolved = metadata.and_then(|metadata| text(metadata, "resolvedModel"));
    let model =
        text(request, "modelId").map(|model| model.strip_prefix("copilot/").unwrap_or(model));
    let model = resolved.or(model.filter(|model| *model != "auto"));
    let timings = result.and_then(|result| result.get("timings")?.as_object());
    Usage {
        model: model.map(str::to_owned),
        input_tokens: number("promptTokens"),
        output_tokens: number("outputTokens").or_else(|| number("completionTokens")),
        duration_ms: timings.and_then(|timings| timings.get("totalElapsed")?.as_u64()),
        ..Usage::default()
    }
}

//! Message parts in the format of the Gemini API, which several programs use.
//!
//! ```text
//! {"text": "…", "thought": true}                     {"inlineData": {"mimeType": "image/png", "data": "…"}}
//! {"functionCall": {"id": …, "name": …, "args": {…}}} {"functionResponse": {"id": …, "response": {…}}}
//! {"executableCode": {"language": "PYTHON", "code": "…"}} {"codeExecutionResult": {"outcome": …, "output": …}}
//! ```

use super::turns::{To, inline_file, missing};
use crate::shared::access::tool_access::full_name;
use crate::shared::json::object::text;
use crate::shared::text::attachment_kind::kind_of;
use convo_base::json::{Map, Value};
use convo_base::model::{Block, ToolCall, ToolError, ToolResult, fenced};

/// The display name of code that Gemini executed itself.
const CODE: &str = "code_execution";

/// A part of a message.
pub(crate) enum Part {
    /// A visible block.
    Block(Block),
    /// The result of a call, with its id and the name of its tool; either may be empty.
    Result { id: String, name: String, result: Box<ToolResult> },
    /// A file that is stored elsewhere, with its placeholder.
    MissingFile(Block),
    /// Data of an unknown kind.
    Unknown(String),
    /// Data that is not relevant to readers.
    Nothing,
}

/// Returns what a result says about its call.
pub(crate) fn answers<'a>(id: &'a str, name: &'a str) -> To<'a> {
    match name {
        "" => To::Key(id),
        name => To::Call { id, name },
    }
}

/// Reads a part.
pub(crate) fn part(part: &Value) -> Part {
    let map = match part {
        Value::String(text) => return words(text, false),
        Value::Object(map) => map,
        _ => return Part::Nothing,
    };
    let inside = |keys: [&str; 2]| keys.iter().find_map(|key| map.get(*key)?.as_object());
    if let Some(text) = text(map, "text") {
        let is_thought = map.get("thought").and_then(Value::as_bool).unwrap_or_default();
        return words(text, is_thought);
    }
    if let Some(data) = inside(["inlineData", "inline_data"]) {
        return inline(data);
    }
    if let Some(file) = inside(["fileData", "file_data"]) {
        let name = text(file, "displayName").or_else(|| text(file, "fileUri"));
        let name = name.unwrap_or_default().rsplit('/').next().unwrap_or_default();
        let kind = kind_of("", text(file, "mimeType"));
        return Part::MissingFile(missing(name, kind));
    }
    if let Some(call) = inside(["functionCall", "function_call"]) {
        let name = text(call, "name").unwrap_or_default();
        let input = call.get("args").filter(|input| !input.is_null()).cloned();
        return Part::Block(Block::Tool(Box::new(ToolCall {
            id: text(call, "id").unwrap_or_default().to_owned(),
            name: full_name(call, name),
            input,
            ..ToolCall::default()
        })));
    }
    if let Some(answer) = inside(["functionResponse", "function_response"]) {
        let id = text(answer, "id").unwrap_or_default().to_owned();
        let name = full_name(answer, text(answer, "name").unwrap_or_default());
        let result = Box::new(response(answer.get("response")));
        return Part::Result { id, name, result };
    }
    if let Some(code) = inside(["executableCode", "executable_code"]) {
        return Part::Block(code_call(code));
    }
    if let Some(result) = inside(["codeExecutionResult", "code_execution_result"]) {
        let result = Box::new(code_result(result));
        return Part::Result { id: String::new(), name: CODE.to_owned(), result };
    }
    let known = ["text", "thoughtSignature", "thought_signature", "thought"];
    let other = map.keys().find(|key| !known.contains(&key.as_str()));
    other.map_or(Part::Nothing, |key| Part::Unknown(key.clone()))
}

fn words(text: &str, is_thought: bool) -> Part {
    let text = text.to_owned();
    Part::Block(if is_thought { Block::Thinking { text } } else { Block::Markdown { text } })
}

/// Reads inline bytes: `mimeType` and `data`.
pub(crate) fn inline(data: &Map) -> Part {
    let mime = text(data, "mimeType").or_else(|| text(data, "mime_type"));
    let name = text(data, "displayName").unwrap_or_default();
    match text(data, "data") {
        Some(bytes) => Part::Block(inline_file(mime, bytes, name)),
        None => Part::MissingFile(missing(name, kind_of(name, mime))),
    }
}

/// Reads code that Gemini executed itself.
pub(crate) fn code_call(code: &Map) -> Block {
    let words = text(code, "code").unwrap_or_default();
    Block::Tool(Box::new(ToolCall {
        name: CODE.to_owned(),
        input: Some(words.into()),
        ..ToolCall::default()
    }))
}

/// Reads the result of code that Gemini executed itself.
pub(crate) fn code_result(result: &Map) -> ToolResult {
    let state = match text(result, "outcome").unwrap_or_default() {
        "OUTCOME_OK" => "succeeded",
        "OUTCOME_DEADLINE_EXCEEDED" => "timed_out",
        "" | "OUTCOME_UNSPECIFIED" => "",
        _ => "failed",
    };
    ToolResult {
        state: state.to_owned(),
        output: text(result, "output").map(Value::from),
        ..ToolResult::default()
    }
}

/// Reads the response of a tool: `{"output": …}`, `{"error": …}` or anything else.
pub(crate) fn response(answer: Option<&Value>) -> ToolResult {
    let mut result = ToolResult::default();
    let Some(answer) = answer.filter(|answer| !answer.is_null()) else { return result };
    let Some(map) = answer.as_object() else {
        result.output = Some(answer.clone());
        return result;
    };
    if let Some(error) = map.get("error").filter(|error| !error.is_null()) {
        let message = error.as_str().map(str::to_owned);
        let message = message.or_else(|| Some(text(error.as_object()?, "message")?.to_owned()));
        let data = message.is_none().then(|| error.clone());
        result.state = "failed".to_owned();
        result.error = Some(ToolError { message, data, ..ToolError::default() });
    }
    let only = ["output", "result", "content"].iter().find_map(|key| map.get(*key));
    result.output = match only {
        Some(output) => Some(output.clone()).filter(|output| !output.is_null()),
        None if map.is_empty() || result.error.is_some() => None,
        None => Some(answer.clone()),
    };
    result
}

/// Returns an attached text, folded below its name.
pub(crate) fn handed_over(name: &str, words: &str) -> Block {
    let detail = Some(fenced("", words.trim_matches('\n')));
    Block::Event { name: "attachment".to_owned(), text: name.to_owned(), detail }
}

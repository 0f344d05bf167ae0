//! Input and output of the model: `response_item`, and the bare items of old logs.

use super::call::Call;
use super::line::{take_text, text};
use super::output::{Output, picture};
use super::picture::Picture;
use super::prompt::{self, PromptPiece};
use super::scope::Source;
use super::search;
use super::session::{At, Session};
use crate::shared::tally::PROGRAM_NOTES;
use convo_base::json::{self, Map, Value};

const RESPONSE: Source = Source::Response;

impl Session {
    /// Reads an item.
    pub(super) fn response(&mut self, at: &At, mut item: Map) {
        let kind = text(&item, "type").unwrap_or("message").to_owned();
        match kind.as_str() {
            "message" => self.message(at, item),
            "reasoning" => {
                for key in ["summary", "content"] {
                    for part in texts(item.remove(key)) {
                        self.think(at, RESPONSE, part);
                    }
                }
            }
            "function_call" | "custom_tool_call" | "local_shell_call" | "tool_search_call" => {
                let call = call(&kind, item);
                self.call(at, RESPONSE, call);
            }
            "function_call_output"
            | "custom_tool_call_output"
            | "local_shell_call_output"
            | "mcp_tool_call_output" => {
                let keys = ["output", "result"];
                let value = keys.into_iter().find_map(|key| item.remove(key));
                let output = Output::read(value.unwrap_or_default());
                self.result(at, RESPONSE, id(&item), output);
            }
            "tool_search_output" => {
                let tools = item.get("tools").and_then(Value::as_array);
                let name = |tool: &Value| Some(tool.get("name")?.as_str()?.to_owned());
                let names: Vec<String> = tools.into_iter().flatten().filter_map(name).collect();
                let value = (!names.is_empty()).then(|| names.join("\n").into());
                let output = Output { state: "succeeded", value, ..Output::default() };
                self.result(at, RESPONSE, id(&item), output);
            }
            "web_search_call" => {
                let ok = text(&item, "status") == Some("completed");
                if let Some(search) = search::search(None, item.get("action")) {
                    self.search(at, RESPONSE, search, ok);
                }
            }
            "image_generation_call" => {
                let prompt = take_text(&mut item, "revised_prompt");
                let picture = take_text(&mut item, "result").filter(|data| !data.is_empty());
                let picture = picture.map(generated_picture);
                self.add_generated_picture(at, RESPONSE, id(&item), prompt, picture);
            }
            "compaction" | "compaction_summary" | "context_compaction" => {
                self.compact(at, None);
            }
            "agent_message" => self.agent_message(at, RESPONSE, item),
            "token_count" => self.count(&item),
            "ghost_snapshot" | "additional_tools" | "compaction_trigger" | "other" => {
                self.tally.add(PROGRAM_NOTES);
            }
            kind => self.unknown(at, kind),
        }
    }

    fn message(&mut self, at: &At, mut item: Map) {
        let role = text(&item, "role").unwrap_or_default().to_owned();
        let parts = match item.remove("content") {
            Some(Value::Array(parts)) => parts,
            Some(Value::String(text)) => vec![text.into()],
            _ => Vec::new(),
        };
        match role.as_str() {
            "assistant" => {
                let (words, pictures) = words(parts);
                self.say(at, RESPONSE, &words.join("\n\n"));
                if !pictures.is_empty() {
                    let turn = self.answer(at);
                    self.add_pictures(turn, pictures);
                }
            }
            "user" => self.user_message(at, RESPONSE, parts),
            "developer" | "system" => {
                let mut instructions = Vec::new();
                for part in words(parts).0 {
                    // The memory folder, and `AGENTS.md` instructions.
                    match prompt::classify(&part) {
                        PromptPiece::Injected if !is_instruction(&part) => self.hide(part),
                        _ if part.contains("MEMORY_SUMMARY") => self.hide(part),
                        _ => instructions.push(part),
                    }
                }
                self.instruct(at, instructions.join("\n\n"));
            }
            role => self.unknown(at, &format!("message of {role}")),
        }
    }

    /// Reads a message of the user, which may contain text added by Codex.
    pub(super) fn user_message(&mut self, at: &At, source: Source, parts: Vec<Value>) {
        let (texts, pictures) = words(parts);
        let mut written = Vec::new();
        for part in texts {
            match prompt::classify(&part) {
                PromptPiece::Written(text) => written.push(text),
                // If there are events, they reveal which of these the user typed.
                PromptPiece::Tagged(_) if source == RESPONSE && self.has_events => {
                    self.hide(part);
                }
                PromptPiece::Tagged(text) => written.push(text),
                PromptPiece::Shell { command, result } => {
                    self.run(at, source, command, Output::read(result.into()));
                }
                PromptPiece::Injected => self.hide(part),
                PromptPiece::Mark => {}
            }
        }
        self.ask(at, source, written.join("\n\n"), pictures);
    }

    /// Stores text of Codex, which is not published, with the next question.
    fn hide(&mut self, text: String) {
        if self.context.last().and_then(Value::as_str) != Some(&text) {
            self.context.push(text.into());
        }
    }

    /// Reads a message from another agent.
    pub(super) fn agent_message(&mut self, at: &At, source: Source, mut item: Map) {
        let author = take_text(&mut item, "author").or_else(|| take_text(&mut item, "sender"));
        let author = author.unwrap_or_default();
        let content = item.remove("content").or_else(|| item.remove("message"));
        let parts = match content {
            Some(Value::Array(parts)) => words(parts).0,
            Some(Value::String(text)) => vec![text],
            _ => Vec::new(),
        };
        if parts.iter().all(|part| part.trim().is_empty()) {
            // All of it is encrypted.
            self.tally.add(PROGRAM_NOTES);
        }
        self.add_agent_message(at, source, &author, parts.join("\n\n"));
    }
}

/// Returns whether text of Codex consists of instructions rather than a request of the user.
fn is_instruction(text: &str) -> bool {
    let text = text.trim_start().trim_start_matches('<');
    let kinds =
        ["permissions", "collaboration_mode", "skills", "apps_instr", "plugins_instr", "model_"];
    kinds.iter().any(|kind| text.starts_with(kind))
}

/// Returns the id that a call shares with its result.
fn id(item: &Map) -> &str {
    text(item, "call_id").or_else(|| text(item, "id")).unwrap_or_default()
}

fn call(kind: &str, mut item: Map) -> Call {
    let id = id(&item).to_owned();
    let name = take_text(&mut item, "name").unwrap_or_default();
    let name = match (kind, text(&item, "namespace")) {
        ("local_shell_call", _) => "local_shell".to_owned(),
        ("tool_search_call", _) => "tool_search".to_owned(),
        (_, Some(space)) => format!("{}.{name}", space.trim_end_matches('_')),
        _ => name,
    };
    let input = ["arguments", "input", "action"].into_iter().find_map(|key| item.remove(key));
    let input = match input {
        Some(Value::String(text)) if kind == "function_call" => Some(arguments(&name, text)),
        Some(Value::String(text)) => Some(text.into()),
        Some(Value::Null) | None => text(&item, "summary").map(Value::from),
        input => input,
    };
    Call::new(id, name, input)
}

/// Reads arguments, which are JSON inside a string.
fn arguments(name: &str, text: String) -> Value {
    match json::parse(&text) {
        // Code is shown as code.
        Ok((Value::Object(mut map), _)) if name.ends_with("exec") && map.len() == 1 => {
            let source = ["source", "code"].into_iter().find_map(|key| take_text(&mut map, key));
            source.map_or(Value::Object(map), Value::from)
        }
        Ok((value @ (Value::Object(_) | Value::Array(_)), _)) => value,
        _ => text.into(),
    }
}

/// Returns the texts and the pictures of a message.
fn words(parts: Vec<Value>) -> (Vec<String>, Vec<Picture>) {
    let (mut words, mut pictures) = (Vec::new(), Vec::new());
    for part in parts {
        match part {
            Value::String(text) => words.push(text),
            Value::Object(mut map) => match picture(&mut map) {
                Some(picture) => pictures.push(picture),
                None => words.extend(take_text(&mut map, "text")),
            },
            _ => {}
        }
    }
    (words, pictures)
}

/// Returns the texts of a reasoning item.
pub(super) fn texts(value: Option<Value>) -> Vec<String> {
    match value {
        Some(Value::Array(parts)) => words(parts).0,
        Some(Value::String(text)) => vec![text],
        _ => Vec::new(),
    }
}

/// Returns a picture that a model generated.
pub(super) fn generated_picture(data: String) -> Picture {
    match data.starts_with("data:") {
        true => Picture::at(data),
        false => Picture::base64(data, None),
    }
}

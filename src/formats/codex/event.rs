//! Reads events that Codex displayed: `event_msg`. Most of them repeat the model's input and output.

use super::call::Call;
use super::line::{take_text, text};
use super::message::generated_picture;
use super::output::{Output, duration};
use super::scope::Source;
use super::search;
use super::session::{At, Session};
use super::usage;
use crate::shared::access::tool_access::{patch, served_name, shell};
use crate::shared::agents::call_states::result_state;
use convo_base::json::{Map, Value};
use convo_base::model::{Action, Block, INTERRUPTION};

const EVENT: Source = Source::Event;

/// Events that other records repeat, or that matter only while Codex is running.
const COPIES: [&str; 22] = [
    "turn_diff",
    "plan_update",
    "plan_delta",
    "item_started",
    "item_updated",
    "undo_completed",
    "undo_started",
    "thread_goal_updated",
    "session_configured",
    "shutdown_complete",
    "background_event",
    "injected_message",
    "raw_response_item",
    "terminal_interaction",
    "request_permissions",
    "request_user_input",
    "deprecation_notice",
    "skills_update_available",
    "safety_buffering",
    "turn_moderation_metadata",
    "mcp_list_tools_response",
    "add_credits_nudge_email_response",
];

/// Prefixes and suffixes of the names of such events.
const COPIED_STARTS: [&str; 9] = [
    "collab_", "sub_agent_", "hook_", "mcp_startup_", "realtime_", "list_", "get_history",
    "guardian_assessment", "model_",
];
const COPIED_ENDS: [&str; 5] = ["_begin", "_delta", "_updated", "_request", "_section_break"];

impl Session {
    /// Reads an event.
    pub(super) fn event(&mut self, at: &At, mut event: Map) {
        let kind = text(&event, "type").unwrap_or_default().to_owned();
        let take_words = |event: &mut Map, key: &str| take_text(event, key).unwrap_or_default();
        match kind.as_str() {
            "user_message" => self.user_event(at, event),
            "agent_message" => self.say(at, EVENT, &take_words(&mut event, "message")),
            "agent_reasoning" | "agent_reasoning_raw_content" => {
                let thought = take_words(&mut event, "text");
                self.think(at, EVENT, thought);
            }
            "item_completed" => self.item(at, event),
            "token_count" => self.count(&event),
            "task_started" | "turn_started" => self.start_task(text(&event, "turn_id")),
            "task_complete" | "turn_complete" => {
                // A copy, unless the original was lost.
                if let Some(last) = text(&event, "last_agent_message")
                    && !self.scope.is_answered
                {
                    self.say(at, Source::Summary, last);
                }
                self.end_task(&event);
            }
            "turn_aborted" => {
                self.end_task(&event);
                match text(&event, "reason").filter(|reason| *reason != "interrupted") {
                    Some(reason) => self.add_event(at, INTERRUPTION, reason, None),
                    None => self.push_aside(at, Block::interruption()),
                }
            }
            "error" | "stream_error" | "warning" | "guardian_warning" => {
                let name = if kind.ends_with("error") { "error" } else { "warning" };
                let words = take_words(&mut event, "message");
                self.add_event(at, name, &words, None);
            }
            "thread_rolled_back" | "threadRolledBack" => {
                let keys = ["num_turns", "numTurns"];
                match keys.iter().find_map(|key| whole(event.get(*key)?)) {
                    Some(count) => self.roll_back(count),
                    None => self.roll_back_unclear(at),
                }
            }
            "thread_name_updated" => {
                let name = take_text(&mut event, "thread_name");
                self.read.title = name.filter(|name| !name.trim().is_empty());
            }
            "thread_settings_applied" => {
                if let Some(Value::Object(settings)) = event.get("thread_settings") {
                    self.set(text(settings, "model"), text(settings, "effort"));
                }
            }
            "context_compacted" => self.compact(at, None),
            "entered_review_mode" => {
                let target = take_text(&mut event, "user_facing_hint");
                self.add_event(at, "review", &target.unwrap_or_default(), None);
            }
            "exited_review_mode" => {
                let review = event.get("review_output").and_then(review);
                self.add_event(at, "review ended", "", review);
            }
            "exec_command_end" => self.command(at, EVENT, event),
            "patch_apply_end" => self.patched(at, EVENT, event),
            "mcp_tool_call_begin" => {
                if let Some(name) = served_in(&event) {
                    let id = take_words(&mut event, "call_id");
                    self.serve_call(&id, name);
                }
            }
            "mcp_tool_call_end" => {
                let id = take_words(&mut event, "call_id");
                if let Some(name) = served_in(&event) {
                    self.serve_call(&id, name);
                }
                let mut invocation = match event.remove("invocation") {
                    Some(Value::Object(invocation)) => invocation,
                    _ => Map::new(),
                };
                let result = event.remove("result").unwrap_or_default();
                let length = event.get("duration").and_then(duration);
                invocation.insert("id".to_owned(), id.into());
                self.served(at, EVENT, invocation, result, length);
            }
            "dynamic_tool_call_response" => {
                let space = text(&event, "namespace").map(|space| format!("{space}."));
                let name = space.unwrap_or_default() + &take_words(&mut event, "tool");
                self.dynamic(at, EVENT, name, event);
            }
            "web_search_end" => {
                let query = text(&event, "query");
                if let Some(search) = search::search(query, event.get("action")) {
                    self.search(at, EVENT, search, true);
                }
            }
            "image_generation_end" => {
                let prompt = take_text(&mut event, "revised_prompt");
                let data = take_text(&mut event, "result").filter(|data| !data.is_empty());
                let id = take_words(&mut event, "call_id");
                self.add_generated_picture(at, EVENT, &id, prompt, data.map(generated_picture));
            }
            "view_image_tool_call" => {
                let id = take_words(&mut event, "call_id");
                self.view_image(at, EVENT, id, text(&event, "path"));
            }
            kind if COPIES.contains(&kind)
                || COPIED_STARTS.iter().any(|start| kind.starts_with(start))
                || COPIED_ENDS.iter().any(|end| kind.ends_with(end)) => {}
            kind => self.unknown(at, kind),
        }
    }

    fn user_event(&mut self, at: &At, mut event: Map) {
        // In old logs, text of Codex itself was recorded as such events, too.
        if text(&event, "kind").is_some_and(|kind| kind != "plain") {
            return;
        }
        let mut parts: Vec<Value> =
            event.remove("message").into_iter().filter(Value::is_string).collect();
        let mut add = |list: Option<Value>, kind: &str, key: &str| {
            let Some(Value::Array(list)) = list else { return };
            let part =
                |value| Map::from_iter([("type".to_owned(), kind.into()), (key.to_owned(), value)]);
            parts.extend(list.into_iter().map(|value| Value::Object(part(value))));
        };
        add(event.remove("images"), "input_image", "image_url");
        add(event.remove("local_images"), "local_image", "path");
        self.user_message(at, EVENT, parts);
    }

    /// Reads the token counts of requests.
    pub(super) fn count(&mut self, event: &Map) {
        let costs = self.meter.count(event);
        self.cost(costs);
    }

    /// Reads the token counts of one request.
    pub(super) fn record(&mut self, payload: &Map) {
        self.cost(usage::record(payload));
    }

    fn cost(&mut self, costs: Option<usage::Costs>) {
        let Some(costs) = costs else { return };
        let open = self.open.and_then(|open| self.drafts.get_mut(open));
        open.map_or(&mut self.waiting, |draft| &mut draft.costs).add(&costs);
    }

    fn end_task(&mut self, event: &Map) {
        let open = self.open.and_then(|open| self.drafts.get_mut(open));
        if let Some(draft) = open {
            draft.costs.last(event);
        }
    }

    /// Reads a command that was executed.
    pub(super) fn command(&mut self, at: &At, source: Source, mut event: Map) {
        let id = take_text(&mut event, "call_id").or_else(|| take_text(&mut event, "id"));
        let id = id.unwrap_or_default();
        let Some(line) = event.get("command").and_then(shell::command_line) else {
            return;
        };
        let keys = ["aggregated_output", "formatted_output", "stdout"];
        let text_of = |event: &mut Map, key: &str| {
            take_text(event, key).filter(|text| !text.trim().is_empty())
        };
        let mut shown = keys.into_iter().find_map(|key| text_of(&mut event, key));
        if shown.is_none() {
            shown = text_of(&mut event, "stderr");
        }
        let mut output = Output { value: shown.map(Value::from), ..Output::default() };
        output.duration = event.get("duration").and_then(duration);
        if let Some(code) = event.get("exit_code").and_then(Value::as_i64) {
            output.exit(code);
        }
        let reported = text(&event, "status").map(result_state).unwrap_or_default();
        if !reported.is_empty() && (output.state.is_empty() || reported != "succeeded") {
            output.state = reported;
        }
        if text(&event, "source") == Some("user_shell") {
            return self.run(at, source, line, output);
        }
        let action = Some(shell::run(line));
        let name = "exec_command".to_owned();
        self.call(at, source, Call { id: id.clone(), name, input: None, action });
        self.result(at, source, &id, output);
    }

    /// Reads file changes that were applied.
    pub(super) fn patched(&mut self, at: &At, source: Source, mut event: Map) {
        let id = take_text(&mut event, "call_id").or_else(|| take_text(&mut event, "id"));
        let id = id.unwrap_or_default();
        let changes = event.get("changes").and_then(Value::as_object);
        let mut files = changes.map(patch::changes).unwrap_or_default();
        // Paths relative to the working folder of the session.
        let folder = self.cwd.as_deref().map(|cwd| cwd.trim_end_matches(['/', '\\']));
        for path in files
            .iter_mut()
            .flat_map(|file| std::iter::once(&mut file.path).chain(&mut file.moved_to))
        {
            let inside = folder.and_then(|folder| path.strip_prefix(folder));
            if let Some(inside) = inside.and_then(|rest| rest.strip_prefix(['/', '\\'])) {
                *path = inside.to_owned();
            }
        }
        let action = (!files.is_empty()).then_some(Action::Edit { files });
        let name = "apply_patch".to_owned();
        self.call(at, source, Call { id: id.clone(), name, input: None, action });
        let keys = ["stdout", "stderr"];
        let shown = keys
            .into_iter()
            .find_map(|key| take_text(&mut event, key).filter(|text| !text.trim().is_empty()));
        let ok = event.get("success").and_then(Value::as_bool);
        let state = match ok {
            Some(true) => "succeeded",
            Some(false) => "failed",
            None => text(&event, "status").map(result_state).unwrap_or_default(),
        };
        let output = Output { state, value: shown.map(Value::from), ..Output::default() };
        self.result(at, source, &id, output);
    }

    /// Reads a call of an MCP tool: `{server, tool, arguments, id}`.
    pub(super) fn served(
        &mut self,
        at: &At,
        source: Source,
        mut call: Map,
        result: Value,
        duration: Option<u64>,
    ) {
        let id = take_text(&mut call, "id").unwrap_or_default();
        let name = served_by(&call).unwrap_or_default();
        let input = call.remove("arguments").filter(|input| !input.is_null());
        let status = text(&call, "status").map(result_state);
        self.call(at, source, Call { id: id.clone(), name, input, action: None });
        let mut output = Output::read(result);
        if output.state.is_empty() {
            output.state = status.unwrap_or_default();
        }
        output.duration = output.duration.or(duration);
        self.result(at, source, &id, output);
    }

    /// Reads a call of a tool that the host application of Codex provides.
    pub(super) fn dynamic(&mut self, at: &At, source: Source, name: String, mut event: Map) {
        let id = take_text(&mut event, "call_id").or_else(|| take_text(&mut event, "id"));
        let id = id.unwrap_or_default();
        let input = event.remove("arguments").filter(|input| !input.is_null());
        let content = event.remove("content_items").or_else(|| event.remove("error"));
        let mut output = Output::read(content.unwrap_or_default());
        match event.get("success").and_then(Value::as_bool) {
            Some(true) => output.state = "succeeded",
            Some(false) => output.state = "failed",
            None => output.state = text(&event, "status").map(result_state).unwrap_or_default(),
        }
        output.duration = event.get("duration").and_then(duration);
        self.call(at, source, Call { id: id.clone(), name, input, action: None });
        self.result(at, source, &id, output);
    }

    /// Adds a picture that the model looked at.
    pub(super) fn view_image(&mut self, at: &At, source: Source, id: String, path: Option<&str>) {
        let input = path.map(|path| Map::from_iter([("path".to_owned(), path.into())]));
        let name = "view_image".to_owned();
        self.call(at, source, Call { id, name, input: input.map(Value::Object), action: None });
    }
}

/// Returns the server's name for the tool of an event.
fn served_in(event: &Map) -> Option<String> {
    let call = event.get("invocation").and_then(Value::as_object);
    let name = call.and_then(served_by).or_else(|| has_connector(event).then(String::new))?;
    let is_account = has_connector(event) && !name.starts_with(ACCOUNTS);
    Some(if is_account { format!("{ACCOUNTS}{name}") } else { name })
}

/// The prefix of tools that access an account of the user.
const ACCOUNTS: &str = "codex_apps.";

/// Returns the server's name for the tool of a call: `{server, tool}`.
fn served_by(call: &Map) -> Option<String> {
    let name = |key: &str| text(call, key).filter(|name| !name.is_empty());
    if has_connector(call) {
        let names: Vec<&str> = ["server", "tool"].into_iter().filter_map(name).collect();
        return Some(format!("{ACCOUNTS}{}", names.join(".")));
    }
    match (name("server"), name("tool")) {
        (Some(server), tool) => Some(served_name(server, tool.unwrap_or_default())),
        (None, tool) => tool.map(str::to_owned),
    }
}

fn has_connector(call: &Map) -> bool {
    let keys = ["connector_id", "connectorId", "connector_name", "connectorName"];
    keys.iter().any(|key| call.get(*key).is_some_and(|value| !value.is_null()))
}

/// Returns a count, which may be written as a decimal number or as text.
fn whole(value: &Value) -> Option<u64> {
    let number = match value {
        Value::Number(number) => number.as_f64(),
        Value::String(text) => text.trim().parse::<f64>().ok(),
        _ => None,
    };
    let number = number.filter(|number| *number >= 0.0 && number.fract() == 0.0)?;
    Some(number as u64)
}

/// Returns a review as Markdown.
fn review(review: &Value) -> Option<String> {
    let text = |value: &Value, key: &str| {
        let text = value.get(key).and_then(Value::as_str).unwrap_or_default();
        text.trim().to_owned()
    };
    let mut parts = vec![text(review, "overall_explanation")];
    let findings = review.get("findings").and_then(Value::as_array);
    for finding in findings.into_iter().flatten() {
        let title = text(finding, "title").replace('\n', " ");
        parts.push(format!("**{title}**\n\n{}", text(finding, "body")));
    }
    parts.retain(|part| !part.is_empty());
    (!parts.is_empty()).then(|| parts.join("\n\n"))
}

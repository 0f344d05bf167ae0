//! The tools of ChatGPT: actions of their calls, and the public part of their results.

use std::collections::HashSet;

use super::canvas::Canvas;
use super::message::{Message, list, object, text, words};
use super::unmarked::{bare, bare_value};
use crate::shared::access::tool_access::{Owner, owner, shell};
use convo_base::json::{self, Map, Value};
use convo_base::model::{Action, Citation, ToolCall, ToolError, ToolResult};

/// Tools that return the output of executed code.
const PROGRAMS: [&str; 3] = ["python", "code_interpreter", "container"];
/// Tools that search the web.
const SEARCHES: [&str; 3] = ["web", "web_search", "browser"];

/// Readable names of tools, by the first part of their technical names.
const WORDS: [(&str, &str); 24] = [
    ("python", "Python"),
    ("code_interpreter", "Python"),
    ("container", "Container"),
    ("canmore", "Canvas"),
    ("dalle", "Image generation"),
    ("image_gen", "Image generation"),
    ("t2uay3k", "Image generation"),
    ("web", "Web"),
    ("web_search", "Web"),
    ("browser", "Web"),
    ("research_kickoff_tool", "Deep research"),
    ("computer", "Computer"),
    ("calculator", "Calculator"),
    ("weather", "Weather"),
    ("sports", "Sports"),
    ("finance", "Finance"),
    ("time", "Time"),
    ("bio", "Memory"),
    ("memory", "Memory"),
    ("user_memory", "Memory"),
    ("file_search", "File search"),
    ("myfiles_browser", "File search"),
    ("automations", "Scheduled tasks"),
    ("user_settings", "Settings"),
];

/// Returns the readable name of a tool, if it is known.
pub(super) fn words_for(name: &str) -> Option<&'static str> {
    let family = family(name);
    WORDS.iter().find(|(known, _)| *known == family).map(|(_, words)| *words)
}

/// Returns the first part of a tool's name: `web` of `web.run`.
fn family(name: &str) -> &str {
    name.split('.').next().unwrap_or(name)
}

/// Returns whether the input and output of a tool are public unless the author decides otherwise.
pub(super) fn is_open(name: &str) -> bool {
    owner("chatgpt", name) == Owner::Author
}

/// Returns whether a tool stores memories about the user.
pub(super) fn is_memory(name: &str) -> bool {
    ["bio", "memory", "user_memory", "personal_context"]
        .contains(&&*family(name).to_ascii_lowercase())
}

/// Returns whether a tool searches the web.
pub(super) fn is_search(name: &str) -> bool {
    SEARCHES.contains(&family(name))
}

/// Returns the call of a tool with this input.
pub(super) fn call(name: &str, id: &str, input: &str, canvas: &mut Canvas) -> ToolCall {
    let mut call = ToolCall { id: id.to_owned(), name: name.to_owned(), ..ToolCall::default() };
    let family = family(name);
    let is_empty = input.trim().is_empty();
    let input = bare(input);
    if family == "canmore" {
        call.action = canvas.edit(name, &input);
    }
    let value = match json::parse(&input) {
        Ok((value @ Value::Object(_), _)) => bare_value(value),
        _ => Value::String(input),
    };
    if is_search(name)
        && let Some(query) = query(&value)
    {
        call.action = Some(Action::Search { query: Some(query), results: Vec::new() });
    }
    if family == "container" {
        call.action = value.as_object().and_then(shell::command);
    }
    call.input = Some(value).filter(|_| !is_empty);
    call
}

/// Returns the query of a search.
fn query(input: &Value) -> Option<String> {
    let found: Vec<&str> = match input {
        Value::Object(map) => {
            let lists = ["search_query", "image_query", "queries"];
            let items = lists.iter().flat_map(|key| list(map, key));
            let alone = ["query", "q"].iter().filter_map(|key| text(map, key));
            items.filter_map(asked).chain(alone).collect()
        }
        Value::String(text) => quoted(text.trim().strip_prefix("search(")?)?,
        _ => Vec::new(),
    };
    (!found.is_empty()).then(|| found.join("; "))
}

fn asked(item: &Value) -> Option<&str> {
    match item {
        Value::Object(item) => text(item, "q").or_else(|| text(item, "query")),
        item => item.as_str(),
    }
}

/// Returns the first string of a call as a program writes it.
fn quoted(arguments: &str) -> Option<Vec<&str>> {
    let mark = arguments.chars().next().filter(|c| "\"'".contains(*c))?;
    let inside = &arguments[mark.len_utf8()..];
    Some(vec![&inside[..inside.find(mark)?]])
}

/// Returns how a call ended according to a message, without its output.
pub(super) fn ended(message: Message<'_>) -> ToolResult {
    let outcome = message.metadata("aggregate_result").and_then(Value::as_object);
    let outcome = outcome.and_then(|outcome| text(outcome, "status")).unwrap_or_default();
    let has_failed = message
        .status()
        .is_some_and(|status| status == "finished_partial_completion" || status.contains("error"))
        || outcome.starts_with("failed")
        || outcome == "timeout";
    let state = match message.status() {
        _ if has_failed => "failed",
        Some("finished_successfully") => "succeeded",
        _ if outcome == "success" => "succeeded",
        _ => "",
    };
    ToolResult { state: state.to_owned(), ..ToolResult::default() }
}

/// Returns the full output of a tool message, for sites whose author opens the tool's server.
pub(super) fn answer(message: Message<'_>) -> ToolResult {
    let text = bare(&message.text());
    let output = Some(text).filter(|text| !text.trim().is_empty()).map(Value::String);
    ToolResult { output, ..ended(message) }
}

/// Returns the public part of a message of the tool `name` as a result, and whether it is complete.
pub(super) fn result(message: Message<'_>, name: &str) -> (ToolResult, bool) {
    let mut result = ended(message);
    let Some(content) = message.content() else { return (result, true) };
    let is_program = PROGRAMS.contains(&family(name));
    let output = match message.kind() {
        "execution_output" => Some(message.text()),
        "text" | "multimodal_text" if is_program => Some(message.text()),
        "system_error" => {
            result.state = "failed".to_owned();
            let code = words(content, "name").map(bare);
            let words = words(content, "text").map(bare);
            result.error = Some(ToolError { code, message: words, data: None });
            return (result, true);
        }
        "computer_output" => object(content, "state").and_then(window),
        // Text for the model only.
        "text" | "multimodal_text" => return (result, message.text().trim().is_empty()),
        _ => return (result, false),
    };
    result.output =
        output.map(|text| bare(&text)).filter(|text| !text.is_empty()).map(Value::String);
    (result, true)
}

/// Returns the title and the URL of what a computer displayed.
fn window(state: &Map) -> Option<String> {
    let url = words(state, "url").and_then(super::links::public_url);
    let parts = words(state, "title").map(str::to_owned).into_iter().chain(url);
    let parts: Vec<String> = parts.collect();
    (!parts.is_empty()).then(|| parts.join("\n"))
}

/// Adds pages to the results of a search, except those whose URLs are in `known`.
pub(super) fn add_results(
    call: &mut ToolCall,
    known: &mut HashSet<Option<String>>,
    pages: impl IntoIterator<Item = Citation>,
) {
    let mut pages = pages.into_iter().peekable();
    if pages.peek().is_none() {
        return;
    }
    let action =
        call.action.get_or_insert_with(|| Action::Search { query: None, results: Vec::new() });
    if let Action::Search { results, .. } = action {
        results.extend(pages.filter(|page| known.insert(page.url.clone())));
    }
}

/// Returns whether a tool addresses a text only to the model.
pub(super) fn is_for_model(text: &str) -> bool {
    let text = text.trim_start();
    let starts = [
        "From now on, do not say or show ANYTHING",
        "DALL·E returned",
        "DALL-E returned",
        "GPT-4o returned",
        "Model set context updated",
    ];
    starts.iter().any(|start| text.starts_with(start))
        || text.contains("do not say or show ANYTHING")
}

/// Adds the search query from the metadata of an answer.
pub(super) fn add_query(call: &mut ToolCall, message: Message<'_>) {
    let queries = message.list("search_queries").iter();
    let queries: Vec<&str> = queries.filter_map(asked).collect();
    if !queries.is_empty() {
        let query = Some(bare(&queries.join("; ")));
        call.action = Some(Action::Search { query, results: Vec::new() });
    }
}

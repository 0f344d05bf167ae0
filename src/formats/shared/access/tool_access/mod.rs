//! Determines what tools do, with [`action()`], and whether pages show their input and output.
//!
//! A tool is open if it is built into an agent, or belongs to a server that works only on the author's
//! machine or on public documents. All other tools belong to third parties (mail, tickets, payments) or to
//! unknown servers. For these, pages show only that they were called, until the author opens the server.
//! [`owner`] decides this for all formats by the name of the call, and [`withhold_in`] applies it. A format
//! whose source has the server in another field adds it to the name with [`full_name`] or [`served_name`].
//! Files are withheld with the call in [`Attachment::call`](convo_base::model::Attachment::call). If a tool calls
//! other tools, such as in a program or a shell command, all of them must be open. So must those whose saved
//! output it reads ([`saved`]).

mod actions;
mod agents;
mod commands;
mod javascript;
mod names;
pub(crate) mod patch;
mod programs;
mod saved;
mod servers;
mod shape;
pub(crate) mod shell;
mod words;

use std::collections::{HashMap, HashSet};

pub(crate) use self::actions::{action, edit, path, plan, replacement, state};
pub(crate) use self::agents::agent_named;
use self::saved::{Traces, tools_of_files, tools_of_files_in};
use self::shape::{Shape, shape};
use self::words::{identifying_words, prefix, server_words, words};
use crate::{Format, named};
use convo_base::json::{Map, Value};
use convo_base::model::{Block, Conversation, ToolCall, Turn};
use convo_base::text::short_name;

/// The key that marks withheld data, among the unpublished fields.
pub(crate) const WITHHELD: &str = "withheld";

/// The id in [`Attachment::call`](convo_base::model::Attachment::call) of a file that any call of the turn
/// may have returned. It is shown only if all of them are open.
const SOME_CALL: &str = "*";

/// The name of a tool that the source does not name.
pub(crate) const UNNAMED: &str = "tool";

/// The name of a server that the source does not name.
const UNKNOWN_SERVER: &str = "unknown";

/// Keys under which calls and results name the server of their tool.
const SERVER_KEYS: [&str; 9] = [
    "server_name", "serverName", "server_label", "serverLabel", "mcp_server_name", "mcpServerName",
    "mcp_server", "mcpServer", "server",
];

/// The maximum number of characters of a server name in a report.
const MAX_NAME: usize = 60;

/// The owner of a tool.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Owner {
    /// The agent or the author.
    Author,
    /// A server that is a third party or unknown.
    Server {
        /// Its name in reports.
        name: String,
        /// The words that open it.
        words: Vec<String>,
        /// Whether `words` are exactly the server name, without the name of a tool.
        is_whole: bool,
    },
    /// Not known, because the tool has no name.
    Unknown,
}

/// Returns the owner of a tool, given the format of its agent and its name.
pub(crate) fn owner(format: &str, name: &str) -> Owner {
    let mut rest = name.trim();
    if rest.is_empty() || rest == UNNAMED {
        return Owner::Unknown;
    }
    // Strip prefixes of agents; the rest may still be a server tool.
    for _ in 0..4 {
        match shape(rest) {
            Shape::Served { server, .. } if agents::is_own(format, server) => {
                return Owner::Author;
            }
            Shape::Served { server, tool } if agents::is_space(server) => rest = tool,
            _ => break,
        }
    }
    match shape(rest) {
        Shape::Served { server, .. } if servers::is_open(server) => Owner::Author,
        Shape::Served { server, .. } => Owner::server(server, server_words(server), true),
        Shape::Run(run) => {
            let words = identifying_words(run);
            match servers::is_open_run(&words) && !servers::is_third_party(&words) {
                true => Owner::Author,
                false => Owner::server(&first(&words), words, false),
            }
        }
        Shape::Plain(name) => {
            let words = words(name);
            let is_served = agents::is_served(format, name);
            let is_open = match is_served {
                true => agents::names_servers(format) && servers::is_open_run(&words),
                false => !name.to_lowercase().contains("mcp"),
            };
            if is_open && !servers::is_third_party(&words) {
                return Owner::Author;
            }
            let starts_with_server = words.get(..1).is_some_and(servers::is_third_party)
                || is_served && agents::names_servers(format);
            let shown = if starts_with_server { first(&words) } else { name.to_owned() };
            Owner::server(&shown, identifying_words(name), false)
        }
    }
}

impl Owner {
    fn server(name: &str, words: Vec<String>, is_whole: bool) -> Self {
        let name = short_name(name.trim(), MAX_NAME).to_owned();
        Self::Server { name, words, is_whole }
    }
}

fn first(words: &[String]) -> String {
    words.first().cloned().unwrap_or_default()
}

/// Returns the full name of a server tool, for sources that have the server in another field.
pub(crate) fn served_name(server: &str, tool: &str) -> String {
    let server = if server.trim().is_empty() { UNKNOWN_SERVER } else { server };
    format!("mcp__{server}__{tool}")
}

/// Returns the name of a tool marked as a server tool, for sources that say so in another field.
pub(crate) fn marked_name(name: &str) -> String {
    let name = name.trim();
    match shape(name) {
        _ if name.is_empty() => String::new(),
        Shape::Run(_) => name.to_owned(),
        Shape::Served { server, .. } if !agents::is_prefix(server) => name.to_owned(),
        Shape::Served { .. } | Shape::Plain(_) => format!("mcp_{name}"),
    }
}

/// Returns the server that the fields of a call or a result name.
pub(crate) fn server_of(fields: &Map) -> Option<&str> {
    let text = |key: &&str| fields.get(*key)?.as_str().filter(|text| !text.trim().is_empty());
    SERVER_KEYS.iter().find_map(text)
}

/// Returns the full name of a tool, given the fields of its call or its result. A server in a field
/// takes precedence over one in the name.
pub(crate) fn full_name(fields: &Map, name: &str) -> String {
    if let Some(server) = server_of(fields) {
        return match shape(name) {
            Shape::Served { server: own, .. } if server_words(own) == server_words(server) => {
                name.to_owned()
            }
            _ => served_name(server, name),
        };
    }
    let is_mcp = |text: &str| text.get(..3).is_some_and(|start| start.eq_ignore_ascii_case("mcp"));
    match fields.get("type").and_then(Value::as_str) {
        Some(kind) if is_mcp(kind) && name.is_empty() => "mcp".to_owned(),
        Some(kind) if is_mcp(kind) && !is_mcp(name) => served_name("", name),
        _ => name.to_owned(),
    }
}

/// Returns whether a result with the name of its own tool does not belong to a call, because its tool is
/// of another server.
pub(crate) fn is_foreign(result: &str, call: &str) -> bool {
    if result == call {
        return false;
    }
    let caller = owner("", call);
    match owner("", result) {
        Owner::Author | Owner::Unknown => false,
        Owner::Server { words, .. } if words.is_empty() || words == [UNKNOWN_SERVER] => {
            caller == Owner::Author
        }
        server => server != caller,
    }
}

/// Returns whether only the name of a result says that the tool of its call is of a server.
pub(crate) fn reveals_server(result: &str, call: &str) -> bool {
    is_foreign(result, call) && matches!(owner("", call), Owner::Author | Owner::Unknown)
}

/// Returns whether a call is open even if the author opened no server.
pub(crate) fn is_open(call: &ToolCall) -> bool {
    OpenServers::default().shows("", call)
}

/// Returns the value of [`Attachment::call`](convo_base::model::Attachment::call) for a file whose origin
/// the source does not name: in an answer, any call may have returned it.
pub(crate) fn some_call(is_answer: bool) -> Option<String> {
    is_answer.then(|| SOME_CALL.to_owned())
}

/// The servers that the author opened.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct OpenServers(Vec<String>);

impl OpenServers {
    /// Creates the set from server names, which may be written in any case and with any punctuation.
    pub fn new<'a>(names: impl IntoIterator<Item = &'a str>) -> Self {
        let names = names.into_iter().map(|name| server_words(name).concat());
        Self(names.filter(|name| !name.is_empty()).collect())
    }

    fn includes(&self, words: &[String], is_whole: bool) -> bool {
        self.0.iter().any(|name| match is_whole {
            true => words.concat() == *name,
            false => prefix(words, name).is_some(),
        })
    }

    /// Returns whether pages show the input and output of a call.
    fn shows(&self, format: &str, call: &ToolCall) -> bool {
        call.name.is_empty() && is_silent(call)
            || self.opens(format, &call.name) && self.closed_within(format, call).is_none()
    }

    /// Returns the first tool that is not open among those that a call calls itself, or whose saved output
    /// it reads.
    fn closed_within(&self, format: &str, call: &ToolCall) -> Option<String> {
        let called = programs::tools_called(call).into_iter().chain(tools_of_files(call));
        called.into_iter().find(|name| !self.opens(format, name))
    }

    /// Returns whether the tool with this name is open.
    fn opens(&self, format: &str, name: &str) -> bool {
        match owner(format, name) {
            Owner::Author => true,
            Owner::Server { words, is_whole, .. } => self.includes(&words, is_whole),
            Owner::Unknown => false,
        }
    }
}

/// Returns the format of the agent whose tools a conversation calls: the one that its source names, the format
/// that it was imported from, or its own.
pub fn agent_of(read: &Conversation, format: Option<&Format>) -> &'static str {
    let from = read.imported_from.as_deref().and_then(named);
    read.agent.unwrap_or_else(|| from.or(format).map_or("", |format| format.name))
}

/// Withholds the input and output of tools that are not open.
pub(crate) fn withhold_in(format: &Format, read: &mut Conversation, open: &OpenServers) {
    let agent = agent_of(read, Some(format));
    let mut closed = Closed::default();
    for block in read.all_turns().flat_map(|turn| &turn.blocks) {
        let Block::Tool(call) = block else { continue };
        if closed.includes(call) || !open.shows(agent, call) {
            closed.traces.add(call);
            if !call.id.is_empty() {
                closed.ids.insert(call.id.clone());
            }
        }
    }
    for turn in read.all_turns_mut() {
        withhold_in_turn(agent, turn, open, &closed);
    }
}

/// The calls of a conversation that are not open.
#[derive(Default)]
struct Closed {
    ids: HashSet<String>,
    /// What they left for other calls.
    traces: Traces,
}

impl Closed {
    /// Returns whether a call has the id of one of them, or reads their output.
    fn includes(&self, call: &ToolCall) -> bool {
        self.ids.contains(&call.id) || self.traces.are_in(call)
    }
}

/// Withholds them in a turn. Results may be in another call with the same id, which is closed too.
fn withhold_in_turn(agent: &str, turn: &mut Turn, open: &OpenServers, closed: &Closed) {
    let is_call_open = |call: &ToolCall| !closed.includes(call) && open.shows(agent, call);
    let mut is_open: HashMap<String, bool> = HashMap::new();
    let is_of_some_call = |block: &Block| match block {
        Block::Attachment(attachment) => attachment.call.as_deref() == Some(SOME_CALL),
        _ => false,
    };
    if turn.blocks.iter().any(is_of_some_call) {
        let mut blocks = turn.blocks.iter();
        let all_open = blocks.all(|block| match block {
            Block::Tool(call) => is_call_open(call),
            _ => true,
        });
        is_open.insert(SOME_CALL.to_owned(), all_open);
    }
    let is_saved_output = |path: &str| {
        closed.traces.are_files_in(path)
            || tools_of_files_in(path).iter().any(|name| !open.opens(agent, name))
    };
    turn.blocks.retain_mut(|block| match block {
        Block::Tool(call) => {
            let is_shown = is_call_open(call);
            *is_open.entry(call.id.clone()).or_insert(true) &= is_shown;
            if !is_shown {
                let is_open = open.opens(agent, &call.name);
                let within = if is_open { open.closed_within(agent, call) } else { None };
                call.withheld_server = within.and_then(|name| server_named_in(agent, &name));
                withhold(call);
            }
            true
        }
        Block::Attachment(attachment) => {
            let call = attachment.call.take();
            call.is_none_or(|call| is_open.get(&call) == Some(&true))
                && !is_saved_output(&attachment.name)
        }
        // A file that was attached to a prompt.
        Block::Event { text, detail, .. } => {
            if detail.is_some() && is_saved_output(text) {
                *detail = None;
            }
            true
        }
        _ => true,
    });
}

fn is_silent(call: &ToolCall) -> bool {
    call.input.is_none()
        && call.action.is_none()
        && call.extra.is_empty()
        && call.approvals.iter().all(|approval| approval.reason.is_none())
        && call.results.iter().all(|result| result.output.is_none() && result.error.is_none())
}

/// States of results that reveal nothing else.
const STATES: [&str; 6] = ["succeeded", "failed", "timed_out", "canceled", "rejected", "approved"];

/// Withholds the input and output of a call.
pub(crate) fn withhold(call: &mut ToolCall) {
    let mark = |is_withheld: bool| {
        let mark = is_withheld.then(|| (WITHHELD.to_owned(), Value::Bool(true)));
        mark.into_iter().collect()
    };
    let clear_state = |state: &mut String| {
        if !STATES.contains(&state.as_str()) {
            state.clear();
        }
    };
    let mut is_withheld =
        call.input.is_some() || call.action.is_some() || !call.unpublished.is_empty();
    (call.input, call.action) = (None, None);
    call.extra = Map::new();
    for approval in &mut call.approvals {
        approval.reason = None;
        approval.unpublished = Map::new();
        clear_state(&mut approval.state);
    }
    for result in &mut call.results {
        let has_more =
            result.output.is_some() || result.error.is_some() || !result.unpublished.is_empty();
        is_withheld |= has_more;
        (result.output, result.error) = (None, None);
        result.unpublished = mark(has_more);
        clear_state(&mut result.state);
    }
    call.unpublished = mark(is_withheld);
}

/// Returns whether anything was withheld from a call in a conversation.
pub fn is_withheld_in(read: &Conversation) -> bool {
    let mut blocks = read.all_turns().flat_map(|turn| &turn.blocks);
    blocks.any(|block| match block {
        Block::Tool(call) => call.unpublished.contains_key(WITHHELD),
        _ => false,
    })
}

/// Returns the name, for reports, of the server of a withheld call.
pub fn withheld_server(format: &str, call: &ToolCall) -> Option<String> {
    call.unpublished.get(WITHHELD)?;
    call.withheld_server.clone().or_else(|| server_named_in(format, &call.name))
}

fn server_named_in(format: &str, name: &str) -> Option<String> {
    match owner(format, name) {
        Owner::Server { name, .. } => Some(name),
        Owner::Author | Owner::Unknown => None,
    }
}

#[cfg(test)]
mod tests {
    use super::{
        OpenServers, Owner, agent_named, full_name, is_foreign, marked_name, owner, served_name,
    };
    use convo_base::json::{Map, Value};

    #[track_caller]
    fn shown(format: &str, name: &str) -> String {
        match owner(format, name) {
            Owner::Author => "author".to_owned(),
            Owner::Unknown => "unknown".to_owned(),
            Owner::Server { name, .. } => name,
        }
    }

    #[test]
    fn agents_have_their_own_tools_and_servers_have_all_others() {
        for (format, name) in [
            ("claude-code", "Bash"),
            ("claude-code", "/plugin:command"),
            ("claude-code", "mcp__filesystem__read_file"),
            ("claude-code", "mcp__plugin_context7_context7__query-docs"),
            ("codex", "functions.exec_command"),
            ("codex", "container.exec"),
            ("vscode-copilot", "mcp_playwright_browser_click"),
            ("opencode", "bash"),
            ("opencode", "playwright_browser_click"),
            ("chatgpt", "web.run"),
            ("claude", "visualize:show_widget"),
            ("cjson", "bounding_box"),
            ("cjson", "linearize"),
            ("specstory", "run_terminal_cmd"),
            ("specstory", "StrReplace"),
            ("specstory", "mcp_playwright_browser_click"),
        ] {
            assert_eq!(shown(format, name), "author", "{format} {name}");
        }
        for (format, name, server) in [
            ("claude-code", "mcp__zendesk__get_ticket", "zendesk"),
            ("claude-code", "mcp__git-work__log", "git-work"),
            ("claude-code", "ListMcpResourcesTool", "ListMcpResourcesTool"),
            ("codex", "functions.garden.water", "garden"),
            ("vscode-copilot", "mcp_git_hub_search", "git"),
            ("vscode-copilot", "mcp_time_sheets_list", "time"),
            ("opencode", "garden_water", "garden"),
            ("gemini-cli", "water_garden", "water_garden"),
            ("chatgpt", "finance_of_acme.read", "finance_of_acme"),
            ("codex", "finance.read", "finance"),
            ("cjson", "gmail_search", "gmail"),
            ("cjson", "searchMail", "searchMail"),
            ("cjson", "GitHubSearch", "GitHubSearch"),
            ("specstory", "water_garden", "water_garden"),
        ] {
            assert_eq!(shown(format, name), server, "{format} {name}");
        }
        assert_eq!(shown("cjson", " "), "unknown");
    }

    #[test]
    fn agents_have_the_format_of_their_display_names() {
        for (program, format) in [
            ("Claude Code", Some("claude-code")),
            ("Gemini CLI", Some("gemini-cli")),
            ("cursor", Some("cursor")),
            ("VS Code Insiders Copilot IDE", Some("vscode-copilot")),
            ("Factory Droid CLI", None),
            ("", None),
        ] {
            assert_eq!(agent_named(program), format, "{program}");
        }
    }

    #[test]
    fn a_server_in_a_field_takes_precedence_over_one_in_the_name() {
        let name = |key: &str, value: &str, name: &str| {
            let fields = [(key.to_owned(), Value::from(value))];
            full_name(&Map::from_iter(fields), name)
        };
        assert_eq!(name("server_name", "garden", "water"), "mcp__garden__water");
        assert_eq!(name("serverLabel", "garden", "fetch.water"), "mcp__garden__fetch.water");
        assert_eq!(name("server", "garden", "mcp__garden__water"), "mcp__garden__water");
        assert_eq!(name("server", " ", "water"), "water");
        assert_eq!(name("type", "mcp_tool_use", "fetch"), "mcp__unknown__fetch");
        assert_eq!(name("type", "mcp_tool_use", "mcp__garden__water"), "mcp__garden__water");
        assert_eq!(name("type", "mcp_tool_result", ""), "mcp");
        assert_eq!(name("type", "tool_use", "fetch"), "fetch");
        assert_eq!(shown("codex", &served_name("", "fetch")), "unknown");
    }

    #[test]
    fn a_result_of_another_server_belongs_to_no_call() {
        for (result, call) in [
            ("mcp__zendesk__get", "read_file"),
            ("mcp__zendesk__get", "mcp__garden__get"),
            ("mcp__zendesk__get", ""),
            ("mcp", "read_file"),
        ] {
            assert!(is_foreign(result, call), "{result} {call}");
        }
        for (result, call) in [
            ("", "read_file"),
            ("read", "read_file"),
            ("functions.read_file", "read_file"),
            ("read_file", "mcp__zendesk__get"),
            ("mcp__zendesk__get", "zendesk.get"),
            ("mcp", "mcp__zendesk__get"),
        ] {
            assert!(!is_foreign(result, call), "{result} {call}");
        }
    }

    #[test]
    fn a_tool_that_is_marked_as_of_a_server_is_one() {
        for (name, marked) in [
            ("get_thing", "mcp_get_thing"),
            ("Read", "mcp_Read"),
            ("functions.read", "mcp_functions.read"),
            ("mcp__garden__water", "mcp__garden__water"),
            ("mcp_garden_water", "mcp_garden_water"),
            ("garden.water", "garden.water"),
            ("", ""),
        ] {
            assert_eq!(marked_name(name), marked);
        }
        assert_eq!(shown("claude-code", "mcp_Read"), "read");
        assert_eq!(shown("codex", "mcp_functions.read"), "functions");
    }

    #[test]
    fn a_server_is_opened_by_its_name_however_it_is_written() {
        let opens = |open: &str, name: &str| OpenServers::new([open]).opens("codex", name);
        for open in ["garden tools", "GardenTools", "garden-tools", "mcp-garden-tools"] {
            assert!(opens(open, "mcp__garden_tools__water"), "{open}");
            assert!(opens(open, "mcp_gardenTools_water"), "{open}");
            assert!(!opens(open, "mcp__garden__water"), "{open}");
        }
        assert!(opens("ListMcpResourcesTool", "ListMcpResourcesTool"));
        assert!(!opens("garden", "mcp__garden_tools__water"));
        assert!(!opens("", "mcp__garden__water") && !opens("mcp", "mcp__mcp__water"));
        assert!(!opens("garden", ""));
    }
}

//! The built-in tools of agents, and how they name tools of MCP servers.

use super::words::words;
use crate::named;

/// An agent that names server tools in the same way as its own.
struct Agent {
    /// The name of its format.
    format: &'static str,
    /// Whether the name of a server tool starts with the server name: `garden_water`.
    names_servers: bool,
    /// Its built-in tools; all others are server tools.
    tools: &'static [&'static str],
}

/// These agents. All others mark server tools.
const UNMARKED: [Agent; 10] = [
    Agent {
        format: "chatgpt",
        names_servers: false,
        tools: &[
            "python", "code_interpreter", "container", "canmore", "dalle", "image_gen", "t2uay3k",
            "web", "web_search", "browser", "research_kickoff_tool", "computer", "calculator",
            "weather", "sports", "finance", "time", "Python", "Container", "Canvas",
            "Image generation", "Web", "Deep research", "Computer", "Calculator", "Weather",
            "Sports", "Finance", "Time",
        ],
    },
    Agent {
        format: "opencode",
        names_servers: true,
        tools: &[
            "apply_patch", "bash", "batch", "codesearch", "edit", "glob", "grep", "invalid",
            "list", "lsp", "lsp_diagnostics", "lsp_hover", "multiedit", "patch", "plan",
            "plan_enter", "plan_exit", "question", "read", "skill", "task", "todo", "todoread",
            "todowrite", "webfetch", "websearch", "write",
        ],
    },
    // Those of OpenClaw that read its memory or other chats, or write to people, are not in the list.
    Agent {
        format: "pi",
        names_servers: false,
        tools: &[
            "apply_patch", "bash", "edit", "exec", "find", "grep", "image", "ls", "process",
            "read", "session_status", "sessions_spawn", "subagents", "update_plan", "web_fetch",
            "web_search", "write",
        ],
    },
    Agent {
        format: "openhands",
        names_servers: true,
        tools: &[
            "apply_patch", "bash", "browse", "browse_interactive", "delegate", "edit",
            "execute_bash", "execute_ipython_cell", "file_editor", "finish", "glob", "grep",
            "planning_file_editor", "read", "run", "run_ipython", "str_replace_editor", "task",
            "task_tracker", "task_tracking", "terminal", "think", "view", "write",
        ],
    },
    Agent {
        format: "gemini-cli",
        names_servers: false,
        tools: &[
            "activate_skill", "ask_user", "cli_help", "code_execution", "codebase_investigator",
            "complete_task", "delegate_to_agent", "edit", "enter_plan_mode", "exit_plan_mode",
            "generalist", "get_internal_docs", "glob", "google_search", "google_web_search",
            "grep", "grep_search", "invoke_agent", "list_directory", "ls",
            "read_background_output", "read_file", "read_many_files", "replace",
            "run_shell_command", "search_file_content", "shell", "update_topic", "web_fetch",
            "write_file", "write_todos",
        ],
    },
    Agent {
        format: "zed",
        names_servers: false,
        tools: &[
            "bash", "batch_tool", "code_actions", "contents", "copy_path", "create_directory",
            "create_file", "delete_path", "diagnostics", "edit_file", "fetch", "find_path", "grep",
            "list_directory", "move_path", "now", "open", "path_search", "project_notifications",
            "read_file", "regex_search", "rename", "restore_file_from_disk", "save_file", "script",
            "skill", "spawn_agent", "streaming_edit_file", "subagent", "symbol_info", "terminal",
            "thinking", "update_plan", "web_search", "write_file",
        ],
    },
    Agent {
        format: "continue",
        names_servers: false,
        tools: &[
            "AskQuestion",
            "Bash",
            "Checklist",
            "Diff",
            "Edit",
            "Exit",
            "Fetch",
            "List",
            "MultiEdit",
            "Read",
            "ReportFailure",
            "Search",
            "Skills",
            "Status",
            "Subagent",
            "UploadArtifact",
            "Write",
            "builtin_create_new_file",
            "builtin_edit_existing_file",
            "builtin_exact_search",
            "builtin_file_glob_search",
            "builtin_grep_search",
            "builtin_ls",
            "builtin_read_currently_open_file",
            "builtin_read_file",
            "builtin_run_terminal_command",
            "builtin_search_web",
            "builtin_view_diff",
            "codebase",
            "create_new_file",
            "create_rule_block",
            "edit_existing_file",
            "fetch_url_content",
            "file_glob_search",
            "grep_search",
            "ls",
            "multi_edit",
            "read_currently_open_file",
            "read_file",
            "read_file_range",
            "read_skill",
            "request_rule",
            "run_terminal_command",
            "search_web",
            "single_find_and_replace",
            "view_diff",
            "view_repo_map",
            "view_subdirectory",
        ],
    },
    Agent {
        format: "copilot-cli",
        names_servers: true,
        tools: &[
            "apply_patch",
            "ask_user",
            "bash",
            "code_review",
            "create",
            "edit",
            "exit_plan_mode",
            "fetch_copilot_cli_documentation",
            "glob",
            "grep",
            "ide-get_diagnostics",
            "ide-get_selection",
            "list_agents",
            "list_bash",
            "list_powershell",
            "local_shell",
            "lsp",
            "powershell",
            "read_agent",
            "read_bash",
            "read_powershell",
            "report_intent",
            "report_progress",
            "rg",
            "shell",
            "show_file",
            "skill",
            "sql",
            "stop_bash",
            "stop_powershell",
            "str_replace",
            "str_replace_editor",
            "task",
            "task_complete",
            "think",
            "update_todo",
            "view",
            "web_fetch",
            "web_search",
            "write_agent",
            "write_bash",
            "write_powershell",
        ],
    },
    Agent {
        format: "open-webui",
        names_servers: true,
        tools: &[
            "calculate_timestamp", "code_interpreter", "edit_image", "execute_code", "fetch_url",
            "generate_image", "get_current_timestamp", "image_generation", "open_url",
            "search_web", "web_search",
        ],
    },
    Agent {
        format: "le-chat",
        names_servers: false,
        tools: &[
            "canvas", "code_interpreter", "generate_image", "image_generation", "news_search",
            "open_url", "open_urls", "reasoning", "web_search",
        ],
    },
];

/// The format of sessions of many agents, of which only some are known.
const OF_MANY: &str = "specstory";

/// Built-in tools of coding agents, in lower case without punctuation. All other tools of an unknown agent are
/// server tools.
const COMMON: [&str; 123] = [
    "bash", "shell", "execute", "exec", "execcommand", "execshell", "execshellwait",
    "execshellinteract", "execinteract", "shellcommand", "localshell", "powershell", "runcommand",
    "runshellcommand", "runterminalcmd", "runterminalcommand", "runterminalcommandv2",
    "runinterminal", "command", "terminal", "bashoutput", "killshell", "killbash", "taskoutput",
    "taskstop", "writestdin", "taskshellstart", "taskshellwait", "read", "readfile", "readfilev2",
    "readmanyfiles", "viewfile", "view", "viewimage", "cat", "ls", "listdir", "listdirectory",
    "listfiles", "write", "writefile", "writetofile", "create", "createfile", "createnewfile",
    "edit", "editfile", "editfilev2", "editnotebook", "multiedit", "multistrreplace", "strreplace",
    "strreplaceeditor", "strreplacebasededittool", "searchreplace", "replace", "smartedit",
    "replacefilecontent", "multireplacefilecontent", "inserteditintofile", "applypatch", "patch",
    "notebookedit", "delete", "deletefile", "appendtofile", "reapply", "grep", "grepsearch",
    "grepfiles", "glob", "globfilesearch", "filesearch", "searchfiles", "searchfilecontent",
    "codebasesearch", "codesearch", "semanticsearch", "ripgrep", "rg", "find", "geterrors",
    "websearch", "webfetch", "fetchurl", "searchweb", "googlewebsearch", "readurlcontent",
    "todowrite", "todoread", "writetodos", "updateplan", "managetodolist", "checklistwrite",
    "taskcreate", "taskupdate", "taskget", "tasklist", "taskread", "managetask", "task", "agent",
    "skill", "askuser", "askuserquestion", "askquestion", "enterplanmode", "exitplanmode",
    "slashcommand", "lsp", "codebaseinvestigator", "delegatetoagent", "invokesubagent",
    "definesubagent", "managesubagents", "spawnagent", "generatedroid", "think", "thinking",
    "toolsearch", "batch", "parallel",
];

/// Display names of agents, in lower case without punctuation, and their formats.
const PROGRAMS: [(&str, &str); 13] = [
    ("claudecode", "claude-code"),
    ("codex", "codex"),
    ("codexcli", "codex"),
    ("gemini", "gemini-cli"),
    ("geminicli", "gemini-cli"),
    ("cursor", "cursor"),
    ("cursorcli", "cursor"),
    ("cursoride", "cursor"),
    ("copilotcli", "copilot-cli"),
    ("githubcopilotcli", "copilot-cli"),
    ("opencode", "opencode"),
    ("zed", "zed"),
    ("continue", "continue"),
];

/// Prefixes of tool names that are not server names: `functions.read_file`.
const SPACES: [&str; 6] =
    ["functions", "tools", "multi_tool_use", "default_api", "native", "builtin"];

/// Tools of agents that mark server tools, and which have sub-tools themselves: `container.exec`.
const SPACES_OF: [(&str, &[&str]); 3] =
    [("claude", &["visualize"]), ("codex", &["container", "web"]), ("vlinder", &["infer"])];

/// Returns whether a prefix does not tell whose tool it is.
pub(super) fn is_space(name: &str) -> bool {
    SPACES.contains(&name)
}

/// Returns whether a prefix is not a server name for at least one agent.
pub(super) fn is_prefix(name: &str) -> bool {
    is_space(name) || SPACES_OF.iter().any(|(_, names)| names.contains(&name))
}

/// Returns whether many agents have a built-in tool with this name.
pub(super) fn is_common(name: &str) -> bool {
    // Copilot in VS Code names its tools `copilot_readFile`.
    name.starts_with("copilot_") || COMMON.contains(&words(name).concat().as_str())
}

/// Returns the format of the agent with this display name, such as `Gemini CLI`.
pub(crate) fn agent_named(program: &str) -> Option<&'static str> {
    let program = words(program).concat();
    if program.ends_with("copilotide") {
        return Some("vscode-copilot");
    }
    PROGRAMS.iter().find(|(name, _)| *name == program).map(|(_, format)| *format)
}

/// Returns whether a tool without a mark is a server tool, because the agent has no such built-in tool.
pub(super) fn is_served(format: &str, name: &str) -> bool {
    match format {
        OF_MANY => !is_common(name),
        format => agent(format).is_some() && !is_own(format, name),
    }
}

/// Returns whether the names of server tools start with the server name.
pub(super) fn names_servers(format: &str) -> bool {
    agent(format).is_some_and(|agent| agent.names_servers)
}

/// Returns whether an agent has a built-in tool with this name. Files that `convert` writes may come from
/// any agent.
pub(super) fn is_own(format: &str, name: &str) -> bool {
    let is_written = named(format).is_some_and(|format| format.write.is_some());
    agent(format).is_some_and(|agent| agent.tools.contains(&name))
        || SPACES_OF
            .iter()
            .any(|(agent, names)| (is_written || *agent == format) && names.contains(&name))
}

fn agent(format: &str) -> Option<&'static Agent> {
    UNMARKED.iter().find(|agent| agent.format == format)
}

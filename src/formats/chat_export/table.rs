//! The programs that export conversations: how their files are recognised, the lines that open turns, and the lines
//! that they add.

use super::pattern::captures;

/// What follows a line that opens a turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Role {
    Person,
    Assistant,
    /// Instructions, which are withheld.
    System,
    /// A call of the tool that the line names.
    Tool,
    /// The result of the last call.
    Result,
    /// Nobody: a question and its answer follow.
    Entry,
    /// The line is a question, and its answer follows.
    Question,
}

/// A line that opens a turn.
pub(super) struct Mark {
    /// Its [pattern](super::pattern); `@` is the name before the first colon of the text.
    pub(super) pattern: &'static str,
    pub(super) role: Role,
    /// Whether the text of the turn starts on this line.
    pub(super) is_inline: bool,
}

/// Where such a line counts. Answers may contain the same line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Bounds {
    Anywhere,
    /// Below a rule (`---`). Each turn ends with one.
    BelowRule,
    /// Where the other side spoke last.
    InTurn,
    /// A question directly below a [`Role::Entry`], and an answer below the question.
    InEntry,
}

/// How calls are written in a turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Calls {
    None,
    /// `**Tool: read**`, then `**Input:**` and `**Output:**` with code blocks.
    OpenCode,
    /// ``**Tool Call: Read file `a.py`**``, `Status: Completed`, then code blocks.
    Zed,
    /// `🔧 Using tool: Read`, then `Input: {…}`.
    Extractor,
    /// Elements such as `<read_file>`, as in a task of Cline.
    Cline,
}

/// A program.
pub(super) struct Exporter {
    /// Patterns of the first line; any line if empty.
    first: &'static [&'static str],
    /// Text near the beginning.
    near: &'static str,
    /// Text anywhere.
    anywhere: &'static str,
    /// Text near the end.
    end: &'static str,
    pub(super) marks: &'static [Mark],
    pub(super) bounds: Bounds,
    pub(super) calls: Calls,
    /// The name of the assistant, if no line names it.
    pub(super) assistant: &'static str,
    /// The format of the agent whose tools are called.
    pub(super) agent: Option<&'static str>,
    /// Whether the program writes front matter.
    pub(super) has_front: bool,
    /// Whether turns are quotations.
    pub(super) is_quoted: bool,
    /// Titles that all files of the program have.
    pub(super) titles: &'static [&'static str],
    /// Patterns of lines that the program adds.
    pub(super) added: &'static [&'static str],
    /// The pattern of a line with a time, the first of a turn.
    pub(super) time: Option<&'static str>,
    /// Patterns of lines that it adds as the first or last of a turn.
    pub(super) added_around: &'static [&'static str],
}

const fn mark(pattern: &'static str, role: Role) -> Mark {
    Mark { pattern, role, is_inline: false }
}

const fn inline(pattern: &'static str, role: Role) -> Mark {
    Mark { pattern, role, is_inline: true }
}

const NONE: Exporter = Exporter {
    first: &[],
    near: "",
    anywhere: "",
    end: "",
    marks: &[],
    bounds: Bounds::Anywhere,
    calls: Calls::None,
    assistant: "Assistant",
    agent: None,
    has_front: false,
    is_quoted: false,
    titles: &[],
    added: &[],
    time: None,
    added_around: &[],
};

const ALL: [Exporter; 16] = [
    // OpenCode: `/export`.
    Exporter {
        near: "\n**Session ID:** ses_",
        marks: &[
            mark("## User", Role::Person),
            mark("## Assistant (…)", Role::Assistant),
            mark("## Assistant", Role::Assistant),
        ],
        bounds: Bounds::BelowRule,
        calls: Calls::OpenCode,
        assistant: "OpenCode",
        agent: Some("opencode"),
        ..NONE
    },
    // GitHub Copilot CLI: `/share`.
    Exporter {
        first: &["# 🤖 Copilot CLI Session"],
        marks: &[
            mark("### 👤 User", Role::Person),
            mark("### 💬 Copilot", Role::Assistant),
            mark("### ✅ `…`", Role::Tool),
            mark("### ❌ `…`", Role::Tool),
        ],
        bounds: Bounds::BelowRule,
        assistant: "GitHub Copilot",
        agent: Some("copilot-cli"),
        titles: &["🤖 Copilot CLI Session"],
        added: &["<sub>⏱️ …</sub>"],
        ..NONE
    },
    // Copilot Chat in VS Code: "Copy All".
    Exporter {
        first: &["…: …"],
        anywhere: "\nGitHub Copilot: ",
        marks: &[inline("GitHub Copilot: …", Role::Assistant), inline("@: …", Role::Person)],
        bounds: Bounds::InTurn,
        assistant: "GitHub Copilot",
        ..NONE
    },
    // Zed: the Markdown of a thread.
    Exporter {
        first: &["## User"],
        anywhere: "\n**Tool Call: ",
        marks: &[mark("## User", Role::Person), mark("## Assistant", Role::Assistant)],
        bounds: Bounds::InTurn,
        calls: Calls::Zed,
        assistant: "Zed",
        agent: Some("zed"),
        ..NONE
    },
    // Cline and Roo Code: the export of a task.
    Exporter {
        first: &["**User:**"],
        near: "\n<task>",
        marks: &[mark("**User:**", Role::Person), mark("**Assistant:**", Role::Assistant)],
        bounds: Bounds::BelowRule,
        calls: Calls::Cline,
        assistant: "Cline",
        agent: Some("cline"),
        ..NONE
    },
    // Windsurf: the download of a Cascade conversation.
    Exporter {
        first: &["# Cascade Chat Conversation"],
        marks: &[
            mark("### User Input", Role::Person),
            mark("### Planner Response", Role::Assistant),
        ],
        assistant: "Cascade",
        titles: &["Cascade Chat Conversation"],
        added: &["Note: _This is purely the output of the chat conversation…_"],
        ..NONE
    },
    // llm: `llm logs`.
    Exporter {
        first: &["# …    conversation: … id: …"],
        marks: &[
            mark("# …    conversation: … id: …", Role::Entry),
            mark("## Prompt", Role::Person),
            mark("## System", Role::System),
            mark("## Response", Role::Assistant),
        ],
        bounds: Bounds::InEntry,
        ..NONE
    },
    // Claude Conversation Extractor, for logs of Claude Code.
    Exporter {
        first: &["# Claude Conversation Log"],
        marks: &[
            mark("## 👤 User", Role::Person),
            mark("## 🤖 Claude", Role::Assistant),
            mark("### 🔧 Tool Use", Role::Assistant),
            mark("### 📤 Tool Result", Role::Result),
            mark("### ℹ️ System", Role::System),
        ],
        bounds: Bounds::BelowRule,
        calls: Calls::Extractor,
        assistant: "Claude",
        agent: Some("claude-code"),
        titles: &["Claude Conversation Log"],
        ..NONE
    },
    // ChatGPT Exporter, Claude Exporter and their siblings.
    Exporter {
        end: "\nPowered by [",
        marks: &[mark("## Prompt:", Role::Person), mark("## Response:", Role::Assistant)],
        bounds: Bounds::InTurn,
        time: Some("…"),
        added_around: &["Powered by […](…)"],
        ..NONE
    },
    // Gemini Voyager.
    Exporter {
        near: "\n## Turn 1",
        anywhere: "\n### 🤖 Assistant",
        marks: &[
            mark("## Turn …", Role::Entry),
            mark("### 👤 User", Role::Person),
            mark("### 🤖 Assistant", Role::Assistant),
        ],
        bounds: Bounds::InEntry,
        assistant: "Gemini",
        added_around: &["*[This turn includes uploaded …]*"],
        ..NONE
    },
    // Extensions that export Gemini.
    Exporter {
        near: "**You asked:**",
        anywhere: "\n**Gemini Replied:**",
        marks: &[
            mark("**You asked:**", Role::Person),
            mark("**Gemini Replied:**", Role::Assistant),
        ],
        bounds: Bounds::BelowRule,
        assistant: "Gemini",
        ..NONE
    },
    // Scripts that export ChatGPT, Claude, Gemini and others.
    Exporter {
        near: "# you asked",
        anywhere: " response\n",
        marks: &[mark("# you asked", Role::Person), mark("# … response", Role::Assistant)],
        bounds: Bounds::BelowRule,
        time: Some("message time: …"),
        ..NONE
    },
    // NextChat.
    Exporter {
        near: "## Message From You:",
        marks: &[
            mark("## Message From You:", Role::Person),
            mark("## Message From …:", Role::Assistant),
        ],
        bounds: Bounds::InTurn,
        ..NONE
    },
    // Nexus AI Chat Importer, for Obsidian.
    Exporter {
        near: "\nnexus: nexus-ai-chat-importer",
        marks: &[
            mark(">[!nexus_user] …", Role::Person),
            mark(">[!nexus_agent] …", Role::Assistant),
        ],
        has_front: true,
        is_quoted: true,
        added: &["<!-- UID: … -->"],
        ..NONE
    },
    // Copied from Grok.
    Exporter {
        first: &["# Question"],
        anywhere: "\n# Grok",
        marks: &[
            mark("# Question", Role::Person),
            mark("# Grok (…)", Role::Assistant),
            mark("# Grok", Role::Assistant),
        ],
        bounds: Bounds::InTurn,
        assistant: "Grok",
        ..NONE
    },
    // Perplexity.
    Exporter {
        first: &["<img src=\"https://r2cdn.perplexity.ai/…"],
        marks: &[inline("# …", Role::Question)],
        bounds: Bounds::BelowRule,
        assistant: "Perplexity",
        added: &[
            "<img src=\"https://r2cdn.perplexity.ai/…",
            "<div align=\"center\">⁂</div>",
            "<span style=\"display:none\">…</span>",
        ],
        ..NONE
    },
];

/// The length of the beginning and the end of a text. Bytes.
const NEAR: usize = 4 << 10;

/// Returns the program that wrote a text, whose front matter ends at `start`.
pub(super) fn exporter_of(text: &str, start: usize) -> Option<&'static Exporter> {
    let near = &text[..text.floor_char_boundary(start.saturating_add(NEAR))];
    let end = &text[text.ceil_char_boundary(text.len().saturating_sub(NEAR))..];
    let mut lines = near.get(start..)?.lines().map(str::trim);
    let first = lines.find(|line| !line.is_empty())?;
    // Most files are in other formats.
    if first.starts_with(['{', '[']) {
        return None;
    }
    ALL.iter().find(|exporter| {
        let Exporter { first: patterns, near: sign, anywhere, end: last, .. } = exporter;
        let is_first = |pattern: &&str| captures(pattern, first).is_some();
        (patterns.is_empty() || patterns.iter().any(is_first))
            && near.contains(sign)
            && end.contains(last)
            && text.contains(anywhere)
    })
}

/// Names of assistants as they are spelled.
const ASSISTANTS: [&str; 9] =
    ["ChatGPT", "Claude", "Gemini", "Grok", "DeepSeek", "Copilot", "Perplexity", "Kimi", "Qwen"];

/// Returns the name of an assistant as it is spelled.
pub(super) fn assistant_named(name: &str) -> String {
    let known = ASSISTANTS.into_iter().find(|known| known.eq_ignore_ascii_case(name));
    known.unwrap_or(name).to_owned()
}

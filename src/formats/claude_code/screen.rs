//! What `/export` saves: the session as the terminal showed it.
//!
//! ```text
//!  ▐▛███▜▌   Claude Code v2.0.14
//! ▝▜█████▛▘  Sonnet 4.5 · Claude Max                the model
//!   ▘▘ ▝▝    /home/ada/mill
//!
//! > Why does the gate stick?                        a prompt; newer versions write ❯
//!
//! ● I will read it.                                 an answer, indented by two columns; ⏺ on macOS
//!
//! ● Read(gate.py)                                   a call
//!   ⎿  Read 12 lines                                its result, or the output of a command
//!
//! ✻ Baked for 2s                                    a notice
//! ```
//!
//! The day is in the name of the file: `2025-11-11-why-does-the-gate-stick.txt`. Long texts are wrapped, and long
//! results are cut. A result whose call cannot be read is shown as that of an unknown tool.

use crate::shared::access::tool_access::{UNNAMED, served_name};
use crate::shared::agents::editor::line_starts;
use crate::shared::agents::exit_code;
use crate::shared::agents::prompt::{Addition, LastCommand, Piece, add_output};
use crate::shared::agents::turns::{At, Message, Turns, Who};
use crate::shared::tally::no_messages;
use crate::shared::text::dates::{day_in_name, on};
use crate::{File, Parsed};
use convo_base::diag::Severity;
use convo_base::json::Value;
use convo_base::model::{
    Action, Block, Kind, PlanStep, StepState, ToolCall, ToolResult, Usage, fenced,
};
use convo_base::text::trim_blank_lines;

/// The pictures in the banner, line by line.
const BANNER: [&str; 3] = ["▐▛███▜▌", "▝▜█████▛▘", "▘▘ ▝▝"];
/// What opens an answer or a call.
const ANSWER: [char; 2] = ['●', '⏺'];
/// What opens a result.
const RESULT: char = '⎿';
/// The indent of its other lines.
const RESULT_INDENT: &str = "     ";
/// What opens a notice.
const NOTICES: [char; 6] = ['✻', '✽', '✶', '✳', '✢', '※'];
/// The number of bytes that are examined.
const EXAMINED: usize = 16_384;

/// What a line opens.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Mark {
    Prompt,
    /// A command for the shell that the person typed.
    Shell,
    Answer,
    Result,
    Thought,
    Notice,
}

/// A part of the screen.
struct Section {
    mark: Mark,
    /// The number of its first line, from 1.
    line: u32,
    /// Its lines without the mark and the indent.
    lines: Vec<String>,
}

impl Section {
    fn text(&self) -> String {
        trim_blank_lines(&self.lines.join("\n")).0.to_owned()
    }
}

/// Returns whether a text is such an export.
pub(super) fn is_one(text: &str) -> bool {
    let head = &text[..text.floor_char_boundary(EXAMINED)];
    // Few other files contain one of these, and to search for them is fast.
    if !head.contains(RESULT) && !head.contains(BANNER[0]) {
        return false;
    }
    let has_banner = head.lines().take(8).any(|line| line.trim_start().starts_with(BANNER[0]));
    let sign = prompt_sign(head);
    let has = |wanted: Mark| {
        head.lines().any(|line| opening(line, sign).is_some_and(|(mark, _)| mark == wanted))
    };
    has(Mark::Prompt) && has(Mark::Answer) && (has_banner || has(Mark::Result))
}

pub(super) fn parse(files: &[File]) -> Parsed {
    let mut parsed = Parsed::default();
    for (index, file) in files.iter().enumerate() {
        let mut screen = Screen {
            turns: Turns::new(index, "Claude"),
            command: LastCommand::default(),
            model: None,
            hidden: Vec::new(),
        };
        let sections = screen.sections(&file.text);
        let day = day_in_name(&file.name).filter(|(_, at)| at.start == 0);
        screen.turns.read.time = day.and_then(|(day, _)| on(day));
        screen.add(sections);
        let mut notes = Vec::new();
        let read = screen.turns.done(&line_starts(&file.text), &mut notes);
        if read.is_none() {
            notes.push(no_messages(Severity::Error));
        }
        parsed.conversations.extend(read);
        parsed.notes.extend(notes.into_iter().map(|note| note.in_file(index)));
    }
    parsed
}

/// What is above a result.
enum Above {
    /// A command of the person.
    Command,
    /// A call.
    Call,
    /// Neither, or a result.
    Nothing,
}

/// The session that is being read.
struct Screen {
    turns: Turns,
    command: LastCommand,
    model: Option<String>,
    /// Text for the model.
    hidden: Vec<String>,
}

impl Screen {
    /// Divides a text, and reads the banners in it.
    fn sections(&mut self, text: &str) -> Vec<Section> {
        let sign = prompt_sign(text);
        let mut sections: Vec<Section> = Vec::new();
        for (number, line) in (1..).zip(text.lines()) {
            let line = line.trim_end();
            if self.banner(line) || is_rule(line) {
                continue;
            }
            let last = sections.last();
            match opening(line, sign)
                .filter(|(mark, _)| *mark != Mark::Result || !is_quoted(line, last))
            {
                Some((mark, rest)) => {
                    sections.push(Section { mark, line: number, lines: vec![rest.to_owned()] });
                }
                None => {
                    // What is above the first mark is not part of the session.
                    let Some(last) = sections.last_mut() else { continue };
                    if is_summary(line) && !line.starts_with(RESULT_INDENT) {
                        self.turns.count_hidden();
                        continue;
                    }
                    let indent = match last.mark {
                        Mark::Result => RESULT_INDENT.len(),
                        _ => 2,
                    };
                    let line = dedented(line, indent);
                    // The sign before quotations.
                    let quotation = line.strip_prefix('▎').map(|line| format!(">{line}"));
                    last.lines.push(quotation.unwrap_or_else(|| line.to_owned()));
                }
            }
        }
        sections
    }

    /// Reads a line of a banner; returns whether it is one.
    fn banner(&mut self, line: &str) -> bool {
        let bare = line.trim_start();
        let Some(at) = BANNER.iter().position(|picture| bare.starts_with(picture)) else {
            return false;
        };
        let rest = bare[BANNER[at].len()..].trim();
        match at {
            1 => {
                let model = rest.split(" · ").next().unwrap_or(rest);
                let model = model.split(" with ").next().unwrap_or(model).trim();
                self.model = Some(model.to_owned()).filter(|model| !model.is_empty());
            }
            2 if self.turns.cwd.is_none() => self.turns.cwd = Some(rest.to_owned()),
            _ => {}
        }
        true
    }

    fn add(&mut self, sections: Vec<Section>) {
        let mut sections = sections.into_iter().peekable();
        // What the next result belongs to, and whether a tool of a server has not returned its result yet.
        let (mut above, mut is_owed) = (Above::Nothing, false);
        while let Some(section) = sections.next() {
            let text = section.text();
            let at = At { line: section.line, ..At::default() };
            let has_result = sections.peek().is_some_and(|next| next.mark == Mark::Result);
            match section.mark {
                Mark::Prompt if text.is_empty() => {}
                Mark::Prompt | Mark::Shell => {
                    is_owed = false;
                    above = match section.mark == Mark::Shell || is_command(&text) {
                        true => Above::Command,
                        false => Above::Nothing,
                    };
                    self.asked(&text, section.mark, at);
                }
                Mark::Answer => {
                    self.command = LastCommand::default();
                    self.turns.turn(Who::Assistant, at);
                    let call = call(&text, has_result);
                    above = if call.is_some() { Above::Call } else { Above::Nothing };
                    is_owed |= !has_result && call.as_ref().is_some_and(is_of_server);
                    match call {
                        Some(call) => self.turns.call(call),
                        None => self.turns.say(&with_drawings(&text)),
                    }
                    let usage = Usage { model: self.model.clone(), ..Usage::default() };
                    self.turns.add_usage(&usage);
                }
                Mark::Thought => {
                    above = Above::Nothing;
                    self.turns.turn(Who::Assistant, at);
                    self.turns.think(&section.lines[1..].join("\n"));
                }
                Mark::Result if is_interruption(&text) => self.turns.push(Block::interruption()),
                // Only the first one is certainly of the call or the command above it.
                Mark::Result => match std::mem::replace(&mut above, Above::Nothing) {
                    Above::Command => self.printed(&text),
                    Above::Call if !is_owed && !text.contains("(MCP)") => self.returned(text),
                    _ => {
                        is_owed = false;
                        self.returned_by_unknown(text);
                    }
                },
                Mark::Notice if text.contains("onversation compacted") => {
                    let blocks = vec![Block::compaction(None)];
                    let message = Message { blocks, ..Message::default() };
                    self.turns.add("", Kind::System, message);
                }
                Mark::Notice => self.turns.count_hidden(),
            }
        }
    }

    /// Adds a prompt or a command of the person.
    fn asked(&mut self, text: &str, mark: Mark, at: At) {
        let pieces = match (mark, text.split_once(char::is_whitespace)) {
            (Mark::Shell, _) => vec![Piece::Shell(text.to_owned())],
            (_, parts) if is_command(text) => {
                let (name, arguments) = parts.unwrap_or((text, ""));
                let (name, arguments) = match arguments.trim().strip_prefix("(MCP)") {
                    Some(arguments) => (of_server(name), arguments),
                    None => (name.to_owned(), arguments),
                };
                vec![Piece::Command { name, arguments: arguments.trim().to_owned() }]
            }
            _ => self.command.pieces(text, &mut self.hidden),
        };
        self.turns.turn(Who::Person, at);
        for piece in pieces {
            self.piece(piece);
        }
    }

    /// Adds the output of a command of the person.
    fn printed(&mut self, text: &str) {
        let is_error = text.starts_with("Error");
        self.piece(Piece::Output { text: text.to_owned(), is_error });
    }

    fn piece(&mut self, piece: Piece) {
        for addition in self.command.additions(piece, "Claude") {
            match addition {
                Addition::Own(block) | Addition::Beside(block) | Addition::Event(block) => {
                    self.turns.push(block);
                }
                Addition::Output(call) => {
                    let last = self.turns.turn_mut().and_then(|turn| turn.blocks.last_mut());
                    add_output(last, call).into_iter().for_each(|block| self.turns.push(block));
                }
                Addition::Teammate(_, text) => self.turns.say(&text),
            }
        }
    }

    /// Adds a result to the call above it.
    fn returned(&mut self, text: String) {
        let exit_code = exit_code::above(&text).map(|(code, _)| code);
        let state = if text.starts_with("Error") { "failed" } else { "" }.to_owned();
        let is_blank = ["(No content)", "(no content)"].contains(&text.as_str());
        let output = (!is_blank && !text.is_empty()).then(|| Value::from(text));
        let result = ToolResult { state, output, ..ToolResult::default() };
        let last = self.turns.turn_mut().and_then(|turn| turn.blocks.last_mut());
        let Some(Block::Tool(call)) = last else { return };
        match &mut call.action {
            None if call.name == TODOS => {
                call.action = steps(&result);
                if call.action.is_some() {
                    return;
                }
            }
            Some(Action::Command { exit_code: known, .. }) => *known = exit_code,
            _ => {}
        }
        call.results.push(result);
    }

    /// Adds a result whose tool is unknown.
    fn returned_by_unknown(&mut self, text: String) {
        let result = ToolResult { output: Some(text.into()), ..ToolResult::default() };
        let (name, results) = (UNNAMED.to_owned(), vec![result]);
        self.turns.call(ToolCall { name, results, ..ToolCall::default() });
    }
}

/// Returns what a line opens, and the rest of the line.
fn opening(line: &str, sign: char) -> Option<(Mark, &str)> {
    let bare = line.trim_start();
    let mark = bare.chars().next()?;
    let rest = &bare[mark.len_utf8()..];
    let is_spaced = rest.is_empty() || rest.starts_with([' ', '\u{a0}']);
    let rest = rest.trim_start_matches([' ', '\u{a0}']);
    if mark == RESULT {
        return Some((Mark::Result, rest));
    }
    if line.len() > bare.len() || !is_spaced {
        return None;
    }
    match mark {
        mark if mark == sign => Some((Mark::Prompt, rest)),
        '!' if !rest.is_empty() => Some((Mark::Shell, rest)),
        mark if ANSWER.contains(&mark) => Some((Mark::Answer, rest)),
        '∴' => Some((Mark::Thought, rest)),
        mark if NOTICES.contains(&mark) && rest.starts_with("Thinking") => {
            Some((Mark::Thought, rest))
        }
        mark if NOTICES.contains(&mark) => Some((Mark::Notice, rest)),
        _ => None,
    }
}

/// Returns whether a result is in a prompt, which is indented more.
fn is_quoted(line: &str, last: Option<&Section>) -> bool {
    let Some(last) = last.filter(|last| last.mark == Mark::Prompt) else { return false };
    let first = last.lines.iter().find(|line| !line.trim().is_empty());
    line.starts_with("   ") && !first.is_some_and(|first| is_command(first))
}

/// Returns the sign before prompts: that of the first one.
fn prompt_sign(text: &str) -> char {
    let mut signs = text.lines().filter_map(|line| line.chars().next());
    signs.find(|sign| ['❯', '>'].contains(sign)).unwrap_or('>')
}

/// Returns whether a line is a horizontal rule.
fn is_rule(line: &str) -> bool {
    line.chars().count() > 20 && line.chars().all(|c| c == '─')
}

/// Returns whether a line counts calls that the screen does not show: `Read 2 files (ctrl+o to expand)`.
fn is_summary(line: &str) -> bool {
    const VERBS: [&str; 10] = [
        "Read", "Searched", "Recalled", "Ran", "Listed", "Edited", "Wrote", "Fetched", "Called",
        "Loaded",
    ];
    let verb = line.split_whitespace().next().unwrap_or_default();
    line.ends_with("to expand)") && line.contains("(ctrl+") && VERBS.contains(&verb)
}

/// Returns whether a result says that the person stopped the program.
fn is_interruption(text: &str) -> bool {
    let rest = text.strip_prefix("Interrupted");
    rest.is_some_and(|rest| {
        rest.is_empty() || rest.starts_with(" by user") || rest.starts_with(" ·")
    })
}

/// Returns the name of a command of a server as in logs: `/mcp__mill__gate` for `/mill:gate`.
fn of_server(name: &str) -> String {
    let bare = name.trim_start_matches('/').trim_start_matches("mcp__");
    format!("/mcp__{}", bare.replacen(':', "__", 1))
}

fn is_of_server(call: &ToolCall) -> bool {
    call.name.starts_with("mcp__")
}

/// Returns a line without up to this many spaces before it.
fn dedented(line: &str, indent: usize) -> &str {
    let spaces = line.bytes().take(indent).take_while(|byte| *byte == b' ').count();
    &line[spaces..]
}

/// Returns whether a prompt is a command, not a path such as `/home/ada`.
fn is_command(text: &str) -> bool {
    let first = text.split_whitespace().next().unwrap_or_default();
    let name = first.strip_prefix('/').unwrap_or_default();
    !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || "-_:.".contains(c))
}

/// Reads a call: `Read(gate.py)` or `mill - gate_state (MCP)(gate: "north")`. What looks like a call of a tool that
/// Claude Code does not have is one of an unknown server.
fn call(text: &str, has_result: bool) -> Option<ToolCall> {
    let text = text.lines().map(str::trim).collect::<Vec<_>>().join(" ").replace('\u{a0}', " ");
    let known = WITHOUT_ARGUMENTS.iter().find(|(shown, _)| *shown == text);
    if let Some((_, name)) = known.filter(|_| has_result) {
        return Some(ToolCall { name: (*name).to_owned(), ..ToolCall::default() });
    }
    let of_server = |name: String, arguments: &str| {
        let input = (!arguments.is_empty()).then(|| arguments.into());
        Some(ToolCall { name, input, ..ToolCall::default() })
    };
    if let Some((head, arguments)) = text.split_once("(MCP)") {
        // What follows the arguments may be a result without its sign.
        if !arguments.is_empty() && !arguments.starts_with('(') && !has_result {
            return None;
        }
        let arguments = arguments.trim().trim_start_matches('(').trim_end_matches(')');
        let (server, tool) = head.trim().split_once(" - ").unwrap_or(("", head.trim()));
        return of_server(served_name(server, tool), arguments);
    }
    let (shown, arguments) = text.split_once('(')?;
    let row = NAMES.iter().find(|(known, ..)| *known == shown);
    let whole = arguments.strip_suffix(')');
    let Some((_, name, key)) = row else {
        // A blank before the bracket is usual in prose: `I read it (twice)`.
        let is_name = !shown.ends_with(' ') || text.contains(")(");
        let is_cut = arguments.ends_with('…') || arguments.starts_with("MC");
        let is_call = has_result && (is_name && whole.is_some() || is_cut);
        return if is_call { of_server(served_name("", shown.trim()), arguments) } else { None };
    };
    // Without a result, it may be prose: `Update(s) are done (finally)`.
    let arguments = whole.filter(|arguments| has_result || !arguments.contains(") "))?;
    let input = match (*key, arguments) {
        (_, "") => None,
        ("", arguments) => Some(arguments.into()),
        (key, arguments) => {
            Some(Value::Object([(key.to_owned(), arguments.into())].into_iter().collect()))
        }
    };
    Some(ToolCall { name: (*name).to_owned(), input, ..ToolCall::default() })
}

/// How the screen names tools, their names, and the arguments that it shows.
const NAMES: [(&str, &str, &str); 40] = [
    ("Bash", "Bash", "command"),
    ("PowerShell", "PowerShell", "command"),
    ("Bash Output", "BashOutput", "bash_id"),
    ("BashOutput", "BashOutput", "bash_id"),
    ("Kill Shell", "KillShell", "shell_id"),
    ("KillShell", "KillShell", "shell_id"),
    ("Read", "Read", "file_path"),
    ("Read image", "Read", "file_path"),
    ("Write", "Write", "file_path"),
    ("Create", "Write", "file_path"),
    ("Update", "Edit", "file_path"),
    ("Edit", "Edit", "file_path"),
    ("MultiEdit", "MultiEdit", "file_path"),
    ("Edit Notebook", "NotebookEdit", "notebook_path"),
    ("NotebookEdit", "NotebookEdit", "notebook_path"),
    ("Search", "Grep", ""),
    ("Grep", "Grep", ""),
    ("Glob", "Glob", ""),
    ("List", "LS", "path"),
    ("LS", "LS", "path"),
    ("LSP", "LSP", ""),
    ("Fetch", "WebFetch", "url"),
    ("WebFetch", "WebFetch", "url"),
    ("Web Search", "WebSearch", "query"),
    ("WebSearch", "WebSearch", "query"),
    ("Task", "Task", "description"),
    ("Agent", "Agent", "description"),
    ("Explore", "Agent", "description"),
    ("Plan", "Agent", "description"),
    ("TaskCreate", "TaskCreate", "subject"),
    ("TaskOutput", "TaskOutput", "task_id"),
    ("Task Output", "TaskOutput", "task_id"),
    ("Stop Task", "TaskStop", "task_id"),
    ("Skill", "Skill", "skill"),
    ("ToolSearch", "ToolSearch", "query"),
    ("AskUserQuestion", "AskUserQuestion", ""),
    ("EnterPlanMode", "EnterPlanMode", ""),
    ("ExitPlanMode", "ExitPlanMode", ""),
    ("TodoWrite", TODOS, ""),
    ("Update Todos", TODOS, ""),
];

/// The tool for plans.
const TODOS: &str = "TodoWrite";

/// Calls that the screen shows without arguments, and their tools.
const WITHOUT_ARGUMENTS: [(&str, &str); 3] = [
    ("Update Todos", TODOS),
    ("User answered Claude's questions:", "AskUserQuestion"),
    ("User approved Claude's plan", "ExitPlanMode"),
];

/// Returns the plan in a result: `☐ Read the gate`, or `☒` for a step that is done.
fn steps(result: &ToolResult) -> Option<Action> {
    let mut steps: Vec<PlanStep> = Vec::new();
    for line in result.output.as_ref()?.as_str()?.lines() {
        let line = line.trim();
        let state = match line.chars().next()? {
            '☐' | '◻' => StepState::Open,
            '☒' | '☑' | '✔' => StepState::Done,
            '◼' => StepState::Active,
            _ => {
                // A long step is wrapped.
                let step = &mut steps.last_mut()?.text;
                *step = format!("{step} {line}");
                continue;
            }
        };
        let text = line.chars().skip(1).collect::<String>().trim().to_owned();
        steps.push(PlanStep { text, state });
    }
    Some(Action::Plan { steps })
}

/// Returns an answer with drawn tables in code blocks.
fn with_drawings(text: &str) -> String {
    let is_drawn = |line: &&str| line.contains(['│', '├', '┌', '└']);
    let lines: Vec<&str> = text.lines().collect();
    let runs = lines.chunk_by(|a, b| is_drawn(a) == is_drawn(b)).map(|run| {
        match run.len() > 1 && is_drawn(&run[0]) {
            true => fenced("", &run.join("\n")),
            false => run.join("\n"),
        }
    });
    runs.collect::<Vec<_>>().join("\n")
}

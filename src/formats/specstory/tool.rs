//! Reads tool calls: `<tool-use>` elements, and the plain lines of old files.

use super::diff::{Edits, file, headed};
use super::pieces::{Label, Piece, label, split};
use super::plain_call::tool_of_summary;
use crate::shared::access::hidden_tags::{Author, without_hidden};
use crate::shared::access::tool_access::marked_name;
use crate::shared::agents::exit_code;
use crate::shared::text::entities::decoded;
use crate::shared::text::html::attribute;
use convo_base::json::{self, Map, Value};
use convo_base::model::{
    Action, EditKind, FileEdit, PlanStep, StepState, ToolCall, ToolError, ToolKind, ToolResult,
};

/// Reads a `<tool-use>` element. If HTML `is_escaped` in it, unescapes it.
pub(super) fn read(element: &str, is_escaped: bool) -> ToolCall {
    let (tag, rest) = element.split_once('>').unwrap_or((element, ""));
    let attribute = |name: &str| attribute(tag, name);
    let rest = rest.trim_end();
    let rest = rest.strip_suffix("</tool-use>").unwrap_or(rest).trim_end();
    let rest = rest.strip_suffix("</details>").unwrap_or(rest);
    let rest = rest.trim_start();
    let rest = rest.strip_prefix("<details>").unwrap_or(rest);
    let start = rest.trim_start();
    let (summary, body) = start
        .strip_prefix("<summary>")
        .and_then(|inside| inside.split_once("</summary>"))
        .unwrap_or(("", rest));
    let kind = attribute("data-tool-type").unwrap_or_default();
    let mut call = named(summary, body, is_escaped, &kind);
    if let Some(name) = attribute("data-tool-name").filter(|name| !name.is_empty()) {
        call.name = name;
    }
    if kind.eq_ignore_ascii_case("mcp") {
        call.name = marked_name(&call.name);
    }
    call
}

/// Reads a tool call that [`plain_call`](super::plain_call) found.
pub(super) fn read_plain(text: &str, is_escaped: bool) -> ToolCall {
    if let Some(rest) = text.strip_prefix("<details>") {
        let rest = rest.strip_suffix("</details>").unwrap_or(rest).trim_start();
        let rest = rest.strip_prefix("<summary>").unwrap_or(rest);
        let (summary, body) = rest.split_once("</summary>").unwrap_or((rest, ""));
        return named(summary, body, is_escaped, "");
    }
    let (summary, body) = text.split_once('\n').unwrap_or((text, ""));
    let body = body.trim_end();
    let body = body.strip_suffix("\n---").unwrap_or(body);
    named(summary, body, is_escaped, "")
}

/// Reads a message that consists of the result of a call: a line such as `Result:`, and code.
pub(super) fn read_result(text: &str, is_escaped: bool) -> Option<ToolResult> {
    let (first, rest) = text.split_once('\n')?;
    let (_, beside) = label(first.trim()).filter(|(label, _)| *label != Label::Input)?;
    let is_result = beside.is_empty() && rest.trim_start().starts_with("```");
    if !is_result {
        return None;
    }
    named("", text, is_escaped, "").results.pop()
}

/// Reads a tool call whose summary may name the tool: `Tool use: **Bash** `ls``.
fn named(summary: &str, body: &str, is_escaped: bool, kind: &str) -> ToolCall {
    let summary = if is_escaped { decoded(summary) } else { summary.into() };
    let body = if is_escaped { decoded(body) } else { body.into() };
    let summary = summary.trim();
    let found = summary.strip_prefix("Tool use: **").and_then(|rest| rest.split_once("**"));
    let (name, title) = found.unwrap_or((tool_of_summary(summary).unwrap_or_default(), summary));
    let mut reader = Reader { kind, name, ..Reader::default() };
    let title = title.trim().trim_start_matches('•').trim();
    if !title.is_empty() {
        reader.line(title);
    }
    reader.read(&split(&body));
    reader.finish()
}

/// A tool call that is being read.
#[derive(Default)]
struct Reader<'a> {
    kind: &'a str,
    name: &'a str,
    /// Lines about the input.
    words: Vec<&'a str>,
    /// The input as keys and values.
    input: Map,
    command: Option<String>,
    edits: Edits,
    /// The code that was written, with the path above it.
    written: Option<&'a str>,
    output: Vec<&'a str>,
    section: Option<Label>,
    has_result: bool,
}

impl<'a> Reader<'a> {
    fn is_shell(&self) -> bool {
        self.kind == "shell" || ToolKind::of(self.name) == ToolKind::Command
    }

    fn read(&mut self, pieces: &[Piece<'a>]) {
        for (number, piece) in pieces.iter().enumerate() {
            match *piece {
                Piece::Line(line) => self.line(line),
                Piece::Code { info, text } => {
                    let is_last = number + 1 == pieces.len();
                    self.code(info, text, is_last);
                }
            }
        }
    }

    fn line(&mut self, line: &'a str) {
        if let Some((found, rest)) = label(line) {
            self.section = Some(found);
            self.has_result |= found != Label::Input;
            if !rest.is_empty() {
                match found {
                    Label::Input => self.words.push(rest),
                    _ => self.output.push(rest),
                }
            }
            return;
        }
        match self.section {
            Some(Label::Output | Label::Failure) => self.output.push(line),
            Some(Label::Input) => self.words.push(line),
            // Tables are listings and search results.
            None if line.starts_with('|') => self.output.push(line),
            None => self.words.extend(without_fold(line)),
        }
    }

    fn code(&mut self, info: &'a str, text: &'a str, is_last: bool) {
        let is_input = self.section == Some(Label::Input);
        let is_result = matches!(self.section, Some(Label::Output | Label::Failure));
        match info {
            _ if is_result && info != "diff" => self.output.push(text),
            "text" => self.output.push(text),
            "diff" | "patch" => {
                let headed = self.words.iter().rev().find_map(|line| headed(line));
                let (path, kind) = match headed {
                    Some((path, kind)) => (Some(path.to_owned()), kind),
                    None => (self.path(), EditKind::Update),
                };
                self.words.retain(|line| self::headed(line).is_none());
                self.edits.add(path.as_deref(), kind, text);
            }
            "bash" | "sh" | "shell" if self.is_shell() && self.command.is_none() => {
                self.command = Some(text.to_owned());
            }
            "json" if self.input.is_empty() && !is_input => match json::parse(text) {
                Ok((Value::Object(map), _)) => self.input = map,
                _ => self.words.push(text),
            },
            "" if is_input => {
                // `- patch:` is above a long value.
                match self.words.pop_if(|line| line.starts_with("- ") && line.ends_with(':')) {
                    Some(key) => {
                        let key = key.trim_start_matches("- ").trim_end_matches(':');
                        self.input.insert(key.to_owned(), text.into());
                    }
                    None => self.words.push(text),
                }
            }
            "" if is_last || self.is_shell() => self.output.push(text),
            _ if self.kind == "write" && self.written.is_none() => {
                self.written = Some(text);
            }
            _ => self.words.push(text),
        }
    }

    /// Returns the path of the file that the call is about, if it is given.
    fn path(&self) -> Option<String> {
        let named = |line: &&&str| {
            const MARKS: [&str; 5] =
                ["Edit file: ", "Write file: ", "Apply patch for ", "Path: ", "File: "];
            MARKS
                .iter()
                .find_map(|mark| line.strip_prefix(mark))
                .map(|path| path.trim().trim_matches('`').to_owned())
        };
        let line = self.words.iter().find_map(|line| named(&line));
        line.or_else(|| self.words.first().and_then(|line| code(line)).map(str::to_owned))
            .filter(|path| !path.is_empty() && !path.contains('\n'))
    }

    fn finish(mut self) -> ToolCall {
        let output = self.output.join("\n");
        let output = without_hidden(&output, Author::Program).into_owned();
        let mut call = ToolCall { name: self.name.to_owned(), ..ToolCall::default() };
        self.take_rows();
        if self.is_shell() && self.command.is_none() {
            self.command = self.inline_command();
        }
        call.action = self.action(&output);
        if let Some(command) = self.command.take() {
            self.input.entry("command").or_insert(command.into());
            // The description of the command is next to it.
            if !self.words.is_empty() {
                let text = self.words.join("\n");
                let text = without_hidden(&text, Author::Writer).into_owned();
                call.extra.insert("description".to_owned(), text.into());
                self.words.clear();
            }
        }
        call.input = self.given();
        let is_failed = self.section == Some(Label::Failure);
        let state = if is_failed { "failed".to_owned() } else { String::new() };
        let text = output.trim_matches('\n');
        let refused = text
            .trim()
            .strip_prefix("<tool_use_error>")
            .and_then(|text| text.strip_suffix("</tool_use_error>"));
        if let Some(message) = refused {
            let message = Some(message.trim().to_owned());
            let error = Some(ToolError { message, ..ToolError::default() });
            let state = "failed".to_owned();
            call.results.push(ToolResult { state, error, ..ToolResult::default() });
        } else if self.has_result || !text.trim().is_empty() {
            let output = (!text.trim().is_empty()).then(|| text.into());
            call.results.push(ToolResult { state, output, ..ToolResult::default() });
        }
        call
    }

    /// Returns the input that is not part of the action.
    fn given(&mut self) -> Option<Value> {
        let words = self.words.join("\n");
        let words = without_hidden(&words, Author::Writer);
        let words = words.trim();
        if !words.is_empty() && self.input.is_empty() {
            let only = code(words).unwrap_or(words);
            return Some(only.into());
        }
        if !words.is_empty() {
            self.input.insert("text".to_owned(), words.into());
        }
        (!self.input.is_empty()).then(|| std::mem::take(&mut self.input).into())
    }

    /// Takes the lines that are keys with values: ``- path: `x` ``, ``Path: `x` ``, and several on one
    /// line: ``path `x` pattern `y` ``.
    fn take_rows(&mut self) {
        let input = &mut self.input;
        let is_input = self.section.is_some();
        self.words.retain(|line| {
            if let Some(row) = line.strip_prefix("- ").filter(|_| is_input)
                && let Some((key, value)) = row.split_once(": ")
                && let Some(value) = code(value)
            {
                input.insert(key.to_owned(), value.into());
                return false;
            }
            let Some(rows) = rows(line) else { return true };
            for (key, value) in rows {
                input.insert(key, value.into());
            }
            false
        });
    }

    /// Returns the command if it is in a line: ``Run command: ls``, `` `ls` ``.
    fn inline_command(&mut self) -> Option<String> {
        if let Some(command) = self.input.get("command").and_then(Value::as_str) {
            return Some(command.to_owned());
        }
        let place = self.words.iter().rposition(|line| code(line).is_some());
        if let Some(place) = place {
            return code(self.words.remove(place)).map(str::to_owned);
        }
        let place = self.words.iter().position(|line| line.starts_with("Run command: "))?;
        let line = self.words.remove(place);
        Some(line.strip_prefix("Run command: ")?.to_owned())
    }

    fn action(&mut self, output: &str) -> Option<Action> {
        if let Some(command) = &self.command {
            self.words.retain(|line| {
                line.strip_prefix("Run command: ").is_none_or(|named| named != command)
            });
            let code = exit_code::above(output)
                .or_else(|| exit_code::below(output))
                .or_else(|| exit_code::marked(output));
            let (command, exit_code) = (command.clone(), code.map(|(code, _)| code));
            return Some(Action::Command { command, exit_code });
        }
        if let Some(steps) = plan(&self.words) {
            return Some(Action::Plan { steps });
        }
        if ToolKind::of(self.name) == ToolKind::Search {
            let given = self.input.get("query").and_then(Value::as_str).map(str::to_owned);
            let query = given
                .or_else(|| self.words.first().map(|line| code(line).unwrap_or(line).to_owned()));
            return query.map(|query| Action::Search { query: Some(query), results: Vec::new() });
        }
        if self.kind != "write" && !["apply_patch", "Write", "Edit"].contains(&self.name) {
            return self.files().map(|files| Action::Edit { files });
        }
        let path = self.path().or_else(|| self.given_path()).or_else(|| reported_path(output));
        if let (Some(text), Some(path)) = (self.written, &path) {
            self.edits.push(Some(FileEdit::written(path.clone(), text)));
        } else if let Some(text) = self.written.take() {
            self.words.push(text);
        }
        let (heads, words): (Vec<_>, Vec<_>) =
            self.words.drain(..).partition(|line| headed(line).is_some());
        self.words = words;
        for (path, kind) in heads.into_iter().filter_map(headed) {
            self.edits.push(Some(file(path, kind)));
        }
        match (self.files(), path) {
            (Some(files), _) => Some(Action::Edit { files }),
            (None, Some(path)) if self.name != "apply_patch" => {
                Some(Action::Edit { files: vec![file(&path, EditKind::Update)] })
            }
            _ => None,
        }
    }

    fn files(&mut self) -> Option<Vec<FileEdit>> {
        std::mem::take(&mut self.edits).finish()
    }

    fn given_path(&self) -> Option<String> {
        let keys = ["path", "file_path", "filePath", "file"];
        let found = keys.iter().find_map(|key| self.input.get(*key)?.as_str());
        found.map(str::to_owned)
    }
}

/// Returns a line without the tags of `<details>` and its summary; `None` if nothing else is on it.
fn without_fold(line: &str) -> Option<&str> {
    let bare = line.trim();
    let bare = bare.strip_prefix("<details>").unwrap_or(bare).trim_start();
    let bare = bare.strip_suffix("</details>").unwrap_or(bare).trim_end();
    let bare = bare.strip_prefix("<summary>").unwrap_or(bare);
    let bare = bare.strip_suffix("</summary>").unwrap_or(bare);
    match bare.len() == line.trim().len() {
        true => Some(line),
        false => Some(bare.trim()).filter(|bare| !bare.is_empty()),
    }
}

/// Returns the code if the whole text is a code block.
fn code(text: &str) -> Option<&str> {
    let inside = text.trim().strip_prefix('`')?.strip_suffix('`')?;
    Some(inside).filter(|inside| !inside.is_empty())
}

/// Reads ``path `x` pattern `y` `` or ``Path: `x` `` if the line contains nothing else.
fn rows(line: &str) -> Option<Vec<(String, String)>> {
    let mut found = Vec::new();
    let mut rest = line.trim();
    while !rest.is_empty() {
        let (key, behind) = rest.split_once('`')?;
        let key = key.trim().trim_end_matches(':').trim();
        let is_key = !key.is_empty()
            && key.len() <= 24
            && key.chars().all(|c| c.is_alphanumeric() || c == '_' || c == ' ');
        // A pattern may contain a backtick itself.
        let next = behind.match_indices("` ").find(|(at, _)| {
            let (key, more) = behind[at + 2..].split_once('`').unwrap_or(("", ""));
            !more.is_empty()
                && !key.trim().is_empty()
                && key.len() <= 24
                && key.trim().chars().all(|c| c.is_alphanumeric() || "_:".contains(c))
        });
        let (value, more) = match next {
            Some((at, _)) => (&behind[..at], &behind[at + 2..]),
            None => (behind.strip_suffix('`')?, ""),
        };
        is_key.then_some(())?;
        found.push((key.to_lowercase().replace(' ', "_"), value.to_owned()));
        rest = more.trim();
    }
    (!found.is_empty()).then_some(found)
}

/// Reads a to-do list.
fn plan(words: &[&str]) -> Option<Vec<PlanStep>> {
    let is_head = |line: &&&str| {
        line.starts_with("**Agent task list") || line.to_ascii_lowercase().starts_with("todo")
    };
    words.iter().find(is_head)?;
    let step = |line: &&str| {
        let line = line.trim_start();
        let row = line.strip_prefix("- [").or_else(|| line.strip_prefix("* ["))?;
        let (mark, text) = row.split_once(']')?;
        let state = match mark.trim() {
            "x" | "X" | "✓" | "✔" | "completed" => StepState::Done,
            "" | "pending" => StepState::Open,
            _ => StepState::Active,
        };
        // The priority is before the text.
        let text = text.trim();
        let text =
            ["🔥", "🌡️", "❄️"].iter().find_map(|mark| text.strip_prefix(mark)).unwrap_or(text);
        Some(PlanStep { text: text.trim().to_owned(), state })
    };
    let steps: Vec<PlanStep> = words.iter().filter_map(step).collect();
    (!steps.is_empty()).then_some(steps)
}

/// Returns the path that a tool reports to have written.
fn reported_path(output: &str) -> Option<String> {
    let line = output.trim_start().lines().next()?;
    let path = match line.strip_prefix("The file ") {
        Some(rest) => rest.split_once(" has been ")?.0,
        None => line.strip_prefix("File created successfully at: ")?,
    };
    let path = path.split(" (file state").next().unwrap_or(path).trim();
    (!path.is_empty() && path.len() < 1000).then(|| path.to_owned())
}

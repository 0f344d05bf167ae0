//! Joins tool calls with their results.

use std::collections::HashSet;

use super::message::is_blank;
use super::output::{Output, output};
use super::reader::Reader;
use super::tools::{self, Tool, text};
use super::{citations, files};
use crate::shared::access::tool_access::{UNNAMED, path, replacement, shell, withhold};
use crate::shared::access::visibility::is_marked;
use crate::shared::agents::turns::{Outcome, To};
use crate::shared::tally::ORPHANS;
use crate::shared::text::attachment_kind::kind_of;
use convo_base::json::{Map, Value};
use convo_base::model::{Action, Block, Citation, FileEdit, ToolCall, ToolResult};

impl Reader<'_> {
    /// Adds a call.
    pub(super) fn call(&mut self, mut block: Map) {
        let input = block.remove("input").filter(|input| !is_blank(input));
        let kind = text(&block, "type").filter(|kind| *kind != "tool_use");
        let name = text(&block, "name").or(kind).unwrap_or(UNNAMED);
        let id = text(&block, "id");
        let full_name = tools::full_name(&block, name);
        let is_marked = is_marked(&block);
        let no_input = Map::new();
        let arguments = input.as_ref().and_then(Value::as_object).unwrap_or(&no_input);
        let tool = tools::tool(name, arguments);
        let place = self.turns.next_place();
        self.calls.add(id.unwrap_or_default(), name, false, place);
        let mut call = ToolCall {
            id: id.unwrap_or_default().to_owned(),
            name: full_name,
            ..ToolCall::default()
        };
        if is_marked || !tools::is_open(&call.name) {
            call.input = input;
            if is_marked {
                withhold(&mut call);
                self.marked.insert(place);
            }
            return self.push(Block::Tool(Box::new(call)));
        }
        call.action = self.action(tool, arguments);
        let report = citations::report(tool, arguments, &self.titles);
        let presented = match tool {
            Tool::Present => tools::texts(arguments, "filepaths"),
            _ => Vec::new(),
        };
        if report.is_some()
            && let Some(Action::Edit { files }) = &mut call.action
        {
            // It is read below.
            files.iter_mut().for_each(|file| file.diff.clear());
            self.artifacts.is_shown_elsewhere(arguments);
        }
        call.input = match (tool, text(arguments, "code")) {
            (Tool::Code, Some(code)) => Some(code.into()),
            _ => input.map(without_citations),
        };
        self.push(Block::Tool(Box::new(call)));
        if let Some((text, cited)) = report {
            self.push_text(&text, &cited, false);
        }
        for path in presented {
            if self.artifacts.is_known(&path) {
                continue;
            }
            let name = path.rsplit('/').next().unwrap_or(&path);
            self.attach(files::missing_file(name, kind_of(name, None), None), false);
        }
    }

    /// Adds an artifact from the text of an old answer.
    pub(super) fn written_in_text(&mut self, input: Map) {
        let action = self.action(Tool::Artifact, &input);
        let result = ToolResult { state: "succeeded".to_owned(), ..ToolResult::default() };
        self.push(Block::Tool(Box::new(ToolCall {
            name: "artifacts".to_owned(),
            action,
            input: Some(Value::Object(input)),
            results: vec![result],
            ..ToolCall::default()
        })));
    }

    fn action(&mut self, tool: Tool, input: &Map) -> Option<Action> {
        let at = self.turns.next_place();
        let edit = |file: FileEdit| Some(Action::Edit { files: vec![file] });
        match tool {
            Tool::Artifact => edit(self.artifacts.artifact(input, at)?),
            Tool::Create => {
                let path = path(input)?;
                let words = tools::any_text(input, &tools::CONTENTS)?;
                edit(self.artifacts.written(path, path, words, at))
            }
            Tool::Replace => {
                let path = path(input)?;
                let (old, new) = replacement(input)?;
                edit(self.artifacts.replaced(path, path, old, new, at))
            }
            Tool::Widget => {
                let words = text(input, "widget_code")?;
                let title = text(input, "title").unwrap_or("widget");
                let ending = if words.trim_start().starts_with("<svg") { "svg" } else { "html" };
                edit(FileEdit::written(super::artifacts::file_name(title, ending), words))
            }
            Tool::Shell => shell::command(input),
            Tool::Search | Tool::Fetch => {
                let query = tools::any_text(input, &["query", "q", "url", "command"]);
                let query = query.map(str::to_owned);
                Some(Action::Search { query, results: Vec::new() })
            }
            Tool::Code | Tool::Present | Tool::Other => None,
        }
    }

    /// Adds a result to its call. A result without a call is a block of its own; it is not shown unless it
    /// names its tool.
    pub(super) fn result(&mut self, mut block: Map) {
        let is_marked = is_marked(&block);
        let content = block.remove("content").unwrap_or_default();
        let name = text(&block, "name").unwrap_or_default();
        let id = text(&block, "tool_use_id").unwrap_or_default();
        let place = self.calls.answer(To::Call { id, name }).copied();
        let failed = block.get("is_error").and_then(Value::as_bool);
        let state = match failed {
            Some(true) => "failed",
            Some(false) => "succeeded",
            None => "",
        };
        let mut result = ToolResult { state: state.to_owned(), ..ToolResult::default() };
        let full_name = tools::full_name(&block, name);
        let is_marked = is_marked || place.is_some_and(|at| self.marked.contains(&at));
        let is_foreign = !full_name.is_empty() && !tools::is_open(&full_name);
        let call = place.and_then(|place| self.turns.call_at(place));
        let is_closed = call.as_ref().is_some_and(|call| !tools::is_open(&call.name));
        let is_orphan = call.is_none() && name.is_empty();
        let tool = call.as_ref().map_or(Tool::Other, |call| tools::of_call(call));
        if let Some(call) = call.filter(|_| !is_closed && (is_marked || is_foreign)) {
            // The result says what the call did not say.
            call.action = None;
            match is_marked {
                true => withhold(call),
                false => call.name = full_name,
            }
            self.marked.extend(place.filter(|_| is_marked));
            place.into_iter().for_each(|place| self.artifacts.failed(place));
        }
        let mut read = Output::default();
        if is_marked || is_foreign || is_closed || is_orphan {
            if is_orphan {
                self.tally.add(ORPHANS);
            }
            let text = output(Tool::Other, &content, &block).text;
            result.output = text.map(Value::String).filter(|_| !is_marked);
        } else {
            read = output(tool, &content, &block);
            for citation in &read.found {
                if let (Some(url), Some(title)) = (&citation.url, &citation.title) {
                    self.titles.entry(url.clone()).or_insert_with(|| title.clone());
                }
            }
            result.output = read.text.map(Value::String);
        }
        let Some(place) = place else {
            let list = (!read.found.is_empty())
                .then_some(Action::Search { query: None, results: read.found });
            let results = vec![result];
            let call = ToolCall { action: list, results, ..ToolCall::default() };
            return self.push(Block::Tool(Box::new(call)));
        };
        if failed == Some(true) {
            self.artifacts.failed(place);
        }
        if let Some(call) = self.turns.call_at(place) {
            add_found(call, read.found, &mut result);
        }
        self.turns.answer_at(place, Outcome { result, exit_code: read.exit_code });
    }
}

/// Removes the citations from the arguments of a call; public ones are listed below the text.
fn without_citations(mut input: Value) -> Value {
    if let Value::Object(map) = &mut input {
        map.remove("md_citations");
    }
    input
}

/// Adds the pages found to the search, or to the output of another tool.
fn add_found(call: &mut ToolCall, found: Vec<Citation>, result: &mut ToolResult) {
    if found.is_empty() {
        return;
    }
    if let Some(Action::Search { results, .. }) = &mut call.action {
        let key = |page: &Citation| (page.title.clone(), page.url.clone());
        let mut known: HashSet<_> = results.iter().map(key).collect();
        results.extend(found.into_iter().filter(|page| known.insert(key(page))));
        return;
    }
    let lines = found.iter().map(|found| match (&found.title, &found.url) {
        (Some(title), Some(url)) => format!("{title}: {url}"),
        _ => found.label().to_owned(),
    });
    let lines = lines.collect::<Vec<_>>().join("\n");
    let before = match result.output.take() {
        Some(Value::String(text)) if !text.is_empty() => text + "\n",
        _ => String::new(),
    };
    result.output = Some(Value::String(before + &lines));
}

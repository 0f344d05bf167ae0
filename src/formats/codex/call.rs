//! Tool calls and their results.

use super::known_call::{Known, State};
use super::output::Output;
use super::picture::Picture;
use super::scope::{Role, Source};
use super::search;
use super::session::{At, Part, Session};
use crate::shared::access::tool_access::{Owner, action, owner};
use crate::shared::agents::turns::USER;
use crate::shared::tally::ORPHANS;
use convo_base::json::Value;
use convo_base::model::{Action, Block, Kind, ToolCall, ToolResult};

/// A call.
#[derive(Debug, Default)]
pub(super) struct Call {
    pub(super) id: String,
    pub(super) name: String,
    pub(super) input: Option<Value>,
    pub(super) action: Option<Action>,
}

impl Call {
    /// Creates a call whose action follows from its name and its arguments.
    pub(super) fn new(id: String, name: String, input: Option<Value>) -> Self {
        let bare = name.rsplit('.').next().unwrap_or(&name);
        let action = input.as_ref().and_then(|input| action(bare, input));
        Self { id, name, input, action }
    }
}

impl Session {
    /// Adds a tool call, made by the model or reported by Codex.
    pub(super) fn call(&mut self, at: &At, source: Source, mut call: Call) {
        if let Some(served) = self.scope.served(&call.id)
            && is_better(served, &call.name)
        {
            served.clone_into(&mut call.name);
        }
        if !call.id.is_empty() && self.is_copy(source, &call.id) {
            return self.complete(call);
        }
        let turn = self.answer(at);
        let Some(draft) = self.drafts.get_mut(turn) else { return };
        let block = draft.turn.blocks.len();
        let serial = draft.serial;
        let Call { id, name, input, action } = call;
        if !id.is_empty() {
            let state = State::Waiting;
            let known = Known { turn, serial, block, state, source };
            self.calls.insert(id.clone(), known);
        }
        let tool = ToolCall { id, name, input, action, ..ToolCall::default() };
        draft.turn.blocks.push(Block::Tool(Box::new(tool)));
    }

    /// Returns whether a call is a copy of a known one. Some models restart their call numbers with each
    /// question.
    fn is_copy(&self, source: Source, id: &str) -> bool {
        let Some(known) = self.calls.get(id) else { return false };
        self.open == Some(known.turn)
            && self.drafts.get(known.turn).is_some_and(|draft| draft.serial == known.serial)
            && (source != Source::Response || known.source != Source::Response)
    }

    /// Adds details from another record to a known call.
    fn complete(&mut self, call: Call) {
        let source = Source::Response;
        let Some(tool) = self.tool(&call.id) else { return };
        if is_better(&call.name, &tool.name) {
            tool.name = call.name;
        }
        tool.input = tool.input.take().or(call.input);
        tool.action = tool.action.take().or(call.action);
        if let Some(known) = self.calls.get_mut(&call.id) {
            known.source = source;
        }
    }

    /// Records the server's name for the tool of a call, which the call itself may not contain.
    pub(super) fn serve_call(&mut self, id: &str, name: String) {
        if id.is_empty() {
            return;
        }
        if let Some(tool) = self.tool(id)
            && is_better(&name, &tool.name)
        {
            tool.name.clone_from(&name);
        }
        self.scope.serve(id, name);
    }

    fn tool(&mut self, id: &str) -> Option<&mut ToolCall> {
        let known = self.calls.get(id)?;
        let draft = self.drafts.get_mut(known.turn)?;
        match draft.turn.blocks.get_mut(known.block)? {
            Block::Tool(tool) if draft.serial == known.serial => Some(tool),
            _ => None,
        }
    }

    /// Adds the result of a call. What was sent to the model takes precedence over what Codex reports.
    pub(super) fn result(&mut self, at: &At, source: Source, id: &str, mut output: Output) {
        let Some(known) = self.calls.get_mut(id).filter(|_| !id.is_empty()) else {
            return self.orphan(at, id, output);
        };
        let (turn, serial, was) = (known.turn, known.serial, known.state);
        if self.drafts.get(turn).is_none_or(|draft| draft.serial != serial) {
            // The call was rolled back.
            return;
        }
        let is_event = source != Source::Response;
        known.state = match is_event {
            true if was == State::Waiting => State::Reported,
            true => was,
            false => State::Answered,
        };
        let Some(tool) = self.tool(id) else { return };
        if let Some(Action::Command { exit_code: known, .. }) = &mut tool.action {
            *known = known.or(output.exit_code);
        }
        let pictures = std::mem::take(&mut output.pictures);
        let result = output.result();
        match (was, tool.results.last_mut()) {
            (State::Waiting, _) | (_, None) => tool.results.push(result),
            (State::Answered, Some(last)) if is_event => fill(last, result),
            (State::Answered, Some(last)) => {
                if *last != result {
                    tool.results.push(result);
                }
            }
            (State::Reported, Some(last)) => {
                let reported = std::mem::replace(last, result);
                fill(last, reported);
            }
        }
        let pictures = pictures.into_iter().map(|mut picture| {
            picture.attachment.call = Some(id.to_owned());
            picture
        });
        self.add_pictures(turn, pictures.collect());
    }

    /// Handles a result whose call is missing: it is in an earlier part, or was lost. The result is not
    /// shown, because its tool may access an account of the user.
    fn orphan(&mut self, at: &At, id: &str, output: Output) {
        self.tally.add(ORPHANS);
        if !id.is_empty() {
            self.call(at, Source::Response, Call { id: id.to_owned(), ..Call::default() });
            return self.result(at, Source::Response, id, output);
        }
        let tool = ToolCall { results: vec![output.result()], ..ToolCall::default() };
        if let Some(blocks) = self.blocks(at) {
            blocks.push(Block::Tool(Box::new(tool)));
        }
    }

    /// Adds a web search, or a page that the model read.
    pub(super) fn search(&mut self, at: &At, source: Source, search: search::Search, ok: bool) {
        if !self.scope.is_new(Role::Search, source, &search.key) {
            return;
        }
        let state = if ok { "succeeded" } else { "" };
        let results = vec![ToolResult { state: state.to_owned(), ..ToolResult::default() }];
        let tool = ToolCall {
            name: search.name.to_owned(),
            action: Some(search.action),
            results: if ok { results } else { Vec::new() },
            ..ToolCall::default()
        };
        if let Some(blocks) = self.blocks(at) {
            blocks.push(Block::Tool(Box::new(tool)));
        }
    }

    /// Adds a picture that the model generated.
    pub(super) fn add_generated_picture(
        &mut self,
        at: &At,
        source: Source,
        id: &str,
        prompt: Option<String>,
        picture: Option<Picture>,
    ) {
        let input = prompt.map(Value::from);
        let name = "image_generation".to_owned();
        let is_there = picture.is_some();
        self.call(at, source, Call { id: id.to_owned(), name, input, action: None });
        let state = if is_there { "succeeded" } else { "" };
        if is_there && !id.is_empty() {
            let pictures = picture.into_iter().collect();
            let output = Output { state, pictures, ..Output::default() };
            self.result(at, source, id, output);
        } else if let Some(turn) = self.open {
            self.add_pictures(turn, picture.into_iter().collect());
        }
    }

    /// Adds a command that the user ran in Codex.
    pub(super) fn run(&mut self, at: &At, source: Source, command: String, output: Output) {
        if !self.scope.is_new(Role::Command, source, &command) {
            return;
        }
        self.open = None;
        let exit_code = output.exit_code;
        let tool = ToolCall {
            name: "shell".to_owned(),
            action: Some(Action::Command { command, exit_code }),
            results: vec![output.result()],
            ..ToolCall::default()
        };
        // Commands do not count as questions for rollbacks.
        let blocks = vec![Block::Tool(Box::new(tool))];
        self.push(at, Part::Other, (USER, Kind::Person), blocks);
    }
}

/// Returns whether a tool name is more specific than the known one, because it includes the server.
fn is_better(name: &str, known: &str) -> bool {
    let is_served = |name: &str| name.starts_with("mcp__");
    known.is_empty()
        || is_served(name) && !is_served(known)
        || owner("codex", known) == Owner::Author && owner("codex", name) != Owner::Author
}

/// Completes a result with values from another one.
fn fill(result: &mut ToolResult, other: ToolResult) {
    if result.state.is_empty() {
        result.state = other.state;
    }
    result.duration = result.duration.take().or(other.duration);
    result.output = result.output.take().or(other.output);
}

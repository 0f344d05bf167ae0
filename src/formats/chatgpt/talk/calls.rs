//! Tool calls in an answer, and their results.

use std::collections::HashSet;

use super::super::content::{self, Piece};
use super::super::message::Message;
use super::super::{sources, tools};
use super::{HIDDEN, VOICES};
use super::{Place, Reader};
use convo_base::json::Value;
use convo_base::model::{Block, ToolCall, ToolResult};

impl Reader<'_> {
    /// Collects search results, and shows them if the search itself is not shown.
    pub(super) fn record_results(&mut self, place: Place<'_>, message: Message<'_>) {
        let found = sources::results(message);
        if found.is_empty() {
            return;
        }
        let pages = found.iter().map(|(_, page)| page.clone());
        let parent = place.parent.and_then(|parent| self.calls.get(parent).copied());
        let turn = self.turns.next_place().0;
        let answer = self.answer.as_ref();
        let last = answer.and_then(|answer| answer.last_search);
        let is_shown = answer.is_some_and(|answer| answer.has_results);
        let parent = parent.filter(|at| answer.is_some() && turn == at.0);
        let own = parent.filter(|at| self.is_search(*at));
        match own.or(last.filter(|_| !is_shown)) {
            Some(at) => {
                if let Some(call) = self.turns.call_at(at) {
                    let known = self.found.entry(at).or_default();
                    tools::add_results(call, known, pages);
                }
            }
            None if is_shown => {}
            None => {
                let mut call = ToolCall { name: "web".to_owned(), ..ToolCall::default() };
                let mut known = HashSet::new();
                tools::add_query(&mut call, message);
                tools::add_results(&mut call, &mut known, pages);
                let at = self.add(place, message, Block::Tool(Box::new(call)));
                self.found.insert(at, known);
            }
        }
        if let Some(answer) = &mut self.answer {
            answer.has_results = true;
            let named = found.into_iter().filter_map(|(name, page)| Some((name?, page)));
            answer.results.extend(named);
        }
    }

    fn is_search(&mut self, at: (usize, usize)) -> bool {
        self.turns.call_at(at).is_some_and(|call| tools::is_search(&call.name))
    }

    /// Adds a tool call.
    pub(super) fn call(
        &mut self,
        place: Place<'_>,
        message: Message<'_>,
        name: &str,
        input: &str,
    ) -> bool {
        let id = message.id().unwrap_or(place.id);
        let call = tools::call(name, id, input, &mut self.canvas);
        let at = self.add(place, message, Block::Tool(Box::new(call)));
        self.calls.insert(place.id.to_owned(), at);
        true
    }

    /// Adds the message of a tool.
    pub(super) fn tool(&mut self, place: Place<'_>, message: Message<'_>) -> bool {
        let name = message.author().unwrap_or_default().to_owned();
        self.note_usage(message);
        if ["code", "tether_browsing_code"].contains(&message.kind()) && message.tool().is_none() {
            let input = message.text();
            return self.call(place, message, &name, &input);
        }
        let parent = place.parent.and_then(|parent| self.calls.get(parent).copied());
        if let Some(at) = parent {
            self.calls.insert(place.id.to_owned(), at);
        }
        let called = parent.and_then(|at| self.turns.call_at(at));
        let is_open = match (name.as_str(), &called) {
            ("", Some(call)) => tools::is_open(&call.name),
            (name, _) => tools::is_open(name),
        };
        if !is_open {
            // The tool may read private mail and files.
            if is_unknown(message.kind()) {
                return self.other(place, message);
            }
            let is_closed = called.is_some_and(|call| !tools::is_open(&call.name));
            match parent.filter(|_| is_closed) {
                Some(at) => self.add_answer(at, tools::answer(message)),
                None => self.tally.add_all(HIDDEN, u64::from(!super::is_blank(message))),
            }
            return parent.is_some();
        }
        self.record_results(place, message);
        let mut shown = self.files_of_tool(place, message);
        let quote = message.content().filter(|_| message.kind() == "tether_quote");
        if let Some(text) = quote.and_then(content::quote) {
            return self.add_all(place, message, [Block::Markdown { text }]);
        }
        if is_reasoning(message.kind()) || is_unknown(message.kind()) {
            return self.other(place, message) || shown;
        }
        let page = message.content().filter(|_| message.kind() == "sonic_webpage");
        let page = page.and_then(sources::page);
        let turn = self.turns.next_place().0;
        match parent.and_then(|at| Some((at, self.turns.call_at(at)?))) {
            Some((at, call)) => {
                let (result, is_all) = tools::result(message, &call.name);
                self.tally.add_all(HIDDEN, u64::from(!is_all && page.is_none()));
                let has_page = page.is_some() && tools::is_search(&call.name);
                tools::add_results(call, self.found.entry(at).or_default(), page);
                self.note_end(at, result);
                if let Some(answer) = self.answer.as_mut().filter(|_| has_page) {
                    answer.has_results |= turn == at.0;
                }
                shown = true;
            }
            None => {
                let (result, is_all) = tools::result(message, &name);
                self.tally.add_all(HIDDEN, u64::from(!is_all));
                if result.output.is_some() || result.error.is_some() {
                    let results = vec![result];
                    let call = ToolCall { name, results, ..ToolCall::default() };
                    shown = self.add_all(place, message, [Block::Tool(Box::new(call))]);
                }
            }
        }
        shown
    }

    /// Adds the pictures and recordings that a tool made.
    fn files_of_tool(&mut self, place: Place<'_>, message: Message<'_>) -> bool {
        let mut shown = false;
        let mut files = content::plots(message);
        for piece in content::pieces(message) {
            match piece {
                Piece::File(file) => files.push(file),
                Piece::Aside => self.tally.add(HIDDEN),
                Piece::Voice => self.tally.add(VOICES),
                Piece::Words(_) => {}
                Piece::Unknown(kind) => {
                    let block = self.placeholder(kind);
                    shown = self.add_all(place, message, [block]);
                }
            }
        }
        let files = files.into_iter().map(|file| Block::Attachment(Box::new(file)));
        self.add_all(place, message, files) || shown
    }

    /// Adds a result to a call. Several messages may report the end of a call.
    fn note_end(&mut self, at: (usize, usize), result: ToolResult) {
        let last = self.turns.call_at(at).and_then(|call| call.results.last_mut());
        let is_end = result.output.is_none() && result.error.is_none();
        match last {
            Some(_) if is_end && result.state.is_empty() => {}
            Some(last) if is_end => last.state = result.state,
            _ if result != ToolResult::default() => self.turns.answer_at(at, result),
            _ => {}
        }
    }

    /// Adds one of several messages of a tool that make up one result.
    fn add_answer(&mut self, at: (usize, usize), result: ToolResult) {
        let last = self.turns.call_at(at).and_then(|call| call.results.last_mut());
        match (last.and_then(|last| last.output.as_mut()), &result.output) {
            (Some(Value::String(answer)), Some(Value::String(more))) => {
                answer.push_str("\n\n");
                answer.push_str(more);
            }
            _ => self.note_end(at, result),
        }
    }
}

fn is_reasoning(kind: &str) -> bool {
    ["thoughts", "reasoning_recap"].contains(&kind)
}

/// Returns whether a content type is not one that tools are known to use.
fn is_unknown(kind: &str) -> bool {
    const KNOWN: [&str; 12] = [
        "", "text", "multimodal_text", "code", "execution_output", "tether_quote",
        "tether_browsing_display", "tether_browsing_code", "sonic_webpage", "system_error",
        "computer_output", "citable_code_output",
    ];
    !KNOWN.contains(&kind)
}

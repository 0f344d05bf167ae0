//! Calls of tools in an answer, and what came of them.

use super::super::content::{self, Piece};
use super::super::message::Message;
use super::super::{sources, tools};
use super::{Place, Reader};
use crate::model::{Block, Citation, ToolCall, ToolResult};

impl Reader<'_> {
    /// Notes what searches found, and shows it where no search is shown.
    pub(super) fn learn_results(&mut self, place: Place<'_>, message: Message<'_>) {
        let found = sources::results(message);
        if found.is_empty() {
            return;
        }
        let pages: Vec<Citation> = found.iter().map(|(_, page)| page.clone()).collect();
        let turn = self.answer.as_ref().map(|answer| answer.turn);
        let parent = place.parent.and_then(|parent| self.calls.get(&parent).copied());
        let blocks = turn.and_then(|turn| self.talk.turns.get_mut(turn));
        let searches = blocks.into_iter().flat_map(|turn| &mut turn.blocks).enumerate();
        let mut searches = searches.filter_map(|(at, block)| match block {
            Block::Tool(call) if tools::is_search(&call.name) => Some((at, call)),
            _ => None,
        });
        let own = |at: usize| parent.is_some_and(|(_, block)| block == at);
        let mut has_results = false;
        let mut last = None;
        for (at, call) in searches.by_ref() {
            if own(at) {
                tools::add_results(call, pages.clone());
                has_results = true;
            }
            has_results |= tools::has_results(call);
            last = Some(call);
        }
        match last {
            _ if has_results => {}
            Some(call) => tools::add_results(call, pages),
            None => {
                let mut call = ToolCall { name: "web".to_owned(), ..ToolCall::default() };
                tools::add_query(&mut call, message);
                tools::add_results(&mut call, pages);
                self.add(place, message, Block::Tool(Box::new(call)));
            }
        }
        if let Some(answer) = &mut self.answer {
            let named = found.into_iter().filter_map(|(name, page)| Some((name?, page)));
            answer.results.extend(named);
        }
    }

    /// Adds the call of a tool.
    pub(super) fn call(
        &mut self,
        place: Place<'_>,
        message: Message<'_>,
        name: &str,
        input: &str,
    ) -> usize {
        let id = message.id().unwrap_or(place.id);
        let call = tools::call(name, id, input, &mut self.canvas);
        let at = self.add(place, message, Block::Tool(Box::new(call)));
        self.calls.insert(place.node, at);
        at.0
    }

    /// What a tool answered.
    pub(super) fn tool(
        &mut self,
        place: Place<'_>,
        message: Message<'_>,
    ) -> Option<usize> {
        let name = message.author().unwrap_or_default().to_owned();
        self.note_usage(message);
        if ["code", "tether_browsing_code"].contains(&message.kind())
            && message.tool().is_none()
        {
            let input = message.text();
            return Some(self.call(place, message, &name, &input));
        }
        self.learn_results(place, message);
        let parent = place.parent.and_then(|parent| self.calls.get(&parent).copied());
        if let Some(at) = parent {
            self.calls.insert(place.node, at);
        }
        let mut shown = self.files_of_tool(place, message);
        let quote = message.content().filter(|_| message.kind() == "tether_quote");
        if let Some(quote) = quote.and_then(content::quote) {
            return Some(self.add(place, message, Block::Markdown { text: quote }).0);
        }
        if is_reasoning(message.kind()) || is_unknown(message.kind()) {
            return self.other(place, message).or(shown);
        }
        let page = message.content().filter(|_| message.kind() == "sonic_webpage");
        let page = page.and_then(sources::page);
        match parent.and_then(|(turn, block)| {
            self.talk.turns.get_mut(turn)?.blocks.get_mut(block)
        }) {
            Some(Block::Tool(call)) => {
                let (result, is_all) = tools::result(message, &call.name);
                self.tally.hidden += u64::from(!is_all && page.is_none());
                tools::add_results(call, page);
                match call.results.last_mut() {
                    // Several messages may say that a call ended.
                    Some(last) if result.output.is_none() && result.error.is_none() => {
                        last.state = result.state;
                    }
                    _ if result != ToolResult::default() => {
                        call.results.push(result);
                    }
                    _ => {}
                }
                shown = shown.or(parent.map(|(turn, _)| turn));
            }
            _ => {
                let (result, is_all) = tools::result(message, &name);
                self.tally.hidden += u64::from(!is_all);
                if result.output.is_some() || result.error.is_some() {
                    let results = vec![result];
                    let call = ToolCall { name, results, ..ToolCall::default() };
                    shown = Some(self.add(place, message, Block::Tool(Box::new(call))).0);
                }
            }
        }
        shown
    }

    /// Adds the pictures and recordings that a tool made.
    fn files_of_tool(&mut self, place: Place<'_>, message: Message<'_>) -> Option<usize> {
        let mut shown = None;
        let mut files = content::plots(message);
        for piece in content::pieces(message) {
            match piece {
                Piece::File(file) => files.push(file),
                Piece::Aside => self.tally.hidden += 1,
                Piece::Words(_) => {}
                Piece::Unknown(kind) => {
                    let block = self.placeholder(kind);
                    shown = Some(self.add(place, message, block).0);
                }
            }
        }
        for file in files {
            shown = Some(self.add(place, message, Block::Attachment(Box::new(file))).0);
        }
        shown
    }
}

fn is_reasoning(kind: &str) -> bool {
    ["thoughts", "reasoning_recap"].contains(&kind)
}

/// Returns whether a kind of contents is none of those that tools are known to have.
fn is_unknown(kind: &str) -> bool {
    const KNOWN: [&str; 12] = [
        "",
        "text",
        "multimodal_text",
        "code",
        "execution_output",
        "tether_quote",
        "tether_browsing_display",
        "tether_browsing_code",
        "sonic_webpage",
        "system_error",
        "computer_output",
        "citable_code_output",
    ];
    !KNOWN.contains(&kind)
}

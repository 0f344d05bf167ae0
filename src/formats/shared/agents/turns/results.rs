//! Adds tool calls and matches results with them.

use super::builder::{Lane, Turns};
use super::calls::{Outcome, To};
use super::message::{At, Who};
use super::shown::clean_result;
use crate::shared::access::tool_access::{action, is_foreign, reveals_server};
use convo_base::json::Value;
use convo_base::model::{Attachment, Block, ToolCall, ToolResult};

impl Turns {
    /// Adds a tool call to the last turn, and sets its action if its tool has a well-known name.
    pub(crate) fn call(&mut self, mut call: ToolCall) {
        if let Some(input) = &call.input
            && call.action.is_none()
        {
            call.action = action(&call.name, input);
        }
        self.push(Block::Tool(Box::new(call)));
    }

    /// Returns the call with this id.
    pub(crate) fn call_of(&self, id: &str) -> Option<&ToolCall> {
        let (lane, turn, block) = self.place_of(id)?;
        match self.lanes.get(lane)?.turns.get(turn)?.blocks.get(block)? {
            Block::Tool(call) => Some(call),
            _ => None,
        }
    }

    /// Returns whether a call was added before. A call with the id of another one is not the same.
    pub(crate) fn has_call(&self, call: &ToolCall) -> bool {
        self.call_of(&call.id)
            .is_some_and(|known| known.name == call.name && known.input == call.input)
    }

    /// Returns whether the call with this id has a result.
    pub(crate) fn is_answered(&self, id: &str) -> bool {
        self.call_of(id).is_some_and(|call| !call.results.is_empty())
    }

    /// Returns the call with this id, to which a later record adds something.
    pub(crate) fn call_mut(&mut self, id: &str) -> Option<&mut ToolCall> {
        let (lane, turn, block) = self.place_of(id)?;
        self.lanes.get_mut(lane)?.call_at((turn, block))
    }

    /// Returns the place of the call with this id: the indexes of the path, the turn and the block.
    pub(crate) fn place_of(&self, id: &str) -> Option<(usize, usize, usize)> {
        let lane = *self.owners.get(id)?;
        let (turn, block) = *self.lanes.get(lane)?.calls.get(id)?;
        Some((lane, turn, block))
    }

    /// Adds a file that the call with this id returned to the turn of the call.
    pub(crate) fn push_beside(&mut self, id: &str, file: Attachment) {
        let Some((lane, turn, _)) = self.place_of(id) else { return };
        let file = Attachment { call: Some(id.to_owned()), ..file };
        self.lanes[lane].turns[turn].blocks.push(Block::Attachment(Box::new(file)));
    }

    /// Returns the call at a place of the path: the indexes of the turn and the block.
    pub(crate) fn call_at(&mut self, place: (usize, usize)) -> Option<&mut ToolCall> {
        self.lane().call_at(place)
    }

    /// Adds the result of a call. If the result has an id, its call may come later. Returns whether the
    /// call exists.
    pub(crate) fn result<'a>(
        &mut self,
        to: impl Into<To<'a>>,
        outcome: impl Into<Outcome>,
    ) -> bool {
        let to = to.into();
        let orphan = self.find(to, outcome.into());
        let is_there = orphan.is_none();
        if let Some(orphan) = orphan {
            let early = self.early.entry(to.id().to_owned()).or_default();
            early.push((to.name().to_owned(), orphan));
        }
        is_there
    }

    /// Does the same, but returns the result if there is no call for it.
    pub(crate) fn answer(&mut self, to: To<'_>, outcome: impl Into<Outcome>) -> Option<Outcome> {
        let orphan = self.find(to, outcome.into());
        if orphan.is_some() && !to.id().is_empty() {
            self.alone.insert(to.id().to_owned());
        }
        orphan
    }

    /// Adds a result to its call, and returns it if there is no call. The result of a private call is
    /// private too. A result that names the tool of another server is added on its own, after its call.
    fn find(&mut self, to: To<'_>, mut outcome: Outcome) -> Option<Outcome> {
        if self.is_private_call(to.id()) {
            self.of_private += 1;
            return None;
        }
        clean_result(&mut outcome.result);
        let other = self.owners.get(to.id()).copied().unwrap_or(self.lane);
        let is_own = self.lane().calls.get(to.id()).is_some();
        let lane = &mut self.lanes[if is_own { self.lane } else { other }];
        let Some(place) = lane.calls.answer(to).copied() else { return Some(outcome) };
        let Some(call) = lane.call_at(place) else { return Some(outcome) };
        if call.id.is_empty() && reveals_server(to.name(), &call.name) {
            // No id would link a block of its own to the call.
            to.name().clone_into(&mut call.name);
            call.action = None;
            outcome.add_to(call);
        } else if is_foreign(to.name(), &call.name) {
            // Both have the same id, so both are withheld.
            let block = outcome.alone(&call.id, to.name());
            lane.turns[place.0].blocks.push(block);
        } else {
            outcome.add_to(call);
        }
        lane.was_answered = true;
        None
    }

    /// Lets the assistant continue in the same turn, whatever comes next.
    pub(crate) fn continue_turn(&mut self) {
        self.lane().was_answered = true;
    }

    /// Attaches the files of a conversation to the first turn that is not withheld.
    pub(crate) fn attach_to_question(&mut self, blocks: Vec<Block>) {
        if let Some(turn) = self.lane().turns.iter_mut().find(|turn| !turn.withheld) {
            turn.blocks.extend(blocks);
        }
    }

    /// Returns the number of results without a call.
    pub(crate) fn orphans(&self) -> u64 {
        self.early.values().map(|results| results.len() as u64).sum()
    }

    /// Adds the results in `call` to the call with its id. If there is no such call, or it has another
    /// name, adds `call` on its own. The result of a private call is private too.
    pub(crate) fn add_results(&mut self, mut call: ToolCall, at: &At) {
        if self.is_private_call(&call.id) {
            self.of_private += 1;
            return;
        }
        let known = self.call_of(&call.id);
        if known.is_none_or(|known| !call.name.is_empty() && known.name != call.name) {
            if known.is_none() && !call.id.is_empty() {
                self.alone.insert(call.id.clone());
            }
            self.turn(Who::Assistant, at.clone());
            return self.call(call);
        }
        for result in std::mem::take(&mut call.results) {
            self.result(call.id.as_str(), result);
        }
    }

    /// Returns how many results were omitted because their calls are private.
    pub(crate) fn private_result_count(&self) -> u64 {
        self.of_private
    }

    /// Marks calls as private; `key` is the key of their ids.
    pub(crate) fn withhold_calls<'v>(
        &mut self,
        calls: impl IntoIterator<Item = &'v Value>,
        key: &str,
    ) {
        let ids = calls.into_iter().filter_map(|call| call.get(key)?.as_str());
        let ids = ids.filter(|id| !id.is_empty()).map(str::to_owned);
        self.private_calls.extend(ids);
        self.is_after_private = true;
    }

    /// Returns whether the call with this id is private. After a private message, so is every id without a
    /// known call, and every result without an id.
    pub(crate) fn is_private_call(&self, id: &str) -> bool {
        self.private_calls.contains(id) || self.is_after_private && self.call_of(id).is_none()
    }

    /// Adds output to the last result of a call, or as its first result. Returns whether the call exists.
    pub(crate) fn add_output(&mut self, id: &str, output: &Value) -> bool {
        let mut result = ToolResult { output: Some(output.clone()), ..ToolResult::default() };
        clean_result(&mut result);
        let Some(call) = self.call_mut(id) else { return false };
        let last = call.results.last_mut().and_then(|result| result.output.as_mut());
        match (last, &result.output) {
            (Some(Value::String(known)), Some(Value::String(more))) => {
                known.push('\n');
                known.push_str(more);
                true
            }
            _ => self.result(id, result),
        }
    }
}

impl Lane {
    fn call_at(&mut self, (turn, block): (usize, usize)) -> Option<&mut ToolCall> {
        match self.turns.get_mut(turn)?.blocks.get_mut(block)? {
            Block::Tool(call) => Some(call),
            _ => None,
        }
    }
}

//! The calls of a path, and which of them wait for a result.

use std::collections::{HashMap, VecDeque};

use super::artifacts::At;
use super::tools::Tool;

/// The calls of a path, and which of them wait for a result.
#[derive(Default)]
pub(super) struct Calls {
    list: Vec<Call>,
    by_id: HashMap<String, usize>,
    /// Calls that wait, by the name of the tool, in order.
    by_name: HashMap<String, VecDeque<usize>>,
    waiting: VecDeque<usize>,
}

#[derive(Clone, Copy)]
pub(super) struct Call {
    pub(super) at: At,
    pub(super) tool: Tool,
    pub(super) is_private: bool,
    pub(super) is_answered: bool,
}

impl Calls {
    /// Returns whether a call waits for its result.
    pub(super) fn any_open(&self) -> bool {
        self.waiting.iter().any(|call| !self.list[*call].is_answered)
    }

    /// Notes that the call of a result is private, which the result proved.
    pub(super) fn is_private_after_all(&mut self, at: At) {
        let call = self.list.iter_mut().rev().find(|call| call.at == at);
        call.into_iter().for_each(|call| call.is_private = true);
    }

    pub(super) fn add(&mut self, id: Option<&str>, name: &str, call: Call) {
        let number = self.list.len();
        self.list.push(call);
        self.by_id.extend(id.map(|id| (id.to_owned(), number)));
        self.by_name.entry(name.to_owned()).or_default().push_back(number);
        self.waiting.push_back(number);
    }

    /// Returns the call of a result: that of the id or, without one, the first that waits for a
    /// result of that tool.
    pub(super) fn answer(&mut self, id: Option<&str>, name: &str) -> Option<Call> {
        fn next(queue: &mut VecDeque<usize>, list: &[Call]) -> Option<usize> {
            while queue.front().is_some_and(|call| list[*call].is_answered) {
                queue.pop_front();
            }
            queue.front().copied()
        }
        let known = id.and_then(|id| self.by_id.get(id).copied());
        let number = match (known, name) {
            (Some(known), _) => Some(known),
            // An id of a call that is nowhere.
            (None, _) if id.is_some() && !self.by_id.is_empty() => None,
            (None, "") => next(&mut self.waiting, &self.list),
            (None, name) => next(self.by_name.get_mut(name)?, &self.list),
        }?;
        next(&mut self.waiting, &self.list);
        let call = self.list.get_mut(number)?;
        call.is_answered = true;
        Some(*call)
    }
}

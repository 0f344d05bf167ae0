//! Matches results with their calls.

use std::collections::{HashMap, VecDeque};

use convo_base::model::{Action, Block, ToolCall, ToolResult};

/// What a result says about its call.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum To<'a> {
    /// A single value: the id of the call or, if it has no id, the name of its tool.
    Key(&'a str),
    /// The id of the call and the name of the tool; either may be empty.
    Call { id: &'a str, name: &'a str },
}

impl<'a> From<&'a str> for To<'a> {
    fn from(key: &'a str) -> Self {
        Self::Key(key)
    }
}

impl<'a> To<'a> {
    /// Returns the id, or what may be one.
    pub(super) fn id(self) -> &'a str {
        match self {
            Self::Key(id) | Self::Call { id, .. } => id,
        }
    }

    /// Returns the name of the tool; empty if it is not known.
    pub(super) fn name(self) -> &'a str {
        match self {
            Self::Key(_) => "",
            Self::Call { name, .. } => name,
        }
    }
}

/// A result, and the exit code of a command.
#[derive(Default)]
pub(crate) struct Outcome {
    pub(crate) result: ToolResult,
    pub(crate) exit_code: Option<i64>,
}

impl From<ToolResult> for Outcome {
    fn from(result: ToolResult) -> Self {
        Self { result, exit_code: None }
    }
}

impl Outcome {
    /// Adds the result to its call.
    pub(super) fn add_to(self, call: &mut ToolCall) {
        if let Some(Action::Command { exit_code, .. }) = &mut call.action {
            *exit_code = exit_code.or(self.exit_code);
        }
        call.results.push(self.result);
        fail(call);
    }

    /// Returns the result as a block of its own, with the id of its call and the name of its tool.
    pub(super) fn alone(self, id: &str, name: &str) -> Block {
        let (id, name, results) = (id.to_owned(), name.to_owned(), vec![self.result]);
        Block::Tool(Box::new(ToolCall { id, name, results, ..ToolCall::default() }))
    }
}

/// Marks a command as failed if its exit code says so, whatever state was recorded.
pub(crate) fn fail(call: &mut ToolCall) {
    let Some(Action::Command { exit_code: Some(code), .. }) = call.action else { return };
    for result in &mut call.results {
        if code != 0 && ["", "succeeded"].contains(&result.state.as_str()) {
            "failed".clone_into(&mut result.state);
        }
    }
}

/// The calls of a path, each with data of its format, and which of them wait for a result.
pub(crate) struct Calls<T> {
    list: Vec<(T, bool)>,
    /// The calls with an id.
    by_id: HashMap<String, VecDeque<usize>>,
    /// The calls of a tool.
    by_name: HashMap<String, VecDeque<usize>>,
    /// All calls.
    waiting: VecDeque<usize>,
}

impl<T> Default for Calls<T> {
    fn default() -> Self {
        Self {
            list: Vec::new(),
            by_id: HashMap::new(),
            by_name: HashMap::new(),
            waiting: VecDeque::new(),
        }
    }
}

impl<T> Calls<T> {
    /// Adds a call; its id and name may be empty.
    pub(crate) fn add(&mut self, id: &str, name: &str, is_answered: bool, call: T) {
        let number = self.list.len();
        self.list.push((call, is_answered));
        if !id.is_empty() {
            self.by_id.entry(id.to_owned()).or_default().push_back(number);
        }
        if !is_answered {
            self.by_name.entry(name.to_owned()).or_default().push_back(number);
            self.waiting.push_back(number);
        }
    }

    /// Returns the last call with this id.
    pub(crate) fn get(&self, id: &str) -> Option<&T> {
        let (call, _) = self.list.get(*self.by_id.get(id)?.back()?)?;
        Some(call)
    }

    /// Returns all ids with the last call of each.
    pub(crate) fn ids(&self) -> impl Iterator<Item = (&str, &T)> {
        self.by_id.keys().filter_map(|id| Some((id.as_str(), self.get(id)?)))
    }

    /// Returns whether any call waits for its result.
    pub(crate) fn any_open(&mut self) -> bool {
        next(&mut self.waiting, &self.list).is_some()
    }

    /// Returns the call that a result belongs to, and marks it as answered. That is the call with the id of
    /// the result (of several, the first that waits). For a result without an id, it is the first waiting
    /// call of the tool or, without a tool, the first waiting call. A result with an unknown id belongs to
    /// no call, because its call may be missing or unreadable.
    pub(crate) fn answer(&mut self, to: To<'_>) -> Option<&mut T> {
        let queue = self.by_id.get_mut(to.id());
        let number = match (queue, to) {
            (Some(queue), _) => {
                while queue.len() > 1 && queue.front().is_some_and(|call| self.list[*call].1) {
                    queue.pop_front();
                }
                queue.front().copied()
            }
            // The id belongs to no call.
            (None, To::Call { id, .. }) if !id.is_empty() => None,
            (None, To::Call { name: "", .. }) => next(&mut self.waiting, &self.list),
            (None, To::Key(name) | To::Call { name, .. }) => {
                next(self.by_name.get_mut(name)?, &self.list)
            }
        }?;
        let (call, is_answered) = self.list.get_mut(number)?;
        *is_answered = true;
        Some(call)
    }
}

/// Returns the first waiting call of a queue.
fn next<T>(queue: &mut VecDeque<usize>, list: &[(T, bool)]) -> Option<usize> {
    while queue.front().is_some_and(|call| list[*call].1) {
        queue.pop_front();
    }
    queue.front().copied()
}

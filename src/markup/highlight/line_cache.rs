//! The cache of highlighted lines of code.

use std::collections::HashMap;

use syntect::parsing::{ParseState, Scope, ScopeStack, SyntaxReference};

use super::classes::{SYNTAXES, class_of};

/// The approximate maximum memory of a thread's cache, in bytes.
const MAX_MEMORY_BYTES: usize = 8 << 20;
/// The approximate size of a state, in bytes.
const STATE_BYTES: usize = 400;
/// The approximate size of a line in addition to its text and its runs, in bytes.
const LINE_OVERHEAD_BYTES: usize = 100;

/// The maximum number of states with equal scopes that are compared. More of them (for example each
/// with the end of its own heredoc) would take long, and a state that gets a second number only
/// causes fewer hits.
const MAX_COMPARED_STATES: usize = 32;

/// A class, or ' ' for none, and the end of the run in the line, in bytes.
pub(super) type LineRun = (char, u32);

/// The number of a grammar's state between two lines.
pub(super) type State = u32;

/// The cache of lines, by the state before them.
#[derive(Default)]
pub(super) struct LineCache {
    states: Vec<(ParseState, ScopeStack)>,
    /// Numbers of states by their scopes; the other fields of a state cannot be hashed.
    by_scopes: HashMap<Vec<Scope>, Vec<State>>,
    lines: Vec<HashMap<Box<str>, CachedLine>>,
    used: usize,
}

struct CachedLine {
    runs: Box<[LineRun]>,
    after: State,
}

impl LineCache {
    /// Returns the state before the first line. The cache can be emptied only here: later the
    /// caller holds a state.
    pub(super) fn start(&mut self, syntax: &SyntaxReference) -> State {
        if self.used > MAX_MEMORY_BYTES {
            *self = Self::default();
        }
        self.state_number(ParseState::new(syntax), ScopeStack::new())
    }

    /// Returns the runs of a line after the state `before`, and the state after it; `None` if the
    /// grammar fails.
    pub(super) fn line(&mut self, before: State, text: &str) -> Option<(&[LineRun], State)> {
        let at = before as usize;
        if !self.lines[at].contains_key(text) {
            let (mut state, mut stack) = self.states[at].clone();
            let runs = parse(&mut state, &mut stack, text)?.into_boxed_slice();
            let after = self.state_number(state, stack);
            self.used += LINE_OVERHEAD_BYTES + text.len() + size_of_val(&*runs);
            self.lines[at].insert(text.into(), CachedLine { runs, after });
        }
        let line = self.lines[at].get(text)?;
        Some((&line.runs, line.after))
    }

    fn state_number(&mut self, state: ParseState, stack: ScopeStack) -> State {
        let alike = self.by_scopes.entry(stack.scopes.clone()).or_default();
        let equal = |number: &&State| {
            let known = &self.states[**number as usize];
            known.0 == state && known.1 == stack
        };
        if let Some(number) = alike.iter().rev().take(MAX_COMPARED_STATES).find(equal) {
            return *number;
        }
        let number = self.states.len() as State;
        alike.push(number);
        self.states.push((state, stack));
        self.lines.push(HashMap::new());
        self.used += STATE_BYTES;
        number
    }
}

fn parse(state: &mut ParseState, stack: &mut ScopeStack, line: &str) -> Option<Vec<LineRun>> {
    let mut runs: Vec<LineRun> = Vec::new();
    let mut push = |class: char, end: usize| match runs.last_mut() {
        Some(last) if last.0 == class => last.1 = end as u32,
        _ => runs.push((class, end as u32)),
    };
    let mut at = 0;
    for (offset, op) in state.parse_line(line, &SYNTAXES).ok()? {
        if offset > at {
            push(class_of(stack), offset);
            at = offset;
        }
        stack.apply(&op).ok()?;
    }
    if line.len() > at {
        push(class_of(stack), line.len());
    }
    Some(runs)
}

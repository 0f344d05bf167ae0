//! Lines of code that were looked at before.

use std::collections::HashMap;

use syntect::parsing::{ParseState, Scope, ScopeStack, SyntaxReference};

use super::{SYNTAXES, class_of};

/// Memory for lines and states, for each thread. Bytes, roughly.
const ROOM: usize = 8 << 20;
/// What a state takes, roughly. Bytes.
const STATE: usize = 400;
/// What a line takes besides its text and its runs, roughly. Bytes.
const LINE: usize = 100;

/// States of equal scopes that are compared; more of them (each with a heredoc's own end, say)
/// would take long, and a state that gets a second number is only remembered worse.
const ALIKE: usize = 32;

/// A class, or ' ' for none, and the byte of the line where it ends.
pub(super) type LineRun = (char, u32);

/// A number for what a grammar remembers between lines.
pub(super) type State = u32;

/// Lines by the state before them.
#[derive(Default)]
pub(super) struct Lines {
    states: Vec<(ParseState, ScopeStack)>,
    /// Numbers of states by their scopes; the rest of a state cannot be hashed.
    by_scopes: HashMap<Vec<Scope>, Vec<State>>,
    lines: Vec<HashMap<Box<str>, Line>>,
    used: usize,
}

struct Line {
    runs: Box<[LineRun]>,
    after: State,
}

impl Lines {
    /// The state before the first line. Only here may what is remembered be forgotten: later
    /// the caller holds a state.
    pub(super) fn start(&mut self, syntax: &SyntaxReference) -> State {
        if self.used > ROOM {
            *self = Self::default();
        }
        self.number(ParseState::new(syntax), ScopeStack::new())
    }

    /// What a line after `before` looks like, and the state after it; `None` when the grammar
    /// fails.
    pub(super) fn line(
        &mut self,
        before: State,
        text: &str,
    ) -> Option<(&[LineRun], State)> {
        let at = before as usize;
        if !self.lines[at].contains_key(text) {
            let (mut state, mut stack) = self.states[at].clone();
            let runs = parse(&mut state, &mut stack, text)?.into_boxed_slice();
            let after = self.number(state, stack);
            self.used += LINE + text.len() + size_of_val(&*runs);
            self.lines[at].insert(text.into(), Line { runs, after });
        }
        let line = self.lines[at].get(text)?;
        Some((&line.runs, line.after))
    }

    fn number(&mut self, state: ParseState, stack: ScopeStack) -> State {
        let alike = self.by_scopes.entry(stack.scopes.clone()).or_default();
        let equal = |number: &&State| {
            let known = &self.states[**number as usize];
            known.0 == state && known.1 == stack
        };
        if let Some(number) = alike.iter().rev().take(ALIKE).find(equal) {
            return *number;
        }
        let number = self.states.len() as State;
        alike.push(number);
        self.states.push((state, stack));
        self.lines.push(HashMap::new());
        self.used += STATE;
        number
    }
}

fn parse(
    state: &mut ParseState,
    stack: &mut ScopeStack,
    line: &str,
) -> Option<Vec<LineRun>> {
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

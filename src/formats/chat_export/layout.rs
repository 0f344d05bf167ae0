//! Finds the turns of a text.

use convo_base::fences::{FenceLine, Fences};

use super::pattern::{captures, is_any};
use super::table::{Bounds, Exporter, Role};

/// A turn, or what a [`Role`] says.
#[derive(Debug)]
pub(super) struct Section<'a> {
    pub(super) role: Role,
    /// What the opening line says.
    pub(super) details: Vec<&'a str>,
    /// The opening line.
    pub(super) opening: &'a str,
    /// Its number, from 1.
    pub(super) line: u32,
    /// The text below, or from the opening line on.
    pub(super) text: &'a str,
}

/// A text with its turns.
pub(super) struct Layout<'a> {
    /// Everything above the first turn, below the front matter.
    pub(super) head: &'a str,
    pub(super) sections: Vec<Section<'a>>,
}

impl<'a> Layout<'a> {
    /// Finds the turns of a text from `start` on. Lines in code blocks open none, except in a block that is
    /// not closed.
    pub(super) fn of(text: &'a str, start: usize, exporter: &Exporter) -> Self {
        let mut finder = Finder::new(text, start, exporter);
        let (mut fences, mut opened) = (Fences::default(), start);
        let mut at = start;
        for line in text[start..].split_inclusive('\n') {
            match fences.next(line) {
                FenceLine::Outside => finder.line(at, line),
                FenceLine::Opens(_) => {
                    opened = at;
                    finder.code();
                }
                FenceLine::Inside | FenceLine::Closes => {}
            }
            at += line.len();
        }
        if fences.is_open() {
            let mut at = opened;
            for line in text[opened..].split_inclusive('\n') {
                finder.line(at, line);
                at += line.len();
            }
        }
        finder.done()
    }

    /// Returns whether both sides speak.
    pub(super) fn is_conversation(&self) -> bool {
        let has = |roles: &[Role]| self.sections.iter().any(|found| roles.contains(&found.role));
        has(&[Role::Question]) || has(&[Role::Person]) && has(&[Role::Assistant])
    }
}

struct Finder<'a, 'e> {
    text: &'a str,
    start: usize,
    exporter: &'e Exporter,
    /// The name before the first colon.
    first_name: &'a str,
    /// The opened turns, each with the position of its text and of its opening line.
    found: Vec<(Section<'a>, usize, usize)>,
    last: Option<Role>,
    is_below_rule: bool,
    /// The number of lines before a position.
    lines: (usize, u32),
}

impl<'a, 'e> Finder<'a, 'e> {
    fn new(text: &'a str, start: usize, exporter: &'e Exporter) -> Self {
        let first = text[start..].trim_start().lines().next().unwrap_or_default();
        let first_name = first.split_once(": ").map_or("", |(name, _)| name);
        let is_below_rule = true;
        let (found, lines) = (Vec::new(), (0, 0));
        Self { text, start, exporter, first_name, found, last: None, is_below_rule, lines }
    }

    fn code(&mut self) {
        self.is_below_rule = false;
    }

    fn line(&mut self, at: usize, line: &'a str) {
        let bare = line.trim_end();
        if bare.is_empty() || is_any(self.exporter.added, bare) {
            return;
        }
        if let Some((role, details, is_inline)) = self.opening(bare)
            && self.counts(role)
        {
            let text_start = match (is_inline, details.last()) {
                (true, Some(last)) => at + bare.len() - last.len(),
                _ => at + line.len(),
            };
            self.lines.1 += self.text[self.lines.0..at].matches('\n').count() as u32;
            self.lines.0 = at;
            let number = self.lines.1 + 1;
            let section = Section { role, details, opening: bare, line: number, text: "" };
            self.found.push((section, text_start, at));
            self.last = Some(role);
            self.is_below_rule = false;
            return;
        }
        self.is_below_rule = is_rule(bare);
    }

    fn opening(&self, line: &'a str) -> Option<(Role, Vec<&'a str>, bool)> {
        self.exporter.marks.iter().find_map(|mark| {
            let details = match mark.pattern.strip_prefix('@') {
                Some(_) if self.first_name.is_empty() => None,
                Some(rest) => captures(rest, line.strip_prefix(self.first_name)?),
                None => captures(mark.pattern, line),
            };
            Some((mark.role, details?, mark.is_inline))
        })
    }

    /// Returns whether a line that opens such a turn does so here.
    fn counts(&self, role: Role) -> bool {
        match self.exporter.bounds {
            Bounds::Anywhere => true,
            Bounds::BelowRule => self.is_below_rule || self.last.is_none(),
            Bounds::InTurn => self.last != Some(role),
            Bounds::InEntry => match role {
                Role::Entry => self.last.is_none() || self.is_below_rule || !self.is_ruled(),
                Role::Assistant => self.last.is_some() && self.last != Some(role),
                // Instructions may be below the question.
                Role::System => self.last != Some(Role::Assistant),
                _ => matches!(self.last, Some(Role::Entry | Role::System)),
            },
        }
    }

    /// Returns whether the program writes a rule before each entry.
    fn is_ruled(&self) -> bool {
        let first = self.found.first().map_or(self.start, |(_, _, at)| *at);
        self.text[self.start..first].trim_end().lines().next_back().is_some_and(is_rule)
    }

    fn done(self) -> Layout<'a> {
        let Self { text, start, found, .. } = self;
        let end = found.first().map_or(text.len(), |(_, _, at)| *at);
        let ends: Vec<usize> =
            found.iter().skip(1).map(|(_, _, at)| *at).chain([text.len()]).collect();
        let sections = found.into_iter().zip(ends).map(|((section, from, _), to)| {
            let text = text.get(from..to).unwrap_or_default();
            Section { text, ..section }
        });
        Layout { head: &text[start..end], sections: sections.collect() }
    }
}

/// Returns whether a line is a rule between turns.
pub(super) fn is_rule(line: &str) -> bool {
    let line = line.trim();
    line.len() >= 3 && ['-', '*', '_'].iter().any(|sign| line.chars().all(|c| c == *sign))
}

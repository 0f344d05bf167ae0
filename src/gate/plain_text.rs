//! Searches texts that are not conversations for secrets.

use std::ops::Range;

use super::Gate;
use super::spellings::spelled_matches;
use crate::config::Action;
use crate::diag::{Lines, Location, Span};
use crate::secrets::RuleKind;

impl Gate {
    /// Finds the first secret in a file that would be withheld or redacted in a conversation: its readable
    /// name and its location.
    pub fn first_secret(&self, file: &str, text: &str) -> Option<(String, Location)> {
        let stops = |action| matches!(action, Action::Hold | Action::Redact);
        let of_rules = spelled_matches(text, &self.site.usual.wanted)
            .into_iter()
            .filter(|found| found.rule.kind == RuleKind::Secret)
            .find(|found| stops(self.site.usual.action(found.rule, found.tier)))
            .map(|found| (found.range, found.rule.name.to_owned()));
        let of_values = match stops(self.site.usual.exact()) {
            true => self.env.find(text).into_iter().next(),
            false => None,
        };
        let of_values = of_values.map(|hit| (hit.range, hit.key.to_owned()));
        let (range, name) =
            of_rules.into_iter().chain(of_values).min_by_key(|(range, _)| range.start)?;
        Some((name, place(file, text, range)))
    }

    /// Returns the location of the first word of `[[redact]]` in a text that is published unchanged.
    pub fn first_own_word(&self, file: &str, text: &str) -> Option<Location> {
        let found = self.own.find(text).into_iter();
        let range = found.map(|(range, ..)| range).min_by_key(|range| range.start)?;
        Some(place(file, text, range))
    }
}

/// Returns a location in a text, without the line itself.
fn place(file: &str, text: &str, range: Range<usize>) -> Location {
    let Span { line, column, .. } = Lines::new(text).span(range);
    let span = Some(Span { line, column, end_column: column, ..Span::default() });
    Location { file: file.to_owned(), span }
}

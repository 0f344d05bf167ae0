//! Finds secrets and personal data in a text, in every spelling that readers would see.

use std::ops::Range;

use crate::rendered_text::{JoinedValues, RenderedText};
use crate::secrets::{self, Match, Rule, RuleSet, Tier};

/// A match of a rule in a text.
pub(super) struct SpelledMatch {
    /// The bytes of the source text that readers see as the match.
    pub(super) range: Range<usize>,
    pub(super) rule: &'static Rule,
    pub(super) tier: Tier,
    /// The text as readers see it, if it differs from the source text.
    pub(super) seen: Option<String>,
}

/// Finds the matches of rules in a text: as written, without escapes, and without markup that splits it.
/// Joins strings and lines only for matches that a checksum confirms.
pub(super) fn spelled_matches(text: &str, wanted: &RuleSet) -> Vec<SpelledMatch> {
    if wanted.is_empty() {
        return Vec::new();
    }
    let written = secrets::scan(text, wanted).into_iter();
    let mut matches: Vec<SpelledMatch> = written
        .map(|Match { range, rule, tier }| SpelledMatch { range, rule, tier, seen: None })
        .collect();
    let mut look = |range: Range<usize>, seen: &str, found: Match| {
        // If nothing was removed from the range, the match as written is already known.
        if range.len() > found.range.len() {
            let seen = seen.get(found.range).map(str::to_owned);
            matches.push(SpelledMatch { range, rule: found.rule, tier: found.tier, seen });
        }
    };
    let unescaped = Unescaped::new(text);
    for (level, view) in unescaped.views().enumerate() {
        for found in secrets::scan(view, wanted) {
            look(unescaped.written(level, found.range.clone()), view, found);
        }
    }
    let JoinedValues { markup, continued } = RenderedText::joined(text);
    for view in markup.iter().chain(&continued) {
        let is_continued = continued.as_ref().is_some_and(|one| std::ptr::eq(one, view));
        for found in secrets::scan(view.text(), wanted) {
            // Each line is a separate value.
            let is_value = view.text().get(found.range.clone());
            let is_value = is_value.is_some_and(|value| !value.contains('\n'));
            let is_proven = || found.tier == Tier::Certain && found.rule.has_sum();
            if is_value && (!is_continued || is_proven()) {
                look(view.written_whole(text, found.range.clone()), view.text(), found);
            }
        }
    }
    matches
}

/// The maximum number of levels of escapes: those of Markdown in JSON in a text that shows both.
const MAX_LEVELS: usize = 3;

/// A text without escapes: each view is without those that the one before shows.
pub(super) struct Unescaped<'a> {
    text: &'a str,
    views: Vec<RenderedText>,
}

impl<'a> Unescaped<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        let mut views: Vec<RenderedText> = Vec::new();
        while views.len() < MAX_LEVELS {
            let Some(view) =
                RenderedText::if_escaped(views.last().map_or(text, RenderedText::text))
            else {
                break;
            };
            views.push(view);
        }
        Self { text, views }
    }

    /// Returns the views; none if nothing is escaped.
    pub(super) fn views(&self) -> impl Iterator<Item = &str> {
        self.views.iter().map(RenderedText::text)
    }

    /// Returns the position of a range of a view in the source text.
    pub(super) fn written(&self, level: usize, range: Range<usize>) -> Range<usize> {
        let views = self.views.iter().enumerate().take(level + 1).rev();
        views.fold(range, |range, (level, view)| match level {
            0 => view.written_whole(self.text, range),
            _ => view.written(range),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::spelled_matches;
    use crate::secrets::{RuleSet, rules};

    #[test]
    fn a_secret_behind_two_levels_of_escapes_is_found_in_a_long_line() {
        let rule = rules().find(|rule| rule.id == "clojars-token").expect("a rule");
        let secret = rule.example(1).secret().replace('_', r"\\_");
        for line in [
            secret.clone(),
            format!(r#"{{"id": "a {secret} ", "b": 1}}"#),
            format!(
                r#"{{"id": "6f0c-4000-800 {secret} ", "timestamp": 1772352, "c": "d\ne\u00e9"}}"#
            ),
            format!("unparsed input \" {secret} \" remains"),
        ] {
            let found = spelled_matches(&line, &RuleSet::of(|_| true));
            assert!(found.iter().any(|found| found.rule.id == rule.id), "{line}");
        }
    }
}

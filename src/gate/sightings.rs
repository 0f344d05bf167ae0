//! Secrets and personal data in a text, in every spelling in which readers see them.

use std::ops::Range;

use super::secrets::{self, Match, Rule, RuleSet, Tier};
use crate::as_seen::{AsSeen, JoinedValues};

/// Something that a rule found at a place of a text.
pub(super) struct Sighting {
    /// The bytes of the text that readers see as it.
    pub(super) range: Range<usize>,
    pub(super) rule: &'static Rule,
    pub(super) tier: Tier,
    /// How readers see it, where that differs from what is written.
    pub(super) seen: Option<String>,
}

/// Finds what the rules find in a text: as it is written, without escapes, without markup that splits
/// it, and, where a check sum proves that it is one, across strings and lines.
pub(super) fn sightings(text: &str, wanted: &RuleSet) -> Vec<Sighting> {
    if wanted.is_empty() {
        return Vec::new();
    }
    let written = secrets::scan(text, wanted).into_iter();
    let mut sightings: Vec<Sighting> = written
        .map(|Match { range, rule, tier }| Sighting { range, rule, tier, seen: None })
        .collect();
    let mut look = |view: &AsSeen, found: Match| {
        let range = view.written_whole(text, found.range.clone());
        // Without anything in it that is not seen it was found as it is written.
        if range.len() > found.range.len() {
            let seen = view.text().get(found.range).map(str::to_owned);
            sightings.push(Sighting { range, rule: found.rule, tier: found.tier, seen });
        }
    };
    if let Some(view) = AsSeen::if_escaped(text) {
        let found = secrets::scan(view.text(), wanted).into_iter();
        found.for_each(|found| look(&view, found));
        // A backslash of Markdown is escaped once more in JSON.
        if let Some(inner) = AsSeen::if_escaped(view.text()) {
            for found in secrets::scan(inner.text(), wanted) {
                look(&view, Match { range: inner.written(found.range.clone()), ..found });
            }
        }
    }
    let JoinedValues { markup, continued } = AsSeen::joined(text);
    for view in markup.iter().chain(&continued) {
        let is_continued = continued.as_ref().is_some_and(|one| std::ptr::eq(one, view));
        for found in secrets::scan(view.text(), wanted) {
            // Each line is a value of its own.
            let is_value = view.text().get(found.range.clone());
            let is_value = is_value.is_some_and(|value| !value.contains('\n'));
            let is_proven = || found.tier == Tier::Certain && found.rule.has_sum();
            if is_value && (!is_continued || is_proven()) {
                look(view, found);
            }
        }
    }
    sightings
}

#[cfg(test)]
mod tests {
    use super::sightings;
    use crate::gate::secrets::{RuleSet, rules};

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
            let found = sightings(&line, &RuleSet::of(|_| true));
            assert!(found.iter().any(|found| found.rule.id == rule.id), "{line}");
        }
    }
}

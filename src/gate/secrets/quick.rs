//! The fast pass: searches long runs for values of a fixed shape with the prefix of one issuer.

use super::engine;
use super::matches::Match;
use super::rule_set::RuleSet;
use super::runs;
use super::tier::Tier;

/// The minimum length of a run: that of the shortest value with a prefix, an AWS key id.
const MIN_RUN: usize = 20;

/// Finds the first certain secret in a text. Skips most bytes of prose.
pub fn quick(text: &str, wanted: &RuleSet) -> Option<Match> {
    for run in runs::of(text, &runs::VALUES, MIN_RUN) {
        let value = text.get(run.clone())?;
        let mut found = engine::search_inside(value, wanted).into_iter();
        if let Some(found) = found.find(|found| found.tier == Tier::Certain) {
            let range = run.start + found.range.start..run.start + found.range.end;
            return Some(Match { range, ..found });
        }
    }
    None
}

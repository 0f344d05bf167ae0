//! The fast pass: values of a fixed shape with the prefix of one issuer, searched for in long runs alone.

use super::engine;
use super::matches::Match;
use super::rule_set::RuleSet;
use super::runs;
use super::tier::Tier;

/// The fewest characters of a run. The shortest value with a prefix, an AWS key id, has as many.
const MIN_RUN: usize = 20;

/// Finds the first certain value in a text. It looks at few bytes of prose.
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

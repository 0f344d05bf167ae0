//! The fast pass: values of a fixed shape with the prefix of one issuer, looked for in long runs alone.

use super::classes::Class;
use super::engine;
use super::matches::Match;
use super::rule_set::RuleSet;
use super::runs;
use super::tier::Tier;

/// The fewest characters of a run. The shortest value with a prefix, an AWS key id, has as many.
const MIN_RUN: usize = 20;

/// The most bytes of a value before or behind a run.
const MAX_AROUND_BYTES: usize = 1000;

/// Finds the first certain value in a text. It looks at few bytes of prose.
pub fn quick(text: &str, wanted: &RuleSet) -> Option<Match> {
    let bytes = text.as_bytes();
    let mut done = 0;
    for run in runs::of(text, MIN_RUN) {
        if run.start < done {
            continue;
        }
        let start = run.start - Class::VALUE.run_back(bytes, run.start, MAX_AROUND_BYTES);
        let end = run.end + Class::VALUE.run(bytes, run.end, MAX_AROUND_BYTES);
        done = end;
        let Some(value) = text.get(start..end) else { continue };
        let mut found = engine::search_inside(value, wanted).into_iter();
        if let Some(found) = found.find(|found| found.tier == Tier::Certain) {
            let range = start + found.range.start..start + found.range.end;
            return Some(Match { range, ..found });
        }
    }
    None
}

//! Matches of rules in a text.

use std::ops::Range;

use super::rule::{Rule, RuleKind};
use super::tier::Tier;

/// A match in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Match {
    /// The range in bytes of the text.
    pub range: Range<usize>,
    /// The rule that matched.
    pub rule: &'static Rule,
    /// How certain the match is. The tier is lower than that of the rule if a checksum is wrong or a
    /// password is weak.
    pub tier: Tier,
}

/// Sorts matches and merges those that overlap.
pub(super) fn joined(mut found: Vec<Match>) -> Vec<Match> {
    found.sort_by_key(|found| (found.range.start, std::cmp::Reverse(found.range.end)));
    let mut joined: Vec<Match> = Vec::with_capacity(found.len());
    for next in found {
        match joined.last_mut() {
            Some(last) if next.range.start < last.range.end => {
                if rank(&next) > rank(last) {
                    (last.rule, last.tier) = (next.rule, next.tier);
                }
                last.range.end = last.range.end.max(next.range.end);
            }
            _ => joined.push(next),
        }
    }
    joined
}

/// Ranks matches that overlap: by tier, then secrets before personal data, then rules for one issuer before
/// generic rules.
fn rank(found: &Match) -> (Tier, bool, bool) {
    (found.tier, found.rule.kind == RuleKind::Secret, found.rule.is_of_one_issuer())
}

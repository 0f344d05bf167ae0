//! What rules find in texts.

use std::ops::Range;

use super::rule::{Rule, RuleKind};
use super::tier::Tier;

/// One place in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Match {
    /// Where it stands, in bytes of the text.
    pub range: Range<usize>,
    /// What it was found by.
    pub rule: &'static Rule,
    /// How sure that is. It is lower than the tier of the rule where a check sum does not hold or
    /// a password is a weak one.
    pub tier: Tier,
}

/// Sorts matches and joins those that overlap.
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

/// Which of two matches names a place: the surer one, a secret before personal data, a rule about
/// one issuer before one about all.
fn rank(found: &Match) -> (Tier, bool, bool) {
    (found.tier, found.rule.kind == RuleKind::Secret, found.rule.is_of_one_issuer())
}

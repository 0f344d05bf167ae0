//! The result of a matcher.

use std::ops::Range;

use super::tier::Tier;

/// A range that a matcher found.
pub(super) struct Found {
    pub(super) range: Range<usize>,
    /// The tier, if it differs from that of the rule.
    pub(super) tier: Option<Tier>,
}

impl Found {
    /// Creates a result with the tier of the rule.
    pub(super) fn at(range: Range<usize>) -> Option<Found> {
        Some(Found { range, tier: None })
    }

    /// Creates a result with its own tier.
    pub(super) fn with(range: Range<usize>, tier: Tier) -> Option<Found> {
        Some(Found { range, tier: Some(tier) })
    }
}

//! What a matcher found at a place.

use std::ops::Range;

use super::tier::Tier;

/// What a matcher found.
pub(super) struct Found {
    pub(super) range: Range<usize>,
    /// The tier, where it is not that of the rule.
    pub(super) tier: Option<Tier>,
}

impl Found {
    /// A place that is as sure as its rule.
    pub(super) fn at(range: Range<usize>) -> Option<Found> {
        Some(Found { range, tier: None })
    }

    /// A place with a tier of its own.
    pub(super) fn with(range: Range<usize>, tier: Tier) -> Option<Found> {
        Some(Found { range, tier: Some(tier) })
    }
}

//! The time in which a conversation is published.

use jiff::civil::Date;
use serde::{Deserialize, Serialize};

/// When a conversation is published. A build applies to a whole day: with hours, the conversation
/// is published only on full days between them.
#[derive(
    Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, Serialize, Deserialize,
)]
pub struct Schedule {
    /// Whether it is a draft.
    pub draft: bool,
    /// The first day on which it is published, in UTC.
    pub publish: Option<Date>,
    /// The first day on which it is no longer published, in UTC.
    pub expires: Option<Date>,
}

impl Schedule {
    /// Combines two schedules; all restrictions apply.
    pub fn add(&mut self, other: &Self) {
        self.draft |= other.draft;
        self.publish = self.publish.max(other.publish);
        let both = [self.expires, other.expires];
        self.expires = both.into_iter().flatten().min();
    }

    /// Returns whether there are no restrictions.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

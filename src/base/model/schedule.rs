//! When a conversation may be on the site.

use jiff::civil::Date;
use serde::{Deserialize, Serialize};

/// What authors say of when a conversation is on the site. A build is of a whole day: what names an
/// hour is there on the days that lie wholly between.
#[derive(
    Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, Serialize, Deserialize,
)]
pub struct Schedule {
    /// Whether it is not ready yet.
    pub draft: bool,
    /// The first day on which it is there, in UTC.
    pub publish: Option<Date>,
    /// The first day on which it is gone again, in UTC.
    pub expires: Option<Date>,
}

impl Schedule {
    /// Adds what somebody else says: all of it holds.
    pub fn add(&mut self, other: &Self) {
        self.draft |= other.draft;
        self.publish = self.publish.max(other.publish);
        let both = [self.expires, other.expires];
        self.expires = both.into_iter().flatten().min();
    }

    /// Returns whether nothing is said.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

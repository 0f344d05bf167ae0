//! The reasons why conversations are not on a site, all in one place.

use jiff::civil::Date;
use serde::{Deserialize, Serialize};

use crate::model::Schedule;

/// The reason why a conversation is not on the site. Of several the greatest one is told.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub enum Reason {
    /// Nobody has reviewed it.
    NotReviewed,
    /// It is not on the list of what is published.
    NotListed,
    /// The gate found a secret in it.
    Secret,
    /// The queries of a `[[source]]` do not choose it.
    Excluded,
    /// It was there until this day came.
    Expired(Date),
    /// It will be there from this day on.
    Future(Date),
    /// It is not ready yet.
    Draft,
    /// It is private.
    Private,
}

/// What people are told of a [`Reason`].
pub struct ReasonWords {
    /// What programs are told, such as `draft`.
    pub state: &'static str,
    /// The end of a sentence about one conversation, such as `is a draft`.
    pub one: &'static str,
    /// The end of a sentence about several.
    pub many: &'static str,
    /// The same in a list of numbers, such as `drafts held back`.
    pub counted: (&'static str, &'static str),
}

impl Reason {
    /// Returns the reason without what differs between conversations.
    pub fn kind(self) -> Self {
        match self {
            Self::Expired(_) => Self::Expired(Date::ZERO),
            Self::Future(_) => Self::Future(Date::ZERO),
            other => other,
        }
    }

    /// Returns every reason, in the order in which people are told of them.
    pub fn all() -> [Self; 8] {
        [
            Self::Private,
            Self::Secret,
            Self::Draft,
            Self::Future(Date::ZERO),
            Self::Expired(Date::ZERO),
            Self::Excluded,
            Self::NotListed,
            Self::NotReviewed,
        ]
    }

    /// Returns the day from which on it is another reason or none, or since which it is one.
    pub fn day(self) -> Option<Date> {
        match self {
            Self::Future(day) | Self::Expired(day) => Some(day),
            _ => None,
        }
    }

    /// Returns what people are told of it.
    pub fn words(self) -> ReasonWords {
        let (state, one, many, counted) = match self {
            Self::Secret => (
                "secret",
                "is withheld because of a secret in it",
                "are withheld because of secrets",
                ("with secrets withheld", "with secrets withheld"),
            ),
            Self::Expired(_) => ("expired", "has expired", "have expired", ("expired", "expired")),
            Self::Future(_) => (
                "future",
                "is scheduled for later",
                "are scheduled for later",
                ("scheduled for later", "scheduled for later"),
            ),
            Self::Draft => {
                ("draft", "is a draft", "are drafts", ("draft withheld", "drafts withheld"))
            }
            Self::Private => {
                ("private", "is private", "are private", ("private withheld", "private withheld"))
            }
            Self::NotReviewed => (
                "not-reviewed",
                "is not reviewed",
                "are not reviewed",
                ("not reviewed", "not reviewed"),
            ),
            Self::NotListed => (
                "not-listed",
                "is not in publish.toml",
                "are not in publish.toml",
                ("not in publish.toml", "not in publish.toml"),
            ),
            Self::Excluded => (
                "excluded",
                "is excluded by a `[[source]]`",
                "are excluded by a `[[source]]`",
                ("excluded by a `[[source]]`", "excluded by a `[[source]]`"),
            ),
        };
        ReasonWords { state, one, many, counted }
    }
}

/// What is on a site although it is held back usually, and the day of the build.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Release {
    /// Whether private conversations are.
    pub private: bool,
    /// Whether drafts are.
    pub drafts: bool,
    /// Whether those are that are to be published later.
    pub future: bool,
    /// Whether those are that were published until an earlier day.
    pub expired: bool,
    /// The day of the build, in UTC; while it is not known, no day has come and every end has.
    pub today: Option<Date>,
}

impl Release {
    /// Returns what holds a conversation back, if anything does.
    pub(super) fn held_back(&self, private: bool, schedule: &Schedule) -> Option<Reason> {
        let reasons = self.reasons(private, schedule);
        reasons.into_iter().flatten().find(|reason| !self.lets_out(*reason))
    }

    /// Returns what would hold a conversation back if it had not been asked for.
    pub(super) fn usual(&self, private: bool, schedule: &Schedule) -> Option<Reason> {
        self.reasons(private, schedule).into_iter().flatten().next()
    }

    fn reasons(&self, private: bool, schedule: &Schedule) -> [Option<Reason>; 4] {
        let Schedule { draft, publish, expires } = *schedule;
        let is_future = |day: &Date| self.today.is_none_or(|today| today < *day);
        let is_over = |day: &Date| self.today.is_none_or(|today| today >= *day);
        [
            private.then_some(Reason::Private),
            draft.then_some(Reason::Draft),
            publish.filter(is_future).map(Reason::Future),
            expires.filter(is_over).map(Reason::Expired),
        ]
    }

    fn lets_out(&self, reason: Reason) -> bool {
        match reason {
            Reason::Private => self.private,
            Reason::Draft => self.drafts,
            Reason::Future(_) => self.future,
            Reason::Expired(_) => self.expired,
            _ => false,
        }
    }
}

//! The reasons for withholding a conversation.

use jiff::civil::Date;
use serde::{Deserialize, Serialize};

use crate::model::Schedule;

/// The reason for withholding a conversation. Of several reasons the greatest is reported.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub enum Reason {
    /// It has not been reviewed.
    NotReviewed,
    /// It is not in publish.toml.
    NotListed,
    /// The gate found a secret in it.
    Secret,
    /// The queries of a `[[source]]` do not select it.
    Excluded,
    /// It expired on this day.
    Expired(Date),
    /// It is scheduled for this day.
    Future(Date),
    /// It is a draft.
    Draft,
    /// It is private.
    Private,
}

/// The texts that describe a [`Reason`].
pub struct ReasonWords {
    /// The value for programs, such as `draft`.
    pub state: &'static str,
    /// The end of a sentence about one conversation, such as `is a draft`.
    pub one: &'static str,
    /// The end of a sentence about several.
    pub many: &'static str,
    /// The form for a list of counts, such as `drafts withheld`.
    pub counted: (&'static str, &'static str),
}

impl Reason {
    /// Returns the reason without its date.
    pub fn kind(self) -> Self {
        match self {
            Self::Expired(_) => Self::Expired(Date::ZERO),
            Self::Future(_) => Self::Future(Date::ZERO),
            other => other,
        }
    }

    /// Returns all reasons, in the order of reports.
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

    /// Returns the day on which the conversation is published, or the day on which it expired.
    pub fn day(self) -> Option<Date> {
        match self {
            Self::Future(day) | Self::Expired(day) => Some(day),
            _ => None,
        }
    }

    /// Returns the texts that describe it.
    pub fn words(self) -> ReasonWords {
        let (state, one, many, counted) = match self {
            Self::Secret => (
                "secret",
                "is withheld because of a secret in it",
                "are withheld because of secrets",
                ("withheld because of secrets", "withheld because of secrets"),
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

/// The normally withheld conversations to include, and the day of the build.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Release {
    /// Whether private conversations are included.
    pub private: bool,
    /// Whether drafts are included.
    pub drafts: bool,
    /// Whether scheduled conversations are included.
    pub future: bool,
    /// Whether expired conversations are included.
    pub expired: bool,
    /// The day of the build, in UTC. Without it, nothing scheduled is published and everything with
    /// an end has expired.
    pub today: Option<Date>,
}

impl Release {
    /// Returns why a conversation is withheld, if it is.
    pub(crate) fn held_back(&self, private: bool, schedule: &Schedule) -> Option<Reason> {
        let reasons = self.reasons(private, schedule);
        reasons.into_iter().flatten().find(|reason| !self.lets_out(*reason))
    }

    /// Returns why a conversation would be withheld without the user's request to include it.
    pub(crate) fn usual(&self, private: bool, schedule: &Schedule) -> Option<Reason> {
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

//! The result of reading one source.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::Entry;
use super::archive::{HeldBack, Veto};
use crate::diag::Diagnostic;
use crate::gate::Finding;
use crate::hash::Hash;
use crate::model::Schedule;
use crate::path::RelPath;
use crate::sources::find::reason::{Reason, Release};
use crate::sources::find::stored_paths;

/// The contents of one source: its conversations and diagnostics.
#[derive(PartialEq, Serialize, Deserialize)]
pub(crate) struct Contents {
    pub(crate) entries: Vec<Arc<Entry>>,
    pub(crate) held_back: Vec<HeldBack>,
    /// The schedules of conversations, each with its outcome on the day it was read.
    pub(super) schedules: BTreeMap<Schedule, (Option<Reason>, Option<Reason>)>,
    /// Vetoes of this source about conversations in all sources.
    pub(crate) vetoes: Vec<Veto>,
    /// What the gate found in conversations that would otherwise be published.
    pub(crate) findings: Vec<Finding>,
    /// The numbers of the baseline entries that match something.
    pub(crate) accepted: BTreeSet<usize>,
    /// The number of a rule with queries, and which of its queries matched a conversation.
    pub(crate) matched: Option<(usize, Vec<bool>)>,
    /// Which lines of publish.toml match a conversation.
    pub(crate) listed_by: Vec<bool>,
    /// What edits are about and was found.
    pub(crate) edited: BTreeSet<Hash>,
    /// The files shown by withheld conversations, and withheld recordings.
    #[serde(with = "stored_paths::paths")]
    pub(crate) shown: Vec<RelPath>,
    pub(crate) notes: Vec<Diagnostic>,
    /// Whether the whole source could be read.
    pub(crate) is_complete: bool,
}

impl Contents {
    /// The contents of a source that could be read and is empty.
    pub(crate) const EMPTY: Self = Self {
        entries: Vec::new(),
        held_back: Vec::new(),
        schedules: BTreeMap::new(),
        vetoes: Vec::new(),
        findings: Vec::new(),
        accepted: BTreeSet::new(),
        matched: None,
        listed_by: Vec::new(),
        edited: BTreeSet::new(),
        shown: Vec::new(),
        notes: Vec::new(),
        is_complete: true,
    };

    /// Records the current outcome of a schedule.
    pub(crate) fn keep(&mut self, schedule: &Schedule, release: &Release) {
        if !schedule.is_empty() {
            self.schedules.insert(*schedule, schedule_outcomes(schedule, release));
        }
    }

    /// Returns whether every schedule still has the same outcome.
    pub(crate) fn is_as_scheduled(&self, release: &Release) -> bool {
        self.schedules
            .iter()
            .all(|(schedule, before)| schedule_outcomes(schedule, release) == *before)
    }

    /// Returns whether no conversation was found, not even a private one.
    pub(crate) fn is_empty(&self) -> bool {
        self.entries.is_empty() && self.held_back.is_empty()
    }
}

fn schedule_outcomes(schedule: &Schedule, release: &Release) -> (Option<Reason>, Option<Reason>) {
    (release.held_back(false, schedule), release.usual(false, schedule))
}

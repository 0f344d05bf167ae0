//! The answers given so far, and the file that they are saved in.

use std::collections::{BTreeSet, HashSet};
use std::path::PathBuf;

use crate::config::Action;
use crate::disk;
use crate::gate::Finding;
use crate::gate::decisions::{Decided, Decision, with_decisions};
use crate::hash::Hash;

/// The file that is saved after every answer, so that no answer is lost.
pub(super) struct Written {
    pub(super) path: PathBuf,
    pub(super) had_file: bool,
    /// Its text before the review.
    pub(super) text: String,
    /// A new key, if the file had none.
    pub(super) new_key: Option<[u8; 32]>,
}

impl Written {
    pub(super) fn save(&self, decisions: &[Decision]) -> Result<(), disk::Error> {
        match decisions {
            [] if self.had_file => disk::replace(&self.path, self.text.as_bytes()),
            [] => disk::remove(&self.path),
            _ => {
                let text = with_decisions(&self.text, self.new_key.as_ref(), decisions);
                disk::replace(&self.path, text.as_bytes())
            }
        }
    }
}

/// The answer to each question, if there is one.
pub(super) struct Answers(pub(super) Vec<Option<Decided>>);

impl Answers {
    /// Returns the answer for a finding: its own, or the answer for the same secret elsewhere.
    pub(super) fn of(&self, open: &[&Finding], place: usize) -> Option<&Decided> {
        let own = self.0.get(place)?.as_ref();
        let found = open.get(place)?;
        let same = |(other, answer): (&&Finding, &'_ Option<Decided>)| {
            (other.rule, other.secret) == (found.rule, found.secret)
                && matches!(answer, Some(Decided::Hold | Decided::Redact))
        };
        own.or_else(|| {
            let mut all = open.iter().zip(&self.0);
            all.find(|(other, answer)| same((other, answer)))
                .and_then(|(_, answer)| answer.as_ref())
        })
    }

    /// Returns the rule and the secret of all findings that are redacted everywhere.
    fn redacted<'a>(&self, open: &[&'a Finding]) -> HashSet<(&'a str, Hash)> {
        let all = open.iter().zip(&self.0);
        let redacted = all.filter(|(_, answer)| matches!(answer, Some(Decided::Redact)));
        redacted.map(|(found, _)| (found.rule, found.secret)).collect()
    }

    /// Returns the findings without a decision, and those that withhold a conversation on purpose.
    pub(super) fn left<'a>(&self, open: &[&'a Finding]) -> Vec<&'a Finding> {
        let redacted = self.redacted(open);
        let is_left = |(found, answer): &(&&Finding, &Option<Decided>)| {
            !matches!(answer, Some(Decided::Accept { .. }))
                && !redacted.contains(&(found.rule, found.secret))
        };
        open.iter().zip(&self.0).filter(is_left).map(|(found, _)| *found).collect()
    }

    /// Returns the decisions to save.
    pub(super) fn decisions(&self, open: &[&Finding]) -> Vec<Decision> {
        let decided = open.iter().zip(&self.0).filter_map(|(found, answer)| {
            let answer = answer.clone()?;
            let is_so_already = matches!(answer, Decided::Hold) && found.action == Action::Hold;
            (!is_so_already).then(|| Decision::of(found, answer))
        });
        decided.collect()
    }

    /// Returns the rules of newly redacted findings.
    pub(super) fn redacted_rules<'a>(&self, open: &[&'a Finding]) -> BTreeSet<&'a str> {
        self.redacted(open).into_iter().map(|(rule, _)| rule).collect()
    }
}

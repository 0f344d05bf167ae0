//! A set of rules to search for.

use super::rule::{Rule, RuleKind};
use super::{seed_phrase, table};

/// A set of rules to search for.
#[derive(Clone, Debug)]
pub struct RuleSet {
    /// Whether each rule of the table is in the set.
    has: Vec<bool>,
    /// The rules for personal data.
    personal: Vec<&'static Rule>,
    seed_phrase: Option<&'static Rule>,
    is_empty: bool,
}

impl RuleSet {
    /// Returns the set of rules that meet a condition.
    pub fn of(wanted: impl Fn(&Rule) -> bool) -> Self {
        let has: Vec<bool> = table::ALL.iter().map(|rule| wanted(rule)).collect();
        let is_personal = |rule: &&Rule| rule.kind == RuleKind::Personal && wanted(rule);
        let personal = table::ALL.iter().copied().filter(is_personal).collect();
        let seed_phrase = table::ALL.iter().copied().find(|rule| rule.id == seed_phrase::RULE);
        let seed_phrase = seed_phrase.filter(|rule| wanted(rule));
        let is_empty = !has.contains(&true);
        Self { has, personal, seed_phrase, is_empty }
    }

    /// Returns whether a rule, given by its index in the table, is in the set.
    pub(super) fn has(&self, number: usize) -> bool {
        self.has.get(number).is_some_and(|has| *has)
    }

    /// Returns whether the set is empty.
    pub fn is_empty(&self) -> bool {
        self.is_empty
    }

    /// Returns the rules for personal data.
    pub(super) fn personal(&self) -> &[&'static Rule] {
        &self.personal
    }

    /// Returns the rule for seed phrases, if it is in the set.
    pub(super) fn seed_phrase(&self) -> Option<&'static Rule> {
        self.seed_phrase
    }
}

//! Which rules are looked for.

use super::rule::{Rule, RuleKind};
use super::{seed_phrase, table};

/// Which rules are looked for.
#[derive(Clone, Debug)]
pub struct RuleSet {
    /// By the place of each rule in the table.
    has: Vec<bool>,
    /// Those about people.
    personal: Vec<&'static Rule>,
    seed_phrase: Option<&'static Rule>,
    is_empty: bool,
}

impl RuleSet {
    /// Returns the set of the rules that are wanted.
    pub fn of(wanted: impl Fn(&Rule) -> bool) -> Self {
        let has: Vec<bool> = table::ALL.iter().map(|rule| wanted(rule)).collect();
        let is_personal = |rule: &&Rule| rule.kind == RuleKind::Personal && wanted(rule);
        let personal = table::ALL.iter().copied().filter(is_personal).collect();
        let seed_phrase = table::ALL.iter().copied().find(|rule| rule.id == seed_phrase::RULE);
        let seed_phrase = seed_phrase.filter(|rule| wanted(rule));
        let is_empty = !has.contains(&true);
        Self { has, personal, seed_phrase, is_empty }
    }

    /// Returns whether the rule is in it that has this place in the table.
    pub(super) fn has(&self, number: usize) -> bool {
        self.has.get(number).is_some_and(|has| *has)
    }

    /// Returns whether nothing is looked for.
    pub(in crate::gate) fn is_empty(&self) -> bool {
        self.is_empty
    }

    /// Returns those about people.
    pub(super) fn personal(&self) -> &[&'static Rule] {
        &self.personal
    }

    /// Returns the one about seed phrases, if it is wanted.
    pub(super) fn seed_phrase(&self) -> Option<&'static Rule> {
        self.seed_phrase
    }
}

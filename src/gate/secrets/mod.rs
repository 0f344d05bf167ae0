//! Credentials and personal data in texts.
//!
//! # How it works
//!
//! One table of [`Rule`]s (`rows`, `finders`, `personal`) says what is looked for. [`scan`] reads a
//! text once with an Aho–Corasick automaton of all prefixes and words of the table; where one of
//! them stands, the matcher of its rule reads a window of bounded size around it:
//!
//! * a *shape* (`ghp_[A-Za-z0-9]{36}`) is a prefix, an alphabet, a length and a check sum;
//! * a *named value* is a shape that means something only behind a word (`datadog_api_key = …`);
//! * a *finder* is a function for what has no fixed shape (key blocks, headers, `.env` lines).
//!
//! A prefix of one or two letters would stop it at every word; where such a shape is long, it is
//! looked for in long runs of letters and digits alone (`runs`).
//!
//! What has neither prefix nor word (seed phrases, card numbers) is found by sweeps, which look at
//! few bytes (`sweeps`). One level of Base64, percent-encoding and JSON escapes is undone
//! (`encoded`). Zero-width characters or markup inside a secret are not undone.
//!
//! Values that are examples on their face (`AKIAIOSFODNN7EXAMPLE`, `your-key-here`) are no matches
//! (`placeholders`). Everything is linear in the length of the text.

mod checks;
mod classes;
mod encoded;
mod engine;
mod example;
mod finders;
mod personal;
mod placeholders;
mod rows;
mod runs;
mod seed_phrase;
mod shape;
mod table;

use std::ops::Range;

pub use example::Example;
pub use table::{Rule, RuleKind, Tier};

/// One place in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Match {
    /// Where it stands, in bytes of the text.
    pub range: Range<usize>,
    /// What it was found by.
    pub rule: &'static Rule,
    /// How sure that is. It is lower than the tier of the rule where a check sum does not hold or
    /// a password is a weak one.
    pub tier: Tier,
}

/// Returns all rules, by id.
pub fn rules() -> impl Iterator<Item = &'static Rule> {
    table::ALL.iter().copied()
}

/// Returns the rule of that id.
pub fn rule(id: &str) -> Option<&'static Rule> {
    let at = table::ALL.binary_search_by(|rule| rule.id.cmp(id)).ok()?;
    table::ALL.get(at).copied()
}

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
        let has: Vec<bool> = rules().map(&wanted).collect();
        let is_personal = |rule: &&Rule| rule.kind == RuleKind::Personal && wanted(rule);
        let personal = rules().filter(is_personal).collect();
        let seed_phrase = rule(seed_phrase::RULE).filter(|rule| wanted(rule));
        let is_empty = !has.contains(&true);
        Self { has, personal, seed_phrase, is_empty }
    }

    /// Returns whether the rule is in it that has this place in the table.
    fn has(&self, number: usize) -> bool {
        self.has.get(number).is_some_and(|has| *has)
    }
}

/// Finds what the rules find in a text: in order, not overlapping, in linear time.
///
/// Where two rules find places that overlap, one match covers both. It has the rule of the higher
/// tier.
pub fn scan(text: &str, wanted: &RuleSet) -> Vec<Match> {
    if wanted.is_empty {
        return Vec::new();
    }
    let runs = runs::of(text);
    let mut found = engine::search(text, &runs, wanted);
    encoded::search(text, &runs, wanted, &mut found);
    if let Some(rule) = wanted.seed_phrase {
        seed_phrase::search(text, rule, &mut found);
    }
    personal::search(text, &wanted.personal, &mut found);
    joined(found)
}

/// Sorts matches and joins those that overlap.
fn joined(mut found: Vec<Match>) -> Vec<Match> {
    found.sort_by_key(|found| (found.range.start, std::cmp::Reverse(found.range.end)));
    let mut joined: Vec<Match> = Vec::with_capacity(found.len());
    for next in found {
        match joined.last_mut() {
            Some(last) if next.range.start < last.range.end => {
                if rank(&next) > rank(last) {
                    (last.rule, last.tier) = (next.rule, next.tier);
                }
                last.range.end = last.range.end.max(next.range.end);
            }
            _ => joined.push(next),
        }
    }
    joined
}

/// Which of two matches names a place: the surer one, a secret before personal data, a rule about
/// one issuer before one about all.
fn rank(found: &Match) -> (Tier, bool, bool) {
    (found.tier, found.rule.kind == RuleKind::Secret, found.rule.is_of_one_issuer())
}

/// Returns at most the first four and the last two characters of a secret, for reports. Of a short
/// one it says less: never more than a third.
pub fn preview(secret: &str) -> String {
    let count = secret.chars().count();
    let first: String = secret.chars().take(4.min(count / 5)).collect();
    let last: String = secret.chars().skip(count - 2.min(count / 8)).collect();
    format!("{first}…{last}")
}

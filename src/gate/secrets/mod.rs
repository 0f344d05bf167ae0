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
//! few bytes (`sweeps`). One level of Base64, hexadecimal digits, percent-encoding and JSON escapes is
//! undone (`encoded`). Zero-width characters and markup inside a secret are undone by the gate, which
//! scans what readers see of a text as well.
//!
//! Values that are examples on their face (`AKIAIOSFODNN7EXAMPLE`, `your-key-here`) are no matches
//! (`placeholders`). Everything is linear in the length of the text.

mod checks;
mod classes;
mod encoded;
mod engine;
mod example;
mod finders;
mod found;
mod matches;
mod personal;
mod placeholders;
mod quick;
mod random;
mod rows;
mod rule;
mod rule_set;
mod runs;
mod seed_phrase;
mod shape;
mod table;
mod tier;

pub(super) use self::classes::{value_len, value_len_back};
pub use self::example::Example;
pub use self::matches::Match;
pub use self::quick::quick;
pub use self::rule::{Rule, RuleKind};
pub use self::rule_set::RuleSet;
pub use self::tier::Tier;

/// Returns all rules, by id.
pub fn rules() -> impl Iterator<Item = &'static Rule> {
    table::ALL.iter().copied()
}

/// Returns the rule of that id.
pub fn rule(id: &str) -> Option<&'static Rule> {
    let at = table::ALL.binary_search_by(|rule| rule.id.cmp(id)).ok()?;
    table::ALL.get(at).copied()
}

/// Finds what the rules find in a text: in order, not overlapping, in linear time.
///
/// Where two rules find places that overlap, one match covers both. It has the rule of the higher
/// tier.
pub fn scan(text: &str, wanted: &RuleSet) -> Vec<Match> {
    if wanted.is_empty() {
        return Vec::new();
    }
    let runs = runs::of(text, &runs::BASE64, runs::LEAST);
    let mut found = engine::search(text, &runs, wanted);
    encoded::search(text, &runs, wanted, &mut found);
    if let Some(rule) = wanted.seed_phrase() {
        seed_phrase::search(text, rule, &mut found);
    }
    personal::search(text, wanted.personal(), &mut found);
    matches::joined(found)
}

/// Returns at most the first four and the last two characters of a secret, for reports. Of a short
/// one it says less: never more than a third.
pub fn preview(secret: &str) -> String {
    let count = secret.chars().count();
    let first: String = secret.chars().take(4.min(count / 5)).collect();
    let last: String = secret.chars().skip(count - 2.min(count / 8)).collect();
    format!("{first}…{last}")
}

//! Finds credentials and personal data in texts.
//!
//! # How it works
//!
//! One table of [`Rule`]s (`rows`, `finders`, `personal`) defines what to search for. [`scan`] reads a text
//! once for all prefixes and keywords of the table (`keywords`). At each occurrence, the matcher of the
//! rule reads a window of bounded size around it:
//!
//! * a *shape* (`ghp_[A-Za-z0-9]{36}`) is a prefix, an alphabet, a length and a checksum;
//! * a *named value* is a shape that counts only after a keyword (`datadog_api_key = …`);
//! * a *finder* is a function for secrets without a fixed shape (key blocks, headers, `.env` lines).
//!
//! A prefix of one or two letters would stop the search at every word. If such a shape is long, it is
//! searched for only in long runs of letters and digits (`runs`).
//!
//! Secrets without a prefix or keyword (seed phrases, card numbers) are found by sweeps, which look at few
//! bytes. One level of Base64, hexadecimal digits, percent-encoding and JSON escapes is decoded
//! (`encoded`). The gate handles zero-width characters and markup inside a secret: it also scans the text
//! as readers see it.
//!
//! A value with a prefix may be a part of a longer name, such as `backup_ghp_…_old`: `_` and `-` end it if
//! it looks random (`entropy`), and a value with a valid checksum is found wherever it is.
//!
//! Obvious examples (`AKIAIOSFODNN7EXAMPLE`, `your-key-here`) are not matches (`placeholders`). The running
//! time is linear in the length of the text.

mod checks;
mod classes;
mod encoded;
mod engine;
mod entropy;
mod example;
mod finders;
mod found;
mod keywords;
mod matches;
mod pairs;
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

pub use self::classes::{value_len, value_len_back};
pub use self::example::Example;
pub use self::matches::Match;
pub use self::quick::{each_beginning, each_beginning_with_sum, quick};
pub use self::rule::{Rule, RuleKind};
pub use self::rule_set::RuleSet;
pub use self::tier::Tier;

/// Returns all rules, sorted by id.
pub fn rules() -> impl Iterator<Item = &'static Rule> {
    table::ALL.iter().copied()
}

/// Returns the rule with an id.
pub fn rule(id: &str) -> Option<&'static Rule> {
    let at = table::ALL.binary_search_by(|rule| rule.id.cmp(id)).ok()?;
    table::ALL.get(at).copied()
}

/// Finds the matches of the rules in a text: sorted, without overlaps, in linear time.
///
/// If the matches of two rules overlap, one match covers both and has the rule of the higher tier.
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

/// Returns a preview of a secret for reports: at most its first four and last two characters, and never
/// more than a third of it.
pub fn preview(secret: &str) -> String {
    let count = secret.chars().count();
    let first: String = secret.chars().take(4.min(count / 5)).collect();
    let last: String = secret.chars().skip(count - 2.min(count / 8)).collect();
    format!("{first}…{last}")
}

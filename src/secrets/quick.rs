//! The fast pass: searches long runs for values of a fixed shape with the prefix of one issuer.

use std::sync::LazyLock;

use super::keywords::Keywords;
use super::matches::Match;
use super::rule::Rule;
use super::rule_set::RuleSet;
use super::runs;
use super::tier::Tier;
use super::{classes, engine};

/// The minimum length of a run: that of the shortest value with a prefix, an AWS key id.
const MIN_RUN: usize = 20;

/// The prefixes of all rules that the fast pass can search for. Few runs contain one.
static PREFIXES: LazyLock<Keywords> =
    LazyLock::new(|| Keywords::new(prefixes().iter().map(String::as_str)));

fn prefixes() -> Vec<String> {
    super::rules().filter(|rule| rule.is_of_one_prefix()).flat_map(Rule::keywords).collect()
}

/// The ways in which the first letter of a secret can be escaped, apart from full-width letters.
const ESCAPES: [&str; 11] =
    ["&#", "\\u003", "\\u004", "\\u005", "\\u006", "\\u007", "%3", "%4", "%5", "%6", "%7"];

/// Everything that a secret with a prefix can begin with, in any spelling: its prefix up to a mark that may
/// be escaped, or an escape.
static BEGINNINGS: LazyLock<(Vec<String>, Keywords)> = LazyLock::new(|| {
    let mut all = with_escaped_marks(prefixes());
    all.extend(ESCAPES.map(str::to_owned));
    let wide = ('０'..='９').chain('Ａ'..='Ｚ').chain('ａ'..='ｚ');
    all.extend(wide.map(String::from));
    all.sort_unstable();
    all.dedup();
    let keywords = Keywords::new(all.iter().map(String::as_str));
    (all, keywords)
});

/// Returns prefixes, and those in which a backslash escapes the first mark.
fn with_escaped_marks(mut prefixes: Vec<String>) -> Vec<String> {
    let is_mark = |c: char| !c.is_ascii_alphanumeric();
    let escaped: Vec<String> = prefixes
        .iter()
        .filter_map(|prefix| Some(format!("{}\\", prefix.get(..prefix.find(is_mark)?)?)))
        .collect();
    prefixes.extend(escaped);
    prefixes
}

/// Calls `found` with every place of a text where a secret with a prefix may begin, in any spelling, in order.
pub fn each_beginning(text: &str, mut found: impl FnMut(usize)) {
    let (all, keywords) = &*BEGINNINGS;
    let bytes = text.as_bytes();
    keywords.each(text, |range, number| {
        let is_same_case = bytes.get(range.clone()) == all.get(number).map(String::as_bytes);
        let begins = || {
            let before = range.start.checked_sub(1).and_then(|before| bytes.get(before));
            before == Some(&b'_') || classes::begins_word(bytes, range.start)
        };
        if is_same_case && begins() {
            found(range.start);
        }
    });
}

/// The prefixes of values with a checksum.
static PREFIXES_OF_SUMS: LazyLock<Keywords> = LazyLock::new(|| {
    let rules = super::rules().filter(|rule| rule.is_of_one_prefix() && rule.has_sum());
    let prefixes = with_escaped_marks(rules.flat_map(Rule::keywords).collect());
    Keywords::new(prefixes.iter().map(String::as_str))
});

/// Calls `found` with every place of a text where a secret with a checksum may begin, as written or in
/// Markdown, in order.
pub fn each_beginning_with_sum(text: &str, mut found: impl FnMut(usize)) {
    PREFIXES_OF_SUMS.each(text, |range, _| found(range.start));
}

/// Finds the first certain secret in a text. Skips most bytes of prose. All rules in `wanted` must be of one
/// prefix.
pub fn quick(text: &str, wanted: &RuleSet) -> Option<Match> {
    let prefixes = &*PREFIXES;
    for run in runs::of(text, &runs::VALUES, MIN_RUN) {
        let value = text.get(run.clone())?;
        // Shapes with a shorter prefix occur only in long runs of letters and digits.
        let long = runs::of(value, &runs::BASE64, runs::LEAST);
        if long.is_empty() && !prefixes.is_any_in(value) {
            continue;
        }
        let mut found = engine::search(value, &long, wanted).into_iter();
        if let Some(found) = found.find(|found| found.tier == Tier::Certain) {
            let range = run.start + found.range.start..run.start + found.range.end;
            return Some(Match { range, ..found });
        }
    }
    None
}

//! Personal data, which reveals who or where someone is: e-mail addresses, numbers, host names.
//!
//! None of it has a prefix to search for, so one pass over the bytes finds positions with a digit, an
//! `@`, a `+` or a `:`. The pass runs only if the set has a personal rule.

mod contacts;
mod digits;
mod network;
mod numbers;

use std::ops::Range;

use super::matches::Match;
use super::rule::Rule;
use super::tier::Tier;

/// All tables of rules.
pub(super) static TABLES: &[&[Rule]] = &[contacts::ROWS, network::ROWS, numbers::ROWS];

/// A match: the id of the rule, the range and the tier.
type Seen = Option<(&'static str, Range<usize>, Tier)>;

/// Adds the matches of the personal rules in a text.
pub(super) fn search(text: &str, rules: &[&'static Rule], found: &mut Vec<Match>) {
    if rules.is_empty() {
        return;
    }
    let bytes = text.as_bytes();
    let mut end = 0;
    let mut before = b' ';
    for (at, byte) in bytes.iter().enumerate() {
        let last = std::mem::replace(&mut before, *byte);
        if at < end {
            continue;
        }
        let begins = !last.is_ascii_alphanumeric() && last != b'_';
        let seen = match byte {
            b'@' => contacts::mail(text, at),
            b'+' if begins => contacts::phone(text, at),
            b'0'..=b'9' if begins => network::number(text, at)
                .or_else(|| numbers::card(text, at))
                .or_else(|| numbers::social(text, at))
                .or_else(|| contacts::national(text, at))
                .or_else(|| network::six(text, at))
                .or_else(|| digits::digits(text, at)),
            b'(' if begins => contacts::national(text, at),
            0xd9 | 0xdb if begins => contacts::eastern(text, at),
            b'A'..=b'Z' if begins => numbers::iban(text, at),
            b'a'..=b'f' | b':' if begins => network::six(text, at),
            b'.' => network::host(text, at),
            _ => None,
        };
        let Some((id, range, tier)) = seen else { continue };
        let Some(rule) = rules.iter().find(|rule| rule.id == id) else { continue };
        end = range.end;
        found.push(Match { range, rule, tier });
    }
}

//! Estimates from a value alone whether it was generated at random.

use super::classes::distinct;

/// Returns whether a value has as many different characters as a random one.
pub(super) fn is_varied(value: &str) -> bool {
    value.len() >= 12 && distinct(value) >= 7
}

/// Returns whether a value looks generated: it has many different characters, and consists neither of
/// words nor of a pattern.
pub(super) fn is_generated(value: &str) -> bool {
    let bytes = value.as_bytes();
    // Names in source code have few capital letters next to each other.
    let two = |pair: &&[u8]| pair.iter().all(u8::is_ascii_uppercase);
    let is_mixed =
        || bytes.iter().any(u8::is_ascii_lowercase) && bytes.windows(2).filter(two).count() >= 2;
    let has_digits = bytes.iter().any(u8::is_ascii_digit);
    is_varied(value) && (has_digits && !is_of_words(value) || is_mixed()) && !is_patterned(bytes)
}

/// Returns whether a value consists of words and short numbers, like names in source code: `gpt-4o-2024`.
pub(super) fn is_of_words(value: &str) -> bool {
    let parts = value.split(|c: char| !c.is_ascii_alphanumeric());
    parts.filter(|part| !part.is_empty()).all(|part| {
        let digits = part.bytes().filter(u8::is_ascii_digit).count();
        let letters = part.len() - digits;
        let ends = part.trim_start_matches(|c: char| !c.is_ascii_digit());
        let word = part.bytes().take(letters).all(|byte| byte.is_ascii_alphabetic());
        digits == part.len() && digits <= 4 || word && ends.len() == digits && digits <= 2
    })
}

/// Returns whether a value repeats itself, or counts up in every second character: `a1b2c3d4e5f6`.
fn is_patterned(value: &[u8]) -> bool {
    let repeats = |period: usize| value.get(period..).is_some_and(|rest| value.starts_with(rest));
    let steps = value.iter().zip(value.iter().skip(2));
    let up = steps.filter(|(before, after)| before.wrapping_add(1) == **after).count();
    up * 3 >= value.len() || (4..=value.len() / 2).any(repeats)
}

//! Long runs of the characters of Base64, in which there are keys and nothing that people write.

use std::ops::Range;

use super::classes::Class;

/// The fewest characters of a run.
pub(super) const LEAST: usize = 24;

/// For each byte whether it is one of these characters.
static IN_RUNS: [bool; 256] = {
    let mut all = [false; 256];
    let mut byte = 0;
    while byte < 128 {
        all[byte as usize] = Class::BASE64.has(byte);
        byte += 1;
    }
    all
};

/// Returns all runs of a text with at least so many characters, each as long as it is, in order. Of
/// prose it looks at few bytes: where one of `least` bytes cannot be in a run, none begins before it.
pub(super) fn of(text: &str, least: usize) -> Vec<Range<usize>> {
    let is_in = |byte: &u8| IN_RUNS.get(usize::from(*byte)).is_some_and(|is_in| *is_in);
    let mut runs = Vec::new();
    let bytes = text.as_bytes();
    let mut start = 0;
    while let Some(window) = bytes.get(start..start + least) {
        if let Some(other) = window.iter().rposition(|byte| !is_in(byte)) {
            start += other + 1;
            continue;
        }
        let rest = bytes.get(start + least..).unwrap_or_default();
        let end = start + least + rest.iter().take_while(|byte| is_in(byte)).count();
        runs.push(start..end);
        start = end + 1;
    }
    runs
}

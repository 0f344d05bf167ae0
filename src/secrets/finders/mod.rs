//! Secrets without an issuer, which are recognised by their context.

mod addresses;
mod assigned;
mod blocks;
mod commands;
mod requests;
mod strength;
mod tokens;

use super::rule::Rule;

/// All tables of rules.
pub(super) static TABLES: &[&[Rule]] =
    &[addresses::ROWS, assigned::ROWS, blocks::ROWS, commands::ROWS, requests::ROWS, tokens::ROWS];

/// Returns the end of the line at `at`, at most `most` bytes further, at a character boundary.
fn line_end(text: &str, at: usize, most: usize) -> usize {
    let rest = text.as_bytes().get(at..).unwrap_or_default();
    let end = rest.iter().take(most).position(|byte| *byte == b'\n');
    let mut end = at + end.unwrap_or(rest.len().min(most));
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    end
}

//! Secrets without an issuer: what they stand in gives them away.

mod addresses;
mod assigned;
mod blocks;
mod commands;
mod requests;
mod strength;
mod tokens;

use super::rule::Rule;

/// All of them.
pub(super) static TABLES: &[&[Rule]] =
    &[addresses::ROWS, assigned::ROWS, blocks::ROWS, commands::ROWS, requests::ROWS, tokens::ROWS];

/// Where the line ends in which `at` stands, `most` bytes on at most, at a character's border.
fn line_end(text: &str, at: usize, most: usize) -> usize {
    let rest = text.as_bytes().get(at..).unwrap_or_default();
    let end = rest.iter().take(most).position(|byte| *byte == b'\n');
    let mut end = at + end.unwrap_or(rest.len().min(most));
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    end
}

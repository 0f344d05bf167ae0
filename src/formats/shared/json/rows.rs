//! Iterates over the lines of a text with their positions.

/// Returns the lines of a text with their numbers, from 1, and their byte offsets.
pub(crate) fn rows(text: &str) -> impl Iterator<Item = (u32, usize, &str)> {
    let mut at = 0;
    (1..).zip(text.split_inclusive('\n')).map(move |(number, row)| {
        let start = at;
        at += row.len();
        (number, start, row.trim_end_matches('\n'))
    })
}

//! Finds the line and column of each finding in the files of its conversation.

use super::inspect::Found;
use crate::diag::{Lines, Span};
use crate::formats::Input;

/// The maximum number of findings to locate per part; others get the line of their turn.
const MAX_LOCATED: usize = 200;

/// Sets the locations of findings in a part of a source that was read from `inputs`. `label` is the file
/// name to use if nothing else is known.
pub fn locate(found: &mut [&mut Found], inputs: &[Input], label: &str) {
    if found.is_empty() {
        return;
    }
    let texts: Vec<_> = inputs.iter().map(|input| String::from_utf8_lossy(&input.bytes)).collect();
    let lines: Vec<_> = texts.iter().map(|text| Lines::new(text)).collect();
    for (number, found) in found.iter_mut().enumerate() {
        let file = found.turn.map_or(0, |turn| turn.file);
        let Some(input) = inputs.get(file) else {
            found.finding.at.file = label.to_owned();
            continue;
        };
        found.finding.at.file.clone_from(&input.path);
        let first_line = input.first_line;
        let turn_line = found.turn.map_or(first_line, |turn| turn.line);
        let exact = texts.get(file).zip(lines.get(file)).and_then(|(text, lines)| {
            let start = start_of_line(text, turn_line.saturating_sub(first_line));
            // A key of several lines is located by its first line.
            let what = found.secret.lines().next().filter(|line| !line.is_empty())?;
            let at = start + text.get(start..)?.find(what)?;
            Some(lines.span(at..at + what.len()))
        });
        let span = exact.filter(|_| number < MAX_LOCATED).map_or_else(
            || Span { line: turn_line, ..Span::default() },
            // Only the position, so that reports do not quote the line.
            |span| Span {
                line: span.line + first_line - 1,
                column: span.column,
                end_column: span.column,
                ..Span::default()
            },
        );
        found.finding.at.span = Some(span);
    }
}

/// Returns the byte at which a line starts, given the number of lines before it; 0 if there are not that
/// many.
fn start_of_line(text: &str, lines: u32) -> usize {
    match lines {
        0 => 0,
        lines => {
            let mut ends = text.match_indices('\n');
            ends.nth(lines as usize - 1).map_or(0, |(end, _)| end + 1)
        }
    }
}

//! Replaces parts of a text.

use std::ops::Range;

use crate::model::TextRole;
use crate::rendered_text::Literals;

/// Returns a text with each range replaced; `None` without any range. The ranges are sorted by their starts, and those
/// that overlap are replaced as one.
pub(super) fn replaced<'a>(
    text: &str,
    role: TextRole,
    ranges: impl Iterator<Item = (&'a Range<usize>, &'a str)>,
) -> Option<String> {
    let mut ranges = ranges.peekable();
    ranges.peek()?;
    let literals = (role == TextRole::Markdown).then(|| Literals::new(text));
    let mut out = String::with_capacity(text.len());
    let mut done = 0;
    for (range, with) in ranges {
        // A range that starts inside a replaced one is part of it.
        if range.start >= done {
            out.push_str(text.get(done..range.start)?);
            match &literals {
                Some(literals) => out.push_str(&literals.at(range, with)),
                None => out.push_str(with),
            }
        }
        done = done.max(range.end);
    }
    out.push_str(text.get(done..)?);
    Some(out)
}

//! Finds lines that have the form of a speaker delimiter, wherever they are.

use std::ops::Range;

/// A line that CommonMark would read as a level-3 ATX heading at document level, and whose text starts with
/// `@` and a name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Delimiter<'a> {
    /// The line without its line end.
    pub(super) line: Range<usize>,
    /// The name, raw and trimmed, never empty.
    pub(super) name: &'a str,
    /// Spaces before the hashes, 0 to 3.
    pub(super) indent: usize,
    /// Whether exactly one space is between the hashes and `@`, as in the specification.
    pub(super) exact: bool,
}

/// Returns all lines of this form in `text`.
pub(super) fn find_all(text: &str) -> impl Iterator<Item = Delimiter<'_>> {
    let mut from = 0;
    std::iter::from_fn(move || {
        // `###` is rare in most texts, so searching for it is faster than checking every line.
        while let Some(found) = text.get(from..)?.find("###") {
            let at = from + found;
            // The search never starts inside a line.
            let start = from + text[from..at].rfind('\n').map_or(0, |newline| newline + 1);
            let end = text[at..].find('\n').map_or(text.len(), |newline| at + newline);
            from = end + 1;
            if let Some(delimiter) = delimiter(text, start, at, end) {
                return Some(delimiter);
            }
        }
        None
    })
}

/// Returns the delimiter in the line `start..end`, whose first `###` is at `hashes`.
fn delimiter(text: &str, start: usize, hashes: usize, end: usize) -> Option<Delimiter<'_>> {
    let indent = hashes - start;
    if indent > 3 || !text[start..hashes].bytes().all(|byte| byte == b' ') {
        return None;
    }
    let heading = text[hashes + 3..end].strip_prefix([' ', '\t'])?;
    let name = heading_text(heading).strip_prefix('@')?.trim();
    let exact = heading.starts_with('@');
    (!name.is_empty()).then_some(Delimiter { line: start..end, name, indent, exact })
}

/// Returns the text of an ATX heading: trimmed, without the closing hashes.
fn heading_text(heading: &str) -> &str {
    let heading = heading.trim_matches([' ', '\t']);
    let open = heading.trim_end_matches('#');
    if open.is_empty() || open.ends_with([' ', '\t']) { open.trim_end() } else { heading }
}

#[cfg(test)]
mod tests {
    use super::find_all;

    #[track_caller]
    fn check(text: &str, expected: &[&str]) {
        let names: Vec<_> = find_all(text).map(|found| found.name).collect();
        assert_eq!(names, expected);
    }

    #[test]
    fn a_name_is_raw_and_trimmed() {
        check("### @Ada Lovelace", &["Ada Lovelace"]);
        check("  ###  @ Ada\t \n   ### @*Bob* `x` ###", &["Ada", "*Bob* `x`"]);
        check("### @C#\n### @C# #\n### @C # ##", &["C#", "C#", "C #"]);
        check("### @سلمى\n### @🦊 (fox)", &["سلمى", "🦊 (fox)"]);
    }

    #[test]
    fn other_lines_are_not_delimiters() {
        check("### Ada\n#### @Ada\n## @Ada\n###@Ada\n    ### @Ada\n### @\n### @ ##", &[]);
        check("text ### @Ada\n\\### @Ada\n> ### @Ada\n\t### @Ada", &[]);
    }
}

//! Words that continue in the next line, behind what programs and people put in front of each line: line
//! numbers, and the marks of diffs, comments and tables. Lines that only rule off and time stamps in
//! brackets are removed too, as in excerpts.

use super::layer::Layer;
use crate::text::{is_rule, stamp_len};

/// The maximum number of marks in front of a line.
const MAX_MARKS: usize = 4;
/// The maximum length of the name of a file in front of a line, in bytes.
const MAX_PLACE_BYTES: usize = 400;

/// Returns a text with spaces in place of the marks before its lines; `None` if it has no marks.
pub(super) fn removed(written: &str) -> Option<Layer> {
    let mut without = Without { written, layer: Layer::default(), done: 0, is_changed: false };
    // Where the text to replace starts: at the end of the line above.
    let mut gap = None;
    let mut at = 0;
    for line in written.split_inclusive('\n') {
        let start = at;
        at += line.len();
        let text = start + mark_len(line);
        if text > start {
            gap.get_or_insert(start.saturating_sub(1));
        }
        if is_rule(line) {
            gap.get_or_insert(start.saturating_sub(1));
            continue;
        }
        if let Some(from) = gap.take() {
            without.replace(from, text);
        }
        without.add_line(text, at - usize::from(line.ends_with('\n')));
    }
    without.keep(written.len());
    without.is_changed.then_some(without.layer)
}

/// The text so far.
struct Without<'a> {
    written: &'a str,
    layer: Layer,
    /// The offset in `written` up to which it is complete.
    done: usize,
    is_changed: bool,
}

impl Without<'_> {
    fn keep(&mut self, end: usize) {
        self.layer.text.push_str(self.written.get(self.done..end).unwrap_or_default());
        self.done = self.done.max(end);
    }

    /// Puts a space in place of a range.
    fn replace(&mut self, from: usize, to: usize) {
        self.keep(from);
        self.layer.put(" ", self.done..to);
        self.done = self.done.max(to);
        self.is_changed = true;
    }

    /// Adds the text of a line without time stamps.
    fn add_line(&mut self, from: usize, to: usize) {
        let mut at = from;
        while let Some(rest) = self.written.get(at..to)
            && let Some(found) = rest.find('[')
        {
            let start = at + found;
            let len = self.written.get(start..to).and_then(stamp_len);
            if let Some(len) = len {
                self.replace(start, start + len);
            }
            at = start + len.unwrap_or(1);
        }
        self.keep(to);
    }
}

/// Returns the length of all marks in front of a line.
fn mark_len(line: &str) -> usize {
    let mut rest = line;
    for _ in 0..MAX_MARKS {
        let bare = rest.trim_start_matches([' ', '\t']);
        let len = one_mark(bare);
        if len == 0 {
            break;
        }
        rest = bare.get(len..).unwrap_or_default();
    }
    line.len() - rest.len()
}

/// Returns the length of the mark at the start of a line, or 0. List marks are followed by one space and
/// are not diff marks.
fn one_mark(line: &str) -> usize {
    let run = |marks: &[u8]| line.bytes().take_while(|byte| marks.contains(byte)).count();
    let behind = |len: usize| line.get(len..).unwrap_or_default();
    let digits = run(b"0123456789");
    let separators = ['\u{2192}', '\t', ':', '-', '|', '\u{2502}'];
    match line.chars().next() {
        Some('0'..='9') => {
            let mark = behind(digits).chars().next().filter(|mark| separators.contains(mark));
            mark.map_or_else(|| place_len(line), |mark| digits + mark.len_utf8())
        }
        Some('-') if line.starts_with("--") => run(b"-"),
        Some('+' | '-') if is_item(behind(1)) => 0,
        Some('/') if line.starts_with("//") => run(b"/!"),
        Some(mark @ ('+' | '-' | '>' | '|' | '\u{2502}' | '\u{2503}')) => mark.len_utf8(),
        Some('#' | ';') => run(b"#;"),
        _ => place_len(line),
    }
}

/// Returns whether a text follows the mark of a list.
fn is_item(behind: &str) -> bool {
    behind.strip_prefix(' ').is_some_and(|text| !text.starts_with(' '))
}

/// Returns the length of a file name with a line number, as tools print them: `src/a.rs:12:`, or `-` in
/// place of `:`.
fn place_len(line: &str) -> usize {
    let bytes = line.as_bytes();
    let word = bytes.iter().take(MAX_PLACE_BYTES).take_while(|byte| !byte.is_ascii_whitespace());
    let word = bytes.get(..word.count()).unwrap_or_default();
    let Some(name) = word.iter().position(|byte| b"./\\".contains(byte)) else { return 0 };
    let ends = |at: &usize| {
        let rest = word.get(at + 1..).unwrap_or_default();
        let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
        (digits > 0 && rest.get(digits) == word.get(*at)).then_some(at + digits + 2)
    };
    let marks = (name..word.len()).filter(|at| matches!(word.get(*at), Some(b':' | b'-')));
    marks.filter_map(|at| ends(&at)).next().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::removed;

    #[test]
    fn marks_in_front_of_lines_are_spaces() {
        for (written, without) in [
            ("a heron\n    12\u{2192}deal b", "a heron deal b"),
            ("1\ta heron\n2\tdeal", " a heron deal"),
            ("+a heron\n+deal", " a heron deal"),
            ("-a heron\n-deal", " a heron deal"),
            ("# a heron\n# deal", "  a heron  deal"),
            ("a heron\n/// deal", "a heron  deal"),
            ("src/a.rs:1:a heron\nsrc/a.rs-2-deal", " a heron deal"),
            ("a heron\n-----\ndeal", "a heron deal"),
            ("a heron [12:34] deal", "a heron   deal"),
            ("a heron\n\n+deal", "a heron\n deal"),
        ] {
            assert_eq!(removed(written).map(|layer| layer.text).as_deref(), Some(without));
        }
        for written in ["a heron\ndeal", "- heron\n- deal", "1. heron\n2. deal", "heron[1]\ndeal"] {
            assert!(removed(written).is_none(), "{written}");
        }
    }
}

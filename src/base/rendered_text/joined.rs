//! Joins values that something splits: `abc**def**ghi`, `abc<wbr>def`, `abc[def](url)`, and strings
//! that continue in the next line.
//!
//! Only the joined stretches are kept, each with the text before and after it on its line, and each
//! on its own line.

use std::ops::Range;

use super::layer::Layer;

/// The maximum length of a gap, such as the URL of a link, in bytes.
const MAX_GAP_BYTES: usize = 1000;
/// The maximum length of a value on either side of a gap, in bytes.
const MAX_VALUE_BYTES: usize = 1500;
/// The number of bytes kept before and after a value on its line, which may name it.
const CONTEXT_BYTES: usize = 100;
/// What the joined values are searched for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Wanted {
    Secrets,
    /// Words and names, which may contain spaces.
    Words,
}

impl Wanted {
    /// Returns the minimum length of a value split by markup, in bytes.
    fn min_bytes(self) -> usize {
        match self {
            Self::Secrets => 10,
            Self::Words => 3,
        }
    }
}

/// The minimum length of a value that continues in another string or line, in bytes. The last word
/// of a line and the first word of the next one are usually shorter together.
const MIN_CONTINUED_BYTES: usize = 30;

/// The joined stretches of a text.
#[derive(Default)]
pub(super) struct Joined {
    /// Values split by markup.
    pub(super) markup: Vec<Layer>,
    /// Values also split by line ends and by operators between strings.
    pub(super) continued: Option<Layer>,
}

/// Something between two parts of a value.
struct Gap {
    range: Range<usize>,
    /// Whether the value continues in another string or line.
    is_continued: bool,
}

/// Returns the joined values of a text.
pub(super) fn joined(written: &str, wanted: Wanted) -> Joined {
    let mut joined = Joined::default();
    let gaps = gaps(written, wanted, false);
    if gaps.is_empty() {
        return joined;
    }
    let (markup, continued) = layers(written, &gaps, wanted.min_bytes());
    joined.markup.extend(markup);
    joined.continued = continued;
    // The alternative text of an image may be visible or not, and so may the beginning of a comment that
    // contains the beginning of another one.
    let comments = memchr::memmem::find_iter(written.as_bytes(), b"<!--");
    if written.contains("![") || comments.take(2).count() == 2 {
        let gaps = self::gaps(written, wanted, true);
        joined.markup.extend(layers(written, &gaps, wanted.min_bytes()).0);
    }
    joined
}

fn layers(written: &str, gaps: &[Gap], min_bytes: usize) -> (Option<Layer>, Option<Layer>) {
    let mut markup = Stretches::new(written);
    let mut continued = Stretches::new(written);
    let mut rest = gaps;
    while let Some(end) = chain_end(written, rest) {
        let (chain, after) = rest.split_at(end);
        rest = after;
        if chain.iter().any(|gap| gap.is_continued) {
            continued.add(chain, after.first(), MIN_CONTINUED_BYTES);
            let mut parts = chain.split(|gap| gap.is_continued).peekable();
            while let Some(part) = parts.next() {
                let next = parts.peek().and_then(|part| part.first()).or(after.first());
                markup.add(part, next, min_bytes);
            }
        } else {
            markup.add(chain, after.first(), min_bytes);
        }
    }
    (markup.finish(), continued.finish())
}

/// Returns how many of the first gaps belong to the same value.
fn chain_end(written: &str, gaps: &[Gap]) -> Option<usize> {
    let continues = |two: &[Gap]| match two {
        [one, next] => {
            let between = written.get(one.range.end..next.range.start);
            between.is_some_and(|text| text.bytes().all(is_of_value))
        }
        _ => false,
    };
    let joined = gaps.windows(2).take_while(|two| continues(two)).count();
    (!gaps.is_empty()).then_some(joined + 1)
}

/// A layer built from stretches.
struct Stretches<'a> {
    written: &'a str,
    layer: Layer,
    done: usize,
}

impl<'a> Stretches<'a> {
    fn new(written: &'a str) -> Self {
        Self { written, layer: Layer::default(), done: 0 }
    }

    /// Adds the value split by these gaps, if it is at least `min_bytes` long. `next` is the gap
    /// after them.
    fn add(&mut self, gaps: &[Gap], next: Option<&Gap>, min_bytes: usize) {
        let (Some(first), Some(last)) = (gaps.first(), gaps.last()) else { return };
        let bytes = self.written.as_bytes();
        let before = bytes.get(..first.range.start).unwrap_or_default().iter().rev();
        let before = before.take(MAX_VALUE_BYTES).take_while(|byte| is_of_value(**byte));
        let start = first.range.start - before.count();
        let after = bytes.get(last.range.end..).unwrap_or_default().iter();
        let after = after.take(MAX_VALUE_BYTES).take_while(|byte| is_of_value(**byte));
        let end = last.range.end + after.count();
        let removed: usize = gaps.iter().map(|gap| gap.range.len()).sum();
        if end - start < removed + min_bytes {
            return;
        }
        let is_in_line = |byte: &&u8| **byte != b'\n';
        let before = bytes.get(..start).unwrap_or_default().iter().rev();
        let before = before.take(CONTEXT_BYTES).take_while(is_in_line).count();
        let after = bytes.get(end..).unwrap_or_default().iter();
        let after = after.take(CONTEXT_BYTES).take_while(is_in_line).count();
        let start = self.written.ceil_char_boundary(start - before);
        // The context of a value must not reach into the next gap, whose value starts before it.
        let most = next.map_or(self.written.len(), |gap| gap.range.start);
        let end = self.written.floor_char_boundary((end + after).min(most));
        // A value that starts before the end of the last stretch continues it.
        if start > self.done || self.layer.text.is_empty() {
            self.layer.put("\n", self.done..start);
            self.done = start;
        }
        for gap in gaps {
            self.keep(gap.range.start);
            self.layer.omit(self.done..gap.range.end.max(self.done), true);
            self.done = gap.range.end.max(self.done);
        }
        self.keep(end);
    }

    fn keep(&mut self, end: usize) {
        self.layer.text.push_str(self.written.get(self.done..end).unwrap_or_default());
        self.done = end.max(self.done);
    }

    fn finish(self) -> Option<Layer> {
        (!self.layer.text.is_empty()).then_some(self.layer)
    }
}

/// Returns the gaps inside values, in order. With `is_inner`, the alternative text of an image is part of a
/// value, and so is the beginning of a comment before that of another one.
fn gaps(written: &str, wanted: Wanted, is_inner: bool) -> Vec<Gap> {
    let bytes = written.as_bytes();
    let mut gaps = Vec::new();
    let mut at = 0;
    let begins = |byte: &u8| BEGINS.get(usize::from(*byte)).is_some_and(|begins| *begins);
    while let Some(next) = bytes.get(at..).and_then(|rest| rest.iter().position(begins)) {
        let done = at;
        let found = at + next;
        at = found + 1;
        let start = found - blanks_before_line_end(bytes, done..found);
        // An escaped mark may be next to a space inside a name.
        let may_be_beside_space = wanted == Wanted::Words && bytes.get(start) == Some(&b'\\');
        let is_behind = |at: usize| {
            let may_be = |byte: &u8| is_joint(*byte) || may_be_beside_space && *byte == b' ';
            bytes.get(at).is_some_and(may_be)
        };
        if !start.checked_sub(1).is_some_and(is_behind) {
            continue;
        }
        let (end, is_continued) = gap_end(written, found, is_inner);
        if end > found && is_behind(end) {
            gaps.push(Gap { range: start..end, is_continued });
            at = end;
        }
    }
    gaps
}

/// Returns the number of blanks at the end of a range that a line end follows.
fn blanks_before_line_end(bytes: &[u8], range: Range<usize>) -> usize {
    match bytes.get(range.end) {
        Some(b'\n' | b'\r') => {
            let before = bytes.get(range).unwrap_or_default().iter().rev();
            before.take_while(|byte| matches!(byte, b' ' | b'\t')).count()
        }
        _ => 0,
    }
}

/// Whether a gap may start with each byte.
static BEGINS: [bool; 256] = {
    let mut all = [false; 256];
    // The last one starts U+2028.
    let marks = b"*~`$<[]!\\\n\r\"'&}\xe2";
    let mut at = 0;
    while at < marks.len() {
        all[marks[at] as usize] = true;
        at += 1;
    }
    all
};

/// Returns whether a byte can be part of a value.
fn is_of_value(byte: u8) -> bool {
    byte.is_ascii_graphic() && !b"\"'`<>[](){}*~|\\".contains(&byte)
}

/// Returns whether a byte can be part of a value next to a gap.
fn is_joint(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"_-+/=.:&%;".contains(&byte)
}

/// Returns the end of the gap at `start`, and whether the value continues in another string or
/// line.
fn gap_end(written: &str, start: usize, is_inner: bool) -> (usize, bool) {
    let bytes = written.as_bytes();
    let (mut at, mut is_continued) = (start, false);
    while at - start < MAX_GAP_BYTES {
        if let Some(len) = markup(written, at, is_inner) {
            at += len;
        } else if let Some(len) = continued(bytes, at) {
            at += len;
            is_continued = true;
        } else {
            break;
        }
    }
    (at, is_continued)
}

/// Returns the length of the markup at an offset.
fn markup(written: &str, at: usize, is_inner: bool) -> Option<usize> {
    let rest = written.as_bytes().get(at..)?;
    let rest = rest.get(..rest.len().min(MAX_GAP_BYTES))?;
    let to = |end: u8| memchr::memchr(end, rest).map(|place| place + 1);
    let behind = |end: &[u8]| Some(memchr::memmem::find(rest, end)? + end.len());
    match rest {
        [b'*' | b'~' | b'`' | b'$', ..] => Some(1),
        // Its end may be escaped as well.
        [b'<', b'!', b'-', b'-', inside @ ..] => {
            let ends = [&b"-->"[..], b"--!>", br"--\>"].into_iter().filter_map(behind);
            let next = memchr::memmem::find(inside, b"<!--").filter(|_| is_inner);
            ends.min().filter(|end| next.is_none_or(|next| b"<!--".len() + next >= *end))
        }
        [b'<', b'?', ..] => behind(b"?>"),
        [b'<', b'!', b'[', ..] => behind(b"]]>"),
        [b'<', b'!' | b'/' | b'a'..=b'z' | b'A'..=b'Z', ..] => to(b'>'),
        // Escaped marks split a value too.
        [b'\\', mark, ..] if mark.is_ascii_punctuation() && !b"\\\"'".contains(mark) => Some(1),
        // `\mathtt{a}\mathtt{b}` of a formula.
        [b'}', b'\\', command @ ..] => {
            let name = command.iter().take_while(|byte| byte.is_ascii_alphabetic()).count();
            (name > 0 && command.get(name) == Some(&b'{')).then_some(name + 3)
        }
        [b'[', b'^', ..] | [b'[', b'\\', b'^', ..] => to(b']'),
        [b'!', b'[', ..] if is_inner => Some(2),
        [b'!', b'[', ..] => {
            let alt = to(b']')?;
            Some(alt + target(rest.get(alt..)?).unwrap_or(0))
        }
        [b'[', ..] => Some(1),
        [b']', ..] => Some(1 + target(rest.get(1..)?).unwrap_or(0)),
        _ => None,
    }
}

/// Returns the length of a link target after the link text: `(url)`, `(url "title")` or `[label]`.
fn target(rest: &[u8]) -> Option<usize> {
    let end = match rest.first()? {
        b'(' => b')',
        b'[' => b']',
        _ => return None,
    };
    let end = memchr::memchr(end, rest)?;
    let inside = rest.get(1..end)?.trim_ascii();
    let blank = inside.iter().position(u8::is_ascii_whitespace);
    let after = blank.and_then(|blank| inside.get(blank..)).map(<[u8]>::trim_ascii_start);
    // After a blank, only a title can follow.
    let has_title = || after.is_none_or(|after| matches!(after.first(), Some(b'"' | b'\'' | b'(')));
    let is_target = rest.starts_with(b"[") || inside.starts_with(b"<") || has_title();
    is_target.then_some(end + 1)
}

/// What separates lines, besides line ends, and blanks that are written as references.
const SEPARATORS: [&[u8]; 4] =
    [b"&NewLine;", b"&Tab;", "\u{2028}".as_bytes(), "\u{2029}".as_bytes()];

/// Returns the length of the text between two lines or strings of a value: a `\` at the end of a
/// line with quote or diff marks on the next one, or `" + "`.
fn continued(bytes: &[u8], at: usize) -> Option<usize> {
    let rest = bytes.get(at..)?;
    let rest = rest.get(..rest.len().min(MAX_GAP_BYTES))?;
    let run = |from: usize, marks: &[u8]| {
        let rest = rest.get(from..).unwrap_or_default();
        rest.iter().take_while(|byte| marks.contains(byte)).count()
    };
    let slashes = run(0, b"\\");
    let line_end = slashes + run(slashes, b" \t");
    if matches!(rest.get(line_end), Some(b'\n' | b'\r')) {
        let mut end = line_end + run(line_end, b"\r");
        end += usize::from(rest.get(end) == Some(&b'\n'));
        end += run(end, b" \t>|");
        // A single mark of a diff or comment.
        end += match rest.get(end..) {
            Some([b'<', b' ', ..]) => 1,
            _ => run(end, b"+-#").min(1),
        };
        return Some(end + run(end, b" \t"));
    }
    match rest.get(slashes)? {
        quote @ (b'"' | b'\'') => {
            let mut end = slashes + 1 + run(slashes + 1, b" \t\r\n+.&|>\\;");
            end += appended_len(rest.get(end..)?);
            let between = rest.get(slashes + 1..end)?;
            // Two kinds of strings are only joined by an operator.
            let is_joined = between.iter().any(|byte| b"+.&".contains(byte));
            // `b"..."`
            let prefix =
                rest.get(end..)?.iter().take(2).take_while(|byte| b"bBfFrRuU".contains(byte));
            end += prefix.count();
            end += run(end, b"\\");
            let next = rest.get(end)?;
            (next == quote || is_joined && b"\"'".contains(next)).then_some(end + 1)
        }
        _ => SEPARATORS.into_iter().find(|mark| rest.starts_with(mark)).map(<[u8]>::len),
    }
}

/// Returns the length of `name +=` at the start of a text, with the blanks after it, or 0.
fn appended_len(text: &[u8]) -> usize {
    let is_of_name = |byte: &&u8| byte.is_ascii_alphanumeric() || b"_$.".contains(byte);
    let is_blank = |byte: &&u8| matches!(byte, b' ' | b'\t');
    let name = text.iter().take_while(is_of_name).count();
    let mark = name + text[name..].iter().take_while(is_blank).count();
    match text[mark..] {
        [b'+' | b'.', b'=', ..] if name > 0 => {
            mark + 2 + text[mark + 2..].iter().take_while(is_blank).count()
        }
        _ => 0,
    }
}

//! Values that something splits, joined: `abc**def**ghi`, `abc<wbr>def`, `abc[def](url)`, and strings
//! that go on in the next line.
//!
//! Only the stretches in which something was joined are kept, each with what is before and after it on
//! its line, one stretch a line.

use std::ops::Range;

use super::layer::Layer;

/// The most bytes of one thing that splits a value, such as a link's URL.
const MAX_GAP_BYTES: usize = 1000;
/// The most bytes of a value on either side of a gap.
const MAX_VALUE_BYTES: usize = 1500;
/// The bytes of the line that are kept before and after a value: the name that it is given.
const CONTEXT_BYTES: usize = 100;
/// What is searched for in the joined values.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Wanted {
    Secrets,
    /// Words and names, which may consist of several words.
    Words,
}

impl Wanted {
    /// The fewest bytes of a value that markup splits.
    fn min_bytes(self) -> usize {
        match self {
            Self::Secrets => 10,
            Self::Words => 3,
        }
    }
}

/// The fewest bytes of a value that goes on in another string or line. Two words at the end and the
/// beginning of lines have fewer.
const MIN_CONTINUED_BYTES: usize = 30;

/// The stretches of a text in which something was joined.
#[derive(Default)]
pub(super) struct Joined {
    /// Without markup inside of values.
    pub(super) markup: Vec<Layer>,
    /// Without line ends and operators between strings either.
    pub(super) continued: Option<Layer>,
}

/// Something between two parts of a value.
struct Gap {
    range: Range<usize>,
    /// Whether the value goes on in another string or line.
    is_continued: bool,
}

/// Returns the values of a text that something splits.
pub(super) fn joined(written: &str, wanted: Wanted) -> Joined {
    let mut joined = Joined::default();
    let gaps = gaps(written, wanted, false);
    if gaps.is_empty() {
        return joined;
    }
    let (markup, continued) = layers(written, &gaps, wanted.min_bytes());
    joined.markup.extend(markup);
    joined.continued = continued;
    if written.contains("![") {
        // The text that stands for a picture may be shown or not.
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

/// Returns how many of the first gaps are in one value.
fn chain_end(written: &str, gaps: &[Gap]) -> Option<usize> {
    let goes_on = |two: &[Gap]| match two {
        [one, next] => {
            let between = written.get(one.range.end..next.range.start);
            between.is_some_and(|text| text.bytes().all(is_of_value))
        }
        _ => false,
    };
    let joined = gaps.windows(2).take_while(|two| goes_on(two)).count();
    (!gaps.is_empty()).then_some(joined + 1)
}

/// A layer that is being made of stretches.
struct Stretches<'a> {
    written: &'a str,
    layer: Layer,
    done: usize,
}

impl<'a> Stretches<'a> {
    fn new(written: &'a str) -> Self {
        Self { written, layer: Layer::default(), done: 0 }
    }

    /// Adds the value that these gaps split, if it has so many bytes. `next` is the gap after them.
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
        // What is around a value never reaches into the next gap: the value there begins before it.
        let most = next.map_or(self.written.len(), |gap| gap.range.start);
        let end = self.written.floor_char_boundary((end + after).min(most));
        // One that begins where the last stretch has not ended goes on with it.
        if start > self.done || self.layer.text.is_empty() {
            self.layer.put("\n", self.done..start);
            self.done = start;
        }
        for gap in gaps {
            self.keep(gap.range.start);
            self.layer.leave_out(self.done..gap.range.end.max(self.done), true);
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

/// Returns what splits values, in order. `keeps_alt` tells that the text of a picture is part of the
/// value.
fn gaps(written: &str, wanted: Wanted, keeps_alt: bool) -> Vec<Gap> {
    let bytes = written.as_bytes();
    let mut gaps = Vec::new();
    let mut at = 0;
    let begins = |byte: &u8| BEGINS.get(usize::from(*byte)).is_some_and(|begins| *begins);
    while let Some(next) = bytes.get(at..).and_then(|rest| rest.iter().position(begins)) {
        let start = at + next;
        at = start + 1;
        // A mark that a text shows as it is may be beside the space within a name.
        let may_be_beside_space = wanted == Wanted::Words && bytes.get(start) == Some(&b'\\');
        let is_behind = |at: usize| {
            let may_be = |byte: &u8| is_joint(*byte) || may_be_beside_space && *byte == b' ';
            bytes.get(at).is_some_and(may_be)
        };
        if !start.checked_sub(1).is_some_and(is_behind) {
            continue;
        }
        let (end, is_continued) = gap_end(written, start, keeps_alt);
        if end > start && is_behind(end) {
            gaps.push(Gap { range: start..end, is_continued });
            at = end;
        }
    }
    gaps
}

/// For each byte whether a gap may begin with it.
static BEGINS: [bool; 256] = {
    let mut all = [false; 256];
    let marks = b"*~`$<[]!\\\n\r\"'";
    let mut at = 0;
    while at < marks.len() {
        all[marks[at] as usize] = true;
        at += 1;
    }
    all
};

/// Returns whether a byte is part of a value.
fn is_of_value(byte: u8) -> bool {
    byte.is_ascii_graphic() && !b"\"'`<>[](){}*~|\\".contains(&byte)
}

/// Returns whether a byte is part of a value where something splits it.
fn is_joint(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"_-+/=.:&%;".contains(&byte)
}

/// Returns where what splits a value ends, and whether it is continued in another string or line.
fn gap_end(written: &str, start: usize, keeps_alt: bool) -> (usize, bool) {
    let bytes = written.as_bytes();
    let (mut at, mut is_continued) = (start, false);
    while at - start < MAX_GAP_BYTES {
        if let Some(len) = markup(written, at, keeps_alt) {
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

/// Returns the length of the markup at a place.
fn markup(written: &str, at: usize, keeps_alt: bool) -> Option<usize> {
    let rest = written.as_bytes().get(at..)?;
    let rest = rest.get(..rest.len().min(MAX_GAP_BYTES))?;
    let to = |end: u8| memchr::memchr(end, rest).map(|place| place + 1);
    match rest {
        [b'*' | b'~' | b'`' | b'$', ..] => Some(1),
        // Its end may be shown as it is, too.
        [b'<', b'!', b'-', b'-', ..] => [&b"-->"[..], br"--\>"]
            .into_iter()
            .filter_map(|end| Some(memchr::memmem::find(rest, end)? + end.len()))
            .min(),
        [b'<', b'/' | b'a'..=b'z' | b'A'..=b'Z', ..] => to(b'>'),
        // Marks that a text is to show as they are split a value all the same.
        [b'\\', mark, ..] if mark.is_ascii_punctuation() && !b"\\\"'".contains(mark) => Some(1),
        [b'[', b'^', ..] | [b'[', b'\\', b'^', ..] => to(b']'),
        [b'!', b'[', ..] if keeps_alt => Some(2),
        [b'!', b'[', ..] => {
            let alt = to(b']')?;
            Some(alt + target(rest.get(alt..)?).unwrap_or(0))
        }
        [b'[', ..] => Some(1),
        [b']', ..] => Some(1 + target(rest.get(1..)?).unwrap_or(0)),
        _ => None,
    }
}

/// Returns the length of the target of a link behind its text: `(url)` or `[label]`.
fn target(rest: &[u8]) -> Option<usize> {
    let end = match rest.first()? {
        b'(' => b')',
        b'[' => b']',
        _ => return None,
    };
    memchr::memchr(end, rest).map(|place| place + 1)
}

/// Returns the length of what is between two lines or strings of one value: `\` at the end of a line and
/// the marks of a quotation or a diff, or `" + "`.
fn continued(bytes: &[u8], at: usize) -> Option<usize> {
    let rest = bytes.get(at..)?;
    let rest = rest.get(..rest.len().min(MAX_GAP_BYTES))?;
    let run = |from: usize, marks: &[u8]| {
        let rest = rest.get(from..).unwrap_or_default();
        rest.iter().take_while(|byte| marks.contains(byte)).count()
    };
    let slashes = run(0, b"\\");
    match rest.get(slashes)? {
        b'\n' | b'\r' => {
            let mut end = slashes + run(slashes, b"\r");
            end += usize::from(rest.get(end) == Some(&b'\n'));
            end += run(end, b" \t>|");
            // One mark of a diff or a comment.
            end += run(end, b"+-#").min(1);
            Some(end + run(end, b" \t"))
        }
        quote @ (b'"' | b'\'') => {
            let between = slashes + 1 + run(slashes + 1, b" \t\r\n+.&|>\\");
            let slashes = run(between, b"\\");
            (rest.get(between + slashes) == Some(quote)).then_some(between + slashes + 1)
        }
        _ => None,
    }
}

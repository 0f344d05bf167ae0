//! Finds which code fences and raw HTML blocks contain lines that look like turn headings, and which of
//! them were left open by mistake.
//!
//! A closing fence of three backticks looks like an opening one, so the text alone does not tell which is
//! which when a turn heading is between them. Among all ways to read a text, [`places`] picks the one with
//! the lowest cost. These cost something:
//!
//! * a block that its author forgot to close, and more so one that contains such lines and is still open at
//!   the end of the text;
//! * a fence that closes a block although it has a blank line or a colon before it and text after it, like
//!   an opening fence, or the reverse;
//! * a fence with a language name inside a block of such fences, or an HTML comment that starts inside
//!   another one;
//! * a block that is left open right after its first line;
//! * to a lesser degree, each line that is only code: a block with more than a few dozen of them was more
//!   likely left open.

use std::borrow::Cow;
use std::ops::Range;

use convo_base::commonmark::{Block, outline};
use convo_base::fences::{Fence, FenceMark, may_have_fences};

/// A line that would open a turn.
pub(crate) struct Head {
    /// The byte offset at which it starts.
    pub(crate) start: usize,
    /// Whether the line contains no text of the turn.
    pub(crate) bare: bool,
    /// Whether it certainly opens a turn if that is possible at all.
    pub(crate) wanted: bool,
}

/// Where a [`Head`] is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Place {
    /// Outside any block.
    Outside,
    /// In code that contains it as an example.
    Inside,
    /// In a block that was left open, and that it ends.
    Ends,
}

/// Returns the place of each of `heads`, which must be in order, in `range` of `text`. Takes linear time.
pub(crate) fn places(text: &str, range: Range<usize>, heads: &[Head]) -> Vec<Place> {
    let mut places = vec![Place::Outside; heads.len()];
    let part = &text[range.clone()];
    let raw = || part.contains('<') && RAW_HTML.iter().any(|(open, _)| part.contains(open));
    if heads.is_empty() || !(may_have_fences(part) || raw()) {
        return places;
    }
    let mut decided = Vec::new();
    let mut best = read(&markers(part, range.start, heads), heads, &mut decided);
    while let Some(index) = best {
        let Decision { before, head, place } = decided[index];
        places[head] = place;
        best = before;
    }
    places
}

/// Returns the text with its last code fence or HTML block closed if it was left open.
pub(crate) fn closed(text: &str) -> Cow<'_, str> {
    let mut state = State::Outside;
    for marker in markers(text, 0, &[]) {
        state = match (marker, state) {
            (Marker::Fence(fence, _), State::Outside) => State::Fence(fence.mark),
            (Marker::Raw(kind), State::Outside) => State::Raw(kind),
            (Marker::Fence(fence, _), State::Fence(mark)) if fence.closes(mark) => State::Outside,
            (Marker::End(kind), State::Raw(open)) if kind == open => State::Outside,
            (_, state) => state,
        };
    }
    if state == State::Outside {
        return text.into();
    }
    // What looks like a block may not be one in Markdown, such as a fence inside other HTML.
    let Some((Block::Verbatim, range)) = outline(text).pop() else { return text.into() };
    let first = text[range.clone()].lines().next().unwrap_or_default().trim();
    let close = match state {
        State::Fence(mark) if Fence::of(first).is_some() => mark.closing(),
        State::Raw(kind) if raw(first) == Some(kind) => RAW_HTML[kind].1.to_owned(),
        _ => return text.into(),
    };
    if !text[range.end..].trim().is_empty() {
        return text.into();
    }
    format!("{}\n{close}", text.trim_end_matches('\n')).into()
}

/// The start and end markers of raw HTML blocks that may contain blank lines. The start must be at the
/// start of a line.
const RAW_HTML: [(&str, &str); 7] = [
    ("<!--", "-->"),
    ("<pre", "</pre>"),
    ("<script", "</script>"),
    ("<style", "</style>"),
    ("<textarea", "</textarea>"),
    ("<![CDATA[", "]]>"),
    ("<?", "?>"),
];

/// What the lines around a fence suggest: that it opens or closes a block.
#[derive(Clone, Copy, PartialEq, Eq)]
enum FenceHint {
    Opening,
    Closing,
    Either,
}

/// A line that may open or close a block, or a turn.
#[derive(Clone, Copy)]
enum Marker<'a> {
    /// The head with this index, and whether it directly follows a fence.
    Head(usize, bool),
    Fence(Fence<'a>, FenceHint),
    /// The start of one of [`RAW_HTML`].
    Raw(usize),
    /// The end of one of [`RAW_HTML`].
    End(usize),
}

/// The kind of the last line that is not blank.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Line {
    /// No such line, or a bare head.
    None,
    Fence,
    Text,
    /// Text that ends in a colon.
    Colon,
}

/// Returns the markers in `text`, which starts at byte `from`.
fn markers<'a>(text: &'a str, from: usize, heads: &[Head]) -> Vec<Marker<'a>> {
    let mut markers = Vec::new();
    let mut seen = [false; RAW_HTML.len()];
    let (mut last, mut blank, mut list) = (Line::None, true, false);
    let mut at = from;
    let mut next_head = 0;
    let mut lines = text.split_inclusive('\n').peekable();
    while let Some(line) = lines.next() {
        let start = at;
        at += line.len();
        let bare = line.trim();
        if bare.is_empty() {
            blank = true;
            continue;
        }
        let is_head =
            |index: usize, at: usize| heads.get(index).is_some_and(|head: &Head| head.start == at);
        while heads.get(next_head).is_some_and(|head| head.start < start) {
            next_head += 1;
        }
        let indent = line.len() - line.trim_start_matches(' ').len();
        if is_item(&line[indent..]) {
            list = true;
        } else if indent <= 1 && blank {
            list = false;
        }
        let mut kind = if bare.ends_with(':') { Line::Colon } else { Line::Text };
        if is_head(next_head, start) {
            let head = &heads[next_head];
            markers.push(Marker::Head(next_head, last == Line::Fence));
            kind = if head.bare { Line::None } else { Line::Text };
        } else if indent <= 3
            && !(list && indent > 1)
            && let Some(fence) = Fence::of(bare)
        {
            let free = blank || matches!(last, Line::None | Line::Colon);
            let more =
                lines.peek().is_some_and(|next| !next.trim().is_empty() && !is_head(next_head, at));
            let looks = match (free, more) {
                (true, true) => FenceHint::Opening,
                (false, false) => FenceHint::Closing,
                _ => FenceHint::Either,
            };
            markers.push(Marker::Fence(fence, looks));
            kind = Line::Fence;
        } else if let Some(raw) = raw(bare).filter(|_| indent <= 3) {
            seen[raw] = true;
            markers.push(Marker::Raw(raw));
        }
        let ended = (0..RAW_HTML.len()).filter(|kind| seen[*kind] && ends(bare, *kind));
        markers.extend(ended.map(Marker::End));
        (last, blank) = (kind, false);
    }
    markers
}

/// Returns whether a line starts a list item.
fn is_item(line: &str) -> bool {
    let digits = line.len() - line.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let marker = match digits {
        0 => line.strip_prefix(['-', '*', '+']),
        1..=9 => line[digits..].strip_prefix(['.', ')']),
        _ => None,
    };
    marker.is_some_and(|rest| rest.starts_with([' ', '\t']))
}

/// Returns which of [`RAW_HTML`] starts on a line, given without its indentation.
fn raw(line: &str) -> Option<usize> {
    RAW_HTML.iter().position(|(open, _)| {
        let starts = line.get(..open.len()).is_some_and(|start| start.eq_ignore_ascii_case(open));
        let tag = open.ends_with(|c: char| c.is_ascii_alphabetic());
        starts && (!tag || !line[open.len()..].starts_with(char::is_alphanumeric))
    })
}

/// Returns whether a line ends one of [`RAW_HTML`].
fn ends(line: &str, raw: usize) -> bool {
    let end = RAW_HTML[raw].1;
    let bytes = line.as_bytes();
    let mut from = 0;
    while let Some(found) = line[from..].find(['-', '<', ']', '?']) {
        let at = from + found;
        let rest = &bytes[at..];
        if rest.len() >= end.len() && rest[..end.len()].eq_ignore_ascii_case(end.as_bytes()) {
            return true;
        }
        from = at + 1;
    }
    false
}

/// The cost of a block that was not closed.
const UNCLOSED_COST: usize = 20;
/// The cost of a block that contains heads and is open at the end.
const OPEN_AT_END_COST: usize = 80;
/// The cost of a block that is left open right after its first line.
const EMPTY_BLOCK_COST: usize = 30;
/// The cost of a block that starts within a block of its own kind.
const NESTED_COST: usize = 30;
/// The cost of a fence that does the opposite of what it looks like.
const MISPLACED_FENCE_COST: usize = 50;
/// The cost of a head that is code.
const CODE_COST: usize = 1;
/// The cost of a head that is code although it is wanted.
const WANTED_AS_CODE_COST: usize = 10_000;

/// The maximum number of readings that are compared (the width of a beam search). Two are enough unless
/// fences of different lengths are nested.
const BEAM_WIDTH: usize = 4;

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    Outside,
    Fence(FenceMark),
    Raw(usize),
}

/// A decision about a head inside a block.
struct Decision {
    /// The previous decision.
    before: Option<usize>,
    head: usize,
    place: Place,
}

/// A hypothesis of the beam search: a way to read a text up to some line.
#[derive(Clone, Copy)]
struct Hypothesis {
    state: State,
    /// Whether the open block contains a head.
    holds: bool,
    cost: usize,
    /// The last [`Decision`].
    decided: Option<usize>,
}

/// Returns the last decision of the cheapest reading of a text.
fn read(markers: &[Marker], heads: &[Head], decided: &mut Vec<Decision>) -> Option<usize> {
    let start = Hypothesis { state: State::Outside, holds: false, cost: 0, decided: None };
    let mut hypotheses = vec![start];
    for marker in markers {
        let mut next: Vec<Hypothesis> = Vec::with_capacity(BEAM_WIDTH + 1);
        for hypothesis in hypotheses {
            let mut go = |state: State, cost: usize, decided: Option<usize>| {
                let inside = state != State::Outside;
                let holds = inside && (hypothesis.holds || decided != hypothesis.decided);
                let hypothesis = Hypothesis { state, holds, cost: hypothesis.cost + cost, decided };
                match next.iter_mut().find(|other| other.state == state) {
                    Some(other) if other.cost <= hypothesis.cost => {}
                    Some(other) => *other = hypothesis,
                    None => next.push(hypothesis),
                }
            };
            match (*marker, hypothesis.state) {
                (Marker::Head(head, first), state) if state != State::Outside => {
                    let mut decide = |place| {
                        decided.push(Decision { before: hypothesis.decided, head, place });
                        Some(decided.len() - 1)
                    };
                    let empty = if first { EMPTY_BLOCK_COST } else { 0 };
                    go(State::Outside, UNCLOSED_COST + empty, decide(Place::Ends));
                    let cost = if heads[head].wanted { WANTED_AS_CODE_COST } else { CODE_COST };
                    go(state, cost, decide(Place::Inside));
                }
                (Marker::Fence(fence, looks), State::Outside) => {
                    let odd = fence.info.is_empty() && looks == FenceHint::Closing;
                    let cost = if odd { MISPLACED_FENCE_COST } else { 0 };
                    go(State::Fence(fence.mark), cost, hypothesis.decided);
                }
                (Marker::Fence(fence, looks), State::Fence(open)) if fence.closes(open) => {
                    let cost = if looks == FenceHint::Opening { MISPLACED_FENCE_COST } else { 0 };
                    go(State::Outside, cost, hypothesis.decided);
                }
                (Marker::Fence(fence, _), State::Fence(open))
                    if !fence.info.is_empty() && fence.mark == open =>
                {
                    go(hypothesis.state, NESTED_COST, hypothesis.decided);
                }
                (Marker::Raw(kind), State::Outside) => {
                    go(State::Raw(kind), 0, hypothesis.decided);
                }
                (Marker::Raw(kind), State::Raw(open)) if kind == open => {
                    go(hypothesis.state, NESTED_COST, hypothesis.decided);
                }
                (Marker::End(kind), State::Raw(open)) if kind == open => {
                    go(State::Outside, 0, hypothesis.decided);
                }
                _ => go(hypothesis.state, 0, hypothesis.decided),
            }
        }
        next.sort_by_key(|hypothesis| hypothesis.cost);
        next.truncate(BEAM_WIDTH);
        hypotheses = next;
    }
    let cost = |hypothesis: &Hypothesis| {
        let end = match hypothesis.state {
            State::Outside => 0,
            _ if hypothesis.holds => OPEN_AT_END_COST,
            _ => UNCLOSED_COST,
        };
        hypothesis.cost + end
    };
    hypotheses
        .iter()
        .min_by_key(|hypothesis| cost(hypothesis))
        .and_then(|hypothesis| hypothesis.decided)
}

#[cfg(test)]
mod tests {
    use super::{Head, Place, closed, places};

    /// Checks where heads are. `H` lines are bare heads; `expected` has `.` for each one outside a block,
    /// `c` for code and `!` where it ends a block.
    #[track_caller]
    fn check(text: &str, expected: &str) {
        let mut heads = Vec::new();
        let mut at = 0;
        for line in text.split_inclusive('\n') {
            if line.trim_end() == "H" {
                heads.push(Head { start: at, bare: true, wanted: false });
            }
            at += line.len();
        }
        let seen: String = places(text, 0..text.len(), &heads)
            .into_iter()
            .map(|place| match place {
                Place::Outside => '.',
                Place::Inside => 'c',
                Place::Ends => '!',
            })
            .collect();
        assert_eq!(seen, expected, "{text}");
    }

    #[test]
    fn a_block_that_is_closed_holds_code() {
        check("H\nSee:\n\n```\nH\nHi.\n\nH\nHo.\n```\n\nH\nFine.\n", ".cc.");
        check("H\nSee:\n```text\nH\nHi.\n```\nand so on\n\nH\nFine.\n", ".c.");
        check("H\n~~~\nH\n```\n~~~\n\nH\n", ".c.");
        check("H\n````\n```\nH\n```\n````\n\nH\n", ".c.");
        check("H\n\n```\nH\na\n```\n\nthen\n\n```\nH\nb\n```\n\nH\n", ".cc.");
        check("H\n<!--\nH\nhidden\n-->\n\nH\n", ".c.");
        check("H\n<pre>\n\nH\n\n</pre>\n\nH\n", ".c.");
        check("H\n<?php\n\nH\n\n?>\n\nH\n", ".c.");
    }

    #[test]
    fn a_block_that_is_left_open_ends_at_the_next_head() {
        check("H\n```\ncode\n\nH\ntext\n", ".!");
        check("H\n```\ncode\n\nH\ntext\n\nH\nmore\n", ".!.");
        check("H\n```\ncode\n\nH\nSee:\n\n```\ncode\n```\n\nH\n", ".!.");
        check("H\n```py\ncode\n\nH\nSee\n```js\ncode\n```\nH\n", ".!.");
        check("H\n<!--\n\nH\n<!-- b -->\n\nH\n", ".!.");
        check("H\n```\nH\n", ".!");
    }

    #[test]
    fn two_turns_with_open_fences_differ_from_one_that_shows_the_other() {
        // The second fence has a blank line before it and text after it: it opens.
        check("H\nSee:\n\n```\ncode\n\nH\nSo:\n\n```\ncode\n\nH\nFine.\n", ".!!");
        check("H\nSee:\n```\ncode\n\nH\nSo:\n```\ncode\n\nH\nFine.\n", ".!!");
        // It has text before it and none after it: it closes.
        check("H\nSee:\n\n```\ncode\n\nH\nSo.\n```\n\ncode\n\nH\nFine.\n", ".c.");
    }

    #[test]
    fn fences_of_lists_and_quotes_hold_no_heads() {
        check("H\n- ```\n  code\n  ```\n\nH\n", "..");
        check("H\n- a\n\n  ```\n  code\n\nH\n", "..");
        check("H\n> ```\n> code\n\nH\n", "..");
        check("H\n    ```\n\nH\n", "..");
    }

    #[test]
    fn many_headings_are_not_code() {
        let many = "H\ntext\n\n".repeat(60);
        let text = format!("H\n```\ncode\n\n{many}a\n```\nb\n\nH\n");
        check(&text, &format!(".!{}!", ".".repeat(59)));
    }

    #[test]
    fn open_elements_are_closed() {
        assert_eq!(closed("a\n```x\nb"), "a\n```x\nb\n```");
        assert_eq!(closed("~~~~\nb\n```"), "~~~~\nb\n```\n~~~~");
        assert_eq!(closed("<!-- a"), "<!-- a\n-->");
        assert_eq!(closed("```\na\n```"), "```\na\n```");
        assert_eq!(closed("- ```\n  a"), "- ```\n  a");
        assert_eq!(closed("<div>\n```\n</div>"), "<div>\n```\n</div>");
    }
}

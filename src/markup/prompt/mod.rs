//! Prompts as they were typed: pasted logs, code and the like are code blocks, although no fence is around
//! them, and long prompts are folded.
//!
//! Nothing is lost: lines are only grouped, and fences are added around groups.

mod pasted;

use std::borrow::Cow;

use self::pasted::{Pasted, pasted};

/// The number of lines of a prompt that is not folded.
const MAX_LINES: usize = 24;
/// The number of lines of a folded prompt that are visible, at least.
const VISIBLE_LINES: usize = 12;

/// The maximum number of times that lines without a blank line between them are searched.
const MAX_SEARCHES: usize = 32;

/// A prompt whose end is folded.
pub struct Folded<'a> {
    /// The visible beginning, as Markdown.
    pub start: Cow<'a, str>,
    /// The folded rest, as Markdown.
    pub rest: Cow<'a, str>,
    /// The number of folded lines.
    pub lines: usize,
}

/// A line, with its line end, and the fence that it is inside of.
struct Line<'a> {
    text: &'a str,
    fence: Option<&'a str>,
}

/// Returns a prompt with fences around pasted text that is not prose.
pub fn with_fences(text: &str) -> Cow<'_, str> {
    let lines = lines(text);
    let mut out = String::new();
    let mut done = 0;
    let mut at = 0;
    // The end of the run that is searched, and how often it was.
    let (mut end, mut searches) = (0, 0);
    while at < lines.len() {
        if at >= end {
            end = at + lines[at..].iter().take_while(|line| is_in_run(line)).count();
            searches = 0;
        }
        if end == at {
            at += 1;
            continue;
        }
        if searches == MAX_SEARCHES {
            at = end;
            continue;
        }
        searches += 1;
        let run: Vec<&str> = lines[at..end].iter().map(|line| line.text).collect();
        let Some(Pasted { lines: range, language }) = pasted(&run) else {
            at = end;
            continue;
        };
        let (start, mut last, mut run_end) = (at + range.start, at + range.end, end);
        // What is pasted goes on behind blank lines.
        while last == run_end {
            let next = last + lines[last..].iter().take_while(|line| is_blank(line)).count();
            let stop = next + lines[next..].iter().take_while(|line| is_in_run(line)).count();
            let more: Vec<&str> = lines[next..stop].iter().map(|line| line.text).collect();
            let same = |found: &Pasted| found.language == language && found.lines.start == 0;
            let found = pasted(&more).filter(same).map(|found| found.lines.end);
            let whole = || pasted::continues(&more, language).then_some(more.len());
            let Some(len) = found.or_else(whole) else { break };
            (last, run_end) = (next + len, stop);
        }
        let range = offset(text, lines[start].text)..end_of(text, lines[last - 1].text);
        let code = &text[range.clone()];
        let before = &text[done..range.start];
        out.push_str(before);
        let mark = fence_for(code);
        out.push_str(&mark);
        out.push_str(language);
        out.push('\n');
        out.push_str(code);
        if !code.ends_with('\n') {
            out.push('\n');
        }
        out.push_str(&mark);
        out.push('\n');
        done = range.end;
        at = last;
    }
    match done {
        0 => Cow::Borrowed(text),
        _ => Cow::Owned(out + &text[done..]),
    }
}

/// Returns a long prompt with its end folded, or `None` if it is short. A fence at the cut is closed and
/// opened again.
pub fn folded(text: &str) -> Option<Folded<'_>> {
    let lines = lines(text);
    // Definitions at the end belong to the beginning too.
    if lines.len() <= MAX_LINES || text.contains("[^") || text.contains("]: ") {
        return None;
    }
    let is_start = |line: &Line<'_>| {
        line.fence.is_none() && line.text.starts_with(|c: char| !c.is_whitespace())
    };
    let is_cut = |at: usize| {
        let (before, line) = (&lines[at - 1], &lines[at]);
        is_blank(before) && is_start(line) || line.fence.is_some() && before.fence.is_some()
    };
    let range = VISIBLE_LINES..lines.len() - 3;
    let is_good = |at: &usize| is_cut(*at) && lines[*at].fence.is_none();
    let cut = (VISIBLE_LINES..MAX_LINES.min(range.end)).find(is_good);
    let cut = cut.or_else(|| range.clone().find(|at| is_cut(*at)))?;
    let count = lines.len() - cut;
    let (start, rest) = text.split_at(offset(text, lines[cut].text));
    Some(match lines[cut].fence {
        None => Folded { start: start.into(), rest: rest.into(), lines: count },
        Some(fence) => {
            let mark: String =
                fence.trim_start().chars().take_while(|c| "`~".contains(*c)).collect();
            Folded {
                start: format!("{start}{mark}\n").into(),
                rest: format!("{}\n{rest}", fence.trim_end()).into(),
                lines: count,
            }
        }
    })
}

/// Splits a text into lines, and notes the fence around each. The lines of fences themselves are inside.
fn lines(text: &str) -> Vec<Line<'_>> {
    let mut open: Option<&str> = None;
    let mark = |line: &str| {
        let bare = line.trim_start();
        let c = bare.chars().next().filter(|c| "`~".contains(*c))?;
        let len = bare.chars().take_while(|other| *other == c).count();
        let rest = bare[len..].trim();
        (len >= 3 && !(c == '`' && rest.contains('`'))).then_some((c, len, rest.is_empty()))
    };
    let line = |text| {
        let fence = match (open, mark(text)) {
            (None, Some(_)) => {
                open = Some(text);
                open
            }
            (Some(fence), Some((c, len, true))) => {
                let is_end = mark(fence).is_some_and(|(own, least, _)| own == c && len >= least);
                open = open.filter(|_| !is_end);
                Some(fence)
            }
            (open, _) => open,
        };
        Line { text, fence }
    };
    text.split_inclusive('\n').map(line).collect()
}

fn is_blank(line: &Line<'_>) -> bool {
    line.fence.is_none() && line.text.trim().is_empty()
}

/// Returns whether a line belongs to a group of lines outside of fences.
fn is_in_run(line: &Line<'_>) -> bool {
    line.fence.is_none() && !line.text.trim().is_empty()
}

/// Returns a fence that is not in a text.
fn fence_for(code: &str) -> String {
    let (mut longest, mut run) = (0, 0);
    for c in code.chars() {
        run = if c == '`' { run + 1 } else { 0 };
        longest = longest.max(run);
    }
    "`".repeat(3.max(longest + 1))
}

/// Returns where a part of a text starts in it.
fn offset(text: &str, part: &str) -> usize {
    part.as_ptr() as usize - text.as_ptr() as usize
}

fn end_of(text: &str, part: &str) -> usize {
    offset(text, part) + part.len()
}

#[cfg(test)]
mod tests {
    use super::{folded, with_fences};

    #[test]
    fn pasted_text_is_code_and_nothing_is_lost() {
        for (text, fenced) in [
            ("Why?\nTwo lines.", "Why?\nTwo lines."),
            ("- a\n- b\n\n1. c\n2. d", "- a\n- b\n\n1. c\n2. d"),
            (
                "It fails:\nTraceback (most recent call last):\n  File \"a.py\", line 3\n    x()\nValueError: no\n\nWhy?",
                "It fails:\n```\nTraceback (most recent call last):\n  File \"a.py\", line 3\n    x()\nValueError: no\n```\n\nWhy?",
            ),
            (
                "2026-01-02 10:00:01 INFO a\n2026-01-02 10:00:02 WARN b\n",
                "```\n2026-01-02 10:00:01 INFO a\n2026-01-02 10:00:02 WARN b\n```\n",
            ),
            ("{\n  \"a\": 1\n}", "```json\n{\n  \"a\": 1\n}\n```\n"),
            (
                "--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n-old\n+new\n\n context\n\nApply it.",
                "```diff\n--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n-old\n+new\n\n context\n```\n\nApply it.",
            ),
            (
                "```\n2026-01-02 10:00 a\n2026-01-02 10:01 b\n```",
                "```\n2026-01-02 10:00 a\n2026-01-02 10:01 b\n```",
            ),
        ] {
            let got = with_fences(text);
            assert_eq!(got, fenced, "{text}");
            // Only lines of fences were added.
            let bare = |text: &str| {
                let lines = text.lines().filter(|line| !line.starts_with("```"));
                lines.collect::<Vec<_>>().join("\n")
            };
            assert_eq!(bare(&got), bare(text));
        }
    }

    #[test]
    fn a_long_prompt_is_folded_at_the_end_of_a_paragraph() {
        let text: String = (0..20).map(|n| format!("Line {n}.\n\n")).collect();
        let fold = folded(&text).expect("folded");
        assert_eq!(format!("{}{}", fold.start, fold.rest), text);
        assert!(fold.rest.starts_with("Line ") && fold.lines == 28);
        assert!(folded("a\n\nb").is_none());
        let code = format!("```rs\n{}```\n", "x();\n".repeat(40));
        let fold = folded(&code).expect("folded");
        assert!(fold.start.ends_with("x();\n```\n") && fold.rest.starts_with("```rs\nx();"));
    }
}

//! Splits the body of a tool call into lines of text and code.

use convo_base::fences::{Fence, FenceMark};

/// A piece of the body.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Piece<'a> {
    /// A line that is not blank.
    Line(&'a str),
    /// Code in a fence.
    Code {
        /// The text after the opening fence, such as `diff`.
        info: &'a str,
        text: &'a str,
    },
}

/// Splits the body of a tool call. Tool output may contain fences that look like its own closing fence; the
/// last of them is used.
pub(super) fn split(body: &str) -> Vec<Piece<'_>> {
    let lines: Vec<(usize, &str)> = body
        .split_inclusive('\n')
        .scan(0, |at, line| {
            let start = *at;
            *at += line.len();
            Some((start, line.trim_end_matches('\n')))
        })
        .collect();
    let last = lines.iter().rposition(|(_, line)| !line.trim().is_empty()).unwrap_or(0);
    let mut pieces = Vec::new();
    let mut at = 0;
    let mut label = "";
    while let Some((_, line)) = lines.get(at) {
        let opened = fence(line).or_else(|| opened_behind_label(line));
        let Some(Fence { mark, info }) = opened else {
            if !line.trim().is_empty() {
                pieces.push(Piece::Line(line.trim_end()));
                label = line;
            }
            at += 1;
            continue;
        };
        if fence(line).is_none() {
            pieces.push(Piece::Line(line.trim_end_matches(['`', ' '])));
        }
        let is_printed = info == "text" || info.is_empty() && !is_input(label);
        let end = end_of_code(&lines, at + 1, last, mark, is_printed);
        let from = lines.get(at + 1).map_or(body.len(), |(start, _)| *start);
        let to = lines.get(end).map_or(body.len(), |(start, _)| *start);
        let text = body.get(from..to).unwrap_or_default();
        pieces.push(Piece::Code { info, text: text.strip_suffix('\n').unwrap_or(text) });
        at = end + 1;
        label = "";
    }
    pieces
}

/// Returns whether a line is a label for tool input: `- patch:`.
fn is_input(label: &str) -> bool {
    label.starts_with("- ") && label.trim_end().ends_with(':')
}

/// Reads a line as a fence. The program uses backticks.
fn fence(line: &str) -> Option<Fence<'_>> {
    Fence::of(line).filter(|fence| fence.mark.is_backticks())
}

/// Does the same for `Input: ` followed by a fence.
fn opened_behind_label(line: &str) -> Option<Fence<'_>> {
    let rest = line.strip_prefix("Input")?;
    let (_, marks) = rest.split_once(": ")?;
    fence(marks).filter(|fence| fence.info.is_empty())
}

/// Returns the number of the line that closes the code that starts at line `from`.
fn end_of_code(
    lines: &[(usize, &str)],
    from: usize,
    last: usize,
    mark: FenceMark,
    is_printed: bool,
) -> usize {
    let closes = |line: &str| Fence::of(line).is_some_and(|other| other.closes(mark));
    // A longer fence was chosen to be unambiguous.
    let is_safe = mark.len > 3;
    let closes_last = last >= from && lines.get(last).is_some_and(|(_, line)| closes(line));
    if is_printed && !is_safe && closes_last {
        return last;
    }
    let mut first = None;
    for (number, (_, line)) in lines.iter().enumerate().skip(from) {
        if !closes(line) {
            continue;
        }
        first.get_or_insert(number);
        let next = lines[number + 1..].iter().map(|(_, line)| *line);
        let next = next.take(3).find(|line| !line.trim().is_empty());
        // The closing fence is followed by tool output, a heading or nothing. If two fences are adjacent,
        // the second one closes the code.
        let is_doubled = lines.get(number + 1).is_some_and(|(_, line)| closes(line));
        let is_end = next.is_none_or(|next| {
            fence(next).is_some() && !is_doubled
                || next.starts_with("**")
                || next.starts_with("- ")
                || label(next).is_some()
        });
        if is_safe || is_end {
            return number;
        }
    }
    first.unwrap_or(lines.len())
}

/// The kind of text after a label.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Label {
    Input,
    Output,
    Failure,
}

/// Reads a line such as `**Result:**` or `Output: 3 files`; returns the label and the rest of the line.
pub(super) fn label(line: &str) -> Option<(Label, &str)> {
    const LABELS: [(&str, Label); 12] = [
        ("**Input:**", Label::Input),
        ("**Result:**", Label::Output),
        ("**Output:**", Label::Output),
        ("**Answer:**", Label::Output),
        ("**Error:**", Label::Failure),
        ("Input (truncated):", Label::Input),
        ("Input:", Label::Input),
        ("Output (error):", Label::Failure),
        ("Output:", Label::Output),
        ("Result:", Label::Output),
        ("Error:", Label::Failure),
        ("Parameters:", Label::Input),
    ];
    let found = LABELS.iter().find_map(|(text, label)| Some((*label, line.strip_prefix(text)?)));
    found
        .filter(|(_, rest)| rest.is_empty() || rest.starts_with(' '))
        .map(|(label, rest)| (label, rest.trim()))
}

#[cfg(test)]
mod tests {
    use super::{Piece, split};

    #[track_caller]
    fn check(body: &str, expected: &[(&str, &str)]) {
        let of = |piece: &Piece<'_>| match *piece {
            Piece::Line(line) => ("-".to_owned(), line.to_owned()),
            Piece::Code { info, text } => (info.to_owned(), text.to_owned()),
        };
        let found: Vec<_> = split(body).iter().map(of).collect();
        let expected: Vec<_> =
            expected.iter().map(|(a, b)| ((*a).to_owned(), (*b).to_owned())).collect();
        assert_eq!(found, expected, "{body}");
    }

    #[test]
    fn fences_in_tool_output_do_not_end_it() {
        let printed = "# A\n\n```go\nx\n```\n\nB";
        check(&format!("See\n\n```text\n{printed}\n```\n"), &[("-", "See"), ("text", printed)]);
        check(
            &format!("```md\n{printed}\n```\n\n```text\ndone\n```\n"),
            &[("md", printed), ("text", "done")],
        );
        check("````\n```\nx\n````\n\n````\ny\n````", &[("", "```\nx"), ("", "y")]);
    }

    #[test]
    fn code_follows_labels() {
        check(
            "**Input:**\n\n- patch:\n\n```\na\n```\n\n**Result:**\n\n```\nb\n```",
            &[("-", "**Input:**"), ("-", "- patch:"), ("", "a"), ("-", "**Result:**"), ("", "b")],
        );
        check("\n\nInput: ```\nx\n\n```\n", &[("-", "Input:"), ("", "x\n")]);
        check("```diff\n+a", &[("diff", "+a")]);
    }
}

//! Finds code in Markdown, where citation marks are text and Markdown must not be inserted.

use std::collections::HashMap;
use std::ops::Range;

use convo_base::fences::{FenceLine, Fences};

/// Returns the byte ranges of code blocks and code spans, in order. Runs in linear time.
pub(super) fn ranges(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    if !text.contains(['`', '~']) {
        return found;
    }
    let mut fences = Fences::default();
    // The start of the open block.
    let mut open = None;
    let (mut at, mut paragraph) = (0, 0);
    for line in text.split_inclusive('\n') {
        let start = at;
        at += line.len();
        let seen = fences.next(line);
        // The enclosing list or quotation ended.
        if let FenceLine::Opens(_) | FenceLine::Outside = seen
            && let Some(from) = open.take()
        {
            found.push(from..start);
            paragraph = start;
        }
        match seen {
            FenceLine::Opens(_) => {
                spans(text, paragraph..start, &mut found);
                open = Some(start);
            }
            FenceLine::Closes => {
                found.extend(open.take().map(|from| from..at));
                paragraph = at;
            }
            FenceLine::Outside if line.trim().is_empty() => {
                spans(text, paragraph..start, &mut found);
                paragraph = at;
            }
            FenceLine::Outside | FenceLine::Inside => {}
        }
    }
    match open {
        Some(from) => found.push(from..text.len()),
        None => spans(text, paragraph..text.len(), &mut found),
    }
    found
}

/// Returns whether a byte is in one of the ranges, which are in order.
pub(super) fn holds(ranges: &[Range<usize>], at: usize) -> bool {
    let after = ranges.partition_point(|range| range.end <= at);
    ranges.get(after).is_some_and(|range| range.contains(&at))
}

/// Finds the code spans of a paragraph.
fn spans(text: &str, paragraph: Range<usize>, found: &mut Vec<Range<usize>>) {
    let part = &text[paragraph.clone()];
    let mut runs: Vec<Range<usize>> = Vec::new();
    for (at, _) in part.match_indices('`') {
        let at = paragraph.start + at;
        match runs.last_mut().filter(|run| run.end == at) {
            Some(run) => run.end += 1,
            None => runs.push(at..at + 1),
        }
    }
    // For each run, the next one of the same length.
    let mut next = vec![None; runs.len()];
    let mut known: HashMap<usize, usize> = HashMap::new();
    for (place, run) in runs.iter().enumerate().rev() {
        next[place] = known.insert(run.len(), place);
    }
    let mut place = 0;
    while let Some(run) = runs.get(place) {
        let is_escaped = text[..run.start].ends_with('\\');
        place = match next[place].filter(|_| !is_escaped) {
            Some(end) => {
                found.push(run.start..runs[end].end);
                end + 1
            }
            None => place + 1,
        };
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn blocks_and_spans_are_found() {
        let text = "a `b` c ``d ` e`` `f\n\n```py\nx `y`\n```\ng\n~~~\nh";
        let found: Vec<&str> = super::ranges(text).into_iter().map(|at| &text[at]).collect();
        assert_eq!(found, ["`b`", "``d ` e``", "```py\nx `y`\n```\n", "~~~\nh"]);
        let text = "- ```\n  a\nb `c`\n\n    ```\n`d`";
        let found: Vec<&str> = super::ranges(text).into_iter().map(|at| &text[at]).collect();
        assert_eq!(found, ["- ```\n  a\n", "`c`", "`d`"]);
        let text = "a `b`";
        assert!(super::holds(&super::ranges(text), 3) && !super::holds(&super::ranges(text), 0));
    }
}

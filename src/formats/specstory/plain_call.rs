//! Finds tool calls that are not in a `<tool-use>` element, as in sessions of Cursor from 2025.
//!
//! ````text
//! Tool use: **run_terminal_cmd**
//!
//! ```bash
//! ls
//! ```
//!
//! ---
//! ````
//!
//! A thematic break ends such a call. Files without breaks have the text of the agent directly below the
//! call; then it consists of the labels, code blocks and `<details>` below its first line.

use super::layout::line_at;
use super::pieces::label;
use convo_base::fences::{Fence, FenceMark};
use convo_base::model::ToolKind;

/// The start of the first line of a call.
const MARK: &str = "Tool use: **";
/// The end tag of a call in an element of its own.
const DETAILS_END: &str = "</details>";

/// The built-in tools of Cursor that the oldest files do not name, by how the summary of their output
/// starts.
const SUMMARIES: [(&str, &str); 6] = [
    ("Listed current directory", "list_dir"),
    ("Listed directory ", "list_dir"),
    ("Searched codebase ", "codebase_search"),
    ("Grep search for ", "grep"),
    ("Grep for ", "grep"),
    ("Read lints for ", "read_lints"),
];

/// Returns the name of a tool that a summary does not name.
pub(super) fn tool_of_summary(summary: &str) -> Option<&'static str> {
    let found = SUMMARIES.iter().find(|(start, _)| summary.trim_start().starts_with(start))?;
    Some(found.1)
}

/// Finds the calls of a message.
#[derive(Default)]
pub(super) struct Finder {
    /// The position before which `<details>` elements have no matching ends.
    unmatched_before: usize,
    /// The position before which no thematic break ends a call.
    unbroken_before: usize,
}

impl Finder {
    /// Returns the length of the call at the start of `text`, which starts at the byte `at`.
    pub(super) fn length(&mut self, text: &str, at: usize) -> Option<usize> {
        let limit = at + text.len();
        if let Some(rest) = text.strip_prefix("<details>") {
            let summary = rest.trim_start().strip_prefix("<summary>")?;
            let is_call = summary.starts_with(MARK) || tool_of_summary(summary).is_some();
            return is_call.then(|| self.end_of_details(text, summary, limit));
        }
        let is_known = is_known(text.strip_prefix(MARK)?);
        if limit > self.unbroken_before {
            match end(text, is_known) {
                End::At(end) => return Some(end),
                End::NextCall => {}
                End::Unknown => self.unbroken_before = limit,
            }
        }
        Some(unbroken(text, is_known))
    }

    /// Returns the end of the `<details>` element at the start of a text: the end tag that matches, or else
    /// the first one for a known tool. Without one, the element is the whole text.
    fn end_of_details(&mut self, text: &str, summary: &str, limit: usize) -> usize {
        let is_known = summary.strip_prefix(MARK).is_none_or(is_known);
        if limit > self.unmatched_before || !is_known {
            if let Some(end) = matching_end(text) {
                return end;
            }
            self.unmatched_before = limit;
        }
        let first = text.find(DETAILS_END).filter(|_| is_known);
        first.map_or(text.len(), |at| at + DETAILS_END.len())
    }
}

/// Returns whether the name at the start of a text is that of a known tool. What an unknown one printed may
/// not be shown, so in doubt its output goes on.
fn is_known(text: &str) -> bool {
    let line = text.lines().next().unwrap_or_default();
    let name = line.split("**").next().unwrap_or_default();
    ToolKind::of(name) != ToolKind::Other
}

/// Returns the end of the `<details>` element at the start of a text: the end tag that matches and is not
/// code.
fn matching_end(text: &str) -> Option<usize> {
    let mut fences = OpenFences::default();
    let (mut depth, mut at) = (0u32, 0);
    while let Some(line) = line_at(text, at) {
        at += line.len();
        let bare = line.trim();
        if fences.take(bare) || fences.is_open() {
            continue;
        }
        let is_start = bare.starts_with("<details>");
        depth += u32::from(is_start && !bare.contains(DETAILS_END));
        depth = depth.saturating_sub(u32::from(!is_start && bare.ends_with(DETAILS_END)));
        if depth == 0 {
            return Some(at - (line.len() - line.trim_end().len()));
        }
    }
    None
}

/// Where a call ends.
enum End {
    /// At this byte.
    At(usize),
    /// At another call, without a thematic break in between.
    NextCall,
    /// The text has no thematic break.
    Unknown,
}

/// Finds the end of the call at the start of a text, of a known tool or another.
fn end(text: &str, is_known: bool) -> End {
    let mut fences = OpenFences::default();
    let mut depth = 0u32;
    let mut has_break = false;
    let (mut is_below_block, mut is_first) = (false, true);
    let mut at = line_at(text, 0).map_or(0, str::len);
    while let Some(line) = line_at(text, at) {
        let (start, bare) = (at, line.trim());
        at += line.len();
        let is_fence = fences.take(bare);
        let continues = line_at(text, at).is_some_and(|next| !next.trim().is_empty());
        if !is_fence && bare == "---" && is_below_block && !continues {
            has_break = true;
            let is_code = fences.is_open() || depth > 0;
            // Output may contain breaks and fences that do not match.
            if !is_code || is_known && is_mark(text[at..].trim_start()) {
                return End::At(at);
            }
        } else if !is_fence && !fences.is_open() {
            match bare {
                _ if depth == 0 && bare.starts_with(MARK) => {
                    return if has_break { End::At(start) } else { End::NextCall };
                }
                "</details>" => {
                    depth = depth.saturating_sub(1);
                    if depth == 0 && continues {
                        return End::At(at);
                    }
                }
                _ if bare.starts_with("<details>") => {
                    depth += u32::from(!bare.contains("</details>"));
                }
                _ if is_first && is_known && is_whole(bare) && continues => return End::At(at),
                _ => {}
            }
        }
        is_first &= bare.is_empty();
        is_below_block = bare.is_empty() || is_fence || bare == "</details>";
    }
    if has_break { End::At(text.len()) } else { End::Unknown }
}

/// Returns whether something else than text starts here.
fn is_mark(text: &str) -> bool {
    text.starts_with(MARK) || text.starts_with("<think>")
}

/// Returns whether a line is the whole call below its first line.
fn is_whole(line: &str) -> bool {
    line.starts_with("Read file: ")
}

/// Returns the length of the call at the start of a text without thematic breaks.
fn unbroken(text: &str, is_known: bool) -> usize {
    let first = line_at(text, 0).map_or(0, str::len);
    let (mut at, mut end) = (first, first);
    let mut is_first = true;
    while let Some(line) = line_at(text, at) {
        let bare = line.trim();
        at += line.len();
        if bare.is_empty() {
            continue;
        }
        if let Some(Fence { mark, .. }) = Fence::of(bare) {
            at = below(text, at, |line| Fence::of(line).is_some_and(|other| other.closes(mark)))
                .unwrap_or(text.len());
        } else if is_first && bare.starts_with('`') {
            // A command, which may have several lines.
            let is_end = |line: &str| line.ends_with('`') || line.starts_with(MARK);
            if bare.len() == 1 || !bare.ends_with('`') {
                let Some(found) = below(text, at, is_end) else { break };
                if !text[..found].trim_end().ends_with('`') {
                    break;
                }
                at = found;
            }
        } else if is_first && bare.starts_with("<details>") {
            let is_end = |line: &str| line == "</details>" || line.starts_with(MARK);
            let Some(found) = below(text, at, is_end) else { break };
            if !text[..found].trim_end().ends_with("</details>") {
                break;
            }
            at = found;
        } else if label(bare).is_none() && !(is_first && is_known && is_whole(bare)) {
            break;
        }
        end = at;
        is_first = false;
    }
    end
}

/// Returns the end of the first line after the byte `at` that is the end of a block.
fn below(text: &str, mut at: usize, is_end: impl Fn(&str) -> bool) -> Option<usize> {
    while let Some(line) = line_at(text, at) {
        at += line.len();
        if is_end(line.trim()) {
            return Some(at);
        }
    }
    None
}

/// The open fences. Output may contain fences itself, so one with a language opens another block.
#[derive(Default)]
struct OpenFences(Vec<FenceMark>);

impl OpenFences {
    fn is_open(&self) -> bool {
        !self.0.is_empty()
    }

    /// Returns whether a line is a fence, and opens or closes its block.
    fn take(&mut self, line: &str) -> bool {
        let Some(fence) = Fence::of(line).filter(|fence| fence.mark.is_backticks()) else {
            return false;
        };
        match self.0.last() {
            Some(open) if fence.closes(*open) => _ = self.0.pop(),
            // A longer fence was chosen to be unambiguous.
            Some(open) if open.len > 3 || fence.info.is_empty() => {}
            _ => self.0.push(fence.mark),
        }
        true
    }
}

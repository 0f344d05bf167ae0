//! Finds the messages of a session and the tool calls in them.

use std::ops::Range;

use crate::shared::text::dates;
use convo_base::fences::Fences;
use convo_base::time::Time;

/// A line that starts a message, such as `_**Agent (gpt-5 2026-03-04 10:00:09Z)**_`.
#[derive(Clone, PartialEq, Debug, Default)]
pub(super) struct Header {
    /// Whether the agent speaks, not the user.
    pub(super) is_agent: bool,
    /// Whether it belongs to the conversation of a subagent.
    pub(super) is_sidechain: bool,
    /// Whether the program wrote the message in place of the agent.
    pub(super) is_by_program: bool,
    pub(super) model: Option<String>,
    pub(super) time: Option<Time>,
    /// The mode of the agent, which old files have.
    pub(super) mode: Option<String>,
    /// A label of the message, such as that it was never sent.
    pub(super) label: Option<&'static str>,
}

/// A message: the text below a header, up to the next one.
pub(super) struct Message {
    pub(super) header: Header,
    /// The byte offset of the header.
    pub(super) at: usize,
    /// The content, including blank lines and a trailing `---`.
    pub(super) body: Range<usize>,
}

/// The layout of a session.
pub(super) struct Layout {
    pub(super) messages: Vec<Message>,
    /// The `<tool-use>` elements, in order.
    pub(super) tools: Vec<Range<usize>>,
}

impl Layout {
    /// Finds the messages of a text after the byte `from`.
    pub(super) fn of(text: &str, from: usize) -> Self {
        let tools = tools(text, from);
        let mut messages: Vec<Message> = Vec::new();
        let mut next = tools.iter().peekable();
        let mut at = from;
        while let Some(line) = line_at(text, at) {
            if let Some(tool) = next.next_if(|tool| tool.start <= at) {
                at = tool.end.max(at);
                continue;
            }
            let end = at + line.len();
            if let Some(header) = header(line) {
                if let Some(last) = messages.last_mut() {
                    last.body.end = at;
                }
                messages.push(Message { header, at, body: end..text.len() });
            }
            at = end;
        }
        Self { messages, tools }
    }
}

/// Returns the line that starts at a byte, with its end.
pub(super) fn line_at(text: &str, at: usize) -> Option<&str> {
    text.get(at..)?.split_inclusive('\n').next()
}

/// The line that starts each call and each text of an agent after the first one in the oldest files.
const UNNAMED: &str = "_****_";

/// Reads a line that starts a message.
pub(super) fn header(line: &str) -> Option<Header> {
    if line.trim_end() == UNNAMED {
        return Some(Header { is_agent: true, ..Header::default() });
    }
    let inside = named(line.trim_end())?;
    let who = ["User", "Agent", "Assistant", "Recap"];
    let (who, rest) = who.iter().find_map(|who| Some((*who, inside.strip_prefix(who)?)))?;
    let (is_sidechain, rest) = match rest.strip_prefix(" - sidechain") {
        Some(rest) => (true, rest),
        None => (false, rest),
    };
    let (is_queued, rest) = match rest.strip_prefix(" - queued, not sent") {
        Some(rest) => (true, rest),
        None => (false, rest),
    };
    let label = match who {
        "Recap" => Some("Recap"),
        _ => is_queued.then_some("Queued, not sent"),
    };
    let is_agent = who != "User";
    let header = Header { is_agent, is_sidechain, label, ..Header::default() };
    if rest.is_empty() {
        return Some(header);
    }
    let stamp = rest.strip_prefix(" (")?.strip_suffix(')')?;
    Some(stamped(header, stamp))
}

/// Returns the text of a header: in bold italics or, in newer versions, in a heading with an emoji: `### 👤
/// User (2026-06-19 05:04:33Z)`.
fn named(line: &str) -> Option<&str> {
    let typed = line.strip_prefix("_**").and_then(|rest| rest.strip_suffix("**_"));
    let inside = match (typed, line.strip_prefix("### ")) {
        (Some(inside), _) => inside,
        (None, Some(inside)) => {
            let colored = inside.strip_prefix("<span ").and_then(|rest| rest.split_once('>'));
            let colored = colored.and_then(|(_, rest)| rest.strip_suffix("</span>"));
            let inside = colored.unwrap_or(inside);
            inside.starts_with(['👤', '🤖']).then_some(inside)?
        }
        (None, None) => return None,
    };
    Some(inside.trim_start_matches(['👤', '🤖', ' ']))
}

/// Adds the text in parentheses of a header: a model, a time, or both.
fn stamped(mut header: Header, stamp: &str) -> Header {
    let rest = match split_time(stamp) {
        Some((rest, time)) => {
            header.time = Some(time);
            rest
        }
        None => stamp,
    };
    let mut rest = rest.trim().trim_end_matches(',');
    // Older forms: `model gpt-5, mode Agent` and `model: gpt-5, mode: Agent`.
    let word = |text: &str, key: &str| {
        let value = text.strip_prefix(key)?;
        let value = value.strip_prefix(": ").or_else(|| value.strip_prefix(' '))?;
        Some(value.trim().to_owned())
    };
    if let Some((model, mode)) = rest.split_once(", ")
        && let Some(mode) = word(mode, "mode")
    {
        header.mode = Some(mode);
        rest = model;
    }
    let model = word(rest, "model").unwrap_or_else(|| rest.to_owned());
    header.is_by_program = model.starts_with('<');
    let is_one = !header.is_by_program && !["", "default"].contains(&model.as_str());
    header.model = Some(model).filter(|_| is_one);
    header
}

/// Splits a time off the end of a text: `2026-03-04 10:00:09Z`, with an offset, without seconds, or with a
/// `T`.
pub(super) fn split_time(text: &str) -> Option<(&str, Time)> {
    let mut spaces = text.rmatch_indices(' ').map(|(at, _)| at);
    let starts = [spaces.next(), spaces.next()];
    let starts = starts.into_iter().map(|at| at.map_or(0, |at| at + 1));
    starts.into_iter().find_map(|start| {
        let time = &text[start..];
        let is_iso = time.as_bytes().get(4) == Some(&b'-');
        // File names use other separators.
        let time = dates::iso(time).filter(|_| is_iso).or_else(|| dates::stamp(time))?;
        Some((text[..start].trim_end(), time))
    })
}

/// How many `<tool-use>` elements without an end may cause the rest of a text to be scanned again.
const MAX_RETRIES: u32 = 8;

/// Returns the `<tool-use>` elements of a text after the byte `from` whose tags are at the start of a line.
/// Nested elements are part of the outer one.
fn tools(text: &str, from: usize) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut retries = MAX_RETRIES;
    let mut has_ends = true;
    let mut at = from;
    while let Some(line) = line_at(text, at) {
        let start = at;
        at += line.len();
        if !opens_tool(line) {
            continue;
        }
        let matching = || end_of_tool(text, start, true);
        let mut end = if retries > 0 && has_ends { matching() } else { None };
        if end.is_none() && has_ends {
            retries = retries.saturating_sub(1);
            end = end_of_tool(text, start, false);
            has_ends = end.is_some();
        }
        // An element without an end tag ends at the next header.
        at = end.unwrap_or_else(|| next_header(text, at));
        found.push(start..at);
    }
    found
}

fn opens_tool(line: &str) -> bool {
    line.strip_prefix("<tool-use").is_some_and(|rest| rest.starts_with([' ', '>']))
}

fn closes_tool(line: &str) -> bool {
    line.strip_prefix("</details>").unwrap_or(line).starts_with("</tool-use>")
}

/// Returns the end of the element that starts at `start`: its matching end tag, or the first end tag.
/// Everything in a fence longer than three marks is code.
fn end_of_tool(text: &str, start: usize, is_matching: bool) -> Option<usize> {
    let mut depth = 0u32;
    let mut fence: Option<usize> = None;
    let mut at = start;
    while let Some(line) = line_at(text, at) {
        at += line.len();
        let marks = line.len() - line.trim_start_matches('`').len();
        match fence {
            Some(open) => {
                if marks >= open && line[marks..].trim().is_empty() {
                    fence = None;
                }
                continue;
            }
            None if is_matching && marks > 3 && depth > 0 => {
                fence = Some(marks);
                continue;
            }
            None => {}
        }
        let ends_here = opens_tool(line) && line.contains("</tool-use>");
        if opens_tool(line) && !ends_here && (is_matching || at - line.len() == start) {
            depth += 1;
        } else if closes_tool(line) || ends_here && depth == 0 {
            depth = depth.saturating_sub(1);
            if depth == 0 {
                return Some(at);
            }
        }
    }
    None
}

fn next_header(text: &str, from: usize) -> usize {
    let mut at = from;
    while let Some(line) = line_at(text, at) {
        if header(line).is_some() {
            break;
        }
        at += line.len();
    }
    at
}

/// The top of a text, which distinguishes sessions from other Markdown.
#[derive(Default)]
pub(super) struct Top<'a> {
    /// Whether a comment says that SpecStory wrote the file.
    pub(super) is_generated: bool,
    /// The provider, the id and the time of the session.
    pub(super) session: Option<Session<'a>>,
    /// Its first heading.
    pub(super) heading: Option<&'a str>,
    /// Other text above the first message, as Markdown.
    pub(super) preface: String,
    /// Whether the top contains nothing else.
    pub(super) is_bare: bool,
    /// Whether a line outside code starts a message.
    pub(super) speaks: bool,
    /// Whether there are messages from both sides.
    pub(super) speaks_by_turns: bool,
}

/// The data in the comment at the top of a session.
pub(super) struct Session<'a> {
    pub(super) provider: &'a str,
    pub(super) id: &'a str,
    pub(super) time: Option<Time>,
}

/// The comments are within this many non-blank lines.
const TOP_LINES: usize = 12;

impl<'a> Top<'a> {
    /// Reads the top of a text, and looks for messages below it.
    pub(super) fn of(text: &'a str) -> Self {
        let mut top = Self::default();
        let mut fences = Fences::default();
        let (mut lines, mut users, mut agents) = (0, false, false);
        for line in text.lines() {
            let bare = line.trim();
            if let Some(header) = header(line)
                && !fences.is_open()
            {
                users |= !header.is_agent;
                agents |= header.is_agent;
                if users && agents {
                    break;
                }
                continue;
            }
            fences.next(line);
            if users || agents {
                continue;
            }
            if bare.is_empty() {
                top.preface.push('\n');
                continue;
            }
            lines += 1;
            let is_head = !fences.is_open() && lines <= TOP_LINES;
            // The oldest files have a heading instead of the comment.
            let is_mark = line.starts_with("<!-- Generated by SpecStory")
                || lines == 1 && bare == "## SpecStory";
            if is_head && is_mark {
                top.is_generated = true;
            } else if let Some(session) = session(line).filter(|_| is_head) {
                top.session.get_or_insert(session);
            } else if let Some(heading) = heading(line).filter(|_| top.heading.is_none() && is_head)
            {
                top.heading = Some(heading);
            } else if bare != "---" {
                top.preface.push_str(line);
                top.preface.push('\n');
            }
        }
        top.speaks = users || agents;
        top.speaks_by_turns = users && agents;
        top.is_bare = top.preface.trim().is_empty();
        top
    }
}

fn heading(line: &str) -> Option<&str> {
    let text = line.trim_start_matches('#');
    let is_one = text.len() < line.len() && text.starts_with(' ');
    is_one.then(|| text.trim()).filter(|text| !text.is_empty())
}

/// Reads `<!-- Claude Code Session 3f0c… (2026-03-04 10:00:00Z) -->`.
fn session(line: &str) -> Option<Session<'_>> {
    let inside = line.trim_end().strip_prefix("<!--")?.strip_suffix("-->")?.trim();
    let (provider, rest) = inside.split_once(" Session ")?;
    let (id, stamp) = match rest.split_once(' ') {
        Some((id, stamp)) => (id, stamp.trim().trim_matches(['(', ')'])),
        None => (rest, ""),
    };
    let is_id =
        id.len() >= 8 && id.chars().all(|c| c.is_ascii_alphanumeric() || c == '-' || c == '_');
    let time = split_time(stamp).map(|(_, time)| time);
    is_id.then(|| Session { provider: provider.trim(), id, time })
}

#[cfg(test)]
mod tests {
    use super::{Layout, header};

    #[test]
    fn headers_of_every_age() {
        let read = |line: &str| {
            let found = header(line)?;
            let time = found.time.map(|time| time.as_written().to_owned());
            let model = found.model.unwrap_or_default();
            Some((found.is_agent, found.is_sidechain, model, time.unwrap_or_default()))
        };
        let is = |agent: bool, side: bool, model: &str, time: &str| {
            Some((agent, side, model.to_owned(), time.to_owned()))
        };
        for (line, expected) in [
            ("_**User**_", is(false, false, "", "")),
            ("_**Assistant**_  ", is(true, false, "", "")),
            ("_**User (2026-03-04 05:21Z)**_", is(false, false, "", "2026-03-04 05:21Z")),
            (
                "_**Agent - sidechain (m 1 2026-03-04 10:00:09-0700)**_",
                is(true, true, "m 1", "2026-03-04 10:00:09-0700"),
            ),
            (
                "_**User (2026-03-04T10:00:09.581Z)**_",
                is(false, false, "", "2026-03-04T10:00:09.581Z"),
            ),
            ("_**Agent (model m-1, mode Agent)**_", is(true, false, "m-1", "")),
            ("_**Agent (Some (High) 2)**_", is(true, false, "Some (High) 2", "")),
            ("_**Agent (<synthetic>)**_", is(true, false, "", "")),
            (
                "_**User - queued, not sent (2026-03-04 10:00:09Z)**_",
                is(false, false, "", "2026-03-04 10:00:09Z"),
            ),
            ("_**Recap (2026-03-04 10:00:09Z)**_", is(true, false, "", "2026-03-04 10:00:09Z")),
            ("### 👤 User (2026-03-04 10:00:09Z)", is(false, false, "", "2026-03-04 10:00:09Z")),
            (
                "### <span style=\"color:#2563eb\">👤 User (2026-03-04 10:00:09Z)</span>",
                is(false, false, "", "2026-03-04 10:00:09Z"),
            ),
            ("_**🤖 Agent (m-1)**_", is(true, false, "m-1", "")),
            ("_****_", is(true, false, "", "")),
            ("_**Recapitulation**_", None),
            ("### User", None),
            ("_**Users**_", None),
            (" _**User**_", None),
            ("_**User** said_", None),
        ] {
            assert_eq!(read(line), expected, "{line}");
        }
    }

    #[test]
    fn only_tools_hide_headers() {
        let tool = |inside: &str| {
            format!("<tool-use data-tool-name=\"x\"><details>\n{inside}\n</details></tool-use>\n")
        };
        let count = |text: &str| Layout::of(text, 0).messages.len();
        let open = "_**User**_\n```\n_**Agent**_\n";
        assert_eq!(count(open), 2);
        assert_eq!(count(&format!("{open}{}_**User**_\n", tool("_**User**_"))), 3);
        let nested = tool(&tool("_**User**_"));
        assert_eq!(count(&format!("{open}{nested}_**User**_\n")), 3);
        let shown = tool("````\n</details></tool-use>\n_**User**_\n````");
        assert_eq!(count(&format!("{open}{shown}_**User**_\n")), 3);
        assert_eq!(count(&format!("{open}<tool-use>\nx\n_**User**_\n_**Agent**_\n")), 4);
    }
}

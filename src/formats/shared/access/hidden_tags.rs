//! Hidden messages of programs to models, in tags inside other texts: reminders, output of hooks,
//! editor state, and resources of tool servers.

use std::borrow::Cow;

use convo_base::fences::{FenceLine, Fences};
use convo_base::json::Value;
use convo_base::model::{Action, Block, Conversation};

/// The author of a text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Author {
    /// A person or a model, who may write about such a tag. An unclosed tag hides text only at the
    /// start of a line.
    Writer,
    /// A program. An unclosed tag hides the rest of the text.
    Program,
}

/// The names of the tags in lower case without punctuation, apart from those that begin with `ide_`.
const NAMES: [&str; 25] = [
    "systemreminder", "localcommandcaveat", "newdiagnostics", "userpromptsubmithook",
    "pretoolusehook", "posttoolusehook", "sessionstarthook", "sessionendhook", "stophook",
    "subagentstophook", "notificationhook", "precompacthook", "usermemoryinput",
    "environmentcontext", "sessioncontext", "hookcontext", "commandcontents", "forkboilerplate",
    "claudecodehint", "mcpresource", "mcpresourceupdate", "mcppollingupdate", "userpreferences",
    "userstyle", "userexamples",
];

/// A tag in a text.
struct Tag {
    /// Its name, in lower case without punctuation.
    name: String,
    opens: bool,
    /// Whether only blanks, quotation marks and other tags are before it on its line.
    starts_line: bool,
    start: usize,
    end: usize,
    /// The end of its element, for an opening tag that is closed.
    close: Option<usize>,
    /// The end of an element of the same name inside it, which may be its own end.
    inner_close: Option<usize>,
}

/// Returns a text without hidden content.
pub(crate) fn without_hidden(text: &str, author: Author) -> Cow<'_, str> {
    strip(text, Some(author), &mut Vec::new())
}

/// Returns a text without closed elements, and adds their contents to `taken`.
pub(crate) fn take_closed<'t>(text: &'t str, taken: &mut Vec<String>) -> Cow<'t, str> {
    strip(text, None, taken)
}

/// Returns a text without hidden content, which is added to `taken`.
pub(crate) fn take_hidden<'t>(
    text: &'t str,
    author: Author,
    taken: &mut Vec<String>,
) -> Cow<'t, str> {
    strip(text, Some(author), taken)
}

/// Removes hidden content from a text.
pub(crate) fn strip_in(text: &mut String, author: Author) {
    if let Cow::Owned(shown) = without_hidden(text, author) {
        *text = shown;
    }
}

/// Removes hidden content from the inputs of tools.
pub(crate) fn strip_calls(read: &mut Conversation) {
    for block in read.all_turns_mut().flat_map(|turn| &mut turn.blocks) {
        let Block::Tool(call) = block else { continue };
        let mut open: Vec<&mut Value> = call.input.iter_mut().collect();
        while let Some(value) = open.pop() {
            match value {
                Value::String(text) => strip_in(text, Author::Writer),
                Value::Array(list) => open.extend(list),
                Value::Object(map) => open.extend(map.values_mut()),
                _ => {}
            }
        }
        match &mut call.action {
            Some(Action::Command { command, .. }) => strip_in(command, Author::Writer),
            Some(Action::Search { query: Some(query), .. }) => {
                strip_in(query, Author::Writer);
            }
            Some(Action::Plan { steps }) => {
                steps.iter_mut().for_each(|step| strip_in(&mut step.text, Author::Writer));
            }
            Some(Action::Edit { files }) => {
                files.iter_mut().for_each(|file| strip_in(&mut file.diff, Author::Writer));
            }
            _ => {}
        }
    }
}

fn strip<'t>(text: &'t str, author: Option<Author>, taken: &mut Vec<String>) -> Cow<'t, str> {
    let tags = tags(text);
    if tags.is_empty() {
        return Cow::Borrowed(text);
    }
    let fences = fences(text);
    let mut out = String::with_capacity(text.len());
    let mut done = 0;
    for tag in tags.iter().filter(|tag| tag.opens) {
        if tag.start < done {
            continue;
        }
        let end = match (tag.close, author) {
            (Some(close), _) => close,
            (None, Some(Author::Program)) => text.len(),
            // Inside a code block it hides at most the rest of the block.
            (None, Some(Author::Writer)) if tag.starts_line => {
                let fence = fences.partition_point(|(start, _)| *start <= tag.start);
                let fence = fence.checked_sub(1).and_then(|fence| fences.get(fence));
                let end = fence.map(|(_, end)| *end).filter(|end| *end > tag.start);
                end.unwrap_or(text.len())
            }
            _ => match tag.inner_close {
                Some(end) => end,
                None => continue,
            },
        };
        out.push_str(&text[done..tag.start]);
        let inside = text.get(tag.end..end).unwrap_or_default();
        let inside = match tag.close.or(tag.inner_close) {
            Some(_) => inside.rsplit_once("</").map_or(inside, |(inside, _)| inside),
            None => inside,
        };
        taken.push(inside.trim().to_owned());
        done = end;
        // Lines that are hidden completely leave no blank line.
        let begins_line = out.is_empty() || out.ends_with('\n');
        if begins_line && text[done..].starts_with('\n') {
            done += 1;
        }
    }
    if done == 0 {
        return Cow::Borrowed(text);
    }
    let rest = &text[done..];
    out.push_str(rest);
    if is_blank(rest) {
        out.truncate(out.trim_end().len());
    }
    Cow::Owned(out)
}

fn is_blank(text: &str) -> bool {
    text.trim().is_empty()
}

/// Finds the tags of a text and matches opening tags with their ends. If tags of one name are
/// nested, the outer one ends last.
fn tags(text: &str) -> Vec<Tag> {
    let mut tags: Vec<Tag> = Vec::new();
    let mut at = 0;
    // The end of the last tag, and whether it starts its line.
    let (mut seen, mut starts_line) = (0, true);
    while let Some(found) = text[at..].find('<').map(|found| at + found) {
        at = found + 1;
        let inside = &text[at..];
        let (opens, inside) = match inside.strip_prefix('/') {
            Some(inside) => (false, inside),
            None => (true, inside),
        };
        let is_name = |c: char| c.is_ascii_alphanumeric() || "-_".contains(c);
        let length = inside.find(|c| !is_name(c)).unwrap_or(inside.len());
        // No known name is longer.
        if length == 0 || length > 40 {
            continue;
        }
        let written = inside[..length].to_ascii_lowercase();
        let behind = &inside[length..];
        let name = written.replace(['-', '_'], "");
        if !NAMES.contains(&name.as_str()) && !written.starts_with("ide_") {
            continue;
        }
        let name_end = text.len() - behind.len();
        let (end, is_empty) = match behind.find(['<', '>']) {
            Some(length) if behind[length..].starts_with('>') => {
                (name_end + length + 1, behind[..length].ends_with('/'))
            }
            Some(_) => (name_end, false),
            None => (text.len(), false),
        };
        let before = &text[seen..found];
        let in_line = before.rsplit_once('\n').map(|(_, line)| line);
        starts_line = (starts_line || in_line.is_some())
            && in_line.unwrap_or(before).chars().all(|c| c == '>' || c.is_whitespace());
        seen = end;
        let close = (opens && is_empty).then_some(end);
        let inner_close = None;
        tags.push(Tag { name, opens, starts_line, start: found, end, close, inner_close });
    }
    let mut open: std::collections::HashMap<String, Vec<usize>> = Default::default();
    for place in 0..tags.len() {
        let Some(Tag { name, opens, end, close, .. }) = tags.get(place) else { continue };
        let (end, opens, is_empty) = (*end, *opens, close.is_some());
        let waiting = open.entry(name.clone()).or_default();
        if opens && !is_empty {
            waiting.push(place);
        } else if !opens && let Some(opened) = waiting.pop().and_then(|place| tags.get_mut(place)) {
            opened.close = Some(end);
            // Programs write such an element on its own lines: within a line, either may be closed.
            let starts_line = opened.starts_line;
            if !starts_line
                && let Some(outer) = waiting.last().and_then(|place| tags.get_mut(*place))
            {
                outer.inner_close = Some(end);
            }
        }
    }
    tags
}

/// Finds the closed code blocks of a text.
fn fences(text: &str) -> Vec<(usize, usize)> {
    let (mut found, mut open, mut at) = (Vec::new(), None, 0);
    let mut fences = Fences::default();
    for line in text.split_inclusive('\n') {
        match fences.next(line) {
            FenceLine::Opens(_) => open = Some(at),
            FenceLine::Closes => found.extend(open.take().map(|start| (start, at))),
            // The end of a list does not reliably end a block.
            FenceLine::Outside => open = None,
            FenceLine::Inside => {}
        }
        at += line.len();
    }
    found
}

#[cfg(test)]
mod tests {
    use super::{Author, without_hidden};

    #[test]
    fn text_from_programs_to_models_is_hidden_everywhere() {
        for (text, shown) in [
            ("a <system-reminder>S</system-reminder> b", "a  b"),
            ("a\n<System-Reminder x=\"1\">\nS\n</SYSTEM-REMINDER >\nb", "a\nb"),
            ("a\n<system-reminder>S", "a"),
            (
                "a <system-reminder>S <system-reminder>S</system-reminder> S</system-reminder> b",
                "a  b",
            ),
            ("<session-start-hook>S</session-start-hook>a<ide_selection>S</ide_selection>", "a"),
            ("a <system-reminders> b", "a <system-reminders> b"),
            ("a <system-reminder/> b", "a  b"),
            ("a <mcp-resource server=\"x\">S</mcp-resource> b", "a  b"),
            ("a <mcp-resource-update uri=\"x\">S</mcp-resource-update> b", "a  b"),
            ("a\n<mcp-polling-update>S", "a"),
            ("a\n<userPreferences>S</userPreferences>", "a"),
            ("<USERSTYLE a=\"b\">S</userStyle>a", "a"),
            ("a <SystemReminder>S</system_reminder> b", "a  b"),
            ("a\n> <userStyle>S", "a\n>"),
            ("a <userStyles> b", "a <userStyles> b"),
            ("a </userStyle> b", "a </userStyle> b"),
        ] {
            assert_eq!(without_hidden(text, Author::Writer), shown, "{text}");
            assert_eq!(without_hidden(text, Author::Program), shown, "{text}");
        }
    }

    #[test]
    fn text_about_a_tag_is_read() {
        let span = "The tag `<system-reminder>` has no end.\nIt goes on.";
        assert_eq!(without_hidden(span, Author::Writer), span);
        assert_eq!(without_hidden(span, Author::Program), "The tag `");
        // A tag within a line is mentioned, unless an element within a line follows.
        let mentioned = "What is <userStyle> for?\n<userStyle>S</userStyle>\nb";
        let shown = "What is <userStyle> for?\nb";
        assert_eq!(without_hidden(mentioned, Author::Writer), shown);
        let nested = "a <system-reminder>S<system-reminder>S</system-reminder> b";
        assert_eq!(without_hidden(nested, Author::Writer), "a  b");
        assert_eq!(without_hidden(nested, Author::Program), "a");
        let fence = "So:\n```\n<system-reminder>\nS\n```\nIt goes on.";
        let shown = "So:\n```\n```\nIt goes on.";
        assert_eq!(without_hidden(fence, Author::Writer), shown);
        // Code inside a line does not open a block.
        let span = "```a``` b\n<system-reminder>\nS\n```\nS";
        assert_eq!(without_hidden(span, Author::Writer), "```a``` b");
        let list = "- ```\n  <system-reminder>\n  S\nS";
        assert_eq!(without_hidden(list, Author::Writer), "- ```");
    }

    #[test]
    fn many_tags_take_linear_time() {
        for tag in ["<system-reminder>", "<system-reminder ", "</system-reminder>"] {
            let text = format!("a {}", tag.repeat(50_000));
            without_hidden(&text, Author::Writer);
        }
    }
}

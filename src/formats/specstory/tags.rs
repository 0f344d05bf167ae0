//! Reads text that programs write in messages of users: commands and their output, reminders and notices.

use super::parts::Parts;
use crate::shared::access::hidden_tags::{Author, take_closed, take_hidden};
use crate::shared::agents::interruption::after_interruption;
use crate::shared::text::blocks;
use crate::shared::text::escapes::without_escapes;
use convo_base::fences::Fences;
use convo_base::json::Map;
use convo_base::model::{Action, Block, ToolCall, fenced};
use convo_base::text::trim_blank_lines;

/// The content of an element.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Meaning {
    /// A command of the program, such as `/model`.
    Command,
    /// The name of the command again.
    Again,
    /// The arguments of the command.
    Arguments,
    /// The output of the command.
    Output,
    /// The error output of the command.
    Errors,
    /// A shell command.
    Shell,
    /// A notice that a task ended.
    Notice,
}

const TAGS: [(&str, Meaning); 9] = [
    ("command-name", Meaning::Command),
    ("command-message", Meaning::Again),
    ("command-args", Meaning::Arguments),
    ("local-command-stdout", Meaning::Output),
    ("local-command-stderr", Meaning::Errors),
    ("bash-input", Meaning::Shell),
    ("bash-stdout", Meaning::Output),
    ("bash-stderr", Meaning::Errors),
    ("task-notification", Meaning::Notice),
];

/// An element of a program at the start of a text.
struct Element<'a> {
    meaning: Meaning,
    inside: &'a str,
    length: usize,
}

/// Adds the text of a user, and what a program wrote as the user.
pub(super) fn read(body: &str, parts: &mut Parts) {
    let body = &*take_closed(body, &mut parts.hidden);
    if body.trim_start().starts_with(CONTINUED) {
        let summary = blocks::closed(body.trim()).into_owned();
        parts.blocks.push(Block::compaction(Some(summary)));
        return;
    }
    let behind = after_interruption(body);
    parts.blocks.extend(behind.map(|_| Block::interruption()));
    let body = behind.unwrap_or(body);
    let mut taken = 0;
    let mut at = 0;
    let mut fences = Fences::default();
    let mut command = Command::default();
    // If a tag is not closed after one position, it is not closed after later ones either.
    let mut endless = [false; TAGS.len()];
    while at < body.len() {
        let indent = body[at..].len() - body[at..].trim_start().len();
        let start = at + indent;
        if !fences.is_open()
            && let Some(found) = element(&body[start..], &mut endless)
        {
            if !body[taken..at].trim().is_empty() {
                command.end(parts);
            }
            markdown(&body[taken..at], parts);
            command.take(&found, parts);
            at = start + found.length;
            taken = at;
            continue;
        }
        let line = body[at..].split_inclusive('\n').next().unwrap_or_default();
        fences.next(line);
        at += line.len().max(1);
    }
    command.end(parts);
    markdown(&body[taken.min(body.len())..], parts);
}

fn element<'a>(text: &'a str, endless: &mut [bool; TAGS.len()]) -> Option<Element<'a>> {
    let inside = text.strip_prefix('<')?;
    let (index, (name, meaning)) = TAGS.iter().enumerate().find(|(_, (name, _))| {
        inside.strip_prefix(name).is_some_and(|rest| rest.starts_with('>'))
    })?;
    if endless[index] {
        return None;
    }
    let inside = &inside[name.len() + 1..];
    let end = format!("</{name}>");
    let Some(length) = inside.find(&end) else {
        endless[index] = true;
        return None;
    };
    let whole = text.len() - inside.len() + length + end.len();
    Some(Element { meaning: *meaning, inside: &inside[..length], length: whole })
}

/// A command of the program, whose name and arguments are in separate elements.
#[derive(Default)]
struct Command {
    name: Option<String>,
    /// The name without its slash, used if there is no other name.
    message: Option<String>,
    arguments: String,
}

impl Command {
    fn take(&mut self, found: &Element<'_>, parts: &mut Parts) {
        let inside = found.inside.trim();
        match found.meaning {
            Meaning::Command => {
                if self.name.is_some() {
                    self.end(parts);
                }
                self.name = Some(inside.to_owned());
                return;
            }
            Meaning::Again => {
                self.message = Some(inside.to_owned());
                return;
            }
            Meaning::Arguments => {
                self.arguments = inside.to_owned();
                return;
            }
            _ => self.end(parts),
        }
        match found.meaning {
            Meaning::Output => event("output", inside, parts),
            Meaning::Errors => event("error output", inside, parts),
            Meaning::Notice => {
                let inside = take_hidden(inside, Author::Writer, &mut parts.hidden);
                parts.blocks.push(task(&inside));
            }
            _ if inside.is_empty() => {}
            _ => {
                let command = take_hidden(inside, Author::Writer, &mut parts.hidden);
                let command = command.into_owned();
                let input = Map::from_iter([("command".to_owned(), command.as_str().into())]);
                let call = ToolCall {
                    name: "bash".to_owned(),
                    input: Some(input.into()),
                    action: Some(Action::Command { command, exit_code: None }),
                    ..ToolCall::default()
                };
                parts.blocks.push(Block::Tool(Box::new(call)));
            }
        }
    }

    fn end(&mut self, parts: &mut Parts) {
        let command = std::mem::take(self);
        let Some(name) = command.name.or(command.message) else {
            markdown(&command.arguments, parts);
            return;
        };
        let arguments = command.arguments;
        let arguments = take_hidden(&arguments, Author::Writer, &mut parts.hidden);
        let arguments = arguments.into_owned();
        let is_short = !arguments.contains(['\n', '`']) && arguments.chars().count() <= 80;
        match is_short {
            true => {
                let line = format!("{name} {arguments}");
                markdown(&format!("`{}`", line.trim().replace('`', "'")), parts);
            }
            false => {
                markdown(&format!("`{}`", name.replace('`', "'")), parts);
                markdown(&arguments, parts);
            }
        }
    }
}

fn markdown(body: &str, parts: &mut Parts) {
    let body = take_hidden(body, Author::Writer, &mut parts.hidden);
    let body = trim_blank_lines(&body).0;
    if !body.trim().is_empty() {
        let text = blocks::closed(body).into_owned();
        parts.blocks.push(Block::Markdown { text });
    }
}

/// Adds program output: a single line is shown directly, several lines are collapsed.
fn event(name: &str, text: &str, parts: &mut Parts) {
    let text = take_hidden(text, Author::Program, &mut parts.hidden);
    let text = without_escapes(&text);
    let text = text.trim();
    if text.is_empty() {
        return;
    }
    let is_line = !text.contains('\n');
    let detail = (!is_line).then(|| fenced("text", text));
    let line = if is_line { text } else { name };
    parts.blocks.push(Block::Event { name: name.to_owned(), text: line.to_owned(), detail });
}

/// Reads a notice that a task ended: its summary and its result.
fn task(inside: &str) -> Block {
    let field = |name: &str| {
        let (_, rest) = inside.split_once(&format!("<{name}>"))?;
        let end = rest.rfind(&format!("</{name}>")).unwrap_or(rest.len());
        Some(rest[..end].trim()).filter(|text| !text.is_empty())
    };
    let text = field("summary").or(field("status")).unwrap_or_default().to_owned();
    let detail = field("result").map(|result| blocks::closed(result).into_owned());
    Block::Event { name: "task-notification".to_owned(), text, detail }
}

/// The beginning of the text that replaces a compacted context.
const CONTINUED: &str = "This session is being continued from a previous conversation";

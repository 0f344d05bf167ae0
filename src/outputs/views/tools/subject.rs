//! What a tool call is about, in a few words.

use crate::json::{Map, Value};
use crate::locale::Locale;
use crate::model::{Action, StepState, ToolCall, ToolKind};
use crate::text::excerpt;

/// The number of characters of a call's description in its summary line.
const SUBJECT_CHARS: usize = 80;

/// Argument names that describe a call, most specific first.
const KEYS: [&str; 13] = [
    // A search term is more specific than the place of the search.
    "pattern", "file_path", "path", "notebook_path", "command", "query", "url", "description",
    "title", "skill", "prompt", "code", "input",
];

/// Argument names for the path of a file or folder.
const PATH_KEYS: [&str; 10] = [
    "file_path", "filePath", "path", "target_file", "absolute_path", "AbsolutePath",
    "notebook_path", "filepath", "filename", "file",
];
/// Argument names for what is looked for.
const PATTERN_KEYS: [&str; 5] = ["pattern", "query", "regex", "search", "glob_pattern"];
/// Argument names for the first line that is read, and for the number of lines.
const RANGE_KEYS: [&str; 2] = ["offset", "limit"];

/// Returns a short description of a call, on one line.
pub(super) fn subject(call: &ToolCall, kind: ToolKind, locale: &Locale) -> Option<String> {
    let text = match (&call.action, &call.input) {
        (Some(action), _) => of_action(action, locale)?,
        (None, Some(Value::Object(input))) if kind == ToolKind::Read => {
            let path = short_path(text_of(input, &PATH_KEYS)?);
            match range(input) {
                Some((first, Some(last))) => format!("{path}:{first}–{last}"),
                Some((first, None)) => format!("{path}:{first}"),
                None => path,
            }
        }
        (None, Some(Value::Object(input))) if kind == ToolKind::Find => {
            let [pattern, path] = [text_of(input, &PATTERN_KEYS), text_of(input, &PATH_KEYS)];
            let path = path.map(short_path);
            let both: Vec<&str> = pattern.into_iter().chain(path.as_deref()).collect();
            if both.is_empty() { of_input(&call.input)? } else { both.join(" · ") }
        }
        (None, Some(Value::String(path))) if kind == ToolKind::Read => short_path(path),
        (None, input) => of_input(input)?,
    };
    let text = match kind {
        ToolKind::Fetch => text.trim_start_matches("https://").trim_start_matches("http://"),
        _ => &text,
    };
    Some(excerpt(text, SUBJECT_CHARS))
}

/// Returns whether the subject of a call of this kind contains all of its arguments.
pub(super) fn is_whole(input: &Value, kind: ToolKind) -> bool {
    let is_known = |key: &str| match kind {
        ToolKind::Read => PATH_KEYS.contains(&key) || RANGE_KEYS.contains(&key),
        ToolKind::Find => PATH_KEYS.contains(&key) || PATTERN_KEYS.contains(&key),
        _ => false,
    };
    let is_short = |text: &str| text.chars().count() < SUBJECT_CHARS / 2 && !text.contains('\n');
    match input {
        Value::Object(input) => input.iter().all(|(key, value)| {
            let is_path = kind == ToolKind::Read && PATH_KEYS.contains(&key.as_str());
            let is_shown = |text: &str| is_path || is_short(text);
            is_known(key) && (value.is_number() || value.as_str().is_some_and(is_shown))
        }),
        Value::String(text) if kind == ToolKind::Read => !text.contains('\n'),
        Value::String(text) => matches!(kind, ToolKind::Find | ToolKind::Agent) && is_short(text),
        _ => false,
    }
}

/// Returns the path of the file that a call reads if the subject of the call contains only its end.
pub(super) fn whole_path(call: &ToolCall, kind: ToolKind) -> Option<&str> {
    read_path(call).filter(|path| kind == ToolKind::Read && short_path(path) != *path)
}

/// Returns the path of the file that a call reads.
pub(super) fn read_path(call: &ToolCall) -> Option<&str> {
    match call.input.as_ref()? {
        Value::String(path) => Some(path.as_str()).filter(|path| !path.contains('\n')),
        Value::Object(input) => text_of(input, &PATH_KEYS),
        _ => None,
    }
}

fn text_of<'a>(input: &'a Map, keys: &[&str]) -> Option<&'a str> {
    let all = keys.iter().filter_map(|key| input.get(*key)?.as_str());
    all.map(str::trim).find(|text| !text.is_empty())
}

/// Returns the first and the last line that a call asks for, as far as it does.
fn range(input: &Map) -> Option<(u64, Option<u64>)> {
    let [first, count] = RANGE_KEYS.map(|key| input.get(key).and_then(Value::as_u64));
    let start = first.or(count.map(|_| 1))?.max(1);
    Some((start, count.and_then(|count| start.checked_add(count)?.checked_sub(1))))
}

fn of_action(action: &Action, locale: &Locale) -> Option<String> {
    Some(match action {
        Action::Command { command, .. } => {
            command.lines().map(str::trim).find(|line| !line.is_empty())?.to_owned()
        }
        Action::Edit { files } => {
            let first = short_path(&files.first()?.path);
            match files.len() {
                1 => first,
                count => {
                    format!("{first}, {}", locale.count("count.more", count as u64 - 1))
                }
            }
        }
        Action::Plan { steps } => {
            let done = steps.iter().filter(|step| step.state == StepState::Done).count();
            let active = steps.iter().find(|step| step.state == StepState::Active);
            match (active, steps.as_slice()) {
                (_, [only]) => only.text.clone(),
                (Some(active), _) => format!("{done} / {} · {}", steps.len(), active.text),
                (None, _) => format!("{done} / {}", steps.len()),
            }
        }
        Action::Search { query, .. } => query.clone()?,
    })
}

/// Returns the description of a call of an unknown tool: the most specific argument, or the only text.
fn of_input(input: &Option<Value>) -> Option<String> {
    let input = input.as_ref()?;
    let known = KEYS.iter().find_map(|key| Some((*key, line_of(input.get(key)?)?)));
    let (key, line) = known.or_else(|| Some(("", only_line(input)?)))?;
    Some(if key.ends_with("path") { short_path(line) } else { line.to_owned() })
}

/// Returns the first line of a text that is not blank.
fn line_of(value: &Value) -> Option<&str> {
    value.as_str()?.lines().find(|line| !line.trim().is_empty())
}

/// Returns the first line of the arguments, if they are a text or contain exactly one.
fn only_line(input: &Value) -> Option<&str> {
    let Value::Object(arguments) = input else { return line_of(input) };
    let mut texts = arguments.values().filter(|value| value.is_string());
    texts.next().filter(|_| texts.next().is_none()).and_then(line_of)
}

/// Returns the end of a long path, which is more specific than the beginning.
fn short_path(path: &str) -> String {
    // Where the last characters start.
    let end = path.char_indices().rev().take(SUBJECT_CHARS / 2 - 1).last().map_or(0, |(at, _)| at);
    let end = path.get(end..).unwrap_or_default();
    let rest = end.find(['/', '\\']).and_then(|at| end.get(at..));
    match rest.filter(|_| end.len() < path.len()) {
        Some(rest) => format!("…{rest}"),
        None => path.to_owned(),
    }
}

//! The home folders of people, whose names stand in the logs of their machines.

use std::borrow::Cow;

use crate::json::Value;
use crate::model::{Action, Block, Conversation, Turn};

/// Replaces the home folders in everything that a page shows of a conversation by `~`.
pub(super) fn hide(read: &mut Conversation) {
    for text in read.title.iter_mut().chain([&mut read.preface]) {
        hide_in(text);
    }
    read.extra.values_mut().for_each(hide_in_value);
    for branch in &mut read.branches {
        branch.name.iter_mut().for_each(hide_in);
    }
    read.all_turns_mut().for_each(hide_in_turn);
}

fn hide_in_turn(turn: &mut Turn) {
    turn.extra.values_mut().for_each(hide_in_value);
    for block in &mut turn.blocks {
        match block {
            Block::Markdown { text } | Block::Thinking { text } => hide_in(text),
            Block::Event { text, detail, .. } => {
                hide_in(text);
                detail.iter_mut().for_each(hide_in);
            }
            Block::Unknown { value, .. } => hide_in_value(value),
            Block::Attachment(attachment) => hide_in(&mut attachment.name),
            Block::Citations { citations } => {
                for citation in citations {
                    citation.title.iter_mut().for_each(hide_in);
                    citation.url.iter_mut().for_each(hide_in);
                }
            }
            Block::Tool(call) => {
                call.input.iter_mut().for_each(hide_in_value);
                call.action.iter_mut().for_each(hide_in_action);
                call.extra.values_mut().for_each(hide_in_value);
                for approval in &mut call.approvals {
                    approval.reason.iter_mut().for_each(hide_in);
                }
                for result in &mut call.results {
                    result.output.iter_mut().for_each(hide_in_value);
                    if let Some(error) = &mut result.error {
                        error.message.iter_mut().for_each(hide_in);
                        error.data.iter_mut().for_each(hide_in_value);
                    }
                }
            }
        }
    }
}

fn hide_in_action(action: &mut Action) {
    match action {
        Action::Command { command, .. } => hide_in(command),
        Action::Edit { files } => {
            for file in files {
                hide_in(&mut file.path);
                file.moved_to.iter_mut().for_each(hide_in);
                hide_in(&mut file.diff);
            }
        }
        Action::Plan { steps } => {
            steps.iter_mut().for_each(|step| hide_in(&mut step.text));
        }
        Action::Search { query, .. } => query.iter_mut().for_each(hide_in),
    }
}

fn hide_in_value(value: &mut Value) {
    match value {
        Value::String(text) => hide_in(text),
        Value::Array(list) => list.iter_mut().for_each(hide_in_value),
        Value::Object(map) => map.values_mut().for_each(hide_in_value),
        _ => {}
    }
}

fn hide_in(text: &mut String) {
    if let Cow::Owned(hidden) = hidden(text) {
        *text = hidden;
    }
}

/// The folders that hold the homes of people, each with what parts a path there: as paths, as paths
/// in JSON strings, as names that programs make of paths.
const HOMES: [(&str, &str); 6] = [
    ("/home/", "/"),
    ("/Users/", "/"),
    ("\\Users\\", "\\"),
    ("\\\\Users\\\\", "\\\\"),
    ("-home-", "-"),
    ("-Users-", "-"),
];

/// Homes of nobody in particular.
const SHARED: [&str; 4] = ["Shared", "Public", "runner", "user"];

/// Returns a text in which `~` stands for home folders: `~/src` for `/home/ada/src`. A drive letter
/// before one goes with it.
pub(super) fn hidden(text: &str) -> Cow<'_, str> {
    let mut out = String::new();
    let mut done = 0;
    let mut at = 0;
    while let Some(found) = text[at..].find(['/', '\\', '-']).map(|found| at + found) {
        at = found + 1;
        // Of two backslashes the longer pattern counts.
        let home = HOMES.iter().rev().find(|(home, _)| text[found..].starts_with(home));
        let Some((home, part)) = home else { continue };
        let name_at = found + home.len();
        let is_name = |c: char| c.is_alphanumeric() || "._@+".contains(c);
        let length =
            text[name_at..].find(|c: char| !(is_name(c) || c == '-' && *part != "-"));
        let end = length.map_or(text.len(), |length| name_at + length);
        let name = &text[name_at..end];
        let before = text[..found].chars().next_back();
        let is_slug = *part == "-";
        // `example.org/home/ada` is no folder, and `x-home-made` no path.
        let is_path = match is_slug {
            true => {
                before.is_none_or(|c| "/\\\"'` \n".contains(c))
                    && text[end..].starts_with('-')
            }
            false => before
                .is_none_or(|c| !c.is_alphanumeric() && !"._-~".contains(c) || c == ':'),
        };
        if name.is_empty() || SHARED.contains(&name) || !is_path {
            continue;
        }
        let drive = text[done..found].strip_suffix(':').and_then(|rest| {
            let letter = rest.chars().next_back().filter(char::is_ascii_alphabetic)?;
            Some(found - 1 - letter.len_utf8())
        });
        let start = match drive {
            Some(drive) if !is_slug && home.starts_with('\\') => drive,
            _ => found,
        };
        out.push_str(&text[done..start]);
        out.push('~');
        done = end;
        at = end;
    }
    if done == 0 && out.is_empty() {
        return Cow::Borrowed(text);
    }
    out.push_str(&text[done..]);
    Cow::Owned(out)
}

#[cfg(test)]
mod tests {
    use super::hidden;

    #[test]
    fn homes_have_no_names() {
        for (text, expected) in [
            ("cd /home/ada/src", "cd ~/src"),
            ("file:///Users/ada.l/x and /home/bob", "file://~/x and ~"),
            (r"C:\Users\Ada\x", r"~\x"),
            (r#"{"cwd":"C:\\Users\\Ada\\x"}"#, r#"{"cwd":"~\\x"}"#),
            (".claude/projects/-home-ada-src/x", ".claude/projects/~-src/x"),
            ("https://example.org/home/ada", "https://example.org/home/ada"),
            ("a home-made /home/ page", "a home-made /home/ page"),
            ("/home/runner/work", "/home/runner/work"),
        ] {
            assert_eq!(hidden(text), expected);
        }
    }
}

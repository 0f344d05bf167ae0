//! Separates the user's text from the context that the editor adds.

use std::borrow::Cow;

/// Replaces data that is not shown.
const REDACTED: &str = "[REDACTED]";

/// Returns the user's text in a message to the model, and whether there was other text.
pub(super) fn user_text(text: &str) -> (String, bool) {
    let mut parts = Vec::new();
    let mut rest = text;
    let mut is_more = false;
    while let Some((before, inside)) = rest.split_once("<user_query>") {
        is_more |= !before.trim().is_empty();
        let (query, behind) = inside.split_once("</user_query>").unwrap_or((inside, ""));
        parts.push(query.trim());
        rest = behind;
    }
    match parts.is_empty() {
        true => (without_context(text), false),
        false => (parts.join("\n\n"), is_more || !rest.trim().is_empty()),
    }
}

/// Elements of editor context in messages that do not mark the user's text.
const CONTEXT: [&str; 12] = [
    "user_info",
    "git_status",
    "attached_files",
    "open_and_recently_viewed_files",
    "additional_data",
    "rules",
    "project_layout",
    "agent_transcripts",
    "system_reminder",
    "manually_attached_skills",
    "available_skills",
    "timestamp",
];

fn without_context(text: &str) -> String {
    let mut rest = text.trim();
    // They precede the user's text.
    while let Some(inside) = rest.strip_prefix('<') {
        let Some(name) = CONTEXT.iter().find(|name| {
            inside.strip_prefix(**name).is_some_and(|behind| behind.starts_with(['>', ' ', '\n']))
        }) else {
            break;
        };
        let Some((_, behind)) = inside.split_once(&format!("</{name}>")) else { break };
        rest = behind.trim_start();
    }
    rest.to_owned()
}

/// Returns a text without the marks of redacted data.
pub(super) fn without_redacted(text: &str) -> Cow<'_, str> {
    match text.contains(REDACTED) {
        true => Cow::Owned(text.replace(REDACTED, "")),
        false => Cow::Borrowed(text),
    }
}

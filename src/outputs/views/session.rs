//! The strip above a session with an agent: how long it took, and what was changed and run.

use std::collections::BTreeMap;

use super::checklist;
use super::tools::{changed, edit_id};
use crate::locale::Locale;
use crate::model::{Action, Block, Conversation};
use crate::outputs::format::duration;
use crate::site::{ConversationPage, SessionSums};
use crate::theme::view::{LinkView, SessionFileView, SessionView};

/// The maximum number of files that are listed.
const MAX_FILES: usize = 200;
/// The maximum number of edits of a file that are linked.
const MAX_EDITS: usize = 20;

/// Returns the strip of a page.
pub(crate) fn view(
    planned: &ConversationPage,
    conversation: &Conversation,
    locale: &Locale,
) -> Option<SessionView> {
    let todo = checklist::view(conversation, locale);
    let facts = planned.session.map(|sums| facts(&sums, locale)).unwrap_or_default();
    if facts.is_empty() && todo.is_none() {
        return None;
    }
    let label = match planned.part_count {
        1 => locale.text("session.changed"),
        _ => locale.text("session.changed_here"),
    };
    let files = files(conversation, locale);
    Some(SessionView { facts, label: label.to_owned(), files, todo })
}

/// Returns how long a session took, and how much was changed and run.
fn facts(sums: &SessionSums, locale: &Locale) -> Vec<String> {
    let SessionSums { work, seconds, tokens } = sums;
    let mut facts = Vec::new();
    facts.extend(
        seconds.filter(|seconds| *seconds > 0).map(|seconds| duration((seconds * 1000) as f64)),
    );
    if work.files > 0 {
        let files = locale.count("session.files", work.files);
        facts.push(match work.added + work.removed {
            0 => files,
            _ => format!("{files} {}", changed(work.added, work.removed, locale)),
        });
    }
    if work.commands > 0 {
        let commands = locale.count("session.commands", work.commands);
        facts.push(match work.failed {
            0 => commands,
            failed => format!("{commands}, {}", locale.count("work.failed", failed)),
        });
    }
    if *tokens > 0 {
        facts.push(locale.count("session.tokens", *tokens));
    }
    facts
}

/// The edits of a file.
#[derive(Default)]
struct Edits {
    added: u64,
    removed: u64,
    anchors: Vec<String>,
}

/// Returns the files that were changed on a page, in the order of their names.
fn files(conversation: &Conversation, locale: &Locale) -> Vec<SessionFileView> {
    let mut files: BTreeMap<&str, Edits> = BTreeMap::new();
    for turn in &conversation.turns {
        for (at, block) in turn.blocks.iter().enumerate() {
            let Block::Tool(call) = block else { continue };
            let Some(Action::Edit { files: changes }) = &call.action else { continue };
            if call.has_failed() {
                continue;
            }
            for (number, file) in changes.iter().enumerate() {
                let edits = files.entry(&file.path).or_default();
                let (added, removed) = file.changed_lines();
                edits.added += added;
                edits.removed += removed;
                edits.anchors.push(edit_id(&turn.id, at, number));
            }
        }
    }
    let view = |(path, edits): (&str, Edits)| {
        let links = edits.anchors.iter().take(MAX_EDITS).enumerate();
        let links =
            links.map(|(at, id)| LinkView { title: (at + 1).to_string(), url: format!("#{id}") });
        SessionFileView {
            path: path.to_owned(),
            change: (edits.added + edits.removed > 0)
                .then(|| changed(edits.added, edits.removed, locale)),
            edits: links.collect(),
        }
    };
    files.into_iter().take(MAX_FILES).map(view).collect()
}

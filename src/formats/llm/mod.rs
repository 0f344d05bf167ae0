//! Conversations from the database of the `llm` command.
//!
//! ```text
//! conversations, responses               up to 0.31: a prompt and its response in each row
//! threads, turns, messages, parts        since 0.32: messages that name the one before them
//! {"store":"llm","table":"responses","row":{"prompt":"hi","response":"Hello.",…}}
//! ```
//!
//! [`responses`] reads the first, [`thread`] the second.

mod responses;
mod thread;

use super::{About, Claim, File, Format, Parsed, Probe, Read};
use crate::shared::json::stored;

pub(super) const FORMAT: Format = Format {
    name: "llm",
    title: "llm log",
    source_label: "llm",
    between_people: false,
    has_typed_prompts: true,
    about: About {
        what: "Conversations with `llm`, the command-line tool and library for language models, from all its versions.",
        find: "`logs.db`; `llm logs path` prints its path.",
        reads: "Prompts with their fragments, responses, reasoning, tool calls with their results, names of attachments, \
                models, tokens and times. Each fork is linked to the thread it was made from.",
        leaves_out: "System prompts, unless `show_system = true`; options, schemas, raw requests and responses; the \
                     contents of attachments.",
    },
    read: Some(Read::new(claims, parse)),
    write: None,
};

/// The name of the database in JSON Lines.
const STORE: &str = "llm";
/// The display name of the assistant; each turn contains its model.
const ASSISTANT: &str = "Assistant";

fn claims(probe: &Probe<'_>) -> Claim {
    match stored::claims(probe, STORE) {
        true => Claim::Signature,
        false => Claim::No,
    }
}

fn parse(files: &[File]) -> Parsed {
    let mut parsed = Parsed::default();
    for (index, file) in files.iter().enumerate() {
        let is_thread = file.text.lines().next().is_some_and(|line| line.contains("\"threads\""));
        let found = match is_thread {
            true => thread::read(file, index, &mut parsed.notes),
            false => responses::read(file, index, &mut parsed.notes),
        };
        parsed.conversations.extend(found);
    }
    parsed
}

//! ShareGPT: turns with `from` and `value`.
//!
//! ```text
//! {"id": "x_0", "conversations": [{"from": "human", "value": "Hello!"}, …], "system": …, "tools": "[…]",
//!  "images": […], "chosen": {"from": "gpt", "value": …}, "rejected": {…}}
//! ```
//!
//! Some datasets use `role` and `content` instead, and `messages` or `conversation`. The oldest ones
//! contain HTML, which `html` converts to Markdown.

use super::{About, Claim, File, Format, Parsed, Parts, Probe, Read};
use crate::shared::agents::chat::{self, Dialog, Row, claims_message};
use crate::shared::text::html;
use convo_base::diag::Note;

pub(super) const FORMAT: Format = Format {
    name: "sharegpt",
    title: "ShareGPT dataset",
    source_label: "ShareGPT",
    between_people: false,
    has_typed_prompts: true,
    about: About {
        what: "Training data in the ShareGPT format.",
        find: "JSON or JSON Lines files with `conversations`, each with `from` and `value`.",
        reads: "Turns, tool calls, and rejected answers as branches.",
        leaves_out: "System messages, unless `show_system = true`.",
    },
    read: Some(Read::new(claims, parse).parts(Parts::Records)),
    write: None,
};

/// The keys of the turns.
const TURNS: [&str; 3] = ["conversations", "conversation", "messages"];

fn claims(probe: &Probe<'_>) -> Claim {
    let keys = probe.keys();
    let holds = |names: &[&str], role: &str| {
        let is_list = |(key, value): &(&str, &str)| {
            names.contains(key)
                && value.starts_with('[')
                && claims_message(value, [role; 2], &["role_id", "sender"])
        };
        keys.iter().any(is_list)
    };
    match (holds(&TURNS, "from"), holds(&["conversations"], "role")) {
        (true, _) => Claim::Signature,
        (_, true) => Claim::Shape,
        _ => Claim::No,
    }
}

fn parse(files: &[File]) -> Parsed {
    let mut parsed = Parsed::default();
    for (index, file) in files.iter().enumerate() {
        let keys = ["conversations", "conversation", "messages", "chosen", "rejected"];
        let more = chat::read(file, index, &keys, row);
        parsed.conversations.extend(more.conversations);
        parsed.notes.extend(more.notes);
    }
    parsed
}

fn row(row: &mut Row<'_>, dialog: &mut Dialog, notes: &mut Vec<Note>) {
    let mut media = row.media();
    row.system(dialog);
    for key in TURNS {
        row.messages(key, dialog, &mut media, html::answer_to_markdown, notes);
    }
    row.alternatives(["chosen", "rejected"], dialog, &mut media, html::answer_to_markdown);
    dialog.attach(media.rest());
}

//! The format of chibi contexts: a log of entries, one JSON object per line.
//!
//! ```text
//! <context>/
//!   transcript/manifest.json      which partitions there are, in order
//!   transcript/partitions/*.jsonl older entries
//!   transcript/active.jsonl       the newest entries
//!   inbox.jsonl                   messages not yet delivered
//!   context.jsonl                 derived from the transcript; read if there is no transcript
//!   transcript.md                 `[USER]: …`, `[ASSISTANT]: …`; read if there is nothing else
//! ```
//!
//! ```text
//! {"id": "…", "timestamp": 1705123456, "from": "alice", "to": "default",
//!  "content": "What is Rust?", "entry_type": "message", "metadata": {}}
//! ```
//!
//! [`gather`] finds the files of a context, [`entry`] reads one line, [`read`] turns entries into turns, and
//! [`transcript`] reads the Markdown form. The module `write` is the inverse.

mod entry;
mod gather;
mod read;
mod required;
mod transcript;
mod write;

use super::{About, Claim, Format, Parts, Probe, Read, Write};
use convo_base::json;

pub(super) const FORMAT: Format = Format {
    name: "chibi",
    title: "chibi context (transcript, context or inbox)",
    source_label: "chibi",
    between_people: false,
    has_typed_prompts: true,
    about: About {
        what: "Contexts of chibi, a program that lets models and people write to each \
               other: transcripts, contexts and inboxes.",
        find: "`~/.chibi/contexts/NAME/`: copy the folder, or its `transcript` \
               folder, into the content folder. A `context.jsonl`, `inbox.jsonl` or \
               `transcript.md` without the folder is read too.",
        reads: "Messages, tool calls and their results, summaries of compacted parts, and \
                messages that are not delivered yet.",
        leaves_out: "System prompts and flow-control calls are not turns. Files that are derived \
                     from the transcript are ignored if it is there.",
    },
    read: Some(
        Read::new(claims, read::parse).gather(gather::gather).parts(Parts::Lines(entry::cut)),
    ),
    write: Some(Write::Folder(write::write)),
};

fn claims(probe: &Probe<'_>) -> Claim {
    let (name, text) = (probe.name, probe.text);
    if transcript::looks_like_one(text) {
        return Claim::Shape;
    }
    let line = text.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
    let keys = json::keys(line);
    let has = |key: &str| keys.iter().any(|(known, _)| *known == key);
    if has("from") && has("to") && has("entry_type") {
        Claim::Signature
    } else if has("from") && has("to") && has("content") && has("timestamp") {
        Claim::Shape
    } else if super::has_lines(name)
        && text.lines().take(20).any(|line| line.contains("\"entry_type\""))
    {
        // Its first line is invalid, but others are not.
        Claim::Shape
    } else {
        Claim::No
    }
}

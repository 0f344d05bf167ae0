//! Alpaca: an instruction and its output.
//!
//! ```text
//! {"instruction": "Translate.", "input": "Brot", "output": "Bread", "system": …, "history": [["…", "…"]]}
//! ```
//!
//! `chosen` and `rejected` may replace `output`. Some datasets call the input `context` and the output
//! `response`.

use super::{About, Claim, File, Format, Parsed, Parts, Probe, Read};
use crate::shared::agents::chat::{self, Dialog, Role, Row, text_blocks};
use convo_base::diag::Note;
use convo_base::json::Value;
use convo_base::model::Turn;

pub(super) const FORMAT: Format = Format {
    name: "alpaca",
    title: "Alpaca dataset",
    source_label: "Alpaca",
    between_people: false,
    has_typed_prompts: true,
    about: About {
        what: "Training data in the Alpaca and Dolly formats.",
        find: "JSON or JSON Lines files with `instruction` and `output`.",
        reads: "Each row as a question and an answer, with the earlier exchanges of its history.",
        leaves_out: "System messages, unless `show_system = true`.",
    },
    read: Some(Read::new(claims, parse).parts(Parts::Records)),
    write: None,
};

fn claims(probe: &Probe<'_>) -> Claim {
    let keys = probe.keys();
    let is_text =
        |name: &str| keys.iter().any(|(key, value)| *key == name && value.starts_with('"'));
    let is_pair = is_text("chosen") && is_text("rejected");
    let answers = is_text("output") || is_text("response") || is_pair;
    match is_text("instruction") && answers {
        true => Claim::Shape,
        false => Claim::No,
    }
}

fn parse(files: &[File]) -> Parsed {
    let mut parsed = Parsed::default();
    for (index, file) in files.iter().enumerate() {
        let more = chat::read(file, index, &[], row);
        parsed.conversations.extend(more.conversations);
        parsed.notes.extend(more.notes);
    }
    parsed
}

fn row(row: &mut Row<'_>, dialog: &mut Dialog, notes: &mut Vec<Note>) {
    let mut media = row.media();
    let line = row.line;
    row.system(dialog);
    if let Some(Value::Array(history)) = row.object.take("history") {
        for pair in history {
            let values = pair.as_array().map(Vec::as_slice).unwrap_or_default();
            for (text, role) in values.iter().zip([Role::User, Role::Assistant]) {
                let text = text.as_str().unwrap_or_default();
                let blocks = text_blocks(text, role == Role::Assistant, &mut media);
                dialog.say(role, None, Turn { blocks, ..Turn::default() }, line);
            }
        }
    }
    let mut text = |keys: &[&str]| {
        let texts = keys.iter().filter_map(|key| row.object.text(key, notes));
        let texts: Vec<String> = texts.filter(|text| !text.trim().is_empty()).collect();
        texts.join("\n\n")
    };
    let asked = text(&["instruction", "input", "context"]);
    if !asked.is_empty() {
        let mut blocks = text_blocks(&asked, false, &mut media);
        blocks.splice(0..0, media.rest());
        dialog.say(Role::User, None, Turn { blocks, ..Turn::default() }, line);
    }
    let answered = text(&["output", "response"]);
    if !answered.is_empty() {
        let blocks = text_blocks(&answered, true, &mut media);
        dialog.say(Role::Assistant, None, Turn { blocks, ..Turn::default() }, line);
    }
    row.alternatives(["chosen", "rejected"], dialog, &mut media, |values| values);
    // Repeats the whole prompt.
    row.object.take_any("text");
}

//! The format CJSON 0.1.0: one JSON object for a conversation between people and models.
//!
//! ```text
//! {
//!   "id": "…", "schemaUrl": "https://schema.cjson.dev/0/conversation/…", "isPrivate": false,
//!   "messages": [
//!     { "id": "…", "role": "user", "messageType": "text", "content": "…" },
//!     { "id": "…", "role": "assistant", "messageType": "composite", "contentBlocks": [
//!         { "blockType": "text" | "thinking" | "toolCall" | "toolApproval" | "toolResult", … }
//!     ] }
//!   ]
//! }
//! ```
//!
//! A document is read in four steps: [`message`] reads each message by itself, [`join`] moves results to
//! their calls, [`speakers`] assigns speakers, and [`order`] groups messages of one position as alternatives
//! and converts each to a [`turn`]. Messages that an audit trail marks as deleted are left out. The module
//! `write` is the inverse. It stores what CJSON cannot represent under the key `convo-site` of
//! `extensions`.

mod audit_trail;
mod branches;
mod join;
mod message;
mod order;
mod extension_data;
mod passthrough;
mod read;
mod schema;
mod speakers;
mod turn;
mod write;

use super::{About, Claim, Format, Parts, Probe, Read, Write};

pub(super) const FORMAT: Format = Format {
    name: "cjson",
    title: "CJSON 0.1.0",
    source_label: "CJSON",
    between_people: false,
    has_typed_prompts: false,
    about: About {
        what: "CJSON 0.1.0, a JSON schema for conversations between people and \
               models. `convo-site import` writes this format. Convert to it to keep everything.",
        find: "A JSON file whose `schemaUrl` is that of CJSON, most often named \
               `*.cjson.json`.",
        reads: "Messages with reasoning, tool calls, approvals, results and \
               attachments, alternative answers, models and times; and, under convo-site's own \
               key in `extensions`, everything else that a page can show.",
        leaves_out: "Account ids, audit trails and other bookkeeping are never shown. Messages \
                     that an audit trail marks as deleted are left out.",
    },
    read: Some(Read::new(claims, read::parse).parts(Parts::Records)),
    write: Some(Write::File("cjson.json", |read, _| write::write(read))),
};

fn claims(probe: &Probe<'_>) -> Claim {
    let name = probe.name;
    let keys = probe.keys();
    let says = |key: &str, word: &str| {
        keys.iter().any(|(known, value)| *known == key && value.contains(word))
    };
    let has = |key: &str| keys.iter().any(|(known, _)| *known == key);
    // Models and tools have CJSON documents too.
    let schema =
        says("schemaUrl", "cjson") && (says("schemaUrl", "conversation") || has("messages"));
    if schema || says("mediaType", "cjson") {
        Claim::Signature
    } else if says("messages", "\"messageType\"") {
        Claim::Shape
    } else if name.to_ascii_lowercase().contains(".cjson") {
        Claim::Name
    } else {
        Claim::No
    }
}

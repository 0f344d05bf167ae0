//! The neutral form as a JSON object, for other programs. Only written.

use serde::Serialize;

use super::{Format, Write};
use crate::json;
use crate::model::Conversation;

pub(super) const FORMAT: Format = Format {
    name: "json",
    title: "Neutral JSON, everything that is known",
    source_label: "JSON",
    read: None,
    write: Some(Write::File("json", write)),
};

/// A conversation in the neutral format, with its source.
#[derive(Serialize)]
struct JsonConversation<'a> {
    source: &'a str,
    #[serde(flatten)]
    conversation: &'a Conversation,
}

fn write(conversation: &Conversation, source: &str) -> String {
    json::pretty(&JsonConversation { source, conversation }) + "\n"
}

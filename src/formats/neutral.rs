//! The neutral form as a JSON object, for other programs. Only written.

use serde::Serialize;

use super::{About, Format, Write};
use convo_base::json;
use convo_base::model::Conversation;

pub(super) const FORMAT: Format = Format {
    name: "json",
    title: "Neutral JSON, everything that is known",
    source_label: "JSON",
    between_people: false,
    about: About {
        what: "The neutral form, into which every format is read, as JSON for other \
               programs.",
        find: "`convo-site convert FILE --to json` writes it.",
        reads: "It is only written. CJSON is the format that is written and read.",
        leaves_out: "Nothing, also not what no page shows: ids, accounts and bookkeeping. \
               Think before you publish it.",
    },
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

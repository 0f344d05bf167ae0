//! Writes the neutral form of conversations as JSON for other programs. It cannot be read back.

use serde::Serialize;

use super::{About, Format, Write};
use convo_base::json;
use convo_base::model::Conversation;

pub(super) const FORMAT: Format = Format {
    name: "json",
    title: "Neutral JSON with all data",
    source_label: "JSON",
    between_people: false,
    has_typed_prompts: false,
    about: About {
        what: "convo-site's own data model as JSON, for use by other programs.",
        find: "`convo-site convert FILE --to json` writes it.",
        reads: "Nothing: convo-site only writes it. To read files back, convert to CJSON.",
        leaves_out: "Nothing. It contains ids, accounts and bookkeeping that no page shows; check \
                     it before you publish it.",
    },
    read: None,
    write: Some(Write::File("json", write)),
};

/// A conversation in neutral form, with its source.
#[derive(Serialize)]
struct JsonConversation<'a> {
    source: &'a str,
    #[serde(flatten)]
    conversation: &'a Conversation,
}

fn write(conversation: &Conversation, source: &str) -> String {
    json::pretty(&JsonConversation { source, conversation }) + "\n"
}

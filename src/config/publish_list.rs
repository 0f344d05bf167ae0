//! `publish.toml`: the list of conversations that are published.

use serde::Deserialize;
use toml::Spanned;

use super::conversation_name::{ConversationName, WrittenName, located};
use super::located_text::LocatedText;
use super::toml_file::{NOTHING_WRITTEN, first_line};
use crate::diag::{Diagnostic, Lines, Note};

/// The conversations to publish if `publish` is `"listed"`: those that match one of the entries.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct PublishList {
    /// Tags of published conversations.
    pub tags: Vec<LocatedText>,
    /// Search queries that published conversations match.
    pub filters: Vec<LocatedText>,
    /// Conversations by name.
    pub conversations: Vec<ConversationName>,
}

/// The structure of the file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    #[serde(default)]
    tags: Vec<Spanned<String>>,
    #[serde(default)]
    filters: Vec<Spanned<String>>,
    #[serde(default)]
    conversation: Vec<Spanned<WrittenConversation>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenConversation {
    file: Option<Spanned<String>>,
    id: Option<Spanned<String>>,
    /// For people; it is not matched.
    #[serde(rename = "title")]
    _title: Option<String>,
}

impl PublishList {
    /// The name of the file, beside `site.toml`.
    pub const FILE: &str = "publish.toml";

    /// The name of the file in which `import` records what it added to the list once.
    pub const RECORD: &str = "publish-imported.txt";

    /// Reads the text of the file. With any error, it publishes nothing.
    pub fn parse(text: &str) -> Result<Self, Vec<Diagnostic>> {
        let lines = Lines::new(text);
        let wrong = |note: Note| note.hint(NOTHING_WRITTEN).locate(Self::FILE, &lines);
        let written: Written = toml::from_str(text).map_err(|error| {
            let range = error.span().unwrap_or(0..0);
            vec![wrong(Note::error("bad-toml", range, first_line(error.message())))]
        })?;
        let mut notes = Vec::new();
        let mut conversations = Vec::new();
        for one in written.conversation {
            let range = one.span();
            let WrittenConversation { file, id, _title } = one.into_inner();
            match (WrittenName { file, id }).located(range, &lines, Self::FILE) {
                Ok(name) => conversations.push(name),
                Err(note) => notes.push(wrong(note)),
            }
        }
        let place = |text: Spanned<String>| located(text, &lines, Self::FILE);
        let all = |list: Vec<Spanned<String>>| list.into_iter().map(place).collect();
        let (tags, filters) = (all(written.tags), all(written.filters));
        match notes.is_empty() {
            true => Ok(Self { tags, filters, conversations }),
            false => Err(notes),
        }
    }
}

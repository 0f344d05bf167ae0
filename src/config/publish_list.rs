//! `publish.toml`: the list of conversations that are published.

use std::ops::Range;

use serde::Deserialize;
use toml::Spanned;

use super::located_text::LocatedText;
use super::toml_file::{NOTHING_WRITTEN, first_line};
use crate::diag::{Diagnostic, Lines, Location, Note};

/// The conversations to publish if `publish` is `"listed"`: those that match one of the entries.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct PublishList {
    /// Tags of published conversations.
    pub tags: Vec<LocatedText>,
    /// Search queries that published conversations match.
    pub filters: Vec<LocatedText>,
    /// Conversations by name.
    pub conversations: Vec<ListedConversation>,
}

/// An entry for one or more conversations, which must match all its values.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct ListedConversation {
    /// The file that it is read from: a pattern of paths below the content folder, or a folder.
    pub file: Option<LocatedText>,
    /// Its id in the source.
    pub id: Option<LocatedText>,
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
        let wrong = |code, range, message: String| {
            let note = Note::error(code, range, message).hint(NOTHING_WRITTEN);
            note.locate(Self::FILE, &lines)
        };
        let written: Written = toml::from_str(text).map_err(|error| {
            let range = error.span().unwrap_or(0..0);
            vec![wrong("bad-toml", range, first_line(error.message()))]
        })?;
        let place = |range: Range<usize>| {
            Some(Location { file: Self::FILE.to_owned(), span: Some(lines.span(range)) })
        };
        let placed =
            |text: Spanned<String>| LocatedText { at: place(text.span()), text: text.into_inner() };
        let mut notes = Vec::new();
        let mut conversations = Vec::new();
        for one in written.conversation {
            let range = one.span();
            let WrittenConversation { file, id, _title } = one.into_inner();
            if file.is_none() && id.is_none() {
                let message = "a `[[conversation]]` needs a `file` or an `id`";
                notes.push(wrong("bad-value", range, message.to_owned()));
            }
            let (file, id) = (file.map(placed), id.map(placed));
            conversations.push(ListedConversation { file, id });
        }
        let all = |list: Vec<Spanned<String>>| list.into_iter().map(placed).collect();
        let (tags, filters) = (all(written.tags), all(written.filters));
        match notes.is_empty() {
            true => Ok(Self { tags, filters, conversations }),
            false => Err(notes),
        }
    }
}

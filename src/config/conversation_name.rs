//! Names of conversations in `publish.toml` and `edits.toml`.

use std::ops::Range;

use toml::Spanned;

use super::located_text::LocatedText;
use crate::diag::{Lines, Location, Note};

/// A name for one or more conversations, which match all its values.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct ConversationName {
    /// The file that they are read from: a pattern of paths below the content folder, or a folder.
    pub file: Option<LocatedText>,
    /// The id in the source.
    pub id: Option<LocatedText>,
}

/// The values as written in a `[[conversation]]`.
pub(super) struct WrittenName {
    pub(super) file: Option<Spanned<String>>,
    pub(super) id: Option<Spanned<String>>,
}

impl WrittenName {
    /// Returns the name, or an error if it names nothing. `at` is the range of the `[[conversation]]`.
    pub(super) fn located(
        self,
        at: Range<usize>,
        lines: &Lines<'_>,
        in_file: &str,
    ) -> Result<ConversationName, Note> {
        let place = |text: Spanned<String>| located(text, lines, in_file);
        if self.file.is_none() && self.id.is_none() {
            let message = "a `[[conversation]]` needs a `file` or an `id`";
            return Err(Note::error("bad-value", at, message.to_owned()));
        }
        Ok(ConversationName { file: self.file.map(place), id: self.id.map(place) })
    }
}

/// Returns a text with its location in a file.
pub(super) fn located(text: Spanned<String>, lines: &Lines<'_>, in_file: &str) -> LocatedText {
    let span = Some(lines.span(text.span()));
    let at = Some(Location { file: in_file.to_owned(), span });
    LocatedText { at, text: text.into_inner() }
}

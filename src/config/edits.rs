//! `edits.toml`: the author's changes to conversations whose files stay as they are.

use std::collections::BTreeMap;
use std::ops::Range;

use serde::Deserialize;
use toml::Spanned;

use super::conversation_name::{ConversationName, WrittenName, located};
use super::date_or_time::DateOrTime;
use super::located_text::LocatedText;
use super::source_rule::Visibility;
use super::toml_file::{NOTHING_WRITTEN, first_line};
use crate::diag::{Diagnostic, Lines, Location, Note, Severity, Span};

/// The changes to some conversations, in the order of the file. Later ones replace earlier ones.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Edits(pub Vec<Edit>);

/// A `[[conversation]]`: the changes to the conversations with this name.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Edit {
    /// The conversations.
    pub of: ConversationName,
    /// The title.
    pub title: Option<String>,
    /// The text of the URL, instead of the title.
    pub slug: Option<String>,
    /// The summary.
    pub description: Option<String>,
    /// When it took place.
    pub date: Option<DateOrTime>,
    /// All of its tags.
    pub tags: Option<Vec<String>>,
    /// The collection that it belongs to.
    pub collection: Option<String>,
    /// Whether it is published.
    pub visibility: Option<Visibility>,
    /// Whether it is at the top of listings.
    pub pinned: Option<bool>,
    /// Whether it is on the home page.
    pub featured: Option<bool>,
    /// New names of speakers: the name in the source, and the new one.
    pub speakers: Vec<(LocatedText, String)>,
    /// The ids of turns that are not published.
    pub hide: Vec<LocatedText>,
    /// Words and phrases that are redacted.
    pub redact: Vec<LocatedText>,
}

impl Edit {
    /// Returns whether something that readers could see before is gone from the site with it: a word, a turn or a name.
    pub fn hides(&self) -> bool {
        self.holds_back() || !self.speakers.is_empty()
    }

    /// Returns whether it keeps something off the site.
    pub fn holds_back(&self) -> bool {
        let is_private = self.visibility == Some(Visibility::Private);
        is_private || !self.hide.is_empty() || !self.redact.is_empty()
    }
}

/// The structure of the file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    #[serde(default)]
    conversation: Vec<Spanned<WrittenEdit>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenEdit {
    file: Option<Spanned<String>>,
    id: Option<Spanned<String>>,
    title: Option<String>,
    slug: Option<String>,
    description: Option<String>,
    date: Option<DateOrTime>,
    tags: Option<Vec<String>>,
    collection: Option<String>,
    visibility: Option<Visibility>,
    pinned: Option<bool>,
    featured: Option<bool>,
    #[serde(default)]
    speakers: BTreeMap<Spanned<String>, String>,
    #[serde(default)]
    hide: Vec<Spanned<String>>,
    #[serde(default)]
    redact: Vec<Spanned<String>>,
}

impl Edits {
    /// Returns whether they may publish chats between people.
    pub fn open_chats(&self) -> bool {
        self.0.iter().any(|edit| edit.visibility == Some(Visibility::Public))
    }

    /// The name of the file, beside `site.toml`.
    pub const FILE: &str = "edits.toml";

    /// Reads the bytes of the file. Any error makes all of it invalid, because it may keep something off the site.
    pub fn parse(bytes: &[u8]) -> Result<Self, Vec<Diagnostic>> {
        let Ok(text) = std::str::from_utf8(bytes) else {
            let note = Diagnostic::new(Severity::Error, "bad-toml", "the file is not in UTF-8");
            return Err(vec![note.in_file(Self::FILE).hint(NOTHING_WRITTEN)]);
        };
        let lines = Lines::new(text);
        let wrong = |note: Note| {
            let mut note = note.hint(NOTHING_WRITTEN).locate(Self::FILE, &lines);
            hide_excerpt(note.at.as_mut());
            note
        };
        let written: Written = toml::from_str(text).map_err(|error| {
            let range = error.span().unwrap_or(0..0);
            vec![wrong(Note::error("bad-toml", range, without_value(&first_line(error.message()))))]
        })?;
        let (mut edits, mut notes) = (Vec::new(), Vec::new());
        for one in written.conversation {
            let range = one.span();
            match one.into_inner().edit(range, &lines) {
                Ok(edit) => edits.push(edit),
                Err(note) => notes.push(wrong(note)),
            }
        }
        if notes.is_empty() { Ok(Self(edits)) } else { Err(notes) }
    }
}

/// Hides the text of a line, which may have words to redact.
fn hide_excerpt(at: Option<&mut Location>) {
    at.and_then(|at| at.span.as_mut()).into_iter().for_each(Span::hide_excerpt);
}

/// Returns the message of the TOML library about a value of the wrong type, without the value: it may be a word to
/// redact.
fn without_value(message: &str) -> String {
    let expected =
        message.strip_prefix("invalid type: ").and_then(|rest| rest.rsplit_once("expected "));
    match expected {
        Some((_, "a sequence")) => "expected a list of strings".to_owned(),
        Some((_, expected)) => format!("expected {expected}"),
        None => message.to_owned(),
    }
}

impl WrittenEdit {
    fn edit(self, at: Range<usize>, lines: &Lines<'_>) -> Result<Edit, Note> {
        let empty = |list: &[Spanned<String>]| {
            list.iter().find(|text| text.get_ref().trim().is_empty()).map(Spanned::span)
        };
        if let Some(at) = empty(&self.hide).or_else(|| empty(&self.redact)) {
            return Err(Note::error("bad-value", at, "this string is empty"));
        }
        let place = |text: Spanned<String>| {
            let mut text = located(text, lines, Edits::FILE);
            hide_excerpt(text.at.as_mut());
            text
        };
        let places = |all: Vec<Spanned<String>>| all.into_iter().map(place).collect();
        let speakers = self.speakers.into_iter().map(|(name, new)| (place(name), new));
        let name = WrittenName { file: self.file, id: self.id };
        let mut of = name.located(at, lines, Edits::FILE)?;
        for text in of.file.iter_mut().chain(&mut of.id) {
            hide_excerpt(text.at.as_mut());
        }
        Ok(Edit {
            of,
            title: self.title,
            slug: self.slug,
            description: self.description,
            date: self.date,
            tags: self.tags,
            collection: self.collection,
            visibility: self.visibility,
            pinned: self.pinned,
            featured: self.featured,
            speakers: speakers.collect(),
            hide: places(self.hide),
            redact: places(self.redact),
        })
    }
}

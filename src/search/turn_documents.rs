//! The turns of a site as documents for a search engine. They have the same terms as the index of a
//! published site, so queries give the same results.
//!
//! A conversation has a document for each turn, and one for its title. Terms are already stemmed
//! and folded, and separated by spaces, so the engine only needs an analyser that splits at spaces.

use std::collections::BTreeSet;

use serde::Serialize;

use super::doc_terms;
use super::index::{Document, VERSION};
use super::tokenizer::{Stemmer, Term, terms};
use super::turns::{plain_text, texts};
use crate::diag::Diagnostic;
use crate::hash::Hash;
use crate::path::part_folder;
use crate::query::filters::{name_words, turn_filters};
use crate::sources::TextStore;

/// The version of the documents. Increase it whenever a document could have other fields than
/// before.
pub const FORMAT: u32 = 1;

/// The filter term of titles.
pub const TITLE_FILTER: &str = "is:title";

/// The maximum number of words of a turn that are included; only data has more.
const MAX_WORDS_PER_TURN: usize = 1_000_000;

/// A turn, or the title of a conversation, as a search engine stores it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct TurnDocument {
    /// The id, which stays the same when the conversation changes.
    pub id: String,
    /// The hash of the conversation's data, the same in all of its documents.
    pub version: String,
    /// The folder of the conversation in the output.
    pub conversation: String,
    /// The number of the turn in the conversation, from 1; 0 for the title.
    pub n: u64,
    /// For a title, the number of turns.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub turns: Option<u64>,
    /// Its location: the folder of its page in the output and, for a turn, its anchor.
    pub url: String,
    /// The title of the conversation.
    pub title: String,
    /// The day of the conversation as a number such as 20251023.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub day: Option<u32>,
    /// The year of the conversation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub year: Option<String>,
    /// The speaker; empty for a title or an event.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub speaker: String,
    /// The model of the speaker.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// The languages of the conversation.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub lang: Vec<String>,
    /// The type of the conversation.
    #[serde(rename = "type", skip_serializing_if = "Option::is_none")]
    pub kind: Option<String>,
    /// The tags of the conversation.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tag: Vec<String>,
    /// The text without markup, for quotes in results.
    pub text: String,
    /// The terms of the text in order, then terms without a position.
    pub terms: Vec<String>,
    /// The same for the speaker's name.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub names: Vec<String>,
    /// The same for the title and the preface of the conversation, in the documents of its turns.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub titles: Vec<String>,
    /// The filter terms.
    pub filters: String,
    /// The distinct words as written, folded, for spelling correction.
    pub words: String,
}

/// Returns the hash of a conversation's documents: if it is the same, so are they.
pub fn version_of(document: &Document) -> String {
    Hash::of(&(FORMAT, VERSION, doc_terms::VERSION, document.key())).hex()
}

/// Returns the prefix of the ids of a conversation's documents.
fn id_of(document: &Document) -> Hash {
    Hash::of(&document.path)
}

/// Returns the documents of a conversation: its turns in order, and its title last, so that
/// all of them are there once the title is. The error says what could not be read.
pub fn turn_documents(
    document: &Document,
    texts_of: &TextStore,
) -> Result<Vec<TurnDocument>, Box<Diagnostic>> {
    let entry = &document.entry;
    let stemmer = document.stemmer;
    let id = id_of(document).hex();
    let day = document.day();
    let blank = TurnDocument {
        id: String::new(),
        version: version_of(document),
        conversation: document.path.to_string(),
        n: 0,
        turns: None,
        url: document.path.to_string(),
        title: entry.title.clone(),
        day: document.day_number(),
        year: day.and_then(|day| day.split('-').next().map(str::to_owned)),
        speaker: String::new(),
        model: None,
        lang: entry.languages.clone(),
        kind: entry.kind.clone(),
        tag: entry.tags.clone(),
        text: String::new(),
        terms: Vec::new(),
        names: Vec::new(),
        titles: Vec::new(),
        filters: String::new(),
        words: String::new(),
    };
    let of_conversation = document.filters();
    let filters = |own: &[String]| {
        let all: Vec<&str> = own.iter().chain(&of_conversation).map(String::as_str).collect();
        all.join(" ")
    };
    let mut title = blank.clone();
    title.id = format!("{id}-0");
    let mut documents = Vec::new();
    for (part, text_ref) in entry.parts.iter().enumerate() {
        let read = texts_of.get_cached(text_ref)?;
        if part == 0 {
            title.text = format!("{}\n{}", entry.title, plain_text(&read.preface).0);
            let (terms, words) = Written::of_text(&title.text, stemmer).finish();
            (title.terms, title.words) = (terms, words);
            title.filters = filters(&[TITLE_FILTER.to_owned()]);
        }
        let folder = part_folder(&document.path, part);
        for (turn, text) in texts(&read) {
            let n = documents.len() as u64 + 1;
            let who = read.participant(&turn.speaker);
            let mut names = Written::default();
            name_words(&turn.speaker, stemmer, |term| names.add(term));
            let mut all = Written::of_text(&text.text, stemmer);
            all.words.append(&mut names.words);
            let (terms, words) = all.finish();
            documents.push(TurnDocument {
                id: format!("{id}-{n}"),
                n,
                url: format!("{folder}#{}", turn.id),
                speaker: turn.speaker.clone(),
                model: who.and_then(|who| who.model.clone()),
                filters: filters(&turn_filters(&read, turn, &text)),
                text: text.text,
                terms,
                names: names.finish().0,
                titles: title.terms.clone(),
                words,
                ..blank.clone()
            });
        }
    }
    title.turns = Some(documents.len() as u64);
    documents.push(title);
    Ok(documents)
}

/// Terms in the form that an engine reads.
#[derive(Default)]
struct Written {
    /// Consecutive terms.
    in_order: String,
    /// Whole chunks, in addition to their parts.
    beside: String,
    words: BTreeSet<String>,
    count: usize,
}

impl Written {
    fn of_text(text: &str, stemmer: Stemmer) -> Self {
        let mut written = Self::default();
        terms(text, stemmer, |term| written.add(&term));
        written
    }

    fn add(&mut self, term: &Term<'_>) {
        self.count += 1;
        if self.count > MAX_WORDS_PER_TURN {
            return;
        }
        let list = match term.position {
            Some(_) => &mut self.in_order,
            None => &mut self.beside,
        };
        if !list.is_empty() {
            list.push(' ');
        }
        list.push_str(&term.stem());
        // Corrections only use these words.
        let is_word = term.surface.chars().all(char::is_alphabetic);
        if is_word && term.surface.chars().nth(2).is_some() {
            self.words.insert(term.surface.to_owned());
        }
    }

    /// Returns the terms and the words.
    fn finish(self) -> (Vec<String>, String) {
        let lists = [self.in_order, self.beside].into_iter();
        let words: Vec<String> = self.words.into_iter().collect();
        (lists.filter(|list| !list.is_empty()).collect(), words.join(" "))
    }
}

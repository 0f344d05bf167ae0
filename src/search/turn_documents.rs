//! The turns of a site as documents for a search engine: what the index of a published site is made
//! of, with the same terms, so that a query means the same everywhere.
//!
//! A conversation is a document for each of its turns, and one for its title. Terms are written with
//! spaces between them, so an engine needs no analyser but one that divides at spaces; it stems
//! nothing and folds nothing.

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

/// The version of the documents. It changes whenever one may have other fields than before.
pub const FORMAT: u32 = 1;

/// The filter term that only titles have.
pub const TITLE_FILTER: &str = "is:title";

/// The most words of a turn that are documented, the first ones; only data has more.
const MAX_WORDS_PER_TURN: usize = 1_000_000;

/// A turn, or the title of a conversation, as a search engine stores and finds it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct TurnDocument {
    /// Its id, which stays when the conversation changes.
    pub id: String,
    /// What the documents of the conversation were made from. All of them have it.
    pub version: String,
    /// The folder of the conversation in the output.
    pub conversation: String,
    /// The number of the turn in the conversation, from 1; 0 for the title.
    pub n: u64,
    /// For a title, the number of turns.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub turns: Option<u64>,
    /// Its place: the folder of its page in the output and, for a turn, its anchor.
    pub url: String,
    /// The title of the conversation.
    pub title: String,
    /// The day of the conversation as a number such as 20251023.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub day: Option<u32>,
    /// The year of the conversation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub year: Option<String>,
    /// Who says it; nobody says a title or an event.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub speaker: String,
    /// The model that says it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// The languages, the type and the tags of the conversation.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub lang: Vec<String>,
    /// The type of the conversation.
    #[serde(rename = "type", skip_serializing_if = "Option::is_none")]
    pub kind: Option<String>,
    /// The tags of the conversation.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tag: Vec<String>,
    /// What is said, without markup; results quote it.
    pub text: String,
    /// The terms of the text, in their order; after these, terms that have no place between others.
    pub terms: Vec<String>,
    /// The same of the name of who says it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub names: Vec<String>,
    /// The same of the title and the preface of the conversation, in the documents of its turns.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub titles: Vec<String>,
    /// The terms of filters.
    pub filters: String,
    /// The words as they stand there, folded, each once, for whoever mistyped one.
    pub words: String,
}

/// Returns what stands in the place of the documents of a conversation: they are the same where it is.
pub fn version_of(document: &Document) -> String {
    Hash::of(&(FORMAT, VERSION, doc_terms::VERSION, document.key())).hex()
}

/// Returns the beginning of the ids of a conversation's documents.
fn id_of(document: &Document) -> Hash {
    Hash::of(&document.path)
}

/// Returns the documents of a conversation: those of its turns in their order, and that of its title
/// last, so that whoever finds that one finds the others as well. The error says what could not be read.
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
        day: day.as_deref().and_then(|day| day.replace('-', "").parse().ok()),
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

/// Terms as an engine reads them.
#[derive(Default)]
struct Written {
    /// Those that stand one after the other.
    in_order: String,
    /// Wholes of chunks, which stand beside their parts.
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
        // Nothing else is ever corrected to.
        let is_word = term.surface.chars().all(char::is_alphabetic);
        if is_word && term.surface.chars().nth(2).is_some() {
            self.words.insert(term.surface.to_owned());
        }
    }

    /// Returns the terms, and the words.
    fn finish(self) -> (Vec<String>, String) {
        let lists = [self.in_order, self.beside].into_iter();
        let words: Vec<String> = self.words.into_iter().collect();
        (lists.filter(|list| !list.is_empty()).collect(), words.join(" "))
    }
}

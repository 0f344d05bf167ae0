//! The terms by which filters such as `speaker:ada` and `has:code`, and words of a speaker's name,
//! find turns.

use super::tokenizer::{Stemmer, Term, terms};
use super::turns::TurnText;
use crate::model::{Conversation, Turn};

/// Returns the filter terms of a turn.
pub fn turn_filters(read: &Conversation, turn: &Turn, text: &TurnText) -> Vec<String> {
    let mut filters = speaker_filters(read, &turn.speaker);
    filters.extend(content_filters(text).map(str::to_owned));
    filters
}

/// Returns the filter terms of a speaker: the name and the model.
pub fn speaker_filters(read: &Conversation, speaker: &str) -> Vec<String> {
    let who = read.participant(speaker);
    let model = who.and_then(|who| who.model.as_deref());
    let model = model.into_iter().flat_map(|model| filter_terms("model", model));
    filter_terms("speaker", speaker).into_iter().chain(model).collect()
}

/// Returns the filter terms of a turn's content: code, tool calls.
pub fn content_filters<'a>(text: &TurnText) -> impl Iterator<Item = &'a str> + use<'a> {
    let code = text.has_code.then_some("has:code");
    code.into_iter().chain(text.has_tool.then_some("has:tool"))
}

/// The fields of filters that match whole conversations: languages, type, tags.
pub const CONVERSATION_FIELDS: [&str; 3] = ["lang", "type", "tag"];

/// Returns the filter terms of a whole conversation.
pub fn conversation_filters<'a>(
    languages: impl IntoIterator<Item = &'a String>,
    kind: Option<&str>,
    tags: impl IntoIterator<Item = &'a String>,
) -> Vec<String> {
    let [lang_field, type_field, tag_field] = CONVERSATION_FIELDS;
    let languages = languages.into_iter().flat_map(|tag| filter_terms(lang_field, tag));
    let kind = kind.into_iter().flat_map(|kind| filter_terms(type_field, kind));
    let tags = tags.into_iter().flat_map(|tag| filter_terms(tag_field, tag));
    let mut all: Vec<String> = languages.chain(kind).chain(tags).collect();
    all.sort_unstable();
    all.dedup();
    all
}

/// Returns the terms by which a filter finds a value: one for each of its words.
pub fn filter_terms(field: &str, value: &str) -> Vec<String> {
    let mut all = Vec::new();
    terms(value, Stemmer::Identity, |term| {
        all.push(format!("{field}:{}", term.surface));
    });
    all
}

/// The maximum number of words of a speaker's name that are indexed.
const MAX_NAME_WORDS: u32 = 16;

/// Calls `each` for the words of a speaker's name, which count as words of the speaker's turns.
pub fn name_words(name: &str, stemmer: Stemmer, mut each: impl FnMut(&Term<'_>)) {
    let mut seen = 0;
    terms(name, stemmer, |term| {
        seen = term.position.map_or(seen, |position| position + 1);
        if seen <= MAX_NAME_WORDS {
            each(&term);
        }
    });
}

/// Returns the terms of a speaker's name in the index of a site, each with the word that it
/// represents: the stem of each word with a `:`, and for phrases the stems of each two consecutive
/// words (a biword).
pub fn name_terms(name: &str, stemmer: Stemmer) -> Vec<(String, String)> {
    let mut all: Vec<(String, String)> = Vec::new();
    let mut before: Option<String> = None;
    name_words(name, stemmer, |term| {
        let stem = term.stem();
        let mut add = |key: String| {
            if !all.iter().any(|(known, _)| *known == key) {
                all.push((key, term.surface.to_owned()));
            }
        };
        add(format!("{stem}:"));
        if term.position.is_none() {
            return;
        }
        if let Some(before) = &before {
            add(format!("{before} {stem}:"));
        }
        before = Some(stem);
    });
    all
}

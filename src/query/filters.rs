//! The terms under which filters such as `speaker:ada` and `has:code` find turns.

use super::tokenizer::{Stemmer, terms};
use super::turns::TurnText;
use crate::model::{Conversation, Turn};

/// Returns the terms of filters that find a turn.
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

/// Returns the filter terms of what stands in a turn: code, tool calls.
pub fn content_filters<'a>(text: &TurnText) -> impl Iterator<Item = &'a str> + use<'a> {
    let code = text.has_code.then_some("has:code");
    code.into_iter().chain(text.has_tool.then_some("has:tool"))
}

/// The fields of filters that find all of a conversation: its languages, its type, its tags.
pub const CONVERSATION_FIELDS: [&str; 3] = ["lang", "type", "tag"];

/// Returns the terms of filters that find all of a conversation.
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

/// Returns the terms under which a filter finds a value: one for each of its words.
pub fn filter_terms(field: &str, value: &str) -> Vec<String> {
    let mut all = Vec::new();
    terms(value, Stemmer::Identity, |term| {
        all.push(format!("{field}:{}", term.surface));
    });
    all
}

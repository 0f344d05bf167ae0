//! The fields of the index.

use tantivy::schema::{
    FAST, Field, INDEXED, IndexRecordOption, STRING, Schema, TextFieldIndexing, TextOptions,
};

use crate::hash::Hash;
use crate::search::doc_terms::VERSION;
use crate::search::index::Document;

/// The fields of a document.
#[derive(Clone, Copy)]
pub(super) struct Fields {
    /// The hash of the conversation.
    pub(super) key: Field,
    /// The first bytes of that hash as a number.
    pub(super) conversation: Field,
    /// The terms of the text, with their positions.
    pub(super) terms: Field,
    /// The terms of the speaker's name, with their positions.
    pub(super) names: Field,
    /// The filter terms.
    pub(super) filters: Field,
    /// The words as written, folded.
    pub(super) words: Field,
    /// The conversation's day as a number such as 20251023; 0 for none.
    pub(super) day: Field,
    /// The number of the conversation's part.
    pub(super) part: Field,
    /// The number of the turn in its part, from 1; 0 for the title.
    pub(super) turn: Field,
}

/// The filter term of titles.
pub(super) const TITLE_FILTER: &str = "is:title";

pub(super) fn schema() -> (Schema, Fields) {
    let mut schema = Schema::builder();
    let with = |record| {
        let indexing = TextFieldIndexing::default().set_index_option(record);
        TextOptions::default().set_indexing_options(indexing)
    };
    let basic = with(IndexRecordOption::Basic);
    // An unused field whose name distinguishes versions.
    schema.add_u64_field(&format!("version {VERSION}"), FAST);
    let fields = Fields {
        key: schema.add_text_field("key", STRING),
        conversation: schema.add_u64_field("conversation", FAST),
        terms: schema.add_text_field("terms", with(IndexRecordOption::WithFreqsAndPositions)),
        names: schema.add_text_field("names", with(IndexRecordOption::WithFreqsAndPositions)),
        filters: schema.add_text_field("filters", basic.clone()),
        words: schema.add_text_field("words", basic),
        day: schema.add_u64_field("day", INDEXED | FAST),
        part: schema.add_u64_field("part", FAST),
        turn: schema.add_u64_field("turn", FAST),
    };
    (schema.build(), fields)
}

pub(super) fn key_of(document: &Document) -> String {
    Hash::of(&(VERSION, document.key())).hex()
}

/// Returns the number of a conversation: the first bytes of its key.
pub(super) fn number_of(key: &str) -> u64 {
    let start = key.get(..16).unwrap_or(key);
    u64::from_str_radix(start, 16).unwrap_or_default()
}

//! The facets of conversations (day, speakers, tags and so on), for counting results.

use std::collections::HashMap;

use serde::{Serialize, Serializer};

use super::document::Document;
use super::inverter::TurnLayout;

#[derive(Serialize)]
struct File<'a> {
    names: Names<'a>,
    rows: Vec<Row<'a>>,
}

/// The names to which rows refer by their numbers.
#[derive(Default, Serialize)]
struct Names<'a> {
    speaker: NameTable<'a>,
    model: NameTable<'a>,
    lang: NameTable<'a>,
    r#type: NameTable<'a>,
    tag: NameTable<'a>,
}

/// Names with their numbers, in the order in which they first occur.
#[derive(Default)]
struct NameTable<'a> {
    names: Vec<&'a str>,
    places: HashMap<&'a str, usize>,
}

impl<'a> NameTable<'a> {
    fn intern(&mut self, name: &'a str) -> usize {
        *self.places.entry(name).or_insert_with(|| {
            self.names.push(name);
            self.names.len() - 1
        })
    }
}

impl Serialize for NameTable<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        self.names.serialize(to)
    }
}

/// A conversation: an array, because its fields' names would be most of the file.
#[derive(Serialize)]
struct Row<'a>(
    /// Its day as a number such as 20251023, less that of the row before.
    Option<i64>,
    /// Its speakers.
    Vec<usize>,
    /// The model of each speaker.
    Vec<Option<usize>>,
    /// Its languages.
    Vec<usize>,
    /// Its type.
    Option<usize>,
    /// Its tags.
    Vec<usize>,
    /// For each turn its speaker in this row: see [`TurnLayout::speakers`].
    &'a str,
);

/// Returns the file as JSON.
pub(super) fn file<'a>(documents: &[&'a Document], layouts: &[&'a TurnLayout]) -> String {
    let mut names = Names::default();
    let mut rows = Vec::with_capacity(documents.len());
    let mut before = 0;
    for (document, layout) in documents.iter().zip(layouts) {
        let entry = &document.entry;
        let day = document.day().and_then(|day| day_number(&day));
        let step = day.map(|day| day - before);
        before = day.unwrap_or(before);
        let speakers = entry.speakers.iter();
        let models = speakers.clone().map(|who| who.model.as_deref());
        rows.push(Row(
            step,
            speakers.map(|who| names.speaker.intern(&who.name)).collect(),
            models.map(|model| Some(names.model.intern(model?))).collect(),
            entry.languages.iter().map(|tag| names.lang.intern(tag)).collect(),
            entry.kind.as_deref().map(|kind| names.r#type.intern(kind)),
            entry.tags.iter().map(|tag| names.tag.intern(tag)).collect(),
            &layout.speakers,
        ));
    }
    serde_json::to_string(&File { names, rows }).expect("plain values are JSON")
}

/// Returns a day such as `2025-10-23` as the number 20251023.
fn day_number(day: &str) -> Option<i64> {
    day.replace('-', "").parse().ok()
}

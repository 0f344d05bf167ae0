//! What conversations are filed under, for counting results.

use std::collections::HashMap;

use serde::{Serialize, Serializer};

use super::Document;
use super::gather::Shape;

#[derive(Serialize)]
struct File<'a> {
    names: Names<'a>,
    rows: Vec<Row<'a>>,
}

/// What rows refer to by places.
#[derive(Default, Serialize)]
struct Names<'a> {
    speaker: List<'a>,
    model: List<'a>,
    lang: List<'a>,
    r#type: List<'a>,
    tag: List<'a>,
}

/// Names in the order in which they were met.
#[derive(Default)]
struct List<'a> {
    names: Vec<&'a str>,
    places: HashMap<&'a str, usize>,
}

impl<'a> List<'a> {
    fn place(&mut self, name: &'a str) -> usize {
        *self.places.entry(name).or_insert_with(|| {
            self.names.push(name);
            self.names.len() - 1
        })
    }
}

impl Serialize for List<'_> {
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
    /// For each turn its speaker in this row: see [`Shape::speakers`].
    &'a str,
);

/// The file as JSON.
pub(super) fn file<'a>(documents: &[&'a Document], shapes: &[&'a Shape]) -> String {
    let mut names = Names::default();
    let mut rows = Vec::with_capacity(documents.len());
    let mut before = 0;
    for (document, shape) in documents.iter().zip(shapes) {
        let entry = &document.entry;
        let day = document.day().and_then(|day| number(&day));
        let step = day.map(|day| day - before);
        before = day.unwrap_or(before);
        let speakers = entry.speakers.iter();
        let models = speakers.clone().map(|who| who.model.as_deref());
        rows.push(Row(
            step,
            speakers.map(|who| names.speaker.place(&who.name)).collect(),
            models.map(|model| Some(names.model.place(model?))).collect(),
            entry.languages.iter().map(|tag| names.lang.place(tag)).collect(),
            entry.kind.as_deref().map(|kind| names.r#type.place(kind)),
            entry.tags.iter().map(|tag| names.tag.place(tag)).collect(),
            &shape.speakers,
        ));
    }
    serde_json::to_string(&File { names, rows }).expect("plain values are JSON")
}

/// `2025-10-23` as 20251023.
fn number(day: &str) -> Option<i64> {
    day.replace('-', "").parse().ok()
}

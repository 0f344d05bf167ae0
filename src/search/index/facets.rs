//! The facets of conversations (day, speakers, tags and so on), for counting results.

use std::collections::HashMap;

use serde::{Serialize, Serializer};

use super::document::Document;
use super::inverter::TurnLayout;
use crate::model::Kind;

/// Days, languages, types and tags of conversations, as columns, which take half the space of rows.
#[derive(Default, Serialize)]
struct ConversationFile<'a> {
    names: ConversationNames<'a>,
    /// The day as a number such as 20251023, minus that of the previous conversation with a day.
    days: Vec<Option<i64>>,
    langs: ListColumn<usize>,
    types: Vec<Option<usize>>,
    tags: ListColumn<usize>,
}

/// The names that the columns refer to by number.
#[derive(Default, Serialize)]
struct ConversationNames<'a> {
    lang: NameTable<'a>,
    r#type: NameTable<'a>,
    tag: NameTable<'a>,
}

/// The speakers of conversations, which take more space than everything else.
#[derive(Default, Serialize)]
struct SpeakerFile<'a> {
    names: SpeakerNames<'a>,
    speakers: ListColumn<usize>,
    /// The model of each speaker: `None` for a person, and -1 for a program whose model is unknown.
    models: ListColumn<Option<i64>>,
    /// The speaker of each turn: see [`TurnLayout::speakers`].
    turns: Vec<&'a str>,
}

/// The names that the columns of speakers refer to by number.
#[derive(Default, Serialize)]
struct SpeakerNames<'a> {
    speaker: NameTable<'a>,
    model: NameTable<'a>,
}

/// Names with their numbers, in order of first occurrence.
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

/// A column of lists, one for each conversation, without an allocation for each.
#[derive(Default)]
struct ListColumn<T> {
    values: Vec<T>,
    /// The end of each list among the values.
    ends: Vec<usize>,
}

impl<T> ListColumn<T> {
    fn push(&mut self, list: impl Iterator<Item = T>) {
        self.values.extend(list);
        self.ends.push(self.values.len());
    }
}

impl<T: Serialize> Serialize for ListColumn<T> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let starts = [0].iter().chain(&self.ends);
        let ranges = starts.zip(&self.ends).map(|(start, end)| *start..*end);
        to.collect_seq(ranges.map(|range| &self.values[range]))
    }
}

/// Returns the two files as JSON: facets of conversations, and speakers.
pub(super) fn files<'a>(documents: &[&'a Document], layouts: &[&'a TurnLayout]) -> [String; 2] {
    let mut filed = ConversationFile::default();
    let mut speaker_file = SpeakerFile::default();
    let mut before = 0;
    for (document, layout) in documents.iter().zip(layouts) {
        let entry = &document.entry;
        let day = document.day_number().map(i64::from);
        filed.days.push(day.map(|day| day - before));
        before = day.unwrap_or(before);
        let names = &mut filed.names;
        let languages = entry.languages.iter().map(|tag| names.lang.intern(tag));
        filed.langs.push(languages);
        filed.types.push(entry.kind.as_deref().map(|kind| names.r#type.intern(kind)));
        filed.tags.push(entry.tags.iter().map(|tag| names.tag.intern(tag)));
        let names = &mut speaker_file.names;
        let speakers = entry.speakers.iter();
        let models = speakers.clone().map(|who| match &who.model {
            Some(model) => i64::try_from(names.model.intern(model)).ok(),
            None => (who.kind != Kind::Person).then_some(-1),
        });
        speaker_file.models.push(models);
        speaker_file.speakers.push(speakers.map(|who| names.speaker.intern(&who.name)));
        speaker_file.turns.push(&layout.speakers);
    }
    let json = "plain values can be serialized";
    [serde_json::to_string(&filed).expect(json), serde_json::to_string(&speaker_file).expect(json)]
}

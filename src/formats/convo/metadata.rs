//! Reads the JSON object at the end of the file.

use std::collections::BTreeSet;
use std::ops::Range;

use oxilangtag::LanguageTag;

use crate::shared::access::visibility::{self, Access, Scope};
use crate::shared::json::object::{deviation_notes, time_warning_note};
use crate::shared::text::keys;
use convo_base::diag::Note;
use convo_base::json::{self, Map, Step, Value, type_of};
use convo_base::model::{Kind, Participant};
use convo_base::time::Time;

/// The metadata object.
pub(super) struct Metadata {
    pub(super) title: Option<String>,
    pub(super) kind: Option<String>,
    pub(super) time: Option<Time>,
    pub(super) languages: Vec<String>,
    pub(super) speculative_languages: Vec<String>,
    pub(super) access: Access,
    pub(super) tags: Vec<String>,
    /// Each with the byte range of its name in the file.
    pub(super) participants: Vec<(Participant, Range<usize>)>,
    pub(super) extra: Map,
}

impl Metadata {
    /// Reads the object at `range` of the file `text`; returns `None` if it is not an object.
    pub(super) fn read(text: &str, range: Range<usize>, notes: &mut Vec<Note>) -> Option<Self> {
        let json = &text[range.clone()];
        let (value, deviations) = match json::parse(json) {
            Ok(parsed) => parsed,
            Err(error) => {
                let at = range.start + error.at;
                let message = error.about("the metadata");
                notes.push(Note::error("bad-json", at..at, message));
                return None;
            }
        };
        notes.extend(deviation_notes(deviations, text, range.start));
        // The separator was followed by `{`, so this is an object.
        let Value::Object(map) = value else { return None };
        let list = Default::default();
        Some(Reader { json, offset: range.start, notes, list }.metadata(map))
    }
}

/// Reads one key at a time, and reports errors with their places.
struct Reader<'a> {
    json: &'a str,
    offset: usize,
    notes: &'a mut Vec<Note>,
    /// The last array that was searched: its path and the ranges of its elements.
    list: (String, Vec<Range<usize>>),
}

impl Reader<'_> {
    fn metadata(&mut self, mut map: Map) -> Metadata {
        let title = self.string(&mut map, "title", false);
        let kind = self.string(&mut map, "type", true);
        let time = self.string(&mut map, "time", true).and_then(|text| self.time(&text));
        let participants = self.participants(&mut map);
        let languages = match map.shift_remove("languages") {
            Some(value) => self.languages(value, &[Step::Key("languages")]),
            None => Vec::new(),
        };
        let speculative_languages = self.speculative(&mut map);
        let access = self.access(&mut map);
        let tags = tags(&mut map);
        let kind = kind.filter(|kind| {
            let empty = kind.trim().is_empty();
            if empty {
                let at = self.place(&[Step::Key("type")]);
                self.notes.push(Note::error("wrong-type", at, "`type` must not be empty"));
            }
            !empty
        });
        let misused = keys::misused(&map, |key| self.place(&[Step::Key(key)]));
        self.notes.extend(misused);
        Metadata {
            title: title.filter(|title| !title.trim().is_empty()),
            kind,
            time,
            languages,
            speculative_languages,
            access,
            tags,
            participants,
            extra: map,
        }
    }

    fn place(&mut self, steps: &[Step<'_>]) -> Range<usize> {
        let range = self.range(steps);
        self.offset + range.start..self.offset + range.end
    }

    /// Returns the byte range of a value. Remembers the last array, so that a list of invalid elements is
    /// searched only once.
    fn range(&mut self, steps: &[Step<'_>]) -> Range<usize> {
        let at = steps.iter().position(|step| matches!(step, Step::Index(_)));
        let Some(at) = at else { return json::locate(self.json, steps) };
        let Step::Index(index) = steps[at] else { return 0..0 };
        let way = format!("{:?}", &steps[..at]);
        if self.list.0 != way {
            self.list = (way, json::elements(self.json, &steps[..at]));
        }
        let Some(own) = self.list.1.get(index) else { return 0..0 };
        let inside = json::locate(&self.json[own.clone()], &steps[at + 1..]);
        own.start + inside.start..own.start + inside.end
    }

    fn wrong_type(&mut self, steps: &[Step<'_>], expected: &str, value: &Value) {
        let name = steps
            .iter()
            .map(|step| match step {
                Step::Key(key) => (*key).to_owned(),
                Step::Index(index) => index.to_string(),
            })
            .collect::<Vec<_>>()
            .join(".");
        let found = type_of(value);
        let message = format!("`{name}` must be {expected}, not {found}");
        let note = Note::error("wrong-type", self.place(steps), message);
        self.notes.push(note);
    }

    fn missing(&mut self, steps: &[Step<'_>], key: &str, hint: &str) {
        let mut at = self.place(steps);
        at.end = at.start + 1;
        let note = Note::error("missing-key", at, format!("`{key}` is missing"));
        self.notes.push(note.hint(hint));
    }

    fn string(&mut self, map: &mut Map, key: &str, required: bool) -> Option<String> {
        match map.shift_remove(key) {
            Some(Value::String(text)) => Some(text),
            Some(Value::Null) if !required => None,
            Some(other) => {
                self.wrong_type(&[Step::Key(key)], "a string", &other);
                None
            }
            None if required => {
                self.missing(&[], key, "the specification requires this key");
                None
            }
            None => None,
        }
    }

    fn boolean(&mut self, map: &mut Map, steps: &[Step<'_>]) -> bool {
        let Some(Step::Key(key)) = steps.last() else { return false };
        match map.shift_remove(*key) {
            Some(Value::Bool(value)) => value,
            None | Some(Value::Null) => false,
            Some(other) => {
                self.wrong_type(steps, "true or false", &other);
                false
            }
        }
    }

    fn access(&mut self, map: &mut Map) -> Access {
        let settings = visibility::read_access(self.json, Scope::Conversation, &[]);
        let place = |setting: &visibility::AccessSetting| {
            self.offset + setting.at.start..self.offset + setting.at.end
        };
        let reported = visibility::notes(&settings, place);
        self.notes.extend(reported);
        if map.get("private").is_some_and(Value::is_boolean) {
            map.shift_remove("private");
        }
        Access::of(&settings)
    }

    fn time(&mut self, text: &str) -> Option<Time> {
        let at = self.place(&[Step::Key("time")]);
        match Time::parse(text) {
            Ok((time, doubt)) => {
                self.notes.extend(doubt.map(|doubt| time_warning_note(doubt, at)));
                Some(time)
            }
            Err(error) => {
                let note =
                    Note::error("bad-time", at, format!("`time` is not a valid time: {error}"));
                self.notes.push(note.hint(
                    "write a date such as `2025-10-23`, or \
                     `2025-10-23T12:00:00-05:00[America/Chicago]`",
                ));
                None
            }
        }
    }

    fn participants(&mut self, map: &mut Map) -> Vec<(Participant, Range<usize>)> {
        let list = match map.shift_remove("participants") {
            Some(Value::Array(list)) => list,
            Some(other) => {
                self.wrong_type(&[Step::Key("participants")], "an array", &other);
                return Vec::new();
            }
            None => {
                self.missing(&[], "participants", "the specification requires this key");
                return Vec::new();
            }
        };
        let mut participants: Vec<(Participant, Range<usize>)> = Vec::new();
        let mut names = BTreeSet::new();
        let places = json::elements(self.json, &[Step::Key("participants")]);
        for ((index, value), place) in list.into_iter().enumerate().zip(places) {
            let steps = [Step::Key("participants"), Step::Index(index)];
            let Some((participant, range)) = self.participant(value, place, steps) else {
                continue;
            };
            if !names.insert(participant.name.clone()) {
                let message = format!("participant `{}` is listed twice", participant.name);
                self.notes.push(Note::warning("duplicate-participant", range, message));
            } else {
                participants.push((participant, range));
            }
        }
        participants
    }

    fn participant(
        &mut self,
        value: Value,
        place: Range<usize>,
        steps: [Step<'_>; 2],
    ) -> Option<(Participant, Range<usize>)> {
        let step = |key| [steps[0], steps[1], Step::Key(key)];
        let own = &self.json[place.clone()];
        let place = self.offset + place.start..self.offset + place.end;
        let inside = |key| {
            let range = json::locate(own, &[Step::Key(key)]);
            place.start + range.start..place.start + range.end
        };
        let (name, range, mut map) = match value {
            Value::String(name) => (name, place.clone(), Map::new()),
            Value::Object(mut map) => match map.shift_remove("name") {
                Some(Value::String(name)) => (name, inside("name"), map),
                Some(other) => {
                    self.wrong_type(&step("name"), "a string", &other);
                    return None;
                }
                None => {
                    self.missing(&steps, "name", "every participant needs a name");
                    return None;
                }
            },
            other => {
                self.wrong_type(&steps, "a string or an object", &other);
                return None;
            }
        };
        if name.trim().is_empty() {
            self.notes.push(Note::error("missing-key", range, "a participant's name is empty"));
            return None;
        }
        let generative = self.boolean(&mut map, &step("generative"));
        let model = match map.shift_remove("generative:model") {
            Some(Value::String(model)) => Some(model),
            None | Some(Value::Null) => None,
            Some(other) => {
                self.wrong_type(&step("generative:model"), "a string", &other);
                None
            }
        };
        if model.is_some() && !generative {
            let at = self.place(&step("generative:model"));
            self.notes.push(
                Note::warning(
                    "not-generative",
                    at,
                    format!("`{name}` has a model but is a person"),
                )
                .hint("add `\"generative\": true`"),
            );
        }
        // convo-site's own key, used to write system messages and tools of other formats.
        let word = map.get("kind").and_then(Value::as_str);
        let stated = word.and_then(Kind::parse);
        if stated.is_some() {
            map.shift_remove("kind");
        } else if let Some(other) = map.get("kind") {
            let words = Kind::ALL.map(|kind| format!("`{}`", kind.word())).join(", ");
            let message = format!("`kind` of `{name}` must be one of {words}");
            let note = Note::warning("unknown-kind", inside("kind"), message);
            self.notes.push(note.hint(format!("{other} has no effect")));
        }
        let kind = match stated {
            Some(kind) => kind,
            None if generative => Kind::Assistant,
            None => Kind::Person,
        };
        Some((Participant { model, extra: map, ..Participant::new(name, kind) }, range))
    }

    fn languages(&mut self, value: Value, steps: &[Step<'_>]) -> Vec<String> {
        let list = match value {
            Value::Array(list) => list,
            Value::Null => return Vec::new(),
            other => {
                self.wrong_type(steps, "an array of language tags", &other);
                return Vec::new();
            }
        };
        let mut tags = Vec::new();
        let mut known = BTreeSet::new();
        let places = json::elements(self.json, steps);
        for ((index, item), place) in list.into_iter().enumerate().zip(places) {
            let Value::String(tag) = item else {
                let mut steps = steps.to_vec();
                steps.push(Step::Index(index));
                self.wrong_type(&steps, "a string", &item);
                continue;
            };
            if !known.insert(tag.clone()) {
                continue;
            }
            if LanguageTag::parse(tag.as_str()).is_err() {
                let at = self.offset + place.start..self.offset + place.end;
                let message = format!("`{tag}` is not a BCP 47 language tag");
                self.notes.push(
                    Note::warning("bad-language", at, message)
                        .hint("use a tag such as `en`, `zh-Hans` or `pt-BR`"),
                );
            }
            tags.push(tag);
        }
        tags
    }

    /// Takes `languages_meta.speculative` and leaves its other members.
    fn speculative(&mut self, map: &mut Map) -> Vec<String> {
        let Some(Value::Object(meta)) = map.get_mut("languages_meta") else {
            return Vec::new();
        };
        let Some(value) = meta.shift_remove("speculative") else { return Vec::new() };
        if meta.is_empty() {
            map.shift_remove("languages_meta");
        }
        self.languages(value, &[Step::Key("languages_meta"), Step::Key("speculative")])
    }
}

/// Reads the tags. The specification does not define them, so anything other than a list of strings may
/// mean something else and is left alone.
fn tags(map: &mut Map) -> Vec<String> {
    let list = map.get("tags").and_then(Value::as_array);
    let texts = list.map(|list| list.iter().map(|tag| Some(tag.as_str()?.to_owned())));
    let tags: Option<Vec<String>> = texts.and_then(Iterator::collect);
    if tags.is_some() {
        map.shift_remove("tags");
    }
    tags.unwrap_or_default()
}

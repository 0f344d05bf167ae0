//! A privacy mark in any object of a JSON file: no text in that object is published.

use std::collections::{BTreeMap, BTreeSet};

use convo_site::model::Conversation;
use rayon::prelude::*;
use serde_json::{Map, Value};

use crate::formats::{files, format_of, inputs, read};

/// A step from a JSON value to one in it.
#[derive(Clone, Debug)]
enum Step {
    Key(String),
    Index(usize),
}

/// A JSON file as its values: one, or one a line.
struct Document {
    values: Vec<Value>,
    is_lines: bool,
}

impl Document {
    fn parse(bytes: &[u8]) -> Option<Self> {
        let text = std::str::from_utf8(bytes).ok()?;
        if let Ok(value) = serde_json::from_str::<Value>(text) {
            return Some(Self { values: vec![value], is_lines: false });
        }
        let lines = text.lines().filter(|line| !line.trim().is_empty());
        let values: Result<Vec<Value>, _> = lines.map(serde_json::from_str).collect();
        values.ok().map(|values| Self { values, is_lines: true })
    }

    fn write(&self) -> Vec<u8> {
        let texts: Vec<String> = self.values.iter().map(Value::to_string).collect();
        let end = if self.is_lines { "\n" } else { "" };
        (texts.join("\n") + end).into_bytes()
    }

    /// The paths of all objects.
    fn objects(&self) -> Vec<Vec<Step>> {
        let mut paths = Vec::new();
        for (index, value) in self.values.iter().enumerate() {
            collect(value, &mut vec![Step::Index(index)], &mut paths);
        }
        paths
    }

    /// Marks an object, and returns the document with the object as it was.
    fn marked(&self, path: &[Step]) -> (Vec<u8>, Map<String, Value>) {
        let mut values = Value::Array(self.values.clone());
        let place = path.iter().fold(&mut values, |value, step| match step {
            Step::Key(key) => &mut value[key.as_str()],
            Step::Index(index) => &mut value[*index],
        });
        let object = place.as_object_mut().expect("an object");
        let before = object.clone();
        object.insert("private".to_owned(), true.into());
        let Value::Array(values) = values else { unreachable!("a list") };
        (Self { values, is_lines: self.is_lines }.write(), before)
    }
}

fn collect(value: &Value, path: &mut Vec<Step>, paths: &mut Vec<Vec<Step>>) {
    match value {
        Value::Array(list) => {
            for (index, value) in list.iter().enumerate() {
                path.push(Step::Index(index));
                collect(value, path, paths);
                path.pop();
            }
        }
        Value::Object(map) => {
            paths.push(path.clone());
            for (key, value) in map {
                path.push(Step::Key(key.clone()));
                collect(value, path, paths);
                path.pop();
            }
        }
        _ => {}
    }
}

/// Adds the long words of the prose in a value. The words of `NESTED` turns are not its own.
fn add_words(value: &Value, words: &mut Vec<String>) {
    match value {
        Value::String(text) if text.contains(' ') => {
            let parts = text.split(|c: char| !c.is_ascii_alphabetic());
            words.extend(parts.filter(|part| part.len() > 6).map(str::to_owned));
        }
        Value::Array(list) => list.iter().for_each(|value| add_words(value, words)),
        Value::Object(map) => {
            let own = map.iter().filter(|(key, _)| !NESTED.contains(&key.as_str()));
            own.for_each(|(_, value)| add_words(value, words));
        }
        _ => {}
    }
}

/// The published text of conversations.
fn shown(conversations: &[Conversation]) -> String {
    let of_one = |read: &Conversation| {
        if read.private || !read.schedule.is_empty() {
            return String::new();
        }
        serde_json::to_string(&(&read.title, &read.preface, &read.turns, &read.branches))
            .expect("JSON")
    };
    conversations.iter().map(of_one).collect::<Vec<_>>().join("\n").to_lowercase()
}

/// Keys of other turns in a turn.
const NESTED: [&str; 2] = ["children", "replies"];
/// Keys of what a tool was given, in which a mark is content.
const GIVEN: [&str; 3] = ["input", "args", "arguments"];

/// Replaces every long word of prose that a file contains once by a word that nothing else contains.
fn with_own_words(document: &Document, bytes: &[u8]) -> (Vec<u8>, Vec<String>) {
    let mut words = Vec::new();
    document.values.iter().for_each(|value| add_words(value, &mut words));
    let mut text = String::from_utf8_lossy(bytes).into_owned();
    let mut own = Vec::new();
    for word in words {
        if text.matches(word.as_str()).count() == 1 {
            let letter =
                |digit: char| char::from(b'a' + digit.to_digit(10).expect("a digit") as u8);
            let number: String = format!("{:04}", own.len()).chars().map(letter).collect();
            own.push(format!("quux{number}z"));
            text = text.replace(&word, own.last().expect("a word"));
        }
    }
    (text.into_bytes(), own)
}

fn failures(path: &std::path::Path) -> Vec<String> {
    let format = format_of(path);
    let files = files(path);
    let mut wrong = Vec::new();
    for (name, bytes) in &files {
        let Some(document) = Document::parse(bytes) else { continue };
        let (bytes, own) = with_own_words(&document, bytes);
        let mut changed: BTreeMap<String, Vec<u8>> = files.clone();
        changed.insert(name.clone(), bytes.clone());
        let before = shown(&read(&changed, &format).0);
        let document = Document::parse(&bytes).expect("JSON");
        let is_shown = |word: &String| before.contains(word.as_str());
        let own: BTreeSet<String> = own.into_iter().filter(is_shown).collect();
        for place in document.objects().iter().take(MAX_OBJECTS) {
            let keys = place.iter().filter_map(|step| match step {
                Step::Key(key) => Some(key.as_str()),
                Step::Index(_) => None,
            });
            if keys.clone().any(|key| GIVEN.contains(&key)) {
                continue;
            }
            let (marked, object) = document.marked(place);
            let mut words = Vec::new();
            add_words(&object.into(), &mut words);
            words.retain(|word| own.contains(word));
            if words.is_empty() {
                continue;
            }
            changed.insert(name.clone(), marked);
            let after = shown(&read(&changed, &format).0);
            words.retain(|word| after.contains(word.as_str()));
            if !words.is_empty() {
                let keys: Vec<&str> = keys.collect();
                wrong.push(format!("{}: {name} {} {words:?}", path.display(), keys.join(".")));
            }
        }
    }
    wrong
}

/// The maximum number of objects of a file that are tried.
const MAX_OBJECTS: usize = 400;

#[test]
fn a_mark_in_any_object_withholds_the_texts_in_it() {
    let inputs = inputs();
    let wrong: Vec<String> = inputs.par_iter().flat_map_iter(|path| failures(path)).collect();
    assert!(wrong.is_empty(), "{}:\n{}", wrong.len(), wrong.join("\n"));
}

/// A file that is one object is an export, or a conversation, as a whole.
#[test]
fn a_mark_at_the_top_of_a_document_withholds_all_of_it() {
    let failure = |path: &std::path::PathBuf| {
        let (format, mut files) = (format_of(path), files(path));
        let (name, bytes) = files.first_key_value().filter(|_| files.len() == 1)?;
        let document = Document::parse(bytes).filter(|document| !document.is_lines)?;
        document.values.first().filter(|value| value.is_object())?;
        let (marked, name) = (document.marked(&[Step::Index(0)]).0, name.clone());
        files.insert(name, marked);
        let after = shown(&read(&files, &format).0);
        (!after.trim().is_empty()).then(|| path.display().to_string())
    };
    let wrong: Vec<String> = inputs().iter().filter_map(failure).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

//! Repetitive texts in every text field of every format: the time to read them and to create all
//! outputs grows linearly.
//!
//! The text fields of a format are found in its cases in `tests/formats`: every place that keeps an
//! inserted word.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, LazyLock};

use convo_site::files::{Memory, SharedFiles};
use convo_site::formats as all_formats;
use convo_site::pipeline::{self, Choices, Memo};
use rayon::prelude::*;
use serde_json::Value;

use crate::formats;
use crate::support::BASE;
use crate::support::linear_time::{check_linear, on_one_thread, timed};
use crate::support::shapes::{Shape, shapes};

/// The size of a text; it is compared with a text of a quarter of that. Bytes.
const BYTES: usize = 8_000;
const MANY_BYTES: usize = 200_000;
/// The maximum number of text fields that are filled in a case.
const MAX_TEXTS: usize = 8;
/// The maximum number of places in a case that are tried as text fields.
const MAX_PLACES: usize = 40;
/// The maximum size of a case, if there is a smaller one. Bytes.
const MAX_CASE: usize = 6_000;
/// The word that is inserted to find text fields.
const WORD: &str = "Zyxqword";

type Files = BTreeMap<String, Vec<u8>>;
/// The files of a case, with its text fields.
type Case = (Files, Vec<Place>);

/// A place for text in a case.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Place {
    /// The first string below these keys in a JSON or JSON Lines file.
    Json(String, String),
    /// The end of a line of a file.
    Line(String, usize),
}

/// All places of a case, whether they are text fields or not: each path in its JSON, and each line.
fn places(files: &Files) -> BTreeSet<Place> {
    let mut all = BTreeSet::new();
    for (file, bytes) in files {
        let Ok(text) = std::str::from_utf8(bytes) else { continue };
        let values = documents(text);
        if values.is_empty() {
            let lines = text.lines().count().min(60);
            all.extend((0..lines).map(|line| Place::Line(file.clone(), line)));
        }
        for mut value in values {
            each_string(&mut value, "", &mut |keys, _| {
                all.insert(Place::Json(file.clone(), keys.to_owned()));
            });
        }
    }
    all
}

/// The JSON documents of a file; none for other files.
fn documents(text: &str) -> Vec<Value> {
    if let Ok(whole) = serde_json::from_str::<Value>(text) {
        return if whole.is_object() || whole.is_array() { vec![whole] } else { Vec::new() };
    }
    let lines = text.lines().filter(|line| !line.trim().is_empty());
    lines.map(serde_json::from_str).collect::<Result<_, _>>().unwrap_or_default()
}

fn each_string(value: &mut Value, keys: &str, each: &mut dyn FnMut(&str, &mut String)) {
    match value {
        Value::String(text) => each(keys, text),
        Value::Array(items) => {
            items.iter_mut().for_each(|item| each_string(item, &format!("{keys}[]"), each));
        }
        Value::Object(map) => {
            for (key, value) in map {
                // Some maps have ids as keys.
                let digits = key.bytes().filter(u8::is_ascii_digit).count();
                let key = if digits > 3 { "*" } else { key };
                each_string(value, &format!("{keys}.{key}"), each);
            }
        }
        _ => {}
    }
}

/// Returns a case with a text appended at each of these places.
fn filled(files: &Files, places: &[Place], text: &str) -> Files {
    let mut files = files.clone();
    for (file, bytes) in &mut files {
        let own: Vec<&Place> = places
            .iter()
            .filter(|place| matches!(place, Place::Json(of, _) | Place::Line(of, _) if of == file))
            .collect();
        if own.is_empty() {
            continue;
        }
        let before = String::from_utf8(bytes.clone()).expect("it was text");
        let mut values = documents(&before);
        if values.is_empty() {
            let line = |(at, line): (usize, &str)| {
                let is_here = own.contains(&&Place::Line(file.clone(), at));
                format!("{line}{}\n", if is_here { text } else { "" })
            };
            *bytes = before.lines().enumerate().map(line).collect::<String>().into_bytes();
            continue;
        }
        let is_one = serde_json::from_str::<Value>(&before).is_ok();
        let mut done = BTreeSet::new();
        for value in &mut values {
            each_string(value, "", &mut |keys, there| {
                let place = Place::Json(file.clone(), keys.to_owned());
                if own.contains(&&place) && done.insert(keys.to_owned()) {
                    there.push_str(text);
                }
            });
        }
        let rows: Vec<String> = values.iter().map(Value::to_string).collect();
        *bytes = (rows.join("\n") + if is_one { "" } else { "\n" }).into_bytes();
    }
    files
}

/// The number of turns of a case, and everything read from it.
fn read(files: &Files, format: &str) -> (usize, String) {
    let (found, _) = formats::read(files, format);
    let turns = found.iter().map(|read| read.all_turns().count()).sum();
    (turns, format!("{found:?}"))
}

/// Returns the places of a case where an inserted word is read as part of a text.
fn texts(files: &Files, format: &str) -> Vec<Place> {
    let (turns, _) = read(files, format);
    let is_text = |place: &Place| {
        let (found, text) = read(&filled(files, std::slice::from_ref(place), WORD), format);
        found >= turns.max(1) && text.contains(WORD)
    };
    // Spread over the whole case.
    let all = places(files);
    let step = all.len().div_ceil(MAX_PLACES).max(1);
    let all: Vec<Place> = all.into_iter().step_by(step).filter(is_text).collect();
    let step = all.len().div_ceil(MAX_TEXTS).max(1);
    all.into_iter().step_by(step).collect()
}

/// One case of each format with text fields: the longest case below the limit, or the shortest of
/// the others. The variable `LINEAR_FORMATS` restricts the formats.
fn cases() -> &'static BTreeMap<String, Case> {
    static CASES: LazyLock<BTreeMap<String, Case>> = LazyLock::new(|| {
        let mut by_format: BTreeMap<String, Vec<(bool, usize, Files)>> = BTreeMap::new();
        let chosen = std::env::var("LINEAR_FORMATS").ok();
        let is_chosen = |name: &str| {
            chosen.as_ref().is_none_or(|chosen| chosen.split(',').any(|format| format == name))
        };
        let inputs = formats::inputs().into_iter();
        for input in inputs.filter(|input| is_chosen(&formats::format_of(input))) {
            let files = formats::files(&input);
            let len = files.values().map(Vec::len).sum::<usize>();
            let order = (len > MAX_CASE, len.abs_diff(MAX_CASE), files);
            by_format.entry(formats::format_of(&input)).or_default().push(order);
        }
        let found = by_format.into_par_iter().filter_map(|(format, mut inputs)| {
            inputs.sort();
            let tried = inputs.into_iter().map(|(.., files)| {
                let texts = texts(&files, &format);
                (files, texts)
            });
            let found = tried.into_iter().find(|(_, texts)| !texts.is_empty())?;
            Some((format, found))
        });
        found.collect()
    });
    &CASES
}

fn slow_readers(bytes: usize) -> Vec<String> {
    let (cases, shapes) = (cases(), shapes());
    let all: Vec<(&String, &Case, &Shape)> = cases
        .iter()
        .flat_map(|(format, case)| shapes.iter().map(move |shape| (format, case, shape)))
        .collect();
    let tried = all.into_par_iter().filter_map(|(format, (files, places), shape)| {
        let took = |bytes: usize| {
            let files = filled(files, places, &shape.text(bytes));
            timed(|| _ = formats::read(&files, format))
        };
        let mut times = check_linear(bytes, took).err()?;
        // Above half a megabyte, a source is read in parts and searched for what its diagnostics may quote, which
        // takes several times as long per byte. Growth that is not linear goes on above that.
        if bytes == MANY_BYTES {
            times = check_linear(4 * bytes, took).err()?;
        }
        Some(format!("{format} {}: {times}\n  {places:?}", shape.name))
    });
    tried.collect()
}

/// All processing of a text: the search for secrets and names, the page and the search index.
fn slow_outputs(bytes: usize) -> Vec<String> {
    let config = "[people]\nothers = 'pseudonym'\n[gate]\npersonal = 'redact'\n[[redact]]\nwords = ['heron deal']\n";
    let work = |text: &str| {
        let mut files = Memory::default();
        files.insert("site.toml", format!("{BASE}{config}"));
        files.insert("people.key", "00112233445566778899aabbccddeeff\n");
        let title = serde_json::to_string(text).expect("JSON");
        let names = "\"participants\": [\"Ada Alder\", \"Bea Birch\"]";
        let talk = format!(
            "### @Ada Alder\n{text}\n\n### @Bea Birch\nAda Alder said: {text}\n\n----\n\
             {{\"type\": \"dialog\", \"title\": {title}, \"summary\": {title}, {names}}}\n"
        );
        files.insert("content/a.convo", talk);
        let prompt = serde_json::json!({"messages": [
            {"role": "user", "content": text},
            {"role": "assistant", "content": "Yes."},
        ]});
        files.insert("content/b.json", prompt.to_string());
        let files: SharedFiles = Arc::new(files);
        timed(|| {
            let build = pipeline::run(&files, &Choices::default(), &Memo::default(), &|_| {});
            for output in build.expect("a plan").outputs.iter() {
                let _ = output.make();
            }
        })
    };
    on_one_thread(|| {
        let nothing = (0..3).map(|_| work("x")).min().unwrap_or_default();
        let slow = shapes().into_iter().filter_map(|shape| {
            let took = |bytes: usize| work(&shape.text(bytes)).saturating_sub(nothing);
            let times = check_linear(bytes, took).err()?;
            Some(format!("{}: {times}", shape.name))
        });
        slow.collect()
    })
}

#[test]
#[ignore = "measures time or memory: `sh tests/run` runs it"]
fn every_text_is_read_in_linear_time() {
    let slow = slow_readers(BYTES);
    assert!(slow.is_empty(), "{}", slow.join("\n"));
}

#[test]
#[ignore = "measures time or memory: `sh tests/run` runs it"]
fn every_text_is_rendered_in_linear_time() {
    let slow = slow_outputs(2 * BYTES);
    assert!(slow.is_empty(), "{}", slow.join("\n"));
}

/// The same with long texts, which is slow.
#[test]
#[ignore = "takes many minutes"]
fn every_long_text_is_read_in_linear_time() {
    let slow = slow_readers(MANY_BYTES);
    assert!(slow.is_empty(), "{}", slow.join("\n"));
}

#[test]
#[ignore = "takes many minutes"]
fn every_long_text_is_rendered_in_linear_time() {
    let slow = slow_outputs(MANY_BYTES);
    assert!(slow.is_empty(), "{}", slow.join("\n"));
}

/// A format without a text field in any case is not tested.
#[test]
fn every_format_has_tested_texts() {
    let cases = cases();
    let tried: BTreeSet<&str> = cases.keys().map(String::as_str).collect();
    let read = all_formats::ALL.iter().filter(|format| format.read.is_some());
    let missing: Vec<&str> =
        read.map(|format| format.name).filter(|name| !tried.contains(name)).collect();
    assert!(missing.is_empty(), "{missing:?}");
}

//! Every way to mark something as private, at every place of every format.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use convo_site::files::{Memory, SharedFiles};
use convo_site::formats;
use convo_site::pipeline::{self, Choices, Memo};

use crate::private::{JSON, OF_TURNS, ROWS};
use crate::private_samples::{OTHER_MEANINGS, RECORDS, SAMPLES, Sample, TEXTS, WITHOUT_PLACES};
use crate::support::{BASE, convo};

/// The places of a sample, and whether a mark there applies to the whole conversation.
const PLACES: [(&str, bool); 10] = [
    ("@conversation", true),
    ("@about", true),
    ("@root", true),
    ("@outer", true),
    ("@turn", false),
    ("@wrapper", false),
    ("@message", false),
    ("@part", false),
    ("@inner", false),
    ("@meta", false),
];
/// Objects in which people and programs store metadata.
const METADATA: [&str; 4] = ["metadata", "meta", "properties", "extra"];
const CONFIG: &str = "[people]\nothers = 'keep'\n[[source]]\nfiles = '**'\nvisibility = 'public'\n\
    direct_messages = true\n";

/// A file that is private in one way, with the words that must not be published.
struct Case {
    name: String,
    files: Vec<(String, String)>,
    shown: bool,
}

/// Inserts a field at a place of a sample, and words specific to it.
fn filled(number: usize, text: &str, place: &str, field: &str) -> String {
    let mut text = text.replace(&format!("\"{place}\": 0"), field);
    for (place, _) in PLACES {
        text = text.replace(&format!("\"{place}\": 0"), "\"note\": 1");
    }
    text.replace("HIDDEN", &format!("hidden{number}z"))
        .replace("SHOWN", &format!("shown{number}z"))
        .replace("NUMBER", &format!("{number:08}"))
}

/// The marks for a place: in the object itself, and in metadata in it.
fn ways(place: &str, of_conversation: bool) -> Vec<String> {
    let all: &[&str] = if of_conversation { &JSON } else { &OF_TURNS };
    let mut ways: Vec<String> = all.iter().map(|way| (*way).to_owned()).collect();
    // Keys specific to metadata of a program do not occur in other objects.
    let is_object = |way: &&str| way.contains('{') || way.contains("channel");
    if ["@about", "@root", "@outer", "@meta"].contains(&place) {
        return OF_TURNS.iter().map(|way| (*way).to_owned()).collect();
    }
    for (number, way) in OF_TURNS.iter().filter(|way| !is_object(way)).enumerate() {
        ways.push(format!("\"{}\": {{{way}}}", METADATA[number % METADATA.len()]));
    }
    ways
}

fn cases_of((format, files): &Sample, number: &mut usize) -> Vec<Case> {
    let mut cases = Vec::new();
    let mut add = |place: &str, field: &str, shown: bool| {
        *number += 1;
        let path = |name: &str| {
            format!(
                "content/{format}/{number:05}/{}",
                name.replace("NUMBER", &format!("{number:08}"))
            )
        };
        let file = |(name, text): &(&str, &str)| (path(name), filled(*number, text, place, field));
        let name = format!("{format} {number} {place} {field}");
        cases.push(Case { name, files: files.iter().map(file).collect(), shown });
    };
    add("public", "", true);
    for (place, of_conversation) in PLACES {
        if files.iter().any(|(_, text)| text.contains(&format!("\"{place}\": 0"))) {
            let has_other_meaning = |way: &String| {
                let deep = ["\"status\": {", "\"extensions\"", "\"channel\""];
                let is_deep = deep.iter().any(|start| way.starts_with(start));
                place == "@conversation" && is_deep && RECORDS.contains(format)
                    || place == "@conversation"
                        && OTHER_MEANINGS
                            .iter()
                            .any(|(other, part, _)| other == format && way.starts_with(part))
            };
            let ways = ways(place, of_conversation).into_iter();
            for way in ways.filter(|way| !has_other_meaning(way)) {
                add(place, &way, !of_conversation);
            }
        }
    }
    cases
}

/// Builds a site with these cases. Returns those that are published although they are private, or
/// the reverse.
fn wrong(cases: &[Case]) -> Vec<String> {
    let mut memory = Memory::default();
    memory.insert("site.toml", format!("{BASE}{CONFIG}"));
    memory.insert("content/hello.convo", convo("Hello."));
    for (path, text) in cases.iter().flat_map(|case| &case.files) {
        memory.insert(path.clone(), text.clone());
    }
    let files: SharedFiles = Arc::new(memory);
    let build =
        pipeline::run(&files, &Choices::default(), &Memo::default(), &|_| {}).expect("TOML");
    let mut words = BTreeSet::new();
    for output in build.outputs.iter() {
        let text = String::from_utf8_lossy(&output.make().expect("made")).to_lowercase();
        for text in [text, output.path.as_str().to_lowercase()] {
            let parts = text.split(|c: char| !c.is_ascii_alphanumeric());
            let is_word = |part: &&str| part.starts_with("hidden") || part.starts_with("shown");
            words.extend(parts.filter(is_word).map(str::to_owned));
        }
    }
    let number = |case: &Case| case.name.split(' ').nth(1).expect("a number").to_owned();
    let mut wrong = Vec::new();
    for case in cases {
        let is = |word: &str| words.contains(&format!("{word}{}z", number(case)));
        let is_public = case.name.contains(" public ");
        if is("hidden") != is_public {
            let what = if is_public { "is lost" } else { "is published" };
            wrong.push(format!("{}: {what}", case.name));
        }
        if is("shown") != case.shown {
            let what =
                if case.shown { "the other turn is lost" } else { "the other turn is published" };
            wrong.push(format!("{}: {what}", case.name));
        }
    }
    wrong
}

#[test]
fn privacy_marks_in_every_json_format_are_respected() {
    let mut number = 0;
    let cases: Vec<Case> =
        SAMPLES.iter().flat_map(|sample| cases_of(sample, &mut number)).collect();
    assert!(cases.len() > 5_000, "{}", cases.len());
    let wrong = wrong(&cases);
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), cases.len(), wrong.join("\n"));
}

#[test]
fn privacy_marks_in_every_text_format_are_respected() {
    let mut cases = Vec::new();
    for (format, name, text) in TEXTS {
        let fronts = ROWS.iter().map(|row| format!("---\ntitle: x\n{row}\n---\n"));
        for front in std::iter::once(String::new()).chain(fronts) {
            let number = cases.len();
            let place = if front.is_empty() { "public" } else { "@front" };
            let text = filled(number, &text.replace("FRONT", &front), place, "");
            let path = format!("content/{format}/{number:05}/{name}");
            let name = format!("{format} {number} {place} {front}");
            cases.push(Case { name, files: vec![(path, text)], shown: place == "public" });
        }
    }
    let wrong = wrong(&cases);
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), cases.len(), wrong.join("\n"));
}

#[test]
fn every_format_is_tested() {
    let mut places: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for (format, files) in SAMPLES {
        let own = places.entry(format).or_default();
        let has =
            |place: &str| files.iter().any(|(_, text)| text.contains(&format!("\"{place}\": 0")));
        own.extend(PLACES.iter().map(|(place, _)| *place).filter(|place| has(place)));
    }
    for (format, own) in &places {
        // A list of messages has no object for the conversation, and a row of a data set is one
        // conversation.
        let lists = ["le-chat", "gemini-takeout", "oasst", "signal"];
        assert!(own.contains("@conversation") || lists.contains(format), "{format}: {own:?}");
        let rows = ["convo", "alpaca"];
        assert!(own.contains("@turn") || rows.contains(format), "{format}: {own:?}");
        assert!(own.contains("@meta") || own.contains("@about"), "{format}: {own:?}");
    }
    let tried: BTreeSet<&str> =
        places.keys().copied().chain(TEXTS.iter().map(|(format, ..)| *format)).collect();
    let without: BTreeSet<&str> = WITHOUT_PLACES.iter().map(|(format, _)| *format).collect();
    assert!(tried.is_disjoint(&without));
    let all = formats::ALL.iter().filter(|format| format.read.is_some());
    let all: BTreeSet<&str> = all.map(|format| format.name).collect();
    assert_eq!(tried.union(&without).copied().collect::<BTreeSet<_>>(), all);
}

//! `convert`: from every format to every other one, and what is said of the losses.

use std::collections::{BTreeMap, BTreeSet};

use convo_site::config;
use convo_site::files::Memory;
use convo_site::formats::{self, losses};
use convo_site::model::{Block, Conversation};
use convo_site::sources;
use serde_json::Value;

use crate::formats::{files, format_of, inputs, json, read, write_with};
use crate::support::{SiteTest, files_below, project};

/// The formats that are read and written.
fn targets() -> Vec<&'static str> {
    formats::ALL.iter().filter(|f| f.read.is_some()).map(|f| f.name).collect()
}

/// Every conversation of the fixtures, by format and case.
fn conversations() -> Vec<(String, String, Conversation)> {
    let mut all = Vec::new();
    for input in inputs() {
        let format = format_of(&input);
        let case = input.parent().and_then(|case| case.file_name()).expect("a case");
        let (read, _) = read(&files(&input), &format);
        let case = case.to_string_lossy().into_owned();
        all.extend(read.into_iter().map(|read| (format.clone(), case.clone(), read)));
    }
    all
}

/// Writes a conversation in a format and reads it again.
fn there(format: &str, conversation: &Conversation) -> Conversation {
    let mut memory = Memory::default();
    for (path, text) in write_with(format, std::slice::from_ref(conversation)) {
        memory.insert(path, text);
    }
    let mut config = config::defaults();
    config.content.clear();
    let rule = format!("[[source]]\nfiles = '**'\nformat = '{format}'");
    config.source = config::load(&rule).expect("TOML").value.source;
    let found = sources::conversations(&memory, &config);
    let again = found.value.into_iter().next().map(|(_, read)| read);
    again.unwrap_or_else(|| {
        panic!("{format}: nothing can be read again: {:?}", found.notes)
    })
}

fn codes(before: &Conversation, after: &Conversation) -> BTreeMap<&'static str, u64> {
    let mut codes = BTreeMap::new();
    for loss in losses(before, after) {
        *codes.entry(loss.code).or_default() += loss.count;
    }
    codes
}

/// Counted from the neutral form, by other means than the report: what there is of each thing
/// that a format may not be able to hold.
fn things(conversation: &Conversation) -> BTreeMap<&'static str, u64> {
    let value: Value = serde_json::to_value(conversation).expect("JSON");
    let turns = value["turns"].as_array().expect("turns");
    let blocks: Vec<&Value> = turns
        .iter()
        .flat_map(|turn| turn["blocks"].as_array().expect("blocks"))
        .collect();
    let kind =
        |kind: &str| blocks.iter().filter(|block| block["kind"] == kind).count() as u64;
    let turns_with =
        |key: &str| turns.iter().filter(|turn| !turn[key].is_null()).count() as u64;
    [
        ("loss-thinking", kind("thinking")),
        ("loss-tools", kind("tool")),
        ("loss-attachments", kind("attachment")),
        ("loss-events", kind("event")),
        ("loss-unknown", kind("unknown")),
        (
            "loss-branches",
            value["branches"].as_array().map_or(0, |list| list.len() as u64),
        ),
        ("loss-title", u64::from(!value["title"].is_null())),
        ("loss-private", u64::from(value["private"] == true)),
        ("loss-tags", value["tags"].as_array().map_or(0, |list| list.len() as u64)),
        ("loss-pins", turns_with("pinned")),
    ]
    .into()
}

/// The words of everything that was said on the main path.
fn words(conversation: &Conversation) -> BTreeMap<String, usize> {
    let mut words = BTreeMap::new();
    for turn in &conversation.turns {
        let said = turn.blocks.iter().filter_map(|block| match block {
            Block::Markdown { text } | Block::Thinking { text } => Some(text.as_str()),
            _ => None,
        });
        for text in said {
            for word in
                text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty())
            {
                *words.entry(word.to_owned()).or_default() += 1;
            }
        }
    }
    words
}

#[test]
fn the_report_of_losses_is_what_is_lost() {
    for (format, case, before) in conversations() {
        for target in targets() {
            let after = there(target, &before);
            let reported = codes(&before, &after);
            let (had, has) = (things(&before), things(&after));
            for (code, count) in &had {
                let lost = count.saturating_sub(has[code]);
                let told = reported.get(code).copied().unwrap_or_default();
                assert_eq!(told, lost, "{format}/{case} to {target}: {code}");
            }
            // Whatever becomes of its shape, what was said is there.
            let kept: String =
                after.turns.iter().map(|turn| turn.text() + "\n").collect();
            for (word, count) in words(&before) {
                let found = kept.matches(&word).count();
                assert!(
                    found >= count,
                    "{format}/{case} to {target}: `{word}` {found} < {count}"
                );
            }
        }
    }
}

#[test]
fn there_and_back_loses_no_more_than_was_said() {
    for (format, case, before) in conversations() {
        for target in targets() {
            let middle = there(target, &before);
            let after = there(&format, &middle);
            let told: BTreeSet<&str> = codes(&before, &middle)
                .into_keys()
                .chain(codes(&middle, &after).into_keys())
                .collect();
            for code in codes(&before, &after).into_keys() {
                assert!(
                    told.contains(code),
                    "{format}/{case} by {target} and back: {code} {told:?}"
                );
            }
        }
    }
}

/// What a format cannot hold of its own conversations.
const OWN: [(&str, &[&str]); 6] = [
    ("convo", &[]),
    // A call that is told twice, and parts of messages that the schema has no place for.
    ("cjson", &["loss-metadata", "loss-unknown", "loss-tool-details"]),
    ("chibi", &[]),
    // Session files hold one timeline of questions and answers, with times in UTC; forks live
    // in the repository.
    (
        "vlinder",
        &[
            "loss-branches",
            "loss-tools",
            "loss-events",
            "loss-unknown",
            "loss-metadata",
            "loss-time",
            "loss-turn-times",
            "loss-speakers",
            "loss-participants",
        ],
    ),
    ("conv2md", &["loss-title", "loss-attachments", "loss-metadata"]),
    ("markdown", &["loss-preface"]),
];

#[test]
fn a_format_holds_its_own_conversations() {
    for (format, case, before) in conversations() {
        let after = there(&format, &before);
        let allowed = OWN.iter().find(|(name, _)| *name == format).expect("a format").1;
        let lost = codes(&before, &after);
        let more: Vec<_> = lost.keys().filter(|code| !allowed.contains(code)).collect();
        assert!(more.is_empty(), "{format}/{case}: {lost:?}");
    }
}

#[test]
fn cjson_that_is_written_is_valid() {
    let path = project().join("tests/data/cjson/conversation.schema.json");
    let schema: Value =
        serde_json::from_slice(&std::fs::read(path).expect("a schema")).expect("JSON");
    let validator = jsonschema::validator_for(&schema).expect("a schema");
    for (format, case, conversation) in conversations() {
        let text = write_with("cjson", &[conversation]).remove(0).1;
        let value: Value = serde_json::from_str(&text).expect("JSON");
        if let Err(error) = validator.validate(&value) {
            panic!("{format}/{case}: {error} at {}\n{text}", error.instance_path());
        }
    }
}

#[test]
fn the_neutral_form_says_the_same_after_cjson() {
    // What CJSON has no word for it keeps under our own key.
    let convo =
        read(&[("x.convo".to_owned(), CONVO.as_bytes().to_vec())].into(), "convo");
    let before = &convo.0[0];
    assert_eq!(json(std::slice::from_ref(before)), json(&[there("cjson", before)]));
}

const CONVO: &str = "a preface\n\n### @Ada Łukasz\nWho?\n\n### @Wren\nYou.\n\n### @Ada Łukasz\nI see.\n\n\
    ----\n{\"title\": \"Why\", \"type\": \"dialog\", \"time\": \"2026-03-04T09:15:00+00:00[Europe/London]\", \
    \"participants\": [{\"name\": \"Ada Łukasz\", \"role\": \"host\"}, {\"name\": \"Wren\", \
    \"generative\": true, \"generative:model\": \"wren-2\"}], \"languages\": [\"en\"], \
    \"languages_meta\": {\"speculative\": [\"pl\"]}, \"place\": {\"room\": 4}}\n";

#[test]
fn conversations_go_to_files_and_losses_are_told() {
    let site = SiteTest::new();
    let rich = project().join("tests/formats/cjson/rich/input.json");
    site.write("in/rich.json", std::fs::read(rich).expect("readable"));
    site.write("in/why.convo", CONVO);
    let ran = site.run(&[
        "convert",
        "in",
        "--to",
        "conv2md",
        "-o",
        "out",
        "--message-format",
        "json",
    ]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert!(
        ran.stderr.contains("converted 2 conversations to conv2md: 2 files"),
        "{}",
        ran.stderr
    );
    for code in
        ["loss-thinking", "loss-tools", "loss-attachments", "loss-pins", "loss-title"]
    {
        assert!(ran.stdout.contains(code), "{code}: {}", ran.stdout);
    }
    let written = files_below(&site.path("out"));
    let names: Vec<&String> = written.keys().collect();
    assert_eq!(
        names,
        ["2026-03-01-low-tide-at-the-old-pier.json", "2026-03-04-why.json"]
    );
    // Nothing is ever overwritten.
    let ran = site.run(&["convert", "in", "--to", "conv2md", "-o", "out"]);
    assert_eq!(ran.code, Some(2), "{}", ran.stderr);
    // Several files need a place to go to.
    let ran = site.run(&["convert", "in", "--to", "cjson"]);
    assert_eq!(ran.code, Some(2));
    assert!(ran.stderr.contains("-o FOLDER"), "{}", ran.stderr);
    // One conversation may go to standard output, and be told what it is.
    let ran = site.run(&["convert", "in/why.convo", "--to", "markdown"]);
    assert_eq!(ran.code, Some(0));
    assert!(ran.stdout.contains("**Wren:** You.\n"), "{}", ran.stdout);
    let ran =
        site.run(&["convert", "in/why.convo", "--to", "markdown", "--from", "cjson"]);
    assert_eq!(ran.code, Some(1), "{}", ran.stderr);
    for target in ["chibi", "vlinder"] {
        let ran = site.run(&["convert", "in", "--to", target, "-o", target]);
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
        let ran = site.run(&["convert", target, "--to", "json"]);
        let read: Value = serde_json::from_str(&ran.stdout).expect("JSON");
        assert_eq!(read.as_array().map(Vec::len), Some(2), "{target}: {}", ran.stderr);
    }
}

#[test]
fn a_private_conversation_is_converted_only_when_that_is_said() {
    let site = SiteTest::new();
    let private = project().join("tests/formats/cjson/private/input.json");
    site.write("in/party.json", std::fs::read(private).expect("readable"));
    let ran = site.run(&["convert", "in", "--to", "json"]);
    assert!(!ran.stdout.contains("surprise"), "{}", ran.stdout);
    assert!(ran.stderr.contains("held-back"), "{}", ran.stderr);
    let ran = site.run(&["convert", "in", "--to", "conv2md", "--include-private"]);
    assert!(ran.stderr.contains("private: A surprise party"), "{}", ran.stderr);
    assert!(ran.stderr.contains("loss-private"), "{}", ran.stderr);
    assert!(!ran.stdout.is_empty());
}

#[test]
fn every_format_is_listed() {
    let ran = SiteTest::new().run(&["list", "formats"]);
    assert_eq!(ran.code, Some(0));
    for format in formats::ALL {
        let row = ran
            .stdout
            .lines()
            .find(|line| line.starts_with(&format!("{} ", format.name)));
        let row = row.unwrap_or_else(|| panic!("{}", ran.stdout));
        assert!(row.contains(format.title), "{row}");
    }
}

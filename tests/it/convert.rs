//! `convert`: from every format to every other one, with reports of losses.

use std::collections::{BTreeMap, BTreeSet};

use convo_site::config;
use convo_site::files::Memory;
use convo_site::formats::{self, losses};
use convo_site::model::{
    Action, Attachment, AttachmentKind, Block, Branch, Citation, Content, Conversation, FileEdit,
    Kind, PlanStep, StepState, ToolCall, ToolResult, Turn, Usage, name_turns,
};
use convo_site::sources;
use convo_site::time::Time;
use serde_json::Value;

use crate::formats::{files, format_of, inputs, json, read, write_with};
use crate::support::{SiteTest, convo, files_below, project};

/// All formats that are both read and written.
fn targets() -> Vec<&'static str> {
    let both = formats::ALL.iter().filter(|f| f.read.is_some() && f.write.is_some());
    both.map(|format| format.name).collect()
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

/// Conversations of formats that are also written.
fn of_written_formats() -> impl Iterator<Item = (String, String, Conversation)> {
    let is_written = |format: &str| {
        convo_site::formats::named(format).is_some_and(|format| format.write.is_some())
    };
    conversations().into_iter().filter(move |(format, ..)| is_written(format))
}

/// Writes a conversation in a format and reads it back.
fn there(format: &str, conversation: &Conversation) -> Conversation {
    read_back(format, write_with(format, conversation))
}

/// Reads the files of a conversation in a format.
fn read_back(format: &str, files: Vec<(String, String)>) -> Conversation {
    let mut memory = Memory::default();
    for (path, text) in files {
        memory.insert(path, text);
    }
    let rule = format!("[[source]]\nfiles = '**'\nformat = '{format}'\nshow_system = true");
    let mut config = config::load(&rule).expect("TOML").value;
    config.content.clear();
    let found = sources::conversations(&memory, &config);
    let again = found.value.into_iter().next().map(|whole| whole.conversation);
    again.unwrap_or_else(|| panic!("{format}: nothing can be read again: {:?}", found.notes))
}

fn codes(before: &Conversation, after: &Conversation) -> BTreeMap<&'static str, u64> {
    let mut codes = BTreeMap::new();
    for loss in losses(before, after) {
        *codes.entry(loss.code).or_default() += loss.count;
    }
    codes
}

/// Counts everything that a format may not support. The counts come from the neutral form,
/// independently of the report.
fn things(conversation: &Conversation) -> BTreeMap<&'static str, u64> {
    let value: Value = serde_json::to_value(conversation).expect("JSON");
    let turns = value["turns"].as_array().expect("turns");
    let blocks: Vec<&Value> =
        turns.iter().flat_map(|turn| turn["blocks"].as_array().expect("blocks")).collect();
    let kind = |kind: &str| blocks.iter().filter(|block| block["kind"] == kind).count() as u64;
    let turns_with = |key: &str| turns.iter().filter(|turn| !turn[key].is_null()).count() as u64;
    [
        ("loss-thinking", kind("thinking")),
        ("loss-tools", kind("tool")),
        ("loss-attachments", kind("attachment")),
        ("loss-events", kind("event")),
        ("loss-citations", kind("citations")),
        ("loss-unknown", kind("unknown")),
        ("loss-branches", value["branches"].as_array().map_or(0, |list| list.len() as u64)),
        ("loss-title", u64::from(!value["title"].is_null())),
        ("loss-private", u64::from(value["private"] == true)),
        ("loss-tags", value["tags"].as_array().map_or(0, |list| list.len() as u64)),
        ("loss-pins", turns_with("pinned")),
        ("loss-usage", turns_with("usage")),
        ("loss-withheld", turns_with("withheld")),
    ]
    .into()
}

/// The words of all text on the main path.
fn words(conversation: &Conversation) -> BTreeMap<String, usize> {
    let mut words = BTreeMap::new();
    for turn in &conversation.turns {
        let texts = turn.blocks.iter().filter_map(|block| match block {
            Block::Markdown { text } | Block::Thinking { text } => Some(text.as_str()),
            _ => None,
        });
        for text in texts {
            for word in text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()) {
                *words.entry(word.to_owned()).or_default() += 1;
            }
        }
    }
    words
}

#[test]
fn the_report_lists_exactly_what_is_lost() {
    for (format, case, before) in conversations() {
        for target in targets() {
            let after = there(target, &before);
            let reported = codes(&before, &after);
            let (had, has) = (things(&before), things(&after));
            for (code, count) in &had {
                let lost = count.saturating_sub(has[code]);
                let reported_codes = reported.get(code).copied().unwrap_or_default();
                assert_eq!(reported_codes, lost, "{format}/{case} to {target}: {code}");
            }
            // All text is kept, in whatever form.
            let kept: String = after.turns.iter().map(|turn| turn.text() + "\n").collect();
            for (word, count) in words(&before) {
                let found = kept.matches(&word).count();
                assert!(found >= count, "{format}/{case} to {target}: `{word}` {found} < {count}");
            }
        }
    }
}

#[test]
fn a_round_trip_loses_no_more_than_reported() {
    for (format, case, before) in of_written_formats() {
        for target in targets() {
            let middle = there(target, &before);
            let after = there(&format, &middle);
            let reported_codes: BTreeSet<&str> = codes(&before, &middle)
                .into_keys()
                .chain(codes(&middle, &after).into_keys())
                .collect();
            for code in codes(&before, &after).into_keys() {
                assert!(
                    reported_codes.contains(code),
                    "{format}/{case} by {target} and back: {code} {reported_codes:?}"
                );
            }
        }
    }
}

/// What formats cannot store of their own conversations.
const OWN: [(&str, &[&str]); 6] = [
    ("convo", &[]),
    // A call with two descriptions, and parts of messages that the schema does not support.
    ("cjson", &["loss-metadata", "loss-unknown", "loss-tool-details"]),
    ("chibi", &[]),
    // Session files have a single timeline of questions and answers, with times in UTC; forks are
    // in the repository.
    (
        "vlinder",
        &[
            "loss-branches", "loss-tools", "loss-events", "loss-unknown", "loss-metadata",
            "loss-time", "loss-turn-times", "loss-speakers", "loss-participants",
        ],
    ),
    ("conv2md", &["loss-title", "loss-attachments", "loss-metadata"]),
    ("markdown", &["loss-preface"]),
];

#[test]
fn a_format_stores_its_own_conversations_completely() {
    for (format, case, before) in of_written_formats() {
        let after = there(&format, &before);
        let allowed = OWN.iter().find(|(name, _)| *name == format).expect("a format").1;
        let lost = codes(&before, &after);
        let more: Vec<_> = lost.keys().filter(|code| !allowed.contains(code)).collect();
        assert!(more.is_empty(), "{format}/{case}: {lost:?}");
    }
}

#[test]
fn the_neutral_form_is_the_same_after_cjson() {
    // Fields that CJSON lacks are kept under a key of convo-site.
    let convo = read(&[("x.convo".to_owned(), CONVO.as_bytes().to_vec())].into(), "convo");
    let before = &convo.0[0];
    assert_eq!(json(std::slice::from_ref(before)), json(&[there("cjson", before)]));
}

/// Fields that CJSON lacks are kept under a key of convo-site, so that it can store the complete
/// conversations of every format, with the ids of their turns.
#[test]
fn cjson_keeps_everything() {
    let mut failed = Vec::new();
    for (format, case, before) in conversations() {
        let after = there("cjson", &before);
        let losses = losses(&before, &after);
        let (before, after) = (json(&[before]), json(&[after]));
        let mut lines = before.lines().zip(after.lines());
        let differs = lines.find(|(before, after)| before != after);
        if before != after || !losses.is_empty() {
            failed.push(format!("{format}/{case}: {differs:?} {losses:?}"));
        }
    }
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}

/// A conversation that uses everything in the model, which no fixture has to.
fn everything() -> Conversation {
    let citation =
        Citation { title: Some("Mosses".into()), url: Some("https://example.org/mosses".into()) };
    let call = |id: &str, action: Option<Action>| {
        let input = serde_json::json!({ "private": true, "n": 1.50, "path": "a.txt" });
        let mut call = ToolCall { id: id.into(), name: "do".into(), ..ToolCall::default() };
        call.input = Some(input);
        call.action = action;
        call.results = vec![ToolResult { output: Some(Value::Null), ..ToolResult::default() }];
        Block::Tool(Box::new(call))
    };
    let steps = vec![PlanStep { text: "Look.".into(), state: StepState::Active }];
    let files = vec![
        FileEdit::replaced("a.txt", "moss\n", "mosses\n"),
        FileEdit { moved_to: Some("c".into()), ..FileEdit::written("b", "x\n") },
    ];
    let mut read = Conversation {
        id: Some("7".into()),
        title: Some("Everything".into()),
        updated: Time::parse("2025-03-04T05:06:07Z").ok().map(|(time, _)| time),
        excluded_from_search: true,
        ..Conversation::default()
    };
    read.introduce("System", Kind::System);
    read.introduce("Ada", Kind::Person);
    read.introduce("Wren", Kind::Assistant);
    let system = Turn { withheld: true, ..Turn::from_text("System", "Be kind.") };
    let mut answer = Turn::from_text("Wren", "Mosses.");
    let usage = Usage {
        model: Some("wren-2".into()),
        input_tokens: Some(12),
        cost_usd: Some(0.0123),
        ..Usage::default()
    };
    answer.usage = Some(Box::new(usage));
    answer.pinned = true;
    answer.blocks.extend([
        call("c1", Some(Action::Command { command: "ls".into(), exit_code: Some(-1) })),
        call("c2", Some(Action::Edit { files })),
        Block::Attachment(Box::new(Attachment {
            name: "leaf".into(),
            kind: AttachmentKind::Image,
            mime: None,
            size: None,
            sha256: None,
            content: Content::Base64("aGk=".into()),
            call: None,
            unpublished: Default::default(),
        })),
        call("c3", Some(Action::Plan { steps })),
        call("c4", Some(Action::Search { query: None, results: vec![citation.clone()] })),
        Block::Event {
            name: "compaction".into(),
            text: "Compacted.".into(),
            detail: Some("All of it.".into()),
        },
        Block::Unknown { name: "canvas".into(), value: Value::Null },
        Block::Citations { citations: vec![citation] },
    ]);
    let event = Block::Event { name: "break".into(), text: String::new(), detail: None };
    let event = Turn { blocks: vec![event], ..Turn::default() };
    read.turns = vec![system, Turn::from_text("Ada", "Which?"), answer, event];
    for (at, turn) in read.turns.iter_mut().enumerate() {
        turn.id = vendor_id(at);
    }
    let mut copied = read.turns[2].clone();
    copied.id = vendor_id(10);
    let mut fork = vec![copied, Turn::from_text("Ada", "Which?"), Turn::from_text("Ada", "Which?")];
    name_turns(&mut fork);
    let branch = |after: usize, rejoins, turns: Vec<Turn>| Branch {
        name: None,
        after: Some(vendor_id(after)),
        rejoins,
        started_by: None,
        turns,
    };
    let content = |text: &str| {
        let mut turns = vec![Turn::from_text("Wren", text)];
        name_turns(&mut turns);
        turns
    };
    read.branches = vec![
        branch(1, true, content("Another answer.")),
        Branch {
            name: Some("Searcher".into()),
            started_by: Some("c1".into()),
            ..branch(2, false, fork)
        },
        branch(0, true, content("Before that.")),
        branch(2, true, content("Another event.")),
        branch(10, false, content("In a branch.")),
    ];
    read
}

fn vendor_id(at: usize) -> String {
    convo_site::model::turn_id(&format!("message {at}"))
}

#[test]
fn everything_in_the_model_survives_cjson() {
    let before = everything();
    let after = there("cjson", &before);
    assert_eq!(losses(&before, &after), []);
    assert_eq!(json(std::slice::from_ref(&before)), json(&[after]));
    let text = write_with("cjson", &before).remove(0).1;
    let (_, notes) = read(&[("x.json".to_owned(), text.into_bytes())].into(), "cjson");
    assert!(notes.is_empty(), "{notes:?}");
    // Other formats report what they cannot store.
    let reported_codes = codes(&before, &there("conv2md", &before));
    for code in ["loss-usage", "loss-citations", "loss-withheld", "loss-branches"] {
        assert!(reported_codes.contains_key(code), "{code}: {reported_codes:?}");
    }
}

/// In a Markdown transcript, such lines start turns.
#[test]
fn a_line_with_only_a_name_starts_no_turn_in_written_markdown() {
    for body in [
        "Look:\n\n**Ada**\n\nand\n\n**Ben**\n\nend",
        "Look:\n**Ada**\nand more",
        "**Ada**",
        "They\n\nADA\n\nsaid\n\nBEN\n\nyes",
        "Plan\n\n## Ada\n\nfirst\n\n__Ben__\n\nsecond",
        "[10:03] Ada: yes\n[10:04] Ben: no",
        "> **Ada:** yes\n\n> **Ben**\n> no",
    ] {
        let text = format!(
            "### @Ada\nHow are you?\n\n### @Ben\n{body}\n\n### @Ada\nFine.\n\n----\n\
             {{\"type\": \"dialog\", \"time\": \"2025-01-02\", \"participants\": [\"Ada\", \"Ben\"]}}\n"
        );
        let before = read_back("convo", vec![("x.convo".to_owned(), text)]);
        let turns = |of: &Conversation| -> Vec<(String, String)> {
            of.turns.iter().map(|turn| (turn.speaker.clone(), turn.text())).collect()
        };
        assert_eq!(turns(&there("markdown", &before)), turns(&before), "{body}");
    }
}

/// Text redacted in a file is not restored from anywhere.
#[test]
fn edits_of_a_cjson_file_are_used() {
    let text = write_with("cjson", &everything()).remove(0).1;
    let document: Value = serde_json::from_str(&text).expect("JSON");
    let read_of =
        |document: &Value| read_back("cjson", vec![("x.json".to_owned(), document.to_string())]);
    let messages = document["messages"].as_array().expect("messages");
    let answer = messages.iter().position(|one| one["contentBlocks"][1]["id"] == "c1");
    let answer = answer.expect("an answer");
    let mut edited = document.clone();
    let blocks = edited["messages"][answer]["contentBlocks"].as_array_mut();
    let blocks = blocks.expect("blocks");
    blocks[1]["args"]["path"] = "blackened".into();
    let block = blocks.iter_mut().find(|one| one["text"] == "Mosses.").expect("a text");
    block["text"] = "Liverworts.".into();
    let after = read_of(&edited);
    let Block::Tool(call) = &after.turns[2].blocks[1] else { panic!("{after:?}") };
    assert_eq!(call.action, None);
    assert_eq!(call.input.as_ref().expect("input")["path"], "blackened");
    let before = everything();
    assert_eq!(after.turns[2].id, before.turns[2].id);
    assert_eq!(after.turns[2].blocks[0].to_markdown(), "Liverworts.");
    assert_eq!(after.turns[2].blocks[2..], before.turns[2].blocks[2..]);
    // Nothing is left of a marked turn, not even in a branch.
    let mut edited = document.clone();
    let branches = &mut edited["extensions"]["convo-site"]["branches"];
    branches[0]["messages"][1]["private"] = true.into();
    let blocks = &mut edited["messages"][answer]["contentBlocks"];
    blocks.as_array_mut().expect("blocks").truncate(1);
    let after = read_of(&edited);
    assert!(!after.private);
    assert_eq!(after.branches[1].turns.len(), 2);
    let texts: String = after.turns[2].blocks.iter().map(Block::to_markdown).collect();
    assert!(!texts.contains("a.txt") && !texts.contains("Compacted"), "{texts}");
}

const CONVO: &str = "a preface\n\n### @Ada Łukasz\nWho?\n\n### @Wren\nYou.\n\n### @Ada Łukasz\nI see.\n\n\
    ----\n{\"title\": \"Why\", \"type\": \"dialog\", \"time\": \"2026-03-04T09:15:00+00:00[Europe/London]\", \
    \"participants\": [{\"name\": \"Ada Łukasz\", \"role\": \"host\"}, {\"name\": \"Wren\", \
    \"generative\": true, \"generative:model\": \"wren-2\"}], \"languages\": [\"en\"], \
    \"languages_meta\": {\"speculative\": [\"pl\"]}, \"place\": {\"room\": 4}}\n";

#[test]
fn conversations_are_written_to_files_with_losses_reported() {
    let site = SiteTest::new();
    let rich = project().join("tests/formats/cjson/rich/input.json");
    site.write("in/rich.json", std::fs::read(rich).expect("readable"));
    site.write("in/why.convo", CONVO);
    let run =
        site.run(&["convert", "in", "--to", "conv2md", "-o", "out", "--message-format", "json"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert!(run.stderr.contains("converted 2 conversations to conv2md: 2 files"), "{}", run.stderr);
    for code in ["loss-thinking", "loss-tools", "loss-attachments", "loss-pins", "loss-title"] {
        assert!(run.stdout.contains(code), "{code}: {}", run.stdout);
    }
    for expected in ["conv2md: 1 title lost or changed", " became plain text\"", " pin"] {
        assert!(run.stdout.contains(expected), "{expected}: {}", run.stdout);
    }
    let written = files_below(&site.path("out"));
    let names: Vec<&String> = written.keys().collect();
    assert_eq!(names, ["rich.json", "why.json"]);
    // Files are never overwritten.
    let run = site.run(&["convert", "in", "--to", "conv2md", "-o", "out"]);
    assert_eq!(run.code, Some(2), "{}", run.stderr);
    // Several files need an output folder.
    let run = site.run(&["convert", "in", "--to", "cjson"]);
    assert_eq!(run.code, Some(2));
    assert!(run.stderr.contains("-o FOLDER"), "{}", run.stderr);
    // A single conversation may be written to standard output, and its input format may be given.
    site.write("plain.convo", CONVO.trim_start_matches("a preface\n\n"));
    let run = site.run(&["convert", "plain.convo", "--to", "markdown"]);
    assert_eq!(run.code, Some(0));
    assert!(run.stdout.contains("**Wren:** You.\n"), "{}", run.stdout);
    let run = site.run(&["convert", "in/why.convo", "--to", "markdown", "--from", "cjson"]);
    assert_eq!(run.code, Some(1), "{}", run.stderr);
    for target in ["chibi", "vlinder"] {
        let run = site.run(&["convert", "in", "--to", target, "-o", target]);
        assert_eq!(run.code, Some(0), "{}", run.stderr);
        let json = format!("{target}-json");
        let run = site.run(&["convert", target, "--to", "json", "-o", &json]);
        assert_eq!(run.code, Some(0), "{}", run.stderr);
        assert_eq!(files_below(&site.path(&json)).len(), 2, "{target}");
    }
}

#[test]
fn each_conversation_goes_to_a_file_named_after_its_source() {
    let site = SiteTest::new()
        .file("a.convo", convo("first words"))
        .file("b.convo", convo("second words"))
        .file("in/deep/a.convo.md", convo("third words"))
        .file("in/b.md", "**Ada:** Who has the fourth words?\n\n**Wren:** I have.\n")
        .file("in/b.convo", convo("fifth words"));
    let names =
        |folder: &str| -> Vec<String> { files_below(&site.path(folder)).into_keys().collect() };
    let run = site.run(&["convert", "a.convo", "b.convo", "--to", "convo", "-o", "out"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert_eq!(names("out"), ["a.convo", "b.convo"]);
    for (name, words) in [("a.convo", "first words"), ("b.convo", "second words")] {
        let text = std::fs::read_to_string(site.path("out").join(name)).expect("text");
        assert_eq!(text.matches("words").count(), 1, "{text}");
        assert!(text.contains(words), "{text}");
    }
    // Folders are kept, and equal names become different.
    let run = site.run(&["convert", "in", "--to", "json", "-o", "json"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert_eq!(names("json"), ["b-2.json", "b.json", "deep/a.json"]);
    let text = std::fs::read_to_string(site.path("json/deep/a.json")).expect("text");
    let value: Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(value["source"], "in/deep/a.convo.md");
    assert_eq!(value["turns"][0]["text"], "third words");
    let both = ["convert", "a.convo", "in/deep/a.convo.md", "--to", "markdown", "-o", "md"];
    site.run(&both);
    assert_eq!(names("md"), ["a-2.md", "a.md"]);
    // For a single conversation, the output may be a file name.
    let run = site.run(&["convert", "a.convo", "--to", "json", "-o", "one"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert!(site.path("one").is_file());
    let run = site.run(&["convert", "a.convo", "--to", "json", "-o", "some/"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert_eq!(names("some"), ["a.json"]);
}

#[test]
fn conversations_of_one_source_are_named_after_it() {
    let document = |title: &str| {
        format!(
            "{{\"id\": \"x\", \"schemaUrl\": \"https://schema.cjson.dev/0/conversation/\
             cjson-0.1.0-SNAPSHOT.schema.json\", \"conversationTitle\": {title}, \"messages\": \
             [{{\"id\": \"m\", \"role\": \"user\", \"messageType\": \"text\", \"content\": \"Hi\"}}]}}"
        )
    };
    let (low, none) = (document("\"Low tide\""), document("null"));
    let entry = "{\"id\": \"1\", \"timestamp\": 1772352000, \"from\": \"mira\", \"to\": \"k\", \
                 \"content\": \"Hi\", \"entry_type\": \"message\"}\n";
    let site = SiteTest::new()
        .file("in/export.cjson.json", format!("[{low}, {none}, {low}]"))
        .file("in/soup/transcript/active.jsonl", entry);
    let run = site.run(&["convert", "in", "--to", "json", "-o", "out"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let written = files_below(&site.path("out"));
    let names: Vec<&String> = written.keys().collect();
    assert_eq!(
        names,
        ["export-2.json", "export-low-tide-2.json", "export-low-tide.json", "soup.json"]
    );
    let run = site.run(&["convert", "in/soup", "--to", "chibi", "-o", "logs/"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert!(site.path("logs/soup/transcript/active.jsonl").is_file());
}

#[test]
fn standard_input_can_be_converted() {
    let site = SiteTest::new();
    let run = |args: &[&str], input: &str| {
        let mut child = std::process::Command::new(env!("CARGO_BIN_EXE_convo-site"))
            .args(args)
            .current_dir(site.path(""))
            .stdin(std::process::Stdio::piped())
            .stdout(std::process::Stdio::piped())
            .stderr(std::process::Stdio::piped())
            .spawn()
            .expect("the command runs");
        let mut stdin = child.stdin.take().expect("a pipe");
        std::io::Write::write_all(&mut stdin, input.as_bytes()).expect("written");
        drop(stdin);
        child.wait_with_output().expect("the command ends")
    };
    let output = run(&["convert", "-", "--to", "json"], CONVO);
    assert_eq!(output.status.code(), Some(0));
    let value: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!((&value["title"], &value["source"]), (&"Why".into(), &"stdin".into()));
    let output = run(&["convert", "-", "--to", "cjson", "-o", "out/"], CONVO);
    assert_eq!(output.status.code(), Some(0));
    assert!(site.path("out/stdin.cjson.json").is_file());
    let output = run(&["convert", "-", "--to", "json"], "nobody says anything\n");
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).contains("unknown-format"));
}

#[test]
fn a_file_that_is_not_a_conversation_is_reported_once() {
    let site = SiteTest::new().file("notes.txt", "One\nTwo\nThree\n".repeat(100));
    let run = site.run(&["convert", "notes.txt", "--from", "chibi", "--to", "convo"]);
    assert_eq!(run.stderr.matches("bad-json").count(), 1, "{}", run.stderr);
    assert!(run.stderr.contains("is it in another format?"), "{}", run.stderr);
}

#[test]
fn losses_name_the_turn_and_its_line() {
    let site = SiteTest::new();
    let rich = project().join("tests/formats/cjson/rich/input.json");
    let rich = std::fs::read_to_string(rich).expect("readable");
    site.write("in/rich.json", &rich);
    let args = ["convert", "in", "--to", "conv2md", "-o", "out", "--message-format", "json"];
    let run = site.run(&args);
    let notes: Vec<Value> = serde_json::from_str(&run.stdout).expect("JSON");
    let lost = notes.iter().find(|note| note["code"] == "loss-thinking");
    let lost = lost.unwrap_or_else(|| panic!("{}", run.stdout));
    let line = lost["line"].as_u64().or_else(|| lost["at"]["span"]["line"].as_u64());
    let line = line.unwrap_or_else(|| panic!("{lost}")) as usize;
    let thinking = rich.lines().position(|line| line.contains("\"thinking\"")).expect("one");
    assert!((1..=thinking + 1).contains(&line), "{line} of {thinking}");
    assert!(lost.to_string().contains("in/rich.json"), "{lost}");
    let hint = format!("(line {line})");
    assert!(lost.to_string().contains(&hint), "{lost}");
}

#[test]
fn written_files_are_read_like_any_others() {
    // A single paragraph does not look like a transcript; the result is reported in any case.
    let site = SiteTest::new().file("one.convo", convo("A **Note:** of mine."));
    for to in targets() {
        let run = site.run(&["convert", "one.convo", "--to", to, "-o", &format!("{to}/")]);
        let read = site.run(&["convert", to, "--to", "json"]);
        let is_read = read.stdout.contains("A **Note:** of mine.");
        let is_reported = run.stderr.contains("loss-all") || run.stderr.contains("loss-format");
        assert!(is_read || is_reported, "{to}: {}", run.stderr);
        assert_eq!(run.code, Some(i32::from(run.stderr.contains("loss-all"))), "{to}");
    }
}

/// A conversation about the format itself, with an example of a convo file in prose and in code.
const EXAMPLE: &str = "### @Ada\nWrite:\n\n\\#\\#\\# @Wren\n\nor all of it:\n\n```\n\\#\\#\\# @Wren\n\
    Hello.\n\n----\n{\n  \"type\": \"dialog\",\n  \"time\": \"2026-01-01\",\n  \"participants\": [\"Wren\"]\n}\n```\n\n\
    ### @Wren\nThank you.\n\n----\n{\"title\": \"How\", \"type\": \"dialog\", \"time\": \"2026-03-04\", \
    \"participants\": [\"Ada\", \"Wren\"]}\n";

#[test]
fn a_quoted_convo_file_survives_every_format() {
    let site = SiteTest::new().file("0.convo", EXAMPLE);
    let original = site.run(&["convert", "0.convo", "--to", "json"]).stdout;
    let original: Value = serde_json::from_str(&original).expect("JSON");
    for to in targets() {
        let run = site.run(&["convert", "0.convo", "--to", to, "-o", &format!("{to}/")]);
        assert_eq!(run.code, Some(0), "{to}: {}", run.stderr);
        for code in ["loss-all", "loss-format", "loss-text", "loss-turns"] {
            assert!(!run.stderr.contains(code), "{to}: {}", run.stderr);
        }
        let back = format!("{to}-back/");
        let run = site.run(&["convert", to, "--to", "convo", "-o", &back]);
        assert_eq!(run.code, Some(0), "{to}: {}", run.stderr);
        let again = site.run(&["convert", &back, "--to", "json"]).stdout;
        let again: Value = serde_json::from_str(&again).expect("JSON");
        let texts = |value: &Value| -> Vec<Value> {
            let turns = value["turns"].as_array().expect("turns");
            turns.iter().map(|turn| turn["text"].clone()).collect()
        };
        assert_eq!(texts(&again), texts(&original), "{to}");
    }
}

#[test]
fn chibi_gets_no_invented_times_or_anchors() {
    let text = "---\ndate: 2026-03-04\n---\n\n**Ada:** Hello.\n\n**Break:** \\[12:40\\]\n\n\
                **Wren:** Hi.\n";
    let site = SiteTest::new().file("talk.md", text);
    let run = site.run(&["convert", "talk.md", "--to", "chibi", "-o", "out/"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let log = site.path("out/talk/transcript/active.jsonl");
    let log = std::fs::read_to_string(log).expect("text");
    for line in log.lines() {
        let entry: Value = serde_json::from_str(line).expect("JSON");
        assert_eq!(entry["timestamp"], 0, "{line}");
        assert_eq!(entry["entry_type"], "message", "{line}");
    }
    for code in ["loss-time", "loss-events"] {
        assert!(run.stderr.contains(code), "{code}: {}", run.stderr);
    }
    assert!(!run.stderr.contains("made-up-time"), "{}", run.stderr);
}

#[test]
fn a_private_conversation_is_converted_only_on_request() {
    let site = SiteTest::new();
    let private = project().join("tests/formats/cjson/private/input.json");
    site.write("in/party.json", std::fs::read(private).expect("readable"));
    let run = site.run(&["convert", "in", "--to", "json"]);
    assert!(!run.stdout.contains("surprise"), "{}", run.stdout);
    assert!(run.stderr.contains("held-back"), "{}", run.stderr);
    let run = site.run(&["convert", "in", "--to", "conv2md", "--include-private"]);
    assert!(run.stderr.contains("private: A surprise party"), "{}", run.stderr);
    assert!(run.stderr.contains("loss-private"), "{}", run.stderr);
    assert!(!run.stdout.is_empty());
}

#[test]
fn every_format_is_described() {
    let all = SiteTest::new().run(&["list", "formats", "--long"]).stdout;
    for format in formats::ALL {
        let run = SiteTest::new().run(&["list", "formats", format.name]);
        assert_eq!(run.code, Some(0));
        assert!(all.contains(&run.stdout), "{}", format.name);
        assert!(run.stdout.lines().all(|line| line.chars().count() <= 80), "{}", run.stdout);
        let about = &format.about;
        for text in [about.what, about.find, about.reads, about.leaves_out] {
            assert!(text.ends_with('.') && text.len() > 5, "{}: {text}", format.name);
        }
    }
    let run = SiteTest::new().run(&["list", "formats", "cjsn"]);
    assert_eq!(run.code, Some(2));
    assert!(run.stderr.contains("did you mean `cjson`?"), "{}", run.stderr);
}

#[test]
fn every_format_is_listed() {
    let run = SiteTest::new().run(&["list", "formats"]);
    assert_eq!(run.code, Some(0));
    for format in formats::ALL {
        let row = run.stdout.lines().find(|line| line.starts_with(&format!("{} ", format.name)));
        let row = row.unwrap_or_else(|| panic!("{}", run.stdout));
        assert!(row.contains(format.title), "{row}");
    }
}

#[test]
fn a_dash_means_standard_output() {
    let site = SiteTest::new().file("a.convo", convo("The lamp is lit."));
    let run = site.run(&["convert", "a.convo", "--to", "markdown", "-o", "-"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert!(run.stdout.contains("The lamp is lit."), "{}", run.stdout);
    assert!(!site.path("-").exists());
}

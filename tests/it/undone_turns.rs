//! Undone turns of a log: the program continues in a new log, and leaves the old one unchanged.

use serde_json::{Value, json};

use crate::support::SiteTest;

const THREAD: &str = "0199b000-0000-7000-8000-000000000001";
const SECOND: &str = "0199b000-0000-7000-8000-000000000002";
const THIRD: &str = "0199b000-0000-7000-8000-000000000003";

/// The path of a log of the session.
fn name(log: &str) -> String {
    let more = if log == THREAD { String::new() } else { format!("_{log}") };
    format!("content/rollout-2026-09-05T16-46-13-{THREAD}{more}.jsonl")
}

/// A log of that minute whose first record has the number `first`, with these questions and
/// answers.
fn log(minute: u32, first: u64, base: Value, talks: &[(&str, &str)]) -> String {
    let mut number = first;
    let mut lines = String::new();
    let mut add = |kind: &str, payload: Value| {
        let line = json!({
            "timestamp": format!("2026-09-05T16:{:02}:{:02}.000Z", minute, number % 60),
            "type": kind, "payload": payload, "ordinal": number,
        });
        lines.push_str(&format!("{line}\n"));
        number += 1;
    };
    add(
        "session_meta",
        json!({"id": THREAD, "timestamp": "2026-09-05T16:00:00.000Z", "cwd": "/mill",
            "cli_version": "0.153.4", "history_mode": "paginated", "history_base": base}),
    );
    for (question, answer) in talks {
        for (kind, text) in [("UserMessage", question), ("AgentMessage", answer)] {
            let content = json!([{"type": "text", "text": text}]);
            let item = json!({"type": kind, "id": text, "content": content});
            add("event_msg", json!({"type": "item_completed", "thread_id": THREAD, "item": item}));
        }
    }
    lines
}

/// The position in another log that this one continues from.
fn base(log: &str, first: u64) -> Value {
    json!({"thread_id": log, "end_ordinal_exclusive": first, "end_byte_offset": 1_u64 << 40})
}

/// The texts of all pages of the only conversation.
fn pages(site: &SiteTest) -> String {
    let run = site.build(0);
    assert!(run.stderr.contains("built 1 conversation"), "{}", run.stderr);
    let output = site.output();
    let texts = output.iter().filter(|(path, _)| path.starts_with("c/"));
    texts.map(|(_, bytes)| String::from_utf8_lossy(bytes).into_owned()).collect()
}

fn shows(page: &str, there: &[&str], gone: &[&str]) {
    let places: Vec<Option<usize>> =
        there.iter().map(|text| page.find(&format!("<p>{text}</p>"))).collect();
    assert!(places.iter().all(Option::is_some), "{there:?}: {page}");
    assert!(places.is_sorted(), "{there:?}: {page}");
    for text in gone {
        assert!(!page.contains(text), "{text}: {page}");
    }
}

const FIRST: [(&str, &str); 3] = [
    ("Where are the eels?", "Under the weir."),
    ("Who feeds them?", "The miller does."),
    ("What is his name?", "Corvin Ash."),
];

#[test]
fn turns_undone_in_a_newer_log_are_hidden_in_older_ones() {
    let first = log(10, 0, Value::Null, &FIRST);
    let second = log(11, 5, base(THREAD, 5), &[("How many are there?", "Nine of them.")]);
    let site = SiteTest::new().file(&name(THREAD), &first).file(&name(SECOND), &second);
    let there = ["Under the weir.", "The miller does.", "How many are there?", "Nine of them."];
    shows(&pages(&site), &there, &["Corvin"]);
    assert!(!site.output().values().any(|bytes| String::from_utf8_lossy(bytes).contains("Corvin")));
    // A copy of the old log changes nothing.
    site.write("content/old/copy.jsonl", &first);
    shows(&pages(&site), &there, &["Corvin"]);
    // The second log is undone completely by one that continues from the first.
    site.write(&name(THIRD), log(12, 3, base(THREAD, 3), &[("Do they bite?", "Only on Sundays.")]));
    let there = ["Under the weir.", "Do they bite?", "Only on Sundays."];
    shows(&pages(&site), &there, &["Corvin", "miller", "Nine of them"]);
    // A log continues from the second one.
    site.write(&name(THIRD), log(12, 8, base(SECOND, 8), &[("Do they bite?", "Only on Sundays.")]));
    let there = ["The miller does.", "Nine of them.", "Only on Sundays."];
    shows(&pages(&site), &there, &["Corvin"]);
}

#[test]
fn a_log_without_new_turns_can_undo_turns() {
    let site = SiteTest::new()
        .file(&name(THREAD), log(10, 0, Value::Null, &FIRST))
        .file(&name(SECOND), log(12, 3, base(THREAD, 3), &[]));
    shows(&pages(&site), &["Where are the eels?", "Under the weir."], &["Corvin", "miller"]);
    // Alone it contains nothing, and no other conversation is lost because of it.
    std::fs::remove_file(site.path(&name(THREAD))).expect("a file");
    site.write("content/talk.md", "Ada: Who was it?\n\nCorvin: Me.\n\nAda: You?\n");
    pages(&site);
}

#[test]
fn undone_turns_of_a_long_log_are_in_no_part() {
    let long = "Eels and elvers, elvers and eels. ".repeat(4000);
    let texts: Vec<String> = (0..60).map(|n| format!("{long} Number {n}.")).collect();
    let mut talks: Vec<(&str, &str)> = Vec::new();
    for text in &texts {
        talks.push(("Tell me more.", text));
    }
    talks.push(FIRST[2]);
    let site = SiteTest::new()
        .file(&name(THREAD), log(10, 0, Value::Null, &talks))
        .file(&name(SECOND), log(11, 81, base(THREAD, 81), &FIRST[..1]));
    let page = pages(&site);
    assert!(page.contains("Number 39.") && page.contains("Under the weir."));
    assert!(!page.contains("Number 40.") && !page.contains("Corvin"));
}

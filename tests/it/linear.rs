//! No reader is slower than linear: four times as many records take about four times as long, for
//! every format and the kinds of records that it has.

use std::collections::BTreeSet;
use std::time::Duration;

use convo_site::formats::{self, Input};
use serde_json::{Value, json};

use crate::support::convo;

/// A name of a file, its format, and what makes a text of that many records.
type Case = (&'static str, &'static str, fn(usize) -> String);

fn joined(count: usize, part: impl Fn(usize) -> String) -> String {
    (0..count).map(part).collect()
}

fn rows(count: usize, row: impl Fn(usize) -> Value) -> String {
    joined(count, |n| format!("{}\n", row(n)))
}

fn list(count: usize, row: impl Fn(usize) -> Value) -> Value {
    Value::from((0..count).map(row).collect::<Vec<Value>>())
}

/// Who speaks in turn.
fn either(n: usize, odd: &'static str, even: &'static str) -> &'static str {
    if n.is_multiple_of(2) { odd } else { even }
}

/// The name of a record, by which the next one names it.
fn id(n: usize) -> String {
    format!("{n:08}-0000-4000-8000-000000000000")
}

/// A conversation of ChatGPT. Each message follows the one that `before` names.
fn chatgpt(
    count: usize,
    before: fn(usize) -> usize,
    content: fn(usize) -> Value,
) -> String {
    let mut mapping = serde_json::Map::new();
    for n in 0..count {
        let parent = (n > 0).then(|| id(before(n)));
        let role = either(n, "user", "assistant");
        let message = json!({"id": id(n), "author": {"role": role, "name": null, "metadata": {}},
            "create_time": 1_760_000_000.5 + n as f64, "content": content(n),
            "status": "finished_successfully", "weight": 1.0, "recipient": "all",
            "metadata": {"model_slug": "gpt-5"}});
        let node =
            json!({"id": id(n), "parent": parent, "children": [], "message": message});
        mapping.insert(id(n), node);
    }
    json!([{"id": "c", "title": "T", "create_time": 1_760_000_000.5,
        "current_node": id(count - 1), "mapping": mapping}])
    .to_string()
}

fn said(n: usize) -> Value {
    json!({"content_type": "text", "parts": [format!("Number {n}.")]})
}

fn thoughts(n: usize) -> Value {
    match n % 2 {
        0 => said(n),
        _ => {
            json!({"content_type": "thoughts", "thoughts": [{"summary": "S", "content": "C"}]})
        }
    }
}

/// A conversation of Claude, whose messages follow the one that `before` names.
fn claude(count: usize, before: fn(usize) -> usize, tools: bool) -> String {
    let message = |n: usize| {
        let call = json!([{"type": "tool_use", "id": id(n), "name": "web_search", "input": {"query": "q"}},
            {"type": "tool_result", "tool_use_id": id(n), "name": "web_search", "content": []},
            {"type": "text", "text": "Yes."}]);
        let text = format!("Number {n}.");
        let content = match tools && n % 2 == 1 {
            true => call,
            false => json!([{"type": "text", "text": text}]),
        };
        let parent = if n == 0 {
            "00000000-0000-4000-8000-000000000000".to_owned()
        } else {
            id(before(n) + 1)
        };
        json!({"uuid": id(n + 1), "parent_message_uuid": parent, "text": text, "content": content,
            "sender": either(n, "human", "assistant"), "created_at": "2026-03-04T09:15:00.000000Z"})
    };
    json!([{"uuid": "c", "name": "T", "created_at": "2026-03-04T09:15:00.000000Z",
        "chat_messages": list(count, message)}])
    .to_string()
}

/// A chat of Claude Design.
fn design(count: usize) -> String {
    let said = |n: usize| {
        let role = either(n, "user", "assistant");
        json!({"uuid": id(n), "role": role, "content": {"role": role, "content": format!("Number {n}."),
            "timestamp": "2026-03-04T09:01:00.000Z"}})
    };
    json!({"uuid": "d", "title": "T", "project": {"uuid": "p", "name": "P"}, "messages": list(count, said),
        "created_at": "2026-03-04T09:00:00.120000+00:00", "updated_at": "2026-03-04T09:09:00.120000+00:00"})
    .to_string()
}

fn claude_code(count: usize, before: fn(usize) -> usize, tools: bool) -> String {
    rows(count, |n| {
        let call = match n % 2 {
            0 => {
                json!([{"type": "tool_result", "tool_use_id": id(n.saturating_sub(1)), "content": "done"}])
            }
            _ => {
                json!([{"type": "tool_use", "id": id(n), "name": "Bash", "input": {"command": "ls"}}])
            }
        };
        let role = either(n, "user", "assistant");
        let content = if tools && n > 0 { call } else { json!(format!("Number {n}.")) };
        json!({"uuid": id(n), "parentUuid": (n > 0).then(|| id(before(n))), "sessionId": "s", "type": role,
            "timestamp": "2026-03-04T09:15:00.000Z", "cwd": "/mill", "version": "2.0.0",
            "message": {"id": format!("m{n}"), "role": role, "content": content}})
    })
}

fn codex(count: usize, item: fn(usize) -> Value) -> String {
    let meta = json!({"timestamp": "2026-03-04T09:15:00.000Z", "type": "session_meta", "payload": {
        "id": "s", "timestamp": "2026-03-04T09:15:00.000Z", "cwd": "/mill", "originator": "codex_cli_rs",
        "cli_version": "0.50.0", "instructions": null}});
    let row = |n| json!({"timestamp": "2026-03-04T09:15:01.000Z", "type": "response_item", "payload": item(n)});
    format!("{meta}\n{}", rows(count, row))
}

fn codex_said(n: usize) -> Value {
    let (role, kind) = [("user", "input_text"), ("assistant", "output_text")][n % 2];
    json!({"type": "message", "role": role, "content": [{"type": kind, "text": format!("Number {n}.")}]})
}

fn codex_called(n: usize) -> Value {
    match n % 3 {
        0 => codex_said(n / 3),
        1 => {
            json!({"type": "function_call", "name": "shell", "arguments": "{\"command\":[\"ls\"]}", "call_id": id(n)})
        }
        _ => {
            json!({"type": "function_call_output", "call_id": id(n - 1), "output": "{\"output\":\"done\"}"})
        }
    }
}

fn previous(n: usize) -> usize {
    n - 1
}

/// Every message is a branch of the first one.
fn first(_: usize) -> usize {
    0
}

const CASES: [Case; 31] = [
    ("a.convo", "convo", |count| {
        let turns = joined(count, |n| format!("Number {n}.\n\n### @Ada\n"));
        convo(turns.trim_end_matches("### @Ada\n"))
    }),
    ("a.json", "cjson", |count| {
        let message = |n: usize| json!({"id": n.to_string(), "role": "user", "messageType": "text", "content": "Yes."});
        let schema = "https://cjson.dev/schema/0/conversation";
        json!({"id": "a", "schemaUrl": schema, "messages": list(count, message)})
            .to_string()
    }),
    ("context.jsonl", "chibi", |count| {
        rows(count, |n| {
            let (from, to) = [("ada", "bot"), ("bot", "ada")][n % 2];
            json!({"id": n.to_string(), "timestamp": 1_700_000_000, "from": from, "to": to,
                "content": format!("Number {n}."), "entry_type": "message"})
        })
    }),
    ("2026-03-01T08-00-00Z_tea-guide_7c1d2e3f.json", "vlinder", |count| {
        let said = |n: usize| json!({"user": format!("Number {n}?"), "agent": "Yes.", "at": "2026-03-01T08:00:00Z"});
        json!({"open": null, "session": "s", "agent": "tea-guide", "history": list(count, said)}).to_string()
    }),
    ("rollout-a.jsonl", "codex", |count| codex(count, codex_said)),
    ("rollout-b.jsonl", "codex", |count| codex(count, codex_called)),
    ("a.jsonl", "claude-code", |count| claude_code(count, previous, false)),
    ("b.jsonl", "claude-code", |count| claude_code(count, previous, true)),
    ("c.jsonl", "claude-code", |count| claude_code(count, first, false)),
    ("a.json", "claude", |count| claude(count, previous, false)),
    ("b.json", "claude", |count| claude(count, previous, true)),
    ("c.json", "claude", |count| claude(count, first, false)),
    ("d.json", "claude-design", design),
    ("a.json", "chatgpt", |count| chatgpt(count, previous, said)),
    ("b.json", "chatgpt", |count| chatgpt(count, first, said)),
    ("c.json", "chatgpt", |count| chatgpt(count, previous, thoughts)),
    // Many conversations rather than a long one.
    ("d.json", "chatgpt", |count| {
        let one = |n: usize| {
            let text = chatgpt(2, previous, said)
                .replace("\"id\":\"c\"", &format!("\"id\":\"c{n}\""));
            text[1..text.len() - 1].to_owned()
        };
        format!("[{}]", (0..count / 2).map(one).collect::<Vec<_>>().join(","))
    }),
    ("a.json", "conv2md", |count| {
        let said = |n: usize| json!({"speaker": either(n, "Ada", "Bob"), "content": format!("Number {n}.")});
        json!({"messages": list(count, said)}).to_string()
    }),
    ("a.md", "specstory", |count| {
        let turn = |n| {
            format!(
                "_**User**_\n\nNumber {n}?\n\n---\n\n_**Assistant**_\n\nYes.\n\n---\n\n"
            )
        };
        format!(
            "<!-- Generated by SpecStory -->\n\n# T (2026-03-04 09:15:00)\n\n{}",
            joined(count / 2, turn)
        )
    }),
    ("a.md", "markdown", |count| {
        joined(count / 2, |n| format!("**Ada:** Number {n}.\n\n**Bob:** Yes.\n\n"))
    }),
    ("b.txt", "markdown", |count| {
        joined(count / 2, |n| format!("Ada: Number {n}?\n\nBob: Yes.\n\n"))
    }),
    ("c.txt", "markdown", |count| {
        joined(count, |n| {
            format!(
                "[{:02}:{:02}] {}: Is it {n}?\n\n",
                n / 60 % 60,
                n % 60,
                either(n, "Ada", "Bob")
            )
        })
    }),
    ("d.md", "markdown", |count| {
        joined(count / 2, |n| format!("## Ada\n\nIs it {n}?\n\n## Bob\n\nYes.\n\n"))
    }),
    ("e.md", "markdown", |count| {
        let turns = joined(count / 2, |n| format!("Q: Do you see {n}?\n\nA: I do.\n\n"));
        format!("# Interview with Ada\n\n{turns}")
    }),
    // As people write by hand: each name in several forms, and words that may be names.
    ("f.txt", "markdown", |count| {
        joined(count / 5, |n| {
            format!(
                "Ada Lovelace: Is it {n}?\nBob: Yes.\nAL: Why?\nB - I saw it.\nName{n}: I did too?\n"
            )
        })
    }),
    ("g.txt", "markdown", |count| {
        joined(count / 4, |n| {
            format!(
                "ADA: Is it {n}?\n\nBOB\nYes.\n\nADA. Why?\n\nBOB (aside): I know.\n\n"
            )
        })
    }),
    ("a.jsonl", "oasst", |count| {
        rows(count, |n| {
            json!({"message_tree_id": "t", "message_id": n.to_string(), "role": either(n, "prompter", "assistant"),
                "parent_id": n.checked_sub(1).map(|n| n.to_string()), "text": "x"})
        })
    }),
    ("a.json", "sharegpt", |count| {
        let said = |n: usize| json!({"from": either(n, "human", "gpt"), "value": format!("Number {n}.")});
        json!([{"id": "a", "conversations": list(count, said)}]).to_string()
    }),
    ("a.json", "alpaca", |count| {
        list(count, |n| json!({"instruction": format!("Number {n}?"), "input": "", "output": "Yes."})).to_string()
    }),
    ("a.jsonl", "openai-messages", |count| {
        let said = |n: usize| json!({"role": either(n, "user", "assistant"), "content": format!("Number {n}.")});
        format!("{}\n", json!({"messages": list(count, said)}))
    }),
    ("b.jsonl", "openai-messages", |count| {
        rows(count, |n| {
            json!({"messages": [{"role": "user", "content": format!("Number {n}?")},
            {"role": "assistant", "content": "Yes."}]})
        })
    }),
];

/// The time for which this thread had a processor, where the system tells; else the time of day.
fn spent() -> Duration {
    let stat = std::fs::read_to_string("/proc/thread-self/schedstat");
    let spent = stat.ok().and_then(|stat| stat.split(' ').next()?.parse().ok());
    let since = std::time::UNIX_EPOCH.elapsed().unwrap_or_default();
    spent.map_or(since, Duration::from_nanos)
}

/// Reads a text; returns the format, the number of turns and the time that it took.
fn read((name, _, text): &Case, count: usize) -> (Option<&'static str>, usize, Duration) {
    let bytes = text(count).into_bytes();
    let (path, name) = ((*name).to_owned(), (*name).to_owned());
    let input = Input { path, name, bytes, first_line: 1, is_continued: false };
    let start = spent();
    let (format, found, _) = formats::parse(None, vec![input]);
    let took = spent().saturating_sub(start);
    let turns = found.iter().map(|read| read.all_turns().count()).sum();
    (format.map(|format| format.name), turns, took)
}

/// `RECORDS=100000` tries it with as many.
#[test]
#[allow(clippy::print_stdout, reason = "whoever asks for so many wants to see the times")]
fn no_reader_is_slower_than_linear() {
    let asked = std::env::var("RECORDS").ok().and_then(|count| count.parse().ok());
    let most: usize = asked.unwrap_or(6_000);
    let mut failed = Vec::new();
    for case in &CASES {
        let (name, format, _) = case;
        let mut times = Vec::new();
        let mut is_linear = false;
        // A busy machine is forgiven twice.
        while !is_linear && times.len() < 3 {
            let (_, few, short) = read(case, most / 4);
            let (found, many, long) = read(case, most);
            if found != Some(*format) || few == 0 || many < few {
                failed.push(format!(
                    "{name} ({format}): {found:?}, {few} and {many} turns"
                ));
                break;
            }
            // A square takes sixteen times as long.
            is_linear = long < short.max(Duration::from_millis(20)) * 8;
            times.push((short, long));
        }
        if asked.is_some() {
            println!("{name} ({format}): {times:?}");
        }
        if !is_linear && times.len() == 3 {
            failed.push(format!("{name} ({format}): {times:?}"));
        }
    }
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}

#[test]
fn every_reader_is_tried() {
    let tried: BTreeSet<&str> = CASES.iter().map(|(_, format, _)| *format).collect();
    let all = formats::ALL.iter().filter(|format| format.read.is_some());
    assert_eq!(tried, all.map(|format| format.name).collect());
}

/// The turns of the first conversation of a text: speaker, words and id.
fn turns(text: &str) -> (Vec<String>, Vec<&'static str>) {
    let (read, notes) = formats::read("conversations.json", text.as_bytes());
    let turns = read.iter().flat_map(|read| read.all_turns());
    let turns =
        turns.map(|turn| format!("{} {} {:?}", turn.speaker, turn.id, turn.blocks));
    (turns.collect(), notes.iter().map(|note| note.code).collect())
}

/// A text of which every message has very many values: more than may be in memory at once.
fn padded(text: &str, before: &str) -> String {
    let padding = format!("\"x_y\":[{}0],{before}", "0,".repeat(30_000));
    text.replace(before, &padding)
}

/// A conversation of ChatGPT or Claude that has more values than may be in memory at once is read
/// message by message, and is the same.
#[test]
fn a_conversation_of_very_many_values_is_read_in_parts() {
    // Every third one is regenerated: two ways from there.
    let before = |n: usize| n - if n.is_multiple_of(3) { 2.min(n) } else { 1 };
    let talk = chatgpt(40, before, said);
    let claude_talk = claude(40, before, true);
    let design = design(40);
    for (text, key) in [
        (&talk, "\"model_slug\""),
        (&claude_talk, "\"sender\""),
        (&design, "\"timestamp\""),
    ] {
        let long = padded(text, key);
        let (short, told) = turns(text);
        assert!(short.len() > 20 && told.is_empty(), "{key} {} {told:?}", short.len());
        assert_eq!(turns(&long), (short, vec![]), "{key}");
    }
    let other = chatgpt(2, previous, said).replace("\"id\":\"c\"", "\"id\":\"d\"");
    let claude_other =
        claude(2, previous, false).replace("\"uuid\":\"c\"", "\"uuid\":\"d\"");
    let long = padded(&talk, "\"model_slug\"");
    let claude_long = padded(&claude_talk, "\"sender\"");
    for (long, other, good, bad) in [
        (&long, &other, "\"weight\":1.0", "\"weight\":1.x"),
        (&long, &other, "},\"00000007", "}\"00000007"),
        (&claude_long, &claude_other, "\"text\":\"Number 7", "\"text\":x\"Number 7"),
        (
            &claude_long,
            &claude_other,
            "Z\"},{\"uuid\":\"00000008",
            "Z\"}{\"uuid\":\"00000008",
        ),
        (
            &claude_long,
            &claude_other,
            "Z\"},{\"uuid\":\"00000008",
            "Z\"}:{\"uuid\":\"00000008",
        ),
    ] {
        let broken = long.replacen(good, bad, 1);
        assert!(broken != *long, "{good}");
        let both = format!("{},{}", &broken[..broken.len() - 1], &other[1..]);
        let (turns, told) = turns(&both);
        assert_eq!((turns.len(), told), (2, vec!["bad-json"]), "{bad}");
    }
    let many = "\"a\":{},".repeat(400_000);
    let text = long.replacen("},\"00000001", &format!("}},{many}\"00000001"), 1);
    let (found, told) = turns(&text);
    assert_eq!((found.len(), told), (0, vec!["too-large"]));
    let many = format!("Z\"}},{}{{\"uuid\":\"00000008", "{},".repeat(400_000));
    let text = claude_long.replacen("Z\"},{\"uuid\":\"00000008", &many, 1);
    let (found, told) = turns(&text);
    assert_eq!((found.len(), told), (0, vec!["too-large"]));
}

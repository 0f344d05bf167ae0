//! Many, deep and large things: twice as many cost twice as much, none is too deep, and memory
//! stays bounded whatever a file holds.

use std::fs::File;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use convo_site::diag::Severity;
use convo_site::files::{Memory, SharedFiles};
use convo_site::pipeline::{self, Choices, Memo};
use serde_json::{Value, json};
use wait4::Wait4;

use crate::support::{BASE, SiteTest, convo};

/// What a command used and said.
struct Used {
    code: Option<i32>,
    cpu: Duration,
    /// The most memory at any time. Megabytes.
    memory: u64,
    notes: Vec<Value>,
}

fn used(site: &SiteTest, threads: &str) -> Used {
    let (said, log) = (site.path("said.json"), site.path("log.txt"));
    let to = |path| Stdio::from(File::create(path).expect("a file"));
    let child = Command::new(env!("CARGO_BIN_EXE_convo-site"))
        .args(["build", "--message-format", "json"])
        .env("RAYON_NUM_THREADS", threads)
        .current_dir(site.path(""))
        .stdout(to(&said))
        .stderr(to(&log))
        .spawn();
    let mut child = child.expect("it starts");
    let memory = std::thread::spawn({
        let id = child.id();
        move || peak(id)
    });
    let used = child.wait4().expect("it ends");
    let memory = memory.join().expect("a number");
    let said = std::fs::read_to_string(said).expect("what it said");
    let log = std::fs::read_to_string(log).expect("a log");
    Used {
        code: used.status.code(),
        cpu: used.rusage.utime,
        memory: memory.unwrap_or(used.rusage.maxrss) / 1_000_000,
        notes: serde_json::from_str(&said).unwrap_or_else(|_| panic!("{log}")),
    }
}

/// The most memory that a process uses up to its end, where the system shows that: what `wait4`
/// says includes the memory of the tests, from which the process started. Bytes.
fn peak(process: u32) -> Option<u64> {
    let mut last = None;
    while let Ok(status) = std::fs::read_to_string(format!("/proc/{process}/status")) {
        let row = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let Some(kilobytes) = row.and_then(|row| row.trim().strip_suffix(" kB")) else {
            break;
        };
        last = kilobytes.parse::<u64>().ok().map(|kilobytes| kilobytes * 1024);
        std::thread::sleep(Duration::from_millis(2));
    }
    last
}

impl Used {
    fn codes(&self) -> Vec<&str> {
        self.notes.iter().filter_map(|note| note["code"].as_str()).collect()
    }
}

/// Twice as many may cost three times as much, which a square never does.
#[track_caller]
fn linear(name: &str, count: usize, site: impl Fn(usize) -> SiteTest) {
    let cpu = |count| used(&site(count), "2").cpu;
    let slow = (0..3)
        .map(|_| (cpu(count), cpu(2 * count)))
        .find(|(once, twice)| *twice <= *once * 3 + Duration::from_millis(150));
    assert!(
        slow.is_some(),
        "{name}: {:?} for {count}, then {:?}",
        cpu(count),
        cpu(2 * count)
    );
}

fn file(name: &str, text: String) -> SiteTest {
    SiteTest::new().file(&format!("content/{name}"), text)
}

/// A conversation in which Ada says something, with that among its metadata.
fn with(text: &str, metadata: &str) -> SiteTest {
    let file_of = convo(text).replace("\"dialog\"", &format!("\"dialog\", {metadata}"));
    file("a.convo", file_of)
}

/// A transcript in which each says one thing, as only a rule can know.
fn transcript(count: usize) -> SiteTest {
    let rule = "[[source]]\nfiles = \"a.md\"\nformat = \"markdown\"\n";
    file("a.md", joined(count, |n| format!("**S{n}:** x\n\n")))
        .file("site.toml", format!("{BASE}{rule}"))
}

fn joined(count: usize, part: impl Fn(usize) -> String) -> String {
    (0..count).map(part).collect()
}

/// A page of a long conversation names those who speak on it, and only the first one everybody.
#[test]
fn many_speakers_on_many_pages() {
    let bytes = |count: usize| {
        let site = transcript(count);
        site.build(0);
        let output = site.output();
        let pages = output.iter().filter(|(path, _)| path.starts_with("c/"));
        pages.map(|(_, bytes)| bytes.len()).sum::<usize>() as f64
    };
    let times = bytes(2_000) / bytes(1_000);
    assert!(times < 2.2, "{times}");
}

/// Texts that have most of their words in common, and are not the same, are compared with few.
#[test]
fn many_texts_that_are_alike_in_part() {
    let planned = |count: usize| {
        let shared = joined(80, |n| format!("shared{n} "));
        let mut files = Memory::default();
        files.insert("site.toml", format!("{BASE}index = \"auto\"\n"));
        for at in 0..count {
            let own = joined(10, |n| format!("own{at}x{n} "));
            files.insert(format!("content/{at}.convo"), convo(&format!("{own}{shared}")));
        }
        let files: SharedFiles = Arc::new(files);
        let start = Instant::now();
        let build = pipeline::run(&files, &Choices::default(), &Memo::default(), &|_| {});
        assert_eq!(build.expect("TOML").conversations, count as u64);
        start.elapsed()
    };
    let times = |once: Duration, twice: Duration| twice.div_duration_f64(once);
    let least = (0..3).map(|_| times(planned(4_000), planned(8_000))).fold(9.0, f64::min);
    assert!(least < 3.0, "{least}");
}

/// What is said of a whole conversation stands on each of its pages, as far as it is short.
#[test]
fn long_words_on_many_pages() {
    let site = |count: usize| {
        let long = "word ".repeat(count);
        let about = json!({
            "title": long, "tags": [long, "x"], "note": long, "type": long, "time": "2026-01-02",
            "participants": ["Ada", { "name": "Bot", "generative": true, "generative:model": long }],
        });
        let about = about.to_string();
        let turns = joined(200, |n| format!("### @{}\nx\n\n", ["Ada", "Bot"][n % 2]));
        file("a.convo", format!("{turns}----\n{about}\n"))
            .file("site.toml", format!("{BASE}page_turns = 1\n"))
    };
    let bytes = |site: &SiteTest| site.output().values().map(Vec::len).sum::<usize>();
    let (short, long) = (site(200), site(10_000));
    short.build(0);
    let ran = long.build(0);
    assert_eq!(ran.stderr.matches("warning[too-long]").count(), 3, "{}", ran.stderr);
    assert!(bytes(&long) < bytes(&short) + 2_000_000, "{}", bytes(&long));
    // Each tag and language has a page of its own.
    let many: Vec<String> = (0..5_000).map(|n| format!("{}", 10_000 + n)).collect();
    let site = with("x", &format!("\"tags\": {many:?}, \"languages\": {many:?}"));
    site.run(&["build"]);
    assert!(site.output().len() < 1_000, "{}", site.output().len());
    // Whoever converts it loses nothing.
    let ran = long.run(&["convert", "content/a.convo", "--to", "markdown"]);
    assert!(ran.stdout.matches("word").count() > 10_000, "{}", ran.stderr);
}

#[test]
fn many_speakers() {
    linear("names in bold type", 1_000, transcript);
    linear("declared names", 1_000, |n| {
        let names: Vec<String> = (0..n).map(|n| format!("S{n}")).collect();
        let turns = joined(n, |n| format!("### @S{n}\nx\n\n"));
        let rest = json!({ "type": "x", "time": "2026-01-02", "participants": names });
        file("a.convo", format!("{turns}----\n{rest}\n"))
    });
    linear("senders of messages", 1_000, |n| {
        let message = |n: usize| {
            let id = n.to_string();
            json!({ "id": id, "role": "user", "messageType": "text", "content": "x", "senderId": id })
        };
        let messages: Vec<Value> = (0..n).map(message).collect();
        let schema = "https://cjson.dev/schema/0/conversation";
        file(
            "a.json",
            json!({ "id": "x", "schemaUrl": schema, "messages": messages }).to_string(),
        )
    });
}

#[test]
fn many_mistakes_in_one_line() {
    linear("numbers as participants", 20_000, |n| {
        file(
            "a.convo",
            convo("x").replace("\"Ada\"]", &format!("\"Ada\"{}]", ", 1".repeat(n))),
        )
    });
    linear("participants of wrong types", 10_000, |n| {
        let wrong = ", {\"name\": \"B\", \"generative\": 3}".repeat(n);
        file("a.convo", convo("x").replace("\"Ada\"]", &format!("\"Ada\"{wrong}]")))
    });
    linear("lone surrogates", 50_000, |n| {
        with("x", &format!("\"z\": \"{}\"", "\\ud83d".repeat(n)))
    });
    linear("trailing commas", 50_000, |n| {
        with("x", &format!("\"z\": [{}1]", "[1,],".repeat(n)))
    });
    linear("repeated keys", 50_000, |n| {
        with("x", &format!("{}\"z\": 1", "\"z\": 1, ".repeat(n)))
    });
}

#[test]
fn many_tags_that_wait_for_others() {
    linear("tags", 50_000, |n| {
        let text = format!("{}{}", "<kbd>".repeat(n), "</sub>".repeat(n));
        file("a.convo", convo(&text))
            .file("site.toml", format!("{BASE}html = \"basic\"\n"))
    });
    linear("brackets before one end", 100_000, |n| {
        let text = format!("<div {}>", "<".repeat(n));
        file("a.convo", convo(&text))
            .file("site.toml", format!("{BASE}html = \"basic\"\n"))
    });
}

#[test]
fn many_redirects() {
    let redirects = |n: usize, target: fn(usize, usize) -> usize| {
        let rows = joined(n, |at| format!("\"r{at}/\" = \"r{}/\"\n", target(at, n)));
        file("a.convo", convo("x"))
            .file("site.toml", format!("{BASE}[redirects]\n{rows}"))
    };
    linear("in a circle", 4_000, |n| redirects(n, |at, n| (at + 1) % n));
    linear("in a row", 1_000, |n| redirects(n, |at, _| at + 1));
    linear("aliases of one", 1_000, |n| {
        let aliases: Vec<String> = (0..n).map(|n| format!("old/a{n}/")).collect();
        with("x", &format!("\"aliases\": {}", json!(aliases)))
    });
}

#[test]
fn many_calls_that_wait_for_results() {
    linear("tool calls", 5_000, |n| {
        let row = |kind: &str, from: String, to: String, id: usize| {
            json!({ "id": format!("{kind}{id}"), "timestamp": 1_700_000_000, "from": from, "to": to,
                "content": "{}", "entry_type": kind, "tool_call_id": format!("c{id}") })
            .to_string() + "\n"
        };
        let calls = joined(n, |n| row("tool_call", "bot".into(), format!("t{n}"), n));
        let results = joined(n, |n| row("tool_result", format!("t{n}"), "bot".into(), n));
        file("context.jsonl", calls + &results)
    });
}

#[test]
fn many_timelines() {
    linear("timelines", 200, |n| {
        let mut site = SiteTest::new().file("content/r/timelines/ACTIVE", "main\n");
        let path = |at: usize| format!("researcher/ses-1/{at:05}-user-invoke");
        for at in 0..n {
            let folder = format!("content/r/{}", path(at));
            site = site
                .file(&format!("{folder}/type"), "invoke")
                .file(&format!("{folder}/payload"), format!("Hello {at}"))
                .file(&format!("{folder}/created_at"), "2026-01-02T00:00:00Z")
                .file(
                    &format!("content/r/timelines/fork-{at}"),
                    format!("{}\n{}\n", path(0), path(at)),
                );
        }
        site.file("content/r/timelines/main", format!("{}\n{}\n", path(0), path(1)))
    });
}

/// The site beside a hostile file: it is built, with that error and no other, in little memory.
#[track_caller]
fn beside(name: &str, text: String, code: &str) {
    let site = file(name, text).file("content/good.convo", convo("Good."));
    let used = used(&site, "2");
    assert_eq!(used.code, Some(1), "{name}");
    assert_eq!(used.codes(), [code], "{name}");
    assert!(used.memory < 150, "{} MB", used.memory);
    let output = site.output();
    assert!(site.page("c/", "/index.html").contains("Good."));
    assert!(output.values().map(Vec::len).sum::<usize>() < 2_000_000);
    assert!(!output.values().any(|bytes| bytes.windows(6).any(|part| part == b"Secret")));
}

#[test]
fn front_matter_that_asks_for_too_much() {
    let file = |yaml: &str| {
        format!(
            "---\n{yaml}\n---\n\n{}",
            "**Ada:** Secret?\n\n**Bob:** Secret.\n\n".repeat(2)
        )
    };
    for times in [2, 26, 30, 16_000] {
        beside("keys.md", file(&"? ".repeat(times)), "bad-yaml");
    }
    let lines = joined(26, |at| format!("{}? \n", "  ".repeat(at)));
    beside("lines.md", file(&lines), "bad-yaml");
    beside("lists.md", file(&"- ".repeat(16_000)), "bad-yaml");
    beside(
        "flow.md",
        file(&format!("a: {}{}", "[".repeat(65), "]".repeat(65))),
        "bad-yaml",
    );
    beside("open.md", file(&format!("a: {}", "[".repeat(16_000))), "bad-yaml");
    let laughs = joined(12, |at| {
        let items = match at.checked_sub(1) {
            Some(before) => format!("*a{before}, ").repeat(9),
            None => "x, ".repeat(9),
        };
        format!("a{at}: &a{at} [{items}]\n")
    });
    beside("laughs.md", file(&laughs), "bad-yaml");
}

/// Text that is read as a row, whose value is read as a row, and so on.
#[test]
fn rows_in_rows_are_no_deeper_than_objects() {
    for times in [10, 100_000] {
        let rows = "meta:".repeat(times);
        let used = used(&with("x", &format!("\"meta\": \"{rows}private\"")), "2");
        assert!(used.code.is_some_and(|code| code < 2), "{times}: {:?}", used.code);
    }
}

#[test]
fn json_and_toml_that_are_too_deep() {
    let deep = "{\"a\":".repeat(100_000);
    beside("a.convo", convo("Secret").replace("\"dialog\"", &deep), "bad-json");
    let schema = "https://cjson.dev/schema/0/conversation";
    let cjson =
        format!("{{\"schemaUrl\": \"{schema}\", \"messages\": [], \"Secret\": {deep}");
    beside("a.json", cjson, "bad-json");
    beside("context.jsonl", format!("{{\"id\": \"Secret\", \"a\": {deep}\n"), "bad-json");
    let session = "2026-02-08T14-30-05Z_researcher_abc12345.json";
    let text = format!("{{\"session\": \"a\", \"agent\": \"b\", \"history\": [{deep}");
    beside(session, text, "bad-json");
    for deep in ["[", "{a="] {
        let text = format!("{BASE}title = {}\n", deep.repeat(100_000));
        let site = file("good.convo", convo("Good.")).file("site.toml", text);
        assert_eq!(site.run(&["build"]).code, Some(2));
        let site = file("good.convo", convo("Good."));
        let site =
            site.file("locales/en.toml", format!("a = {}\n", deep.repeat(100_000)));
        assert!(site.run(&["build"]).code.is_some(), "it ends by itself");
    }
}

/// The most memory that any of these may take; each took more than twice as much where every text
/// was parsed. Megabytes.
const MEMORY: u64 = 500;

/// A turn of nothing but short lines.
fn dense(megabytes: usize) -> String {
    convo(&"a\n".repeat(megabytes * 500_000))
}

#[test]
fn a_turn_with_too_many_lines_is_plain_in_every_output() {
    let text = format!("**bold** <b>\n{}", "*b*\n".repeat(260_000));
    let site = file("a.convo", convo(&text));
    let used = used(&site, "2");
    assert_eq!((used.code, used.codes()), (Some(0), vec!["plain-text"]));
    let note = &used.notes[0];
    assert_eq!((&note["file"], &note["line"]), (&json!("content/a.convo"), &json!(2)));
    let page = site.page("c/", "/index.html");
    assert!(page.contains("<code>**bold** &lt;b&gt;\n*b*\n"));
    assert!(!page.contains("<strong>bold"));
    let copy = site.page("c/", "/index.md");
    assert!(copy.contains("\n```\n**bold** <b>\n*b*\n"));
    let feed = site.page("atom", ".xml");
    assert!(!feed.contains("<strong>bold") && !feed.contains("&lt;strong"));
}

#[test]
fn memory_is_bounded_whatever_a_turn_holds() {
    let rows = convo(&format!("|a|\n|-|\n{}", "|\n".repeat(1_500_000)));
    for (name, text) in [("lines", dense(5)), ("rows of a table", rows)] {
        let used = used(&file("a.convo", text), "2");
        assert_eq!(used.codes(), ["plain-text"], "{name}");
        assert!(used.memory < MEMORY, "{name}: {} MB", used.memory);
    }
}

#[test]
fn files_that_are_read_at_once_share_memory() {
    let mut site = SiteTest::new();
    for number in 0..6 {
        site = site.file(&format!("content/{number}.convo"), dense(1));
    }
    let used = used(&site, "6");
    // Each takes 270 MB while it is parsed, and only two are at once.
    assert!(used.memory < 800, "{} MB", used.memory);
}

#[test]
fn what_is_too_large_is_left_out_and_told() {
    let long = convo(&"word ".repeat(3_500_000));
    let large = convo(&"word ".repeat(14_000_000));
    let line = format!("{{\"id\": \"{}\"}}\n", "x".repeat(70_000_000));
    let values = format!(
        "{{\"schemaUrl\": \"https://cjson.dev/schema/0/conversation\", \"messages\": [{}1]}}",
        "1,".repeat(1_100_000)
    );
    let turns = convo(&"x\n\n### @Ada\n".repeat(310_000));
    for (name, text, code) in [
        ("a.convo", long, "too-large"),
        ("b.convo", large, "too-large"),
        ("context.jsonl", line, "too-large"),
        ("c.convo", turns, "too-large"),
        ("d.json", values, "bad-json"),
    ] {
        let site = file(name, text).file("content/good.convo", convo("Good."));
        let used = used(&site, "2");
        assert_eq!(used.code, Some(1), "{name}");
        assert!(used.codes().contains(&code), "{name}: {:?}", used.codes());
        assert!(used.memory < MEMORY, "{name}: {} MB", used.memory);
        assert!(site.page("c/", "/index.html").contains("Good."));
    }
}

/// For every format, the text of a file that holds so many records.
const RECORDS: [(&str, fn(usize) -> String); 16] = [
    ("talk.convo", |count| {
        convo(
            &joined(count, |n| format!("Number {n}.\n\n### @Ada\n"))
                .replace("\n### @Ada\n\n", "\n"),
        )
    }),
    ("talk.md", |count| {
        joined(count, |n| format!("**Ada:** Number {n}.\n\n**Bob:** Yes.\n\n"))
    }),
    ("talk.cjson.json", |count| {
        let message = |n: usize| json!({"id": n.to_string(), "role": "user", "messageType": "text", "content": "Yes."});
        let all: Vec<Value> = (0..count).map(message).collect();
        json!({"id": "a", "schemaUrl": "https://schema.cjson.dev/0/conversation/cjson-0.1.0-SNAPSHOT.schema.json",
            "conversationTitle": "T", "messages": all})
        .to_string()
    }),
    ("conversations.json", |count| {
        // One conversation of ChatGPT in which each message follows the one before.
        let name = |n: usize| format!("{n:08}-0000-4000-8000-000000000000");
        let mut mapping = serde_json::Map::new();
        for n in 0..count {
            let parent = n.checked_sub(1).map(|before| name(before));
            let role = if n % 2 == 0 { "user" } else { "assistant" };
            let id = name(n);
            let node = json!({"id": id, "parent": parent, "children": [name(n + 1)],
                "message": {"id": id, "author": {"role": role, "name": null, "metadata": {}},
                    "create_time": 1_760_000_000.5 + n as f64, "update_time": null,
                    "content": {"content_type": "text", "parts": [format!("Number {n}.")]},
                    "status": "finished_successfully", "end_turn": null, "weight": 1.0,
                    "metadata": {"model_slug": "gpt-4o", "parent_id": parent}, "recipient": "all"}});
            mapping.insert(id, node);
        }
        json!([{"id": "c", "title": "T", "create_time": 1_760_000_000.5,
            "current_node": name(count - 1), "mapping": mapping}])
        .to_string()
    }),
    ("claude.json", |count| {
        let message = |n: usize| {
            let sender = if n % 2 == 0 { "human" } else { "assistant" };
            let text = format!("Number {n}.");
            json!({"uuid": format!("m{n}"), "sender": sender, "text": text,
                "created_at": "2026-03-04T09:15:00Z",
                "content": [{"type": "text", "text": text}]})
        };
        let all: Vec<Value> = (0..count).map(message).collect();
        json!([{"uuid": "c", "name": "T", "created_at": "2026-03-04T09:15:00Z", "chat_messages": all}])
            .to_string()
    }),
    ("claude-code.jsonl", |count| {
        joined(count, |n| {
            let (role, before) = (["user", "assistant"][n % 2], n.checked_sub(1));
            let line = json!({"uuid": n.to_string(), "parentUuid": before.map(|n| n.to_string()),
                "sessionId": "s", "type": role, "timestamp": "2026-03-04T09:15:00.000Z",
                "cwd": "/mill", "version": "2.0.0", "message": {"role": role, "content": format!("Number {n}.")}});
            format!("{line}\n")
        })
    }),
    ("codex.jsonl", |count| {
        let meta = json!({"timestamp": "2026-03-04T09:15:00Z", "type": "session_meta",
            "payload": {"id": "s", "timestamp": "2026-03-04T09:15:00Z", "cwd": "/mill", "cli_version": "1"}});
        let item = |n: usize| {
            let (role, kind) =
                [("user", "input_text"), ("assistant", "output_text")][n % 2];
            let line = json!({"timestamp": "2026-03-04T09:15:00Z", "type": "response_item",
                "payload": {"type": "message", "role": role, "content": [{"type": kind, "text": format!("Number {n}.")}]}});
            format!("{line}\n")
        };
        format!("{meta}\n") + &joined(count, item)
    }),
    ("specstory.md", |count| {
        let turns = joined(count, |n| {
            format!(
                "_**User**_\n\nNumber {n}?\n\n---\n\n_**Assistant**_\n\nYes.\n\n---\n\n"
            )
        });
        format!("<!-- Generated by SpecStory -->\n\n# T (2026-03-04 09:15:00)\n\n{turns}")
    }),
    ("messages.jsonl", |count| {
        joined(count, |n| {
            let row = json!({"messages": [{"role": "user", "content": format!("Number {n}?")},
                {"role": "assistant", "content": "Yes."}]});
            format!("{row}\n")
        })
    }),
    ("sharegpt.json", |count| {
        let row = |n: usize| {
            json!({"id": n.to_string(), "conversations": [{"from": "human", "value": format!("Number {n}?")},
                {"from": "gpt", "value": "Yes."}]})
        };
        Value::from((0..count).map(row).collect::<Vec<Value>>()).to_string()
    }),
    ("alpaca.json", |count| {
        let row = |n: usize| json!({"instruction": format!("Number {n}?"), "input": "", "output": "Yes."});
        Value::from((0..count).map(row).collect::<Vec<Value>>()).to_string()
    }),
    ("oasst.jsonl", |count| {
        joined(count, |n| {
            let reply = json!({"message_id": format!("r{n}"), "parent_id": format!("p{n}"), "text": "Yes.",
                "role": "assistant", "replies": []});
            let tree = json!({"message_tree_id": format!("p{n}"), "tree_state": "ready_for_export",
                "prompt": {"message_id": format!("p{n}"), "text": format!("Number {n}?"), "role": "prompter",
                    "lang": "en", "replies": [reply]}});
            format!("{tree}\n")
        })
    }),
    ("turns.txt", |count| {
        joined(count, |n| format!("Ada: Number {n}?\n\nBob: Yes.\n\n"))
    }),
    ("timed.txt", |count| {
        joined(count, |n| {
            format!(
                "[{:02}:{:02}] {}: Number {n}?\n\n",
                n / 60 % 60,
                n % 60,
                ["Ada", "Bob"][n % 2]
            )
        })
    }),
    ("heads.md", |count| {
        joined(count, |n| format!("## Ada\n\nNumber {n}?\n\n## Bob\n\nYes.\n\n"))
    }),
    ("questions.md", |count| joined(count, |n| format!("Q: Number {n}?\n\nA: Yes.\n\n"))),
];

/// Every reader takes twice as long for twice as many records. `RECORDS=100000` tries it with as
/// many.
#[test]
fn no_reader_is_slower_than_linear() {
    let count = std::env::var("RECORDS").ok().and_then(|count| count.parse().ok());
    let count: usize = count.unwrap_or(2_000);
    let mut failed = Vec::new();
    for (name, text) in RECORDS {
        let (once, twice) = (text(count), text(2 * count));
        let read = |text: &str| {
            let start = Instant::now();
            let (found, notes) = convo_site::formats::read(name, text.as_bytes());
            let turns: usize = found.iter().map(|read| read.turns.len()).sum();
            (start.elapsed(), turns, notes.into_iter().next())
        };
        let (_, few, note) = read(&once);
        if few < count || read(&twice).1 < 2 * count {
            failed.push(format!("{name}: {few} turns of {count} records: {note:?}"));
            continue;
        }
        let times: Vec<_> = (0..3).map(|_| (read(&once).0, read(&twice).0)).collect();
        let is_linear = |(once, twice): &(Duration, Duration)| {
            *twice <= 3 * *once + Duration::from_millis(30)
        };
        if !times.iter().any(is_linear) {
            failed.push(format!("{name}: {times:?}"));
        }
    }
    assert!(failed.is_empty(), "{failed:#?}");
}

/// The values of a long record are not too many, those of one that was made to fill memory are.
#[test]
fn a_conversation_of_many_messages_is_read() {
    let (name, text) = RECORDS[3];
    let count = 50_000;
    let (found, notes) = convo_site::formats::read(name, text(count).as_bytes());
    assert_eq!(
        found.iter().map(|read| read.turns.len()).sum::<usize>(),
        count,
        "{notes:?}"
    );
    let dense = format!("[{{\"mapping\":{{}},\"x\":[{}1]}}]", "1,".repeat(1_100_000));
    let (found, notes) = convo_site::formats::read(name, dense.as_bytes());
    assert!(
        found.is_empty() && notes.iter().any(|note| note.severity == Severity::Error)
    );
}

//! Large inputs: twice as many things cost twice as much, none is too deep, and memory is bounded
//! whatever a file contains.

use std::fs::File;
use std::io::{BufReader, Read};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use convo_site::diag::{Diagnostic, WithNotes};
use convo_site::files::{FileInfo, Files, Memory, Reader, SharedFiles};
use convo_site::path::RelPath;
use convo_site::pipeline::{self, Choices, Memo};
use serde_json::{Value, json};
use wait4::Wait4;

use crate::support::linear_time::{check_linear, on_one_thread, timed};
use crate::support::{BASE, SiteTest, convo};

/// The resource use and output of a command.
struct Used {
    code: Option<i32>,
    cpu: Duration,
    /// The peak memory. Megabytes.
    memory: u64,
    notes: Vec<Value>,
}

fn used(site: &SiteTest, threads: &str) -> Used {
    let (report, log) = (site.path(".said.json"), site.path(".log.txt"));
    let to = |path| Stdio::from(File::create(path).expect("a file"));
    let child = Command::new(env!("CARGO_BIN_EXE_convo-site"))
        .args(["build", "--message-format", "json"])
        .env("RAYON_NUM_THREADS", threads)
        .current_dir(site.path(""))
        .stdout(to(&report))
        .stderr(to(&log))
        .spawn();
    let mut child = child.expect("it starts");
    let memory = std::thread::spawn({
        let id = child.id();
        move || peak(id)
    });
    let used = child.wait4().expect("it ends");
    let memory = memory.join().expect("a number");
    let report = std::fs::read_to_string(report).expect("the report");
    let log = std::fs::read_to_string(log).expect("a log");
    Used {
        code: used.status.code(),
        cpu: used.rusage.utime,
        memory: memory.unwrap_or(used.rusage.maxrss) / 1_000_000,
        notes: serde_json::from_str(&report).unwrap_or_else(|_| panic!("{log}")),
    }
}

/// The peak memory of a process, if the system reports it. The value of `wait4` includes the memory
/// of the tests that started the process. Bytes.
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

/// Twice as many may cost three times as much, which excludes quadratic time.
#[track_caller]
fn linear(name: &str, count: usize, site: impl Fn(usize) -> SiteTest) {
    let cpu = |count| used(&site(count), "2").cpu;
    let slow = (0..3)
        .map(|_| (cpu(count), cpu(2 * count)))
        .find(|(once, twice)| *twice <= *once * 3 + Duration::from_millis(150));
    assert!(slow.is_some(), "{name}: {:?} for {count}, then {:?}", cpu(count), cpu(2 * count));
}

fn file(name: &str, text: String) -> SiteTest {
    SiteTest::new().file(&format!("content/{name}"), text)
}

/// A conversation in which Ada speaks, with additional metadata.
fn with(text: &str, metadata: &str) -> SiteTest {
    let file_of = convo(text).replace("\"dialog\"", &format!("\"dialog\", {metadata}"));
    file("a.convo", file_of)
}

/// A transcript in which everyone speaks once, so that only a rule can identify it.
fn transcript(count: usize) -> SiteTest {
    let rule = "[[source]]\nfiles = \"a.md\"\nformat = \"markdown\"\n";
    file("a.md", joined(count, |n| format!("**S{n}:** x\n\n")))
        .file("site.toml", format!("{BASE}{rule}"))
}

fn joined(count: usize, part: impl Fn(usize) -> String) -> String {
    (0..count).map(part).collect()
}

/// A page of a long conversation lists the speakers on that page; only the first page lists all of
/// them.
#[test]
#[ignore = "measures time or memory: `sh tests/run` runs it"]
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

/// Files with very many speakers, each with one turn: their names, and functions that generate
/// them.
type OfMany = (&'static str, fn(usize) -> String);

const OF_MANY: [OfMany; 6] = [
    ("a.srt", |n| {
        let at = |n: usize| format!("{:02}:{:02}:{:02},000", n / 3600, n / 60 % 60, n % 60);
        let cue = |n| {
            let (from, to) = (at(n), at(n + 1));
            format!("{n}\n{from} --> {to}\nNick{n}: the tide is in\n\n")
        };
        joined(n, cue)
    }),
    ("a.vtt", |n| {
        let at = |n: usize| format!("{:02}:{:02}:{:02}.000", n / 3600, n / 60 % 60, n % 60);
        let cue = |n| {
            let (from, to) = (at(n), at(n + 1));
            format!("{from} --> {to}\n<v Nick{n}>The tide is in.\n\n")
        };
        format!("WEBVTT\n\n{}", joined(n, cue))
    }),
    ("#mill.2026-03-01.log", |n| {
        joined(n, |n| {
            let (hour, minute, second) = (n / 3600 % 24, n / 60 % 60, n % 60);
            format!("[{hour:02}:{minute:02}:{second:02}] <nick{n}> the tide is in\n")
        })
    }),
    ("WhatsApp Chat.txt", |n| {
        joined(n, |n| format!("3/14/26, 18:{:02} - Nick {n}: the tide is in\n", n / 500))
    }),
    ("a.convo", |n| {
        let turns = joined(n, |n| format!("### @Nick{n}\nThe tide is in.\n\n"));
        let names: Vec<String> = (0..n).map(|n| format!("Nick{n}")).collect();
        let rest = json!({ "type": "x", "time": "2026-01-02", "participants": names });
        format!("{turns}----\n{rest}\n")
    }),
    ("talk.json", |n| {
        let turn = |n: usize| {
            format!(
                "{{\"speaker\": \"Nick{n}\", \"start\": {n}, \"end\": {n}.5, \"text\": \"The tide is in.\"}}"
            )
        };
        let all: Vec<String> = (0..n).map(turn).collect();
        format!("{{\"segments\": [{}]}}", all.join(",\n"))
    }),
];

/// The maximum ratio of the output to the text, beyond the fixed size of a site.
const MAX_TIMES: usize = 20;
/// The fixed size of a site, including the pages of 1,000 speakers. Bytes.
const OF_EVERY_SITE: usize = 12_000_000;

#[test]
#[ignore = "measures time or memory: `sh tests/run` runs it"]
fn the_output_is_bounded_for_any_number_of_speakers() {
    for (name, of) in OF_MANY {
        let text = of(10_000);
        let (site, length) = (many(name, &text), text.len());
        let run = site.run(&["build"]);
        let output = site.output();
        let bytes = output.values().map(Vec::len).sum::<usize>();
        let pages = output.keys().filter(|path| path.starts_with("speakers/")).count();
        let times = bytes as f64 / length as f64;
        assert!(output.keys().any(|path| path.starts_with("c/")), "{name}: {}", run.stderr);
        assert!(run.stderr.contains("speakers-without-page"), "{name}: {}", run.stderr);
        assert!(pages < 100, "{name}: {pages} files of speakers");
        assert!(
            bytes <= MAX_TIMES * length + OF_EVERY_SITE,
            "{name}: {times:.0} times {length} bytes"
        );
    }
}

fn many(name: &str, text: &str) -> SiteTest {
    let rule = "[[source]]\nfiles = \"**\"\nvisibility = \"public\"\n[people]\nothers = \"keep\"\n";
    file(name, text.to_owned()).file("site.toml", format!("{BASE}{rule}"))
}

/// Everyone has a page unless there are very many speakers; those with many words always have one.
#[test]
#[ignore = "measures time or memory: `sh tests/run` runs it"]
fn speakers_with_many_words_have_a_page() {
    let few = transcript(300);
    few.build(0);
    let pages = few.output().keys().filter(|path| path.starts_with("speakers/")).count();
    assert!(pages > 300, "{pages}");
    let much = "word ".repeat(400);
    let text = format!("{}**Wren:** {much}\n", joined(3_000, |n| format!("**S{n}:** x\n\n")));
    let site = transcript(1).file("content/a.md", text);
    let run = site.build(0);
    assert!(run.stderr.contains("3,000 speakers have no page, out of 3,001"), "{}", run.stderr);
    let output = site.output();
    let pages = output.keys().filter(|path| path.starts_with("speakers/"));
    let pages: Vec<&String> = pages.filter(|path| path.ends_with(".html")).collect();
    assert_eq!(pages, ["speakers/index.html", "speakers/wren/index.html"]);
    let names: String = output
        .iter()
        .filter(|(path, _)| path.starts_with("c/") && path.ends_with("/index.html"))
        .map(|(_, page)| String::from_utf8_lossy(page))
        .collect();
    assert!(!names.contains("href=\"\"") && names.contains("<bdi>S7</bdi>"));
    let checked = site.run(&["check"]);
    assert!(!checked.stderr.contains("error["), "{}", checked.stderr);
}

/// In every format, names of speakers have a maximum length, and different long names stay
/// different.
#[test]
#[ignore = "measures time or memory: `sh tests/run` runs it"]
fn a_long_name_of_a_speaker() {
    let long = "n".repeat(390_000);
    for (name, text) in [
        ("a.srt", format!("1\n00:00:00,000 --> 00:00:01,000\n{long}: x\n")),
        ("a.vtt", {
            let cue = |n: usize, name: &str| {
                format!("00:00:0{n}.000 --> 00:00:0{n}.500\n<v {name}>x y\n\n")
            };
            format!("WEBVTT\n\n{}{}", cue(1, &format!("{long}a")), cue(2, &format!("{long}b")))
        }),
        ("a.convo", convo("x").replace("Ada", &long)),
        ("a.json", {
            let segment =
                |name: String| json!({ "start": 0, "end": 1, "text": "x", "speaker": name });
            json!({ "segments": [segment(format!("{long}a")), segment(format!("{long}b"))] })
                .to_string()
        }),
    ] {
        let site = many(name, &text);
        let used = used(&site, "2");
        assert!(used.memory < 300, "{name}: {} MB", used.memory);
        let output = site.output();
        let bytes = output.values().map(Vec::len).sum::<usize>();
        assert!(bytes < OF_EVERY_SITE, "{name}: {bytes}");
        let cut = used.codes().contains(&"too-long");
        let pages = output.keys().filter(|path| path.starts_with("speakers/n"));
        if text.contains(&format!("{long}b")) {
            assert!(cut, "{name}: {:?}", used.codes());
            assert_eq!(pages.filter(|path| path.ends_with(".html")).count(), 2, "{name}");
        }
    }
}

/// Similar but different texts are compared with few others.
#[test]
#[ignore = "measures time or memory: `sh tests/run` runs it"]
fn many_similar_texts() {
    let planned = |count: usize| {
        let shared = joined(80, |n| format!("shared{n} "));
        let mut files = Memory::default();
        files.insert("site.toml", format!("{BASE}index = \"auto\"\n"));
        for at in 0..count {
            let own = joined(10, |n| format!("own{at}x{n} "));
            files.insert(format!("content/{at}.convo"), convo(&format!("{own}{shared}")));
        }
        let files: SharedFiles = Arc::new(files);
        timed(|| {
            let build = pipeline::run(&files, &Choices::default(), &Memo::default(), &|_| {});
            assert_eq!(build.expect("TOML").conversations, count as u64);
        })
    };
    assert_eq!(on_one_thread(|| check_linear(8_000, planned)), Ok(()));
}

/// A ChatGPT export with one conversation, in which each message follows the one given by `before`.
fn export(count: usize, before: impl Fn(usize) -> Option<usize>) -> String {
    let node = |n: usize| {
        let role = ["user", "assistant"][usize::from(n > 0)];
        let content = json!({"content_type": "text", "parts": [format!("Number {n}.")]});
        let message = json!({"id": format!("n{n}"), "author": {"role": role}, "content": content,
            "create_time": 1_760_000_000 + n});
        let parent = before(n).map(|n| format!("n{n}"));
        (format!("n{n}"), json!({"message": message, "parent": parent}))
    };
    let mapping: serde_json::Map<String, Value> = (0..count).map(node).collect();
    json!([{"id": "c", "title": "T", "create_time": 1_760_000_000, "mapping": mapping,
        "current_node": format!("n{}", count - 1)}])
    .to_string()
}

/// Each page of a conversation with branches is found without visiting all of them.
#[test]
#[ignore = "measures time or memory: `sh tests/run` runs it"]
fn many_pages_of_a_conversation_with_branches() {
    let planned = |count: usize| {
        // Every second message continues the conversation, the others are alternatives; some form
        // loops.
        let before = |n: usize| match n {
            0 => None,
            n if n == count / 8 => Some(count / 4),
            n => Some(n.saturating_sub(2) / 2 * 2),
        };
        let mut files = Memory::default();
        files.insert("site.toml", format!("{BASE}page_turns = 1\n"));
        files.insert("content/conversations.json", export(count, before).into_bytes());
        let files: SharedFiles = Arc::new(files);
        timed(|| {
            let build = pipeline::run(&files, &Choices::default(), &Memo::default(), &|_| {});
            assert_eq!(build.expect("TOML").conversations, 1);
        })
    };
    assert_eq!(on_one_thread(|| check_linear(12_000, planned)), Ok(()));
}

/// Counts the bytes that are read of recordings.
struct Counted {
    files: Memory,
    read: Arc<AtomicU64>,
}

struct CountedReader {
    reader: Reader,
    read: Arc<AtomicU64>,
}

impl Read for CountedReader {
    fn read(&mut self, to: &mut [u8]) -> std::io::Result<usize> {
        let count = self.reader.read(to)?;
        self.read.fetch_add(count as u64, Ordering::Relaxed);
        Ok(count)
    }
}

impl Files for Counted {
    fn list(&self, folder: &str) -> WithNotes<Vec<FileInfo>> {
        self.files.list(folder)
    }

    fn names(&self, folder: &str) -> Vec<String> {
        self.files.names(folder)
    }

    fn require(&self, folder: &str) -> Result<(), Box<Diagnostic>> {
        self.files.require(folder)
    }

    fn read(&self, path: &RelPath) -> Result<Vec<u8>, Box<Diagnostic>> {
        self.files.read(path)
    }

    fn open(&self, path: &RelPath, from: u64) -> Result<Reader, Box<Diagnostic>> {
        let reader = self.files.open(path, from)?;
        if !path.name().ends_with(".mp3") {
            return Ok(reader);
        }
        Ok(Box::new(BufReader::new(CountedReader { reader, read: self.read.clone() })))
    }
}

/// Of a recording used by many conversations, only the start and end are read for each.
#[test]
#[ignore = "measures time or memory: `sh tests/run` runs it"]
fn one_recording_of_many_conversations() {
    const LEN: usize = 2 << 20;
    let read = |count: usize| {
        let mut files = Memory::default();
        let rule = "[[source]]\nfiles = '*.convo'\nmedia = 'talk.mp3'\n";
        files.insert("site.toml", format!("{BASE}{rule}"));
        let mut sound = b"ID3\x04\0\0\0\0\0\0".to_vec();
        sound.resize(LEN, 0);
        files.insert("content/talk.mp3", sound);
        for n in 0..count {
            files.insert(format!("content/{n}.convo"), convo(&format!("Number {n}.")));
        }
        let read = Arc::new(AtomicU64::default());
        let files: SharedFiles = Arc::new(Counted { files, read: read.clone() });
        let build = pipeline::run(&files, &Choices::default(), &Memo::default(), &|_| {});
        let outputs = build.expect("TOML").outputs;
        let recordings = outputs.iter().filter(|one| one.path.as_str().ends_with(".mp3"));
        assert_eq!(recordings.count(), 1);
        read.load(Ordering::Relaxed)
    };
    let (few, many) = (read(5), read(15));
    assert!(few > LEN as u64 && many - few < 10 * LEN as u64 / 4, "{few}, {many}");
}

/// All answers to a question are on one page, up to a limit.
#[test]
#[ignore = "measures time or memory: `sh tests/run` runs it"]
fn many_answers_to_one_question() {
    let text = export(40_000, |n| (n > 0).then_some(0));
    let site = file("conversations.json", text);
    let used = used(&site, "2");
    assert_eq!((used.code, used.codes()), (Some(0), vec!["too-many-branches"]));
    assert!(used.memory < MEMORY, "{} MB", used.memory);
    let output = site.output();
    let pages = output.iter().filter(|(path, _)| path.ends_with("index.html"));
    let pages = pages.filter(|(path, _)| path.starts_with("c/"));
    let page: String = pages.map(|(_, bytes)| String::from_utf8_lossy(bytes)).collect();
    let shown = page.matches(">Number ").count();
    assert!(page.contains(">Number 39999.") && page.contains(">Number 1."));
    let left_out = used.notes[0]["message"]
        .as_str()
        .and_then(|message| message.split(' ').next()?.replace(',', "").parse::<usize>().ok());
    assert!((10_000..39_000).contains(&shown), "{shown}");
    assert!(left_out.is_some_and(|count| count + shown >= 40_000), "{left_out:?}, {shown}");
}

/// Short texts about a whole conversation are on each of its pages; long ones are not.
#[test]
#[ignore = "measures time or memory: `sh tests/run` runs it"]
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
    let run = long.build(0);
    assert_eq!(run.stderr.matches("warning[too-long]").count(), 3, "{}", run.stderr);
    assert!(bytes(&long) < bytes(&short) + 2_000_000, "{}", bytes(&long));
    // Each tag and language has its own page.
    let many: Vec<String> = (0..5_000).map(|n| format!("{}", 10_000 + n)).collect();
    let site = with("x", &format!("\"tags\": {many:?}, \"languages\": {many:?}"));
    site.run(&["build"]);
    assert!(site.output().len() < 1_000, "{}", site.output().len());
    // A conversion loses nothing.
    let run = long.run(&["convert", "content/a.convo", "--to", "markdown"]);
    assert!(run.stdout.matches("word").count() > 10_000, "{}", run.stderr);
}

#[test]
#[ignore = "measures time or memory: `sh tests/run` runs it"]
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
        file("a.json", json!({ "id": "x", "schemaUrl": schema, "messages": messages }).to_string())
    });
}

#[test]
#[ignore = "measures time or memory: `sh tests/run` runs it"]
fn many_errors_in_one_line() {
    linear("numbers as participants", 20_000, |n| {
        file("a.convo", convo("x").replace("\"Ada\"]", &format!("\"Ada\"{}]", ", 1".repeat(n))))
    });
    linear("participants of wrong types", 10_000, |n| {
        let wrong = ", {\"name\": \"B\", \"generative\": 3}".repeat(n);
        file("a.convo", convo("x").replace("\"Ada\"]", &format!("\"Ada\"{wrong}]")))
    });
    linear("lone surrogates", 50_000, |n| {
        with("x", &format!("\"z\": \"{}\"", "\\ud83d".repeat(n)))
    });
    linear("trailing commas", 50_000, |n| with("x", &format!("\"z\": [{}1]", "[1,],".repeat(n))));
    linear("repeated keys", 50_000, |n| with("x", &format!("{}\"z\": 1", "\"z\": 1, ".repeat(n))));
}

#[test]
#[ignore = "measures time or memory: `sh tests/run` runs it"]
fn many_unclosed_tags() {
    linear("tags", 50_000, |n| {
        let text = format!("{}{}", "<kbd>".repeat(n), "</sub>".repeat(n));
        file("a.convo", convo(&text)).file("site.toml", format!("{BASE}html = \"basic\"\n"))
    });
    linear("brackets before one end", 100_000, |n| {
        let text = format!("<div {}>", "<".repeat(n));
        file("a.convo", convo(&text)).file("site.toml", format!("{BASE}html = \"basic\"\n"))
    });
}

#[test]
#[ignore = "measures time or memory: `sh tests/run` runs it"]
fn many_parts_of_a_prompt_or_a_path() {
    linear("folders of a path", 300_000, |n| {
        let arguments = json!({"file_path": "/".repeat(n)}).to_string();
        let calls = json!([{"id": "c", "type": "function",
            "function": {"name": "read_file", "arguments": arguments}}]);
        let messages = json!({"messages": [
            {"role": "user", "content": "What is there?"},
            {"role": "assistant", "content": null, "tool_calls": calls},
            {"role": "tool", "tool_call_id": "c", "content": "x"},
        ]});
        file("a.json", messages.to_string())
    });
    linear("diffs without blank lines", 3_000, |n| {
        let prompt = "@@ -1 +1 @@\n+a\nAnd so on.\n".repeat(n);
        let record = json!({"type": "user", "uuid": "u1", "parentUuid": null, "sessionId": "s1",
            "timestamp": "2026-03-01T10:00:00Z", "message": {"role": "user", "content": prompt}});
        file("s.jsonl", format!("{record}\n"))
    });
}

#[test]
#[ignore = "measures time or memory: `sh tests/run` runs it"]
fn many_redirects() {
    let redirects = |n: usize, target: fn(usize, usize) -> usize| {
        let rows = joined(n, |at| format!("\"r{at}/\" = \"r{}/\"\n", target(at, n)));
        file("a.convo", convo("x")).file("site.toml", format!("{BASE}[redirects]\n{rows}"))
    };
    linear("in a circle", 4_000, |n| redirects(n, |at, n| (at + 1) % n));
    linear("in a row", 1_000, |n| redirects(n, |at, _| at + 1));
    linear("aliases of one", 1_000, |n| {
        let aliases: Vec<String> = (0..n).map(|n| format!("old/a{n}/")).collect();
        with("x", &format!("\"aliases\": {}", json!(aliases)))
    });
}

#[test]
#[ignore = "measures time or memory: `sh tests/run` runs it"]
fn many_calls_without_results() {
    linear("tool calls", 5_000, |n| {
        let row = |kind: &str, from: String, to: String, id: usize| {
            json!({ "id": format!("{kind}{id}"), "timestamp": 1_700_000_000, "from": from, "to": to,
                "content": "{}", "entry_type": kind, "tool_call_id": format!("c{id}") })
            .to_string()
                + "\n"
        };
        let calls = joined(n, |n| row("tool_call", "bot".into(), format!("t{n}"), n));
        let results = joined(n, |n| row("tool_result", format!("t{n}"), "bot".into(), n));
        file("context.jsonl", calls + &results)
    });
}

#[test]
#[ignore = "measures time or memory: `sh tests/run` runs it"]
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

/// Builds a site with a hostile file: with this error and no other, in little memory.
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
#[ignore = "measures time or memory: `sh tests/run` runs it"]
fn front_matter_that_expands_too_much() {
    let file = |yaml: &str| {
        format!("---\n{yaml}\n---\n\n{}", "**Ada:** Secret?\n\n**Bob:** Secret.\n\n".repeat(2))
    };
    for times in [2, 26, 30, 16_000] {
        beside("keys.md", file(&"? ".repeat(times)), "bad-yaml");
    }
    let lines = joined(26, |at| format!("{}? \n", "  ".repeat(at)));
    beside("lines.md", file(&lines), "bad-yaml");
    beside("lists.md", file(&"- ".repeat(16_000)), "bad-yaml");
    beside("flow.md", file(&format!("a: {}{}", "[".repeat(65), "]".repeat(65))), "bad-yaml");
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

/// Text that is parsed as a row whose value is parsed as a row, and so on.
#[test]
#[ignore = "measures time or memory: `sh tests/run` runs it"]
fn rows_in_rows_are_no_deeper_than_objects() {
    for times in [10, 100_000] {
        let rows = "meta:".repeat(times);
        let used = used(&with("x", &format!("\"meta\": \"{rows}private\"")), "2");
        assert!(used.code.is_some_and(|code| code < 2), "{times}: {:?}", used.code);
    }
}

#[test]
#[ignore = "measures time or memory: `sh tests/run` runs it"]
fn json_and_toml_nested_too_deeply() {
    let deep = "{\"a\":".repeat(100_000);
    beside("a.convo", convo("Secret").replace("\"dialog\"", &deep), "bad-json");
    let schema = "https://cjson.dev/schema/0/conversation";
    let cjson = format!("{{\"schemaUrl\": \"{schema}\", \"messages\": [], \"Secret\": {deep}");
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
        let site = site.file("locales/en.toml", format!("a = {}\n", deep.repeat(100_000)));
        assert!(site.run(&["build"]).code.is_some(), "it ends by itself");
    }
}

/// The maximum memory for any of these. Each used more than twice as much when every text was
/// parsed. Megabytes.
const MEMORY: u64 = 500;

/// A turn that consists of short lines.
fn dense(megabytes: usize) -> String {
    convo(&"a\n".repeat(megabytes * 500_000))
}

#[test]
#[ignore = "measures time or memory: `sh tests/run` runs it"]
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
#[ignore = "measures time or memory: `sh tests/run` runs it"]
fn memory_is_bounded_for_any_turn() {
    let rows = convo(&format!("|a|\n|-|\n{}", "|\n".repeat(1_500_000)));
    for (name, text) in [("lines", dense(5)), ("rows of a table", rows)] {
        let used = used(&file("a.convo", text), "2");
        assert_eq!(used.codes(), ["plain-text"], "{name}");
        assert!(used.memory < MEMORY, "{name}: {} MB", used.memory);
    }
}

#[test]
#[ignore = "measures time or memory: `sh tests/run` runs it"]
fn files_that_are_read_at_once_share_memory() {
    let mut site = SiteTest::new();
    for number in 0..6 {
        site = site.file(&format!("content/{number}.convo"), dense(1));
    }
    let used = used(&site, "6");
    // Each needs 270 MB while it is parsed, and only two are parsed at once.
    assert!(used.memory < 800, "{} MB", used.memory);
}

#[test]
#[ignore = "measures time or memory: `sh tests/run` runs it"]
fn files_that_are_too_large_are_skipped_and_reported() {
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

/// The keywords of many rules, repeated on one line.
#[test]
#[ignore = "measures time or memory: `sh tests/run` runs it"]
fn many_rule_keywords_on_one_line() {
    linear("keywords", 15_000, |count| with(&joined(count, |_| "api_key=".to_owned()), "\"a\": 1"));
}

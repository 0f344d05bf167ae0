//! The ChatGPT export as a folder: images and files are found by their ids, and no page contains
//! account data.

use std::fs;

use convo_site::files::Memory;
use convo_site::{config, formats, sources};

use crate::support::{Run, SiteTest, project, unpacked};

const PNG: &[u8] = include_bytes!("../../example-site/content/2025/images/elver-door.png");

fn fixture(case: &str) -> Vec<u8> {
    let path = project().join("tests/formats/chatgpt").join(case).join("input.json");
    fs::read(path).expect("a fixture")
}

fn build(site: &SiteTest) -> Run {
    site.run(&["build", "--message-format", "short"])
}

/// The text of every file in the output, with the index unpacked.
fn everything(site: &SiteTest) -> String {
    let output = site.output();
    let mut all = unpacked(&output);
    output.values().for_each(|bytes| all.push_str(&String::from_utf8_lossy(bytes)));
    all
}

/// A site with the conversations of a fixture.
fn export(case: &str) -> SiteTest {
    SiteTest::new().file("content/export/conversations-000.json", fixture(case))
}

/// Files in every export, with words that must not be on any page.
const ACCOUNT: [(&str, &str); 9] = [
    (
        "user.json",
        r#"{"id": "user-MARK", "email": "mark@example.org", "chatgpt_plus_user": true, "phone_number": "MARK"}"#,
    ),
    ("user_settings.json", r#"{"user_id": "user-MARK", "settings": {"about": "MARK"}}"#),
    (
        "message_feedback.json",
        r#"[{"id": "MARK", "conversation_id": "x", "rating": "thumbs_up", "content": "MARK"}]"#,
    ),
    (
        "shared_conversations.json",
        r#"[{"id": "MARK", "conversation_id": "x", "title": "MARK", "is_anonymous": true}]"#,
    ),
    ("export_manifest.json", r#"{"files": ["MARK"]}"#),
    ("library_files.json", r#"[{"file_id": "file_x", "file_name": "MARK"}]"#),
    ("conversation_asset_file_names.json", r#"{"file_x.dat": "MARK.png"}"#),
    ("model_comparisons.json", r#"[{"id": "MARK"}]"#),
    ("chat.html", r#"<html><script>var jsonData = [{"title": "MARK"}];</script></html>"#),
];

#[test]
fn account_data_is_not_published() {
    for case in ["never-shown", "unknown-kinds", "browsing"] {
        let site = export(case);
        for (name, text) in ACCOUNT {
            site.write(&format!("content/export/{name}"), text);
        }
        let run = build(&site);
        assert_eq!(run.code, Some(0), "{}", run.stderr);
        for (name, _) in ACCOUNT {
            let reported = run.stderr.lines().filter(|line| line.contains(name));
            let reported: Vec<&str> = reported.collect();
            assert!(matches!(reported[..], [one] if one.contains("account-data")), "{reported:?}");
        }
        let all = everything(&site);
        let at = all.find("MARK").map(|at| all[at..].chars().take(40).collect::<String>());
        assert_eq!(at, None, "{case}");
    }
}

#[test]
fn no_format_that_is_set_for_an_export_makes_conversations_of_account_data() {
    let mut files = Memory::default();
    for (name, text) in ACCOUNT {
        files.insert(format!("export/{name}"), text);
    }
    let reading = formats::ALL.iter().filter(|format| format.read.is_some());
    for format in reading {
        let rule = format!("[[source]]\nfiles = '**'\nformat = '{}'\n", format.name);
        let mut config = config::load(&rule).expect("TOML").value;
        config.content.clear();
        let found = sources::conversations(&files, &config);
        let texts: Vec<String> =
            found.value.iter().map(|whole| format!("{:?}", whole.conversation)).collect();
        assert!(texts.iter().all(|text| !text.contains("MARK")), "{}: {texts:?}", format.name);
    }
}

#[test]
fn citation_marks_are_in_no_file() {
    for case in ["citations", "citations-old", "web", "never-shown", "deep-research"] {
        let site = export(case);
        let run = build(&site);
        let all = everything(&site);
        for mark in ["\u{e200}", "\u{e201}", "\u{e202}", "\u{e203}", "turn0", "utm_source"] {
            assert!(!all.contains(mark), "{case} {mark:?} {}", run.stderr);
        }
    }
}

#[test]
fn sources_are_listed_with_their_hosts() {
    let site = export("citations");
    let run = build(&site);
    let all = everything(&site);
    let row = "A page</a> · a.example.org";
    assert!(all.contains(row), "{}", run.stderr);
    // Copies have the link alone.
    assert!(all.contains("[A page](<https://a.example.org/a(b)>)\n"), "{all}");
}

#[test]
fn only_system_prompts_are_shown_on_request() {
    let site = export("never-shown");
    let text = fs::read_to_string(site.path("site.toml")).expect("read");
    let rule = "[[source]]\nfiles = \"export\"\nshow_system = true\n";
    site.write("site.toml", format!("{text}\n{rule}"));
    let run = build(&site);
    let all = everything(&site);
    assert!(all.contains("MARK-system"), "{}", run.stderr);
    assert!(!all.replace("MARK-system", "").contains("MARK"));
}

#[test]
fn pictures_are_found_by_their_ids_in_every_folder_of_an_export() {
    let site = export("images");
    for name in [
        "file-PhotoOfAHedgehog00001-my hedgehog.png",
        "dalle-generations/file-DrawnHedgehog00000001-0d1c.webp",
        "user-xyz/file_00000000aaaabbbbccccddddeeeeffff-0d1c.png",
        "file_000000001111222233334444555566667.dat",
    ] {
        site.write(&format!("content/export/{name}"), PNG);
    }
    site.write("content/export/file-NotesOnHedgehogs0001.dat", "%PDF-1.7 notes");
    let run = build(&site);
    let page = site.page("c/", "/index.html");
    assert_eq!(page.matches("<img").count(), 4, "{page}");
    assert!(page.contains("notes.pdf") && page.contains("A hedgehog with a straw hat"));
    // A file missing from all exports is reported once, and no file is reported as unused.
    let reported = run.stderr.matches("missing-attachment").count();
    assert_eq!((reported, run.stderr.matches("unknown-format").count()), (1, 0), "{}", run.stderr);
}

#[test]
fn uploaded_files_are_not_conversations() {
    let site = export("plain");
    site.write(
        "content/export/file-Abcdefghijkl012345678-talk.md",
        "**Ada:** SECRET\n\n**Bob:** x\n",
    );
    let run = build(&site);
    assert!(!everything(&site).contains("SECRET"), "{}", run.stderr);
    assert!(!run.stderr.contains("Abcdefghijkl"), "{}", run.stderr);
}

#[test]
fn generated_files_in_the_export_are_linked() {
    let library = |message: &str, thread: &str| {
        format!(
            r#"[{{"file_id": "file_00000000aaaabbbbccccddddeeeeffff", "file_name": "table.csv",
                "origination_message_id": "{message}", "origination_thread_id": "{thread}"}},
               {{"file_id": "file_00000000000000000000000000000002", "file_name": "table.csv",
                "origination_message_id": "x", "origination_thread_id": "x"}}]"#
        )
    };
    for (message, thread, is_shown) in
        [("c-py-8", "c-py", true), ("", "c-py", true), ("y", "y", false)]
    {
        let site = export("code");
        for id in ["00000000aaaabbbbccccddddeeeeffff", "00000000000000000000000000000002"] {
            site.write(&format!("content/export/file_{id}.dat"), format!("{id},2\n"));
        }
        site.write("content/export/library_files.json", library(message, thread));
        let run = build(&site);
        let page = site.page("c/2025-10-09-running", "/index.html");
        assert_eq!(page.contains("table.csv"), is_shown, "{message} {}", run.stderr);
        assert!(!page.contains("sandbox:/mnt"), "{page}");
    }
}

#[test]
fn a_file_added_later_is_shown_by_the_next_build() {
    let site = export("images");
    build(&site);
    assert_eq!(site.page("c/", "/index.html").matches("<img").count(), 0);
    site.write("content/export/file-PhotoOfAHedgehog00001.dat", PNG);
    build(&site);
    assert_eq!(site.page("c/", "/index.html").matches("<img").count(), 1);
}

#[test]
#[ignore = "measures time or memory: `sh tests/run` runs it"]
fn an_answer_with_many_searches_is_read_in_linear_time() {
    let mut nodes = String::from(
        r#""r":{"message":null,"parent":null},"u":{"parent":"r","message":{"id":"u","author":{"role":"user"},"content":{"content_type":"text","parts":["Why?"]}}}"#,
    );
    let mut before = "u".to_owned();
    for n in 0..20_000 {
        let entry = format!(
            r#"{{"title":"t","url":"https://a.example/{n}","ref_id":{{"turn_index":{n},"ref_type":"search","ref_index":0}}}}"#
        );
        let (author, more) = match n % 2 {
            0 => (r#"{"role":"assistant"}"#, String::new()),
            _ => (
                r#"{"role":"tool","name":"web.run"}"#,
                format!(r#","metadata":{{"search_result_groups":[{{"entries":[{entry}]}}]}}"#),
            ),
        };
        let to = if n % 4 == 0 { r#","recipient":"web.run""# } else { "" };
        nodes.push_str(&format!(
            r#","m{n}":{{"parent":"{before}","message":{{"id":"m{n}","author":{author},"create_time":{},"content":{{"content_type":"text","parts":["words"]}}{more}{to}}}}}"#,
            1_760_000_000 + n
        ));
        before = format!("m{n}");
    }
    let export = format!(
        r#"[{{"conversation_id":"c","title":"Long","create_time":1760000000,"current_node":"{before}","mapping":{{{nodes}}}}}]"#
    );
    let start = std::time::Instant::now();
    let (read, _) = convo_site::formats::read("conversations.json", export.as_bytes());
    assert_eq!(read[0].all_turns().count(), 2);
    assert!(start.elapsed().as_secs() < 30, "{:?}", start.elapsed());
}

/// An export with a conversation of these nodes, and an intact one. With `is_long`, it has so many
/// values that its messages are read one by one.
fn nodes(nodes: &str, is_long: bool) -> String {
    let padding = if is_long { "0,".repeat(600_000) } else { String::new() };
    let padding = |id: &str| format!(r#""{id}":{{"message":null,"pad":[{padding}0]}}"#);
    let paddings = [padding("y"), padding("z")].join(",");
    let message =
        r#"{"author":{"role":"user"},"content":{"content_type":"text","parts":["Good."]}}"#;
    let other = format!(
        r#"{{"id":"d","create_time":1760000000,"mapping":{{"x":{{"message":{message}}}}}}}"#
    );
    format!(
        "[{{\"id\":\"c\",\"create_time\":1760000000,\"mapping\":{{{nodes},\n{paddings}}}}},\n{other}]"
    )
}

/// A node with a message.
fn node(id: &str, parent: &str, words: &str) -> String {
    let role = if parent.is_empty() { "user" } else { "assistant" };
    format!(
        r#""{id}":{{"parent":"{parent}","message":{{"author":{{"role":"{role}"}},"create_time":1760000000,"content":{{"content_type":"text","parts":["{words}"]}}}}}}"#
    )
}

/// Damaged parts of a conversation are reported with their position, whatever its length, and the
/// rest is read.
#[test]
fn damaged_messages_are_reported() {
    let damaged = [
        node("a", "", "First."),
        r#""b": 7"#.to_owned(),
        r#""c": "gone""#.to_owned(),
        r#""d": {"parent": "a", "message": "gone"}"#.to_owned(),
        node("e", "a", "Last."),
    ];
    for is_long in [false, true] {
        let text = nodes(&damaged.join(",\n"), is_long);
        let (read, notes) = convo_site::formats::read("conversations.json", text.as_bytes());
        let texts: Vec<String> = read[0].all_turns().map(|turn| turn.text()).collect();
        assert_eq!((read.len(), texts), (2, vec!["First.".to_owned(), "Last.".to_owned()]));
        let reported: Vec<(&str, u32, String)> = notes
            .iter()
            .map(|note| {
                let span = note.at.as_ref().and_then(|at| at.span.clone());
                (note.code, span.map_or(0, |span| span.line), note.message.clone())
            })
            .collect();
        let message = |what: &str| format!("{what} must be an object, not ");
        let expected = [
            ("wrong-type", 2, message("a value of `mapping`") + "a number"),
            ("wrong-type", 4, message("a `message`") + "a string"),
        ];
        assert_eq!(reported, expected, "{is_long}");
        assert!(notes[0].hints.iter().any(|hint| hint.contains("2 messages")));
    }
}

#[test]
fn duplicate_ids_are_reported_in_long_conversations_too() {
    let twice = [node("a", "", "First."), node("b", "a", "Old."), node("b", "a", "New.")];
    for is_long in [false, true] {
        let text = nodes(&twice.join(",\n"), is_long);
        let (read, notes) = convo_site::formats::read("conversations.json", text.as_bytes());
        let texts: Vec<String> = read[0].all_turns().map(|turn| turn.text()).collect();
        assert_eq!(texts, ["First.", "New."], "{is_long}");
        let codes: Vec<&str> = notes.iter().map(|note| note.code).collect();
        assert_eq!(codes, ["repeated-key"], "{is_long}");
        let span = notes[0].at.as_ref().and_then(|at| at.span.clone());
        assert_eq!(span.map(|span| span.line), Some(3), "{is_long}");
    }
}

/// A file may start with a question that has very many answers.
#[test]
fn an_export_that_starts_with_many_answers_is_recognised() {
    let answers: Vec<String> = (0..10_000).map(|n| format!("\"{n:036}\"")).collect();
    let first = node("a", "", "First.")
        .replace("\"parent\":", &format!("\"children\":[{}],\"parent\":", answers.join(",")));
    let first = first
        .replace("{\"children\"", "{\"parent\":null,\"children\"")
        .replace(",\"parent\":\"\"", "");
    let (read, notes) =
        convo_site::formats::read("conversations.json", nodes(&first, false).as_bytes());
    assert_eq!((read.len(), notes.len()), (2, 0), "{notes:?}");
}

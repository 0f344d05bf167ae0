//! Sources as a whole: withheld conversations, rules in site.toml, long logs in parts, attachments,
//! forks in a browser.

use std::collections::BTreeMap;

use convo_site::text::percent_encode;
use serde_json::{Value, json};

use crate::support::talks::log;
use crate::support::{BASE, SiteTest, convo, project};

/// Every way to mark a conversation as private, each with the same unique words.
const PRIVATE: [(&str, &str); 5] = [
    (
        "content/a.cjson.json",
        r#"{"id": "wistaria-id", "schemaUrl": "https://cjson.dev/schema/0/conversation",
            "isPrivate": true, "conversationTitle": "Wistaria plans", "modelId": "wistaria-1",
            "messages": [{"id": "m", "role": "user", "senderId": "Wistaria", "messageType": "text",
                "content": "wistaria [x](note.txt)", "attachments": [{"attachmentKind": "file",
                "id": "a", "name": "wistaria.txt", "base64content": "d2lzdGFyaWE="}]}]}"#,
    ),
    (
        "content/b.cjson.json",
        r#"{"id": "b", "schemaUrl": "https://cjson.dev/schema/0/conversation", "isPrivate": "no",
            "conversationTitle": "Wistaria", "messages": [{"id": "m", "role": "user",
            "messageType": "text", "content": "wistaria"}]}"#,
    ),
    (
        "content/c.md",
        "---\ntitle: Wistaria\nprivate: true\n---\n\n**Wistaria:** wistaria\n\n**Ada:** wistaria\n",
    ),
    (
        "content/d.convo",
        "### @Wistaria\nwistaria\n\n----\n{\"type\": \"wistaria\", \"time\": \"2026-01-02\", \
         \"private\": true, \"participants\": [\"Wistaria\"]}\n",
    ),
    ("content/shut/e.json", r#"{"messages": [{"speaker": "Wistaria", "content": "wistaria"}]}"#),
];

fn site_with_private() -> SiteTest {
    let mut site = SiteTest::new();
    let config = "[[source]]\nfiles = 'shut/**'\nvisibility = 'private'\ntags = ['wistaria']\n";
    site = site.file("site.toml", format!("{}{config}", crate::support::BASE));
    for (name, text) in PRIVATE {
        site.write(name, text);
    }
    // A public conversation may mention a private one, but must not link to it.
    let child = r#"{"id": "child", "extensions": {"why": "attachments are files as well"}, "schemaUrl": "https://cjson.dev/schema/0/conversation",
        "parentId": "wistaria-id", "messages": [{"id": "m", "role": "user", "messageType": "text",
        "content": "a public word, [there](a.cjson.json) ![x](shut/photo.png)", "attachments": [
        {"attachmentKind": "file", "id": "1", "name": "1", "uri": "a.cjson.json"},
        {"attachmentKind": "file", "id": "2", "name": "2", "uri": "c.md"},
        {"attachmentKind": "file", "id": "3", "name": "3", "uri": "d.convo"},
        {"attachmentKind": "other", "id": "4", "name": "4", "uri": "shut/e.json"},
        {"attachmentKind": "file", "id": "5", "name": "5", "uri": "shut/photo.bin"},
        {"attachmentKind": "file", "id": "6", "name": "6", "uri": "note.txt"}]}]}"#;
    site.file("content/public.json", child)
        .file("content/note.txt", "a note")
        .file("content/shut/photo.bin", "wistaria")
        .file("content/shut/photo.png", b"\x89PNG\r\n\x1a\nwistaria")
}

#[test]
fn private_conversations_are_not_published() {
    let site = site_with_private();
    let run = site.run(&["build"]);
    assert!(run.stderr.contains("built 1 conversation:"), "{}", run.stderr);
    assert!(run.stderr.contains("5 private withheld"), "{}", run.stderr);
    let media = site.output().keys().filter(|path| path.starts_with("media/")).count();
    assert_eq!(media, 1, "the note");
    for (path, bytes) in site.output() {
        let text = String::from_utf8_lossy(&bytes).to_lowercase();
        assert!(!text.contains("wistaria"), "{path}: {text}");
        assert!(!path.contains("wistaria"), "{path}");
    }
}

#[test]
fn private_conversations_are_published_only_with_an_option() {
    let site = site_with_private();
    let run = site.run(&["build", "--include-private"]);
    assert!(run.stderr.contains("built 6 conversations:"), "{}", run.stderr);
    assert!(!run.stderr.contains("private withheld"), "{}", run.stderr);
    let named =
        run.stderr.find("published because of --include-private: Wistaria plans (content/a");
    assert!(named < run.stderr.find("built"), "{}", run.stderr);
    assert_eq!(run.stderr.matches("because of --include-private").count(), 5);
    // It is removed again without that option.
    site.run(&["build"]);
    assert!(site.output().keys().all(|path| !path.contains("wistaria")));
}

#[test]
fn account_data_and_usage_are_kept_but_not_shown() {
    let text = r#"{"id": "c", "schemaUrl": "https://cjson.dev/schema/0/conversation",
        "ownerId": "owner@hedge.example", "metadata": {"ip": "hedgehog"},
        "extensions": {"x": "hedgehog"}, "auditTrail": [{"action": "created",
            "actorId": "actor@hedge.example", "timestamp": "2026-03-01T08:00:00Z"}],
        "messages": [{"id": "hedgehog-id", "role": "user", "senderId": "sender@hedge.example",
            "messageType": "text", "content": "hello", "metadata": {"a": "hedgehog"}},
            {"id": "m2", "role": "assistant", "messageType": "composite", "contentBlocks": [
            {"blockType": "toolCall", "id": "hedgehog-call", "createdAt": "2026-03-01T08:00:00Z",
             "toolRef": {"name": "ring"}},
            {"blockType": "toolApproval", "id": "x", "createdAt": "2026-03-01T08:00:00Z",
             "toolCallId": "hedgehog-call", "toolApprovalState": "approved",
             "approvedBy": "by@hedge.example"}]}]}"#;
    let site = SiteTest::new().file("content/c.json", text);
    let run = site.build(0);
    assert!(run.stderr.contains("not published"), "{}", run.stderr);
    for (path, bytes) in site.output() {
        assert!(!String::from_utf8_lossy(&bytes).contains("hedge"), "{path}");
    }
    let page = site.page("c/", "index.html");
    assert!(page.contains("metadata fields, such as IDs and accounts"));
    let run = site.run(&["convert", "content/c.json", "--to", "cjson"]);
    for kept in ["owner@", "actor@", "sender@", "by@", "\"ip\"", "hedgehog-id"] {
        assert!(run.stdout.contains(kept), "{kept}: {}", run.stdout);
    }
}

#[test]
fn site_toml_sets_what_files_lack() {
    let rule = "[[source]]\nfiles = 'talks/*.json'\nspeakers = { Wren = 'assistant' }\n\
        time_zone = 'Europe/London'\ntags = ['mill', 'eels']\n\
        [[source]]\nfiles = '**/*.log'\nformat = 'markdown'\n";
    let talk = r#"{"messages": [{"speaker": "Ada", "content": "Who?", "timestamp":
        "2026-07-01 09:00:00"}, {"speaker": "Wren", "content": "You."}]}"#;
    let site = SiteTest::new()
        .file("site.toml", format!("{}{rule}", crate::support::BASE))
        .file("content/talks/a.json", talk)
        .file("content/b.log", "**Ada:** A file with an odd name.\n");
    site.build(0);
    let page = site.page("c/2026-07-01", "index.html");
    assert!(page.contains("09:00, Europe/London"), "{page}");
    assert!(page.contains("class=\"turn assistant"), "{page}");
    assert!(site.output().contains_key("tags/mill/index.html"));
    assert!(site.page("c/b", "index.html").contains("odd name"));

    let wrong = "[[source]]\nfiles = '[a'\n[[source]]\nfiles = '*'\nformat = 'cjsn'\n\
        time_zone = 'Mars/Olympus'\n";
    let site = SiteTest::new()
        .file("site.toml", format!("{}{wrong}", crate::support::BASE))
        .file("content/a.convo", convo("x"));
    let run = site.build(2);
    for expected in
        ["unknown format `cjsn`", "did you mean `cjson`?", "Mars/Olympus", "`files` of a"]
    {
        assert!(run.stderr.contains(expected), "{expected}: {}", run.stderr);
    }
}

#[test]
fn formats_that_both_claim_a_file_are_named() {
    let both = r#"{"session": "ses-1", "agent": "wren", "history": [{"user": "Hello"}],
        "messages": [{"speaker": "Ada", "content": "Hello"}]}"#;
    let site = SiteTest::new().file("content/both.json", both);
    let run = site.build(0);
    assert!(run.stderr.contains("ambiguous-format"), "{}", run.stderr);
    assert!(run.stderr.contains("`vlinder` or `conv2md`"), "{}", run.stderr);
    let rule = "[[source]]\nfiles = '*'\nformat = 'conv2md'\n";
    site.write("site.toml", format!("{}{rule}", crate::support::BASE));
    let run = site.build(0);
    assert!(!run.stderr.contains("ambiguous-format"), "{}", run.stderr);
    assert!(site.page("c/", "index.html").contains("Ada"));
}

#[test]
fn unrecognised_data_is_reported() {
    let site =
        SiteTest::new().file("content/a.convo", convo("x")).file("content/b.json", "{\"a\": 1}");
    let run = site.build(0);
    assert!(run.stderr.contains("hint[unknown-format]"), "{}", run.stderr);
}

#[test]
fn continued_conversations_are_linked() {
    let one = |id: &str, parent: &str, text: &str| {
        json!({"id": id, "parentId": parent, "conversationTitle": text,
            "schemaUrl": "https://cjson.dev/schema/0/conversation", "messages":
            [{"id": id, "role": "user", "messageType": "text", "content": text}]})
        .to_string()
    };
    let site = SiteTest::new()
        .file("content/a.json", one("a", "nowhere", "First"))
        .file("content/b.json", one("b", "a", "Second"))
        .file("content/x.json", one("x", "y", "Circle one"))
        .file("content/y.json", one("y", "x", "Circle two"));
    let run = site.build(0);
    assert!(run.stderr.contains("orphan-parent"), "{}", run.stderr);
    assert_eq!(run.stderr.matches("parent-cycle").count(), 2, "{}", run.stderr);
    let (first, second) = (site.page("c/first", "index.html"), site.page("c/second", "index.html"));
    assert!(second.contains("<dt>Continued from</dt><dd><a href=\"/base/c/first"), "{second}");
    assert!(first.contains("<dt>Continued in</dt><dd><a href=\"/base/c/second"), "{first}");
}

#[test]
fn attachments_are_copied_verified_and_harmless() {
    let attachments = project().join("tests/formats/cjson/attachments");
    let site = SiteTest::new();
    for name in ["input.json", "note.txt"] {
        site.write(
            &format!("content/{name}"),
            std::fs::read(attachments.join(name)).expect("readable"),
        );
    }
    let html = json!({"id": "h", "schemaUrl": "https://cjson.dev/schema/0/conversation",
    "messages": [{"id": "m", "role": "user", "messageType": "text", "content": "Look",
    "attachments": [
        {"attachmentKind": "file", "id": "1", "name": "run.html",
         "base64content": "PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg=="},
        {"attachmentKind": "image", "id": "2", "name": "draw.svg",
         "base64content": "PHN2ZyBvbmxvYWQ9ImFsZXJ0KDEpIi8+"},
        {"attachmentKind": "file", "id": "3", "name": "changed.txt",
         "base64content": "YQ==", "sha256": "00"},
        {"attachmentKind": "file", "id": "4", "name": "../../up.sh", "base64content": "bHM="},
    ]}]});
    site.write("content/html.json", html.to_string());
    let run = site.run(&["build", "--message-format", "short"]);
    assert!(run.stderr.contains("corrupted-attachment"), "{}", run.stderr);
    let output = site.output();
    let media: Vec<&String> = output.keys().filter(|path| path.starts_with("media/")).collect();
    for path in &media {
        let ending = path.rsplit('.').next().expect("an ending");
        assert!(!["html", "svg", "sh", "js", "xml"].contains(&ending), "{path}");
    }
    let page = site.page("c/html", "index.html");
    assert!(page.contains("download=\"run.html\""), "{page}");
    assert!(page.contains("changed.txt</bdi> <span>corrupted"), "{page}");
    let page = site.page("c/input", "index.html");
    assert!(page.contains("width=\"1\" height=\"1\""), "{page}");
    for element in ["<audio controls", "<video controls", "attachment missing", "on another site"] {
        assert!(page.contains(element), "{element}");
    }
}

#[test]
fn a_long_log_is_shown_in_parts() {
    let site = SiteTest::new().file("content/log.jsonl", log(1600));
    site.build(0);
    let output = site.output();
    let parts: Vec<&String> =
        output.keys().filter(|path| path.starts_with("c/") && path.ends_with(".html")).collect();
    assert_eq!(parts.len(), 16, "{parts:?}");
    let text = |path: &str| String::from_utf8(output[path].clone()).expect("UTF-8");
    let first = parts.iter().find(|path| path.matches('/').count() == 2).expect("the first");
    let folder = first.trim_end_matches("index.html");
    let second = text(&format!("{folder}2/index.html"));
    assert!(second.contains("Part 2 of 16"));
    assert!(second.contains(&format!("rel=\"prev\" href=\"/base/{}\"", percent_encode(folder))));
    assert!(second.contains(&format!("rel=\"next\" href=\"/base/{}3/\"", percent_encode(folder))));
    // Every turn is on one page, and turns are numbered throughout; each part starts with a
    // question.
    let all: String = parts.iter().map(|path| text(path)).collect();
    for number in [0, 499, 500, 999, 1599] {
        assert_eq!(all.matches(&format!("<p>answer {number}</p>")).count(), 1, "{number}");
    }
    assert!(second.contains("aria-label=\"Link to turn 201\""));
    // New turns change the last part and add more parts; the first parts stay the same.
    let before = site.output();
    site.write("content/log.jsonl", log(1700));
    site.build(0);
    let turns = |pages: &std::collections::BTreeMap<String, Vec<u8>>, path: &str| {
        let page = String::from_utf8(pages[path].clone()).expect("UTF-8");
        let at = page.find("class=\"turns\"").expect("turns");
        page[at..page.find("aria-label=\"Parts\"").expect("parts")].to_owned()
    };
    let second = format!("{folder}2/index.html");
    assert_eq!(turns(&before, &second), turns(&site.output(), &second));
    // A broken line far down is reported with its line number.
    let mut broken = log(1600);
    broken.push_str("{\"id\": \n");
    site.write("content/log.jsonl", broken);
    let run = site.run(&["build", "--message-format", "short"]);
    assert!(run.stderr.contains("content/log.jsonl:3201:"), "{}", run.stderr);
}

#[test]
fn a_long_log_is_not_cut_between_a_call_and_its_result() {
    let entry = |kind: &str, from: &str, to: &str, call: usize, private: bool| {
        let entry = json!({"id": format!("{kind}{call}"), "timestamp": 1_770_000_000, "from": from,
            "to": to, "content": format!("{kind} {call}"), "entry_type": kind,
            "tool_call_id": format!("c{call}"), "private": private});
        format!("{entry}\n")
    };
    let mut log = entry("message", "ada", "wren", 0, false);
    for call in (1..4000).step_by(2) {
        for call in [call, call + 1] {
            log.push_str(&entry("tool_call", "wren", "quux", call, true));
        }
        for call in [call, call + 1] {
            log.push_str(&entry("tool_result", "quux", "wren", call, false));
        }
    }
    log.push_str(&entry("message", "wren", "user", 9999, false));
    let site = SiteTest::new().file("content/log.jsonl", log);
    let run = site.build(0);
    assert!(!run.stderr.contains("orphan-result"), "{}", run.stderr);
    for (path, bytes) in site.output() {
        assert!(!String::from_utf8_lossy(&bytes).contains("tool_result"), "{path}");
    }
}

#[test]
fn search_engines_may_list_only_pages_with_enough_text() {
    let words = |from: usize, to: usize| -> String {
        (from..to).map(|word| format!("word{word} ")).collect()
    };
    let talk = |title: &str, day: u32, words: &str, more: &str| {
        format!(
            "### @Ada\n{words}\n\n----\n{{\"type\": \"dialog\", {title}{more} \
             \"time\": \"2026-01-{day:02}\", \"participants\": [\"Ada\"]}}\n"
        )
    };
    let titled = "\"title\": \"T\",";
    let site = SiteTest::new()
        .file("site.toml", format!("{BASE}index = \"auto\"\n"))
        .file("content/good.convo", talk(titled, 1, &words(0, 200), ""))
        .file("content/copy.convo", talk(titled, 2, &words(3, 203), ""))
        .file("content/other.convo", talk(titled, 3, &words(500, 700), ""))
        .file("content/thin.convo", talk(titled, 4, "Hello there.", ""))
        .file("content/untitled.convo", talk("", 5, &words(1000, 1200), ""))
        .file("content/unseen.convo", talk(titled, 6, &words(2000, 2200), "\"reviewed\": false,"))
        .file("content/wanted.convo", talk("", 7, "Short.", "\"index\": true,"))
        .file("content/hidden.convo", talk(titled, 8, &words(3000, 3200), "\"index\": false,"));
    let days = |site: &SiteTest| -> Vec<String> {
        let sitemap = site.page("sitemap.xml", "");
        let urls = sitemap.split("/c/2026-01-").skip(1);
        let mut days: Vec<String> = urls.map(|url| url[..2].to_owned()).collect();
        days.sort();
        days
    };
    let run = site.run(&["build", "--message-format", "json"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let notes: Vec<Value> = serde_json::from_str(&run.stdout).expect("JSON");
    let notes = notes.iter().filter(|note| note["code"] == "not-indexed");
    let codes: BTreeMap<&str, &str> = notes
        .map(|note| {
            let text = |value: &'static str| note[value].as_str().unwrap_or_default();
            let why =
                text("message").trim_start_matches("search engines are asked not to list it: ");
            (text("file"), why)
        })
        .collect();
    assert_eq!(days(&site), ["01", "03", "07"], "{}", run.stderr);
    let expected = [
        ("content/copy.convo", "it is nearly the same as `content/good.convo`"),
        ("content/thin.convo", "it has fewer than 50 words"),
        ("content/unseen.convo", "it is not reviewed"),
        ("content/untitled.convo", "it has no title of its own"),
    ];
    assert_eq!(codes, BTreeMap::from(expected));
    let unlisted = |day: &str| {
        site.page(&format!("c/2026-01-{day}-"), "/index.html").contains("noindex, follow")
    };
    assert!(unlisted("02") && unlisted("08") && !unlisted("01"));
    site.write("site.toml", BASE);
    let run = site.run(&["build"]);
    assert_eq!(days(&site).len(), 7, "{}", run.stderr);
}

/// A subagent is shown at the call that started it, in any part of a long session.
#[test]
fn subagents_are_on_the_page_of_their_call() {
    const ID: &str = "0c0ffee0-0000-4000-8000-000000000001";
    let record = |number: usize, kind: &str, message: &str, more: &str| {
        format!(
            "{{\"parentUuid\":\"r{}\",\"type\":\"{kind}\",\"uuid\":\"r{number}\",\
             \"sessionId\":\"{ID}\",\"message\":{{{message}}}{more}}}\n",
            number - 1
        )
    };
    let mut log = String::new();
    for number in (1..3000).step_by(4) {
        let agent = number / 4;
        log += &record(number, "user", &format!("\"content\":\"question {agent}\""), "");
        let call = format!(
            "\"id\":\"m{number}\",\"content\":[{{\"type\":\"tool_use\",\"id\":\"c{number}\",\
             \"name\":\"Agent\",\"input\":{{}}}}]"
        );
        log += &record(number + 1, "assistant", &call, "");
        let result = format!(
            "\"content\":[{{\"type\":\"tool_result\",\"tool_use_id\":\"c{number}\",\
             \"content\":\"done\"}}]"
        );
        let more = format!(",\"toolUseResult\":{{\"agentId\":\"a{agent}\"}}");
        log += &record(number + 2, "user", &result, &more);
        let answer = format!("\"id\":\"n{number}\",\"content\":\"answer {agent}\"");
        log += &record(number + 3, "assistant", &answer, "");
    }
    log +=
        &format!("{{\"type\":\"custom-title\",\"customTitle\":\"Long\",\"sessionId\":\"{ID}\"}}\n");
    let mut site = SiteTest::new().file(&format!("content/{ID}.jsonl"), log);
    for agent in [0, 300, 740] {
        let record =
            record(9000 + agent, "assistant", &format!("\"content\":\"agent word {agent}\""), "");
        let path = format!("content/{ID}/subagents/agent-a{agent}.jsonl");
        site = site.file(&path, record.replacen('{', "{\"isSidechain\":true,", 1));
    }
    site.build(0);
    let output = site.output();
    let pages = output.iter().filter(|(path, _)| path.starts_with("c/") && path.ends_with(".html"));
    let all: Vec<String> =
        pages.map(|(_, bytes)| String::from_utf8_lossy(bytes).into_owned()).collect();
    for agent in [0, 300, 740] {
        let word = format!("<p>agent word {agent}</p>");
        let with: Vec<&String> = all.iter().filter(|page| page.contains(&word)).collect();
        assert_eq!(with.len(), 1, "{agent}");
        assert!(with[0].contains(&format!("<p>question {agent}</p>")), "{agent}");
    }
    assert!(all.len() > 3 && all.iter().all(|page| page.contains("Long")));
}

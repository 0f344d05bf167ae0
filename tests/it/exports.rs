//! Common features of all exports: versions that become one page, subagents at their calls, usage
//! of turns, and files with more content than a page shows.

use serde_json::{Value, json};

use crate::support::{BASE, SiteTest};

/// A ChatGPT conversation with these messages in order: id, role, text.
fn chat(title: &str, updated: u32, messages: &[(&str, &str, &str)]) -> Value {
    let mut mapping = json!({"root": {"id": "root", "message": null, "parent": null}});
    let mut parent = "root";
    for (number, (id, role, text)) in messages.iter().enumerate() {
        mapping[*id] = json!({
            "id": id, "parent": parent,
            "message": {
                "id": id, "author": {"role": role}, "create_time": 1_760_000_000 + number,
                "content": {"content_type": "text", "parts": [text]},
            },
        });
        parent = id;
    }
    json!({
        "id": "conv-1", "title": title, "create_time": 1_760_000_000, "update_time": updated,
        "current_node": parent, "mapping": mapping,
    })
}

fn export(conversation: &Value) -> String {
    json!([conversation]).to_string()
}

/// The page of the only conversation of a site, and its folder.
fn only_page(site: &SiteTest) -> (String, String) {
    let output = site.output();
    let mut pages =
        output.iter().filter(|(path, _)| path.starts_with("c/") && path.ends_with("/index.html"));
    let (path, page) = pages.next().expect("a page");
    assert!(pages.next().is_none(), "{:?}", output.keys());
    (path.clone(), String::from_utf8(page.clone()).expect("UTF-8"))
}

const OLD: [(&str, &str, &str); 4] = [
    ("m1", "user", "How high is the tide?"),
    ("m2", "assistant", "Four metres."),
    ("m3", "user", "And at neap?"),
    ("m4", "assistant", "Two metres."),
];
const NEW: [(&str, &str, &str); 4] = [
    ("m1", "user", "How high is the tide?"),
    ("m2", "assistant", "Four metres."),
    ("m5", "user", "And at spring?"),
    ("m6", "assistant", "Five metres."),
];

#[test]
fn a_conversation_in_two_exports_has_one_page_with_the_turns_of_both() {
    let old = export(&chat("Tides", 1_760_000_100, &OLD));
    let new = export(&chat("Tides at the mill", 1_760_000_200, &NEW));
    let site = SiteTest::new().file("content/march/conversations.json", &old);
    site.build(0);
    let (path, _) = only_page(&site);
    site.write("content/april/conversations.json", &new);
    let run = site.build(0);
    assert!(run.stderr.contains("merged"), "{}", run.stderr);
    assert!(!run.stderr.contains("address-changed"), "{}", run.stderr);
    let (path_now, page) = only_page(&site);
    assert_eq!(path_now, path, "its address stays");
    assert!(page.contains("<h1 dir=\"auto\">Tides at the mill</h1>"), "{page}");
    for text in ["Four metres.", "Two metres.", "Five metres.", "And at neap?"] {
        assert_eq!(page.matches(&format!("<p>{text}</p>")).count(), 1, "{text}");
    }
    // A second build, which reads everything from the cache, writes nothing else.
    let before = site.output();
    site.build(0);
    assert_eq!(site.output(), before);
}

#[test]
fn what_is_private_in_one_export_is_private_in_all() {
    let old = export(&chat("Tides", 1_760_000_100, &OLD));
    let mut new = chat("Tides", 1_760_000_200, &NEW);
    new["is_temporary"] = true.into();
    for (first, second) in [(&old, export(&new)), (&export(&new), old.clone())] {
        let site = SiteTest::new()
            .file("content/a/conversations.json", first)
            .file("content/b/conversations.json", second);
        let run = site.build(0);
        assert!(run.stderr.contains("withheld"), "{}", run.stderr);
        let output = site.output();
        assert!(!output.keys().any(|path| path.starts_with("c/")), "{:?}", output.keys());
    }
}

#[test]
fn conversations_that_share_an_id_by_accident_are_not_merged() {
    let other = [("x1", "user", "Is it raining?"), ("x2", "assistant", "It is.")];
    let site = SiteTest::new()
        .file("content/a/conversations.json", export(&chat("One", 1, &OLD)))
        .file("content/b/conversations.json", export(&chat("Two", 2, &other)));
    let run = site.build(0);
    assert!(run.stderr.contains("built 2 conversations"), "{}", run.stderr);
}

/// A line of a Claude Code log.
fn line(id: &str, parent: &str, role: &str, content: Value, more: Value) -> String {
    let mut line = json!({
        "uuid": id, "parentUuid": parent, "sessionId": "s1", "type": role, "cwd": "/mill",
        "timestamp": "2026-03-04T09:15:00.000Z",
        "message": {"role": role, "id": format!("msg-{id}"), "model": "claude-opus-4-5", "content": content,
            "usage": {"input_tokens": 10, "output_tokens": 200}},
    });
    if parent.is_empty() {
        line["parentUuid"] = Value::Null;
    }
    for (key, value) in more.as_object().expect("an object") {
        line[key] = value.clone();
    }
    line.to_string()
}

#[test]
fn a_subagent_is_folded_below_its_call() {
    let call = json!([
        {"type": "text", "text": "I send somebody."},
        {"type": "tool_use", "id": "call-1", "name": "Task", "input": {"description": "count the eels", "prompt": "Count."}},
    ]);
    let result = json!([{"type": "tool_result", "tool_use_id": "call-1", "content": "Nine eels."}]);
    let log = [
        line("u1", "", "user", "How many eels?".into(), json!({})),
        line("u2", "u1", "assistant", call, json!({})),
        line("u3", "u2", "user", result, json!({"toolUseResult": {"agentId": "a1"}})),
        line(
            "u4",
            "u3",
            "assistant",
            json!([{"type": "text", "text": "There are nine."}]),
            json!({}),
        ),
    ];
    let aside = json!({"isSidechain": true, "agentId": "a1"});
    let agent = [
        line("v1", "", "user", "Count.".into(), aside.clone()),
        line("v2", "v1", "assistant", json!([{"type": "text", "text": "I see nine."}]), aside),
    ];
    let site = SiteTest::new()
        .file("content/p/s1.jsonl", log.join("\n"))
        .file("content/p/s1/subagents/agent-a1.jsonl", agent.join("\n"));
    site.write("site.toml", format!("{BASE}downloads = ['json', 'original']\n"));
    site.build(0);
    let (_, page) = only_page(&site);
    let at = |text: &str| page.find(text).unwrap_or_else(|| panic!("{text}: {page}"));
    let places = [
        "I send somebody.",
        "count the eels",
        "<details class=\"fold tool agent\">",
        "I see nine.",
        "There are nine.",
    ];
    let places = places.map(at);
    assert!(places.is_sorted(), "{places:?} {page}");
    assert_eq!(page.matches("<article").count(), page.matches("</article>").count());
    assert_eq!(page.matches("<details").count(), page.matches("</details>").count());
    // The log itself contains more than the page shows.
    let output = site.output();
    assert!(!output.keys().any(|path| path.ends_with(".jsonl")), "{:?}", output.keys());
    // The usage is shown under each turn, and in total.
    assert!(page.contains("Output tokens"), "{page}");
    let sums = String::from_utf8_lossy(&output["statistics/index.html"]).into_owned();
    assert!(sums.contains("Usage by model"), "{sums}");
    assert!(sums.contains("<bdi>March 2026</bdi>"), "{sums}");
}

#[test]
fn import_copies_the_pictures_of_an_export() {
    let images = crate::support::project().join("tests/formats/chatgpt/images/input.json");
    let picture = crate::support::project().join("example-site/content/2025/images/elver-door.png");
    let picture = std::fs::read(picture).expect("a picture");
    let site = SiteTest::new()
        .file("export/conversations.json", std::fs::read(images).expect("a fixture"))
        .file("export/file-PhotoOfAHedgehog00001-my hedgehog.png", &picture);
    let run = site.run(&["import", "export", "."]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let content = crate::support::files_below(&site.path("content"));
    assert!(content.keys().any(|path| path.ends_with(".png")), "{:?}", content.keys());
    let kept = content.iter().filter(|(path, _)| path.ends_with(".json"));
    for (path, bytes) in kept {
        assert!(!String::from_utf8_lossy(bytes).contains("asset:"), "{path}");
    }
    site.build(0);
    assert_eq!(site.page("c/", "/index.html").matches("<img").count(), 1);
}

#[test]
fn turns_hidden_in_one_export_are_hidden_in_all() {
    let old = chat("Tides", 1_760_000_100, &OLD);
    let mut new = chat("Tides", 1_760_000_200, &OLD);
    new["mapping"]["m3"]["message"]["metadata"] =
        json!({"is_visually_hidden_from_conversation": true});
    for (first, second) in [(&old, &new), (&new, &old)] {
        let site = SiteTest::new()
            .file("content/a/conversations.json", export(first))
            .file("content/b/conversations.json", export(second));
        site.build(0);
        let (_, page) = only_page(&site);
        assert!(page.contains("Two metres."), "{page}");
        assert!(!page.contains("And at neap?"), "{page}");
    }
}

#[test]
fn an_empty_private_copy_makes_all_copies_private() {
    let full = chat("Tides", 1_760_000_100, &OLD);
    let mut shell = json!({"id": "conv-1", "title": "Tides", "is_temporary": true});
    let claude = |messages: Value, private: bool| {
        let mut read = json!({
            "uuid": "c-1", "name": "Tides", "created_at": "2026-03-04T09:15:00Z",
            "updated_at": "2026-03-04T09:15:00Z", "chat_messages": messages,
        });
        if private {
            read["is_temporary"] = true.into();
        }
        json!([read, {"uuid": "c-2", "name": "Eels", "created_at": "2026-03-04T09:15:00Z",
            "chat_messages": [{"uuid": "e1", "sender": "human", "text": "Where are the eels?"}]}])
    };
    let messages = json!([{"uuid": "m1", "sender": "human", "text": "How high is the tide?"}]);
    let mut eels = chat("Eels", 1_760_000_100, &[("e1", "user", "Where are the eels?")]);
    eels["id"] = "conv-2".into();
    for is_there in [false, true] {
        if is_there {
            shell["mapping"] = Value::Null;
        }
        for (full, shell) in [
            (json!([full]), json!([shell, eels])),
            (claude(messages.clone(), false), claude(json!([]), true)),
        ] {
            let site = SiteTest::new()
                .file("content/a/conversations.json", full.to_string())
                .file("content/b/conversations.json", shell.to_string());
            let run = site.build(0);
            let (path, _) = only_page(&site);
            assert!(path.contains("eels"), "{path}");
            assert!(run.stderr.contains("1 private withheld"), "{}", run.stderr);
        }
    }
}

#[test]
fn a_conversation_excluded_in_one_export_is_excluded_in_all() {
    let old = export(&chat("Tides", 1_760_000_100, &OLD));
    let new = export(&chat("Tides at the mill", 1_760_000_200, &NEW));
    let rule = |files: &str, query: &str| format!("[[source]]\nfiles = '{files}'\n{query}\n");
    for (rules, pages) in [
        (rule("a/**", "exclude = ['tides']"), 0),
        // A conversation that one rule does not select may be selected by another.
        (rule("a/**", "include = ['neap -spring']") + &rule("b/**", "include = ['spring']"), 1),
        (rule("a/**", "include = ['eels', 'neap']") + &rule("b/**", "exclude = ['mill']"), 0),
    ] {
        let site = SiteTest::new()
            .file("site.toml", format!("{BASE}{rules}"))
            .file("content/a/conversations.json", &old)
            .file("content/b/conversations.json", &new);
        let run = site.build(if rules.contains("eels") { 1 } else { 0 });
        let output = site.output();
        let found =
            output.keys().filter(|path| path.starts_with("c/") && path.ends_with("/index.html"));
        assert_eq!(found.count(), pages, "{rules}: {}", run.stderr);
        let is_reported = run.stderr.contains("held-back");
        assert_eq!(is_reported, pages == 0, "{rules}: {}", run.stderr);
    }
}

#[test]
fn convert_merges_versions_as_a_site_does() {
    let old = export(&chat("Tides", 1_760_000_100, &OLD));
    let new = export(&chat("Tides at the mill", 1_760_000_200, &NEW));
    let other = [("x1", "user", "Is it raining?"), ("x2", "assistant", "It is.")];
    let rain = export(&chat("Rain", 1_760_000_000, &other));
    let site = SiteTest::new()
        .file("old/a/conversations.json", &old)
        .file("old/b/conversations.json", &new)
        // A different conversation with the same id by accident.
        .file("old/c/conversations.json", &rain);
    let run = site.run(&["convert", "--to", "cjson", "old", "--output", "new"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert!(run.stderr.contains("merged"), "{}", run.stderr);
    let files = crate::support::files_below(&site.path("new"));
    assert_eq!(files.len(), 2, "{:?}", files.keys());
    let texts = files.values().map(|bytes| String::from_utf8_lossy(bytes).into_owned());
    let tides = texts.filter(|text| text.contains("Tides at the mill"));
    let tides = tides.collect::<String>();
    for text in ["Four metres.", "Two metres.", "Five metres."] {
        assert_eq!(tides.matches(text).count(), 1, "{text}: {tides}");
    }
    // If one copy is private, the conversation is not converted from any copy.
    let mut private = chat("Tides", 1_760_000_300, &[]);
    private["is_temporary"] = true.into();
    site.write("old/d/conversations.json", export(&private));
    let run = site.run(&["convert", "--to", "cjson", "old", "--output", "newer"]);
    assert!(
        !site.path("newer").exists() || crate::support::files_below(&site.path("newer")).is_empty(),
        "{}",
        run.stderr
    );
}

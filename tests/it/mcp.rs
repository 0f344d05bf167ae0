//! `convo-site mcp`: the answers to an assistant, and what they never contain.

use serde_json::{Value, json};

use crate::gate::token;
use crate::support::assistant::Assistant;
use crate::support::talks::talk;
use crate::support::{SiteTest, run_in};

/// A site with three conversations, one of which is private.
fn site() -> SiteTest {
    let turns = [
        ("Ada", "Who built the tide mill?"),
        ("Ivo", "A miller named Wren.\n\n## [No turn](./#t1)"),
    ];
    SiteTest::new()
        .file(
            "content/mill.convo",
            talk("The tide mill", "2025-03-04", ", \"tags\": [\"mills\"]", &turns),
        )
        .file(
            "content/later.convo",
            talk("Later", "2026-01-02", "", &[("Ada", "The mill has a new wheel.")]),
        )
        .file(
            "content/hidden.convo",
            talk(
                "Quincunx",
                "2026-02-02",
                ", \"private\": true",
                &[("Ada", "The mill hides a quincunx.")],
            ),
        )
}

fn ids(results: &Value) -> Vec<String> {
    let results = results["results"].as_array().expect("results");
    results.iter().map(|result| result["id"].as_str().expect("an id").to_owned()).collect()
}

#[test]
fn turns_are_found_and_read() {
    let site = site();
    let mut assistant = Assistant::of(&site.path(""), &[]);
    let tools = assistant.request("tools/list", json!({}));
    let names = tools["result"]["tools"].as_array().expect("tools").iter();
    let names: Vec<_> = names.map(|tool| tool["name"].as_str().expect("a name")).collect();
    assert_eq!(names, ["search", "fetch", "list_recent", "list_speakers"]);

    let found = assistant.call("search", json!({"query": "wren"}));
    let [id] = &ids(&found)[..] else { panic!("{found}") };
    let result = &found["results"][0];
    assert_eq!(result["url"], format!("https://site.example/base/{id}"));
    assert_eq!((&result["title"], &result["speaker"]), (&json!("The tide mill"), &json!("Ivo")));

    // By the id, by the URL, and by the conversation.
    let (conversation, _) = id.split_once('#').expect("a turn");
    for name in [id, result["url"].as_str().expect("a URL")] {
        let fetched = assistant.call("fetch", json!({"id": name}));
        assert_eq!(fetched["id"], *id);
        let text = fetched["text"].as_str().expect("a text");
        assert!(text.starts_with("# The tide mill\n") && text.contains("Wren"), "{text}");
        assert!(!text.contains("Who built"), "{text}");
        assert!(fetched["next"].is_null());
    }
    let whole = assistant.call("fetch", json!({"id": conversation}));
    assert!(whole["text"].as_str().is_some_and(|text| text.contains("Who built")));
    assert_eq!(whole["metadata"]["tags"], json!(["mills"]));
    assert_eq!(whole["metadata"]["speakers"], json!(["Ada", "Ivo"]));

    let recent = assistant.call("list_recent", json!({}));
    assert_eq!(recent["withheld_conversations"], 1);
    let titles = recent["results"].as_array().expect("results").iter();
    assert_eq!(titles.map(|row| &row["title"]).collect::<Vec<_>>(), ["Later", "The tide mill"]);
    for (arguments, count) in [
        (json!({"after": "2026"}), 1),
        (json!({"after": "2025-03", "before": "2025-04"}), 1),
        (json!({"before": "2026"}), 1),
        (json!({"after": "2025-03-04", "before": "2025-03-05"}), 1),
        (json!({"after": "2025-04", "before": "2026"}), 0),
        (json!({"limit": 1}), 2),
    ] {
        assert_eq!(assistant.call("list_recent", arguments)["conversations"], count);
    }
    let speakers = assistant.call("list_speakers", json!({}));
    assert_eq!(speakers["results"][0]["name"], "Ada");
    assert_eq!(speakers["results"][0]["conversations"], 2);

    // Read again for each call.
    site.write("content/new.convo", talk("New", "2026-05-05", "", &[("Ada", "A bassoon.")]));
    assert_eq!(ids(&assistant.call("search", json!({"query": "bassoon"}))).len(), 1);
    assert_eq!(assistant.leave(), Some(0));
}

#[test]
fn nothing_private_is_answered() {
    let key = token(1);
    let site = site().file(
        "content/key.convo",
        talk("A key", "2026-03-03", "", &[("Ada", &format!("The mill uses {key}."))]),
    );
    let everything = |assistant: &mut Assistant| {
        for query in ["mill", "quincunx", "uses"] {
            let found = assistant.call("search", json!({"query": query, "limit": 200}));
            for id in ids(&found) {
                assistant.call("fetch", json!({"id": id}));
            }
        }
        assistant.call("list_recent", json!({"limit": 200}));
        assistant.call("list_speakers", json!({}));
    };
    let mut assistant = Assistant::of(&site.path(""), &[]);
    everything(&mut assistant);
    for word in ["uincunx", &key, "hidden.convo"] {
        assert!(!assistant.seen.contains(word), "{word}: {}", assistant.seen);
    }
    let mut assistant = Assistant::of(&site.path(""), &["--include-private"]);
    everything(&mut assistant);
    assert!(assistant.seen.contains("uincunx") && !assistant.seen.contains(&key));
}

#[test]
fn what_cannot_be_answered_is_explained() {
    let site = site();
    let mut assistant = Assistant::of(&site.path(""), &[]);
    for id in ["", "c/none/", "../site.toml", "c/", "index.html", "https://other.example/c/none/"] {
        let message = assistant.fail("fetch", json!({"id": id}));
        assert!(message.starts_with("unknown id"), "{message}");
    }
    assert!(assistant.fail("list_recent", json!({"after": "soon"})).contains("2025-10-23"));
    assert!(assistant.fail("search", json!({})).contains("`query`"));
    for limit in [json!(-1), json!(0), json!(1.5), json!("x")] {
        let message = assistant.fail("search", json!({"query": "x", "limit": limit}));
        assert!(message.contains("`limit`"), "{message}");
    }
    for limit in [json!(null), json!(2.0), json!(1_000_000)] {
        assistant.call("search", json!({"query": "x", "limit": limit}));
    }
    let unknown = assistant.request("tools/call", json!({"name": "delete", "arguments": {}}));
    assert_eq!(unknown["error"]["message"], "unknown tool `delete`");
    // A mistake in the configuration is an answer too, and the next call works again.
    let config = std::fs::read_to_string(site.path("site.toml")).expect("settings");
    for wrong in
        ["[[redact]]\nwords = [\"Falkenhorst\" \"Tom\"]\n", "[people]\n\"Falkenhorst\" = 5\n"]
    {
        site.write("site.toml", format!("{config}{wrong}"));
        let message = assistant.fail("list_recent", json!({}));
        assert!(message.contains("site.toml:") && !message.contains("Falkenhorst"), "{message}");
    }
    site.write("site.toml", config);
    assert_eq!(assistant.call("list_recent", json!({}))["conversations"], 2);
    let run = run_in(&site.path("content"), &["mcp"], &[]);
    assert_eq!(run.code, Some(2));
    assert!(run.stderr.contains("is not a site"), "{}", run.stderr);
}

/// An archive without a `site.toml`, and a site without Markdown copies.
#[test]
fn any_archive_can_be_read() {
    let folder = tempfile::tempdir().expect("a folder");
    let text = "**User:** Who built the mill?\n\n**Assistant:** Wren did.\n";
    std::fs::write(folder.path().join("mill.md"), text).expect("written");
    let site = site();
    let config = std::fs::read_to_string(site.path("site.toml")).expect("settings");
    site.write("site.toml", format!("markdown = false\n{config}"));
    for (path, arguments) in [(folder.path(), &["mill.md"][..]), (&site.path(""), &[])] {
        let cache = folder.path().join("cache").display().to_string();
        let arguments = [arguments, &["--cache-dir", &cache]].concat();
        let mut assistant = Assistant::of(path, &arguments);
        let found = assistant.call("search", json!({"query": "wren"}));
        let fetched = assistant.call("fetch", json!({"id": ids(&found)[0]}));
        assert!(fetched["text"].as_str().is_some_and(|text| text.contains("Wren")));
    }
}

/// Several calls at once are answered one after the other: they use one cache.
#[test]
fn calls_at_once_are_answered() {
    let site = site();
    let mut assistant = Assistant::of(&site.path(""), &[]);
    for id in 100..110 {
        let params = json!({"name": "search", "arguments": {"query": "wren"}});
        assistant
            .send(&json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params}));
    }
    for _ in 100..110 {
        let answer = assistant.answer();
        assert_eq!(answer["result"]["isError"], false, "{answer}");
    }
    assert_eq!(assistant.leave(), Some(0));
}

//! Search on the command line and in the preview, and what an index must not contain.

use std::fs;

use serde_json::{Value, json};

use crate::support::talks::{small, talk};
use crate::support::{BASE, SiteTest, unpacked};

#[test]
fn withheld_text_is_in_no_part_of_the_index() {
    let secret = |more: &str, word: &str| {
        let text = format!("The {word} word, said {word}.");
        talk(&format!("On {word}"), "2026-03-03", more, &[("Eve", &text), (word, "Yes.")])
    };
    let site = small()
        .file("content/p.convo", secret(", \"private\": true", "quuxpriv"))
        .file("content/n.convo", secret(", \"search\": false", "quuxhide"))
        .file("content/hidden/h.convo", secret("", "quuxrule"))
        .file("content/held/h.convo", secret("", "quuxheld"))
        .file(
            "site.toml",
            format!(
                "{BASE}[[source]]\nfiles = \"hidden/**\"\nsearch = false\n\
                 [[source]]\nfiles = \"held/**\"\nvisibility = \"private\"\n"
            ),
        );
    site.build(0);
    let files = site.output();
    let index = unpacked(&files);
    assert!(index.contains("zebra") && index.contains("kubernet"));
    assert!(!index.contains("quux"), "held back and in the index");
    let all = files.values().map(|bytes| String::from_utf8_lossy(bytes)).collect::<String>();
    // Conversations excluded from search still have pages.
    assert!(all.contains("quuxhide") && all.contains("quuxrule"));
    assert!(!all.contains("quuxpriv") && !all.contains("quuxheld"));
    assert_eq!(site.run(&["build", "--include-private"]).code, Some(0));
    let files = site.output();
    assert!(files.values().any(|bytes| String::from_utf8_lossy(bytes).contains("quuxpriv")));
    assert!(!unpacked(&files).contains("quux"), "private, published, and in the index");
}

#[test]
fn the_command_finds_turns() {
    let site = small().file(
        "content/p.convo",
        talk("Private", "2026-03-03", ", \"private\": true", &[("Eve", "A quagga.")]),
    );
    let run = site.run(&["search", "borrow checker"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert_eq!(
        run.stdout,
        "content/a.convo:15  Bot  2024-05-06  Lifetimes in Rust\n    \
         The checker may borrow what it likes.\n\n\
         content/a.convo:2  Ada  2024-05-06  Lifetimes in Rust\n    \
         How does the borrow checker work? I was searching for it.\n\n"
    );
    assert_eq!(run.stderr, "2 turns in 1 conversation\n");
    let run = site.run_with(&["search", "zebra"], &[("CLICOLOR_FORCE", "1")]);
    assert!(run.stdout.contains("\u{1b}[1m\u{1b}[31mzebra\u{1b}[0m"), "{:?}", run.stdout);
    let run = site.run(&["search", "--count", "speaker:ada"]);
    assert_eq!((run.code, &*run.stdout, &*run.stderr), (Some(0), "3\n", ""));
    let run = site.run(&["search", "xyzzyx", "--count"]);
    assert_eq!((run.code, &*run.stdout), (Some(1), "0\n"));
    let run = site.run(&["search", "-zebra"]);
    assert_eq!(run.code, Some(1));
    assert!(run.stderr.starts_with("note: add a word to search for"), "{}", run.stderr);
    let run = site.run(&["search", "kubernetis", "--limit", "1", "--json"]);
    let found: Value = serde_json::from_str(&run.stdout).expect("JSON");
    assert_eq!(found["corrected"], json!([["kubernetis", "kubernetes"]]));
    // Quoted words are not corrected.
    assert_eq!(site.run(&["search", "\"kubernetis\""]).code, Some(1));
    assert_eq!(found["turns"], 1);
    let hit = &found["hits"][0];
    assert_eq!((&hit["file"], &hit["line"]), (&json!("content/c.convo"), &json!(2)));
    assert_eq!(hit["excerpt"], "A kubernetes cluster.");
    assert!(hit["url"].as_str().expect("a text").starts_with("/base/c/2026-01-01-nothing-much-"));
    assert_eq!(site.run(&["search", "quagga"]).code, Some(1));
    assert_eq!(site.run(&["search", "quagga", "--include-private"]).code, Some(0));
    // The index is updated with the files, whatever happened to it.
    let text = fs::read_to_string(site.path("content/c.convo")).expect("text");
    site.write("content/c.convo", text.replace("kubernetes", "xylophone"));
    assert_eq!(site.run(&["search", "xylophone"]).code, Some(0));
    assert_eq!(site.run(&["search", "\"kubernetes\""]).code, Some(1));
    for (name, bytes) in crate::support::files_below(&site.path(".convo-site/search")) {
        let cut = bytes.len() / 2;
        site.write(&format!(".convo-site/search/{name}"), &bytes[..cut]);
    }
    let run = site.run(&["search", "xylophone", "--count"]);
    assert_eq!((run.code, &*run.stdout), (Some(0), "1\n"), "{}", run.stderr);
    let nowhere = SiteTest::new();
    fs::remove_file(nowhere.path("site.toml")).expect("removed");
    assert_eq!(nowhere.run(&["search", "x"]).code, Some(2));
    assert!(!nowhere.path(".convo-site").exists());
}

/// The excerpts of this file are the same on the search page, which has them from a script.
const EXCERPTS: &str = include_str!("../data/search/excerpts.json");

#[test]
fn excerpts_are_plain_prose_everywhere() {
    for case in serde_json::from_str::<Vec<Value>>(EXCERPTS).expect("JSON") {
        let part = |name: &str| case[name].as_str().expect("a text");
        let (markdown, text) = (part("markdown"), part("text"));
        let site = SiteTest::new()
            .file("site.toml", format!("{BASE}downloads = [\"markdown\"]\n"))
            .file("content/a.convo", talk("Birds", "2024-05-06", "", &[("Ada", markdown)]));
        site.build(0);
        let run = site.run(&["search", "heron", "--json"]);
        let found: Value = serde_json::from_str(&run.stdout).expect("JSON");
        assert_eq!(found["hits"][0]["excerpt"], text, "{markdown}");
        // Descriptions and feeds leave out code.
        if case["is_code"].as_bool() != Some(true) {
            let page = site.page("c/", "index.html");
            let described = format!("<meta name=\"description\" content=\"{text}\">");
            assert!(page.contains(&described), "{markdown}: {described}");
            let feed = site.output()["feed.json"].clone();
            let feed: Value = serde_json::from_slice(&feed).expect("JSON");
            assert_eq!(feed["items"][0]["content_text"], text, "{markdown}");
        }
        // The words are still found by what the excerpt leaves out.
        let copy = site.page("c/", "index.md");
        assert!(copy.contains(markdown.lines().next().expect("a line")), "{copy}");
    }
}

/// A session in which a tool reads a file that has the words of the answer.
#[test]
fn excerpts_prefer_text_over_tool_output() {
    let record = |uuid: &str, parent: Option<&str>, kind: &str, message: Value| {
        let record = json!({
            "type": kind, "uuid": uuid, "parentUuid": parent, "sessionId": "s1", "version": "2.1.0",
            "cwd": "/mill", "timestamp": "2026-03-01T10:00:00Z", "message": message,
        });
        format!("{record}\n")
    };
    let answer = |content: Value| json!({"role": "assistant", "id": "m1", "model": "claude-opus-4", "content": content});
    let input = json!({"file_path": "/mill/birds.md"});
    let call = json!({"type": "tool_use", "id": "c1", "name": "Read", "input": input});
    let printed = "     1→# Birds\n     2→A heron and an egret.";
    let result = json!([{"type": "tool_result", "tool_use_id": "c1", "content": printed}]);
    let lines = [
        record("u1", None, "user", json!({"role": "user", "content": "Which birds?"})),
        record(
            "u2",
            Some("u1"),
            "assistant",
            answer(json!([{"type": "text", "text": "I look."}, call])),
        ),
        record("u3", Some("u2"), "user", json!({"role": "user", "content": result})),
        record(
            "u4",
            Some("u3"),
            "assistant",
            answer(json!([{"type": "text", "text": "There is a heron."}])),
        ),
    ];
    let site = SiteTest::new().file("content/s.jsonl", lines.concat());
    let excerpts = |query: &str| {
        let run = site.run(&["search", query, "--json"]);
        let found: Value = serde_json::from_str(&run.stdout).expect("JSON");
        let hits = found["hits"].as_array().expect("hits").clone();
        hits.iter().map(|hit| hit["excerpt"].to_string()).collect::<Vec<_>>().join("\n")
    };
    assert!(excerpts("heron").contains("There is a heron."), "{}", excerpts("heron"));
    let egret = excerpts("egret");
    assert!(egret.contains("A heron and an egret.") && egret.contains("birds.md"), "{egret}");
    for mark in ["Tool call", "Result", "→", "I look"] {
        assert!(!egret.contains(mark), "{mark}: {egret}");
    }
}

/// A site with two conversations, whose words occur in names, titles and several turns.
fn gardens() -> SiteTest {
    let moss = [
        ("Ada Marsh", "The north side stays wet."),
        ("Wren", "A robin nests beside it."),
        ("Ada Marsh", "Lanterns keep it away."),
    ];
    let fog = [("Ivo", "A heron in the fog."), ("Wren", "And a robin.")];
    SiteTest::new()
        .file("content/a.convo", talk("Moss on roofs", "2024-05-06", "", &moss))
        .file("content/b.convo", talk("Mornings", "2025-05-06", "", &fog))
}

#[test]
fn names_titles_and_other_turns_match() {
    let site = gardens();
    let found = |query: &str| -> Value {
        let run = site.run(&["search", "--json", query]);
        serde_json::from_str(&run.stdout).expect("JSON")
    };
    for (query, tier, excerpts) in [
        ("lanterns ", "turn", vec!["Lanterns keep it away."]),
        // Matches names of speakers and titles.
        ("marsh wet ", "turn", vec!["The north side stays wet."]),
        ("\"ada marsh\" lanterns ", "turn", vec!["Lanterns keep it away."]),
        ("\"marsh ada\" lanterns ", "turn", vec![]),
        ("moss robin ", "turn", vec!["A robin nests beside it."]),
        ("moss roof lanterns marsh ", "turn", vec!["Lanterns keep it away."]),
        // All words occur in the same conversation.
        (
            "nests lanterns ",
            "conversation",
            vec!["A robin nests beside it.", "Lanterns keep it away."],
        ),
        ("nests lanterns speaker:wren ", "turn", vec![]),
        ("nests lanterns after:2025 ", "turn", vec![]),
        // Most of the words occur.
        (
            "heron robin roofs ",
            "most",
            vec![
                "A robin nests beside it.", "Moss on roofs", "A heron in the fog.", "And a robin.",
            ],
        ),
        ("heron roofs ", "turn", vec![]),
    ] {
        let found = found(query);
        assert_eq!(found["tier"], tier, "{query}");
        let hits = found["hits"].as_array().expect("hits").iter();
        let mut seen: Vec<&str> =
            hits.map(|hit| hit["excerpt"].as_str().expect("a text")).collect();
        let mut expected = excerpts.clone();
        seen.sort_unstable();
        expected.sort_unstable();
        assert_eq!(seen, expected, "{query}");
    }
    let run = site.run(&["search", "nests lanterns "]);
    assert_eq!(
        run.stderr,
        "note: no turn has all these words; these conversations have them in several turns\n\
         2 turns in 1 conversation\n"
    );
    assert_eq!(run.code, Some(0));
    let run = site.run(&["search", "heron robin roofs"]);
    assert!(run.stderr.starts_with("note: no conversation has all"), "{}", run.stderr);
}

#[test]
fn filters_without_words_list_the_newest_first() {
    let site = gardens();
    for (query, titles) in [
        ("after:2024", "Mornings|Moss on roofs"),
        ("before:2025", "Moss on roofs"),
        ("type:dialog", "Mornings|Moss on roofs"),
        ("speaker:wren", "Mornings|Moss on roofs"),
    ] {
        let run = site.run(&["search", "--json", query]);
        let found: Value = serde_json::from_str(&run.stdout).expect("JSON");
        let hits = found["hits"].as_array().expect("hits").iter();
        let seen: Vec<&str> = hits.map(|hit| hit["title"].as_str().expect("a title")).collect();
        assert_eq!(seen.join("|"), titles, "{query}");
    }
}

#[test]
fn the_preview_answers_queries() {
    use crate::support::preview::Preview;

    let site = small().file(
        "content/p.convo",
        talk("Private", "2026-03-03", ", \"private\": true", &[("Eve", "A quagga.")]),
    );
    let ask = |preview: &Preview, query: &str| -> Value {
        let (status, body) = preview.get(&format!("/api/search?q={query}"));
        assert_eq!(status, 200, "{query}");
        serde_json::from_slice(&body).expect("JSON")
    };
    let preview = Preview::start(&site, &["--port", "0"]);
    assert_eq!(ask(&preview, "borrow+checker")["turns"], 2);
    assert_eq!(ask(&preview, "%22borrow%20checker%22&limit=0")["hits"], json!([]));
    assert_eq!(ask(&preview, "quagga")["turns"], 0, "drafts are not shown");
    site.write("content/d.convo", talk("D", "2026-02-02", "", &[("Eve", "An okapi.")]));
    crate::support::preview::until(
        || ask(&preview, "okapi")["turns"] == 1,
        || "no okapi".to_owned(),
    );
    let host = format!("Host: localhost:{}\r\nOrigin: http://evil.example\r\n", preview.port);
    assert_eq!(preview.get_with("/api/search?q=zebra", &host).0, 403);
    drop(preview);
    let preview = Preview::start(&site, &["--port", "0", "--drafts"]);
    assert_eq!(ask(&preview, "quagga")["turns"], 1);
}

/// Texts with scripts without spaces next to words, and queries that find them.
#[test]
fn words_next_to_scripts_without_spaces_are_found() {
    let turns = [("Eve", "東京2020とお茶time"), ("Bob", "緑茶、紅茶 and 2020東京")];
    let site = SiteTest::new().file("content/t.convo", talk("Tea", "2026-03-03", "", &turns));
    for (query, found) in [
        ("東京2020", 1),
        ("お茶time", 1),
        ("2020東京", 1),
        ("緑茶、紅茶", 1),
        ("\"緑茶 紅茶\"", 1),
        ("東京 2020", 2),
        ("東京2021", 0),
        ("紅茶、緑茶", 0),
    ] {
        let run = site.run(&["search", "--count", query]);
        assert_eq!(run.stdout.trim(), found.to_string(), "{query}: {}", run.stderr);
    }
}

/// A mailbox with a thread in which each reply quotes all mails before it, and a mail that quotes
/// one that is missing.
fn mailbox() -> String {
    let mail = |n: u32, more: &str, text: &str| {
        format!(
            "From wren@mill.example Wed Mar  4 18:2{n}:05 2026\n\
             From: Wren <wren@mill.example>\nTo: list@mill.example\nList-Id: Tides <list.mill.example>\n\
             Date: Wed, 4 Mar 2026 18:2{n}:05 +0000\nSubject: Re: The tide {more}\n\
             Message-ID: <{n}@mill.example>\n\n{text}\n\n"
        )
    };
    let after = |n: u32| format!("now\nIn-Reply-To: <{n}@mill.example>");
    let sentence = "On 4 Mar 2026, Wren <wren@mill.example> wrote:";
    [
        mail(1, "now", "A quokka sits on the weir."),
        mail(2, &after(1), &format!("Is it wet?\n\n{sentence}\n> A quokka sits on the weir.")),
        mail(
            3,
            &after(2),
            &format!(
                "Very.\n\n{sentence}\n> Is it wet?\n>\n> {sentence}\n>> A quokka sits on the weir."
            ),
        ),
        mail(4, "then", &format!("No.\n\n{sentence}\n> May the wombat swim?")),
    ]
    .concat()
}

#[test]
fn quoted_mails_are_found_only_in_the_original() {
    let rule = |more: &str| {
        format!(
            "{BASE}[people]\nothers = \"keep\"\n[[source]]\nfiles = \"*\"\n\
             visibility = \"public\"\n{more}"
        )
    };
    let site = SiteTest::new().file("site.toml", rule("")).file("content/tides.mbox", mailbox());
    site.build(0);
    let all: String = site
        .output()
        .into_iter()
        .filter(|(name, _)| name.ends_with("index.html"))
        .map(|(_, bytes)| String::from_utf8_lossy(&bytes).into_owned())
        .collect();
    assert!(all.contains("May the wombat swim?"), "folded text is on the page");
    assert!(all.contains("On 4 Mar 2026, Wren wrote:"), "{all}");
    let run = site.run(&["search", "--count", "quokka"]);
    assert_eq!((run.code, &*run.stdout), (Some(0), "1\n"), "{}", run.stderr);
    let run = site.run(&["search", "--count", "wombat"]);
    assert_eq!((run.code, &*run.stdout), (Some(1), "0\n"), "{}", run.stderr);
    let index = unpacked(&site.output());
    assert!(index.contains("quokka") && !index.contains("wombat"));
    // An excluded word also excludes conversations that only quote it.
    site.write("site.toml", rule("exclude = ['wombat']\n"));
    site.build(0);
    let files = site.output();
    assert!(files.values().all(|bytes| !String::from_utf8_lossy(bytes).contains("May the wombat")));
}

//! Sites that publish only what is listed, or what was reviewed.

use crate::support::{BASE, SiteTest, convo, unpacked};

/// Three conversations, each with its own tags and words.
fn site(keys: &str) -> SiteTest {
    let talk =
        |more: &str, word: &str| convo(word).replace("\"type\"", &format!("{more}, \"type\""));
    let moss = talk("\"title\": \"Moss\", \"reviewed\": true", "Bryum.");
    let fern = talk("\"title\": \"Fern\", \"tags\": [\"Open\"]", "Fronds.");
    let lichen = talk("\"title\": \"Lichen\", \"reviewed\": false", "Zyzzyva.");
    SiteTest::new()
        .file("site.toml", format!("{BASE}{keys}"))
        .file("content/a.convo", moss)
        .file("content/talks/b.convo", fern)
        .file("content/talks/c.convo", lichen)
}

/// All text in the output and the search index.
fn output(site: &SiteTest) -> String {
    let files = site.output();
    let texts = files.values().map(|bytes| String::from_utf8_lossy(bytes));
    unpacked(&files) + &texts.collect::<String>()
}

#[track_caller]
fn check(keys: &str, list: &str, expected: &[&str]) {
    let site = site(keys).file("publish.toml", list);
    site.build(0);
    let all = output(&site);
    for title in ["Moss", "Fern", "Lichen"] {
        assert_eq!(all.contains(title), expected.contains(&title), "{title}: {list}");
    }
}

#[test]
fn only_what_is_listed_is_published() {
    let check = |list: &str, expected: &[&str]| {
        check("publish = 'listed'\n", list, expected);
    };
    check("[[conversation]]\nfile = 'a.convo'\n", &["Moss"]);
    check("[[conversation]]\nfile = 'content/talks/'\ntitle = 'Two'\n", &["Fern", "Lichen"]);
    check("tags = ['open']\n", &["Fern"]);
    check("filters = ['zyzzyva']\ntags = ['open']\n", &["Fern", "Lichen"]);
    check("filters = ['-zyzzyva']\n", &["Moss", "Fern"]);
}

#[test]
fn a_conversation_of_an_export_is_listed_by_its_id() {
    let talk = |id: &str, title: &str| {
        serde_json::json!({
            "uuid": id, "name": title, "created_at": "2025-01-02T03:04:05Z",
            "updated_at": "2025-01-02T03:04:05Z", "account": {"uuid": "a"},
            "chat_messages": [{
                "uuid": format!("{id}-1"), "sender": "human", "text": "Which moss?",
                "content": [{"type": "text", "text": "Which moss?"}],
                "created_at": "2025-01-02T03:04:05Z",
            }],
        })
    };
    let export = serde_json::json!([talk("one", "Moss"), talk("two", "Zyzzyva")]);
    let site = SiteTest::new()
        .file("site.toml", format!("{BASE}publish = 'listed'\n"))
        .file("content/conversations.json", export.to_string())
        .file("publish.toml", "[[conversation]]\nid = 'one'\n");
    let run = site.build(0);
    assert!(run.stderr.contains("; 1 not in publish.toml"), "{}", run.stderr);
    let all = output(&site);
    assert!(all.contains("Moss") && !all.contains("Zyzzyva"));
    // If both an id and a file are given, both must match.
    site.write("publish.toml", "[[conversation]]\nid = 'one'\nfile = 'other.json'\n");
    let run = site.build(0);
    assert!(run.stderr.contains("warning[unmatched-listing]"), "{}", run.stderr);
    assert!(run.stderr.contains("publish.toml:3:8"), "{}", run.stderr);
    assert!(!output(&site).contains("Moss"));
}

#[test]
fn a_wrong_or_missing_list_publishes_nothing() {
    let site = site("publish = 'listed'\n");
    let run = site.build(2);
    assert!(run.stderr.contains("publish.toml"), "{}", run.stderr);
    for (list, place) in [
        ("tag = ['open']\n", "publish.toml:1:1"),
        ("[[conversation]]\ntitle = 'Moss'\n", "publish.toml:1:1"),
        ("[[conversation]]\nfile = ''\n", "publish.toml:2:8"),
        ("[[conversation]]\nfile = '[a'\n", "publish.toml:2:8"),
        ("filters = ['has:fun']\n", "publish.toml:1:12"),
        ("tags = 'open'\n", "publish.toml:1:8"),
    ] {
        site.write("publish.toml", list);
        let run = site.build(2);
        assert!(run.stderr.contains(place), "{list}: {}", run.stderr);
        assert!(run.stderr.contains("nothing is written"), "{}", run.stderr);
    }
    assert!(!site.path("public").exists());
    for keys in ["publish = 'some'\n", "publish = true\n", "review = 'yes'\n"] {
        site.write("site.toml", format!("{BASE}{keys}"));
        let run = site.build(2);
        assert!(run.stderr.contains("site.toml:2:"), "{keys}: {}", run.stderr);
    }
    assert!(!site.path("public").exists());
}

#[test]
fn conversations_removed_from_the_list_leave_the_output() {
    let site = site("publish = 'listed'\n").file("publish.toml", "tags = ['open']\n");
    site.build(0);
    assert!(output(&site).contains("Fronds"));
    site.write("publish.toml", "[[conversation]]\nfile = 'a.convo'\n");
    site.build(0);
    let all = output(&site);
    assert!(all.contains("Bryum") && !all.contains("Fronds") && !all.contains("Fern"));
}

#[test]
fn only_reviewed_conversations_are_published_if_required() {
    check("review = 'required'\n", "", &["Moss"]);
    check("review = 'optional'\n", "", &["Moss", "Fern", "Lichen"]);
    let both = "publish = 'listed'\nreview = 'required'\n";
    check(both, "filters = ['-zyzzyva']\n", &["Moss"]);
    let site = site("review = 'required'\n");
    let run = site.build(0);
    assert!(run.stderr.contains("; 2 not reviewed"), "{}", run.stderr);
}

#[test]
fn an_imported_conversation_is_reviewed_in_its_file() {
    let site = site("review = 'required'\n");
    let export = serde_json::json!([{"messages": [
        {"role": "user", "content": "Which moss is this?"},
        {"role": "assistant", "content": "Peat."},
    ]}]);
    let site = site.file("export.json", export.to_string());
    site.run(&["import", "export.json", "."]);
    site.build(0);
    assert!(!output(&site).contains("Peat"));
    let path = site.path("content").read_dir().expect("a folder");
    let mut paths = path.map(|entry| entry.expect("an entry").path());
    let file = paths.find(|path| path.to_string_lossy().ends_with(".json"));
    let file = file.expect("what was imported");
    let text = std::fs::read_to_string(&file).expect("text");
    let mut read: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    read["extensions"]["convo-site"]["reviewed"] = true.into();
    std::fs::write(&file, read.to_string()).expect("written");
    site.build(0);
    assert!(output(&site).contains("Peat"));
}

#[test]
fn imported_conversations_are_listed() {
    let site = site("publish = 'listed'\n");
    let export = serde_json::json!([{"messages": [
        {"role": "user", "content": "Which \"moss\" is this?"},
        {"role": "assistant", "content": "Peat."},
    ]}]);
    let site = site.file("export.json", export.to_string());
    let run = site.run(&["import", "export.json", "."]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert!(run.stderr.contains("; 1 added to publish.toml"), "{}", run.stderr);
    site.build(0);
    let all = output(&site);
    assert!(all.contains("Peat") && !all.contains("Bryum"));
    // A second import adds nothing, and edits are kept.
    let list = std::fs::read_to_string(site.path("publish.toml")).expect("a list");
    site.write("publish.toml", format!("# Mine.\ntags = ['open']\n{list}"));
    let run = site.run(&["import", "export.json", "."]);
    assert!(run.stderr.contains("; 0 added to publish.toml"), "{}", run.stderr);
    let kept = std::fs::read_to_string(site.path("publish.toml")).expect("a list");
    assert_eq!(kept, format!("# Mine.\ntags = ['open']\n{list}"));
}

//! Sites with a few short conversations.

use std::fs;

use serde_json::{Value, json};

use super::preview::Preview;
use super::{SiteTest, convo};

/// Two conversations, one with code, and a private one.
pub(crate) fn two_conversations() -> SiteTest {
    let text = "Hello.\n\n### @Ada\nYes.\n\n```rust\nlet x = 1;\n```";
    let titled =
        |title: &str| convo(text).replace("\"type\"", &format!("\"title\": \"{title}\", \"type\""));
    SiteTest::new()
        .file("content/a.convo", titled("One"))
        .file("content/b.convo", titled("Two").replace("Hello", "Servus"))
        .file(
            "content/p.convo",
            convo("Zyzzyva.").replace("\"type\"", "\"private\": true, \"type\""),
        )
}

/// The URL path of the page of `a.convo`.
pub(crate) fn page_of_a(preview: &Preview) -> String {
    let home = preview.text("/base/");
    let at = home.find("/base/c/2026-01-02-one-").expect("a link");
    home[at..].split('"').next().expect("an address").to_owned()
}

/// Replaces a text in `a.convo`.
pub(crate) fn edit(site: &SiteTest, from: &str, to: &str) {
    let text = fs::read_to_string(site.path("content/a.convo")).expect("text");
    assert!(text.contains(from), "{from}");
    site.write("content/a.convo", text.replace(from, to));
}

/// A conversation with a title, a date and turns.
pub(crate) fn talk(title: &str, day: &str, more: &str, turns: &[(&str, &str)]) -> String {
    let body: String = turns.iter().map(|(who, text)| format!("### @{who}\n{text}\n\n")).collect();
    let mut names: Vec<&str> = turns.iter().map(|(who, _)| *who).collect();
    names.sort_unstable();
    names.dedup();
    let names: Vec<Value> = names
        .iter()
        .map(|name| match *name {
            "Bot" => {
                json!({"name": "Bot", "generative": true, "generative:model": "m-1.5"})
            }
            name => json!(name),
        })
        .collect();
    let (names, title) = (json!(names), json!(title));
    format!(
        "{body}----\n{{\"title\": {title}, \"type\": \"dialog\", \"time\": \"{day}\"{more}, \
         \"participants\": {names}}}\n"
    )
}

const TAGS: &str = "[[source]]\nfiles = \"b.convo\"\ntags = [\"Maß\"]\n";

pub(crate) fn small() -> SiteTest {
    SiteTest::new()
        .file("site.toml", format!("{}{TAGS}", super::BASE))
        .file(
            "content/a.convo",
            talk(
                "Lifetimes in Rust",
                "2024-05-06",
                ", \"languages\": [\"en\"]",
                &[
                    ("Ada", "How does the *borrow* **checker** work? I was searching for it."),
                    (
                        "Bot",
                        "It follows `snake_case` names.\n\n```rust\nlet zebra = foo.bar();\n```",
                    ),
                    ("Ada", "Error E0308 & C++ <b>bold</b> again."),
                    ("Bot", "The checker may borrow what it likes."),
                ],
            ),
        )
        .file(
            "content/b.convo",
            talk(
                "Über Größe",
                "2025-07-08",
                ", \"languages\": [\"de\"]",
                &[("Ada", "Häuser und Katzen."), ("Bot", "日本語の検索エンジン")],
            ),
        )
        .file(
            "content/c.convo",
            talk("Nothing much", "2026-01-01", "", &[("Eve", "A kubernetes cluster.")]),
        )
}

/// A log of `count` exchanges, with one record per line.
pub(crate) fn log(count: usize) -> String {
    let mut log = String::new();
    for number in 0..count {
        for (from, to, text) in [("ada", "wren", "question"), ("wren", "user", "answer")] {
            let entry = json!({"id": format!("{from}{number}"), "timestamp": 1_770_000_000 + number,
                "from": from, "to": to, "content": format!("{text} {number}"),
                "entry_type": "message"});
            log.push_str(&format!("{entry}\n"));
        }
    }
    log
}

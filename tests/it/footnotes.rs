//! Footnotes of documents that define them at their end.

use convo_site::formats;
use convo_site::model::Conversation;

use crate::support::{BASE, SiteTest};

/// A turn of a document: its speaker and its text.
type DocumentTurn<'a> = (&'a str, &'a str);

/// Reads turns in each format of documents.
fn read(turns: &[DocumentTurn<'_>]) -> [(&'static str, Conversation); 2] {
    let all = |turn: fn(&DocumentTurn<'_>) -> String| {
        turns.iter().map(turn).collect::<Vec<_>>().join("\n\n")
    };
    let front = "---\nspeakers: [Ada, Bob]\n---\n\n".to_owned();
    let markdown = front + &all(|(name, text)| format!("**{name}:** {text}"));
    let turns = all(|(name, text)| format!("### @{name}\n{text}"));
    let object = "\n\n----\n{\"type\": \"dialog\", \"time\": \"2026-01-02\", \"participants\": [\"Ada\", \"Bob\"]}\n";
    [("a.md", markdown), ("a.convo", turns + object)].map(|(file, text)| {
        let (mut read, notes) = formats::read(file, text.as_bytes());
        assert!(notes.is_empty(), "{file}: {notes:?}");
        (file, read.pop().expect("a conversation"))
    })
}

#[track_caller]
fn check(turns: &[DocumentTurn<'_>], expected: &[&str]) {
    for (file, read) in read(turns) {
        let found: Vec<_> = read.turns.iter().map(|turn| turn.text()).collect();
        assert_eq!(found, expected, "{file}");
    }
}

#[test]
fn definitions_are_moved_to_the_turns_that_mention_them() {
    check(
        &[
            ("Ada", "Eels[^1] swim."),
            ("Bob", "Clocks[^2] tick, eels[^1] too."),
            ("Ada", "Yes.\n\n[^1]: Fish.\n[^2]: Made of *brass*.\n\n    They weigh much."),
        ],
        &[
            "Eels[^1] swim.\n\n[^1]: Fish.",
            "Clocks[^2] tick, eels[^1] too.\n\n[^2]: Made of *brass*.\n\n    They weigh much.\n\n[^1]: Fish.",
            "Yes.",
        ],
    );
    // Definitions may mention others.
    check(
        &[("Ada", "A[^a]."), ("Bob", "B.\n\n[^a]: See[^b].\n\n[^b]: C.")],
        &["A[^a].\n\n[^a]: See[^b].\n\n[^b]: C.", "B."],
    );
}

#[test]
fn other_definitions_stay_where_they_are() {
    for turns in [
        // Nobody mentions it.
        [("Ada", "A."), ("Bob", "B.\n\n[^a]: C.")],
        // Its own turn mentions it.
        [("Ada", "A."), ("Bob", "B[^a].\n\n[^a]: C.")],
        // Each turn has its own.
        [("Ada", "A[^a].\n\n[^a]: One."), ("Bob", "B[^a].\n\n[^a]: Two.")],
        // Code mentions nothing and defines nothing.
        [("Ada", "`A[^a]`."), ("Bob", "B.\n\n[^a]: C.")],
        [("Ada", "A[^a]."), ("Bob", "B.\n\n```\n[^a]: C.\n```")],
    ] {
        check(&turns, &turns.map(|(_, text)| text));
    }
    // A turn that mentions it too keeps a copy.
    check(
        &[("Ada", "A[^a]."), ("Bob", "B[^a].\n\n[^a]: C.")],
        &["A[^a].\n\n[^a]: C.", "B[^a].\n\n[^a]: C."],
    );
    // Of several definitions, the next one counts.
    check(
        &[
            ("Ada", "A[^a].\n\n[^a]: One."),
            ("Bob", "B[^a]."),
            ("Ada", "C[^a].\n\n[^a]: Two."),
            ("Bob", "D[^a]."),
        ],
        &[
            "A[^a].\n\n[^a]: One.", "B[^a].\n\n[^a]: Two.", "C[^a].\n\n[^a]: Two.",
            "D[^a].\n\n[^a]: Two.",
        ],
    );
    // A turn does not become empty.
    check(&[("Ada", "A[^a]."), ("Bob", "[^a]: C.")], &["A[^a].\n\n[^a]: C.", "[^a]: C."]);
}

#[test]
fn copies_of_definitions_do_not_multiply() {
    let long = "word ".repeat(20_000);
    let mut turns = vec![("Ada", "A[^a].".to_owned()); 500];
    turns.push(("Bob", format!("B.\n\n[^a]: {long}")));
    let turns: Vec<DocumentTurn<'_>> =
        turns.iter().map(|(name, text)| (*name, text.as_str())).collect();
    for (file, read) in read(&turns) {
        let size: usize = read.turns.iter().map(|turn| turn.text().len()).sum();
        assert!(size < 400_000, "{file}: {size}");
    }
}

#[test]
fn pages_link_mentions_with_their_definitions() {
    let text = "**Ada:** Eels[^note] swim.\n\n**Bob:** Yes.\n\n[^note]: Fish.\n";
    let site = SiteTest::new().file("site.toml", BASE).file("content/a.md", text);
    site.build(0);
    let page = site.page("c/", "index.html");
    let turns: Vec<&str> = page.split("<article class=\"turn").skip(1).collect();
    let [ada, bob] = turns.as_slice() else { panic!("{page}") };
    assert!(!page.contains("[^note]"), "{page}");
    assert!(ada.contains("-n1\">1</a></sup> swim.") && ada.contains("<p>Fish.</p>"), "{ada}");
    assert!(!bob.contains("Fish"), "{bob}");
}

//! Duplicate conversations, and conversations that only start in the same way.

use crate::support::{SiteTest, convo};

/// A conversation with these turns.
fn talk(title: &str, turns: &[&str]) -> String {
    let names = ["Ada", "Wren"];
    let numbered = turns.iter().enumerate();
    let text: String =
        numbered.map(|(at, text)| format!("### @{}\n{text}\n\n", names[at % 2])).collect();
    format!(
        "{text}----\n{{\"title\": \"{title}\", \"type\": \"dialog\", \"time\": \"2026-01-02\", \
         \"participants\": [\"Ada\", \"Wren\"]}}\n"
    )
}

#[test]
fn only_conversations_that_continue_alike_are_reported() {
    let site = SiteTest::new()
        .file("content/show-1.convo", talk("One", &["Welcome!", "Hi.", "Tides.", "Yes."]))
        .file("content/show-2.convo", talk("Two", &["Welcome!", "Hello.", "Moss.", "Yes."]))
        .file("content/show-3.convo", talk("Three", &["Welcome!", "Hi.", "Owls.", "No."]))
        .file("content/twice.convo", talk("One", &["Welcome!", "Hi.", "Tides.", "Yes."]))
        .file(
            "content/went-on.convo",
            talk("More", &["Welcome!", "Hello.", "Moss.", "Yes.", "And peat?", "No.", "So.", "X"]),
        );
    let run = site.run(&["check", "--message-format", "short"]);
    let reported: Vec<&str> =
        run.stderr.lines().filter(|line| line.contains("duplicate-conversation")).collect();
    assert_eq!(reported.len(), 2, "{}", run.stderr);
    assert!(reported[0].starts_with("content/twice.convo"), "{reported:?}");
    assert!(reported[0].contains("show-1.convo"), "{reported:?}");
    assert!(reported[1].starts_with("content/went-on.convo"), "{reported:?}");
    assert!(reported[1].contains("show-2.convo"), "{reported:?}");
    // Each of them has a page.
    let run = site.build(0);
    assert!(run.stderr.contains("built 5 conversations"), "{}", run.stderr);
}

#[test]
fn monologues_are_duplicates_only_if_they_are_equal() {
    let site = SiteTest::new()
        .file("content/a.convo", convo("Welcome to the show."))
        .file("content/b.convo", convo("Welcome to the show."))
        .file("content/c.convo", {
            let more = convo("Welcome to the show.");
            more.replacen("\n\n----", "\n\n### @Ada\nMore.\n\n----", 1)
        });
    let run = site.run(&["check", "--message-format", "short"]);
    assert_eq!(run.stderr.matches("duplicate-conversation").count(), 1, "{}", run.stderr);
    assert!(run.stderr.contains("content/b.convo: warning"), "{}", run.stderr);
}

/// A data set in which every row repeats the rows before it, with this many bytes per turn.
fn growing_rows(bytes: usize) -> String {
    let turn = |at: usize| {
        let from = ["human", "gpt"][at % 2];
        let words: String = (0..bytes / 8).map(|word| format!(" w{at}x{word}")).collect();
        format!("{{\"from\": \"{from}\", \"value\": \"Turn {at} of the talk.{words}\"}}")
    };
    let row = |turns: usize| {
        let turns: Vec<String> = (0..turns).map(turn).collect();
        format!("{{\"conversations\": [{}]}}\n", turns.join(", "))
    };
    [3, 5, 8, 10, 14].map(row).concat()
}

#[test]
fn rows_that_start_alike_have_separate_pages() {
    for bytes in [200, 20_000] {
        let text = growing_rows(bytes);
        assert_eq!(text.len() > 512 << 10, bytes == 20_000);
        let site = SiteTest::new().file("content/data.jsonl", text);
        let run = site.build(0);
        assert!(run.stderr.contains("built 5 conversations"), "{}", run.stderr);
        let reported = run.stderr.matches("duplicate-conversation").count();
        assert!(reported <= 1, "{}", run.stderr);
        let pages = std::fs::read_dir(site.path("public/c")).expect("pages");
        assert_eq!(pages.count(), 5, "{bytes}: {}", run.stderr);
    }
}

//! Long sessions with agents: prompts, paths and titles are shown as they were typed.

use serde_json::json;

use crate::support::{BASE, SiteTest};

/// A site with a Claude Code session of this prompt and answer.
fn session(prompt: &str, answer: &str) -> SiteTest {
    let record = |uuid: &str, parent: Option<&str>, kind: &str, message: serde_json::Value| {
        let record = json!({
            "type": kind, "uuid": uuid, "parentUuid": parent, "sessionId": "s1", "version": "2.1.0",
            "cwd": "/Users/ada/mill", "timestamp": "2026-03-01T10:00:00Z", "message": message,
        });
        format!("{record}\n")
    };
    let prompt_record = record("u1", None, "user", json!({"role": "user", "content": prompt}));
    let text = json!([{"type": "text", "text": answer}]);
    let answer_record =
        json!({"role": "assistant", "id": "m1", "model": "claude-opus-4", "content": text});
    let answer_record = record("u2", Some("u1"), "assistant", answer_record);
    let site = SiteTest::new().file("content/s.jsonl", prompt_record + &answer_record);
    site.file("site.toml", format!("{BASE}downloads = [\"markdown\"]\n"))
}

/// A home folder becomes `~`, and two tildes would strike through the text between them.
#[test]
fn hidden_home_folders_cause_no_strikethrough() {
    for (written, shown) in [
        (
            "see /Users/ada/.claude/projects/-Users-ada-mill/x now",
            "see ~/.claude/projects/~-mill/x now",
        ),
        ("from /Users/ada to /Users/ada/mill", "from ~ to ~/mill"),
        ("keep a~b and /Users/ada/x~", "keep a~b and ~/x~"),
        ("**bold /Users/ada/-Users-ada-x**", "bold ~/~-x"),
    ] {
        let site = session(&format!("Please {written}."), &format!("I {written}."));
        site.build(0);
        let page = site.page("c/", "index.html");
        assert!(!page.contains("<del>") && !page.contains("<s>"), "{written}: {page}");
        let text = page.replace("<strong>", "").replace("</strong>", "");
        assert!(text.contains(&format!("Please {shown}.</p>")), "{written}: {page}");
        assert!(text.contains(&format!("I {shown}.</p>")), "{written}: {page}");
        let description = format!("<meta name=\"description\" content=\"I {shown}");
        assert!(page.contains(&description), "{written}: {page}");
        let feed = site.page("feed", ".json");
        assert!(!feed.contains("<del>") && !feed.contains("ada"), "{feed}");
    }
}

/// Typed or pasted text keeps its lines; anything but prose is a code block.
#[test]
fn a_prompt_keeps_its_lines() {
    for (prompt, shown) in [
        ("Two lines,\nof prose.", vec!["<p>Two lines,<br>\nof prose.</p>"]),
        (
            "It fails:\nTraceback (most recent call last):\n  File \"a.py\", line 3\n    x()\nValueError: no\n\nWhy?",
            vec![
                "<p>It fails:</p>",
                "<code>Traceback (most recent call last):\n  File ",
                "<p>Why?</p>",
            ],
        ),
        (
            "2026-01-02 10:00:01 INFO *a*\n2026-01-02 10:00:02 WARN _b_",
            vec!["<code>2026-01-02 10:00:01 INFO *a*\n2026-01-02 10:00:02 WARN _b_\n</code>"],
        ),
        (
            "+----+----+\n| a  | b  |\n+----+----+",
            vec!["<code>+----+----+\n| a  | b  |\n+----+----+\n</code>"],
        ),
        (
            "error[E0308]: mismatched types\n --> src/main.rs:4:5\n  |\n4 |     x\n  |     ^ expected `u8`",
            vec!["<code>error[E0308]: mismatched types\n --&gt; src/main.rs:4:5\n  |\n4 |     x\n"],
        ),
        (
            "Check these settings:\nname = mill\n# keep this\npath = C:/mill",
            vec![
                "<p>Check these settings:</p>",
                "<code>name = mill\n# keep this\npath = C:/mill\n</code>",
            ],
        ),
        ("gauge: 3\nvalve: open", vec!["<p>gauge: 3<br>\nvalve: open</p>"]),
        ("- oil\n- water\n\n1. fill", vec!["<li>oil</li>", "<li>fill</li>"]),
    ] {
        let site = session(prompt, prompt);
        site.build(0);
        let page = site.page("c/", "index.html");
        let (_, turns) = page.split_once("class=\"turn person").expect("a prompt");
        let (asked, answer) = turns.split_once("class=\"turn assistant").expect("an answer");
        for part in shown {
            assert!(asked.contains(part), "{part}: {asked}");
        }
        assert!(!answer.contains("<br>"), "{answer}");
        // Copies contain the text as typed.
        let copy = site.page("c/", "index.md");
        assert!(copy.contains(prompt.lines().next().expect("a line")), "{copy}");
    }
}

/// Chat exports have prompts too; handwritten texts have none.
#[test]
fn prompts_of_every_program_keep_their_lines() {
    let prompt = "Two lines,\nof prose.";
    let messages = json!({"messages": [{"role": "user", "content": prompt}, {"role": "assistant", "content": "Yes."}]});
    let claude = json!([{"uuid": "c1", "name": "Gate", "created_at": "2026-01-02T10:00:00Z", "updated_at": "2026-01-02T10:00:00Z",
    "chat_messages": [
        {"uuid": "m1", "sender": "human", "text": prompt, "created_at": "2026-01-02T10:00:00Z", "content": [{"type": "text", "text": prompt}]},
        {"uuid": "m2", "sender": "assistant", "text": "Yes.", "created_at": "2026-01-02T10:01:00Z", "content": [{"type": "text", "text": "Yes."}]},
    ]}]);
    let by_hand = format!("**Ada:** {prompt}\n\n**Bea:** Yes.\n");
    for (file, text, keeps) in [
        ("a.json", messages.to_string(), true),
        ("conversations.json", claude.to_string(), true),
        ("a.md", by_hand, false),
    ] {
        let site = SiteTest::new().file(&format!("content/{file}"), text).file("site.toml", BASE);
        site.build(0);
        let page = site.page("c/", "index.html");
        assert_eq!(page.contains("<p>Two lines,<br>\nof prose.</p>"), keeps, "{file}: {page}");
        assert_eq!(page.contains("<p>Two lines,\nof prose.</p>"), !keeps, "{file}: {page}");
    }
}

/// A prompt of more than 24 lines is folded, and none of it is lost.
#[test]
fn a_long_prompt_is_folded() {
    let prompt: String = (0..30).map(|n| format!("Line {n} of the prompt.\n\n")).collect();
    let site = session(&prompt, "Read.");
    site.build(0);
    let page = site.page("c/", "index.html");
    let (start, rest) = page.split_once("<details class=\"fold rest\">").expect("a fold");
    let (rest, _) = rest.split_once("</details>").expect("its end");
    assert!(rest.contains("more lines</summary>"), "{rest}");
    for n in 0..30 {
        let line = format!("<p>Line {n} of the prompt.</p>");
        assert_eq!(start.matches(&line).count() + rest.matches(&line).count(), 1, "{line}");
    }
    assert!(start.contains("Line 5 of") && rest.contains("Line 29 of"));
}

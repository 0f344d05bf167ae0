//! Long sessions with agents: prompts, paths and titles are shown as they were typed.

use serde_json::json;

use crate::support::{BASE, SiteTest};

/// A site with a session of Claude Code in which this was typed and answered.
fn session(prompt: &str, answer: &str) -> SiteTest {
    let record = |uuid: &str, parent: Option<&str>, kind: &str, message: serde_json::Value| {
        let record = json!({
            "type": kind, "uuid": uuid, "parentUuid": parent, "sessionId": "s1", "version": "2.1.0",
            "cwd": "/Users/ada/mill", "timestamp": "2026-03-01T10:00:00Z", "message": message,
        });
        format!("{record}\n")
    };
    let asked = record("u1", None, "user", json!({"role": "user", "content": prompt}));
    let text = json!([{"type": "text", "text": answer}]);
    let answered =
        json!({"role": "assistant", "id": "m1", "model": "claude-opus-4", "content": text});
    let answered = record("u2", Some("u1"), "assistant", answered);
    let site = SiteTest::new().file("content/s.jsonl", asked + &answered);
    site.file("site.toml", format!("{BASE}downloads = [\"markdown\"]\n"))
}

/// A home folder becomes `~`, and two of them strike through what is between them.
#[test]
fn a_hidden_home_folder_strikes_nothing_through() {
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

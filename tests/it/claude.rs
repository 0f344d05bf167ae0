//! Sites from Claude exports: what no page may contain, and what every page must.

use std::fmt::Write as _;
use std::time::{Duration, Instant};

use crate::support::{SiteTest, files_below, project};

/// Marks everything in the fixtures that nobody may read.
const MARK: &str = "zyzzyva";

fn site_of(case: &str) -> SiteTest {
    let site = SiteTest::new();
    let folder = project().join("tests/formats").join(case);
    for (path, bytes) in files_below(&folder) {
        if let Some(path) = path.strip_prefix("input/") {
            site.write(&format!("content/export/{path}"), bytes);
        } else if path.starts_with("input.") {
            site.write("content/export.json", bytes);
        }
    }
    site
}

#[test]
fn private_parts_of_exports_are_not_published() {
    for case in [
        "claude/private", "claude/beside", "claude/search-and-citations", "claude/report",
        "claude/thinking", "claude/attachments", "claude-design/chat",
        "claude-design/interjection",
    ] {
        let site = site_of(case);
        let run = site.run(&["build"]);
        assert_eq!(run.code, Some(0), "{case}: {}", run.stderr);
        let output = site.output();
        assert!(output.keys().any(|path| path.starts_with("c/")), "{case}: no page");
        for (path, bytes) in output {
            let text = String::from_utf8_lossy(&bytes).to_lowercase();
            assert!(!path.contains(MARK) && !text.contains(MARK), "{case}: {path}");
        }
    }
}

#[test]
fn files_missing_from_an_export_are_reported_once() {
    let site = site_of("claude/attachments");
    let run = site.run(&["build", "--message-format", "json"]);
    let reported = run.stdout.matches("missing-attachment").count();
    assert_eq!(reported, 1, "{}", run.stdout);
    assert!(!run.stdout.contains("\"warning\""), "{}", run.stdout);
}

#[test]
#[ignore = "measures time or memory: `sh tests/run` runs it"]
fn a_long_conversation_is_read_in_linear_time() {
    let mut export = String::from(
        r#"[{"uuid":"c","name":"Long","created_at":"2026-03-04T09:00:00Z","chat_messages":["#,
    );
    for n in 0..50_000 {
        let (before, sender) = (n.max(1) - 1, if n % 2 == 0 { "human" } else { "assistant" });
        let block = match n % 4 {
            1 => {
                r#"{"type":"tool_use","name":"artifacts","input":{"id":"a","command":"create","title":"x","content":"b"}}"#
            }
            3 => {
                r#"{"type":"tool_use","name":"artifacts","input":{"id":"a","command":"update","old_str":"b","new_str":"bb"}}"#
            }
            _ => r#"{"type":"text","text":"words"}"#,
        };
        // Every tenth message starts a fork.
        let before = if n % 10 == 9 { before.max(2) - 2 } else { before };
        write!(
            export,
            r#"{}{{"uuid":"m{n}","parent_message_uuid":"m{before}","sender":"{sender}","text":"","content":[{block}],"created_at":"2026-03-04T09:00:00Z"}}"#,
            if n == 0 { "" } else { "," },
        )
        .expect("written");
    }
    export.push_str("]}]");
    let start = Instant::now();
    let (read, notes) = convo_site::formats::read("conversations.json", export.as_bytes());
    assert_eq!((read.len(), notes.len()), (1, 0), "{notes:?}");
    assert_eq!(read[0].all_turns().count(), 50_000);
    assert!(start.elapsed() < Duration::from_secs(60), "{:?}", start.elapsed());
}

#[test]
fn a_small_change_in_a_long_line_adds_little_output() {
    let half = "x".repeat(25_000);
    let mut export = format!(
        r#"[{{"uuid":"c","name":"Long","created_at":"2026-03-04T09:00:00Z","chat_messages":[{{"uuid":"m","sender":"assistant","text":"","created_at":"2026-03-04T09:00:00Z","content":[{{"type":"tool_use","name":"artifacts","input":{{"id":"a","command":"create","title":"x","content":"{half}A{half}"}}}}"#
    );
    for n in 0..300 {
        let (old, new) = if n % 2 == 0 { ("A", "B") } else { ("B", "A") };
        write!(
            export,
            r#",{{"type":"tool_use","name":"artifacts","input":{{"id":"a","command":"update","old_str":"{old}","new_str":"{new}"}}}}"#
        )
        .expect("written");
    }
    export.push_str("]}]}]");
    let (read, _) = convo_site::formats::read("conversations.json", export.as_bytes());
    let shown: usize = read[0].all_turns().map(|turn| turn.text().len()).sum();
    assert!(shown < 20 * export.len(), "{shown} of {}", export.len());
}

#[test]
fn a_conversation_repeated_in_an_export_has_one_page() {
    let record = r#"{"uuid":"c","name":"Often","created_at":"2026-03-04T09:00:00Z","chat_messages":[{"uuid":"m","sender":"human","text":"Hello.","created_at":"2026-03-04T09:00:00Z"}]}"#;
    let export = format!("[{}]", vec![record; 5000].join(","));
    let (read, _) = convo_site::formats::read("conversations.json", export.as_bytes());
    assert_eq!(read.len(), 1);
}

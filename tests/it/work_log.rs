//! The work of agents: runs of tool calls, diffs, files, commands, and the strip above a session.

use serde_json::{Value, json};

use crate::support::{BASE, SiteTest};

/// A call of a tool and its result.
type Call = (&'static str, Value, Value);

/// A site with a session of Claude Code: a prompt, and messages with a text or calls each.
fn session(messages: &[(&str, &[Call])]) -> SiteTest {
    let mut log = String::new();
    let mut last: Option<String> = None;
    let mut add = |kind: &str, message: Value, result: Option<&Value>| {
        let uuid = format!("u{}", log.lines().count());
        let mut record = json!({
            "type": kind, "uuid": uuid, "parentUuid": last, "sessionId": "s1",
            "version": "2.1.0", "cwd": "/mill",
            "timestamp": format!("2026-03-01T10:{:02}:00Z", log.lines().count()),
            "message": message,
        });
        if let Some(result) = result {
            record["toolUseResult"] = result.clone();
        }
        log.push_str(&format!("{record}\n"));
        last = Some(uuid);
    };
    add("user", json!({"role": "user", "content": "Fix the wheel."}), None);
    for (number, (text, calls)) in messages.iter().enumerate() {
        let mut content: Vec<Value> = Vec::new();
        if !text.is_empty() {
            content.push(json!({"type": "text", "text": text}));
        }
        let ids = (0..calls.len()).map(|call| format!("toolu_{number}_{call}"));
        let ids: Vec<String> = ids.collect();
        for (id, (name, input, _)) in ids.iter().zip(calls.iter()) {
            content.push(json!({"type": "tool_use", "id": id, "name": name, "input": input}));
        }
        let id = format!("m{number}");
        let message =
            json!({"role": "assistant", "id": id, "model": "claude-opus-4", "content": content});
        add("assistant", message, None);
        for (id, (_, _, result)) in ids.iter().zip(calls.iter()) {
            let failed = result["failed"].as_bool().unwrap_or_default();
            let output = &result["output"];
            let content = json!([{"type": "tool_result", "tool_use_id": id, "content": output,
                "is_error": failed}]);
            let message = json!({"role": "user", "content": content});
            add("user", message, result.get("structured"));
        }
    }
    SiteTest::new().file("content/s.jsonl", log).file("site.toml", BASE)
}

fn page(messages: &[(&str, &[Call])]) -> String {
    let site = session(messages);
    site.build(0);
    site.page("c/", "index.html")
}

fn read(path: &str, text: &str) -> Call {
    ("Read", json!({"file_path": path}), json!({"output": text}))
}

fn bash(command: &str, output: &str) -> Call {
    ("Bash", json!({"command": command}), json!({"output": output}))
}

fn edit(path: &str, before: &str, after: &str) -> Call {
    let input = json!({"file_path": path, "old_string": before, "new_string": after});
    ("Edit", input, json!({"output": "The file has been updated."}))
}

/// A to-do list with the states of its items.
fn todo(items: &[(&str, &str)]) -> Call {
    let items = items.iter().map(|(text, state)| json!({"content": text, "status": state}));
    let items: Vec<Value> = items.collect();
    ("TodoWrite", json!({"todos": items}), json!({"output": "Todos have been modified."}))
}

/// Returns the text between two marks.
fn between<'t>(text: &'t str, start: &str, end: &str) -> &'t str {
    let (_, rest) = text.split_once(start).unwrap_or_else(|| panic!("{start} in {text}"));
    rest.split_once(end).unwrap_or_else(|| panic!("{end} in {rest}")).0
}

#[test]
fn a_run_of_calls_is_one_line() {
    for (calls, line) in [
        (vec![read("/mill/a.rs", "     1→x"), read("/mill/b.rs", "     1→y")], "Read 2 files"),
        (vec![read("/mill/a.rs", "     1→x"), read("/mill/a.rs", "     1→x")], "Read 1 file"),
        (
            vec![
                read("/mill/a.rs", "     1→x"),
                edit("/mill/a.rs", "x", "y\nz"),
                bash("cd mill && cargo test --lib", "ok"),
            ],
            "Read 1 file · edited 1 file (+2 −1) · ran tests",
        ),
        (vec![bash("ls", "a"), bash("cargo testing", "b")], "Ran 2 commands"),
        (
            vec![
                ("Grep", json!({"pattern": "x"}), json!({"output": "a.rs:1:x"})),
                ("Glob", json!({"pattern": "*.rs"}), json!({"output": "a.rs"})),
                ("WebFetch", json!({"url": "https://a.example/"}), json!({"output": "A"})),
                ("WebSearch", json!({"query": "wheels"}), json!({"output": "B"})),
            ],
            "Searched files 2 times · opened 1 page · searched the web",
        ),
        (
            vec![
                ("Skill", json!({"skill": "painting"}), json!({"output": "ok"})),
                ("Skill", json!({"skill": "oiling"}), json!({"output": "ok"})),
            ],
            "Skill",
        ),
    ] {
        let page = page(&[("I look.", &calls), ("Done.", &[])]);
        let run = between(&page, "<details class=\"fold tool run\"", "</summary>");
        assert!(run.ends_with(&format!("<summary>{line}")), "{line}: {run}");
    }
    // A single call needs no line of its own.
    let page = page(&[("I look.", &[bash("ls", "a")]), ("Done.", &[])]);
    assert!(!page.contains("fold tool run"), "{page}");
}

#[test]
fn edits_that_failed_are_not_counted() {
    let failed = |path: &str| -> Call {
        let (name, input, _) = edit(path, "a", "b");
        (name, input, json!({"output": "not found", "failed": true}))
    };
    let edits = [edit("/mill/wheel.rs", "a", "b\nc"), failed("/mill/axle.rs")];
    let page = self::page(&[("I edit.", &edits), ("Done.", &[])]);
    let summary = between(&page, "<details class=\"fold tool run\"", "</summary>");
    assert!(summary.contains("Edited 1 file (+2 −1)") && summary.contains("1 failed"), "{summary}");
    let edits = [failed("/mill/wheel.rs"), failed("/mill/axle.rs")];
    let page = self::page(&[("I edit.", &edits), ("Done.", &[])]);
    let summary = between(&page, "<details class=\"fold tool run\"", "</summary>");
    assert!(summary.contains("2 failed"), "{summary}");
}

#[test]
fn the_output_of_a_command_keeps_its_colours() {
    let output = "\u{1b}[32mok\u{1b}[0m a <b>\n\u{1b}[1;31mFAILED\u{1b}[0m wheel";
    let page = page(&[("I test.", &[bash("make test", output)]), ("Done.", &[])]);
    let expected = "<code><i class=i>ok</i> a &lt;b&gt;\n<i class=d>FAILED</i> wheel</code>";
    assert!(page.contains(expected), "{page}");
    // Of many lines, the last ones are shown, in their colours too.
    let line = |n: usize| format!("\u{1b}[3{}mline {n}\u{1b}[0m\n", 1 + n % 2);
    let output: String = (1..=30).map(line).collect();
    let page = self::page(&[("I test.", &[bash("make test", &output)]), ("Done.", &[])]);
    assert!(
        page.contains("<code><i class=d>line 2") || page.contains("<code><i class=i>line 1</i>"),
        "{page}"
    );
    assert_eq!(page.matches("<i class=d>line ").count(), 15, "{page}");
    // Words that were redacted leave no colours at wrong places.
    let site =
        session(&[("I test.", &[bash("make", "\u{1b}[31mred\u{1b}[0m at Acme")]), ("Done.", &[])]);
    site.write("site.toml", format!("{BASE}[[redact]]\nwords = [\"Acme\"]\n"));
    site.build(0);
    let page = site.page("c/", "index.html");
    assert!(page.contains("red at [redacted]"), "{page}");
}

#[test]
fn a_failure_is_named_in_the_summary_and_open() {
    let failed = (
        "Bash",
        json!({"command": "make"}),
        json!({"output": "Exit code 2\nno rule", "failed": true}),
    );
    let page = page(&[("I build.", &[bash("ls", "a"), failed]), ("It fails.", &[])]);
    let run = between(&page, "<details class=\"fold tool run\"", "</summary>");
    assert!(run.ends_with("Ran 2 commands <span class=\"state failed\">1 failed</span>"), "{run}");
    assert_eq!(page.matches("class=\"fold tool command\" open").count(), 1, "{page}");
    assert_eq!(page.matches("class=\"fold tool command\"").count(), 2, "{page}");
}

/// Turns without text belong to the run before, and links to them still work.
#[test]
fn a_run_continues_in_the_next_turns() {
    let page = page(&[
        ("I look.", &[read("/mill/a.rs", "     1→x")]),
        ("", &[read("/mill/b.rs", "     1→y")]),
        ("", &[edit("/mill/b.rs", "y", "z")]),
        ("Done.", &[]),
    ]);
    assert_eq!(page.matches("fold tool run").count(), 1, "{page}");
    assert!(page.contains("<summary>Read 2 files · edited 1 file (+1 −1)</summary>"), "{page}");
    assert_eq!(page.matches("<article").count(), page.matches("</article>").count());
    assert_eq!(page.matches("<details").count(), page.matches("</details>").count());
    let ids: Vec<&str> = page
        .match_indices("class=\"permalink\" href=\"#")
        .map(|(at, mark)| {
            let rest = &page[at + mark.len()..];
            rest.split('"').next().unwrap_or_default()
        })
        .collect();
    for id in &ids {
        assert_eq!(page.matches(&format!("id=\"{id}\"")).count(), 1, "{id}: {page}");
    }
}

#[test]
fn a_read_file_has_line_numbers_and_no_arguments() {
    let text = "    86→fn main() {\n    87→    turn();\n    88→}\n";
    let input = json!({"file_path": "/mill/wheel.rs", "offset": 86, "limit": 3});
    let page = page(&[("I look.", &[("Read", input, json!({"output": text}))]), ("Done.", &[])]);
    let call = between(&page, "<details class=\"fold tool read\"", "</details>");
    assert!(call.contains("/mill/wheel.rs:86–88</span> <span class=\"count\">3 lines"), "{call}");
    assert!(call.contains("aria-hidden=\"true\">86\n87\n88\n</pre>"), "{call}");
    assert!(call.contains("<i class=k>fn</i> <i class=f>main</i>() {\n"), "{call}");
    assert!(
        !call.contains('→') && !call.contains("Arguments") && !call.contains("limit"),
        "{call}"
    );
}

#[test]
fn the_answer_of_an_agent_is_markdown() {
    let long =
        format!("## Found\n\n{}\n- the **last**\n\nSee [x](secret.md).", "- one\n\n".repeat(40));
    for (answer, shown) in [
        ("Two **wheels**:\n\n```rust\nfn main() {}\n```", vec!["<strong>wheels</strong>", "<pre"]),
        (&long, vec!["<h3>Found</h3>", "<details class=\"fold rest\"", "<strong>last</strong>"]),
        ("<b>bold</b> ![x](https://a.example/x.png)", vec!["&lt;b&gt;bold"]),
    ] {
        let input = json!({"description": "Count", "prompt": "Count them."});
        let page =
            page(&[("I ask.", &[("Task", input, json!({"output": answer}))]), ("Done.", &[])]);
        let call = between(&page, "<details class=\"fold tool agent\"", "Done.");
        for part in shown {
            assert!(call.contains(part), "{part}: {call}");
        }
        assert!(!call.contains("<img") && !call.contains("href=\"secret.md"), "{call}");
    }
}

/// Some programs trim the ends of lines in their logs.
#[test]
fn an_empty_line_of_a_file_has_only_its_number() {
    for text in
        ["1→use axle;\n2\n3→use wheel;\n4", "     1\tuse axle;\n     2\n     3\tuse wheel;\n     4"]
    {
        let page = page(&[("I look.", &[read("/mill/wheel.rs", text)]), ("Done.", &[])]);
        let call = between(&page, "<details class=\"fold tool read\"", "</details>");
        assert!(call.contains("aria-hidden=\"true\">1\n2\n3\n4\n</pre>"), "{call}");
        assert!(call.contains("4 lines"), "{call}");
    }
    // Lines of numbers only are text.
    let page = page(&[("I look.", &[read("/mill/numbers", "1\n2\n3\n")]), ("Done.", &[])]);
    let call = between(&page, "<details class=\"fold tool read\"", "</details>");
    assert!(!call.contains("aria-hidden"), "{call}");
}

/// Arguments that the summary does not show are listed, and output without line numbers is unchanged.
#[test]
fn nothing_of_a_call_is_lost() {
    let long = format!("/mill/{}/wheel.rs", "a-long-folder-name/".repeat(4));
    let pattern = "x".repeat(200);
    let page = page(&[
        (
            "I look.",
            &[
                (
                    "Read",
                    json!({"file_path": long, "pages": "1-3"}),
                    json!({"output": "1. a\n2. b"}),
                ),
                (
                    "Grep",
                    json!({"pattern": pattern, "-n": true}),
                    json!({"output": "No matches found"}),
                ),
                (
                    "Read",
                    json!({"file_path": long}),
                    json!({"output": "     1→a\n\n<note>empty</note>"}),
                ),
            ],
        ),
        ("Done.", &[]),
    ]);
    for kept in ["1-3", &pattern, "1. a\n2. b", "0 results", "&lt;note&gt;empty", "-n"] {
        assert!(page.contains(kept), "{kept}: {page}");
    }
    assert!(page.matches(&long).count() >= 2, "{page}");
}

#[test]
fn an_edit_is_a_diff_in_the_colours_of_its_language() {
    let page = page(&[
        ("I edit.", &[edit("/mill/wheel.rs", "let a = 1;\nb();", "let a = 2;\nb();")]),
        ("Done.", &[]),
    ]);
    let call = between(&page, "<details class=\"fold tool edit\"", "</details>");
    assert!(call.starts_with(" open"), "{call}");
    assert!(call.contains("<span class=\"change\" dir=\"ltr\">+1 −1</span>"), "{call}");
    let rows = between(call, "<pre class=\"diff\"><code>", "</code>");
    let text = rows.replace("<i class=k>", "").replace("<i class=f>", "").replace("</i>", "");
    let expected = "<span class=\"del\">-let a = 1;\n</span><span class=\"add\">+let a = 2;\n</span>\
                    <span> b();\n</span>";
    assert_eq!(text, expected, "{rows}");
    assert!(rows.contains("<i class=k>let</i>"), "{rows}");
}

/// Several agents write patches in the format of Codex.
#[test]
fn a_patch_is_a_diff_of_its_files() {
    let patch = "*** Begin Patch\n*** Update File: /mill/wheel.rs\n@@ fn turn\n-slow\n+fast\n\
                 *** Add File: /mill/axle.rs\n+steel\n*** End Patch";
    for input in [json!({"patchText": patch}), json!({"patch": patch}), json!({"input": patch})] {
        let call = ("apply_patch", input, json!({"output": "Done."}));
        let page = page(&[("I edit.", &[call]), ("Done.", &[])]);
        assert!(page.contains("2 files changed +2 −1"), "{page}");
        let call = between(&page, "<details class=\"fold tool edit\"", "</article>");
        assert!(call.contains("/mill/wheel.rs") && call.contains("/mill/axle.rs"), "{call}");
        assert!(!call.contains("Begin Patch"), "{call}");
    }
}

#[test]
fn a_diff_with_known_places_has_the_numbers_of_both_files() {
    let structured = json!({"type": "update", "structuredPatch": [
        {"oldStart": 9, "oldLines": 2, "newStart": 9, "newLines": 2, "lines": [" a", "-b", "+c"]}]});
    let (name, input, _) = edit("/mill/wheel.txt", "b", "c");
    let call = (name, input, json!({"output": "ok", "structured": structured}));
    let page = page(&[("I edit.", &[call]), ("Done.", &[])]);
    let lines = between(&page, "<div class=\"lines\"", "</div>");
    // Browsers drop the line break directly behind `<pre>`, so the first row needs two.
    assert!(
        lines.contains(">\n\n9\n10\n\n</pre>") && lines.contains(">\n\n9\n\n10\n</pre>"),
        "{lines}"
    );
    assert!(lines.contains("<span class=\"hunk\">@@ -9,2 +9,2 @@\n</span>"), "{lines}");
}

/// Numbers in files can be larger than any line.
#[test]
fn impossible_line_numbers_are_text() {
    let most = u64::MAX;
    let structured = json!({"type": "update", "structuredPatch": [
        {"oldStart": i64::MAX, "oldLines": 1, "newStart": i64::MAX, "newLines": 1,
         "lines": [" a", "-b", "+c"]}]});
    let (name, input, _) = edit("/mill/wheel.txt", "b", "c");
    let page = page(&[
        (
            "I look.",
            &[
                read("/mill/a.rs", &format!("{most}→x\n0→y")),
                (name, input, json!({"output": "ok", "structured": structured})),
            ],
        ),
        ("Done.", &[]),
    ]);
    assert!(
        page.contains(&most.to_string()) && page.contains("→x\n") && page.contains("Done."),
        "{page}"
    );
    assert!(page.contains("<span class=\"add\">+c\n</span>"), "{page}");
}

#[test]
fn a_long_edit_is_folded() {
    let after: String = (0..30).map(|line| format!("line {line}\n")).collect();
    let page = page(&[("I edit.", &[edit("/mill/wheel.txt", "a", &after)]), ("Done.", &[])]);
    let call = between(&page, "<details class=\"fold tool edit\"", "<summary>");
    assert!(!call.contains("open"), "{call}");
}

#[test]
fn a_command_shows_the_end_of_its_output() {
    let output: Vec<String> = (1..=40).map(|line| format!("line {line}")).collect();
    let page = page(&[("I run.", &[bash("make all", &output.join("\n"))]), ("Done.", &[])]);
    let call = between(&page, "<details class=\"fold tool command\"", "</article>");
    let (before, after) = call.split_once("28 earlier lines").expect("the number of lines");
    assert!(before.contains("make all") && !before.contains("line 1"), "{before}");
    let (folded, shown) = after.split_once("</details>").expect("the fold");
    assert!(folded.contains("line 1\n") && folded.contains("line 28\n"), "{folded}");
    assert!(shown.contains("line 29\n") && shown.contains("line 40"), "{shown}");
}

#[test]
fn the_strip_above_a_session_summarises_the_work() {
    let failed = ("Bash", json!({"command": "make"}), json!({"output": "no rule", "failed": true}));
    let page = page(&[
        ("I edit.", &[edit("/mill/wheel.rs", "a", "b\nc"), edit("/mill/axle.rs", "a", "b")]),
        ("I try.", &[bash("ls", "a"), failed]),
        ("I edit again.", &[edit("/mill/wheel.rs", "b", "d")]),
    ]);
    let strip = between(&page, "<p class=\"meta session\"", "</p>");
    for fact in ["2 files changed +4 −3</span>", "2 commands, 1 failed</span>", "1 min 0 s</span>"]
    {
        assert!(strip.contains(fact), "{fact}: {strip}");
    }
    let files = between(&page, "<details class=\"about files\"", "</details>");
    let wheel = between(files, "/mill/wheel.rs", "</li>");
    assert!(wheel.contains(">2</a>") && wheel.contains("+3 −2"), "{files}");
    for link in files.split("href=\"#").skip(1) {
        let id = link.split('"').next().unwrap_or_default();
        assert!(page.contains(&format!("id=\"{id}\"")), "{id}");
    }
    // A conversation without work has none.
    let plain = self::page(&[("Which wheel?", &[])]);
    assert!(!plain.contains("meta session"), "{plain}");
}

/// Some agents update one item at a time.
#[test]
fn a_finished_item_stays_on_the_to_do_list() {
    let all = [
        todo(&[("Lift the wheel", "in_progress"), ("Oil the axle", "pending")]),
        todo(&[("Lift the wheel", "completed")]),
        todo(&[("Oil the axle", "pending"), ("Paint the door", "pending")]),
    ];
    let page = page(&[("I plan.", &all), ("Done.", &[])]);
    let list = between(&page, "<details class=\"about todo\"", "</details>");
    assert!(list.contains("1 of 3 done") && list.contains("Lift the wheel"), "{list}");
}

#[test]
fn the_to_do_list_of_a_session_has_its_last_state() {
    let [a, b, c] = ["Lift the wheel", "Oil the axle", "Paint the door"];
    let first = todo(&[(a, "in_progress"), (b, "pending"), (c, "pending")]);
    let then = todo(&[(a, "completed"), (b, "in_progress"), ("Sweep <the> floor", "pending")]);
    let last = todo(&[(b, "completed"), ("Sweep <the> floor", "in_progress")]);
    let page = page(&[("I plan.", &[first]), ("One.", &[then]), ("Two.", &[last])]);
    let list = between(&page, "<details class=\"about todo\"", "</details>");
    assert!(list.contains("<summary>To-do list: 2 of 3 done</summary>"), "{list}");
    let items: Vec<&str> = list.split("<li").skip(1).collect();
    let [lift, oil, sweep] = items.as_slice() else { panic!("three items: {list}") };
    let mut ids = Vec::new();
    for (item, text) in [(lift, a), (oil, b)] {
        assert!(item.contains(" checked") && item.contains(text), "{item}");
        let id = between(item, "<a href=\"#", "\"");
        assert!(page.contains(&format!("id=\"{id}\"")), "{id}");
        assert!(item.contains(">10:01</a>"), "the time of the turn: {item}");
        ids.push(id);
    }
    assert_ne!(ids.first(), ids.last(), "{list}");
    assert!(sweep.contains("aria-current=\"step\"") && sweep.contains("Sweep &lt;the&gt; floor"));
    // An item missing from a later list was dropped.
    assert!(!list.contains(c), "{list}");
}

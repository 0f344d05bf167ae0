//! The time to read long data sets and sessions grows linearly.

use std::time::Duration;

use convo_site::formats;

use crate::support::linear_time::{check_linear, timed};

/// A file name, and a function that generates a text with this many rows.
type Case = (&'static str, fn(usize) -> String);

fn lines(count: usize, row: impl Fn(usize) -> String) -> String {
    (0..count).map(|n| row(n) + "\n").collect()
}

const CASES: [Case; 10] = [
    ("a.jsonl", |count| {
        lines(count, |n| format!(r#"{{"messages": [{{"role": "user", "content": "{n}"}}]}}"#))
    }),
    ("b.json", |count| {
        let row = |n| format!(r#"{{"instruction": "{n}", "output": "x"}}"#);
        format!("[{}]", (0..count).map(row).collect::<Vec<_>>().join(","))
    }),
    ("c.jsonl", |count| {
        lines(count, |n| format!(r#"{{"conversations": [{{"from": "human", "value": "{n}"}}]}}"#))
    }),
    // A single conversation tree in which each message follows the one before it.
    ("d.jsonl", |count| {
        lines(count, |n| {
            let role = if n % 2 == 0 { "user" } else { "assistant" };
            format!(r#"{{"role": "{role}", "content": "{n}"}}"#)
        })
    }),
    ("e.jsonl", |count| {
        lines(count, |n| {
            let parent = n.checked_sub(1).map_or("null".into(), |n| format!("\"{n}\""));
            format!(
                r#"{{"message_tree_id": "t", "message_id": "{n}", "parent_id": {parent}, "role": "prompter", "text": "x", "deleted": {}}}"#,
                n % 3 == 1
            )
        })
    }),
    ("f.md", |count| {
        let turn = |n: usize| {
            format!(
                "_**User**_\n\n{n}\n\n_**Agent (m)**_\n\n<tool-use data-tool-name=\"x\"><details>\n\n```text\n{n}\n```\n</details></tool-use>\n"
            )
        };
        lines(count / 2, turn)
    }),
    // An end mark that does not exist must not be searched for repeatedly.
    ("g.md", |count| {
        let open =
            "<tool-use data-tool-name=\"x\">\n````\n<think>\n<details>\n<summary>Tool use: **x**\n";
        format!("_**User**_\n\nx\n\n_**Agent**_\n\n{}", open.repeat(count / 4))
    }),
    ("h.md", |count| {
        let open = "<system-reminder>\n<think>\n<details>\n<summary>Tool use: **x**\nTool use: **x**\n```\n";
        // An even number, so that every code block is closed.
        let text = open.repeat(count / 16 * 2);
        format!("_**User**_\n\n{text}\n\n_**Agent**_\n\n{text}")
    }),
    // Calls without an end, and footnotes of other turns.
    ("i.md", |count| {
        let calls = "Tool use: **x**\n\n<details>\n".repeat(count / 6);
        let fences = "Tool use: **x**\n\n```a\nTool use: **x**\n---\n".repeat(count / 8);
        format!("_**User**_\n\nx\n\n_**Agent**_\n\n{calls}\n\n_**Agent**_\n\n{fences}\n\n---\n")
    }),
    ("j.md", |count| {
        let turn = |n| format!("**{}:** A[^{}] B[^{n}].\n\n", ["Ada", "Bob"][n % 2], n / 2);
        let note = |n| format!("[^{n}]: See[^{}] and[^{}].\n\n", n + 1, n / 2);
        lines(count / 4, turn) + &lines(count / 4, note)
    }),
];

fn time(case: &Case, count: usize) -> (usize, Duration) {
    let text = (case.1)(count);
    let mut turns = 0;
    let took = timed(|| {
        let (read, _) = formats::read(case.0, text.as_bytes());
        turns = read.iter().map(|read| read.all_turns().count()).sum();
    });
    (turns, took)
}

#[test]
#[ignore = "measures time or memory: `sh tests/run` runs it"]
fn long_data_sets_take_linear_time() {
    for case in &CASES {
        let mut found = Vec::new();
        let linear = check_linear(20_000, |count| {
            let (turns, took) = time(case, count);
            found.push(turns);
            took
        });
        assert!(found[0] > 0 && found[1] >= found[0], "{}: {found:?}", case.0);
        assert_eq!(linear, Ok(()), "{}", case.0);
    }
}

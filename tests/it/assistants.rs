//! Gemini and Copilot: what no page may contain, what every page must, and which files belong
//! together.

use serde_json::{Value, json};

use crate::support::{SiteTest, files_below, project};

/// Marks everything in the fixtures that nobody may read.
const MARK: &str = "zyzzyva";

fn site_of(case: &str) -> SiteTest {
    let site = SiteTest::new();
    let folder = project().join("tests/formats").join(case);
    for (path, bytes) in files_below(&folder) {
        if let Some(path) = path.strip_prefix("input/") {
            site.write(&format!("content/{path}"), bytes);
        } else if let Some(ending) = path.strip_prefix("input.") {
            site.write(&format!("content/session.{ending}"), bytes);
        }
    }
    site
}

/// Everything that readers of a site can see.
fn pages(site: &SiteTest) -> String {
    let output = site.output().into_iter();
    let is_page = |path: &str| path.starts_with("c/") && path.ends_with(".html");
    let pages = output.filter(|(path, _)| is_page(path));
    pages.map(|(_, bytes)| String::from_utf8_lossy(&bytes).into_owned()).collect()
}

#[test]
fn private_parts_of_sessions_are_not_published() {
    for case in [
        "gemini-cli/session", "gemini-cli/log", "gemini-cli/subagents", "gemini-cli/checkpoint",
        "gemini-cli/shared", "claude-code/screen", "claude-code/stream", "codex/stream",
        "gemini-cli/stream", "openai-messages/agent", "gemini-takeout/rich",
        "gemini-takeout/private", "gemini-takeout/page", "vscode-copilot/chat",
        "vscode-copilot/log", "vscode-copilot/export", "copilot-cli/session", "copilot-cli/agents",
        "pi/session", "pi/openclaw", "ai-studio/plain", "ai-studio/rich",
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
fn conversations_marked_as_private_are_withheld() {
    for case in ["gemini-cli", "vscode-copilot", "copilot-cli", "pi", "ai-studio"] {
        let site = site_of(&format!("{case}/private"));
        let run = site.run(&["build"]);
        assert!(!pages(&site).contains("nobody else"), "{case}: {}", run.stderr);
    }
}

#[test]
fn html_in_answers_is_harmless() {
    let site = site_of("gemini-takeout/hostile");
    let run = site.run(&["build"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let pages = pages(&site);
    for shown in ["Safe", "alert(&#39;shown&#39;)", "end"] {
        let escaped = shown.replace("&#39;", "'");
        assert!(pages.contains(shown) || pages.contains(&escaped), "{shown}");
    }
    for hidden in [
        "<script>alert", "alert('script')", "hidden</", "onclick", "onerror", "onload", "<iframe",
        "href=\"javascript:", "<svg onload",
    ] {
        assert!(!pages.contains(hidden), "{hidden}");
    }
}

/// An activity does not name its conversation, and two may have the same time.
#[test]
fn exchanges_at_the_same_time_have_separate_pages() {
    let record = |prompt: &str, answer: &str| {
        json!({"header": "Gemini Apps", "title": format!("Prompted {prompt}"),
            "time": "2026-03-04T09:15:00.123Z", "products": ["Gemini Apps"],
            "safeHtmlItem": [{"html": format!("<p>{answer}</p>")}]})
    };
    let ferry = record("when does the ferry go", "At eight.");
    let moss = record("which moss is this", "Silver moss.");
    let both = json!([moss.clone(), ferry.clone()]);
    for (one, other) in [(both, json!([ferry])), (json!([ferry]), json!([moss]))] {
        let site = SiteTest::new();
        site.write("content/a/MyActivity.json", one.to_string());
        site.write("content/b/MyActivity.json", other.to_string());
        // The same text at the same time is the same activity.
        site.write("content/c/MyActivity.json", one.to_string());
        let run = site.run(&["build"]);
        assert_eq!(run.code, Some(0), "{}", run.stderr);
        let is_page = |path: &&String| path.starts_with("c/") && path.ends_with("/index.html");
        assert_eq!(site.output().keys().filter(is_page).count(), 2, "{}", run.stderr);
        let pages = pages(&site);
        assert!(pages.contains("At eight.") && pages.contains("Silver moss."));
    }
}

#[test]
fn prompts_of_ai_studio_need_no_extension() {
    let site = site_of("ai-studio/drive");
    let run = site.run(&["build"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let pages = pages(&site);
    assert!(pages.contains("They are rung while frozen."), "{}", run.stderr);
    assert!(pages.contains("Why bells crack, part 2.5"));
    assert!(!pages.contains("all: bell"));
}

/// Undone turns are on no page, however a log marks them, and each version counts once.
#[test]
fn undone_turns_of_gemini_cli_are_not_shown() {
    let message = |id: &str, kind: &str, text: &str| json!({"id": id, "timestamp": "2026-03-04T09:15:01.000Z", "type": kind, "content": text});
    let meta =
        json!({"sessionId": "s", "projectHash": "p", "startTime": "2026-03-04T09:15:00.000Z"});
    let read = |records: &[serde_json::Value]| {
        let lines: Vec<String> = records.iter().map(ToString::to_string).collect();
        let (read, notes) = convo_site::formats::read("x.jsonl", lines.join("\n").as_bytes());
        let turns = read.iter().flat_map(|read| &read.turns);
        let turns: Vec<String> = turns.map(convo_site::model::Turn::text).collect();
        (turns, notes.len())
    };
    let two = [message("a", "user", "one"), message("b", "gemini", "two")];
    let [one, two] = two;
    for (changes, expected) in [
        (vec![], vec!["one", "two"]),
        (vec![message("a", "user", "1")], vec!["1", "two"]),
        (vec![json!({"$rewindTo": "b"})], vec!["one"]),
        (vec![json!({"$rewindTo": "b"}), message("b", "gemini", "again")], vec!["one", "again"]),
        (vec![json!({"$rewindTo": "x"}), message("c", "user", "new")], vec!["new"]),
        (vec![json!({"$set": {"messages": [message("d", "user", "all")]}})], vec!["all"]),
        (vec![json!({"$set": {"summary": "T"}})], vec!["one", "two"]),
    ] {
        let mut records = vec![meta.clone(), one.clone(), two.clone()];
        records.extend(changes.clone());
        assert_eq!(read(&records).0, expected, "{changes:?}");
    }
}

/// Other programs also write logs of events with people and tools.
#[test]
fn an_event_log_of_another_program_is_not_a_session() {
    let event = |kind: &str, data: &str| format!("{{\"type\": \"{kind}\", \"data\": {data}}}\n");
    let log = event("build.done", "{}") + &event("user.message", "{\"content\": \"my ticket\"}");
    let (found, _) = convo_site::formats::detect("events.jsonl", &log);
    assert!(found.is_none(), "{:?}", found.map(|format| format.name));
    let log = event("user.message", "{\"content\": \"x\"}")
        + &event("assistant.message", "{\"content\": \"y\"}");
    let (found, _) = convo_site::formats::detect("events.jsonl", &log);
    assert_eq!(found.map(|format| format.name), Some("copilot-cli"));
}

/// A Claude Code log in which two subagents work in parallel, after a turn with this many lines.
fn log_with_subagents(lines: usize) -> String {
    let mut log = String::new();
    let mut number = 0;
    let mut add = |kind: &str, is_aside: bool, parent: Option<usize>, content: Value| {
        number += 1;
        let id = |number: usize| format!("00000000-0000-4000-8000-{number:012}");
        let message = json!({
            "role": kind, "id": format!("m{number}"), "model": "claude-sonnet-4-5", "content": content
        });
        let record = json!({
            "type": kind, "isSidechain": is_aside, "uuid": id(number), "parentUuid": parent.map(id),
            "sessionId": "s", "cwd": "/home/adalow/p", "timestamp": "2026-01-01T00:00:00Z", "message": message
        });
        log.push_str(&format!("{record}\n"));
        number
    };
    let mut last = add("user", false, None, json!("Please do all."));
    for (group, lines) in [(&["A"][..], lines), (&["B", "C"], 1)] {
        for job in group {
            let input = json!({"prompt": format!("Do job {job}.")});
            let call = json!([{"type": "tool_use", "id": job, "name": "Task", "input": input}]);
            last = add("assistant", false, Some(last), call);
        }
        for job in group {
            let mut aside = add("user", true, None, json!(format!("Do job {job}.")));
            for line in 0..lines {
                let text = format!("Subagent {job} at {line}. {}", "word ".repeat(190));
                aside =
                    add("assistant", true, Some(aside), json!([{"type": "text", "text": text}]));
            }
            let text = format!("-rw-r--r-- 1 adalow staff 5 {job}.txt");
            let result = json!([{"type": "tool_result", "tool_use_id": job, "content": text}]);
            last = add("user", false, Some(last), result);
        }
    }
    add("assistant", false, Some(last), json!([{"type": "text", "text": "All done."}]));
    log
}

#[test]
fn subagents_after_long_text_are_complete() {
    let log = log_with_subagents(500);
    assert!(log.len() > 512 << 10);
    let site = SiteTest::new().file("content/s.jsonl", log);
    let run = site.build(0);
    assert!(!run.stderr.contains("orphan-result"), "{}", run.stderr);
    let pages = pages(&site);
    for text in ["Subagent A at 499", "Subagent B at 0", "Subagent C at 0", "C.txt"] {
        assert!(pages.contains(text), "{text}");
    }
    // The user name is on no page.
    assert!(!pages.contains("adalow") && pages.contains("1 user staff 5"));
}

/// Logs of Claude Code in which a private call started a subagent, which is linked to it in different ways.
fn logs_with_private_calls() -> Vec<(&'static str, Vec<(&'static str, String)>)> {
    let record = |number: usize, kind: &str, content: Value, fields: Value| {
        let id = |number: usize| format!("00000000-0000-4000-8000-{number:012}");
        let message = json!({
            "role": kind, "id": format!("m{number}"), "model": "wren-1", "content": content
        });
        let mut record = json!({
            "type": kind, "uuid": id(number), "parentUuid": (number > 1).then(|| id(number - 1)),
            "sessionId": "s", "timestamp": "2026-01-01T00:00:00Z", "message": message
        });
        for (key, value) in fields.as_object().expect("fields") {
            record[key.as_str()] = value.clone();
        }
        format!("{record}\n")
    };
    let call = |fields: Value| {
        let mut call =
            json!({"type": "tool_use", "id": "t1", "name": "Task", "input": {"prompt": MARK}});
        for (key, value) in fields.as_object().expect("fields") {
            call[key.as_str()] = value.clone();
        }
        json!([call])
    };
    let inner = json!([{"type": "text", "text": MARK}, {"type": "tool_use", "id": "t2", "name": "Task", "input": {"prompt": "x"}}]);
    let result = json!([{"type": "tool_result", "tool_use_id": "t1", "content": MARK}]);
    let (none, asked) = (json!({}), record(1, "user", json!("Is the gate open?"), json!({})));
    let end =
        record(9, "assistant", json!([{"type": "text", "text": "It is open."}]), none.clone());
    let session =
        |call: &str, aside: &str, result: &str| format!("{asked}{call}{aside}{result}{end}");
    let marked = json!({"private": true});
    let mut logs = Vec::new();
    // In stream output, records name the call.
    let of = |call: &str| json!({"parent_tool_use_id": call});
    let aside = record(3, "user", json!(MARK), of("t1"))
        + &record(4, "assistant", inner.clone(), of("t1"))
        + &record(5, "assistant", json!([{"type": "text", "text": MARK}]), of("t2"));
    let result_record = record(6, "user", result.clone(), none.clone());
    for (about, call) in [
        ("stream, record", record(2, "assistant", call(none.clone()), marked.clone())),
        ("stream, part", record(2, "assistant", call(marked.clone()), none.clone())),
        (
            "stream, server",
            record(2, "assistant", call(json!({"name": "mcp__mill__ask"})), none.clone()),
        ),
    ] {
        logs.push((about, vec![("s.jsonl", session(&call, &aside, &result_record))]));
    }
    // So long that it is read in parts.
    let words = json!([{"type": "text", "text": "word ".repeat(200)}]);
    let long = (100..2000).map(|number| record(number, "assistant", words.clone(), none.clone()));
    let long =
        long.collect::<String>() + &record(2, "assistant", call(marked.clone()), none.clone());
    logs.push(("stream, long", vec![("s.jsonl", session(&long, &aside, &result_record))]));
    // The subagent has a file of its own, to which the result of the call, or its prompt, leads.
    let call = record(2, "assistant", call(marked.clone()), none.clone());
    let of = json!({"isSidechain": true, "agentId": "a1", "parentUuid": null});
    let own = record(3, "user", json!(MARK), of.clone()) + &record(4, "assistant", inner, of);
    let agent = "s/subagents/agent-a1.jsonl";
    for (about, prompt, fields) in [
        ("file, result", "y", json!({"toolUseResult": {"agentId": "a1"}})),
        ("file, private result", "y", json!({"toolUseResult": {"agentId": "a1"}, "private": true})),
        ("file, prompt", MARK, json!({})),
    ] {
        let log = session(&call, "", &record(6, "user", result.clone(), fields));
        let own = own.replacen(MARK, prompt, 1);
        logs.push((about, vec![("s.jsonl", log), (agent, own)]));
    }
    // A workflow has several subagents.
    let fields = json!({"toolUseResult": {"runId": "wf_1"}});
    let log = session(&call, "", &record(6, "user", result, fields));
    let own = own.replacen(MARK, "y", 1);
    let agent = "s/subagents/workflows/wf_1/agent-a1.jsonl";
    logs.push(("workflow", vec![("s.jsonl", log), (agent, own)]));
    logs
}

#[test]
fn subagents_of_private_calls_are_private() {
    for (about, files) in logs_with_private_calls() {
        let site = SiteTest::new();
        for (path, text) in files {
            site.write(&format!("content/{path}"), text);
        }
        let run = site.build(0);
        assert!(pages(&site).contains("It is open."), "{about}: {}", run.stderr);
        for (path, bytes) in site.output() {
            assert!(!String::from_utf8_lossy(&bytes).contains(MARK), "{about}: {path}");
        }
    }
}

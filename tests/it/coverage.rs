//! Every file of the content folder is read, shown, ignored by a rule, or reported.

use serde_json::{Value, json};

use crate::support::{BASE, Run, SiteTest, convo, run_in};

/// The diagnostics of a build, as `file: code: message`.
fn reported(run: &Run) -> Vec<String> {
    let notes: Value = serde_json::from_str(&run.stdout).expect("JSON");
    let row = |note: &Value| {
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        format!("{}: {}: {}", text(&note["file"]), text(&note["code"]), text(&note["message"]))
    };
    notes.as_array().expect("an array").iter().map(row).collect()
}

fn build(site: &SiteTest) -> Run {
    site.run(&["build", "--message-format", "json"])
}

/// Files that are not readable conversations: name, text, and the description in the message.
const LOOKS: &[(&str, &str, &str)] = &[
    // Assistants.
    ("b.json", r#"{"mapping":{"root":{}},"current_node":"n"}"#, "JSON in an unknown format"),
    ("g.json", r#"{"chunkedPrompt": {"chunks": [{"text": "hi"}]}}"#, "an AI Studio prompt"),
    (
        "h.json",
        r#"[{"header": "Gemini Apps", "time": "2026-03-01T00:00:00Z", "safeHtmlItem": []}]"#,
        "Gemini activity",
    ),
    (
        "i.txt",
        r#"{"title": "x", "conversation_turns": {"user_turn": {"prompt": "hi"}}}"#,
        "a Gemini in Workspace conversation",
    ),
    (
        "j.json",
        r#"{"conversations": [{"responses": [{"response": {"sender": "human"}}]}]}"#,
        "a Grok export",
    ),
    ("k.json", r#"[{"chatId": "c", "contentChunks": [{"text": "hi"}]}]"#, "a Le Chat export"),
    (
        "o.jsonl",
        "{\"user_name\": \"You\", \"character_name\": \"Wren\"}\n{\"mes\": \"hi\"}\n",
        "a SillyTavern chat",
    ),
    // Agents and editors.
    (
        "p.jsonl",
        r#"{"type": "assistant", "uuid": "u", "sessionId": "s", "message": {"content": "hi"}}"#,
        "a Qoder session",
    ),
    ("r.json", r#"{"sessionId": "s", "projectHash": "p"}"#, "a Gemini CLI session"),
    (
        "s.json",
        r#"{"version": 3, "requests": [{"message": {"text": "hi"}, "response": []}]}"#,
        "a VS Code Copilot chat",
    ),
    ("t.jsonl", r#"{"kind": "user.message", "data": {"content": "hi"}}"#, "a Copilot CLI session"),
    (
        "x2.json",
        r#"{"id": 1, "created_at_i": 2, "author": "a", "children": [{"text": "hi"}]}"#,
        "a Hacker News discussion",
    ),
    (
        "u.jsonl",
        r#"{"step_index": 0, "source": "USER_EXPLICIT", "type": "USER_INPUT", "status": "DONE", "content": "hi"}"#,
        "an Antigravity session",
    ),
    (
        "logs.json",
        r#"[{"sessionId": 1, "messageId": 0, "type": "user", "message": "hi"}]"#,
        "Gemini CLI prompts without their answers",
    ),
    // People.
    (
        "zac.txt",
        "==============\nGuild: Mill\nChannel: Pond / general\n==============\n\n[3/4/2026 6:00 PM] ada\nhi\n",
        "a Discord channel as plain text",
    ),
    (
        "zad.csv",
        "AuthorID,Author,Date,Content,Attachments,Reactions\n1,ada,2026-03-04,hi,,\n",
        "a Discord channel as a table",
    ),
    (
        "zae.html",
        "<!DOCTYPE html><div class=\"pull_left userpic_wrap\"></div><div class=\"from_name\">Ada</div>",
        "a Telegram chat as HTML",
    ),
    (
        "zaf.txt",
        "[LINE] Ada\n2026.03.04 Wednesday\n18:00 Ada hi\n18:01 Wren hello\n",
        "a LINE chat saved on a computer",
    ),
    (
        "za.json",
        r#"{"guild": {"id": "1"}, "channel": {}, "messages": [{"content": "hi"}]}"#,
        "a Discord export",
    ),
    (
        "zaa.json",
        r#"[{"ID": 1, "Timestamp": "2026-03-04 18:00:00", "Contents": "hi", "Attachments": ""}]"#,
        "a Discord data package",
    ),
    (
        "zab.csv",
        "ID,Timestamp,Contents,Attachments\n1,2026-03-04 18:00:00,hi,\n",
        "a Discord data package",
    ),
    ("zb.json", r#"[{"sender_id": 1, "reply_to_id": null, "text": "hi"}]"#, "Telegram messages"),
    (
        "zd.json",
        r#"{"messages": [{"creator": {"name": "Ada"}, "created_date": "x", "text": "hi"}]}"#,
        "a Google Chat export",
    ),
    (
        "ze.json",
        r#"{"conversations": [{"MessageList": [{"messagetype": "Text"}]}]}"#,
        "a Teams or Skype export",
    ),
    (
        "zg.json",
        r#"[{"type": "message", "user": "U1", "text": "hi", "ts": "1.0"}]"#,
        "Slack messages",
    ),
    (
        "zh.json",
        r#"[{"kind": "Listing", "data": {"children": [{"data": {"author": "ada"}}]}}]"#,
        "a Reddit discussion",
    ),
    ("zi.log", "01/03/26, 10:02 - Ada: hi\n01/03/26, 10:03 - Wren: hello\n", "a WhatsApp chat"),
    (
        "zj.log",
        "[1/3/26, 10:02:11 AM] Ada: hi\n[1/3/26, 10:03:00 AM] Wren: hello\n",
        "a WhatsApp chat",
    ),
    (
        "zk.md",
        "[2026-03-01 10:00:00] Me: hi\n\n[2026-03-01 10:01:00] Ada: hello\n",
        "a Signal chat",
    ),
    ("zn.log", "Subject: hi\nFrom: a@b.example\nTo: c@d.example\n\nhello\n", "an e-mail"),
    // Recorded conversations.
    ("zx.vcon", r#"{"parties": [], "dialog": []}"#, "a vCon"),
    // Data sets.
    (
        "zy.json",
        r#"{"items": [{"role": "user", "content": "hi"}]}"#,
        "messages with roles, from an unknown program",
    ),
    // Not conversations.
    (
        "package.json",
        r#"{"name": "x", "version": "1.0.0", "scripts": {}}"#,
        "a Node.js package manifest",
    ),
    ("README.md", "# A project\n\n**Install:** do this.\n\nText.\n", "a README"),
    ("notes.md", "# Notes\n\nSome text.\n", "a Markdown text without recognisable speakers"),
    ("page.html", "<!doctype html><title>x</title>", "an HTML page"),
    ("data.csv", "a,b\n1,2\n", "a table"),
    ("empty.json", "", "an empty file"),
    ("odd.json", "{\"a\": 1}", "JSON in an unknown format"),
    ("picture.png", "\u{89}PNG", "a text without"),
    ("drawing.svg", "<svg/>", "an image that no conversation links to"),
    ("pack.cbz", "PK\u{3}\u{4}x", "a ZIP archive"),
    (
        "talk.text",
        "### @Ada\nhi\n\n----\n{\"type\": \"x\", \"time\": \"2026-01-02\", \"participants\": [\"Ada\"]}\n",
        "CONVO-FILE-SPEC",
    ),
];

#[test]
fn unread_files_are_reported_with_their_apparent_type() {
    let site = SiteTest::new();
    site.write("content/talk.convo", convo("hello"));
    for (name, text, _) in LOOKS {
        site.write(&format!("content/{name}"), text);
    }
    let run = build(&site);
    let reported = reported(&run);
    for (name, _, what) in LOOKS {
        let start = format!("content/{name}: ");
        let of_file: Vec<_> = reported.iter().filter(|row| row.starts_with(&start)).collect();
        assert_eq!(of_file.len(), 1, "{name}: {of_file:?}");
        assert!(of_file[0].contains(what), "{}", of_file[0]);
    }
    let (count, all) = (LOOKS.len(), LOOKS.len() + 1);
    let line = format!("read 1 of {all} files; {count} without conversations in a known format");
    assert!(run.stderr.contains(&line), "{}", run.stderr);
}

#[test]
fn of_500_files_the_200_that_are_not_conversations_are_reported() {
    let site = SiteTest::new();
    for number in 0..300 {
        site.write(&format!("content/{}/{number}.convo", number % 7), convo(&number.to_string()));
    }
    for number in 0..200 {
        let (name, text, _) = LOOKS[number % LOOKS.len()];
        site.write(&format!("content/{}/{number}/{name}", number % 5), text);
    }
    let run = build(&site);
    let reported = reported(&run);
    let files = reported.iter().filter(|row| row.contains(": unknown-format: "));
    assert_eq!(files.count(), 200);
    assert_eq!(reported.len(), 200, "{reported:#?}");
    let line = "read 300 of 500 files; 200 without conversations in a known format";
    assert!(run.stderr.contains(line), "{}", run.stderr);
    // The short form reports each one too, and a second build reports the same.
    let short = site.run(&["build", "--message-format", "short"]);
    let rows =
        short.stderr.lines().filter(|line| line.contains(": hint[") || line.contains(": warning["));
    assert_eq!(rows.count(), 200, "{}", short.stderr);
    assert!(short.stderr.contains(line), "{}", short.stderr);
}

/// Every file is named, even with more kinds than the terminal shows.
#[test]
fn each_file_of_many_kinds_is_named_in_the_terminal() {
    let site = SiteTest::new().file("content/talk.convo", convo("hello"));
    for (number, (name, text, _)) in LOOKS.iter().enumerate() {
        site.write(&format!("content/{number:02}/{name}"), text);
    }
    let run = site.run(&["build"]);
    for (number, (name, ..)) in LOOKS.iter().enumerate() {
        let path = format!("content/{number:02}/{name}");
        assert!(run.stderr.contains(&path), "{path}: {}", run.stderr);
    }
}

/// The terminal names every unread file with its description, also with many files of many kinds.
/// No file is listed under another kind.
#[test]
fn files_of_many_kinds_are_named_in_the_terminal() {
    let site = SiteTest::new().file("content/talk.convo", convo("hello"));
    let kinds = [
        ("b.json", r#"{"sessionId": "x", "history": [], "title": "x"}"#),
        ("c.html", "<html></html>"),
        ("d.csv", "ID,Timestamp,Contents,Attachments\n1,2026-03-04,hi,\n"),
        ("e.pdf", "%PDF-1.7"),
        ("f.log", "Subject: hi\nFrom: a@b.example\nTo: c@d.example\n\nhello\n"),
        ("g.txt", "just words"),
    ];
    for number in 0..5 {
        for (name, text) in kinds {
            site.write(&format!("content/{number}/{name}"), text);
        }
    }
    let run = site.build(0);
    let mut what = "";
    let mut found = std::collections::BTreeMap::new();
    for line in run.stderr.lines() {
        if line.contains("[unknown-format]: ") {
            what = line;
        }
        for number in 0..5 {
            for (name, _) in kinds {
                if line.contains(&format!("content/{number}/{name}")) {
                    found.insert(format!("{number}/{name}"), what);
                }
            }
        }
    }
    assert_eq!(found.len(), 30, "{}", run.stderr);
    for (name, _) in kinds {
        let of_kind: std::collections::BTreeSet<_> =
            (0..5).map(|number| found[&format!("{number}/{name}")]).collect();
        assert_eq!(of_kind.len(), 1, "{}", run.stderr);
    }
    assert!(run.stderr.lines().count() < 120, "{}", run.stderr);
}

/// Of very many messages, some are listed and the rest are counted.
#[test]
fn messages_that_are_not_shown_are_listed() {
    let names: String = (0..15).map(|n| format!("z{n} = \"#000\"\n")).collect();
    let tables = ["colors", "dark_colors", "fonts"];
    let tables: String =
        tables.map(|table| format!("[look.{table}]\n{names}")).into_iter().collect();
    let site = SiteTest::new()
        .file("content/a.convo", convo("hello"))
        .file("site.toml", format!("{BASE}{tables}"));
    let run = site.run(&["build"]);
    assert!(run.stderr.contains("= 3 more: warning[unknown-name]: the theme"), "{}", run.stderr);
    assert!(run.stderr.contains("`--z14`"), "{}", run.stderr);
}

/// `status` counts the same files as `build`, with the same descriptions.
#[test]
fn status_counts_what_a_build_counts() {
    let site = SiteTest::new()
        .file("content/talk.convo", convo("hello"))
        .file(
            "content/user.json",
            r#"{"id": "user-x", "email": "ada@example.org", "chatgpt_plus_user": true}"#,
        )
        .file("content/x.pdf", "%PDF-1.7")
        .file("content/broken.convo", "### @Ada\nhi\n\n----\n{\"type\"");
    let run = site.run(&["build"]);
    let words = ["2 without conversations in a known format", "1 could not be read"];
    assert!(words.iter().all(|words| run.stderr.contains(words)), "{}", run.stderr);
    let status = site.run(&["status"]);
    let words = ["2  files without conversations in a known format", "1  file could not be read"];
    assert!(words.iter().all(|words| status.stdout.contains(words)), "{}", status.stdout);
}

/// `status` names the public conversations of an export, and says how to list the others.
#[test]
fn the_conversations_of_an_export_have_titles_in_status() {
    let talk = |number: usize| {
        let message = |role: &str, text: &str| {
            let at = "2026-03-04T10:00:00Z";
            json!({
                "id": format!("{role}-{number}"), "role": role, "messageType": "composite",
                "contentBlocks": [
                    {"blockType": "text", "id": role, "createdAt": at, "text": text},
                ],
            })
        };
        json!({
            "id": format!("talk-{number}"),
            "schemaUrl": "https://schema.cjson.dev/0/conversation/cjson-0.1.0-SNAPSHOT.schema.json",
            "conversationTitle": format!("Boat {number}"),
            "isPrivate": number >= 8,
            "messages": [message("user", &format!("Which boat is {number}?")), message("assistant", "Red.")],
        })
    };
    let all: Vec<Value> = (1..=9).map(talk).collect();
    let one = talk(0).to_string();
    let site = SiteTest::new()
        .file("content/old/export.json", Value::from(all).to_string())
        .file("content/one.json", one);
    let status = site.run(&["status"]);
    let (public, private) = status.stdout.split_once("2 conversations are private").expect("both");
    assert!(public.contains("  content/old/export.json (7)\n    Boat "), "{public}");
    assert_eq!(public.matches("    Boat ").count(), 5, "{public}");
    assert!(public.contains("    … and 2 more (list them with --all)"), "{public}");
    let lister = "list all titles in the export: `convo-site import content/old/export.json`";
    assert!(private.contains(lister) && !private.contains("Boat"), "{private}");
    let status = site.run(&["status", "--all"]).stdout;
    assert_eq!(status.matches("    Boat ").count(), 7, "{status}");
    assert!(!status.contains("Boat 8") && !status.contains("Boat 0"), "{status}");
    let json = site.run(&["status", "--json"]).stdout;
    let json: Value = serde_json::from_str(&json).expect("JSON");
    let titles = json[0]["titles"]["content/old/export.json"].as_array().expect("titles");
    assert_eq!(titles.len(), 7, "{json}");
    assert!(!json.to_string().contains("Boat 8"), "{json}");
    // The command works in another folder too.
    let above = site.path("");
    let folder = above.file_name().and_then(|name| name.to_str()).expect("a name");
    let status = run_in(above.parent().expect("a parent"), &["status", folder], &[]).stdout;
    let lister = format!("`convo-site import {folder}/content/old/export.json`");
    assert!(status.contains(&lister), "{status}");
}

#[test]
fn attached_and_ignored_files_are_not_reported() {
    let png = include_bytes!("../../example-site/content/2025/images/elver-door.png");
    let private = convo("![x](held.png)").replace("{\"type\"", "{\"private\": true, \"type\"");
    let site = SiteTest::new()
        .file("site.toml", format!("{BASE}[[source]]\nfiles = \"notes/**\"\nignore = true\n"))
        .file("content/a.convo", convo("![x](shown.png)"))
        .file("content/b.convo", private)
        .file("content/shown.png", png)
        .file("content/held.png", png)
        .file("content/unused.png", png)
        .file("content/notes/todo.md", "- tea\n")
        .file("content/.hidden.json", "{}");
    for _ in 0..2 {
        let run = build(&site);
        assert_eq!(
            reported(&run),
            ["content/unused.png: unknown-format: an image that no conversation links to (not \
              published)"]
        );
        let line = "read 4 of 6 files; 1 ignored; 1 without conversations in a known format";
        assert!(run.stderr.contains(line), "{}", run.stderr);
    }
}

/// A file attached to a conversation is published, whatever else it could be.
#[test]
fn an_attached_text_is_not_reported() {
    let site = SiteTest::new().file("content/note.txt", "Buy camomile.").file(
        "content/a.json",
        r#"{"id": "a", "schemaUrl": "https://cjson.dev/schema/0/conversation", "messages": [
            {"id": "q", "role": "user", "messageType": "text", "content": "Here.", "attachments":
            [{"attachmentKind": "file", "id": "n", "name": "note.txt", "mime": "text/plain",
            "uri": "note.txt"}]}]}"#,
    );
    let run = build(&site);
    assert!(reported(&run).iter().all(|row| !row.contains("note.txt")), "{:?}", reported(&run));
    assert!(run.stderr.contains("read 2 files"), "{}", run.stderr);
}

#[test]
fn a_broken_conversation_is_counted_as_broken() {
    let site = SiteTest::new()
        .file("content/a.convo", convo("hello"))
        .file("content/b.convo", "### @Ada\nhello\n");
    let run = site.build(1);
    assert!(run.stderr.contains("read 1 of 2 files; 1 could not be read"), "{}", run.stderr);
}

#[test]
fn files_without_any_conversation_are_an_error() {
    let site = SiteTest::new().file("content/talk.html", "<html></html>");
    let run = site.build(1);
    assert!(run.stderr.contains("no conversations in the 1 file of `content`"), "{}", run.stderr);
    // A withheld conversation counts as a conversation.
    let private = convo("x").replace("{\"type\"", "{\"private\": true, \"type\"");
    site.write("content/a.convo", private);
    site.build(0);
}

#[test]
fn a_wrongly_configured_format_is_reported() {
    let rule = "[[source]]\nfiles = \"a.jsonl\"\nformat = \"chibi\"\n";
    let site = SiteTest::new().file("site.toml", format!("{BASE}{rule}"));
    site.write("content/b.convo", convo("hello"));
    // OpenAI messages as in training data: no object is a log entry.
    let line = r#"{"messages": [{"role": "user", "content": "hi"}]}"#;
    site.write("content/a.jsonl", format!("{line}\n{line}\n"));
    let run = site.build(1);
    assert!(run.stderr.contains("`from` and `content` are missing in 2 entries"), "{}", run.stderr);
    assert!(run.stderr.contains("read 1 of 2 files; 1 could not be read"), "{}", run.stderr);
    // One message per line: there are texts, but no speakers.
    let line = r#"{"role": "user", "content": "hi"}"#;
    site.write("content/a.jsonl", format!("{line}\n{line}\n"));
    let run = site.build(0);
    assert!(run.stderr.contains("`from` is missing in 2 entries"), "{}", run.stderr);
}

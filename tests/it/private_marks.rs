//! Marks in objects around a text and in it, files that do not state their access, and mails inside
//! mails. Diagnostics do not quote withheld text.

use crate::support::{BASE, SiteTest, convo};

/// A rule that publishes public chats between people.
const OPEN: &str =
    "[people]\nothers = \"keep\"\n[[source]]\nfiles = \"**\"\nvisibility = \"public\"\n";
const DIRECT: &str = "direct_messages = true\n";

/// A file with a `MARK` in an object between the root and a text. `WORD` is in that text.
type Place = (&'static str, &'static str, &'static str);

const PLACES: [Place; 12] = [
    (
        "the tree of OASST",
        "a.jsonl",
        r#"{MARK "message_tree_id": "t1", "prompt": {"message_id": "t1", "text": "WORD", "role": "prompter", "replies": [{"message_id": "t2", "text": "Because.", "role": "assistant"}]}}"#,
    ),
    (
        "the listing of a post on Reddit",
        "a.json",
        r#"[{MARK "kind": "Listing", "data": {"children": [{"kind": "t3", "data": {"name": "t3_a", "title": "T", "selftext": "WORD", "author": "wren", "created_utc": 1772359200.0, "subreddit_type": "public"}}]}}]"#,
    ),
    (
        "the wrapper of a post on Reddit",
        "a.json",
        r#"[{"kind": "Listing", "data": {"children": [{MARK "kind": "t3", "data": {"name": "t3_b", "title": "T", "selftext": "WORD", "author": "wren", "created_utc": 1772359200.0, "subreddit_type": "public"}}]}}]"#,
    ),
    (
        "the wrapper of a comment on Reddit",
        "a.json",
        r#"[{"kind": "Listing", "data": {"children": [{"kind": "t3", "data": {"name": "t3_c", "title": "T", "selftext": "x", "author": "wren", "created_utc": 1772359200.0, "subreddit_type": "public"}}]}},
        {"kind": "Listing", "data": {"children": [{MARK "kind": "t1", "data": {"name": "t1_c", "body": "WORD", "author": "moss", "created_utc": 1772359300.0, "replies": ""}}]}}]"#,
    ),
    (
        "the root of a saved chat of DeepSeek",
        "a.json",
        r#"{MARK "code": 0, "data": {"biz_data": {"chat_session": {"id": "d1", "title": "T"}, "chat_messages": [{"message_id": 1, "parent_id": null, "role": "USER", "fragments": [{"type": "REQUEST", "content": "WORD"}]}]}}}"#,
    ),
    (
        "the data of a saved chat of DeepSeek",
        "a.json",
        r#"{"code": 0, "data": {MARK "biz_data": {"chat_session": {"id": "d2", "title": "T"}, "chat_messages": [{"message_id": 1, "parent_id": null, "role": "USER", "fragments": [{"type": "REQUEST", "content": "WORD"}]}]}}}"#,
    ),
    (
        "a block of Claude Design",
        "a.json",
        r#"{"uuid": "e1", "title": "T", "project": {"uuid": "p", "name": "P"}, "messages": [{"uuid": "m1", "role": "user", "content": {"content": "Draw."}},
        {"uuid": "m2", "role": "assistant", "content": {"contentBlocks": [{MARK "type": "text", "text": "WORD"}]}}]}"#,
    ),
    (
        "a tool call of Gemini CLI",
        "a.jsonl",
        r#"{"sessionId": "g1", "projectHash": "p", "startTime": "2026-03-04T09:15:00.000Z", "kind": "main"}
{"id": "m1", "timestamp": "2026-03-04T09:15:01.000Z", "type": "user", "content": "Read it."}
{"id": "m2", "timestamp": "2026-03-04T09:15:02.000Z", "type": "gemini", "content": "WORD", "toolCalls": [{MARK "id": "t1", "name": "read_file", "args": {"path": "x"}, "status": "success"}]}
"#,
    ),
    (
        "an item of Codex",
        "rollout-a.jsonl",
        r#"{"timestamp": "2026-03-04T09:15:00.000Z", "type": "session_meta", "payload": {"id": "c1", "timestamp": "2026-03-04T09:15:00.000Z", "cwd": "/mill", "originator": "codex_cli_rs", "cli_version": "0.50.0"}}
{"timestamp": "2026-03-04T09:15:01.000Z", "type": "event_msg", "payload": {"type": "item_completed", "item": {"type": "UserMessage", "id": "u1", "content": [{"type": "text", "text": "Who?"}]}}}
{"timestamp": "2026-03-04T09:15:02.000Z", "type": "event_msg", "payload": {"type": "item_completed", "item": {MARK "type": "AgentMessage", "id": "a1", "content": [{"type": "Text", "text": "WORD"}]}}}
"#,
    ),
    (
        "a part of LM Studio",
        "a.json",
        r#"{"name": "T", "createdAt": 1767690000123, "tokenCount": 1, "messages": [{"currentlySelected": 0, "versions": [{"type": "singleStep", "role": "user", "content": [{"type": "text", "text": "Who?"}]}]},
        {"currentlySelected": 0, "versions": [{"type": "multiStep", "role": "assistant", "steps": [{"type": "contentBlock", "content": [{MARK "type": "text", "text": "WORD"}]}]}]}]}"#,
    ),
    (
        "a part of Zed",
        "a.json",
        r#"{"version": "0.3.0", "title": "T", "messages": [{"User": {"id": "u1", "content": [{"Text": "Who?"}]}}, {"Agent": {"content": [{MARK "Text": "WORD"}], "tool_results": {}}}]}"#,
    ),
    (
        "a part of an item of Open WebUI",
        "a.json",
        r#"[{"id": "w1", "title": "T", "chat": {"history": {"currentId": "b", "messages": {"a": {"id": "a", "parentId": null, "childrenIds": ["b"], "role": "user", "content": "Who?"},
        "b": {"id": "b", "parentId": "a", "childrenIds": [], "role": "assistant", "content": "", "output": [{"type": "message", "id": "o1", "content": [{MARK "type": "output_text", "text": "WORD"}]}]}}}}}]"#,
    ),
];

/// Returns whether a word is in any file of the output.
fn is_published(site: &SiteTest, word: &str) -> bool {
    let has = |bytes: &Vec<u8>| String::from_utf8_lossy(bytes).to_lowercase().contains(word);
    site.output().values().any(has)
}

#[test]
fn a_mark_in_any_object_between_the_root_and_a_text_withholds_it() {
    for (mark, expected) in [("\"note\": 1,", true), ("\"private\": true,", false)] {
        let site = SiteTest::new()
            .file("site.toml", format!("{BASE}{OPEN}"))
            .file("content/hello.convo", convo("Hello."));
        let word = |number: usize| format!("quux{number:02}z");
        for (number, (_, path, text)) in PLACES.iter().enumerate() {
            let text = text.replace("MARK", mark).replace("WORD", &word(number));
            site.write(&format!("content/{number:02}/{path}"), text);
        }
        let run = site.build(0);
        let is_wrong = |number: &usize| is_published(&site, &word(*number)) != expected;
        let wrong: Vec<&str> =
            (0..PLACES.len()).filter(is_wrong).map(|number| PLACES[number].0).collect();
        assert!(wrong.is_empty(), "{mark} {wrong:?}\n{}", run.stderr);
    }
}

#[test]
fn keys_in_tool_input_are_not_marks() {
    let text = r#"{"sessionId": "g2", "projectHash": "p", "startTime": "2026-03-04T09:15:00.000Z", "kind": "main"}
{"id": "m1", "timestamp": "2026-03-04T09:15:01.000Z", "type": "user", "content": "Open it."}
{"id": "m2", "timestamp": "2026-03-04T09:15:02.000Z", "type": "gemini", "content": "quux is open.", "toolCalls": [{"id": "t1", "name": "run_shell_command", "args": {"command": "gh repo create", "private": true}, "status": "success"}]}
"#;
    let site = SiteTest::new().file("content/a.jsonl", text);
    site.build(0);
    assert!(is_published(&site, "quux"));
}

#[test]
fn a_file_of_slack_without_lists_needs_a_second_key() {
    let day = r#"[{"type": "message", "user": "U1", "ts": "1772604500.000200", "text": "quux", "user_profile": {"real_name": "Wren A"}}]"#;
    let object = |head: &str| format!("{{{head}\"messages\": {day}}}");
    let open = object(r#""id": "C0000001", "name": "pond", "is_private": false, "#);
    let closed = object(r#""id": "C0000001", "name": "pond", "is_private": true, "#);
    let bare = object(r#""channel_id": "C0000001", "name": "pond", "#);
    let listed = r#"[{"id": "C0000001", "name": "general"}]"#;
    let files = |path: &'static str, text: &str| vec![(path, text.to_owned())];
    for (files, is_public) in [
        (files("dump.json", day), false),
        (files("general/2026-03-04.json", day), false),
        (files("pond.json", &bare), false),
        (files("pond.json", &closed), false),
        (files("pond.json", &open), true),
        ([files("channels.json", listed), files("general/2026-03-04.json", day)].concat(), true),
    ] {
        // A mark in the file itself outweighs any key.
        let is_marked = files.iter().any(|(_, text)| text.contains("\"is_private\": true"));
        for (more, expected) in [("", is_public), (DIRECT, !is_marked)] {
            let site = SiteTest::new()
                .file("site.toml", format!("{BASE}{OPEN}{more}"))
                .file("content/hello.convo", convo("Hello."));
            for (path, text) in &files {
                site.write(&format!("content/{path}"), text);
            }
            site.build(0);
            assert_eq!(is_published(&site, "quux"), expected, "{more} {files:?}");
        }
    }
}

/// Whether a file has a public URL says nothing about who can read the message that it is attached to.
#[test]
fn files_of_messages_are_marked_by_keys_for_readers_only() {
    let day = r#"[{"type": "message", "user": "U1", "ts": "1772604500.000200", "text": "quux", "files": [{"id": "F1", "name": "a.png", MARK "mode": "hosted"}]}]"#;
    let chat = r#"[{"id": "w1", "title": "T", "chat": {"history": {"currentId": "a", "messages": {"a": {"id": "a", "parentId": null, "childrenIds": [], "role": "user", "content": "quux", "files": [{MARK "type": "file", "name": "a.png"}]}}}}}]"#;
    for (mark, in_slack, in_chat) in [
        ("", true, true),
        ("\"is_public\": false,", true, false),
        ("\"hidden\": true,", true, false),
        ("\"private\": true,", false, false),
    ] {
        let slack = SiteTest::new()
            .file("site.toml", format!("{BASE}{OPEN}"))
            .file("content/channels.json", r#"[{"id": "C0000001", "name": "general"}]"#)
            .file("content/general/2026-03-04.json", day.replace("MARK", mark));
        let web = SiteTest::new().file("content/a.json", chat.replace("MARK", mark));
        for (site, expected) in [(slack, in_slack), (web, in_chat)] {
            site.build(0);
            assert_eq!(is_published(&site, "quux"), expected, "{mark}");
        }
    }
}

/// A mail with another one in it, below these fields of the part and of that mail.
fn mail(part: &str, fields: &str) -> String {
    format!(
        "From: Wren <wren@mill.example>\nDate: Wed, 4 Mar 2026 18:20:05 +0100\nSubject: Fwd\n\
         Message-ID: <1@mill.example>\nMIME-Version: 1.0\n\
         Content-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: text/plain\n\nSee below.\n\n\
         --b\nContent-Type: message/rfc822\n{part}\nFrom: Oriel <oriel@mill.example>\n\
         Date: Wed, 4 Mar 2026 17:20:05 +0100\nSubject: Subject quux\n{fields}\
         Message-ID: <2@mill.example>\n\nText quagga.\n\n--b--\n"
    )
}

#[test]
fn an_attached_mail_is_shown_only_if_no_mark_forbids_it() {
    let attached = "Content-Disposition: attachment; filename=\"letter.eml\"\n";
    let skipped = "1 message marked as not to be archived";
    for (part, fields, is_shown, is_listed) in [
        ("", "", true, false),
        ("Content-Disposition: inline\n", "Sensitivity: Normal\n", true, false),
        (attached, "", false, true),
        ("", "Sensitivity: Private\n", false, false),
        ("", "X-No-Archive: yes\n", false, false),
        (attached, "Sensitivity: Private\n", false, false),
        (attached, "X-No-Archive: yes\n", false, false),
    ] {
        let site = SiteTest::new()
            .file("site.toml", format!("{BASE}{OPEN}{DIRECT}"))
            .file("content/a.eml", mail(part, fields));
        let run = site.build(0);
        let is = |word: &str| is_published(&site, word);
        let case = format!("{part}{fields}{}", run.stderr);
        assert!(is("see below"), "{case}");
        assert_eq!((is("quux"), is("quagga")), (is_shown, is_shown), "{case}");
        assert_eq!(is("letter.eml"), is_listed, "{case}");
        assert_eq!(run.stderr.contains(skipped), !is_shown && !is_listed, "{case}");
    }
}

#[test]
fn notes_on_withheld_text_do_not_quote_it() {
    let chat = |fields: &str| {
        format!(
            "{{\"id\": \"o1\", \"messages\": [{{\"role\": \"user\", \"content\": \"Who?\"}},\n\
             {{\"role\": \"assistant\", {fields}, \"content\": [{{\"type\": \"text\", \"text\": \"My pin is 4711.\"}}]}}]}}\n"
        )
    };
    let whole = |fields: &str| {
        format!(
            "{{{fields}, \"id\": \"o2\", \"messages\": [{{\"role\": \"user\", \"content\": \"My pin is 4711.\"}}]}}\n"
        )
    };
    for (text, code, place) in [
        (chat("\"private\": true"), "hint[turns-held-back]", "content/a.json:2:1"),
        (whole("\"status\": \"draft\""), "hint[held-back]", "content/a.json:1:"),
        (whole("\"visibility\": \"tier 2\""), "error[unknown-visibility]", "content/a.json:1:"),
        (whole("\"pirvate\": true"), "warning[misspelled-key]", "content/a.json:1:"),
    ] {
        let site = SiteTest::new()
            .file("content/hello.convo", convo("Hello."))
            .file("content/a.json", &text);
        for format in ["human", "short", "json"] {
            let run = site.run(&["build", "--verbose", "--message-format", format]);
            let messages = format!("{}{}", run.stdout, run.stderr);
            assert!(!messages.contains("4711"), "{text}\n{messages}");
            if format == "human" {
                assert!(messages.contains(code) && messages.contains(place), "{text}\n{messages}");
            }
        }
    }
}

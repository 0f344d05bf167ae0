//! Rooms, forum threads, chats, transcripts and sessions that mark something as deleted or
//! restricted in unexpected ways.

use crate::unclear_access::{check, check_all};
use crate::unclear_marks::every;

/// The Matrix event for a room that everyone may join.
const OPEN: &str = r#"{"type": "m.room.join_rules", "sender": "@wren:e.org", "state_key": "", "content": {"join_rule": "public"}, "origin_server_ts": 1772359200000, "event_id": "$0"},"#;

/// An open Matrix room with these events before and after one that contains `HIDDEN`.
fn room(event: &str, more: &str) -> String {
    format!(
        r#"{{"room_name": "Quay", "topic": "", "exported_by": "Wren", "messages": [{OPEN}
        {{"type": "m.room.message", "sender": "@wren:e.org", "content": {{"msgtype": "m.text", "body": "SHOWN"}}, "origin_server_ts": 1772359201000, "event_id": "$1", "room_id": "!NUMBER:e.org"}},
        {{"type": "m.room.message", "sender": "@wren:e.org", "content": {{"msgtype": "m.text", "body": "HIDDEN"}}, "origin_server_ts": 1772359202000, "event_id": "$2"{event}}}{more}]}}"#
    )
}

/// An edit of the first message of a room.
fn edit(id: &str, sender: &str, at: u64, words: &str, more: &str) -> String {
    format!(
        r#", {{"type": "m.room.message", "sender": "@{sender}:e.org", "origin_server_ts": {at}, "event_id": "{id}"{more},
        "content": {{"msgtype": "m.text", "body": "* x", "m.new_content": {{"msgtype": "m.text", "body": "{words}"}},
        "m.relates_to": {{"rel_type": "m.replace", "event_id": "$1"}}}}}}"#
    )
}

fn redaction(of: &str) -> String {
    format!(
        r#", {{"type": "m.room.redaction", "sender": "@wren:e.org", "event_id": "$99", "origin_server_ts": 1772359900000, {of}}}"#
    )
}

#[test]
fn rooms_of_matrix() {
    let plain = |more: &str| room("", more).replace("HIDDEN", "hi");
    let because = r#", "unsigned": {"redacted_because": {}}"#;
    let newest = edit("$9", "wren", 1_772_359_900_000, "SHOWN", "");
    let older = edit("$8", "wren", 1_772_359_300_000, "HIDDEN", "");
    let texts = [
        room("", &redaction(r#""redacts": "$2""#)),
        room("", &redaction(r#""content": {"redacts": "$2"}"#)),
        room(r#", "unsigned": {"redacted_by": "$9"}"#, ""),
        room(because, ""),
        plain(&edit("$9", "wren", 1_772_359_300_000, "HIDDEN", because)),
        plain(&format!("{older}{}", redaction(r#""redacts": "$8""#))),
        plain(&format!("{newest}{older}")),
        plain(&edit("$9", "eve", 1_772_359_300_000, "HIDDEN", "")),
        plain(&edit("$9", "wren", 1_772_359_300_000, "SHOWN", "")),
        room(r#", "redacted": true"#, ""),
    ];
    let direct = |content: &str, kind: &str| {
        plain(&format!(
            r#", {{"type": "{kind}", "sender": "@wren:e.org", "state_key": "@moss:e.org", "content": {content}, "origin_server_ts": 1772359300000, "event_id": "$7"}}"#
        ))
        .replace("SHOWN", "HIDDEN")
    };
    let closed = [
        direct(r#"{"membership": "invite", "is_direct": true}"#, "m.room.member"),
        direct(r#"{"membership": "invite", "is_direct": "true"}"#, "m.room.member"),
        direct(r#"{"join_rule": "invite"}"#, "m.room.join_rules"),
        direct(r#"{"join_rule": ["public"]}"#, "m.room.join_rules"),
        direct(r#"{"membership": "join", "is_direct": false}"#, "m.room.member").replace(OPEN, ""),
    ];
    let open = [
        direct(r#"{"membership": "join", "is_direct": false}"#, "m.room.member"),
        direct(r#"{"join_rule": "public"}"#, "m.room.join_rules"),
    ]
    .map(|text| text.replace("HIDDEN", "SHOWN"));
    let names = [
        "Redacted", "Redactedin", "By", "Because", "Gone", "Goneedit", "Order", "Foreign", "Own",
        "Said",
    ];
    for (name, text) in names.iter().zip(&texts) {
        check(&[(name, &[("r.json", text)])]);
    }
    for (text, name) in closed.iter().chain(&open).zip(["A", "B", "C", "D", "E", "F", "G"]) {
        check(&[(name, &[("r.json", text)])]);
    }
}

#[test]
fn threads_of_forums() {
    let story = |member: &str| {
        format!(
            r#"{{"id": 1, "created_at": "2026-03-01T10:00:00Z", "created_at_i": 1772359200, "type": "story", "author": "wren", "title": "NUMBER",
            "url": "https://e.org/", "text": null, "points": 1, "story_id": 1, "children": [
            {{"id": 2, "created_at_i": 1772359200, "type": "comment", "author": "moss", "text": "x", "children": []}},
            {{"id": 3, "created_at_i": 1772359200, "type": "comment", "author": "moss", "text": "HIDDEN", "children": []{member}}}]}}"#
        )
        .replace(r#""id": 1,"#, r#""id": "NUMBER","#)
    };
    let listing = |post: &str, comment: &str, words: [&str; 2]| {
        let [own, below] = words;
        format!(
            r#"[{{"kind": "Listing", "data": {{"children": [{{"kind": "t3", "data": {{"name": "t3_NUMBER", "title": "A post", "selftext": "{own}", "author": "wren", "created_utc": 1772359200.0, "subreddit_type": "public"{post}}}}}]}}}},
            {{"kind": "Listing", "data": {{"children": [{{"kind": "t1", "data": {{"name": "t1_c1", "body": "{below}", "author": "moss", "created_utc": 1772359300.0, "replies": ""{comment}}}}}]}}}}]"#
        )
    };
    let marks = [
        r#""private": true"#,
        r#""hidden": true"#,
        r#""deleted": 1"#,
        r#""dead": "yes""#,
        r#""removed": [1]"#,
        r#""spam": true"#,
        r#""banned_by": "a moderator""#,
        r#""removed_by_category": "moderator""#,
        r#""visibility": "private""#,
    ];
    let noes = [
        r#""dead": false"#, r#""banned_by": null"#, r#""removed": "false""#, r#""archived": true"#,
        r#""spam": 0"#,
    ];
    let mut all: Vec<(String, String)> = Vec::new();
    for (at, mark) in marks.into_iter().chain(noes).enumerate() {
        let word = if at < marks.len() { "HIDDEN" } else { "SHOWN" };
        let mark = format!(", {mark}");
        all.push((format!("Story{at}x"), story(&mark).replace("HIDDEN", word)));
        all.push((format!("Post{at}x"), listing(&mark, "", [word, "x"])));
        all.push((format!("Comment{at}x"), listing("", &mark, ["x", word])));
    }
    let kind =
        |kind: &str| listing(&format!(", \"subreddit_type\": {kind}"), "", ["HIDDEN", "HIDDEN"]);
    all.push(("List".to_owned(), kind(r#"["private"]"#)));
    all.push(("Closed".to_owned(), kind(r#""employees_only""#)));
    all.push(("Public".to_owned(), kind(r#""public""#).replace("HIDDEN", "SHOWN")));
    check_all("t.json", &all);
}

#[test]
fn topics_of_discourse() {
    let topic = |post: &str, more: &str| {
        format!(
            r#"{{"id": 7, "slug": "NUMBER", "title": "A topic", "archetype": "regular", "post_stream": {{"posts": [
            {{"id": 71, "username": "wren", "cooked": "<p>first</p>", "post_number": 1, "post_type": 1}},
            {{"id": 72, "username": "wren", "cooked": "<p>HIDDEN</p>", "post_number": 2, "post_type": 1{post}}}], "stream": [71, 72]}}{more}}}"#
        )
    };
    for (name, key) in [
        ("Deleted", "user_deleted"),
        ("By", "deleted_by"),
        ("Reason", "hidden_reason_id"),
        ("Hidden", "hidden"),
    ] {
        let (of, no) =
            (|value: &str| topic(&format!(", \"{key}\": {value}"), ""), name == "Hidden");
        let mut texts: Vec<(String, String)> = Vec::new();
        for (at, value) in ["true", "1", r#""true""#, r#"{"id": 1}"#].iter().enumerate() {
            texts.push((format!("{name}yes{at}"), of(value)));
        }
        for (at, value) in ["false", "null"].iter().enumerate().take(if no { 1 } else { 2 }) {
            texts.push((format!("{name}no{at}"), of(value).replace("HIDDEN", "SHOWN")));
        }
        texts.push((
            format!("{name}twice"),
            topic(&format!(", \"{key}\": true, \"{key}\": false"), ""),
        ));
        check_all("t.json", &texts);
    }
    let texts = [
        topic(r#", "post_type": "4""#, ""),
        topic(r#", "post_type": 9"#, ""),
        topic(r#", "post_type": [4]"#, ""),
        topic("", r#", "archetype": "Private_Message""#),
        topic("", r#", "archetype": "private_message2""#),
        topic("", r#", "details": {"allowed_users": [{"username": "moss"}]}"#),
        topic("", r#", "read_restricted": "true""#),
        topic("", r#", "details": {"participants": []}"#).replace("HIDDEN", "SHOWN"),
    ];
    let names = ["Text", "Nine", "List", "Case", "Other", "Invited", "Restricted", "Plain"];
    for (name, text) in names.iter().zip(&texts) {
        check(&[(name, &[("t.json", text)])]);
    }
}

#[test]
fn chats_of_telegram() {
    let chat = |kind: &str, more: &str| {
        format!(
            r#"{{"name": "Quay", {kind}, "id": "NUMBER", "messages": [
            {{"id": 1, "type": "message", "date_unixtime": "1772359201", "from": "Wren", "from_id": "user1", "text": "hi"}},
            {{"id": 2, "type": "message", "date_unixtime": "1772359202", "from": "Wren", "from_id": "user1", "text": "HIDDEN"{more}}}]}}"#
        )
    };
    let public = r#""type": "public_supergroup""#;
    every("Passing", "result.json", "self_destruct_period_seconds", |member| {
        chat(public, &format!(", {member}"))
    });
    let personal = r#""type": "personal_chat""#;
    let account = |more: &str| {
        format!(
            r#"{{"about": "Telegram is free.", {more} "chats": {{"list": [{}]}}}}"#,
            chat(personal, "")
        )
    };
    let texts = [
        chat(personal, ""),
        chat(r#""type": "saved_messages""#, ""),
        chat(r#""kind": "x""#, ""),
        chat(&format!("{personal}, {public}"), ""),
        account(r#""messages": [],"#),
        account(""),
        chat(r#""type": "private_group""#, "").replace("HIDDEN", "SHOWN"),
    ];
    let names = ["Personal", "Saved", "Untyped", "Twice", "Decoy", "Account", "Group"];
    for (name, text) in names.iter().zip(&texts) {
        check(&[(name, &[("result.json", text)])]);
    }
}

#[test]
fn transcripts_and_sessions() {
    let vcon = |member: &str| {
        format!(
            r#"{{"vcon": "0.0.2", "uuid": "NUMBER", "created_at": "2026-03-01T10:00:00Z", "parties": [{{"name": "Wren"}}, {{"name": "Moss"}}],
            "dialog": [{{"type": "recording", "start": "2026-03-01T10:00:00Z", "parties": [0, 1], "mediatype": "audio/wav"}},
            {{"type": "text", "start": "2026-03-01T10:00:00Z", "parties": [0], "mediatype": "text/plain", "body": "x", "encoding": "none"}}],
            "analysis": [{{"type": "transcript", "dialog": 0, {member}, "body": [{{"speaker": "Wren", "message": "HIDDEN"}}]}}]}}"#
        )
    };
    let session = |info: &str| {
        format!(
            r#"{{"info": {{"id": "ses_NUMBER", "title": "T"{info}}}, "messages": [
            {{"info": {{"id": "msg_1", "role": "user"}}, "parts": [{{"type": "text", "text": "Hello"}}]}},
            {{"info": {{"id": "msg_2", "role": "assistant"}}, "parts": [{{"type": "text", "text": "HIDDEN"}}]}}]}}"#
        )
    };
    let texts = [
        vcon(r#""private": true"#),
        vcon(r#""private": "true""#),
        session(r#", "time": {"created": 1, "archived": 1772359300000}"#),
        session(r#", "time_archived": 1772359300000"#),
        session(r#", "revert": "{"messageID":""#),
        session(r#", "revert": "{"messageID": "msg_2"}""#),
        session(r#", "revert": {"messageID": "msg_9"}"#),
        session(r#", "revert": [7]"#),
        vcon(r#""private": false"#).replace("HIDDEN", "SHOWN"),
        session(r#", "revert": null, "time": {"created": 1, "archived": null}"#)
            .replace("HIDDEN", "SHOWN"),
    ];
    let names = [
        "Vcon", "Vcontext", "Archived", "Column", "Broken", "Text", "Unknown", "Listed", "Open",
        "Kept",
    ];
    for (name, text) in names.iter().zip(&texts) {
        check(&[(name, &[("t.json", text)])]);
    }
}

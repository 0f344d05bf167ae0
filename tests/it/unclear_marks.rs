//! Marks for deleted and private messages with unexpected values: anything that is not a clear no
//! counts as yes.

use crate::unclear_access::{check, check_all};

/// Values that are a clear no, and some that are not.
const NOES: [&str; 6] = ["false", "0", r#""""#, r#""false""#, r#""no""#, r#""0""#];
const YESES: [&str; 7] =
    ["true", "1", r#""true""#, "1772359300000", "2.5", r#"["x"]"#, r#"{"at": 1}"#];

/// Checks a mark with each of these values. `file` creates the text of a file from a member such as
/// `"deleted": 1`.
pub(crate) fn every(name: &str, path: &str, key: &str, file: impl Fn(&str) -> String) {
    let of = |value: &str| file(&format!("\"{key}\": {value}"));
    let mut all: Vec<(String, String)> = Vec::new();
    for (at, value) in YESES.iter().enumerate() {
        all.push((format!("{name}yes{at}"), of(value)));
    }
    for (at, value) in NOES.iter().enumerate() {
        all.push((format!("{name}no{at}"), of(value).replace("HIDDEN", "SHOWN")));
    }
    let twice = file(&format!("\"{key}\": true, \"{key}\": false"));
    all.push((format!("{name}twice"), twice));
    check_all(path, &all);
}

/// A Mattermost export with a post that has this member.
fn post(member: &str) -> String {
    mattermost(r#"{"team": "NUMBER", "name": "town", "display_name": "Town", "type": "O"}"#, member)
}

fn mattermost(channel: &str, member: &str) -> String {
    let message = |at: u32, text: &str, member: &str| {
        format!(
            r#"{{"type": "post", "post": {{"team": "NUMBER", "channel": "town", "user": "wren", "create_at": 17723592{at:02}000, "message": "{text}"{member}}}}}"#
        )
    };
    let member = format!(", {member}");
    let version = r#"{"type": "version", "version": 1}"#;
    let lines = [
        version.to_owned(),
        format!(r#"{{"type": "channel", "channel": {channel}}}"#),
        message(1, "hi", ""),
        message(2, "HIDDEN", &member),
    ];
    lines.join("\n")
}

#[test]
fn posts_of_mattermost() {
    every("Mattermost", "e.jsonl", "delete_at", post);
    let town = r#"{"team": "NUMBER", "name": "town", "display_name": "Town", "type": "#;
    let channel = format!("{town}\"O\"}}");
    let closed = format!("{town}\"P\"}}}}\n{{\"type\": \"channel\", \"channel\": {channel}");
    let reopened = mattermost(&closed, r#""x": 1"#);
    let texts = [
        post(r#""type": "system_ephemeral""#),
        post(r#""type": "burn_on_read", "props": {"expire_at": 1}"#),
        post(r#""props": {"deleteBy": "x"}"#),
        post(r#""is_ephemeral": true"#),
    ];
    check(&[
        ("Reopened", &[("e.jsonl", &reopened)]),
        ("Ephemeral", &[("e.jsonl", &texts[0])]),
        ("Burnt", &[("e.jsonl", &texts[1])]),
        ("Deletedby", &[("e.jsonl", &texts[2])]),
        ("Isephemeral", &[("e.jsonl", &texts[3])]),
    ]);
}

#[test]
fn messages_of_messenger() {
    for (name, key) in [("Unsent", "is_unsent"), ("Old", "isUnsent"), ("Down", "is_taken_down")] {
        every(name, "inbox/wren_1/message_1.json", key, |member| {
            format!(
                r#"{{"participants": [{{"name": "Wren"}}, {{"name": "Oriel"}}, {{"name": "Moss"}}], "messages": [
                {{"sender_name": "Wren", "timestamp_ms": 1772359200001, "content": "hi"}},
                {{"sender_name": "Wren", "timestamp_ms": 1772359200002, "content": "HIDDEN", {member}}}],
                "title": "The quay", "thread_path": "inbox/quay_NUMBER"}}"#
            )
        });
    }
}

#[test]
fn channels_of_zulip() {
    let closed = |mark: &str, recipient: &str| {
        format!(
            r#"{{"zerver_message": [{{"id": 1, "sender": 10, "recipient": 5, "subject": "NUMBER", "content": "HIDDEN", "date_sent": 1772359201.0}}],
            "zerver_userprofile": [{{"id": 10, "full_name": "Wren"}}], "zerver_stream": [{{"id": 1, "name": "mill"{mark}}}],
            "zerver_recipient": [{recipient}]}}"#
        )
    };
    let path = "z/messages-000001.json";
    let plain = r#"{"id": 5, "type": 2, "type_id": 1}"#;
    let open = r#", "invite_only": false"#;
    let texts = [
        closed(r#", "invite_only": null"#, plain),
        closed(&format!(r#", "invite_only": true}}, {{"id": 1, "name": "mill"{open}"#), plain),
        closed(open, &format!(r#"{{"id": 5, "type": 3, "type_id": 1}}, {plain}"#)),
        closed(open, &format!(r#"{plain}, {{"id": 5, "type": 3, "type_id": 1}}"#)),
        closed(open, r#"{"id": 5, "type": 2.9, "type_id": 1}"#),
        closed(open, plain).replace("HIDDEN", "SHOWN"),
    ];
    check(&[
        ("Null", &[(path, &texts[0])]),
        ("Streams", &[(path, &texts[1])]),
        ("Recipients", &[(path, &texts[2])]),
        ("Recipientsback", &[(path, &texts[3])]),
        ("Fraction", &[(path, &texts[4])]),
        ("Open", &[(path, &texts[5])]),
    ]);
}

#[test]
fn channels_of_slack() {
    let day =
        r#"[{"type": "message", "user": "U0000001", "ts": "1772359200.000001", "text": "HIDDEN"}]"#;
    for (key, name) in [("is_private", "Private"), ("is_im", "Im"), ("is_mpim", "Mpim")] {
        let list = |member: &str| format!(r#"[{{"id": "CNUMBER", "name": "quay", {member}}}]"#);
        let shown = day.replace("HIDDEN", "SHOWN");
        let all: Vec<(String, String, &str)> = YESES
            .iter()
            .map(|value| (value, day))
            .chain([(&"false", shown.as_str())])
            .enumerate()
            .map(|(at, (value, day))| {
                (format!("{name}{at}x"), list(&format!("\"{key}\": {value}")), day)
            })
            .collect();
        let files: Vec<_> = all
            .iter()
            .map(|(_, list, day)| {
                [("channels.json", list.as_str()), ("quay/2026-03-01.json", *day)]
            })
            .collect();
        let cases: Vec<_> = all
            .iter()
            .zip(&files)
            .map(|((name, _, _), files)| (name.as_str(), &files[..]))
            .collect();
        check(&cases);
    }
    let list = |a: &str, b: &str| {
        format!(
            r#"[{{"id": "CNUMBER", "name": "quay"{a}}}, {{"id": "{b}", "name": "quay", "is_private": false}}]"#
        )
    };
    let closed = r#", "is_private": true"#;
    let twice = [
        list(closed, "C2"),
        list(closed, "CNUMBER"),
        list(r#", "is_private": true, "is_private": false"#, "C3"),
        list(r#", "is_private": null"#, "C4"),
        list(r#", "private": true"#, "CNUMBER"),
    ];
    let path = "quay/2026-03-01.json";
    let list = r#"[{"id": "CNUMBER", "name": "quay"}]"#;
    let ephemeral = day.replace("\"text\"", "\"is_ephemeral\": true, \"text\"");
    check(&[
        ("Names", &[("channels.json", &twice[0]), (path, day)]),
        ("Ids", &[("channels.json", &twice[1]), (path, day)]),
        ("Keys", &[("channels.json", &twice[2]), (path, day)]),
        ("Null", &[("channels.json", &twice[3]), (path, day)]),
        ("Heard", &[("channels.json", &twice[4]), (path, day)]),
        ("Ephemeral", &[("channels.json", list), (path, &ephemeral)]),
    ]);
}

#[test]
fn messages_of_google_chat() {
    let message = |member: &str| {
        format!(
            r#"{{"messages": [{{"text": "HIDDEN", "creator": {{"name": "Wren", "user_type": "Human"}}, "topic_id": "a",
            "created_date": "Thursday, November 3, 2016 at 11:59:01 AM UTC", "message_id": "NUMBER/a/a"{member}}}]}}"#
        )
    };
    let info = ("Space A/group_info.json", r#"{"name": "The quay", "members": []}"#);
    let path = "Space A/messages.json";
    let states = [
        r#""DELETED""#, r#""deleted""#, r#""EXPIRED""#, r#""DELETED_BY_ADMIN""#, r#"["DELETED"]"#,
        "7", "true",
    ];
    let all: Vec<(String, String)> = states
        .iter()
        .enumerate()
        .map(|(at, state)| {
            (format!("State{at}x"), message(&format!(", \"message_state\": {state}")))
        })
        .chain([
            (
                "Metadata".to_owned(),
                message(r#", "deletion_metadata": {"deletion_type": "CREATOR"}"#),
            ),
            ("Plain".to_owned(), message("").replace("HIDDEN", "SHOWN")),
            (
                "Created".to_owned(),
                message(r#", "message_state": "CREATED""#).replace("HIDDEN", "SHOWN"),
            ),
            ("Null".to_owned(), message(r#", "message_state": null"#)),
        ])
        .collect();
    let files: Vec<_> = all.iter().map(|(_, text)| [info, (path, text.as_str())]).collect();
    let cases: Vec<_> =
        all.iter().zip(&files).map(|((name, _), files)| (name.as_str(), &files[..])).collect();
    check(&cases);
}

/// A Teams chat with these members of the chat and of a message.
fn teams(chat: &str, message: &str) -> String {
    format!(
        r#"{{"userId": "8:wren", "exportDate": "2026-03-01T12:00", "conversations": [{{"id": "19:NUMBER@thread.v2",
        "displayName": "Quay", {chat}, "MessageList": [
        {{"id": "1772359200001", "displayName": "Wren", "originalarrivaltime": "2026-03-01T10:00:01Z", "messagetype": "RichText/Html", "content": "hi", "from": "8:wren"}},
        {{"id": "1772359200002", "displayName": "Wren", "originalarrivaltime": "2026-03-01T10:00:02Z", "messagetype": "RichText/Html", "content": "HIDDEN", "from": "8:wren", {message}}}]}}]}}"#
    )
}

#[test]
fn messages_and_chats_of_teams() {
    let topic = r#""threadProperties": {"topic": "Quay"}"#;
    for (name, key) in [("Time", "deletetime"), ("Camel", "deleteTime"), ("Is", "isdeleted")] {
        every(name, "messages.json", key, |member| {
            teams(topic, &format!(r#""properties": {{{member}}}"#))
        });
    }
    every("Gone", "messages.json", "isdeleted", |member| {
        teams(&format!(r#"{topic}, "properties": {{{member}}}"#), r#""x": 1"#)
    });
    let texts = [
        teams(topic, r#""properties": "{\"deletetime\":""#),
        teams(topic, r#""properties": "{\"deletetime\": 1772359300000}""#),
        teams(topic, r#""properties": ["deletetime"]"#),
        teams(topic, r#""properties": null"#).replace("HIDDEN", "SHOWN"),
        teams(topic, r#""properties": """#).replace("HIDDEN", "SHOWN"),
    ];
    check(&[
        ("Broken", &[("messages.json", &texts[0])]),
        ("Text", &[("messages.json", &texts[1])]),
        ("List", &[("messages.json", &texts[2])]),
        ("Null", &[("messages.json", &texts[3])]),
        ("Empty", &[("messages.json", &texts[4])]),
    ]);
}

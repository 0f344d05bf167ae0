//! Conversations between people with an unknown line, record and field: these are counted, and none
//! of their words is published.

use std::collections::BTreeMap;

use convo_site::formats::{ALL, Format};
use serde_json::{Value, json};

use crate::formats::{files, format_of, inputs};
use crate::support::{BASE, SiteTest};

/// A word for each of them.
const LINE: &str = "zqlinez";
const RECORD: &str = "zqrecordz";
const FIELD: &str = "zqfieldz";
/// The unknown kind of a record.
const KIND: &str = "own-kind";
/// Keys for the kind of a record.
const KINDS: [&str; 7] =
    ["subtype", "type", "kind", "msgtype", "messagetype", "messageType", "media_type"];

#[test]
fn unknown_kinds_are_counted_and_not_shown() {
    let people: Vec<&Format> = ALL.iter().copied().filter(|format| format.between_people).collect();
    assert!(people.len() > 20);
    let mut found = Vec::new();
    for format in people {
        let name = format.name;
        let cases = inputs().into_iter().filter(|input| format_of(input) == name);
        let mut site = SiteTest::new().file(
            "site.toml",
            format!(
                "{BASE}[[source]]\nfiles = \"**\"\nvisibility = \"public\"\ndirect_messages = true\n"
            ),
        );
        let mut planted = 0;
        for input in cases {
            let case = input.parent().and_then(|folder| folder.file_name());
            let case = case.expect("a case").to_string_lossy().into_owned();
            for (path, bytes) in files(&input) {
                let path = path.replacen("input.", &format!("{name}-{case}."), 1);
                let bytes = match String::from_utf8(bytes) {
                    Ok(text) => match plant(name, &path, &text) {
                        Some(text) => {
                            planted += 1;
                            text.into_bytes()
                        }
                        None => text.into_bytes(),
                    },
                    Err(error) => error.into_bytes(),
                };
                site = site.file(&format!("content/{case}/{path}"), bytes);
            }
        }
        assert!(planted > 0, "{name}: nothing of its own to plant");
        let run = site.run(&["build"]);
        let mut outputs: BTreeMap<String, Vec<u8>> = site.output();
        let pages = outputs.keys().filter(|path| path.starts_with("c/")).count();
        assert!(pages > 0, "{name}: {}", run.stderr);
        outputs.insert("what is said".to_owned(), (run.stdout + &run.stderr).into());
        for (path, bytes) in outputs {
            let text = String::from_utf8_lossy(&bytes).to_lowercase();
            for word in [LINE, RECORD, FIELD] {
                if let Some(at) = text.find(word) {
                    let from = text.floor_char_boundary(at.saturating_sub(160));
                    let to = text.floor_char_boundary(at + 80);
                    found.push(format!("{name}: {word} in {path}: {}", &text[from..to]));
                }
            }
        }
    }
    found.dedup_by_key(|line| line.split(" in ").next().map(str::to_owned));
    assert!(found.is_empty(), "{}", found.join("\n\n"));
}

/// Inserts them in a file of a format; `None` if this is not possible.
fn plant(format: &str, path: &str, text: &str) -> Option<String> {
    if path.ends_with(".json") || path.ends_with(".jsonl") || text.starts_with(['{', '[']) {
        return in_json(text);
    }
    Some(match format {
        "irc" => text.lines().map(in_irc).collect(),
        "kakaotalk" if path.ends_with(".csv") => format!("{}\n{LINE}\n", text.trim_end()),
        "signal" if text.starts_with("Conversation: ") => {
            let rows = text.lines().map(|row| match row.starts_with("Sent: ") {
                true => format!("{row}\nOwn: {LINE}\n"),
                false => format!("{row}\n"),
            });
            rows.collect::<String>()
                + &format!(
                    "\nFrom: {LINE}\nType: {KIND}\nSent: Sun, 1 Mar 2026 10:00:00 +0000\nOwn: {LINE}\n\n{LINE}\n"
                )
        }
        // Any other line continues the message above.
        "zoom-chat" => format!(
            "{text}\n9:00:59 From  to Ada(Direct Message): {LINE}\nown {LINE}\n09:01:00 From Ada to Everyone : Bye\n"
        ),
        "line" => text.replacen('\n', &format!("\n{LINE} of its own\n"), 1),
        // A line above the first message would make the file another format.
        "signal" => return None,
        "whatsapp" | "kakaotalk" | "imessage" | "otter" if !text.trim_start().starts_with('<') => {
            format!("{LINE} of its own\n\n{text}")
        }
        "imessage" | "podcast-transcript" => match text.contains("<body>") {
            true => text.replacen("<body>", &format!("<body><aside>{LINE}</aside>"), 1),
            false => format!("<aside>{LINE}</aside>{text}"),
        },
        "webvtt" => {
            let (head, rest) = text.split_once('\n')?;
            if !head.starts_with("WEBVTT") {
                return None;
            }
            format!("{head}\nOwn: {LINE}\n{rest}\n\nOWN {LINE}\n\nNOTE {LINE}\n")
        }
        // After a cue, it could be part of the cue.
        "srt" => text.replacen("1\n00:", &format!("{LINE}\n\n1\n00:"), 1),
        "mail" => text.replace("\nMessage-ID: ", &format!("\nX-Own: {LINE}\nMessage-ID: ")),
        "slack" | "discord" | "mattermost" | "zulip" | "google-chat" | "teams" | "telegram"
        | "messenger" | "matrix" | "reddit" | "discourse" | "hacker-news" | "whisper" | "vcon" => {
            return None;
        }
        other => panic!("{other}: add a line that is unknown in this format"),
    })
}

/// A line of a log, followed by lines that start in the same way.
fn in_irc(row: &str) -> String {
    let mut rows = format!("{row}\n{LINE} on a line of its own\n");
    if let Some((time, _)) = row.split_once('<').filter(|(time, _)| !time.contains(['>', '\t'])) {
        for own in [
            format!("{{own}} {LINE}"),
            format!("own: {LINE}"),
            format!("*** {LINE} happened"),
            format!("-!- {LINE} happened"),
            format!("*\t[own] (~own@{LINE}.example): {LINE}"),
            format!(">NickServ<\tIDENTIFY {LINE}"),
            format!(">own<\t{LINE}"),
            format!("->own<-\t{LINE}"),
            format!("*own*\t{LINE}"),
            format!("[msg(own)] {LINE}"),
            format!("[own(~own@mill.example)] {LINE}"),
            format!("-own(~own@mill.example)- {LINE}"),
            format!("-NickServ- {LINE}"),
            format!("-> *NickServ* {LINE}"),
            format!("*** own <own!~{LINE}@{LINE}.example> has joined #mill"),
            format!("*** own <own!~own@{LINE}.example> has quit IRC (Quit: {LINE})"),
            format!("*** own <own!~own@{LINE}.example> has left #mill (\"{LINE}\")"),
            format!("* own (~own@{LINE}.example) has quit ({LINE})"),
            format!("*** own was kicked by own2 ({LINE})"),
        ] {
            rows += &format!("{time}{own}\n");
        }
    }
    let is_time = |c: char| c.is_ascii_digit() || " -:".contains(c);
    if let Some((time, _)) = row.split_once('\t').filter(|(time, _)| time.chars().all(is_time)) {
        for own in [
            format!("--\t{LINE} happened"),
            format!("--\tMSG(NickServ): identify {LINE}"),
            format!("=!=\t{LINE}"),
            format!("<--\town (~own@{LINE}.example) has quit (Quit: {LINE})"),
            format!("a b\t{LINE}"),
        ] {
            rows += &format!("{time}\t{own}\n");
        }
    }
    rows
}

fn in_json(text: &str) -> Option<String> {
    if let Ok(mut value) = serde_json::from_str::<Value>(text) {
        in_value(&mut value);
        return Some(value.to_string());
    }
    let rows: Result<Vec<Value>, _> =
        text.lines().filter(|row| !row.is_empty()).map(serde_json::from_str).collect();
    let mut rows = rows.ok()?;
    let own = rows.iter().find_map(of_own_kind);
    rows.iter_mut().for_each(in_value);
    rows.extend(own);
    rows.push(json!({ "own": RECORD }));
    Some(rows.iter().map(|row| format!("{row}\n")).collect())
}

/// Adds a field to each object, and a record to each list of objects.
fn in_value(value: &mut Value) {
    match value {
        Value::Object(map) => {
            map.values_mut().for_each(in_value);
            map.insert("own_field".to_owned(), FIELD.into());
            map.insert("own_object".to_owned(), json!({ "text": FIELD, "body": FIELD }));
            map.insert("own_list".to_owned(), json!([{ "text": FIELD }, FIELD]));
        }
        Value::Array(list) if list.iter().any(Value::is_object) => {
            let own = list.iter().find_map(of_own_kind);
            list.iter_mut().for_each(in_value);
            list.extend(own);
            list.push(json!({ "own": RECORD, "own_list": [RECORD] }));
        }
        _ => {}
    }
}

/// A copy of a record with an unknown kind.
fn of_own_kind(record: &Value) -> Option<Value> {
    let map = record.as_object()?;
    let key = KINDS.iter().find(|key| map.get(**key).is_some_and(Value::is_string))?;
    let mut own = record.clone();
    replace(&mut own, "");
    own[*key] = KIND.into();
    Some(own)
}

fn replace(value: &mut Value, key: &str) {
    match value {
        Value::String(text) if KINDS.contains(&key) => *text = KIND.to_owned(),
        Value::String(text) => *text = RECORD.to_owned(),
        Value::Number(_) if key == "id" => *value = 987_654.into(),
        Value::Array(list) => list.iter_mut().for_each(|value| replace(value, key)),
        Value::Object(map) => map.iter_mut().for_each(|(key, value)| replace(value, key)),
        _ => {}
    }
}

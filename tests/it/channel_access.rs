//! Access to channels, rooms, topics and messages: a hundred values for each field of a program
//! that controls it. Only the program's own value for public counts as public.

use std::collections::BTreeSet;
use std::sync::Arc;

use convo_site::files::{Memory, SharedFiles};
use convo_site::formats;
use convo_site::pipeline::{self, Choices, Memo};

use crate::support::{BASE, convo};

/// A field of a format: its key, the public values, and a file in which `FIELD` is its place and
/// `WORD` the text to read. `NUMBER` is different in each.
struct Field {
    format: &'static str,
    key: &'static str,
    public: &'static [&'static str],
    /// Whether records without the field are public.
    is_optional: bool,
    files: &'static [(&'static str, &'static str)],
}

const fn field(
    format: &'static str,
    key: &'static str,
    public: &'static [&'static str],
    files: &'static [(&'static str, &'static str)],
) -> Field {
    Field { format, key, public, is_optional: false, files }
}

const fn optional(
    format: &'static str,
    key: &'static str,
    public: &'static [&'static str],
    files: &'static [(&'static str, &'static str)],
) -> Field {
    Field { format, key, public, is_optional: true, files }
}

const TELEGRAM: &str = r#"{"name": "Quay", FIELD "id": NUMBER, "messages": [
    {"id": 1, "type": "message", "date_unixtime": "1772359201", "from": "Wren", "from_id": "user1", "text": "WORD"}]}"#;
const ZULIP_STREAM: &str = r#"{"zerver_message": [{"id": 1, "sender": 10, "recipient": 5, "subject": "NUMBER", "content": "WORD", "date_sent": 1772359201.0}],
    "zerver_userprofile": [{"id": 10, "full_name": "Wren"}], "zerver_stream": [{FIELD "id": 1, "name": "mill"}],
    "zerver_recipient": [{"id": 5, "type": 2, "type_id": 1}]}"#;
const ZULIP_RECIPIENT: &str = r#"{"zerver_message": [{"id": 1, "sender": 10, "recipient": 5, "subject": "NUMBER", "content": "WORD", "date_sent": 1772359201.0}],
    "zerver_userprofile": [{"id": 10, "full_name": "Wren"}], "zerver_stream": [{"id": 1, "name": "mill", "invite_only": false}],
    "zerver_recipient": [{"id": 5, FIELD "type_id": 1}]}"#;
const TEAMS_TOPIC: &str = r#"{"userId": "8:wren", "conversations": [{"id": "19:NUMBER@thread.v2", "displayName": "Quay", "threadProperties": {FIELD "membercount": 2}, "MessageList": [
    {"id": "1772359200001", "displayName": "Wren", "originalarrivaltime": "2026-03-01T10:00:01Z", "messagetype": "RichText/Html", "content": "WORD", "from": "8:wren"}]}]}"#;
const TEAMS_MARK: &str = r#"{"userId": "8:wren", "conversations": [{"id": "19:NUMBER@thread.v2", "displayName": "Quay", "threadProperties": {FIELD "topic": "Quay"}, "MessageList": [
    {"id": "1772359200001", "displayName": "Wren", "originalarrivaltime": "2026-03-01T10:00:01Z", "messagetype": "RichText/Html", "content": "WORD", "from": "8:wren"}]}]}"#;
const DISCOURSE_TOPIC: &str = r#"{FIELD "id": NUMBER, "slug": "t", "title": "T", "post_stream": {"posts": [
    {"id": 71, "username": "wren", "cooked": "<p>WORD</p>", "post_number": 1, "post_type": 1}], "stream": [71]}}"#;
const DISCOURSE_MARK: &str = r#"{FIELD "id": NUMBER, "slug": "t", "title": "T", "archetype": "regular", "post_stream": {"posts": [
    {"id": 71, "username": "wren", "cooked": "<p>WORD</p>", "post_number": 1, "post_type": 1}], "stream": [71]}}"#;
const DISCOURSE_POST: &str = r#"{"id": NUMBER, "slug": "t", "title": "T", "archetype": "regular", "post_stream": {"posts": [
    {"id": 71, "username": "wren", "cooked": "<p>hello</p>", "post_number": 1, "post_type": 1},
    {FIELD "id": 72, "username": "wren", "cooked": "<p>WORD</p>", "post_number": 2}], "stream": [71, 72]}}"#;
const REDDIT: &str = r#"[{"kind": "Listing", "data": {"children": [{"kind": "t3", "data": {FIELD "name": "t3_NUMBER", "title": "T", "selftext": "WORD", "author": "wren", "created_utc": 1772359200.0}}]}},
    {"kind": "Listing", "data": {"children": []}}]"#;
const MATTERMOST: &str = r#"{"type": "version", "version": 1}
{"type": "channel", "channel": {FIELD "team": "tNUMBER", "name": "town", "display_name": "Town"}}
{"type": "post", "post": {"team": "tNUMBER", "channel": "town", "user": "wren", "create_at": 1772359200000, "message": "WORD"}}
"#;
const MATRIX: &str = r#"{"room_name": "Quay", "topic": "", "exported_by": "Wren", "messages": [
    {"type": "m.room.join_rules", "sender": "@wren:e.org", "state_key": "", "content": {FIELD "x": 1}, "origin_server_ts": 1772359200000, "event_id": "$0"},
    {"type": "m.room.message", "sender": "@wren:e.org", "content": {"msgtype": "m.text", "body": "WORD"}, "origin_server_ts": 1772359201000, "event_id": "$1", "room_id": "!NUMBER:e.org"}]}"#;
const MATRIX_MEMBER: &str = r#"{"room_name": "Quay", "topic": "", "exported_by": "Wren", "messages": [
    {"type": "m.room.join_rules", "sender": "@wren:e.org", "state_key": "", "content": {"join_rule": "public"}, "origin_server_ts": 1772359200000, "event_id": "$0"},
    {"type": "m.room.member", "sender": "@wren:e.org", "state_key": "@moss:e.org", "content": {FIELD "membership": "invite"}, "origin_server_ts": 1772359200000, "event_id": "$3"},
    {"type": "m.room.message", "sender": "@wren:e.org", "content": {"msgtype": "m.text", "body": "WORD"}, "origin_server_ts": 1772359201000, "event_id": "$1", "room_id": "!NUMBER:e.org"}]}"#;
const DISCORD: &str = r#"{"guild": {"id": "1"}, "channel": {"id": "NUMBER", FIELD "name": "q"}, "messages": [
    {"id": "1", "type": "Default", "timestamp": "2026-03-01T10:00:00+00:00", "content": "WORD", "author": {"id": "1", "name": "wren"}}]}"#;
const CHAT: (&str, &str) = (
    "Space NUMBER/messages.json",
    r#"{"messages": [{"text": "WORD", "creator": {"name": "Wren", "user_type": "Human"}, "topic_id": "a",
    "created_date": "Thursday, November 3, 2016 at 11:59:01 AM UTC", "message_id": "sNUMBER/a/a"}]}"#,
);
const CHAT_STATE: (&str, &str) = (
    "Space NUMBER/messages.json",
    r#"{"messages": [{FIELD "text": "WORD", "creator": {"name": "Wren", "user_type": "Human"}, "topic_id": "a",
    "created_date": "Thursday, November 3, 2016 at 11:59:01 AM UTC", "message_id": "sNUMBER/a/a"}]}"#,
);
const DAY: (&str, &str) = (
    "quay/2026-03-01.json",
    r#"[{"type": "message", "user": "U0000001", "ts": "1772359200.000001", "text": "WORD"}]"#,
);
const SLACK: (&str, &str) = ("channels.json", r#"[{FIELD "id": "CNUMBER", "name": "quay"}]"#);

/// A space or thread with a name has several members; any text is a name.
const NAME: &str = "\"The quay\"";

const FIELDS: &[Field] = &[
    field(
        "telegram",
        "type",
        &["\"public_supergroup\"", "\"public_channel\"", "\"private_group\""],
        &[("result.json", TELEGRAM)],
    ),
    field("zulip", "invite_only", &["false"], &[("messages-000001.json", ZULIP_STREAM)]),
    field("zulip", "type", &["2", "2.0"], &[("messages-000001.json", ZULIP_RECIPIENT)]),
    field("teams", "topic", &[NAME], &[("messages.json", TEAMS_TOPIC)]),
    optional("teams", "isPrivate", &["false"], &[("messages.json", TEAMS_MARK)]),
    optional(
        "teams",
        "channelType",
        &["\"standard\"", "\"regular\""],
        &[("messages.json", TEAMS_MARK)],
    ),
    field("discourse", "archetype", &["\"regular\"", "\"banner\""], &[("t.json", DISCOURSE_TOPIC)]),
    optional("discourse", "read_restricted", &["false"], &[("t.json", DISCOURSE_MARK)]),
    field("discourse", "post_type", &["1", "1.0"], &[("t.json", DISCOURSE_POST)]),
    field("reddit", "subreddit_type", &["\"public\"", "\"restricted\""], &[("t.json", REDDIT)]),
    field("mattermost", "type", &["\"O\""], &[("e.jsonl", MATTERMOST)]),
    field("matrix", "join_rule", &["\"public\""], &[("r.json", MATRIX)]),
    optional("matrix", "is_direct", &["false"], &[("r.json", MATRIX_MEMBER)]),
    field("discord", "type", &["\"GuildTextChat\""], &[("q.json", DISCORD)]),
    field(
        "google-chat",
        "name",
        &[NAME],
        &[("Space NUMBER/group_info.json", r#"{FIELD "members": []}"#), CHAT],
    ),
    optional(
        "google-chat",
        "message_state",
        &["\"CREATED\""],
        &[("Space NUMBER/group_info.json", r#"{"name": "Quay", "members": []}"#), CHAT_STATE],
    ),
    optional("slack", "is_private", &["false"], &[SLACK, DAY]),
    optional("slack", "is_im", &["false"], &[SLACK, DAY]),
];

/// Formats for chats and mail without such a field, and the reason.
const WITHOUT_FIELD: &[(&str, &str)] = &[
    ("hacker-news", "all of it is public"),
    ("messenger", "every chat is direct"),
    ("signal", "every chat is direct"),
    ("imessage", "every chat is direct"),
    ("whatsapp", "a saved chat, which a rule in site.toml opens"),
    ("line", "a saved chat, which a rule in site.toml opens"),
    ("kakaotalk", "a saved chat, which a rule in site.toml opens"),
    ("zoom-chat", "a saved chat, which a rule in site.toml opens"),
    ("irc", "a log of a channel has its name"),
    ("mail", "text, which `mails_with_restrictions_are_withheld` tries"),
];

/// Values that no program uses for public.
const VALUES: [&str; 100] = [
    "null", "\"\"", "\" \"", "\"\\t\"", "\"\\n\"", "\"\\u0000\"", "\"\\u200b\"", "\"\\u00a0\"",
    "\".\"", "\"-\"", "\"?\"", "false", "true", "0", "0.0", "-0", "0e9", "-1", "1", "2", "3", "4",
    "1.5", "2.9", "1e300", "-1e300", "0.1", "18446744073709551615", "9007199254740993", "[]", "{}",
    "[null]", "[[]]", "[false]", "[true]", "[0]", "[1]", "[2]", "[\"\"]", "[\"public\"]",
    "[\"O\"]", "[\"regular\"]", "{\"public\": true}", "{\"type\": \"public\"}",
    "{\"private\": false}", "{\"a\": null}", "\"null\"", "\"undefined\"", "\"None\"", "\"NaN\"",
    "\"nil\"", "\"false\"", "\"False\"", "\"FALSE\"", "\"true\"", "\"True\"", "\"no\"", "\"yes\"",
    "\"off\"", "\"on\"", "\"0\"", "\"1\"", "\"2\"", "\"00\"", "\"0.0\"", "\"publc\"", "\"pubic\"",
    "\"Public\"", "\"PUBLIC\"", "\" public\"", "\"public \"", "\"publicly\"", "\"public?\"",
    "\"not public\"", "\"nonpublic\"", "\"semi-public\"", "\"public-ish\"", "\"publiс\"",
    "\"ｐｕｂｌｉｃ\"", "\"p\\u0000ublic\"", "\"Öffentlich?\"", "\"öffentlich\"", "\"publico\"",
    "\"公開\"", "\"open\"", "\"o\"", "\"Open\"", "\"everyone\"", "\"world\"", "\"internal\"",
    "\"private\"", "\"secret\"", "\"invite\"", "\"knock\"", "\"members\"", "\"unknown\"",
    "\"?public\"", "\"archived_public\"", "\"guildtextchat\"", "\"Regular\"",
];

const CONFIG: &str = "[people]\nothers = 'keep'\n[[source]]\nfiles = '**'\nvisibility = 'public'\n";

/// Builds a site in memory, and returns its words that start with `quux`.
fn published(files: &[(String, String)]) -> BTreeSet<String> {
    let mut memory = Memory::default();
    memory.insert("site.toml", format!("{BASE}{CONFIG}"));
    memory.insert("content/hello.convo", convo("Hello."));
    for (path, text) in files {
        memory.insert(path.clone(), text.clone());
    }
    let files: SharedFiles = Arc::new(memory);
    let build =
        pipeline::run(&files, &Choices::default(), &Memo::default(), &|_| {}).expect("TOML");
    let mut words = BTreeSet::new();
    for output in build.outputs.iter() {
        let text = String::from_utf8_lossy(&output.make().expect("made")).into_owned();
        for text in [text.as_str(), output.path.as_str()] {
            let parts = text.split(|c: char| !c.is_ascii_alphanumeric());
            words.extend(parts.filter(|part| part.starts_with("quux")).map(str::to_owned));
        }
    }
    words
}

#[test]
fn only_the_public_value_of_a_program_is_public() {
    let mut files = Vec::new();
    let mut cases = Vec::new();
    let mut add = |field: &Field, member: String, is_public: bool| {
        let number = cases.len();
        for (path, text) in field.files {
            let number = format!("{number:05}");
            let path = path.replace("NUMBER", &number);
            let text = text.replace("FIELD", &member).replace("WORD", &format!("quux{number}"));
            let text = text
                .replace("id\": NUMBER", &format!("id\": 1{number}"))
                .replace("NUMBER", &number);
            files.push((format!("content/{}/{number}/{path}", field.format), text));
        }
        cases.push((format!("{}: {member}", field.format), is_public));
    };
    for field in FIELDS {
        let of = |value: &str| format!("\"{}\": {value},", field.key);
        add(field, String::new(), field.is_optional);
        for value in field.public {
            add(field, of(value), true);
            add(field, of(value) + &of("null"), false);
            add(field, of("true") + &of(value), false);
        }
        for value in VALUES.iter().filter(|value| !field.public.contains(value)) {
            let is_name = field.public == [NAME]
                && value.starts_with('"')
                && value.chars().any(char::is_alphanumeric);
            let is_name = is_name
                && !matches!(
                    *value,
                    "\"\\t\"" | "\"\\n\"" | "\"\\u0000\"" | "\"\\u200b\"" | "\"\\u00a0\""
                );
            let is_post = field.key == "post_type" && ["2", "3"].contains(value);
            if !is_name && !is_post {
                add(field, of(value), false);
            }
        }
    }
    let words = published(&files);
    let is_wrong = |(number, (_, is_public)): &(usize, &(String, bool))| {
        words.contains(&format!("quux{number:05}")) != *is_public
    };
    let wrong: Vec<&(String, bool)> =
        cases.iter().enumerate().filter(is_wrong).map(|(_, case)| case).collect();
    assert!(wrong.is_empty(), "{} of {}: {wrong:#?}", wrong.len(), cases.len());
}

#[test]
fn mails_with_restrictions_are_withheld() {
    let mail = |number: usize, fields: &str, text: &str| {
        format!(
            "From: Wren <wren@mill.example>\nTo: list@mill.example\nList-Id: <list.mill.example>\n\
             Date: Wed, 4 Mar 2026 18:20:05 +0100\nSubject: Number {number}\nMessage-ID: <{number}@mill.example>\n\
             {fields}\n{text}\n"
        )
    };
    let hidden = [
        "X-No-Archive: yes",
        "X-No-Archive: Yes",
        "X-No-Archive: true",
        "X-No-Archive: 1",
        "X-No-Archive: perhaps",
        "X-No-Archive:",
        "X-No-Archive: no\nX-No-Archive: yes",
        "X-Archive: no",
        "X-Archive: expiry=30",
        "Archive: no",
        "Sensitivity: private",
        "Sensitivity: Personal",
        "Sensitivity: Company-Confidential",
        "Sensitivity: confidential",
        "Sensitivity: ?",
        "Sensitivity:",
        "Content-Type: multipart/encrypted",
        "Content-Type: multipart/encrypted; boundary=\"\"",
        "Content-Type: multipart/encrypted; boundary=nowhere",
        "Content-Type: Multipart/Encrypted; protocol=x; boundary=b",
    ];
    let shown = [
        "X-Mailer: x",
        "X-No-Archive: no",
        "X-Archive: yes",
        "Sensitivity: Normal",
        "Content-Type: multipart/mixed",
    ];
    let all: Vec<(&str, bool)> = hidden
        .map(|field| (field, false))
        .into_iter()
        .chain(shown.map(|field| (field, true)))
        .collect();
    let file = |(number, (fields, _)): (usize, &(&str, bool))| {
        let text = mail(number, &format!("{fields}\n"), &format!("I said quux{number:05}."));
        (format!("content/{number:05}/a.eml"), text)
    };
    let files: Vec<(String, String)> = all.iter().enumerate().map(file).collect();
    let words = published(&files);
    for (number, (fields, is_public)) in all.iter().enumerate() {
        assert_eq!(words.contains(&format!("quux{number:05}")), *is_public, "{fields}");
    }
}

#[test]
fn every_chat_format_is_tested() {
    let tried = FIELDS.iter().map(|field| field.format);
    let tried: BTreeSet<&str> =
        tried.chain(WITHOUT_FIELD.iter().map(|(format, _)| *format)).collect();
    let is_of_people = |format: &&&formats::Format| {
        format.read.is_some() && format.about.leaves_out.contains("visibility = \"public\"")
    };
    let of_people = formats::ALL.iter().filter(is_of_people).map(|format| format.name);
    let missing: Vec<&str> = of_people.filter(|format| !tried.contains(format)).collect();
    assert!(missing.is_empty(), "{missing:?}");
    let known: BTreeSet<&str> = formats::ALL.iter().map(|format| format.name).collect();
    assert!(tried.is_subset(&known));
}

//! Unusual access settings of conversations between people: in doubt, they are private.

use crate::support::SiteTest;

/// A name, and the files of a folder. In these, `SHOWN` stands for a word that must be published,
/// and `HIDDEN` for one that needs more than `visibility = "public"`. `NUMBER` is different in
/// each.
pub(crate) type Case<'a> = (&'a str, &'a [(&'a str, &'a str)]);

/// Every chat of Messenger is direct; messages in one may have marks too.
const OPENED: &str = "base_url = \"https://example.org/\"\n[people]\nothers = \"keep\"\n\
                      [[source]]\nfiles = \"*/inbox/**\"\nvisibility = \"public\"\ndirect_messages = true\n\
                      [[source]]\nfiles = \"**\"\nvisibility = \"public\"\n";

/// Builds a site of all cases, and looks for their words.
pub(crate) fn check(cases: &[Case<'_>]) {
    let site = SiteTest::new();
    site.write("site.toml", OPENED);
    for (name, files) in cases {
        for (path, text) in *files {
            let text = text.replace("SHOWN", &format!("shown{name}."));
            let text = text.replace("HIDDEN", &format!("hidden{name}."));
            let text = text.replace("NUMBER", name);
            site.write(&format!("content/{name}/{path}"), text);
        }
    }
    let run = site.run(&["build"]);
    // Some are broken, which is reported.
    assert!(matches!(run.code, Some(0 | 1)), "{}", run.stderr);
    let pages: String = site
        .output()
        .into_iter()
        .map(|(name, bytes)| format!("{name}\n{}", String::from_utf8_lossy(&bytes)))
        .collect();
    let mut wrong = Vec::new();
    for (name, files) in cases {
        let (shown, hidden) = (format!("shown{name}."), format!("hidden{name}."));
        let is_shown = files.iter().any(|(_, text)| text.contains("SHOWN"));
        if is_shown && !pages.contains(&shown) {
            wrong.push(format!("{name} is lost"));
        }
        if pages.contains(&hidden) {
            wrong.push(format!("{name} is published"));
        }
    }
    assert!(wrong.is_empty(), "{}\n{}", wrong.join("\n"), run.stderr);
}

/// Builds a site of single-file cases with the same file name.
pub(crate) fn check_all(path: &str, texts: &[(String, String)]) {
    let files: Vec<[(&str, &str); 1]> =
        texts.iter().map(|(_, text)| [(path, text.as_str())]).collect();
    let named = texts.iter().zip(&files);
    let cases: Vec<Case<'_>> =
        named.map(|((name, _), files)| (name.as_str(), &files[..])).collect();
    check(&cases);
}

/// A day of Slack with one message.
macro_rules! day {
    ($text:literal) => {
        concat!(
            r#"[{"type": "message", "user": "U0000001", "ts": "1772359200.000001", "text": ""#,
            $text,
            r#""}]"#
        )
    };
}

const USERS: (&str, &str) =
    ("users.json", r#"[{"id": "U0000001", "name": "wren", "profile": {}}]"#);
const CHANNELS: (&str, &str) = ("channels.json", r#"[{"id": "CNUMBER", "name": "quay"}]"#);
const GROUPS: (&str, &str) = ("groups.json", r#"[{"id": "G1", "name": "keys"}]"#);
const QUAY: (&str, &str) = ("quay/2026-03-01.json", day!("SHOWN"));

#[test]
fn files_in_a_channel_folder_belong_to_the_channel() {
    let long = format!(
        r#"[{{"user": "U0000001", "type": "message", "text": "HIDDEN {}", "ts": "1772359200.000001"}}]"#,
        "long words ".repeat(4000)
    );
    let empty = |day: &'static str| (day, "[]");
    let days = ["keys/2026-02-01.json", "keys/2026-02-02.json", "keys/2026-02-03.json"];
    let [first, second, third] = days.map(empty);
    check(&[
        (
            "Emptydays",
            &[
                USERS,
                CHANNELS,
                GROUPS,
                QUAY,
                first,
                second,
                third,
                ("keys/2026-03-01.json", day!("HIDDEN")),
            ],
        ),
        (
            "Emptydirect",
            &[
                CHANNELS,
                QUAY,
                ("D0000001/2026-02-01.json", "[]"),
                ("D0000001/2026-02-02.json", "[ ]"),
                ("D0000001/2026-02-03.json", "[]"),
                ("D0000001/2026-03-01.json", day!("HIDDEN")),
            ],
        ),
        ("Longdays", &[USERS, CHANNELS, GROUPS, QUAY, ("keys/2026-03-01.json", &long)]),
        (
            "Copy",
            &[
                CHANNELS,
                GROUPS,
                QUAY,
                ("keys/2026-03-01.json", day!("x")),
                ("keys/2026-03-01 copy.json", day!("HIDDEN")),
            ],
        ),
        ("Capitals", &[CHANNELS, GROUPS, QUAY, ("keys/2026-03-01.JSON", day!("HIDDEN"))]),
        ("Notes", &[CHANNELS, GROUPS, QUAY, ("keys/notes.json", day!("HIDDEN"))]),
        ("Below", &[CHANNELS, GROUPS, QUAY, ("keys/old/2026-03-01.json", day!("HIDDEN"))]),
        ("Unlisted", &[USERS, CHANNELS, QUAY, ("keys/2026-03-01.json", day!("HIDDEN"))]),
        ("Beside", &[USERS, CHANNELS, QUAY, ("notes.json", day!("HIDDEN"))]),
        (
            "Stranger",
            &[
                CHANNELS,
                QUAY,
                (
                    "talks/2026-03-01.json",
                    r#"[{"role": "user", "content": "SHOWN"}, {"role": "assistant", "content": "b"}]"#,
                ),
            ],
        ),
    ]);
}

#[test]
fn a_file_that_claims_to_be_direct_is_direct() {
    let with = |head: &str| {
        format!(
            r#"{{{head}, "messages": [{{"type": "message", "user": "U0000001", "ts": "1772359200.000001", "text": "HIDDEN"}}]}}"#
        )
    };
    let im = with(r#""id": "CNUMBER", "name": "x", "is_im": true"#);
    let text = with(r#""id": "CNUMBER", "name": "x", "is_im": "true""#);
    let many = with(r#""id": "CNUMBER", "name": "mpdm-wren--oriel-1""#);
    let mpim = with(r#""id": "CNUMBER", "name": "x", "is_mpim": [true]"#);
    let closed = with(r#""channel_id": "G012345678", "channel_name": "keys""#);
    let group = with(r#""id": "CNUMBER", "name": "x", "is_group": 1"#);
    let twice = with(r#""id": "CNUMBER", "name": "x", "is_private": true, "is_private": false"#);
    let unclear = with(r#""id": "CNUMBER", "name": "x", "is_channel": true"#);
    let clear = with(r#""id": "CNUMBER", "name": "x", "is_private": false"#);
    let clear = clear.replace("HIDDEN", "SHOWN");
    check(&[
        ("Im", &[("x.json", &im)]),
        ("Imtext", &[("x.json", &text)]),
        ("Many", &[("x.json", &many)]),
        ("Mpim", &[("x.json", &mpim)]),
        ("Closed", &[("x.json", &closed)]),
        ("Group", &[("x.json", &group)]),
        ("Twice", &[("x.json", &twice)]),
        ("Dm", &[("D012345678.json", day!("HIDDEN"))]),
        ("Dmfolder", &[("D012345678/2026-03-01.json", day!("HIDDEN"))]),
        ("Mpdm", &[("mpdm-wren--oriel-1.json", day!("HIDDEN"))]),
        ("Lone", &[("quay.json", day!("HIDDEN"))]),
        ("Loneday", &[("quay/2026-03-01.json", day!("HIDDEN"))]),
        ("Unclear", &[("x.json", &unclear)]),
        ("Clear", &[("x.json", &clear)]),
    ]);
}

/// A message of a Google Chat export, with optional padding.
fn chat(text: &str) -> String {
    format!(
        r#"{{"messages": [{{"text": "{text}", "creator": {{"name": "Wren", "user_type": "Human"}},
        "created_date": "Thursday, November 3, 2016 at 11:59:01 AM UTC", "topic_id": "a", "message_id": "NUMBER/a/a"}}]}}"#
    )
}

#[test]
fn a_space_without_a_member_list_is_direct() {
    let long = chat(&format!("HIDDEN {}", "long words ".repeat(20_000)));
    let (hidden, shown) = (chat("HIDDEN"), chat("SHOWN"));
    let info = r#"{"name": "The quay", "members": []}"#;
    check(&[
        ("Longdm", &[("Groups/DM AAA/messages.json", &long)]),
        ("Longspace", &[("Groups/Space AAA/messages.json", &long)]),
        ("Noinfo", &[("Groups/Space AAA/messages.json", &hidden)]),
        ("Renamed", &[("Groups/Elsewhere/messages.json", &hidden)]),
        (
            "Badinfo",
            &[
                ("Groups/Space AAA/messages.json", &hidden),
                ("Groups/Space AAA/group_info.json", r#"{"name": "The quay", "#),
            ],
        ),
        (
            "Listinfo",
            &[
                ("Groups/Space AAA/messages.json", &hidden),
                ("Groups/Space AAA/group_info.json", r#"[{"name": "The quay"}]"#),
            ],
        ),
        (
            "Space",
            &[
                ("Groups/Space AAA/messages.json", &shown),
                ("Groups/Space AAA/group_info.json", info),
            ],
        ),
    ]);
}

#[test]
fn messages_shared_from_a_private_channel_are_not_shown() {
    let share = |member: &str, word: &str| {
        format!(
            r#"[{{"type": "message", "user": "U0000001", "ts": "1772359200.000001", "text": "{word}"}},
            {{"type": "message", "user": "U0000001", "ts": "1772359201.000001", "text": "", "attachments": [
            {{"is_share": true, "author_name": "Oriel HIDDEN", "text": "HIDDEN", {member}}}]}}]"#
        )
    };
    let path = "quay/2026-03-01.json";
    let marked = share(r#""is_private": 1"#, "SHOWN");
    let direct = share(r#""channel_id": "D1""#, "SHOWN");
    let listed = share(r#""channel_id": "G1""#, "SHOWN");
    let address = share(r#""from_url": "https://mill.slack.com/archives/G1/p1""#, "SHOWN");
    let open = share(r#""channel_id": "CNUMBER""#, "hi").replace("HIDDEN", "SHOWN");
    check(&[
        ("Marked", &[CHANNELS, (path, &marked)]),
        ("Direct", &[CHANNELS, (path, &direct)]),
        ("Listed", &[CHANNELS, GROUPS, (path, &listed)]),
        ("Address", &[CHANNELS, (path, &address)]),
        ("Known", &[CHANNELS, (path, &open)]),
    ]);
}

#[test]
fn numbers_that_are_too_large_lose_nothing() {
    let list = |offset: &str| {
        format!(
            r#"[{{"type": "message", "user": "U0000001", "ts": "1772359200.000001", "text": "x", "blocks": [{{"type": "rich_text", "elements": [
            {{"type": "rich_text_list", "style": "ordered", "indent": 1e300, "offset": {offset}, "elements": [
            {{"type": "rich_text_section", "elements": [{{"type": "text", "text": "SHOWN"}}]}},
            {{"type": "rich_text_section", "elements": [{{"type": "text", "text": "x"}}]}}]}}]}}]}}]"#
        )
    };
    let lists = [list("18446744073709551615"), list("1e300"), list("-1")];
    let space = chat("SHOWN").replace(
        r#""topic_id""#,
        r#""annotations": [{"start_index": 18446744073709551615, "length": 18446744073709551615,
        "format_metadata": {"format_type": "BOLD"}}], "topic_id""#,
    );
    let path = "quay/2026-03-01.json";
    check(&[
        ("Offset", &[CHANNELS, (path, &lists[0])]),
        ("Exponent", &[CHANNELS, (path, &lists[1])]),
        ("Negative", &[CHANNELS, (path, &lists[2])]),
        (
            "Start",
            &[
                ("Groups/Space AAA/messages.json", &space),
                ("Groups/Space AAA/group_info.json", r#"{"name": "The quay", "members": []}"#),
            ],
        ),
    ]);
}

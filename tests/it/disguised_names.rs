//! Disguised names, names of people who are only mentioned, and names that are also words.

use crate::chat_names::check;
use crate::support::{BASE, SiteTest, convo};

const MAIL: &str = "From ada@example.org Mon Mar  1 10:00:00 2021\n\
    From: Ada Alder <ada@example.org>\nTo: boats@lists.example.org\n\
    List-Id: <boats.lists.example.org>\nSubject: Pond\nMessage-ID: <m1@example.org>\n\
    Date: Mon, 01 Mar 2021 10:00:00 +0000\n\nThe pond is full.\n\n\
    From cora@example.org Tue Mar  2 10:00:00 2021\n\
    From: Cora Cedar <cora@example.org>\nTo: boats@lists.example.org\n\
    List-Id: <boats.lists.example.org>\nSubject: Gate\nMessage-ID: <m2@example.org>\n\
    Date: Tue, 02 Mar 2021 10:00:00 +0000\n\nI asked Ada Alder about the gate, said Cora.\n\n\
    SAID\n\n\
    Tested-by: Eric Elmqvist <eric@mill.example>\n\
    Acked-by: Dora van Dunlop <[redacted]>\n\n\
    > Bob Birchall <bob@mill.example> wrote:\n> The gate is old.\n\n\
    Cc: fay@mill.example (Fay Fennwick), \"Grebe, Gus\" <gus@mill.example>\n";

/// None of these may be in the output.
const OF_MAIL: [&str; 7] =
    ["Alder", "Cedar", "Elmqvist", "Dunlop", "Birchall", "Fennwick", "Grebe, Gus"];

/// The end of a convo file.
const END: &str = r#"
----
{"type": "dialog", "time": "2026-03-04T09:00:00Z", "participants": ["Human", {"name": "Bot", "generative": true}]}
"#;

/// Pads a mailbox, so that its threads are read one by one.
fn padded(mail: &str) -> String {
    let mut all = mail.to_owned();
    for number in 0..3000 {
        all.push_str(&format!(
            "\nFrom x@example.org Tue Mar  2 10:00:00 2021\nFrom: Hal Hornby <hal@example.org>\n\
             List-Id: <boats.lists.example.org>\nSubject: Tide {number}\n\
             Message-ID: <t{number}@example.org>\nDate: Tue, 02 Mar 2021 11:00:00 +0000\n\n{}\n",
            "The tide is in. ".repeat(4)
        ));
    }
    all
}

#[test]
fn everyone_in_a_mailbox_has_a_pseudonym_in_all_threads() {
    let mail = MAIL.replace("SAID", "");
    check(&[("boats.mbox", &mail)], &OF_MAIL, &["pond is full", "about the gate"]);
}

#[test]
fn everyone_in_a_long_mailbox_has_a_pseudonym_in_all_threads() {
    let mail = padded(&MAIL.replace("SAID", ""));
    assert!(mail.len() > 512 << 10);
    check(&[("boats.mbox", &mail)], &OF_MAIL, &["pond is full", "about the gate"]);
}

/// The mails of a mailbox, each without its separator line.
fn mails_of(mailbox: &str) -> Vec<&str> {
    mailbox.split("From ").filter_map(|mail| Some(mail.split_once('\n')?.1)).collect()
}

/// The paths of the two mails of a folder.
const FOLDERS: [[&str; 2]; 3] = [
    ["boats/1.eml", "boats/2.eml"],
    ["1.eml", "2.eml"],
    ["Mail/cur/1614589200.M1.mill", "Mail/new/1614589201.M2.mill"],
];

#[test]
fn everyone_in_a_folder_of_mails_has_a_pseudonym_in_all_threads() {
    let mail = MAIL.replace("SAID", "");
    let [ada, cora] = mails_of(&mail)[..] else { panic!("two mails") };
    for [first, second] in FOLDERS {
        let files = [(first, ada), (second, cora)];
        let site = check(&files, &OF_MAIL, &["pond is full", "about the gate"]);
        assert_eq!(crate::chat_names::addresses(&site).len(), 2, "{first}");
    }
}

#[test]
fn people_in_a_later_mail_are_renamed_in_the_other_threads() {
    let mail = MAIL.replace("SAID", "");
    let [ada, cora] = mails_of(&mail)[..] else { panic!("two mails") };
    let site = crate::chat_names::opened(&[("boats/2.eml", cora)]);
    let names_ada = |site: &SiteTest| crate::chat_names::all(site).contains("ada alder");
    assert!(names_ada(&site));
    site.write("content/boats/1.eml", ada);
    site.build(0);
    assert!(!names_ada(&site));
    let incremental = site.output();
    assert_eq!(site.run(&["build", "--no-cache"]).code, Some(0));
    assert_eq!(site.output(), incremental);
    std::fs::remove_file(site.path("content/boats/1.eml")).expect("removed");
    site.build(0);
    assert!(names_ada(&site));
}

/// Spellings of a name, and the part that must not be in the output.
const DISGUISES: [(&str, &str); 11] = [
    ("so said Cora=20Cedar", "Cora=20"),
    ("so said Q29yYSBDZWRhciBzYWlkIHNv", "Q29yYSBDZWRhc"),
    ("so said Сora Сedar", "edar"),
    ("so said Соrа", "соrа"),
    ("so said Cora&#32;Cedar", "Cedar"),
    ("so said Cora%20Cedar", "Cedar"),
    ("so said Cora%2520Cedar", "Cedar"),
    ("so said C=\no=\nra", "C=\no="),
    ("ask ccedar@", "ccedar"),
    ("ask cora.c@", "cora.c"),
    ("ask cedar2021@", "cedar2021"),
];

#[test]
fn disguised_names_are_replaced() {
    for (spelling, name) in DISGUISES {
        let text =
            format!("{spelling}{}", if spelling.ends_with('@') { "mill.example" } else { "" });
        let chat = format!(
            "14/03/26, 18:20 - Cora Cedar: hello\n14/03/26, 18:21 - Tomas: thanks {text}\n"
        );
        let json = serde_json::to_string(&text).expect("JSON");
        let telegram = format!(
            r#"{{"name": "Mill", "type": "public_supergroup", "id": 1, "messages": [
            {{"id": 1, "type": "message", "date": "2026-03-01T10:00:00", "from": "Cora Cedar", "from_id": "user1", "text": "hello"}},
            {{"id": 2, "type": "message", "date": "2026-03-01T10:01:00", "from": "Tomas", "from_id": "user2", "text": {json}}}]}}"#
        );
        let mail = MAIL.replace("SAID", &text);
        check(&[("boats.mbox", &mail)], &[name], &["about the gate"]);
        check(&[("chat.txt", &chat)], &[name], &["hello"]);
        check(&[("result.json", &telegram)], &[name], &["hello"]);
        let convo = format!("### @Human\nSee: {text}\n\n### @Bot\nYes.\n{END}");
        let site = SiteTest::new()
            .file("site.toml", format!("{BASE}[people.\"Cora Cedar\"]\npseudonym = true\n"))
            // With another key, a pseudonym could start with Cedar.
            .file("people.key", "00112233445566778899aabbccddeeff\n")
            .file("content/talk.convo", &convo);
        site.build(0);
        let all = crate::chat_names::all(&site);
        assert!(!all.contains(&name.to_lowercase()), "{spelling}");
    }
}

#[test]
fn similar_names_are_counted() {
    let site = SiteTest::new()
        .file("site.toml", format!("{BASE}[people.\"Ada Quillon\"]\npseudonym = true\n"))
        .file(
            "content/talk.convo",
            format!("### @Human\nask ada or quillons99x, not quillon\n\n### @Bot\nYes.\n{END}"),
        );
    let run = site.build(0);
    assert!(run.stderr.contains("near-name"), "{}", run.stderr);
    assert!(!run.stderr.to_lowercase().contains("quillon"), "{}", run.stderr);
    assert!(!crate::chat_names::all(&site).contains("not quillon"));
}

#[test]
fn everyday_words_of_another_language_are_similar_names() {
    let check = |text: &str, words: Option<&str>| {
        let site = SiteTest::new()
            .file("site.toml", format!("{BASE}[people.\"Marta Klein\"]\npseudonym = true\n"))
            .file("content/talk.convo", convo(text));
        let run = site.build(0);
        assert_eq!(run.stderr.contains("near-name"), words.is_some(), "{}", run.stderr);
        assert!(words.is_none_or(|words| run.stderr.contains(words)), "{}", run.stderr);
    };
    check("The user klein ran it at noon, and so did kleinert.", Some("kept 2 words similar"));
    check("Das ist ein klein wenig zu viel, und nicht das, was wir haben wollen.", None);
    let english = "The young man will page the cook, who will mark the day.";
    let site = SiteTest::new()
        .file("site.toml", format!("{BASE}[people.\"Will Young\"]\npseudonym = true\n"))
        .file("content/talk.convo", convo(english));
    assert!(!site.build(0).stderr.contains("near-name"));
}

#[test]
fn words_that_are_names_of_mentioned_people_are_kept() {
    let users = r#"[{"id":"U1","name":"adax","real_name":"Ada Alderson","profile":{"display_name":"adax"}},
        {"id":"U2","name":"bobx","real_name":"Bob Birchall","profile":{"display_name":"bobx"}},
        {"id":"U3","name":"test","real_name":"Test Engineer","profile":{"display_name":"test"}},
        {"id":"U4","name":"someone","real_name":"someone","profile":{"display_name":""}},
        {"id":"U5","name":"aren","real_name":"Don","profile":{"display_name":"aren"}}]"#;
    let json = r#"[{"type":"message","user":"U1","text":"Does anyone unit test their gates? I would ask someone. They aren't. Don't.","ts":"1614589200.000100"},
        {"type":"message","user":"U2","text":"Test mine. Not an engineer, though. Ask <@U3>","ts":"1614589260.000100"}]"#;
    let files = [
        ("mill/users.json", users),
        ("mill/channels.json", r#"[{"id": "C1", "name": "mill"}]"#),
        ("mill/mill/2021-03-01.json", json),
    ];
    let shown =
        ["unit test their gates", "ask someone", "aren't", "don't", "test mine", "an engineer"];
    check(&files, &["adax", "bobx", "@test", "Alderson"], &shown);

    let guild = r#"{"guild": {"id": "1", "name": "Mill"}, "channel": {"id": "2", "type": "GuildTextChat", "name": "general"}, "messages": [
      {"id": "1", "type": "Default", "timestamp": "2026-03-01T10:00:01Z", "content": "unit tests, a unit test", "author": {"id": "4", "name": "adax", "nickname": "adax", "isBot": false}, "mentions": [{"id": "5", "name": "test", "nickname": "test"}]}]}"#;
    check(&[("c.json", guild)], &["adax"], &["a unit test"]);

    let log = "2026-03-04 19:20:05\t-->\ttest (~d@host.example.com) has joined #harbour\n\
        2026-03-04 19:20:10\tbrennaach\ta unit test is there\n\
        2026-03-04 19:20:11\ttomasq\t@test: brennaach has one\n";
    let names = ["brennaach", "tomasq", "@test"];
    check(&[("irc.tide.#harbour.weechatlog", log)], &names, &["a unit test"]);
}

/// In another language, the same word is a name.
#[test]
fn words_of_other_languages_are_names() {
    let users = r#"[{"id":"U1","name":"adax","real_name":"Ada Alderson","profile":{"display_name":"adax"}},
        {"id":"U2","name":"mia","real_name":"Mia Bruno","profile":{"display_name":"mia"}}]"#;
    let chat = |text: &str| {
        format!(r#"[{{"type":"message","user":"U1","text":"{text}","ts":"1614589200.000100"}}]"#)
    };
    let english = chat("Who builds the wheel? Mia said so. Bruno knew.");
    let italian = chat("Questa casa ha una porta. Mia madre abita qui. Lo chiede Mia.");
    for (text, gone, kept) in [
        (english, &["mia", "bruno"][..], "who builds the wheel?"),
        (italian, &["chiede mia"], "mia madre abita qui"),
    ] {
        let files = [
            ("mill/users.json", users),
            ("mill/channels.json", r#"[{"id": "C1", "name": "mill"}]"#),
            ("mill/mill/2021-03-01.json", &text),
        ];
        check(&files, gone, &[kept]);
    }
    let mail = MAIL
        .replace("SAID", "Mia asked whether the wheel turns.")
        .replace("Ada Alder", "Mia Alder");
    check(&[("boats.mbox", &mail)], &["mia"], &["whether the wheel turns"]);
}

#[test]
fn a_word_used_as_a_name_by_a_participant_is_replaced() {
    let log = "2026-03-04 19:20:05\ttester\thello\n\
        2026-03-04 19:20:10\tbrennaach\thello tester\n";
    check(&[("irc.tide.#harbour.weechatlog", log)], &["tester"], &["hello"]);
}

#[test]
fn matching_a_name_needs_no_more_memory_than_the_text() {
    let name = "Oriel Pettifer ".repeat(26_000);
    let cues: String = (0..3)
        .map(|n| format!("{}\n00:00:0{n},000 --> 00:00:0{n},900\n{name}: so\n\n", n + 1))
        .collect();
    crate::chat_names::opened(&[("talk.srt", &cues)]);
}

/// A field that no page shows can hold a name too.
#[test]
fn a_file_with_a_hidden_name_in_an_unread_field_is_not_offered() {
    let config = "downloads = [\"markdown\", \"json\", \"original\"]\n[people.\"Ada Alder\"]\npseudonym = true\n";
    for (field, is_offered) in [
        ("Wren", true),
        ("Ada Alder", false),
        ("ADA ALDER", false),
        ("x-ada.alder-1", false),
        ("\\u0041da Alder", false),
    ] {
        let line = |number: u32, from: &str, to: &str, rest: &str| {
            let at = 1_772_352_000 + number;
            format!(
                "{{\"id\": \"{number}\", \"timestamp\": {at}, \"from\": \"{from}\", \"to\": \"{to}\", {rest}}}\n"
            )
        };
        let call = |kind: &str| {
            format!(
                "\"content\": \"{{}}\", \"entry_type\": \"tool_{kind}\", \"tool_call_id\": \"t1\""
            )
        };
        let message = |text: &str| format!("\"content\": \"{text}\", \"entry_type\": \"message\"");
        // The result has the name of its call.
        let talk = line(1, "mira", "kitchen", &message("Which lamp?"))
            + &line(2, "kitchen", "clock", &call("call"))
            + &line(3, field, "kitchen", &call("result"))
            + &line(4, "kitchen", "mira", &message("The red one."));
        let site = SiteTest::new().file("site.toml", format!("{BASE}{config}"));
        site.write("content/a.jsonl", talk);
        let run = site.build(0);
        let names: Vec<String> = site.output().into_keys().collect();
        let has_original = names.iter().any(|name| name.ends_with("original.jsonl"));
        assert_eq!(has_original, is_offered, "{field}: {names:?} {}", run.stderr);
        assert_eq!(
            run.stderr.contains("original-withheld"),
            !is_offered,
            "{field}: {}",
            run.stderr
        );
    }
}

/// Scripts without spaces put no space beside a name in Latin letters either.
#[test]
fn names_and_words_beside_letters_of_other_scripts_are_replaced() {
    let config = "[people.\"Ada Alder\"]\npseudonym = true\n[[redact]]\nwords = [\"Acme\"]\n";
    for text in [
        "これはAcmeの水門",
        "问Ada Alder就好",
        "Acme는 오늘",
        "Ada Alderさんと港",
        "ＡｃｍｅのＡｄａ Ａｌｄｅｒさん",
        "ที่Acmeนี้",
    ] {
        let talk = format!("**Wren:** Which?\n\n**Finch:** {text}\n");
        let site = SiteTest::new().file("site.toml", format!("{BASE}{config}"));
        site.write("content/a.md", talk);
        site.build(0);
        let page = site.page("c/", "index.html");
        assert!(
            !page.contains("Ada") && !page.contains("Acme") && !page.contains('Ａ'),
            "{text}: {page}"
        );
    }
}

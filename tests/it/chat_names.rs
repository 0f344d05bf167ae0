//! Names in chats: everyone who is not listed in `[people]` has a pseudonym everywhere in the
//! output, whether they wrote or not, under all names in the export.

use std::time::Instant;

use crate::support::linear_time::check_linear;
use crate::support::{SiteTest, unpacked};

const OPENED: &str =
    "[[source]]\nfiles = \"**\"\nvisibility = \"public\"\ndirect_messages = true\n";

/// Builds a site with these files, all of them public.
pub(crate) fn opened(files: &[(&str, &str)]) -> SiteTest {
    let site = SiteTest::new();
    let downloads = "downloads = [\"markdown\", \"json\", \"original\"]\n";
    site.write("site.toml", format!("base_url = \"https://example.org/\"\n{downloads}{OPENED}"));
    site.write("people.key", "00112233445566778899aabbccddeeff\n");
    for (name, text) in files {
        site.write(&format!("content/{name}"), text);
    }
    let run = site.run(&["build"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    site
}

/// The text of all pages of a site, in lower case.
pub(crate) fn all(site: &SiteTest) -> String {
    let output = site.output();
    let texts = output.iter().filter(|(name, _)| !name.ends_with(".woff2"));
    let mut all: String = texts
        .map(|(name, bytes)| format!("{name}\n{}\n", String::from_utf8_lossy(bytes)))
        .collect();
    all.push_str(&unpacked(&output));
    all.to_lowercase()
}

/// Fails if any of `names` is on a page of a site with these files, or any of `shown` is not.
#[track_caller]
pub(crate) fn check(files: &[(&str, &str)], names: &[&str], shown: &[&str]) -> SiteTest {
    let site = opened(files);
    let all = all(&site);
    for name in names {
        let at = all.find(&name.to_lowercase());
        let near = at.map(|at| {
            let start = all.floor_char_boundary(at.saturating_sub(60));
            all[start..].chars().take(160).collect::<String>()
        });
        assert!(at.is_none(), "{name}: {near:?}");
    }
    for words in shown {
        assert!(all.contains(&words.to_lowercase()), "{words} is gone");
    }
    site
}

/// The URLs of the conversations of a site.
pub(crate) fn addresses(site: &SiteTest) -> Vec<String> {
    let all = site.output().into_keys();
    all.filter(|name| name.starts_with("c/") && name.ends_with("/index.html")).collect()
}

#[test]
fn a_person_who_only_sends_pictures_is_not_a_group() {
    let head = "[31.12.24, 10:00:00] Oriel Pettifer: \u{200e}Messages and calls are end-to-end encrypted. Nobody else reads them.\n";
    for text in [
        "\u{200e}image omitted",
        "\u{200e}<attached: 00000001-PHOTO.jpg>",
        "\u{200e}Missed voice call",
        "\u{200e}Anruf in Abwesenheit",
    ] {
        let chat = format!(
            "{head}[31.12.24, 10:01:00] Brenna Achterberg: nice knot\n[31.12.24, 10:02:00] Oriel Pettifer: {text}\n"
        );
        let files = [("chat.txt", chat.as_str()), ("00000001-PHOTO.jpg", "x")];
        let site = check(&files, &["Oriel", "Pettifer", "Achterberg"], &["nice knot"]);
        let page = site.page("c/", "/index.json");
        let data: serde_json::Value = serde_json::from_str(&page).expect("JSON");
        let speakers: Vec<&str> = data["turns"]
            .as_array()
            .expect("turns")
            .iter()
            .filter_map(|turn| turn["speaker"].as_str())
            .collect();
        assert_eq!(speakers.len(), 2, "{page}");
        assert!(speakers.iter().all(|name| !name.is_empty()), "{text}: {speakers:?}");
    }
}

#[test]
fn a_group_keeps_its_name() {
    let chat = "[31.12.24, 10:00:00] The lamp: \u{200e}Messages and calls are end-to-end encrypted.\n\
        [31.12.24, 10:00:00] The lamp: \u{200e}Brenna Achterberg created this group\n\
        [31.12.24, 10:01:00] Brenna Achterberg: who is awake?\n\
        [31.12.24, 10:02:00] Tomas Quill: me\n";
    check(&[("chat.txt", chat)], &["Achterberg", "Quill"], &["The lamp", "awake"]);
}

#[test]
fn people_who_never_write_get_pseudonyms_too() {
    let chat = "[31.12.24, 10:00:00] The lamp: \u{200e}Messages and calls are end-to-end encrypted.\n\
        \u{200e}[31.12.24, 10:00:01] The lamp: \u{200e}Brenna Achterberg added Oriel Pettifer and Mirko Vane\n\
        \u{200e}[31.12.24, 10:00:02] The lamp: \u{200e}~\u{a0}Rita Holm changed their phone number to a new number. \u{200e}Tap to message.\n\
        \u{200e}[31.12.24, 10:00:03] The lamp: \u{200e}Dora Lund left\n\
        \u{200e}[31.12.24, 10:00:04] The lamp: \u{200e}Brenna Achterberg removed Inessa Brack\n\
        \u{200e}[31.12.24, 10:00:05] The lamp: \u{200e}Brenna Achterberg hat Uwe Sander hinzugefügt.\n\
        \u{200e}[31.12.24, 10:00:06] The lamp: \u{200e}Sofia Robles salió del grupo\n\
        \u{200e}[31.12.24, 10:00:07] The lamp: \u{200e}Brenna Achterberg a ajouté Luc Morand\n\
        \u{200e}[31.12.24, 10:00:07] The lamp: \u{200e}Brenna Achterberg fikk Bjarte Nesheim med\n\
        [31.12.24, 10:01:00] Brenna Achterberg: welcome @\u{2068}Sven Removed\u{2069}, and Oriel\n\
        [31.12.24, 10:02:00] Tomas Quill: \u{200e}This message was deleted by admin Zelda Fink.\n\
        [31.12.24, 10:03:00] Tomas Quill: you too, Mirko\n";
    let names = [
        "Achterberg", "Oriel", "Pettifer", "Vane", "Rita", "Holm", "Dora", "Lund", "Inessa",
        "Brack", "Sander", "Robles", "Morand", "Nesheim", "Sven", "Zelda", "Fink",
    ];
    check(&[("chat.txt", chat)], &names, &["welcome", " added ", " left", "the lamp"]);
    let chat = "14/03/26, 18:20 - Brenna Achterberg added Oriel Pettifer\n\
        14/03/26, 18:21 - Brenna Achterberg: hi\n\
        14/03/26, 18:22 - Tomas Quill: hi, Oriel\n\
        14/03/26, 18:22 - Mirko Vane joined using this group's invite link\n";
    let names = ["Achterberg", "Oriel", "Pettifer", "Vane"];
    check(&[("WhatsApp Chat with The lamp.txt", chat)], &names, &["The lamp"]);
}

#[test]
fn a_chat_is_not_named_after_a_person_who_never_answered() {
    let chat = "14/03/26, 18:20 - Brenna Achterberg: are you there?\n14/03/26, 18:21 - Brenna Achterberg: I wait\n";
    let names = ["Achterberg", "Oriel", "Pettifer"];
    check(&[("WhatsApp Chat with Oriel Pettifer.txt", chat)], &names, &["I wait"]);
    let json = r#"{"date": "2026-03-01T10:00:01", "sender": "Me", "body": "hi, Oriel", "quote": "", "sticker": "", "reactions": [], "attachments": []}"#;
    check(&[("Oriel Pettifer/data.json", json)], &["Oriel", "Pettifer"], &["hi, "]);
}

#[test]
fn all_names_of_a_person_in_an_export_are_replaced() {
    let users = r#"[{"id": "U0000001", "name": "wachterberg", "real_name": "Brenna Achterberg", "profile": {"display_name": "Nightowl", "real_name": "Brenna Achterberg"}},
      {"id": "U0000002", "name": "tquill", "real_name": "Tomas Quill", "profile": {"display_name": "Captain"}}]"#;
    let json = r#"[{"type": "message", "user": "U0000001", "ts": "1772359200.000001", "text": "hi"},
      {"type": "message", "user": "U0000002", "ts": "1772359200.000002", "text": "Thanks Brenna Achterberg, alias wachterberg!"},
      {"type": "message", "user": "U0000002", "ts": "1772359200.000003", "text": "tquill has joined the channel", "subtype": "channel_join"}]"#;
    let files = [
        ("mill/users.json", users),
        ("mill/channels.json", r#"[{"id": "C0000001", "name": "quay"}]"#),
        ("mill/quay/2026-03-01.json", json),
    ];
    let names = ["Achterberg", "Brenna", "tquill", "Nightowl", "Captain"];
    check(&files, &names, &["thanks", "quay"]);

    let lines = r#"{"type": "version", "version": 1}
{"type": "channel", "channel": {"team": "t", "name": "town", "display_name": "Town", "type": "O"}}
{"type": "user", "user": {"username": "brenna.real", "nickname": "Nightowl", "first_name": "Brenna", "last_name": "Achterberg"}}
{"type": "post", "post": {"team": "t", "channel": "town", "user": "brenna.real", "create_at": 1772359200000, "message": "I am Brenna Achterberg"}}
{"type": "post", "post": {"team": "t", "channel": "town", "user": "brenna.real", "create_at": 1772359200001, "message": "thanks Brenna, brenna.real and Achterberg"}}
"#;
    check(&[("export.jsonl", lines)], &["Brenna", "Achterberg", "Nightowl"], &["thanks"]);

    let guild = r#"{"guild": {"id": "1", "name": "Mill"}, "channel": {"id": "2", "type": "GuildTextChat", "name": "general"}, "messages": [
      {"id": "1", "type": "Default", "timestamp": "2026-03-01T10:00:01Z", "content": "hi", "author": {"id": "4", "name": "brenna.achterberg", "nickname": "Nightowl", "isBot": false}},
      {"id": "2", "type": "RecipientAdd", "timestamp": "2026-03-01T10:00:02Z", "content": "Added oriel.pettifer to the group.", "author": {"id": "4", "name": "brenna.achterberg", "nickname": "Nightowl", "isBot": false}, "mentions": [{"id": "5", "name": "oriel.pettifer", "nickname": "Zed"}]},
      {"id": "3", "type": "Default", "timestamp": "2026-03-01T10:00:03Z", "content": "I am brenna.achterberg, not @oriel.pettifer", "author": {"id": "4", "name": "brenna.achterberg", "nickname": "Captain", "isBot": false}}]}"#;
    check(&[("c.json", guild)], &["achterberg", "oriel", "Nightowl"], &["general"]);

    let room = r#"{"room_name": "Harbour", "messages": [
      {"type": "m.room.member", "sender": "@brennaachter:m.example", "state_key": "@brennaachter:m.example", "content": {"membership": "join", "displayname": "Captain"}, "origin_server_ts": 1772648401000, "event_id": "$e1", "room_id": "!r:m.example"},
      {"type": "m.room.member", "sender": "@oriel:m.example", "state_key": "@oriel:m.example", "content": {"membership": "join", "displayname": "Oriel Pettifer"}, "origin_server_ts": 1772648402000, "event_id": "$e2", "room_id": "!r:m.example"},
      {"type": "m.room.message", "sender": "@brennaachter:m.example", "content": {"msgtype": "m.text", "body": "hi Oriel Pettifer"}, "origin_server_ts": 1772648403000, "event_id": "$e3", "room_id": "!r:m.example"},
      {"type": "m.room.message", "sender": "@tomas:m.example", "content": {"msgtype": "m.text", "body": "hey brennaachter, ask oriel"}, "origin_server_ts": 1772648404000, "event_id": "$e4", "room_id": "!r:m.example"},
      {"type": "m.room.member", "sender": "@brennaachter:m.example", "state_key": "@brennaachter:m.example", "content": {"membership": "join", "displayname": "Brenna Newname"}, "origin_server_ts": 1772648405000, "event_id": "$e5", "room_id": "!r:m.example"},
      {"type": "m.room.message", "sender": "@tomas:m.example", "content": {"msgtype": "m.text", "body": "who is Brenna Newname?"}, "origin_server_ts": 1772648406000, "event_id": "$e6", "room_id": "!r:m.example"}]}"#;
    let names = ["brennaachter", "oriel", "Pettifer", "Newname", "Captain"];
    check(&[("room.json", room)], &names, &["Harbour", "who is"]);
}

#[test]
fn people_who_join_and_leave_get_pseudonyms() {
    let log = "2026-03-04 19:20:05\t-->\tquietdora (~d@host.example.com) has joined #harbour\n\
        2026-03-04 19:20:10\tbrennaach\thello quietdora: hi\n\
        2026-03-04 19:20:11\ttomasq\tbrennaach: hi\n\
        2026-03-04 19:20:14\t--\ttomasq is now known as tomasode\n\
        2026-03-04 19:20:15\tbrennaach\ttomasode: ok\n\
        2026-03-04 19:20:16\t<--\tbrennaach has kicked leaverrita (bye)\n\
        2026-03-04 19:20:17\tbrennaach\tsigh leaverrita\n";
    let names = ["quietdora", "brennaach", "tomasq", "tomasode", "leaverrita"];
    check(&[("irc.tide.#harbour.weechatlog", log)], &names, &["hello", "sigh"]);
    let chat = r#"{"participants": [{"name": "Brenna Achterberg"}, {"name": "Oriel Pettifer"}, {"name": "Tomas Quill"}], "messages": [
      {"sender_name": "Brenna Achterberg", "timestamp_ms": 1772648400000, "content": "ok"},
      {"sender_name": "Tomas Quill", "timestamp_ms": 1772648399000, "content": "Tomas added Sven Removed to the group."}],
      "title": "Soup", "thread_path": "inbox/soup_1"}"#;
    let names = ["Achterberg", "Quill", "Sven"];
    check(&[("inbox/soup_1/message_1.json", chat)], &names, &["soup", "to the group"]);
}

#[test]
fn parts_of_a_name_are_found_across_any_separator() {
    for (name, text) in [
        ("Pettifer, Oriel", "thanks Oriel Pettifer. Pettifer Oriel, Pettifer and Oriel"),
        ("Oriel\u{1f496}", "thanks Oriel"),
        ("Oriel (Pettifer)", "thanks Oriel Pettifer and Pettifer"),
        ("Oriel/Pettifer", "thanks Oriel, thanks Pettifer"),
        ("Oriel \"Ori\" Pettifer", "thanks Ori, thanks Oriel Pettifer and Pettifer"),
        ("Oriel-Luc Pettifer-Koch", "thanks Oriel, thanks Pettifer and Oriel-Luc"),
        ("Oriel *Pettifer*", "thanks Pettifer"),
        ("oriel pettifer", "thanks Oriel, thanks Pettifer"),
        ("Oriel.Pettifer", "thanks Oriel, thanks Pettifer"),
        ("Орiэль Петтифер", "thanks Петтифер"),
        ("أوريل بتيفر", "thanks بتيفر"),
    ] {
        let chat = format!(
            "14/03/26, 18:20 - {name}: hello\n14/03/26, 18:21 - Brenna: {text}\n14/03/26, 18:22 - {name}: so\n"
        );
        let names = ["Pettifer", "Oriel", "Ori,", "Петтифер", "بتيفر"];
        check(&[("chat.txt", &chat)], &names, &["thanks"]);
    }
    // Everyday words that are also names are kept.
    let chat = "14/03/26, 18:20 - Will (May) Ode: hello\n14/03/26, 18:21 - Brenna: you will do it in May, o k\n14/03/26, 18:21 - K: ok\n";
    check(&[("chat.txt", chat)], &[], &["you will do it in may, o k"]);
}

#[test]
fn names_with_inner_capitals_are_found() {
    let log = "[10:00] <kyTeln> hello\n[10:01] <fenMor_ox> kyTeln: there, kyTeln.\n\
               [10:02] <kyTeln> thanks fenMor_ox\n";
    check(&[("#mill.2026-03-01.log", log)], &["kyTeln", "fenMor", "_ox"], &["hello", "thanks"]);
}

#[test]
fn a_url_does_not_confirm_a_guessed_name() {
    let chat = |name: &str| {
        let message = |who: &str, at: u32| {
            format!(
                "{{\"date\": \"2026-03-01T10:00:0{at}\", \"sender\": \"{who}\", \"body\": \"x\", \"quote\": \"\", \"sticker\": \"\", \"reactions\": [], \"attachments\": []}}\n"
            )
        };
        opened(&[(
            &format!("{name}/data.json"),
            &format!("{}{}", message(name, 0), message("Me", 1)),
        )])
    };
    let site = chat("Oriel Pettifer");
    let before = addresses(&site);
    site.run(&["build", "--no-cache"]);
    assert_eq!(before, addresses(&site), "it stays");
    let tail = |address: &str| {
        let folder = address.trim_end_matches("/index.html");
        folder.rsplit('-').next().unwrap_or_default().to_owned()
    };
    let first = tail(&before[0]);
    // An attacker with another key tries the name.
    site.write("people.key", "ffeeddccbbaa99887766554433221100\n");
    site.run(&["build", "--no-cache"]);
    assert_ne!(first, tail(&addresses(&site)[0]));
    // If everyone keeps their names, URLs do not depend on a key.
    let kept =
        format!("base_url = \"https://example.org/\"\n{OPENED}[people]\nothers = \"keep\"\n");
    site.write("site.toml", &kept);
    site.run(&["build", "--no-cache"]);
    let kept = addresses(&site);
    site.write("people.key", "00112233445566778899aabbccddeeff\n");
    site.run(&["build", "--no-cache"]);
    assert_eq!(kept, addresses(&site));
}

#[test]
#[ignore = "measures time or memory: `sh tests/run` runs it"]
fn many_people_with_the_same_name_take_linear_time() {
    let build = |count: usize| {
        let events: Vec<String> = (0..count)
            .flat_map(|at| {
                let who = format!("@a{at}:m.example");
                [
                    format!("{{\"type\": \"m.room.member\", \"sender\": \"{who}\", \"state_key\": \"{who}\", \"content\": {{\"displayname\": \"Orielle\", \"membership\": \"join\"}}, \"origin_server_ts\": {}, \"event_id\": \"$j{at}\", \"room_id\": \"!r\"}}", 1_772_359_200_000_u64 + at as u64),
                    format!("{{\"type\": \"m.room.message\", \"sender\": \"{who}\", \"content\": {{\"msgtype\": \"m.text\", \"body\": \"I am Orielle\"}}, \"origin_server_ts\": {}, \"event_id\": \"$m{at}\", \"room_id\": \"!r\"}}", 1_772_359_300_000_u64 + at as u64),
                ]
            })
            .collect();
        let room = format!("{{\"room_name\": \"R\", \"messages\": [{}]}}", events.join(",\n"));
        let begin = Instant::now();
        let site = opened(&[("room.json", &room)]);
        let took = begin.elapsed();
        assert!(!all(&site).contains("orielle"));
        took
    };
    assert_eq!(check_linear(3_000, build), Ok(()));
}

#[test]
fn numbers_in_mentions_and_titles_are_replaced() {
    let chat = "14/03/26, 18:20 - Brenna: ask @\u{2068}+1 (415) 842\u{2011}7319\u{2069} or \
        @\u{2068}+44/7700/900303\u{2069}\n14/03/26, 18:21 - Oriel: I did\n";
    let file = "WhatsApp Chat with The mill, +44 7700 900404.txt";
    let numbers = ["842\u{2011}7319", "(415)", "900303", "900404", "7700"];
    check(&[(file, chat)], &numbers, &["I did", "The mill, Person"]);
}

#[test]
fn unnamed_people_of_two_chats_are_two_people() {
    let chat = |number: &str, word: &str| {
        format!(
            "14/03/26, 18:20 - Brenna: hi\n14/03/26, 18:21 - {number}: I am the {word}\n14/03/26, 18:22 - {number}: yes\n"
        )
    };
    let site = opened(&[
        ("WhatsApp Chat with The quay.txt", &chat("+44 7700 900101", "plumber")),
        ("WhatsApp Chat with The mill.txt", &chat("+44 7700 900202", "doctor")),
    ]);
    let output = site.output();
    let lists = output
        .iter()
        .filter(|(name, _)| name.starts_with("speakers/person-1") && name.ends_with("index.html"));
    let lists: Vec<String> =
        lists.map(|(_, page)| String::from_utf8_lossy(page).into_owned()).collect();
    assert_eq!(lists.len(), 2, "{:?}", output.keys());
    for list in &lists {
        assert_ne!(list.contains("The quay"), list.contains("The mill"));
    }
}

#[test]
fn people_who_are_only_mentioned_get_pseudonyms_in_every_kind_of_message() {
    let (mark, open, close) = ('\u{200e}', '\u{2068}', '\u{2069}');
    let lines = [
        format!("Ada: {mark}<attached: 1-PHOTO.jpg>\nlook @{open}Quill Harbottle{close}"),
        format!("Ada: https://maps.google.com/?q=52.1,13.2 near @{open}Wanda Pettigrew{close}"),
        format!("Bo: mail @{open}eve@secret.example{close}"),
        format!("Bo: call @{open}+972 50-000-0001{close} 22 times"),
        format!("Ada: @{open}Perpetua Sprague{close} knows"),
    ];
    let chat: String = lines
        .iter()
        .enumerate()
        .map(|(minute, line)| format!("[13/4/26, 18:2{minute}:00] {line}\n"))
        .collect();
    let site = SiteTest::new();
    let config = "base_url = \"https://example.org/\"\n[people]\nothers = \"pseudonym\"\n\
                  [[source]]\nfiles = \"**\"\nvisibility = \"public\"\n";
    site.write("site.toml", config);
    site.write("content/WhatsApp Chat with Harbour.txt", chat);
    site.run(&["build"]);
    let all = all(&site);
    assert!(all.contains("22 times") && all.contains("knows"), "{all}");
    for name in ["quill", "harbottle", "wanda", "pettigrew", "eve@", "000-0001", "perpetua"] {
        assert!(!all.contains(name), "{name}");
    }
}

#[test]
fn speakers_in_calls_get_pseudonyms() {
    let call = r#"{"vcon": "0.0.2", "uuid": "u1", "created_at": "2026-03-01T10:00:00Z", "subject": "Call with Oriel Pettifer +44 7700 900123 oriel@example.org",
      "parties": [{"tel": "+447700900123", "name": "Oriel Pettifer", "mailto": "oriel@example.org", "role": "customer"}, {"name": "Brenna Achterberg", "role": "agent"}],
      "dialog": [{"type": "text", "start": "2026-03-01T10:00:00Z", "parties": [0], "mediatype": "text/plain", "body": "I am Oriel Pettifer, +44 7700 900123, oriel@example.org", "encoding": "none"},
       {"type": "text", "start": "2026-03-01T10:00:01Z", "parties": [1], "mediatype": "text/plain", "body": "thanks Oriel Pettifer, I am Achterberg", "encoding": "none"},
       {"type": "recording", "start": "2026-03-01T10:00:02Z", "parties": [0, 1], "mediatype": "audio/wav", "filename": "Oriel Pettifer +447700900123.wav", "url": "https://files.example.org/rec.wav"}],
      "analysis": [{"type": "transcript", "dialog": 2, "body": [{"speaker": "Oriel Pettifer", "message": "hi"}, {"speaker": "Yannick Holm", "message": "so says Yannick Holm"}]}]}"#;
    let site = SiteTest::new();
    let config = "base_url = \"https://example.org/\"\n[people]\nothers = \"pseudonym\"\n";
    site.write("site.toml", config);
    site.write("content/a.vcon", call);
    site.build(0);
    let all = all(&site);
    for name in ["oriel", "pettifer", "achterberg", "yannick", "holm", "900123", "7700"] {
        let at = all.find(name);
        let near = at.map(|at| all[at.saturating_sub(60)..].chars().take(160).collect::<String>());
        assert!(at.is_none(), "{name}: {near:?}");
    }
    assert!(all.contains("call with") && all.contains("customer"));
}

#[test]
fn an_iphone_chat_is_named_after_its_folder() {
    let chat = "[14/03/2026, 18:20:05] Oriel Pettifer: \u{200e}Messages and calls are end-to-end encrypted.\n\
        [14/03/2026, 18:21:05] Oriel Pettifer: first words\n\
        [15/03/2026, 18:22:05] Brenna Achterberg: nice knot\n";
    let file = "WhatsApp Chat - Oriel Pettifer/_chat.txt";
    let site = check(&[(file, chat)], &["Oriel", "Pettifer"], &["first words"]);
    assert_eq!(addresses(&site).len(), 2);
    let kept =
        format!("base_url = \"https://example.org/\"\n{OPENED}[people]\nothers = \"keep\"\n");
    site.write("site.toml", kept);
    site.build(0);
    assert!(addresses(&site).iter().all(|path| path.contains("oriel-pettifer")));
}

#[test]
fn a_later_copy_of_a_chat_is_the_same_chat() {
    let chat = "14/03/26, 18:20 - Brenna: first words\n14/03/26, 18:21 - Tomas: second words\n\
        15/03/26, 18:22 - Brenna: third words\n";
    let later = format!("{chat}16/03/26, 18:22 - Brenna: fourth words\n");
    for name in ["WhatsApp Chat with The mill (1).txt", "WhatsApp Chat with The mill (12).txt"] {
        let site = opened(&[("WhatsApp Chat with The mill.txt", chat), (name, &later)]);
        assert_eq!(addresses(&site).len(), 3, "{name}: {:?}", addresses(&site));
        assert!(!all(&site).contains("mill (1"));
    }
}

#[test]
fn long_names_are_replaced() {
    let chat = "14/03/26, 18:20 - Brenna: hi\n\
        14/03/26, 18:21 - +33 6 12 34 56 78: I am the doctor\n\
        14/03/26, 18:22 - Oriel da Conceicao dos Santos Pettifer: only once\n\
        14/03/26, 18:23 - Brenna: ok, Oriel\n";
    let names = ["Oriel", "Conceicao", "Santos", "Pettifer", "+33"];
    let files = [("WhatsApp Chat with The mill.txt", chat)];
    let site = check(&files, &names, &["only once", "person 1"]);
    let page = site.page("c/", "/index.json");
    assert!(!page.contains("\"speaker\": \"\"") && !page.contains("\"speaker\":\"\""));
}

/// A mailing-list mailbox with one mail per text.
fn mailbox(texts: &[&str]) -> String {
    let mails = texts.iter().zip(1..).map(|(text, n)| {
        format!(
            "From ada@mill.example Wed Mar  4 18:20:05 2026\nFrom: Brenna <b@mill.example>\n\
             Date: Wed, 4 Mar 2026 {n:02}:20:05 +0100\nSubject: The oars {n}\nMessage-ID: <{n}@mill.example>\n\
             List-Id: <oars.mill.example>\nContent-Type: text/plain; charset=utf-8\n\n{text}\n\n"
        )
    });
    mails.collect()
}

#[test]
fn people_quoted_in_mails_get_pseudonyms() {
    let outlook = "Yes.\n\n-----Original Message-----\nFrom: Dora Vane <dora@mill.example>\nSent: Wednesday\n\
        To: Brenna\nSubject: Oars\n\nWell?\nThe harbour said to me yesterday\nthat it leaks.\nTwice.\nSo.";
    let alone = "Von: Edda Quill [mailto:edda@mill.example]\nGesendet: Mittwoch\nAn: Brenna\nBetreff: Boot\n\nBlau?";
    let small =
        "Yes.\n\nOn Wed, Mar 4, 2026 at 6:20 PM fenna achterberg <f@mill.example> wrote:\n> Well?";
    let below = "It is old.\nIt is blue.\nIt is a boat.\nSo it is.\nOn 4 March 2026, Gwen van der Mosswijk wrote:\n> Is it?\nIt is.";
    check(
        &[("oars.mbox", &mailbox(&[outlook, alone, small, below]))],
        &["Dora", "Vane", "Edda", "Quill", "fenna", "achterberg", "Gwen", "Mosswijk"],
        &["The harbour said to me yesterday", "that it leaks", "It is a boat"],
    );
}

#[test]
fn a_person_who_changes_nicks_is_one_person() {
    let log = "=== idledora is now known as quietdora\n\
        [10:00:10] <brennaach_> hello quietdora\n\
        === brennaach_ is now known as brennaach\n\
        [10:00:20] <brennaach> it is me, idledora\n\
        [10:00:21] => leaverrita is now called ritaaway\n\
        === a line that nobody knows, of leaverrita\n";
    let names = ["idledora", "quietdora", "brennaach", "leaverrita", "ritaaway"];
    let files = [("#mill.2026-03-01.log", log)];
    let site = check(&files, &names, &["hello", "it is me"]);
    let page = site.page("c/", "/index.json");
    let data: serde_json::Value = serde_json::from_str(&page).expect("JSON");
    let turns = data["turns"].as_array().expect("turns").iter();
    let mut speakers: Vec<&str> = turns.filter_map(|turn| turn["speaker"].as_str()).collect();
    speakers.retain(|name| !name.is_empty());
    assert_eq!(speakers.len(), 2, "{page}");
    assert_eq!(speakers.first(), speakers.last(), "{page}");
}

#[test]
fn recipients_of_mails_get_pseudonyms() {
    let mail = "From a Wed Mar  4 18:20:05 2026\nFrom: Brenna <b@mill.example>\n\
        To: Oriel Pettifer <o@mill.example>, \"Vane, Dora\" <d@mill.example>\nCc: Edda Quill <e@mill.example>\n\
        Date: Wed, 4 Mar 2026 18:20:05 +0100\nSubject: For Oriel Pettifer\nMessage-ID: <1@mill.example>\n\n\
        Dear Oriel Pettifer and dear Dora,\nask Edda about the oars.\n";
    let names = ["Oriel", "Pettifer", "Dora", "Vane", "Edda", "Quill"];
    check(&[("oars.mbox", mail)], &names, &["about the oars", "dear "]);
}

#[test]
fn words_of_a_sentence_are_not_names() {
    let mails = [
        "As I wrote before:\n> The oars are blue.\nThey are not.",
        "She wrote:\n> Green.\nNot as before.",
        "The captain wrote:\n> Grey.\nAsk the captain, as she does.",
    ];
    let kept = ["as i wrote before", "she wrote", "not as before", "ask the captain, as she"];
    check(&[("oars.mbox", &mailbox(&mails))], &[], &kept);
    let chat = "13/03/26, 18:20 - Brenna: hi\n\
        13/03/26, 18:21 - Ada Quorn removed this group's icon\n\
        13/03/26, 18:22 - Ada Quorn removeu a imagem deste grupo\n\
        13/03/26, 18:23 - Ada Quorn hat das Gruppenbild gelöscht.\n\
        13/03/26, 18:24 - Brenna: uma imagem deste grupo, ein gruppenbild, this group's icon\n";
    check(
        &[("chat.txt", chat)],
        &["Quorn"],
        &[
            "removed this group's icon",
            "uma imagem deste grupo, ein gruppenbild, this group's icon",
        ],
    );
}

#[test]
fn people_added_in_verb_final_languages_get_pseudonyms() {
    let chat = "13/03/26, 18:20 - Brenna: hi\n\
        13/03/26, 18:21 - Brenna heeft Dirk Vossenberg toegevoegd\n\
        13/03/26, 18:22 - Brenna heeft Elke Baan en Femke Pol verwijderd\n\
        13/03/26, 18:23 - Brenna hat Uwe Sander entfernt.\n\
        13/03/26, 18:24 - Brenna: ok\n";
    let names = ["Dirk", "Vossenberg", "Elke", "Baan", "Femke", "Sander"];
    check(&[("chat.txt", chat)], &names, &["toegevoegd", "verwijderd"]);
}

//! Chats and channels of people: when they are withheld, how they are opened, and where they are
//! split.

use convo_site::formats;

use crate::support::SiteTest;

const CHAT: &str = "\
13/3/26, 18:04 - Wren Achterberg: Who has the watch? Call +44 7700 900123.
13/3/26, 18:05 - Tomas Quill: Me. Ask Wren Achterberg for the key.
13/3/26, 23:30 - Wren Achterberg: Still there?
14/3/26, 07:00 - Tomas Quill: The night is over.
";

fn site(config: &str) -> SiteTest {
    let site = SiteTest::new();
    site.write("site.toml", format!("base_url = \"https://example.org/\"\n{config}"));
    site.write("content/WhatsApp Chat with The night watch.txt", CHAT);
    site
}

fn pages(site: &SiteTest) -> String {
    let files = site.output();
    let texts = files.iter().filter(|(name, _)| !name.ends_with(".woff2"));
    texts.map(|(name, bytes)| format!("{name}\n{}", String::from_utf8_lossy(bytes))).collect()
}

#[test]
fn a_chat_is_withheld_until_a_rule_opens_it() {
    let site = site("");
    let run = site.run(&["build"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert!(run.stderr.contains("hint[confidential]"), "{}", run.stderr);
    assert!(run.stderr.contains("visibility = \"public\""), "{}", run.stderr);
    let pages = pages(&site);
    for private in ["Quill", "watch", "Achterberg", "soup"] {
        assert!(!pages.contains(private), "{private}");
    }
}

/// The hint about a withheld chat says what is still missing to open it.
#[test]
fn the_hint_about_a_chat_says_how_to_open_it() {
    let chat = |kind: &str, id: u64| {
        format!(
            r#"{{"name": "Chat {id}", "type": "{kind}", "id": {id}, "messages": [
                {{"id": 1, "type": "message", "date": "2026-03-04T10:00:00", "from": "Wren {id}",
                  "from_id": "user{id}", "text": "The boat is in."}}]}}"#
        )
    };
    let (group, direct) = (chat("public_supergroup", 7), chat("personal_chat", 8));
    let (two, more) =
        (format!("{group}, {direct}"), format!("{direct}, {}", chat("personal_chat", 9)));
    let open = "[[source]]\nfiles = \"*\"\nvisibility = \"public\"\n";
    let all = format!("{open}direct_messages = true\n");
    let needed = "direct_messages = true";
    for (chats, config, message, hint) in [
        (&direct, "", "this is a chat between people", "\"public\"`, `direct_messages = true`"),
        (&two, "", "2 chats between people are withheld", "private channels also need `direct"),
        (&direct, open, "a direct message or private channel is withheld", needed),
        (&two, open, "a direct message or private channel is withheld", needed),
        (&more, open, "2 direct messages and private channels are withheld", needed),
        (&two, &*all, "", ""),
    ] {
        let site = SiteTest::new().file("site.toml", config);
        let export = format!(r#"{{"about": "x", "chats": {{"about": "x", "list": [{chats}]}}}}"#);
        site.write("content/result.json", export);
        let stderr = site.build(0).stderr;
        let is_reported = stderr.contains("hint[confidential]");
        assert_eq!(is_reported, !message.is_empty(), "{chats} {config}: {stderr}");
        assert!(stderr.contains(message) && stderr.contains(hint), "{chats} {config}: {stderr}");
    }
}

#[test]
fn an_opened_chat_has_pseudonyms_and_redacted_numbers() {
    let opened = "[[source]]\nfiles = \"*\"\nvisibility = \"public\"\n";
    let site = site(opened);
    let run = site.run(&["build"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let made_up = pages(&site);
    for private in ["Quill", "Achterberg", "900123", "7700"] {
        assert!(!made_up.contains(private), "{private}");
    }
    assert!(made_up.contains("The night is over."));
    let site = self::site(&format!("{opened}[people]\nothers = \"keep\"\n"));
    let run = site.run(&["build"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let kept = pages(&site);
    assert!(kept.contains("Tomas Quill") && !kept.contains("900123"));
}

#[test]
fn people_mentioned_in_phone_chats_get_pseudonyms() {
    let site = SiteTest::new();
    let open = "[[source]]\nfiles = \"*\"\nvisibility = \"public\"\n";
    site.write("site.toml", format!("base_url = \"https://example.org/\"\n{open}"));
    let line = "[LINE] Chat history in Zora Quillon & Ada\nSaved on: 2026/03/04 18:30\n\n2026/03/04(Wed)\n\
        18:20\tAda\tOne tide, ask @Tess Vogel\n18:21\t\tCleo Marsh joined the group.\n\
        18:22\t☎ Ida Moss started a call\n18:23\tBela\tHi Cleo, hi Zora\n18:24\tBela\tyes\n18:25\tBela\tno\n";
    site.write("content/[LINE]Zora Quillon.txt", line);
    let kakao = "Nuri Seo 님과 카카오톡 대화\n저장한 날짜 : 2026-03-05 18:30:14\n\n\
        --------------- 2026년 3월 4일 수요일 ---------------\n[한별] [오후 6:20] Two tides\n\
        최바다님이 박민수님을 초대했습니다.\n회원님이 나갔습니다.\n\
        [도윤] [오후 6:21] 최바다 왔다, Nuri! 회원 모두\n";
    site.write("content/a.txt", kakao);
    let table = "Date,User,Message\n2026-03-04 18:20:05,\"Ada\",\"Three tides\"\n\
        2026-03-04 18:21:05,\"Ada\",\"Ada invited Wim Rook.\"\n2026-03-04 18:22:05,\"Bela\",\"Hi Wim\"\n";
    site.write("content/KakaoTalk_Chat_Ole Brandt_2026-03-05-10-00-00.csv", table);
    let run = site.run(&["build"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert!(!run.stderr.contains("ambiguous-format"), "{}", run.stderr);
    let pages = pages(&site);
    for text in ["One tide", "Two tides", "Three tides", "회원 모두"] {
        assert!(pages.contains(text), "{text}");
    }
    for named in [
        "Zora", "Quillon", "Tess", "Vogel", "Cleo", "Marsh", "Ida Moss", "Nuri", "최바다",
        "박민수", "한별", "Wim", "Rook", "Brandt",
    ] {
        assert!(!pages.contains(named), "{named}");
    }
}

#[test]
fn a_chat_is_split_at_pauses_and_by_its_rule() {
    let opened =
        "[people]\nothers = \"keep\"\n[[source]]\nfiles = \"*\"\nvisibility = \"public\"\n";
    for (split, count) in [
        ("", 2),
        ("split = \"day\"\n", 2),
        ("split = \"whole\"\n", 1),
        ("split = \"pause:2h\"\n", 3),
    ] {
        let site = site(&format!("{opened}{split}"));
        let run = site.run(&["build"]);
        assert_eq!(run.code, Some(0), "{split}: {}", run.stderr);
        let files = site.output();
        let is_page = |name: &&String| name.starts_with("c/") && name.ends_with("/index.html");
        let found: Vec<&String> = files.keys().filter(is_page).collect();
        assert_eq!(found.len(), count, "{split}: {found:?}");
    }
    let wrong = site("[[source]]\nfiles = \"*\"\nsplit = \"week\"\n");
    let run = wrong.run(&["build"]);
    assert_eq!(run.code, Some(2), "{}", run.stderr);
    assert!(run.stderr.contains("pause:6h"), "{}", run.stderr);
}

#[test]
fn a_later_export_keeps_the_urls_of_parts() {
    let config =
        "[people]\nothers = \"keep\"\n[[source]]\nfiles = \"*\"\nvisibility = \"public\"\n";
    let site = site(config);
    site.run(&["build"]);
    let before: Vec<String> = site.output().into_keys().collect();
    let more = format!(
        "{CHAT}14/3/26, 07:02 - Wren Achterberg: At last.\n15/3/26, 20:00 - Tomas Quill: Again.\n"
    );
    site.write("content/WhatsApp Chat with The night watch.txt", more);
    let run = site.run(&["build"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let after = site.output();
    let pages = before.iter().filter(|name| name.starts_with("c/") && name.ends_with(".html"));
    for page in pages {
        assert!(after.contains_key(page), "{page}");
    }
}

#[test]
fn the_file_name_determines_the_date_order() {
    let config =
        "[people]\nothers = \"keep\"\n[[source]]\nfiles = \"*\"\nvisibility = \"public\"\n";
    for (name, day) in [("Chat.dmy.txt", "2026-04-03"), ("Chat.mdy.txt", "2026-03-04")] {
        let site = SiteTest::new();
        site.write("site.toml", config);
        let chat = "3/4/26, 18:20 - Wren: Which day?\n3/4/26, 18:21 - Oriel: This one.\n";
        site.write(&format!("content/{name}"), chat);
        let run = site.run(&["build"]);
        assert_eq!(run.code, Some(0), "{}", run.stderr);
        assert!(!run.stderr.contains("ambiguous-dates"), "{}", run.stderr);
        assert!(pages(&site).contains(day), "{name}");
    }
}

/// A Slack workspace with a public channel, a private channel and a direct message.
fn workspace(config: &str) -> SiteTest {
    let site = SiteTest::new();
    site.write("site.toml", format!("base_url = \"https://example.org/\"\n{config}"));
    let user = |id: &str, name: &str| {
        format!(
            "{{\"id\":\"{id}\",\"name\":\"x\",\"profile\":{{\"display_name\":\"{name}\",\"email\":\"x@example.org\"}}}}"
        )
    };
    let users = [
        user("U0000001", "Wren Achterberg"),
        user("U0000002", "Tomas Quill"),
        user("U0000003", "Oriel Pettifer"),
    ];
    site.write("content/mill/users.json", format!("[{}]", users.join(",")));
    site.write("content/mill/channels.json", r#"[{"id":"C0000001","name":"quay"}]"#);
    site.write("content/mill/groups.json", r#"[{"id":"G0000001","name":"keys"}]"#);
    site.write("content/mill/dms.json", r#"[{"id":"D0000001","members":["U0000001","U0000002"]}]"#);
    let message = |ts: u64, user: &str, text: &str| {
        format!(
            "{{\"type\":\"message\",\"user\":\"{user}\",\"ts\":\"{ts}.000100\",\"thread_ts\":\"1772604060.000100\",\"text\":\"{text}\",\
             \"files\":[{{\"name\":\"rules.pdf\",\"url_private\":\"https://files.slack.com/rules.pdf?t=xoxe-1\"}}]}}"
        )
    };
    let first = message(1_772_604_060, "U0000001", "Ask <@U0000003>, not Tomas Quill.");
    let answer = message(1_772_690_400, "U0000002", "Oriel Pettifer is at sea.");
    site.write("content/mill/quay/2026-03-04.json", format!("[{first}]"));
    site.write("content/mill/quay/2026-03-05.json", format!("[{answer}]"));
    let key = message(1_772_604_060, "U0000001", "It hangs behind the clock.");
    site.write("content/mill/keys/2026-03-04.json", format!("[{key}]"));
    let secret = message(1_772_604_060, "U0000002", "It was the bathtub.");
    site.write("content/mill/D0000001/2026-03-04.json", format!("[{secret}]"));
    site
}

#[test]
fn a_rule_opens_channels_and_direct_messages_need_another_key() {
    let keep_names = "[people]\nothers = \"keep\"\n";
    let open = |files: &str, more: &str| {
        format!("{keep_names}[[source]]\nfiles = \"{files}\"\nvisibility = \"public\"\n{more}")
    };
    let direct = "direct_messages = true\n";
    for (config, shown) in [
        (keep_names.to_owned(), [false, false, false]),
        (open("mill/quay/**", ""), [true, false, false]),
        (open("mill", ""), [true, false, false]),
        (open("mill/keys/**", direct), [false, true, false]),
        (open("mill/**", direct), [true, true, true]),
    ] {
        let site = workspace(&config);
        let run = site.run(&["build"]);
        assert_eq!(run.code, Some(0), "{config}: {}", run.stderr);
        let pages = pages(&site);
        let words = ["is at sea", "behind the clock", "was the bathtub"];
        assert_eq!(words.map(|words| pages.contains(words)), shown, "{config}");
        assert!(!pages.contains("xoxe") && !pages.contains("x@example.org"), "{config}");
    }
}

#[test]
fn mentioned_members_of_a_channel_get_pseudonyms() {
    let site = workspace("[[source]]\nfiles = \"mill/quay/**\"\nvisibility = \"public\"\n");
    let run = site.run(&["build"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let pages = pages(&site);
    assert!(pages.contains("is at sea"));
    for private in ["Achterberg", "Quill", "Pettifer", "Oriel", "U0000001", "C0000001"] {
        assert!(!pages.contains(private), "{private}");
    }
    assert!(pages.contains("class=\"thread\""), "{pages}");
    // A reply on the next day is in the same conversation as its message.
    let files = site.output();
    let is_page = |name: &&String| name.starts_with("c/") && name.ends_with("/index.html");
    assert_eq!(files.keys().filter(is_page).count(), 1);
}

const ACCOUNT: &str = r#"{"about": "Telegram is free.",
 "personal_information": {"first_name": "Wren", "phone_number": "+44 7700 900101", "username": "@wrenwatch"},
 "sessions": {"list": [{"last_ip": "192.0.2.7"}]},
 "chats": {"list": [
  {"name": "Oriel Vane", "type": "personal_chat", "id": 2, "messages": [
   {"id": 1, "type": "message", "date_unixtime": "1773425040", "from": "Oriel Vane", "from_id": "user2",
    "text": "The key is under the mat."}]}]},
 "left_chats": {"list": [
  {"name": "Harbour notices", "type": "public_channel", "id": 77, "messages": [
   {"id": 1, "type": "message", "date_unixtime": "1773425040", "from": "Harbour notices", "from_id": "channel77",
    "text": "High water at nine."}]}]}}"#;

#[test]
fn private_parts_of_an_account_need_an_explicit_rule() {
    let opened = "[[source]]\nfiles = \"*\"\nvisibility = \"public\"\n";
    let meant = format!("{opened}direct_messages = true\n");
    for (config, is_shown) in [(opened, false), (&meant, true)] {
        let site = SiteTest::new();
        site.write("site.toml", config);
        site.write("content/result.json", ACCOUNT);
        let run = site.run(&["build"]);
        assert_eq!(run.code, Some(0), "{}", run.stderr);
        let pages = pages(&site);
        assert!(pages.contains("High water at nine.") && pages.contains("Harbour notices"));
        assert_eq!(pages.contains("under the mat"), is_shown);
        for private in ["900101", "wrenwatch", "192.0.2.7", "Oriel", "Vane"] {
            assert!(!pages.contains(private), "{private}");
        }
    }
}

#[test]
fn logs_of_days_are_one_channel_without_hosts() {
    let site = SiteTest::new();
    let config =
        "[people]\nothers = \"keep\"\n[[source]]\nfiles = \"**\"\nvisibility = \"public\"\n";
    site.write("site.toml", config);
    let day = "[10:00:00] *** Joins: oriel (~o@host-of-oriel.example)\n[10:00:05] <oriel> Is the gate open?\n";
    let next = "[09:00:00] <moss> It was.\n[09:00:01] *** Quits: lurker (~l@192.0.2.8) (bye)\n";
    site.write("content/tidenet/#gate/2026-03-01.log", day);
    site.write("content/tidenet/#gate/2026-03-02.log", next);
    let run = site.run(&["build"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let pages = pages(&site);
    for shown in ["Is the gate open?", "It was.", "#gate", "oriel joined"] {
        assert!(pages.contains(shown), "{shown}");
    }
    for private in ["host-of-oriel", "192.0.2.8", "lurker"] {
        assert!(!pages.contains(private), "{private}");
    }
}

/// Files of iMessage and sigtop are named after their participants.
#[test]
fn numbers_and_email_addresses_in_file_names_are_not_published() {
    let site = SiteTest::new();
    let opened = "[[source]]\nfiles = \"*\"\nvisibility = \"public\"\ndirect_messages = true\n";
    site.write("site.toml", format!("base_url = \"https://example.org/\"\n{opened}"));
    let message = |who: &str, words: &str| {
        format!(
            "Mar 04, 2026  6:20:05 PM\n{who}\n{words}\n\nMar 05, 2026  6:20:05 PM\nMe\nYes.\n\n\
             Mar 05, 2026  6:21:05 PM Otto Zwanzig added +447700900125 to the conversation.\n"
        )
    };
    site.write("content/+447700900123.txt", message("+447700900123", "Is the tide in?"));
    site.write("content/heron@example.net.txt", message("heron@example.net", "Who asks?"));
    site.write(
        "content/Quill Mossbank, +447700900124.txt",
        message("Quill Mossbank", "The boot is full."),
    );
    site.write(
        "content/Quill Mossbank (+447700900126).txt",
        "Conversation: Quill Mossbank (+447700900126)\n\nFrom: Quill Mossbank (+447700900126)\n\
         Type: incoming\nSent: Sun, 1 Mar 2026 10:00:00 +0000\n\nThe eel called.\n",
    );
    let run = site.run(&["build"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let pages = pages(&site);
    for words in ["Is the tide in?", "Who asks?", "The boot is full.", "The eel called."] {
        assert!(pages.contains(words), "{words}: {}", run.stderr);
    }
    let private =
        ["7700", "900123", "900124", "900125", "900126", "heron@", "Quill", "Mossbank", "Zwanzig"];
    for private in private {
        let at = pages.find(private);
        let around = at.map(|at| {
            let start = pages.floor_char_boundary(at.saturating_sub(200));
            &pages[start..pages.floor_char_boundary(at + 60)]
        });
        assert_eq!(around, None, "{private}");
    }
}

#[test]
fn a_copy_of_a_chat_is_the_same_chat() {
    let config =
        "[people]\nothers = \"keep\"\n[[source]]\nfiles = \"*\"\nvisibility = \"public\"\n";
    let first: String = CHAT.split_inclusive('\n').take(2).collect();
    for (copy, count) in [
        ("WhatsApp Chat with The night watch 2.txt", 2),
        ("WhatsApp Chat with The night watch (1).txt", 2),
        // This is a different chat, despite its name.
        ("WhatsApp Chat with Quay 2.txt", 3),
    ] {
        let site = site(config);
        let other = copy.contains("Quay");
        site.write(
            "content/WhatsApp Chat with Quay.txt",
            "13/3/26, 09:00 - Wren: All quiet.\n13/3/26, 09:01 - Tomas: Nearly.\n",
        );
        site.write(
            &format!("content/{copy}"),
            match other {
                true => "13/3/26, 10:00 - Moss: The eels are out.\n13/3/26, 10:01 - Wren: No.\n",
                false => &first,
            },
        );
        let run = site.run(&["build"]);
        assert_eq!(run.code, Some(0), "{copy}: {}", run.stderr);
        let files = site.output();
        let is_page = |name: &&String| name.starts_with("c/") && name.ends_with("/index.html");
        let found: Vec<&String> = files.keys().filter(is_page).collect();
        assert_eq!(found.len(), count + 1, "{copy}: {found:?}\n{}", run.stderr);
        assert_eq!(run.stderr.contains("merged"), !other, "{copy}: {}", run.stderr);
    }
}

#[test]
fn sent_and_received_mails_of_a_thread_are_one_conversation() {
    let site = SiteTest::new();
    let opened = "[[source]]\nfiles = \"**\"\nvisibility = \"public\"\ndirect_messages = true\n";
    site.write("site.toml", format!("[people]\nothers = \"keep\"\n{opened}"));
    let mail = |n: u32, from: &str, more: &str, text: &str| {
        format!(
            "From - Wed Mar  4 18:2{n}:05 2026\nFrom: {from} <{from}@mill.example>\n\
             To: both@mill.example\nDate: Wed, 4 Mar 2026 18:2{n}:05 +0000\nSubject: Re: The tide\n\
             Message-ID: <{n}@mill.example>\n{more}\n{text}\n\n"
        )
    };
    let after = |n: u32| format!("In-Reply-To: <{n}@mill.example>\n");
    let question = mail(1, "Wren", "", "Is it in?");
    let more = mail(3, "Wren", &after(2), "Thank you.");
    let reply = mail(2, "Tomas", &after(1), "It is.");
    site.write("content/Mail/Local/Inbox", format!("{question}{more}"));
    site.write("content/Mail/Local/Inbox.msf", "// <!-- x -->");
    // People who reply to themselves have the mail in both folders.
    site.write("content/Mail/Local/Sent", format!("{reply}{more}"));
    site.write("content/Mail/Local/Sent.msf", "// <!-- x -->");
    let run = site.run(&["build"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let files = site.output();
    let is_page = |name: &&String| name.starts_with("c/") && name.ends_with("/index.html");
    let found: Vec<&String> = files.keys().filter(is_page).collect();
    assert_eq!(found.len(), 1, "{found:?}\n{}", run.stderr);
    let page = String::from_utf8_lossy(&files[found[0]]);
    let at = |words: &str| page.find(words).unwrap_or_else(|| panic!("{words}"));
    assert!(at("<p>Is it in?") < at("<p>It is.") && at("<p>It is.") < at("<p>Thank you."));
    assert_eq!(page.matches("<p>Thank you.").count(), 1);
}

#[test]
fn mail_headers_are_read_after_a_byte_order_mark() {
    let mail = |n: usize, field: &str, text: &str| {
        format!(
            "From ada@mill.example Wed Mar  4 18:20:05 2026\nFrom: Brenna <b@mill.example>\nSubject: Oars {n}\n\
             Date: Wed, 4 Mar 2026 18:20:05 +0100\nMessage-ID: <{n}@mill.example>\nList-Id: <oars.mill.example>\n\
             {field}\n{text}\n\n"
        )
    };
    // A long mailbox is read line by line.
    for text in ["It is short.\n".to_owned(), "It is very long.\n".repeat(32_000)] {
        let (first, last) = (mail(1, "", &text), mail(3, "", "The last one."));
        let hidden = mail(2, "X-No-Archive: yes\n", "HIDDEN");
        let site = SiteTest::new();
        let opened = "[[source]]\nfiles = \"*\"\nvisibility = \"public\"\n";
        site.write("site.toml", format!("base_url = \"https://example.org/\"\n{opened}"));
        site.write("content/oars.mbox", format!("\u{feff}{first}{hidden}{last}"));
        let run = site.run(&["build"]);
        assert_eq!(run.code, Some(0), "{}", run.stderr);
        assert!(run.stderr.contains("1 message marked as not to be archived"), "{}", run.stderr);
        let pages = pages(&site);
        assert!(pages.contains("The last one.") && !pages.contains("HIDDEN"));
    }
}

#[test]
fn header_fields_separate_the_mails_of_a_mailbox_without_dates() {
    let mail = |n: usize, text: &str| {
        format!(
            "From -\nFrom: Brenna <b@mill.example>\nSubject: Oars {n}\n\
             Date: Wed, 4 Mar 2026 18:20:05 +0100\nMessage-ID: <{n}@mill.example>\n\
             List-Id: <oars.mill.example>\n\n{text}\n\n"
        )
    };
    // A long mailbox is read line by line.
    for text in ["It is short.\n".to_owned(), "From here on it is long.\n\n".repeat(32_000)] {
        let (first, second, last) = (mail(1, &text), mail(2, "Yes."), mail(3, "The last one."));
        let site = SiteTest::new();
        let opened = "[[source]]\nfiles = \"*\"\nvisibility = \"public\"\n";
        site.write("site.toml", format!("base_url = \"https://example.org/\"\n{opened}"));
        site.write("content/oars.mbox", format!("{first}{second}{last}"));
        let run = site.run(&["build"]);
        assert_eq!(run.code, Some(0), "{}", run.stderr);
        let pages = pages(&site);
        assert!(pages.contains("The last one."));
        for hidden in ["From -", "Brenna", "Message-ID", "List-Id"] {
            assert!(!pages.contains(hidden), "{hidden}");
        }
        for title in ["Oars 1", "Oars 2", "Oars 3"] {
            assert!(pages.contains(title), "{title}");
        }
    }
}

#[test]
fn phone_numbers_are_in_no_title_and_no_url() {
    let chat = "28/09/2026, 09:19 - Ada: Mobile : 9930363372\n\
        28/09/2026, 09:20 - Wren: 99303 63373 or 13812345678, Ph 98765432\n\
        29/09/2026, 09:19 - Ada: 4158675309 by the mill, 2024112218\n";
    let site = SiteTest::new();
    let opened = "[[source]]\nfiles = \"*\"\nvisibility = \"public\"\ndirect_messages = true\n";
    site.write("site.toml", format!("base_url = \"https://example.org/\"\n{opened}"));
    site.write("content/chat.txt", chat);
    let run = site.run(&["build"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let output = site.output();
    for number in ["9930363372", "99303", "63373", "13812345678", "98765432", "4158675309"] {
        for (name, bytes) in &output {
            let text = String::from_utf8_lossy(bytes);
            assert!(!name.contains(number) && !text.contains(number), "{number}: {name}");
        }
    }
    assert!(pages(&site).contains("2024112218"));
}

/// When summer time ends, an hour repeats. Messages stay in the order of their log.
#[test]
fn a_log_whose_clock_goes_back_keeps_its_order() {
    let words = ["Awake", "Yes", "Back", "Gained", "Night"];
    let clocks = ["02:40", "02:55", "02:05", "02:10", "03:15"];
    let log = |line: &dyn Fn(&str, &str, usize) -> String| -> String {
        clocks
            .iter()
            .zip(words)
            .enumerate()
            .map(|(n, (clock, word))| line(clock, word, n))
            .collect()
    };
    let name = |n: usize| ["Ada", "Bob"][n % 2];
    for (file, text) in [
        (
            "WhatsApp Chat with Bob.txt",
            log(&|clock, word, n| format!("30/10/2022, {clock} - {}: {word}.\n", name(n))),
        ),
        ("2022-10-30.log", log(&|clock, word, n| format!("[{clock}] <{}> {word}.\n", name(n)))),
    ] {
        let (read, notes) = formats::read(file, text.as_bytes());
        let order: Vec<String> = read[0].turns.iter().map(|turn| turn.text()).collect();
        assert_eq!(order.join(" "), "Awake. Yes. Back. Gained. Night.", "{file}: {notes:?}");
    }
    // A clock does not go back by several hours: parts of a log were joined in another order.
    let text = "30/10/2022, 22:40 - Ada: Late.\n30/10/2022, 08:10 - Bob: Early.\n30/10/2022, 23:00 - Ada: Later.\n";
    let (read, _) = formats::read("WhatsApp Chat with Bob.txt", text.as_bytes());
    assert_eq!(read[0].turns[0].text(), "Early.");
}

/// iPhones wrote a colon after the time until about 2016.
#[test]
fn chats_of_old_iphones_are_read() {
    for text in [
        "3/24/14, 1:59:59 PM: Ada: Hello there\n3/24/14, 2:00:10 PM: Bob: Hi, see 1:30 PM: tea\n",
        "24/03/14 13:59:59: Ada: Hello there\n24/03/14 14:00:10: Bob: Hi - and bye\n",
        "24/12/2012 17:03:48: Ada: Hello\n24/12/2012 17:04:48: Bob: Hi\n",
        "27-06-16, 8:04:08 : Ada: Hello\n27-06-16, 8:05:08 : Bob: Hi\n",
    ] {
        let (read, notes) = formats::read("chat.txt", text.as_bytes());
        assert_eq!(read.len(), 1, "{text}: {notes:?}");
        let speakers: Vec<&str> = read[0].turns.iter().map(|turn| turn.speaker.as_str()).collect();
        assert_eq!(speakers, ["Ada", "Bob"], "{text}");
        assert!(read[0].turns.iter().all(|turn| turn.time.is_some()), "{text}: {notes:?}");
    }
    // A log that somebody sent is a part of the message.
    let text = "24/03/14, 13:59 - Ada: See:\n24/03/14 13:59:59: main: started\n24/03/14, 14:00 - Bob: Yes\n";
    let (read, _) = formats::read("chat.txt", text.as_bytes());
    assert_eq!(read[0].turns.len(), 2, "{:?}", read[0].turns);
}

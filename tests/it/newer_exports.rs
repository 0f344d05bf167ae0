//! Exports of chats as pages, and logs of newer agents: what others wrote for somebody else is in no output.

use serde_json::json;

use crate::support::{BASE, SiteTest};

/// Returns everything that a site with these files publishes, with chats between people opened.
fn published(files: &[(&str, String)], has_direct_messages: bool) -> String {
    let direct = if has_direct_messages { "direct_messages = true\n" } else { "" };
    let rule = format!("[[source]]\nfiles = \"**\"\nvisibility = \"public\"\n{direct}");
    let mut site = SiteTest::new().file("site.toml", format!("{BASE}markdown = true\n{rule}"));
    for (path, text) in files {
        site = site.file(&format!("content/{path}"), text.clone());
    }
    let run = site.run(&["build"]);
    assert!(matches!(run.code, Some(0 | 1)), "{}", run.stderr);
    let all = site.output().into_iter();
    let texts = all.map(|(path, bytes)| format!("{path}\n{}", String::from_utf8_lossy(&bytes)));
    texts.collect::<Vec<_>>().join("\n")
}

#[track_caller]
fn check(files: &[(&str, String)], has_direct_messages: bool, shown: &[&str], hidden: &[&str]) {
    let all = published(files, has_direct_messages);
    for word in shown {
        assert!(all.contains(word), "{word} is lost");
    }
    for word in hidden {
        assert!(!all.contains(word), "{word} is published");
    }
}

/// A page of Telegram: the head, and rows of a sender (or none) and a text.
fn telegram(head: &str, rows: &[(&str, &str)]) -> String {
    let mut page = format!(
        "<title>Exported Data</title><div class=\"page_header\">{head}</div>\
         <div class=\"page_body chat_page\"><div class=\"history\">"
    );
    for (number, (sender, text)) in rows.iter().enumerate() {
        page += &match *sender {
            "" => format!(
                "<div class=\"message service\" id=\"message{number}\"><div class=\"body details\">{text}</div></div>"
            ),
            sender => format!(
                "<div class=\"message default clearfix\" id=\"message{number}\"><div class=\"body\">\
                 <div class=\"pull_right date details\" title=\"05.07.2024 14:0{number}:09\">x</div>\
                 <div class=\"from_name\">{sender}</div><div class=\"text\">{text}</div></div></div>"
            ),
        };
    }
    page + "</div></div>"
}

const TITLE: &str = "<div class=\"content\"><div class=\"text bold\">Night watch</div></div>";
const GROUP: [(&str, &str); 4] = [
    ("", "Ada created group «Night watch» with members Xan Leakone and Yul Leaktwo"),
    ("Ada", "SAIDA"),
    ("Bo", "SAIDB"),
    ("Cy", "SAIDC"),
];

#[test]
fn pages_of_telegram_are_groups_only_if_that_is_certain() {
    let page = |head: &str, rows: &[(&str, &str)]| [("messages.html", telegram(head, rows))];
    check(&page(TITLE, &GROUP), false, &["SAIDA", "SAIDC"], &["Leakone", "Leaktwo"]);
    // In the export of an account, every page links to the list of its chats.
    let account =
        "<a class=\"content\" href=\"../../lists/chats.html\"><div class=\"text bold\">N</div></a>";
    check(&page(account, &GROUP), false, &[], &["SAIDA"]);
    // Text in quotation marks is not an event.
    let saved = [
        ("", "Ada added a task «created group joined group by» to «x»"),
        GROUP[1],
        GROUP[2],
        GROUP[3],
    ];
    check(&page(TITLE, &saved), false, &[], &["SAIDA"]);
    check(&page(TITLE, &GROUP[1..]), false, &[], &["SAIDA"]);
}

#[test]
fn names_and_accounts_on_pages_of_telegram_are_not_published() {
    let text = "See <a href=\"\" onclick=\"return ShowMentionName()\">Dan Leakmention</a> \
                <a href=\"https://t.me/x\">\n@leakacct1\n</a> <a href=\"https://t.me/leakacct2\">him</a> \
                <blockquote><a href=\"https://t.me/x\">@leakacct3</a></blockquote> \
                <a href=\"tel:+490000\">+49 30 9999999</a> KEPT";
    let head = "<div class=\"text bold\">Eve Leaktitle</div>";
    let page = [(
        "messages.html",
        telegram(head, &[("Ada", text), ("", "Vic Leakvic joined group by link from Uma Leakuma")]),
    )];
    check(
        &page,
        true,
        &["KEPT"],
        &["Leakmention", "leakacct", "9999999", "Leaktitle", "Leakvic", "Leakuma"],
    );
}

#[test]
fn links_to_accounts_in_json_of_telegram_are_not_published() {
    let link = |kind: &str| json!({"type": kind, "text": "https://t.me/leakacct", "href": "https://t.me/leakacct"});
    let own = json!({"type": "link", "text": "t.me/leakacct"});
    let parts = |text: serde_json::Value| json!({"type": "paragraph", "text": {"type": "concat", "text": [{"type": "plain", "text": "KEPT"}, {"type": "bold", "text": text}, text]}});
    let message = |id: u64, more: serde_json::Value| {
        let mut message = json!({"id": id, "type": "message", "date": "2026-07-01T10:01:00", "date_unixtime": "1782900060", "from": "Ada", "from_id": "user1"});
        let fields = message.as_object_mut().expect("an object");
        fields.extend(more.as_object().expect("an object").clone());
        message
    };
    let forms = [
        json!({"rich_message": {"blocks": [parts(own.clone()), parts(link("text_link"))]}}),
        json!({"rich_message": {"blocks": [{"type": "heading", "text": {"type": "concat", "text": ["KEPT", own.clone()]}}]}}),
        json!({"text": ["KEPT", own.clone(), link("text_link")]}),
        json!({"text_entities": [{"type": "plain", "text": "KEPT"}, own, link("link")]}),
    ];
    for form in forms {
        let chat = json!({"name": "Mill", "type": "private_group", "id": 1, "messages": [message(1, form)]});
        check(&[("result.json", chat.to_string())], true, &["KEPT"], &["leakacct"]);
    }
}

#[test]
fn tags_that_are_not_closed_lose_no_message_and_move_no_words() {
    let page = telegram(TITLE, &GROUP).replacen("SAIDA</div></div></div>", "SAIDA", 1);
    check(&[("messages.html", page)], false, &["SAIDA", "SAIDB", "SAIDC"], &[]);
}

/// A page of Discord of a server and a channel.
fn discord(server: &str, channel: &str, messages: &str) -> String {
    format!(
        "<style>.preamble__entry .chatlog__message</style><div class=preamble__entry>{server}</div>\
         <div class=preamble__entry>{channel}</div><div class=chatlog>{messages}</div>"
    )
}

fn said(id: u64, who: &str, text: &str) -> String {
    format!(
        "<div class=chatlog__message-group><div class=chatlog__message-container data-message-id={id}>\
         <span class=chatlog__author title={who} data-user-id={who}>{who}</span> \
         <span class=chatlog__timestamp title=\"Monday\">x</span>\
         <div class=chatlog__content><span class=chatlog__markdown-preserve>{text}</span></div></div></div>"
    )
}

#[test]
fn pages_of_discord_are_open_only_if_that_is_certain() {
    let messages = said(820_249_834_291_200_001, "ada", "SAIDA");
    for (server, channel, is_open) in [
        ("Mill", "quay", true),
        ("Mill", "general / secret thread", false),
        ("Mill", "Text / quay / thread", false),
        ("Direct Messages", "Bea", false),
        ("direct messages", "Bea", false),
        ("", "", false),
    ] {
        let all = published(&[("a.html", discord(server, channel, &messages))], false);
        assert_eq!(all.contains("SAIDA"), is_open, "{server} {channel}");
    }
    // Each part counts.
    let parts = [
        ("a.html", discord("Mill", "quay", &messages)),
        ("a [part 2].html", discord("Direct Messages", "Bea", &messages)),
    ];
    check(&parts, false, &[], &["SAIDA"]);
}

#[test]
fn names_on_pages_of_discord_are_not_published() {
    let mention =
        |name: &str| format!("<span class=chatlog__markdown-mention title=x>@{name}</span>");
    let text = format!(
        "<div class=chatlog__markdown-quote>{} <img alt=EMOJI></div><ul><li>{}</li></ul><a href=https://example.org>{}</a> KEPT",
        mention("Eva Leakquote"),
        mention("Ivo Leaklist"),
        mention("Una Leaklink")
    );
    let notice = "<div class=chatlog__message-group><div class=chatlog__message-container data-message-id=820249834291200009>\
                  <span class=chatlog__system-notification-author data-user-id=9>Ada</span> \
                  <span class=chatlog__system-notification-content>added Hal Leakadded to the group.</span></div></div>";
    let page = discord("Mill", "quay", &(said(820_249_834_291_200_001, "ada", &text) + notice));
    check(
        &[("a.html", page)],
        true,
        &["KEPT", ":EMOJI:"],
        &["Leakquote", "Leaklist", "Leaklink", "Leakadded"],
    );
}

#[test]
fn the_words_of_the_next_message_of_discord_stay_those_of_its_author() {
    for start in [
        "SAIDA",
        "<div class=chatlog__markdown-quote>SAIDA",
        "<ul><li>SAIDA",
        "<a href=https://example.org>SAIDA",
        "<code class=chatlog__markdown-pre--inline>SAIDA",
        "<div class=chatlog__markdown-pre--multiline>SAIDA",
    ] {
        let open =
            said(820_249_834_291_200_001, "ada", start).replace("</span></div></div></div>", "");
        let page =
            discord("Mill", "quay", &(open + &said(820_249_834_291_200_002, "bea", "SAIDB")));
        let all = published(&[("a.html", page)], false);
        let turns =
            all.split("<article ").skip(1).filter_map(|rest| rest.split("</article>").next());
        let turns: Vec<&str> = turns.filter(|turn| turn.contains("SAIDB")).collect();
        assert!(
            !turns.is_empty() && turns.iter().all(|turn| !turn.contains("SAIDA")),
            "{start}: {turns:?}"
        );
    }
}

#[test]
fn the_output_of_private_steps_of_swe_agent_is_not_published() {
    let log = |history: serde_json::Value| {
        json!({"trajectory": [{"action": "ls", "response": ""}], "history": history}).to_string()
    };
    let steps = log(json!([
        {"role": "user", "content": "TASK"},
        {"role": "assistant", "thought": "So.", "action": "ls"},
        {"role": "user", "content": "OBSERVATION:\nOPEN"},
        {"role": "assistant", "private": true, "thought": "So.", "action": "cat x"},
        {"role": "user", "content": "OBSERVATION:\nLEAK"},
        {"role": "user", "content": "WORDS of a person"},
        {"role": "user", "is_demo": "true", "content": "DEMO"},
    ]));
    check(&[("a.traj", steps)], false, &["TASK", "OPEN", "WORDS"], &["LEAK", "DEMO"]);
    let task = log(json!([
        {"role": "user", "private": true, "content": "SECRET"},
        {"role": "assistant", "thought": "HELLO", "action": "ls"},
        {"role": "user", "content": "OUTPUT"},
    ]));
    let all = published(&[("a.traj", task)], false);
    assert!(all.contains("HELLO") && !all.contains("SECRET"), "{all}");
    assert!(!all.contains("class=\"turn person"), "{all}");
}

#[test]
fn what_servers_return_to_newer_agents_is_not_published() {
    let chat = |messages: serde_json::Value| {
        json!({"chat-next-web-store": {"sessions": [{"id": "s", "topic": "T", "memoryPrompt": "", "messages": messages}]}})
            .to_string()
    };
    let text = chat(json!([
        {"id": "1", "date": "", "role": "user", "content": "ASKED"},
        {"id": "2", "date": "", "role": "assistant", "content": "I look.\n```json:mcp:files{\"params\": {\"name\": \"x\", \"arguments\": \"LEAK1\"}}``` AFTER"},
        {"id": "3", "date": "", "role": "user", "content": "```json:mcp-response:files\nLEAK2\n```"},
        {"id": "4", "date": "", "role": "user", "isMcpResponse": 1, "content": "LEAK3"},
        {"id": "5", "date": "", "role": "user", "isMcpResponse": true, "content": [{"type": "text", "text": "LEAK4"}]},
        {"id": "6", "date": "", "role": "assistant", "content": "So: ```json:mcp\n{\"a\": \"LEAK5\"}\n```"},
        {"id": "7", "date": "", "role": "tool", "content": "LEAK6"},
    ]));
    check(&[("a.json", text)], false, &["ASKED", "AFTER"], &["LEAK"]);
    let event = |id: u64, more: serde_json::Value| {
        let mut event =
            json!({"id": id, "timestamp": "2026-03-02T10:00:00", "source": "agent", "message": ""});
        event
            .as_object_mut()
            .expect("an object")
            .extend(more.as_object().expect("an object").clone());
        event
    };
    let mut log = vec![event(
        0,
        json!({"source": "user", "action": "message", "args": {"content": "ASKED"}}),
    )];
    for (number, cause) in [json!(null), json!(-1), json!(99)].into_iter().enumerate() {
        let result = json!({"observation": "mcp", "cause": cause, "content": "LEAK", "extras": {"name": "mail"}});
        log.push(event(1 + number as u64, result));
    }
    log.push(event(8, json!({"observation": "microagent", "content": "LEAK"})));
    log.push(event(
        9,
        json!({"source": "environment", "action": "message", "args": {"content": "LEAK"}}),
    ));
    let text = serde_json::Value::from(log).to_string();
    check(&[("a.json", text.clone())], false, &["ASKED"], &["LEAK"]);
    // The settings of a session can say that it is private.
    let first =
        event(0, json!({"source": "user", "action": "message", "args": {"content": "ASKED"}}))
            .to_string();
    let files =
        [("s/events/0.json", first), ("s/metadata.json", json!({"private": true}).to_string())];
    check(&files, false, &[], &["ASKED"]);
}

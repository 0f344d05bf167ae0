//! Features of a page for readers: keys, copying, folding and the level of detail.

use serde_json::{Value, json};

use crate::browser::Browser;
use crate::support::{BASE, SiteTest, convo, project};

const ADDRESS: &str = "https://site.example/base/";

/// Opens the page of a site with one conversation.
fn reader(name: &str, text: &str) -> Browser {
    let site = SiteTest::new().file(&format!("content/{name}"), text);
    site.build(0);
    let mut browser = Browser::start(ADDRESS, site.output());
    browser.appear(1280, false);
    browser
}

/// Turns, and code in one of them.
fn turns() -> Browser {
    let more = "One\n\n### @Ada\n```\nfn main() {}\n```\n\n### @Ada\nThree";
    reader("a.convo", &convo(more))
}

fn path(browser: &Browser) -> String {
    let mut pages = browser.files.keys().filter(|path| path.starts_with("c/"));
    let page = pages.find(|path| path.ends_with("/index.html")).expect("a page");
    page.trim_end_matches("index.html").to_owned()
}

fn press(browser: &mut Browser, key: &str) {
    for kind in ["keyDown", "keyUp"] {
        let text = if kind == "keyDown" { key } else { "" };
        browser.call("Input.dispatchKeyEvent", json!({"type": kind, "key": key, "text": text}));
    }
}

/// The index of the focused turn; -1 if there is none.
fn at(browser: &mut Browser) -> Value {
    browser
        .evaluate("Array.from(document.querySelectorAll('.turn')).indexOf(document.activeElement)")
}

/// The table about a conversation is only as wide as its values, which may be short.
#[test]
fn short_labels_are_on_one_line() {
    let text = "---\ntitle: T\nspeakers: [Ada, Bea]\n---\n**Ada:** One.\n\n**Bea:** Two.\n";
    let config = format!("{BASE}language = \"de\"\n");
    let site = SiteTest::new().file("site.toml", config).file("content/a.md", text);
    site.build(0);
    let mut browser = Browser::start(ADDRESS, site.output());
    browser.appear(1280, false);
    let path = path(&browser);
    browser.open(&path);
    let labels = browser.evaluate(
        "document.querySelector('.about').open = true;
        [...document.querySelectorAll('.about dt')].map(label =>
            [label.textContent, Math.round(label.clientHeight / parseFloat(getComputedStyle(label).lineHeight))])",
    );
    assert_eq!(labels, json!([["Herkunft", 1], ["Download", 1]]));
}

#[test]
fn keys_step_through_turns() {
    let mut browser = turns();
    let path = path(&browser);
    browser.open(&path);
    assert_eq!(at(&mut browser), -1);
    for (key, place) in [("j", 0), ("j", 1), ("j", 2), ("j", 2), ("k", 1), ("k", 0), ("k", 0)] {
        press(&mut browser, key);
        assert_eq!(at(&mut browser), place, "{key}");
    }
    press(&mut browser, "/");
    assert_eq!(browser.evaluate("document.activeElement.type"), "search");
    press(&mut browser, "j");
    assert_eq!(browser.evaluate("document.activeElement.value"), "j");
    assert!(browser.complaints.is_empty(), "{:?}", browser.complaints);
}

#[test]
fn keys_can_be_listed_and_turned_off() {
    let mut browser = turns();
    let path = path(&browser);
    browser.open(&path);
    press(&mut browser, "?");
    assert_eq!(browser.evaluate("document.querySelector('dialog').open"), true);
    browser.evaluate("document.querySelector('dialog input').click()");
    browser.evaluate("document.querySelector('dialog button').click()");
    assert_eq!(browser.evaluate("document.querySelector('dialog').open"), false);
    press(&mut browser, "j");
    assert_eq!(at(&mut browser), -1);
    browser.open(&path);
    press(&mut browser, "j");
    assert_eq!(at(&mut browser), -1);
    press(&mut browser, "?");
    assert_eq!(browser.evaluate("document.querySelector('dialog').open"), true);
    assert_eq!(browser.evaluate("document.querySelector('dialog input').checked"), false);
}

#[test]
fn code_can_be_copied() {
    let mut browser = turns();
    let path = path(&browser);
    browser.open(&path);
    let _only_user = browser.allow_clipboard();
    browser.evaluate("document.querySelector('.copy').click()");
    browser.wait_for("document.querySelector('.copy').textContent === 'Copied'");
    assert_eq!(browser.evaluate("navigator.clipboard.readText()"), "fn main() {}");
}

#[test]
fn tool_calls_open_and_fold_together() {
    let log = project().join("tests/formats/chibi/spec-example/input.jsonl");
    let mut browser = reader("log.jsonl", &std::fs::read_to_string(log).expect("a log"));
    let path = path(&browser);
    browser.open(&path);
    let open = "document.querySelectorAll('details.tool[open]').length";
    let all = browser.evaluate("document.querySelectorAll('details.tool').length");
    assert!(all.as_u64() > Some(0), "{all}");
    assert_eq!(browser.evaluate(open), 0);
    press(&mut browser, "t");
    assert_eq!(browser.evaluate(open), all);
    press(&mut browser, "t");
    assert_eq!(browser.evaluate(open), 0);
}

/// Questions of a person, and answers, some of which use a tool.
fn with_tools() -> Browser {
    let message = |id: &str, role: &str, text: &str| {
        json!({
            "id": id, "role": role, "messageType": "text", "content": text,
        })
    };
    let mut messages = Vec::new();
    for number in 1..=4 {
        let long = "and more of it. ".repeat(150);
        messages.push(message(&format!("q{number}"), "user", &format!("Question **{number}**?")));
        messages.push(message(
            &format!("a{number}"),
            "assistant",
            &format!("Answer {number}, {long}"),
        ));
    }
    messages.push(json!({
        "id": "tool", "role": "assistant", "messageType": "composite", "contentBlocks": [{
            "blockType": "toolCall", "blockId": "b1", "toolName": "look", "toolCallId": "c1",
            "arguments": {"at": "it"},
        }],
    }));
    let schema = "https://schema.cjson.dev/0/conversation/cjson-0.1.0-SNAPSHOT.schema.json";
    let talk = json!({"id": "x", "schemaUrl": schema, "conversationTitle": "Question 1?",
        "messages": messages});
    let site = SiteTest::new().file("content/a.json", talk.to_string());
    site.run(&["build"]);
    let mut browser = Browser::start(ADDRESS, site.output());
    browser.appear(1280, false);
    browser
}

/// The numbers of the visible turns.
const SEEN: &str = "Array.from(document.querySelectorAll('.turn')).filter(turn => turn.checkVisibility()) \
    .map(turn => turn.querySelector('.permalink').textContent).join(' ')";

#[test]
fn a_reader_chooses_how_much_is_shown() {
    let mut browser = with_tools();
    let path = path(&browser);
    browser.open(&path);
    assert_eq!(browser.evaluate(SEEN), "1 2 3 4 5 6 7 8 9");
    let choose = |value: &str| format!("document.querySelector('.detail [value={value}]').click()");
    browser.evaluate(&choose("talk"));
    assert_eq!(browser.evaluate(SEEN), "1 2 3 4 5 6 7 8");
    browser.evaluate(&choose("prompts"));
    assert_eq!(browser.evaluate(SEEN), "1 3 5 7");
    // The choice is remembered, but the target of a link is always shown.
    browser.open(&path);
    assert_eq!(browser.evaluate(SEEN), "1 3 5 7");
    let last = browser.evaluate("document.querySelectorAll('.turn')[8].id");
    browser.evaluate(&format!("location.hash = {last}"));
    assert_eq!(browser.evaluate(SEEN), "1 3 5 7 9");
    browser.evaluate(&choose("all"));
    assert_eq!(browser.evaluate(SEEN), "1 2 3 4 5 6 7 8 9");
    assert!(browser.complaints.is_empty(), "{:?}", browser.complaints);
}

#[test]
fn the_choice_works_without_scripts() {
    let mut browser = with_tools();
    let path = path(&browser);
    browser.call("Emulation.setScriptExecutionDisabled", json!({"value": true}));
    browser.open(&path);
    let seen = "getComputedStyle(document.querySelectorAll('.turn')[1]).display";
    assert_eq!(browser.evaluate(seen), "grid");
    browser.evaluate("document.querySelector('.detail [value=prompts]').checked = true");
    assert_eq!(browser.evaluate(seen), "none");
}

#[test]
fn the_outline_marks_the_current_turn() {
    let mut browser = with_tools();
    let path = path(&browser);
    browser.open(&path);
    let links =
        "Array.from(document.querySelectorAll('.outline a'), link => link.innerText).join('|')";
    assert_eq!(browser.evaluate(links), "Question 1?|Question 2?|Question 3?|Question 4?");
    assert_eq!(browser.evaluate("document.querySelector('.outline ol').checkVisibility()"), true);
    browser.evaluate("document.querySelectorAll('.outline a')[2].click()");
    browser
        .wait_for("document.querySelector('.outline [aria-current]')?.innerText === 'Question 3?'");
    assert_eq!(
        browser.evaluate("document.querySelector('.outline ol').getBoundingClientRect().top > 0"),
        true
    );
    browser.evaluate("window.scrollTo(0, document.documentElement.scrollHeight)");
    browser
        .wait_for("document.querySelector('.outline [aria-current]')?.innerText === 'Question 4?'");
    browser.evaluate("document.querySelectorAll('.outline a')[2].click()");
    // On a phone, it is folded above the turns.
    browser.appear(360, false);
    assert_eq!(browser.evaluate("document.querySelector('.outline ol').checkVisibility()"), false);
}

#[test]
fn a_turn_can_be_copied_and_cited() {
    let mut browser = with_tools();
    let path = path(&browser);
    browser.open(&path);
    let _only_user = browser.allow_clipboard();
    let id = browser.evaluate("document.querySelectorAll('.turn')[2].id");
    let url = format!("{ADDRESS}{path}#{}", id.as_str().expect("an id"));
    let speaker = browser
        .evaluate("document.querySelectorAll('.turn')[2].querySelector('h2 bdi').textContent");
    let speaker = speaker.as_str().expect("a name");
    for (value, expected) in [
        ("link", url.clone()),
        ("markdown", "Question **2**?".to_owned()),
        ("quotation", format!("> Question **2**?\n>\n> — [{speaker}, Question 1?]({url})\n")),
        ("reference", format!("{speaker}. Turn 3 in “Question 1?”, Conversations. {url}")),
    ] {
        browser
            .evaluate("document.querySelectorAll('.turn')[2].querySelector('.for-turn').click()");
        assert_eq!(browser.evaluate("document.activeElement.value"), "link");
        browser.evaluate("navigator.clipboard.writeText('')");
        browser.evaluate(&format!("document.querySelector('.menu [value={value}]').click()"));
        browser.wait_for("navigator.clipboard.readText().then(text => text !== '')");
        assert_eq!(browser.evaluate("navigator.clipboard.readText()"), expected, "{value}");
        assert_eq!(browser.evaluate("document.querySelector('.menu').checkVisibility()"), false);
    }
    browser.evaluate("document.querySelector('.for-turn').click()");
    browser.evaluate("document.querySelector('.menu [value=bibtex]').click()");
    browser.wait_for("navigator.clipboard.readText().then(text => text.startsWith('@misc{') && text.includes('title = {{Question 1?}, 1}'))");
    assert!(browser.complaints.is_empty(), "{:?}", browser.complaints);
}

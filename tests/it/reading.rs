//! What a page does for who reads it, in a browser.

use serde_json::{Value, json};

use crate::browser::Browser;
use crate::support::{SiteTest, convo, project};

const ADDRESS: &str = "https://site.example/base/";

/// A browser for a site of one conversation.
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
        browser.call(
            "Input.dispatchKeyEvent",
            json!({"type": kind, "key": key, "text": text}),
        );
    }
}

/// The number of the focused turn, from 0; -1 where none is.
fn at(browser: &mut Browser) -> Value {
    browser.evaluate(
        "Array.from(document.querySelectorAll('.turn')).indexOf(document.activeElement)",
    )
}

#[test]
fn keys_step_through_turns() {
    let mut browser = turns();
    let path = path(&browser);
    browser.open(&path);
    assert_eq!(at(&mut browser), -1);
    for (key, place) in
        [("j", 0), ("j", 1), ("j", 2), ("j", 2), ("k", 1), ("k", 0), ("k", 0)]
    {
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
fn keys_can_be_learnt_and_switched_off() {
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
fn code_is_copied() {
    let mut browser = turns();
    let path = path(&browser);
    let permission =
        json!({"permissions": ["clipboardReadWrite", "clipboardSanitizedWrite"]});
    let session = std::mem::take(&mut browser.session);
    browser.call("Browser.grantPermissions", permission);
    browser.session = session;
    browser.open(&path);
    browser.call("Page.bringToFront", json!({}));
    browser.evaluate("document.querySelector('.copy').click()");
    browser.wait_for("document.querySelector('.copy').textContent === 'Copied'");
    assert_eq!(browser.evaluate("navigator.clipboard.readText()"), "fn main() {}");
}

#[test]
fn tool_calls_open_and_fold_together() {
    let log = project().join("tests/formats/chibi/spec-example/input.jsonl");
    let mut browser =
        reader("log.jsonl", &std::fs::read_to_string(log).expect("a log"));
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

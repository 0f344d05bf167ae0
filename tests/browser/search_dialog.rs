//! The search dialog over a page.

use serde_json::json;

use crate::browser::Browser;
use crate::support::SiteTest;
use crate::support::talks::{small, talk};

const BASE: &str = "https://site.example/base/";

fn press(browser: &mut Browser, key: &str, modifiers: u32) {
    for kind in ["keyDown", "keyUp"] {
        let text = if kind == "keyDown" && key == "Enter" { "\r" } else { "" };
        browser.call(
            "Input.dispatchKeyEvent",
            json!({
                "type": kind, "key": key, "code": key, "modifiers": modifiers, "text": text,
                "windowsVirtualKeyCode": if key == "Enter" { 13 } else { 0 },
            }),
        );
    }
}

fn type_text(browser: &mut Browser, text: &str) {
    for letter in text.chars() {
        browser.call("Input.insertText", json!({"text": letter.to_string()}));
    }
}

/// The options, with a `>` before the selected one.
const OPTIONS: &str = "Array.from(document.querySelectorAll('#search-dialog [role=option]'), option => \
    (option.matches('[aria-selected=true]') ? '>' : '') + option.innerText.replace(/\\s+/g, ' ').trim())";

#[track_caller]
fn wait_for_options(browser: &mut Browser, options: &[&str]) {
    browser.wait_for(&format!("JSON.stringify({OPTIONS}) === JSON.stringify({})", json!(options)));
}

const IS_OPEN: &str = "document.querySelector('#search-dialog')?.matches(':modal') === true";

/// The loaded files of the search, without the script that opens its dialog.
fn of_search(browser: &Browser) -> Vec<&String> {
    let is_of_search = |path: &&String| path.contains("search") && !path.contains("search_opener");
    browser.asked.iter().filter(is_of_search).collect()
}

#[test]
fn the_keyboard_is_enough_to_find_a_turn_from_any_page() {
    let site = small();
    site.build(0);
    let mut browser = Browser::start(BASE, site.output());
    browser.appear(1280, false);
    browser.open("archive/");
    browser.evaluate("document.querySelector('main a').focus()");
    std::thread::sleep(std::time::Duration::from_millis(300));
    assert_eq!(of_search(&browser), Vec::<&String>::new(), "before it is opened");
    press(&mut browser, "/", 0);
    browser.wait_for(IS_OPEN);
    type_text(&mut browser, "borrow ch");
    let [title, second, third] = [
        "Lifetimes in Rust 6 May 2024 · 2 turns",
        "Bot The checker may borrow what it likes.",
        "Ada How does the borrow checker work? I was searching for it.",
    ];
    wait_for_options(&mut browser, &[title, second, third]);
    let field = "document.getElementById('search-field')";
    let state = browser.evaluate(&format!(
        "[document.activeElement === {field}, {field}.role, {field}.ariaExpanded, \
         {field}.getAttribute('aria-controls') === document.querySelector('[role=listbox]').id, \
         document.querySelector('#search-dialog [role=status]').textContent, \
         document.querySelectorAll('#search-dialog mark').length, location.pathname]"
    ));
    let status = "2 turns in 1 conversation.";
    assert_eq!(state, json!([true, "combobox", "true", true, status, 4, "/base/archive/"]));
    for (key, place) in [
        ("ArrowDown", 0),
        ("ArrowDown", 1),
        ("ArrowDown", 2),
        ("ArrowDown", 3),
        ("ArrowUp", 2),
        ("ArrowUp", 1),
    ] {
        press(&mut browser, key, 0);
        let mut options = [title, second, third].map(str::to_owned);
        if let Some(option) = options.get_mut(place) {
            option.insert(0, '>');
        }
        wait_for_options(&mut browser, &options.each_ref().map(String::as_str));
        let active = browser.evaluate(&format!(
            "document.getElementById({field}.getAttribute('aria-activedescendant'))\
             ?.ariaSelected ?? null"
        ));
        assert_eq!(active, if place < 3 { json!("true") } else { json!(null) });
    }
    // After closing, the focus and the page are as before.
    press(&mut browser, "Escape", 0);
    browser.wait_for(&format!("!({IS_OPEN})"));
    let focused = "document.activeElement === document.querySelector('main a')";
    assert_eq!(browser.evaluate(focused), true);
    // Opened again with another key, the results are still there.
    press(&mut browser, "k", 2);
    browser.wait_for(IS_OPEN);
    wait_for_options(&mut browser, &[title, second, third]);
    press(&mut browser, "ArrowDown", 0);
    press(&mut browser, "ArrowDown", 0);
    press(&mut browser, "Enter", 0);
    browser.wait_for(
        "location.pathname.startsWith('/base/c/') && \
         document.querySelector(':target')?.querySelectorAll('mark').length === 2",
    );
    assert!(browser.leaks.is_empty(), "{:?}", browser.leaks);
    assert!(browser.complaints.is_empty(), "{:?}", browser.complaints);
}

#[test]
fn a_query_typed_in_the_header_continues_in_the_dialog_and_on_the_search_page() {
    let site = small();
    site.build(0);
    let mut browser = Browser::start(BASE, site.output());
    browser.appear(1280, false);
    browser.open("");
    browser.evaluate("document.querySelector('#site-search input').focus()");
    assert_eq!(browser.evaluate(&format!("!({IS_OPEN})")), true);
    type_text(&mut browser, "zebr");
    browser.wait_for(&format!("{IS_OPEN} && document.activeElement.value === 'zebr'"));
    browser.wait_for(&format!("{OPTIONS}.length === 2"));
    // Unknown words are reported, and mistyped words are corrected.
    type_text(&mut browser, "u");
    let status = "document.querySelector('#search-dialog [role=status]').textContent";
    browser.wait_for(&format!("{status}.includes('instead of “zebru”')"));
    type_text(&mut browser, "xyzzy");
    browser.wait_for(&format!("{status} === 'No results.'"));
    assert_eq!(browser.evaluate("document.querySelector('[role=combobox]').ariaExpanded"), "false");
    browser.evaluate("document.getElementById('search-field').value = ''");
    type_text(&mut browser, "zebra");
    let all = "document.querySelector('#search-dialog .all')";
    browser.wait_for(&format!("{all}.search === '?q=zebra'"));
    press(&mut browser, "Enter", 0);
    browser.wait_for("location.pathname === '/base/search/' && location.search === '?q=zebra'");
    browser.wait_for("!!document.querySelector('.results a')");
}

#[test]
fn the_dialog_fills_the_screen_of_a_phone() {
    let turns = [("Ada", "A verylongwordwithoutanyspacesinitthatgoesonandonandonforever zebra.")];
    let site = SiteTest::new().file("content/a.convo", talk("Zebras", "2026-03-03", "", &turns));
    site.build(0);
    let mut browser = Browser::start(BASE, site.output());
    browser.appear(360, true);
    browser.open("");
    browser.evaluate("document.querySelector('[popovertarget=site-search]').click()");
    browser.wait_for(IS_OPEN);
    assert_eq!(browser.evaluate("document.activeElement.id"), "search-field");
    type_text(&mut browser, "zeb");
    browser.wait_for(&format!("{OPTIONS}.length === 2"));
    let fits = browser.evaluate(
        "[document.documentElement.scrollWidth <= 360, \
         document.querySelector('#search-dialog').getBoundingClientRect().width, \
         Array.from(document.querySelectorAll('#search-dialog *')).every(e => \
             e.matches('label') || e.getBoundingClientRect().right <= 360.5), \
         parseFloat(getComputedStyle(document.activeElement).fontSize) >= 16]",
    );
    assert_eq!(fits, json!([true, 360, true, true]));
    browser.evaluate("document.querySelector('#search-dialog button').click()");
    browser.wait_for(&format!("!({IS_OPEN})"));
}

#[test]
fn late_answers_are_not_shown() {
    let site = small();
    site.build(0);
    let mut browser = Browser::start(BASE, site.output());
    browser.appear(1280, false);
    // The turns of the first word arrive after those of the next.
    browser.before_each_page(
        "{ const fetched = fetch; let late = true; \
         window.fetch = async (...all) => { \
             const response = await fetched(...all); \
             if (late && String(all[0]).includes('/d0.')) { \
                 late = false; await new Promise(done => setTimeout(done, 800)); \
             } \
             return response; \
         }; }",
    );
    browser.open("");
    press(&mut browser, "/", 0);
    browser.wait_for("document.querySelector('[role=combobox]') !== null");
    type_text(&mut browser, "zebra");
    std::thread::sleep(std::time::Duration::from_millis(200));
    browser.evaluate("document.getElementById('search-field').value = ''");
    type_text(&mut browser, "katze");
    browser.wait_for(&format!("{OPTIONS}[0]?.startsWith('Über')"));
    std::thread::sleep(std::time::Duration::from_millis(900));
    assert_eq!(browser.evaluate(&format!("{OPTIONS}[0].startsWith('Über')")), true);
}

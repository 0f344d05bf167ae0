//! Recordings in a browser: playing from turns, following, without scripts, and with the keyboard.

use std::path::Path;

use serde_json::json;

use crate::browser::Browser;
use crate::support::{SiteTest, project};

/// The state of the player.
const PLAYER: &str = "document.querySelector('.recording audio')";
/// The marked turn.
const CURRENT: &str = "document.querySelector('.turn[aria-current]')";

/// The recording of the example site, with turns that are taller than the window.
fn talk() -> (Browser, String) {
    let folder = project().join("example-site/content/2026");
    let name = |ending: &str| folder.join(Path::new("the-bell-in-the-fog").with_extension(ending));
    let text = std::fs::read_to_string(name("vtt")).expect("a transcript");
    let text = text.replace("In fog there", &format!("{} In fog there", "And more. ".repeat(400)));
    let site = SiteTest::new()
        .file("content/bell.vtt", text)
        .file("content/bell.flac", std::fs::read(name("flac")).expect("sound"));
    site.build(0);
    let (mut browser, page) = Browser::of(site.output());
    browser.appear(1280, false);
    (browser, page)
}

/// Presses a key that has an effect by itself.
fn press(browser: &mut Browser, key: &str, code: u32, text: &str) {
    for kind in ["keyDown", "keyUp"] {
        let text = if kind == "keyDown" { text } else { "" };
        let event = json!({"type": kind, "key": key, "code": key, "text": text,
            "windowsVirtualKeyCode": code});
        browser.call("Input.dispatchKeyEvent", event);
    }
}

fn click(browser: &mut Browser, selector: &str) {
    let place = format!(
        "(() => {{ const e = document.querySelector('{selector}'); e.scrollIntoView({{block: 'center', behavior: 'instant'}}); \
         const {{x, y, width, height}} = e.getBoundingClientRect(); return [x + width / 2, y + height / 2]; }})()"
    );
    let place = browser.evaluate(&place);
    for kind in ["mousePressed", "mouseReleased"] {
        let event =
            json!({"type": kind, "x": place[0], "y": place[1], "button": "left", "clickCount": 1});
        browser.call("Input.dispatchMouseEvent", event);
    }
}

#[test]
fn a_turn_plays_from_where_it_was_said_and_is_marked() {
    let (mut browser, page) = talk();
    browser.open(&page);
    assert_eq!(browser.evaluate(&format!("{CURRENT} === null")), true);
    click(&mut browser, ".turn:nth-of-type(5) a.offset");
    browser.wait_for(&format!("!{PLAYER}.paused && {PLAYER}.currentTime >= 22"));
    browser.wait_for(&format!("{CURRENT}?.querySelector('a.offset').textContent === '00:22'"));
    assert!(browser.evaluate("location.href").as_str().expect("text").ends_with(&page));
    // It continues with the next turn by itself, and does not scroll.
    let before = browser.evaluate("scrollY");
    browser.evaluate(&format!("{PLAYER}.currentTime = 30.7"));
    browser.wait_for(&format!("{CURRENT}?.querySelector('a.offset').textContent === '00:31'"));
    assert_eq!(browser.evaluate("scrollY"), before);
    assert_eq!(browser.evaluate("document.querySelectorAll('[aria-current=true]').length"), 1);
    assert!(browser.complaints.is_empty(), "{:?}", browser.complaints);
    assert!(browser.leaks.is_empty(), "{:?}", browser.leaks);
}

#[test]
fn following_scrolls_and_the_player_stays_in_reach() {
    for width in [360, 1280] {
        let (mut browser, page) = talk();
        browser.appear(width, false);
        browser.open(&page);
        click(&mut browser, ".recording input");
        click(&mut browser, ".turn:nth-of-type(1) a.offset");
        browser.wait_for(&format!("!{PLAYER}.paused && {PLAYER}.currentTime >= 2"));
        browser.evaluate(&format!("{PLAYER}.currentTime = 31.1"));
        browser.wait_for(&format!(
            "(() => {{ const turn = {CURRENT}?.getBoundingClientRect(); \
             const player = document.querySelector('.recording').getBoundingClientRect(); \
             return Boolean(turn) && scrollY > 500 && turn.top >= player.bottom - 1 && turn.bottom <= innerHeight \
             && player.top >= -1 && player.bottom < innerHeight / 3; }})()"
        ));
        // The choice is remembered.
        browser.open(&page);
        assert_eq!(browser.evaluate("document.querySelector('.recording input').checked"), true);
        let fits = "document.documentElement.scrollWidth <= innerWidth";
        assert_eq!(browser.evaluate(fits), true, "{width}");
    }
}

#[test]
fn without_a_script_the_url_contains_the_time() {
    let (mut browser, page) = talk();
    browser.call("Emulation.setScriptExecutionDisabled", json!({"value": true}));
    browser.open(&page);
    assert_eq!(browser.evaluate("document.querySelector('.recording input') === null"), true);
    let address = browser.evaluate("document.querySelector('.turn:nth-of-type(5) a.offset').href");
    let address = address.as_str().expect("an address");
    assert!(address.ends_with(".flac#t=22.5"), "{address}");
    click(&mut browser, ".turn:nth-of-type(5) a.offset");
    browser.wait_for("location.hash === '#t=22.5'");
    browser.call("Emulation.setScriptExecutionDisabled", json!({"value": false}));
    browser.wait_for("document.querySelector('video, audio')?.currentTime >= 22");
}

#[test]
fn a_keyboard_is_enough() {
    let (mut browser, page) = talk();
    browser.open(&page);
    browser.evaluate("document.querySelector('.turn:nth-of-type(2) .permalink').focus()");
    let is_link = "document.activeElement.matches('.turn:nth-of-type(3) a.offset')";
    for _ in 0..5 {
        if browser.evaluate(is_link) == true {
            break;
        }
        press(&mut browser, "Tab", 9, "");
    }
    assert_eq!(browser.evaluate(is_link), true);
    let label = "document.activeElement.getAttribute('aria-label')";
    assert_eq!(browser.evaluate(label), "Play from 00:10");
    press(&mut browser, "Enter", 13, "\r");
    browser.wait_for(&format!("!{PLAYER}.paused && {PLAYER}.currentTime >= 10"));
    // The player does not cover the focused element.
    let is_seen = "document.activeElement.getBoundingClientRect().top \
                   >= document.querySelector('.recording').getBoundingClientRect().bottom";
    assert_eq!(browser.evaluate(is_seen), true);
    browser.evaluate("document.querySelector('.recording input').focus()");
    press(&mut browser, " ", 32, " ");
    assert_eq!(browser.evaluate("document.querySelector('.recording input').checked"), true);
    browser.evaluate(&format!("{PLAYER}.focus()"));
    assert_eq!(browser.evaluate(&format!("document.activeElement === {PLAYER}")), true);
}

#[test]
fn captions_are_read() {
    let (mut browser, page) = talk();
    browser.open(&page);
    let cues = format!(
        "(async () => {{ const {{ track }} = {PLAYER}.querySelector('track'); track.mode = 'hidden'; \
         for (let i = 0; i < 100 && !track.cues?.length; i++) await new Promise(done => setTimeout(done, 20)); \
         return Array.from(track.cues ?? [], cue => cue.getCueAsHTML().textContent).at(-1); }})()"
    );
    assert_eq!(browser.evaluate(&cues), "I should like to go home now.");
}

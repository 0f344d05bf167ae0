//! Forks of conversations, which work without scripts.

use convo_site::text::percent_encode;
use serde_json::{Value, json};

use crate::browser::Browser;
use crate::support::{SiteTest, project};

#[test]
fn a_reader_moves_between_alternatives_without_a_script() {
    let tree = project().join("tests/formats/vlinder/tree-fork-of-fork/input");
    let site = SiteTest::new();
    for (path, bytes) in crate::support::files_below(&tree) {
        site.write(&format!("content/tea/{path}"), bytes);
    }
    let alternatives = project().join("tests/formats/cjson/alternatives/input.json");
    site.write("content/tree.json", std::fs::read(alternatives).expect("readable"));
    site.build(0);
    let files = site.output();
    let folder = |start: &str| {
        let found = files.keys().find(|path| path.starts_with(start) && path.ends_with(".html"));
        percent_encode(found.expect("a page").trim_end_matches("index.html"))
    };
    let (forks, trees) = (folder("c/2026"), folder("c/tree"));
    let mut browser = Browser::start("https://site.example/base/", files);
    browser.appear(1280, false);
    let shown = "[...document.querySelectorAll('article')].filter(e => e.checkVisibility({
        contentVisibilityAuto: true })).map(e => e.querySelector('.body').innerText.trim()\
        .split('\\n')[0])";
    browser.open(&trees);
    let before = browser.evaluate(shown);
    assert_eq!(before, json!(["Name a tree.", "Maple.", "And a bird?", "A wren."]), "{before}");
    let labels = browser.evaluate(
        "[...document.querySelectorAll('summary')]\
        .filter(e => e.closest('.fork')).map(e => e.innerText.trim())",
    );
    assert!(labels.to_string().contains("2 of 3"), "{labels}");
    browser.evaluate("document.querySelectorAll('.alternative > summary')[1].click()");
    let after = browser.evaluate(shown);
    assert_ne!(after[1], before[1]);
    assert_eq!(after[2], before[2], "the conversation goes on: {after}");
    // A link to a turn of a branch opens that branch, and hides the others.
    browser.open(&forks);
    let id = browser.evaluate("[...document.querySelectorAll('.branch article')].pop().id");
    let Value::String(id) = id else { panic!("{id}") };
    browser.open("404.html");
    browser.open(&format!("{forks}#{id}"));
    browser.evaluate(&format!("location.hash = '#{id}'"));
    let seen = browser.evaluate(&format!("document.getElementById('{id}').checkVisibility()"));
    assert_eq!(seen, json!(true));
}

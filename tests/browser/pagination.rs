//! Links to turns of long conversations.

use serde_json::json;

use crate::browser::Browser;
use crate::support::long::{ADDRESS, anchors, long, pages, site};

#[test]
fn an_old_link_opens_the_turn() {
    let site = site("", &long(450, 3));
    let pages = pages(&site);
    let (first, _) = pages.first_key_value().expect("a page");
    let (last, page) = pages.last_key_value().expect("a page");
    let anchor = anchors(page).pop().expect("a turn");
    let mut browser = Browser::start(ADDRESS, site.output());
    browser.open(&format!("{first}#{anchor}"));
    let at = format!("location.href === {}", json!(format!("{ADDRESS}{last}#{anchor}")));
    browser
        .wait_for(&format!("{at} && document.querySelector(':target')?.id === {}", json!(anchor)));
    // A link to a turn that does not exist stays on the page.
    browser.open(&format!("{first}#nowhere"));
    browser.evaluate("new Promise(done => setTimeout(done, 300))");
    assert_eq!(browser.evaluate("location.hash"), "#nowhere");
    assert!(browser.complaints.is_empty(), "{:?}", browser.complaints);
}

#[test]
fn search_opens_the_page_of_the_turn() {
    let site = site("page_turns = 10\n", &long(45, 3));
    let last = pages(&site).into_keys().next_back().expect("a page");
    let mut browser = Browser::start(ADDRESS, site.output());
    browser.open("search/?q=number43");
    browser.wait_for("!!document.querySelector('.results ul a')");
    let found = browser.evaluate("document.querySelector('.results ul a').pathname");
    assert_eq!(found, format!("/base/{last}"));
    let run = site.run(&["search", "number43", "--json"]);
    assert!(run.stdout.contains(&last), "{}", run.stdout);
}

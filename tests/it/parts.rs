//! Long conversations on several pages.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::browser::Browser;
use crate::support::{BASE, SiteTest};

const ADDRESS: &str = "https://site.example/base/";

/// A conversation of so many turns, every one of them of so many words.
fn long(turns: usize, words: usize) -> String {
    let mut text: String = (1..=turns)
        .map(|turn| {
            let who = if turn % 2 == 1 { "Ada" } else { "Bot" };
            format!("### @{who}\nTurn number{turn}.{}\n\n", " word".repeat(words))
        })
        .collect();
    text.push_str(
        "----\n{\"type\": \"dialog\", \"title\": \"Long\", \"time\": \"2026-01-02\", \
         \"participants\": [\"Ada\", {\"name\": \"Bot\", \"generative\": true}]}\n",
    );
    text
}

fn site(config: &str, text: &str) -> SiteTest {
    let site = SiteTest::new()
        .file("site.toml", format!("{BASE}{config}"))
        .file("content/a.convo", text);
    site.build(0);
    site
}

/// The pages of the conversation in their order, by their folders.
fn pages(site: &SiteTest) -> BTreeMap<String, String> {
    let output = site.output();
    let pages = output.into_iter().filter_map(|(path, bytes)| {
        let folder = path.strip_suffix("index.html")?.to_owned();
        folder
            .starts_with("c/")
            .then(|| (folder, String::from_utf8(bytes).expect("UTF-8")))
    });
    pages.collect()
}

fn anchors(page: &str) -> Vec<String> {
    let turns = page.split("<article class=\"turn").skip(1);
    let ids = turns.filter_map(|rest| rest.split(" id=\"").nth(1)?.split('"').next());
    ids.map(str::to_owned).collect()
}

#[test]
fn a_long_conversation_has_pages_in_order() {
    let site = site("", &long(450, 3));
    let pages = pages(&site);
    let folders: Vec<&String> = pages.keys().collect();
    assert_eq!(folders.len(), 3, "{folders:?}");
    let first = folders[0].clone();
    assert_eq!(folders[1..], [&format!("{first}2/"), &format!("{first}3/")]);
    let texts: Vec<&String> = pages.values().collect();
    let counts: Vec<usize> = texts.iter().map(|page| anchors(page).len()).collect();
    assert_eq!(counts, [200, 200, 50]);
    for (number, page) in (1..).zip(&texts) {
        // Each stands for itself, and leads to those beside it.
        assert!(page.contains(&format!(
            "rel=\"canonical\" href=\"{ADDRESS}{}\"",
            folders[number - 1]
        )));
        assert!(page.contains(&format!("Part {number} of 3")));
        assert_eq!(page.contains("Long, part "), number > 1);
        assert!(page.contains(&format!("\"position\":{}", (number - 1) * 200 + 1)));
        assert!(page.contains(&format!("Turn number{}.", (number - 1) * 200 + 1)));
    }
    let link =
        |rel: &str, folder: &str| format!("<a rel=\"{rel}\" href=\"/base/{folder}\">");
    assert!(
        texts[0].contains(&link("next", folders[1]))
            && !texts[0].contains("rel=\"prev\"")
    );
    assert!(
        texts[1].contains(&link("prev", folders[0]))
            && texts[1].contains(&link("next", folders[2]))
    );
    assert!(texts[2].contains(&format!("<a href=\"/base/{first}\">First part")));
    let sitemap = site.page("sitemap.xml", "");
    assert!(
        folders
            .iter()
            .all(|folder| sitemap.contains(&format!("<loc>{ADDRESS}{folder}</loc>")))
    );
    // The file that tells where a turn is.
    let turns: Value =
        serde_json::from_str(&site.page(&first, "/turns.json")).expect("JSON");
    let shown: Vec<Vec<String>> = texts.iter().map(|page| anchors(page)).collect();
    assert_eq!(turns, json!(shown));
}

#[test]
fn a_page_holds_about_so_many_bytes() {
    let site = site("page_kilobytes = 50\n", &long(100, 400));
    let pages = pages(&site);
    assert!(pages.len() > 3, "{}", pages.len());
    for (folder, page) in &pages {
        assert!(page.len() < 75_000, "{folder} has {} bytes", page.len());
    }
    let turns: usize = pages.values().map(|page| anchors(page).len()).sum();
    assert_eq!(turns, 100);
}

#[test]
fn an_old_link_leads_to_the_turn() {
    let site = site("", &long(450, 3));
    let pages = pages(&site);
    let (first, _) = pages.first_key_value().expect("a page");
    let (last, page) = pages.last_key_value().expect("a page");
    let anchor = anchors(page).pop().expect("a turn");
    let mut browser = Browser::start(ADDRESS, site.output());
    browser.open(&format!("{first}#{anchor}"));
    let at = format!("location.href === {}", json!(format!("{ADDRESS}{last}#{anchor}")));
    browser.wait_for(&format!(
        "{at} && document.querySelector(':target')?.id === {}",
        json!(anchor)
    ));
    // One that is nowhere is no reason to go elsewhere.
    browser.open(&format!("{first}#nowhere"));
    browser.evaluate("new Promise(done => setTimeout(done, 300))");
    assert_eq!(browser.evaluate("location.hash"), "#nowhere");
    assert!(browser.complaints.is_empty(), "{:?}", browser.complaints);
}

#[test]
fn search_leads_to_the_page_of_the_turn() {
    let site = site("page_turns = 10\n", &long(45, 3));
    let last = pages(&site).into_keys().next_back().expect("a page");
    let mut browser = Browser::start(ADDRESS, site.output());
    browser.open("search/?q=number43");
    browser.wait_for("!!document.querySelector('.results ul a')");
    let found = browser.evaluate("document.querySelector('.results ul a').pathname");
    assert_eq!(found, format!("/base/{last}"));
    let ran = site.run(&["search", "number43", "--json"]);
    assert!(ran.stdout.contains(&last), "{}", ran.stdout);
}

/// Forks stand whole on one page, and nothing is lost between two.
#[test]
fn a_fork_is_not_torn() {
    let message = |index: u32, preferred: Option<bool>, text: &str| {
        let mut message = json!({
            "id": text, "role": if index.is_multiple_of(2) { "user" } else { "assistant" },
            "index": index, "messageType": "text", "content": text,
        });
        if let Some(preferred) = preferred {
            message["isPreferred"] = preferred.into();
        }
        message
    };
    let mut messages = Vec::new();
    for index in 0..20 {
        if index == 10 {
            messages.push(message(index, Some(true), "kept10"));
            messages.push(message(index, Some(false), "other10"));
        } else {
            messages.push(message(index, None, &format!("kept{index}")));
        }
    }
    let schema =
        "https://schema.cjson.dev/0/conversation/cjson-0.1.0-SNAPSHOT.schema.json";
    let talk =
        json!({"id": "x", "schemaUrl": schema, "title": "Fork", "messages": messages});
    let site = SiteTest::new()
        .file("site.toml", format!("{BASE}page_turns = 10\n"))
        .file("content/a.cjson.json", talk.to_string());
    site.build(0);
    let pages = pages(&site);
    let all: String = pages.values().map(String::as_str).collect();
    assert!(pages.len() > 1);
    for index in 0..20 {
        assert_eq!(all.matches(&format!("<p>kept{index}</p>")).count(), 1, "{index}");
    }
    let with = |text: &str| {
        pages.iter().find(|(_, page)| page.contains(text)).map(|(path, _)| path)
    };
    assert!(with("<p>other10</p>").is_some());
    assert_eq!(with("<p>kept10</p>"), with("<p>other10</p>"));
}

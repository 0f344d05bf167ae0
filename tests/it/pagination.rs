//! Long conversations on several pages.

use serde_json::{Value, json};

use crate::support::long::{ADDRESS, anchors, long, pages, site};
use crate::support::{BASE, SiteTest};

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
        // Each page is canonical, and links to its neighbours.
        assert!(
            page.contains(&format!("rel=\"canonical\" href=\"{ADDRESS}{}\"", folders[number - 1]))
        );
        assert!(page.contains(&format!("Part {number} of 3")));
        assert_eq!(page.contains("Long, part "), number > 1);
        assert!(page.contains(&format!("\"position\":{}", (number - 1) * 200 + 1)));
        assert!(page.contains(&format!("Turn number{}.", (number - 1) * 200 + 1)));
    }
    let link = |rel: &str, folder: &str| format!("<a rel=\"{rel}\" href=\"/base/{folder}\">");
    assert!(texts[0].contains(&link("next", folders[1])) && !texts[0].contains("rel=\"prev\""));
    assert!(
        texts[1].contains(&link("prev", folders[0]))
            && texts[1].contains(&link("next", folders[2]))
    );
    assert!(texts[2].contains(&format!("<a href=\"/base/{first}\">First part")));
    let sitemap = site.page("sitemap.xml", "");
    assert!(
        folders.iter().all(|folder| sitemap.contains(&format!("<loc>{ADDRESS}{folder}</loc>")))
    );
    // The file with the page of each turn.
    let turns: Value = serde_json::from_str(&site.page(&first, "/anchors.json")).expect("JSON");
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

/// A fork is complete on one page, and nothing is lost between pages.
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
    let schema = "https://schema.cjson.dev/0/conversation/cjson-0.1.0-SNAPSHOT.schema.json";
    let talk = json!({"id": "x", "schemaUrl": schema, "title": "Fork", "messages": messages});
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
    let with =
        |text: &str| pages.iter().find(|(_, page)| page.contains(text)).map(|(path, _)| path);
    assert!(with("<p>other10</p>").is_some());
    assert_eq!(with("<p>kept10</p>"), with("<p>other10</p>"));
}

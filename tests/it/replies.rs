//! Replies to messages on other pages: what a page quotes of them, and where it links to.

use std::collections::BTreeMap;

use crate::support::{SiteTest, convo};

/// A channel with four days. Every day except the first replies to a message of an earlier one.
fn channel(first_words: &str) -> String {
    let message = |id: u32, time: u32, who: u32, text: &str, more: &str| {
        let (name, id_of) = (["Wren Achterberg", "Tomas Quill"][who as usize], who + 1);
        format!(
            "{{\"id\": {id}, \"type\": \"message\", \"date_unixtime\": \"{time}\", \"from\": \"{name}\", \
             \"from_id\": \"user{id_of}\", \"text\": \"{text}\"{more}}}"
        )
    };
    let answers = |id: u32| format!(", \"reply_to_message_id\": {id}");
    let day = |n: u32| 1_772_445_600 + n * 86_400;
    let messages = [
        message(1, day(0), 0, first_words, ""),
        message(2, day(0) + 60, 1, "It rains.", ""),
        message(3, day(0) + 120, 1, "Nobody answers this.", ""),
        message(11, day(1), 1, "Under the mat, at ten.", &answers(1)),
        message(12, day(1) + 60, 0, "The cellar floods, zanzibar.", ""),
        message(21, day(2), 0, "Then bail.", &answers(12)),
        message(22, day(2) + 60, 1, "With what?", &answers(21)),
        message(23, day(2) + 120, 1, "This too.", &answers(21)),
        message(31, day(3), 0, "An umbrella, then.", &answers(2)),
        message(32, day(3) + 60, 1, "Who asked?", &answers(7777)),
    ];
    format!(
        "{{\"name\": \"Mill quay\", \"type\": \"public_channel\", \"id\": 77, \"messages\": [{}]}}",
        messages.join(",\n")
    )
}

const ASKS: &str = "Where is the key? Call +44 7700 900123.";

fn site(config: &str) -> SiteTest {
    let site = SiteTest::new();
    site.write("site.toml", format!("base_url = \"https://example.org/a/\"\n{config}"));
    site.write("content/result.json", channel(ASKS));
    site
}

const OPENED: &str = "[[source]]\nfiles = \"*\"\nvisibility = \"public\"\n";
const KEPT: &str = "[people]\nothers = \"keep\"\n";

/// Returns the text above each reply, by the first word of the reply.
fn answers(site: &SiteTest) -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    for (name, bytes) in site.output() {
        if !name.starts_with("c/") || !name.ends_with("/index.html") {
            continue;
        }
        let text = String::from_utf8_lossy(&bytes).into_owned();
        for turn in text.split("<article ").skip(1) {
            let body = turn.split("<div class=\"body\"").nth(1).unwrap_or_default();
            let body = body.split("<p>").nth(1).unwrap_or_default();
            let word = body.split([' ', '<']).next().unwrap_or_default();
            let above = turn.split("<p class=\"answers\">").nth(1);
            if let Some(above) = above.and_then(|rest| rest.split("</p>").next()) {
                found.insert(word.to_owned(), above.to_owned());
            }
        }
    }
    found
}

fn built(site: &SiteTest) -> BTreeMap<String, String> {
    let run = site.run(&["build"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    answers(site)
}

/// Returns the URL that the text above a reply links to, if there is a link.
fn address(site: &SiteTest, above: &str) -> Option<String> {
    let url = above.split("href=\"").nth(1)?.split('"').next()?.to_owned();
    let (path, anchor) = url.split_once('#')?;
    let path = path.strip_prefix("/a/")?;
    let files = site.output();
    let page = String::from_utf8_lossy(files.get(&format!("{path}index.html"))?);
    assert!(page.contains(&format!("id=\"{anchor}\"")), "{url}");
    Some(url)
}

#[test]
fn replies_quote_the_published_text_of_messages_on_other_pages() {
    let site = site(&format!("{KEPT}{OPENED}split = \"day\"\n"));
    let found = built(&site);
    let of = |id: &str| found.get(id).map(String::as_str).unwrap_or_default();
    assert!(of("Under").contains("In reply to Wren Achterberg:"), "{found:?}");
    assert!(of("Under").contains("Where is the key? Call ["), "{found:?}");
    assert!(of("An").contains("Tomas Quill") && of("An").contains("It rains."));
    for id in ["Under", "Then", "An"] {
        assert!(address(&site, of(id)).is_some(), "{id}: {found:?}");
    }
    // A reply to the message directly above has no quote, and one on the same page has a link.
    assert_eq!(of("With"), "");
    assert!(of("This").contains("href=\"#t") && of("This").contains("Then bail."));
    let all: String = found.values().map(String::as_str).collect();
    assert!(!all.contains("900123") && !all.contains("7700"), "{all}");
}

#[test]
fn unpublished_messages_are_not_quoted() {
    let rule = format!("{KEPT}{OPENED}split = \"day\"\nexclude = [\"zanzibar\"]\n");
    let site = site(&rule);
    let found = built(&site);
    for id in ["Then", "Who"] {
        let above = found.get(id).map(String::as_str).unwrap_or_default();
        assert!(above.contains("In reply to an earlier message"), "{id}: {found:?}");
        assert!(!above.contains("href") && !above.contains("Wren"), "{above}");
    }
    let files = site.output();
    let texts = files.values().map(|bytes| String::from_utf8_lossy(bytes));
    assert!(texts.into_iter().all(|text| !text.contains("zanzibar")));
}

#[test]
fn quoted_people_have_the_pseudonym_of_the_page() {
    let site = site(&format!("{OPENED}split = \"day\"\n"));
    let found = built(&site);
    let all: String = found.values().map(String::as_str).collect();
    assert!(all.contains("Where is the key?"), "{all}");
    assert!(!all.contains("Quill") && !all.contains("Achterberg"), "{all}");
}

#[test]
fn messages_on_the_pages_of_one_conversation_are_quoted_too() {
    let config = format!("page_turns = 3\n{KEPT}{OPENED}split = \"whole\"\n");
    let site = site(&config);
    let found = built(&site);
    let above = found.get("Under").map(String::as_str).unwrap_or_default();
    assert!(above.contains("Where is the key? Call ["), "{found:?}");
    assert!(address(&site, above).is_some(), "{found:?}");
}

#[test]
fn a_rebuild_quotes_the_current_text() {
    let config = format!("{KEPT}{OPENED}split = \"day\"\n");
    let site = site(&config);
    built(&site);
    site.write("content/result.json", channel("Who has the ladder?"));
    site.write("content/other.convo", convo("Nothing to do with it."));
    let found = built(&site);
    let above = found.get("Under").map(String::as_str).unwrap_or_default();
    assert!(above.contains("Who has the ladder?"), "{found:?}");
    let fresh = self::site(&config);
    fresh.write("content/result.json", channel("Who has the ladder?"));
    fresh.write("content/other.convo", convo("Nothing to do with it."));
    built(&fresh);
    assert!(fresh.output() == site.output(), "the rebuilt page differs from a fresh one");
}

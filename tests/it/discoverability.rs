//! What search engines and link previews get to know about conversations, and what readers may
//! download.

use serde_json::{Value, json};

use crate::support::{BASE, SiteTest};

pub(crate) const ADDRESS: &str = "https://site.example/base/";

/// A conversation of two turns.
pub(crate) fn talk(title: &str, more: &str) -> String {
    format!(
        "### @Ada\nWho wrote the first program?\n\n### @Wren\nYou did, for a machine of brass.\n\n\
         ----\n{{\"type\": \"dialog\", \"title\": \"{title}\", \"time\": \"2026-01-02\", \
         \"participants\": [\"Ada\", {{\"name\": \"Wren\", \"generative\": true}}]{more}}}\n"
    )
}

/// A conversation with times: the second turn is a day after the first.
const TIMED: &str = r#"{"messages": [
    {"speaker": "Ada", "timestamp": "2026-01-02 09:00:00", "content": "Who wrote the first program?"},
    {"speaker": "Wren", "timestamp": "2026-01-03 10:30:00",
     "content": "You did, for a machine of brass."}]}"#;

/// The settings of the site for it.
const RULE: &str = "[[source]]\nfiles = '*.json'\ntags = ['x', 'y']\n\
    time_zone = 'Europe/Berlin'\nspeakers = { Wren = 'assistant' }\n";

pub(crate) fn site(config: &str) -> SiteTest {
    SiteTest::new().file("site.toml", format!("{BASE}{config}"))
}

/// The values of an attribute of all elements that start with `start`.
pub(crate) fn values<'a>(page: &'a str, start: &str, name: &str) -> Vec<&'a str> {
    let elements = page.split(start).skip(1).filter_map(|rest| rest.split('>').next());
    let open = format!("{name}=\"");
    elements.filter_map(|all| all.split(&open).nth(1)?.split('"').next()).collect()
}

pub(crate) fn json_ld(page: &str) -> Value {
    let text = page.split("<script type=\"application/ld+json\">").nth(1);
    let text = text.and_then(|rest| rest.split("</script>").next()).expect("JSON-LD");
    serde_json::from_str(text).expect("JSON")
}

#[test]
fn a_page_says_when_it_was_last_added_to() {
    let site = site(RULE).file("content/a.json", TIMED);
    site.build(0);
    let page = site.page("c/", "index.html");
    let meta = |property: &str| values(&page, &format!("<meta property=\"{property}\""), "content");
    assert_eq!(meta("article:published_time"), ["2026-01-02T09:00:00+01:00"]);
    assert_eq!(meta("article:modified_time"), ["2026-01-03T10:30:00+01:00"]);
    assert_eq!(meta("article:tag"), ["x", "y"]);
    let speakers = ["ada", "wren"].map(|who| format!("{ADDRESS}speakers/{who}/"));
    assert_eq!(meta("article:author"), speakers);
    let graph = json_ld(&page);
    let article = &graph["@graph"][1];
    assert_eq!(article["datePublished"], "2026-01-02T09:00:00+01:00");
    assert_eq!(article["dateModified"], "2026-01-03T10:30:00+01:00");
    assert_eq!(article["keywords"], json!(["x", "y"]));
    let text = |path: &str| String::from_utf8_lossy(&site.output()[path]).into_owned();
    assert!(text("sitemap.xml").contains("<lastmod>2026-01-03T10:30:00+01:00</lastmod>"));
    let feed = text("atom.xml");
    assert!(feed.contains("<published>2026-01-02T09:00:00+01:00</published>"));
    assert_eq!(feed.matches("<updated>2026-01-03T10:30:00+01:00</updated>").count(), 2);
    assert!(text("feed.json").contains("\"date_modified\":\"2026-01-03T10:30:00+01:00\""));
}

#[test]
fn a_convo_file_is_listed_under_its_tags() {
    let site = site("")
        .file("content/a.convo", talk("Brass", ", \"tags\": [\"Clocks\", \"eels\"]"))
        .file("content/b.convo", talk("Copper", ", \"tags\": \"none\"").replace("You", "I"));
    site.build(0);
    let page = site.page("tags/clocks/", "index.html");
    assert!(page.contains("Brass") && !page.contains("Copper"), "{page}");
    // A value that is not a list of texts is shown unchanged.
    assert!(site.page("c/2026-01-02-copper", "index.html").contains("<dd dir=\"auto\">none</dd>"));
    let run = site.run(&["convert", "content/a.convo", "--to", "convo"]);
    assert!(run.stdout.contains("\"Clocks\"") && !run.stderr.contains("loss"), "{}", run.stderr);
}

#[test]
fn a_discussion_is_marked_up_if_the_site_asks_for_it() {
    let untimed = "### @Ada\nHello.\n\n### @Bea\nGood day.\n\n----\n{\"type\": \"dialog\", \
        \"title\": \"Untimed\", \"time\": \"2026-01-01\", \"participants\": [\"Ada\", \"Bea\"]}\n";
    let site = site(&format!("schema = 'forum'\n{RULE}"))
        .file("content/a.json", TIMED)
        .file("content/b.convo", untimed);
    site.build(0);
    let page = site.page("c/2026-01-02", "index.html");
    assert_eq!(values(&page, "<main", "itemtype"), ["https://schema.org/DiscussionForumPosting"]);
    assert_eq!(page.matches("itemprop=\"comment\"").count(), 1);
    assert_eq!(page.matches("itemprop=\"text\"").count(), 2);
    let types = values(&page, "<span itemprop=\"author\"", "itemtype");
    assert_eq!(types, ["https://schema.org/Person", "https://schema.org/Organization"]);
    let sources = values(&page, "<link itemprop=\"digitalSourceType\"", "href");
    assert_eq!(sources, ["https://schema.org/TrainedAlgorithmicMediaDigitalSource"]);
    assert!(!json_ld(&page).to_string().contains("Article"));
    // No date is invented; without one, the page is not marked up as a discussion.
    let page = site.page("c/2026-01-01", "index.html");
    assert!(!page.contains("itemprop"), "{page}");
    assert!(json_ld(&page).to_string().contains("\"Article\""));
}

#[test]
fn later_parts_of_a_discussion_repeat_the_first_post() {
    let config = format!("schema = 'forum'\npage_turns = 1\n{RULE}");
    let site = site(&config).file("content/a.json", TIMED);
    site.build(0);
    let second = site.page("c/", "/2/index.html");
    let text = values(&second, "<meta itemprop=\"text\"", "content");
    assert_eq!(text, ["Who wrote the first program?"]);
    let first = values(&second, "<link itemprop=\"url\"", "href")[0].to_owned();
    assert!(first.starts_with(ADDRESS) && !first.ends_with("/2/"), "{first}");
    assert_eq!(second.matches("itemprop=\"comment\"").count(), 1);
    let output = site.output();
    let page = &output[&format!("{}index.html", &first[ADDRESS.len()..])];
    let page = String::from_utf8_lossy(page);
    assert!(!page.contains("<meta itemprop=\"text\"") && page.contains("itemprop=\"text\""));
}

#[test]
fn translations_link_to_each_other() {
    let of = |tag: &str, more: &str| format!(", \"languages\": [\"{tag}\"]{more}");
    let talk = |title: &str, more: &str| talk(title, more).replace("Who wrote", title);
    let site = site("")
        .file("content/a.convo", talk("The clock", &of("en", ", \"id\": \"clock\"")))
        .file(
            "content/de/uhr.convo",
            talk("Die Uhr", &of("de", ", \"translation_of\": \"../a.convo\"")),
        )
        .file(
            "content/fr.convo",
            talk("L'horloge", &of("fr", ", \"translation_of\": \"de/uhr.convo\"")),
        );
    let run = site.build(0);
    assert!(run.stderr.contains("no warnings"), "{}", run.stderr);
    let mut tables = Vec::new();
    for title in ["the-clock", "die-uhr", "l-horloge"] {
        let page = site.page(&format!("c/2026-01-02-{title}"), "index.html");
        let alternates = "<link rel=\"alternate\" hreflang";
        let languages = values(&page, "<link rel=\"alternate\" ", "hreflang");
        assert_eq!(languages, ["x-default", "en", "de", "fr"]);
        let addresses: Vec<String> = page
            .split(alternates)
            .skip(1)
            .filter_map(|rest| Some(rest.split("href=\"").nth(1)?.split('"').next()?.into()))
            .collect();
        assert!(addresses[0].contains("the-clock") && addresses[0] == addresses[1]);
        tables.push(addresses);
        let shown = page.matches("<a href=\"/base/c/2026-01-02").count();
        assert!(shown >= 2 && page.contains("In other languages"), "{page}");
        assert!(!page.contains("translation_of"), "{page}");
    }
    assert!(tables.iter().all(|table| *table == tables[0]), "{tables:?}");
}

#[test]
fn wrong_translations_are_reported() {
    let of =
        |tag: &str, of: &str| format!(", \"languages\": [\"{tag}\"], \"translation_of\": \"{of}\"");
    let site = site("")
        .file("content/a.convo", talk("A", ", \"languages\": [\"en\"]"))
        .file("content/b.convo", talk("B", &of("en", "a.convo")))
        .file("content/c.convo", talk("C", &of("de", "nobody")))
        .file("content/d.convo", talk("D", &of("de", "e.convo")))
        .file("content/e.convo", talk("E", &of("fr", "d.convo")));
    let run = site.build(0);
    assert_eq!(run.stderr.matches("bad-translation").count(), 2, "{}", run.stderr);
    assert!(run.stderr.contains("there is no other conversation `nobody`"));
    assert!(run.stderr.contains("there is another translation into `en`"));
    // Two conversations that name each other are translations of each other.
    assert!(site.page("c/2026-01-02-d", "index.html").contains("hreflang=\"fr\""));
    assert!(!site.page("c/2026-01-02-a-", "index.html").contains("hreflang"));
}

#[test]
fn a_turn_in_another_language_is_marked() {
    let text = "### @Maren\nThe water in the pond stood still for twenty minutes this morning.\n\n\
        ### @Klara\nBei uns heißt das Stauwasser, und niemand hat es je so lange stehen sehen.\n\n\
        ### @Klara\nJa.\n\n----\n{\"type\": \"dialog\", \"title\": \"Slack\", \
        \"time\": \"2026-01-02\", \"languages\": [\"en\", \"de\"], \
        \"participants\": [\"Maren\", \"Klara\"]}\n";
    let site = site("").file("content/a.convo", text);
    site.build(0);
    let page = site.page("c/", "index.html");
    let turns: Vec<&str> = page.split("<article").skip(1).collect();
    let german =
        turns.iter().map(|turn| turn.contains("<div class=\"body\" dir=\"auto\" lang=\"de\">"));
    assert_eq!(german.collect::<Vec<_>>(), [false, true, false]);
}

#[test]
fn times_are_shown_in_the_zone_of_the_site() {
    let json = "downloads = ['json']\n";
    let config = format!("time_zone = 'America/New_York'\n{RULE}");
    let site = site(&config).file("content/a.json", TIMED);
    site.build(0);
    let page = site.page("c/2026-01-02", "index.html");
    assert_eq!(values(&page, "<time", "datetime")[0], "2026-01-02T03:00:00-05:00");
    assert!(page.contains("03:00, America/New York"), "{page}");
    // The files beside the page change with it.
    let copy = site.page("c/2026-01-02", "index.md");
    assert!(copy.contains("2026-01-02T03:00:00-05:00"), "{copy}");
    site.write("site.toml", format!("{BASE}{json}time_zone = 'Asia/Tokyo'\n{RULE}"));
    site.build(0);
    let copy = site.page("c/2026-01-02", "index.md");
    assert!(copy.contains("2026-01-02T17:00:00+09:00"), "{copy}");
    site.write("site.toml", format!("{BASE}{json}{RULE}"));
    site.build(0);
    let kept = site.page("c/2026-01-02", "index.json");
    assert!(kept.contains("2026-01-02T09:00:00+01:00"), "{kept}");
    let rule = RULE.replace("assistant", "tool");
    site.write("site.toml", format!("{BASE}{json}{rule}"));
    site.build(0);
    assert!(site.page("c/2026-01-02", "index.json").contains("\"tool\""));
    site.write("site.toml", format!("{BASE}{config}"));
    // In Berlin it is already the next year.
    let late = TIMED.replace("2026-01-02 09:00:00", "2026-01-01 03:00:00");
    site.write("content/a.json", late);
    site.build(0);
    assert!(site.page("c/2025-12-31", "index.html").contains("/base/archive/2025/12/"));
    site.write("site.toml", format!("{BASE}time_zone = 'Mars/Olympus'\n{RULE}"));
    let run = site.build(1);
    assert!(run.stderr.contains("unknown time zone `Mars/Olympus`"), "{}", run.stderr);
}

/// A time without a zone would be another instant for each reader, so only its date is published.
#[test]
fn times_without_a_zone_are_published_as_dates() {
    let times = ["2026-01-02T09:00:00", "2026-01-03T23:30:00"];
    for (config, is_dated, published, modified) in [
        ("", true, "2026-01-02", "2026-01-03"),
        (
            "time_zone = 'Asia/Tokyo'\n", false, "2026-01-02T09:00:00+09:00",
            "2026-01-03T23:30:00+09:00",
        ),
        (RULE, false, "2026-01-02T09:00:00+01:00", "2026-01-03T23:30:00+01:00"),
    ] {
        let text =
            TIMED.replace("2026-01-02 09:00:00", times[0]).replace("2026-01-03 10:30:00", times[1]);
        let site = site(config).file("content/a.json", text);
        site.build(0);
        let page = site.page("c/", "index.html");
        let meta = |name: &str| {
            values(&page, &format!("<meta property=\"article:{name}_time\""), "content")
        };
        assert_eq!((meta("published"), meta("modified")), (vec![published], vec![modified]));
        let article = &json_ld(&page)["@graph"][1];
        assert_eq!(article["datePublished"], published);
        assert_eq!(article["dateModified"], modified);
        assert_eq!(article["hasPart"][1]["dateSent"], modified);
        for time in values(&page, "<time", "datetime") {
            assert!([published, modified].contains(&time), "{time}");
        }
        // Readers see the time of day.
        assert!(page.contains(", 23:30</span>"), "{page}");
        // Feeds need an instant.
        let instant =
            |time: &str| if is_dated { format!("{time}T00:00:00Z") } else { time.to_owned() };
        let text = |path: &str| String::from_utf8_lossy(&site.output()[path]).into_owned();
        let atom = text("atom.xml");
        assert!(atom.contains(&format!("<published>{}</published>", instant(published))), "{atom}");
        assert_eq!(atom.matches(&format!("<updated>{}</updated>", instant(modified))).count(), 2);
        let feed: Value = serde_json::from_str(&text("feed.json")).expect("JSON");
        assert_eq!(feed["items"][0]["date_published"], instant(published));
        assert_eq!(feed["items"][0]["date_modified"], instant(modified));
        let sitemap = text("sitemap.xml");
        assert!(sitemap.contains(&format!("<lastmod>{modified}</lastmod>")), "{sitemap}");
    }
}

#[test]
fn originals_are_offered_if_the_site_allows_it() {
    let more = ", \"index\": true, \"reviewed\": true, \"aliases\": [\"x\"], \"note\": 1";
    let brass = talk("Brass", more);
    let site = site("downloads = ['json', 'original']\n")
        .file("content/a.convo", brass.clone())
        .file("content/b.html", talk("Odd", ""));
    let rule = "[[source]]\nfiles = '*.html'\nformat = 'convo'\n";
    site.write("site.toml", format!("{BASE}downloads = ['json', 'original']\n{rule}"));
    site.build(0);
    let output = site.output();
    let of = |part: &str, end: &str| {
        let mut found = output.iter().filter(|(path, _)| path.contains(part));
        found.find(|(path, _)| path.ends_with(end)).map(|(_, bytes)| bytes.clone())
    };
    assert_eq!(of("-brass-", "original.convo"), Some(brass.into_bytes()));
    // Files that a browser would run are published under another name.
    assert_eq!(of("-odd-", "original.txt"), Some(talk("Odd", "").into_bytes()));
    let page = String::from_utf8(of("-brass-", "index.html").expect("a page")).expect("UTF-8");
    let names: Vec<&str> = page
        .split(" download=\"")
        .skip(1)
        .filter_map(|rest| rest.split('"').next())
        .map(|name| name.split_once('.').expect("an ending").1)
        .collect();
    assert_eq!(names, ["json", "convo"]);
    let kept = of("-brass-", "index.json").expect("JSON");
    let kept: Value = serde_json::from_slice(&kept).expect("JSON");
    assert_eq!(kept["title"], "Brass");
    assert!(kept["url"].as_str().is_some_and(|url| url.starts_with(ADDRESS)));
    assert_eq!(kept["turns"][1]["text"], "You did, for a machine of brass.");
    assert!(page.contains(&format!("id=\"{}\"", kept["turns"][1]["id"].as_str().expect("an id"))));
    assert_eq!(kept["participants"][1]["kind"], "assistant");
    assert_eq!(kept["extra"], json!({"note": 1}));
}

#[test]
fn a_file_with_other_content_is_not_offered() {
    let open = r#"{"id": "a", "schemaUrl": "https://schema.cjson.dev/0/conversation/cjson-0.1.0-SNAPSHOT.schema.json",
        "messages": [{"id": "1", "role": "user", "messageType": "text", "content": "One"}]}"#;
    let shut = r#"{"id": "b", "isPrivate": true, "messages": [{"id": "2", "role": "user",
        "content": "Hedgehog"}]}"#;
    // It has no messages, and is private anyway.
    let quiet =
        r#"{"id": "b", "isPrivate": true, "conversationTitle": "Hedgehog", "messages": []}"#;
    let config = "downloads = ['markdown', 'json', 'original']\n";
    for (text, is_given) in [
        (open.to_owned(), true),
        (format!("[{open}]"), true),
        (format!("[{open}, {shut}]"), false),
        (format!("[{open}, {quiet}]"), false),
        (format!("[{open}, \"Hedgehog\"]"), false),
        (open.replace("\"content\"", "\"content\": \"Hedgehog\", \"c\\u006fntent\""), false),
    ] {
        let site = site(config).file("content/a.cjson.json", &text);
        site.run(&["build"]);
        let output = site.output();
        assert_eq!(output.keys().any(|path| path.contains("original")), is_given, "{text}");
        for (path, bytes) in output {
            assert!(!String::from_utf8_lossy(&bytes).contains("Hedgehog"), "{path}");
        }
    }
}

#[test]
fn an_original_changes_with_its_file() {
    let line = |number: usize| {
        let line = json!({"id": number.to_string(), "timestamp": 1_700_000_000 + number,
            "from": "ada", "to": "bot", "content": format!("word{number}"),
            "entry_type": "message"});
        format!("{line}\n")
    };
    let text: String = (0..3_000).map(line).collect();
    let site = site("downloads = ['original']\n").file("content/log.jsonl", &text);
    site.build(0);
    let original = || {
        let mut files = site.output().into_iter();
        let found = files.find(|(path, _)| path.ends_with("original.jsonl"));
        String::from_utf8(found.expect("an original").1).expect("UTF-8")
    };
    assert!(original() == text);
    let text = text.replace("word2500\"", "nothing\"");
    site.write("content/log.jsonl", &text);
    site.build(0);
    assert!(original() == text);
}

#[test]
fn a_changed_url_is_reported_once_with_a_hint() {
    let site = site("").file("content/a.convo", talk("Brass", ""));
    site.build(0);
    let folder = |site: &SiteTest| {
        let page = site.output().into_keys().find(|path| path.starts_with("c/"));
        page.expect("a page").rsplit_once('/').expect("a folder").0.to_owned() + "/"
    };
    let old = folder(&site);
    site.write("content/a.convo", talk("Copper", ""));
    let run = site.build(0);
    let new = folder(&site);
    assert_ne!(old, new);
    assert!(run.stderr.contains("warning[address-changed]"), "{}", run.stderr);
    let line = format!("\"{old}\" = \"{new}\"");
    assert!(run.stderr.contains(&line), "{}", run.stderr);
    assert!(!site.build(0).stderr.contains("address-changed"));
    // The first text changes too, so that only the file identifies the conversation.
    let third = talk("Tin", "").replace("Who wrote", "Tell me who wrote");
    site.write("content/a.convo", third);
    assert!(site.build(0).stderr.contains(&format!("\"{new}\" = ")));
    let last = folder(&site);
    // Its own URL is not an old URL of another one.
    let own = talk("Tin", &format!(", \"aliases\": [\"{last}\"]"));
    site.write("content/a.convo", own.replace("Who wrote", "Tell me who wrote"));
    assert!(!site.build(0).stderr.contains("path-taken"));
    let rows = format!("\"{old}\" = \"{last}\"\n\"/{new}\" = \"{last}\"\n");
    site.write("site.toml", format!("{BASE}[redirects]\n{rows}\"x y\" = \"{last}\"\n"));
    let run = site.build(1);
    assert_eq!(run.stderr.matches("error[bad-alias]").count(), 1, "{}", run.stderr);
    let output = site.output();
    for old in [&old, &new] {
        let page = String::from_utf8_lossy(&output[&format!("{old}index.html")]).into_owned();
        assert!(page.contains(&format!("url={ADDRESS}{last}")), "{page}");
    }
    let redirects = String::from_utf8_lossy(&output["_redirects"]).into_owned();
    assert!(redirects.contains(&format!("/base/{last} 301")), "{redirects}");
}

#[test]
fn redirects_replace_no_page_and_have_no_loops() {
    let rows = "[redirects]\n\"a/\" = \"b/\"\n\"b/\" = \"\"\n\"x/\" = \"y/\"\n\"y/\" = \"x/\"\n\
        \"robots.txt\" = \"archive/\"\n\"archive/\" = \"a/\"\n\"archive/index.html/z\" = \"a/\"\n\
        \"Speakers\" = \"a/\"\n\"_redirects/x\" = \"a/\"\n\"c.html\" = \"archive/\"\n\"c.html/d\" = \"a/\"\n";
    let long = format!("\"{}\" = \"archive/\"\n", "w".repeat(300));
    let site = site(&format!("{rows}{long}")).file("content/a.convo", talk("Brass", ""));
    let run = site.build(1);
    let count = |text: &str| run.stderr.matches(text).count();
    assert_eq!(count("ends in a loop"), 2, "{}", run.stderr);
    assert_eq!(count("error[path-taken]"), 5, "{}", run.stderr);
    assert_eq!(count("is a file name that hosts interpret"), 1, "{}", run.stderr);
    assert_eq!(count("is not a path on this site"), 1, "{}", run.stderr);
    let output = site.output();
    let text = |path: &str| String::from_utf8_lossy(&output[path]).into_owned();
    assert_eq!(
        text("_redirects"),
        "/base/a /base/ 301\n/base/b /base/ 301\n/base/c.html /base/archive/ 301\n"
    );
    assert!(text("a/index.html").contains(&format!("url={ADDRESS}\"")));
    assert!(text("archive/index.html").contains("<h1") && text("robots.txt").contains("Allow"));
}

#[test]
fn urls_are_remembered_for_each_output_folder() {
    let site = site("").file("content/a.convo", talk("Brass", ""));
    site.build(0);
    site.run(&["build", "-o", "preview"]);
    site.write("content/a.convo", talk("Copper", ""));
    for output in ["preview", "public"] {
        let run = site.run(&["build", "-o", output]);
        assert!(run.stderr.contains("warning[address-changed]"), "{}", run.stderr);
    }
}

#[test]
fn a_discussion_starts_with_a_post_by_a_person() {
    let text = r#"{"messages": [
        {"speaker": "System", "timestamp": "2026-01-02 08:00:00", "content": "Be brief."},
        {"speaker": "Ada", "timestamp": "2026-01-02 09:00:00", "content": "Who wrote it?"},
        {"speaker": "Wren", "timestamp": "2026-01-03 10:30:00", "content": "You did."}]}"#;
    let rule = RULE.replace("{ Wren", "{ System = 'system', Wren");
    let config = |base: &str| format!("{base}schema = 'forum'\npage_turns = 1\n{rule}");
    let site = site("").file("content/a.json", text).file("site.toml", config(BASE));
    site.build(0);
    for (path, bytes) in site.output() {
        if !path.starts_with("c/") || !path.ends_with("index.html") {
            continue;
        }
        let page = String::from_utf8_lossy(&bytes).into_owned();
        let name = values(&page, "itemtype=\"https://schema.org/Person\"", "content");
        let meta = values(&page, "<meta itemprop=\"name\"", "content");
        assert_eq!(meta[0], "Ada", "{path} {name:?}");
        let text = values(&page, "<meta itemprop=\"text\"", "content");
        let is_opening = path.ends_with("/2/index.html");
        assert_eq!(text.is_empty(), is_opening, "{path}");
        assert!(text.iter().all(|text| *text == "Who wrote it?"), "{text:?}");
    }
    // Without a URL, there is no such metadata.
    site.write("site.toml", config(""));
    site.run(&["build"]);
    for (path, bytes) in site.output() {
        assert!(!String::from_utf8_lossy(&bytes).contains("itemprop"), "{path}");
    }
}

#[test]
fn a_chain_of_translations_is_followed() {
    let mut site = site("");
    for number in 0..500 {
        let more = match number {
            0 => ", \"languages\": [\"en\"]".to_owned(),
            _ => format!(", \"languages\": [\"de\"], \"translation_of\": \"{}.convo\"", number - 1),
        };
        let text = talk("T", &more).replace("Who wrote", &format!("{number}: who wrote"));
        site = site.file(&format!("content/{number}.convo"), text);
    }
    let run = site.run(&["check", "--message-format", "short"]);
    assert!(run.stderr.contains("498 warnings"), "{}", run.stderr);
}

#[test]
fn copies_link_to_pages_and_not_to_sources() {
    let text = "See [the mill](mill.convo \"t\"), [![a wheel](wheel.png)](mill.convo) and `[x](mill.convo)`. \
        [![a wheel](wheel.png)][wheel]\n\n[wheel]: wheel.png\n";
    let site = site("turns_json = true\n")
        .file("content/a.convo", talk("One", "").replace("You did", &format!("{text}\n\nYou did")))
        .file("content/mill.convo", talk("The mill", ""))
        .file(
            "content/wheel.png",
            include_bytes!("../../example-site/content/2025/images/elver-door.png"),
        );
    site.build(0);
    let output = site.output();
    for name in ["index.md", "turns.json"] {
        let found = output.iter().find(|(path, _)| path.contains("-one-") && path.ends_with(name));
        let copy = String::from_utf8_lossy(found.expect("a copy").1);
        let mill = format!("]({ADDRESS}c/2026-01-02-the-mill-");
        assert_eq!(copy.matches(&mill).count(), 2, "{copy}");
        assert_eq!(copy.matches("](mill.convo)").count(), 1, "{copy}");
        assert!(!copy.contains("](wheel.png)"), "{copy}");
    }
}

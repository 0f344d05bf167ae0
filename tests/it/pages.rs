//! The content of a built site.

use html5ever::tendril::TendrilSink;
use markup5ever_rcdom::{Handle, NodeData, RcDom};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use serde_json::{Value, json};

use crate::support::{BASE, SiteTest, convo, project};

/// The example in the specification.
fn example() -> String {
    let path = project().join("tests/formats/convo/spec-example/input.convo");
    std::fs::read_to_string(path).expect("the example")
}

#[test]
fn the_example_of_the_specification_is_shown_as_described() {
    let site = SiteTest::new().file("content/a.convo", example());
    site.build(0);
    let page = site.page("c/2025-10-23-hi-who-are-you-", "/index.html");
    assert_eq!(page.matches("<article class=\"turn ").count(), 4);
    assert_eq!(page.matches("<article class=\"turn person").count(), 2);
    assert_eq!(page.matches("<article class=\"turn assistant").count(), 2);
    for text in [
        "<time datetime=\"2025-10-23T12:00:00-05:00\">23 October 2025<span class=\"clock\">, \
         12:00, America/Chicago</span></time>",
        "<p>I am Gemini 2.5 Pro. Nice to meet you.</p>",
        "<code>gemini-2.5-pro</code>",
        "generative:interface",
        "https://gemini.google.com/app",
        "<h1 dir=\"auto\">Hi who are you.</h1>",
        "Content-Security-Policy\" content=\"default-src &#39;none&#39;; script-src &#39;self&#39;",
    ] {
        assert!(page.contains(text), "{text}\n{page}");
    }
}

#[test]
fn every_listing_exists_and_uses_the_base_path() {
    let site = SiteTest::new()
        .file("site.toml", format!("{BASE}page_entries = 2\nhome_entries = 2\n"))
        .file(
            "content/x.convo",
            example().replace("\"participants\"", "\"languages\": [\"en\"], \"participants\""),
        );
    for n in 0..5 {
        site.write(&format!("content/{n}.convo"), convo(&format!("Talk {n}")));
    }
    site.build(0);
    let output = site.output();
    for path in [
        "index.html",
        "archive/index.html",
        "archive/2025/index.html",
        "archive/2025/10/index.html",
        "archive/2026/01/page/2/index.html",
        "speakers/index.html",
        "speakers/ada/index.html",
        "speakers/ada/page/3/index.html",
        "speakers/founder/index.html",
        "models/gemini-2-5-pro/index.html",
        "languages/en/index.html",
        "types/dialog/index.html",
        "404.html",
        "atom.xml",
        "sitemap.xml",
        "robots.txt",
        "feed.json",
        "llms.txt",
    ] {
        let near: Vec<_> = output.keys().filter(|p| p.starts_with(&path[..4])).collect();
        assert!(output.contains_key(path), "{path} is not among {near:?}");
    }
    for (path, bytes) in &output {
        let text = String::from_utf8_lossy(bytes);
        for part in text.split("href=\"/").skip(1) {
            assert!(part.starts_with("base/"), "{path}: /{}", &part[..40.min(part.len())]);
        }
    }
    assert!(site.page("index.html", "").contains("All 6 conversations"));
}

#[test]
fn json_ld_describes_each_page() {
    let site = SiteTest::new().file("content/a.convo", example());
    site.build(0);
    let page = site.page("c/", "/index.html");
    let json = page.split("<script type=\"application/ld+json\">").nth(1).expect("JSON-LD");
    let json: Value =
        serde_json::from_str(json.split("</script>").next().expect("an end")).expect("JSON");
    let graph = json["@graph"].as_array().expect("a graph");
    let article = graph.iter().find(|node| node["@type"][1] == "Conversation").expect("it");
    assert_eq!(article["datePublished"], "2025-10-23T12:00:00-05:00");
    let authors = article["author"].as_array().expect("authors");
    assert_eq!(authors[0]["@type"], "Person");
    assert_eq!(authors[1]["@type"], "Organization");
    let parts = article["hasPart"].as_array().expect("parts");
    assert_eq!(parts.len(), 4);
    assert!(parts[0].get("digitalSourceType").is_none());
    assert!(parts[1]["digitalSourceType"].as_str().expect("a type").contains("TrainedAlgorithmic"));
    for part in parts {
        let anchor = part["@id"].as_str().expect("an id").strip_prefix('#');
        assert!(page.contains(&format!("id=\"{}\"", anchor.expect("an anchor"))));
    }
}

#[test]
fn host_files_mark_immutable_assets() {
    let site = SiteTest::new().file("content/a.convo", example());
    site.build(0);
    let output = site.output();
    assert!(output[".nojekyll"].is_empty());
    let headers = String::from_utf8_lossy(&output["_headers"]).into_owned();
    let blocks: Vec<Vec<&str>> = headers.lines().fold(Vec::new(), |mut blocks, line| {
        match line.strip_prefix("  ") {
            Some(header) => blocks.last_mut().expect("a path first").push(header),
            None => blocks.push(vec![line]),
        }
        blocks
    });
    // `*` is any rest, `:name` is any segment.
    let fits = |pattern: &str, path: &str| {
        let whole = pattern.strip_suffix('*');
        let pattern: Vec<&str> = whole.unwrap_or(pattern).split('/').collect();
        let path: Vec<&str> = path.split('/').collect();
        let parts = pattern.iter().zip(&path);
        match whole {
            Some(start) => path.join("/").starts_with(start),
            None if pattern.len() != path.len() => false,
            None => parts.into_iter().all(|(a, b)| a.starts_with(':') || a == b),
        }
    };
    for path in output.keys() {
        let address = format!("/base/{path}");
        let of: Vec<&str> = blocks
            .iter()
            .filter(|block| fits(block[0], &address))
            .flat_map(|block| &block[1..])
            .copied()
            .collect();
        let has = |name: &str| of.iter().filter(|header| header.starts_with(name)).count();
        let hashed = path.starts_with("assets/")
            || path.starts_with("media/")
            || path.starts_with("search/") && path.ends_with(".bin");
        assert_eq!(has("Cache-Control"), usize::from(hashed), "{path}");
        let is_beside =
            path.ends_with("/index.md") || path.starts_with("c/") && path.ends_with("/index.json");
        assert_eq!(has("X-Robots-Tag"), usize::from(is_beside), "{path}");
        assert_eq!(has("X-Content-Type-Options"), 1, "{path}");
    }
}

#[test]
fn atom_and_json_feeds_have_the_same_content() {
    let site = SiteTest::new()
        .file("content/a.convo", example())
        .file("content/b.convo", convo("\u{1f600} <b> & \u{7}"));
    site.build(0);
    let output = site.output();
    let feed: Value = serde_json::from_slice(&output["feed.json"]).expect("JSON");
    assert_eq!(feed["version"], "https://jsonfeed.org/version/1.1");
    assert_eq!(feed["feed_url"], "https://site.example/base/feed.json");
    let atom = String::from_utf8_lossy(&output["atom.xml"]);
    let items = feed["items"].as_array().expect("items");
    assert_eq!(items.len(), 2);
    for item in items {
        let text = |key: &str| item[key].as_str().expect("a text").to_owned();
        assert!(atom.contains(&format!("<id>{}</id>", text("id"))));
        assert!(atom.contains(&text("url")));
        assert!(!item["content_text"].is_null());
    }
    let page = site.page("index.html", "");
    assert!(page.contains("type=\"application/feed+json\""));
}

#[test]
fn llms_txt_describes_the_site() {
    let title = "{\"title\": \"[x](javascript:y)\\n# z\", ";
    let hostile = convo("Hello").replace("{", title);
    let site = SiteTest::new().file("content/a.convo", hostile);
    site.build(0);
    let output = site.output();
    let text = String::from_utf8_lossy(&output["llms.txt"]);
    assert!(text.starts_with("# "), "{text}");
    assert!(text.contains("- [\\[x\\](javascript:y) # z]("), "{text}");
    for link in text.split("](https://site.example/base/").skip(1) {
        let path = link.split(')').next().expect("an end");
        let file = if path.ends_with('/') { format!("{path}index.html") } else { path.into() };
        assert!(output.contains_key(&file), "{file}");
    }
}

#[test]
fn robots_txt_has_the_configured_rules() {
    let robots = |choices: &str| {
        let config = format!("base_url = \"https://example.org/\"\n{choices}");
        let site = SiteTest::new().file("site.toml", config).file("content/a.convo", example());
        site.build(0);
        site
    };
    let text = |site: &SiteTest| String::from_utf8_lossy(&site.output()["robots.txt"]).into_owned();
    let all = text(&robots(""));
    assert_eq!(all, "User-agent: *\nAllow: /\n\nSitemap: https://example.org/sitemap.xml\n");
    let refused = |text: &str| -> Vec<String> {
        let groups = text.split("\n\n").filter(|group| group.contains("Disallow: /"));
        groups.flat_map(str::lines).map(str::to_owned).collect()
    };
    let search = refused(&text(&robots("ai_search = false")));
    assert!(search.contains(&"User-agent: OAI-SearchBot".to_owned()), "{search:?}");
    assert!(!search.contains(&"User-agent: GPTBot".to_owned()), "{search:?}");
    let training = refused(&text(&robots("ai_training = false")));
    assert!(training.contains(&"User-agent: GPTBot".to_owned()), "{training:?}");
    assert!(!training.contains(&"User-agent: *".to_owned()), "{training:?}");
    let hidden = robots("search_engines = false");
    let output = hidden.output();
    assert!(!output.contains_key("sitemap.xml") && !text(&hidden).contains("Sitemap"));
    for (path, bytes) in output.iter().filter(|(path, _)| path.ends_with(".html")) {
        let page = String::from_utf8_lossy(bytes);
        assert!(page.contains("name=\"robots\" content=\"noindex"), "{path}");
    }
}

#[test]
fn a_site_without_a_base_url_has_no_canonical_urls() {
    let site = SiteTest::new().file("site.toml", "").file("content/a.convo", convo("x"));
    site.build(0);
    let output = site.output();
    assert!(!output.contains_key("sitemap.xml") && !output.contains_key("atom.xml"));
    assert!(!site.page("c/", "/index.html").contains("canonical"));
}

#[test]
fn a_site_and_a_theme_override_templates() {
    let site = SiteTest::new()
        .file("site.toml", format!("{BASE}theme = 'mine'\n"))
        .file("content/a.convo", convo("x"))
        .file("themes/mine/templates/home.html", "theme's home")
        .file("themes/mine/templates/not_found.html", "theme's 404")
        .file("themes/mine/assets/style.css", "p{}")
        .file("themes/mine/assets/icon.svg", "<svg xmlns=\"http://www.w3.org/2000/svg\"/>")
        .file("templates/home.html", "site's home {{ site.title }}");
    site.build(0);
    assert_eq!(site.page("index.html", ""), "site's home Conversations");
    assert_eq!(site.page("404.html", ""), "theme's 404");
    assert!(site.output().keys().any(|path| path.starts_with("assets/style.")));
    assert!(site.page("c/", "/index.html").contains("<article"), "the built-in page");
}

#[expect(clippy::ptr_arg, reason = "for filters of strings")]
fn is_conversation(path: &String) -> bool {
    path.starts_with("c/") && path.ends_with(".html")
}

#[test]
fn urls_do_not_change_when_equal_ones_are_added() {
    let site = SiteTest::new().file("content/m.convo", convo("The same\n\nfirst"));
    site.build(0);
    let before: Vec<_> = site.output().into_keys().filter(is_conversation).collect();
    site.write("content/a.convo", convo("The same\n\nsecond"));
    site.write("content/z.convo", convo("The same\n\nthird"));
    site.build(0);
    let after: Vec<_> = site.output().into_keys().filter(is_conversation).collect();
    assert_eq!(after.len(), 3);
    assert!(after.contains(&before[0]), "{before:?} {after:?}");
}

#[test]
fn no_page_contains_characters_that_html_forbids() {
    let text =
        convo("\u{1b}[1m").replace("\"dialog\"", r#""di\u001balog", "title": "\u0085 \u0001""#);
    let site = SiteTest::new().file("content/a.convo", text);
    site.build(0);
    for (path, bytes) in site.output() {
        if path.ends_with(".bin") {
            continue;
        }
        if let Ok(text) = String::from_utf8(bytes) {
            let bad = text.chars().find(|c| c.is_control() && *c != '\n' && *c != '\t');
            assert_eq!(bad, None, "{path}");
        }
    }
}

#[test]
fn strange_names_get_pages_of_their_own() {
    let site = SiteTest::new();
    let long = "x".repeat(300);
    let strange =
        ["</script><script>alert(1)</script>", "../../etc/passwd", "CON", &long, "🎉🎈", "nul.txt"];
    for (index, text) in strange.iter().enumerate() {
        let json = serde_json::to_string(text).expect("JSON");
        site.write(
            &format!("content/{index}.convo"),
            format!(
                "### @{text}\nx\n\n----\n{{\"title\": {json}, \"type\": {json}, \
                 \"time\": \"2026-01-02\", \"languages\": [{json}], \"participants\": \
                 [{{\"name\": {json}, \"generative\": true, \"generative:model\": {json}}}]}}\n"
            ),
        );
    }
    site.build(0);
    let output = site.output();
    for folder in ["c/", "speakers/", "models/", "languages/", "types/"] {
        let pages = output
            .keys()
            .filter(|p| p.starts_with(folder) && p.ends_with("/index.html"))
            .filter(|p| p.matches('/').count() == 2);
        assert_eq!(pages.count(), strange.len(), "{folder}");
    }
    for path in output.keys() {
        for part in path.split('/') {
            assert!(
                part.len() <= 255 && !part.starts_with("con.") && part != "con" && part != "nul"
            );
        }
    }
    assert!(!output.values().any(|b| String::from_utf8_lossy(b).contains("<script>alert")));
}

/// The elements of a page with their attribute names, and everything that does not depend on texts.
fn skeleton(html: &str) -> String {
    fn write(node: &Handle, out: &mut String) {
        if let NodeData::Element { name, attrs, .. } = &node.data {
            out.push_str(&format!("<{}", name.local));
            for attribute in attrs.borrow().iter() {
                out.push_str(&format!(" {}", attribute.name.local));
            }
            out.push('>');
        }
        for child in node.children.borrow().iter() {
            write(child, out);
        }
        out.push_str("</>");
    }
    let dom = html5ever::parse_document(RcDom::default(), html5ever::ParseOpts::default());
    let mut out = String::new();
    write(&dom.one(html).document, &mut out);
    out.replace("</></>", "</>")
}

#[test]
fn no_text_in_any_field_changes_the_structure_of_a_page() {
    let mut texts = vec!["x".to_owned()];
    texts.extend(crate::support::payloads::payloads().into_iter().step_by(3));
    let mut runner = TestRunner::deterministic();
    for _ in 0..150 {
        texts.push("\\PC{1,20}".new_tree(&mut runner).expect("a text").current());
    }
    // Blank texts have no element, which is an intended difference.
    texts.retain(|text| text.chars().any(char::is_alphanumeric));
    let site = SiteTest::new();
    for (index, text) in texts.iter().enumerate() {
        let json = serde_json::to_string(text).expect("JSON");
        let name = text.split_whitespace().collect::<Vec<_>>().join(" ").replace('\0', "0");
        let name = name.trim_end_matches('#').trim();
        let speaker = serde_json::to_string(name).expect("JSON");
        site.write(
            &format!("content/{index:04}.convo"),
            format!(
                "### @{name}\nsaid\n\n----\n{{\"title\": {json}, \"type\": {json}, \
                 \"time\": \"2026-01-02\", \"languages\": [{json}], \"k {index}\": {json}, {json}: 1, \
                 \"languages_meta\": {{\"speculative\": [{json}]}}, \"participants\": \
                 [{{\"name\": {speaker}, \"generative\": true, \"generative:model\": {json}, \"k\": {json}}}]}}\n"
            ),
        );
    }
    let run = site.run(&["build", "--message-format", "short"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let pages: Vec<String> = site
        .output()
        .into_iter()
        .filter(|(path, _)| is_conversation(path))
        .map(|(_, bytes)| String::from_utf8(bytes).expect("UTF-8"))
        .collect();
    assert_eq!(pages.len(), texts.len());
    // At both ends of the archive, the neighbours differ, and related conversations depend on the
    // text; the rest must be the same.
    let main = |page: &str| {
        let page = page.split("<aside class=\"related\"").next().expect("a start");
        skeleton(page.split("<nav class=\"pager\"").next().expect("a start"))
    };
    let expected = main(pages.iter().find(|page| page.contains("dir=\"auto\">x</h1>")).expect("x"));
    for page in &pages {
        let own = main(page);
        assert!(own == expected, "{own}\n{expected}\n{}", &page[..page.len().min(3000)]);
    }
}

#[test]
fn the_archive_has_statistics() {
    let talk = |time: &str, words: &str| {
        format!(
            "### @Ada\n{words}\n\n### @Bot\nTwo words\n\n----\n{{\"type\": \"dialog\", \
             \"time\": \"{time}\", \"languages\": [\"en\"], \"participants\": [\"Ada\", \
             {{\"name\": \"Bot\", \"generative\": true, \"generative:model\": \"m-1\"}}]}}\n"
        )
    };
    let site = SiteTest::new()
        .file("content/a.convo", talk("2026-01-05T09:00Z", "One"))
        .file("content/b.convo", talk("2026-01-05T09:30Z", "Three words here"))
        .file("content/c.convo", talk("2025-12-31", "One more"));
    site.build(0);
    let page = site.page("statistics/index.html", "");
    for text in [
        "<span>3 conversations</span> <span>6 turns</span> <span>12 words</span>",
        "aria-label=\"2026: 2 conversations\"",
        "<title>5 January 2026: 2 conversations</title>",
        "<title>31 December 2025: 1 conversation</title>",
        "Busiest time: Monday at 9:00",
        "<title>Monday at 9:00: 2 conversations</title>",
        "<th scope=\"row\"><a href=\"/base/archive/2026/01/\">January</a></th><td>2 conversations</td>",
        "<a href=\"/base/archive/2026/01/\" tabindex=\"-1\"><rect",
        "<tr><th scope=\"row\">June</th><td>0 conversations</td></tr>",
        "<text x=\"264\" y=\"11\">Jun</text>",
        // Words, and turns beside their bar.
        "<bdi>m-1</bdi></a></th><td class=\"number\">6</td><td class=\"number\">3</td><td class=\"bar\"",
        "<bdi>Ada</bdi></a></th><td class=\"number\">6</td><td class=\"number\">3</td><td class=\"bar\"",
        "<bdi>English</bdi></a></th><td class=\"number\">3</td>",
    ] {
        assert!(page.contains(text), "{text}: {page}");
    }
    // With nothing to count, nothing is shown.
    let site = SiteTest::new();
    site.build(0);
    assert!(!site.output().contains_key("statistics/index.html"));
}

#[test]
fn statistics_say_what_stands_out() {
    let talk = |day: &str, model: &str, turns: usize| {
        let body = "### @Ada\nWhy?\n\n### @Bot\nSo.\n\n".repeat(turns);
        format!(
            "{body}----\n{{\"type\": \"dialog\", \"time\": \"{day}T09:00Z\", \"participants\": [\"Ada\", \
             {{\"name\": \"Bot\", \"generative\": true, \"generative:model\": \"{model}\"}}]}}\n"
        )
    };
    // Two months, in the second of which another model was used; and a month with too few turns to count.
    let talks = [
        ("2026-01-05", "m-1", 10),
        ("2026-01-12", "m-1", 2),
        ("2026-02-03", "m-2", 11),
        ("2026-03-04", "m-3", 1),
    ];
    let mut site = SiteTest::new();
    for (day, model, turns) in talks {
        site = site.file(&format!("content/{day}.convo"), talk(day, model, turns));
    }
    site.build(0);
    let page = site.page("statistics/index.html", "");
    for text in [
        "The busiest month was January 2026, with 2 conversations.",
        "The busiest day of the week is Monday, with 2 conversations.",
        "Since February 2026, the most used model has been m-2; before that, it was m-1.",
        "<caption>Longest conversations</caption>",
        "<td class=\"number\">22</td><td class=\"number\">22</td><td class=\"bar\"",
    ] {
        assert!(page.contains(text), "{text}: {page}");
    }
    // Ties are not claimed.
    site.write("content/tie.convo", talk("2026-02-10", "m-1", 11));
    site.write("content/other.convo", talk("2026-02-17", "m-4", 1));
    site.write("content/monday.convo", talk("2026-01-19", "m-1", 1));
    site.build(0);
    let page = site.page("statistics/index.html", "");
    assert!(!page.contains("busiest") && !page.contains("used most"), "{page}");
}

#[test]
fn speakers_and_tags_have_feeds_and_profiles() {
    let site = SiteTest::new();
    for day in 1..=4 {
        let text = convo(&format!("Talk {day}"));
        let text = text.replace("2026-01-02", &format!("2026-01-0{day}"));
        let bot = "[\"Ada\", {\"name\": \"Bot\", \"generative\": true}]";
        let answered = text.replace("\n\n----", "\n\n### @Bot\nYes\n\n----");
        let text = if day < 3 { answered.replace("[\"Ada\"]", bot) } else { text };
        site.write(&format!("content/{day}.convo"), text);
    }
    site.build(0);
    let feed = site.page("speakers/ada/atom.xml", "");
    for text in [
        "<title>Ada · Conversations</title>",
        "rel=\"self\" type=\"application/atom+xml\" href=\"https://site.example/base/speakers/ada/atom.xml\"",
        "rel=\"alternate\" type=\"text/html\" href=\"https://site.example/base/speakers/ada/\"",
        "<updated>2026-01-04T00:00:00Z</updated>",
    ] {
        assert!(feed.contains(text), "{text}: {feed}");
    }
    assert_eq!(feed.matches("<entry>").count(), 4);
    let id = |feed: &str| feed.split("<id>").nth(1).map(|rest| rest[..45].to_owned());
    assert_ne!(id(&feed), id(&site.page("atom.xml", "")));
    // A listing too short for search engines is too short for a feed.
    assert!(!site.output().contains_key("speakers/bot/atom.xml"));
    let page = site.page("speakers/ada/index.html", "");
    assert!(
        page.contains("title=\"Ada · Conversations\" href=\"/base/speakers/ada/atom.xml\""),
        "{page}"
    );
    let of = |page: &str| -> Value {
        let json = page.split("application/ld+json\">").nth(1).expect("JSON-LD");
        serde_json::from_str(json.split("</script>").next().expect("an end")).expect("JSON")
    };
    let about = of(&page);
    assert_eq!(about["@graph"][0]["@type"], "ProfilePage");
    assert_eq!(about["@graph"][0]["mainEntity"]["@id"], "#person");
    assert_eq!(
        (&about["@graph"][1]["@type"], &about["@graph"][1]["@id"]),
        (&json!("Person"), &json!("#person"))
    );
    assert_eq!(about["@graph"][1]["url"], "https://site.example/base/speakers/ada/");
    let about = of(&site.page("speakers/bot/index.html", ""));
    assert_eq!(about["@graph"][1]["@type"], "Organization");
    // The same as the author of the conversations.
    let talk = of(&site.page("c/2026-01-04-", "/index.html"));
    let author = &talk["@graph"][1]["author"][0];
    assert_eq!(author["@id"], "/base/speakers/ada/#person");
    assert_eq!(author["url"], "https://site.example/base/speakers/ada/");
}

/// Each one is a file, so a conversation must not have an unlimited number.
#[test]
fn a_conversation_has_at_most_a_thousand_aliases() {
    let aliases: Vec<String> = (0..1_002).map(|number| format!("old/{number}/")).collect();
    let aliases = format!("\"aliases\": {}, \"type\"", json!(aliases));
    let site = SiteTest::new().file("content/a.convo", convo("x").replace("\"type\"", &aliases));
    let run = site.build(1);
    assert!(run.stderr.contains("1002 aliases"), "{}", run.stderr);
    let output = site.output();
    let old = output.keys().filter(|path| path.starts_with("old/"));
    assert_eq!(old.count(), 1_000);
    // An invalid one is quoted, but not in full.
    let long = format!("\"aliases\": [\"a b{}\"], \"type\"", "x".repeat(10_000));
    site.write("content/a.convo", convo("x").replace("\"type\"", &long));
    let run = site.run(&["build", "--message-format", "short"]);
    assert!(run.stderr.contains("bad-alias"), "{}", run.stderr);
    assert!(run.stderr.len() < 1_000, "{}", run.stderr.len());
}

#[test]
fn old_urls_redirect_to_new_ones() {
    let talk = |aliases: &str| {
        convo("x").replace("\"type\"", &format!("\"aliases\": {aliases}, \"type\""))
    };
    let site = SiteTest::new()
        .file("content/a.convo", talk("[\"/old/talk/\", \"older.html\", \"archive\"]"));
    let run = site.build(1);
    // A redirect does not replace a page.
    assert!(run.stderr.contains("cannot redirect from `archive`"), "{}", run.stderr);
    assert!(site.page("archive/index.html", "").contains(">Archive</h1>"));
    site.write("content/a.convo", talk("[\"/old/talk/\", \"older.html\"]"));
    site.build(0);
    let page = site.page("c/", "/index.html");
    assert!(!page.contains("older.html"), "{page}");
    let url = page.split("rel=\"canonical\" href=\"").nth(1).expect("a canonical address");
    let url = url.split('"').next().expect("an end");
    for file in ["old/talk/index.html", "older.html"] {
        let old = site.page(file, "");
        assert!(old.contains(&format!("content=\"0; url={url}\"")), "{old}");
        assert!(old.contains(&format!("rel=\"canonical\" href=\"{url}\"")), "{old}");
    }
    let path = url.trim_start_matches("https://site.example");
    let expected = format!("/base/old/talk {path} 301\n/base/older.html {path} 301\n");
    assert_eq!(site.page("_redirects", ""), expected);
    assert_eq!(site.run(&["check", "--deny-warnings"]).code, Some(0));
    // A redirect does not replace a file of the site.
    site.write("content/a.convo", talk("[\"robots.txt\", \"CNAME/x\", \"search/index.html/y\"]"));
    let run = site.build(1);
    assert_eq!(run.stderr.matches("cannot redirect from").count(), 2, "{}", run.stderr);
    assert!(site.page("robots.txt", "").starts_with("User-agent"));
    assert!(run.stderr.contains("`CNAME/x` is a file name that hosts"), "{}", run.stderr);
    assert!(!site.output().contains_key("CNAME/x/index.html"));
    for bad in ["../x", "a b", "https://a.example/", "a?b", "/", "a/*", ".git", "a/.b/c"] {
        site.write("content/a.convo", talk(&format!("[{}]", json!(bad))));
        let run = site.build(1);
        assert!(run.stderr.contains("bad-alias"), "{bad}: {}", run.stderr);
    }
}

#[test]
fn a_summary_is_above_the_turns_and_in_the_description() {
    let talk = |more: &str| convo("Said.").replace("\"type\"", &format!("{more}, \"type\""));
    let site = SiteTest::new();
    for (more, summary, kept) in [
        ("\"summary\": \" About it. \"", "About it.", ""),
        ("\"summary\": {\"a\": 1}, \"description\": \"As told.\"", "As told.", ">summary</dt>"),
        ("\"summary\": \" \", \"abstract\": \"In short.\"", "In short.", ">summary</dt>"),
    ] {
        site.write("content/a.convo", talk(more));
        site.build(0);
        let page = site.page("c/", "/index.html");
        assert!(page.contains(&format!("<p class=\"lead\" dir=\"auto\">{summary}</p>")), "{page}");
        assert!(
            page.contains(&format!("<meta name=\"description\" content=\"{summary}\">")),
            "{page}"
        );
        assert!(page.contains(kept), "{page}");
        assert_eq!(page.matches(&format!(">{summary}<")).count(), 1, "{page}");
    }
}

#[test]
fn the_site_picture_is_the_default_preview_image() {
    let site = SiteTest::new()
        .file("site.toml", format!("{BASE}[look]\nimage = \"card.png\"\n"))
        .file("card.png", "png")
        .file("content/a.convo", convo("x"));
    site.build(0);
    let page = site.page("c/", "/index.html");
    assert!(
        page.contains(
            "<meta property=\"og:image\" content=\"https://site.example/base/assets/image."
        )
    );
    assert!(page.contains("content=\"summary_large_image\""));
}

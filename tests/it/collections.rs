//! Collections: folders with an `_index.md`, series, and pinned conversations.

use crate::support::{BASE, SiteTest};

/// A conversation with this day and title, and more front matter.
fn talk(day: &str, title: &str, rows: &str) -> String {
    format!(
        "---\ntitle: {title}\ndate: {day}\n{rows}---\n\n**Wren:** What of {title}?\n\n**Ada:** \
         It rings.\n"
    )
}

const INDEX: &str = "---\ntitle: Letters about bells\ndescription: How they are hung.\nlanguage: \
                     de\norder: oldest\n---\n\nWer **läutet**? Siehe [den ersten](one.md).\n\n\
                     ![](bell.png)\n";

fn site() -> SiteTest {
    let png = std::fs::read(
        crate::support::project().join("example-site/content/2025/images/elver-door.png"),
    );
    SiteTest::new()
        .file("content/bells/_index.md", INDEX)
        .file("content/bells/bell.png", png.expect("a picture"))
        .file("content/bells/one.md", talk("2026-01-01", "Treble", ""))
        .file("content/bells/two.md", talk("2026-01-03", "Tenor", "pinned: true\n"))
        .file("content/bells/small/_index.md", "# Small ones\n\nHand bells.\n")
        .file("content/bells/small/three.md", talk("2026-01-02", "Handbell", ""))
        .file(
            "content/a.md",
            talk("2026-02-01", "Low water", "series: The Tides\nseries_order: 2\n"),
        )
        .file(
            "content/b.md",
            talk("2026-02-02", "High water", "series: The Tides\nseries_order: 1\n"),
        )
        .file(
            "content/c.md",
            talk("2026-02-03", "Slack water", "series: the tides\nfeatured: true\n"),
        )
}

fn text(site: &SiteTest, path: &str) -> String {
    let output = site.output();
    let bytes = output.get(path).unwrap_or_else(|| panic!("{path}: {:?}", output.keys()));
    String::from_utf8_lossy(bytes).into_owned()
}

/// The page of the conversation whose URL contains `slug`.
fn page(site: &SiteTest, slug: &str) -> String {
    let output = site.output();
    let is_it = |path: &&String| path.contains(slug) && path.ends_with("/index.html");
    let path = output.keys().find(is_it).expect("a page");
    text(site, path)
}

/// The titles of all cards of a page, in order.
fn titles(html: &str) -> Vec<String> {
    let html = html.replace("<h3>", "<h2>");
    let rows = html.split("<h2>").skip(1);
    let titles = rows.filter_map(|row| {
        let (before, row) = row.split_once("<a ")?;
        let (_, row) = row.split_once('>')?;
        Some(before.to_owned() + row.split_once("</a>")?.0)
    });
    titles.collect()
}

#[test]
fn a_folder_with_an_index_has_a_page() {
    let site = site();
    let run = site.build(0);
    assert!(run.stderr.contains("no warnings"), "{}", run.stderr);
    assert!(run.stderr.contains("built 6 conversations"), "{}", run.stderr);
    let html = text(&site, "collections/bells/index.html");
    assert!(html.contains("<h1 dir=\"auto\">Letters about bells</h1>"), "{html}");
    assert!(html.contains("<html lang=\"de\""), "{html}");
    assert!(html.contains("Wer <strong>läutet</strong>?"), "{html}");
    assert!(html.contains("<p class=\"lead\" dir=\"auto\">How they are hung.</p>"));
    // Pinned conversations come first.
    assert_eq!(titles(&html), ["Tenor", "Treble"]);
    // Its links and images use URLs of the site.
    assert!(html.contains("<a href=\"/base/c/2026-01-01-treble-"), "{html}");
    let picture = html.split("src=\"/base/media/").nth(1).expect("a picture");
    let picture = format!("media/{}", picture.split_once('"').expect("an end").0);
    assert!(site.output().contains_key(&picture), "{picture}");
    // The inner folder is part of it.
    assert!(
        html.contains("<a href=\"/base/collections/bells/small/\" dir=\"auto\">Small ones</a>")
    );
    let small = text(&site, "collections/bells/small/index.html");
    assert_eq!(titles(&small), ["Handbell"]);
    assert!(small.contains("<p>Hand bells.</p>"), "{small}");
    let all = text(&site, "collections/index.html");
    assert!(all.contains("Letters about bells</a> <span class=\"count\">3</span>"), "{all}");
    assert!(all.contains("The Tides</a> <span class=\"count\">3</span>"), "{all}");
    let map = text(&site, "sitemap.xml");
    assert!(map.contains("https://site.example/base/collections/bells/</loc>"), "{map}");
    let feed = text(&site, "collections/bells/atom.xml");
    let place = |title: &str| feed.find(&format!("<title>{title}</title>"));
    assert!(place("Tenor").expect("one") < place("Treble").expect("another"), "{feed}");
    assert!(feed.contains("<subtitle>How they are hung.</subtitle>"), "{feed}");
    let json = text(&site, "collections/bells/feed.json");
    assert!(json.contains("Letters about bells · Conversations"), "{json}");
    let check = site.run(&["check"]);
    assert_eq!(check.code, Some(0), "{}", check.stderr);
    assert!(!check.stderr.contains("warning"), "{}", check.stderr);
}

#[test]
fn a_series_is_numbered_and_linked_in_order() {
    let site = site();
    site.build(0);
    let html = text(&site, "collections/the-tides/index.html");
    assert_eq!(titles(&html), ["1. High water", "2. Low water", "3. Slack water"]);
    let low = page(&site, "low-water");
    let part = "Part 2 of 3 · <a href=\"/base/collections/the-tides/\" dir=\"auto\">The Tides</a>";
    assert!(low.contains(part), "{low}");
    for (rel, title) in [("prev", "High water"), ("next", "Slack water")] {
        let link = low.split(&format!("rel=\"{rel}\"")).nth(1).expect("a link");
        assert!(link.split_once("</a>").expect("an end").0.contains(title), "{rel}");
    }
    assert!(low.contains(
        "\"isPartOf\":{\"@id\":\"https://site.example/base/collections/the-tides/#collection\"}"
    ));
    assert!(low.contains("\"@type\":\"CreativeWorkSeries\"") && low.contains("\"position\":2"));
    assert!(!low.contains("series_order"));
    // In a collection without numbers there are links to the neighbours too, but only within it.
    let treble = page(&site, "treble");
    assert!(treble.contains("Tenor") && !treble.contains("rel=\"next\""), "{treble}");
}

#[test]
fn the_home_page_shows_featured_conversations_and_collections() {
    let site = site();
    site.build(0);
    let home = text(&site, "index.html");
    // Featured conversations appear once; of the others, pinned ones come first.
    assert_eq!(
        titles(&home),
        ["Slack water", "Tenor", "High water", "Low water", "Handbell", "Treble"]
    );
    assert!(home.contains("Featured</h2>"), "{home}");
    assert!(home.contains("href=\"/base/collections/bells/\""), "{home}");
    assert_eq!(home.matches(">Pinned<").count(), 1, "{home}");
}

#[test]
fn settings_of_an_index_apply_to_its_whole_folder() {
    for (rows, left) in [
        ("draft: true\n", "3 drafts withheld"),
        ("private: true\n", "3 private withheld"),
        ("publish: 2027-01-01\n", "3 scheduled for later, the first on 2027-01-01"),
        ("private: [\n", "3 private withheld"),
    ] {
        let site = site();
        site.write("content/bells/_index.md", INDEX.replace("order: oldest\n", rows));
        let run = site.run(&["build", "--today", "2026-12-31"]);
        assert!(run.stderr.contains(left), "{rows}: {}", run.stderr);
        let output = site.output();
        let texts = output.values().map(|bytes| String::from_utf8_lossy(bytes).into_owned());
        let all: String = texts.chain(output.keys().cloned()).collect();
        for word in ["Treble", "Tenor", "Handbell", "läutet", "bells"] {
            assert!(!all.contains(word), "{rows}: {word}");
        }
    }
    let site = site();
    site.build(0);
    site.write("content/bells/_index.md", INDEX.replace("order:", "draft: true\norder:"));
    site.run(&["build", "--drafts"]);
    let html = text(&site, "collections/bells/index.html");
    assert_eq!(html.matches("<strong class=\"mark\">Draft</strong>").count(), 2, "{html}");
}

#[test]
fn an_index_can_make_its_folder_a_series() {
    let site = site();
    let index = "---\ntitle: Tides\nseries: The tides\n---\nOn water.\n";
    site.write("content/water/_index.md", index);
    site.write("content/water/d.md", talk("2026-02-04", "Neap", "series_order: 9\n"));
    site.build(0);
    let html = text(&site, "collections/water/index.html");
    assert_eq!(titles(&html), ["1. High water", "2. Low water", "3. Neap", "4. Slack water"]);
    assert!(!site.output().contains_key("collections/the-tides/index.html"));
    // The URL is that of the folder, whatever the title.
    site.write("content/water/_index.md", index.replace("title: Tides", "title: Moon"));
    site.build(0);
    assert!(text(&site, "collections/water/index.html").contains("Moon</h1>"));
}

#[test]
fn invalid_settings_are_reported() {
    let site = SiteTest::new()
        .file("content/_index.md", "# All\n")
        .file("content/tides/_index.md", "---\ntitle: x\norder: random\nsort_by: date\n---\n")
        .file("content/tides/a.md", talk("2026-01-01", "Neap", "series: Tides\nseries_order: 1\n"))
        .file(
            "content/tides/b.md",
            talk("2026-01-02", "Spring", "series: Tides\nseries_order: 1\n"),
        )
        .file("content/c.md", talk("2026-01-02", "Slack", "series: {}\npinned: yes please\n"));
    let run = site.run(&["build", "--message-format", "short"]);
    for expected in [
        "content/_index.md: warning[empty-collection]",
        "content/tides/_index.md:3:1: warning[bad-value]",
        "content/tides/_index.md:4:1: warning[unknown-key]",
        "warning[same-address]: the collections `content/tides/_index.md` and `Tides`",
        "content/tides/b.md: warning[same-part]",
        "content/c.md:4:1: warning[wrong-type]",
        "content/c.md:5:1: warning[wrong-type]",
    ] {
        assert!(run.stderr.contains(expected), "{expected}: {}", run.stderr);
    }
    assert!(site.output().contains_key("collections/tides/index.html"));
}

#[test]
fn an_introduction_is_as_safe_as_a_conversation() {
    let site = site();
    let key = crate::gate::token(3);
    site.write(
        "site.toml",
        format!("{BASE}[people.\"Bea Birch\"]\nas = \"Ivy\"\npseudonym = true\n"),
    );
    site.write("content/bells/_index.md", INDEX.replace("Wer", "Bea Birch"));
    site.run(&["build"]);
    let html = text(&site, "collections/bells/index.html");
    assert!(html.contains("Ivy <strong>") && !html.contains("Birch"), "{html}");
    site.write("content/bells/_index.md", INDEX.replace("Wer", &key));
    let run = site.run(&["build"]);
    assert_eq!(run.code, Some(1), "{}", run.stderr);
    let output = site.output();
    assert!(output.values().all(|bytes| !String::from_utf8_lossy(bytes).contains(&key)));
}

#[test]
fn an_introduction_links_to_pages_of_the_site() {
    let index = "---\ntitle: Bells\n---\n\nFrom [the ringers](/about/), of \
                 [all](/collections/).\n\n## Ropes\n\n[Up](#ropes), [gone](/gone/).\n";
    let site = site();
    site.write("pages/about.md", "# The ringers\n\nThree of them.\n");
    site.write("content/bells/_index.md", index);
    let run = site.build(0);
    let html = text(&site, "collections/bells/index.html");
    for link in ["/base/about/\">the ringers", "/base/collections/\">all", "#ropes\">Up"] {
        assert!(html.contains(link), "{link}: {html}");
    }
    assert!(html.contains(" id=\"ropes\""), "{html}");
    assert!(run.stderr.contains("for the link `/gone/`"), "{}", run.stderr);
    assert!(run.stderr.contains("content/bells/_index.md:9:15"), "{}", run.stderr);
    // It is neither a page of its own nor a conversation.
    assert!(run.stderr.contains("built 6 conversations"), "{}", run.stderr);
    assert!(!site.output().keys().any(|path| path.starts_with("index/")));
}

#[test]
fn an_index_may_list_files_in_their_order() {
    let site = site();
    let listed = INDEX.replace("order: oldest", "order: [small/x.md, one, two.md]");
    site.write("content/bells/_index.md", listed);
    site.write("content/bells/zero.md", talk("2026-01-09", "Bourdon", ""));
    let run = site.build(0);
    let html = text(&site, "collections/bells/index.html");
    // Listed files come before pinned and newer ones.
    assert_eq!(titles(&html), ["Treble", "Tenor", "Bourdon"]);
    let expected = "`content/bells/small/x.md` in `order` is not a conversation in this collection";
    assert!(run.stderr.contains(expected), "{}", run.stderr);
    assert_eq!(run.stderr.matches("unmatched-order").count(), 1, "{}", run.stderr);
    site.write("content/bells/_index.md", INDEX.replace("order: oldest", "order: [1, 2]"));
    let run = site.build(0);
    assert!(run.stderr.contains("or a list of files"), "{}", run.stderr);
}

#[test]
fn a_key_that_withholds_a_folder_is_not_reported_as_unused() {
    for row in ["draft: true", "draft: yes", "draft: \"true\"", "publish: later", "hidden: true"] {
        let site = site();
        let index = INDEX.replace("order: oldest", row);
        site.write("content/bells/_index.md", index);
        let run = site.run(&["build"]);
        assert!(!run.stderr.contains("has no effect"), "{row}: {}", run.stderr);
    }
}

//! Findings of `check` about a site as a whole.

use crate::support::{BASE, Ran, SiteTest, convo, example};

fn check(site: &SiteTest) -> Ran {
    site.run(&["check", "--message-format", "short"])
}

#[test]
fn the_example_is_whole() {
    let ran = check(&example());
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert!(!ran.stderr.contains("dead-link") && !ran.stderr.contains("orphan"), "{}", ran.stderr);
}

#[test]
fn links_that_lead_nowhere_are_told() {
    let site = SiteTest::new().file("content/a.convo", convo("x")).file(
        "templates/not_found.html",
        "<title>x</title><a href=\"/base/nowhere/\">a</a><a href='/outside/'>b</a>\
         <img src=\"/base/no.png\"><a href=\"https://site.example/base/archive/#x\">c</a>\
         <a href=\"https://elsewhere.example/\">d</a><a href=\"//other.example/\">e</a>",
    );
    let ran = check(&site);
    assert_eq!(ran.code, Some(1), "{}", ran.stderr);
    for note in [
        "404.html: error[dead-link]: broken link `/base/nowhere/`",
        "404.html: error[dead-link]: broken link `/base/no.png`",
        "404.html: error[outside-base]: the link `/outside/` is outside the base URL of the site",
    ] {
        assert!(ran.stderr.contains(note), "{note}\n{}", ran.stderr);
    }
    assert_eq!(ran.stderr.matches("error[").count(), 3, "{}", ran.stderr);
    assert!(!site.path("public").exists());
}

#[test]
fn pages_that_nothing_leads_to_are_told() {
    let listing =
        "<title>{{ page.title }}</title><link rel=\"canonical\" href=\"{{ page.canonical }}\">";
    let site = SiteTest::new()
        .file("content/a.convo", convo("x"))
        .file("templates/home.html", listing)
        .file("templates/terms.html", listing);
    let ran = check(&site);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let note = "warning[orphan-page]: no page of the site links to this page";
    assert!(ran.stderr.contains(note), "{}", ran.stderr);
}

#[test]
fn what_search_engines_would_be_told_wrongly_is_told() {
    let head = "<title>Same</title><meta name=\"robots\" content=\"noindex\">\
        <link rel=\"canonical\" href=\"{{ page.canonical }}\">";
    let site = SiteTest::new()
        .file("content/a.convo", convo("x"))
        .file("templates/listing.html", head)
        .file(
            "templates/home.html",
            "<title>Home</title><link rel=\"canonical\" href=\"https://site.example/x/\">",
        );
    let ran = check(&site);
    assert_eq!(ran.code, Some(1), "{}", ran.stderr);
    for note in [
        "the sitemap lists `https://site.example/base/archive/`, but the page has `noindex`",
        "the sitemap lists `https://site.example/base/`, but the page has a different canonical URL",
    ] {
        assert!(ran.stderr.contains(note), "{note}\n{}", ran.stderr);
    }
}

#[test]
fn equal_titles_and_large_pages_are_told() {
    let long = convo(&"Many words in one turn. ".repeat(70_000));
    let titled = |text: &str| {
        convo(text).replace("\"type\"", "\"title\": \"Same\", \"summary\": \"As well.\", \"type\"")
    };
    let site = SiteTest::new()
        .file("content/long.convo", long)
        .file("content/a.convo", titled("One"))
        .file("content/b.convo", titled("Two"));
    let ran = check(&site);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    for note in [
        "warning[page-too-large]: the page is 1.7 MB",
        "hint[duplicate-title]: 2 pages have the same title `Same · Conversations`",
        "hint[duplicate-description]: 2 pages have the same description `As well.`",
    ] {
        assert!(ran.stderr.contains(note), "{note}\n{}", ran.stderr);
    }
}

#[test]
fn a_host_is_told_its_domain() {
    let domain = |config: &str| {
        let site = SiteTest::new().file("site.toml", config).file("content/a.convo", convo("x"));
        site.build(0);
        site.output().remove("CNAME").map(|bytes| String::from_utf8(bytes).expect("UTF-8"))
    };
    let deploy = "[deploy]\nhost = \"github-pages\"\n";
    assert_eq!(domain(&format!("{BASE}{deploy}")).as_deref(), Some("site.example\n"));
    assert_eq!(domain(BASE), None);
    let own = "base_url = \"https://ada.github.io/talks/\"\n";
    assert_eq!(domain(&format!("{own}{deploy}")), None);
    let site = SiteTest::new().file("site.toml", format!("{BASE}[deploy]\nhost = \"moon\"\n"));
    let ran = site.run(&["check"]);
    assert!(ran.stderr.contains("bad-value"), "{}", ran.stderr);
}

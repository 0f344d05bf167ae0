//! Findings of `check` about a site as a whole.

use std::sync::{Arc, Mutex};

use convo_site::check::{CleanFiles, Inspector};
use convo_site::disk;
use convo_site::files::{Memory, SharedFiles};
use convo_site::outputs::Output;
use convo_site::pipeline::{self, Choices};

use crate::support::{BASE, Run, SiteTest, convo, example};

fn check_again(site: &SiteTest) -> Run {
    site.run(&["check", "--message-format", "short"])
}

/// Checks a site that was never built, and twice after a build, when the last check uses what the one before
/// kept: all find the same.
fn check(site: &SiteTest) -> Run {
    let first = check_again(site);
    assert!(!site.path("public").exists() && !site.path(".convo-site").exists());
    let findings = |run: &Run| -> Vec<String> {
        run.stderr.lines().filter(|line| line.contains('[')).map(str::to_owned).collect()
    };
    site.run(&["build"]);
    for _ in 0..2 {
        let again = check_again(site);
        assert_eq!((again.code, findings(&again)), (first.code, findings(&first)));
    }
    assert!(site.path(".convo-site/checked").exists());
    first
}

/// Checks a site with what an earlier check kept. Returns the paths of the files that were made, and what to
/// keep.
fn made(files: &Memory, checked: CleanFiles) -> (Vec<String>, Option<CleanFiles>) {
    let files: SharedFiles = Arc::new(files.clone());
    let build = pipeline::run(&files, &Choices::default(), &pipeline::Memo::default(), &|_| ());
    let build = build.expect("a site");
    let inspector = Inspector::new(&build.config, &build.outputs, build.gate.hash, checked);
    let made = Mutex::new(Vec::new());
    let look = |output: &Output, bytes: &[u8]| {
        made.lock().expect("no panic").push(output.path.to_string());
        inspector.look(output, bytes);
    };
    let is_known = |output: &Output| inspector.recall(output).is_some();
    disk::check(&build.outputs, false, &is_known, &look, &|_, _| ());
    let (_, checked) = inspector.finish();
    let mut made = made.into_inner().expect("no panic");
    made.sort();
    (made, checked)
}

#[test]
fn files_without_problems_are_made_again_only_after_they_changed() {
    let titled = |title: &str| {
        convo(title).replace("\"type\"", &format!("\"title\": \"{title}\", \"type\""))
    };
    let mut files = Memory::default();
    files.insert("site.toml", BASE);
    files.insert("content/a.convo", titled("One"));
    files.insert("content/b.convo", titled("Two"));
    files.insert("templates/not_found.html", "<a href='/base/nowhere/'>x</a>");
    let (all, checked) = made(&files, CleanFiles::default());
    assert!(all.len() > 20, "{all:?}");
    let (again, _) = made(&files, checked.expect("something to keep"));
    assert_eq!(
        again,
        ["404.html", "_headers", "sitemap.xml"],
        "a problem, rules and a list of URLs"
    );
    // With other rules for secrets, one may be found in any file.
    let (_, checked) = made(&files, CleanFiles::default());
    files.insert("site.toml", format!("{BASE}[gate]\npersonal = 'warn'\n"));
    assert_eq!(made(&files, checked.expect("something to keep")).0, all);
}

#[test]
fn what_a_check_keeps_contains_no_text() {
    let site = SiteTest::new().file("content/a.convo", convo("The mill by the river."));
    site.build(0);
    check_again(&site);
    let kept = std::fs::read(site.path(".convo-site/checked")).expect("kept");
    let kept = String::from_utf8_lossy(&kept);
    for word in ["mill", "Ada", "index", "site.example"] {
        assert!(!kept.contains(word), "{word}");
    }
    assert!(kept.len() > 1_000);
}

#[test]
fn the_example_site_has_no_findings() {
    let run = check(&example());
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert!(!run.stderr.contains("dead-link") && !run.stderr.contains("orphan"), "{}", run.stderr);
}

#[test]
fn broken_links_are_reported() {
    let site = SiteTest::new().file("content/a.convo", convo("x")).file(
        "templates/not_found.html",
        "<title>x</title><a href=\"/base/nowhere/\">a</a><a href='/outside/'>b</a>\
         <img src=\"/base/no.png\"><a href=\"https://site.example/base/archive/#x\">c</a>\
         <a href=\"https://elsewhere.example/\">d</a><a href=\"//other.example/\">e</a>",
    );
    let run = check(&site);
    assert_eq!(run.code, Some(1), "{}", run.stderr);
    for note in [
        "404.html: error[dead-link]: broken link `/base/nowhere/`",
        "404.html: error[dead-link]: broken link `/base/no.png`",
        "404.html: error[outside-base]: the link `/outside/` is outside the base URL of the site",
    ] {
        assert!(run.stderr.contains(note), "{note}\n{}", run.stderr);
    }
    assert_eq!(run.stderr.matches("error[").count(), 3, "{}", run.stderr);
}

#[test]
fn unlinked_pages_are_reported() {
    let listing =
        "<title>{{ page.title }}</title><link rel=\"canonical\" href=\"{{ page.canonical }}\">";
    let site = SiteTest::new()
        .file("content/a.convo", convo("x"))
        .file("templates/home.html", listing)
        .file("templates/terms.html", listing);
    let run = check(&site);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let note = "warning[orphan-page]: no page of the site links to this page";
    assert!(run.stderr.contains(note), "{}", run.stderr);
}

#[test]
fn wrong_metadata_for_search_engines_is_reported() {
    let head = "<title>Same</title><meta name=\"robots\" content=\"noindex\">\
        <link rel=\"canonical\" href=\"{{ page.canonical }}\">";
    let site = SiteTest::new()
        .file("content/a.convo", convo("x"))
        .file("templates/listing.html", head)
        .file(
            "templates/home.html",
            "<title>Home</title><link rel=\"canonical\" href=\"https://site.example/x/\">",
        );
    let run = check(&site);
    assert_eq!(run.code, Some(1), "{}", run.stderr);
    for note in [
        "the sitemap lists `https://site.example/base/archive/`, but the page has `noindex`",
        "the sitemap lists `https://site.example/base/`, but the page has a different canonical URL",
    ] {
        assert!(run.stderr.contains(note), "{note}\n{}", run.stderr);
    }
}

#[test]
fn equal_titles_and_large_pages_are_reported() {
    let long = convo(&"Many words in one turn. ".repeat(70_000));
    let titled = |text: &str| {
        convo(text).replace("\"type\"", "\"title\": \"Same\", \"summary\": \"As well.\", \"type\"")
    };
    let site = SiteTest::new()
        .file("content/long.convo", long)
        .file("content/a.convo", titled("One"))
        .file("content/b.convo", titled("Two"));
    let run = check(&site);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    for note in [
        "warning[page-too-large]: the page is 1.7 MB",
        "hint[duplicate-title]: 2 pages have the same title `Same · Conversations`",
        "hint[duplicate-description]: 2 pages have the same description `As well.`",
    ] {
        assert!(run.stderr.contains(note), "{note}\n{}", run.stderr);
    }
}

#[test]
fn a_missing_domain_for_a_host_is_reported() {
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
    let run = site.run(&["check"]);
    assert!(run.stderr.contains("bad-value"), "{}", run.stderr);
}

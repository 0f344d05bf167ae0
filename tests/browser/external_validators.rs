//! Checks pages of the example site with external validators, which `sh tests/run` installs.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use rayon::prelude::*;
use serde_json::Value;

use crate::browser::{Browser, LOOKS};
use crate::support::example::{BASE, OTHERS, files_with, folder_with};
use crate::support::{SiteTest, files_below, own_site, project};
use crate::tools::tool;

/// Configures the same site as a discussion, with all features that add to pages.
const FORUM: &str = "schema = 'forum'\n\
    og_images = { per_conversation = true }";

/// The folders of all sites: versions of the example site, and of the site that uses every key.
fn with_sites<T>(look: impl FnOnce(&[PathBuf]) -> T) -> T {
    let lines = [""].into_iter().chain(OTHERS).chain([FORUM]);
    let own = own_site::THEMES.iter().map(|theme| own_site::folder_with(theme, true));
    let sites: Vec<tempfile::TempDir> = lines.map(folder_with).chain(own).collect();
    look(&sites.iter().map(|site| site.path().to_owned()).collect::<Vec<_>>())
}

/// The conversations of a site, its single pages, and two listings of each kind.
fn one_list_of_each_kind(site: &Path) -> Vec<PathBuf> {
    let mut pages = Vec::new();
    let mut lists = BTreeMap::<String, usize>::new();
    for name in files_below(site).into_keys().filter(|name| name.ends_with(".html")) {
        let kind = name.split_once('/').map_or("", |(folder, _)| folder);
        let number = lists.entry(kind.to_owned()).or_default();
        *number += 1;
        let is_main = name.matches('/').count() < 2;
        if kind.is_empty() || kind == "c" || is_main || *number == 1 {
            pages.push(site.join(name));
        }
    }
    pages
}

#[track_caller]
fn assert_silent(output: &Output) {
    let printed = [&output.stdout, &output.stderr].map(|out| String::from_utf8_lossy(out));
    let printed = printed.join("");
    assert!(output.status.success() && printed.trim().is_empty(), "{printed}");
}

#[test]
fn the_nu_checker_finds_no_error() {
    let run = with_sites(|folders| {
        Command::new("java")
            .args(["-Xss4m", "-jar"])
            .arg(tool("VNU_JAR"))
            .args(["--errors-only", "--skip-non-html", "--format", "gnu"])
            .args(folders)
            .output()
    });
    assert_silent(&run.expect("java"));
}

#[test]
fn html_validate_finds_no_error() {
    let run = with_sites(|folders| {
        // For the same site in another theme, one listing of each kind is enough.
        let (first, others) = folders.split_first().expect("a site");
        let mut pages = vec![first.clone()];
        pages.extend(others.iter().flat_map(|folder| one_list_of_each_kind(folder)));
        Command::new(tool("NODE_TOOLS").join("node_modules/.bin/html-validate"))
            .arg("--config")
            .arg(project().join("tests/tools/htmlvalidate.json"))
            .args(["--formatter", "text"])
            .args(pages)
            .output()
    });
    assert_silent(&run.expect("node"));
}

/// The path of the page of one conversation.
fn conversation(files: &BTreeMap<String, Vec<u8>>, part: &str) -> String {
    let mut pages = files.keys().filter(|path| path.starts_with("c/"));
    let page = pages.find(|path| path.contains(part) && path.ends_with("index.html"));
    page.expect("a page").trim_end_matches("index.html").to_owned()
}

/// One page of each kind.
fn kinds(files: &BTreeMap<String, Vec<u8>>) -> Vec<String> {
    let lists = ["", "404.html", "search/", "archive/", "archive/2026/", "speakers/"];
    let mut pages: Vec<String> = lists.map(str::to_owned).into();
    pages.extend(["speakers/maren/", "statistics/"].map(str::to_owned));
    pages.push(conversation(files, "letters-about"));
    pages
}

#[test]
fn axe_finds_no_violation() {
    let axe = tool("NODE_TOOLS").join("node_modules/axe-core/axe.min.js");
    let axe = std::fs::read_to_string(axe).expect("axe");
    let mut bad = Vec::new();
    for line in [""].into_iter().chain(OTHERS) {
        let files = files_with(line);
        let kinds = kinds(&files);
        let is_page = |path: &&String| path.starts_with("c/") && path.ends_with(".html");
        let all = files.keys().filter(is_page).map(|path| path.trim_end_matches("index.html"));
        let all: Vec<String> = all.map(str::to_owned).collect();
        let mut browser = Browser::start(BASE, files);
        // All conversations of the first site, and each kind of page of all sites with two windows: findings
        // of axe depend little on the window and the colours.
        let others = all.iter().filter(|path| line.is_empty() && !kinds.contains(path));
        for path in kinds.iter().chain(others) {
            let looks =
                if kinds.contains(path) { [LOOKS[0], LOOKS[3]].to_vec() } else { vec![LOOKS[0]] };
            browser.appear(1280, false);
            browser.open(&convo_site::text::percent_encode(path));
            browser.evaluate(&axe);
            // The content of folds counts too.
            browser
                .evaluate("document.querySelectorAll('main details').forEach(e => e.open = true)");
            if path.is_empty() {
                // With the search dialog open.
                browser.evaluate(SEARCH);
                browser.wait_for(
                    "document.querySelectorAll('[role=option] mark').length > 1 && \
                     document.querySelectorAll('[role=group] a + a').length > 0",
                );
            }
            for (width, dark) in looks {
                browser.look(width, dark);
                let found = browser.evaluate(AXE);
                if found.as_array().is_none_or(|found| !found.is_empty()) {
                    bad.push(format!("{line} {width} {dark} {path}: {found}"));
                }
            }
        }
    }
    assert!(bad.is_empty(), "{}", bad.join("\n"));
}

/// Opens the search and types a word.
pub(crate) const SEARCH: &str = "{ const field = document.querySelector('#site-search input'); field.value = 'the'; \
     field.dispatchEvent(new Event('input', {bubbles: true})); }";

/// Axe does not read MathML, so for it a table heading that is only a formula has no text.
pub(crate) const AXE: &str = r#"axe.run(document, {resultTypes: ['violations'], rules: {'target-size': {enabled: true}}}).then(({violations}) =>
    violations.flatMap(({id, nodes}) => nodes
        .filter(({html}) => !(id === 'empty-table-header' && html.includes('<math')))
        .map(({html, failureSummary}) => [id, html.slice(0, 200), failureSummary])))"#;

#[test]
fn lighthouse_has_no_findings() {
    let (site, files) = (folder_with(""), files_with(""));
    let pages = ["".to_owned(), conversation(&files, "letters-about"), "speakers/maren/".into()];
    let run = Command::new("node")
        .arg(project().join("tests/tools/lighthouse.mjs"))
        .arg(tool("NODE_TOOLS"))
        .arg(site.path())
        .arg("/tidal-mill/")
        .args(&pages)
        .output()
        .expect("node");
    let stdout = String::from_utf8_lossy(&run.stdout);
    let lines: Vec<Value> =
        stdout.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!(lines.len(), 2 * pages.len(), "{}", String::from_utf8_lossy(&run.stderr));
    for line in lines {
        // The canonical URL differs from the local one.
        assert_eq!(line["scores"], serde_json::json!([1, 1, 1]), "{line}");
    }
}

/// The data that extruct reads in each page of a site, by path.
fn extracted(site: &Path) -> BTreeMap<String, Value> {
    let run = Command::new("python3")
        .arg(project().join("tests/tools/extract.py"))
        .arg(site)
        .env("PYTHONPATH", tool("PYTHON_TOOLS"))
        .output()
        .expect("python3");
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    let lines = String::from_utf8_lossy(&run.stdout).into_owned();
    let pages = lines.lines().map(|line| serde_json::from_str::<Value>(line).expect("JSON"));
    pages.map(|page| (page["path"].as_str().expect("a path").to_owned(), page)).collect()
}

#[test]
fn extruct_reads_articles_correctly() {
    let (site, files) = (folder_with(""), files_with(""));
    let pages = extracted(site.path());
    assert_eq!(pages.len(), files.keys().filter(|path| path.ends_with(".html")).count());
    let (mut articles, mut messages) = (0, 0);
    for (path, page) in &pages {
        if path == "404.html" {
            continue;
        }
        let documents = page["json-ld"].as_array().expect("JSON-LD");
        assert_eq!(documents.len(), 1, "{path}");
        assert!(page["microdata"].as_array().is_some_and(Vec::is_empty), "{path}");
        let graph = documents[0]["@graph"].as_array().expect("a graph");
        let ids: BTreeSet<&str> = graph.iter().filter_map(|node| node["@id"].as_str()).collect();
        for node in graph {
            for key in ["mainEntity", "mainEntityOfPage", "breadcrumb"] {
                if let Some(id) = node[key]["@id"].as_str() {
                    assert!(ids.contains(id), "{path}: {key} is nowhere");
                }
            }
            if node["@type"] != serde_json::json!(["Article", "Conversation"]) {
                continue;
            }
            articles += 1;
            let authors = node["author"].as_array().expect("authors");
            assert!(!authors.is_empty() && node["headline"].is_string(), "{path}");
            for author in authors {
                let kind = author["@type"].as_str().expect("a type");
                assert!(["Person", "Organization"].contains(&kind), "{path}: {author}");
                assert!(author["name"].is_string() && author["url"].is_string());
            }
            let ids: Vec<&Value> = authors.iter().map(|author| &author["@id"]).collect();
            for message in node["hasPart"].as_array().expect("parts") {
                messages += 1;
                assert_eq!(message["@type"], "Message");
                assert!(ids.contains(&&message["author"]["@id"]), "{path}: {message}");
                assert!(message.get("text").is_none(), "{path}: {message}");
            }
        }
    }
    assert!(articles >= 26 && messages > 200, "{articles} {messages}");
}

#[test]
fn extruct_reads_discussions_correctly() {
    let site = folder_with(FORUM);
    let (mut posts, mut answers) = (0, 0);
    for (path, page) in extracted(site.path()) {
        let found = page["microdata"].as_array().expect("microdata");
        let has_article = page["json-ld"].to_string().contains("\"Article\"");
        let Some(post) = found.first() else { continue };
        assert!(found.len() == 1 && !has_article, "{path}");
        assert_eq!(post["type"], "https://schema.org/DiscussionForumPosting");
        posts += 1;
        let comments = match &post["properties"]["comment"] {
            Value::Array(list) => list.clone(),
            Value::Null => Vec::new(),
            one => vec![one.clone()],
        };
        answers += comments.len();
        for (what, kind) in [(post, "DiscussionForumPosting")]
            .into_iter()
            .chain(comments.iter().map(|comment| (comment, "Comment")))
        {
            assert_eq!(what["type"], format!("https://schema.org/{kind}"), "{path}");
            let properties = &what["properties"];
            // The fields that Google requires.
            for key in ["text", "datePublished", "url"] {
                let is_there = properties[key].as_str().is_some_and(|text| !text.trim().is_empty());
                assert!(is_there, "{path}: {key}: {properties}");
            }
            assert!(properties["author"]["properties"]["name"].is_string(), "{path}: {properties}");
            assert!(
                properties["url"].as_str().is_some_and(|url| url.starts_with(BASE)),
                "{properties}"
            );
        }
        assert_ne!(post["properties"]["text"], post["properties"]["headline"], "{path}");
    }
    assert!(posts >= 3 && answers > 10, "{posts} {answers}");
}

#[test]
fn cjson_of_every_format_is_valid() {
    let site = SiteTest::new();
    let cases = project().join("tests/formats");
    let inputs = walkdir::WalkDir::new(&cases).min_depth(3).max_depth(3).into_iter().flatten();
    let is_input = |path: &PathBuf| path.file_stem().is_some_and(|stem| stem == "input");
    let inputs: Vec<PathBuf> = inputs.map(walkdir::DirEntry::into_path).filter(is_input).collect();
    inputs.par_iter().enumerate().for_each(|(number, input)| {
        let format = input.strip_prefix(&cases).expect("below").iter().next().expect("a format");
        let (input, out) = (input.to_str().expect("UTF-8"), format!("out/{number}/"));
        let args = ["convert", "--include-private", "--to", "cjson", "-o", &out, input];
        // Files without a clear format are read as the format of their folder.
        if site.run(&args).code != Some(0) || !site.path(&out).exists() {
            let from = ["--from", format.to_str().expect("UTF-8")];
            site.run(&[&args[..], &from].concat());
        }
    });
    let run = Command::new("node")
        .arg(project().join("tests/tools/validate_json.mjs"))
        .arg(tool("NODE_TOOLS"))
        .arg(project().join("tests/data/cjson/conversation.schema.json"))
        .arg(site.path("out"))
        .output()
        .expect("node");
    let report = String::from_utf8_lossy(&run.stdout);
    let (invalid, count) = report.trim().rsplit_once('\n').unwrap_or(("", report.trim()));
    assert_eq!(invalid, "", "{}", String::from_utf8_lossy(&run.stderr));
    assert!(count.parse::<usize>().is_ok_and(|count| count > 500), "{count}");
}

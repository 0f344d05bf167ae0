//! Options for hosts: the kind of search, the files beside each page, and the list of changes for
//! uploads.

use std::collections::BTreeMap;
use std::io::Read;

use crate::support::{BASE, SiteTest};

const TALK: &str = "---\ntitle: Why eels?\ndate: 2026-03-04\nspeakers: [Ada, Bo]\n\
    tags: [eels]\n---\n**Ada:** Do eels *climb* weirs?\n\n**Bo:** At night they do.\n";

fn site(config: &str) -> SiteTest {
    SiteTest::new()
        .file("site.toml", format!("{BASE}title = 'The Mill'\n{config}"))
        .file("content/talk.md", TALK)
        .file("pages/about.md", "# About\n\nThe mill.\n")
}

/// The text of all HTML pages, without URLs of assets, which contain hashes.
fn pages(output: &BTreeMap<String, Vec<u8>>) -> BTreeMap<&str, String> {
    let pages = output.iter().filter(|(path, _)| path.ends_with(".html"));
    pages
        .map(|(path, bytes)| (path.as_str(), String::from_utf8(bytes.clone()).expect("UTF-8")))
        .collect()
}

#[test]
fn a_site_without_search_has_no_search_files() {
    let with = site("");
    with.build(0);
    let with = with.output();
    assert!(with.contains_key("search/index.html") && with.contains_key("search/index.json"));
    let site = site("[search]\nengine = 'none'\n");
    let run = site.build(0);
    assert!(run.stderr.contains("no warnings"), "{}", run.stderr);
    let without = site.output();
    let names: Vec<&String> =
        without.keys().filter(|path| path.contains("search") || path.contains("mark.")).collect();
    assert!(names.is_empty(), "{names:?}");
    let headers = String::from_utf8_lossy(&without["_headers"]);
    assert!(!headers.contains("search/"), "{headers}");
    for (path, html) in pages(&without) {
        for part in ["type=\"search\"", "role=\"search\"", "site-search", "mark.", "/search/"] {
            assert!(!html.contains(part), "{path} has {part}");
        }
    }
    // All other files are unchanged.
    let rest = |output: &BTreeMap<String, Vec<u8>>| -> Vec<String> {
        let is_rest = |path: &&String| !path.contains("search/") && !path.starts_with("assets/");
        output.keys().filter(is_rest).cloned().collect()
    };
    assert_eq!(rest(&with), rest(&without));
    // Changing an option back and forth leaves no files behind.
    site.write("site.toml", format!("{BASE}title = 'The Mill'\n"));
    site.build(0);
    assert_eq!(site.output(), with);
}

#[test]
fn an_unknown_search_engine_keeps_the_search() {
    let site = site("[search]\nengine = 'elastic'\n");
    let run = site.build(1);
    assert!(run.stderr.contains("site.toml:4:10"), "{}", run.stderr);
    assert!(site.output().contains_key("search/index.json"));
}

#[test]
fn markdown_copies_can_be_turned_off() {
    let with = site("");
    with.build(0);
    let site = site("markdown = false\n");
    site.build(0);
    let (with, without) = (with.output(), site.output());
    assert!(with.keys().any(|path| path.ends_with("index.md")));
    let rest: Vec<&String> = with
        .keys()
        .filter(|path| !path.ends_with("index.md") && !path.starts_with("assets/search"))
        .collect();
    let now: Vec<&String> =
        without.keys().filter(|path| !path.starts_with("assets/search")).collect();
    assert_eq!(rest, now);
    // No page mentions one, and no page offers a feature that needs one.
    for (path, html) in pages(&without) {
        for part in ["index.md", "text/markdown", "value=\"markdown\"", "value=\"quotation\""] {
            assert!(!html.contains(part), "{path} has {part}");
        }
    }
    for name in ["llms.txt", "_headers"] {
        let text = String::from_utf8_lossy(&without[name]);
        assert!(!text.contains("index.md"), "{text}");
    }
    assert!(String::from_utf8_lossy(&without["llms.txt"]).contains("/base/c/2026-03-04-why-eels"));
    // The index is unchanged, as it is built from the same turns.
    let index = |output: &BTreeMap<String, Vec<u8>>| -> Vec<(String, Vec<u8>)> {
        let files = output.iter().filter(|(path, _)| path.starts_with("search/"));
        let files = files.filter(|(path, _)| !path.ends_with(".html"));
        files.map(|(path, bytes)| (path.clone(), bytes.clone())).collect()
    };
    assert!(index(&with).len() > 3);
    assert_eq!(index(&with), index(&without));
}

#[test]
fn turns_are_published_as_json() {
    let site = site("turns_json = true\npage_turns = 2\n").file(
        "content/long.md",
        "---\ntitle: Tides\nspeakers: [Ada, Bo]\n---\n**Ada:** <b>One</b> & *two*.\n\n**Bo:** Three.\n\n\
         **Ada:** Four.\n\n---\n\n**Bo:** Five.\n",
    );
    site.build(0);
    let output = site.output();
    let file = |start: &str| -> (String, serde_json::Value) {
        let mut found = output
            .iter()
            .filter(|(path, _)| path.starts_with(start) && path.ends_with("turns.json"));
        let (path, bytes) = found.next().expect(start);
        assert!(!bytes.contains(&b'<'), "{path} is safe in a script");
        (path.clone(), serde_json::from_slice(bytes).expect("JSON"))
    };
    let (path, talk) = file("c/2026-03-04-why-eels");
    let url = format!("https://site.example/base/{}", path.trim_end_matches("turns.json"));
    assert_eq!(talk["version"], 1);
    assert_eq!(talk["url"], url);
    assert_eq!(talk["title"], "Why eels?");
    assert_eq!(talk["date"], "2026-03-04");
    assert_eq!((&talk["part"], &talk["parts"]), (&1.into(), &1.into()));
    let turns = talk["turns"].as_array().expect("turns");
    assert_eq!(turns.len(), 2);
    assert_eq!(turns[0]["speaker"], "Ada");
    assert_eq!(turns[0]["role"], "person");
    assert_eq!(turns[0]["text"], "Do eels *climb* weirs?");
    let id = turns[0]["id"].as_str().expect("an id");
    assert_eq!(turns[0]["url"], format!("{url}#{id}"));
    let page = String::from_utf8_lossy(&output[&path.replace("turns.json", "index.html")]);
    assert!(page.contains(&format!("id=\"{id}\"")));
    assert!(page.contains(&format!(
        "<link rel=\"alternate\" type=\"application/json\" href=\"/base/{path}\">"
    )));
    // A long conversation has a file beside each of its pages, and each links to the next one.
    let long: Vec<(&String, serde_json::Value)> = output
        .iter()
        .filter(|(path, _)| path.starts_with("c/tides") && path.ends_with("turns.json"))
        .map(|(path, bytes)| (path, serde_json::from_slice(bytes).expect("JSON")))
        .collect();
    assert_eq!(long.len(), 2, "{:?}", output.keys());
    let last = long.iter().find(|(_, file)| file["part"] == 2).expect("the last");
    let first = long.iter().find(|(_, file)| file["part"] == 1).expect("the first");
    assert_eq!(first.1["next"], format!("https://site.example/base/{}", last.0));
    assert_eq!(last.1["previous"], format!("https://site.example/base/{}", first.0));
    let texts: Vec<&str> = [&first.1, &last.1]
        .iter()
        .flat_map(|file| file["turns"].as_array().expect("turns"))
        .map(|turn| turn["text"].as_str().expect("a text"))
        .collect();
    assert_eq!(texts.len(), 4);
    assert!(texts[0].contains("& *two*") && texts[3].starts_with("Five"), "{texts:?}");
    let llms = String::from_utf8_lossy(&output["llms.txt"]).into_owned();
    assert!(llms.contains("`turns.json`"), "{llms}");
    site.write("site.toml", BASE);
    site.build(0);
    assert!(!site.output().keys().any(|path| path.ends_with("turns.json")));
}

/// Copies for programs only link to things on the site.
#[test]
fn copies_contain_the_urls_of_attachments() {
    let record = r#"[{"header": "Gemini Apps", "title": "Prompted What is on these lists?",
        "attachedFiles": ["list.txt", "gone.txt"], "time": "2026-03-04T10:00:00Z",
        "safeHtmlItem": [{"html": "<p>Rakes.</p>"}], "products": ["Gemini Apps"]}]"#;
    let site = site("turns_json = true\n")
        .file("content/MyActivity.json", record)
        .file("content/list.txt", "Two rakes, one spade and a barrow.\n");
    site.run(&["build"]);
    let output = site.output();
    for name in ["index.md", "turns.json"] {
        let path =
            output.keys().find(|path| path.contains("on-these-lists") && path.ends_with(name));
        let copy = String::from_utf8_lossy(&output[path.expect(name)]).into_owned();
        // JSON that is safe in a script contains no angle brackets.
        let copy = copy.replace("\\u003c", "<").replace("\\u003e", ">");
        let (_, link) = copy.split_once("[list.txt](<").expect(&copy);
        let address = link.split('>').next().expect("an end");
        let file = address.strip_prefix("https://site.example/base/").expect(address);
        assert!(output.contains_key(file), "{file}");
        assert!(copy.contains("gone.txt"), "{copy}");
        assert!(!copy.contains("gone.txt]("), "{copy}");
    }
}

/// Unpacks a file according to its extension.
fn unpacked(path: &str, bytes: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    let read = match path.ends_with(".gz") {
        true => flate2::read::GzDecoder::new(bytes).read_to_end(&mut out),
        false => brotli::Decompressor::new(bytes, 4096).read_to_end(&mut out),
    };
    read.expect(path);
    out
}

#[test]
fn packed_copies_are_beside_their_files() {
    let plain = site("").file("static/small.txt", "a\n");
    plain.build(0);
    let plain = plain.output();
    let site = site("[output]\nprecompress = ['gzip', 'br']\n").file("static/small.txt", "a\n");
    let first = site.build(0);
    let output = site.output();
    let is_copy = |path: &str| path.ends_with(".gz") || path.ends_with(".br");
    let mut copies = 0;
    for (path, bytes) in output.iter().filter(|(path, _)| is_copy(path)) {
        let whole = &output[&path[..path.len() - 3]];
        assert_eq!(&unpacked(path, bytes), whole, "{path}");
        assert!(bytes.len() < whole.len(), "{path}");
        copies += 1;
    }
    assert!(copies > 20, "{copies}");
    for ending in [".html.br", ".html.gz", ".css.br", ".js.gz", ".md.gz", ".json.br", ".xml.gz"] {
        assert!(output.keys().any(|path| path.ends_with(ending)), "{ending}");
    }
    assert!(!output.contains_key(".nojekyll.gz") && !output.contains_key("_headers.br"));
    let files = |output: &BTreeMap<String, Vec<u8>>| -> Vec<(String, usize)> {
        let is_file = |path: &String| !is_copy(path) && !path.starts_with(".convo-site");
        let files = output.iter().filter(|(path, _)| is_file(path));
        files.map(|(path, bytes)| (path.clone(), bytes.len())).collect()
    };
    assert_eq!(files(&output), files(&plain));
    // Files that would not become smaller have no packed copy, and are not tried again.
    assert!(first.stderr.contains("files written"), "{}", first.stderr);
    let again = site.build(0);
    assert!(again.stderr.contains("; 0 files written"), "{}", again.stderr);
    // `check` finds every difference from what a build would write.
    let args = ["check", "--publish", "--message-format", "short"];
    let checked = site.run(&args);
    assert!(!checked.stderr.contains("stale-output"), "{}", checked.stderr);
    let small = "small.txt.br";
    assert!(!output.contains_key(small));
    site.write(&format!("public/{small}"), "old");
    let checked = site.run(&args);
    assert!(checked.stderr.contains("stale-output"), "{}", checked.stderr);
    site.build(0);
    assert_eq!(site.output(), output);
    // A clean build writes the same bytes, and no files of a packing that is not wanted.
    site.run(&["clean"]);
    site.build(0);
    assert_eq!(site.output(), output);
    site.write("site.toml", format!("{BASE}title = 'The Mill'\n[output]\nprecompress = ['br']\n"));
    site.build(0);
    let output = site.output();
    assert!(output.keys().any(|path| path.ends_with(".br")));
    assert!(!output.keys().any(|path| path.ends_with(".gz")));
}

#[test]
fn server_configurations_use_packed_files() {
    let printed = |config: &str, host: &str| {
        let site = site(config);
        let run = site.run(&["init", ".", "--deploy", host, "--print"]);
        assert_eq!(run.code, Some(0), "{}", run.stderr);
        run.stdout
    };
    let both = "[output]\nprecompress = ['gzip', 'br']\n";
    assert!(printed(both, "caddy").contains("\tprecompressed br gzip\n"));
    assert!(!printed("", "caddy").contains("precompressed"));
    let nginx = printed(both, "nginx");
    assert!(nginx.contains("\tgzip_static on;\n") && nginx.contains("#brotli_static on;\n"));
    assert!(!printed("", "nginx").contains("_static"));
}

/// The list of changes of a build, by path.
fn changed(site: &SiteTest, args: &[&str]) -> (Option<i32>, BTreeMap<String, String>) {
    let run = site.run(&[&["build", "--changed-list", "changed.tsv"], args].concat());
    let text = std::fs::read_to_string(site.path("changed.tsv")).expect("a list");
    let lines: Vec<&str> = text.lines().collect();
    let rows = lines.iter().map(|line| line.split_once('\t').expect("a tab"));
    let rows: Vec<(String, String)> =
        rows.map(|(word, path)| (path.to_owned(), word.to_owned())).collect();
    assert!(rows.is_sorted(), "{text}");
    (run.code, rows.into_iter().collect())
}

#[test]
fn a_build_lists_what_it_changed() {
    let site = site("");
    let (code, first) = changed(&site, &[]);
    assert_eq!(code, Some(0));
    let output = site.output();
    let mut paths: Vec<&String> = first.keys().collect();
    paths.push(output.keys().find(|path| path.starts_with(".convo-site")).expect("the list"));
    paths.sort();
    assert_eq!(paths, output.keys().collect::<Vec<_>>());
    assert!(first.values().all(|word| word == "written"));
    assert_eq!(changed(&site, &[]), (Some(0), BTreeMap::new()));
    // The list equals the difference between the folder before and after.
    site.write("content/talk.md", TALK.replace("At night", "By day"));
    std::fs::remove_file(site.path("pages/about.md")).expect("removed");
    let (_, rows) = changed(&site, &[]);
    let now = site.output();
    let mut expected = BTreeMap::new();
    for (path, bytes) in &now {
        if output.get(path) != Some(bytes) && !path.starts_with(".convo-site") {
            expected.insert(path.clone(), "written".to_owned());
        }
    }
    for path in output.keys().filter(|path| !now.contains_key(*path)) {
        expected.insert(path.clone(), "removed".to_owned());
    }
    assert!(expected["about/index.html"] == "removed" && expected.len() > 4, "{expected:?}");
    assert_eq!(rows, expected);
}

#[test]
fn a_failed_build_lists_its_changes() {
    let site = site("");
    changed(&site, &[]);
    // A file of someone else is in the way: outdated files are removed, and nothing is written.
    site.write("content/talk.md", TALK.replace("Why eels?", "Why not?"));
    std::fs::remove_file(site.path("pages/about.md")).expect("removed");
    site.write("pages/mill.md", "# Mill\n");
    site.write("public/mill/index.html", "mine");
    let (code, rows) = changed(&site, &[]);
    assert_eq!(code, Some(2));
    assert!(rows.values().all(|word| word == "removed"), "{rows:?}");
    assert!(rows.contains_key("about/index.html"), "{rows:?}");
    // Nothing is planned, so nothing is done, and no list of an earlier build remains.
    site.write("site.toml", "title = ");
    assert_eq!(changed(&site, &[]), (Some(2), BTreeMap::new()));
    // A list that cannot be written is reported.
    let run = site.run(&["build", "--changed-list", "no/such/folder/list"]);
    assert_eq!(run.code, Some(2));
    assert!(run.stderr.contains("no/such/folder"), "{}", run.stderr);
}

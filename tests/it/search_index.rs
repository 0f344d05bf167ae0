//! `search-index`: writes the turns of a site for a search engine and sends them, whatever errors
//! the engine reports.
#![cfg(feature = "search-engine")]

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::support::engine::{Engine, Fault};
use crate::support::{BASE, Run, SiteTest};

fn talk(title: &str, text: &str) -> String {
    format!(
        "---\ntitle: {title}\ndate: 2026-03-04\nspeakers: [Ada Birch, Bo]\nlanguage: en\n\
         tags: [eels]\n---\n**Ada Birch:** {text}\n\n**Bo:** They do `snake_case` at night.\n"
    )
}

fn site() -> SiteTest {
    SiteTest::new()
        .file("site.toml", format!("{BASE}title = 'The Mill'\n"))
        .file("content/eels.md", talk("Why eels?", "Do eels *climb* weirs?"))
        .file("content/tides.md", talk("Tides", "The tides are coming."))
        .file(
            "content/secret.md",
            talk("Hush", "Nobody hears.").replacen("---\n", "---\nvisibility: private\n", 1),
        )
        .file(
            "content/quiet.md",
            talk("Quiet", "Not to be found.").replacen("---\n", "---\nsearch: false\n", 1),
        )
}

/// The documents that convo-site writes, by id.
fn written(site: &SiteTest) -> BTreeMap<String, Value> {
    let run = site.run(&["search-index", "--to", "ndjson"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let documents = run.stdout.lines().map(|line| {
        let document: Value = serde_json::from_str(line).expect("JSON");
        (document["id"].as_str().expect("an id").to_owned(), document)
    });
    let all: BTreeMap<String, Value> = documents.collect();
    assert_eq!(all.len(), run.stdout.lines().count(), "each id once");
    all
}

fn send(site: &SiteTest, engine: &Engine, args: &[&str]) -> Run {
    let url = format!("{}/talks", engine.address);
    site.run(&[&["search-index", "--to", "opensearch", url.as_str()], args].concat())
}

/// Sends the documents, and checks that the index of the alias contains each one once.
#[track_caller]
fn sent(site: &SiteTest, engine: &Engine) -> String {
    let run = send(site, engine, &[]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert_eq!(behind(engine), written(site));
    run.stderr
}

/// The documents that readers find: those of the only index with the alias.
#[track_caller]
fn behind(engine: &Engine) -> BTreeMap<String, Value> {
    engine.with(|indices| {
        let mut with_alias = indices.values().filter(|one| one.aliases == ["talks"]);
        let found = with_alias.next().expect("an index with the alias");
        assert!(with_alias.next().is_none(), "one index has the alias");
        found.documents.clone()
    })
}

#[test]
fn documents_contain_the_turns_of_the_site_index() {
    let site = site();
    let all = written(&site);
    assert_eq!(all.len(), 6, "two conversations of two turns, and their titles");
    let of = |n: u64| {
        let mut found = all.values().filter(|one| {
            one["n"] == n && one["conversation"].as_str().is_some_and(|path| path.contains("eels"))
        });
        found.next().expect("a document").clone()
    };
    let (first, second, title) = (of(1), of(2), of(0));
    assert_eq!(first["speaker"], "Ada Birch");
    assert_eq!(first["text"], "Do eels climb weirs?\n");
    assert_eq!(first["terms"], json!(["do eel climb weir"]));
    assert_eq!(first["names"], json!(["ada birch"]));
    assert_eq!(first["titles"], json!(["whi eel"]));
    assert_eq!(first["filters"], "speaker:ada speaker:birch lang:en tag:eels");
    assert_eq!((&first["day"], &first["year"]), (&json!(20_260_304), &json!("2026")));
    assert_eq!(second["terms"], json!(["they do snak cas at night", "snake_case"]));
    assert_eq!((&title["turns"], &title["terms"]), (&json!(2), &json!(["whi eel"])));
    assert!(title["filters"].as_str().is_some_and(|all| all.contains("is:title")));
    // All documents refer to existing pages.
    site.build(0);
    let output = site.output();
    for document in all.values() {
        let url = document["url"].as_str().expect("a place");
        let (page, anchor) = url.split_once('#').unwrap_or((url, ""));
        let html = String::from_utf8_lossy(&output[&format!("{page}index.html")]).into_owned();
        assert!(anchor.is_empty() || html.contains(&format!("id=\"{anchor}\"")), "{url}");
    }
    let all = serde_json::to_string(&all.values().collect::<Vec<_>>()).expect("JSON");
    assert!(!all.contains("Hush") && !all.contains("Not to be found"), "{all}");
}

#[test]
fn a_folder_contains_the_index_definitions_too() {
    let site = site();
    let run = site.run(&["search-index", ".", "--to", "ndjson", "out/engine"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert!(run.stderr.contains("wrote 6 documents of 2 conversations"), "{}", run.stderr);
    let text =
        |name: &str| std::fs::read_to_string(site.path("out/engine").join(name)).expect(name);
    assert_eq!(text("documents.ndjson").lines().count(), 6);
    let opensearch: Value = serde_json::from_str(&text("opensearch.json")).expect("JSON");
    let quickwit: Value = serde_json::from_str(&text("quickwit.json")).expect("JSON");
    let fields = opensearch["mappings"]["properties"].as_object().expect("fields");
    let of_quickwit = quickwit["doc_mapping"]["field_mappings"].as_array().expect("fields");
    let mut names: Vec<&str> =
        of_quickwit.iter().map(|field| field["name"].as_str().expect("a name")).collect();
    names.sort_unstable();
    let mut known: Vec<&str> = fields.keys().map(String::as_str).collect();
    known.sort_unstable();
    assert_eq!(known, names);
    // Both mappings are strict: every field of a document is defined.
    for line in text("documents.ndjson").lines() {
        let document: Value = serde_json::from_str(line).expect("JSON");
        for name in document.as_object().expect("fields").keys() {
            assert!(fields.contains_key(name), "{name}");
        }
    }
    let run = site.run(&["search-index", "--to", "ndjson", "out/all.ndjson", "--quiet"]);
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
    let alone = std::fs::read_to_string(site.path("out/all.ndjson")).expect("a file");
    assert_eq!(alone, text("documents.ndjson"));
}

#[test]
fn only_changes_are_sent_and_removals_come_first() {
    let (site, engine) = (site(), Engine::start());
    let messages = sent(&site, &engine);
    assert!(messages.contains("indexed 6 documents of 2 conversations"), "{messages}");
    assert!(messages.contains("new index `talks-1`"), "{messages}");
    let first = engine.requests();
    let made = first.iter().find(|request| request.method == "PUT").expect("an index is made");
    assert_eq!(made.path, "/talks-1");
    // The alias is set once the index is complete.
    let place = |what: &str| first.iter().rposition(|request| request.path.ends_with(what));
    assert!(place("_aliases") > place("_bulk") && place("_bulk").is_some());

    let messages = sent(&site, &engine);
    assert!(messages.contains("indexed 0 documents"), "{messages}");
    let again = engine.requests();
    assert!(!again.iter().any(|request| request.path.contains("_bulk")), "{again:#?}");

    // One conversation has fewer turns, one is new, and one is excluded from search.
    let shorter = talk("Why eels?", "Do eels *climb* weirs?");
    site.write("content/eels.md", shorter.split("\n\n**Bo").next().expect("a turn"));
    site.write("content/mill.md", talk("The mill", "It turns."));
    std::fs::remove_file(site.path("content/tides.md")).expect("removed");
    let messages = sent(&site, &engine);
    assert!(
        messages.contains("of 2 conversations") && messages.contains("1 removed"),
        "{messages}"
    );
    let requests = engine.requests();
    let is_bulk = |path: &str| path.ends_with("_bulk");
    let bulk = requests.iter().position(|one| is_bulk(&one.path)).expect("a bulk");
    let removal = requests.iter().position(|one| one.path.ends_with("_delete_by_query"));
    assert!(removal.is_some_and(|removal| removal < bulk), "{requests:#?}");
    let sent: usize =
        requests.iter().filter(|one| is_bulk(&one.path)).map(|one| one.documents().len()).sum();
    assert_eq!(sent, 5);
    assert_eq!(engine.with(|indices| indices.len()), 1);
}

#[test]
fn an_index_of_another_format_is_rebuilt_and_swapped() {
    let (site, engine) = (site(), Engine::start());
    sent(&site, &engine);
    engine.with(|indices| {
        let old = indices.get_mut("talks-1").expect("the index");
        old.about["mappings"]["_meta"]["convo-site"] = json!(0);
        old.documents.values_mut().for_each(|one| one["version"] = json!("old"));
    });
    engine.requests();
    let messages = sent(&site, &engine);
    assert!(messages.contains("new index `talks-2`"), "{messages}");
    assert_eq!(engine.with(|indices| indices.keys().cloned().collect::<Vec<_>>()), ["talks-2"]);
    let requests = engine.requests();
    let of_old = |path: &str| path.starts_with("/talks-1");
    assert!(requests.iter().filter(|one| of_old(&one.path)).all(|one| one.method == "DELETE"));
    let swap = requests.iter().find(|one| one.path == "/_aliases").expect("a swap");
    let swap: Value = serde_json::from_str(&swap.body).expect("JSON");
    assert_eq!(swap["actions"].as_array().map(Vec::len), Some(2), "in one step: {swap}");
    // Everything is sent again on request.
    let run = send(&site, &engine, &["--rebuild"]);
    assert!(run.stderr.contains("new index `talks-3`"), "{}", run.stderr);
    assert_eq!(behind(&engine), written(&site));
}

#[test]
fn indices_of_others_are_left_alone() {
    let (site, engine) = (site(), Engine::start());
    engine.with(|indices| {
        indices.insert("talks-of-others".to_owned(), Default::default());
        indices.insert("talks-7".to_owned(), Default::default());
    });
    sent(&site, &engine);
    assert!(engine.with(|all| all.contains_key("talks-of-others") && all.contains_key("talks-7")));
    let engine = Engine::start();
    engine.with(|indices| indices.insert("talks".to_owned(), Default::default()));
    let run = send(&site, &engine, &[]);
    assert_eq!(run.code, Some(2));
    assert!(run.stderr.contains("error[search-engine]: `talks` is an index"), "{}", run.stderr);
    let engine = Engine::start();
    engine.with(|indices| {
        indices.entry("books".to_owned()).or_default().aliases.push("talks".to_owned());
    });
    let run = send(&site, &engine, &[]);
    assert_eq!(run.code, Some(2));
    assert!(run.stderr.contains("an alias of `books`"), "{}", run.stderr);
    assert!(engine.requests().iter().all(|request| request.method == "GET"));
}

/// A site with this many conversations of two turns.
fn many(count: usize) -> SiteTest {
    let mut site = SiteTest::new();
    for number in 0..count {
        let name = format!("content/{number}.md");
        site = site.file(&name, talk(&format!("Talk {number}"), &format!("Words {number}.")));
    }
    site
}

/// The failure of the request with this number, if it is to fail. After temporary failures, all
/// documents must exist exactly once.
type FaultAt = fn(usize) -> Option<Fault>;

#[test]
fn temporary_failures_are_retried() {
    let site = many(30);
    let fails: Vec<(&str, FaultAt)> = vec![
        ("too busy", |n| (n % 2 == 1).then_some(Fault::Status(429, "Retry-After: 0\r\n"))),
        ("away", |n| (n % 3 != 0).then_some(Fault::Status(503, ""))),
        ("cut before", |n| (n % 2 == 1).then_some(Fault::CutBefore)),
        ("cut after", |n| (n % 2 == 1).then_some(Fault::CutAfter)),
        ("some rejected", |n| (n < 7).then_some(Fault::Items(429, |place| place % 3 != 0))),
        ("all rejected", |n| (n < 6).then_some(Fault::Items(503, |_| true))),
        ("slow", |n| (n == 4).then_some(Fault::Slow(700))),
    ];
    for (name, fault) in fails {
        let engine = Engine::start();
        engine.fail(move |request| fault(request.number));
        let started = Instant::now();
        let run = send(&site, &engine, &[]);
        assert_eq!(run.code, Some(0), "{name}: {}", run.stderr);
        assert_eq!(behind(&engine), written(&site), "{name}");
        assert!(started.elapsed() < Duration::from_secs(20), "{name}");
    }
}

#[test]
fn a_request_that_is_too_large_is_split() {
    let site = many(30);
    let engine = Engine::start();
    engine.fail(|request| {
        let is_large = request.path.ends_with("_bulk") && request.body.len() > 8_000;
        is_large.then_some(Fault::Status(413, ""))
    });
    sent(&site, &engine);
    // A single turn that is too large is reported, and everything else is sent.
    site.write("content/long.md", talk("Long", &"word ".repeat(4_000)));
    let run = send(&site, &engine, &[]);
    assert_eq!(run.code, Some(1), "{}", run.stderr);
    assert!(run.stderr.contains("error[search-engine]: cannot index a turn"), "{}", run.stderr);
    let (have, all) = (behind(&engine), written(&site));
    assert_eq!(have.len() + 1, all.len());
    assert!(have.iter().all(|(id, document)| all[id] == *document));
}

#[test]
fn an_interrupted_run_is_resumed() {
    let site = many(200);
    let engine = Engine::start();
    let mut bulks = 0;
    engine.fail(move |request| {
        bulks += usize::from(request.path.ends_with("_bulk"));
        (bulks > 2).then_some(Fault::Status(403, ""))
    });
    let run = send(&site, &engine, &[]);
    assert_eq!(run.code, Some(2));
    assert!(run.stderr.contains("responded with 403 as requested"), "{}", run.stderr);
    assert!(run.stderr.contains("CONVO_SITE_ENGINE_CREDENTIALS"), "{}", run.stderr);
    let there = engine.with(|indices| {
        assert!(indices["talks-1"].aliases.is_empty(), "an incomplete index has no alias");
        indices["talks-1"].documents.len()
    });
    assert!(there > 100 && there < 600, "{there}");
    engine.fail(|_| None);
    engine.requests();
    let messages = sent(&site, &engine);
    assert!(messages.contains("new index `talks-1`"), "{messages}");
    let bulks = engine.requests();
    let again: usize = bulks
        .iter()
        .filter(|request| request.path.ends_with("_bulk"))
        .map(|request| request.documents().len())
        .sum();
    assert_eq!(again, 600 - there, "only what was missing");
    // Missing and surplus documents in the engine are corrected.
    engine.with(|indices| {
        let documents = &mut indices.get_mut("talks-1").expect("the index").documents;
        let (id, mut stray) = documents.pop_last().expect("a document");
        stray["conversation"] = json!("c/gone/");
        documents.insert(format!("{id}-stray"), stray);
    });
    sent(&site, &engine);
}

#[test]
fn credentials_are_sent_and_never_shown() {
    let (site, engine) = (site(), Engine::start());
    let url = format!("{}/talks", engine.address);
    let args = ["search-index", "--to", "opensearch", url.as_str()];
    let word = ["hush", "-", "hush"].concat();
    let both = format!("ada:{word}");
    let variable = "CONVO_SITE_ENGINE_CREDENTIALS";
    let run = site.run_with(&args, &[(variable, &both)]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let expected = "Basic YWRhOmh1c2gtaHVzaA==";
    let requests = engine.requests();
    assert!(requests.iter().all(|request| request.headers["authorization"] == expected));
    site.write("key", format!("ApiKey {word}\n"));
    let path = site.path("key").display().to_string();
    let run = site.run_with(&args, &[("CONVO_SITE_ENGINE_CREDENTIALS_FILE", path.as_str())]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let requests = engine.requests();
    assert!(requests.iter().all(|request| request.headers["authorization"].starts_with("ApiKey ")));
    // Credentials are not sent to another host without TLS, not allowed in URLs, and never printed.
    let refused = |url: &str, what: &str| {
        let run = site.run_with(&["search-index", "--to", "opensearch", url], &[(variable, &both)]);
        assert_eq!(run.code, Some(2));
        assert!(run.stderr.contains(what), "{}", run.stderr);
        assert!(!run.stderr.contains(&word) && !run.stdout.contains(&word), "{}", run.stderr);
    };
    refused("http://search.example.org:9200/talks", "only sent with `https`");
    refused(&format!("https://ada:{word}@search.example.org/talks"), "read from the environment");
    refused("search.example.org", "expected a URL");
    refused("https://search.example.org/Talks", "lower-case letters");
    engine.fail(|_| Some(Fault::Status(401, "")));
    refused(&url, "responded with 401");
    // A full disk is reported as such, not as a problem with credentials.
    engine.fail(|_| Some(Fault::Blocked));
    refused(&url, "free disk space on the cluster");
    // Credentials are not sent to the target of a redirect.
    let other = Engine::start();
    let to = format!("Location: {}/x\r\n", other.address);
    let to: &'static str = Box::leak(to.into_boxed_str());
    engine.fail(move |_| Some(Fault::Status(307, to)));
    refused(&url, "responded with 307");
    assert!(other.requests().is_empty());
    // Nothing is sent without a user name.
    engine.fail(|_| None);
    engine.requests();
    site.run(&args);
    assert!(engine.requests().iter().all(|request| !request.headers.contains_key("authorization")));
}

/// A single deadline applies to each request, whatever the engine does. Requests are counted
/// instead of time.
#[test]
fn an_engine_cannot_delay_for_long() {
    let site = site();
    let failed = |engine: &Engine, timeout: &str| {
        let run = send(&site, engine, &["--timeout", timeout]);
        assert_eq!(run.code, Some(2), "{}", run.stderr);
        assert!(run.stderr.contains("search-engine"), "{}", run.stderr);
        (engine.requests().len(), run.stderr)
    };
    // A response that is too long will be so again, whatever the status. A busy machine needs time to read it.
    for status in [200, 503] {
        let engine = Engine::start();
        engine.fail(move |_| Some(Fault::Endless(status)));
        let (requests, messages) = failed(&engine, "300");
        assert_eq!(requests, 1, "{messages}");
        assert!(messages.contains("larger than 67.1 MB"), "{messages}");
    }
    // A server that responds byte by byte uses up the deadline, and the connection is closed.
    let (engine, gone) = (Engine::start(), Arc::new(AtomicUsize::new(0)));
    let counter = gone.clone();
    engine.fail(move |_| Some(Fault::Drip(counter.clone())));
    let (requests, messages) = failed(&engine, "1");
    assert_eq!(requests, 1, "{messages}");
    assert!(messages.contains("--timeout"), "{messages}");
    while gone.load(Ordering::SeqCst) < requests {
        std::thread::yield_now();
    }
    // A requested pause beyond the deadline is not waited for.
    let engine = Engine::start();
    engine.fail(|_| Some(Fault::Status(503, "Retry-After: 3600\r\n")));
    assert_eq!(failed(&engine, "1").0, 1);
    // Pauses get longer, so that there are few attempts.
    let engine = Engine::start();
    engine.fail(|_| Some(Fault::Status(429, "")));
    let (requests, messages) = failed(&engine, "1");
    assert!((1..=3).contains(&requests), "{requests}: {messages}");
    // The same applies to rejected documents.
    let engine = Engine::start();
    engine.fail(|request| {
        let is_bulk = request.path.ends_with("_bulk");
        is_bulk.then_some(Fault::Items(429, |_| true))
    });
    // A machine that is busy may need longer for the first attempt.
    let mut messages = ["1", "4", "16"].iter().map(|timeout| failed(&engine, timeout).1);
    assert!(messages.any(|messages| messages.contains("does not accept more documents")));
    engine.fail(|_| None);
    sent(&site, &engine);
}

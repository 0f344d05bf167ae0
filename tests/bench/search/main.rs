//! Compares the cost and the quality of the search of a published site with Pagefind:
//! `cargo bench --bench search -- CORPUS [QUERIES]`.
//!
//! CORPUS is a folder with `content/` of convo files. QUERIES (300) are one to three consecutive
//! words of a turn, as frequent as in the corpus and the same in every run. A headless Chromium sends
//! them to a server that works like static hosts. Bytes are response bodies as transferred, without the
//! page, its style and its icon, but with the script. Pagefind is skipped if it is not installed. Output
//! goes to a temporary folder (set `TMPDIR` to move it).

#![allow(
    clippy::disallowed_methods,
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a benchmark uses the machine and prints"
)]

#[path = "../../browser/browser.rs"]
#[allow(dead_code, clippy::disallowed_methods, reason = "shared with the tests")]
mod browser;
mod exact;
mod host;
mod queries;
mod table;
mod tools;
mod visitor;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use serde_json::json;

use crate::exact::{Exact, stemmed};
use crate::host::{Sent, zipped};
use crate::queries::{Dice, Draw};
use crate::table::{FURTHER_BYTES, RECALL, Table};
use crate::tools::{copy, cost, files_below, kilobytes, percentile, runs};
use crate::visitor::{Visitor, single_words};

/// The number of later queries on the same page.
const FURTHER: usize = 100;
/// The number of timed searches.
const TIMED: usize = 60;
/// The number of queries with enough results whose ranking is evaluated.
const EVALUATED: usize = 200;
/// The number of evaluated results of a query, and the number of conversations that it must find.
const BEST: usize = 10;
/// The number of misspelt words.
const TYPOS: usize = 50;
/// The number of queries for Pagefind.
const FEWER: usize = 60;
/// The time without requests after which all responses have arrived.
const QUIET: Duration = Duration::from_millis(150);

fn main() {
    let mut args = std::env::args().skip(1).filter(|arg| arg != "--bench");
    let Some(corpus) = args.next().map(PathBuf::from).filter(|path| path.join("content").is_dir())
    else {
        // `cargo test --benches` passes no arguments either.
        println!("usage: cargo bench --bench search -- CORPUS [QUERIES]");
        return;
    };
    let count = args.next().and_then(|count| count.parse().ok()).unwrap_or(300);
    let folder = tempfile::tempdir().expect("a folder");
    let (site, public) = (folder.path().join("site"), folder.path().join("public"));
    let mut table = Table::default();
    build(&corpus, &site, &public, &mut table);
    let sources = files_below(&site.join("content"));
    let sources: Vec<String> =
        sources.iter().map(|file| fs::read_to_string(file).expect("text")).collect();
    let mut draw = Draw { sources: &sources, dice: Dice(0x5EED) };
    let queries: Vec<String> = (0..count).map(|_| draw.query()).collect();
    let mut visitor = Visitor::new(&public);
    first_visits(&mut visitor, &queries, &mut table);
    one_visit(&mut visitor, &queries, &mut table);
    let exact = Exact::new(&sources);
    hits(&mut visitor, &exact, queries.clone(), &mut draw, &mut table);
    typos(&mut visitor, &exact, &mut draw.dice, &mut table);
    for complaint in &visitor.browser.complaints {
        eprintln!("the browser complains: {complaint}");
    }
    pagefind(&public, &folder.path().join("pagefind"), &queries, &mut table);
    table.print();
}

/// Builds the corpus as a site, and measures the files of the search.
fn build(corpus: &Path, site: &Path, public: &Path, table: &mut Table) {
    copy(&corpus.join("content"), &site.join("content"));
    // The exact search reads unchanged sources, including the paths of home folders.
    let config = "title = \"Benchmark\"\nbase_url = \"https://example.org\"\n\
                  [gate]\nhome_folders = false\n";
    fs::write(site.join("site.toml"), config).expect("written");
    let mut command = Command::new(env!("CARGO_BIN_EXE_convo-site"));
    table.ours("build", cost(command.arg("build").arg(site).arg("-o").arg(public)));
    // The page exists with or without an index.
    let index: Vec<PathBuf> = files_below(&public.join("search"));
    let index = index.into_iter().filter(|file| !file.ends_with("index.html"));
    measure_files(index, |name, cell| table.ours(name, cell));
    let script = files_below(&public.join("assets")).into_iter().find(|file| {
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        name.starts_with("search.") && name.ends_with(".js")
    });
    let script = fs::read(script.expect("a script")).expect("bytes");
    table.ours("script, KB gzip", kilobytes(zipped(&script).len() as f64));
}

/// Sends each query as the first one of a reader.
fn first_visits(visitor: &mut Visitor, queries: &[String], table: &mut Table) {
    eprintln!("{} first visits", queries.len());
    let ask = |query: &String| {
        visitor.renew();
        visitor.open_search(query);
        visitor.sent()
    };
    let sent: Vec<Sent> = queries.iter().map(ask).collect();
    measure_first(&sent, |name, cell| table.ours(name, cell));
}

/// Sends many queries on the same page, first new ones and then known ones.
fn one_visit(visitor: &mut Visitor, queries: &[String], table: &mut Table) {
    eprintln!("one long visit");
    let further = &queries[1..queries.len().min(FURTHER + 1)];
    visitor.renew();
    visitor.open_search(&queries[0]);
    let ask = |query: &String| {
        visitor.sent();
        visitor.type_query(query);
        visitor.sent().bytes as f64
    };
    let sent: Vec<f64> = further.iter().map(ask).collect();
    table.ours(FURTHER_BYTES, kilobytes(percentile(sent, 0.5)));
    visitor.sent();
    let known = &further[..further.len().min(TIMED)];
    let times: Vec<f64> = known.iter().map(|query| visitor.type_query(query)).collect();
    let sent = visitor.sent();
    if sent.requests > 0 {
        eprintln!("known queries still cost {} requests", sent.requests);
    }
    table.ours("known query, p95 ms", format!("{:.0}", percentile(times, 0.95)));
}

/// Compares the results with all matches, and their order with that of exact scores.
fn hits(
    visitor: &mut Visitor,
    exact: &Exact,
    mut queries: Vec<String>,
    draw: &mut Draw<'_>,
    table: &mut Table,
) {
    eprintln!("quality");
    let (mut equal, mut compared) = (0, 0);
    let mut recall: Vec<(usize, f64)> = Vec::new();
    let mut number = 0;
    // Many queries have few results; draws others until enough queries have many.
    while number < queries.len() || recall.len() < EVALUATED && number < 20 * EVALUATED {
        if number == queries.len() {
            queries.push(draw.query());
        }
        let query = &queries[number];
        number += 1;
        let page = visitor.find(query);
        let Some(items) = single_words(&page["words"]) else { continue };
        let found = exact.find(&items);
        compared += 1;
        let theirs = (&page["turns"], &page["conversations"]);
        if theirs == (&json!(found.turns), &json!(found.scores.len())) {
            equal += 1;
        } else {
            let (turns, conversations) = (found.turns, found.scores.len());
            eprintln!("“{query}” is in {turns} turns of {conversations}, found: {page}");
        }
        if found.scores.len() >= BEST && recall.len() < EVALUATED {
            let share = exact.share_of_best(&found, &page["titles"]);
            if share < 0.7 {
                eprintln!("“{query}”, in {} turns, gets {share:.1}", found.turns);
            }
            recall.push((items.len(), share));
        }
    }
    for (row, lens) in RECALL.into_iter().zip([1..4, 1..2, 2..3, 3..4]) {
        let these = recall.iter().filter(|(len, _)| lens.contains(len));
        let these: Vec<f64> = these.map(|(_, share)| *share).collect();
        let mean = these.iter().sum::<f64>() / these.len() as f64;
        table.ours(row, format!("{mean:.3} ({} queries)", these.len()));
    }
    table.ours("equal sets of hits", format!("{equal} of {compared}"));
}

/// Counts the misspelt words that the search corrects.
fn typos(visitor: &mut Visitor, exact: &Exact, dice: &mut Dice, table: &mut Table) {
    let pairs = exact.mistyped(dice);
    let mut corrected = 0;
    for (word, typo) in &pairs {
        // The space marks the word as complete.
        let page = visitor.find(&format!("{typo} "));
        let better = page["corrections"][0][1].as_str().map(stemmed);
        if better.as_deref() == Some(&*stemmed(word)) {
            corrected += 1;
        } else {
            eprintln!("“{typo}” was “{word}”: {}", page["corrections"]);
        }
    }
    table.ours("mistyped words corrected", format!("{corrected} of {}", pairs.len()));
}

/// Measures Pagefind in the same way.
fn pagefind(public: &Path, site: &Path, queries: &[String], table: &mut Table) {
    let commands = [vec!["pagefind"], vec!["python3", "-m", "pagefind"]];
    let Some(command) = commands.into_iter().find(|command| runs(command)) else {
        return eprintln!("no Pagefind");
    };
    eprintln!("Pagefind");
    for file in files_below(public) {
        let name = file.strip_prefix(public).expect("below");
        if !name.starts_with("search") {
            let target = site.join(name);
            fs::create_dir_all(target.parent().expect("a folder")).expect("created");
            fs::copy(&file, target).expect("copied");
        }
    }
    let mut run = Command::new(command[0]);
    table.theirs("build", cost(run.args(&command[1..]).arg("--site").arg(site)));
    let index = files_below(&site.join("pagefind")).into_iter();
    measure_files(index, |name, cell| table.theirs(name, cell));
    // The policy of the site blocks WebAssembly.
    fs::write(site.join("empty.html"), "<!doctype html><title>Empty</title>").expect("written");
    let mut visitor = Visitor::new(site);
    let sent: Vec<Sent> = queries[..queries.len().min(FEWER)]
        .iter()
        .map(|query| {
            visitor.renew();
            visitor.browser.open("/empty.html");
            visitor.ask_pagefind(query);
            visitor.sent()
        })
        .collect();
    measure_first(&sent, |name, cell| table.theirs(name, cell));
    visitor.renew();
    visitor.browser.open("/empty.html");
    visitor.ask_pagefind(&queries[0]);
    let ask = |query: &String| {
        visitor.sent();
        visitor.ask_pagefind(query);
        visitor.sent().bytes as f64
    };
    let sent = queries[1..queries.len().min(FEWER)].iter().map(ask).collect();
    table.theirs(FURTHER_BYTES, kilobytes(percentile(sent, 0.5)));
}

fn measure_files(files: impl Iterator<Item = PathBuf>, mut row: impl FnMut(&'static str, String)) {
    let sizes = files.map(|file| file.metadata().expect("a file").len());
    let (count, bytes) = sizes.fold((0, 0), |(count, sum), size| (count + 1, sum + size));
    row("index, files", count.to_string());
    row("index, MB", format!("{:.1}", bytes as f64 / 1e6));
}

fn measure_first(sent: &[Sent], mut row: impl FnMut(&'static str, String)) {
    let bytes: Vec<f64> = sent.iter().map(|sent| sent.bytes as f64).collect();
    row("first query, p50 KB", kilobytes(percentile(bytes.clone(), 0.5)));
    row("first query, p95 KB", kilobytes(percentile(bytes.clone(), 0.95)));
    row("first query, most KB", kilobytes(percentile(bytes, 1.0)));
    let requests = sent.iter().map(|sent| sent.requests).max().unwrap_or(0);
    row("first query, most requests", requests.to_string());
}

//! What a search of a published site costs its readers and how well it finds, beside Pagefind:
//! `cargo bench --bench search -- CORPUS [QUERIES]`.
//!
//! CORPUS is a folder with `content/` of convo files. QUERIES (300) are one to three words that
//! stand together in a turn, as frequent as they are there and the same in every run. A headless
//! Chromium asks them of a server that does what static hosts do. Bytes are bodies as they were
//! sent; the page, its style and its icon are left out, the script is not. Pagefind is left out
//! where it is not installed. Output goes to a temporary folder (`TMPDIR` chooses where).

#![allow(
    clippy::disallowed_methods,
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a benchmark uses the machine and prints"
)]

#[path = "../it/browser.rs"]
#[allow(dead_code, clippy::disallowed_methods, reason = "shared with the tests")]
mod browser;

use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use convo_site::search::turns::{plain, texts};
use convo_site::search::words::{Stemmer, terms};
use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::{Value, json};
use wait4::Wait4;

use browser::Browser;

/// Queries that follow a first one in the same page.
const FURTHER: usize = 100;
/// Searches that are timed.
const TIMED: usize = 60;
/// Queries with enough results whose ranking is judged.
const JUDGED: usize = 200;
/// Results of a query that are judged, and conversations that make it worth judging.
const BEST: usize = 10;
/// Words that are mistyped.
const TYPOS: usize = 50;
/// Queries for Pagefind.
const FEWER: usize = 60;
/// No request for so long means that all are there.
const QUIET: Duration = Duration::from_millis(150);

fn main() {
    let mut args = std::env::args().skip(1).filter(|arg| arg != "--bench");
    let Some(corpus) =
        args.next().map(PathBuf::from).filter(|path| path.join("content").is_dir())
    else {
        // Also what `cargo test --benches` does.
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

/// Builds the corpus as a site of its own, and looks at what the search added.
fn build(corpus: &Path, site: &Path, public: &Path, table: &mut Table) {
    copy(&corpus.join("content"), &site.join("content"));
    let config = "title = \"Benchmark\"\nbase_url = \"https://example.org\"\n";
    fs::write(site.join("site.toml"), config).expect("written");
    let mut command = Command::new(env!("CARGO_BIN_EXE_convo-site"));
    table.ours("build", cost(command.arg("build").arg(site).arg("-o").arg(public)));
    // The page is there with or without an index.
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

/// Asks each query as a reader's first.
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

/// Asks many queries in a page that stays, first new ones and then known ones.
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

/// Compares what is found with what there is, and its order with that of exact numbers.
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
    // Many queries find little; others are drawn until enough find much.
    while number < queries.len() || recall.len() < JUDGED && number < 20 * JUDGED {
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
        if found.scores.len() >= BEST && recall.len() < JUDGED {
            recall.push((items.len(), exact.share_of_best(&found, &page["titles"])));
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

/// Counts the mistyped words of which the search knows what was meant.
fn typos(visitor: &mut Visitor, exact: &Exact, dice: &mut Dice, table: &mut Table) {
    let pairs = exact.mistyped(dice);
    let (mut mended, mut begun) = (0, 0);
    for (word, typo) in &pairs {
        let page = visitor.find(typo);
        let better = page["mended"][0][1].as_str().map(stemmed);
        let items = single_words(&page["words"]).unwrap_or_default();
        if better.as_deref() == Some(&*stemmed(word)) {
            mended += 1;
        } else if better.is_none() && items.iter().flatten().any(|t| *t == stemmed(word))
        {
            // A word without its end is found as the beginning of a longer one.
            begun += 1;
        } else {
            eprintln!("“{typo}” was “{word}”: {}", page["mended"]);
        }
    }
    let of = pairs.len();
    let cell = format!("{mended} of {of}, and {begun} as a beginning");
    table.ours("mistyped words mended", cell);
}

/// Does with Pagefind what was done with ours.
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
    // The pages of the site allow no WebAssembly.
    fs::write(site.join("empty.html"), "<!doctype html><title>Empty</title>")
        .expect("written");
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

fn measure_files(
    files: impl Iterator<Item = PathBuf>,
    mut row: impl FnMut(&'static str, String),
) {
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

/// How many of the ten best conversations are among the first ten.
const RECALL: [&str; 4] = [
    "recall@10 of exact BM25",
    "… queries of one word",
    "… of two words",
    "… of three words",
];
/// A row that is written in two places.
const FURTHER_BYTES: &str = "further query, p50 KB";

/// Measures with a cell for each program, in the order in which they came.
#[derive(Default)]
struct Table(Vec<(&'static str, [String; 2])>);

impl Table {
    fn ours(&mut self, name: &'static str, cell: String) {
        self.set(name, 0, cell);
    }

    fn theirs(&mut self, name: &'static str, cell: String) {
        self.set(name, 1, cell);
    }

    fn set(&mut self, name: &'static str, column: usize, cell: String) {
        if let Some((_, cells)) = self.0.iter_mut().find(|(known, _)| *known == name) {
            cells[column] = cell;
        } else {
            let mut cells = ["–", "–"].map(str::to_owned);
            cells[column] = cell;
            self.0.push((name, cells));
        }
    }

    fn print(&self) {
        println!("| | convo-site | Pagefind |\n|---|---:|---:|");
        for (name, [ours, theirs]) in &self.0 {
            println!("| {name} | {ours} | {theirs} |");
        }
    }
}

/// A browser and the server of the site that it looks at.
struct Visitor {
    browser: Browser,
    server: Server,
    context: Option<Value>,
}

impl Visitor {
    fn new(root: &Path) -> Self {
        let server = Server::start(root);
        let browser = Browser::start_live(&format!("http://127.0.0.1:{}", server.port));
        Self { browser, server, context: None }
    }

    /// Goes on in a profile that has loaded nothing yet.
    fn renew(&mut self) {
        // What is said to no page is said to the browser.
        self.browser.session.clear();
        if let Some(context) = self.context.take() {
            let which = json!({"browserContextId": context});
            self.browser.call("Target.disposeBrowserContext", which);
        }
        let made = self.browser.call("Target.createBrowserContext", json!({}));
        let context = made["browserContextId"].clone();
        let page = json!({"url": "about:blank", "browserContextId": context});
        let page = self.browser.call("Target.createTarget", page);
        let attach = json!({"targetId": page["targetId"], "flatten": true});
        let attached = self.browser.call("Target.attachToTarget", attach);
        attached["sessionId"]
            .as_str()
            .expect("a session")
            .clone_into(&mut self.browser.session);
        for domain in ["Page.enable", "Runtime.enable", "Log.enable"] {
            self.browser.call(domain, json!({}));
        }
        self.browser.appear(1280, false);
        self.context = Some(context);
        self.server.traffic.restart();
    }

    /// Opens the search page with a query and waits until it shows what it found.
    fn open_search(&mut self, query: &str) {
        // Letters and digits, and spaces between them, need nothing else.
        self.browser.open(&format!("/search/?q={}", query.replace(' ', "+")));
        self.browser
            .wait_for("document.querySelector('[role=status]').textContent !== ''");
    }

    /// Types a query into the open page. The milliseconds until it shows what it found.
    fn type_query(&mut self, query: &str) -> f64 {
        let time = self.browser.evaluate(&format!("({TYPE})({})", json!(query)));
        time.as_f64().expect("a time")
    }

    /// What the index finds, without the page.
    fn find(&mut self, query: &str) -> Value {
        self.browser.evaluate(&format!("({FIND})({})", json!(query)))
    }

    fn ask_pagefind(&mut self, query: &str) {
        self.browser.evaluate(&format!("({PAGEFIND})({})", json!(query)));
    }

    /// What was sent since the last time, once nothing more comes.
    fn sent(&mut self) -> Sent {
        while !self.server.traffic.is_quiet() {
            thread::sleep(Duration::from_millis(10));
        }
        self.server.traffic.restart()
    }
}

/// The page says how much it found when the results stand there.
const TYPE: &str = "query => new Promise(done => {
    const status = document.querySelector('[role=status]');
    const observer = new MutationObserver(() => {
        observer.disconnect();
        requestAnimationFrame(() => done(performance.now() - started));
    });
    observer.observe(status, { childList: true });
    const input = document.getElementById('q');
    input.value = query;
    const started = performance.now();
    input.dispatchEvent(new Event('input', { bubbles: true }));
})";

const FIND: &str = "async query => {
    const index = await (window.benchmarked ??= convoSearch.open('/search/index.json'));
    const { turns, conversations, mended, words } = await index.find(query);
    const best = conversations.slice(0, 10).map(conversation => index.about(conversation));
    return {
        turns,
        conversations: conversations.length,
        titles: (await Promise.all(best)).map(({ title }) => title),
        mended,
        words: words.map(item => item.words.map(word => word.terms)),
    };
}";

/// Its own page shows five results.
const PAGEFIND: &str = "async query => {
    const pagefind = await import('/pagefind/pagefind.js');
    const { results } = await pagefind.search(query);
    await Promise.all(results.slice(0, 5).map(result => result.data()));
}";

/// The terms of each item of a query; `None` if one is a phrase.
fn single_words(items: &Value) -> Option<Vec<Vec<String>>> {
    let items: Vec<Vec<Vec<String>>> =
        serde_json::from_value(items.clone()).expect("terms");
    items.into_iter().map(|mut words| words.pop().filter(|_| words.is_empty())).collect()
}

/// A server of files on a port of its own, for as long as the program runs.
struct Server {
    port: u16,
    traffic: Arc<Traffic>,
}

impl Server {
    fn start(root: &Path) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let port = listener.local_addr().expect("an address").port();
        let traffic = Arc::new(Traffic(Mutex::new(Counts::default())));
        let (root, counted) = (root.to_owned(), traffic.clone());
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (root, traffic) = (root.clone(), counted.clone());
                // A browser that goes away in the middle is no trouble.
                thread::spawn(move || serve(&stream, &root, &traffic));
            }
        });
        Self { port, traffic }
    }
}

/// Answers the requests of one connection.
fn serve(mut stream: &TcpStream, root: &Path, traffic: &Traffic) -> std::io::Result<()> {
    stream.set_nodelay(true)?;
    let mut reader = BufReader::new(stream);
    while let Some(path) = requested(&mut reader) {
        traffic.begin();
        let (head, body) = answer(root, &path);
        let result = stream.write_all(&[head.as_bytes(), &body].concat());
        traffic.end(&path, body.len());
        result?;
    }
    Ok(())
}

/// The path that the next request asks for.
fn requested(reader: &mut impl BufRead) -> Option<String> {
    let mut lines = reader.lines().map_while(Result::ok);
    let path = lines.next()?.split(' ').nth(1)?.to_owned();
    lines.find(String::is_empty)?;
    let path = path.split('?').next().unwrap_or_default();
    Some(convo_site::text::percent_decode(path))
}

/// The head and the body of an answer, as static hosts give them.
fn answer(root: &Path, path: &str) -> (String, Vec<u8>) {
    let index = if path.ends_with('/') { "index.html" } else { "" };
    let file = root.join(format!("{}{index}", path.trim_start_matches('/')));
    let (status, bytes) = match fs::read(&file) {
        Ok(bytes) => ("200 OK", bytes),
        Err(_) => ("404 Not Found", Vec::new()),
    };
    let ending = file.extension().unwrap_or_default().to_string_lossy();
    let (kind, is_zipped) = match &*ending {
        "html" => ("text/html; charset=utf-8", true),
        "js" => ("text/javascript", true),
        "css" => ("text/css", true),
        "json" => ("application/json", true),
        "md" => ("text/markdown; charset=utf-8", true),
        "xml" => ("application/xml", true),
        "txt" => ("text/plain; charset=utf-8", true),
        "svg" => ("image/svg+xml", true),
        "wasm" => ("application/wasm", false),
        _ => ("application/octet-stream", false),
    };
    let body = if is_zipped { zipped(&bytes) } else { bytes };
    let encoding = if is_zipped { "Content-Encoding: gzip\r\n" } else { "" };
    let head = format!(
        "HTTP/1.1 {status}\r\nContent-Type: {kind}\r\n{encoding}Content-Length: {}\r\n\
         Cache-Control: max-age=600\r\n\r\n",
        body.len()
    );
    (head, body)
}

fn zipped(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(bytes).expect("memory takes all bytes");
    encoder.finish().expect("memory takes all bytes")
}

/// What a server sent.
#[derive(Clone, Copy, Default)]
struct Sent {
    requests: usize,
    bytes: usize,
}

#[derive(Default)]
struct Counts {
    sent: Sent,
    /// Requests that are being answered.
    running: usize,
    last: Option<Instant>,
}

struct Traffic(Mutex<Counts>);

impl Traffic {
    fn lock(&self) -> MutexGuard<'_, Counts> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn begin(&self) {
        self.lock().running += 1;
    }

    fn end(&self, path: &str, bytes: usize) {
        let mut counts = self.lock();
        counts.running -= 1;
        counts.last = Some(Instant::now());
        let is_page = path.ends_with('/')
            || [".html", ".css", ".svg", ".ico"].iter().any(|end| path.ends_with(end));
        if !is_page {
            counts.sent.requests += 1;
            counts.sent.bytes += bytes;
        }
    }

    fn is_quiet(&self) -> bool {
        let counts = self.lock();
        counts.running == 0 && counts.last.is_none_or(|last| last.elapsed() > QUIET)
    }

    /// Counts from nothing. What was counted.
    fn restart(&self) -> Sent {
        let mut counts = self.lock();
        counts.last = Some(Instant::now());
        std::mem::take(&mut counts.sent)
    }
}

/// Numbers by chance, the same in every run: xorshift64.
struct Dice(u64);

impl Dice {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        // The upper half is the more random one.
        (self.0 >> 32) as usize % end
    }
}

/// Draws queries from the texts of a corpus.
struct Draw<'a> {
    sources: &'a [String],
    dice: Dice,
}

impl Draw<'_> {
    /// One to three words of a turn.
    fn query(&mut self) -> String {
        let dice = &mut self.dice;
        let turns = loop {
            let turns = spoken(&self.sources[dice.below(self.sources.len())]);
            if !turns.is_empty() {
                break turns;
            }
        };
        let mut place = dice.below(turns.iter().map(Vec::len).sum());
        let turn = turns.iter().find(|words| {
            let is_here = place < words.len();
            place = place.wrapping_sub(if is_here { 0 } else { words.len() });
            is_here
        });
        let turn = turn.expect("the place is in a turn");
        let mut words = vec![turn[place]];
        for _ in 0..dice.below(3) {
            let word = turn[dice.below(turn.len())];
            if !words.contains(&word) {
                words.push(word);
            }
        }
        words.join(" ")
    }
}

/// The words of each turn of a convo file that has any.
fn spoken(source: &str) -> Vec<Vec<&str>> {
    let text = source.rsplit_once("\n----\n").map_or(source, |(text, _)| text);
    let mut turns: Vec<Vec<&str>> = Vec::new();
    for line in text.lines() {
        if line.starts_with("### @") {
            turns.push(Vec::new());
        } else if let Some(turn) = turns.last_mut() {
            let words = line.split(|c: char| !c.is_alphanumeric());
            turn.extend(words.filter(|word| word.chars().nth(1).is_some()));
        }
    }
    turns.retain(|turn| !turn.is_empty());
    turns
}

/// Every turn with its terms: what the published index holds, without its rounding.
#[derive(Default)]
struct Exact {
    turns: Vec<ExactTurn>,
    /// Number of words in them.
    words: u64,
    /// Conversations by their titles.
    titles: HashMap<String, usize>,
    /// For each term its turns, and how often it stands in each.
    lists: HashMap<String, Vec<(usize, u32)>>,
    /// How often each word stands there.
    surfaces: BTreeMap<String, u32>,
}

struct ExactTurn {
    conversation: usize,
    len: u32,
    is_title: bool,
}

/// What a query finds.
struct Found {
    /// Number of turns.
    turns: usize,
    /// The score of each conversation.
    scores: BTreeMap<usize, f64>,
}

impl Exact {
    fn new(sources: &[String]) -> Self {
        let mut exact = Self::default();
        for source in sources {
            let (read, _) = convo_site::formats::read("x.convo", source.as_bytes());
            for conversation in read {
                let language = conversation.languages.first().map_or("en", |tag| tag);
                let stemmer = Stemmer::of(language);
                let title = conversation.title.as_deref().expect("a title");
                // Pages show it so too.
                let title = title.split_whitespace().collect::<Vec<_>>().join(" ");
                let first = format!("{title}\n{}", plain(&conversation.preface).0);
                let number = exact.titles.len();
                let known = exact.titles.insert(title, number);
                assert!(known.is_none(), "titles tell conversations apart");
                exact.add(number, &first, stemmer, true);
                for (_, turn) in texts(&conversation) {
                    exact.add(number, &turn.text, stemmer, false);
                }
            }
        }
        exact
    }

    fn add(&mut self, conversation: usize, text: &str, stemmer: Stemmer, is_title: bool) {
        let turn = self.turns.len();
        let len = terms(text, stemmer, |found| {
            let list = self.lists.entry(found.term.to_owned()).or_default();
            match list.last_mut() {
                Some((last, count)) if *last == turn => *count += 1,
                _ => list.push((turn, 1)),
            }
            *self.surfaces.entry(found.surface.to_owned()).or_default() += 1;
        });
        self.words += u64::from(len);
        self.turns.push(ExactTurn { conversation, len, is_title });
    }

    /// The turns that have one of some terms, with how sure BM25 is of each.
    fn either(&self, terms: &[String]) -> BTreeMap<usize, f64> {
        let mean = self.words as f64 / self.turns.len() as f64;
        let mut all: BTreeMap<usize, f64> = BTreeMap::new();
        for (turn, count) in
            terms.iter().filter_map(|term| self.lists.get(term)).flatten()
        {
            let (count, len) = (f64::from(*count), f64::from(self.turns[*turn].len));
            let weight = count * 2.2 / (count + 1.2 * (0.25 + 0.75 * len / mean));
            let known = all.entry(*turn).or_default();
            *known = known.max(weight);
        }
        all
    }

    /// The turns that have all items of a query.
    fn find(&self, items: &[Vec<String>]) -> Found {
        let lists: Vec<_> = items.iter().map(|terms| self.either(terms)).collect();
        let weights = lists.iter().map(|list| {
            let (all, some) = (self.turns.len() as f64, list.len() as f64);
            (1.0 + (all - some + 0.5) / (some + 0.5)).ln()
        });
        let weights: Vec<f64> = weights.collect();
        let mut found = Found { turns: 0, scores: BTreeMap::new() };
        let Some(shortest) = lists.iter().min_by_key(|list| list.len()) else {
            return found;
        };
        for number in shortest.keys() {
            let parts = lists.iter().zip(&weights);
            let parts = parts.map(|(list, weight)| Some(list.get(number)? * weight));
            let Some(sum) = parts.sum::<Option<f64>>() else { continue };
            let turn = &self.turns[*number];
            let score = sum * if turn.is_title { 2.0 } else { 1.0 };
            let best = found.scores.entry(turn.conversation).or_default();
            *best = best.max(score);
            found.turns += 1;
        }
        found
    }

    /// How many of the first conversations belong there. Of equally good ones each does.
    fn share_of_best(&self, found: &Found, titles: &Value) -> f64 {
        let mut scores: Vec<f64> = found.scores.values().copied().collect();
        scores.sort_by(|a, b| b.total_cmp(a));
        let least = scores[BEST - 1] - 1e-9;
        let titles = titles.as_array().into_iter().flatten().filter_map(Value::as_str);
        let numbers = titles.map(|title| self.titles[title]);
        let scores = numbers.filter_map(|number| found.scores.get(&number));
        scores.filter(|score| **score >= least).count() as f64 / BEST as f64
    }

    /// Frequent words, each with one error that makes it a word that nobody wrote.
    fn mistyped(&self, dice: &mut Dice) -> Vec<(String, String)> {
        let is_candidate = |(word, count): &(&String, &u32)| {
            **count >= 20
                && (5..=12).contains(&word.len())
                && word.bytes().all(|b| b.is_ascii_lowercase())
        };
        let words = self.surfaces.iter().filter(is_candidate);
        let words: Vec<&String> = words.map(|(word, _)| word).collect();
        let mut pairs = Vec::new();
        while pairs.len() < TYPOS && !words.is_empty() {
            let word = words[dice.below(words.len())];
            let typo = mistype(word, dice);
            let is_known = self.surfaces.contains_key(&typo)
                || self.lists.contains_key(&stemmed(&typo));
            if !is_known {
                pairs.push((word.clone(), typo));
            }
        }
        pairs
    }
}

/// Drops, swaps, replaces or adds a letter.
fn mistype(word: &str, dice: &mut Dice) -> String {
    let mut letters: Vec<char> = word.chars().collect();
    let at = dice.below(letters.len());
    let letter = char::from(b'a' + dice.below(26) as u8);
    match dice.below(4) {
        0 => drop(letters.remove(at)),
        1 => letters.swap(at.saturating_sub(1), at.max(1)),
        2 => letters[at] = letter,
        _ => letters.insert(at, letter),
    }
    letters.into_iter().collect()
}

/// A word without its ending.
fn stemmed(word: &str) -> String {
    let mut stem = String::new();
    terms(word, Stemmer::of("en"), |found| found.term.clone_into(&mut stem));
    stem
}

/// Runs a command that must succeed. What it took.
fn cost(command: &mut Command) -> String {
    eprintln!("{command:?}");
    let started = Instant::now();
    let child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn();
    let used = child.expect("it starts").wait4().expect("it ends");
    let wall = started.elapsed().as_secs_f64();
    assert!(used.status.success(), "{command:?}: {}", used.status);
    let processor = (used.rusage.utime + used.rusage.stime).as_secs_f64();
    let memory = used.rusage.maxrss as f64 / 1e6;
    format!("{wall:.1} s, processor {processor:.1} s, {memory:.0} MB")
}

fn runs(command: &[&str]) -> bool {
    let mut run = Command::new(command[0]);
    run.args(&command[1..]).arg("--version").stdout(Stdio::null()).stderr(Stdio::null());
    run.status().is_ok_and(|status| status.success())
}

/// The value that a share of all values do not exceed.
fn percentile(mut values: Vec<f64>, share: f64) -> f64 {
    values.sort_by(f64::total_cmp);
    let place = (values.len().saturating_sub(1) as f64 * share).round() as usize;
    values.get(place).copied().unwrap_or(f64::NAN)
}

fn kilobytes(bytes: f64) -> String {
    format!("{:.1}", bytes / 1000.0)
}

fn copy(from: &Path, to: &Path) {
    for file in files_below(from) {
        let target = to.join(file.strip_prefix(from).expect("below"));
        fs::create_dir_all(target.parent().expect("a folder")).expect("created");
        fs::copy(&file, target).expect("copied");
    }
}

/// All files below a folder, in order.
fn files_below(folder: &Path) -> Vec<PathBuf> {
    let walk = walkdir::WalkDir::new(folder).sort_by_file_name().into_iter().flatten();
    walk.filter(|entry| entry.file_type().is_file())
        .map(walkdir::DirEntry::into_path)
        .collect()
}

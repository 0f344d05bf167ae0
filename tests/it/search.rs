//! The search of a site in a real browser, and the search of the command as its judge.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::sync::Arc;

use convo_site::disk::{Disk, State};
use convo_site::files::SharedFiles;
use convo_site::find::{Finder, Library};
use convo_site::pipeline::{self, Choices, Memo};
use convo_site::search::query::{Item, Prefix, Query, What};
use convo_site::search::words::{Stemmer, terms};
use convo_site::sources::Private;
use serde_json::{Value, json};

use crate::browser::Browser;
use crate::support::{SiteTest, project};

const BASE: &str = "https://site.example/base/";

/// A conversation with a title, a day, and turns of speakers.
fn talk(title: &str, day: &str, more: &str, turns: &[(&str, &str)]) -> String {
    let body: String =
        turns.iter().map(|(who, text)| format!("### @{who}\n{text}\n\n")).collect();
    let mut names: Vec<&str> = turns.iter().map(|(who, _)| *who).collect();
    names.sort_unstable();
    names.dedup();
    let names: Vec<Value> = names
        .iter()
        .map(|name| match *name {
            "Bot" => {
                json!({"name": "Bot", "generative": true, "generative:model": "m-1.5"})
            }
            name => json!(name),
        })
        .collect();
    let (names, title) = (json!(names), json!(title));
    format!(
        "{body}----\n{{\"title\": {title}, \"type\": \"dialog\", \"time\": \"{day}\"{more}, \
         \"participants\": {names}}}\n"
    )
}

const TAGS: &str = "[[source]]\nfiles = \"b.convo\"\ntags = [\"Maß\"]\n";

fn small() -> SiteTest {
    SiteTest::new()
        .file("site.toml", format!("{}{TAGS}", crate::support::BASE))
        .file(
            "content/a.convo",
            talk(
                "Lifetimes in Rust",
                "2024-05-06",
                ", \"languages\": [\"en\"]",
                &[
                    ("Ada", "How does the *borrow* **checker** work? I was searching for it."),
                    ("Bot", "It follows `snake_case` names.\n\n```rust\nlet zebra = foo.bar();\n```"),
                    ("Ada", "Error E0308 & C++ <b>bold</b> again."),
                    ("Bot", "The checker may borrow what it likes."),
                ],
            ),
        )
        .file(
            "content/b.convo",
            talk(
                "Über Größe",
                "2025-07-08",
                ", \"languages\": [\"de\"]",
                &[("Ada", "Häuser und Katzen."), ("Bot", "日本語の検索エンジン")],
            ),
        )
        .file(
            "content/c.convo",
            talk("Nothing much", "2026-01-01", "", &[("Eve", "A kubernetes cluster.")]),
        )
}

/// A browser at the site's search page.
fn at_search(site: &SiteTest, query: &str) -> Browser {
    let mut browser = Browser::start(BASE, site.output());
    browser.appear(1280, false);
    open(&mut browser, query);
    browser
}

fn open(browser: &mut Browser, query: &str) {
    let query = if query.is_empty() {
        String::new()
    } else {
        format!(
            "?q={}",
            convo_site::text::percent_encode(query)
                .replace('&', "%26")
                .replace('+', "%2B")
        )
    };
    browser.open(&format!("search/{query}"));
}

const STATUS: &str = "document.querySelector('[role=status]').textContent";

#[track_caller]
fn says(browser: &mut Browser, text: &str) {
    let text = json!(text);
    browser.wait_for(&format!("{STATUS}.includes({text})"));
}

fn snapshot(name: &str, now: &Value) -> Value {
    let path = project().join("tests/data/search").join(name);
    if std::env::var("SNAPSHOTS").is_ok_and(|value| value == "overwrite") {
        let text = serde_json::to_string_pretty(now).expect("JSON");
        fs::write(&path, text + "\n").expect("written");
    }
    serde_json::from_str(&fs::read_to_string(path).expect(name)).expect("JSON")
}

fn inputs(name: &str) -> Vec<Value> {
    let text = fs::read_to_string(project().join("tests/data/search").join(name));
    serde_json::from_str(&text.expect(name)).expect("JSON")
}

fn terms_of(text: &str, language: &str) -> Value {
    let mut all = Vec::new();
    terms(text, Stemmer::of(language), |term| {
        all.push(json!([term.cut(), term.position]));
    });
    json!(all)
}

fn query_of(text: &str) -> Value {
    let query = Query::parse(text, &[Stemmer::of("de"), Stemmer::of("en")]);
    let item = |Item { is_not, what }: &Item| match what {
        What::Words(words, prefix) => {
            let words: Vec<Value> = words
                .iter()
                .map(|word| {
                    json!({"surface": word.surface, "forms": word.forms, "open": word.is_open})
                })
                .collect();
            let prefix = match prefix {
                Prefix::Never => "",
                Prefix::Unknown => "unknown",
                Prefix::Always => "always",
            };
            json!({"not": is_not, "words": words, "prefix": prefix})
        }
        What::Filter(field, terms) => {
            json!({"not": is_not, "field": field, "terms": terms})
        }
        What::Before(day) => json!({"not": is_not, "before": day}),
        What::After(day) => json!({"not": is_not, "after": day}),
    };
    let items: Vec<Value> = query.items.iter().map(item).collect();
    json!({"query": text, "items": items, "notes": query.notes})
}

/// One file of vectors holds the program and the script to one meaning.
#[test]
fn words_and_queries_mean_the_same_in_the_script() {
    let words: Vec<Value> = inputs("words.json")
        .iter()
        .map(|row| {
            let text = |key: &str| row[key].as_str().expect("a text");
            let terms = terms_of(text("text"), text("language"));
            json!({"language": row["language"], "text": row["text"], "terms": terms})
        })
        .collect();
    let words = json!(words);
    assert_eq!(words, snapshot("words.json", &words));
    let queries: Vec<Value> = inputs("queries.json")
        .iter()
        .map(|row| query_of(row["query"].as_str().expect("a text")))
        .collect();
    let queries = json!(queries);
    assert_eq!(queries, snapshot("queries.json", &queries));

    let site = small();
    site.build(0);
    let mut browser = at_search(&site, "");
    let script = |rows: &Value| {
        format!("({rows}).map(row => convoSearch.terms(row.text, row.language))")
    };
    let expected: Vec<Value> =
        words.as_array().expect("rows").iter().map(|row| row["terms"].clone()).collect();
    assert_eq!(browser.evaluate(&script(&words)), json!(expected));
    let seen = browser.evaluate(&format!(
        "({queries}).map(({{query}}) => ({{query, ...convoSearch.parse(query, ['de', 'en'])}}))"
    ));
    for (seen, expected) in
        seen.as_array().expect("rows").iter().zip(queries.as_array().expect("rows"))
    {
        assert_eq!(seen, expected);
    }

    // And on texts that nobody thought of.
    let letters: Vec<char> =
        "aZé9_.'’+#- \n\"*:日語กกาकिउแ한글ßİΣς½①ﬁ👩\u{200d}💻e\u{301}\u{85}\u{feff}ingseddes"
            .chars()
            .collect();
    let mut state = 7u32;
    let mut next = |below: usize| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 8) as usize % below
    };
    let texts: Vec<String> = (0..2000)
        .map(|_| (0..next(24)).map(|_| letters[next(letters.len())]).collect())
        .collect();
    let rows: Vec<Value> =
        texts.iter().map(|text| json!({"text": text, "language": "en"})).collect();
    let seen = browser.evaluate(&script(&json!(rows)));
    for (text, seen) in texts.iter().zip(seen.as_array().expect("rows")) {
        assert_eq!(*seen, terms_of(text, "en"), "{text:?}");
    }
    let seen = browser.evaluate(&format!(
        "({}).map(query => ({{query, ...convoSearch.parse(query, ['de', 'en'])}}))",
        json!(texts)
    ));
    for (text, seen) in texts.iter().zip(seen.as_array().expect("rows")) {
        assert_eq!(*seen, query_of(text), "{text:?}");
    }
}

/// Words that make up the talks of an archive: common and rare, of several languages.
const WORDS: &str = "the a of search searching searched engine engines index turn turns speaker \
    kubernetes lifetime borrow checker zebra quagga okapi snake_case foo.bar C++ E0308 naïve café \
    Häuser Katze Katzen suchen don't well-known 日本語 検索 エンジン 한국어 ภาษาไทย 3.14 model";

/// An archive of talks of random words.
fn archive(count: usize) -> SiteTest {
    let site = SiteTest::new();
    let words: Vec<&str> = WORDS.split_whitespace().collect();
    let mut next = random(11);
    for number in 0..count {
        let mut turns = Vec::new();
        for _ in 0..2 + next(9) {
            let who = ["Ada Lovelace", "Bot", "Eve"][next(3)];
            // Low numbers come more often, so some words are rare.
            let text: Vec<&str> = (0..1 + next(25))
                .map(|_| words[next(words.len()).min(next(words.len()))])
                .collect();
            let mut text = text.join(" ");
            if next(6) == 0 {
                text.push_str("\n\n```\nlet x = 1;\n```");
            }
            turns.push((who, text));
        }
        let turns: Vec<(&str, &str)> =
            turns.iter().map(|(who, text)| (*who, text.as_str())).collect();
        let more = format!(", \"languages\": [\"{}\"]", ["en", "de", "ja"][next(3)]);
        let day = format!("202{}-{:02}-{:02}", next(6), 1 + next(12), 1 + next(28));
        let title = format!("{} {}", words[next(words.len())], words[next(words.len())]);
        let folder = ["machine learning", "learning", "games"][next(3)];
        site.write(
            &format!("content/{folder}/{number}.convo"),
            talk(&title, &day, &more, &turns),
        );
    }
    let rule =
        |tag: &str| format!("[[source]]\nfiles = \"{tag}/**\"\ntags = [\"{tag}\"]\n");
    let rules = ["machine learning", "learning", "games"].map(rule).concat();
    site.write("site.toml", format!("{}{rules}", crate::support::BASE));
    site
}

fn random(seed: u32) -> impl FnMut(usize) -> usize {
    let mut state = seed;
    move |below| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 8) as usize % below
    }
}

fn queries() -> Vec<String> {
    let words: Vec<&str> = WORDS.split_whitespace().collect();
    let mut next = random(5);
    let filters = [
        "speaker:ada",
        "speaker:eve",
        "speaker:\"ada lovelace\"",
        "model:m",
        "model:m-1.5",
        "lang:de",
        "lang:ja",
        "type:dialog",
        "tag:\"machine learning\"",
        "tag:learning",
        "tag:games",
        "has:code",
        "has:tool",
        "before:2023",
        "after:2022-06",
        "before:2024-03-05",
        "after:2025-12-24",
        "speaker:nobody",
    ];
    let mut all: Vec<String> =
        filters.iter().map(|filter| (*filter).to_owned()).collect();
    while all.len() < 500 {
        let mut parts = Vec::new();
        for _ in 0..1 + next(3) {
            let word = words[next(words.len())];
            parts.push(match next(10) {
                0 | 1 => format!("\"{word} {}\"", words[next(words.len())]),
                2 => format!("-{word}"),
                3 => format!("{}*", word.chars().take(1 + next(3)).collect::<String>()),
                4 => filters[next(filters.len())].to_owned(),
                5 => format!("-{}", filters[next(13)]),
                _ => word.to_owned(),
            });
        }
        all.push(parts.join(" ") + if next(2) == 0 { " " } else { "" });
    }
    all
}

/// The anchors of the turns of a page, as its Markdown has them.
fn anchors(markdown: &[u8]) -> Vec<String> {
    let text = String::from_utf8_lossy(markdown);
    let headings = text.lines().filter(|line| line.starts_with("## ["));
    headings
        .map(|line| {
            let at = line.find("](./#").expect("a link") + "](./".len();
            line[at..].split(')').next().expect("an end").to_owned()
        })
        .collect()
}

/// What the command's search finds: the addresses of turns.
struct Judge {
    state: State,
    build: pipeline::Build,
    finder: Finder,
}

impl Judge {
    fn of(site: &SiteTest) -> Self {
        let folder = site.path("");
        let files: SharedFiles = Arc::new(Disk::new(&folder));
        let state = State::open(&folder, &|_| {}).expect("a state");
        let build = pipeline::run(&files, &Choices::default(), &Memo::default(), &|_| {});
        let build = build.unwrap_or_else(|notes| panic!("{notes:?}"));
        let mut finder = Finder::open(&state, Private::HeldBack).expect("an index");
        finder.update(Library::of(&build), &|_, _| {}).expect("updated");
        Self { state, build, finder }
    }

    fn finds(&self, query: &str) -> BTreeSet<String> {
        let _ = &self.state;
        let found = self.finder.find(query, Library::of(&self.build), 100_000);
        found.expect("found").hits.into_iter().map(|hit| hit.url).collect()
    }
}

/// What the page's search finds, as the same addresses.
fn page_finds(
    browser: &mut Browser,
    queries: &[String],
    files: &BTreeMap<String, Vec<u8>>,
) -> Vec<BTreeSet<String>> {
    let script = format!(
        "(async () => {{
            const index = await convoSearch.open('/base/search/index.json');
            const all = [];
            for (const query of {}) {{
                const found = await index.find(query);
                const rows = [];
                for (const conversation of found.conversations) {{
                    const {{path}} = await index.about(conversation);
                    rows.push([path, conversation.turns.map(({{turn}}) => turn)]);
                }}
                all.push(rows);
            }}
            return all;
        }})()",
        json!(queries)
    );
    let found = browser.evaluate(&script);
    let known: BTreeMap<&str, Vec<String>> = files
        .iter()
        .filter_map(|(path, bytes)| {
            Some((path.strip_suffix("index.md")?, anchors(bytes)))
        })
        .collect();
    let address = |path: &str, turn: &Value| {
        let page = convo_site::text::percent_encode(path);
        match turn.as_u64().expect("a number") {
            0 => format!("/base/{page}"),
            turn => format!("/base/{page}{}", known[path][turn as usize - 1]),
        }
    };
    let rows = found.as_array().expect("rows").iter();
    rows.map(|rows| {
        let rows = rows.as_array().expect("rows").iter();
        rows.flat_map(|row| {
            let path = row[0].as_str().expect("a path").to_owned();
            let turns = row[1].as_array().expect("turns").clone();
            turns.into_iter().map(move |turn| (path.clone(), turn))
        })
        .map(|(path, turn)| address(&path, &turn))
        .collect()
    })
    .collect()
}

#[test]
fn the_page_finds_what_the_command_finds() {
    let site = archive(90);
    site.build(0);
    let files = site.output();
    let mut browser = at_search(&site, "");
    let queries = queries();
    let seen = page_finds(&mut browser, &queries, &files);
    let judge = Judge::of(&site);
    let (mut some, mut wrong) = (0, Vec::new());
    for (query, seen) in queries.iter().zip(seen) {
        let expected = judge.finds(query);
        some += usize::from(!expected.is_empty());
        if seen != expected {
            let more: Vec<_> = seen.difference(&expected).take(2).collect();
            let less: Vec<_> = expected.difference(&seen).take(2).collect();
            wrong.push(format!(
                "{query}: {} and {}; more {more:?} less {less:?}",
                seen.len(),
                expected.len()
            ));
        }
    }
    assert!(wrong.is_empty(), "{} differ:\n{}", wrong.len(), wrong.join("\n"));
    assert!(some > 300, "only {some} queries find anything");
}

/// Segments of an archive of several hundred: the older one stays when a newer conversation
/// arrives, and both are searched.
#[test]
fn a_new_conversation_leaves_old_segments_alone() {
    let site = archive(600);
    site.write(
        "content/new.convo",
        talk("Newest", "2030-01-01", "", &[("Eve", "okapi okapi")]),
    );
    site.build(0);
    let index = |files: &BTreeMap<String, Vec<u8>>| -> BTreeMap<String, usize> {
        let files = files.iter().filter(|(path, _)| path.starts_with("search/"));
        files.map(|(path, bytes)| (path.clone(), bytes.len())).collect()
    };
    let before = index(&site.output());
    site.write(
        "content/newer.convo",
        talk("More", "2030-01-02", "", &[("Eve", "xylophone")]),
    );
    site.build(0);
    let files = site.output();
    let after = index(&files);
    let size = |files: &BTreeMap<String, usize>| files.values().sum::<usize>();
    let fresh: BTreeMap<String, usize> = after
        .iter()
        .filter(|(path, _)| !before.contains_key(*path) && path.ends_with(".bin"))
        .map(|(path, len)| (path.clone(), *len))
        .collect();
    assert!(!fresh.is_empty());
    assert!(size(&fresh) * 10 < size(&after), "{} of {}", size(&fresh), size(&after));
    let mut browser = at_search(&site, "");
    let queries =
        ["xylophone", "okapi", "\"okapi okapi\"", "search -engine"].map(str::to_owned);
    let seen = page_finds(&mut browser, &queries, &files);
    let judge = Judge::of(&site);
    for (query, seen) in queries.iter().zip(seen) {
        assert_eq!(seen, judge.finds(query), "{query}");
    }
}

/// Sets the words as if they were typed.
fn type_in(browser: &mut Browser, text: &str) {
    let text = json!(text);
    browser.evaluate(&format!(
        "{{ const input = document.getElementById('q'); input.value = {text}; \
         input.dispatchEvent(new Event('input', {{bubbles: true}})); }}"
    ));
}

fn press(browser: &mut Browser, key: &str) {
    for kind in ["keyDown", "keyUp"] {
        browser.call(
            "Input.dispatchKeyEvent",
            json!({"type": kind, "key": key, "code": key}),
        );
    }
}

const MARKS: &str = "Array.from(document.querySelectorAll('.results mark'), mark => mark.textContent).join('|')";

#[test]
fn a_result_leads_to_the_turn_where_the_words_are_marked() {
    let site = small();
    site.build(0);
    let mut browser = at_search(&site, "borrow checker");
    says(&mut browser, "2 turns in 1 conversation.");
    let marks = browser.evaluate(MARKS);
    assert_eq!(marks, "checker|borrow|borrow|checker");
    let row = browser.evaluate("document.querySelector('.results li').innerText");
    let row = row.as_str().expect("a text");
    for part in
        ["Lifetimes in Rust", "6 May 2024", "Bot", "Ada", "How does the borrow checker"]
    {
        assert!(row.contains(part), "{part} is not in {row}");
    }
    browser.evaluate("document.querySelectorAll('.results ul a')[1].click()");
    browser.wait_for("document.querySelectorAll('.turn mark').length === 2");
    let found = browser.evaluate(
        "[location.pathname.startsWith('/base/c/2024-05-06-lifetimes-in-rust-'), \
         document.querySelector(':target').contains(document.querySelector('mark')), \
         document.querySelector(':target').innerText.includes('How does the')]",
    );
    assert_eq!(found, json!([true, true, true]));
    // Whoever comes back another way sees no marks.
    browser.evaluate("location.reload()");
    browser.wait_for(
        "document.readyState === 'complete' && !document.querySelector('mark')",
    );
    assert!(browser.leaks.is_empty() && browser.complaints.is_empty());
}

#[test]
fn words_are_found_in_every_form() {
    let site = small();
    site.build(0);
    let mut browser = at_search(&site, "");
    for (query, turns) in [
        ("searched ", 1),
        ("SEARCHES ", 1),
        ("snake_case ", 1),
        ("snake ", 1),
        ("foo.bar() ", 1),
        ("bar ", 1),
        ("C++ ", 1),
        ("e0308 ", 1),
        ("uber grosse ", 1),
        ("hauser ", 1),
        ("Katze ", 1),
        ("bold ", 1),
        ("kuber", 1),
        ("kuber* ", 1),
        ("\"checker borrow\" ", 0),
        ("\"borrow checker\" ", 1),
        ("checker -searching ", 1),
        ("speaker:ada ", 3),
        ("model:m-1.5 has:code ", 1),
        ("lang:de ", 1),
        ("tag:mass katzen ", 1),
        ("after:2025 before:2026 kat* ", 1),
    ] {
        type_in(&mut browser, query);
        let text = if turns == 0 {
            "Nothing was found.".to_owned()
        } else {
            format!("{turns} turn{} in ", if turns == 1 { "" } else { "s" })
        };
        let address =
            format!("new URLSearchParams(location.search).get('q') === {}", json!(query));
        browser.wait_for(&format!("{address} && {STATUS}.startsWith({})", json!(text)));
    }
    // Every part of a text in a script without spaces.
    let text: Vec<char> = "日本語の検索エンジン".chars().collect();
    for from in 0..text.len() {
        for to in from + 1..=text.len() {
            let part: String = text[from..to].iter().collect();
            let find = format!(
                "convoSearch.open('/base/search/index.json').then(index => index.find({}))\
                 .then(found => found.turns)",
                json!(part)
            );
            assert_eq!(browser.evaluate(&find), 1, "{part}");
        }
    }
    type_in(&mut browser, "検索 ");
    browser.wait_for(&format!("{MARKS} === '検索'"));
}

#[test]
fn days_alone_find_conversations() {
    let site = small();
    site.build(0);
    for (query, found) in [
        ("after:2025-06", 2),
        ("before:2025", 1),
        ("after:2025 before:2025-08", 1),
        ("after:2030", 0),
        ("after:2020 -lang:de", 2),
    ] {
        let ran = site.run(&["search", query, "--count"]);
        assert_eq!(ran.stdout, format!("{found}\n"), "{query}: {}", ran.stderr);
    }
    let mut browser = at_search(&site, "after:2025-06");
    says(&mut browser, "2 turns in 2 conversations.");
    let titles = "Array.from(document.querySelectorAll('.results h2'), e => e.textContent).join('|')";
    assert_eq!(browser.evaluate(titles), "Nothing much|Über Größe");
    open(&mut browser, "after:2030");
    says(&mut browser, "Nothing was found.");
    assert!(browser.complaints.is_empty(), "{:?}", browser.complaints);
}

#[test]
fn what_was_mistyped_is_mended_and_said() {
    let site = small();
    site.build(0);
    let mut browser = at_search(&site, "kubernetis");
    says(&mut browser, "Showing results for kubernetes instead of “kubernetis”.");
    says(&mut browser, "1 turn in 1 conversation.");
    open(&mut browser, "zebar ");
    says(&mut browser, "Showing results for zebra instead of “zebar”.");
    open(&mut browser, "xyzzyx ");
    says(&mut browser, "Nothing was found.");
    assert_eq!(browser.evaluate(&format!("{STATUS}.includes('instead')")), false);
}

#[test]
fn the_address_says_what_is_searched_for() {
    let site = small();
    site.build(0);
    let mut browser = Browser::start(BASE, site.output());
    browser.open("");
    // From the box that every page has.
    browser.evaluate(
        "{ const form = document.querySelector('header form.search'); \
         form.q.value = 'zebra'; form.submit(); }",
    );
    browser.wait_for("location.search === '?q=zebra'");
    says(&mut browser, "1 turn in 1 conversation.");
    let entries = browser.evaluate("history.length");
    type_in(&mut browser, "kat");
    type_in(&mut browser, "katze");
    browser.wait_for("location.search === '?q=katze'");
    says(&mut browser, "1 turn in 1 conversation.");
    assert_eq!(browser.evaluate("history.length"), entries, "typing leaves no trail");
    browser.evaluate("document.getElementById('q').value = 'kubernetes'");
    browser.evaluate("document.querySelector('#search form').requestSubmit()");
    browser.wait_for(
        "location.search === '?q=kubernetes' && !!document.querySelector('.results a')",
    );
    browser.evaluate("history.back()");
    browser.wait_for(
        "location.search === '?q=katze' && document.getElementById('q').value === 'katze'",
    );
    browser.wait_for("document.querySelector('.results').innerText.includes('Über')");
}

#[test]
fn the_keyboard_is_enough() {
    let site = small();
    site.build(0);
    let mut browser = at_search(&site, "");
    assert_eq!(browser.evaluate("document.activeElement.id"), "q");
    browser.call("Input.insertText", json!({"text": "borrow "}));
    says(&mut browser, "2 turns in 1 conversation.");
    let focused = "document.activeElement.textContent.slice(0, 9)";
    for (key, text) in [
        ("ArrowDown", "Lifetimes"),
        ("ArrowDown", "Bot The c"),
        ("ArrowDown", "Ada How d"),
        ("ArrowDown", "Ada How d"),
        ("ArrowUp", "Bot The c"),
    ] {
        press(&mut browser, key);
        browser.wait_for(&format!("{focused} === {}", json!(text)));
    }
    press(&mut browser, "Escape");
    browser.wait_for("document.activeElement.id === 'q'");
}

#[test]
fn results_are_counted_by_what_they_are_filed_under() {
    let site = small();
    site.build(0);
    let mut browser = at_search(&site, "checker");
    says(&mut browser, "2 turns");
    let facets = "document.querySelector('.facets').innerText.replace(/\\s+/g, ' ')";
    browser.wait_for("document.querySelector('.facets').open");
    browser.wait_for(&format!("{facets}.includes('Speaker Ada 1 Bot 1')"));
    for part in ["Model m-1.5 1", "Language en 1", "Type dialog 1", "Year 2024 1"] {
        assert_eq!(
            browser.evaluate(&format!("{facets}.includes({})", json!(part))),
            true,
            "{part}"
        );
    }
    browser.evaluate("document.querySelector('.facets section button').click()");
    browser.wait_for("document.getElementById('q').value === 'checker speaker:\"Ada\" '");
    says(&mut browser, "1 turn in 1 conversation.");
}

#[test]
fn nothing_is_loaded_until_somebody_searches() {
    let site = small();
    site.build(0);
    let mut browser = Browser::start(BASE, site.output());
    for path in ["", "archive/", "search/"] {
        browser.open(path);
    }
    std::thread::sleep(std::time::Duration::from_millis(300));
    browser.evaluate("1");
    let index = browser
        .asked
        .iter()
        .filter(|path| path.contains("search/") && !path.ends_with("html"));
    assert_eq!(index.count(), 0, "{:?}", browser.asked);
    open(&mut browser, "zebra");
    says(&mut browser, "1 turn");
    let index = browser
        .asked
        .iter()
        .filter(|path| path.contains("search/") && !path.ends_with("html"));
    assert!(index.count() < 8, "{:?}", browser.asked);
}

#[test]
fn without_javascript_the_page_leads_to_the_archive() {
    let site = small();
    site.build(0);
    let mut browser = Browser::start(BASE, site.output());
    browser.call("Emulation.setScriptExecutionDisabled", json!({"value": true}));
    browser.open("search/?q=zebra");
    browser.call("DOM.enable", json!({}));
    let document = browser.call("DOM.getDocument", json!({}));
    let root = document["root"]["nodeId"].clone();
    let query = json!({"nodeId": root, "selector": "noscript a[href='/base/archive/']"});
    let link = browser.call("DOM.querySelector", query);
    assert_ne!(link["nodeId"], 0, "{link}");
    // A box, so it is laid out and can be seen.
    browser.call("DOM.getBoxModel", json!({"nodeId": link["nodeId"]}));
}

#[test]
fn no_query_breaks_the_page() {
    let site = small();
    site.build(0);
    let mut browser = at_search(&site, "");
    let long = "word ".repeat(2000);
    let mut queries: Vec<String> = crate::hostile::payloads()
        .into_iter()
        .step_by(9)
        .map(|(_, payload)| payload)
        .collect();
    queries.extend([
        long.trim_end().to_owned(),
        "x".repeat(10_000),
        "\"".repeat(99),
        "- -- ---".to_owned(),
        "(a|b)*+?[^\\]{2,}$".to_owned(),
        "<img src=x onerror=alert(1)> zebra".to_owned(),
        "constructor __proto__ toString hasOwnProperty".to_owned(),
        "speaker:__proto__ tag:constructor".to_owned(),
    ]);
    for query in &queries {
        let script = format!(
            "convoSearch.open('/base/search/index.json').then(i => i.find({}))\
             .then(found => Number.isInteger(found.turns))",
            json!(query)
        );
        assert_eq!(browser.evaluate(&script), true, "{query}");
    }
    for (query, note) in [
        ("\"borrow checker", "A quotation mark was not closed."),
        ("foo:bar", "There is no filter “foo:”; it was searched for as words."),
        ("??? zebra", "“???” has no letters or digits."),
        ("speaker: zebra", "“speaker:” needs a value after it."),
        (
            "before:soon zebra",
            "“before:” takes a day such as 2025-10-23, a month or a year.",
        ),
        ("-zebra", "Say what to look for, not only what to leave out."),
        ("<b>zebra</b> ???", "“???” has no letters or digits."),
    ] {
        open(&mut browser, query);
        says(&mut browser, note);
    }
    let structure = browser
        .evaluate("document.querySelectorAll('main b b, main img, main script').length");
    assert_eq!(structure, 0);
    type_in(&mut browser, &long);
    says(&mut browser, "Only the first 1000 characters count.");
    assert!(browser.leaks.is_empty(), "{:?}", browser.leaks);
    assert!(browser.complaints.is_empty(), "{:?}", browser.complaints);
}

/// The file of the index in which a word's turns stand.
fn postings(browser: &Browser) -> String {
    let mut names = browser.files.keys().filter(|path| path.ends_with("/p0.bin"));
    names.next().expect("postings").clone()
}

#[test]
fn a_missing_or_damaged_part_is_said_and_tried_again() {
    let site = small();
    site.build(0);
    let mut browser = at_search(&site, "");
    let name = postings(&browser);
    let good = browser.files.remove(&name).expect("postings");
    type_in(&mut browser, "zebra");
    says(&mut browser, "A part of the index could not be loaded (404).");
    // What the page says next is told from what it said before.
    let again = "{ const button = document.querySelector('[role=status] button'); \
                 button.textContent = 'tried'; button.click(); }";
    let says_anew = |browser: &mut Browser, text: &str| {
        let text = json!(text);
        browser.wait_for(&format!(
            "{STATUS}.includes({text}) && !{STATUS}.includes('tried')"
        ));
    };
    for at in [0, 4, good.len() / 2, good.len() - 1] {
        let mut damaged = good.clone();
        damaged[at] ^= 0x20;
        browser.files.insert(name.clone(), damaged);
        browser.evaluate(again);
        says_anew(&mut browser, "A part of the index is damaged.");
    }
    browser.files.insert(name.clone(), good[..good.len() / 2].to_vec());
    browser.evaluate(again);
    says_anew(&mut browser, "A part of the index is damaged.");
    // A sum that is right over bytes that are not: whoever can do this can do anything to the
    // site, but the page must live.
    for body in [vec![0xFF; 100], Vec::new(), vec![3, 0]] {
        let sum = body.iter().fold(0x811C_9DC5_u32, |sum, byte| {
            (sum ^ u32::from(*byte)).wrapping_mul(0x0100_0193)
        });
        let forged = [&sum.to_le_bytes()[..], &body[..]].concat();
        browser.files.insert(name.clone(), forged);
        browser.evaluate(again);
        says_anew(&mut browser, "A part of the index is damaged.");
    }
    browser.files.insert(name, good);
    browser.evaluate(again);
    says(&mut browser, "1 turn in 1 conversation.");
    let root = browser.files.insert("search/index.json".to_owned(), b"{".to_vec());
    open(&mut browser, "zebra");
    says(&mut browser, "The index is damaged.");
    browser.files.insert("search/index.json".to_owned(), root.expect("a root"));
    browser.evaluate(again);
    says(&mut browser, "1 turn in 1 conversation.");
}

#[test]
fn a_page_of_an_older_build_finds_the_new_index() {
    let site = small();
    site.build(0);
    let mut browser = at_search(&site, "zebra");
    says(&mut browser, "1 turn");
    site.write(
        "content/d.convo",
        talk("Later", "2026-02-02", "", &[("Eve", "A zebra and an okapi.")]),
    );
    site.build(0);
    browser.files = site.output();
    type_in(&mut browser, "\"an okapi\"");
    says(&mut browser, "1 turn in 1 conversation.");
    browser.wait_for("document.querySelector('.results').innerText.includes('Later')");
}

#[test]
fn small_archives_are_searched_as_well() {
    let site = SiteTest::new();
    site.build(0);
    let mut browser = at_search(&site, "anything");
    says(&mut browser, "Nothing was found.");
    let site = SiteTest::new()
        .file("content/a.convo", talk("One", "2026-01-01", "", &[("Eve", "Alone.")]));
    site.build(0);
    let mut browser = at_search(&site, "alone");
    says(&mut browser, "1 turn in 1 conversation.");
}

/// A conversation that is read in parts: each turn leads to the page that holds it.
#[test]
fn a_long_conversation_is_found_in_its_parts() {
    let site = SiteTest::new().file("content/log.jsonl", crate::archive::log(10_000));
    site.build(0);
    let mut browser = at_search(&site, "\"answer 8660\"");
    says(&mut browser, "1 turn in 1 conversation.");
    browser.wait_for("!!document.querySelector('.results ul a')");
    let text = browser.evaluate("document.querySelector('.results ul a').textContent");
    assert!(text.as_str().expect("a text").contains("answer 8660"), "{text}");
    browser.evaluate("document.querySelector('.results ul a').click()");
    browser.wait_for(
        "document.querySelector(':target')?.innerText.includes('answer 8660') === true",
    );
    let part = browser.evaluate("/\\/87\\/$/.test(location.pathname)");
    assert_eq!(part, true);
}

/// Everything that stands in the files of the index, unpacked.
pub(crate) fn unpacked(files: &BTreeMap<String, Vec<u8>>) -> String {
    use std::io::Read as _;

    let mut all = String::new();
    for (path, bytes) in files.iter().filter(|(path, _)| path.starts_with("search/")) {
        let mut text = Vec::new();
        match path.ends_with(".bin") {
            true => {
                flate2::read::DeflateDecoder::new(&bytes[4..])
                    .read_to_end(&mut text)
                    .expect("unpacked");
            }
            false => text.clone_from(bytes),
        }
        all.push_str(&String::from_utf8_lossy(&text));
    }
    all
}

#[test]
fn what_is_held_back_is_in_no_part() {
    let secret = |more: &str, word: &str| {
        let text = format!("The {word} word, said {word}.");
        talk(&format!("On {word}"), "2026-03-03", more, &[("Eve", &text), (word, "Yes.")])
    };
    let site = small()
        .file("content/p.convo", secret(", \"private\": true", "quuxpriv"))
        .file("content/n.convo", secret(", \"search\": false", "quuxhide"))
        .file("content/hidden/h.convo", secret("", "quuxrule"))
        .file("content/held/h.convo", secret("", "quuxheld"))
        .file(
            "site.toml",
            format!(
                "{}[[source]]\nfiles = \"hidden/**\"\nsearch = false\n\
                 [[source]]\nfiles = \"held/**\"\nvisibility = \"private\"\n",
                crate::support::BASE
            ),
        );
    site.build(0);
    let files = site.output();
    let index = unpacked(&files);
    assert!(index.contains("zebra") && index.contains("kubernet"));
    assert!(!index.contains("quux"), "held back and in the index");
    let all =
        files.values().map(|bytes| String::from_utf8_lossy(bytes)).collect::<String>();
    // Those that are only not to be found have their pages.
    assert!(all.contains("quuxhide") && all.contains("quuxrule"));
    assert!(!all.contains("quuxpriv") && !all.contains("quuxheld"));
    assert_eq!(site.run(&["build", "--include-private"]).code, Some(0));
    let files = site.output();
    assert!(
        files.values().any(|bytes| String::from_utf8_lossy(bytes).contains("quuxpriv"))
    );
    assert!(!unpacked(&files).contains("quux"), "private, published, and in the index");
}

#[test]
fn the_command_finds_turns() {
    let site = small().file(
        "content/p.convo",
        talk("Private", "2026-03-03", ", \"private\": true", &[("Eve", "A quagga.")]),
    );
    let ran = site.run(&["search", "borrow checker"]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert_eq!(
        ran.stdout,
        "content/a.convo:15  Bot  2024-05-06  Lifetimes in Rust\n    \
         The checker may borrow what it likes.\n\n\
         content/a.convo:2  Ada  2024-05-06  Lifetimes in Rust\n    \
         How does the borrow checker work? I was searching for it.\n\n"
    );
    assert_eq!(ran.stderr, "2 turns in 1 conversation\n");
    let ran = site.run_with(&["search", "zebra"], &[("CLICOLOR_FORCE", "1")]);
    assert!(ran.stdout.contains("\u{1b}[1m\u{1b}[31mzebra\u{1b}[0m"), "{:?}", ran.stdout);
    let ran = site.run(&["search", "--count", "speaker:ada"]);
    assert_eq!((ran.code, &*ran.stdout, &*ran.stderr), (Some(0), "3\n", ""));
    let ran = site.run(&["search", "xyzzyx", "--count"]);
    assert_eq!((ran.code, &*ran.stdout), (Some(1), "0\n"));
    let ran = site.run(&["search", "-zebra"]);
    assert_eq!(ran.code, Some(1));
    assert!(ran.stderr.starts_with("note: say what to look for"), "{}", ran.stderr);
    let ran = site.run(&["search", "kubernetis", "--limit", "1", "--json"]);
    let found: Value = serde_json::from_str(&ran.stdout).expect("JSON");
    assert_eq!(found["mended"], json!([["kubernetis", "kubernetes"]]));
    assert_eq!(found["turns"], 1);
    let hit = &found["hits"][0];
    assert_eq!((&hit["file"], &hit["line"]), (&json!("content/c.convo"), &json!(2)));
    assert_eq!(hit["excerpt"], "A kubernetes cluster.");
    assert!(
        hit["url"]
            .as_str()
            .expect("a text")
            .starts_with("/base/c/2026-01-01-nothing-much-")
    );
    assert_eq!(site.run(&["search", "quagga"]).code, Some(1));
    assert_eq!(site.run(&["search", "quagga", "--include-private"]).code, Some(0));
    // The index follows the files, whatever became of it meanwhile.
    let text = fs::read_to_string(site.path("content/c.convo")).expect("text");
    site.write("content/c.convo", text.replace("kubernetes", "xylophone"));
    assert_eq!(site.run(&["search", "xylophone"]).code, Some(0));
    assert_eq!(site.run(&["search", "\"kubernetes\""]).code, Some(1));
    for (name, bytes) in crate::support::files_below(&site.path(".convo-site/search")) {
        let cut = bytes.len() / 2;
        site.write(&format!(".convo-site/search/{name}"), &bytes[..cut]);
    }
    let ran = site.run(&["search", "xylophone", "--count"]);
    assert_eq!((ran.code, &*ran.stdout), (Some(0), "1\n"), "{}", ran.stderr);
    let nowhere = SiteTest::new();
    fs::remove_file(nowhere.path("site.toml")).expect("removed");
    assert_eq!(nowhere.run(&["search", "x"]).code, Some(2));
    assert!(!nowhere.path(".convo-site").exists());
}

#[test]
fn the_preview_answers_queries() {
    use crate::preview::Preview;

    let site = small().file(
        "content/p.convo",
        talk("Private", "2026-03-03", ", \"private\": true", &[("Eve", "A quagga.")]),
    );
    let ask = |preview: &Preview, query: &str| -> Value {
        let (status, body) = preview.get(&format!("/api/search?q={query}"));
        assert_eq!(status, 200, "{query}");
        serde_json::from_slice(&body).expect("JSON")
    };
    let preview = Preview::start(&site, &["--port", "0"]);
    assert_eq!(ask(&preview, "borrow+checker")["turns"], 2);
    assert_eq!(ask(&preview, "%22borrow%20checker%22&limit=0")["hits"], json!([]));
    assert_eq!(ask(&preview, "quagga")["turns"], 0, "drafts are not shown");
    site.write("content/d.convo", talk("D", "2026-02-02", "", &[("Eve", "An okapi.")]));
    crate::preview::until(
        || ask(&preview, "okapi")["turns"] == 1,
        || "no okapi".to_owned(),
    );
    let host =
        format!("Host: localhost:{}\r\nOrigin: http://evil.example\r\n", preview.port);
    assert_eq!(preview.get_with("/api/search?q=zebra", &host).0, 403);
    drop(preview);
    let preview = Preview::start(&site, &["--port", "0", "--drafts"]);
    assert_eq!(ask(&preview, "quagga")["turns"], 1);
}

//! The search page of a site.

use std::sync::Arc;

use serde_json::json;

use crate::browser::Browser;
use crate::support::SiteTest;
use crate::support::talks::{small, talk};

const BASE: &str = "https://site.example/base/";

/// Opens the search page of a site with a query.
pub(crate) fn open_search_page(site: &SiteTest, query: &str) -> Browser {
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
            convo_site::text::percent_encode(query).replace('&', "%26").replace('+', "%2B")
        )
    };
    browser.open(&format!("search/{query}"));
}

const STATUS: &str = "document.querySelector('[role=status]').textContent";

#[track_caller]
fn wait_for_status(browser: &mut Browser, text: &str) {
    let text = json!(text);
    browser.wait_for(&format!("{STATUS}.includes({text})"));
}

/// Sets the query as if it were typed.
fn type_in(browser: &mut Browser, text: &str) {
    let text = json!(text);
    browser.evaluate(&format!(
        "{{ const input = document.getElementById('q'); input.value = {text}; \
         input.dispatchEvent(new Event('input', {{bubbles: true}})); }}"
    ));
}

fn press(browser: &mut Browser, key: &str) {
    for kind in ["keyDown", "keyUp"] {
        browser.call("Input.dispatchKeyEvent", json!({"type": kind, "key": key, "code": key}));
    }
}

const MARKS: &str =
    "Array.from(document.querySelectorAll('.results mark'), mark => mark.textContent).join('|')";

#[test]
fn a_result_opens_the_turn_with_the_words_marked() {
    let site = small();
    site.build(0);
    let mut browser = open_search_page(&site, "borrow checker");
    wait_for_status(&mut browser, "2 turns in 1 conversation.");
    let marks = browser.evaluate(MARKS);
    assert_eq!(marks, "checker|borrow|borrow|checker");
    let row = browser.evaluate("document.querySelector('.results li').innerText");
    let row = row.as_str().expect("a text");
    for part in ["Lifetimes in Rust", "6 May 2024", "Bot", "Ada", "How does the borrow checker"] {
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
    // Without the query in the URL, there are no marks.
    browser.evaluate("location.reload()");
    browser.wait_for("document.readyState === 'complete' && !document.querySelector('mark')");
    assert!(browser.leaks.is_empty() && browser.complaints.is_empty());
}

#[test]
fn words_are_found_in_every_form() {
    let site = small();
    site.build(0);
    let mut browser = open_search_page(&site, "");
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
            "No results.".to_owned()
        } else {
            format!("{turns} turn{} in ", if turns == 1 { "" } else { "s" })
        };
        let address = format!("new URLSearchParams(location.search).get('q') === {}", json!(query));
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
fn dates_without_words_find_conversations() {
    let site = small();
    site.build(0);
    for (query, found) in [
        ("after:2025-06", 2),
        ("before:2025", 1),
        ("after:2025 before:2025-08", 1),
        ("after:2030", 0),
        ("after:2020 -lang:de", 2),
    ] {
        let run = site.run(&["search", query, "--count"]);
        assert_eq!(run.stdout, format!("{found}\n"), "{query}: {}", run.stderr);
    }
    let mut browser = open_search_page(&site, "after:2025-06");
    wait_for_status(&mut browser, "2 turns in 2 conversations.");
    let titles =
        "Array.from(document.querySelectorAll('.results h2'), e => e.textContent).join('|')";
    assert_eq!(browser.evaluate(titles), "Nothing much|Über Größe");
    open(&mut browser, "after:2030");
    wait_for_status(&mut browser, "No results.");
    assert!(browser.complaints.is_empty(), "{:?}", browser.complaints);
}

#[test]
fn misspelt_words_are_corrected_and_reported() {
    let site = small();
    site.build(0);
    let mut browser = open_search_page(&site, "kubernetis");
    wait_for_status(&mut browser, "Showing results for kubernetes instead of “kubernetis”.");
    wait_for_status(&mut browser, "1 turn in 1 conversation.");
    open(&mut browser, "zebar ");
    wait_for_status(&mut browser, "Showing results for zebra instead of “zebar”.");
    open(&mut browser, "xyzzyx ");
    wait_for_status(&mut browser, "No results.");
    assert_eq!(browser.evaluate(&format!("{STATUS}.includes('instead')")), false);
}

#[test]
fn the_url_contains_the_query() {
    let site = small();
    site.build(0);
    let mut browser = Browser::start(BASE, site.output());
    browser.open("");
    // From the search field of every page.
    browser.evaluate(
        "{ const form = document.querySelector('header form.search'); \
         form.q.value = 'zebra'; form.submit(); }",
    );
    browser.wait_for("location.search === '?q=zebra'");
    wait_for_status(&mut browser, "1 turn in 1 conversation.");
    let entries = browser.evaluate("history.length");
    type_in(&mut browser, "kat");
    type_in(&mut browser, "katze");
    browser.wait_for("location.search === '?q=katze'");
    wait_for_status(&mut browser, "1 turn in 1 conversation.");
    assert_eq!(browser.evaluate("history.length"), entries, "typing leaves no trail");
    browser.evaluate("document.getElementById('q').value = 'kubernetes'");
    browser.evaluate("document.querySelector('#search form').requestSubmit()");
    browser
        .wait_for("location.search === '?q=kubernetes' && !!document.querySelector('.results a')");
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
    let mut browser = open_search_page(&site, "");
    assert_eq!(browser.evaluate("document.activeElement.id"), "q");
    browser.call("Input.insertText", json!({"text": "borrow "}));
    wait_for_status(&mut browser, "2 turns in 1 conversation.");
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
fn results_are_counted_by_category() {
    let site = small();
    site.build(0);
    let mut browser = open_search_page(&site, "checker");
    wait_for_status(&mut browser, "2 turns");
    let facets = "document.querySelector('.facets').innerText.replace(/\\s+/g, ' ')";
    browser.wait_for("document.querySelector('.facets').open");
    browser.wait_for(&format!("{facets}.includes('Speaker Ada 1 Bot 1')"));
    for part in ["Model m-1.5 1", "Language English 1", "Type dialog 1", "Year 2024 1"] {
        assert_eq!(
            browser.evaluate(&format!("{facets}.includes({})", json!(part))),
            true,
            "{part}"
        );
    }
    browser.evaluate("document.querySelector('.facets section button').click()");
    browser.wait_for("document.getElementById('q').value === 'checker speaker:\"Ada\" '");
    wait_for_status(&mut browser, "1 turn in 1 conversation.");
}

#[test]
fn nothing_is_loaded_before_a_search() {
    let site = small();
    site.build(0);
    let mut browser = Browser::start(BASE, site.output());
    for path in ["", "archive/", "search/"] {
        browser.open(path);
    }
    std::thread::sleep(std::time::Duration::from_millis(300));
    browser.evaluate("1");
    let index =
        browser.asked.iter().filter(|path| path.contains("search/") && !path.ends_with("html"));
    assert_eq!(index.count(), 0, "{:?}", browser.asked);
    open(&mut browser, "zebra");
    wait_for_status(&mut browser, "1 turn");
    let index =
        browser.asked.iter().filter(|path| path.contains("search/") && !path.ends_with("html"));
    assert!(index.count() < 8, "{:?}", browser.asked);
}

#[test]
fn without_javascript_the_page_links_to_the_archive() {
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
    // It has a size, so it is visible.
    browser.call("DOM.getBoxModel", json!({"nodeId": link["nodeId"]}));
}

#[test]
fn no_query_breaks_the_page() {
    let site = small();
    site.build(0);
    let mut browser = open_search_page(&site, "");
    let long = "word ".repeat(2000);
    let payloads = crate::support::payloads::all_payloads(&crate::tools::texts());
    let mut queries: Vec<String> = payloads.into_iter().step_by(9).collect();
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
        ("\"borrow checker", "The closing quotation mark is missing."),
        ("foo:bar", "There is no filter “foo:”; searched for it as text."),
        ("??? zebra", "“???” has no letters or digits."),
        ("speaker: zebra", "“speaker:” needs a value."),
        (
            "before:soon zebra",
            "“before:” takes a date (2025-10-23), month (2025-10) or year (2025).",
        ),
        ("-zebra", "Add a word to search for; excluding words is not enough."),
        ("<b>zebra</b> ???", "“???” has no letters or digits."),
    ] {
        open(&mut browser, query);
        wait_for_status(&mut browser, note);
    }
    let structure =
        browser.evaluate("document.querySelectorAll('main b b, main img, main script').length");
    assert_eq!(structure, 0);
    type_in(&mut browser, &long);
    wait_for_status(&mut browser, "Only the first 1000 characters were used.");
    assert!(browser.leaks.is_empty(), "{:?}", browser.leaks);
    assert!(browser.complaints.is_empty(), "{:?}", browser.complaints);
}

/// The file of the index that contains the turns of a word.
fn postings(browser: &Browser) -> String {
    let mut names = browser.files.keys().filter(|path| path.ends_with("/p0.bin"));
    names.next().expect("postings").clone()
}

/// The version of a file of the index: the last four digits, in base 36, of its checksum.
fn version(file: &[u8]) -> String {
    let checksum = file
        .iter()
        .fold(0x811C_9DC5_u32, |sum, byte| (sum ^ u32::from(*byte)).wrapping_mul(0x0100_0193));
    let digits = (0..4).rev().map(|place| checksum / 36_u32.pow(place) % 36);
    digits.filter_map(|digit| char::from_digit(digit, 36)).collect()
}

#[test]
fn a_missing_or_damaged_part_is_reported_and_retried() {
    let site = small();
    site.build(0);
    let mut browser = open_search_page(&site, "");
    let name = postings(&browser);
    let good = Arc::make_mut(&mut browser.files).remove(&name).expect("postings");
    type_in(&mut browser, "zebra");
    wait_for_status(&mut browser, "Could not load part of the search index (404).");
    // The next status differs from the previous one.
    let again = "{ const button = document.querySelector('[role=status] button'); \
                 button.textContent = 'tried'; button.click(); }";
    let says_anew = |browser: &mut Browser, text: &str| {
        let text = json!(text);
        browser.wait_for(&format!("{STATUS}.includes({text}) && !{STATUS}.includes('tried')"));
    };
    for at in [0, 4, good.len() / 2, good.len() - 1] {
        let mut damaged = good.clone();
        damaged[at] ^= 0x20;
        Arc::make_mut(&mut browser.files).insert(name.clone(), damaged);
        browser.evaluate(again);
        says_anew(&mut browser, "Part of the search index is damaged.");
    }
    Arc::make_mut(&mut browser.files).insert(name.clone(), good[..good.len() / 2].to_vec());
    browser.evaluate(again);
    says_anew(&mut browser, "Part of the search index is damaged.");
    // Damaged bytes with the right version: an attacker who can do this controls the site, but the page must still work.
    let root = browser.files["search/index.json"].clone();
    for body in [vec![0xFF; 100], Vec::new(), vec![3, 0]] {
        let mut forged: serde_json::Value = serde_json::from_slice(&root).expect("JSON");
        forged["segments"][0]["versions"]["p"] = json!(version(&body));
        let files = Arc::make_mut(&mut browser.files);
        files.insert(name.clone(), body);
        files.insert("search/index.json".to_owned(), forged.to_string().into_bytes());
        open(&mut browser, "zebra");
        wait_for_status(&mut browser, "Part of the search index is damaged.");
    }
    Arc::make_mut(&mut browser.files).insert("search/index.json".to_owned(), root);
    Arc::make_mut(&mut browser.files).insert(name, good);
    browser.evaluate(again);
    wait_for_status(&mut browser, "1 turn in 1 conversation.");
    let root =
        Arc::make_mut(&mut browser.files).insert("search/index.json".to_owned(), b"{".to_vec());
    open(&mut browser, "zebra");
    wait_for_status(&mut browser, "The search index is damaged.");
    Arc::make_mut(&mut browser.files).insert("search/index.json".to_owned(), root.expect("a root"));
    browser.evaluate(again);
    wait_for_status(&mut browser, "1 turn in 1 conversation.");
}

#[test]
fn a_page_of_an_older_build_finds_the_new_index() {
    let site = small();
    site.build(0);
    let mut browser = open_search_page(&site, "zebra");
    wait_for_status(&mut browser, "1 turn");
    site.write(
        "content/d.convo",
        talk("Later", "2026-02-02", "", &[("Eve", "A zebra and an okapi.")]),
    );
    site.build(0);
    browser.files = Arc::new(site.output());
    type_in(&mut browser, "\"an okapi\"");
    wait_for_status(&mut browser, "1 turn in 1 conversation.");
    browser.wait_for("document.querySelector('.results').innerText.includes('Later')");
}

/// Where the list of a word is longer than a file should be, the files around it are empty.
#[test]
fn few_words_in_many_turns_are_found_while_they_are_typed() {
    let site = SiteTest::new();
    let turns = vec![("Eve", "marble heron"); 120];
    for number in 0..40 {
        let day = format!("2025-01-{:02}", number % 28 + 1);
        site.write(&format!("content/t{number}.convo"), talk("Marble", &day, "", &turns));
    }
    site.build(0);
    let mut browser = open_search_page(&site, "");
    for query in ["mar", "eve", "0", "e", "hero*", "\"marble heron\"", "zebra"] {
        open(&mut browser, query);
        browser.wait_for(&format!("{STATUS}.includes('turn') || {STATUS}.includes('No results')"));
    }
    let summary = &browser.files["search/index.json"];
    let summary: serde_json::Value = serde_json::from_slice(summary).expect("JSON");
    let starts = summary["segments"][0]["postings"].as_array().expect("starts");
    assert!(starts.windows(2).any(|pair| pair[0] == pair[1]), "{starts:?}");
}

#[test]
fn small_archives_can_be_searched() {
    let site = SiteTest::new();
    site.build(0);
    let mut browser = open_search_page(&site, "anything");
    wait_for_status(&mut browser, "No results.");
    let site = SiteTest::new()
        .file("content/a.convo", talk("One", "2026-01-01", "", &[("Eve", "Alone.")]));
    site.build(0);
    let mut browser = open_search_page(&site, "alone");
    wait_for_status(&mut browser, "1 turn in 1 conversation.");
}

/// A conversation on several pages: each result links to the page of its turn.
#[test]
fn a_long_conversation_is_found_in_its_parts() {
    let site = SiteTest::new().file("content/log.jsonl", crate::support::talks::log(10_000));
    site.build(0);
    let mut browser = open_search_page(&site, "\"answer 8660\"");
    wait_for_status(&mut browser, "1 turn in 1 conversation.");
    browser.wait_for("!!document.querySelector('.results ul a')");
    let text = browser.evaluate("document.querySelector('.results ul a').textContent");
    assert!(text.as_str().expect("a text").contains("answer 8660"), "{text}");
    browser.evaluate("document.querySelector('.results ul a').click()");
    browser
        .wait_for("document.querySelector(':target')?.innerText.includes('answer 8660') === true");
    let part = browser.evaluate("/\\/87\\/$/.test(location.pathname)");
    assert_eq!(part, true);
}

#[test]
fn the_search_page_is_in_the_language_of_the_site() {
    let site = SiteTest::new()
        .file("site.toml", format!("{}language = \"de\"\n", crate::support::BASE))
        .file("content/a.convo", talk("Gruß", "2026-03-02", "", &[("Ada", "Guten Tag")]));
    site.build(0);
    let mut browser = Browser::start("https://site.example/base/", site.output());
    let status = "document.querySelector('[role=status]').innerText";
    for (query, status_text) in
        [("guten", "Gefunden: 1 Beitrag, 1 Gespräch."), ("xyzzy", "Keine Ergebnisse.")]
    {
        browser.open(&format!("search/?q={query}"));
        browser.wait_for(&format!("{status} === {}", json!(status_text)));
    }
    browser.open("search/?q=tag");
    browser.wait_for("document.querySelector('.results time')?.innerText === '2. März 2026'");
    assert!(browser.complaints.is_empty(), "{:?}", browser.complaints);
}

#[test]
fn filters_are_named_chips_that_can_be_removed() {
    let site = small();
    site.build(0);
    let mut browser =
        open_search_page(&site, "checker lang:en speaker:\"ada\" -has:tool after:2024-05");
    wait_for_status(&mut browser, "1 turn in 1 conversation.");
    let chips =
        "Array.from(document.querySelectorAll('.chosen button'), e => e.innerText).join('|')";
    assert_eq!(browser.evaluate(chips), "English ×|ada ×|not: With a tool call ×|From May 2024 ×");
    browser.evaluate("document.querySelector('[aria-label=\"Remove ada\"]').click()");
    browser.wait_for(
        "document.getElementById('q').value === 'checker lang:en -has:tool after:2024-05'",
    );
    wait_for_status(&mut browser, "2 turns in 1 conversation.");
    assert_eq!(browser.evaluate("document.querySelectorAll('.chosen button').length"), 3);
}

#[test]
fn without_results_the_page_suggests_similar_queries() {
    let site = small();
    site.build(0);
    // Without a query, there are examples that have results on this site.
    let mut browser = open_search_page(&site, "");
    let examples = "Array.from(document.querySelectorAll('.examples a'))";
    let seen = browser.evaluate(&format!(
        "[document.querySelector('.examples').hidden, {examples}.map(e => e.innerText).join('|')]"
    ));
    let queries = seen[1].as_str().expect("a text").to_owned();
    assert_eq!(seen[0], false);
    assert!(queries.contains("speaker:\"") && queries.contains("after:20"), "{queries}");
    for (place, _) in queries.split('|').enumerate() {
        open(&mut browser, "");
        browser.wait_for(&format!("{examples}.length > 0"));
        browser.evaluate(&format!("{examples}[{place}].click()"));
        browser.wait_for("location.search !== '' && !!document.querySelector('.results h2')");
        assert_eq!(browser.evaluate("document.querySelector('.examples').hidden"), true);
    }
    // No turn has all words: a conversation that has them, or turns with most words.
    open(&mut browser, "zebra likes ");
    wait_for_status(&mut browser, "No single turn has all of these words");
    let turns = "document.querySelectorAll('.results ul a').length";
    assert_eq!(browser.evaluate(turns), 2);
    open(&mut browser, "zebra likes katzen ");
    wait_for_status(&mut browser, "No conversation has all of these words.");
    browser
        .wait_for("document.querySelector('.results .meta').innerText.includes('missing: katzen')");
    // No results: suggests each word, and the query without filters.
    open(&mut browser, "zebra kubernetes lang:en ");
    wait_for_status(&mut browser, "No results.");
    let near = "Array.from(document.querySelectorAll('.near button'), e => e.innerText).join('|')";
    assert_eq!(browser.evaluate(near), "Search without filters|zebra (1)|kubernetes (1)");
    browser.evaluate("document.querySelectorAll('.near button')[2].click()");
    browser.wait_for("document.getElementById('q').value === 'kubernetes '");
    wait_for_status(&mut browser, "1 turn in 1 conversation.");
    assert_eq!(browser.evaluate(near), "");
}

/// Adds up all layout shifts of the page.
const COUNT_SHIFTS: &str = "globalThis.shifted = 0; new PerformanceObserver(list => { \
     for (const entry of list.getEntries()) shifted += entry.value; \
     }).observe({type: 'layout-shift', buffered: true});";

/// A site with this many conversations about herons.
fn herons(count: usize) -> SiteTest {
    (0..count).fold(SiteTest::new(), |site, number| {
        let text = format!("Heron number {number} stands in the mill pond.");
        let day = format!("2025-{:02}-{:02}", number / 28 + 1, number % 28 + 1);
        let turns = [("Ada", &*text), ("Bot", &*text), ("Ada", "A heron, again.")];
        site.file(
            &format!("content/{number}.convo"),
            talk(&format!("Pond {number}"), &day, "", &turns),
        )
    })
}

#[test]
fn nothing_moves_when_results_arrive() {
    let site = herons(12);
    site.build(0);
    let mut browser = Browser::start(BASE, site.output());
    browser.before_each_page(COUNT_SHIFTS);
    for (width, query) in
        [(1280, ""), (1280, "heron"), (1280, "heron lang:en"), (360, "heron"), (360, "xyzzyx")]
    {
        browser.appear(width, false);
        open(&mut browser, query);
        if !query.is_empty() {
            browser.wait_for(&format!("{STATUS} !== ''"));
        }
        std::thread::sleep(std::time::Duration::from_millis(500));
        assert_eq!(browser.evaluate("shifted"), 0, "{width}: {query}");
    }
}

#[test]
fn all_results_need_only_a_few_clicks() {
    let site = herons(101);
    site.build(0);
    let mut browser = open_search_page(&site, "heron");
    let rows = "document.querySelectorAll('.results > li:not(.more)').length";
    for count in [10, 30, 70, 101] {
        browser.wait_for(&format!("{rows} === {count}"));
        let more = "document.querySelector('.results > .more button')";
        if count < 101 {
            browser.wait_for(&format!("{more} !== null"));
            browser.evaluate(&format!("{more}.click()"));
        } else {
            assert_eq!(browser.evaluate(&format!("{more} === null")), true);
        }
    }
    assert!(browser.complaints.is_empty(), "{:?}", browser.complaints);
}

#[test]
fn passages_are_quoted_once_and_the_prompts_view_prefers_prompts() {
    let site = herons(1);
    site.build(0);
    let mut browser = open_search_page(&site, "heron");
    let quotes =
        "Array.from(document.querySelectorAll('.results ul a'), e => e.innerText).join('|')";
    let distinct = "Ada A heron, again.|Ada Heron number 0 stands in the mill pond.";
    browser.wait_for("document.querySelectorAll('.results ul a').length === 2");
    assert_eq!(browser.evaluate(quotes), distinct);
    // The repetition is still shown on request.
    browser.evaluate("document.querySelector('.results > li > button').click()");
    browser.wait_for("document.querySelectorAll('.results ul a').length === 3");
    let site = SiteTest::new().file(
        "content/a.convo",
        talk(
            "Pond",
            "2025-01-01",
            "",
            &[
                ("Bot", "Heron, heron, heron!"),
                ("Bot", "Two herons."),
                ("Ada", "Is it a grey heron or a white one?"),
            ],
        ),
    );
    site.build(0);
    let mut browser = open_search_page(&site, "heron");
    browser.wait_for("document.querySelectorAll('.results ul a').length === 2");
    browser.evaluate("localStorage.setItem('convo-site:detail', 'prompts')");
    open(&mut browser, "heron");
    browser.wait_for("document.querySelectorAll('.results ul a').length === 1");
    assert_eq!(browser.evaluate(quotes), "Ada Is it a grey heron or a white one?");
}

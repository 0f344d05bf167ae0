//! Compares the search page with the search of the command, which must find the same.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::sync::Arc;

use convo_site::disk::{Disk, State};
use convo_site::files::SharedFiles;
use convo_site::local_search::{Corpus, LocalIndex};
use convo_site::pipeline::{self, Choices, Memo};
use convo_site::search::query::{Clause, Condition, PrefixMatch, Query};
use convo_site::search::tokenizer::{Stemmer, terms};
use serde_json::{Value, json};

use crate::browser::Browser;
use crate::search::open_search_page;
use crate::support::talks::{small, talk};
use crate::support::{SiteTest, project};

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

pub(crate) fn terms_of(text: &str, language: &str) -> Value {
    let mut all = Vec::new();
    terms(text, Stemmer::of(language), |term| {
        all.push(json!([term.stem(), term.position]));
    });
    json!(all)
}

pub(crate) fn query_of(text: &str, languages: &[&str]) -> Value {
    let stemmers: Vec<Stemmer> = languages.iter().map(|language| Stemmer::of(language)).collect();
    let query = Query::parse(text, &stemmers);
    let clause = |Clause { is_negated, condition }: &Clause| match condition {
        Condition::Words(words, prefix) => {
            let words: Vec<Value> = words
                .iter()
                .map(|word| {
                    json!({"surface": word.surface, "forms": word.forms, "isPrefix": word.is_prefix})
                })
                .collect();
            let prefix = match prefix {
                PrefixMatch::Exact => "exact",
                PrefixMatch::Never => "never",
                PrefixMatch::Fallback => "fallback",
                PrefixMatch::Always => "always",
            };
            json!({"isNegated": is_negated, "words": words, "prefix": prefix})
        }
        Condition::Filter(field, terms) => {
            json!({"isNegated": is_negated, "field": field, "terms": terms})
        }
        Condition::Before(day) => json!({"isNegated": is_negated, "before": day}),
        Condition::After(day) => json!({"isNegated": is_negated, "after": day}),
    };
    let clauses: Vec<Value> = query.clauses.iter().map(clause).collect();
    json!({"query": text, "clauses": clauses, "notes": query.notes})
}

/// A file of test vectors, which the program and the script must both match.
#[test]
fn the_script_reads_words_and_queries_like_the_program() {
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
        .map(|row| query_of(row["query"].as_str().expect("a text"), &["de", "en"]))
        .collect();
    let queries = json!(queries);
    assert_eq!(queries, snapshot("queries.json", &queries));

    let site = small();
    site.build(0);
    let mut browser = open_search_page(&site, "");
    let script =
        |rows: &Value| format!("({rows}).map(row => convoSearch.terms(row.text, row.language))");
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

    // And random texts; `search_drift` has more of them, without a browser.
    let letters: Vec<char> =
        "aZé9_.'’+#- \n\"*:日語กกาकिउแ한글ßİΣς½①ﬁ👩\u{200d}💻e\u{301}\u{85}\u{feff}ingseddes"
            .chars()
            .collect();
    let mut next = random(7);
    let texts: Vec<String> =
        (0..2000).map(|_| (0..next(24)).map(|_| letters[next(letters.len())]).collect()).collect();
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
        assert_eq!(*seen, query_of(text, &["de", "en"]), "{text:?}");
    }
}

/// Words for the conversations of an archive: common and rare ones, of several languages.
const WORDS: &str = "the a of search searching searched engine engines index turn turns speaker \
    kubernetes lifetime borrow checker zebra quagga okapi snake_case foo.bar C++ E0308 naïve café \
    Häuser Katze Katzen suchen don't well-known 日本語 検索 エンジン 한국어 ภาษาไทย 3.14 model";

/// An archive of conversations with random words.
fn archive(count: usize) -> SiteTest {
    let site = SiteTest::new();
    let words: Vec<&str> = WORDS.split_whitespace().collect();
    let mut next = random(11);
    for number in 0..count {
        let mut turns = Vec::new();
        for _ in 0..2 + next(9) {
            let who = ["Ada Lovelace", "Bot", "Eve"][next(3)];
            // Low numbers are more frequent, so some words are rare.
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
        site.write(&format!("content/{folder}/{number}.convo"), talk(&title, &day, &more, &turns));
    }
    let rule = |tag: &str| format!("[[source]]\nfiles = \"{tag}/**\"\ntags = [\"{tag}\"]\n");
    let rules = ["machine learning", "learning", "games"].map(rule).concat();
    site.write("site.toml", format!("{}{rules}", crate::support::BASE));
    site
}

/// Reproducible pseudo-random numbers.
pub(crate) fn random(seed: u32) -> impl FnMut(usize) -> usize {
    let mut state = seed;
    move |below| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 8) as usize % below
    }
}

fn queries() -> Vec<String> {
    // Names of speakers are words of their turns.
    let names = ["ada", "lovelace", "Eve", "bots"];
    let words: Vec<&str> = WORDS.split_whitespace().chain(names).collect();
    let mut next = random(5);
    let filters = [
        "speaker:ada", "speaker:eve", "speaker:\"ada lovelace\"", "model:m", "model:m-1.5",
        "lang:de", "lang:ja", "type:dialog", "tag:\"machine learning\"", "tag:learning",
        "tag:games", "has:code", "has:tool", "before:2023", "after:2022-06", "before:2024-03-05",
        "after:2025-12-24", "speaker:nobody",
    ];
    let mut all: Vec<String> = filters.iter().map(|filter| (*filter).to_owned()).collect();
    all.extend(["ada-lovelace", "\"lovelace ada\"", "love", "lovelase "].map(str::to_owned));
    while all.len() < 600 {
        let mut parts = Vec::new();
        for _ in 0..1 + next(if all.len() < 500 { 3 } else { 7 }) {
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

/// The anchors of the turns of a page, from its Markdown copy.
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

/// Search results: the tier, and the URLs of turns.
type Finds = (String, BTreeSet<String>);

/// The search of the command.
struct CommandSearch {
    state: State,
    build: pipeline::Build,
    finder: LocalIndex,
}

impl CommandSearch {
    fn of(site: &SiteTest) -> Self {
        let folder = site.path("");
        let files: SharedFiles = Arc::new(Disk::new(&folder));
        let state = State::open(&folder, &|_| {}).expect("a state");
        let build = pipeline::run(&files, &Choices::default(), &Memo::default(), &|_| {});
        let build = build.unwrap_or_else(|notes| panic!("{notes:?}"));
        let mut finder = LocalIndex::open(&state, false).expect("an index");
        finder.update(Corpus::of(&build), &|_, _| {}).expect("updated");
        Self { state, build, finder }
    }

    fn finds(&self, query: &str) -> Finds {
        let _ = &self.state;
        let found = self.finder.find(query, Corpus::of(&self.build), 100_000);
        let found = found.expect("found");
        let tier = json!(found.tier).as_str().expect("a tier").to_owned();
        (tier, found.hits.into_iter().map(|hit| hit.url).collect())
    }
}

/// The results of the search page, with the same URLs.
fn page_finds(
    browser: &mut Browser,
    queries: &[String],
    files: &BTreeMap<String, Vec<u8>>,
) -> Vec<Finds> {
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
                all.push([found.tier, rows]);
            }}
            return all;
        }})()",
        json!(queries)
    );
    let found = browser.evaluate(&script);
    let known: BTreeMap<&str, Vec<String>> = files
        .iter()
        .filter_map(|(path, bytes)| Some((path.strip_suffix("index.md")?, anchors(bytes))))
        .collect();
    let address = |path: &str, turn: &Value| {
        let page = convo_site::text::percent_encode(path);
        match turn.as_u64().expect("a number") {
            0 => format!("/base/{page}"),
            turn => format!("/base/{page}{}", known[path][turn as usize - 1]),
        }
    };
    let all = found.as_array().expect("rows").iter();
    all.map(|found| {
        let tier = found[0].as_str().expect("a tier").to_owned();
        let rows = found[1].as_array().expect("rows").iter();
        let rows = rows
            .flat_map(|row| {
                let path = row[0].as_str().expect("a path").to_owned();
                let turns = row[1].as_array().expect("turns").clone();
                turns.into_iter().map(move |turn| (path.clone(), turn))
            })
            .map(|(path, turn)| address(&path, &turn));
        (tier, rows.collect())
    })
    .collect()
}

#[test]
fn the_page_finds_what_the_command_finds() {
    let site = archive(90);
    site.build(0);
    let files = site.output();
    let mut browser = open_search_page(&site, "");
    let queries = queries();
    let seen = page_finds(&mut browser, &queries, &files);
    let command = CommandSearch::of(&site);
    let (mut some, mut wrong) = (0, Vec::new());
    let mut by_tier: BTreeMap<String, usize> = BTreeMap::new();
    for (query, (tier, seen)) in queries.iter().zip(seen) {
        let (expected_tier, expected) = command.finds(query);
        some += usize::from(!expected.is_empty());
        *by_tier.entry(expected_tier.clone()).or_default() += 1;
        if seen != expected || tier != expected_tier {
            let more: Vec<_> = seen.difference(&expected).take(2).collect();
            let less: Vec<_> = expected.difference(&seen).take(2).collect();
            wrong.push(format!(
                "{query}: {tier} {} and {expected_tier} {}; more {more:?} less {less:?}",
                seen.len(),
                expected.len()
            ));
        }
    }
    assert!(by_tier["conversation"] > 10 && by_tier["most"] > 10, "{by_tier:?}");
    assert!(wrong.is_empty(), "{} differ:\n{}", wrong.len(), wrong.join("\n"));
    assert!(some > 300, "only {some} queries find anything");
}

/// An archive of several hundred has two segments. A new conversation leaves the older one as it is, an edit leaves
/// most files of it, and both are searched.
#[test]
fn a_change_keeps_most_files_of_the_index() {
    let site = archive(600);
    let old = |text: &str| talk("Oldest", "2010-01-01", "", &[("Eve", text)]);
    site.write("content/old.convo", old("A heron."));
    site.write("content/new.convo", talk("Newest", "2030-01-01", "", &[("Eve", "okapi okapi")]));
    site.build(0);
    let index = |site: &SiteTest| -> BTreeMap<String, Vec<u8>> {
        let files = site.output().into_iter().filter(|(path, _)| path.starts_with("search/"));
        files.collect()
    };
    let changed = |before: &BTreeMap<String, Vec<u8>>, after: &BTreeMap<String, Vec<u8>>| {
        let parts = after.iter().filter(|(path, _)| path.ends_with(".bin"));
        let changed: Vec<String> = parts
            .filter(|(path, bytes)| before.get(*path) != Some(*bytes))
            .map(|(path, _)| path.clone())
            .collect();
        changed
    };
    let first = index(&site);
    site.write("content/newer.convo", talk("More", "2030-01-02", "", &[("Eve", "xylophone")]));
    site.build(0);
    let second = index(&site);
    let added = changed(&first, &second);
    assert!(
        !added.is_empty() && added.iter().all(|path| path.starts_with("search/2/")),
        "{added:?}"
    );
    site.write("content/old.convo", old("A bassoon."));
    site.build(0);
    let third = index(&site);
    assert!(third.keys().eq(second.keys()));
    let written = changed(&second, &third);
    assert!(
        !written.is_empty() && written.len() * 5 < third.len(),
        "{} of {}: {written:?}",
        written.len(),
        third.len()
    );
    let files = site.output();
    let mut browser = open_search_page(&site, "");
    let queries =
        ["xylophone", "okapi", "bassoon", "\"okapi okapi\"", "search -engine"].map(str::to_owned);
    let seen = page_finds(&mut browser, &queries, &files);
    let command = CommandSearch::of(&site);
    for (query, seen) in queries.iter().zip(seen) {
        assert_eq!(seen, command.finds(query), "{query}");
    }
}

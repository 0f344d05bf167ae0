//! The scripts of pages: small, bundled from modules, with tables generated from Rust.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::ops::RangeInclusive;

use convo_site::search::tables as program;
use convo_site::search::tables::Stemmer;
use serde_json::json;

use crate::support::{SiteTest, project};

/// Ranges of characters for a regular expression class in a string.
fn class(ranges: &[RangeInclusive<char>]) -> String {
    let escaped = |c: char| match u32::from(c) {
        code @ ..=0xFFFF => format!("\\\\u{code:04X}"),
        code => format!("\\\\u{{{code:X}}}"),
    };
    let range = |range: &RangeInclusive<char>| match (*range.start(), *range.end()) {
        (start, end) if start == end => escaped(start),
        (start, end) => format!("{}-{}", escaped(start), escaped(end)),
    };
    format!("\"{}\"", ranges.iter().map(range).collect::<String>())
}

/// The ranges of white space characters.
fn spaces() -> Vec<RangeInclusive<char>> {
    let all: BTreeSet<char> = ('\0'..=char::MAX).filter(|c| c.is_whitespace()).collect();
    let mut ranges: Vec<RangeInclusive<char>> = Vec::new();
    for c in all {
        match ranges.last_mut() {
            Some(last) if u32::from(*last.end()) + 1 == u32::from(c) => {
                *last = *last.start()..=c;
            }
            _ => ranges.push(c..=c),
        }
    }
    ranges
}

/// A list of strings.
fn list(values: &[&str]) -> String {
    json!(values).to_string().replace("\",\"", "\", \"")
}

/// The tables as a module.
fn script() -> String {
    let mut text = String::from(
        "// The tables that the program and the script share. They are written from those of the program\n\
         // by `SNAPSHOTS=overwrite cargo test tables_of_the_script`: change them there.\n",
    );
    let mut add = |about: &str, name: &str, value: String| {
        let _ = write!(text, "\n/** {about} */\nexport const {name} = {value};\n");
    };
    let mut number = |about: &str, name: &str, value: usize| add(about, name, value.to_string());
    number("The version of the index.", "VERSION", program::VERSION as usize);
    number("Conversations in a file of titles.", "DOCUMENTS_PER_FILE", program::DOCUMENTS_PER_FILE);
    number("The highest weight of a term in a turn.", "MAX_WEIGHT", program::MAX_WEIGHT.into());
    number(
        "The factor by which a title counts more than a turn.",
        "TITLE_WEIGHT",
        program::TITLE_WEIGHT as usize,
    );
    number("The most characters of a query that count.", "MAX_CHARACTERS", program::MAX_CHARACTERS);
    number("The most clauses of a query that count.", "MAX_CLAUSES", program::MAX_CLAUSES);
    number(
        "The most characters of a term; a longer term is cut off.",
        "MAX_TERM_CHARS",
        program::MAX_TERM_CHARS,
    );
    let (least, most) = program::WORD_LETTERS.into_inner();
    add(
        "The fewest and the most letters of words that are kept for spelling correction.",
        "WORD_LETTERS",
        format!("[{least}, {most}]"),
    );
    add("The filters whose values are words.", "FILTER_FIELDS", list(&program::FILTER_FIELDS));
    add(
        "The fields of filters that find all of a conversation.",
        "CONVERSATION_FIELDS",
        list(&program::CONVERSATION_FIELDS),
    );
    add(
        "Articles and pronouns that lose their vowel before an apostrophe.",
        "ELIDED",
        list(&program::ELIDED),
    );
    add(
        "Quotation marks that are taken for the straight one.",
        "QUOTES",
        json!(program::QUOTES).to_string(),
    );
    add("White space, for a class of a regular expression.", "SPACES", class(&spaces()));
    add(
        "Accents and vowel points, for a class of a regular expression.",
        "ACCENTS",
        class(&program::ACCENTS),
    );
    add(
        "Characters of scripts that are indexed as bigrams, for a class of a regular expression.",
        "BIGRAM_SCRIPTS",
        class(&program::BIGRAM_SCRIPTS),
    );
    let spellings = program::SPELLINGS.map(|(letter, spelling)| {
        let (letter, spelling) = (letter.to_string(), json!(spelling));
        format!("{}: {spelling}", json!(letter))
    });
    add(
        "Letters, and the letters with which most people type them. @type {Record<string, string>}",
        "SPELLINGS",
        format!("{{ {} }}", spellings.join(", ")),
    );
    let endings = program::STEMMERS.iter().filter_map(|(language, stemmer)| match stemmer {
        Stemmer::Endings(all) => Some(format!("  {language}: {},\n", json!(all.join(" ")))),
        _ => None,
    });
    add(
        "The endings of inflection of languages, the longest first. @type {Record<string, string>}",
        "ENDINGS",
        format!("{{\n{}}}", endings.collect::<String>()),
    );
    text
}

#[test]
fn tables_of_the_script_are_those_of_the_program() {
    let path = project().join("src/search/script/tables.js");
    if std::env::var("SNAPSHOTS").is_ok_and(|value| value == "overwrite") {
        fs::write(&path, script()).expect("written");
    }
    let written = fs::read_to_string(path).expect("tables.js");
    assert_eq!(written, script(), "`SNAPSHOTS=overwrite` writes it anew");
}

/// The scripts of pages, with the maximum size of each in bytes.
const BUDGETS: [(&str, usize); 5] = [
    ("first_paint", 450),
    ("reading", 11_600),
    ("mark", 1_739),
    ("search", 54_500),
    ("search_dialog", 49_000),
];

#[test]
fn every_module_says_what_it_is() {
    for folder in ["src", "tests/js"] {
        let files = crate::support::files_below(&project().join(folder));
        let modules = files.iter().filter(|(path, _)| path.ends_with(".js"));
        for (path, text) in modules {
            assert!(text.starts_with(b"// "), "{folder}/{path}");
            let lines = text.iter().filter(|byte| **byte == b'\n').count();
            assert!(lines < 350, "{folder}/{path} has {lines} lines");
        }
    }
}

#[test]
fn a_page_loads_one_small_file_for_each_thing() {
    let site = SiteTest::new();
    site.build(0);
    let files = site.output();
    let scripts: Vec<&String> = files.keys().filter(|path| path.ends_with(".js")).collect();
    assert_eq!(scripts.len(), BUDGETS.len(), "{scripts:?}");
    for (name, most) in BUDGETS {
        let start = format!("assets/{name}.");
        let path = scripts.iter().find(|path| path.starts_with(&start)).expect(name);
        let text = String::from_utf8_lossy(&files[*path]);
        assert!(text.len() <= most, "{path} has {} bytes", text.len());
        assert!(text.starts_with("\"use strict\";\n{\n"), "{path}");
        for line in text.lines() {
            let is_left =
                ["import ", "export ", "//", "/*", " "].iter().any(|start| line.starts_with(start));
            assert!(!is_left, "{path}: {line}");
        }
    }
}

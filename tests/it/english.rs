//! Checks that texts of this project avoid words and phrases that read as translated.

use std::collections::BTreeMap;
use std::fs;

use regex::{Regex, RegexBuilder};

use crate::support::{files_below, project};

/// Patterns of whole words to avoid, each with a replacement. Keep the list short.
const AVOIDED: &[(&str, &str)] = &[
    ("(is|are|was|were|been) told", "is reported"),
    ("stands? (in|at|on|below|above|behind|there|for itself)", "is in, is at"),
    ("mend(s|ed|ing)?", "fix"),
    ("leads? (on|nowhere|astray)", "redirects, a broken link"),
    ("one's own", "your own, custom"),
    ("(what|which|that|it|this) (is|are) none", "name the thing"),
    ("(it|this|that|which|who|he|she|they) (is|are) no", "is not a"),
    ("thereby|hitherto|therein|as of which|by now", "so, now"),
    ("nobody (says|speaks|looks|reads)", "no messages, unused"),
    ("(kept|keeps?|held|holds?) back", "withheld"),
    ("(taken|takes|took) out", "redacted, removed"),
    ("hears? (of|that|when|from)", "reads, detects"),
    ("(goes|go|went) out", "is published"),
    ("as (it|they) stands?", "as is, unchanged"),
    ("made-up names?", "pseudonym"),
    ("(brought|brings?) (along|in|into)", "included, imported"),
];

/// Phrases that start like one of the patterns but are plain English.
const FINE: [&str; 3] = ["is no longer", "are no longer", "told apart"];

/// Folders and files to check. Locales of other languages are excluded.
const CHECKED: [&str; 8] =
    ["src", "docs/pages", "templates", "themes", ".github", "README.md", "site.toml", "build.rs"];
const ENDINGS: [&str; 6] = [".rs", ".md", ".toml", ".html", ".css", ".js"];
const OTHER_LANGUAGES: [&str; 6] =
    ["/ar.toml", "/de.toml", "/es.toml", "/fr.toml", "/ja.toml", "/zh.toml"];

/// The texts to check, by path.
fn texts() -> BTreeMap<String, String> {
    let mut texts = BTreeMap::new();
    for root in CHECKED {
        let path = project().join(root);
        let files = match path.is_dir() {
            true => files_below(&path),
            false => BTreeMap::from([(String::new(), fs::read(&path).expect(root))]),
        };
        for (file, bytes) in files {
            let path = format!("{root}/{file}").trim_end_matches('/').to_owned();
            let has_text = ENDINGS.iter().any(|ending| path.ends_with(ending))
                && !OTHER_LANGUAGES.iter().any(|ending| path.ends_with(ending));
            if has_text {
                texts.insert(path, String::from_utf8(bytes).expect("UTF-8"));
            }
        }
    }
    texts
}

#[test]
fn texts_are_in_plain_english() {
    let patterns = AVOIDED.iter().map(|(pattern, instead)| {
        let words =
            RegexBuilder::new(&format!(r"\b(?:{pattern})\b")).case_insensitive(true).build();
        (words.expect("a pattern"), *instead)
    });
    let patterns: Vec<(Regex, &str)> = patterns.collect();
    let mut found = Vec::new();
    for (path, text) in texts() {
        for (number, line) in (1..).zip(text.lines()) {
            for (pattern, instead) in &patterns {
                let words = pattern
                    .find(line)
                    .filter(|words| !FINE.iter().any(|fine| line[words.start()..].contains(fine)));
                if let Some(words) = words {
                    found.push(format!("{path}:{number}: `{}`: {instead}", words.as_str()));
                }
            }
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}

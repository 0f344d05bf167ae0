//! A thousand invented secrets of all kinds in three archives: each is found and reported and, once
//! redacted, is nowhere, whatever happens to the archives afterwards.

use std::collections::BTreeSet;

use convo_site::secrets::{Tier, preview};
use serde_json::{Value, json};

use crate::gate::{everything, token};
use crate::planted_secrets::{COUNT, Planted, Sink, plant};
use crate::support::{BASE, Run, SiteTest, unpacked};

/// All kinds of downloads.
pub(crate) const ALL_COPIES: &str =
    "downloads = [\"markdown\", \"json\", \"original\"]\nindex = \"auto\"\n";

/// Parts of a secret that no report may contain, without parts common to all keys of its kind.
fn stretches(secret: &str) -> Vec<String> {
    const LEN: usize = 12;
    let is_specific = |word: &&str| !word.starts_with("---") && word.len() >= LEN;
    let words: Vec<&str> = secret.split_whitespace().filter(is_specific).collect();
    if words.is_empty() {
        // A short password, or a seed phrase.
        let end = secret.char_indices().nth(40).map_or(secret.len(), |(at, _)| at);
        return vec![secret[..end].to_owned()];
    }
    // Reports may show the first four and the last two characters.
    let cut = |word: &str| {
        let bytes = &word.as_bytes()[4.min(word.len() - LEN)..];
        let cut = bytes.chunks_exact(LEN).map(|chunk| String::from_utf8_lossy(chunk).into_owned());
        cut.collect::<Vec<_>>()
    };
    words.into_iter().flat_map(cut).collect()
}

/// Returns the secrets that were partly written or reported.
fn leaked<'a>(
    site: &SiteTest,
    runs: &[&Run],
    planted: &'a [Planted],
) -> Vec<(&'a Planted, String)> {
    let (mut words, mut of) = (Vec::new(), Vec::new());
    for (place, one) in planted.iter().enumerate() {
        for stretch in stretches(&one.secret) {
            words.push(stretch);
            of.push(place);
        }
    }
    let known = aho_corasick::AhoCorasick::builder()
        .ascii_case_insensitive(true)
        .build(words)
        .expect("an automaton");
    let mut all = everything(site, runs);
    all.insert("the index".to_owned(), unpacked(&site.output()).into_bytes());
    let mut leaked = Vec::new();
    let mut seen = BTreeSet::new();
    for (name, bytes) in &all {
        for found in known.find_iter(bytes) {
            let place = of[found.pattern().as_usize()];
            if seen.insert((place, name.split('?').next())) {
                leaked.push((&planted[place], name.clone()));
            }
        }
    }
    leaked
}

#[track_caller]
fn assert_none(site: &SiteTest, runs: &[&Run], planted: &[Planted], when: &str) {
    let leaked = leaked(site, runs, planted).into_iter();
    let leaked: Vec<String> = leaked
        .map(|(one, file)| {
            format!("{} {:?} in {:?}: {file}", one.rule.id, preview(&one.secret), one.sink)
        })
        .collect();
    assert!(leaked.is_empty(), "{when}: {}:\n{}", leaked.len(), leaked.join("\n"));
}

const REDACT: &str = "[gate]\ncertain = \"redact\"\nlikely = \"redact\"\n";

#[test]
fn a_thousand_secrets_are_found_and_none_is_published() {
    let site = SiteTest::new();
    let configure = |gate: &str| site.write("site.toml", format!("{BASE}{ALL_COPIES}{gate}"));
    configure("");
    let planted = plant(&site);
    let kinds: BTreeSet<&str> = planted.iter().map(|one| one.rule.id).collect();
    let sinks: BTreeSet<Sink> = planted.iter().map(|one| one.sink).collect();
    assert!(planted.len() == COUNT && kinds.len() >= 60 && sinks.len() == 11);
    // Each is reported with its conversation, and no more of it than allowed.
    let review = site.run(&["review", "--json"]);
    assert_eq!(review.code, Some(1), "{}", review.stderr);
    let findings: Vec<Value> = serde_json::from_str(&review.stdout).expect("JSON");
    let is_reported = |one: &Planted| {
        findings.iter().any(|found| {
            let conversation = found["conversation"].as_str().unwrap_or_default();
            let is_sure = found["tier"] != "possible";
            is_sure && found["preview"] == preview(&one.secret) && one.is_in(conversation)
        })
    };
    // A site that only warns publishes them; later steps remove them again.
    configure("[gate]\ncertain = \"warn\"\nlikely = \"warn\"\n");
    let warned = site.build(0);
    let leaked = leaked(&site, &[], &planted).into_iter();
    let in_output = leaked.filter(|(_, file)| file.starts_with("public/"));
    let published: BTreeSet<&str> = in_output.map(|(one, _)| one.secret.as_str()).collect();
    assert!(published.len() > COUNT * 9 / 10, "{}", published.len());
    let missed = planted.iter().filter(|one| published.contains(one.secret.as_str()));
    let missed: Vec<&Planted> = missed.filter(|one| !is_reported(one)).collect();
    let likely = planted.iter().filter(|one| one.rule.tier == Tier::Likely).count();
    let is_certain = |one: &&Planted| one.rule.tier == Tier::Certain;
    let names: Vec<String> =
        missed.iter().map(|one| format!("{} in {:?}", one.rule.id, one.sink)).collect();
    assert!(!missed.iter().any(is_certain), "{names:?}");
    assert!(missed.len() * 20 <= likely, "{names:?}");
    // Secrets that look like examples by chance are not found.
    let missed: BTreeSet<String> = missed.iter().map(|one| one.secret.clone()).collect();
    let planted: Vec<Planted> =
        planted.into_iter().filter(|one| !missed.contains(&one.secret)).collect();
    configure(REDACT);
    let redacted = site.run(&["build", "--message-format", "json"]);
    assert_eq!(redacted.code, Some(0), "{}", redacted.stderr);
    assert_none(&site, &[&review, &warned, &redacted], &planted, "redacted");
    // Renames files, and makes some published ones private.
    for (from, to) in [("export.zip", "chats.zip"), ("talks", "old-talks")] {
        let at = |name: &str| site.path(&format!("content/{name}"));
        std::fs::rename(at(from), at(to)).expect("renamed");
    }
    let private = "[[source]]\nfiles = \"sessions.tar.gz/**\"\nvisibility = \"private\"\n";
    configure(&format!("{REDACT}{private}"));
    let renamed = site.run(&["build", "--message-format", "sarif"]);
    assert_eq!(renamed.code, Some(0), "{}", renamed.stderr);
    let all = site.run(&["build", "--include-private"]);
    assert_eq!(all.code, Some(0), "{}", all.stderr);
    assert_none(&site, &[&renamed, &all], &planted, "renamed");
    configure("");
    let held = site.build(1);
    let status = site.run(&["status", "--all"]);
    let check = site.run(&["check", "--publish"]);
    assert_none(&site, &[&held, &status, &check], &planted, "held back");
}

#[test]
fn no_part_of_a_secret_at_the_cut_of_a_long_name_is_published() {
    for before in [955, 965, 975] {
        let secret = token(7);
        let name = format!("{} {secret} {}", "n".repeat(before), "m".repeat(500));
        let about = json!({"type": "dialog", "time": "2026-03-04", "participants": [name, "Bot"]});
        let talk = format!("### @{name}\nHello.\n\n### @Bot\nYes.\n\n----\n{about}\n");
        let site = SiteTest::new()
            .file("site.toml", format!("{BASE}{ALL_COPIES}"))
            .file("content/talk.convo", talk);
        let run = site.build(0);
        assert!(run.stderr.contains("too-long"), "{}", run.stderr);
        let start = &secret[..6];
        for (file, bytes) in everything(&site, &[&run]) {
            assert!(!String::from_utf8_lossy(&bytes).contains(start), "{before}: {file}");
        }
    }
}

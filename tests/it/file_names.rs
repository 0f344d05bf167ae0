//! Names of attachments, conversations, folders, archives and their members. If one contains a key,
//! a redacted word or the name of a person, none of it is in the output, the cache or a report.

use std::collections::{BTreeMap, BTreeSet};

use regex::Regex;

use crate::archives::{gzip, tar, zip};
use crate::formats::{files, format_of, inputs};
use crate::gate::everything;
use crate::support::hidden::{KINDS, Kind, Needles, config, word};
use crate::support::{BASE, Run, SiteTest, unpacked};

/// Formats whose samples have attached files.
const ATTACHING: [&str; 8] = [
    "convo", "discord", "gemini-takeout", "google-chat", "mattermost", "messenger", "signal",
    "telegram",
];

/// A sample whose attachments have planted names.
struct Sample {
    format: String,
    files: BTreeMap<String, Vec<u8>>,
}

/// Returns the word as part of a file path.
fn in_path(kind: Kind, number: usize) -> String {
    word(kind, number).replace(' ', "_")
}

/// Returns a sample whose attached files exist under planted names.
fn renamed(input: &std::path::Path, kind: Kind, number: usize) -> Sample {
    let format = format_of(input);
    let named =
        Regex::new(r#"[\w./%@ -]*?([\w%@-][\w.%@ -]*)\.(jpe?g|png|mp4|ogg|webp|pdf|mov|m4a)\b"#)
            .expect("a pattern");
    let planted = in_path(kind, number);
    let mut all = BTreeMap::new();
    let mut named_files = BTreeSet::new();
    for (path, bytes) in files(input) {
        let Ok(text) = String::from_utf8(bytes.clone()) else {
            all.insert(path, bytes);
            continue;
        };
        // Files with a length that differs from the export are not published.
        let len = attached_text(&format).len();
        let length = format!("\"fileSizeBytes\": {len}");
        let mut text = text.replace("\"fileSizeBytes\": 1234", &length);
        let bases: BTreeSet<(String, String)> = named
            .captures_iter(&text)
            .filter(|found| !found[0].contains("//"))
            .map(|found| (format!("{}.{}", &found[1], &found[2]), found[2].to_owned()))
            .collect();
        for (place, (base, ending)) in bases.into_iter().enumerate() {
            // Each has a different name.
            let new = match place {
                0 => format!("{planted}.{ending}"),
                place => format!("{place}.{planted}.{ending}"),
            };
            text = text.replace(&base, &new);
        }
        let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder).to_owned();
        for found in named.find_iter(&text).map(|found| found.as_str()) {
            let found = found.trim_start_matches([' ', '.', '/']).replace("%20", " ");
            if found.contains(&planted) && !found.contains("//") {
                let folders = [folder.as_str(), "", "data"];
                let places = folders.map(|folder| format!("{folder}/{found}"));
                let base = found.rsplit('/').next().expect("a name");
                named_files.extend(places);
                named_files.insert(format!("{folder}/{base}"));
                // Google Chat writes this for `?account_id=1`.
                named_files.insert(format!("{folder}/{base}_account_id=1"));
            }
        }
        all.insert(path, text.into_bytes());
    }
    for path in named_files {
        let path = path.trim_start_matches('/').to_owned();
        let bytes = attached_text(&format).into_bytes();
        all.entry(path).or_insert(bytes);
    }
    Sample { format, files: all }
}

/// Returns the content of the attachments of a format.
fn attached_text(format: &str) -> String {
    format!("A list of eels, of {format}.")
}

/// As many samples of each format as there are ways to add them, preferring those with attachments.
fn samples(kind: Kind, number: usize) -> Vec<Sample> {
    let mut by_format: BTreeMap<String, Vec<Sample>> = BTreeMap::new();
    for input in inputs() {
        let sample = renamed(&input, kind, number);
        by_format.entry(sample.format.clone()).or_default().push(sample);
    }
    let chosen = by_format.into_values().flat_map(|mut all| {
        all.sort_by_key(|sample| std::cmp::Reverse(sample.files.len()));
        all.truncate(WAYS.len());
        all
    });
    chosen.collect()
}

/// The ways to add samples to a site.
const WAYS: [&str; 4] = ["folder", "zip", "tar.gz", "file"];

/// Adds a sample to a site under a planted name.
fn put(site: &SiteTest, way: &str, planted: &str, place: usize, sample: &Sample) {
    let Sample { format, files } = sample;
    let members: Vec<(String, &[u8])> = files
        .iter()
        .map(|(path, bytes)| (format!("in {planted}/{path}"), bytes.as_slice()))
        .collect();
    let members: Vec<(&str, &[u8])> =
        members.iter().map(|(path, bytes)| (path.as_str(), *bytes)).collect();
    let top = format!("content/{format}/{place}/{planted}");
    match way {
        "folder" => {
            for (path, bytes) in files {
                site.write(&format!("{top}/{path}"), bytes);
            }
        }
        "zip" => site.write(&format!("{top}.zip"), zip(&members)),
        "tar.gz" => site.write(&format!("{top}.tar.gz"), gzip(&tar(&members))),
        _ => {
            for (path, bytes) in files {
                let path = match files.len() {
                    1 => path.replace("input", planted),
                    _ => path.clone(),
                };
                site.write(&format!("content/{format}/{place}/{path}"), bytes);
            }
        }
    }
}

#[track_caller]
fn assert_nowhere(site: &SiteTest, runs: &[&Run], needles: &Needles, when: &str) {
    let mut all = everything(site, runs);
    all.insert("the index".to_owned(), unpacked(&site.output()).into_bytes());
    let found = needles.found(&all);
    assert!(found.is_empty(), "{when}: {}:\n{}", found.len(), found.join("\n"));
}

#[test]
fn file_names_with_hidden_words_are_not_published() {
    let mut attached = BTreeSet::new();
    for (number, kind) in KINDS.into_iter().enumerate() {
        let needles = Needles::new([(kind, word(kind, number), format!("{kind:?}"))]);
        let planted = in_path(kind, number);
        let samples = samples(kind, number);
        // Each sample of a format is added in another way.
        let ways = WAYS.iter().cycle().skip(number);
        let site = SiteTest::new();
        site.write("site.toml", format!("{BASE}{}", config(KINDS.len())));
        for ((place, sample), way) in samples.iter().enumerate().zip(ways) {
            put(&site, way, &planted, place, sample);
        }
        site.write(
            &format!("content/convo/{planted}/talk.convo"),
            format!(
                "### @Wren\nLook: ![a boat]({planted}.png)\n\n----\n{{\"type\": \"dialog\", \
                 \"participants\": [\"Wren\"], \"attachments\": []}}\n"
            ),
        );
        site.write(&format!("content/convo/{planted}/{planted}.png"), png());
        let when = |what: &str| format!("{kind:?}, {what}");
        let first = site.run(&["build", "--message-format", "json"]);
        assert!(matches!(first.code, Some(0 | 1)), "{}", first.stderr);
        assert_nowhere(&site, &[&first], &needles, &when("built"));
        let texts = site.output().into_values();
        let texts = texts.filter_map(|bytes| String::from_utf8(bytes).ok());
        attached.extend(texts.filter_map(|text| {
            let format = text.strip_prefix("A list of eels, of ")?;
            Some(format.strip_suffix('.')?.to_owned())
        }));
        // An edit, so that the cache is read, and a deleted file.
        site.write("content/new.convo", crate::support::convo("New."));
        std::fs::remove_file(site.path(&format!("content/convo/{planted}/{planted}.png")))
            .expect("removed");
        let second = site.run(&["build", "--message-format", "sarif"]);
        let status = site.run(&["status", "--all"]);
        let review = site.run(&["review", "--json"]);
        let runs = [&second, &status, &review];
        assert_nowhere(&site, &runs, &needles, &when("built again"));
        let fresh = site.run(&["build", "--no-cache", "-o", "other"]);
        assert_eq!(fresh.code, second.code, "{}", fresh.stderr);
        let other = crate::support::files_below(&site.path("other"));
        assert!(site.output() == other, "{}", when("the same without a cache"));
    }
    attached.insert("convo".to_owned());
    let missing: Vec<&&str> =
        ATTACHING.iter().filter(|format| !attached.contains(**format)).collect();
    assert!(missing.is_empty(), "{missing:?} of {attached:?}");
}

/// An image of one pixel.
fn png() -> Vec<u8> {
    use base64::Engine as _;

    let text = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
    base64::engine::general_purpose::STANDARD.decode(text).expect("Base64")
}

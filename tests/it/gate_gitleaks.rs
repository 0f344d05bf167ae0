//! Compares the rules of the gate with gitleaks: `GITLEAKS=/path/to/gitleaks`.
//!
//! `SESSIONS=FOLDER` adds a folder of texts to compare.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;

use convo_site::secrets::{RuleKind, RuleSet, rules, scan};
use serde_json::Value;

use crate::gate_planted::ALL_COPIES;
use crate::planted_secrets::plant;
use crate::support::{BASE, SiteTest, unpacked};

/// The findings of gitleaks in a folder: file, rule and secret.
fn judged(program: &str, folder: &Path, report: &Path) -> Vec<(String, String, String)> {
    let run = Command::new(program)
        .args(["dir", "--no-banner", "--exit-code", "0", "--report-format", "json"])
        .arg("--report-path")
        .arg(report)
        .arg(folder)
        .output()
        .expect("gitleaks runs");
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    let report = std::fs::read_to_string(report).expect("a report");
    let found: Vec<Value> = serde_json::from_str(&report).expect("JSON");
    let text = |value: &Value| value.as_str().expect("a text").to_owned();
    found
        .iter()
        .map(|one| (text(&one["File"]), text(&one["RuleID"]), text(&one["Secret"])))
        .collect()
}

/// Returns findings of gitleaks that our findings in the same file do not overlap.
fn missed(program: &str, folder: &Path, report: &Path) -> BTreeMap<String, Vec<String>> {
    let mut missed: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let mut texts: BTreeMap<String, (String, Vec<std::ops::Range<usize>>)> = BTreeMap::new();
    for (file, rule, secret) in judged(program, folder, report) {
        let (text, ranges) = texts.entry(file.clone()).or_insert_with(|| {
            let bytes = std::fs::read(&file).expect("a file");
            let text = String::from_utf8_lossy(&bytes).into_owned();
            let found = scan(&text, &RuleSet::of(|rule| rule.kind == RuleKind::Secret));
            (text, found.into_iter().map(|found| found.range).collect())
        });
        let lies = |at: usize| {
            ranges.iter().any(|range| range.start < at + secret.len() && at < range.end)
        };
        // gitleaks shows URLs with decoded escapes.
        let escaped = secret.replace('=', "%3D");
        let mut places = text.match_indices(secret.as_str()).chain(text.match_indices(&escaped));
        if !places.any(|(at, _)| lies(at)) {
            let name = Path::new(&file).file_name().expect("a name").to_string_lossy();
            missed.entry(format!("{rule} in {name}")).or_default().push(secret);
        }
    }
    missed
}

#[test]
#[ignore = "needs gitleaks: GITLEAKS names the program"]
fn gitleaks_finds_nothing_in_the_examples_that_we_miss() {
    let program = std::env::var("GITLEAKS").expect("GITLEAKS names the program");
    let site = SiteTest::new();
    let folder = site.path("texts");
    std::fs::create_dir_all(&folder).expect("a folder");
    for rule in rules().filter(|rule| rule.kind == RuleKind::Secret) {
        let texts: String = (0..20).map(|seed| rule.example(seed).text + "\n\n").collect();
        std::fs::write(folder.join(format!("{}.txt", rule.id)), texts).expect("written");
    }
    let missed = missed(&program, &folder, &site.path("report.json"));
    assert!(missed.is_empty(), "{missed:#?}");
}

#[test]
#[ignore = "needs gitleaks and texts: GITLEAKS and SESSIONS name them"]
fn gitleaks_finds_little_in_sessions_that_we_miss() {
    let program = std::env::var("GITLEAKS").expect("GITLEAKS names the program");
    let folder = std::env::var("SESSIONS").expect("SESSIONS names a folder");
    let site = SiteTest::new();
    let mut missed = missed(&program, Path::new(&folder), &site.path("report.json"));
    // Its generic rule reports names of things as keys.
    missed.retain(|rule, _| !rule.starts_with("generic-api-key"));
    // It does not ignore public examples, or values whose line marks them as invented.
    let texts: Vec<u8> =
        crate::support::files_below(Path::new(&folder)).into_values().flatten().collect();
    let texts = String::from_utf8_lossy(&texts);
    missed.values_mut().for_each(|secrets| {
        secrets.sort_unstable();
        secrets.dedup();
        secrets.retain(|secret| {
            let mut lines = texts.lines().filter(|line| line.contains(secret.as_str()));
            !lines.all(|line| line.to_ascii_lowercase().contains("fake"))
                && !EXAMPLES.iter().any(|known| secret.contains(known))
        });
    });
    missed.retain(|_, secrets| !secrets.is_empty());
    assert!(missed.is_empty(), "{missed:#?}");
}

#[test]
#[ignore = "needs gitleaks: GITLEAKS names the program"]
fn gitleaks_finds_nothing_in_published_sites() {
    let program = std::env::var("GITLEAKS").expect("GITLEAKS names the program");
    let site = SiteTest::new();
    let planted = plant(&site);
    let found = |action: &str| {
        let gate = format!("[gate]\ncertain = \"{action}\"\nlikely = \"{action}\"\n");
        site.write("site.toml", format!("{BASE}{ALL_COPIES}{gate}"));
        site.build(0);
        // Includes the packed index.
        site.write("index.txt", unpacked(&site.output()));
        std::fs::rename(site.path("index.txt"), site.path("public/index.txt")).expect("moved");
        judged(&program, &site.path("public"), &site.path("report.json"))
    };
    let shown = found("warn");
    let secrets: BTreeSet<&str> = shown.iter().map(|(.., secret)| secret.as_str()).collect();
    let (seen, all) = (secrets.len(), planted.len());
    assert!(seen > all / 5, "the judge sees {seen} of {all} that are shown");
    let left = found("redact");
    assert!(left.is_empty(), "{left:#?}");
}

/// Parts of public examples: a token from GitHub's documentation, and the token of jwt.io.
const EXAMPLES: [&str; 2] = ["_16C7e42F292c6912E7710c", "IkpvaG4gRG9lIiwiaWF0IjoxNTE2MjM5MDIyf"];

//! The first ten minutes: the files that `init` writes, and edits to them.

use std::fs;
use std::path::Path;

use convo_site::config::REFERENCE;

use crate::support::{Run, convo, run_in};

/// A new site in the folder `new talks` of a temporary folder.
fn started() -> (tempfile::TempDir, String) {
    let folder = tempfile::tempdir().expect("a folder");
    let run = run_in(folder.path(), &["init", "new talks"], &[]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let config = fs::read_to_string(folder.path().join("new talks/site.toml"));
    (folder, config.expect("a configuration"))
}

fn check(folder: &Path, config: &str) -> Run {
    fs::write(folder.join("new talks/site.toml"), config).expect("written");
    run_in(folder, &["check", "new talks", "--message-format", "short"], &[])
}

/// Removes the `#` from an example line; `None` for any other line.
fn uncommented(line: &str) -> Option<&str> {
    line.strip_prefix('#').filter(|rest| !rest.is_empty() && !rest.starts_with(' '))
}

#[test]
fn init_says_what_to_do_next() {
    let folder = tempfile::tempdir().expect("a folder");
    let run = run_in(folder.path(), &["init", "my-talks"], &[]);
    let next = run.stderr.find("convo-site serve my-talks").expect("how to look at it");
    let then = run.stderr.find("convo-site build my-talks").expect("how to build it");
    assert!(next < then && !run.stderr.contains("index.html"), "{}", run.stderr);
    let ignored = fs::read_to_string(folder.path().join("my-talks/.gitignore"));
    assert!(ignored.expect("a file").contains("\npublic/\n.convo-site/\n"));
    let run = run_in(folder.path(), &["init", "a b"], &[]);
    assert!(run.stderr.contains("convo-site serve \"a b\""), "{}", run.stderr);
}

#[test]
fn the_settings_of_a_new_site_fit_on_a_page() {
    let (_, config) = started();
    assert!(config.lines().count() <= 60, "{}", config.lines().count());
    // What they leave out is one command away.
    let run = run_in(".".as_ref(), &["explain", "site.toml"], &[]);
    assert_eq!((run.code, run.stdout.as_str()), (Some(0), REFERENCE));
}

#[test]
fn a_new_site_has_the_title_the_url_and_the_conversations_that_it_is_given() {
    let folder = tempfile::tempdir().expect("a folder");
    let talks = folder.path().join("talks");
    fs::create_dir(&talks).expect("a folder");
    fs::write(folder.path().join("a.convo"), convo("The tide comes.")).expect("written");
    let url = "https://ada.example.org/talks/";
    let args = ["init", "--title", "Talks \"over\" tea", "--base-url", url, "--from", "../a.convo"];
    let run = run_in(&talks, &args, &[]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let config = fs::read_to_string(talks.join("site.toml")).expect("a configuration");
    let config: toml::Table = config.parse().expect("TOML");
    assert_eq!(config["title"].as_str(), Some("Talks \"over\" tea"));
    assert_eq!(config["base_url"].as_str(), Some(url));
    let files = fs::read_dir(talks.join("content")).expect("a folder").count();
    assert_eq!(files, 1);
    let built = run_in(&talks, &["build"], &[]);
    assert!(built.stderr.contains("built 1 conversation"), "{}", built.stderr);
    // An existing site, and a file that does not exist.
    for (args, message) in [
        (&["init", "--from", "../a.convo"][..], "convo-site import ../a.convo ."),
        (
            &["init", "--title", "Tea", "--deploy", "netlify"],
            "`--title` applies only to a new site",
        ),
        (&["init", "new", "--from", "b.zip"], "cannot find `b.zip`"),
    ] {
        let run = run_in(&talks, args, &[]);
        assert_eq!(run.code, Some(2), "{}", run.stderr);
        assert!(run.stderr.contains(message), "{}", run.stderr);
        assert!(!talks.join("new").exists());
    }
}

#[test]
fn a_site_that_gets_nothing_from_an_export_says_so() {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("a.json"), "{\"messages\": [").expect("written");
    let run = run_in(folder.path(), &["init", "talks", "--from", "a.json"], &[]);
    assert_eq!(run.code, Some(1), "{}", run.stderr);
    assert!(run.stderr.contains("created a site in talks"), "{}", run.stderr);
    assert!(run.stderr.contains("a.json"), "{}", run.stderr);
}

#[test]
fn init_keeps_an_existing_gitignore() {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join(".gitignore"), "target/\n").expect("written");
    let run = run_in(folder.path(), &["init", "."], &[]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert!(run.stderr.contains("`public/`, `.convo-site/`, `people.key`"), "{}", run.stderr);
    let ignored = fs::read_to_string(folder.path().join(".gitignore"));
    assert_eq!(ignored.expect("a file"), "target/\n");
}

/// Removing one `#` makes the line work, or reports what is wrong with it.
#[test]
fn every_line_can_be_uncommented() {
    let (folder, short) = started();
    for (config, least) in [(short.as_str(), 10), (REFERENCE, 80)] {
        lines_can_be_uncommented(folder.path(), config, least);
    }
}

/// Tries each example line of a configuration, of which there must be at least `least`.
fn lines_can_be_uncommented(folder: &Path, config: &str, least: usize) {
    let examples = config.lines().filter(|line| uncommented(line).is_some()).count();
    assert!(examples >= least, "{examples}");
    for (number, line) in config.lines().enumerate() {
        let Some(example) = uncommented(line) else { continue };
        let lines = config.lines().enumerate();
        let one: String = lines
            .flat_map(|(at, line)| [if at == number { example } else { line }, "\n"])
            .collect();
        let run = check(folder, &one);
        let place = format!("site.toml:{}:", number + 1);
        assert!(!run.stderr.contains("bad-toml"), "{example}: {}", run.stderr);
        let works_or_is_reported = run.code == Some(0) || run.stderr.contains(&place);
        assert!(works_or_is_reported, "{example}: {}", run.stderr);
    }
}

/// A table with its keys: each table alone, and then all of them.
#[test]
fn every_table_can_be_uncommented() {
    let (folder, short) = started();
    let of_short =
        ["[deploy]", "[look]", "[people]", "[people.\"Bea Birch\"]", "[[redact]]", "[[source]]"];
    let of_all = [
        "[look]", "[og_images]", "[redirects]", "[deploy]", "[people]", "[people.\"Bea Birch\"]",
        "[[source]]",
    ];
    tables_can_be_uncommented(folder.path(), &short, &of_short);
    tables_can_be_uncommented(folder.path(), REFERENCE, &of_all);
}

fn tables_can_be_uncommented(folder: &Path, config: &str, tables: &[&str]) {
    let open = |is_wanted: &dyn Fn(&str) -> bool| -> String {
        let mut table = String::new();
        let mut lines = String::new();
        for line in config.lines() {
            let example = uncommented(line);
            if let Some(head) = example.filter(|example| example.starts_with('[')) {
                head.clone_into(&mut table);
            }
            let line = example.filter(|_| is_wanted(&table)).unwrap_or(line);
            lines.push_str(&format!("{line}\n"));
        }
        lines
    };
    for wanted in tables {
        let opened = open(&|table| table == *wanted);
        assert!(opened.contains(&format!("\n{wanted}\n")), "{wanted}");
        check_reported(&check(folder, &opened), wanted);
        // At the end of the file, as people add it after reading about it.
        let added = check(folder, &format!("{config}\n{wanted}\n"));
        assert!(!added.stderr.contains("bad-toml"), "{wanted}: {}", added.stderr);
    }
    check_reported(&check(folder, &open(&|_| true)), "all");
}

/// Fails if anything but missing example files is reported.
#[track_caller]
fn check_reported(run: &Run, what: &str) {
    for line in run.stderr.lines().filter(|line| line.contains("error[")) {
        let is_missing = [
            "logo.svg", "card.png", "NotoSansJP", "podcasts/", "notes", "a-talk-",
            "chatgpt-export", "bea.jpg", "people.key",
        ];
        let is_missing = is_missing.iter().any(|name| line.contains(name));
        let is_left_out = !cfg!(feature = "pictures") && line.contains("no-pictures");
        assert!(is_missing || is_left_out, "{what}: {line}");
    }
}

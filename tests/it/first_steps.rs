//! The first ten minutes: the files that `init` writes, and edits to them.

use std::fs;
use std::path::Path;

use crate::support::{Ran, run_in};

/// A new site in the folder `new talks` of a temporary folder.
fn started() -> (tempfile::TempDir, String) {
    let folder = tempfile::tempdir().expect("a folder");
    let ran = run_in(folder.path(), &["init", "new talks"], &[]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let config = fs::read_to_string(folder.path().join("new talks/site.toml"));
    (folder, config.expect("a configuration"))
}

fn check(folder: &Path, config: &str) -> Ran {
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
    let ran = run_in(folder.path(), &["init", "my-talks"], &[]);
    let next = ran.stderr.find("convo-site serve my-talks").expect("how to look at it");
    let then = ran.stderr.find("convo-site build my-talks").expect("how to build it");
    assert!(next < then && !ran.stderr.contains("index.html"), "{}", ran.stderr);
    let ignored = fs::read_to_string(folder.path().join("my-talks/.gitignore"));
    assert!(ignored.expect("a file").contains("\npublic/\n.convo-site/\n"));
    let ran = run_in(folder.path(), &["init", "a b"], &[]);
    assert!(ran.stderr.contains("convo-site serve \"a b\""), "{}", ran.stderr);
}

#[test]
fn a_repository_keeps_what_it_ignores() {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join(".gitignore"), "target/\n").expect("written");
    let ran = run_in(folder.path(), &["init", "."], &[]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert!(ran.stderr.contains("`public/`, `.convo-site/`, `people.key`"), "{}", ran.stderr);
    let ignored = fs::read_to_string(folder.path().join(".gitignore"));
    assert_eq!(ignored.expect("a file"), "target/\n");
}

/// Removing one `#` makes the line work, or reports what is wrong with it.
#[test]
fn every_line_can_be_uncommented() {
    let (folder, config) = started();
    let examples = config.lines().filter(|line| uncommented(line).is_some()).count();
    assert!(examples > 15, "{examples}");
    for (number, line) in config.lines().enumerate() {
        let Some(example) = uncommented(line) else { continue };
        let lines = config.lines().enumerate();
        let one: String = lines
            .flat_map(|(at, line)| [if at == number { example } else { line }, "\n"])
            .collect();
        let ran = check(folder.path(), &one);
        let place = format!("site.toml:{}:", number + 1);
        assert!(!ran.stderr.contains("bad-toml"), "{example}: {}", ran.stderr);
        let is_told = ran.code == Some(0) || ran.stderr.contains(&place);
        assert!(is_told, "{example}: {}", ran.stderr);
    }
}

/// A table with its keys: each table alone, and then all of them.
#[test]
fn every_table_can_be_uncommented() {
    let (folder, config) = started();
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
    let tables = [
        "[look]", "[og_images]", "[redirects]", "[deploy]", "[people]", "[people.\"Bea Birch\"]",
        "[[source]]",
    ];
    for wanted in tables {
        let opened = open(&|table| table == wanted);
        assert!(opened.contains(&format!("\n{wanted}\n")), "{wanted}");
        told(&check(folder.path(), &opened), wanted);
        // At the end of the file, as people add it after reading about it.
        let added = check(folder.path(), &format!("{config}\n{wanted}\n"));
        assert!(!added.stderr.contains("bad-toml"), "{wanted}: {}", added.stderr);
    }
    told(&check(folder.path(), &open(&|_| true)), "all");
}

/// Fails if anything but missing example files is reported.
#[track_caller]
fn told(ran: &Ran, what: &str) {
    for line in ran.stderr.lines().filter(|line| line.contains("error[")) {
        let is_missing = [
            "logo.svg", "card.png", "NotoSansJP", "podcasts/", "notes", "a-talk-",
            "chatgpt-export", "bea.jpg", "people.key",
        ];
        let is_missing = is_missing.iter().any(|name| line.contains(name));
        let is_left_out = !cfg!(feature = "pictures") && line.contains("no-pictures");
        assert!(is_missing || is_left_out, "{what}: {line}");
    }
}

//! The documentation builds without warnings, and the README links to it.

use std::fs;

use convo_site::formats;

use crate::support::{files_below, project, run_in};

/// Copies the documentation, so that the output is not beside it.
fn copied() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    for (path, bytes) in files_below(&project().join("docs")) {
        if path.starts_with("public/") || path.starts_with(".convo-site/") {
            continue;
        }
        let path = folder.path().join(path);
        fs::create_dir_all(path.parent().expect("a parent")).expect("folders");
        fs::write(path, bytes).expect("written");
    }
    folder
}

#[test]
fn the_documentation_builds_without_warnings() {
    let folder = copied();
    for command in ["build", "check"] {
        let run = run_in(folder.path(), &[command, "--deny-warnings"], &[]);
        assert_eq!(run.code, Some(0), "{command}: {}", run.stderr);
    }
    let run = run_in(folder.path(), &["check", "--publish"], &[]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
}

#[test]
fn every_page_of_the_documentation_is_in_the_menu() {
    let config = fs::read_to_string(project().join("docs/site.toml")).expect("a file");
    for path in files_below(&project().join("docs/pages")).into_keys() {
        let Some(name) = path.strip_suffix(".md").filter(|name| *name != "home") else {
            continue;
        };
        assert!(config.contains(&format!("{{ page = \"{name}\" }}")), "{name}");
    }
}

/// The README and the first page of the manual state the number of formats.
#[test]
fn the_formats_are_counted() {
    let read = formats::ALL.iter().filter(|format| format.read.is_some()).count();
    for file in ["README.md", "docs/pages/home.md"] {
        let text = fs::read_to_string(project().join(file)).expect("a file");
        assert!(text.contains(&format!("[{read} formats](")), "{file}: {read}");
    }
}

/// The links of the README work.
#[test]
fn links_of_the_readme_work() {
    let text = fs::read_to_string(project().join("README.md")).expect("a file");
    let mut checked = 0;
    for link in text.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
        if link.contains("://") || link.starts_with('#') {
            continue;
        }
        let (path, anchor) = link.split_once('#').unwrap_or((link, ""));
        let target = project().join(path);
        assert!(target.exists(), "{link}");
        if !anchor.is_empty() {
            let page = fs::read_to_string(target).expect("a page");
            let slug =
                |line: &str| line.trim_start_matches('#').trim().to_lowercase().replace(' ', "-");
            assert!(page.lines().any(|line| slug(line) == anchor), "{link}");
        }
        checked += 1;
    }
    assert!(checked > 8, "{checked}");
}

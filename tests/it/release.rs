//! The contents of a release: completions, manual pages, the version, and packages.

use std::fs;
use std::process::Command;

use crate::support::{files_below, project, run_in};

fn read(path: &str) -> String {
    fs::read_to_string(project().join(path)).expect("a file of the project")
}

/// The names of the commands.
fn commands() -> Vec<String> {
    let run = run_in(&std::env::temp_dir(), &["--help"], &[]);
    let rows = run.stdout.split_once("Options:\n").expect("options").0;
    let names = rows.lines().filter_map(|row| row.strip_prefix("  ")?.split(' ').next());
    let names = names.filter(|name| !matches!(*name, "" | "help"));
    names.map(str::to_owned).collect()
}

#[test]
fn every_shell_completes_every_command() {
    let commands = commands();
    assert!(commands.len() > 12, "{commands:?}");
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let run = run_in(&std::env::temp_dir(), &["completions", shell], &[]);
        assert_eq!(run.code, Some(0), "{}", run.stderr);
        for name in commands.iter().map(String::as_str).chain(["chatgpt", "sarif"]) {
            // The completions for PowerShell and Elvish do not include values of options.
            let has_values = !matches!(shell, "elvish" | "powershell");
            if has_values || !matches!(name, "chatgpt" | "sarif") {
                assert!(run.stdout.contains(name), "{shell}: {name}");
            }
        }
    }
}

/// Bash accepts the script, and uses it to complete a word.
#[cfg(unix)]
#[test]
fn bash_completes_with_the_script() {
    let run = run_in(&std::env::temp_dir(), &["completions", "bash"], &[]);
    let function = run.stdout.split("()").next().expect("a function");
    let script = format!(
        "{}\nCOMP_WORDS=(convo-site conv)\nCOMP_CWORD=1\n\
         {function} convo-site conv convo-site\necho \"${{COMPREPLY[@]}}\"\n",
        run.stdout
    );
    let Ok(output) = Command::new("bash").args(["-c", &script]).output() else { return };
    assert_eq!(String::from_utf8_lossy(&output.stdout).trim(), "convert");
}

#[test]
fn every_command_has_a_manual_page() {
    let folder = tempfile::tempdir().expect("a folder");
    let run = run_in(folder.path(), &["man", "--output", "man"], &[]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let pages = files_below(&folder.path().join("man"));
    for name in commands() {
        let page = pages.get(&format!("convo-site-{name}.1")).expect("a page");
        let printed = run_in(folder.path(), &["man", &name], &[]);
        assert_eq!(printed.stdout.as_bytes(), page, "{name}");
        assert!(printed.stdout.contains(".SH SYNOPSIS"), "{name}");
    }
    let run = run_in(folder.path(), &["man", "theme", "eject"], &[]);
    assert!(run.stdout.contains("convo\\-site theme eject"), "{}", run.stdout);
    // Nothing is overwritten, and missing folders are reported.
    assert_eq!(run_in(folder.path(), &["man", "-o", "man"], &[]).code, Some(2));
    let run = run_in(folder.path(), &["man", "buidl"], &[]);
    assert_eq!(run.code, Some(2));
    assert!(run.stderr.contains("did you mean `convo-site build`"), "{}", run.stderr);
}

#[test]
fn the_version_lists_the_features() {
    let run = run_in(&std::env::temp_dir(), &["--version"], &[]);
    let version = env!("CARGO_PKG_VERSION");
    assert!(run.stdout.starts_with(&format!("convo-site {version}")), "{}", run.stdout);
    for (name, is_there) in [
        ("git", cfg!(feature = "git")),
        ("local-search", cfg!(feature = "local-search")),
        ("mcp", cfg!(feature = "mcp")),
        ("pictures", cfg!(feature = "pictures")),
        ("search-engine", cfg!(feature = "search-engine")),
        ("sqlite", cfg!(feature = "sqlite")),
    ] {
        let features = run.stdout.lines().nth(1).expect("a second line");
        assert_eq!(features.contains(name), is_there, "{features}");
    }
}

/// All texts between two delimiters.
fn between<'a>(text: &'a str, start: &str, end: &str) -> Vec<&'a str> {
    text.split(start).skip(1).filter_map(|rest| rest.split(end).next()).collect()
}

#[test]
fn the_minimum_compiler_version_is_tested() {
    let manifest = read("Cargo.toml");
    let promised = between(&manifest, "rust-version = \"", "\"")[0];
    let tried = read(".github/workflows/ci.yml");
    assert!(tried.contains(&format!("cargo +{promised} check")), "{promised}");
    assert!(read("docs/pages/install.md").contains(&format!("Rust {promised} or newer")));
}

/// Packages contain the systems that a release compiles.
#[test]
fn release_targets_are_the_same_everywhere() {
    let workflow = read(".github/workflows/release.yml");
    let mut compiled = between(&workflow, "- { target: ", ",");
    let systems = read(".ci/release/archives.py");
    let mut packed: Vec<&str> = systems
        .lines()
        .filter_map(|line| line.strip_prefix("    \"")?.split_once("\": (\""))
        .map(|(target, _)| target)
        .collect();
    compiled.sort_unstable();
    packed.sort_unstable();
    assert_eq!(compiled, packed);
    assert_eq!(compiled.len(), 5);
    let formula = read(".ci/release/formula.py");
    for target in compiled.iter().filter(|target| !target.contains("windows")) {
        assert!(formula.contains(target), "{target}");
    }
}

#[cfg(unix)]
#[test]
fn release_notes_come_from_the_change_log() {
    let notes = |version: &str| {
        let mut shell = Command::new("sh");
        shell.arg(project().join(".ci/release/notes")).arg(version);
        shell.output().expect("a shell")
    };
    let there = notes("Unreleased");
    assert!(there.status.success());
    let text = String::from_utf8_lossy(&there.stdout);
    assert!(text.trim_start().starts_with("- ") && !text.contains("## "), "{text}");
    assert!(!notes("99.0.0").status.success());
}

/// Installs each package of a release in a clean environment: `DIST` is the folder with the
/// packages.
#[cfg(target_os = "linux")]
#[test]
#[ignore = "needs what .ci/release makes, which takes minutes"]
fn packages_can_be_installed() {
    let dist = std::env::var("DIST").expect("the folder with the packages");
    let mut shell = Command::new("sh");
    let output = shell.arg(project().join(".ci/release/try")).arg(dist).output();
    let output = output.expect("a shell");
    let stdout = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{stdout}{}", String::from_utf8_lossy(&output.stderr));
    assert!(stdout.contains("all four are the same program"), "{stdout}");
}

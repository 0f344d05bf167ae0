//! Bundles the JavaScript modules of each page script into one file (see `src/scripts`), and passes the
//! commit and a hash of the sources to the compiler.
#![allow(clippy::disallowed_methods, reason = "a build script reads and writes files")]

use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::Path;
use std::process::Command;

use convo_scripts::{Script, link};

/// The scripts, with their entry modules.
const SCRIPTS: [Script; 16] = [
    ("search.js", "src/search/script/search.js"),
    ("search_dialog.js", "src/search/script/dialog.js"),
    ("pages_search.js", "src/search/script/pages_search.js"),
    ("pages_dialog.js", "src/search/script/pages_dialog.js"),
    ("first_paint.js", "src/theme/script/first_paint.js"),
    ("reading.js", "src/theme/script/reading.js"),
    ("search_opener.js", "src/theme/script/search.js"),
    ("texts.js", "src/theme/script/texts.js"),
    ("list.js", "src/theme/script/list.js"),
    ("mark.js", "src/theme/script/mark.js"),
    ("recording.js", "src/theme/script/recording.js"),
    ("player.js", "src/theme/script/player.js"),
    ("comments.js", "src/theme/script/comments.js"),
    ("live.js", "src/serve/live.js"),
    ("author.js", "src/serve/author.js"),
    ("table.js", "src/serve/table.js"),
];

/// Parts of scripts that are loaded when they are needed, with the modules that scripts import
/// dynamically.
const PARTS: [Script; 6] = [
    ("search_chosen.js", "src/search/script/chosen.js"),
    ("search_conditions.js", "src/search/script/conditions.js"),
    ("search_consecutive.js", "src/search/script/consecutive.js"),
    ("search_facet_lists.js", "src/search/script/facet_lists.js"),
    ("search_offers.js", "src/search/script/offers.js"),
    ("search_spelling.js", "src/search/script/spelling.js"),
];

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let out = std::env::var("OUT_DIR").expect("cargo names a folder");
    let read = |path: &Path| {
        println!("cargo::rerun-if-changed={}", path.display());
        fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
    };
    for (name, script) in link(&SCRIPTS, &PARTS, &read) {
        fs::write(Path::new(&out).join(name), script).expect("the folder can be written");
    }
    println!("cargo::rerun-if-env-changed={COMMIT}");
    if let Some(commit) = commit() {
        println!("cargo::rustc-env={COMMIT}={commit}");
    }
    println!("cargo::rustc-env=CONVO_SITE_SOURCES={:016x}", sources());
}

/// The files and folders of which the program is made.
const SOURCES: [&str; 7] =
    ["Cargo.lock", "Cargo.toml", "build.rs", "site.toml", "src", "templates", "themes"];

/// Returns a hash of the sources, the features and the target.
fn sources() -> u64 {
    let mut hasher = DefaultHasher::new();
    for source in SOURCES {
        println!("cargo::rerun-if-changed={source}");
        hash_below(Path::new(source), &mut hasher);
    }
    let is_part = |name: &str| name == "TARGET" || name.starts_with("CARGO_FEATURE_");
    let mut options: Vec<_> = std::env::vars().filter(|(name, _)| is_part(name)).collect();
    options.sort();
    options.hash(&mut hasher);
    hasher.finish()
}

/// Adds a file, or all files of a folder, to a hash.
fn hash_below(path: &Path, hasher: &mut DefaultHasher) {
    if let Ok(entries) = fs::read_dir(path) {
        let mut inside: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
        inside.sort();
        inside.iter().for_each(|path| hash_below(path, hasher));
    } else if let Ok(bytes) = fs::read(path) {
        path.hash(hasher);
        bytes.hash(hasher);
    }
}

/// The environment variable with the commit. It can be set for builds outside of a repository, and the
/// build script sets it for the compiler.
const COMMIT: &str = "CONVO_SITE_COMMIT";

/// Returns the abbreviated hash of the commit. Debug builds have none, because they would be compiled
/// again after each commit.
fn commit() -> Option<String> {
    let variable = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
    let found = variable(COMMIT).or_else(|| {
        variable("PROFILE").filter(|profile| profile == "release")?;
        packaged().or_else(checked_out)
    })?;
    let is_hash = found.len() >= 7 && found.bytes().all(|byte| byte.is_ascii_hexdigit());
    is_hash.then(|| found.chars().take(12).collect())
}

/// Returns the commit recorded by `cargo package`.
fn packaged() -> Option<String> {
    let info = fs::read_to_string(".cargo_vcs_info.json").ok()?;
    let (_, hash) = info.split_once("\"sha1\"")?;
    hash.split('"').nth(1).map(str::to_owned)
}

/// Returns the commit of the git repository, if this folder is its root.
fn checked_out() -> Option<String> {
    let git = Command::new("git")
        .args(["rev-parse", "--show-prefix", "HEAD"])
        .args(["--git-path", "HEAD", "--git-path", "logs/HEAD"])
        .output()
        .ok()?;
    let said = String::from_utf8(git.stdout).ok().filter(|_| git.status.success())?;
    let mut lines = said.lines();
    // A subfolder of another project's repository has a commit of that project.
    lines.next().filter(|below| below.is_empty())?;
    let commit = lines.next()?.to_owned();
    for path in lines.filter(|path| Path::new(path).exists()) {
        println!("cargo::rerun-if-changed={path}");
    }
    Some(commit)
}

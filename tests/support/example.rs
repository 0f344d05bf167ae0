//! The example site with the default theme, and with other themes.

use std::collections::BTreeMap;

use super::{files_below, project, run_in};

pub(crate) const BASE: &str = "https://example.org/tidal-mill/";

/// Builds the example site with more lines in its configuration.
pub(crate) fn build_with(line: &str) -> (tempfile::TempDir, BTreeMap<String, Vec<u8>>) {
    let out = tempfile::tempdir().expect("a folder");
    // A copy, so that parallel tests do not share state.
    let site = tempfile::tempdir().expect("a folder");
    for (name, bytes) in files_below(&project().join("example-site")) {
        let path = site.path().join(name);
        std::fs::create_dir_all(path.parent().expect("a parent")).expect("folders");
        std::fs::write(path, bytes).expect("written");
    }
    let config = site.path().join("site.toml");
    let text = std::fs::read_to_string(&config).expect("a configuration");
    std::fs::write(config, format!("{line}\n{text}")).expect("written");
    let path = out.path().to_str().expect("UTF-8");
    let run = run_in(site.path(), &["build", ".", "-o", path, "--deny-warnings"], &[]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let files = files_below(out.path());
    (out, files)
}

/// Other versions of the site: themes, and an interface written from right to left.
pub(crate) const OTHERS: [&str; 3] =
    ["theme = 'chat'", "theme = 'transcript'", "theme = 'chat'\nlanguage = 'ar'"];

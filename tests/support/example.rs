//! The example site with the default theme, and with other themes.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::once::OnceEach;
use super::{example, write_below};

pub(crate) const BASE: &str = "https://example.org/tidal-mill/";

/// The files of the site with a line more in its configuration. It is built once for all tests.
pub(crate) fn files_with(line: &str) -> Arc<BTreeMap<String, Vec<u8>>> {
    static BUILT: OnceEach<Arc<BTreeMap<String, Vec<u8>>>> = OnceEach::new();
    BUILT.get(line, || {
        let site = example();
        let text = std::fs::read_to_string(site.path("site.toml")).expect("a configuration");
        site.write("site.toml", format!("{line}\n{text}"));
        let ran = site.run(&["build", "--deny-warnings"]);
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
        Arc::new(site.output())
    })
}

/// The same files in a folder.
pub(crate) fn folder_with(line: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    write_below(folder.path(), &files_with(line));
    folder
}

/// Other versions of the site: themes, and an interface written from right to left.
pub(crate) const OTHERS: [&str; 3] =
    ["theme = 'chat'", "theme = 'transcript'", "theme = 'chat'\nlanguage = 'ar'"];

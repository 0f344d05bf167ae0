//! The site in `tests/own-site`, which uses every key.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::once::OnceEach;
use super::{SiteTest, files_below, project, write_below};

pub(crate) const BASE: &str = "https://ferry.example.org/night/";
pub(crate) const THEMES: [&str; 3] = ["paper", "chat", "transcript"];

/// The files of the site with a theme, built without a warning. Without services it asks no other host for
/// anything. It is built once for all tests.
pub(crate) fn files_with(theme: &str, has_services: bool) -> Arc<BTreeMap<String, Vec<u8>>> {
    static BUILT: OnceEach<Arc<BTreeMap<String, Vec<u8>>>> = OnceEach::new();
    BUILT.get(&format!("{theme} {has_services}"), || {
        let site = SiteTest::new();
        write_below(&site.path(""), &files_below(&project().join("tests/own-site")));
        let mut text = config().replace("theme = \"paper\"", &format!("theme = \"{theme}\""));
        if !has_services {
            let start = text.find("[services]").expect("services");
            let rest = text[start..].find("\n\n").expect("an end");
            let services = "[services]\nyoutube = true\nvimeo = true";
            text.replace_range(start..start + rest, services);
        }
        site.write("site.toml", text);
        let ran = site.run(&["build", "--deny-warnings"]);
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
        Arc::new(site.output())
    })
}

/// The same files in a folder.
pub(crate) fn folder_with(theme: &str, has_services: bool) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    write_below(folder.path(), &files_with(theme, has_services));
    folder
}

/// Its configuration.
pub(crate) fn config() -> String {
    let path = project().join("tests/own-site/site.toml");
    std::fs::read_to_string(path).expect("a configuration")
}

/// The folders of one page of each kind.
pub(crate) fn kinds(files: &BTreeMap<String, Vec<u8>>) -> Vec<String> {
    let paths = files.keys().filter_map(|path| path.strip_suffix("index.html"));
    let is_wanted = |path: &&str| {
        let whole = [
            "", "archive/", "archive/2025/", "collections/crossings/", "about/", "crew/rota/",
            "search/", "speakers/", "speakers/bea/", "statistics/", "tags/",
        ];
        let parts = [
            "bell", "measure", "nobody-looked", "umbrellas", "engine-room", "ticket", "2026-05-11",
        ];
        whole.contains(path)
            || path.starts_with("c/") && parts.iter().any(|part| path.contains(part))
    };
    let found: Vec<String> = paths.filter(is_wanted).map(str::to_owned).collect();
    assert_eq!(found.len(), 18, "{found:?}");
    found
}

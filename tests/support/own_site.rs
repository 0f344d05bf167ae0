//! The site in `tests/own-site`, which uses every key.

use std::collections::BTreeMap;

use super::{SiteTest, files_below, project};

pub(crate) const BASE: &str = "https://ferry.example.org/night/";
pub(crate) const THEMES: [&str; 3] = ["paper", "chat", "transcript"];

/// Builds the site with a theme and without warnings, and returns its files. Without services, it
/// requests nothing from other hosts.
pub(crate) fn build(theme: &str, has_services: bool) -> (SiteTest, BTreeMap<String, Vec<u8>>) {
    let site = SiteTest::new();
    for (name, bytes) in files_below(&project().join("tests/own-site")) {
        site.write(&name, bytes);
    }
    let text = config();
    let mut text = text.replace("theme = \"paper\"", &format!("theme = \"{theme}\""));
    if !has_services {
        let start = text.find("[services]").expect("services");
        let rest = text[start..].find("\n\n").expect("an end");
        text.replace_range(start..start + rest, "[services]\nyoutube = true\nvimeo = true");
    }
    site.write("site.toml", text);
    let run = site.run(&["build", "--deny-warnings"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let files = site.output();
    (site, files)
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

//! A customized site: the one in `tests/own-site` uses every key of `site.toml`, and the result is
//! as configured. Its appearance is tested in a browser.

use toml::{Table, Value};

use crate::support::links::assert_links;
use crate::support::own_site::{BASE, THEMES, config, files_with};
use crate::support::{max_asset_bytes, page_of, project};

/// Tables with names of the author, in which a typo is always an error.
const NAMES: [&str; 2] = ["people", "source.speakers"];

/// The reference configuration with its examples.
fn reference() -> Table {
    let text = std::fs::read_to_string(project().join("site.toml")).expect("the reference");
    let lines = text.lines().map(|line| {
        let example = line.strip_prefix('#').filter(|rest| !rest.starts_with([' ', '#']));
        example.filter(|example| !example.is_empty()).unwrap_or(line)
    });
    lines.collect::<Vec<_>>().join("\n").parse().expect("TOML")
}

/// Returns whether the names in a table are the author's, so that any other is accepted as well.
fn has_own_names(path: &str) -> bool {
    let (top, rest) = path.split_once('.').unwrap_or((path, ""));
    let text = match rest {
        "" => format!("[{top}]\nzzzzz = \"x\"\n"),
        rest => format!("[{top}]\n{rest} = {{ zzzzz = \"x\" }}\n"),
    };
    convo_site::config::load(&text)
        .is_ok_and(|loaded| loaded.notes.iter().all(|note| !note.message.contains("zzzzz")))
        || [top, path].iter().any(|name| NAMES.contains(name))
}

/// Collects the keys that are in the reference but not in this value.
fn missing(path: &str, known: &Value, here: Option<&Value>, out: &mut Vec<String>) {
    let Some(here) = here else {
        out.push(path.to_owned());
        return;
    };
    match (known, here) {
        (Value::Table(known), Value::Table(here)) if has_own_names(path) => {
            // One of each kind: a plain name, and a table.
            assert!(!here.is_empty() || known.is_empty(), "{path} is empty");
            let inner = known.values().filter_map(Value::as_table);
            for (key, value) in inner.flatten() {
                let mut all = here.values().filter_map(Value::as_table);
                if !all.any(|one| one.contains_key(key)) {
                    missing(&format!("{path}.*.{key}"), value, None, out);
                }
            }
        }
        (Value::Table(known), Value::Table(here)) => {
            for (key, value) in known {
                missing(&format!("{path}.{key}"), value, here.get(key), out);
            }
        }
        // For a list of tables, all keys that any of them has.
        (Value::Array(known), Value::Array(here)) => {
            for (key, value) in known.iter().filter_map(Value::as_table).flatten() {
                let mut found = here.iter().filter_map(|one| one.get(key));
                missing(&format!("{path}.{key}"), value, found.next(), out);
            }
        }
        _ => {}
    }
}

#[test]
fn every_key_of_the_reference_is_used() {
    let own: Table = config().parse().expect("TOML");
    let mut unused = Vec::new();
    for (key, value) in &reference() {
        missing(key, value, own.get(key), &mut unused);
    }
    assert_eq!(unused, Vec::<String>::new());
}

#[test]
fn an_unused_key_is_detected() {
    let known: Value = "a = 1\n[look]\nwidth = '1'\n[[source]]\nfiles = 'x'\ntags = []\n"
        .parse::<Table>()
        .expect("TOML")
        .into();
    let here: Value = "[look]\n[[source]]\nfiles = 'x'\n".parse::<Table>().expect("TOML").into();
    let (known, here) = (known.as_table().expect("a table"), here.as_table().expect("a table"));
    let mut out = Vec::new();
    for (key, value) in known {
        missing(key, value, here.get(key), &mut out);
    }
    out.sort();
    assert_eq!(out, ["a", "look.width", "source.tags"]);
}

#[test]
fn every_setting_has_an_effect_on_the_pages() {
    let files = files_with("paper", true);
    assert!(assert_links(&files, BASE) > 1000);
    let page = |path: &str| String::from_utf8_lossy(&files[path]).into_owned();
    let home = page("index.html");
    let own: Table = config().parse().expect("TOML");
    // The parts of the home page are in order, those that a wide window has at the side after the others.
    let parts = [
        "lower", "home-search", "A ticket for", "class=\"cards\"", "archive/2024/",
        "/collections/crossings/", "speakers/bea/", "tags/fog/",
    ];
    let main = &home[home.find("<main").expect("a page")..];
    let mut at = 0;
    for part in parts {
        at += main[at..].find(part).unwrap_or_else(|| panic!("{part}: {main}"));
    }
    for part in [
        "We leave when the kettle does.",
        "content=\"Alder Stairs, Far Shore\"",
        "rel=\"me\" href=\"https://social.example.org/@juniper\"",
        "a-lantern-in-the-fog",
        "Timetable</a>",
        "House rules</a>",
        "creativecommons.org/licenses/by/4.0/",
        "assets/own.",
    ] {
        assert!(home.contains(part), "{part}");
    }
    assert!(page("about/index.html").contains("<p class=\"berth\">Alder Stairs</p>"));
    assert_eq!(files["timetable.txt"], b"Alder Stairs 23:10\nFar Shore 00:40\n");
    assert!(files.contains_key(".well-known/security.txt"));
    for ending in ["/index.md", "/turns.json", "/index.html.gz", "/turns.json.gz"] {
        let is_there = |path: &&String| path.starts_with("c/") && path.ends_with(ending);
        assert!(files.keys().any(|path| is_there(&path)), "{ending}");
    }
    let redirect = page("talks/the-bell/index.html");
    assert!(redirect.contains("url=https://ferry.example.org/night/collections/crossings/"));
    // First the listed files, then the order of the collection: newest first.
    let crossings = page("collections/crossings/index.html");
    let order =
        ["that rang itself", "A measure of fog", "nobody looked", "shortest", "Equal night"];
    let mut at = crossings.find("<ol").expect("a list");
    for part in order {
        at += crossings[at..].find(part).unwrap_or_else(|| panic!("{part}"));
    }
    let part = page_of(&files, "c/2026-01-04", "index.html");
    assert!(part.contains("Part 2 of 2") || part.contains("2 of 2"), "{part}");
    for (path, bytes) in &*files {
        let text = String::from_utf8_lossy(bytes);
        for word in [
            "not ready", "summer timetable", "bees are loose", "earns", "Acme", "ticket-1021",
            "halvorsen@",
        ] {
            assert!(!text.contains(word), "{path}: {word}");
        }
    }
    let signal = page_of(&files, "c/2026-02-11", "index.html");
    assert!(signal.contains("<audio") && signal.contains("assets/recording."), "{signal}");
    let podcast = page("podcast.xml");
    assert!(podcast.contains("<title>Wireless from the Night Ferry</title>"), "{podcast}");
    assert!(
        podcast.contains("<itunes:image href=\"https://ferry.example.org/night/assets/podcast.")
    );
    // Every configured service is used, and no other host is allowed.
    let talk = page_of(&files, "c/2025-11-14", "index.html");
    let services = own["services"].as_table().expect("a table");
    for (name, host) in [
        ("plausible", "https://plausible.io"),
        ("goatcounter", "https://gc.zgo.at"),
        ("matomo", "https://stats.example.org"),
        ("umami", "https://cloud.umami.is"),
        ("cloudflare", "https://static.cloudflareinsights.com"),
        ("giscus", "https://giscus.app"),
    ] {
        assert!(services.contains_key(name));
        assert!(talk.contains(&format!("<script src=\"{host}/")), "{name}");
    }
    let films = page_of(&files, "c/2026-02-17", "index.html");
    assert!(films.contains("https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ"), "{films}");
    assert!(films.contains("https://player.vimeo.com/video/76979871"), "{films}");
    assert!(!talk.contains("youtube-nocookie"), "a policy has only the needed sources");
}

#[test]
fn pages_with_all_features_are_small() {
    for theme in THEMES {
        let files = files_with(theme, true);
        let most_styles = if theme == "paper" { 20_000 } else { 22_000 };
        for (path, page) in files.iter().filter(|(path, _)| path.ends_with(".html")) {
            let page = String::from_utf8_lossy(page);
            let size = |open: &str| -> usize {
                let links = page.split(open).skip(1).filter_map(|rest| rest.split('"').next());
                // The author's files and settings come last.
                let chosen = ["/own.", "/site.", "/services.", "/player.", "/comments."];
                let of_theme = links.filter(|url| !chosen.iter().any(|part| url.contains(part)));
                let paths = of_theme.filter_map(|url| url.strip_prefix("/night/"));
                paths.map(|path| files[path].len()).sum()
            };
            let (most_styles, most_scripts) = max_asset_bytes(path, &page, most_styles);
            let styles = size("<link rel=\"stylesheet\" href=\"");
            assert!(styles <= most_styles, "{theme} {path}: {styles} bytes of CSS");
            let scripts = size("<script src=\"");
            assert!(scripts <= most_scripts, "{path}: {scripts} bytes of JavaScript");
        }
    }
}

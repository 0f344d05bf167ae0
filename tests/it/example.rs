//! The example site: every link and anchor leads somewhere, and pages fit every window.

use std::collections::{BTreeMap, BTreeSet};

use crate::browser::Browser;
use crate::support::{files_below, project, run_in};

pub(crate) const BASE: &str = "https://example.org/tidal-mill/";

/// The example site, built into a folder that goes with the value.
fn build() -> (tempfile::TempDir, BTreeMap<String, Vec<u8>>) {
    build_with("")
}

/// The same with a line more in its configuration.
pub(crate) fn build_with(line: &str) -> (tempfile::TempDir, BTreeMap<String, Vec<u8>>) {
    let out = tempfile::tempdir().expect("a folder");
    // A copy, so that tests at the same time do not share its state.
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
    let ran = run_in(site.path(), &["build", ".", "-o", path, "--deny-warnings"], &[]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let files = files_below(out.path());
    (out, files)
}

fn attributes<'a>(html: &'a str, name: &str) -> Vec<&'a str> {
    let open = format!(" {name}=\"");
    html.split(open.as_str()).skip(1).filter_map(|rest| rest.split('"').next()).collect()
}

#[test]
fn every_link_and_anchor_leads_somewhere() {
    let (_out, files) = build();
    let prefix = "/tidal-mill/";
    let mut broken = BTreeSet::new();
    let mut checked = 0;
    for (page, bytes) in files.iter().filter(|(path, _)| path.ends_with(".html")) {
        let html = String::from_utf8_lossy(bytes);
        let html = html.replace("&amp;", "&");
        for name in ["href", "src"] {
            for address in attributes(&html, name) {
                let address = address
                    .strip_prefix(BASE)
                    .map_or_else(|| address.to_owned(), |path| format!("{prefix}{path}"));
                let (path, fragment) = address.split_once('#').unwrap_or((&address, ""));
                let file = if path.is_empty() {
                    page.clone()
                } else if let Some(path) = path.strip_prefix(prefix) {
                    let path = convo_site::text::percent_decode(path);
                    if path.is_empty() || path.ends_with('/') {
                        format!("{path}index.html")
                    } else {
                        path
                    }
                } else {
                    let outside = ["https://", "http://", "mailto:"];
                    if !outside.iter().any(|scheme| address.starts_with(scheme)) {
                        broken.insert(format!("{page}: {address} leaves the base path"));
                    }
                    continue;
                };
                checked += 1;
                let Some(target) = files.get(&file) else {
                    broken.insert(format!("{page}: {address}"));
                    continue;
                };
                let target = String::from_utf8_lossy(target);
                if !fragment.is_empty() && !target.contains(&format!("id=\"{fragment}\""))
                {
                    broken.insert(format!("{page}: {address} has no such anchor"));
                }
            }
        }
    }
    assert!(checked > 1000);
    assert!(broken.is_empty(), "{}", broken.into_iter().collect::<Vec<_>>().join("\n"));
}

#[test]
fn the_sitemap_lists_the_pages_that_want_to_be_found() {
    let (_out, files) = build();
    let text = |path: &str| String::from_utf8_lossy(&files[path]).into_owned();
    let sitemap = text("sitemap.xml");
    let listed: BTreeSet<String> = sitemap
        .split("<loc>")
        .skip(1)
        .map(|rest| rest.split("</loc>").next().expect("an end").to_owned())
        .collect();
    let wanted: BTreeSet<String> = files
        .keys()
        .filter(|path| path.ends_with("/index.html") || *path == "index.html")
        .filter(|path| !text(path).contains("content=\"noindex"))
        .map(|path| {
            let folder = path.trim_end_matches("index.html");
            format!("{BASE}{}", convo_site::text::percent_encode(folder))
        })
        .collect();
    assert_eq!(listed, wanted);
    for path in files.keys().filter(|path| path.ends_with("index.html")) {
        let page = text(path);
        let canonical =
            page.split("rel=\"canonical\" href=\"").nth(1).expect("canonical");
        let canonical = canonical.split('"').next().expect("an end");
        let folder =
            convo_site::text::percent_encode(path.trim_end_matches("index.html"));
        assert_eq!(canonical, format!("{BASE}{folder}"), "{path}");
    }
    assert!(text("robots.txt").contains(&format!("Sitemap: {BASE}sitemap.xml")));
}

/// Other looks of the same site: themes, and an interface that is written from right to left.
pub(crate) const OTHERS: [&str; 3] =
    ["theme = 'chat'", "theme = 'transcript'", "theme = 'chat'\nlanguage = 'ar'"];

#[test]
fn pages_fit_every_window_and_ask_no_other_host() {
    fits(build().1, |_| true);
}

#[test]
fn pages_fit_every_window_in_every_theme() {
    for line in OTHERS {
        // Every conversation, and one of each other kind of page.
        let kinds = ["", "404.html", "search/", "archive/", "speakers/", "archive/2026/"];
        fits(build_with(line).1, |path| path.starts_with("c/") || kinds.contains(&path));
    }
}

/// What search engines are told moves nothing.
#[test]
fn a_discussion_is_laid_out_as_an_article() {
    let widths = |line: &str| {
        let files = build_with(line).1;
        let mut pages = files.keys().filter(|path| path.contains("when-it-ought"));
        let page = pages.find(|path| path.ends_with("index.html")).expect("a page");
        let page = page.trim_end_matches("index.html").to_owned();
        let mut browser = Browser::start(BASE, files);
        browser.appear(1280, false);
        browser.open(&page);
        let is_forum = browser.evaluate("!!document.querySelector('main[itemscope]')");
        let widths = browser.evaluate(
            "[...document.querySelectorAll('main header, main h2, .body')].map(element => {
                const {x, y, width, height} = element.getBoundingClientRect();
                return [x, y, width, height];
            })",
        );
        (is_forum, widths)
    };
    for theme in ["paper", "chat", "transcript"] {
        let article = widths(&format!("theme = '{theme}'"));
        let forum = widths(&format!("theme = '{theme}'\nschema = 'forum'"));
        assert!(article.0 == false && forum.0 == true);
        assert!(article.1.as_array().is_some_and(|all| all.len() > 10));
        assert_eq!(article.1, forum.1, "{theme}");
    }
}

/// What a conversation's page loads besides itself, before anything is compressed.
#[test]
fn a_conversation_s_page_is_light() {
    for line in [""].into_iter().chain(OTHERS) {
        let (_out, files) = build_with(line);
        let page = files.iter().find(|(path, _)| path.starts_with("c/")).expect("a page");
        let page = String::from_utf8(page.1.clone()).expect("UTF-8");
        let size = |open: &str| -> usize {
            let links =
                page.split(open).skip(1).filter_map(|rest| rest.split('"').next());
            links.map(|url| files[url.trim_start_matches("/tidal-mill/")].len()).sum()
        };
        let (styles, scripts) =
            (size("<link rel=\"stylesheet\" href=\""), size("<script src=\""));
        assert!(styles > 10_000 && scripts > 5_000, "{styles} {scripts}");
        let own_styles = if line.is_empty() { 20_000 } else { 24_000 };
        assert!(styles <= own_styles, "{line}: {styles} bytes of CSS");
        assert!(scripts <= 12_000, "{scripts} bytes of JavaScript");
        assert!(!page.contains("<script src") || page.contains("\" defer"), "{page}");
    }
}

fn fits(files: BTreeMap<String, Vec<u8>>, is_wanted: impl Fn(&str) -> bool) {
    let pages: Vec<String> = files
        .keys()
        .filter(|path| path.ends_with(".html"))
        .map(|path| path.trim_end_matches("index.html").to_owned())
        .filter(|path| is_wanted(path))
        .collect();
    assert!(pages.len() > 20, "{}", pages.len());
    let mut browser = Browser::start(BASE, files);
    let mut bad = Vec::new();
    for (width, dark) in [(1280, false), (1280, true), (360, false), (360, true)] {
        browser.appear(width, dark);
        for path in &pages {
            browser.open(&convo_site::text::percent_encode(path));
            let found = browser.evaluate(CONTRAST_AND_WIDTH);
            if found.as_array().is_none_or(|found| !found.is_empty()) {
                bad.push(format!("{width} {dark} {path}: {found}"));
            }
        }
    }
    bad.append(&mut browser.leaks);
    bad.append(&mut browser.complaints);
    assert!(bad.is_empty(), "{}", bad.join("\n"));
}

/// Text that is too faint to read (WCAG 2.2 AA: 4.5 to 1), and pages wider than their window.
const CONTRAST_AND_WIDTH: &str = r#"(() => {
    const bad = new Set();
    if (document.documentElement.scrollWidth > innerWidth) bad.add('too wide');
    const rgb = color => color.match(/[\d.]+/g).map(Number);
    const light = ([r, g, b]) => [r, g, b].map(c => (c /= 255) <= .03928 ? c / 12.92
        : ((c + .055) / 1.055) ** 2.4).reduce((sum, c, i) => sum + c * [.2126, .7152, .0722][i], 0);
    const canvas = document.createElement('canvas').getContext('2d', {willReadFrequently: true});
    const solid = color => { canvas.clearRect(0, 0, 1, 1); canvas.fillStyle = color;
        canvas.fillRect(0, 0, 1, 1); return [...canvas.getImageData(0, 0, 1, 1).data]; };
    const seen = new Map();
    const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node; (node = walk.nextNode());) {
        const element = node.parentElement;
        if (!node.data.trim() || !element.checkVisibility()) continue;
        const color = getComputedStyle(element).color;
        const layers = [];
        for (let at = element; at; at = at.parentElement) {
            const back = solid(getComputedStyle(at).backgroundColor);
            if (back[3] > 0) layers.push(back);
            if (back[3] === 255) break;
        }
        let back = [255, 255, 255];
        for (const layer of layers.reverse())
            back = back.map((c, i) => c + (layer[i] - c) * layer[3] / 255);
        const key = color + back;
        if (seen.has(key)) continue;
        const [a, b] = [light(solid(color)), light(back)];
        const ratio = (Math.max(a, b) + .05) / (Math.min(a, b) + .05);
        seen.set(key, ratio);
        if (ratio < 4.5) bad.add(`${ratio.toFixed(2)} ${color} on ${back.map(Math.round)}: `
            + `<${element.localName} class=${element.className}> ${node.data.trim().slice(0, 20)}`);
    }
    return [...bad];
})()"#;

//! Pages of the example site fit every window, and their text can be read.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::browser::{Browser, LOOKS};
use crate::support::example::{BASE, OTHERS, files_with};

#[test]
fn pages_fit_every_window_and_request_no_other_host() {
    fits(files_with(""), |_| true);
}

#[test]
fn pages_fit_every_window_in_every_theme() {
    for line in OTHERS {
        // Every conversation, and one of each other kind of page.
        let kinds = ["", "404.html", "search/", "archive/", "speakers/", "archive/2026/"];
        fits(files_with(line), |path| path.starts_with("c/") || kinds.contains(&path));
    }
}

/// Metadata for search engines does not change the layout.
#[test]
fn discussion_markup_does_not_change_the_layout() {
    let widths = |line: &str| {
        let files = files_with(line);
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

fn fits(files: Arc<BTreeMap<String, Vec<u8>>>, is_wanted: impl Fn(&str) -> bool) {
    let pages: Vec<String> = files
        .keys()
        .filter(|path| path.ends_with(".html"))
        .map(|path| path.trim_end_matches("index.html").to_owned())
        .filter(|path| is_wanted(path))
        .collect();
    assert!(pages.len() > 20, "{}", pages.len());
    let mut browser = Browser::start(BASE, files);
    let mut bad = Vec::new();
    for (number, path) in pages.iter().enumerate() {
        // Half of them are opened with the window of a phone.
        let mut looks = LOOKS;
        looks.rotate_left(number % 2 * 2);
        let [(width, dark), ..] = looks;
        browser.appear(width, dark);
        browser.open(&convo_site::text::percent_encode(path));
        for (width, dark) in looks {
            browser.look(width, dark);
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
pub(crate) const CONTRAST_AND_WIDTH: &str = r#"(() => {
    const bad = new Set();
    if (document.documentElement.scrollWidth > innerWidth) bad.add('too wide');
    const rgb = color => color.match(/[\d.]+/g).map(Number);
    const light = ([r, g, b]) => [r, g, b].map(c => (c /= 255) <= .03928 ? c / 12.92
        : ((c + .055) / 1.055) ** 2.4).reduce((sum, c, i) => sum + c * [.2126, .7152, .0722][i], 0);
    const canvas = document.createElement('canvas').getContext('2d', {willReadFrequently: true});
    const solids = new Map();
    const solid = color => {
        if (!solids.has(color)) {
            canvas.clearRect(0, 0, 1, 1);
            canvas.fillStyle = color;
            canvas.fillRect(0, 0, 1, 1);
            solids.set(color, [...canvas.getImageData(0, 0, 1, 1).data]);
        }
        return solids.get(color);
    };
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

//! The frame of all pages: the grid, the row at the top, and the colours that a reader chose.

use serde_json::{Value, json};

use crate::browser::Browser;
use crate::support::example::{BASE, files_with};

/// A page of each kind; the second has an outline beside it, and the third has none.
const PAGES: [&str; 7] = [
    "",
    "c/2025-11-15-eight-ways-to-merge-a-rota-s9mdk3/",
    "c/2025-02-20-a-door-for-eels-m7nzm1/",
    "archive/",
    "archive/2026/",
    "search/",
    "statistics/",
];

fn example(theme: &str) -> Browser {
    Browser::start(BASE, files_with(&format!("theme = '{theme}'")))
}

#[test]
fn text_is_aligned_the_same_on_every_page() {
    // The left edges of aligned elements: the name of the site, the title, and the text below it.
    let edges = "[['header.site .name'], ['h1'], ['.turn:not([dir=rtl]) .body p', '.card h2', '.group', \
        '#search form', '.chart']].map(all => all.map(selector => document.querySelector(selector))
        .find(element => element)).map(element => Math.round(element.getBoundingClientRect().left))";
    for theme in ["paper", "chat", "transcript"] {
        let mut browser = example(theme);
        browser.appear(1280, false);
        let mut axes = None;
        for page in PAGES {
            browser.open(page);
            let seen: Vec<i64> = browser
                .evaluate(edges)
                .as_array()
                .expect("edges")
                .iter()
                .filter_map(Value::as_i64)
                .collect();
            let [name, title, text] = seen[..] else { panic!("{theme} {page}: {seen:?}") };
            let expected = *axes.get_or_insert((name, title));
            assert_eq!((name, title), expected, "{theme} {page}");
            // Bubbles of the other person are on the right.
            if theme != "chat" || !page.starts_with("c/") {
                assert_eq!(text, title, "{theme} {page}");
            }
        }
    }
}

#[test]
fn lines_have_a_readable_length() {
    // The average number of characters per full line, in paragraphs of at least four lines.
    let letters = "(() => { let letters = 0, lines = 0;
        for (const p of document.querySelectorAll('.turn .body > p')) {
            const count = Math.round(p.getBoundingClientRect().height / parseFloat(getComputedStyle(p).lineHeight));
            if (count >= 4 && p.textContent.length > 100) { letters += p.textContent.length; lines += count - .5; }
        }
        return letters / lines; })()";
    for theme in ["paper", "chat", "transcript"] {
        let mut browser = example(theme);
        for width in [1280, 768] {
            browser.appear(width, false);
            browser.open("c/2025-02-20-a-door-for-eels-m7nzm1/");
            let letters = browser.evaluate(letters).as_f64().expect("a number");
            assert!((62.0..=72.0).contains(&letters), "{theme} {width}: {letters}");
        }
    }
}

#[test]
fn a_phone_has_one_row_above_the_text() {
    let height = "document.querySelector('header.site').getBoundingClientRect().height";
    let is_seen =
        |selector: &str| format!("document.querySelector('{selector}').checkVisibility()");
    for theme in ["paper", "chat", "transcript"] {
        let mut browser = example(theme);
        browser.appear(360, false);
        browser.open(PAGES[1]);
        let height = browser.evaluate(height).as_f64().expect("a number");
        assert!(height <= 64.0, "{theme}: {height}");
        let first = browser
            .evaluate("document.querySelector('.turn').getBoundingClientRect().top")
            .as_f64()
            .expect("a number");
        assert!(first < 450.0, "{theme}: {first}");
        for (button, shown) in
            [("site-menu", "#site-menu a"), ("site-search", "#search-dialog input")]
        {
            let is_hidden = format!("!({})", is_seen(shown).replace("').", "')?."));
            assert_eq!(browser.evaluate(&is_hidden), true, "{theme} {shown}");
            browser
                .evaluate(&format!("document.querySelector('[popovertarget={button}]').click()"));
            assert_eq!(browser.evaluate(&is_seen(shown)), true, "{theme} {shown}");
        }
        // Some phones zoom in on fields with a smaller font.
        let size = browser
            .evaluate("parseFloat(getComputedStyle(document.querySelector('#search-dialog input')).fontSize)")
            .as_f64()
            .expect("a number");
        assert!(size >= 16.0, "{theme}: {size}");
        let width = "document.documentElement.scrollWidth";
        assert_eq!(browser.evaluate(width), 360, "{theme}");
        assert_eq!(browser.complaints, Vec::<String>::new());
    }
}

#[test]
fn the_chosen_colours_apply_before_the_first_paint() {
    let paper = "getComputedStyle(document.documentElement).backgroundColor";
    for theme in ["paper", "chat", "transcript"] {
        let mut browser = example(theme);
        browser.appear(1280, false);
        browser.open("");
        let light = browser.evaluate(paper);
        let click = "document.querySelector('button.scheme').click()";
        let label = "document.querySelector('button.scheme').getAttribute('aria-label')";
        assert_eq!(browser.evaluate(label), "Theme: system");
        for (name, is_light) in [("light", true), ("dark", false)] {
            browser.evaluate(click);
            assert_eq!(browser.evaluate(label), format!("Theme: {name}"));
            assert_eq!(browser.evaluate(paper) == light, is_light, "{theme} {name}");
        }
        let dark = browser.evaluate(paper);
        // The next page is dark before it has a body.
        browser.before_each_page(
            "new MutationObserver((all, observer) => { if (!document.body) return; \
             window.first = document.documentElement.dataset.scheme; \
             observer.disconnect(); }).observe(document, {childList: true, subtree: true})",
        );
        browser.open(PAGES[1]);
        assert_eq!(browser.evaluate("window.first"), "dark", "{theme}");
        assert_eq!(browser.evaluate(paper), dark, "{theme}");
        browser.appear(1280, true);
        browser.open("");
        browser.evaluate(click);
        assert_eq!(browser.evaluate(paper), dark, "{theme}");
        browser.evaluate(click);
        assert_eq!(browser.evaluate(paper), light, "{theme}");
        assert_eq!(browser.complaints, Vec::<String>::new());
    }
}

/// Browsers may paint the page before they have parsed the button.
#[test]
fn the_colour_button_causes_no_layout_shift() {
    let places = "[...document.querySelectorAll('header.site > :not(.scheme)')].filter(one => one.checkVisibility()) \
        .map(one => { const { x, y, width } = one.getBoundingClientRect(); return [x, y, width]; })";
    for theme in ["paper", "chat", "transcript"] {
        let mut browser = example(theme);
        for width in [1280, 768, 360] {
            browser.appear(width, false);
            browser.open(PAGES[1]);
            let with_it = browser.evaluate(places);
            browser.evaluate("document.querySelector('button.scheme').remove()");
            assert_eq!(browser.evaluate(places), with_it, "{theme} {width}");
        }
    }
}

#[test]
fn without_scripts_there_is_no_unusable_button() {
    let mut browser = example("paper");
    browser.appear(1280, false);
    browser.call("Emulation.setScriptExecutionDisabled", json!({"value": true}));
    browser.open("");
    let is_seen = "document.querySelector('button.scheme').checkVisibility()";
    assert_eq!(browser.evaluate(is_seen), false);
    let links = "[...document.querySelectorAll('header.site li a')].filter(a => a.checkVisibility()).length";
    assert!(browser.evaluate(links).as_u64() >= Some(5));
}

//! The appearance of pages: search marks, forced colours, text directions and columns.

use serde_json::{Value, json};

use crate::browser::Browser;
use crate::support::{BASE, SiteTest, convo, files_below, project};

const ADDRESS: &str = "https://site.example/base/";

fn browser(site: &SiteTest) -> Browser {
    site.build(0);
    let mut browser = Browser::start(ADDRESS, site.output());
    browser.appear(1280, false);
    browser
}

/// The folder of the only conversation whose path contains this text.
fn page(browser: &Browser, part: &str) -> String {
    let mut paths = browser.files.keys().filter(|path| path.starts_with("c/"));
    let found = paths.find(|path| path.contains(part) && path.ends_with("index.html"));
    let folder = found.expect("a page").trim_end_matches("index.html");
    convo_site::text::percent_encode(folder)
}

/// Opens a page as a reader who searched for these words.
fn open_from_search(browser: &mut Browser, address: &str, words: &[&str]) {
    browser.open("404.html");
    let found = json!({"address": format!("{ADDRESS}{address}"), "words": words}).to_string();
    browser.evaluate(&format!("localStorage.setItem('convo-site:found', {})", json!(found)));
    browser.open(address);
}

fn force_colors(browser: &mut Browser) {
    let media = json!({"features": [{"name": "forced-colors", "value": "active"}]});
    browser.call("Emulation.setEmulatedMedia", media);
}

#[test]
fn search_marks_are_visible_in_the_linked_turn() {
    let text = convo("It's snake_case, and don't [x](y_z) (a|b) 100% of it.");
    let site = SiteTest::new().file("content/a.convo", text);
    for dark in [false, true] {
        let mut browser = browser(&site);
        browser.appear(1280, dark);
        let path = page(&browser, "c/");
        browser.open(&path);
        let id = browser.evaluate("document.querySelector('.turn').id");
        let address = format!("{path}#{}", id.as_str().expect("an id"));
        open_from_search(&mut browser, &address, &["snake_case", "don't", "(a|b)"]);
        let marks = "Array.from(document.querySelectorAll('mark'), mark => mark.textContent)";
        assert_eq!(browser.evaluate(marks), json!(["snake_case", "don't", "(a|b)"]));
        let colours = browser.evaluate(
            "['mark', ':target'].map(e => getComputedStyle(document.querySelector(e)).backgroundColor)",
        );
        assert_ne!(colours[0], colours[1]);
        assert_eq!(browser.complaints, Vec::<String>::new());
    }
}

#[test]
fn an_anchor_with_an_invalid_escape_is_not_an_error() {
    let site = SiteTest::new().file("content/a.convo", convo("Hello."));
    let mut browser = browser(&site);
    let path = page(&browser, "c/");
    for anchor in ["#%", "#%E0%A4", "#100%"] {
        open_from_search(&mut browser, &format!("{path}{anchor}"), &["Hello"]);
        browser.evaluate("location.hash = '#%zz'");
        browser.evaluate("new Promise(done => setTimeout(done, 100))");
        assert_eq!(browser.complaints, Vec::<String>::new(), "{anchor}");
    }
}

/// Two alternatives, one of which contains a question by a person, and a long one beside them.
fn forks() -> SiteTest {
    let site = SiteTest::new();
    let tree = project().join("tests/formats/vlinder/tree-fork-of-fork/input");
    for (path, bytes) in files_below(&tree) {
        site.write(&format!("content/tea/{path}"), bytes);
    }
    let alternatives = project().join("tests/formats/cjson/alternatives/input.json");
    site.file("content/tree.json", std::fs::read(alternatives).expect("readable"))
}

/// Four questions with answers, which are enough for an outline.
fn questions() -> String {
    let turns = "### @Ada\nWhat is the time?\n\n### @Bot\nI cannot know.\n\n".repeat(4);
    format!(
        "{turns}----\n{{\"title\": \"Questions\", \"type\": \"dialog\", \"time\": \"2026-01-02\", \
         \"participants\": [\"Ada\", {{\"name\": \"Bot\", \"generative\": true}}]}}\n"
    )
}

#[test]
fn selections_are_visible_in_forced_colours() {
    let site = forks().file("content/questions.convo", questions());
    let mut browser = browser(&site);
    for (part, chosen, other) in [
        ("questions", ".detail label:has(:checked)", ".detail label:not(:has(:checked))"),
        ("tea", ".option[open] > summary", ".option:not([open]) > summary"),
        ("questions", ".outline [aria-current]", ".outline a:not([aria-current])"),
    ] {
        let path = page(&browser, part);
        force_colors(&mut browser);
        browser.open(&path);
        // The outline follows the scroll position.
        browser.evaluate("scrollTo(0, document.body.scrollHeight)");
        browser.wait_for(&format!("document.querySelector('{chosen}') !== null"));
        let colours = browser.evaluate(&format!(
            "['{chosen}', '{other}'].map(e => getComputedStyle(document.querySelector(e)).backgroundColor)"
        ));
        assert_ne!(colours[0], colours[1], "{chosen}");
    }
}

/// A question, and an answer with tool calls, a plan and code.
fn work() -> String {
    let call = |name: &str, input: Value, text: &str| {
        let id = format!("t-{name}");
        let call = json!({"type": "tool_use", "id": id, "name": name, "input": input});
        let result = json!({"type": "tool_result", "tool_use_id": id, "content": text});
        [("assistant", json!([call])), ("user", json!([result]))]
    };
    let long = "a line of output that is wider than a phone, and goes on for a while\n".repeat(12);
    let code = "Look:\n\n```\na line of code that is wider than a phone, and goes on for a while\n```\n\n\
                ```js\nlet x = 1;\n```";
    let todos = json!({"todos": [{"content": "Oil the gate", "status": "completed"}]});
    let mut messages = vec![("user", json!("Why does the gate stick?"))];
    messages.extend(call("Read", json!({"file_path": "gate.py", "limit": 12}), &long));
    messages.extend(call("Bash", json!({"command": "ls"}), &long));
    messages.extend(call("TodoWrite", todos, "Done."));
    messages.push(("assistant", json!([{"type": "text", "text": code}])));
    let record = |(number, (role, content)): (usize, (&str, Value))| {
        let parent = number.checked_sub(1).map(|before| format!("u{before}"));
        let record = json!({
            "type": role, "uuid": format!("u{number}"), "parentUuid": parent, "sessionId": "s1",
            "timestamp": "2026-03-01T10:00:00Z",
            "message": {"role": role, "id": format!("m{number}"), "model": "wren-1", "content": content},
        });
        format!("{record}\n")
    };
    messages.into_iter().enumerate().map(record).collect()
}

const THEMES: [&str; 3] = ["paper", "chat", "transcript"];

#[test]
fn bubbles_are_visible_in_forced_colours() {
    let site = SiteTest::new()
        .file("site.toml", format!("{BASE}theme = \"chat\"\n"))
        .file("content/s.jsonl", work());
    let mut browser = browser(&site);
    force_colors(&mut browser);
    for (path, selector) in [(page(&browser, "c/"), ".turn"), (String::new(), ".card")] {
        browser.open(&path);
        let borders = browser.evaluate(&format!(
            "[...document.querySelectorAll('{selector}')].map(e => getComputedStyle(e).borderTopStyle)"
        ));
        let borders = borders.as_array().expect("styles");
        assert!(!borders.is_empty() && borders.iter().all(|style| style != "none"), "{borders:?}");
    }
}

/// The copy buttons that are transparent, smaller than 24 pixels, cover code or text, or are outside
/// of their box.
const CROSSING: &str = "(() => {
    document.querySelectorAll('details').forEach(e => e.open = true);
    const apart = (a, b) => a.bottom <= b.top + .5 || b.bottom <= a.top + .5 || a.right <= b.left + .5 || b.right <= a.left + .5;
    const shown = [...document.querySelectorAll('.copy')].filter(button => button.checkVisibility());
    if (!shown.length) return ['none'];
    return shown.filter(button => {
        const box = button.getBoundingClientRect();
        const lines = [...button.closest('.body').querySelectorAll('pre, .note')].flatMap(e => {
            const range = document.createRange(); range.selectNodeContents(e); return [...range.getClientRects()];
        });
        const rules = [...button.closest('.body').querySelectorAll('.note')].map(e => e.getBoundingClientRect().top);
        return getComputedStyle(button).opacity !== '1' || box.height < 23.9 || lines.some(line => !apart(line, box))
            || rules.some(top => top > box.top && top < box.bottom);
    }).map(button => button.parentElement.outerHTML.slice(0, 100));
})()";

#[test]
fn copy_buttons_cover_nothing_on_phones() {
    for theme in THEMES {
        let site = SiteTest::new()
            .file("site.toml", format!("{BASE}theme = \"{theme}\"\n"))
            .file("content/s.jsonl", work());
        let mut browser = browser(&site);
        browser.appear(360, false);
        browser.call("Emulation.setTouchEmulationEnabled", json!({"enabled": true}));
        let path = page(&browser, "c/");
        browser.open(&path);
        browser.wait_for(
            "matchMedia('(hover: none)').matches && document.querySelector('.copy') !== null",
        );
        assert_eq!(browser.evaluate(CROSSING), json!([]), "{theme}");
    }
}

#[test]
fn the_prompts_view_leaves_no_empty_alternatives() {
    let site = forks();
    let mut browser = browser(&site);
    for part in ["tea", "2026"] {
        let path = page(&browser, part);
        browser.open(&path);
        let pills =
            "[...document.querySelectorAll('.option > summary')].filter(e => e.checkVisibility())";
        let before = browser.evaluate(&format!("{pills}.length"));
        assert!(before.as_u64() > Some(1), "{part}: {before}");
        browser.evaluate("document.querySelector('.detail [value=prompts]').click()");
        let empty = browser.evaluate(&format!(
            "{pills}.filter(e => !e.parentElement.querySelector('.turn.person')).length"
        ));
        assert_eq!(empty, 0, "{part}");
        browser.evaluate("document.querySelector('.detail [value=all]').click()");
        assert_eq!(browser.evaluate(&format!("{pills}.length")), before);
    }
}

fn arabic(title: &str, text: &str) -> String {
    convo(text).replace(
        "\"type\"",
        &format!("\"title\": \"{title}\", \"languages\": [\"ar\"], \"place\": \"عمان\", \"type\""),
    )
}

#[test]
fn columns_and_lists_keep_their_spacing() {
    let more = "\"a name that is rather long\": \"x\", \"b\": \"y\", \"type\"";
    let site = SiteTest::new().file("content/a.convo", convo("Hello.").replace("\"type\"", more));
    let mut browser = browser(&site);
    let path = page(&browser, "c/");
    for width in [1280, 360] {
        browser.appear(width, false);
        browser.open(&path);
        browser.evaluate("document.querySelector('.about').open = true");
        let edges = browser.evaluate(
            "new Set([...document.querySelectorAll('.about dd')].map(e => e.getBoundingClientRect().left)).size",
        );
        assert_eq!(edges, 1, "{width}");
        browser.open("archive/2026/");
        let distance = browser.evaluate(
            "document.querySelector('.month h2').getBoundingClientRect().top - \
             [...document.querySelectorAll('.strip:not(.rail)')].at(-1).getBoundingClientRect().bottom",
        );
        assert!(distance.as_f64() > Some(16.0), "{width}: {distance}");
    }
    browser.open("statistics/");
    let rules = browser.evaluate(
        "[...document.querySelectorAll('th[scope=row]')].map(e => getComputedStyle(e).borderBottomWidth)",
    );
    let rules = rules.as_array().expect("widths");
    assert!(!rules.is_empty() && rules.iter().all(|width| width == "1px"), "{rules:?}");
}

/// Returns whether no items of a line overlap.
const APART: &str = "[...document.querySelectorAll('.meta')].every(line => {
    const boxes = [...line.querySelectorAll(':scope > *')].flatMap(e => [...e.getClientRects()].slice(0, 1));
    return boxes.every((a, i) => boxes.every((b, k) => i === k || a.top >= b.bottom || b.top >= a.bottom
        || a.left >= b.right - 1 || b.left >= a.right - 1));
})";

#[test]
fn numbers_stay_with_their_words_from_right_to_left() {
    let talk = "### @Ada\nHello.\n\n### @Bot\nHello you.\n\n----\n{\"type\": \"dialog\", \
        \"time\": \"2026-03-02\", \"languages\": [\"en\"], \"participants\": [\"Ada\", \
        {\"name\": \"Bot\", \"generative\": true, \"generative:model\": \"m-1.5\"}]}\n";
    let site = SiteTest::new()
        .file("site.toml", format!("{BASE}language = \"ar\"\n"))
        .file("content/a.convo", talk)
        .file("content/b.convo", arabic("لافتة", "API هي كلمة أجنبية في بداية نص عربي طويل."));
    let mut browser = browser(&site);
    for width in [1280, 360] {
        browser.appear(width, false);
        browser.open("");
        assert_eq!(browser.evaluate(APART), true, "{width}");
    }
    let isolated = browser.evaluate(
        "[...document.querySelectorAll('.meta > *')].every(e => getComputedStyle(e).unicodeBidi === 'isolate')",
    );
    assert_eq!(isolated, true);
}

#[test]
fn an_arabic_conversation_is_aligned_right() {
    let site = SiteTest::new()
        .file("content/b.convo", arabic("لافتة", "API هي كلمة أجنبية في بداية نص عربي طويل."))
        .file("content/c.convo", convo("Hello."))
        .file("content/d.convo", convo("API هي كلمة أجنبية لا نعرف لغتها."));
    let mut browser = browser(&site);
    let path = page(&browser, "لافتة");
    let right = |browser: &mut Browser, selector: &str| -> Value {
        browser.evaluate(&format!(
            "(() => {{ const range = document.createRange(); \
             const element = document.querySelector('{selector}'); range.selectNodeContents(element); \
             return Math.round(element.closest('header.page, .card').getBoundingClientRect().right - \
             range.getBoundingClientRect().right) }})()"
        ))
    };
    for width in [1280, 360] {
        browser.appear(width, false);
        browser.open(&path);
        for selector in ["h1", "header.page .meta"] {
            let distance = right(&mut browser, selector);
            assert!(distance.as_i64() < Some(2), "{selector} {width}: {distance}");
        }
        browser.evaluate("localStorage.setItem('convo-site:rows', 'full')");
        browser.open("archive/");
        for selector in
            [".card[lang=ar] :is(h2, h3)", ".card[lang=ar] .excerpt", ".card[lang=ar] .meta"]
        {
            let distance = right(&mut browser, selector);
            assert!(distance.as_i64() < Some(2), "{selector} {width}: {distance}");
        }
    }
    let directions = "[...document.querySelectorAll('.card')].map(e => e.dir).sort().join(' ')";
    assert_eq!(browser.evaluate(directions), "ltr rtl rtl");
    // Its first word is in Latin letters.
    let direction = "getComputedStyle(document.querySelector('.card[lang=ar] .excerpt')).direction";
    assert_eq!(browser.evaluate(direction), "rtl");
    browser.open("search/?q=API");
    browser.wait_for("document.querySelector('.results ul a') !== null");
    assert_eq!(browser.evaluate("document.querySelector('.results ul a').dir"), "rtl");
    // A right-to-left title is aligned with the rest of the page.
    browser.open("languages/ar/");
    let left = browser.evaluate(
        "document.querySelector('h1').firstChild && (() => { const range = document.createRange(); \
         range.selectNodeContents(document.querySelector('h1')); \
         return Math.round(range.getBoundingClientRect().left - document.querySelector('.trail').getBoundingClientRect().left) })()",
    );
    assert!(left.as_i64().is_some_and(|left| left.abs() < 3), "{left}");
}

//! The site that uses every key in a browser: in three themes, light and dark, with three window widths;
//! and how fast and stable its pages are.

use std::collections::BTreeMap;
use std::process::Command;

use serde_json::{Value, json};

use crate::browser::Browser;
use crate::external_validators::{AXE, SEARCH};
use crate::layout::CONTRAST_AND_WIDTH;
use crate::support::own_site::{BASE, THEMES, files_with, folder_with, kinds};
use crate::support::{SiteTest, project};
use crate::tools::tool;

/// The hosts of the services that the site uses.
const HOSTS: [&str; 6] = [
    "plausible.io",
    "gc.zgo.at",
    "stats.example.org",
    "cloud.umami.is",
    "static.cloudflareinsights.com",
    "giscus.app",
];

/// Lists elements that are cut off by the window or an ancestor, where readers cannot scroll to them.
const CUT: &str = r#"(() => {
    const bad = [], scrolls = new Set(['auto', 'scroll']);
    for (const element of document.body.querySelectorAll('*')) {
        if (!element.checkVisibility() || element.closest('.hidden, .skip, math, svg, .detail input')) continue;
        const { left, right, width } = element.getBoundingClientRect();
        if (!width || right <= document.documentElement.clientWidth + 1 && left >= -1) continue;
        let above = element.parentElement;
        while (above && !scrolls.has(getComputedStyle(above).overflowX)) above = above.parentElement;
        if (!above) bad.push(`${element.localName}.${element.className} ${Math.round(left)}-${Math.round(right)}`);
    }
    for (const element of document.querySelectorAll('header.site .name, h1, h2, h3, .meta, .badge, button, summary, dt, dd, th, td, label'))
        if (element.checkVisibility() && !element.closest('.hidden') && element.scrollWidth > element.clientWidth + 1
            && !['inline', 'contents'].includes(getComputedStyle(element).display)
            && getComputedStyle(element).overflowX === 'hidden') bad.push(`cut: ${element.localName} ${element.textContent.slice(0, 40)}`);
    return bad.slice(0, 5);
})()"#;

#[test]
fn every_kind_of_page_fits_and_is_accessible() {
    let axe = tool("NODE_TOOLS").join("node_modules/axe-core/axe.min.js");
    let axe = std::fs::read_to_string(axe).expect("axe");
    let mut bad = Vec::new();
    for theme in THEMES {
        let files = files_with(theme, true);
        let kinds = kinds(&files);
        let mut browser = Browser::start(BASE, files);
        let looks = [1280, 768, 360].into_iter().flat_map(|w| [(w, false), (w, true)]);
        for path in &kinds {
            let mut say = |look: (u32, bool), found: Value| {
                if found.as_array().is_none_or(|found| !found.is_empty()) {
                    bad.push(format!("{theme} {look:?} {path}: {found}"));
                }
            };
            browser.appear(1280, false);
            browser.open(&convo_site::text::percent_encode(path));
            browser.evaluate(&axe);
            for (width, dark) in looks.clone() {
                browser.look(width, dark);
                say((width, dark), browser.evaluate(CONTRAST_AND_WIDTH));
                say((width, dark), browser.evaluate(CUT));
                // Findings of axe depend little on either.
                if (width, dark) == (1280, false) || (width, dark) == (360, true) {
                    say((width, dark), browser.evaluate(AXE));
                }
            }
            if path.is_empty() {
                // With the search dialog open.
                browser.evaluate(SEARCH);
                browser.wait_for("document.querySelectorAll('[role=option] mark').length > 1");
                for (width, dark) in [(360, true), (1280, false)] {
                    browser.look(width, dark);
                    say((width, dark), browser.evaluate(CUT));
                    say((width, dark), browser.evaluate(AXE));
                }
            }
        }
        // Only configured hosts are requested.
        let is_named =
            |url: &&String| HOSTS.iter().any(|host| url.starts_with(&format!("https://{host}/")));
        bad.extend(browser.leaks.iter().filter(|url| !is_named(url)).cloned());
        for host in HOSTS {
            assert!(browser.leaks.iter().any(|url| url.contains(host)), "{host}");
        }
        let is_blocked = |complaint: &&String| complaint.contains("ERR_BLOCKED_BY_CLIENT");
        bad.extend(browser.complaints.iter().filter(|complaint| !is_blocked(complaint)).cloned());
    }
    assert!(bad.is_empty(), "{}", bad.join("\n"));
}

/// The folder of the only page whose path contains this text.
fn folder(browser: &Browser, part: &str) -> String {
    let mut paths = browser.files.keys().filter(|path| path.starts_with("c/"));
    let path = paths.find(|path| path.contains(part) && path.ends_with("/index.html"));
    path.expect("a page").trim_end_matches("index.html").to_owned()
}

/// The position of each text of a page, by the text and its number among equal texts.
const PLACES: &str = r#"(() => {
    const places = {}, numbers = {};
    for (const element of document.body.querySelectorAll('*')) {
        const own = Array.from(element.childNodes).filter(node => node.nodeType === 3).map(node => node.data.trim()).join(' ');
        if (!own.trim() || !element.checkVisibility()) continue;
        const key = `${element.localName} ${own.slice(0, 60)}`;
        numbers[key] = (numbers[key] ?? 0) + 1;
        const { left, top } = element.getBoundingClientRect();
        places[`${key} ${numbers[key]}`] = [Math.round(left), Math.round(top)];
    }
    return places;
})()"#;

/// Scripts that run after a page has loaded move nothing, whatever the reader chose on an earlier visit: each
/// text is where it is without them.
#[test]
fn nothing_moves_for_returning_readers() {
    for theme in THEMES {
        let files = files_with(theme, false);
        let still = without_late_scripts(&files);
        for (width, chosen) in [(1280, "prompts"), (360, "prompts"), (360, "talk")] {
            let mut browsers = [&still, &files].map(|files| {
                let mut browser = Browser::start(BASE, files.clone());
                browser.appear(width, false);
                browser.before_each_page(&format!(
                    "try {{ localStorage.setItem('convo-site:scheme', 'dark'); \
                     localStorage.setItem('convo-site:detail', '{chosen}'); }} catch {{}}"
                ));
                browser
            });
            let [first, _] = &browsers;
            for path in [folder(first, "engine-room"), folder(first, "measure"), String::new()] {
                let [before, after] = browsers.each_mut().map(|browser| {
                    browser.open(&path);
                    let is_there = "document.documentElement.dataset.scheme === 'dark'";
                    assert_eq!(browser.evaluate(is_there), true);
                    let frames =
                        "new Promise(done => requestAnimationFrame(() => setTimeout(done, 150)))";
                    browser.evaluate(frames);
                    browser.evaluate(PLACES)
                });
                let before = before.as_object().expect("places");
                assert!(before.len() > 20, "{theme} {width} {path}: {before:?}");
                let is_moved = |(text, place): &(&String, &Value)| {
                    after.get(text.as_str()).is_some_and(|now| now != *place)
                };
                let moved: Vec<_> = before.iter().filter(is_moved).collect();
                assert!(moved.is_empty(), "{theme} {width} {chosen} {path}: {moved:?}");
            }
        }
    }
}

/// The site without the scripts that run after a page has loaded.
fn without_late_scripts(files: &BTreeMap<String, Vec<u8>>) -> BTreeMap<String, Vec<u8>> {
    let still = |(path, bytes): (&String, &Vec<u8>)| {
        if !path.ends_with(".html") {
            return (path.clone(), bytes.clone());
        }
        let text = String::from_utf8_lossy(bytes);
        (path.clone(), text.replace("\" defer", "\" type=\"text/plain\"").into_bytes())
    };
    files.iter().map(still).collect()
}

/// Removes a page piece by piece from its end, as if that had not loaded yet, and lists the visible texts
/// that move compared with the whole page. A browser counts three pixels as a move.
const MOVED_WHILE_LOADING: &str = r#"(() => {
    const corner = element => (({ left, top }) => [left, top])(element.getBoundingClientRect());
    const hasText = element => Array.from(element.childNodes).some(node => node.nodeType === 3 && node.data.trim());
    const shown = Array.from(document.body.querySelectorAll('*'))
        .filter(element => element.checkVisibility() && (hasText(element) || element.localName === 'main'));
    const whole = shown.map(element => [element, corner(element)]);
    const pieces = document.querySelectorAll('body > *, header.site > *, main > *, header.page > *, .detail > *, .turns > *');
    const moved = new Set();
    for (const piece of Array.from(pieces).reverse()) {
        const name = element => element.outerHTML.slice(0, 60);
        const missing = name(piece);
        piece.remove();
        for (const [element, [left, top]] of whole) {
            if (!element.isConnected || moved.size === 5) continue;
            if (getComputedStyle(element).visibility === 'hidden') continue;
            const [x, y] = corner(element);
            if (Math.abs(x - left) >= 3 || Math.abs(y - top) >= 3)
                moved.add(`${name(element)} from ${x},${y} to ${left},${top} once there is ${missing}`);
        }
    }
    return Array.from(moved);
})()"#;

/// The levels of detail that readers can choose.
const DETAILS: [&str; 3] = ["all", "talk", "prompts"];

#[test]
fn nothing_moves_while_a_page_loads() {
    let mut bad = Vec::new();
    for theme in THEMES {
        let files = files_with(theme, false);
        let kinds = kinds(&files);
        let files = without_late_scripts(&files);
        let mut browser = Browser::start(BASE, files);
        for width in [1280, 768, 360] {
            browser.appear(width, false);
            for (path, detail) in kinds.iter().flat_map(|path| DETAILS.map(|detail| (path, detail)))
            {
                browser.open(&convo_site::text::percent_encode(path));
                let choose = format!(
                    "document.documentElement.dataset.detail = '{detail}'; \
                     document.querySelector('[value={detail}]') !== null"
                );
                if detail != "all" && browser.evaluate(&choose) == false {
                    continue;
                }
                let moved = browser.evaluate(MOVED_WHILE_LOADING);
                if moved != json!([]) {
                    bad.push(format!("{theme} {width} {detail} {path}: {moved:#}"));
                }
            }
        }
    }
    assert!(bad.is_empty(), "{}", bad.join("\n"));
}

/// A conversation of this many turns, half of them with a tool call.
fn long(turns: usize) -> String {
    let mut messages = Vec::new();
    for at in 0..turns / 2 {
        let call = format!("c{at}");
        messages.push(json!({"role": "user", "content": format!("What does gauge {at} say, and *why*?\n\n- oil\n- water")}));
        messages.push(json!({"role": "assistant", "content": "I look.\n\n```rust\nfn gauge() -> u32 { 61 }\n```", "tool_calls":
            [{"id": call, "type": "function", "function": {"name": "read_gauge", "arguments": format!("{{\"gauge\": {at}}}")}}]}));
        messages.push(json!({"role": "tool", "tool_call_id": call, "content": "61 C\nlow"}));
    }
    json!({"title": "A long night", "messages": messages}).to_string()
}

/// The time until a click on the switch is painted, as browsers measure INP, with the processor slowed down
/// four times. Other work on the machine can only make that slower, so the fastest of several clicks counts,
/// or four times the work of the page's thread since the click, if that is less.
/// At most, a click has to show all turns when none was shown; half of that time is allowed for finding out
/// which. The minimum of several rounds counts, as other work on the machine only adds time.
#[test]
fn the_detail_switch_costs_little_more_than_showing_all_turns() {
    let site = SiteTest::new().file("content/long.json", long(200));
    site.build(0);
    let mut browser = Browser::start("https://site.example/base/", site.output());
    browser.appear(360, false);
    let path = folder(&browser, "long-night");
    browser.open(&path);
    let turns = browser.evaluate("document.querySelectorAll('.turn').length");
    assert!(turns.as_u64() >= Some(200), "{turns}");
    browser.call("Page.bringToFront", json!({}));
    browser.call("Performance.enable", json!({"timeDomain": "threadTicks"}));
    let choices = ["prompts", "talk", "all"];
    let mut of_choices = [f64::MAX; 3];
    let mut of_all_turns = f64::MAX;
    for _ in 0..6 {
        for (choice, least) in choices.iter().zip(&mut of_choices) {
            let other = if *choice == "all" { "prompts" } else { "all" };
            choose(&mut browser, other);
            *least = least.min(work_of(&mut browser, |browser| choose(browser, choice)));
        }
        choose(&mut browser, "all");
        browser.evaluate(&show_turns("none"));
        of_all_turns = of_all_turns.min(work_of(&mut browser, |browser| {
            browser.evaluate(&show_turns(""));
        }));
    }
    for (choice, work) in choices.iter().zip(of_choices) {
        assert!(work <= of_all_turns, "{choice}: {work} ms, all turns: {of_all_turns} ms");
    }
}

/// Hides or shows all turns, and waits until the browser has painted that.
fn show_turns(display: &str) -> String {
    format!(
        "document.querySelector('.turns').style.display = '{display}'; new Promise(done => \
         requestAnimationFrame(() => setTimeout(done, 300)))"
    )
}

/// Clicks on a choice of the detail switch, and waits until the browser has painted what it shows.
fn choose(browser: &mut Browser, choice: &str) {
    click(browser, &format!(".detail label:has([value={choice}])"));
    browser.wait_for(&format!("document.querySelector('.detail [value={choice}]').checked"));
    browser.evaluate("new Promise(done => setTimeout(done, 300))");
}

/// The time that the thread of the page works during an action, in milliseconds.
fn work_of(browser: &mut Browser, action: impl FnOnce(&mut Browser)) -> f64 {
    let worked = |browser: &mut Browser| {
        let found = browser.call("Performance.getMetrics", json!({}));
        let metrics = found["metrics"].as_array().expect("metrics");
        let mut sums = metrics.iter().filter(|one| one["name"] == "TaskDuration");
        sums.next().and_then(|one| one["value"].as_f64()).expect("a sum") * 1_000.0
    };
    let before = worked(browser);
    action(browser);
    worked(browser) - before
}

fn click(browser: &mut Browser, selector: &str) {
    let place = browser.evaluate(&format!(
        "(() => {{ const e = document.querySelector('{selector}'); e.scrollIntoView({{block: 'center', behavior: 'instant'}}); \
         const {{x, y, width, height}} = e.getBoundingClientRect(); return [x + width / 2, y + height / 2]; }})()"
    ));
    for kind in ["mousePressed", "mouseReleased"] {
        browser.call(
            "Input.dispatchMouseEvent",
            json!({"type": kind, "x": place[0], "y": place[1], "button": "left", "clickCount": 1}),
        );
    }
}

#[test]
fn lighthouse_gives_a_full_score_on_a_phone() {
    let site = folder_with("paper", false);
    let browser = Browser::start(BASE, files_with("paper", false));
    let talk = folder(&browser, "measure");
    drop(browser);
    let pages = ["", &talk, "archive/", "search/", "about/"];
    let run = Command::new("node")
        .arg(project().join("tests/tools/lighthouse.mjs"))
        .arg(tool("NODE_TOOLS"))
        .arg(site.path())
        .arg("/night/")
        .arg("--speed")
        .args(pages)
        .output()
        .expect("node");
    let stdout = String::from_utf8_lossy(&run.stdout);
    let lines: Vec<Value> =
        stdout.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!(lines.len(), pages.len(), "{}", String::from_utf8_lossy(&run.stderr));
    for line in lines {
        assert_eq!(line["scores"], json!([1, 1, 1, 1]), "{line}");
    }
}

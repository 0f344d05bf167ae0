//! Hostile text in every part of a page, in a real browser: nothing runs, no other host is requested,
//! and the frame of the page is unchanged.

use convo_site::markup::RawHtml;
use convo_site::text::percent_encode;
use serde_json::{Value, json};
use std::collections::BTreeMap;

use crate::browser::Browser;
use crate::support::SiteTest;
use crate::support::html_oracle::{assert_no_markup_escapes, assert_no_text_is_lost, options};
use crate::support::payloads::{all_payloads, hostile_cjson, hostile_convo};

const WATCH: &str = r#"
    window.__ran = [];
    for (const name of ['alert', 'confirm', 'prompt', 'print', 'open'])
        window[name] = (...args) => { window.__ran.push(name + ': ' + args[0]); };
    document.addEventListener('securitypolicyviolation',
        e => window.__ran.push('policy: ' + e.violatedDirective + ' ' + e.blockedURI));
    window.__names = new Set(Object.getOwnPropertyNames(window));
"#;

/// Lists wrong elements of a page, whether it is shown or only parsed.
const ELEMENTS: &str = r#"
    window.__elements = page => {
        const bad = [];
        for (const element of page.querySelectorAll('*'))
            for (const {name} of element.attributes)
                if (name.startsWith('on')) bad.push('attribute ' + name);
        for (const element of page.querySelectorAll('main *')) {
            if (element.hasAttribute('style')) bad.push('attribute style');
            // Links in drawings have no `protocol`.
            const {href, protocol} = element;
            if (element.matches('a[href]') && !['http:', 'https:', 'mailto:']
                .includes(protocol ?? new URL(href.baseVal, location.href).protocol))
                bad.push('link ' + (href.baseVal ?? href));
            if (element.matches('script, style, iframe, object, embed, form:not(main > .home > .home-search[action="/base/search/"], main > .filter:not([action])), base, meta, link, svg:not(main > .home > .strip > .timeline, main > .timeline), textarea, select, template, img:not([src^="/"])'))
                bad.push('element ' + element.localName);
        }
        const scripts = [...page.scripts];
        const ours = scripts.filter(script => script.getAttribute('src')?.startsWith('/base/assets/'));
        const others = scripts.filter(script => !ours.includes(script));
        // Only the three scripts of the page and the structured data.
        if (ours.length > 5 || others.length > 1) bad.push('scripts: ' + scripts.length);
        for (const script of others)
            try { JSON.parse(script.textContent); } catch { bad.push('no JSON'); }
        if (!page.querySelector('body > footer.site')) bad.push('no footer');
        return bad;
    };
    // The elements in the head, and the top-level elements in the body.
    window.__frame = page => [...page.head.children, ...page.body.children].map(element =>
        [element.localName, ...['name', 'property', 'rel', 'http-equiv', 'class']
            .map(name => element.getAttribute(name))].join(' '));
"#;

/// Activates everything on a page, and then lists what is wrong with it.
const CHECK_PAGE: &str = r#"(() => {
    const here = location.href;
    const bad = __elements(document);
    const handlers = ['mouseover', 'focus', 'keydown', 'toggle', 'pointerenter', 'animationend'];
    for (const element of document.querySelectorAll('main *')) {
        for (const kind of handlers) element.dispatchEvent(new Event(kind, {bubbles: true}));
        // Links and the search field of the home page open other pages, as intended.
        if (!element.matches('a[href], summary, main > .home > .home-search *')) element.click?.();
    }
    const footer = document.querySelector('body > footer.site');
    if (footer && footer.getBoundingClientRect().height === 0) bad.push('the footer is not seen');
    for (const name of Object.getOwnPropertyNames(window))
        if (!window.__names.has(name) && name !== '__names') bad.push('global ' + name);
    if (location.href !== here) bad.push('went to ' + location.href);
    const wide = document.documentElement.scrollWidth > innerWidth;
    if (wide) bad.push('wider than the window: ' + document.documentElement.scrollWidth);
    return bad.concat(window.__ran);
})()"#;

/// Parses pages like the browser without running them, and lists what is wrong with each, compared
/// with the frame of a harmless page.
const PARSE: &str = r#"(async (harmless, paths) => {
    const parsed = async path => {
        const text = await (await fetch('/base/' + path)).text();
        return new DOMParser().parseFromString(text, 'text/html');
    };
    const known = new Set();
    for (const path of harmless) for (const part of __frame(await parsed(path))) known.add(part);
    const bad = [];
    for (const path of paths) {
        const page = await parsed(path);
        for (const part of __frame(page)) if (!known.has(part)) bad.push(path + ': ' + part);
        for (const what of __elements(page)) bad.push(path + ': ' + what);
    }
    return bad;
})"#;

/// The number of payloads on a page that is shown.
const TOGETHER: usize = 10;

/// Every payload is tested on a separate page, which is only parsed, for strings that a page has once,
/// and together with others on a page that is shown.
#[test]
fn no_payload_runs_in_any_sink() {
    let payloads = all_payloads(&crate::tools::texts());
    let site = SiteTest::new();
    let add = |name: &str, payloads: &[String]| {
        site.write(&format!("content/{name}.convo"), hostile_convo(payloads));
        site.write(&format!("content/{name}.cjson.json"), hostile_cjson(payloads));
    };
    // An unclosed fence would swallow the turns after it.
    let (fences, others): (Vec<String>, Vec<String>) = payloads
        .iter()
        .cloned()
        .partition(|payload| ["```", "~~~"].iter().any(|fence| payload.contains(fence)));
    let groups: Vec<_> = fences.chunks(1).chain(others.chunks(TOGETHER)).collect();
    for (index, together) in groups.iter().enumerate() {
        add(&format!("together{index}"), together);
    }
    let shown = build(&site);
    assert_eq!(conversations(&shown).len(), 2 * groups.len());
    let mut findings = touch(shown);
    let site = SiteTest::new();
    let add = |name: &str, payload: &str| {
        let payload = [payload.to_owned()];
        site.write(&format!("content/{name}.convo"), hostile_convo(&payload));
        site.write(&format!("content/{name}.cjson.json"), hostile_cjson(&payload));
    };
    for (index, payload) in payloads.iter().enumerate() {
        add(&format!("p{index:04}"), payload);
    }
    add("harmless", "harmless");
    let alone = build(&site);
    assert_eq!(conversations(&alone).len(), 2 * (payloads.len() + 1));
    findings.extend(parse(alone));
    let first = findings[..findings.len().min(20)].join("\n");
    assert!(findings.is_empty(), "{} findings:\n{first}", findings.len());
}

#[test]
fn no_payload_is_lost_or_escapes() {
    for payload in all_payloads(&crate::tools::texts()) {
        assert_no_text_is_lost(&payload);
        assert_no_markup_escapes(&payload, &options(RawHtml::Escape, true));
        assert_no_markup_escapes(&payload, &options(RawHtml::Basic, true));
    }
}

/// Builds a site without findings, and returns its output.
fn build(site: &SiteTest) -> BTreeMap<String, Vec<u8>> {
    let run = site.run(&["build", "--message-format", "json"]);
    assert_ne!(run.code, Some(2), "{}", run.stderr);
    let notes: Vec<Value> = serde_json::from_str(&run.stdout).expect("JSON");
    let errors: Vec<_> = notes.iter().filter(|note| note["severity"] == "error").collect();
    assert!(errors.is_empty(), "{:#?}", &errors[..errors.len().min(5)]);
    site.output()
}

/// The paths of all pages.
fn pages(files: &BTreeMap<String, Vec<u8>>) -> Vec<String> {
    let pages = files.keys().filter(|path| path.ends_with(".html"));
    pages.map(|path| path.trim_end_matches("index.html").to_owned()).collect()
}

/// The first pages of conversations; later parts are in other folders.
fn conversations(files: &BTreeMap<String, Vec<u8>>) -> Vec<String> {
    let is_first = |path: &String| path.starts_with("c/") && path.matches('/').count() == 2;
    pages(files).into_iter().filter(is_first).collect()
}

/// Shows every page and activates everything on it.
fn touch(files: BTreeMap<String, Vec<u8>>) -> Vec<String> {
    let pages = pages(&files);
    let mut browser = Browser::start("https://site.example/base/", files);
    browser.before_each_page(&format!("{ELEMENTS}{WATCH}"));
    browser.appear(360, false);
    let mut findings = Vec::new();
    // Listings of one kind contain the same titles in the same places, so the first ones are enough.
    let mut lists = 0;
    for path in &pages {
        // It contains no text of conversations; its own tests use hostile queries.
        if path == "search/" {
            continue;
        }
        if !path.starts_with("c/") {
            lists += 1;
            if lists > 60 {
                continue;
            }
        }
        browser.open(&percent_encode(path));
        let bad = browser.evaluate(CHECK_PAGE);
        if bad.as_array().is_none_or(|bad| !bad.is_empty()) {
            findings.push(format!("{path}: {bad}"));
        }
    }
    with_complaints(findings, &mut browser)
}

/// Parses every page.
fn parse(files: BTreeMap<String, Vec<u8>>) -> Vec<String> {
    let encoded = |paths: Vec<String>| paths.iter().map(|p| percent_encode(p)).collect::<Vec<_>>();
    let mut harmless = conversations(&files);
    harmless.retain(|path| path.contains("-harmless-"));
    assert_eq!(harmless.len(), 2);
    let (harmless, pages) = (encoded(harmless), encoded(conversations(&files)));
    let mut browser = Browser::start("https://site.example/base/", files);
    browser.before_each_page(&format!("{ELEMENTS}{WATCH}"));
    browser.open("404.html");
    let mut findings = Vec::new();
    for pages in pages.chunks(100) {
        let bad = browser.evaluate(&format!("{PARSE}({}, {})", json!(harmless), json!(pages)));
        let bad = bad.as_array().expect("a list").iter();
        findings.extend(bad.map(ToString::to_string));
    }
    with_complaints(findings, &mut browser)
}

fn with_complaints(mut findings: Vec<String>, browser: &mut Browser) -> Vec<String> {
    findings.extend(browser.leaks.drain(..).map(|url| format!("left the host: {url}")));
    findings.extend(browser.complaints.drain(..).map(|text| format!("said: {text}")));
    findings
}

/// The harness must detect an attack.
#[test]
fn the_harness_detects_attacks() {
    // Without an icon, the browser would request `/favicon.ico` at some time.
    let page = "<!doctype html><html><head><link rel=icon href=data:,></head>\
        <body><main><p onclick='alert(1)'>x</p>\
        <a href='javascript:alert(2)'>y</a><img src='https://attacker.example/x.png'></main>\
        <script>alert(3)</script></body></html>";
    let harmless = "<!doctype html><html><head></head><body></body></html>";
    let files: BTreeMap<String, Vec<u8>> = [("index.html", page), ("harmless.html", harmless)]
        .map(|(path, text)| (path.to_owned(), text.as_bytes().to_vec()))
        .into();
    let mut browser = Browser::start("https://site.example/base/", files);
    browser.before_each_page(&format!("{ELEMENTS}{WATCH}"));
    browser.open("");
    let bad = browser.evaluate(CHECK_PAGE).to_string();
    for sign in ["alert: 1", "alert: 3", "link javascript", "attribute onclick", "no footer"] {
        assert!(bad.contains(sign), "{sign} is not in {bad}");
    }
    assert_eq!(browser.leaks, ["https://attacker.example/x.png"]);
    // Pages that are only parsed are checked as well, including unexpected elements in the frame.
    let bad = browser.evaluate(&format!("{PARSE}(['harmless.html'], ['index.html'])"));
    let bad = bad.to_string();
    for sign in ["attribute onclick", "link javascript", "no JSON", "index.html: main"] {
        assert!(bad.contains(sign), "{sign} is not in {bad}");
    }
}

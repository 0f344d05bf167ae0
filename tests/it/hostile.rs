//! Hostile text in every sink of a page, in a real browser: nothing runs, nothing leaves the
//! host, the frame of the page stays.

use std::fs;

use serde_json::Value;

use crate::browser::Browser;
use crate::support::{SiteTest, hostile_cjson, hostile_convo, project};

/// Every payload with a name.
pub(crate) fn payloads() -> Vec<(String, String)> {
    let folder = project().join("tests/data/hostile");
    let mut payloads = Vec::new();
    for file in ["dompurify.json", "naughty-strings.json", "own.json"] {
        let text = fs::read_to_string(folder.join(file)).expect(file);
        let list: Vec<Value> = serde_json::from_str(&text).expect(file);
        for (index, item) in list.iter().enumerate() {
            let payload =
                item.as_str().or_else(|| item["payload"].as_str()).expect("a payload");
            payloads.push((format!("{file} {index}"), payload.to_owned()));
        }
    }
    assert!(payloads.len() >= 700);
    payloads
}

const WATCH: &str = r#"
    window.__ran = [];
    for (const name of ['alert', 'confirm', 'prompt', 'print', 'open'])
        window[name] = (...args) => { window.__ran.push(name + ': ' + args[0]); };
    document.addEventListener('securitypolicyviolation',
        e => window.__ran.push('policy: ' + e.violatedDirective + ' ' + e.blockedURI));
    window.__names = new Set(Object.getOwnPropertyNames(window));
"#;

/// Touches everything, then says what is wrong with the page.
const JUDGE: &str = r#"(() => {
    const here = location.href;
    const bad = [];
    const handlers = ['mouseover', 'focus', 'keydown', 'toggle', 'pointerenter', 'animationend'];
    for (const element of document.querySelectorAll('main *')) {
        for (const kind of handlers) element.dispatchEvent(new Event(kind, {bubbles: true}));
        if (element.matches('a[href]')) {
            if (!['http:', 'https:', 'mailto:'].includes(element.protocol))
                bad.push('link ' + element.href);
        } else if (!element.matches('summary')) {
            element.click?.();
        }
        for (const {name} of element.attributes)
            if (name.startsWith('on') || name === 'style') bad.push('attribute ' + name);
        if (element.matches('script, style, iframe, object, embed, form, base, meta, link, svg, textarea, select, template, img:not([src^="/"])'))
            bad.push('element ' + element.localName);
    }
    const footer = document.querySelector('body > footer.site');
    if (!footer || footer.getBoundingClientRect().height === 0) bad.push('no footer');
    const scripts = [...document.scripts];
    const ours = scripts.filter(script => script.getAttribute('src')?.startsWith('/base/assets/'));
    const others = scripts.filter(script => !ours.includes(script));
    // The page's own two, the structured data, and nothing else.
    if (ours.length > 2 || others.length > 1) bad.push('scripts: ' + scripts.length);
    for (const script of others)
        try { JSON.parse(script.textContent); } catch { bad.push('no JSON'); }
    for (const name of Object.getOwnPropertyNames(window))
        if (!window.__names.has(name) && name !== '__names') bad.push('global ' + name);
    if (location.href !== here) bad.push('went to ' + location.href);
    const wide = document.documentElement.scrollWidth > innerWidth;
    if (wide) bad.push('wider than the window: ' + document.documentElement.scrollWidth);
    return bad.concat(window.__ran);
})()"#;

#[test]
fn no_payload_runs_in_any_sink() {
    let site = SiteTest::new();
    let payloads = payloads();
    for (index, (_, payload)) in payloads.iter().enumerate() {
        // The path tells which payload a page holds; the day makes titles' slugs distinct.
        let text = hostile_convo(payload);
        site.write(&format!("content/p{index:04}.convo"), text);
        let text = hostile_cjson(payload);
        site.write(&format!("content/j{index:04}.cjson.json"), text);
    }
    let ran = site.run(&["build", "--message-format", "json"]);
    assert_ne!(ran.code, Some(2), "{}", ran.stderr);
    let notes: Vec<Value> = serde_json::from_str(&ran.stdout).expect("JSON");
    let errors: Vec<_> =
        notes.iter().filter(|note| note["severity"] == "error").collect();
    assert!(errors.is_empty(), "{:#?}", &errors[..errors.len().min(5)]);
    let files = site.output();
    let pages: Vec<String> = files
        .keys()
        .filter(|path| path.ends_with(".html"))
        .map(|path| path.trim_end_matches("index.html").to_owned())
        .collect();
    // The parts of a long one stand in folders of its own.
    let is_first =
        |path: &&String| path.starts_with("c/") && path.matches('/').count() == 2;
    let conversations = pages.iter().filter(is_first).count();
    assert_eq!(conversations, 2 * payloads.len(), "every payload has its pages");
    let mut browser = Browser::start("https://site.example/base/", files);
    browser.before_each_page(WATCH);
    browser.appear(360, false);
    let mut findings = Vec::new();
    // Lists of terms hold the same titles in the same sinks; the first of each kind do.
    let mut lists = 0;
    for path in &pages {
        // It holds no text of anybody's; its own tests ask it for hostile things.
        if path == "search/" {
            continue;
        }
        if !path.starts_with("c/") {
            lists += 1;
            if lists > 120 {
                continue;
            }
        }
        browser.open(&convo_site::text::percent_encode(path));
        let bad = browser.evaluate(JUDGE);
        if bad.as_array().is_none_or(|bad| !bad.is_empty()) {
            findings.push(format!("{path}: {bad}"));
        }
    }
    findings.extend(browser.leaks.drain(..).map(|url| format!("left the host: {url}")));
    findings.extend(browser.complaints.drain(..).map(|text| format!("said: {text}")));
    let shown = findings.len().min(20);
    assert!(
        findings.is_empty(),
        "{} findings:\n{}",
        findings.len(),
        findings[..shown].join("\n")
    );
}

/// The harness must see an attack when there is one.
#[test]
fn the_harness_sees_attacks() {
    // Without an icon of its own the page would make the browser ask for `/favicon.ico`, at a
    // moment of its choice.
    let page = "<!doctype html><html><head><link rel=icon href=data:,></head>\
        <body><main><p onclick='alert(1)'>x</p>\
        <a href='javascript:alert(2)'>y</a><img src='https://attacker.example/x.png'></main>\
        <script>alert(3)</script></body></html>";
    let files = [("index.html".to_owned(), page.as_bytes().to_vec())].into();
    let mut browser = Browser::start("https://site.example/base/", files);
    browser.before_each_page(WATCH);
    browser.open("");
    let bad = browser.evaluate(JUDGE).to_string();
    for sign in
        ["alert: 1", "alert: 3", "link javascript", "attribute onclick", "no footer"]
    {
        assert!(bad.contains(sign), "{sign} is not in {bad}");
    }
    assert_eq!(browser.leaks, ["https://attacker.example/x.png"]);
}

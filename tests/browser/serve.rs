//! An open page of the live preview: it follows changes, and other sites cannot read it.

use std::fs;
use std::io::{Read, Write};
use std::net::TcpListener;
use std::time::Duration;

use serde_json::Value;

use crate::browser::Browser;
use crate::support::preview::Preview;
use crate::support::talks::{edit, page_of_a, two_conversations};
use crate::support::{BASE, files_below};

#[test]
fn an_open_page_follows_the_files() {
    let site = two_conversations();
    let theme = crate::support::project().join("themes/paper/assets");
    for (name, bytes) in files_below(&theme) {
        site.write(&format!("themes/paper/assets/{name}"), bytes);
    }
    let long = "Line after line.\n\n".repeat(200);
    edit(&site, "Yes.", &format!("Yes.\n\n{long}"));
    let preview = Preview::start(&site, &["--port", "0"]);
    let path = page_of_a(&preview);
    let mut browser = Browser::start_live(&format!("http://localhost:{}", preview.port));
    browser.appear(1280, false);
    browser.open(&path);
    // A page that was loaded before the second scan after the start may be reloaded once; wait until
    // that is over and the page listens, which it shows by requesting itself.
    let listens = "performance.getEntriesByName(location.href, 'resource').length > 0";
    std::thread::sleep(Duration::from_millis(1500));
    browser.wait_for(listens);
    // An edit of another file does not change the page.
    browser.evaluate("window.__mark = 1; window.scrollTo(0, 1500)");
    browser.wait_for("window.scrollY === 1500");
    let text = fs::read_to_string(site.path("content/b.convo")).expect("text");
    browser.evaluate(
        "void (window.__told = new Promise(done => document.addEventListener('convo-site-build', \
         () => setTimeout(() => done(true), 400), {once: true})))",
    );
    site.write("content/b.convo", text.replace("Yes.", "Elsewhere."));
    assert_eq!(browser.evaluate("window.__told"), Value::Bool(true));
    assert_eq!(browser.evaluate("window.__mark"), 1);
    // An edit of its file reloads it, and keeps the scroll position.
    edit(&site, "Yes.", "Edited.");
    browser.wait_for("document.body.innerText.includes('Edited.')");
    assert_eq!(browser.evaluate("window.__mark === undefined"), true);
    browser.wait_for("Math.abs(window.scrollY - 1500) < 200");
    // A page that missed a change while it was loading is reloaded once, too.
    browser.wait_for(listens);
    // A style sheet is replaced without a reload.
    browser.evaluate("window.__mark = 2");
    let style = include_str!("../../themes/paper/assets/style.css");
    site.write(
        "themes/paper/assets/style.css",
        format!("{style}\nbody {{ outline: 7px solid red }}"),
    );
    browser.wait_for("getComputedStyle(document.body).outlineWidth === '7px'");
    assert_eq!(browser.evaluate("window.__mark"), 2);
    assert_eq!(browser.evaluate("Math.abs(window.scrollY - 1500) < 200"), true);
    assert_eq!(browser.complaints, Vec::<String>::new());
    assert_eq!(browser.leaks, Vec::<String>::new());
}

#[test]
fn errors_are_shown_over_the_page_until_they_are_fixed() {
    let site = two_conversations();
    let preview = Preview::start(&site, &["--port", "0"]);
    let mut browser = Browser::start_live(&format!("http://localhost:{}", preview.port));
    browser.open("/base/");
    let overlay = "document.querySelector('convo-site-problems')?.shadowRoot?.textContent ?? ''";
    assert_eq!(browser.evaluate(overlay), "");
    let text = fs::read_to_string(site.path("content/a.convo")).expect("text");
    site.write("content/a.convo", text.replace("\"type\"", "\"type<img src=x onerror=alert(1)>"));
    browser.wait_for(&format!("({overlay}).includes('content/a.convo:12:')"));
    // The page is reloaded, as the conversation was removed from it.
    browser.wait_for(
        "document.querySelector('convo-site-problems')?.shadowRoot.querySelectorAll('img').length === 0",
    );
    preview.wait_for("error[");
    // A page that is opened later shows it too, in another window, as this page may still reload.
    let mut browser = Browser::start_live(&format!("http://localhost:{}", preview.port));
    browser.open("/base/archive/");
    browser.wait_for(&format!("({overlay}).includes('content/a.convo:12:')"));
    site.write("content/a.convo", &text);
    browser.wait_for("document.querySelector('convo-site-problems') === null");
    // A broken template, and an invalid configuration.
    site.write("templates/listing.html", "{% if %}");
    browser.wait_for(&format!("({overlay}).includes('bad-template')"));
    fs::remove_file(site.path("templates/listing.html")).expect("removed");
    browser.wait_for("document.querySelector('convo-site-problems') === null");
    site.write("site.toml", "base_url = \n");
    browser.wait_for(&format!("({overlay}).includes('site.toml:1:')"));
    site.write("site.toml", BASE);
    browser.wait_for("document.querySelector('convo-site-problems') === null");
    // A template that fails while a page is rendered.
    site.write("templates/listing.html", "{{ nothing.there }}");
    browser.wait_for("document.body.innerText.includes('bad-template')");
    fs::remove_file(site.path("templates/listing.html")).expect("removed");
    browser.wait_for("document.querySelector('h1')?.innerText === 'Archive'");
}

#[test]
fn a_change_during_the_first_request_is_detected() {
    let site = two_conversations();
    let preview = Preview::start(&site, &["--port", "0"]);
    let address = page_of_a(&preview);
    let mut browser = Browser::start_live(&format!("http://localhost:{}", preview.port));
    // Requests of the page wait until the test releases them.
    browser.before_each_page(
        "const ask = window.fetch; window.asked = [];
         window.fetch = async (...what) => {
             await new Promise(go => window.asked.push(go));
             return ask(...what);
         };",
    );
    browser.open(&address);
    // The second scan after the start may cause another request at any time.
    browser.wait_for("window.asked.length >= 1");
    edit(&site, "Yes.", "Certainly.");
    browser.wait_for("window.asked.length >= 2");
    browser.evaluate("window.asked[0]()");
    std::thread::sleep(Duration::from_millis(300));
    browser.wait_for(
        "window.asked.forEach(go => go()), document.body.innerText.includes('Certainly.')",
    );
}

#[test]
fn the_author_changes_the_open_page() {
    let site = two_conversations();
    let preview = Preview::start(&site, &["--port", "0"]);
    let mut browser = open_page_of_a(&preview);
    let bar = "document.querySelector('convo-site-author').shadowRoot";
    let press = |name: &str| {
        format!(
            "[...{bar}.querySelectorAll('button')].find(one => one.textContent === '{name}' && !one.disabled).click()"
        )
    };
    browser.wait_for(&format!("{bar}.host.offsetHeight > 30"));
    browser.evaluate(&press("Title"));
    browser.evaluate(&format!("{bar}.querySelector('input').value = 'The <i>other</i> one'"));
    browser.evaluate(&press("Save"));
    browser.wait_for("document.querySelector('h1').innerText === 'The <i>other</i> one'");
    browser.wait_for(&format!("{bar}.host.offsetHeight > 30"));
    browser.evaluate(
        "getSelection().selectAllChildren([...document.querySelectorAll('article[id] p')].find(one => one.innerText === 'Hello.'))",
    );
    browser.evaluate(&press("Redact selection"));
    browser.wait_for("document.querySelector('article[id]').innerText.includes('[redacted]')");
    browser.wait_for(&format!("{bar}.host.offsetHeight > 30"));
    let turns = browser.evaluate("document.querySelectorAll('article[id]').length").as_u64();
    browser.evaluate(&press("Hide turns"));
    browser.evaluate("document.querySelectorAll('[data-convo-site-hide]')[1].click()");
    let turns = turns.expect("a number");
    browser.wait_for(&format!("document.querySelectorAll('article[id]').length === {}", turns - 1));
    for _ in 0..3 {
        browser.wait_for(&format!(
            "[...{bar}.querySelectorAll('button')].some(one => one.textContent === 'Undo' && !one.disabled)"
        ));
        browser.evaluate(&press("Undo"));
        std::thread::sleep(Duration::from_millis(800));
    }
    browser.wait_for("!document.body.innerText.includes('[redacted]')");
    browser.wait_for(&format!("document.querySelectorAll('article[id]').length === {turns}"));
    assert_eq!(fs::read_to_string(site.path("edits.toml")).unwrap_or_default(), "");
    assert_eq!(browser.complaints, Vec::<String>::new());
    assert_eq!(browser.leaks, Vec::<String>::new());
}

#[test]
fn the_author_decides_about_several_conversations_in_the_table() {
    let site = two_conversations();
    let preview = Preview::start(&site, &["--port", "0"]);
    let mut browser = Browser::start_live(&format!("http://localhost:{}", preview.port));
    browser.appear(1280, false);
    browser.open("/.convo-site/conversations");
    let rows = |count: usize| format!("document.querySelectorAll('tbody tr').length === {count}");
    let press = |name: &str| {
        format!(
            "[...document.querySelectorAll('button')].find(one => one.textContent === '{name}' && !one.disabled).click()"
        )
    };
    let filter = |words: &str| {
        format!(
            "document.querySelector('[type=search]').value = '{words}';
             document.querySelector('[type=search]').dispatchEvent(new Event('input'))"
        )
    };
    browser.wait_for(&rows(2));
    browser.evaluate(&filter("ada two"));
    browser.wait_for(&rows(1));
    browser.evaluate("document.querySelector('thead input').click()");
    browser.evaluate(&press("Add tags…"));
    browser.evaluate("document.querySelector('[type=text]').value = 'mills, tides'");
    browser.evaluate(&press("Save"));
    browser.wait_for("document.querySelector('tbody').innerText.includes('mills, tides')");
    browser.evaluate(&press("Withhold"));
    browser.evaluate(&filter(""));
    browser.wait_for(&rows(1));
    browser
        .wait_for("document.querySelector('output').textContent.includes('2 more are withheld')");
    browser.evaluate(&press("Undo"));
    browser.wait_for(&rows(2));
    assert!(fs::read_to_string(site.path("edits.toml")).is_ok_and(|text| text.contains("mills")));
    // Titles are text.
    edit(&site, "\"One\"", "\"<img src=x onerror=alert(1)>\"");
    browser.wait_for("document.body.innerText.includes('<img src=x')");
    assert_eq!(browser.evaluate("document.querySelectorAll('img').length"), 0);
    assert_eq!(browser.complaints, Vec::<String>::new());
}

#[test]
fn more_conversations_than_fit_into_a_request_are_one_change() {
    let mut site = two_conversations();
    let long = "very-".repeat(12);
    for number in 0..900 {
        let title = format!("{long}long {number}");
        site = site.file(
            &format!("content/many/{number}.md"),
            format!("---\ntitle: {title}\n---\n**Ada:** Hello.\n\n**Bea:** {number}.\n"),
        );
    }
    let preview = Preview::start(&site, &["--port", "0"]);
    let mut browser = Browser::start_live(&format!("http://localhost:{}", preview.port));
    browser.appear(1280, false);
    browser.open("/.convo-site/conversations");
    browser.wait_for("document.querySelector('output').textContent.includes('902 of 902')");
    let is_long = "fetch('/.convo-site/rows').then(rows => rows.json()).then(({ rows }) => rows.map(row => row.page).join('').length > 65536)";
    assert_eq!(browser.evaluate(is_long), true);
    let press = |name: &str| {
        format!(
            "[...document.querySelectorAll('button')].find(one => one.textContent === '{name}' && !one.disabled).click()"
        )
    };
    browser.evaluate("document.querySelector('thead input').click()");
    browser.evaluate(&press("Withhold"));
    browser.wait_for("document.querySelector('output').textContent.includes('0 of 0')");
    browser.wait_for("document.body.innerText.includes('902 conversations withheld.')");
    browser.evaluate(&press("Undo"));
    browser.wait_for("document.querySelector('output').textContent.includes('902 of 902')");
    assert_eq!(fs::read_to_string(site.path("edits.toml")).unwrap_or_default(), "");
    assert_eq!(browser.complaints, Vec::<String>::new());
    // The preview has ended.
    drop(preview);
    browser.evaluate("document.querySelector('thead input').click()");
    browser.evaluate(&press("Withhold"));
    browser.wait_for("document.body.innerText.includes('the preview does not answer')");
}

/// Opens the page of `a.convo`, and waits until it listens for changes.
fn open_page_of_a(preview: &Preview) -> Browser {
    let mut browser = Browser::start_live(&format!("http://localhost:{}", preview.port));
    browser.appear(1280, false);
    browser.open(&page_of_a(preview));
    // See `an_open_page_follows_the_files`.
    std::thread::sleep(Duration::from_millis(1500));
    browser.wait_for("performance.getEntriesByName(location.href, 'resource').length > 0");
    browser
}

const OVERLAY: &str =
    "document.querySelector('convo-site-problems')?.shadowRoot?.textContent ?? ''";

#[test]
fn the_last_good_page_stays_under_the_errors() {
    let site = two_conversations();
    let preview = Preview::start(&site, &["--port", "0"]);
    let mut browser = open_page_of_a(&preview);
    browser.evaluate("window.__mark = 1");
    let good = fs::read_to_string(site.path("content/a.convo")).expect("text");
    site.write("content/a.convo", "### @Ada\nNo metadata");
    browser.wait_for(&format!("({OVERLAY}).includes('content/a.convo')"));
    // More errors meanwhile.
    site.write("content/a.convo", "### @Ada\nNo metadata\n\n----\n{");
    preview.wait_for("bad-json");
    std::thread::sleep(Duration::from_millis(500));
    let text = "document.body.innerText.includes('Hello.')";
    assert_eq!(browser.evaluate(text), true);
    assert_eq!(browser.evaluate("window.__mark"), 1);
    site.write("content/a.convo", good.replace("Hello.", "Mended."));
    browser.wait_for("document.body.innerText.includes('Mended.')");
    browser.wait_for(&format!("({OVERLAY}) === ''"));
    // A page that was removed without an error is not shown any more.
    fs::remove_file(site.path("content/a.convo")).expect("removed");
    browser.wait_for("document.body.innerText.includes('Page not found')");
}

#[test]
fn an_open_page_follows_its_title() {
    let site = two_conversations();
    let preview = Preview::start(&site, &["--port", "0"]);
    let old = page_of_a(&preview);
    let mut browser = open_page_of_a(&preview);
    browser.evaluate("location.hash = '#here'");
    edit(&site, "\"One\"", "\"First\"");
    browser.wait_for("location.pathname.includes('-first-')");
    browser.wait_for("document.querySelector('h1')?.innerText === 'First'");
    assert_eq!(browser.evaluate("location.hash"), "#here");
    // During an error, and twice.
    let good = fs::read_to_string(site.path("content/a.convo")).expect("text");
    site.write("content/a.convo", "### @Ada\nNo metadata");
    browser.wait_for(&format!("({OVERLAY}).includes('content/a.convo')"));
    site.write("content/a.convo", good.replace("\"First\"", "\"Second\""));
    browser.wait_for("document.querySelector('h1')?.innerText === 'Second'");
    let (status, _) = preview.get(&old);
    assert_eq!(status, 302);
    assert_eq!(preview.get("/base/c/nowhere/").0, 404);
    // Back to the first state.
    site.write("content/a.convo", good.replace("\"First\"", "\"One\""));
    browser.wait_for("document.querySelector('h1')?.innerText === 'One'");
    assert_eq!(browser.evaluate("location.pathname"), old);
    assert_eq!(preview.get(&old).0, 200);
}

/// A page of another site, and one whose host name was rebound to this machine.
#[test]
fn other_sites_cannot_read_the_preview() {
    let site = two_conversations();
    let preview = Preview::start(&site, &["--port", "0"]);
    let port = preview.port;
    let stranger = TcpListener::bind(("127.0.0.1", 0)).expect("a port");
    let address = stranger.local_addr().expect("an address");
    std::thread::spawn(move || {
        for mut stream in stranger.incoming().flatten() {
            // Browsers open connections that they do not use.
            let _ = stream.set_read_timeout(Some(Duration::from_millis(200)));
            let _ = stream.read(&mut [0; 4096]);
            let body = "<!doctype html><title>Evil</title>";
            let _ = write!(
                stream,
                "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\
                Content-Length: {}\r\nConnection: close\r\n\r\n{body}",
                body.len()
            );
        }
    });
    let mut browser = Browser::start_live(&format!("http://evil.example:{}", address.port()));
    for origin in ["evil.example", "localhost", "127.0.0.1"] {
        browser.open_address(&format!("http://{origin}:{}/", address.port()));
        for host in ["localhost", "127.0.0.1", "evil.example"] {
            let url = format!("http://{host}:{port}/base/");
            let read = browser.evaluate(&format!(
                "fetch('{url}').then(r => r.text()).then(t => 'read ' + t.length, () => 'refused')"
            ));
            assert_eq!(read, "refused", "{origin} reads {host}");
            let script = browser.evaluate(&format!(
                "new Promise(done => {{ const s = document.createElement('script'); \
                 s.src = 'http://{host}:{port}/.convo-site/live.js'; \
                 s.onload = () => done('ran'); s.onerror = () => done('refused'); document.head.append(s) }})"
            ));
            assert_eq!(script, "refused", "{origin} runs {host}");
            let events = browser.evaluate(&format!(
                "new Promise(done => {{ const e = new EventSource('http://{host}:{port}/.convo-site/events'); \
                 e.onmessage = () => done('heard'); e.onerror = () => {{ e.close(); done('refused') }} }})"
            ));
            assert_eq!(events, "refused", "{origin} hears {host}");
        }
    }
    // The host name that now resolves to this machine.
    browser.open_address(&format!("http://evil.example:{port}/base/"));
    assert_eq!(browser.evaluate("document.body.innerText.includes('Servus')"), false);
}

//! Services of others in a browser: what a page asks other hosts for, what its policy refuses, and a
//! player that is there when a reader asks for it.

use serde_json::{Value, json};

use crate::browser::{BASE, Browser};
use crate::support::SiteTest;

/// Keeps what policies refuse.
const WATCH: &str = "window.__refused = []; document.addEventListener('securitypolicyviolation', \
    e => window.__refused.push(e.violatedDirective + ' ' + e.blockedURI));";

fn open(services: &str, template: &str) -> (Browser, String) {
    let site = SiteTest::new()
        .file("site.toml", format!("base_url = '{BASE}'\n{services}"))
        .file("style.css", "h1 { outline: 3px solid rgb(1, 2, 3); }\n")
        .file("script.js", "document.documentElement.dataset.own = 'here';\n")
        .file("templates/base.html", template)
        .file(
            "content/a.convo",
            "### @Ada\n[The gate](https://youtu.be/dQw4w9WgXcQ)\n\n----\n{\"type\": \"dialog\", \"time\": \"2026-01-02\", \"participants\": [\"Ada\"]}\n",
        );
    site.build(0);
    let (mut browser, page) = Browser::of(site.output());
    browser.before_each_page(WATCH);
    browser.open(&page);
    (browser, page)
}

const PLAIN: &str = "{% extends \"built-in/base.html\" %}";
const WIDGET: &str = "{% extends \"built-in/base.html\" %}{% block after_content %}\
    <script src=\"https://widgets.example.org/w.js\"></script>{% endblock %}";

#[test]
fn custom_styles_and_scripts_run() {
    let (mut browser, _) = open("", PLAIN);
    let outline = "getComputedStyle(document.querySelector('h1')).outlineColor";
    assert_eq!(browser.evaluate(outline), json!("rgb(1, 2, 3)"));
    assert_eq!(browser.evaluate("document.documentElement.dataset.own"), json!("here"));
    assert_eq!(browser.evaluate("window.__refused"), json!([]));
    assert!(browser.leaks.is_empty() && browser.complaints.is_empty());
}

#[test]
fn only_configured_hosts_are_requested() {
    let (mut browser, _) = open("", WIDGET);
    assert_eq!(
        browser.evaluate("window.__refused"),
        json!(["script-src-elem https://widgets.example.org/w.js"])
    );
    assert!(browser.leaks.is_empty(), "{:?}", browser.leaks);
    let (mut browser, _) = open("[services]\nallow = ['widgets.example.org']\n", WIDGET);
    assert_eq!(browser.evaluate("window.__refused"), json!([]));
    assert_eq!(browser.leaks, ["https://widgets.example.org/w.js"]);
}

#[test]
fn services_may_request_their_own_hosts() {
    let (mut browser, _) = open(
        "[services]\nplausible = 'pa-abc'\nmatomo = { host = 'stats.example.org', site = '1' }\nutterances = 'ada/talks'\n",
        PLAIN,
    );
    assert_eq!(browser.evaluate("window.__refused"), json!([]));
    browser.leaks.sort();
    assert_eq!(
        browser.leaks,
        [
            "https://plausible.io/js/pa-abc.js",
            "https://stats.example.org/matomo.js",
            "https://utteranc.es/client.js"
        ]
    );
    // What the scripts of the services find when they come.
    assert_eq!(
        browser.evaluate("window._paq"),
        json!([
            ["setTrackerUrl", "https://stats.example.org/matomo.php"],
            ["setSiteId", "1"],
            ["trackPageView"],
            ["enableLinkTracking"]
        ])
    );
    assert_eq!(
        browser.evaluate("plausible('a', 1), [plausible.q, plausible.o]"),
        json!([[["a", 1]], {}])
    );
}

#[test]
fn a_player_is_loaded_on_request() {
    let (mut browser, _) = open("[services]\nyoutube = true\n", PLAIN);
    assert!(browser.leaks.is_empty(), "{:?}", browser.leaks);
    assert_eq!(browser.evaluate("document.querySelectorAll('iframe').length"), json!(0));
    let button = browser.evaluate("document.querySelector('.video button').textContent");
    assert_eq!(button, json!("Play from youtu.be"));
    browser.evaluate("document.querySelector('.video button').click()");
    let frame = "(() => { const { src, title } = document.querySelector('.video iframe'); return [src, title]; })()";
    assert_eq!(
        browser.evaluate(frame),
        json!(["https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ?autoplay=1", "The gate"])
    );
    let link = browser.evaluate("document.querySelector('.video a').href");
    assert_eq!(link, Value::from("https://youtu.be/dQw4w9WgXcQ"));
    browser.wait_for("window.__refused.length === 0");
    let asked = |browser: &Browser| {
        browser.leaks.iter().any(|url| url.starts_with("https://www.youtube-nocookie.com/"))
    };
    for _ in 0..50 {
        browser.evaluate("new Promise(done => setTimeout(done, 20))");
        if asked(&browser) {
            return;
        }
    }
    panic!("nothing was asked for: {:?}", browser.leaks);
}

/// A page with comments, and what is told to a frame of theirs that stands where theirs would.
const FRAME: &str = "(() => { window.told = []; const frame = document.createElement('iframe'); \
    document.querySelector('.comments').append(frame); \
    frame.contentWindow.postMessage = (message, origin) => window.told.push([message, origin]); })()";

#[test]
fn comments_use_the_chosen_colours() {
    let giscus = "giscus = { repo = 'a/b', repo_id = 'R_kgDOGjYtbQ', category = 'c', category_id = 'DIC_kwDOGjYtbc4CA' }";
    for (service, host, name) in [
        (giscus, "https://giscus.app", ""),
        ("utterances = 'a/b'", "https://utteranc.es", "github-"),
    ] {
        let (mut browser, page) = open(&format!("[services]\n{service}\n"), PLAIN);
        browser.appear(1280, false);
        browser.evaluate("localStorage.setItem('convo-site:scheme', 'dark')");
        browser.open(&page);
        let theme = "document.querySelector('.comments script').dataset.theme";
        assert_eq!(browser.evaluate(theme), format!("{name}dark"), "{service}");
        browser.evaluate(FRAME);
        let say = format!(
            "window.dispatchEvent(new MessageEvent('message', {{ origin: '{host}', data: {{}} }}))"
        );
        let told = |theme: &str| match name {
            "" => json!([{"giscus": {"setConfig": {"theme": theme}}}, host]),
            _ => json!([{"type": "set-theme", "theme": format!("{name}{theme}")}, host]),
        };
        browser.evaluate(&say);
        assert_eq!(browser.evaluate("window.told.at(-1)"), told("dark"));
        // The button goes from dark to that of the system, which is light, and on to light.
        browser.evaluate("document.querySelector('button.scheme').click()");
        browser.wait_for("window.told.length === 2");
        assert_eq!(browser.evaluate("window.told.at(-1)"), told("light"));
        // What another host says is not heard.
        browser.evaluate(&say.replace(host, "https://evil.example.org"));
        assert_eq!(browser.evaluate("window.told.length"), 2);
    }
}

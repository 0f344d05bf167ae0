//! Third-party services in a browser: requests to other hosts, content that the policy blocks, and
//! players that are loaded on request.

use serde_json::{Value, json};

use crate::browser::{BASE, Browser};
use crate::support::SiteTest;

/// Records policy violations.
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
    // The elements that the scripts of the services need.
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

/// Adds a frame in place of the one of the comment service, and records the messages to it.
const FRAME: &str = "(() => { window.received = []; const frame = document.createElement('iframe'); \
    document.querySelector('.comments').append(frame); \
    frame.contentWindow.postMessage = (message, origin) => window.received.push([message, origin]); })()";

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
        let message = |theme: &str| match name {
            "" => json!([{"giscus": {"setConfig": {"theme": theme}}}, host]),
            _ => json!([{"type": "set-theme", "theme": format!("{name}{theme}")}, host]),
        };
        browser.evaluate(&say);
        assert_eq!(browser.evaluate("window.received.at(-1)"), message("dark"));
        // The button changes from dark to the system colours, which are light, and then to light.
        browser.evaluate("document.querySelector('button.scheme').click()");
        browser.wait_for("window.received.length === 2");
        assert_eq!(browser.evaluate("window.received.at(-1)"), message("light"));
        // Messages of other hosts are ignored.
        browser.evaluate(&say.replace(host, "https://evil.example.org"));
        assert_eq!(browser.evaluate("window.received.length"), 2);
    }
}

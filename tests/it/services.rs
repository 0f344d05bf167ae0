//! Third-party services: what pages load from them, and the content security policy of each page.

use crate::support::{BASE, SiteTest, convo};

const VIDEO: &str = "https://youtu.be/dQw4w9WgXcQ?t=1m5s";

/// A site with these services, a conversation, and one with videos.
fn site(services: &str) -> SiteTest {
    let text = format!(
        "{VIDEO}\n\n[A dam](https://vimeo.com/76979871/abc123)\n\nSee {VIDEO} as well.\n\n\
         [No video](https://www.youtube.com/feed/library)\n"
    );
    SiteTest::new()
        .file("site.toml", format!("{BASE}{services}"))
        .file("content/plain.convo", convo("Good."))
        .file(
            "content/videos.convo",
            format!("### @Bea\n{text}\n\n----\n{{\"type\": \"dialog\", \"time\": \"2026-01-03\", \"title\": \"Videos\", \"participants\": [\"Bea\"]}}\n"),
        )
}

/// The policy of a page, as a browser parses it.
fn policy(html: &str) -> String {
    let (_, rest) = html.split_once("Security-Policy\" content=\"").expect("a policy");
    rest.split('"').next().expect("an end").replace("&#39;", "'")
}

fn sources(policy: &str, directive: &str) -> Vec<String> {
    let mut parts = policy.split("; ").map(|part| part.split(' '));
    let found = parts.find_map(|mut words| (words.next()? == directive).then_some(words));
    found.map(|words| words.map(str::to_owned).collect()).unwrap_or_default()
}

const PLAIN: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; \
    media-src 'self'; font-src 'self'; connect-src 'self'; manifest-src 'self'; base-uri 'none'; \
    form-action 'self'";

const PAGES: [(&str, &str); 4] = [
    ("index.html", ""),
    ("404.html", ""),
    ("c/2026-01-02-", "index.html"),
    ("c/2026-01-03-videos-", "index.html"),
];

#[test]
fn only_configured_services_are_loaded() {
    let site = site("");
    site.build(0);
    for (start, end) in PAGES {
        let html = site.page(start, end);
        assert_eq!(policy(&html), PLAIN, "{start}");
        let scripts = html.split("<script src=\"").skip(1);
        assert!(scripts.clone().count() > 0);
        assert!(scripts.into_iter().all(|rest| rest.starts_with("/base/assets/")), "{start}");
        assert!(!html.contains("data-player") && !html.contains("comments"), "{start}");
    }
    let headers = site.page("_headers", "");
    assert!(!headers.contains("Content-Security-Policy"), "{headers}");
    assert!(
        !site
            .output()
            .keys()
            .any(|path| path.starts_with("assets/services.") && path.ends_with(".js"))
    );
}

#[test]
fn visits_are_counted_by_the_configured_service() {
    for (services, script, hosts) in [
        (
            "plausible = 'talks.example.org'",
            "<script src=\"https://plausible.io/js/script.js\" defer data-domain=\"talks.example.org\"></script>",
            [&["https://plausible.io"][..], &["https://plausible.io"], &[]],
        ),
        (
            "plausible = { site = 'talks.example.org', host = 'stats.example.org/p' }",
            "<script src=\"https://stats.example.org/p/js/script.js\" defer data-domain=\"talks.example.org\">",
            [&["https://stats.example.org"], &["https://stats.example.org"], &[]],
        ),
        (
            "plausible = 'pa-aBc_d'",
            "<script src=\"https://plausible.io/js/pa-aBc_d.js\" defer></script>",
            [&["https://plausible.io"], &["https://plausible.io"], &[]],
        ),
        (
            "goatcounter = 'mycode'",
            "<script src=\"https://gc.zgo.at/count.js\" async data-goatcounter=\"https://mycode.goatcounter.com/count\">",
            [
                &["https://gc.zgo.at"],
                &["https://mycode.goatcounter.com"],
                &["https://mycode.goatcounter.com"],
            ],
        ),
        (
            "goatcounter = { host = 'stats.example.org' }",
            "<script src=\"https://stats.example.org/count.js\" async data-goatcounter=\"https://stats.example.org/count\">",
            [
                &["https://stats.example.org"],
                &["https://stats.example.org"],
                &["https://stats.example.org"],
            ],
        ),
        (
            "matomo = { host = 'example.org/matomo', site = '3' }",
            "<script src=\"https://example.org/matomo/matomo.js\" defer></script>",
            [&["https://example.org"], &["https://example.org"], &["https://example.org"]],
        ),
        (
            "umami = '4fb7fa4c-5b46-438d-94b3-3a8fb9bc2e8b'",
            "<script src=\"https://cloud.umami.is/script.js\" defer data-website-id=\"4fb7fa4c-5b46-438d-94b3-3a8fb9bc2e8b\" data-domains=\"site.example\">",
            [
                &["https://cloud.umami.is"],
                &[
                    "https://cloud.umami.is",
                    "https://gateway.umami.is",
                    "https://api-gateway.umami.dev",
                ],
                &[],
            ],
        ),
        (
            "cloudflare = '0123456789abcdef0123456789abcdef'",
            "<script src=\"https://static.cloudflareinsights.com/beacon.min.js\" defer data-cf-beacon=\"{&quot;token&quot;: &quot;0123456789abcdef0123456789abcdef&quot;}\">",
            [&["https://static.cloudflareinsights.com"], &["https://cloudflareinsights.com"], &[]],
        ),
    ] {
        let site = site(&format!("[services]\n{services}\n"));
        let run = site.build(0);
        assert!(run.stderr.contains("no warnings"), "{services}: {}", run.stderr);
        for (start, end) in PAGES {
            let html = site.page(start, end);
            assert!(html.contains(script), "{services} {start}: {html}");
            let policy = policy(&html);
            for (directive, expected) in
                ["script-src", "connect-src", "img-src"].into_iter().zip(hosts)
            {
                let found = sources(&policy, directive);
                assert_eq!(found[0], "'self'");
                assert_eq!(found[1..], *expected, "{services} {start} {directive}");
            }
            assert!(!policy.contains("unsafe") && !policy.contains("frame-src"), "{policy}");
        }
        let run = site.run(&["check"]);
        assert!(!run.stderr.contains("blocked"), "{services}: {}", run.stderr);
        // Code that must run before the service's script is in a file, which every policy allows.
        let starts = ["matomo", "pa-"].iter().any(|word| services.contains(word));
        let start = site
            .output()
            .into_iter()
            .find(|(path, _)| path.starts_with("assets/services.") && path.ends_with(".js"));
        assert_eq!(start.is_some(), starts, "{services}");
        if let Some((path, bytes)) = start {
            let text = String::from_utf8(bytes).expect("UTF-8");
            assert!(text.contains("if (location.hostname === \"site.example\") {"), "{text}");
            let home = site.page("index.html", "");
            let own = home.find(&path).expect("the page loads it");
            assert!(own < home.find(script).expect("a script"), "{services}");
        }
    }
}

#[test]
fn comments_are_only_below_conversations() {
    let giscus = "giscus = { repo = 'ada/talks', repo_id = 'R_kgDO', category = 'Q & A', category_id = 'DIC_kw' }";
    for (services, host, link) in [
        (giscus, "https://giscus.app", "https://github.com/ada/talks/discussions"),
        ("utterances = 'ada/talks'", "https://utteranc.es", "https://github.com/ada/talks/issues"),
    ] {
        let site = site(&format!("page_turns = 1\n[services]\n{services}\n")).file(
            "content/long.convo",
            "### @Ada\nOne.\n\n### @Bea\nTwo.\n\n### @Ada\nThree.\n\n----\n{\"type\": \"dialog\", \"time\": \"2026-01-04\", \"title\": \"Long\", \"participants\": [\"Ada\", \"Bea\"]}\n",
        );
        let run = site.build(0);
        assert!(run.stderr.contains("no warnings"), "{services}: {}", run.stderr);
        for (start, end) in &PAGES[..2] {
            let html = site.page(start, end);
            assert_eq!(policy(&html), PLAIN, "{start}");
            assert!(!html.contains(host), "{start}");
        }
        let html = site.page("c/2026-01-03-videos-", "/index.html");
        let section = html.split("<section class=\"comments\"").nth(1).expect("comments");
        let section = section.split("</section>").next().expect("an end");
        assert!(
            section.contains(&format!(
                "<script src=\"{host}/client.js\" async crossorigin=\"anonymous\""
            )),
            "{section}"
        );
        assert!(section.contains(&format!("<noscript><p><a href=\"{link}\">")), "{section}");
        assert!(section.contains("=\"c/2026-01-03-videos-"), "{section}");
        assert!(html.contains("/base/assets/services."), "no style");
        let policy = policy(&html);
        assert_eq!(sources(&policy, "script-src"), ["'self'", host]);
        assert_eq!(sources(&policy, "frame-src"), [host]);
        assert_eq!(sources(&policy, "connect-src"), ["'self'"]);
        // They appear once, below the last part, and apply to the whole conversation.
        let output = site.output();
        let parts = output
            .iter()
            .filter(|(path, _)| path.starts_with("c/2026-01-04-long-") && path.ends_with(".html"));
        let parts: Vec<String> =
            parts.map(|(_, bytes)| String::from_utf8_lossy(bytes).into_owned()).collect();
        assert!(parts.len() > 1);
        let with: Vec<&String> =
            parts.iter().filter(|html| html.contains("class=\"comments\"")).collect();
        assert_eq!(with.len(), 1);
        assert!(with[0].contains("rel=\"prev\""), "the last part");
        assert!(
            !with[0].contains("-term=\"c/2026-01-04-long-") || !with[0].contains("/3\" data-"),
            "{}",
            with[0]
        );
        let run = site.run(&["check"]);
        assert!(!run.stderr.contains("blocked"), "{services}: {}", run.stderr);
    }
    let both = site(&format!("[services]\n{giscus}\nutterances = 'ada/talks'\n"));
    let run = both.build(1);
    assert!(
        run.stderr.contains("use either `giscus` or `utterances` for comments, not both"),
        "{}",
        run.stderr
    );
}

#[test]
fn a_video_link_becomes_a_player() {
    let site = site("[services]\nyoutube = true\n");
    site.build(0);
    for (start, end) in &PAGES[..3] {
        assert_eq!(policy(&site.page(start, end)), PLAIN, "{start}");
    }
    let html = site.page("c/2026-01-03-videos-", "index.html");
    assert_eq!(sources(&policy(&html), "frame-src"), ["https://www.youtube-nocookie.com"]);
    let player = "<p class=\"video\" data-player=\"https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ?autoplay=1&amp;start=65\"><a href=\"https://youtu.be/dQw4w9WgXcQ?t=1m5s\"";
    assert_eq!(html.matches(player).count(), 1, "{html}");
    assert_eq!(html.matches("data-player").count(), 1, "{html}");
    assert!(html.contains("/base/assets/player.") && html.contains("/base/assets/services."));
    assert!(!html.contains("<iframe"));
    assert!(!site.page("c/2026-01-02-", "index.html").contains("/base/assets/player."));
    site.write("site.toml", format!("{BASE}[services]\nvimeo = true\n"));
    site.build(0);
    let html = site.page("c/2026-01-03-videos-", "index.html");
    assert!(html.contains("data-player=\"https://player.vimeo.com/video/76979871?autoplay=1&amp;dnt=1&amp;h=abc123\""), "{html}");
    assert_eq!(sources(&policy(&html), "frame-src"), ["https://player.vimeo.com"]);
    // A player of another kind cannot be enabled in this way.
    site.write(
        "content/fake.convo",
        "### @Eve\n<p data-player=\"https://www.youtube-nocookie.com/x\">\n\n`<p data-player=\"https://player.vimeo.com/x\">`\n\n----\n{\"type\": \"dialog\", \"time\": \"2026-01-05\", \"title\": \"x data-player=\\\"https://player.vimeo.com/\\\"\", \"participants\": [\"Eve\"]}\n",
    );
    site.build(0);
    assert_eq!(policy(&site.page("c/2026-01-05-", "index.html")), PLAIN);
}

#[test]
fn other_hosts_are_allowed_only_for_their_purpose() {
    let site = site(
        "[services]\nallow = ['Widgets.example.org', { host = '*.maps.example.org', for = ['frame', 'image'] }]\n",
    )
    .file(
        "templates/base.html",
        "{% extends \"built-in/base.html\" %}{% block after_content %}\
         <script src=\"https://widgets.example.org/w.js\" defer></script>\
         <iframe src=\"https://eel.maps.example.org/\" title=\"Map\"></iframe>{% endblock %}",
    );
    site.build(0);
    for (start, end) in PAGES {
        let policy = policy(&site.page(start, end));
        let host = "https://widgets.example.org";
        for directive in ["script-src", "style-src", "connect-src", "font-src", "media-src"] {
            assert_eq!(sources(&policy, directive), ["'self'", host], "{directive}");
        }
        assert_eq!(sources(&policy, "img-src"), ["'self'", host, "https://*.maps.example.org"]);
        assert_eq!(sources(&policy, "frame-src"), [host, "https://*.maps.example.org"]);
    }
    let run = site.run(&["check"]);
    assert!(!run.stderr.contains("blocked"), "{}", run.stderr);
}

#[test]
fn content_blocked_by_the_policy_is_reported_once() {
    let site = site("").file(
        "templates/base.html",
        "{% extends \"built-in/base.html\" %}{% block head %}\
         <link rel=\"stylesheet\" href=\"https://fonts.example/x.css\">{% endblock %}\
         {% block after_content %}<script src=\"https://spy.example/s.js\"></script>\
         <script>alert(1)</script><script type=\"application/json\">{}</script>\
         <p style=\"color: red\" onclick=\"x()\">x</p><iframe src=\"https://frame.example/\" title=\"x\"></iframe>\
         <img src=\"https://img.example/x.png\" alt=\"\">{% endblock %}",
    );
    let run = site.run(&["check", "--message-format", "short"]);
    for message in [
        "browsers will not load the script `https://spy.example/s.js`",
        "browsers will not load the style sheet `https://fonts.example/x.css`",
        "browsers will not load the frame `https://frame.example/`",
        "browsers will not load the image `https://img.example/x.png`",
        "browsers will not run inline scripts",
        "browsers will not apply inline styles",
    ] {
        let line = format!("warning[blocked-by-policy]: {message}");
        assert_eq!(run.stderr.matches(&line).count(), 1, "{message}: {}", run.stderr);
    }
    assert_eq!(run.stderr.matches("blocked-by-policy").count(), 6, "{}", run.stderr);
}

#[test]
fn an_invalid_service_is_reported_and_not_loaded() {
    let reference = "see the Configuration page of the manual";
    for (services, message) in [
        ("plausible = 'https://talks.example.org'", "expected a domain"),
        ("plausible = 'x'", "expected a domain"),
        ("goatcounter = 'my.code'", "expected a code"),
        ("goatcounter = { site = 'a', host = 'b.example' }", "expected a code"),
        ("matomo = '1'", "expected `{ host = "),
        ("matomo = { host = 'https://a.example', site = '1' }", "without `https://`"),
        ("matomo = { host = 'a.example', site = 'one' }", "expected `{ host = "),
        ("umami = 'abc'", "expected a website id"),
        ("umami = { id = 'x' }", "unknown key `id`"),
        ("cloudflare = 'token'", "32 hexadecimal digits"),
        ("giscus = { repo = 'ada' }", "expected a GitHub repository"),
        ("giscus = { repo = 'ada/talks' }", "missing key `repo_id`"),
        ("utterances = 'ada/talks/x'", "expected a GitHub repository"),
        ("youtube = 'yes'", "expected a boolean"),
        ("allow = ['https://a.example']", "expected a host"),
        ("allow = ['*']", "expected a host"),
        ("allow = [\"a.example 'unsafe-inline'\"]", "expected a host"),
        ("allow = [{ host = 'a.example', for = ['scripts'] }]", "unknown value `scripts`"),
        ("google = 'G-1'", "unknown key `google`"),
    ] {
        let site = site(&format!("[services]\n{services}\n"));
        let run = site.build(1);
        assert!(run.stderr.contains("error[bad-value]"), "{services}: {}", run.stderr);
        assert!(run.stderr.contains(message), "{services}: {}", run.stderr);
        assert!(run.stderr.contains("--> site.toml:3:"), "{services}: {}", run.stderr);
        assert!(run.stderr.contains(reference), "{services}: {}", run.stderr);
        assert_eq!(policy(&site.page("index.html", "")), PLAIN, "{services}");
    }
}

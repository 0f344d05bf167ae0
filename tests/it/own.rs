//! Customizations of a site: a style sheet, a script, templates and parts of templates.

use crate::support::preview::Preview;
use crate::support::{BASE, SiteTest, convo, run_in};

fn site() -> SiteTest {
    SiteTest::new().file("content/a.convo", convo("Good."))
}

/// The path and text of the asset whose name starts with `start`.
fn asset(site: &SiteTest, start: &str) -> Option<(String, String)> {
    let output = site.output();
    let found = output.iter().find(|(path, _)| path.starts_with(start))?;
    Some((found.0.clone(), String::from_utf8_lossy(found.1).into_owned()))
}

#[test]
fn an_own_stylesheet_and_script_come_after_the_themes() {
    let site = site()
        .file("style.css", "/* mine */\nh1 { color: teal; }\n")
        .file("script.js", "document.body.dataset.mine = 'yes'; // mine\n");
    site.build(0);
    let (style, text) = asset(&site, "assets/own.").expect("a stylesheet");
    assert!(style.ends_with(".css"), "{style}");
    assert_eq!(text, "h1{color:teal}\n");
    // The search page has another style sheet, which also comes before.
    for page in ["index.html", "search/index.html", "404.html"] {
        let html = site.page(page, "");
        let sheet = html.rfind("rel=\"stylesheet\"").expect("a stylesheet");
        assert!(
            html[sheet..].starts_with(&format!("rel=\"stylesheet\" href=\"/base/{style}\"")),
            "{page}"
        );
        let script = html.rfind("<script src=\"").expect("a script");
        assert!(html[script..].starts_with("<script src=\"/base/assets/own."), "{page}");
        assert!(html.contains("script-src &#39;self&#39;; style-src &#39;self&#39;;"), "{page}");
    }
    // A changed file has a different URL, so that it can be cached forever.
    site.write("style.css", "h1 { color: red; }\n");
    site.build(0);
    assert_ne!(asset(&site, "assets/own.").expect("a stylesheet").0, style);
    // An empty file counts as missing.
    site.write("style.css", "\n");
    site.write("script.js", "");
    site.build(0);
    assert_eq!(asset(&site, "assets/own."), None);
}

#[test]
fn an_own_file_that_cannot_be_used_is_told() {
    let site = site().file("style.css", b"a {}\nb { content: \"\xff\"; }\n");
    let ran = site.build(1);
    assert!(ran.stderr.contains("error[bad-asset]: invalid UTF-8"), "{}", ran.stderr);
    assert!(ran.stderr.contains("style.css:2:15"), "{}", ran.stderr);
    assert_eq!(asset(&site, "assets/own."), None);
    site.write("style.css", format!("/*{}*/", " ".repeat(1 << 20)));
    let ran = site.build(1);
    assert!(ran.stderr.contains("larger than 1 MB"), "{}", ran.stderr);
}

#[test]
fn the_preview_follows_the_own_stylesheet() {
    let site = site().file("style.css", "h1 { color: teal; }");
    let preview = Preview::start(&site, &["--port", "0"]);
    let sheet = |page: &str| {
        let at = page.find("/base/assets/own.").expect("a stylesheet");
        page[at..].split('"').next().expect("an end").to_owned()
    };
    let first = sheet(&preview.text("/base/"));
    assert!(preview.text(&first).contains("teal"));
    site.write("style.css", "h1 { color: olive; }");
    preview.wait_for_text("/base/", |page| sheet(page) != first);
    assert!(preview.text(&sheet(&preview.text("/base/"))).contains("olive"));
}

#[test]
fn one_block_of_a_template_is_filled_without_a_copy() {
    let site = site().file(
        "templates/base.html",
        "{% extends \"built-in/base.html\" %}\n\
         {% block head %}<meta name=\"a\" content=\"b\">{% endblock head %}\n\
         {% block header %}{{ super() }}<p>H</p>{% endblock header %}\n\
         {% block before_content %}<p>Before</p>{% endblock before_content %}\n\
         {% block after_content %}<p>After</p>{% endblock after_content %}\n\
         {% block footer %}<p>Mine</p>{{ super() }}{% endblock footer %}\n",
    );
    let ran = site.build(0);
    assert!(ran.stderr.contains("no warnings"), "{}", ran.stderr);
    for page in ["index.html", "archive/index.html", "search/index.html", "404.html"] {
        let html = site.page(page, "");
        let places = [
            "<meta name=\"a\"", "</head>", "class=\"name\"", "<p>H</p>", "</header>", "<main",
            "<p>Before</p>", "<h1", "<p>After</p>", "</main>", "<footer", "<p>Mine</p>",
            "convo-site", "</footer>",
        ];
        let mut at = 0;
        for place in places {
            let found = html[at..].find(place);
            at += found.unwrap_or_else(|| panic!("{page}: no {place} where it should be"));
        }
    }
    // Pages of one kind can be changed on top of that.
    site.write(
        "templates/home.html",
        "{% extends \"built-in/home.html\" %}{% block after_content %}<p>Home</p>{{ super() }}{% endblock %}",
    );
    site.build(0);
    let home = site.page("index.html", "");
    assert!(home.contains("<p>Home</p><p>After</p>") && home.contains("<p>Mine</p>"));
    assert!(!site.page("404.html", "").contains("<p>Home</p>"));
}

#[test]
fn a_site_extends_a_template_of_its_theme() {
    let site = site()
        .file("site.toml", format!("{BASE}theme = 'mine'\n"))
        .file("themes/mine/theme.toml", "extends = 'paper'\n")
        .file(
            "themes/mine/templates/base.html",
            "{% extends \"built-in/base.html\" %}{% block footer %}<p>Theme</p>{% endblock %}",
        )
        .file(
            "templates/base.html",
            "{% extends \"theme/base.html\" %}{% block footer %}{{ super() }}<p>Site</p>{% endblock %}",
        );
    site.build(0);
    assert!(site.page("index.html", "").contains("<p>Theme</p><p>Site</p>"));
}

#[test]
fn own_templates_may_need_each_other_in_any_order() {
    let site = site()
        .file("templates/404.txt.html", "{{ page.title }}")
        .file("templates/not_found.html", "{% include \"parts/z.html\" %}{% if %}")
        .file("templates/home.html", "<title>{% include \"parts/mine.html\" %}</title>")
        .file("templates/parts/mine.html", "[{% include \"parts/z.html\" %}]")
        .file("templates/parts/z.html", "{{ site.title }}");
    let ran = site.build(1);
    assert_eq!(site.page("index.html", ""), "<title>[Conversations]</title>");
    assert_eq!(ran.stderr.matches("[bad-template]").count(), 1, "{}", ran.stderr);
    assert!(ran.stderr.contains("templates/not_found.html:1:"), "{}", ran.stderr);
    assert_eq!(ran.stderr.matches("[unknown-template]").count(), 1, "{}", ran.stderr);
    assert!(ran.stderr.contains("templates/404.txt.html"), "{}", ran.stderr);
}

#[test]
fn a_template_for_no_page_is_told_with_what_was_meant() {
    let site = site()
        .file("templates/bse.html", "{{ page.title }}")
        .file("templates/built-in/base.html", "x");
    let ran = site.build(0);
    assert!(ran.stderr.contains("no page uses a template `bse.html`"), "{}", ran.stderr);
    assert!(ran.stderr.contains("did you mean `base.html`?"), "{}", ran.stderr);
    assert!(ran.stderr.contains("cannot be named `built-in/base.html`"), "{}", ran.stderr);
}

#[test]
fn what_is_wrong_with_a_template_is_told_at_its_place() {
    for (text, place, message, hint) in [
        ("a\n{{ page.title | uper }}", "home.html:2:17", "unknown filter `uper`", ""),
        (
            "a\nb {% include \"parts/crd.html\" %}",
            "home.html:2:",
            "unknown template `parts/crd.html`",
            "did you mean `parts/card.html`?",
        ),
        (
            "{% extends \"bse.html\" %}",
            "home.html:1:12",
            "cannot extend `bse.html`: no such template",
            "did you mean `base.html`?",
        ),
        (
            "{% extends \"home.html\" %}",
            "home.html:1:12",
            "the template `home.html` extends itself",
            "{% extends \"built-in/home.html\" %}",
        ),
        (
            "{% extends \"base.html\" %}\n{% block fotter %}{% endblock %}",
            "home.html:2:",
            "block `fotter` is not defined in any parent template",
            "",
        ),
        ("{% include \"home.html\" %}", "home.html:1:12", "includes itself", ""),
        ("a\n\n{{ page.nonsense.more }}", "home.html:3:", "nonsense", ""),
    ] {
        let site = site().file("templates/home.html", text);
        let ran = site.run(&["build", "--message-format", "short"]);
        assert_eq!(ran.code, Some(1), "{text}: {}", ran.stderr);
        let line = ran.stderr.lines().find(|line| line.contains("bad-template"));
        let line = line.unwrap_or_else(|| panic!("{text}: {}", ran.stderr));
        assert!(line.starts_with(&format!("templates/{place}")), "{text}: {line}");
        assert!(line.contains(message), "{text}: {line}");
        let ran = site.run(&["build"]);
        assert!(ran.stderr.contains(hint), "{text}: {}", ran.stderr);
    }
    // A block that another template needs is reported for the template that lacks it.
    let site = site().file("templates/base.html", "<title>{{ page.title }}</title>");
    let ran = site.run(&["build", "--message-format", "short"]);
    let places: Vec<&str> =
        ran.stderr.lines().filter(|line| line.contains("bad-template")).collect();
    assert!(!places.is_empty(), "{}", ran.stderr);
    for line in places {
        assert!(line.starts_with("templates/base.html"), "{line}");
        assert!(line.contains("needs it"), "{line}");
    }
    site.write("templates/base.html", b"\xff");
    let ran = site.build(1);
    assert!(ran.stderr.contains("invalid UTF-8"), "{}", ran.stderr);
    assert!(site.page("index.html", "").contains("Good."));
}

/// Output of templates is escaped as text, whatever the template is called.
#[test]
fn what_own_templates_print_is_escaped() {
    let site = site()
        .file("site.toml", format!("{BASE}title = '<b>&'\n"))
        .file("templates/home.html", "<title>{% include \"parts/x.tera\" %}</title>")
        .file("templates/parts/x.tera", "{{ site.title }}");
    site.build(0);
    assert_eq!(site.page("index.html", ""), "<title>&lt;b&gt;&amp;</title>");
}

#[test]
fn a_template_is_copied_and_compared() {
    let site = site();
    let ran = site.run(&["theme", "eject"]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert!(ran.stdout.lines().any(|line| line == "parts/card.html"), "{}", ran.stdout);
    site.build(0);
    let before = site.output();
    for name in ["base.html", "conversation.html", "parts/card.html"] {
        let ran = site.run(&["theme", "eject", name]);
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    }
    let ran = site.build(0);
    assert!(ran.stderr.contains("no warnings"), "{}", ran.stderr);
    // An unchanged copy makes the same pages.
    assert_eq!(site.output(), before);
    let ran = site.run(&["theme", "eject", "base.html"]);
    assert_eq!(ran.code, Some(2));
    assert!(ran.stderr.contains("already exists"), "{}", ran.stderr);
    let copy = std::fs::read_to_string(site.path("templates/base.html")).expect("a copy");
    let printed = site.run(&["theme", "eject", "base.html", "--print"]).stdout;
    assert_eq!(copy, printed);
    // The header of a copy of another version.
    let (first, rest) = copy.split_once('\n').expect("lines");
    let hash = first.split(' ').rev().nth(1).expect("a hash");
    let older = first.replace(hash, "0123456789").replace(env!("CARGO_PKG_VERSION"), "0.0.9");
    site.write("templates/base.html", format!("{older}\n{rest}"));
    let ran = site.build(0);
    assert_eq!(ran.stderr.matches("[outdated-copy]").count(), 1, "{}", ran.stderr);
    assert!(
        ran.stderr.contains("the built-in `base.html` has changed since convo-site 0.0.9"),
        "{}",
        ran.stderr
    );
    assert!(ran.stderr.contains("templates/base.html:1:1"), "{}", ran.stderr);
    let ran = site.run(&["theme", "eject", "bass.html"]);
    assert_eq!(ran.code, Some(2));
    assert!(ran.stderr.contains("did you mean `base.html`?"), "{}", ran.stderr);
    let elsewhere = tempfile::tempdir().expect("a folder");
    let ran = run_in(elsewhere.path(), &["theme", "eject", "base.html"], &[]);
    assert_eq!(ran.code, Some(2));
    assert!(ran.stderr.contains("no `site.toml`"), "{}", ran.stderr);
}

#[test]
fn templates_read_what_the_site_and_a_page_say_to_them() {
    let toml = "[extra]\nmotto = '<i>'\nsource = 'mill'\ncount = 3\nratio = 1.5\nopen = true\n\
        day = 2026-01-02\nrooms = ['a', 'b']\n[extra.river]\npath = 'Eel'\n";
    let site = SiteTest::new()
        .file("site.toml", format!("{BASE}{toml}"))
        .file(
            "content/a.md",
            "---\ntitle: A\ndate: 2026-01-02\nextra:\n  cover: <b>\n  stars: 4\n  open: true\n  tags: [x, y]\n  at: {room: 2}\n---\n\n**Ada:** Good.\n\n**Bea:** Yes.\n",
        )
        .file(
            "content/b.convo",
            "### @Ada\nx\n\n----\n{\"type\": \"dialog\", \"time\": \"2026-01-02\", \"participants\": [\"Ada\"], \
             \"extra\": {\"stars\": 5}}\n",
        )
        .file(
            "templates/base.html",
            "{% extends \"built-in/base.html\" %}{% block before_content %}\
             <p>{{ site.extra.motto }}|{{ site.extra.source }}|{{ site.extra.count + 1 }}|{{ site.extra.ratio * 2 }}\
             |{% if site.extra.open %}open{% endif %}|{{ site.extra.day }}|{{ site.extra.rooms | join(sep=\"+\") }}|{{ site.extra.river.path }}</p>\
             {% if page.extra.stars %}<p>stars {{ page.extra.stars + 1 }}{% if page.extra.cover %} {{ page.extra.cover }}\
             {% if page.extra.open %} open{% endif %} {{ page.extra.tags | length }} {{ page.extra.at.room * 2 }}{% endif %}</p>{% endif %}\
             {% endblock %}",
        );
    let ran = site.build(0);
    assert!(ran.stderr.contains("no warnings"), "{}", ran.stderr);
    let of_site = "<p>&lt;i&gt;|mill|4|3.0|open|2026-01-02|a+b|Eel</p>";
    let home = site.page("index.html", "");
    assert!(home.contains(of_site) && !home.contains("<p>stars"), "{home}");
    let page = site.page("c/2026-01-02-a-", "index.html");
    assert!(page.contains(of_site), "{page}");
    assert!(page.contains("<p>stars 5 &lt;b&gt; open 2 4</p>"), "{page}");
    // This data is for templates, and not shown in the metadata of pages.
    assert!(!page.contains(">extra<") && !page.contains("cover"), "{page}");
    let all = site.output();
    assert!(all.values().any(|bytes| String::from_utf8_lossy(bytes).contains("<p>stars 6</p>")));
}

#[test]
fn what_templates_are_told_passes_the_gate() {
    let token = format!("ghp{}{}", "_", "w7Q2nXbR4kTz9LmVd3Ys8HcJ6fPgA1eUo5Bi");
    let site = SiteTest::new()
        .file(
            "site.toml",
            format!("{BASE}[gate]\ncertain = 'redact'\nlikely = 'redact'\n[extra]\na = ['use {token}']\n[footer]\ntext = 'use {token}'\n"),
        )
        .file(
            "content/a.md",
            format!("---\ntitle: A\ndate: 2026-01-02\nextra:\n  b: use {token}\n---\n\n**Ada:** Good.\n\n**Bea:** Yes.\n"),
        )
        .file("script.js", format!("const key = '{token}';\n"))
        .file(
            "templates/base.html",
            "{% extends \"built-in/base.html\" %}{% block before_content %}<p>{{ site.extra.a[0] }}{% if page.extra.b %} {{ page.extra.b }}{% endif %}</p>{% endblock %}",
        );
    let ran = site.build(1);
    let page = site.page("c/2026-01-02-a-", "index.html");
    assert!(page.contains("<p>use [redacted"), "{page}");
    assert_eq!(page.matches("use [redacted").count(), 3, "{page}");
    assert!(ran.stderr.contains("error[secret-in-site]"), "{}", ran.stderr);
    assert!(!ran.stderr.contains(&token), "{}", ran.stderr);
    // Real names are not allowed either.
    site.write("script.js", "");
    site.write(
        "site.toml",
        format!("{BASE}[extra]\na = {{ b = ['Thanks to Ada Birch'] }}\n[people.'Ada Birch']\nas = 'Bea'\npseudonym = true\n"),
    );
    let ran = site.build(2);
    assert!(ran.stderr.contains("`extra` names a person who has a pseudonym"), "{}", ran.stderr);
}

#[test]
fn an_own_file_that_no_reader_may_see_is_not_published() {
    let token = format!("ghp{}{}", "_", "w7Q2nXbR4kTz9LmVd3Ys8HcJ6fPgA1eUo5Bi");
    let config =
        "[[redact]]\nwords = ['Acme']\n[people.'Ada Birch']\nas = 'Bea'\npseudonym = true\n";
    let site = site().file("site.toml", format!("{BASE}{config}"));
    for hidden in [&token, "Acme", "Ada Birch"] {
        for (name, text, place) in [
            ("style.css", format!("/* a */\nb::before {{ content: '{hidden}'; }}\n"), "2:23"),
            ("script.js", format!("// mine\nlet x = 'é {hidden}';\n"), "2:12"),
        ] {
            site.write(name, "");
            site.build(0);
            site.write(name, text);
            let ran = site.build(1);
            let told = format!("{name}:{place}");
            assert!(ran.stderr.contains("error[secret-in-site]"), "{}", ran.stderr);
            assert_eq!(ran.stderr.matches("secret-in-site").count(), 1, "{}", ran.stderr);
            assert!(ran.stderr.contains(&told), "{told}: {}", ran.stderr);
            assert!(!ran.stderr.contains(hidden), "{}", ran.stderr);
            assert_eq!(asset(&site, "assets/own."), None, "{hidden}");
            assert!(!site.page("index.html", "").contains("assets/own."), "{hidden}");
            site.write(name, "");
        }
    }
}

#[test]
fn a_key_that_slipped_into_extra_is_told() {
    let site =
        site().file("site.toml", format!("{BASE}[extra]\nmotto = 'x'\npublish = 'listed'\n"));
    let ran = site.build(2);
    assert!(ran.stderr.contains("`publish` has no effect below `extra`"), "{}", ran.stderr);
    assert!(ran.stderr.contains("site.toml:4:1"), "{}", ran.stderr);
    site.write("site.toml", format!("{BASE}[extra]\na = [1.0, nan]\n"));
    let ran = site.build(1);
    assert!(ran.stderr.contains("`nan` and `inf`"), "{}", ran.stderr);
    assert!(
        ran.stderr.contains("site.toml:2") || ran.stderr.contains("site.toml:3"),
        "{}",
        ran.stderr
    );
}

#[test]
fn what_an_own_stylesheet_may_not_load_is_told_where_it_is() {
    let style = "@import 'https://fonts.example.org/a.css';\n/* url(https://b.example.org/) */\n\
        @font-face { font-family: x; src: url(\"//fonts.example.org/x.woff2\"); }\n\
        p { background: url(https://images.example.org/a.png), url(../a.png), url(data:image/png;base64,AA); }\n\
        a { background: url(https://site.example/base/b.png); cursor: url(https://c.example.org/c.cur), auto; }\n";
    let site = site().file("style.css", style);
    let places = |ran: &str| -> Vec<String> {
        let found = ran.split("style.css:").skip(1);
        found.filter_map(|rest| rest.split_whitespace().next()).map(str::to_owned).collect()
    };
    let ran = site.build(0);
    assert_eq!(ran.stderr.matches("warning[blocked-by-policy]").count(), 5, "{}", ran.stderr);
    assert_eq!(places(&ran.stderr), ["1:10", "3:40", "4:21", "4:75", "5:67"], "{}", ran.stderr);
    assert!(ran.stderr.contains("do not load the font `//fonts.example.org/x.woff2`"));
    site.write(
        "site.toml",
        format!(
            "{BASE}image_hosts = ['*.example.org']\n[services]\nallow = [{{ host = 'fonts.example.org', \
             for = ['style', 'font'] }}, 'images.example.org', 'c.example.org']\n"
        )
        .replace("'*.example.org'", "'pictures.example.org'"),
    );
    let ran = site.run(&["check"]);
    assert_eq!(places(&ran.stderr), ["4:75"], "{}", ran.stderr);
}

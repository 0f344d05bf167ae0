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
fn custom_style_sheets_and_scripts_come_after_those_of_the_theme() {
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
fn a_custom_file_that_cannot_be_used_is_reported() {
    let site = site().file("style.css", b"a {}\nb { content: \"\xff\"; }\n");
    let run = site.build(1);
    assert!(run.stderr.contains("error[bad-asset]: invalid UTF-8"), "{}", run.stderr);
    assert!(run.stderr.contains("style.css:2:15"), "{}", run.stderr);
    assert_eq!(asset(&site, "assets/own."), None);
    site.write("style.css", format!("/*{}*/", " ".repeat(1 << 20)));
    let run = site.build(1);
    assert!(run.stderr.contains("larger than 1 MB"), "{}", run.stderr);
}

#[test]
fn the_preview_follows_the_custom_style_sheet() {
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
fn a_single_block_of_a_template_can_be_overridden() {
    let site = site().file(
        "templates/base.html",
        "{% extends \"built-in/base.html\" %}\n\
         {% block head %}<meta name=\"a\" content=\"b\">{% endblock head %}\n\
         {% block header %}{{ super() }}<p>H</p>{% endblock header %}\n\
         {% block before_content %}<p>Before</p>{% endblock before_content %}\n\
         {% block after_content %}<p>After</p>{% endblock after_content %}\n\
         {% block footer %}<p>Mine</p>{{ super() }}{% endblock footer %}\n",
    );
    let run = site.build(0);
    assert!(run.stderr.contains("no warnings"), "{}", run.stderr);
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
fn custom_templates_may_include_each_other_in_any_order() {
    let site = site()
        .file("templates/404.txt.html", "{{ page.title }}")
        .file("templates/not_found.html", "{% include \"parts/z.html\" %}{% if %}")
        .file("templates/home.html", "<title>{% include \"parts/mine.html\" %}</title>")
        .file("templates/parts/mine.html", "[{% include \"parts/z.html\" %}]")
        .file("templates/parts/z.html", "{{ site.title }}");
    let run = site.build(1);
    assert_eq!(site.page("index.html", ""), "<title>[Conversations]</title>");
    assert_eq!(run.stderr.matches("[bad-template]").count(), 1, "{}", run.stderr);
    assert!(run.stderr.contains("templates/not_found.html:1:"), "{}", run.stderr);
    assert_eq!(run.stderr.matches("[unknown-template]").count(), 1, "{}", run.stderr);
    assert!(run.stderr.contains("templates/404.txt.html"), "{}", run.stderr);
}

#[test]
fn an_unused_template_is_reported_with_a_suggestion() {
    let site = site()
        .file("templates/bse.html", "{{ page.title }}")
        .file("templates/built-in/base.html", "x");
    let run = site.build(0);
    assert!(run.stderr.contains("no page uses a template `bse.html`"), "{}", run.stderr);
    assert!(run.stderr.contains("did you mean `base.html`?"), "{}", run.stderr);
    assert!(run.stderr.contains("cannot be named `built-in/base.html`"), "{}", run.stderr);
}

#[test]
fn errors_in_a_template_are_reported_with_their_position() {
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
        let run = site.run(&["build", "--message-format", "short"]);
        assert_eq!(run.code, Some(1), "{text}: {}", run.stderr);
        let line = run.stderr.lines().find(|line| line.contains("bad-template"));
        let line = line.unwrap_or_else(|| panic!("{text}: {}", run.stderr));
        assert!(line.starts_with(&format!("templates/{place}")), "{text}: {line}");
        assert!(line.contains(message), "{text}: {line}");
        let run = site.run(&["build"]);
        assert!(run.stderr.contains(hint), "{text}: {}", run.stderr);
    }
    // A block that another template needs is reported for the template that lacks it.
    let site = site().file("templates/base.html", "<title>{{ page.title }}</title>");
    let run = site.run(&["build", "--message-format", "short"]);
    let places: Vec<&str> =
        run.stderr.lines().filter(|line| line.contains("bad-template")).collect();
    assert!(!places.is_empty(), "{}", run.stderr);
    for line in places {
        assert!(line.starts_with("templates/base.html"), "{line}");
        assert!(line.contains("needs it"), "{line}");
    }
    site.write("templates/base.html", b"\xff");
    let run = site.build(1);
    assert!(run.stderr.contains("invalid UTF-8"), "{}", run.stderr);
    assert!(site.page("index.html", "").contains("Good."));
}

/// Output of templates is escaped as text, whatever the template is called.
#[test]
fn output_of_custom_templates_is_escaped() {
    let site = site()
        .file("site.toml", format!("{BASE}title = '<b>&'\n"))
        .file("templates/home.html", "<title>{% include \"parts/x.tera\" %}</title>")
        .file("templates/parts/x.tera", "{{ site.title }}");
    site.build(0);
    assert_eq!(site.page("index.html", ""), "<title>&lt;b&gt;&amp;</title>");
}

#[test]
fn a_template_can_be_copied_and_compared() {
    let site = site();
    let run = site.run(&["theme", "eject"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert!(run.stdout.lines().any(|line| line == "parts/card.html"), "{}", run.stdout);
    site.build(0);
    let before = site.output();
    for name in ["base.html", "conversation.html", "parts/card.html"] {
        let run = site.run(&["theme", "eject", name]);
        assert_eq!(run.code, Some(0), "{}", run.stderr);
    }
    let run = site.build(0);
    assert!(run.stderr.contains("no warnings"), "{}", run.stderr);
    // An unchanged copy makes the same pages.
    assert_eq!(site.output(), before);
    let run = site.run(&["theme", "eject", "base.html"]);
    assert_eq!(run.code, Some(2));
    assert!(run.stderr.contains("already exists"), "{}", run.stderr);
    let copy = std::fs::read_to_string(site.path("templates/base.html")).expect("a copy");
    let printed = site.run(&["theme", "eject", "base.html", "--print"]).stdout;
    assert_eq!(copy, printed);
    // The header of a copy of another version.
    let (first, rest) = copy.split_once('\n').expect("lines");
    let hash = first.split(' ').rev().nth(1).expect("a hash");
    let older = first.replace(hash, "0123456789").replace(env!("CARGO_PKG_VERSION"), "0.0.9");
    site.write("templates/base.html", format!("{older}\n{rest}"));
    let run = site.build(0);
    assert_eq!(run.stderr.matches("[outdated-copy]").count(), 1, "{}", run.stderr);
    assert!(
        run.stderr.contains("the built-in `base.html` has changed since convo-site 0.0.9"),
        "{}",
        run.stderr
    );
    assert!(run.stderr.contains("templates/base.html:1:1"), "{}", run.stderr);
    let run = site.run(&["theme", "eject", "bass.html"]);
    assert_eq!(run.code, Some(2));
    assert!(run.stderr.contains("did you mean `base.html`?"), "{}", run.stderr);
    let elsewhere = tempfile::tempdir().expect("a folder");
    let run = run_in(elsewhere.path(), &["theme", "eject", "base.html"], &[]);
    assert_eq!(run.code, Some(2));
    assert!(run.stderr.contains("no `site.toml`"), "{}", run.stderr);
}

#[test]
fn templates_can_read_extra_data_of_the_site_and_pages() {
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
    let run = site.build(0);
    assert!(run.stderr.contains("no warnings"), "{}", run.stderr);
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
fn extra_data_for_templates_passes_the_gate() {
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
    let run = site.build(1);
    let page = site.page("c/2026-01-02-a-", "index.html");
    assert!(page.contains("<p>use [redacted"), "{page}");
    assert_eq!(page.matches("use [redacted").count(), 3, "{page}");
    assert!(run.stderr.contains("error[secret-in-site]"), "{}", run.stderr);
    assert!(!run.stderr.contains(&token), "{}", run.stderr);
    // Real names are not allowed either.
    site.write("script.js", "");
    site.write(
        "site.toml",
        format!("{BASE}[extra]\na = {{ b = ['Thanks to Ada Birch'] }}\n[people.'Ada Birch']\nas = 'Bea'\npseudonym = true\n"),
    );
    let run = site.build(2);
    assert!(run.stderr.contains("`extra` names a person who has a pseudonym"), "{}", run.stderr);
}

#[test]
fn a_custom_file_with_hidden_words_is_not_published() {
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
            let run = site.build(1);
            let expected = format!("{name}:{place}");
            assert!(run.stderr.contains("error[secret-in-site]"), "{}", run.stderr);
            assert_eq!(run.stderr.matches("secret-in-site").count(), 1, "{}", run.stderr);
            assert!(run.stderr.contains(&expected), "{expected}: {}", run.stderr);
            assert!(!run.stderr.contains(hidden), "{}", run.stderr);
            assert_eq!(asset(&site, "assets/own."), None, "{hidden}");
            assert!(!site.page("index.html", "").contains("assets/own."), "{hidden}");
            site.write(name, "");
        }
    }
}

#[test]
fn a_key_that_belongs_outside_of_extra_is_reported() {
    let site =
        site().file("site.toml", format!("{BASE}[extra]\nmotto = 'x'\npublish = 'listed'\n"));
    let run = site.build(2);
    assert!(run.stderr.contains("`publish` has no effect below `extra`"), "{}", run.stderr);
    assert!(run.stderr.contains("site.toml:4:1"), "{}", run.stderr);
    site.write("site.toml", format!("{BASE}[extra]\na = [1.0, nan]\n"));
    let run = site.build(1);
    assert!(run.stderr.contains("`nan` and `inf`"), "{}", run.stderr);
    assert!(
        run.stderr.contains("site.toml:2") || run.stderr.contains("site.toml:3"),
        "{}",
        run.stderr
    );
}

#[test]
fn blocked_urls_in_a_custom_style_sheet_are_reported_with_their_position() {
    let style = "@import 'https://fonts.example.org/a.css';\n/* url(https://b.example.org/) */\n\
        @font-face { font-family: x; src: url(\"//fonts.example.org/x.woff2\"); }\n\
        p { background: url(https://images.example.org/a.png), url(../a.png), url(data:image/png;base64,AA); }\n\
        a { background: url(https://site.example/base/b.png); cursor: url(https://c.example.org/c.cur), auto; }\n";
    let site = site().file("style.css", style);
    let places = |run: &str| -> Vec<String> {
        let found = run.split("style.css:").skip(1);
        found.filter_map(|rest| rest.split_whitespace().next()).map(str::to_owned).collect()
    };
    let run = site.build(0);
    assert_eq!(run.stderr.matches("warning[blocked-by-policy]").count(), 5, "{}", run.stderr);
    assert_eq!(places(&run.stderr), ["1:10", "3:40", "4:21", "4:75", "5:67"], "{}", run.stderr);
    assert!(run.stderr.contains("do not load the font `//fonts.example.org/x.woff2`"));
    site.write(
        "site.toml",
        format!(
            "{BASE}image_hosts = ['*.example.org']\n[services]\nallow = [{{ host = 'fonts.example.org', \
             for = ['style', 'font'] }}, 'images.example.org', 'c.example.org']\n"
        )
        .replace("'*.example.org'", "'pictures.example.org'"),
    );
    let run = site.run(&["check"]);
    assert_eq!(places(&run.stderr), ["4:75"], "{}", run.stderr);
}

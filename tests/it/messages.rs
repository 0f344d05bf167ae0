//! Messages about problems: where they are, and what to do.

use convo_site::diag::{Diagnostic, Location, Severity, Span, emit};
use snapbox::{assert_data_eq, str};

use crate::support::{BASE, Run, SiteTest, convo};

fn check(site: &SiteTest) -> Run {
    site.run(&["check", "--message-format", "short"])
}

#[test]
fn a_missing_site_is_named() {
    let site = SiteTest::new().file("other/a.txt", "x").file("file", "x");
    let nowhere = ("nowhere", "the folder `nowhere` does not exist", "`convo-site init nowhere`");
    let strict = [
        nowhere,
        ("other", "`other` is not a site", "`convo-site init other`"),
        ("file", "`file` is not a folder", "`site.toml`"),
    ];
    // These commands take other files and folders, but not those of a site.
    let part = "is part of the site in";
    let loose = [nowhere, ("other", part, "pass the site folder"), ("file", part, "`site.toml`")];
    for (command, cases) in
        [("build", loose), ("check", strict), ("serve", loose), ("clean", strict)]
    {
        for (folder, message, hint) in cases {
            let run = site.run(&[command, folder]);
            assert_eq!(run.code, Some(2), "{command} {folder}");
            assert!(run.stderr.contains("error[no-site]"), "{command}: {}", run.stderr);
            for text in [message, hint] {
                assert!(run.stderr.contains(text), "{command}: {}", run.stderr);
            }
        }
    }
    assert_eq!(site.run(&["search", "x", "nowhere"]).code, Some(2));
    assert_eq!(site.run(&["list", "themes", "nowhere"]).code, Some(2));
    assert!(!site.path("nowhere").exists() && !site.path("other/.convo-site").exists());
    assert_eq!(site.run(&["clean"]).code, Some(0));
}

#[test]
fn quiet_prints_only_errors() {
    let site = SiteTest::new().file("content/a.convo", convo("Hello."));
    for command in ["build", "check"] {
        let run = site.run(&[command, "--quiet"]);
        assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""), "{command}");
    }
    site.write("content/b.convo", format!("hm\n\n{}", convo("Warned.")));
    let run = site.run(&["check", "-q"]);
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
    let run = site.run(&["check", "-q", "--deny-warnings"]);
    assert!(run.code == Some(1) && run.stderr.contains("warning["), "{}", run.stderr);
    site.write("content/c.convo", "### @Ada\n");
    let run = site.run(&["check", "-q"]);
    assert_eq!(run.code, Some(1));
    assert!(run.stderr.contains("content/c.convo"), "{}", run.stderr);
    assert!(!run.stderr.contains("warning["), "{}", run.stderr);
}

#[test]
fn a_base_url_can_be_given_on_the_command_line() {
    let site = SiteTest::new().file("site.toml", "").file("content/a.convo", convo("Hello."));
    let run = site.run(&["build"]);
    assert!(run.stderr.contains("no-base-url"), "{}", run.stderr);
    let run = site.run(&["build", "--base-url", "https://preview.example/pr/7"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert!(run.stderr.ends_with("no warnings\n"), "{}", run.stderr);
    let home = site.page("index.html", "");
    let canonical = "<link rel=\"canonical\" href=\"https://preview.example/pr/7/\">";
    assert!(home.contains(canonical), "{home}");
    assert!(home.contains("href=\"/pr/7/archive/\""), "{home}");
    // The option replaces the value in the file.
    site.write("site.toml", BASE);
    site.run(&["build", "--base-url", "https://other.example"]);
    assert!(!site.page("index.html", "").contains("site.example"));
    assert_eq!(site.run(&["check", "--base-url", "https://a.example"]).code, Some(0));
    for wrong in ["preview.example", "javascript:x", "https://"] {
        assert_eq!(site.run(&["build", "--base-url", wrong]).code, Some(2), "{wrong}");
    }
}

#[test]
fn unknown_names_in_themes_are_reported() {
    let look = "[look]\ncolors = { link = '#123', lnik = '#456' }\nfonts = { zzzzzzzzzz = 'x' }\n";
    let site = SiteTest::new()
        .file("site.toml", format!("{BASE}{look}"))
        .file("content/a.convo", convo("x"));
    let run = check(&site);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let unknown = "warning[unknown-name]: the theme `paper` has no";
    for text in
        [format!("site.toml:3:27: {unknown} `--lnik`"), format!("site.toml:4:11: {unknown}")]
    {
        assert!(run.stderr.contains(&text), "{text}: {}", run.stderr);
    }
    assert!(!run.stderr.contains("`--link`"), "{}", run.stderr);
    let run = site.run(&["check"]);
    assert!(run.stderr.contains("did you mean `link`?"), "{}", run.stderr);
    assert!(run.stderr.contains("known names: serif, sans, mono"), "{}", run.stderr);
    let named = "[look]\ncolors = { background = '#123', accent = '#456' }\n";
    site.write("site.toml", format!("{BASE}{named}"));
    let run = site.run(&["check"]);
    for meant in ["did you mean `paper`?", "did you mean `link`?"] {
        assert!(run.stderr.contains(meant), "{}", run.stderr);
    }
    // Dark mode has the background too.
    let light = "[look]\ncolors = { paper = '#fff8e7', code = '#eee', link = '#123' }\n";
    site.write("site.toml", format!("{BASE}{light}"));
    let run = site.run(&["check"]);
    let hint = "`paper` and `code` are set in `colors` but not in `dark_colors`";
    assert!(run.code == Some(0) && run.stderr.contains(hint), "{}", run.stderr);
    let both = "dark_colors = { paper = '#123', code = '#222' }\n";
    site.write("site.toml", format!("{BASE}{light}{both}"));
    assert!(!site.run(&["check"]).stderr.contains("light-only-color"));
    // A custom theme has its own names.
    site.write("themes/mine/theme.toml", "extends = 'paper'\n");
    site.write("themes/mine/assets/mine.css", ":root { --lnik: red }");
    site.write("site.toml", format!("{BASE}theme = 'mine'\n{look}"));
    assert!(!check(&site).stderr.contains("--lnik"));
}

#[test]
fn theme_settings_load_nothing_from_other_hosts() {
    for value in [
        "image-set(\"//spy.example/x.png\" 1x)",
        "image-set(\"x.png\" 1x)",
        "//spy.example/x",
        "src(\"x\")",
        "URL(x)",
        "red cross-fade(\"a\", \"b\")",
    ] {
        let site = SiteTest::new()
            .file("site.toml", format!("{BASE}[look]\ncolors = {{ paper = '{value}' }}\n"))
            .file("content/a.convo", convo("x"));
        let run = check(&site);
        let place = "site.toml:3:20: error[bad-value]";
        assert!(run.stderr.contains(place), "{value}: {}", run.stderr);
    }
    for look in [
        "colors = { paper = 'rgb(1 2 3 / .5)' }",
        "colors = { paper = 'color-mix(in srgb, var(--link) 50%, #fff)' }",
        "width = 'calc(1px + (2px))'",
    ] {
        let site = SiteTest::new()
            .file("site.toml", format!("{BASE}[look]\n{look}\n"))
            .file("content/a.convo", convo("x"));
        assert_eq!(check(&site).code, Some(0), "{look}");
    }
    for host in ["data:", "https:", "*", "a.example:x", "", ".", "a..b"] {
        let site = SiteTest::new()
            .file("site.toml", format!("{BASE}image_hosts = ['{host}']\n"))
            .file("content/a.convo", convo("x"));
        assert!(check(&site).stderr.contains("bad-value"), "{host}");
    }
}

#[test]
fn a_broken_template_is_shown_with_its_line() {
    let site = SiteTest::new()
        .file("content/a.convo", convo("x"))
        .file("templates/home.html", "<title>x</title>\n<p>\n{% if x %}\n")
        .file("templates/listing.html", "<title>x</title>\n\n  {{ listing.nonsense }}\n");
    let run = check(&site);
    assert_eq!(run.code, Some(1));
    for place in ["templates/home.html:", "templates/listing.html:3:"] {
        let note = run.stderr.lines().filter(|line| line.starts_with(place));
        let notes: Vec<_> = note.collect();
        // There is one message, however many pages the template makes.
        assert_eq!(notes.len(), 1, "{place} {}", run.stderr);
        assert!(notes[0].contains("error[bad-template]"), "{notes:?}");
    }
    assert_data_eq!(
        site.run(&["check"]).stderr,
        str![[r#"
...
  --> templates/listing.html:3:[..]
  |
3 |   {{ listing.nonsense }}
  |      [..]^[..]
...
"#]]
    );
}

#[test]
fn missing_texts_of_a_custom_language_are_reported() {
    let words = |language: &str, text: &str| {
        let site = SiteTest::new()
            .file("site.toml", format!("{BASE}language = \"{language}\"\n"))
            .file(&format!("locales/{language}.toml"), text)
            .file("content/a.convo", convo("x"));
        check(&site).stderr
    };
    let one = words("pt", "[list]\narchive = \"Arquivo\"\n");
    assert!(one.contains("locales/pt.toml: warning[untranslated]: "), "{one}");
    let count = one.split("untranslated]: ").nth(1).and_then(|rest| rest.split(' ').next());
    let all: toml::Table = include_str!("../../src/locale/en.toml").parse().expect("TOML");
    let all: usize = all.values().map(|section| section.as_table().expect("one").len()).sum();
    assert_eq!(count, Some((all - 1).to_string().as_str()), "{one}");
    // Languages that are built in have all texts.
    assert!(!words("de-AT", "[list]\narchive = \"Register\"\n").contains("untranslated"));
    assert!(!words("pt", include_str!("../../src/locale/en.toml")).contains("untranslated"));
}

#[test]
fn refused_urls_of_one_scheme_are_reported_together() {
    let links: String = (0..50).map(|number| format!("[a](diff://{number}) ")).collect();
    let links = links + "[b](https:b)";
    let run = SiteTest::new().file("content/a.convo", convo(&links)).run(&["check"]);
    let message = "URLs that start with `diff:` are not allowed on pages\n";
    assert!(run.stderr.contains(message), "{}", run.stderr);
    assert!(run.stderr.contains("= the same in 4"), "{}", run.stderr);
    assert!(!run.stderr.contains("1 more: warning"), "{}", run.stderr);
    assert!(run.stderr.contains("the URL `https:b` is not allowed on pages"), "{}", run.stderr);
}

#[test]
fn a_broken_link_in_a_template_is_reported_once() {
    let site = SiteTest::new().file("content/a.convo", convo("x")).file(
        "templates/terms.html",
        "<title>{{ page.title }}</title><a href=\"/base/gone/\">a</a><a href=\"/out/\">b</a>",
    );
    let run = site.run(&["check"]);
    assert_eq!(run.stderr.matches("error[dead-link]").count(), 1, "{}", run.stderr);
    assert_eq!(run.stderr.matches("error[outside-base]").count(), 1, "{}", run.stderr);
    assert!(run.stderr.contains("it is on "), "{}", run.stderr);
    assert!(run.stderr.contains(" pages, such as speakers/index.html"), "{}", run.stderr);
}

#[test]
fn carets_align_in_every_script() {
    let text = convo("日本語 ![图](x.png) 後").replace("@Ada", "@王小明");
    let site = SiteTest::new().file("content/a.convo", text);
    assert_data_eq!(
        site.run(&["check"]).stderr,
        str![[r#"
...
1 | ### @王小明
  | ^^^^^^^^^^^
...
"#]]
    );
    let text = convo("日本語 ![图](x.png) 後");
    site.write("content/a.convo", text);
    assert_data_eq!(
        site.run(&["check"]).stderr,
        str![[r#"
...
2 | 日本語 ![图](x.png) 後
  |        ^
...
"#]]
    );
}

#[test]
fn aliases_create_no_files_that_hosts_interpret() {
    for name in [
        "_worker.js", "_Worker.js/", "/_worker.js/index.html", "_routes.json", "_headers/x.html",
        "CNAME", "cname/", ".well-known/x", "_redirects",
    ] {
        let alias = serde_json::to_string(name).expect("JSON");
        let text = convo("x").replace("\"type\"", &format!("\"aliases\": [{alias}], \"type\""));
        let site = SiteTest::new().file("content/a.convo", text);
        let run = site.run(&["build"]);
        assert!(run.stderr.contains("bad-alias"), "{name}: {}", run.stderr);
        let top = name.trim_start_matches('/').split('/').next().expect("a name");
        let made = site.output();
        let is_made =
            |path: &String| path.to_lowercase().starts_with(&format!("{}/", top.to_lowercase()));
        assert!(!made.keys().any(is_made), "{name}");
        let redirect = format!("{BASE}[redirects]\n{alias} = \"archive/\"\n");
        site.write("site.toml", redirect);
        assert!(site.run(&["build"]).stderr.contains("bad-alias"), "{name}");
        assert!(!site.output().keys().any(is_made), "{name}");
    }
}

/// Errors about a value of `site.toml` point at the value.
#[test]
fn a_value_of_the_site_is_underlined() {
    let config = "time_zone = \"Mars/Olympus\"\ntheme = \"no-such-theme\"\n\
        language = \"tlh\"\n[redirects]\n\"robots.txt/x\" = \"archive/\"\n\
        \"x y\" = \"archive/\"\n\"a/\" = \"x y\"\n\"b/\" = \"c/\"\n\"c/\" = \"b/\"\n";
    let site = SiteTest::new()
        .file("site.toml", format!("{BASE}{config}"))
        .file("content/a.convo", convo("x"));
    let run = site.run(&["check", "--message-format", "short"]);
    for expected in [
        "site.toml:2:13: error[bad-value]",
        "site.toml:3:9: error[unknown-theme]",
        "site.toml:4:12: warning[unknown-language]",
        "site.toml:6:1: error[path-taken]",
        "site.toml:7:1: error[bad-alias]",
        "site.toml:8:8: error[bad-alias]",
        "site.toml:9:8: error[bad-alias]",
        "site.toml:10:8: error[bad-alias]",
    ] {
        assert!(run.stderr.contains(expected), "{expected}: {}", run.stderr);
    }
    let run = site.run(&["check"]);
    assert!(run.stderr.contains("^^^^^^^^^^^^^^"), "{}", run.stderr);
}

/// A site that needs a missing feature of this build gets an error.
#[cfg(not(feature = "pictures"))]
#[test]
fn pictures_that_cannot_be_drawn_are_reported() {
    let site = SiteTest::new()
        .file("site.toml", format!("{BASE}[og_images]\nper_conversation = true\n"))
        .file("content/a.convo", convo("x"));
    let run = site.build(1);
    assert!(run.stderr.contains("error[no-pictures]"), "{}", run.stderr);
    assert!(run.stderr.contains("site.toml:3:1"), "{}", run.stderr);
    assert!(site.output().contains_key("index.html"));
}

/// Characters that terminals or logs interpret.
fn unsafe_characters() -> Vec<char> {
    let ranges = [
        '\u{1}'..='\u{1f}',
        '\u{7f}'..='\u{9f}',
        '\u{61c}'..='\u{61c}',
        '\u{200b}'..='\u{200b}',
        '\u{200e}'..='\u{200f}',
        '\u{2028}'..='\u{202e}',
        '\u{2066}'..='\u{2069}',
        '\u{feff}'..='\u{feff}',
        '\u{fff9}'..='\u{fffb}',
        '\u{e0001}'..='\u{e007f}',
    ];
    ranges.into_iter().flatten().collect()
}

/// Text in each field of a note in each format cannot control a terminal or a host or end a line,
/// and programs read back the original.
#[test]
fn messages_cannot_control_terminals_or_hosts() {
    let texts = unsafe_characters().into_iter().map(|c| format!("a{c}b"));
    let texts = texts.chain(
        [
            "::error::x",
            "a%0A::error::x",
            "a\r\n::error::x",
            "a,line=1",
            "a:b,c::d",
            "100%",
            "##[error]x",
            "\u{1b}]8;;https://x.example\u{7}y",
            "\u{1b}[2J\"'\\\"",
        ]
        .map(str::to_owned),
    );
    for text in texts {
        let span = Span { line: 1, column: 1, end_column: 2, ..Span::default() };
        let span = Span { excerpt: text.clone(), excerpt_column: 1, ..span };
        let note = Diagnostic::new(Severity::Error, "bad-json", text.clone());
        let mut note = note.hint(text.clone());
        note.at = Some(Location { file: text.clone(), span: Some(span) });
        for format in emit::Format::ALL {
            let shown = emit::render(format, &[note.clone()]);
            let what = format!("{format:?} {text:?}: {shown:?}");
            // Only convo-site itself adds styles.
            let plain = anstream::adapter::strip_str(&shown).to_string();
            let is_bad = |c: char| c != '\n' && unsafe_characters().contains(&c);
            assert!(!plain.contains(is_bad), "{what}");
            match format {
                emit::Format::Human | emit::Format::Verbose => {}
                emit::Format::Short => assert_eq!(shown.lines().count(), 1, "{what}"),
                emit::Format::Json => {
                    let rows: serde_json::Value = serde_json::from_str(&shown).expect("JSON");
                    for field in ["/0/message", "/0/file", "/0/hints/0"] {
                        assert_eq!(rows.pointer(field).expect(field), &text, "{what}");
                    }
                }
                emit::Format::Sarif => {
                    let log: serde_json::Value = serde_json::from_str(&shown).expect("JSON");
                    let message = log.pointer("/runs/0/results/0/message/text");
                    let whole = format!("{text}\nhelp: {text}");
                    assert_eq!(message.expect("a text"), &whole, "{what}");
                    let uri = "/runs/0/results/0/locations/0/physicalLocation/artifactLocation/uri";
                    let uri = log.pointer(uri).and_then(|uri| uri.as_str()).expect("a URI");
                    assert!(uri.bytes().all(|byte| byte.is_ascii_graphic()), "{what}");
                }
                emit::Format::Github => {
                    assert_eq!(shown.lines().count(), 1, "{what}");
                    let rest = shown.strip_prefix("::error ").expect("a command");
                    let (properties, message) = rest.split_once("::").expect("a message");
                    let names = properties.split(',').map(|one| one.split('=').next());
                    let names: Vec<&str> = names.map(|name| name.expect("a name")).collect();
                    let known = ["title", "file", "line", "col", "endColumn"];
                    assert_eq!(names, known, "{what}");
                    assert!(!properties.contains(':') && !message.contains('\r'), "{what}");
                    // Each percent sign starts an escape, or is escaped itself.
                    let escapes = message.split('%').skip(1);
                    let is_escape =
                        |rest: &str| rest.starts_with("25") || rest.starts_with("0Ahelp");
                    assert!(escapes.into_iter().all(is_escape), "{what}");
                }
            }
        }
    }
}

/// A file name is never printed unescaped, in any command and format.
#[cfg(unix)]
#[test]
fn file_names_are_never_printed_unescaped() {
    let name = "content/a\u{1b}[31m\u{9b}2J\u{202e}%0A::error::b,c.json";
    let site = SiteTest::new().file("content/b.convo", convo("Hello."));
    site.write(name, "{\"messages\": [{\"role\": \"user\", \"content\": ");
    for format in ["human", "short", "json", "github", "sarif"] {
        for command in [
            &["check", "--message-format", format][..],
            &["build", "--message-format", format],
            &["import", "content", "--message-format", format],
            &["convert", "content", "--to", "convo", "-o", "out", "--message-format", format],
        ] {
            let run = site.run(command);
            let all = format!("{}{}", run.stdout, run.stderr);
            let is_bad = |c: char| matches!(c, '\u{1b}' | '\u{9b}' | '\u{202e}');
            assert!(!all.contains(is_bad), "{command:?}: {all:?}");
            let is_obeyed = format == "github" && all.contains("%0A::error::b,c");
            assert!(!is_obeyed, "{command:?}: {all:?}");
            std::fs::remove_dir_all(site.path("out")).ok();
        }
    }
    for command in
        [&["status", "--all"][..], &["status", "--json"], &["import", "content", "--json"]]
    {
        let run = site.run(command);
        let all = format!("{}{}", run.stdout, run.stderr);
        assert!(!all.contains(['\u{1b}', '\u{9b}', '\u{202e}']), "{command:?}: {all:?}");
    }
}

//! Themes: the built-in ones, inheritance, and changes by a site.

use std::collections::BTreeMap;

use crate::support::{BASE, SiteTest, convo, run_in};

fn site(look: &str) -> SiteTest {
    SiteTest::new().file("site.toml", format!("{BASE}{look}")).file("content/a.convo", convo("x"))
}

/// The style sheets of the home page in order, by the stem of their names.
fn styles(site: &SiteTest) -> Vec<(String, String)> {
    let output: BTreeMap<String, Vec<u8>> = site.output();
    let home = site.page("index.html", "");
    let links = home.split("<link rel=\"stylesheet\" href=\"/base/").skip(1);
    let paths = links.map(|rest| rest.split('"').next().expect("an end").to_owned());
    paths
        .map(|path| {
            let text = String::from_utf8(output[&path].clone()).expect("UTF-8");
            let name = path.trim_start_matches("assets/").split('.').next().expect("a stem");
            (name.to_owned(), text)
        })
        .collect()
}

fn names(site: &SiteTest) -> Vec<String> {
    styles(site).into_iter().map(|(name, _)| name).collect()
}

#[test]
fn themes_are_listed() {
    let site = site("")
        .file("themes/mine/theme.toml", "title = 'Mine'\ndescription = 'Of my own.'\n")
        .file("themes/chat/assets/x.css", "");
    let run = site.run(&["list", "themes"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let rows: Vec<Vec<&str>> =
        run.stdout.lines().map(|line| line.split_whitespace().collect()).collect();
    assert_eq!(rows[0], ["NAME", "TITLE", "FROM", "DESCRIPTION"]);
    assert_eq!(rows[1][..4], ["paper", "Paper", "built", "in"]);
    assert_eq!(rows[2], ["chat", "the", "site"]);
    assert_eq!(rows[3][..2], ["transcript", "Transcript"]);
    assert_eq!(rows[4], ["mine", "Mine", "the", "site", "Of", "my", "own."]);
    let elsewhere = tempfile::tempdir().expect("a folder");
    assert_eq!(run_in(elsewhere.path(), &["list", "themes"], &[]).code, Some(0));
}

#[test]
fn a_theme_extends_another() {
    let site = site("theme = 'mine'\n")
        .file("themes/mine/theme.toml", "extends = 'chat'\n")
        .file("themes/mine/assets/mine.css", "p { color: red; } /* not sent */\n")
        .file(
            "themes/mine/templates/home.html",
            "{% extends \"base.html\" %}{% block main %}mine{% endblock main %}",
        );
    site.build(0);
    let styles = styles(&site);
    let names: Vec<&str> = styles.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["style", "home", "lists", "profile", "chat", "mine"]);
    assert_eq!(styles[5].1, "p{color:red}\n");
    assert!(site.page("index.html", "").contains("mine"));
    // A file with the same name replaces that of the parent.
    site.write("themes/mine/assets/chat.css", "q {}");
    site.build(0);
    assert_eq!(self::styles(&site)[4].1, "q{}\n");
}

#[test]
fn an_invalid_theme_is_reported() {
    let site = site("theme = 'a'\n")
        .file("themes/a/theme.toml", "extends = 'b'\n")
        .file("themes/b/theme.toml", "extends = 'a'\n");
    let run = site.build(1);
    assert!(run.stderr.contains("the theme `a` extends itself"), "{}", run.stderr);
    site.write("themes/b/theme.toml", "extends = 'nobody'\n");
    let run = site.build(1);
    assert!(run.stderr.contains("themes/b/theme.toml"), "{}", run.stderr);
    assert!(
        run.stderr.contains("unknown theme `nobody`; falling back to `paper`"),
        "{}",
        run.stderr
    );
    assert_eq!(names(&site), ["style", "home", "lists", "profile"]);
    site.write("themes/a/theme.toml", "extend = 'paper'\n");
    let run = site.build(1);
    assert!(run.stderr.contains("themes/a/theme.toml:1:1"), "{}", run.stderr);
}

#[test]
fn a_site_changes_colours_fonts_width_and_logo() {
    let look = "[look]\ncolors = { link = '#00695c' }\ndark_colors = { link = 'rgb(1 2 3)' }\n\
        fonts = { serif = '\"Mine\", serif' }\nwidth = '40rem'\nlogo = 'logo.svg'\n";
    let site = site(look).file("logo.svg", "<svg xmlns=\"http://www.w3.org/2000/svg\"/>");
    site.build(0);
    let styles = styles(&site);
    let (name, text) = styles.last().expect("styles");
    assert_eq!(name, "site");
    assert_eq!(
        text,
        ":root{--link:#00695c;--serif:\"Mine\",serif;--measure:40rem}\n\
         @media screen and (prefers-color-scheme:dark){:root:not([data-scheme=light]){--link:rgb(1 2 3)}}\n\
         @media screen{:root[data-scheme=dark]{--link:rgb(1 2 3)}}\n"
    );
    assert!(site.page("index.html", "").contains("<img src=\"/base/assets/logo."));
    assert!(site.page("assets/logo.", ".svg").starts_with("<svg"));
}

#[test]
fn colours_are_validated() {
    for table in ["colors", "dark_colors"] {
        for (color, expected) in [
            ("grene", "unknown colour `grene`; did you mean `green`?"),
            ("#12", "expected a colour such as `#1c5d74`"),
            ("#12345g", "expected a colour such as `#1c5d74`"),
            ("1c5d74", "expected a colour such as `#1c5d74`"),
            ("4px", "expected a colour such as `#1c5d74`"),
            ("rgb(1 2 3", "expected a colour such as `#1c5d74`"),
            ("rgb(1 2 3) 4px", "expected a colour such as `#1c5d74`"),
            ("calc(1 + 2)", "expected a colour such as `#1c5d74`"),
        ] {
            let site = site(&format!("[look]\n{table} = {{ link = '{color}' }}\n"));
            let run = site.build(1);
            assert!(run.stderr.contains("error[bad-value]"), "{color}: {}", run.stderr);
            assert!(run.stderr.contains(expected), "{color}: {}", run.stderr);
        }
        for color in [
            "#123",
            "#12345678",
            "Teal",
            "transparent",
            "rgb(1 2 3 / 50%)",
            "hsl(120deg, 75%, 25%)",
            "color-mix(in srgb, rgb(1 2 3) 40%, teal)",
            "var(--ink)",
        ] {
            site(&format!("[look]\n{table} = {{ link = '{color}' }}\n")).build(0);
        }
    }
}

#[test]
fn theme_settings_cannot_inject_css() {
    for bad in [
        "colors = { link = 'red; } body { display: none' }",
        "colors = { link = 'url(https://spy.example/)' }",
        "colors = { 'x: red; y' = 'red' }",
        "fonts = { serif = '\"open' }",
        "width = '1rem /* '",
        "colours = {}",
    ] {
        let site = site(&format!("[look]\n{bad}\n"));
        let run = site.build(1);
        assert!(run.stderr.contains("bad-value"), "{bad}: {}", run.stderr);
        assert_eq!(names(&site), ["style", "home", "lists", "profile"], "{bad}");
    }
    for logo in ["no.png", "../x.png", "site.toml"] {
        let run = site(&format!("[look]\nlogo = '{logo}'\n")).build(1);
        assert!(run.stderr.contains("bad-image"), "{logo}: {}", run.stderr);
    }
}

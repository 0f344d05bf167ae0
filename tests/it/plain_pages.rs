//! Customizations of a site: plain pages, menu, footer, head, home page, and copied files.

use crate::support::{BASE, SiteTest};

const TALK: &str = "---\ntitle: Why eels?\ndate: 2026-03-04\nspeakers: [Ada, Bo]\n\
    tags: [eels]\n---\n**Ada:** See [about](../pages/about.md).\n\n**Bo:** I do.\n";

fn site(config: &str) -> SiteTest {
    SiteTest::new()
        .file("site.toml", format!("{BASE}title = 'The Mill'\n{config}"))
        .file("content/talk.md", TALK)
}

/// The file of the only conversation.
fn talk(site: &SiteTest) -> String {
    site.page("c/2026-03-04-why-eels", "index.html")
}

#[test]
fn markdown_files_become_pages() {
    let site = site("")
        .file(
            "pages/about.md",
            "---\ndescription: What this is.\nmenu: true\n---\n# About *us*\n\n\
             See [the talk](../content/talk.md), [teeth](mill/eel.md#teeth), \
             [all](/archive/) and [why](#why-us).\n\n## Why us?\n\n<b>raw</b>\n\n## Why us?\n",
        )
        .file("pages/mill/eel.md", "# Eels\n\n## Teeth\n\nOnly quagmirish ones.\n")
        .file(
            "content/series.md",
            "+++\npage = true\ntitle = \"Series\"\nslug = \"all/of-it\"\n+++\nHm.\n",
        );
    let run = site.build(0);
    assert!(run.stderr.contains("built 1 conversation"), "{}", run.stderr);
    assert!(!run.stderr.contains("warning["), "{}", run.stderr);
    let about = site.page("about/index.html", "");
    for part in [
        "<h1 dir=\"auto\">About us</h1>",
        "What this is.</p>",
        "<h2 id=\"why-us\">",
        "<h2 id=\"why-us-2\">",
        "href=\"/base/mill/eel/#teeth\"",
        "href=\"/base/archive/\">all</a>",
        "href=\"#why-us\"",
        "&lt;b&gt;raw",
        "\"@type\":\"AboutPage\"",
        "href=\"/base/about/\" aria-current",
        "type=\"text/markdown\" href=\"/base/about/index.md\"",
    ] {
        assert!(about.contains(part), "{part}: {about}");
    }
    let conversation = talk(&site);
    let address = about.split("href=\"/base/c/").nth(1).expect("a link to the talk");
    assert!(address.starts_with("2026-03-04-why-eels"), "{about}");
    assert!(conversation.contains("<a href=\"/base/about/\">about</a>"), "{conversation}");
    assert!(site.page("all/of-it/index.html", "").contains("Hm."));
    assert!(site.page("about/index.md", "").starts_with("# About us\n"));
    for list in ["sitemap.xml", "llms.txt"] {
        assert!(site.page(list, "").contains("/mill/eel/"), "{list}");
    }
}

#[cfg(feature = "local-search")]
#[test]
fn search_finds_pages() {
    let site = site("").file("pages/eel.md", "# Eels\n\nOnly quagmirish ones.\n");
    let run = site.run(&["search", "quagmirish"]);
    assert!(run.stdout.contains("Eels"), "{} {}", run.stdout, run.stderr);
}

#[test]
fn private_or_secret_files_are_not_pages() {
    let secret = ["AK", "IA", "QYLPMN5HFIQR7XYA"].concat();
    let site = site("")
        .file("pages/a.md", "---\nprivate: true\n---\nword-one\n")
        .file("pages/b.md", "---\ndraft: true\n---\nword-two\n")
        .file("pages/c.md", "---\ntitle: [\n---\nword-three\n")
        .file("pages/d.md", format!("word-four {secret}\n"));
    let run = site.run(&["build"]);
    assert_eq!(run.code, Some(1), "{}", run.stderr);
    for (path, bytes) in site.output() {
        let text = String::from_utf8_lossy(&bytes);
        for word in ["word-one", "word-two", "word-three", "word-four", &secret] {
            assert!(!text.contains(word), "{path}: {word}");
        }
    }
}

#[test]
fn invalid_links_and_urls_are_reported() {
    let site = site("")
        .file("pages/about.md", "# A\n\n[x](none.md) [y](/nothing/) [z](#gone)\n")
        .file("pages/archive.md", "Mine.\n")
        .file("pages/other.md", "+++\npage = true\nslug = \"about\"\n+++\nHm.\n");
    let run = site.build(1);
    for part in [
        "for the link `none.md`", "for the link `/nothing/`", "for the link `#gone`",
        "pages/about.md:3:1", "`/archive/` is already used", "`/about/` is already used",
    ] {
        assert!(run.stderr.contains(part), "{part}: {}", run.stderr);
    }
    assert!(site.page("archive/index.html", "").contains("March 2026"));
}

#[test]
fn an_edited_page_is_built_again() {
    let site = site("").file("pages/about.md", "One.\n");
    site.build(0);
    site.write("pages/about.md", "Two.\n");
    site.build(0);
    assert!(site.page("about/index.html", "").contains("Two."));
    std::fs::remove_file(site.path("pages/about.md")).expect("removed");
    site.build(0);
    assert!(!site.output().contains_key("about/index.html"));
}

#[test]
fn menu_footer_and_head_can_be_customized() {
    let config = "[[menu]]\npage = 'about'\n[[menu]]\ntitle = 'All talks'\nsection = 'archive'\n\
        [[menu]]\ntitle = 'Code'\nurl = 'https://code.example/'\n\
        [footer]\ntext = 'Texts are **free**, see [about](/about/).'\nmade_with = false\n\
        links = [{ title = 'Imprint', page = 'about' }]\n\
        [head]\nme = ['https://social.example/@ada']\nfavicon = 'icon.png'\n\
        verification = { 'google-site-verification' = 'a\"b' }\n";
    let png: &[u8] =
        b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01\x08\x06\0\0\0\x1f\x15\xc4\x89\
        \0\0\0\nIDATx\x9cc\0\x01\0\0\x05\0\x01\r\n\x2d\xb4\0\0\0\0IEND\xaeB`\x82";
    let site = site(config).file("pages/about.md", "# About us\n\nWe.\n").file("icon.png", png);
    site.build(0);
    let page = talk(&site);
    let menu = page.split("<ul id=\"site-menu\"").nth(1).expect("a menu");
    let menu = menu.split("</ul>").next().expect("its end");
    let titles: Vec<&str> = menu
        .split("</a>")
        .filter_map(|part| part.rsplit_once('>').map(|(_, title)| title))
        .filter(|title| !title.trim().is_empty())
        .collect();
    assert_eq!(titles, ["About us", "All talks", "Code"]);
    for part in [
        "Texts are <strong>free</strong>, see <a href=\"/base/about/\">",
        ">Imprint</a>",
        "<link rel=\"me\" href=\"https://social.example/@ada\">",
        "<meta name=\"google-site-verification\" content=\"a&quot;b\">",
        "<link rel=\"icon\" href=\"/base/assets/favicon.",
        "href=\"/base/atom.xml\">",
        "href=\"/base/feed.json\">",
    ] {
        assert!(page.contains(part), "{part}: {page}");
    }
    assert!(!page.contains("Made with"));
}

#[test]
fn invalid_menu_footer_and_head_are_reported_with_their_position() {
    for (config, place, message) in [
        ("[[menu]]\npage = 'none'\n", "site.toml:4:8", "for the link `none`"),
        ("[[menu]]\ntitle = 'x'\nurl = 'javascript:x'\n", "site.toml:3", "expected a `url`"),
        ("[[menu]]\nsection = 'all'\n", "site.toml:3", "unknown section `all`"),
        ("[head]\nme = ['http://x']\n", "site.toml:4", "expected a URL"),
        (
            "[head]\nverification = { robots = 'x' }\n",
            "site.toml:4",
            "pages set this tag themselves",
        ),
        ("[home]\nparts = ['all']\n", "site.toml:4:10", "unknown value"),
        ("[footer]\ntext = '[x](/none/)'\n", "site.toml:3", "for the link `/none/`"),
    ] {
        let run = site(config).run(&["build"]);
        assert!(run.stderr.contains(place), "{config}: {}", run.stderr);
        assert!(run.stderr.contains(message), "{config}: {}", run.stderr);
    }
}

#[test]
fn the_home_page_has_its_sections_in_order() {
    let site = site("[home]\nparts = ['latest', 'search', 'text']\ntext = 'Hello *you*.'\n");
    site.build(0);
    let home = site.page("index.html", "");
    let place = |part: &str| home.find(part).unwrap_or_else(|| panic!("{part}: {home}"));
    assert!(place("Why eels?") < place("class=\"home-search\""));
    assert!(place("class=\"home-search\"") < place("Hello <em>you</em>."));
    assert!(!home.contains("class=\"aside\""), "no empty column: {home}");
    site.write("pages/home.md", "Better.\n");
    site.build(0);
    let home = site.page("index.html", "");
    assert!(home.contains("Better.") && !home.contains("Hello"), "{home}");
}

#[test]
fn the_home_page_shows_the_conversations_over_time() {
    let talk = |date: &str| {
        format!(
            "---\ntitle: Talk of {date}\ndate: {date}\nspeakers: [Ada, Bo]\n---\n\n**Ada:** Rain?\n\n**Bo:** Rain.\n"
        )
    };
    let bars = |site: &SiteTest| {
        let home = site.page("index.html", "");
        let bars = home.split("<rect ").skip(1);
        let bars =
            bars.filter_map(|bar| Some(bar.split_once("<title>")?.1.split_once('<')?.0.to_owned()));
        bars.collect::<Vec<_>>()
    };
    let site = SiteTest::new().file("site.toml", BASE);
    site.write("content/a.md", talk("2025-03-01"));
    site.write("content/b.md", talk("2025-03-30"));
    site.build(0);
    assert_eq!(bars(&site), [""; 0], "one month needs no drawing");
    site.write("content/c.md", talk("2025-05-02"));
    site.build(0);
    assert_eq!(bars(&site), ["March 2025: 2 conversations", "May 2025: 1 conversation"]);
    let home = site.page("index.html", "");
    assert!(home.contains("<a href=\"/base/archive/2025/05/\" tabindex=\"-1\">"), "{home}");
    assert!(home.contains(">2025</text>"), "{home}");
    assert!(home.contains(">May 2025</a>"), "for keyboards, the months are a list: {home}");
    // Many months have a bar for each year.
    site.write("content/d.md", talk("2013-01-01"));
    site.build(0);
    assert_eq!(bars(&site), ["2013: 1 conversation", "2025: 3 conversations"]);
    site.write("content/e.md", talk("0002-01-01"));
    site.build(0);
    assert_eq!(bars(&site), [""; 0], "2,000 bars would be too narrow");
}

#[test]
fn the_archive_is_grouped_by_month() {
    let mut site = site("page_entries = 3\n");
    for (month, day) in [(1, 5), (1, 9), (2, 3), (5, 1), (5, 2), (5, 3)] {
        let text = format!(
            "---\ntitle: Talk {month}-{day}\ndate: 2025-{month:02}-{day:02}\nspeakers: [Ada, Bo]\n\
             ---\n**Ada:** Day {day}?\n\n**Bo:** In {month}.\n"
        );
        site = site.file(&format!("content/{month}-{day}.md"), text);
    }
    site.build(0);
    let archive = site.page("archive/index.html", "");
    assert!(archive.contains("March 2026") && archive.contains("May 2025"), "{archive}");
    assert_eq!(archive.matches("<li class=\"card\"").count(), 3, "the newest of many");
    assert!(archive.contains("All of 2025"), "{archive}");
    let year = site.page("archive/2025/index.html", "");
    assert_eq!(year.matches("class=\"month\"").count(), 3, "all of a few: {year}");
    assert!(year.contains("aria-current=\"page\">2025</a>"), "{year}");
    // Months and the archive are already covered by the longer listings.
    site.write("site.toml", format!("{BASE}title = 'The Mill'\npage_entries = 2\n"));
    site.build(0);
    let year = site.page("archive/2025/index.html", "");
    assert_eq!(year.matches("<li class=\"card\"").count(), 2, "the newest: {year}");
    let goes_on = "<p class=\"more\"><a href=\"/base/archive/2025/05/\">May 2025</a></p>";
    assert!(year.contains(goes_on), "{year}");
    let paths = site.output();
    assert!(!paths.contains_key("archive/2025/page/2/index.html"));
    assert!(paths.contains_key("archive/2025/05/page/2/index.html"));
    let speaker = site.page("speakers/ada/index.html", "");
    let all = "<p class=\"more\"><a href=\"/base/archive/\">Archive</a></p>";
    assert!(speaker.contains(all), "she is in all of them: {speaker}");
    assert!(!paths.contains_key("speakers/ada/page/2/index.html"));
}

#[test]
fn static_files_are_copied_and_secrets_are_not() {
    let key = ["-----BEGIN ", "PRIVATE KEY-----\n"].concat();
    let secret = ["AK", "IA", "QYLPMN5HFIQR7XYA"].concat();
    let site = site("[[redact]]\nwords = ['Acme']\n")
        .file("static/favicon.ico", [0, 1, 2])
        .file("static/CNAME", "mill.example\n")
        .file("static/.well-known/security.txt", "Contact: mailto:a@example.org\n")
        .file("static/deep/er/map.txt", "<b>map</b>\n")
        .file("static/index.html", "mine\n");
    let run = site.build(1);
    assert!(run.stderr.contains("the site already has a file `index.html`"), "{}", run.stderr);
    let output = site.output();
    assert_eq!(output["favicon.ico"], [0, 1, 2]);
    assert_eq!(output["deep/er/map.txt"], b"<b>map</b>\n");
    assert!(output.contains_key("CNAME") && output.contains_key(".well-known/security.txt"));
    assert!(!String::from_utf8_lossy(&output["index.html"]).contains("mine"));
    for (name, text) in [
        ("people.key", "x"),
        (".env", "x"),
        ("server.pem", key.as_str()),
        ("notes.txt", secret.as_str()),
        ("list.txt", "Acme owes us flour.\n"),
        ("talk.md", TALK),
    ] {
        site.write(&format!("static/{name}"), text);
        let run = site.build(1);
        assert!(run.stderr.contains(&format!("static/{name}")), "{name}: {}", run.stderr);
        assert!(run.stderr.contains("static-refused"), "{name}: {}", run.stderr);
        assert!(!site.output().contains_key(name), "{name}");
        std::fs::remove_file(site.path(&format!("static/{name}"))).expect("removed");
    }
}

/// Builds with a file in `static/` that must not be copied, and returns the message.
#[track_caller]
fn refused(site: &SiteTest, name: &str, bytes: &[u8], code: &str, part: &str) -> String {
    site.write(&format!("static/{name}"), bytes);
    let run = site.build(1);
    std::fs::remove_file(site.path(&format!("static/{name}"))).expect("removed");
    assert!(run.stderr.contains(&format!("error[{code}]")), "{name}: {}", run.stderr);
    assert!(run.stderr.contains(part), "{name}: {}", run.stderr);
    let output = site.output();
    let is_there = output.get(name).is_some_and(|there| there == bytes);
    assert!(!is_there, "{name}: {}", run.stderr);
    run.stderr
}

#[test]
fn static_files_of_any_type_are_scanned() {
    let site =
        site("[[redact]]\nwords = ['Acme']\n[people.'Ada Birch']\nas = 'Bea'\npseudonym = true\n");
    let no =
        |name: &str, bytes: &[u8], part: &str| refused(&site, name, bytes, "static-refused", part);
    let secret = ["key: AK", "IA", "QYLPMN5HFIQR7XYA and more\n"].concat();
    let utf16: Vec<u8> = secret.encode_utf16().flat_map(u16::to_le_bytes).collect();
    no("a.txt", &[b"caf\xe9 \xff\n", secret.as_bytes()].concat(), "may contain a secret");
    no("b.txt", &[&[0xff, 0xfe], &utf16[..]].concat(), "may contain a secret");
    no("c.txt", &[&[0xff, 0xfe], secret.as_bytes()].concat(), "may contain a secret");
    no("d.bin", &[&[0, 1, 2, 0xff], secret.as_bytes()].concat(), "may contain a secret");
    let export = r#"[{"title":"T","create_time":1700000000.0,"mapping":{"a":{"id":"a","message":{"author":{"role":"user"},"content":{"content_type":"text","parts":["Hi"]}},"parent":null,"children":[]}},"current_node":"a"}]"#;
    for name in ["e.json", "e.json.bak", "e", "e.html"] {
        no(name, export.as_bytes(), "contains conversations");
    }
    for name in ["talk.md.bak", "talk", "talk.html"] {
        no(name, TALK.as_bytes(), "contains conversations");
    }
    no("f.md", b"---\nprivate: true\n---\nPlans.\n", "private");
    no("g.markdown", b"---\ndraft: true\n---\nPlans.\n", "a draft");
    no("h.zip", b"x", "an archive");
    no("i.dat", b"PK\x03\x04 and so on", "unpack it");
    no("j.html", b"\x1f\x8b\x08", "an archive");
    let message = no("Acme-logo.svg", b"<svg/>", "its name contains redacted text");
    assert!(!message.contains("Acme"), "{message}");
    no("ada-birch/cv.txt", b"x", "person's name");
    no("k.jpg", b"\xff\xd8\xff\xe1\0", "a damaged image");
    for (name, bytes) in [
        ("robots-of-mine.txt", &b"User-agent: *\nDisallow: /x\n"[..]),
        ("page.html", b"<!doctype html><p>A page: yes.\nB page: no.\n"),
        ("a.css", b"a { color: red; }\nb { color: blue; }\n"),
        ("a.json", b"{\"name\": \"The Mill\", \"icons\": []}"),
        ("a.woff2", b"wOF2\0\x01\0\0\xff\xfe\xfa\0mail me@example.net\0\xff"),
        ("book.epub", b"PK\x03\x04\x14\0\0\0\0\0\0\0\0\0\0\0\0\0\x14\0\0\0\x14\0\0\0\x08\0\0\0mimetypeapplication/epub+zip"),
        ("LICENSE", b"MIT License\n\nPermission is hereby granted: do as you like.\n"),
        ("cname.bak", b"mill.example\n"),
    ] {
        site.write(&format!("static/{name}"), bytes);
    }
    let run = site.build(0);
    let output = site.output();
    for name in ["robots-of-mine.txt", "page.html", "a.woff2", "book.epub", "LICENSE"] {
        assert!(output.contains_key(name), "{name}: {}", run.stderr);
    }
}

#[test]
fn static_pictures_have_no_metadata() {
    let gif = |comment: &[u8]| {
        let start = b"GIF89a\x01\0\x01\0\x80\0\0\0\0\0\xff\xff\xff";
        let end = b",\0\0\0\0\x01\0\x01\0\0\x02\x02D\x01\0;";
        [&start[..], comment, end].concat()
    };
    let image = gif(b"!\xfe\x05where\0");
    let site = site("").file("static/a.gif", image);
    site.build(0);
    assert_eq!(site.output()["a.gif"], gif(b""));
}

#[test]
fn generated_files_win_over_static_files() {
    let site = site("[redirects]\n'old/' = '/archive/'\n");
    for name in ["_headers", "_redirects", "robots.txt", "Robots.TXT", "INDEX.html", "c", "archive"]
    {
        let message = refused(&site, name, b"mine\n", "path-taken", "is not copied");
        assert!(message.contains(&format!("static/{name}")), "{name}: {message}");
        assert!(site.output().contains_key("archive/index.html"), "{name}");
        assert!(!site.output().contains_key("INDEX.html"), "{name}");
    }
}

#[cfg(unix)]
#[test]
fn symbolic_links_are_not_followed() {
    let site = site("").file("secret.txt", "hidden words\n").file("static/a.txt", "a\n");
    std::os::unix::fs::symlink(site.path("secret.txt"), site.path("static/b.txt")).expect("a link");
    let run = site.run(&["build"]);
    assert!(run.stderr.contains("static/b.txt"), "{}", run.stderr);
    assert!(!site.output().contains_key("b.txt"));
}

#[test]
fn unread_files_are_reported_once() {
    let site = site("")
        .file("README.md", "x")
        .file("package.json", "{}")
        .file("drafts/x.md", "x")
        .file("notes.txt", "x");
    let run = site.build(0);
    let expected = "`drafts/`, `notes.txt` are next to site.toml";
    assert_eq!(run.stderr.matches("unknown-file").count(), 1, "{}", run.stderr);
    assert!(run.stderr.contains(expected), "{}", run.stderr);
}

#[test]
fn no_url_reveals_hidden_words() {
    let site = SiteTest::new()
        .file(
            "site.toml",
            format!(
                "{BASE}[people.\"Kermit Zanzibar\"]\npseudonym = true\n\
                 [[redact]]\nwords = [\"Acmecorp\"]\n"
            ),
        )
        .file("content/Kermit Zanzibar/_index.md", "Hello.\n")
        .file("content/Kermit Zanzibar/a.md", "**Ada:** Good day.\n\n**Bea:** Yes.\n")
        .file("pages/Kermit Zanzibar.md", "Hello.\n")
        .file("pages/Acmecorp.md", "Hello.\n")
        .file("pages/about.md", "Hello.\n");
    let run = site.build(1);
    assert_eq!(run.stderr.matches("error[telling-name]").count(), 3, "{}", run.stderr);
    let output = site.output();
    assert!(output.contains_key("about/index.html"), "{:?}", output.keys());
    for (path, bytes) in &output {
        let text = format!("{path} {}", String::from_utf8_lossy(bytes)).to_lowercase();
        for word in ["kermit", "zanzibar", "acmecorp"] {
            assert!(!text.contains(word), "{word} in {path}");
        }
    }
}

#[test]
fn secrets_in_site_toml_are_not_published() {
    let token = format!("ghp{}{}", "_", "w7Q2nXbR4kTz9LmVd3Ys8HcJ6fPgA1eUo5Bi");
    let site = SiteTest::new()
        .file(
            "site.toml",
            format!(
                "{BASE}description = \"{token}\"\n\
                 menu = [{{ title = \"x\", url = \"https://a.example/?{token}\" }}]\n\
                 [head]\nverification = {{ \"google-site-verification\" = \"{token}\" }}\n"
            ),
        )
        .file("content/a.md", "**Ada:** Good day.\n\n**Bea:** Yes.\n");
    let run = site.build(1);
    assert_eq!(run.stderr.matches("error[secret-in-site]").count(), 3, "{}", run.stderr);
    for (path, bytes) in &site.output() {
        assert!(!String::from_utf8_lossy(bytes).contains(&token), "{path}");
    }
}

#[test]
fn a_page_whose_name_starts_with_a_dot_is_reported() {
    let site = site("")
        .file("pages/about.md", "We.\n")
        .file("pages/.about.md", "word-one\n")
        .file("pages/mill/a.md", "A.\n")
        .file("pages/mill/.b.md", "word-two\n")
        .file("pages/._about.md", "word-three\n");
    let run = site.build(0);
    for name in ["pages/.about.md", "pages/mill/.b.md"] {
        assert!(run.stderr.contains(name), "{name}: {}", run.stderr);
    }
    assert!(!run.stderr.contains("pages/._about.md"), "{}", run.stderr);
    for (path, bytes) in site.output() {
        assert!(!String::from_utf8_lossy(&bytes).contains("word-"), "{path}");
    }
}

#[test]
fn a_scheduled_static_text_is_not_copied() {
    let site = site("")
        .file("static/later.md", "---\npublish: 2027-01-01\n---\nPlans.\n")
        .file("static/over.md", "---\nexpires: 2026-01-01\n---\nPlans.\n")
        .file("static/now.md", "---\npublish: 2026-01-01\nexpires: 2028-01-01\n---\nPlans.\n");
    let run = site.run(&["build", "--today", "2026-06-01"]);
    assert_eq!(run.code, Some(1));
    assert!(run.stderr.contains("it is marked as scheduled for 2027-01-01"), "{}", run.stderr);
    assert!(run.stderr.contains("it is marked as expired on 2026-01-01"), "{}", run.stderr);
    let output = site.output();
    let there = ["later.md", "over.md", "now.md"].map(|name| output.contains_key(name));
    assert_eq!(there, [false, false, true]);
    let run = site.run(&["build", "--today", "2027-06-01"]);
    assert!(!run.stderr.contains("2027-01-01"), "{}", run.stderr);
    assert!(site.output().contains_key("later.md"));
}

#[test]
fn an_unreviewed_page_is_withheld_if_review_is_required() {
    let site = site("review = 'required'\n")
        .file("pages/a.md", "---\nreviewed: false\n---\nword-one\n")
        .file("pages/b.md", "word-two\n")
        .file("pages/d.md", "---\nreviewed: true\n---\nword-three\n");
    site.run(&["build"]);
    let all: String =
        site.output().values().map(|bytes| String::from_utf8_lossy(bytes).into_owned()).collect();
    assert!(!all.contains("word-one"));
    assert!(all.contains("word-two") && all.contains("word-three"));
    let site = self::site("").file("pages/a.md", "---\nreviewed: false\n---\nword-one\n");
    site.build(0);
    assert!(site.page("a/index.html", "").contains("word-one"));
}

#[test]
fn a_static_file_at_the_url_of_a_redirect_is_reported() {
    for (name, from) in [("old", "old/"), ("old/index.html", "old/"), ("old.html", "old.html")] {
        let site = site(&format!("[redirects]\n'{from}' = 'archive/'\n"))
            .file(&format!("static/{name}"), "mine\n");
        let run = site.build(1);
        assert!(run.stderr.contains("error[path-taken]"), "{name}: {}", run.stderr);
        assert!(run.stderr.contains("site.toml:4"), "{name}: {}", run.stderr);
    }
}

#[test]
fn templates_can_read_extra_data_of_a_page() {
    let site = site("")
        .file("pages/about.md", "---\nextra: { berth: Alder }\n---\nWe.\n")
        .file("pages/home.md", "---\nextra: { berth: Home }\n---\nWe.\n")
        .file(
            "templates/base.html",
            "{% extends \"built-in/base.html\" %}{% block before_content %}\
             {% if page.extra.berth is defined %}[{{ page.extra.berth }}]{% endif %}{% endblock %}",
        );
    site.build(0);
    assert!(site.page("about/index.html", "").contains("[Alder]"));
    assert!(site.page("index.html", "").contains("[Home]"));
}

#[test]
fn keys_of_extra_are_redacted_as_values_are() {
    let site = site("[[redact]]\nwords = ['Acme', 'Apex']\n[extra]\nAcme = 'one'\nApex = 'two'\n")
        .file(
            "templates/base.html",
            "{% extends \"built-in/base.html\" %}{% block before_content %}\
             {% for key, value in site.extra %}({{ key }}: {{ value }}){% endfor %}{% endblock %}",
        );
    site.build(0);
    let home = site.page("index.html", "");
    assert!(!home.contains("Acme") && !home.contains("Apex"), "{home}");
    // Keys that became equal get different names.
    for part in ["([redacted]: one)", "([redacted] 2: two)"] {
        assert!(home.contains(part), "{part}: {home}");
    }
}

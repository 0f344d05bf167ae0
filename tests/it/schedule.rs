//! Drafts, and conversations with a first or last day.

use crate::gate::token;
use crate::support::{BASE, SiteTest, convo, unpacked};

/// A conversation with this title and more metadata.
fn talk(title: &str, more: &str) -> String {
    let title = format!("\"title\": \"{title}\", {more} \"type\"");
    convo(&format!("On {title} and oars.").replace('"', "")).replace("\"type\"", &title)
}

/// One file for each way to set when it is published.
fn site() -> SiteTest {
    let md = |title: &str, rows: &str| {
        format!("---\ntitle: {title}\n{rows}---\n\n**Wren:** Is {title} in?\n\n**Ada:** Soon.\n")
    };
    let cjson = r#"{"id": "1", "schemaUrl": "https://schema.cjson.dev/0/conversation/cjson-0.1.0.schema.json",
        "mediaType": "application/vnd.cjson+json", "conversationTitle": "Heron", "createdAt": 1767225600,
        "messages": [{"id": "m", "role": "user", "messageType": "text", "content": "Is Heron in?"}],
        "extensions": {"convo-site": {"publish": "2027-01-01"}}}"#;
    SiteTest::new()
        .file("site.toml", format!("{BASE}[[source]]\nfiles = 'later'\npublish = 2027-01-02\n"))
        .file("content/a.convo", talk("Avocet", ""))
        .file("content/b.convo", talk("Bittern", "\"draft\": true,"))
        .file("content/c.convo", talk("Curlew", "\"publish\": \"2027-01-01\","))
        .file("content/d.convo", talk("Dunlin", "\"expires\": \"2027-01-01\","))
        .file("content/e.md", md("Egret", "draft: true\n"))
        .file("content/f.md", md("Fulmar", "publishDate: 2027-01-01T09:00:00+01:00\n"))
        .file("content/g.md", md("Gannet", "expiryDate: 2027-01-01T18:00:00Z\n"))
        .file("content/h.cjson.json", cjson)
        .file("content/later/i.convo", talk("Ibis", ""))
}

const ALL: [&str; 9] =
    ["Avocet", "Bittern", "Curlew", "Dunlin", "Egret", "Fulmar", "Gannet", "Heron", "Ibis"];

/// The titles that occur anywhere in the output, including the search index and packed files.
fn seen(site: &SiteTest) -> String {
    let files = site.output();
    let texts = files.iter().map(|(path, bytes)| path.clone() + &String::from_utf8_lossy(bytes));
    let all = (unpacked(&files) + &texts.collect::<String>()).to_lowercase();
    let titles = ALL.iter().filter(|title| all.contains(&title.to_lowercase()));
    titles.map(|title| &title[..1]).collect()
}

#[test]
fn each_day_publishes_its_conversations_and_flags_add_the_others() {
    let site = site();
    for (args, expected) in [
        (&["--today", "2026-12-31"][..], "ADG"),
        // Hours only count as whole days: `G` is gone, and `F` is not published yet.
        (&["--today", "2027-01-01"], "ACH"),
        (&["--today", "2027-01-02"], "ACFHI"),
        (&["--today", "2026-12-31", "--drafts"], "ABDEG"),
        (&["--today", "2026-12-31", "--future"], "ACDFGHI"),
        (&["--today", "2027-01-01", "--expired"], "ACDGH"),
        (&["--today", "2027-01-01", "--drafts", "--future", "--expired"], "ABCDEFGHI"),
        (&["--today", "2027-01-01"], "ACH"),
    ] {
        let run = site.run(&[&["build"], args].concat());
        assert_eq!(run.code, Some(0), "{}", run.stderr);
        assert_eq!(seen(&site), expected, "{args:?}: {}", run.stderr);
        // A first build writes the same output.
        let fresh = self::site();
        fresh.run(&[&["build"], args].concat());
        assert!(fresh.output() == site.output(), "{args:?}");
    }
}

#[test]
fn a_summary_counts_them_and_status_names_them_with_their_days() {
    let site = site();
    let run = site.run(&["build", "--today", "2026-12-31"]);
    for part in
        ["2 drafts withheld", "4 scheduled for later, the first on 2027-01-01", "no warnings"]
    {
        assert!(run.stderr.contains(part), "{part}: {}", run.stderr);
    }
    let run = site.run(&["status", "--today", "2027-01-01"]);
    for part in [
        "2  conversations are drafts",
        "2  conversations are scheduled for later",
        "content/f.md, 2027-01-02",
        "2  conversations have expired",
        "content/g.md, 2027-01-01",
    ] {
        assert!(run.stdout.contains(part), "{part}: {}", run.stdout);
    }
    let json = site.run(&["status", "--today", "2027-01-01", "--json"]).stdout;
    assert!(json.contains("\"content/later/i.convo\": \"2027-01-02\""), "{json}");
    let run = site.run(&["build", "--drafts", "--today", "2026-12-31"]);
    let named = "draft, published because of --drafts: Bittern (content/b.convo)";
    assert!(run.stderr.contains(named), "{}", run.stderr);
}

#[test]
fn drafts_are_marked_and_hidden_from_search_engines() {
    let site = site();
    site.run(&["build", "--drafts", "--future", "--expired", "--today", "2027-01-01"]);
    for (title, mark) in [
        ("bittern", "Draft"),
        ("ibis", "Scheduled for 2 January 2027"),
        ("gannet", "Expired on 1 January 2027"),
    ] {
        let output = site.output();
        let path = output.keys().find(|path| path.contains(title) && path.ends_with(".html"));
        let html = String::from_utf8_lossy(&output[path.expect("a page")]).into_owned();
        let shown = format!("<strong class=\"mark\">{mark}</strong>");
        assert!(html.contains(&shown), "{title}: {html}");
        assert!(html.contains("content=\"noindex"), "{title}");
        let home = String::from_utf8_lossy(&output["index.html"]).into_owned();
        assert!(home.contains(&shown), "{title}: {home}");
        let map = String::from_utf8_lossy(&output["sitemap.xml"]).into_owned();
        assert!(!map.contains(title) && map.contains("avocet"), "{map}");
    }
}

#[test]
fn an_output_with_drafts_may_not_be_published() {
    let site = site();
    let day = ["--today", "2027-01-01"];
    site.run(&[&["build"], &day[..]].concat());
    let run = site.run(&[&["check", "--publish"], &day[..]].concat());
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    site.run(&[&["build", "--drafts"], &day[..]].concat());
    let run = site.run(&[&["check", "--publish"], &day[..]].concat());
    assert_eq!(run.code, Some(1), "{}", run.stderr);
    assert!(run.stderr.contains("which is a draft"), "{}", run.stderr);
    let run = site.run(&["check", "--publish", "--drafts"]);
    assert_eq!(run.code, Some(2), "{}", run.stderr);
}

#[test]
fn invalid_schedules_count_as_private() {
    let site = SiteTest::new()
        .file(
            "content/a.md",
            "---\ntitle: Egret\npublish: next May\n---\n\n**Wren:** Hm?\n\n**Ada:** Hm.\n",
        )
        .file(
            "content/b.md",
            "---\ntitle: Ibis\nexpires: 20270101\n---\n\n**Wren:** Hm?\n\n**Ada:** Hm.\n",
        )
        .file(
            "content/c.md",
            "---\ntitle: Dunlin\ndraft: perhaps\n---\n\n**Wren:** Hm?\n\n**Ada:** Hm.\n",
        );
    let run = site.run(&["build", "--message-format", "short", "--drafts", "--future"]);
    for expected in [
        "content/a.md:3:1: error[unknown-visibility]",
        "content/b.md:3:1: error[unknown-visibility]",
        "content/c.md:3:1: error[wrong-type]",
        "3 private withheld",
    ] {
        assert!(run.stderr.contains(expected), "{expected}: {}", run.stderr);
    }
    assert_eq!(seen(&site), "", "{}", run.stderr);
    for (rule, expected) in [
        ("publish = 'next May'", "site.toml:5:11"),
        ("expires = 3", "site.toml:5:11"),
        ("draft = 'yes'", "site.toml:5:9"),
    ] {
        let site = self::site();
        site.write("site.toml", format!("{BASE}\n[[source]]\nfiles = 'later'\n{rule}\n"));
        let run = site.run(&["build", "--message-format", "short"]);
        assert_eq!(run.code, Some(2), "{rule}: {}", run.stderr);
        assert!(run.stderr.contains("error[bad-value]"), "{rule}: {}", run.stderr);
        assert!(run.stderr.contains(expected), "{rule}: {}", run.stderr);
        assert!(!site.path("public").exists(), "{rule}");
    }
}

#[test]
fn a_secret_in_a_draft_does_not_stop_a_build() {
    let key = token(7);
    let site = SiteTest::new()
        .file("content/a.convo", talk("Avocet", ""))
        .file("content/b.convo", talk("Bittern", "\"draft\": true,").replace("oars", &key));
    site.build(0);
    assert_eq!(seen(&site), "A");
    site.run(&["build", "--drafts"]);
    assert_eq!(seen(&site), "A");
}

/// Plain pages use the same keys, with the same days.
#[test]
fn plain_pages_can_be_scheduled_too() {
    let page = |title: &str, rows: &str| {
        format!("---\ntitle: {title}\n{rows}---\n\nOf the {title} and its nest.\n")
    };
    let site = SiteTest::new()
        .file("site.toml", format!("{BASE}[[source]]\nfiles = 'later'\npublish = 2027-01-02\n"))
        .file("content/a.convo", talk("Avocet", ""))
        .file("content/later/osprey.md", page("Osprey", "page: true\n"))
        .file("pages/kestrel.md", page("Kestrel", "draft: true\n"))
        .file("pages/lapwing.md", page("Lapwing", "publish: 2027-01-01\n"))
        .file("pages/merlin.md", page("Merlin", "expires: 2027-01-01\n"))
        .file("pages/club/_index.md", page("Owls", "draft: true\n"))
        .file("pages/club/nightjar.md", page("Nightjar", ""))
        .file("pages/den/_index.md", page("Plovers", "private: true\n"))
        .file("pages/den/quail.md", page("Quail", ""));
    let birds = ["Osprey", "Kestrel", "Lapwing", "Merlin", "Nightjar", "Quail"];
    let seen = || -> String {
        let files = site.output();
        let texts = files
            .iter()
            .map(|(path, bytes)| path.clone() + &String::from_utf8_lossy(bytes).to_lowercase());
        let all = unpacked(&files).to_lowercase() + &texts.collect::<String>();
        let birds = birds.iter().filter(|bird| all.contains(&bird.to_lowercase()));
        birds.map(|bird| &bird[..1]).collect()
    };
    for (args, expected) in [
        (&["--today", "2026-12-31"][..], "M"),
        (&["--today", "2027-01-01"], "L"),
        (&["--today", "2027-01-02"], "OL"),
        (&["--today", "2026-12-31", "--drafts"], "KMN"),
        (&["--today", "2026-12-31", "--future"], "OLM"),
        (&["--today", "2027-01-01", "--expired", "--include-private"], "LMQ"),
        (&["--today", "2027-01-01"], "L"),
    ] {
        let run = site.run(&[&["build"], args].concat());
        assert_eq!(run.code, Some(0), "{}", run.stderr);
        assert_eq!(seen(), expected, "{args:?}: {}", run.stderr);
    }
    let run = site.run(&["status", "--today", "2026-12-31"]);
    assert!(run.stdout.contains("pages/lapwing.md, 2027-01-01"), "{}", run.stdout);
    let run = site.run(&["build", "--today", "2026-12-31", "--drafts"]);
    assert!(run.stderr.contains("published because of --drafts: Kestrel"));
    let html = site.page("kestrel/", "index.html");
    assert!(html.contains("<strong class=\"mark\">Draft</strong>"), "{html}");
    assert!(html.contains("noindex"), "{html}");
}

/// A Markdown file with this line of front matter.
fn with_row(row: &str) -> SiteTest {
    let md = format!("---\ntitle: Avocet\n{row}\n---\n\n**Wren:** Is Avocet in?\n\n**Ada:** Hm.\n");
    SiteTest::new().file("content/a.md", md)
}

#[test]
fn synonyms_of_schedule_keys_work() {
    let day = ["--today", "2027-01-01", "--message-format", "short"];
    for (row, flag) in [
        ("expires_at: 2020-01-01", "--expired"),
        ("expire: 2020-01-01", "--expired"),
        ("expiration: 2020-01-01", "--expired"),
        ("expiration_date: 2020-01-01", "--expired"),
        ("Expires On: 2020-01-01", "--expired"),
        ("unpublish: 2020-01-01", "--expired"),
        ("unpublish_at: 2020-01-01", "--expired"),
        ("scheduled: 2099-01-01", "--future"),
        ("scheduled_for: 2099-01-01", "--future"),
        ("not_before: 2099-01-01", "--future"),
        ("embargo_until: 2099-01-01", "--future"),
        ("publish_at: 2099-01-01", "--future"),
    ] {
        let site = with_row(row);
        let run = site.run(&[&["build"], &day[..]].concat());
        assert_eq!(run.code, Some(0), "{row}: {}", run.stderr);
        assert!(!run.stderr.contains("warning["), "{row}: {}", run.stderr);
        assert_eq!(seen(&site), "", "{row}: {}", run.stderr);
        site.run(&[&["build", flag], &day[..]].concat());
        assert_eq!(seen(&site), "A", "{row}");

        let (key, time) = row.split_once(": ").expect("a row");
        let site = SiteTest::new()
            .file("content/a.convo", talk("Avocet", &format!("\"{key}\": \"{time}\",")));
        site.run(&[&["build"], &day[..]].concat());
        assert_eq!(seen(&site), "", "convo: {row}");
    }
    for row in ["expires_at: 2099-01-01", "scheduled: 2020-01-01", "not_before: 2020-01-01"] {
        let site = with_row(row);
        site.run(&[&["build"], &day[..]].concat());
        assert_eq!(seen(&site), "A", "{row}");
    }
}

#[test]
fn typos_in_schedule_keys_withhold_and_are_reported() {
    for (row, meant) in [
        ("draf: true", "draft"),
        ("drafft: true", "draft"),
        ("darft: true", "draft"),
        ("is_draf: true", "isdraft"),
        ("expries: 2020-01-01", "expires"),
        ("exires: 2020-01-01", "expires"),
        ("pubish: 2099-01-01", "publish"),
        ("pubilsh: 2099-01-01", "publish"),
    ] {
        let site = with_row(row);
        let run = site.run(&["build", "--today", "2027-01-01"]);
        assert_eq!(seen(&site), "", "{row}: {}", run.stderr);
        for expected in ["misspelled-key", "content/a.md:3", &format!("read as `{meant}`")] {
            assert!(run.stderr.contains(expected), "{row}: {expected}: {}", run.stderr);
        }
    }
    // A day that has no effect today is reported as well.
    for row in ["expries: 2099-01-01", "pubish: 2020-01-01"] {
        let site = with_row(row);
        let run = site.run(&["build", "--today", "2027-01-01"]);
        assert_eq!(seen(&site), "A", "{row}: {}", run.stderr);
        assert!(run.stderr.contains("misspelled-key"), "{row}: {}", run.stderr);
    }
}

#[test]
fn unusual_keys_without_a_day_are_private() {
    for row in [
        "expiration: in a year", "unpublish: true", "embargo_until: next May",
        "embargo_until: true", "scheduled: 2099", "scheduled: true", "expired: true",
        "draf: perhaps", "pubish: false",
    ] {
        let site = with_row(row);
        let run = site.run(&["build", "--drafts", "--future", "--expired"]);
        assert_eq!(seen(&site), "", "{row}: {}", run.stderr);
        assert!(run.stderr.contains("content/a.md:3"), "{row}: {}", run.stderr);
    }
}

#[test]
fn unrelated_keys_withhold_nothing() {
    for row in [
        "drafts: 3", "draft_2: the second one", "drafted: true", "published: true",
        "publisher: \"X\"", "publishers: [\"X\", \"Y\"]", "publication: Nature", "expert: true",
        "experts: 2", "expired: false", "expires_in: 3600", "expiration: never",
        "expires_at: null", "unpublish: false", "craft: true", "raft: true", "drift: 2020-01-01",
        "empire: 2020-01-01", "empires: Roman", "scheduled: false", "scheduled: 3",
        "schedule: weekly", "not_before:", "embargo_until: false", "public: true",
        "republish: 2099-01-01",
    ] {
        let site = with_row(row);
        let run = site.run(&["build", "--today", "2027-01-01"]);
        assert_eq!(run.code, Some(0), "{row}: {}", run.stderr);
        assert_eq!(seen(&site), "A", "{row}: {}", run.stderr);
        let expected = ["misspelled-key", "unknown-visibility", "held-back", "wrong-type"];
        assert!(!expected.iter().any(|code| run.stderr.contains(code)), "{}", run.stderr);
    }
}

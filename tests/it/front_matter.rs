//! Front matter: dates as people write them, and keys that are for other programs.

use crate::support::{BASE, SiteTest, convo};

/// Dates, with what readers and programs see; no text if the date is not valid.
const DATES: [(&str, &str, &str); 15] = [
    ("1974", "1974", "1974"),
    ("'1974'", "1974", "1974"),
    ("1974-03", "March 1974", "1974-03"),
    ("1974-03-05", "5 March 1974", "1974-03-05"),
    ("05.03.1974", "5 March 1974", "1974-03-05"),
    ("5. März 1974", "5 March 1974", "1974-03-05"),
    ("March 5, 1974", "5 March 1974", "1974-03-05"),
    ("1974年3月5日", "5 March 1974", "1974-03-05"),
    (
        "1974-03-05 23:30:00 -0800",
        "5 March 1974<span class=\"clock\">, 23:30, UTC-08</span>",
        "1974-03-05T23:30:00-08:00",
    ),
    (
        "1974-03-05 23:30:00 -08:00",
        "5 March 1974<span class=\"clock\">, 23:30, UTC-08</span>",
        "1974-03-05T23:30:00-08:00",
    ),
    (
        "1974-03-05 23:30:00 UTC",
        "5 March 1974<span class=\"clock\">, 23:30, UTC</span>",
        "1974-03-05T23:30:00Z",
    ),
    ("03/05/1974", "", ""),
    ("1974-13", "", ""),
    ("74", "", ""),
    ("in the spring", "", ""),
];

#[test]
fn dates_are_as_precise_as_they_are_written() {
    let site = SiteTest::new().file("site.toml", BASE);
    for (number, (written, ..)) in DATES.iter().enumerate() {
        let text = format!(
            "---\ntitle: Mill {number}\ndate: {written}\n---\n\n**Ada:** Wheel {number}?\n\n\
             **Wren:** So it is, number {number}.\n"
        );
        site.write(&format!("content/mill-{number}.md"), text);
    }
    let run = site.build(0);
    let output = site.output();
    let text = |path: &str| String::from_utf8_lossy(&output[path]).into_owned();
    let (sitemap, feed) = (text("sitemap.xml"), text("atom.xml"));
    for (number, (written, shown, machine)) in DATES.iter().enumerate() {
        let name = format!("mill-{number}-");
        let is_page = |path: &&String| path.contains(&name) && path.ends_with("index.html");
        let page = text(output.keys().find(is_page).expect("a page"));
        let time = format!("<time datetime=\"{machine}\">{shown}</time>");
        let is_bad = run.stderr.contains(&format!("content/mill-{number}.md:3:1"));
        assert_eq!(is_bad, shown.is_empty(), "{written}: {}", run.stderr);
        assert_eq!(page.contains("<time"), !shown.is_empty(), "{written}");
        if !is_bad {
            assert!(page.contains(&time), "{written}: {page}");
            assert!(page.contains(&format!("\"datePublished\":\"{machine}\"")), "{written}");
            assert!(sitemap.contains(&format!("<lastmod>{machine}</lastmod>")), "{written}");
        }
    }
    assert!(feed.contains("1974-01-01T00:00:00Z") && feed.contains("1974-03-01T00:00:00Z"));
    for month in ["archive/1974/01/index.html", "archive/1974/03/index.html"] {
        assert!(output.contains_key(month), "{month}");
    }
    // A convo file needs a day.
    for number in [0, 2, 4] {
        let path = format!("content/mill-{number}.md");
        let written = site.run(&["convert", &path, "--to", "convo"]).stdout;
        let (read, notes) = convo_site::formats::read("x.convo", written.as_bytes());
        assert_eq!(read.len(), 1, "{written}\n{notes:?}");
    }
}

#[test]
fn keys_for_other_generators_are_not_shown() {
    let text = "---\ntitle: Mill\nlayout: zlayout\nhero_image: zhero.png\nTocOpen: ztoc\npermalink: /zlink/\n\
                berth: Alder\n---\n\n**Ada:** Whose?\n\n**Wren:** Ours.\n";
    let site = SiteTest::new().file("site.toml", BASE).file("content/mill.md", text);
    site.build(0);
    let page = site.page("c/", "index.html");
    assert!(page.contains("berth") && page.contains("Alder"), "{page}");
    for hidden in ["zlayout", "zhero", "ztoc", "zlink"] {
        assert!(!page.contains(hidden), "{hidden}: {page}");
    }
}

#[test]
fn a_conversation_with_a_silent_participant_is_published() {
    let site = SiteTest::new().file("site.toml", BASE).file(
        "content/mill.convo",
        "### @Ada\nWhose mill?\n\n### @Wren\nOurs.\n\n----\n{\"type\": \"dialog\", \"time\": \"2025-10-23\", \
         \"participants\": [\"Ada\", \"Wren\", \"Finch\"]}\n",
    );
    let run = site.build(1);
    assert!(run.stderr.contains("error[silent-participant]"), "{}", run.stderr);
    assert!(site.page("c/", "index.html").contains("Whose mill?"));
    // A speaker who is not listed may be somebody else.
    site.write("content/gate.convo", convo("### @Nobody\nWhose gate?\n"));
    let run = site.build(1);
    assert!(run.stderr.contains("error[undeclared-speaker]"), "{}", run.stderr);
    let is_page = |path: &&String| path.starts_with("c/") && path.ends_with("index.html");
    assert_eq!(site.output().keys().filter(is_page).count(), 1);
}

/// YAML would make numbers of some of these texts, and lose others.
#[test]
fn texts_are_as_they_are_written() {
    for written in ["2.50", "1.10", "0x1F", "1e3", "0123", "007", "no", "on", "1984", "1_000"] {
        let text = format!(
            "---\ntitle: {written}\ntags: [{written}, mill, null]\nspeakers: [Ada, Wren]\nlang: no\n---\n\n\
             **Ada:** Whose?\n\n**Wren:** Ours.\n"
        );
        let (read, notes) = convo_site::formats::read("a.md", text.as_bytes());
        assert!(notes.is_empty(), "{written}: {notes:?}");
        assert_eq!(read[0].title.as_deref(), Some(written));
        assert_eq!(read[0].tags, [written, "mill", "null"]);
        assert_eq!(read[0].languages, ["no"]);
    }
    for (written, expected) in [
        ("mill", &["mill"][..]),
        ("mill, wheel", &["mill", "wheel"]),
        ("tide mill,wheel,", &["tide mill", "wheel"]),
        ("'mill, wheel'", &["mill", "wheel"]),
        ("[\"mill, wheel\"]", &["mill, wheel"]),
        ("", &[]),
        ("~", &[]),
    ] {
        let text = format!("---\ntags: {written}\n---\n\n**Ada:** Whose?\n\n**Wren:** Ours.\n");
        let (read, notes) = convo_site::formats::read("a.md", text.as_bytes());
        assert!(notes.is_empty(), "{written}: {notes:?}");
        assert_eq!(read[0].tags, expected, "{written}");
    }
    let text = "---\naliases: old/mill/\n---\n\n**Ada:** Whose?\n\n**Wren:** Ours.\n";
    let site = SiteTest::new().file("site.toml", BASE).file("content/mill.md", text);
    site.build(0);
    assert!(site.output().contains_key("old/mill/index.html"));
}

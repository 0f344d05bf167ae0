//! Preview images of conversations.

use std::fs;
use std::time::SystemTime;

use serde_json::json;

use crate::discoverability::{ADDRESS, json_ld, site, talk, values};
use crate::support::files_below;

const PICTURES: &str = "[og_images]\nper_conversation = true\n";

#[test]
fn each_conversation_has_a_preview_image() {
    let site = site(PICTURES)
        .file("content/a.convo", talk("The 🕰 of brass", ""))
        .file("content/b.convo", talk("时钟", ""));
    site.build(0);
    let output = site.output();
    let pictures: Vec<&String> = output.keys().filter(|path| path.ends_with(".png")).collect();
    // No font has the letters of the other title.
    assert_eq!(pictures.len(), 1, "{pictures:?}");
    let png = &output[pictures[0]];
    assert_eq!(&png[..8], b"\x89PNG\r\n\x1a\n");
    assert_eq!(&png[16..24], &[0, 0, 0x04, 0xb0, 0, 0, 0x02, 0x76]);
    assert!(png.len() > 10_000 && png.len() < 300_000, "{}", png.len());
    let page = site.page(pictures[0].trim_end_matches("og.png"), "index.html");
    let meta = |property: &str| values(&page, &format!("<meta property=\"{property}\""), "content");
    let url = format!("{ADDRESS}{}", convo_site::text::percent_encode(pictures[0]));
    assert_eq!(meta("og:image"), [url.as_str()]);
    assert_eq!((meta("og:image:width"), meta("og:image:height")), (vec!["1200"], vec!["630"]));
    assert_eq!(json_ld(&page)["@graph"][1]["image"], json!([url]));
    assert!(page.contains("summary_large_image"));
    let other = output.keys().find(|path| path.contains("时钟") && path.ends_with(".html"));
    let other = String::from_utf8_lossy(&output[other.expect("a page")]).into_owned();
    assert!(!other.contains("og:image"), "{other}");
}

#[test]
fn an_image_is_drawn_again_only_if_its_text_changes() {
    let site = site(PICTURES).file("content/a.convo", talk("Brass", ""));
    site.build(0);
    let picture = |title: &str| {
        let path = files_below(&site.path("public"))
            .into_keys()
            .find(|path| path.contains(&format!("-{title}-")) && path.ends_with("og.png"));
        site.path("public").join(path.expect("a picture"))
    };
    let made = |title| fs::metadata(picture(title)).and_then(|data| data.modified());
    let first: SystemTime = made("brass").expect("a time");
    let bytes = fs::read(picture("brass")).expect("a picture");
    site.write("content/a.convo", talk("Brass", "").replace("You did", "It was you"));
    site.build(0);
    assert_eq!(made("brass").expect("a time"), first);
    site.write("content/a.convo", talk("Copper", ""));
    site.build(0);
    assert_ne!(fs::read(picture("copper")).expect("a picture"), bytes);
    site.write("templates/og.svg", "<svg xmlns='http://www.w3.org/2000/svg'/>");
    site.build(0);
    let white = fs::read(picture("copper")).expect("a picture");
    assert!(white.len() < 20_000, "{}", white.len());
}

#[test]
fn invalid_fonts_and_pictures_are_reported() {
    let config = "[og_images]\nper_conversation = true\nfonts = ['a.ttf', '../b.ttf']\n";
    let site = site(config)
        .file("a.ttf", "no font")
        .file(
            "templates/og.svg",
            "<svg xmlns='http://www.w3.org/2000/svg'>{{ picture.speakers[0].name }}</svg>",
        )
        .file("content/a.convo", talk("Brass", ""));
    let run = site.build(1);
    assert_eq!(run.stderr.matches("error[bad-font]").count(), 2, "{}", run.stderr);
    assert_eq!(run.stderr.matches("error[bad-template]").count(), 1, "{}", run.stderr);
    // The built-in template is used.
    assert!(site.output().keys().any(|path| path.ends_with("og.png")));
}

#[test]
fn an_image_contains_no_wrong_text() {
    let config = format!("language = 'ja'\ntitle = 'アーカイブ'\n{PICTURES}");
    let site = site(&config)
        .file("content/a.convo", talk("Brass", ""))
        .file("content/b.convo", talk("Copper", "").replace("Wren", "王小明"));
    // A custom template prints what is drawn, so that a test can read it.
    site.write(
        "templates/og.svg",
        "<svg xmlns='http://www.w3.org/2000/svg'><rect width='{{ picture.date | length }}0' \
         height='{% if picture.date == \"2026-01-02\" %}630{% else %}1{% endif %}' \
         fill='{% if picture.site %}red{% else %}black{% endif %}'/></svg>",
    );
    site.build(0);
    let output = site.output();
    let pictures: Vec<&String> = output.keys().filter(|path| path.ends_with("og.png")).collect();
    // The fonts lack a name in the other conversation, and the letters of the date and the site's
    // name.
    assert_eq!(pictures.len(), 1, "{pictures:?}");
    assert!(pictures[0].contains("-brass-"));
    let black = fs::read(site.path("public").join(pictures[0])).expect("a picture");
    let wrong = "<svg xmlns='http://www.w3.org/2000/svg'><rect width='100' height='630' \
        fill='black'/></svg>";
    site.write("templates/og.svg", wrong);
    site.build(0);
    let same = fs::read(site.path("public").join(pictures[0])).expect("a picture");
    assert!(black == same);
}

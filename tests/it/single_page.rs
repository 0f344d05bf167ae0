//! `convo-site page`: a conversation as one HTML file that needs no other file.

use std::collections::BTreeSet;
use std::fs;

use crate::support::{Run, SiteTest, convo, run_in};

/// A session with code, a diff, a picture and a link.
const SESSION: &str = r#"{"uuid": "u-1", "parentUuid": null, "sessionId": "s-1", "type": "user", "timestamp": "2026-03-04T09:15:00.000Z", "cwd": "/mill", "version": "2.0.0", "message": {"role": "user", "content": [{"type": "text", "text": "Is **the mill** in [the guide](https://mill.example/guide)? `a < b && c`"}, {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "PICTURE"}}]}}
{"uuid": "u-2", "parentUuid": "u-1", "sessionId": "s-1", "type": "assistant", "timestamp": "2026-03-04T09:15:01.000Z", "cwd": "/mill", "version": "2.0.0", "message": {"id": "m-2", "role": "assistant", "content": [{"type": "text", "text": "Yes:\n\n```rust\nfn main() { let a = \"</script>\"; }\n```"}, {"type": "tool_use", "id": "t-1", "name": "Edit", "input": {"file_path": "/mill/a.rs", "old_string": "one", "new_string": "two"}}]}}
"#;
const PICTURE: &str = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

/// A folder that is not a site.
fn folder() -> SiteTest {
    let folder = SiteTest::new();
    fs::remove_file(folder.path("site.toml")).expect("removed");
    folder.file("session.jsonl", SESSION.replace("PICTURE", PICTURE))
}

fn page(folder: &SiteTest, args: &[&str]) -> Run {
    run_in(&folder.path(""), &[&["page"], args].concat(), &[])
}

/// The values of attributes that may load something or lead somewhere.
fn urls(html: &str) -> BTreeSet<String> {
    let mut urls = BTreeSet::new();
    for name in [" href=\"", " src=\"", " srcset=\"", " action=\"", " poster=\""] {
        let values = html.split(name).skip(1);
        urls.extend(values.map(|rest| rest.split('"').next().expect("an end").to_owned()));
    }
    urls
}

#[test]
fn a_page_needs_no_other_file() {
    let folder = folder();
    let run = page(&folder, &["session.jsonl", "-o", "talk.html"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert!(run.stderr.contains("wrote talk.html"), "{}", run.stderr);
    let html = fs::read_to_string(folder.path("talk.html")).expect("a file");
    let others: Vec<String> = urls(&html)
        .into_iter()
        .filter(|url| !url.starts_with('#') && !url.starts_with("data:"))
        .collect();
    assert_eq!(others, ["https://mill.example/guide"], "{html}");
    for there in [
        "<strong>the mill</strong>",
        "<code>a &lt; b &amp;&amp; c</code>",
        "src=\"data:image/png;base64,",
        "<style>",
        "default-src &#39;none&#39;; img-src data:",
        "script-src &#39;sha256-",
    ] {
        let there = there.replace("&#39;", "'");
        assert!(html.contains(&there), "{there}: {html}");
    }
    for gone in ["\u{1}", "url(tools.svg)", "<link rel=\"stylesheet\"", "/archive/", "Archive</a>"]
    {
        assert!(!html.contains(gone), "{gone}: {html}");
    }
    // The text is that of the page of a site.
    let built = run_in(&folder.path(""), &["build", "session.jsonl", "-o", "out"], &[]);
    assert_eq!(built.code, Some(0), "{}", built.stderr);
    let words = |html: &str| {
        let main = html.split("<main").nth(1).and_then(|rest| rest.split("</main>").next());
        let text = main.expect("a main part").split('<').filter_map(|part| part.split_once('>'));
        let text = text.map(|(_, text)| text.replace("&quot;", "\""));
        let text = text.map(|text| text.split_whitespace().collect::<Vec<_>>().join(" "));
        text.filter(|text| !text.is_empty()).collect::<Vec<_>>()
    };
    let site = crate::support::files_below(&folder.path("out"));
    let of_site = crate::support::page_of(&site, "c/", "/index.html");
    let (ours, theirs) = (words(&html), words(&of_site));
    let missing: Vec<&String> = theirs.iter().filter(|text| !ours.contains(text)).collect();
    let only_of_sites = ["Home", "Archive", "2026", "March", "Download", "Markdown"];
    let lost: Vec<_> =
        missing.into_iter().filter(|text| !only_of_sites.contains(&text.as_str())).collect();
    assert!(lost.is_empty(), "{lost:?}");
}

#[test]
fn what_a_site_withholds_is_in_no_page() {
    let private = convo("The quuxb word.").replace("{\"type\"", "{\"private\": true, \"type\"");
    let secret = crate::gate::token(3);
    let folder = folder()
        .file("talks/a.convo", convo("A public word."))
        .file("talks/b.convo", private)
        .file("talks/c.convo", convo(&format!("The key is {secret}.")));
    let run = page(&folder, &["talks", "-o", "pages"]);
    assert_eq!(run.code, Some(1), "{}", run.stderr);
    assert!(!run.stderr.contains(&secret) && !run.stderr.contains("quuxb"), "{}", run.stderr);
    let pages = crate::support::files_below(&folder.path("pages"));
    assert_eq!(pages.len(), 1, "{:?}", pages.keys());
    for bytes in pages.values() {
        let text = String::from_utf8_lossy(bytes);
        assert!(
            text.contains("A public word.") && !text.contains("quuxb") && !text.contains(&secret)
        );
    }
    let run = page(&folder, &["talks/b.convo"]);
    assert_eq!(run.code, Some(2), "{}", run.stderr);
    let run = page(&folder, &["talks/b.convo", "--include-private", "-o", "b.html"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert!(fs::read_to_string(folder.path("b.html")).expect("a file").contains("quuxb"));
}

#[test]
fn pages_do_not_replace_what_they_are_made_from() {
    let folder = folder()
        .file("talks/a.convo", convo("One word."))
        .file("talks/b.convo", convo("Another word."));
    for (args, message) in [
        (&["talks"][..], "choose a folder for the pages"),
        (&["nowhere"], "does not exist"),
        (&["talks", "-o", "talks.html"], "choose a folder for the pages"),
        (&["session.jsonl", "-o", "session.jsonl"], "`session.jsonl`"),
    ] {
        let run = page(&folder, args);
        assert_eq!(run.code, Some(2), "{args:?}: {}", run.stderr);
        assert!(run.stderr.contains(message), "{args:?}: {}", run.stderr);
    }
    let run = page(&folder, &["talks/a.convo"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let name = run.stderr.split("wrote ").nth(1).and_then(|rest| rest.split(' ').next());
    assert!(folder.path(name.expect("a name")).exists());
}

/// A part of a conversation would look like all of it.
#[test]
fn a_conversation_that_is_too_long_for_a_page_is_reported() {
    let turns = "### @Ada\nHello.\n\n".repeat(10_001);
    let end =
        "----\n{\"type\": \"dialog\", \"time\": \"2026-01-02\", \"participants\": [\"Ada\"]}\n";
    let folder = folder().file("talks/long.convo", format!("{turns}{end}"));
    let run = page(&folder, &["talks/long.convo", "-o", "long.html"]);
    assert_eq!(run.code, Some(2), "{}", run.stderr);
    assert!(run.stderr.contains("too long for one page"), "{}", run.stderr);
    assert!(!folder.path("long.html").exists());
}

/// `convert --to html` makes the same page, as carefully as it writes other formats. `--from` names the format of a text that could be several.
#[test]
fn convert_writes_the_same_page() {
    let chat = "Ada: The mill runs.\nBob: It does.\nAda: Good.\n";
    let folder = folder().file("talk.txt", chat);
    let run = page(&folder, &["session.jsonl", "-o", "one.html"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let convert = |args: &[&str]| {
        run_in(&folder.path(""), &[&["convert", "--to", "html"], args].concat(), &[])
    };
    let run = convert(&["session.jsonl", "-o", "two.html"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let text = |name: &str| fs::read_to_string(folder.path(name)).expect("a page");
    assert_eq!(text("one.html"), text("two.html"));
    let run = convert(&["talk.txt", "--from", "markdown", "-o", "three.html"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let run = page(&folder, &["talk.txt", "--from", "markdown", "-o", "two.html"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert!(text("three.html").contains("The mill runs."), "{}", text("three.html"));
    assert_eq!(text("three.html"), text("two.html"));
    // It replaces no file, and writes to standard output if none is named.
    let run = convert(&["session.jsonl", "-o", "one.html"]);
    assert_eq!(run.code, Some(2), "{}", run.stderr);
    let run = convert(&["session.jsonl"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert!(run.stdout.starts_with("<!doctype html>"), "{}", run.stdout);
    let run = page(&folder, &["session.jsonl", "-o", "-"]);
    assert!(run.stdout.starts_with("<!doctype html>"), "{}", run.stdout);
    assert!(!folder.path("-").exists());
    for args in [&["-"][..], &["session.jsonl", "talk.txt"]] {
        let run = convert(args);
        assert_eq!(run.code, Some(2), "{args:?}: {}", run.stderr);
        assert!(run.stdout.is_empty(), "{args:?}: {}", run.stdout);
    }
}

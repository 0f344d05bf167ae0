//! Broken files and folders: each has its diagnostic, and the rest is built.

use std::os::unix::fs::symlink;

use serde_json::Value;

use crate::support::{Run, SiteTest, convo};

/// The codes and files of a build's diagnostics.
fn reported(site: &SiteTest) -> Vec<(String, String)> {
    codes_and_files(&site.run(BUILD))
}

const BUILD: &[&str] = &["build", "--message-format", "json"];

fn codes_and_files(run: &Run) -> Vec<(String, String)> {
    let notes: Vec<Value> = serde_json::from_str(&run.stdout).expect(&run.stderr);
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    notes.iter().map(|note| (text(&note["code"]), text(&note["file"]))).collect()
}

#[track_caller]
fn check(site: &SiteTest, expected: &[(&str, &str)]) {
    let reported = reported(site);
    let reported: Vec<_> =
        reported.iter().map(|(code, file)| (code.as_str(), file.as_str())).collect();
    assert_eq!(reported, expected);
    let pages = site.output().keys().filter(|path| path.starts_with("c/")).count();
    assert!(pages >= 1, "the rest is built");
}

fn site() -> SiteTest {
    SiteTest::new().file("content/good.convo", convo("Good."))
}

#[test]
fn a_folder_named_like_a_file() {
    let site = site().file("content/x.convo/inner.convo", convo("Inner."));
    check(&site, &[("folder", "content/x.convo")]);
    assert!(site.page("index.html", "").contains("Inner."));
}

#[test]
fn an_empty_file() {
    check(&site().file("content/e.convo", ""), &[("empty-file", "content/e.convo")]);
}

#[test]
fn links_are_not_followed() {
    let site = site();
    symlink(site.path("content"), site.path("content/loop")).expect("a link");
    symlink(site.path("nowhere"), site.path("content/nowhere.convo")).expect("a link");
    symlink("/etc/hostname", site.path("content/outside.convo")).expect("a link");
    check(
        &site,
        &[
            ("symlink", "content/loop"),
            ("symlink", "content/nowhere.convo"),
            ("symlink", "content/outside.convo"),
        ],
    );
}

#[test]
fn a_pipe_is_not_opened() {
    let site = site();
    let pipe = site.path("content/pipe.convo");
    let made = std::process::Command::new("mkfifo").arg(pipe).status().expect("mkfifo");
    assert!(made.success());
    check(&site, &[("special-file", "content/pipe.convo")]);
}

#[test]
fn a_file_that_cannot_be_read() {
    use std::os::unix::fs::PermissionsExt;
    let site = site().file("content/secret.convo", convo("Secret."));
    let path = site.path("content/secret.convo");
    let no_rights = std::fs::Permissions::from_mode(0o0);
    std::fs::set_permissions(&path, no_rights).expect("no rights");
    let run = site.run_without_privileges(BUILD);
    let unreadable = ("unreadable".to_owned(), "content/secret.convo".to_owned());
    assert_eq!(codes_and_files(&run), [unreadable]);
    assert!(site.page("index.html", "").contains("Good."), "the rest is built");
}

#[test]
fn bytes_and_lines_of_every_kind() {
    let site = site()
        .file("content/a.convo", [b"\xef\xbb\xbf", convo("BOM.").as_bytes()].concat())
        .file("content/b.convo", convo("CRLF and LF.").replacen('\n', "\r\n", 1))
        .file("content/windows.convo", convo("CRLF alone.").replace('\n', "\r\n"))
        .file(
            "content/c.convo",
            [b"### @Ada\n\xff\n\n".as_slice(), &convo("x").into_bytes()].concat(),
        )
        .file("content/d.convo", convo("nul \0"))
        .file("content/e.convo", convo(&"long ".repeat(300_000)));
    check(
        &site,
        &[
            ("byte-order-mark", "content/a.convo"),
            ("carriage-return", "content/b.convo"),
            ("invalid-encoding", "content/c.convo"),
            ("nul", "content/d.convo"),
            ("long-line", "content/e.convo"),
        ],
    );
}

#[test]
fn a_large_file_with_many_turns() {
    let turns: String =
        (0..20_000).map(|n| format!("### @Ada\nTurn {n}: {}\n\n", "word ".repeat(105))).collect();
    let text = format!(
        "{turns}----\n{{\"type\": \"x\", \"time\": \"2026-01-02\", \"participants\": [\"Ada\"]}}\n"
    );
    assert!(text.len() > 10_000_000);
    let site = site().file("content/large.convo", text);
    check(&site, &[("large-file", "content/large.convo")]);
}

#[test]
fn deep_json_is_an_error_and_not_a_crash() {
    let text = convo("x").replace("\"dialog\"", &"[".repeat(100_000));
    check(&site().file("content/deep.convo", text), &[("bad-json", "content/deep.convo")]);
}

#[test]
fn images_are_validated() {
    let png: &[u8] = include_bytes!("../../example-site/content/2025/images/elver-door.png");
    let site =
        site().file("content/ok.png", png).file("content/fake.png", "<svg onload=alert(1)>").file(
            "content/images.convo",
            convo(
                "![a](ok.png) ![b](fake.png) ![c](none.png) ![d](../site.toml) \
                   ![e](https://other.example/x.png) [f](javascript:x) [g](src/main.rs)",
            ),
        );
    check(
        &site,
        &[
            ("unknown-format", "content/fake.png"),
            ("not-an-image", "content/images.convo"),
            ("missing-image", "content/images.convo"),
            ("missing-image", "content/images.convo"),
            ("remote-image", "content/images.convo"),
            ("refused-address", "content/images.convo"),
            ("no-target", "content/images.convo"),
        ],
    );
    let output = site.output();
    let media: Vec<_> = output.iter().filter(|(path, _)| path.starts_with("media/")).collect();
    assert_eq!(media.len(), 1);
    assert_eq!(media[0].1, png);
}

#[test]
fn a_broken_template_is_reported_and_the_default_is_used() {
    let site = site().file("templates/home.html", "{% if %}");
    check(&site, &[("bad-template", "templates/home.html")]);
    assert!(site.page("index.html", "").contains("Good."));
    let site = SiteTest::new()
        .file("content/good.convo", convo("Good."))
        .file("templates/listing.html", "{{ listing.nonsense }}");
    let reported = reported(&site);
    assert!(
        reported.iter().all(|(code, _)| code == "bad-template") && !reported.is_empty(),
        "{reported:?}"
    );
}

/// Non-UTF-8 names are valid, and two different ones are never the same.
#[test]
#[expect(clippy::print_stderr, reason = "skipped tests are printed")]
fn names_that_are_not_utf_8() {
    use std::os::unix::ffi::OsStrExt;
    let site = site();
    for (byte, text) in [(0xff, "Alpha."), (0xfe, "Beta.")] {
        let name = [b"x".as_slice(), &[byte], b".convo"].concat();
        let path = site.path("content").join(std::ffi::OsStr::from_bytes(&name));
        if let Err(error) = std::fs::write(path, convo(text)) {
            eprintln!("skipped: names are text here ({error})");
            return;
        }
    }
    check(
        &site,
        &[("file-name", "content/x\u{fffd}FE.convo"), ("file-name", "content/x\u{fffd}FF.convo")],
    );
    let home = site.page("index.html", "");
    assert!(home.contains("Alpha.") && home.contains("Beta."), "{home}");
    // Caches distinguish them.
    assert!(site.build(0).stderr.contains("; 0 files written"));
}

/// One system writes `ü` as one character, another as two; the author sees no difference.
#[test]
fn composed_and_decomposed_names_are_the_same() {
    const GIF: &[u8] =
        b"GIF89a\x01\0\x01\0\x80\0\0\0\0\0\xff\xff\xff,\0\0\0\0\x01\0\x01\0\0\x02\x02D\x01\0;";
    let (one, two) = ("\u{fc}", "u\u{308}");
    for (on_disk, in_text) in [(one, two), (two, one), (one, one), (two, two)] {
        let text = format!(
            "![A picture](f{in_text}r/b{in_text}.gif) [next](f{in_text}r/n{in_text}.convo)"
        );
        let encoded = text.replace(one, "%C3%BC").replace(two, "u%CC%88");
        for text in [text, encoded] {
            let site = SiteTest::new()
                .file(
                    "site.toml",
                    format!(
                        "{}content = \"G{in_text}te\"\nlook = {{ logo = \"l{in_text}.svg\" }}\n",
                        crate::support::BASE
                    ),
                )
                .file(&format!("l{on_disk}.svg"), "<svg xmlns=\"http://www.w3.org/2000/svg\"/>")
                .file(&format!("G{on_disk}te/a.convo"), convo(&text))
                .file(&format!("G{on_disk}te/f{on_disk}r/b{on_disk}.gif"), GIF)
                .file(&format!("G{on_disk}te/f{on_disk}r/n{on_disk}.convo"), convo("Next."));
            std::fs::remove_dir(site.path("content")).expect("an empty folder");
            let reported = reported(&site);
            assert!(reported.is_empty(), "{on_disk:?} {in_text:?}: {reported:?}");
            let output = site.output();
            assert!(output.keys().any(|path| path.ends_with(".gif")), "{:?}", output.keys());
            assert!(output.values().any(|bytes| bytes == GIF));
        }
    }
}

/// If both forms of a name exist, both files are read.
#[test]
fn names_that_look_the_same_are_two_files() {
    let site = site()
        .file("content/b\u{fc}.convo", convo("Alpha."))
        .file("content/bu\u{308}.convo", convo("Beta."));
    let home = {
        site.build(0);
        site.page("index.html", "")
    };
    assert!(home.contains("Alpha.") && home.contains("Beta."), "{home}");
}

#[test]
fn an_unknown_theme_is_named() {
    let site = site().file("site.toml", format!("{}theme = 'x'\n", crate::support::BASE));
    check(&site, &[("unknown-theme", "site.toml")]);
}

/// Files in which each of many things could trigger a comparison with all others. The bound is far
/// above the expected time and far below that of comparing all.
#[test]
#[ignore = "measures time or memory: `sh tests/run` runs it"]
fn many_items_take_linear_time() {
    let metadata = |participants: &[String], more: &str| {
        let names = serde_json::to_string(participants).expect("JSON");
        let rest = format!("\"participants\": {names}{more}}}");
        format!("\n\n----\n{{\"type\": \"x\", \"time\": \"2026-01-02\", {rest}\n")
    };
    let many = |name: &str| (0..20_000).map(|n| format!("{name}{n}")).collect::<Vec<_>>();
    let ada = ["Ada".to_owned()];
    let tags = serde_json::to_string(&many("tag")).expect("JSON");
    let speakers: String = many("S").iter().map(|name| format!("### @{name}\nx\n\n")).collect();
    let refused: String = (0..50_000).map(|n| format!("[a](javascript:{n}) ")).collect();
    let cases = [
        ("### @Ada\nx".to_owned(), metadata(&many("P"), "")),
        (speakers, metadata(&many("T"), "")),
        ("### @Ada\nx".to_owned(), metadata(&ada, &format!(", \"languages\": {tags}"))),
        (format!("### @Ada\n{refused}"), metadata(&ada, "")),
        (format!("### @Ada\n{}", "![a](none.png) ".repeat(100_000)), metadata(&ada, "")),
        ("### @Ada\n```\nx\n".repeat(30_000), metadata(&ada, "")),
        (format!("### @Ada\n{}", "\n----\n{\n".repeat(100_000)), metadata(&ada, "")),
        (
            format!("### @Ada\n{}", "\\#\\#\\# @x `\\#\\#\\# @y`\n".repeat(50_000)),
            metadata(&ada, ""),
        ),
    ];
    for (index, (turns, metadata)) in cases.iter().enumerate() {
        let site = site().file("content/many.convo", format!("{turns}{metadata}"));
        let start = std::time::Instant::now();
        let run = site.run(&["check", "--message-format", "short"]);
        assert_ne!(run.code, Some(2), "{index}");
        let took = start.elapsed().as_secs();
        assert!(took < 60, "case {index} took {took} s");
    }
}

//! Files, folders and archives without a `site.toml`, built and previewed as they are.

use std::path::Path;

use crate::archives::zip;
use crate::support::preview::Preview;
use crate::support::{Run, SiteTest, convo, files_below, run_in};

const CHAT: &str = "[2026-03-01, 10:00:00] Wren: Is the quuxa in?\n\
                    [2026-03-01, 10:01:00] Finch: It is.\n[2026-03-01, 10:02:00] Wren: Good.\n";

/// A folder with a public conversation, a private one, and a chat between people.
fn export() -> SiteTest {
    let private = convo("The quuxb word.").replace("{\"type\"", "{\"private\": true, \"type\"");
    let folder = SiteTest::new();
    std::fs::remove_file(folder.path("site.toml")).expect("removed");
    folder
        .file("export/talk.convo", convo("A public word."))
        .file("export/secret.convo", private)
        .file("export/WhatsApp Chat with Finch.txt", CHAT)
        .file("export/gate.toml", "this is not valid")
}

fn build(site: &SiteTest, args: &[&str]) -> Run {
    let cache = site.path("cache").to_string_lossy().into_owned();
    let env = [("XDG_CACHE_HOME", cache.as_str()), ("HOME", cache.as_str())];
    run_in(&site.path(""), &[&["build"], args].concat(), &env)
}

/// The text of all files below a folder.
fn text_below(folder: &Path) -> String {
    files_below(folder).values().map(|bytes| String::from_utf8_lossy(bytes).into_owned()).collect()
}

#[test]
fn no_log_is_reported_in_an_archive_without_one() {
    let site = export().file("export.zip", zip(&[("a.convo", convo("x").as_bytes())]));
    let run = build(&site, &["export.zip", "-o", "out"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert!(!run.stderr.contains("hidden-log"), "{}", run.stderr);
}

#[test]
fn a_folder_or_file_is_built_with_default_settings() {
    let site = export();
    let members = files_below(&site.path("export"));
    let members: Vec<(&str, &[u8])> =
        members.iter().map(|(path, bytes)| (path.as_str(), bytes.as_slice())).collect();
    site.write("export.zip", zip(&members));
    let before = files_below(&site.path("export"));
    for (number, (path, pages)) in
        [("export", 1), ("export.zip", 1), ("export/talk.convo", 1)].into_iter().enumerate()
    {
        let run = build(&site, &[path]);
        assert_eq!(run.code, Some(2), "{path}: {}", run.stderr);
        assert!(run.stderr.contains("choose an output folder with `-o OUT`"), "{}", run.stderr);
        let out = format!("out-{number}");
        let run = build(&site, &[path, "-o", &out]);
        assert_eq!(run.code, Some(0), "{path}: {}", run.stderr);
        assert!(!run.stderr.contains("base-url"), "{path}: {}", run.stderr);
        assert!(run.stderr.contains(&format!("built {pages} conversation")), "{}", run.stderr);
        let text = text_below(&site.path(&out));
        assert!(text.contains("A public word."), "{path}");
        assert!(!text.contains("quuxa") && !text.contains("quuxb"), "{path}");
        let title = Path::new(path).file_stem().expect("a name").to_string_lossy();
        assert!(text.contains(&format!("· {title}</title>")), "{path}");
    }
    // Nothing is written beside the files, and the cache contains nothing private.
    assert_eq!(files_below(&site.path("export")), before);
    assert!(!site.path(".convo-site").exists());
    let cache = text_below(&site.path("cache"));
    assert!(!cache.is_empty() && !cache.contains("quuxb"));
}

#[test]
fn the_settings_of_a_site_cannot_be_avoided() {
    let site = SiteTest::new().file("content/talk.convo", convo("A word."));
    for path in ["content", "content/talk.convo"] {
        let run = build(&site, &[path, "-o", "out"]);
        assert_eq!(run.code, Some(2), "{path}: {}", run.stderr);
        assert!(run.stderr.contains("is part of the site in"), "{path}: {}", run.stderr);
        assert!(!site.path("out").exists());
    }
}

#[test]
fn an_output_folder_inside_the_input_is_refused() {
    let site = export();
    for (path, out) in
        [("export", "export/out"), ("export", "export"), ("export/talk.convo", "export")]
    {
        let run = build(&site, &[path, "-o", out]);
        assert_eq!(run.code, Some(2), "{path}: {}", run.stderr);
        assert!(run.stderr.contains("cannot write the site to"), "{path}: {}", run.stderr);
    }
}

/// The owner sees private conversations, with a mark, and edits.
#[test]
fn the_preview_shows_a_file_and_follows_it() {
    let site = export();
    for path in ["export", "export/secret.convo"] {
        let cache = site.path("cache").to_string_lossy().into_owned();
        let preview = Preview::start(&site, &[path, "--port", "0", "--cache-dir", &cache]);
        assert!(
            preview.messages().contains("convo-site init my-talks --from"),
            "{}",
            preview.messages()
        );
        let page = || {
            let home = preview.text("/archive/");
            let start = home.find("href=\"/c/").expect("a conversation") + "href=\"".len();
            let end = start + home[start..].find('"').expect("an end");
            preview.text(&home[start..end])
        };
        assert!(page().contains("word"), "{path}");
        let edited = std::fs::read_to_string(site.path("export/secret.convo")).expect("a file");
        site.write("export/secret.convo", edited.replace("word", "word again"));
        crate::support::preview::until(
            || preview.text("/archive/").contains("/c/") && page().contains("word"),
            || preview.messages(),
        );
    }
    let run = run_in(&site.path(""), &["serve", "export", "--published", "--port", "x"], &[]);
    assert_eq!(run.code, Some(2));
}

/// Without a site, `serve` lists what programs keep on this computer, and `--as` shows one of them.
#[test]
fn the_preview_finds_what_programs_keep_on_this_computer() {
    let session = include_str!("../formats/claude-code/session/input.jsonl");
    let site = SiteTest::new();
    std::fs::remove_file(site.path("site.toml")).expect("removed");
    let site = site
        .file("home/.claude/projects/-home-ada-mill/session.jsonl", session)
        .file("home/.codex/sessions/notes.bin", "none")
        .file("empty/note.txt", "none");
    let home = site.path("home").to_string_lossy().into_owned();
    let env = [("HOME", home.as_str()), ("USERPROFILE", home.as_str())];
    let run = run_in(&site.path("empty"), &["serve"], &env);
    assert_eq!(run.code, Some(2), "{}", run.stderr);
    assert!(run.stdout.contains("claude-code  1 "), "{}", run.stdout);
    assert!(run.stderr.contains("--as PROGRAM"), "{}", run.stderr);
    for (program, expected) in [
        ("gemini-cli", "no conversations of gemini-cli found in ~/.gemini/tmp"),
        ("mail", "unknown program `mail`; known programs: claude-code, codex"),
    ] {
        let run = run_in(&site.path(""), &["serve", "--as", program], &env);
        assert_eq!(run.code, Some(2), "{program}: {}", run.stderr);
        assert!(run.stderr.contains(expected), "{program}: {}", run.stderr);
    }
    let preview = Preview::start_in(&site, &["--as", "claude-code", "--port", "0"], &env);
    let archive = preview.text("/archive/");
    assert!(archive.contains("· Claude Code sessions</title>"), "{archive}");
    assert!(archive.contains("href=\"/c/"), "{archive}");
    let before = files_below(&site.path("home/.claude"));
    assert_eq!(before.len(), 1);
}

//! Sites prepared by an attacker, with links, pipes and lists that would make a build touch, read
//! or wait for something outside.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Command;

use convo_site::hash::Hash;

use crate::support::{BASE, Run, SiteTest, available, convo, files_below};

/// A folder that commands in these tests must not change.
struct Outside(tempfile::TempDir);

impl Outside {
    fn new() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        for name in ["victim", "index.html", "inner/deep"] {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().expect("a parent")).expect("made");
            fs::write(path, "theirs").expect("written");
        }
        Self(folder)
    }

    fn path(&self) -> &Path {
        self.0.path()
    }

    fn victim(&self) -> std::path::PathBuf {
        self.path().join("victim")
    }

    #[track_caller]
    fn check(&self, about: &str) {
        let files = files_below(self.path());
        let names: Vec<&str> = files.keys().map(String::as_str).collect();
        assert_eq!(names, ["index.html", "inner/deep", "victim"], "{about}");
        assert!(files.values().all(|bytes| bytes == b"theirs"), "{about}");
    }
}

fn site() -> SiteTest {
    SiteTest::new().file("content/good.convo", convo("Good words."))
}

/// Runs the command, and fails if it hangs.
fn run_with_timeout(site: &SiteTest, args: &[&str]) -> Run {
    let output = Command::new("timeout")
        .args(["60", env!("CARGO_BIN_EXE_convo-site")])
        .args(args)
        .current_dir(site.path(""))
        .output()
        .expect("the command runs");
    assert_ne!(output.status.code(), Some(124), "{args:?} waits");
    Run {
        code: output.status.code(),
        stdout: String::from_utf8(output.stdout).expect("UTF-8"),
        stderr: String::from_utf8(output.stderr).expect("UTF-8"),
    }
}

const COMMANDS: [&[&str]; 4] =
    [&["build"], &["build", "--no-cache"], &["search", "good"], &["clean"]];

#[test]
fn a_planted_cache_is_harmless() {
    let names = [
        "", "/runs", "/lock", "/heads", "/highlights", "/search", "/search-private", "/.gitignore",
        "/.convo-site-tmp",
    ];
    for name in names {
        for to_folder in [true, false] {
            let (site, outside) = (site(), Outside::new());
            for args in available(&COMMANDS) {
                let _ = fs::remove_dir_all(site.path(".convo-site"));
                let _ = fs::remove_file(site.path(".convo-site"));
                if !name.is_empty() {
                    fs::create_dir(site.path(".convo-site")).expect("made");
                }
                let target = if to_folder { outside.path().to_owned() } else { outside.victim() };
                symlink(target, site.path(&format!(".convo-site{name}"))).expect("a link");
                let run = run_with_timeout(&site, args);
                let about = format!("{name} {to_folder} {args:?}: {}", run.stderr);
                assert!(matches!(run.code, Some(0 | 2)), "{about}");
                outside.check(&about);
                if run.code == Some(2) {
                    assert!(run.stderr.contains("link"), "{about}");
                }
            }
        }
    }
}

#[cfg(feature = "local-search")]
#[test]
fn links_in_the_search_index_are_removed() {
    for name in [".tantivy-writer.lock", ".tantivy-meta.lock", "meta.json", ".managed.json"] {
        let (site, outside) = (site(), Outside::new());
        fs::create_dir_all(site.path(".convo-site/search")).expect("made");
        let link = site.path(&format!(".convo-site/search/{name}"));
        symlink(outside.victim(), link).expect("a link");
        let run = run_with_timeout(&site, &["search", "good", "--count"]);
        assert_eq!((run.code, run.stdout.trim()), (Some(0), "2"), "{}", run.stderr);
        outside.check(name);
    }
}

#[test]
fn a_linked_output_folder_is_used_only_if_it_is_named() {
    let (site, outside) = (site(), Outside::new());
    symlink(outside.path(), site.path("public")).expect("a link");
    let run = run_with_timeout(&site, &["build"]);
    assert_eq!(run.code, Some(2));
    assert!(run.stderr.contains("it is a link"), "{}", run.stderr);
    outside.check("public");
    fs::remove_file(outside.path().join("index.html")).expect("removed");
    let run = run_with_timeout(&site, &["build", "-o", "public"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert!(outside.path().join("index.html").exists());
}

#[test]
fn links_in_the_output_are_not_followed() {
    for (name, is_folder) in [
        ("c", true),
        ("search", true),
        ("index.html", false),
        (".convo-site-tmp", true),
        (".convo-site-files", false),
    ] {
        for args in available(&COMMANDS) {
            // In an output folder that was never built, and in one that was.
            for was_built in [false, true] {
                let (site, outside) = (site(), Outside::new());
                if was_built {
                    site.build(0);
                }
                let place = site.path(&format!("public/{name}"));
                fs::create_dir_all(site.path("public")).expect("made");
                let _ = fs::remove_dir_all(&place);
                let _ = fs::remove_file(&place);
                let target = if is_folder { outside.path().to_owned() } else { outside.victim() };
                symlink(target, &place).expect("a link");
                let run = run_with_timeout(&site, args);
                let about = format!("{name} {args:?} {was_built}: {}", run.stderr);
                assert!(matches!(run.code, Some(0 | 2)), "{about}");
                outside.check(&about);
                if is_folder && args[0] == "build" {
                    assert_eq!(run.code, Some(2), "{about}");
                    assert!(run.stderr.contains("a link"), "{about}");
                }
            }
        }
    }
}

/// Names of temporary files must not be predictable, as they once were.
#[test]
fn temporary_names_cannot_be_predicted() {
    let (site, outside) = (site(), Outside::new());
    site.build(0);
    let folders = files_below(&site.path("public"));
    for name in folders.keys().filter_map(|path| path.rsplit('/').next()) {
        let name = format!(".{}.tmp", Hash::of_bytes(name.as_bytes()).short(12));
        let _ = symlink(outside.victim(), site.path(&format!("public/{name}")));
    }
    site.write("content/good.convo", convo("Other words."));
    assert_eq!(run_with_timeout(&site, &["build"]).code, Some(0));
    outside.check("temporary names");
}

/// A list is only trusted for files in the output folder itself, not behind links.
#[test]
fn a_planted_list_removes_nothing_outside() {
    for args in available(&COMMANDS) {
        let (site, outside) = (site(), Outside::new());
        site.build(0);
        symlink(outside.path(), site.path("public/out")).expect("a link");
        let list = fs::read_to_string(site.path("public/.convo-site-files")).expect("text");
        let (first, rows) = list.split_once('\n').expect("lines");
        let about = first.split(" (").next().expect("words");
        let victim = outside.victim();
        let rows = format!(
            "../content/good.convo\n./../site.toml\n{rows}out/inner/deep\nout/victim\n{}\n",
            victim.to_str().expect("UTF-8")
        );
        let hash = Hash::of_bytes(rows.as_bytes()).hex();
        site.write("public/.convo-site-files", format!("{about} ({hash})\n{rows}"));
        let run = run_with_timeout(&site, args);
        assert_eq!(run.code, Some(0), "{}", run.stderr);
        outside.check(&format!("{args:?}"));
        assert!(site.path("content/good.convo").exists() && site.path("site.toml").exists());
    }
}

#[test]
fn pipes_are_not_read() {
    let all = format!(
        "{BASE}look = {{ logo = \"logo.svg\", image = \"card.png\" }}\n\
         og_images = {{ make = true, fonts = [\"font.ttf\"] }}\n"
    );
    let pipe = |site: &SiteTest, name: &str| {
        let path = site.path(name);
        let _ = fs::remove_file(&path);
        fs::create_dir_all(path.parent().expect("a parent")).expect("made");
        let made = Command::new("mkfifo").arg(path).status().expect("mkfifo");
        assert!(made.success());
    };
    for name in [
        "logo.svg", "card.png", "font.ttf", "site.toml", "templates/page.html",
        "templates/home.html", "locales/en.toml", "themes/mine/theme.toml",
        "themes/mine/assets/style.css", "content/x.convo", "content/x.png", ".convo-site/lock",
        ".convo-site/heads", "public/.convo-site-files", "public/index.html",
    ] {
        let site = site();
        site.write("site.toml", &all);
        pipe(&site, name);
        for args in available(&[&["build"], &["search", "good"]]) {
            run_with_timeout(&site, args);
        }
    }
    let site = site();
    pipe(&site, "site.toml");
    let run = run_with_timeout(&site, &["build"]);
    assert_eq!(run.code, Some(2));
    assert!(run.stderr.contains("not a regular file"), "{}", run.stderr);
}

/// The target of a link is not published, unless it is in the site anyway.
#[test]
fn nothing_outside_the_site_is_read() {
    let secret = Outside::new();
    fs::write(secret.victim(), "<svg xmlns=\"http://www.w3.org/2000/svg\">Zyzzyva</svg>")
        .expect("written");
    let site = site();
    site.write("site.toml", format!("{BASE}look = {{ logo = \"logo.svg\" }}\n"));
    for name in ["logo.svg", "templates/home.html", "themes/mine/assets/style.css"] {
        let place = site.path(name);
        fs::create_dir_all(place.parent().expect("a parent")).expect("made");
        symlink(secret.victim(), place).expect("a link");
    }
    run_with_timeout(&site, &["build"]);
    for (name, bytes) in site.output() {
        assert!(!String::from_utf8_lossy(&bytes).contains("Zyzzyva"), "{name}");
    }
    // The content folder as a link inside of the site, and out of it.
    for (target, code) in [("real", 0), ("../elsewhere", 2)] {
        let folder = SiteTest::new()
            .file("site/site.toml", BASE)
            .file("site/real/a.convo", convo("Zyzzyva."))
            .file("elsewhere/a.convo", convo("Zyzzyva."));
        symlink(target, folder.path("site/content")).expect("a link");
        let run = run_with_timeout(&folder, &["build", "site"]);
        assert_eq!(run.code, Some(code), "{}", run.stderr);
        assert_eq!(folder.path("site/public").exists(), code == 0);
        assert_eq!(run.stderr.contains("points outside the site"), code == 2);
    }
    let site = SiteTest::new().file("content/a.convo", convo("x"));
    let elsewhere = SiteTest::new();
    fs::remove_file(site.path("site.toml")).expect("removed");
    symlink(elsewhere.path("site.toml"), site.path("site.toml")).expect("a link");
    let run = run_with_timeout(&site, &["build"]);
    assert_eq!(run.code, Some(2));
    assert!(run.stderr.contains("points outside the site"), "{}", run.stderr);
}

//! The output folder: a build never overwrites its own sources or files of others.

use std::collections::BTreeMap;
use std::fs;
use std::process::{Command, Output};

use crate::support::{
    BASE, HAS_SEARCH, SiteTest, available, convo, files_below, run_in, wait_until_times_are_trusted,
};

/// All files except the cache.
fn files(site: &SiteTest) -> BTreeMap<String, Vec<u8>> {
    let mut files = files_below(&site.path(""));
    files.retain(|name, _| !name.starts_with(".convo-site/"));
    files
}

#[track_caller]
fn refused(config: &str, args: &[&str], expected: &str) {
    let site = SiteTest::new()
        .file("site.toml", format!("{BASE}{config}"))
        .file("talks/a.convo", convo("A talk."))
        .file("content/a.convo", convo("Content."))
        .file("public/a.convo", convo("Public."))
        .file("texts/public/a.convo", convo("Deep."))
        .file("assets/logo.svg", "<svg xmlns=\"http://www.w3.org/2000/svg\"/>")
        .file(".git/HEAD", "ref: refs/heads/main\n")
        .file("locales/en.toml", "");
    let before = files(&site);
    let run = site.run(&[&["build"], args].concat());
    assert_eq!(run.code, Some(2), "{config} {args:?}: {}", run.stderr);
    assert!(run.stderr.contains(expected), "{config} {args:?}: {}", run.stderr);
    assert!(files(&site) == before, "{config} {args:?}");
}

#[test]
fn a_build_does_not_overwrite_its_sources() {
    let cannot = "cannot write the site to `";
    refused("", &["-o", "content"], cannot);
    refused("", &["-o", "content/site"], cannot);
    refused("", &["-o", "public/../content"], cannot);
    refused("", &["-o", "nowhere/../content"], cannot);
    refused("", &["-o", "nowhere/there/../../content/x"], cannot);
    refused("", &["-o", "."], cannot);
    refused("", &["-o", ".."], cannot);
    refused("", &["-o", "templates"], cannot);
    refused("", &["-o", "static"], cannot);
    refused("", &["-o", "pages/site"], cannot);
    refused("", &["-o", "themes/mine"], cannot);
    refused("", &["-o", "locales"], cannot);
    refused("", &["-o", ".convo-site"], cannot);
    refused("", &["-o", ".convo-site/site"], cannot);
    refused("", &["-o", ".git"], cannot);
    refused("", &["-o", ".git/site"], cannot);
    refused("content = \"talks\"\n", &["-o", "talks"], cannot);
    refused("content = \"./talks/\"\n", &["-o", "talks"], cannot);
    refused("content = \"public\"\n", &[], cannot);
    refused("content = \"texts/public\"\n", &["-o", "texts"], cannot);
    refused("content = \".\"\n", &[], cannot);
    refused("look = { logo = \"assets/logo.svg\" }\n", &["-o", "assets"], cannot);
    // The message names the content folder as site.toml does.
    refused("content = \"talks\"\n", &["-o", "talks/site"], "`talks`");
}

#[test]
fn the_content_folder_must_be_in_the_site_folder() {
    for content in ["..", "../content", "talks/../../content", "/tmp", "/"] {
        let config = format!("content = \"{content}\"\n");
        refused(&config, &[], "site.toml:2:11");
        refused(&config, &[], "a folder inside the site folder");
    }
}

/// A content folder that was moved away is different from an empty one.
#[test]
fn a_missing_content_folder_keeps_the_old_site() {
    let site = SiteTest::new().file("content/a.convo", convo("Here."));
    site.build(0);
    let before = site.output();
    fs::rename(site.path("content"), site.path("x")).expect("moved");
    let commands = [&["build"][..], &["build", "--no-cache"], &["check"], &["search", "here"]];
    for args in available(&commands) {
        let run = site.run(args);
        assert_eq!(run.code, Some(2), "{args:?}: {}", run.stderr);
        assert!(run.stderr.contains("the folder `content` does not exist"), "{}", run.stderr);
        assert!(site.output() == before);
    }
    site.write("content", "a file");
    assert_eq!(site.run(&["build"]).code, Some(2));
    fs::remove_file(site.path("content")).expect("removed");
    // An author who empties the folder wants an empty site.
    fs::create_dir(site.path("content")).expect("made");
    site.build(0);
    assert!(!site.output().keys().any(|path| path.starts_with("c/")));
}

#[test]
fn files_of_others_are_not_overwritten() {
    for name in ["index.html", "search/index.json", "c", "sitemap.xml/mine"] {
        let site = SiteTest::new().file("content/a.convo", convo("Here."));
        let folder = name.split('/').next().expect("a name");
        site.write(&format!("public/{name}"), "mine");
        site.write("public/CNAME", "site.example");
        let is_in_the_way = name != "search/index.json";
        let run = site.run(&["build"]);
        if is_in_the_way {
            assert_eq!(run.code, Some(2), "{name}: {}", run.stderr);
            assert!(run.stderr.contains(&format!("public/{folder}")), "{}", run.stderr);
            assert!(run.stderr.contains("nothing was written"), "{}", run.stderr);
            assert_eq!(site.output().len(), 2, "{:?}", site.output().keys());
        }
        assert_eq!(site.output()[name], b"mine");
        fs::remove_dir_all(site.path("public")).expect("removed");
        site.build(0);
    }
}

#[test]
fn files_of_others_are_reported_and_kept() {
    let site = SiteTest::new().file("content/a.convo", convo("Here."));
    site.build(0);
    site.write("public/CNAME", "site.example");
    site.write("public/mine/a.txt", "mine");
    site.write("public/mine/b.txt", "mine");
    site.write("public/.git/HEAD", "ref: refs/heads/pages\n");
    for _ in 0..2 {
        let run = site.run(&["build", "--message-format", "short"]);
        assert_eq!(run.code, Some(0), "{}", run.stderr);
        let expected = "`./public` contains 2 files or folders that are not part of this site: \
                    `CNAME`, `mine/`";
        assert!(run.stderr.contains(expected), "{}", run.stderr);
    }
    fs::remove_dir_all(site.path("public/mine")).expect("removed");
    fs::remove_file(site.path("public/CNAME")).expect("removed");
    assert!(!site.build(0).stderr.contains("foreign-files"));
    site.write("public/c/old/index.html", "old");
    let run = site.run(&["build"]);
    assert!(run.stderr.contains("`c/old/`"), "{}", run.stderr);
}

/// Runs a shell script whose mounts are invisible to others. `None` if this is not possible, as
/// usual without root.
#[expect(clippy::print_stderr, reason = "skipped tests are printed")]
fn mounted(site: &SiteTest, script: &str) -> Option<Output> {
    let run = |script: &str| {
        Command::new("unshare")
            .args(["--mount", "sh", "-c", script])
            .env("CONVO_SITE", env!("CARGO_BIN_EXE_convo-site"))
            .current_dir(site.path(""))
            .output()
    };
    let probe = run("mount -t tmpfs none /mnt && umount /mnt");
    if !probe.is_ok_and(|run| run.status.success()) {
        eprintln!("skipped: nothing can be mounted here");
        return None;
    }
    Some(run(script).expect("a shell"))
}

#[test]
fn a_read_only_site_can_be_built_elsewhere_and_searched() {
    let site = SiteTest::new().file("content/a.convo", convo("Here and now."));
    let before = files_below(&site.path(""));
    let out = tempfile::tempdir().expect("a folder");
    let path = out.path().to_str().expect("UTF-8");
    let script = |args: &str| {
        format!(
            "mount --bind . . && mount -o remount,ro,bind . && cd \"$PWD\" && \
             exec \"$CONVO_SITE\" {args}"
        )
    };
    let Some(run) = mounted(&site, &script(&format!("build -o {path}"))) else { return };
    let stderr = String::from_utf8_lossy(&run.stderr);
    assert_eq!(run.status.code(), Some(0), "{stderr}");
    assert!(stderr.contains("no cache was written"), "{stderr}");
    assert!(out.path().join("index.html").exists());
    if HAS_SEARCH {
        let found = mounted(&site, &script("search now --count")).expect("as before");
        let stderr = String::from_utf8_lossy(&found.stderr);
        assert_eq!(found.status.code(), Some(0), "{stderr}");
        assert_eq!(found.stdout, b"2\n");
    }
    // If the site itself is there, it is a system error.
    let run = mounted(&site, &script("build")).expect("mounted before");
    assert_eq!(run.status.code(), Some(2));
    assert!(files_below(&site.path("")) == before);
}

#[test]
fn a_full_cache_disk_is_reported_and_the_site_is_complete() {
    let site = SiteTest::new();
    for number in 0..3 {
        let words: String = (0..20_000).map(|n| format!("word{n}x{number} ")).collect();
        site.write(&format!("content/{number}.convo"), convo(&words));
    }
    fs::create_dir(site.path(".convo-site")).expect("made");
    let script = "mount -t tmpfs -o size=256k none .convo-site && exec \"$CONVO_SITE\" build";
    let Some(run) = mounted(&site, script) else { return };
    let stderr = String::from_utf8_lossy(&run.stderr);
    assert_eq!(run.status.code(), Some(0), "{stderr}");
    assert!(stderr.contains("warning[cache]") && stderr.contains("No space left"), "{stderr}");
    let whole = tempfile::tempdir().expect("a folder");
    let path = whole.path().to_str().expect("UTF-8");
    assert_eq!(run_in(&site.path(""), &["build", "-o", path], &[]).code, Some(0));
    assert!(site.output() == files_below(whole.path()));
}

/// A folder without changes is not scanned every time.
#[test]
fn changes_in_an_unchanged_output_folder_are_detected() {
    let site = SiteTest::new().file("content/a.convo", convo("A word."));
    site.build(0);
    wait_until_times_are_trusted();
    site.build(0);
    let before = site.output();
    let page = before.keys().find(|path| path.starts_with("c/")).expect("a page");
    let page = format!("public/{page}");
    let stranger = format!("{}x.txt", page.trim_end_matches("index.html"));
    site.write(&stranger, "mine");
    for _ in 0..2 {
        let run = site.build(0);
        assert!(run.stderr.contains("foreign-files"), "{}", run.stderr);
        assert!(run.stderr.contains("; 0 files written"), "{}", run.stderr);
    }
    fs::remove_file(site.path(&stranger)).expect("removed");
    wait_until_times_are_trusted();
    assert!(!site.build(0).stderr.contains("foreign-files"));
    // A change to a file does not change its folder.
    fs::write(site.path(&page), "short").expect("written");
    assert!(site.build(0).stderr.contains("; 1 file written"));
    fs::remove_file(site.path(&page)).expect("removed");
    assert!(site.build(0).stderr.contains("; 1 file written"));
    assert_eq!(site.output(), before);
}

#[test]
fn the_list_of_another_version_counts_whatever_it_says_about_itself() {
    let site = SiteTest::new()
        .file("content/a.convo", convo("One."))
        .file("content/b.convo", convo("Another one."));
    site.build(0);
    let list = String::from_utf8(site.output()[".convo-site-files"].clone()).expect("UTF-8");
    let (_, hash_and_rows) = list.split_once(" (").expect("a first line");
    let old = "# Files that convo-site wrote, and removes when the site has them no more";
    site.write("public/.convo-site-files", format!("{old} ({hash_and_rows}"));
    std::fs::remove_dir_all(site.path(".convo-site")).expect("removed");
    std::fs::remove_file(site.path("content/b.convo")).expect("removed");
    let run = site.build(0);
    assert!(!run.stderr.contains("warning["), "{}", run.stderr);
    let pages = site.output().into_keys().filter(|path| path.starts_with("c/"));
    assert_eq!(pages.filter(|path| path.ends_with("/index.html")).count(), 1);
}

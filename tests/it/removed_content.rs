//! Content that is no longer public is removed from the output, even if lists or caches are lost.

use std::fs;
use std::process::Command;

use crate::support::{SiteTest, convo, files_below, run_in, wait_until_times_are_trusted};

/// A word in the title and text of a single conversation.
const WORD: &str = "Zyzzyva";

fn secret(private: bool) -> String {
    let more = format!("\"title\": \"{WORD}\", \"private\": {private}, \"type\"");
    convo(&format!("{WORD} is the word.")).replace("\"type\"", &more)
}

/// A site built while everything in it was public.
fn built() -> SiteTest {
    let site = SiteTest::new()
        .file("content/secret.convo", secret(false))
        .file("content/other.convo", convo("Something else."));
    site.build(0);
    assert!(holders(&site).len() > 5);
    site
}

/// The files of the output whose path or text contains the word.
fn holders(site: &SiteTest) -> Vec<String> {
    let has = |text: &str| text.to_lowercase().contains(&WORD.to_lowercase());
    let output = site.output().into_iter();
    let holds =
        |(path, bytes): &(String, Vec<u8>)| has(path) || has(&String::from_utf8_lossy(bytes));
    output.filter(holds).map(|(path, _)| path).collect()
}

#[test]
fn private_pages_are_removed_without_a_cache() {
    type Loss = (&'static str, fn(&SiteTest));
    let lose: [Loss; 5] = [
        ("deleted", |site| {
            fs::remove_dir_all(site.path(".convo-site")).expect("removed");
        }),
        ("emptied", |site| {
            for name in files_below(&site.path(".convo-site")).into_keys() {
                site.write(&format!(".convo-site/{name}"), "");
            }
        }),
        ("damaged", |site| {
            for (name, mut bytes) in files_below(&site.path(".convo-site")) {
                bytes.truncate(bytes.len() / 2);
                site.write(&format!(".convo-site/{name}"), bytes);
            }
        }),
        ("the other list is lost", |site| {
            fs::remove_file(site.path("public/.convo-site-files")).expect("removed");
        }),
        ("the other list is damaged", |site| {
            let list = fs::read(site.path("public/.convo-site-files")).expect("read");
            site.write("public/.convo-site-files", &list[..list.len() / 2]);
        }),
    ];
    for (about, lose) in lose {
        for args in [&["build"][..], &["build", "--no-cache"], &["clean"]] {
            let site = built();
            site.write("public/mine.txt", "mine");
            site.write("content/secret.convo", secret(true));
            lose(&site);
            let run = site.run(args);
            assert_eq!(run.code, Some(0), "{about} {args:?}: {}", run.stderr);
            assert_eq!(holders(&site), [""; 0], "{about} {args:?}");
            assert_eq!(site.output()["mine.txt"], b"mine");
            if args == ["clean"] {
                assert_eq!(site.output().len(), 1, "{:?}", site.output().keys());
            } else {
                assert!(site.output().contains_key("index.html"));
            }
        }
    }
}

#[test]
fn private_pages_are_removed_from_a_moved_or_copied_site() {
    for copy in [true, false] {
        for args in [&["build", "there"][..], &["clean", "there"]] {
            let folder = SiteTest::new();
            let site = built();
            for (name, bytes) in files_below(&site.path("")) {
                folder.write(&format!("there/{name}"), bytes);
            }
            if !copy {
                fs::rename(folder.path("there"), folder.path("x")).expect("moved");
                fs::rename(folder.path("x"), folder.path("there")).expect("moved");
            }
            folder.write("there/content/secret.convo", secret(true));
            let run = folder.run(args);
            assert_eq!(run.code, Some(0), "{}", run.stderr);
            for (path, bytes) in files_below(&folder.path("there/public")) {
                assert!(!String::from_utf8_lossy(&bytes).contains(WORD), "{path}");
            }
            assert_eq!(folder.path("there/public").exists(), args[0] == "build");
        }
    }
}

/// Without a list, no file is known to be ours, and convo-site does not guess.
#[test]
fn without_a_list_nothing_is_written_and_an_error_is_reported() {
    let site = built();
    let before = site.output();
    fs::remove_dir_all(site.path(".convo-site")).expect("removed");
    fs::remove_file(site.path("public/.convo-site-files")).expect("removed");
    site.write("content/secret.convo", secret(true));
    let run = site.run(&["build"]);
    assert_eq!(run.code, Some(2));
    assert!(run.stderr.contains("delete the output folder"), "{}", run.stderr);
    assert_eq!(site.output().len(), before.len() - 1);
    // Files that are in nobody's way are reported too.
    let other = tempfile::tempdir().expect("a folder");
    fs::write(other.path().join("old.html"), WORD).expect("written");
    let path = other.path().to_str().expect("UTF-8");
    let run = site.run(&["build", "-o", path, "--message-format", "short"]);
    assert!(run.stderr.contains("warning[foreign-files]"), "{}", run.stderr);
    assert!(run.stderr.contains("`old.html`"), "{}", run.stderr);
}

/// Without the list, folders that were known to contain only our files are scanned as well.
#[test]
fn files_that_may_be_ours_are_reported_in_unchanged_folders() {
    let site = built();
    wait_until_times_are_trusted();
    site.build(0);
    let mut holders = holders(&site).into_iter();
    let page = holders.find(|path| path.ends_with("index.html") && path.contains("zyzzyva"));
    let page = format!("public/{}", page.expect("a page of its own"));
    let text = fs::read_to_string(site.path(&page)).expect("text");
    site.write(&page, format!("{text}<!-- mine -->"));
    fs::remove_file(site.path("public/.convo-site-files")).expect("removed");
    fs::remove_file(site.path("content/secret.convo")).expect("removed");
    for _ in 0..2 {
        let run = site.build(0);
        assert!(run.stderr.contains("foreign-files"), "{}", run.stderr);
    }
}

/// A file that someone put beside a removed page, such as a compressed copy.
#[test]
fn a_copy_beside_a_private_page_is_reported() {
    let site = built();
    let mut holders = holders(&site).into_iter();
    let page = holders.find(|path| path.ends_with("index.html") && path.contains("zyzzyva"));
    let copy = format!("public/{}.gz", page.expect("a page of its own"));
    site.write(&copy, "packed");
    wait_until_times_are_trusted();
    assert!(site.build(0).stderr.contains("foreign-files"));
    site.write("content/secret.convo", secret(true));
    for _ in 0..2 {
        let run = site.build(0);
        assert!(run.stderr.contains("foreign-files"), "{}", run.stderr);
        assert!(run.stderr.contains("zyzzyva"), "{}", run.stderr);
    }
}

/// A backup restored over a site also restores the times of folders.
#[test]
fn a_restored_backup_hides_no_private_page() {
    let site = SiteTest::new().file("content/other.convo", convo("Something else."));
    site.build(0);
    wait_until_times_are_trusted();
    site.build(0);
    let backup = tempfile::tempdir().expect("a folder");
    let copy = |from: &std::path::Path, to: &std::path::Path| {
        let mut from = from.as_os_str().to_owned();
        from.push("/.");
        let copied = Command::new("cp").arg("-a").arg(from).arg(to).status();
        assert!(copied.expect("cp").success());
    };
    copy(&site.path(""), backup.path());
    site.write("content/secret.convo", secret(false));
    site.build(0);
    copy(backup.path(), &site.path(""));
    site.write("content/secret.convo", secret(true));
    let run = site.build(0);
    assert!(run.stderr.contains("foreign-files"), "{}", run.stderr);
}

/// Files that equal what a build would write are ours, including the search index, which is written
/// last.
#[test]
fn without_a_list_an_unchanged_site_is_valid() {
    let site = built();
    let before = site.output();
    assert!(before.keys().any(|path| path.starts_with("search/")));
    fs::remove_dir_all(site.path(".convo-site")).expect("removed");
    fs::remove_file(site.path("public/.convo-site-files")).expect("removed");
    site.build(0);
    assert_eq!(site.output(), before);
}

/// A page that fails is removed: the old one could contain something that is private now.
#[test]
fn a_page_that_fails_is_removed() {
    let site = built();
    site.write("content/secret.convo", secret(true));
    site.write("templates/listing.html", "{{ listing.nonsense }}");
    site.write("templates/home.html", "{{ home.nonsense }}");
    let run = site.run(&["build"]);
    assert_eq!(run.code, Some(1), "{}", run.stderr);
    assert_eq!(holders(&site), [""; 0]);
}

/// Private pages are removed even if nothing new can be written.
#[test]
fn private_pages_are_removed_on_a_full_disk() {
    let site = built();
    site.write("content/secret.convo", secret(true));
    site.write("content/long.convo", convo(&"A long story. ".repeat(20_000)));
    let run = site.build_on_a_full_disk();
    assert_eq!(run.code, Some(2));
    let pages: Vec<_> =
        holders(&site).into_iter().filter(|path| path.contains("zyzzyva")).collect();
    assert_eq!(pages, [""; 0]);
}

/// The list contains nothing that the output does not reveal.
#[test]
fn the_list_contains_only_paths_of_the_output() {
    let site = built();
    let list = fs::read_to_string(site.path("public/.convo-site-files")).expect("text");
    let rows: Vec<&str> = list.lines().skip(1).collect();
    let mut files = site.output();
    files.remove(".convo-site-files");
    assert_eq!(rows, files.keys().map(String::as_str).collect::<Vec<_>>());
    assert!(!list.contains(site.path("").to_str().expect("UTF-8")));
    // Another folder with the same list.
    let other = tempfile::tempdir().expect("a folder");
    let path = other.path().to_str().expect("UTF-8");
    assert_eq!(run_in(&site.path(""), &["build", "-o", path], &[]).code, Some(0));
    let there = fs::read_to_string(other.path().join(".convo-site-files")).expect("text");
    assert_eq!(there, list);
    site.write("content/secret.convo", secret(true));
    site.build(0);
    let list = fs::read_to_string(site.path("public/.convo-site-files")).expect("text");
    assert!(!list.to_lowercase().contains("zyzzyva"));
}

#[test]
fn files_of_a_killed_build_are_removed() {
    let site = built();
    site.write("public/.convo-site-tmp/0", WORD);
    site.write("content/secret.convo", secret(true));
    site.build(0);
    assert_eq!(holders(&site), [""; 0]);
    assert!(!site.path("public/.convo-site-tmp").exists());
}

/// The site's cache of an output folder says nothing about files added since.
#[test]
fn without_a_list_added_files_are_not_ours() {
    for args in [&["build"][..], &["build", "--no-cache"], &["clean"]] {
        let site = built();
        fs::remove_file(site.path("public/.convo-site-files")).expect("removed");
        let is_page = |path: &String| path.contains("zyzzyva") && path.ends_with(".html");
        let old = holders(&site).into_iter().find(is_page).expect("a page");
        site.write("public/index.html", "mine");
        site.write(&format!("public/{old}"), "mine as well");
        site.write("content/secret.convo", secret(true));
        let run = site.run(args);
        let output = site.output();
        assert_eq!(output["index.html"], b"mine", "{args:?}");
        assert_eq!(output[&old], b"mine as well", "{args:?}");
        if args == ["clean"] {
            assert_eq!((run.code, output.len()), (Some(0), 2), "{:?}", output.keys());
            continue;
        }
        assert_eq!(run.code, Some(2), "{args:?}: {}", run.stderr);
        assert!(run.stderr.contains("index.html"), "{}", run.stderr);
        fs::remove_file(site.path("public/index.html")).expect("removed");
        let run = site.run(args);
        assert_eq!(run.code, Some(0), "{args:?}: {}", run.stderr);
        assert!(run.stderr.contains("they may contain text that is now private"), "{}", run.stderr);
        assert_eq!(site.output()[&old], b"mine as well");
    }
}

/// Replacing a file with equal bytes loses nothing.
#[test]
fn without_a_list_files_with_the_expected_bytes_are_ours() {
    let site = built();
    let before = site.output();
    fs::remove_dir_all(site.path(".convo-site")).expect("removed");
    fs::remove_file(site.path("public/.convo-site-files")).expect("removed");
    site.build(0);
    assert!(site.output() == before);
}

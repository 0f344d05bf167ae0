//! Rebuilds: they produce the same output as a fresh build, whatever happened in between.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, SystemTime};

use proptest::prelude::*;

use crate::support::{BASE, SiteTest, convo, files_below, run_in};

/// An action of an author between two builds.
#[derive(Clone, Debug)]
enum Edit {
    /// Writes a conversation; the numbers select its file and text.
    Write(u8, u8),
    /// Writes a conversation in another format.
    WriteOther(u8, u8),
    Rename(u8, u8),
    Delete(u8),
    /// Writes or deletes the image used by conversations.
    Image(Option<u8>),
    Config(u8),
    Template(Option<u8>),
    Style(Option<u8>),
    /// Changes the time of every file.
    Touch,
    /// Deletes the cache, but not the list of output files.
    ForgetCache,
    /// Damages the cache.
    DamageCache(u8),
    /// Damages or deletes an output file.
    DamageOutput(u8),
    NoCache,
}

/// Files of the cache.
const CACHES: [&str; 3] = [".convo-site/heads", ".convo-site/highlights", ".convo-site/checked"];

fn edits() -> impl Strategy<Value = Vec<Edit>> {
    let edit = prop_oneof![
        6 => (0..6u8, 0..20u8).prop_map(|(file, text)| Edit::Write(file, text)),
        2 => (0..3u8, 0..9u8).prop_map(|(file, text)| Edit::WriteOther(file, text)),
        2 => (0..6u8, 0..6u8).prop_map(|(from, to)| Edit::Rename(from, to)),
        2 => (0..6u8).prop_map(Edit::Delete),
        2 => proptest::option::of(0..3u8).prop_map(Edit::Image),
        2 => (0..4u8).prop_map(Edit::Config),
        1 => proptest::option::of(0..3u8).prop_map(Edit::Template),
        1 => proptest::option::of(0..3u8).prop_map(Edit::Style),
        1 => Just(Edit::Touch),
        1 => Just(Edit::ForgetCache),
        1 => any::<u8>().prop_map(Edit::DamageCache),
        1 => any::<u8>().prop_map(Edit::DamageOutput),
        1 => Just(Edit::NoCache),
    ];
    proptest::collection::vec(edit, 1..14)
}

fn text_of(number: u8) -> String {
    match number {
        0..=3 => convo(&format!("![A picture](picture.png) and [the next](c{number}.convo).")),
        4..=6 => convo(&format!("```rust\nlet x = {number};\n```")),
        7 => convo("Private.").replace("\"type\"", "\"private\": true, \"type\""),
        8 => "### @Ada\nNo metadata, and [nothing](there.md).\n".to_owned(),
        9 => convo("Tagged.").replace("\"type\"", "\"tags\": [\"a\", \"B\"], \"type\""),
        10 => convo("Broken.").replace("\"type\"", "\"type"),
        _ => convo(&format!("Number {number}.")),
    }
}

/// An image of one pixel with this shade.
fn picture(number: u8) -> Vec<u8> {
    let mut gif =
        b"GIF89a\x01\0\x01\0\x80\0\0\0\0\0\xff\xff\xff,\0\0\0\0\x01\0\x01\0\0\x02\x02D\x01\0;"
            .to_vec();
    gif[13] = number;
    gif
}

fn apply(edit: &Edit, site: &SiteTest) {
    let file = |number: u8| match number {
        0..=2 => format!("content/c{number}.convo"),
        _ => format!("content/folder/c{number}.convo"),
    };
    let remove = |name: &str| drop(fs::remove_file(site.path(name)));
    let write_or_remove = |name: &str, bytes: Option<Vec<u8>>| match bytes {
        Some(bytes) => site.write(name, bytes),
        None => remove(name),
    };
    match *edit {
        Edit::Write(number, text) => site.write(&file(number), text_of(text)),
        Edit::WriteOther(number, text) => {
            let line = |role: &str, text: u8| {
                format!(
                    "{{\"type\": \"message\", \"from\": \"{role}\", \"to\": \"x\", \"content\": \"{text}\"}}\n"
                )
            };
            let text = format!("**Ada:** Hello {text}.\n\n**Bob:** Yes.\n{}", line("a", text));
            site.write(&format!("content/m{number}.md"), text);
        }
        Edit::Rename(from, to) => {
            drop(fs::rename(site.path(&file(from)), site.path(&file(to))));
        }
        Edit::Delete(number) => remove(&file(number)),
        Edit::Image(number) => {
            write_or_remove("content/picture.png", number.map(picture));
        }
        Edit::Config(number) => {
            let more = [
                "",
                "title = \"Other\"\n",
                "page_entries = 2\nhome_entries = 1\n",
                "[[source]]\nfiles = \"folder/**\"\nvisibility = \"private\"\n",
            ];
            site.write("site.toml", format!("{BASE}{}", more[usize::from(number)]));
        }
        Edit::Template(number) => {
            // The last one links to a page that some of the edits remove.
            let texts = ["gone", "gone for good", "<a href=\"/base/tags/a/\">gone</a>"];
            let text = number.map(|number| texts[usize::from(number)].into());
            write_or_remove("templates/not_found.html", text);
        }
        Edit::Style(number) => {
            let text = number.map(|number| format!("p {{ margin: {number}px }}").into_bytes());
            write_or_remove("themes/mine/assets/style.css", text);
        }
        Edit::Touch => {
            for name in files_below(&site.path("content")).into_keys() {
                let path = site.path("content").join(name);
                let file = fs::File::options().write(true).open(path).expect("a file");
                file.set_modified(SystemTime::now()).expect("a time");
            }
        }
        Edit::ForgetCache => {
            CACHES.into_iter().for_each(remove);
        }
        Edit::DamageCache(at) => {
            for name in CACHES {
                if let Ok(mut bytes) = fs::read(site.path(name)) {
                    let at = usize::from(at) % bytes.len();
                    bytes[at] ^= 0x10;
                    site.write(name, bytes);
                }
            }
        }
        Edit::DamageOutput(at) => {
            let names: Vec<String> = site.output().into_keys().collect();
            if let Some(name) = names.get(usize::from(at) % names.len().max(1)) {
                if at % 2 == 0 {
                    remove(&format!("public/{name}"));
                } else {
                    site.write(&format!("public/{name}"), "damaged");
                }
            }
        }
        Edit::NoCache => drop(site.run(&["build", "--no-cache"])),
    }
}

/// Makes every file look old, so that its time is trusted.
fn age(site: &SiteTest, step: u64) {
    let then = SystemTime::now() - Duration::from_secs(3600 - step * 10);
    for name in files_below(&site.path("content")).into_keys() {
        let path = site.path("content").join(name);
        let file = fs::File::options().write(true).open(&path).expect("a file");
        let changed = file.metadata().and_then(|data| data.modified()).expect("a time");
        // Files without an edit keep their times.
        if changed.elapsed().is_ok_and(|age| age < Duration::from_secs(600)) {
            file.set_modified(then).expect("a time");
        }
    }
}

fn fresh(site: &SiteTest) -> BTreeMap<String, Vec<u8>> {
    let other = SiteTest::new();
    for (name, bytes) in files_below(&site.path("")) {
        if !name.starts_with("public/") && !name.starts_with(".convo-site/") {
            other.write(&name, bytes);
        }
    }
    other.run(&["build"]);
    other.output()
}

/// Checks a site before publishing, and returns the report without the time that it took.
fn check(site: &SiteTest) -> String {
    let report = site.run(&["check", "--publish", "--message-format", "short"]).stderr;
    let lines = report.lines().map(|line| line.split(" in 0.").next().unwrap_or(line));
    lines.collect::<Vec<_>>().join("\n")
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 24, max_shrink_iters: 40, failure_persistence: None, ..ProptestConfig::default()
    })]

    #[test]
    fn any_edits_give_the_same_output_and_findings_as_a_fresh_build(edits in edits(), aged in any::<bool>()) {
        let site = SiteTest::new().file("content/c0.convo", text_of(1));
        // The private rule always has a file to match, whatever is edited.
        site.write("content/folder/kept.convo", text_of(9));
        site.write("content/picture.png", picture(0));
        site.run(&["build"]);
        for (step, edit) in edits.iter().enumerate() {
            apply(edit, &site);
            if aged {
                age(&site, step as u64);
            }
            check(&site);
            let run = site.run(&["build"]);
            prop_assert_ne!(run.code, Some(2), "{}", run.stderr);
        }
        let checked = check(&site);
        drop(fs::remove_file(site.path(".convo-site/checked")));
        prop_assert_eq!(checked, check(&site));
        let (edited, fresh) = (site.output(), fresh(&site));
        let names = |files: &BTreeMap<String, Vec<u8>>| files.keys().cloned().collect::<Vec<_>>();
        prop_assert_eq!(names(&edited), names(&fresh));
        for (name, bytes) in &edited {
            prop_assert!(*bytes == fresh[name], "{} differs", name);
        }
    }
}

/// A built site with a few conversations.
fn built() -> SiteTest {
    let site = SiteTest::new();
    for number in 0..9 {
        let day = format!("2026-01-0{}", number + 1);
        let code = format!("```rust\nlet x = {number};\n```");
        let text = convo(&format!("Number {number}.\n\n### @Ada\nYes.\n\n{code}"));
        site.write(&format!("content/c{number}.convo"), text.replace("2026-01-02", &day));
    }
    site.build(0);
    site
}

/// The times of all output files.
fn times(site: &SiteTest) -> BTreeMap<String, SystemTime> {
    let stamp = |name: &String| {
        let data = fs::metadata(site.path("public").join(name)).expect("a file");
        data.modified().expect("a time")
    };
    site.output().keys().map(|name| (name.clone(), stamp(name))).collect()
}

/// The output files that were written or removed since.
fn changed(site: &SiteTest, before: &BTreeMap<String, SystemTime>) -> Vec<String> {
    let now = times(site);
    let names = before.keys().chain(now.keys());
    let mut changed: Vec<String> =
        names.filter(|name| before.get(*name) != now.get(*name)).cloned().collect();
    changed.sort();
    changed.dedup();
    changed
}

#[test]
fn only_what_depends_on_an_edit_is_written() {
    let site = built();
    let before = times(&site);
    // The start of its text is unchanged, so listings are too.
    let text = fs::read_to_string(site.path("content/c4.convo")).expect("text");
    site.write("content/c4.convo", text.replace("let x = 4", "let x = 44"));
    site.build(0);
    let changed = changed(&site, &before);
    // The index of a small archive is a single segment.
    let pages: Vec<&String> = changed
        .iter()
        .filter(|path| !path.starts_with("search/") && !path.starts_with('.'))
        .collect();
    assert_eq!(pages.len(), 2, "{changed:?}");
    for (path, name) in pages.iter().zip(["index.html", "index.md"]) {
        assert!(path.starts_with("c/2026-01-05-") && path.ends_with(name), "{changed:?}");
    }
}

#[test]
fn times_alone_change_nothing() {
    let site = built();
    let before = times(&site);
    apply(&Edit::Touch, &site);
    let run = site.build(0);
    assert!(run.stderr.contains("; 0 files written"), "{}", run.stderr);
    site.write("site.toml", format!("# a comment\n{BASE}"));
    site.build(0);
    assert!(changed(&site, &before).is_empty());
}

#[test]
fn a_removed_conversation_leaves_nothing() {
    let site = built();
    site.write("content/picture.png", picture(0));
    let text = convo("Zyzzyva: ![A picture](picture.png)").replace("\"Ada\"", "\"Zyz\"");
    site.write("content/z.convo", text.replace("@Ada", "@Zyz"));
    site.build(0);
    let with = site.output();
    assert!(with.keys().any(|name| name.starts_with("media/")));
    assert!(with.contains_key("speakers/zyz/index.html"));
    site.write("public/mine/own.html", "Zyzzyva is mine.");
    fs::remove_file(site.path("content/z.convo")).expect("removed");
    site.build(0);
    let without = site.output();
    assert!(!without.keys().any(|name| name.starts_with("media/")));
    assert!(!site.path("public/media").exists());
    assert!(!site.path("public/speakers/zyz").exists());
    let holds = |bytes: &[u8]| String::from_utf8_lossy(bytes).to_lowercase().contains("zyz");
    let names: Vec<_> = without.iter().filter(|(_, bytes)| holds(bytes)).map(|(n, _)| n).collect();
    assert_eq!(names, ["mine/own.html"]);
}

#[test]
fn a_changed_template_renders_pages_from_the_cache() {
    let site = built();
    // Recent times are not trusted; the cache would change once they are older.
    age(&site, 0);
    site.build(0);
    let highlights = fs::read(site.path(".convo-site/highlights")).expect("kept");
    let heads = fs::metadata(site.path(".convo-site/heads")).expect("kept").modified();
    site.write("templates/parts/trail.html", "<p>Another trail</p>");
    site.build(0);
    let page = site.page("c/2026-01-05", "index.html");
    assert!(page.contains("Another trail") && page.contains("<i class="), "{page}");
    assert!(fs::read(site.path(".convo-site/highlights")).expect("kept") == highlights);
    let after = fs::metadata(site.path(".convo-site/heads")).expect("kept").modified();
    assert_eq!(heads.expect("a time"), after.expect("a time"));
}

/// The time when the cache of sources was written.
fn known_since(site: &SiteTest) -> SystemTime {
    let data = fs::metadata(site.path(".convo-site/heads")).expect("kept");
    data.modified().expect("a time")
}

#[test]
fn sources_are_read_again_only_for_settings_that_change_what_is_read() {
    let site = built();
    let rule = "[[source]]\nfiles = \"c1.convo\"\n";
    site.write("site.toml", format!("{BASE}{rule}"));
    // Recent times are not trusted; the cache would change once they are older.
    age(&site, 0);
    site.build(0);
    let before = known_since(&site);
    let words = "description = \"About rivers\"\npage_entries = 3\n";
    let look = "[look]\nwidth = \"50rem\"\n";
    site.write("site.toml", format!("{words}{BASE}{look}{rule}"));
    site.build(0);
    let home = String::from_utf8_lossy(&site.output()["index.html"]).into_owned();
    assert!(home.contains("About rivers"));
    assert_eq!(before, known_since(&site));
    let rule = format!("{rule}time_zone = \"Asia/Tokyo\"\n");
    site.write("site.toml", format!("{words}{BASE}{look}{rule}"));
    site.build(0);
    assert!(known_since(&site) > before);
}

#[test]
fn a_failed_build_keeps_its_cache() {
    let site = built();
    let before = files_below(&site.path(".convo-site"));
    assert!(before.keys().any(|name| name.starts_with("runs/")));
    site.write("site.toml", "title = ");
    let run = site.run(&["build", "--no-cache"]);
    assert_eq!(run.code, Some(2), "{}", run.stderr);
    let kept = files_below(&site.path(".convo-site"));
    let is_kept = |name: &&String| kept.get(*name) == before.get(*name);
    let lost: Vec<_> = before.keys().filter(|name| !is_kept(name)).collect();
    assert_eq!(lost, ["lock"]);
}

#[test]
fn the_cache_is_ignored_by_git_and_may_be_deleted() {
    let site = built();
    let before = times(&site);
    assert_eq!(fs::read(site.path(".convo-site/.gitignore")).expect("there"), b"*\n");
    fs::remove_dir_all(site.path(".convo-site")).expect("removed");
    let run = site.build(0);
    assert!(run.stderr.contains("; 0 files written"), "{}", run.stderr);
    assert!(changed(&site, &before).is_empty());
    let run = site.run(&["build", "--no-cache"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert!(changed(&site, &before).is_empty());
}

#[test]
fn clean_removes_only_our_files() {
    let site = built();
    site.write("public/mine.txt", "mine");
    let run = site.run(&["clean"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert_eq!(site.output().into_keys().collect::<Vec<_>>(), ["mine.txt"]);
    assert!(!site.path(".convo-site").exists());
    assert!(site.path("content/c1.convo").exists());
    let run = site.run(&["clean"]);
    assert_eq!((run.code, run.stderr.trim()), (Some(0), "nothing to remove"));
    // A site that was built to another folder too is kept there.
    site.build(0);
    let other = tempfile::tempdir().expect("a folder");
    let out = other.path().to_str().expect("UTF-8");
    assert_eq!(site.run(&["build", "-o", out]).code, Some(0));
    assert_eq!(site.run(&["clean"]).code, Some(0));
    assert!(!site.path("public/index.html").exists());
    assert!(other.path().join("index.html").exists());
    assert_eq!(site.run(&["clean", "-o", out]).code, Some(0));
    assert!(!other.path().join("index.html").exists() && !site.path(".convo-site").exists());
}

#[test]
fn two_builds_take_turns() {
    let site = built();
    let lock =
        fs::File::options().write(true).open(site.path(".convo-site/lock")).expect("the lock file");
    lock.lock().expect("locked");
    fs::write(site.path(".convo-site/lock"), "4711").expect("written");
    let started = SystemTime::now();
    let run = site.run(&["build"]);
    assert_eq!(run.code, Some(2));
    assert!(started.elapsed().is_ok_and(|time| time > Duration::from_secs(9)));
    let expected = "waiting for another build of this site (process 4711)";
    assert!(run.stderr.contains(expected), "{}", run.stderr);
    assert!(run.stderr.contains("another build of this site"), "{}", run.stderr);
    drop(lock);
    // Many parallel builds succeed, with the same result as a single one.
    let expected = site.output();
    let mut builds = Vec::new();
    for _ in 0..6 {
        let mut build = Command::new(env!("CARGO_BIN_EXE_convo-site"));
        let build = build.args(["build", "--no-cache"]).current_dir(site.path(""));
        builds.push(build.stderr(Stdio::piped()).spawn().expect("started"));
    }
    for build in builds {
        let output = build.wait_with_output().expect("ended");
        assert_eq!(output.status.code(), Some(0));
    }
    assert!(site.output() == expected);
}

#[cfg(unix)]
#[test]
fn an_interrupted_build_reports_what_is_kept() {
    use std::io::{BufRead, BufReader, Read};

    let site = built();
    let lock = fs::File::options().write(true).open(site.path(".convo-site/lock")).expect("a lock");
    lock.lock().expect("locked");
    let mut build = Command::new(env!("CARGO_BIN_EXE_convo-site"));
    let build = build.arg("build").current_dir(site.path("")).stderr(Stdio::piped());
    let mut build = build.spawn().expect("started");
    let mut stderr = BufReader::new(build.stderr.take().expect("standard error"));
    let mut messages = String::new();
    stderr.read_line(&mut messages).expect("a line");
    assert!(messages.starts_with("waiting for another build"), "{messages}");
    let stopped = Command::new("kill").args(["-INT", &build.id().to_string()]).status();
    assert!(stopped.expect("sent").success());
    stderr.read_to_string(&mut messages).expect("read");
    assert_eq!(build.wait().expect("ended").code(), Some(130), "{messages}");
    assert!(
        messages.contains("interrupted: files that were already written are kept"),
        "{messages}"
    );
}

/// Kills builds at any moment: every file is either old or new, and the next build repairs the
/// rest.
#[test]
fn a_killed_build_leaves_no_half_files() {
    let site = SiteTest::new();
    let write = |version: u32| {
        for number in 0..60 {
            let text = format!("Version {version} of {number}.\n\n").repeat(40);
            site.write(
                &format!("content/c{number}.convo"),
                convo(&text)
                    .replace("\"type\"", &format!("\"title\": \"Talk {number}\", \"type\"")),
            );
        }
    };
    let all = |version| {
        write(version);
        fresh(&site)
    };
    // The first turn decides the URL, so both versions have separate pages.
    let versions = [all(1), all(2)];
    write(1);
    site.build(0);
    let mut killed = 0;
    for round in 0..30_u64 {
        write(if round % 2 == 0 { 2 } else { 1 });
        let mut build = Command::new(env!("CARGO_BIN_EXE_convo-site"))
            .arg("build")
            .current_dir(site.path(""))
            .stderr(Stdio::null())
            .spawn()
            .expect("started");
        std::thread::sleep(Duration::from_millis(5 + round * 5));
        killed += u32::from(build.try_wait().expect("a state").is_none());
        let _ = build.kill();
        let _ = build.wait();
        for (name, bytes) in site.output() {
            // Files being written are in a folder that no host serves.
            let temporary = name.starts_with('.');
            let known = versions.iter().any(|files| files.get(&name) == Some(&bytes));
            assert!(temporary || known, "round {round}: {name}");
        }
    }
    assert!(killed > 5, "{killed} builds were killed");
    write(1);
    site.build(0);
    assert!(site.output() == versions[0]);
}

/// If a file cannot be written, as on a full disk, the exit code is 2 and the old site stays.
#[test]
fn a_full_disk_keeps_the_old_site() {
    let site = built();
    let before = site.output();
    let long = "A long story. ".repeat(20_000);
    site.write("content/long.convo", convo(&long));
    let run = site.build_on_a_full_disk();
    let messages = run.stderr;
    assert_eq!(run.code, Some(2), "{messages}");
    assert!(messages.contains("failed to write `"), "{messages}");
    let after = site.output();
    assert!(before.keys().all(|name| after.contains_key(name)));
    assert!(!after.keys().any(|name| name.contains("tmp")), "{:?}", after.keys());
    site.build(0);
    assert!(site.output() == fresh(&site));
}

#[test]
fn a_folder_without_a_site_gets_no_cache() {
    let folder = tempfile::tempdir().expect("a folder");
    let run = run_in(folder.path(), &["build"], &[]);
    assert_eq!(run.code, Some(2));
    assert!(files_below(Path::new(folder.path())).is_empty());
}

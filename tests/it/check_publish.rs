//! `check --publish`: whether the site on disk may be published.

use std::collections::BTreeSet;

use crate::gate::{assert_nowhere, parts, site, talk, token};
use crate::support::{BASE, Run, SiteTest};

#[track_caller]
fn check(site: &SiteTest, args: &[&str], code: i32) -> Run {
    let all = [&["check", "--publish", "--message-format", "short"], args].concat();
    let run = site.run(&all);
    assert_eq!(run.code, Some(code), "{args:?}\n{}", run.stderr);
    let may = run.stderr.lines().any(|line| line.ends_with("and every file is up to date"));
    assert_eq!(may, code == 0, "{}", run.stderr);
    run
}

/// The distinct codes of all errors.
fn codes(run: &Run) -> BTreeSet<&str> {
    let errors = run.stderr.split("error[").skip(1);
    errors.filter_map(|rest| rest.split(']').next()).collect()
}

#[test]
fn only_the_checked_site_may_be_published() {
    let site = site("", &talk("The red one."));
    assert_eq!(codes(&check(&site, &[], 1)), ["no-output"].into());
    site.build(0);
    check(&site, &[], 0);
    // A source has changed since the build.
    site.write("content/bells.md", "**Wren:** Who rings?\n\n**Finch:** The tide.\n");
    let stale = check(&site, &[], 1);
    assert_eq!(codes(&stale), ["stale-output"].into());
    let long = site.run(&["check", "--publish"]).stderr;
    assert!(long.contains("run `convo-site build`, then check it again"), "{long}");
    site.build(0);
    check(&site, &[], 0);
    // Other options produce another site.
    assert_eq!(
        codes(&check(&site, &["--base-url", "https://b.example/"], 1)),
        ["stale-output"].into()
    );
    // A single changed byte, with the same file size.
    let name = site.output().into_keys().find(|path| path.ends_with("index.md"));
    let name = format!("public/{}", name.expect("a copy"));
    let mut bytes = std::fs::read(site.path(&name)).expect("a file");
    let last = bytes.last_mut().expect("a byte");
    *last ^= 1;
    site.write(&name, bytes);
    let run = check(&site, &[], 1);
    assert!(run.stderr.contains("1 file is missing or different"), "{}", run.stderr);
    std::fs::remove_file(site.path(&name)).expect("removed");
    check(&site, &[], 1);
}

#[test]
fn another_output_folder_can_be_checked() {
    let site = site("", &talk("The red one."));
    assert_eq!(site.run(&["build", "-o", "elsewhere"]).code, Some(0));
    check(&site, &["-o", "elsewhere"], 0);
    assert_eq!(codes(&check(&site, &[], 1)), ["no-output"].into());
    for wrong in [
        &["check", "-o", "elsewhere"][..],
        &["check", "--publish", "--include-private"],
        &["check", "--publish", "nowhere"],
    ] {
        let run = site.run(wrong);
        assert_eq!(run.code, Some(2), "{}", run.stderr);
    }
}

#[test]
fn withheld_content_blocks_publishing_while_it_is_in_the_output() {
    let secret = token(41);
    let site = site("", &talk("The red one."));
    site.build(0);
    site.write("content/lamps.md", talk(&format!("The red one: {secret}")));
    let held = check(&site, &[], 1);
    assert!(held.stderr.contains("content/lamps.md: error[held-in-output]"), "{}", held.stderr);
    assert!(held.stderr.contains("warning[secret-held]"), "{}", held.stderr);
    assert!(held.stderr.contains("error[stale-output]"), "{}", held.stderr);
    site.build(1);
    // Everything else may be published; the author gets a warning, which can be made an error.
    let warned = check(&site, &[], 0);
    assert!(warned.stderr.contains("warning[secret-held]"), "{}", warned.stderr);
    let strict = check(&site, &["--deny-warnings"], 1);
    assert_eq!(site.run(&["check"]).code, Some(1), "`check` is as it was");
    // Only the list says which files are ours.
    site.write("content/lamps.md", talk("The red one."));
    site.build(0);
    std::fs::remove_dir_all(site.path(".convo-site")).expect("removed");
    site.write("content/lamps.md", format!("---\nprivate: true\n---\n\n{}", talk("Red.")));
    let old = check(&site, &[], 1);
    assert!(
        old.stderr.contains("of an earlier build that are not part of the site now"),
        "{}",
        old.stderr
    );
    assert!(!old.stderr.contains("lamps-of-the-harbour"), "{}", old.stderr);
    // Without the list, nothing does.
    std::fs::remove_file(site.path("public/.convo-site-files")).expect("removed");
    let lost = check(&site, &[], 1);
    assert!(lost.stderr.contains("files that are not part of this site"), "{}", lost.stderr);
    for run in [&held, &warned, &strict, &old, &lost] {
        for part in parts(&secret) {
            assert!(!run.stderr.contains(part) && !run.stdout.contains(part));
        }
    }
}

#[test]
fn newly_private_conversations_are_named() {
    let site = site("", &talk("The red one."));
    site.build(0);
    let private = talk("The red one.").replace("title:", "private: true\ntitle:");
    site.write("content/lamps.md", private);
    let run = check(&site, &[], 1);
    assert!(run.stderr.contains("lamps.md: error[held-in-output]"), "{}", run.stderr);
    assert!(run.stderr.contains("which is private"), "{}", run.stderr);
    let json = site.run(&["check", "--publish", "--message-format", "json"]);
    assert!(json.stdout.contains("held-in-output"), "{}", json.stdout);
    let sarif = site.run(&["check", "--publish", "--message-format", "sarif"]);
    assert!(sarif.stdout.contains("held-in-output"), "{}", sarif.stdout);
    site.build(0);
    check(&site, &[], 0);
}

#[test]
fn files_of_others_may_be_published() {
    let secret = token(42);
    let site = site("", &talk("The red one."));
    site.build(0);
    site.write("public/verify.txt", "x");
    site.write("public/.convo-site-tmp/half", "x");
    let run = check(&site, &[], 1);
    assert!(run.stderr.contains("`verify.txt`"), "{}", run.stderr);
    assert_eq!(codes(&run), ["foreign-files", "stale-output"].into(), "{}", run.stderr);
    let extra = "[deploy]\nhost = \"other\"\nextra_files = [\"verify.txt\", \"notes/\"]\n";
    site.write("site.toml", format!("{BASE}{extra}"));
    site.build(0);
    let run = check(&site, &[], 0);
    assert!(run.stderr.contains("hint[foreign-files]") && run.stderr.contains("`verify.txt`"));
    site.write("public/notes/.env", format!("# keys\nGITHUB={secret}\n"));
    let run = check(&site, &[], 1);
    assert!(run.stderr.contains("notes/.env:2:8: error[secret-in-output]"), "{}", run.stderr);
    assert_nowhere(&SiteTest::new(), &[&run], &parts(&secret));
    site.write("site.toml", format!("{BASE}{extra}[gate]\ncertain = \"warn\"\n"));
    site.build(0);
    check(&site, &[], 0);
}

#[test]
fn unreviewed_content_blocks_publishing() {
    let site = site("", &talk("The red one."));
    site.build(0);
    // Files for hosts are allowed.
    site.write("public/netlify.toml", "[build]\n");
    site.write("public/.well-known/security.txt", "Contact: wren@example.org\n");
    let run = check(&site, &[], 0);
    assert!(run.stderr.contains("hint[foreign-files]"), "{}", run.stderr);
    site.write("public/budget.csv", "lamps,12\n");
    let run = check(&site, &[], 1);
    assert_eq!(codes(&run), ["foreign-files"].into(), "{}", run.stderr);
    assert!(run.stderr.contains("`budget.csv`"), "{}", run.stderr);
    assert!(!run.stderr.contains("`netlify.toml`, `budget"), "{}", run.stderr);
    std::fs::remove_file(site.path("public/budget.csv")).expect("removed");
    #[cfg(unix)]
    {
        site.write("diary.txt", "mine");
        let link = site.path("public/CNAME");
        std::os::unix::fs::symlink(site.path("diary.txt"), link).expect("a link");
        assert_eq!(codes(&check(&site, &[], 1)), ["foreign-files"].into());
    }
}

#[test]
fn without_a_host_the_limits_are_reported_as_unchecked() {
    let site = site("", &talk("The red one."));
    site.build(0);
    assert!(check(&site, &[], 0).stderr.contains("hint[no-host]"));
    assert!(!site.run(&["check"]).stderr.contains("no-host"));
    site.write("site.toml", format!("{BASE}[deploy]\nhost = \"other\"\n"));
    assert!(!check(&site, &[], 0).stderr.contains("no-host"));
}

#[test]
fn findings_of_check_block_publishing() {
    let dead = talk("See [there](/base/nowhere/).");
    let site = site("", &dead);
    site.write("content/broken.json", "{\"messages\": [");
    let built = site.run(&["build"]);
    let run = check(&site, &[], 1);
    assert!(codes(&run).contains(&"bad-json"), "{}{}", built.stderr, run.stderr);
    assert!(run.stderr.contains("is not ready to publish: "), "{}", run.stderr);
    let quiet = site.run(&["check", "--publish", "--quiet"]);
    assert_eq!(quiet.code, Some(1));
    let quiet = quiet.stderr.lines().last().unwrap_or_default().to_owned();
    assert!(quiet.contains("is not ready to publish"), "{quiet}");
}

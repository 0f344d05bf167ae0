//! Equal inputs produce equal bytes, and a build leaves no other files behind.

use std::time::SystemTime;

use crate::support::{BASE, SiteTest, convo, example, files_below, run_in};

#[test]
fn threads_folders_and_zones_do_not_matter() {
    let site = example();
    site.build(0);
    let expected = site.output();
    for (threads, zone) in [("1", "Asia/Tokyo"), ("2", "UTC"), ("7", "America/St_Johns")] {
        let other = example();
        let env = [("RAYON_NUM_THREADS", threads), ("TZ", zone), ("LC_ALL", "tr_TR.UTF-8")];
        assert_eq!(other.run_with(&["build"], &env).code, Some(0));
        assert!(other.output() == expected, "{threads} threads, {zone}");
    }
}

#[test]
fn a_second_build_writes_nothing() {
    let site = example();
    site.build(0);
    let stamps = |site: &SiteTest| -> Vec<SystemTime> {
        let paths = site.output().into_keys();
        let stamp = |path: String| site.path("public").join(path).metadata()?.modified();
        paths.map(|path| stamp(path).expect("a time")).collect()
    };
    let before = stamps(&site);
    let run = site.build(0);
    assert!(run.stderr.contains("; 0 files written"), "{}", run.stderr);
    assert_eq!(stamps(&site), before);
}

#[test]
fn rebuilds_after_edits_equal_a_fresh_build() {
    let site = SiteTest::new()
        .file("content/a.convo", convo("First."))
        .file("content/b.convo", convo("Second."))
        .file("content/c.convo", convo("Third."));
    site.build(0);
    site.write("public/mine.txt", "not yours");
    site.write("content/a.convo", convo("First, changed."));
    std::fs::remove_file(site.path("content/b.convo")).expect("removed");
    site.write("content/d.convo", convo("Fourth."));
    site.write("templates/not_found.html", "gone");
    site.build(0);
    let fresh = tempfile::tempdir().expect("a folder");
    let out = fresh.path().to_str().expect("UTF-8");
    assert_eq!(run_in(&site.path(""), &["build", ".", "-o", out], &[]).code, Some(0));
    let mut edited = site.output();
    assert_eq!(edited.remove("mine.txt").as_deref(), Some(b"not yours".as_slice()));
    assert!(edited == files_below(fresh.path()));
    assert!(!edited.values().any(|bytes| String::from_utf8_lossy(bytes).contains("Second.")));
}

#[test]
fn damaged_output_is_repaired() {
    let site = example();
    site.build(0);
    let expected = site.output();
    site.write("public/index.html", "x");
    std::fs::remove_file(site.path("public/404.html")).expect("removed");
    site.build(0);
    assert!(site.output() == expected);
}

/// The old page could contain something that is private now.
#[test]
fn a_page_that_fails_is_removed_until_it_can_be_rendered() {
    let site = SiteTest::new().file("content/a.convo", convo("x"));
    site.build(0);
    let before = site.output();
    site.write("templates/home.html", "{{ nonsense.more }}");
    site.build(1);
    assert!(!site.output().contains_key("index.html"));
    std::fs::remove_file(site.path("templates/home.html")).expect("removed");
    site.build(0);
    assert!(site.output() == before);
}

#[test]
fn a_link_in_the_output_is_replaced_and_not_followed() {
    let site = SiteTest::new().file("content/a.convo", convo("x")).file("outside.txt", "keep");
    site.build(0);
    std::fs::remove_file(site.path("public/index.html")).expect("removed");
    std::os::unix::fs::symlink(site.path("outside.txt"), site.path("public/index.html"))
        .expect("a link");
    site.build(0);
    assert_eq!(std::fs::read(site.path("outside.txt")).expect("there"), b"keep");
    assert!(site.page("index.html", "").contains("<h1"));
}

#[test]
fn private_conversations_leave_no_trace() {
    let text = "### @Quentin Secretus\nThe word is zyzzyva.\n\n----\n{\"title\": \"Xylography\", \
        \"type\": \"confession\", \"time\": \"1999-01-02\", \"private\": true, \
        \"participants\": [\"Quentin Secretus\"], \"languages\": [\"tlh\"]}\n";
    let site = SiteTest::new().file("content/a.convo", convo("x")).file("content/p.convo", text);
    let run = site.build(0);
    assert!(run.stderr.contains("1 private withheld"), "{}", run.stderr);
    for (path, bytes) in site.output() {
        let text = String::from_utf8_lossy(&bytes);
        for word in ["zyzzyva", "Xylography", "Quentin", "confession", "1999", "tlh"] {
            assert!(!text.contains(word) && !path.contains(word), "{word} in {path}");
        }
    }
}

/// The time zone data of the machine, which may be outdated, is not an input.
#[test]
fn the_time_zone_data_of_the_machine_is_not_used() {
    // A zone that is always 5 hours and 45 minutes ahead (RFC 9636, version 1).
    let mut zone = b"TZif\0".to_vec();
    zone.extend([0; 15]);
    zone.extend([0u32, 0, 0, 0, 1, 4].map(u32::to_be_bytes).as_flattened());
    zone.extend((20_700_i32).to_be_bytes());
    zone.extend(b"\0\0XXX\0");
    let talk = convo("x").replace("2026-01-02", "2026-01-02T10:00:00");
    let site = SiteTest::new()
        .file("zones/Europe/Berlin", zone)
        .file("content/a.convo", talk)
        .file("site.toml", format!("{BASE}[[source]]\nfiles = '*'\ntime_zone = 'Europe/Berlin'\n"));
    let zones = site.path("zones");
    let run = site.run_with(&["build"], &[("TZDIR", zones.to_str().expect("UTF-8"))]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert!(site.page("c/", "index.html").contains("2026-01-02T10:00:00+01:00"));
}

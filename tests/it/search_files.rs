//! The files of the search index after edits: those of a build that kept most of them are those of a build from
//! nothing.

use std::collections::BTreeMap;
use std::fs;

use crate::support::SiteTest;

const TALKS: usize = 400;

/// A conversation with words that depend on its number.
fn talk(number: usize) -> String {
    let mut state = number as u64 + 1;
    let mut word = || {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        // Some words are frequent, and most are rare.
        let place = (state >> 33) % 4000 * ((state >> 20) % 4000) / 4000;
        let letter = |shift: u64| char::from(b'a' + (place.wrapping_mul(7919) >> shift) as u8 % 26);
        format!("{}{}{}{place}", letter(0), letter(5), letter(9))
    };
    let mut text = format!(
        "---\ntitle: Talk {number}\ndate: 2025-{:02}-{:02}\nspeakers: [Ada, Bo]\n---\n",
        number / 28 % 12 + 1,
        number % 28 + 1
    );
    for turn in 0..8 {
        let mut words: Vec<String> = (0..16).map(|_| word()).collect();
        // So many words that only a sample of them is known when the index is divided into files.
        words.extend(
            (0..8).map(|place| format!("{}{number}q{place}{turn}", ["a", "k", "t"][turn % 3])),
        );
        let name = if turn % 2 == 0 { "Ada" } else { "Bo" };
        text.push_str(&format!("\n**{name}:** {}.\n", words.join(" ")));
    }
    text
}

fn site() -> SiteTest {
    let site = SiteTest::new().file("site.toml", "base_url = \"https://example.org/\"\n");
    (0..TALKS).for_each(|number| site.write(&format!("content/t{number}.md"), talk(number)));
    site
}

/// The files of the index by path.
fn index(site: &SiteTest) -> BTreeMap<String, Vec<u8>> {
    let files = site.output().into_iter();
    files.filter(|(path, _)| path.starts_with("search/") && !path.ends_with(".html")).collect()
}

#[test]
fn a_build_that_keeps_files_of_the_index_makes_the_same_ones() {
    let site = site();
    site.build(0);
    let first = index(&site);
    let count = first.keys().filter(|path| path.contains("/p")).count();
    assert!(count > 20, "{:?}", first.keys());
    let edits: [(&str, &dyn Fn()); 7] = [
        ("a word is new", &|| {
            site.write("content/t200.md", format!("{}\n**Ada:** Zyzzyva.\n", talk(200)));
        }),
        ("nothing has changed", &|| {}),
        ("a title is new", &|| {
            site.write("content/t7.md", talk(7).replace("Talk 7", "Quagga"));
        }),
        ("the newest conversation is new", &|| {
            site.write("content/new.md", talk(900).replace("date: 2025", "date: 2026"));
        }),
        ("the oldest conversation is new", &|| {
            site.write("content/old.md", talk(901).replace("date: 2025", "date: 2019"));
        }),
        ("a conversation is gone", &|| {
            fs::remove_file(site.path("content/t300.md")).expect("removed");
        }),
        ("a speaker has another name", &|| {
            site.write("content/t9.md", talk(9).replace("**Bo:**", "**Cy:**"));
        }),
    ];
    let mut before = first;
    for (what, edit) in edits {
        edit();
        site.build(0);
        let kept = index(&site);
        let fresh = SiteTest::new();
        fresh.write("site.toml", fs::read_to_string(site.path("site.toml")).expect("text"));
        for (path, bytes) in crate::support::files_below(&site.path("content")) {
            fresh.write(&format!("content/{path}"), &bytes);
        }
        fresh.build(0);
        let from_nothing = index(&fresh);
        let differs = |path: &&String| kept.get(*path) != from_nothing.get(*path);
        let paths: Vec<&String> = kept.keys().chain(from_nothing.keys()).filter(differs).collect();
        assert!(paths.is_empty(), "{what}: {paths:?}");
        let changed = kept.iter().filter(|(path, bytes)| before.get(*path) != Some(*bytes)).count();
        if what.starts_with("a word") {
            assert!(changed * 3 < kept.len(), "{what}: {changed} of {} files", kept.len());
        }
        before = kept;
    }
}

#[test]
fn files_of_the_index_that_the_cache_has_lost_are_made_again() {
    let site = site();
    site.build(0);
    let before = index(&site);
    for (number, (path, _)) in
        crate::support::files_below(&site.path(".convo-site")).into_iter().enumerate()
    {
        if number % 3 == 0 && path.starts_with("runs/") {
            fs::remove_file(site.path(&format!(".convo-site/{path}"))).expect("removed");
        }
    }
    site.write("content/t200.md", talk(200).replace("**Bo:**", "**Bo:** Zyzzyva"));
    site.build(0);
    let lost = index(&site);
    site.write("content/t200.md", talk(200));
    site.build(0);
    assert!(lost != before && index(&site) == before);
}

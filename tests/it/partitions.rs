//! Distributed builds: parts that are read and built separately, and together form a site.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use crate::support::{BASE, Run, SiteTest, convo, example, files_below, run_in};

/// The files of an output folder, by path.
type Files = BTreeMap<String, Vec<u8>>;

/// A machine or shared disk: a folder with a cache and an output.
struct Place(tempfile::TempDir);

impl Place {
    fn new() -> Self {
        Self(tempfile::tempdir().expect("a folder"))
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn files(&self, name: &str) -> Files {
        files_below(&self.path(name))
    }

    /// Runs a command on a site with this place's cache.
    fn run(&self, site: &SiteTest, args: &[&str]) -> Run {
        let cache = self.path("cache");
        let cache = ["--cache-dir", cache.to_str().expect("UTF-8")];
        run_in(&site.path(""), &[args, &cache].concat(), &[])
    }

    #[track_caller]
    fn read(&self, site: &SiteTest, part: &str) -> Run {
        let run = self.run(site, &["read", "--part", part]);
        assert_eq!(run.code, Some(0), "{part}: {}", run.stderr);
        run
    }

    /// Builds a part into this place's folder `out`, and checks the exit code.
    #[track_caller]
    fn build(&self, site: &SiteTest, args: &[&str], code: i32) -> Run {
        let out = self.path("out");
        let out = ["-o", out.to_str().expect("UTF-8")];
        let run = self.run(site, &[&["build"], args, &out].concat());
        assert_eq!(run.code, Some(code), "{args:?}: {}", run.stderr);
        run
    }

    /// Copies a folder from another place over this one, as any tool does.
    fn take(&self, other: &Self, name: &str) {
        copy(&other.path(name), &self.path(name));
    }
}

fn copy(from: &Path, to: &Path) {
    for (name, bytes) in files_below(from) {
        let path = to.join(name);
        fs::create_dir_all(path.parent().expect("a parent")).expect("folders");
        fs::write(path, bytes).expect("written");
    }
}

/// What one build writes.
fn whole(site: &SiteTest) -> Files {
    let place = Place::new();
    place.build(site, &[], 0);
    place.files("out")
}

fn parts(count: u32) -> Vec<String> {
    (1..=count).map(|number| format!("{number}/{count}")).collect()
}

/// Combines parts: every file except the list is in exactly one of them.
fn union(all: &[Files]) -> Files {
    let mut union = Files::new();
    for (path, bytes) in all.iter().flatten() {
        let other = union.insert(path.clone(), bytes.clone());
        let is_list = path == ".convo-site-files";
        assert!(other.is_none_or(|other| is_list && other == *bytes), "{path}");
    }
    union
}

/// Some conversations, and the output of a single build.
fn talks() -> SiteTest {
    let site = SiteTest::new();
    for (number, name) in ["Heron", "Otter", "Wren", "Finch", "Newt"].iter().enumerate() {
        let text = format!("{name} of the pond, the {number}th of them.");
        let title = format!("\"title\": \"The {name}\", \"type\"");
        let path = format!("content/{}.convo", name.to_lowercase());
        site.write(&path, convo(&text).replace("\"type\"", &title));
    }
    site
}

/// Each part has its own disk, apart from explicit copies.
#[track_caller]
fn assert_parts_are_the_whole(site: &SiteTest, count: u32, expected: &Files) {
    let readers: Vec<Place> = parts(count)
        .iter()
        .map(|part| {
            let place = Place::new();
            place.read(site, part);
            place
        })
        .collect();
    let built: Vec<Files> = parts(count)
        .iter()
        .enumerate()
        .map(|(turn, part)| {
            let place = Place::new();
            // Caches can be merged in any order.
            (0..readers.len()).for_each(|at| {
                place.take(&readers[(at * 5 + turn) % readers.len()], "cache");
            });
            place.build(site, &["--part", part], 0);
            place.files("out")
        })
        .collect();
    assert!(union(&built) == *expected, "{count} parts");
}

#[test]
fn two_parts_equal_a_single_build() {
    let site = example();
    let expected = whole(&site);
    for count in [1, 2] {
        assert_parts_are_the_whole(&site, count, &expected);
    }
}

#[test]
fn seven_parts_equal_a_single_build() {
    let site = example();
    assert_parts_are_the_whole(&site, 7, &whole(&site));
}

/// One disk that all parts write to at the same time.
#[test]
fn sixteen_parts_write_to_one_folder() {
    let (site, place) = (example(), Place::new());
    let at_once = |command: &(dyn Fn(&str) + Sync)| {
        std::thread::scope(|scope| {
            for some in parts(16).chunks(8) {
                let some = some.to_vec();
                scope.spawn(move || some.iter().for_each(|part| command(part)));
            }
        });
    };
    at_once(&|part| {
        place.read(&site, part);
    });
    at_once(&|part| {
        place.build(&site, &["--part", part, "--shared-output"], 0);
    });
    assert!(place.files("out") == whole(&site));
    let again = place.build(&site, &["--part", "3/16", "--shared-output"], 0);
    assert!(again.stderr.contains("; 0 files written"), "{}", again.stderr);
}

#[test]
fn each_source_is_read_by_one_part() {
    let (site, place) = (talks(), Place::new());
    let read = |part: &str| -> usize {
        let line = place.read(&site, part).stderr;
        assert!(line.contains(" of 5 sources in "), "{line}");
        let number = line.split_once("read ").expect("a number").1;
        number.split(' ').next().and_then(|word| word.parse().ok()).expect("a number")
    };
    assert_eq!(parts(3).iter().map(|part| read(part)).sum::<usize>(), 5);
    // Reading a part twice is the same as once; nothing is read again.
    assert_eq!(parts(3).iter().map(|part| read(part)).sum::<usize>(), 5);
    let line = place.run(&site, &["read"]).stderr;
    assert!(line.starts_with("read 5 of 5 sources"), "{line}");
}

/// A scheduler that loses contact with a machine starts its part again.
#[test]
fn two_runs_of_the_same_part_take_turns() {
    let (site, place) = (talks(), Place::new());
    for part in parts(2) {
        let args = ["--part", &part, "--shared-output"];
        std::thread::scope(|scope| {
            for _ in 0..3 {
                scope.spawn(|| {
                    place.read(&site, &part);
                    place.build(&site, &args, 0);
                });
            }
        });
    }
    assert!(place.files("out") == whole(&site));
}

/// With an extra step, the part with the search index reads no texts.
#[test]
fn the_search_index_can_be_read_in_parts() {
    let site = SiteTest::new();
    for number in 0..600 {
        let text = format!("Number {number} of the herons says {}.", number * 7919);
        site.write(&format!("content/talk-{number}.convo"), convo(&text));
    }
    let (place, shared) = (Place::new(), ["--part", "1/3", "--shared-output"]);
    let runs = |place: &Place| {
        let files = place.files("cache/.convo-site").into_keys();
        files.filter(|name| name.contains("/runs/")).collect::<Vec<_>>()
    };
    parts(3).iter().for_each(|part| {
        place.read(&site, part);
    });
    assert_eq!(runs(&place), [""; 0]);
    let mut sum = 0;
    for part in parts(3) {
        let run = place.run(&site, &["read", "--search", "--part", &part]);
        assert_eq!(run.code, Some(0), "{}", run.stderr);
        assert!(run.stderr.contains(" of 4 runs of the search index in "), "{}", run.stderr);
        let number = run.stderr.split_once("read ").expect("a number").1;
        sum += number[..1].parse::<usize>().expect("a number");
    }
    assert_eq!((sum, runs(&place).len()), (4, 4));
    // A damaged run is created again.
    let damaged = Place::new();
    damaged.take(&place, "cache");
    let run = damaged.path("cache/.convo-site").join(&runs(&damaged)[0]);
    let mut bytes = fs::read(&run).expect("read");
    let last = bytes.len() - 1;
    bytes[last] ^= 1;
    fs::write(run, bytes).expect("written");
    let expected = whole(&site);
    for place in [place, damaged] {
        place.build(&site, &shared, 0);
        for part in ["2/3", "3/3"] {
            place.build(&site, &["--part", part, "--shared-output"], 0);
        }
        assert!(place.files("out") == expected);
    }
}

/// Words that were removed stay in no cache.
#[test]
fn a_whole_build_sweeps_the_search_caches_of_parts() {
    let (site, place, fresh) = (talks(), Place::new(), Place::new());
    let runs = |place: &Place| {
        let files = place.files("cache/.convo-site").into_keys();
        let names = files.filter(|name| name.contains("runs/"));
        names.filter_map(|name| Some(name.rsplit_once('/')?.1.to_owned())).collect::<BTreeSet<_>>()
    };
    for part in parts(3) {
        place.build(&site, &["--part", &part, "--shared-output"], 0);
    }
    let before = runs(&place);
    fs::remove_file(site.path("content/newt.convo")).expect("removed");
    place.build(&site, &[], 0);
    fresh.build(&site, &[], 0);
    assert!(!runs(&place).is_empty() && runs(&place) != before);
    assert_eq!(runs(&place), runs(&fresh));
}

/// A missing or wrong cache costs time, but never changes bytes.
#[test]
fn a_missing_or_damaged_cache_only_costs_time() {
    let (site, all) = (talks(), Place::new());
    parts(3).iter().for_each(|part| {
        all.read(&site, part);
    });
    let expected = whole(&site);
    let heads = |part: u32| format!("cache/.convo-site/parts/{part}-of-3/heads");
    type Loss = (&'static str, fn(&Path));
    let losses: [Loss; 5] = [
        ("a part is missing", |heads| {
            fs::remove_dir_all(heads.parent().expect("a folder")).expect("removed");
        }),
        ("cut off", |heads| {
            let bytes = fs::read(heads).expect("read");
            fs::write(heads, &bytes[..bytes.len() / 2]).expect("written");
        }),
        ("one bit is wrong", |heads| {
            let mut bytes = fs::read(heads).expect("read");
            let middle = bytes.len() / 2;
            bytes[middle] ^= 4;
            fs::write(heads, bytes).expect("written");
        }),
        ("empty", |heads| fs::write(heads, "").expect("written")),
        ("a folder", |heads| {
            fs::remove_file(heads).expect("removed");
            fs::create_dir(heads).expect("made");
        }),
    ];
    for (about, lose) in losses {
        let place = Place::new();
        place.take(&all, "cache");
        let lost = (1..=3).map(|part| place.path(&heads(part)));
        lose(&lost.into_iter().find(|path| path.exists()).expect("heads"));
        for part in parts(3) {
            place.build(&site, &["--part", &part, "--shared-output"], 0);
        }
        assert!(place.files("out") == expected, "{about}");
    }
    // One part reads something else than the others build.
    site.write("content/heron.convo", convo("The heron has flown."));
    fs::remove_file(site.path("content/newt.convo")).expect("removed");
    for part in parts(3) {
        all.build(&site, &["--part", &part, "--shared-output"], 0);
    }
    assert!(all.files("out") == whole(&site));
}

#[cfg(unix)]
#[test]
fn results_of_another_version_are_read_again() {
    let (site, place) = (talks(), Place::new());
    let other = place.path("convo-site");
    let mut program = fs::read(env!("CARGO_BIN_EXE_convo-site")).expect("read");
    program.push(0);
    fs::copy(env!("CARGO_BIN_EXE_convo-site"), &other).expect("copied");
    fs::write(&other, program).expect("written");
    let read = |part: &str| {
        let run = std::process::Command::new(&other)
            .args(["read", "--part", part, "--cache-dir"])
            .arg(place.path("cache"))
            .current_dir(site.path(""))
            .output();
        assert!(run.expect("it runs").status.success());
    };
    read("1/2");
    place.read(&site, "2/2");
    for part in parts(2) {
        place.build(&site, &["--part", &part, "--shared-output"], 0);
    }
    assert!(place.files("out") == whole(&site));
}

/// The list of changes that a build wrote.
fn changed(place: &Place, site: &SiteTest, args: &[&str]) -> Vec<String> {
    let list = place.path("changed.tsv");
    let to_list = ["--changed-list", list.to_str().expect("UTF-8")];
    place.build(site, &[args, &to_list].concat(), 0);
    let text = fs::read_to_string(list).expect("a list");
    text.lines().map(str::to_owned).collect()
}

/// Packed copies are in the part of their files, and each change is listed by one part.
#[test]
fn packed_files_and_changes_belong_to_one_part() {
    let site = talks();
    let options = "turns_json = true\n[output]\nprecompress = ['br', 'gzip']\n";
    site.write("site.toml", format!("{BASE}{options}"));
    assert_parts_are_the_whole(&site, 3, &whole(&site));
    let (shared, one) = (Place::new(), Place::new());
    let assert_same = |least: usize| {
        let expected = changed(&one, &site, &[]);
        let mut reported: Vec<String> = Vec::new();
        for part in parts(3) {
            reported.extend(changed(&shared, &site, &["--part", &part, "--shared-output"]));
        }
        reported.sort_by(|a, b| a.split('\t').nth(1).cmp(&b.split('\t').nth(1)));
        assert_eq!(reported, expected);
        assert!(reported.len() > least, "{reported:?}");
        assert!(shared.files("out") == one.files("out"));
        reported
    };
    let first = assert_same(100);
    assert!(first.iter().any(|line| line.ends_with("/turns.json.br")), "{first:?}");
    site.write("content/newt.convo", convo("Another newt, with much to say of it."));
    fs::remove_file(site.path("content/otter.convo")).expect("removed");
    let second = assert_same(10);
    assert!(second.iter().any(|line| line.starts_with("removed\t")), "{second:?}");
    for part in parts(3) {
        let again = changed(&shared, &site, &["--part", &part, "--shared-output"]);
        assert_eq!(again, Vec::<String>::new(), "{part}");
    }
}

#[test]
fn removed_files_leave_every_output_folder() {
    let site = talks();
    let (shared, own) = (Place::new(), [Place::new(), Place::new()]);
    // The output of a single build is taken over.
    shared.build(&site, &[], 0);
    let build = || {
        for (part, own) in parts(2).iter().zip(&own) {
            shared.build(&site, &["--part", part, "--shared-output"], 0);
            own.build(&site, &["--part", part], 0);
        }
        let expected = whole(&site);
        assert!(shared.files("out") == expected);
        assert!(union(&own.each_ref().map(|own| own.files("out"))) == expected);
        expected
    };
    let before = build();
    fs::remove_file(site.path("content/otter.convo")).expect("removed");
    site.write(
        "content/wren.convo",
        convo("A wren that is private.").replace("\"type\"", "\"private\": true, \"type\""),
    );
    let after = build();
    assert!(before.len() > after.len() + 3);
    let text = |files: &Files| {
        files.values().map(|bytes| String::from_utf8_lossy(bytes).into_owned()).collect::<String>()
    };
    assert!(text(&before).contains("Otter") && !text(&after).contains("Otter"));
    // A single build takes over the output of parts, and the other way round.
    shared.build(&site, &[], 0);
    assert!(shared.files("out") == after);
    site.write("content/newt.convo", convo("Another newt."));
    build();
}

/// A page changes back to an earlier version, after someone else wrote it in between.
#[test]
fn changes_by_others_invalidate_known_files() {
    let (site, place) = (SiteTest::new(), Place::new());
    let write = |word: &str| site.write("content/a.convo", convo(word));
    let shared = |part: &str| {
        place.build(&site, &["--part", part, "--shared-output"], 0);
    };
    write("One heron.");
    place.build(&site, &[], 0);
    write("Two heron.");
    parts(2).iter().for_each(|part| shared(part));
    assert!(place.files("out") == whole(&site));
    write("Six heron.");
    parts(3).iter().for_each(|part| shared(part));
    assert!(place.files("out") == whole(&site));
    write("Two heron.");
    parts(2).iter().for_each(|part| shared(part));
    assert!(place.files("out") == whole(&site));
    write("One heron.");
    place.build(&site, &[], 0);
    assert!(place.files("out") == whole(&site));
}

#[test]
fn a_folder_with_files_of_other_parts_is_rejected() {
    let (site, place) = (talks(), Place::new());
    place.build(&site, &["--part", "1/2"], 0);
    let before = place.files("out");
    let run = place.build(&site, &["--part", "2/2"], 2);
    assert!(run.stderr.contains("belongs to another part"), "{}", run.stderr);
    assert!(run.stderr.contains("`--shared-output`"), "{}", run.stderr);
    assert!(place.files("out") == before);
    // A folder of one part of two may contain old files of another part of three.
    let codes = parts(5).into_iter().map(|part| {
        let out = place.path("out");
        let out = out.to_str().expect("UTF-8");
        place.run(&site, &["build", "-o", out, "--part", &part]).code
    });
    assert!(codes.collect::<Vec<_>>().contains(&Some(2)));
    // Files of others are kept, and do not get in the way.
    let place = Place::new();
    place.build(&site, &["--part", "1/2"], 0);
    fs::write(place.path("out/mine.txt"), "mine").expect("written");
    let run = place.build(&site, &["--part", "1/2"], 0);
    assert!(run.stderr.contains("foreign-files"), "{}", run.stderr);
}

#[test]
fn files_of_a_killed_part_are_removed_by_the_same_part() {
    let (site, place) = (talks(), Place::new());
    let left = |part: u32| place.path(&format!("out/.convo-site-tmp-{part}-of-3"));
    let leave = |part| {
        fs::create_dir_all(left(part)).expect("made");
        fs::write(left(part).join("0"), "half a page").expect("written");
    };
    leave(1);
    leave(2);
    let run = place.build(&site, &["--part", "2/3", "--shared-output"], 0);
    assert!(left(1).exists() && !left(2).exists());
    assert!(!run.stderr.contains("foreign-files"), "{}", run.stderr);
    place.build(&site, &[], 0);
    assert!(!left(1).exists());
}

#[test]
fn a_part_that_does_not_exist_is_rejected() {
    let site = talks();
    for part in
        ["0/3", "4/3", "x", "1", "1/0", "/3", "1/", "+1/3", "1/3/3", "-1/3", "1/99999999999"]
    {
        for command in ["read", "build"] {
            let part = format!("--part={part}");
            let run = site.run(&[command, &part]);
            assert_eq!(run.code, Some(2), "{command} {part}");
            assert!(run.stderr.contains("such as 2/7"), "{}", run.stderr);
        }
    }
    assert_eq!(site.run(&["build", "--shared-output"]).code, Some(2));
    assert!(!site.path(".convo-site").exists() && site.output().is_empty());
}

/// The reported lines, without the summary.
fn reported(run: &Run) -> Vec<String> {
    let is_note = |line: &&str| line.contains('[') && !line.starts_with("built");
    run.stderr.lines().filter(is_note).map(str::to_owned).collect()
}

#[test]
fn each_problem_is_reported_by_one_part() {
    let site = talks().file("site.toml", format!("{BASE}colour = \"red\"\n"));
    for number in 0..8 {
        site.write(&format!("content/broken-{number}.json"), "{\"messages\": [");
        site.write(&format!("content/link-{number}.convo"), convo("[there](no-such.png)"));
    }
    let short = ["--message-format", "short"];
    let place = Place::new();
    let mut expected = reported(&place.build(&site, &short, 1));
    expected.sort();
    assert!(expected.len() > 15, "{expected:?}");
    let all = Place::new();
    let (mut together, mut codes) = (Vec::new(), BTreeSet::new());
    for part in parts(4) {
        // Nothing is reported twice: reading reports nothing.
        assert_eq!(reported(&all.read(&site, &part)), [""; 0]);
        let out = all.path("out");
        let part = ["--part", &part, "--shared-output", "-o", out.to_str().expect("UTF-8")];
        let run = all.run(&site, &[&["build"], &part[..], &short].concat());
        let has_errors = reported(&run).iter().any(|line| line.contains("error["));
        assert_eq!(run.code, Some(i32::from(has_errors)), "{}", run.stderr);
        codes.insert(run.code);
        together.extend(reported(&run));
    }
    together.sort();
    assert_eq!(together, expected);
    assert!(codes.contains(&Some(1)));
    assert!(all.files("out") == place.files("out"));
}

/// Each part would create a different one, and everyone would have several names.
#[test]
fn no_part_creates_a_pseudonym_key() {
    let site = talks();
    site.write("site.toml", format!("{BASE}[people]\nothers = \"pseudonym\"\n"));
    for args in [["read", "--part", "1/2"], ["build", "--part", "1/2"]] {
        let run = site.run(&args);
        assert_eq!(run.code, Some(2), "{}", run.stderr);
        assert!(run.stderr.contains("missing-people-key"), "{}", run.stderr);
    }
    site.build(0);
    let out = Place::new();
    for part in parts(2) {
        out.read(&site, &part);
        out.build(&site, &["--part", &part, "--shared-output"], 0);
    }
    assert!(out.files("out") == site.output());
}

#[test]
fn the_gate_and_the_checks_work_in_parts() {
    let site = crate::gate::site("", &crate::gate::talk("The red one."));
    let secret = crate::gate::token(9);
    site.write("content/key.convo", convo(&format!("My key is {secret}.")));
    let place = Place::new();
    for part in parts(3) {
        place.read(&site, &part);
    }
    let mut codes = BTreeSet::new();
    let check = |code: i32| {
        let out = place.path("out");
        let out = out.to_str().expect("UTF-8");
        let run = place.run(&site, &["check", "--publish", "-o", out]);
        assert_eq!(run.code, Some(code), "{}", run.stderr);
    };
    for (done, part) in parts(3).iter().enumerate() {
        let out = place.path("out");
        let out = out.to_str().expect("UTF-8");
        let args = ["build", "--part", part, "--shared-output", "-o", out];
        codes.insert(place.run(&site, &args).code);
        // A single part is not a site.
        check(if done < 2 { 1 } else { 0 });
    }
    assert_eq!(codes, [Some(0), Some(1)].into());
    for bytes in place.files("").values() {
        let text = String::from_utf8_lossy(bytes);
        assert!(crate::gate::parts(&secret).iter().all(|part| !text.contains(part)));
    }
    let status = place.run(&site, &["status", "-o", place.path("out").to_str().expect("UTF-8")]);
    assert!(!status.stdout.contains("since the last build"), "{}", status.stdout);
}

#[test]
fn one_build_takes_over_the_caches_of_parts() {
    let (site, place) = (talks(), Place::new());
    let heads = || {
        let files = place.files("cache/.convo-site").into_keys();
        files.filter(|name| name.ends_with("heads")).collect::<Vec<_>>()
    };
    parts(3).iter().for_each(|part| {
        place.read(&site, part);
    });
    assert!(heads().iter().all(|name| name.starts_with("parts/")) && heads().len() > 1);
    place.build(&site, &[], 0);
    assert_eq!(heads(), ["heads"]);
    place.build(&site, &["--part", "1/3", "--shared-output"], 0);
    let out = place.path("out");
    let run = place.run(&site, &["clean", "-o", out.to_str().expect("UTF-8")]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert!(!place.path("cache/.convo-site").exists() && place.files("out").is_empty());
}

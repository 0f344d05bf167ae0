//! Archives as folders, packed files as files, and exports that are read record by record.

use std::fmt::Write as _;
use std::io::Write as _;

use flate2::Compression;
use flate2::write::{DeflateEncoder, GzEncoder};
use rawzip::{CompressionMethod, ZipArchiveWriter};
use ruzstd::encoding::{CompressionLevel, compress_to_vec};
use serde_json::Value;

use crate::support::{BASE, Run, SiteTest, convo, wait_until_times_are_trusted};

type Members<'a> = &'a [(&'a str, &'a [u8])];

/// Packs a ZIP file with these members.
pub(crate) fn zip(members: Members<'_>) -> Vec<u8> {
    let mut archive = ZipArchiveWriter::new(Vec::new());
    for (name, bytes) in members {
        let new = archive.new_file(rawzip::path::EntryPath::verbatim(name.as_bytes()));
        let new = new.compression_method(CompressionMethod::DEFLATE);
        let (mut entry, config) = new.start().expect("a member");
        let encoder = DeflateEncoder::new(&mut entry, Compression::default());
        let mut writer = config.wrap(encoder);
        writer.write_all(bytes).expect("written");
        let (encoder, descriptor) = writer.finish().expect("finished");
        encoder.finish().expect("finished");
        entry.finish(descriptor).expect("finished");
    }
    archive.finish().expect("finished")
}

pub(crate) fn tar(members: Members<'_>) -> Vec<u8> {
    let mut archive = tar::Builder::new(Vec::new());
    for (name, bytes) in members {
        let mut header = tar::Header::new_gnu();
        header.set_size(bytes.len() as u64);
        header.set_mode(0o644);
        archive.append_data(&mut header, name, *bytes).expect("a member");
    }
    archive.into_inner().expect("finished")
}

pub(crate) fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(bytes).expect("written");
    encoder.finish().expect("finished")
}

fn zstd(bytes: &[u8]) -> Vec<u8> {
    compress_to_vec(bytes, CompressionLevel::Fastest)
}

/// The diagnostics of a build, as `file: code: message`.
fn reported(run: &Run) -> Vec<String> {
    let notes: Value = serde_json::from_str(&run.stdout).expect("JSON");
    let row = |note: &Value| {
        let text = |key: &str| note[key].as_str().unwrap_or_default().to_owned();
        format!("{}: {}: {}", text("file"), text("code"), text("message"))
    };
    notes.as_array().expect("an array").iter().map(row).collect()
}

fn build(site: &SiteTest) -> (Run, Vec<String>) {
    let run = site.run(&["build", "--message-format", "json"]);
    let reported = reported(&run);
    (run, reported)
}

/// The text of all conversation pages.
fn shown(site: &SiteTest) -> String {
    let pages = site
        .output()
        .into_iter()
        .filter(|(path, _)| path.starts_with("c/") && path.ends_with("index.html"));
    pages.map(|(_, bytes)| String::from_utf8(bytes).expect("UTF-8")).collect()
}

const PNG: &[u8] = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01\x08\x06\0\0\0\x1f\x15\xc4\
    \x89\0\0\0\rIDATx\x9cc\xf8\xcf\xc0\xf0\x1f\0\x05\0\x01\xff\x89\x99=\x1d\0\0\0\0IEND\xaeB`\x82";

/// A pattern for an archive or a packed file is about everything in it, wherever patterns are used.
#[test]
fn patterns_for_an_archive_apply_to_its_content() {
    let text = "**Quillon:** Who has the wheel?\n\n**Ada:** I have it.\n";
    let packed = gzip(text.as_bytes());
    let archive = zip(&[("talk.md", text.as_bytes())]);
    let nested = zip(&[("talk.md.gz", &packed)]);
    for (name, bytes, pattern) in [
        ("pack.zip", &archive, "*.zip"),
        ("talk.md.gz", &packed, "*.gz"),
        ("outer.zip", &nested, "*.zip"),
    ] {
        for (file, rule) in [
            ("site.toml", "[[source]]\nfiles = 'PATTERN'\nvisibility = 'private'\n"),
            ("site.toml", "[people.Rill]\nnames = [{ name = 'Quillon', in = 'PATTERN' }]\n"),
            ("edits.toml", "[[conversation]]\nfile = 'PATTERN'\nspeakers = { Quillon = 'Rill' }\n"),
            ("publish.toml", "[[conversation]]\nfile = 'PATTERN'\n"),
        ] {
            let about = format!("{name}, {pattern}, {file}: {rule}");
            let site = SiteTest::new().file(&format!("content/{name}"), bytes);
            site.write("site.toml", BASE);
            let rule = rule.replace("PATTERN", pattern);
            let config = if file == "site.toml" { BASE } else { "" };
            site.write(file, format!("{config}{rule}"));
            let run = site.run(&["build"]);
            assert_eq!(run.code, Some(0), "{about}: {}", run.stderr);
            let is_published = site.output().iter().any(|(path, bytes)| {
                path.ends_with(".html") && String::from_utf8_lossy(bytes).contains("Quillon")
            });
            assert_eq!(is_published, file == "publish.toml", "{about}");
        }
    }
}

#[test]
fn an_archive_is_read_like_a_folder() {
    let talk = convo("See ![the sea](images/sea.png).");
    let members: Members<'_> = &[
        ("trip/talk.convo", talk.as_bytes()),
        ("trip/images/sea.png", PNG),
        ("__MACOSX/trip/._talk.convo", b"\0\0"),
    ];
    let plain = SiteTest::new()
        .file("content/a.zip/trip/talk.convo", &talk)
        .file("content/a.zip/trip/images/sea.png", PNG);
    plain.build(0);
    for (name, bytes) in [
        ("a.zip", zip(members)),
        ("a.tar", tar(members)),
        ("a.tar.gz", gzip(&tar(members))),
        ("a.tgz", gzip(&tar(members))),
        ("a.tar.zst", zstd(&tar(members))),
    ] {
        let site = SiteTest::new().file(&format!("content/{name}"), bytes);
        let (run, reported) = build(&site);
        assert_eq!((run.code, reported), (Some(0), vec![]), "{name}");
        let (packed, unpacked) = (site.output(), plain.output());
        assert!(packed.keys().eq(unpacked.keys()), "{name}");
        assert!(packed.keys().any(|path| path.ends_with(".png")), "{name}");
        assert_eq!(shown(&site), shown(&plain), "{name}");
    }
}

#[test]
fn a_packed_file_is_read_like_its_content() {
    let talk = convo("It came in a box.");
    for (ending, packed) in [("gz", gzip(talk.as_bytes())), ("zst", zstd(talk.as_bytes()))] {
        let site = SiteTest::new()
            .file(&format!("content/talk.convo.{ending}"), &packed)
            .file("content/other.convo", convo("Read [the talk](talk.convo)."));
        let (run, reported) = build(&site);
        assert_eq!((run.code, reported), (Some(0), vec![]), "{ending}");
        assert!(shown(&site).contains("It came in a box."));
        // A packed file is skipped if its unpacked copy is next to it.
        site.write("content/talk.convo", &talk);
        let (_, reported) = build(&site);
        let expected = format!(
            "content/talk.convo.{ending}: bad-archive: not read: `content/talk.convo` exists too"
        );
        assert_eq!(reported, [expected]);
    }
    // Files packed in two streams, and in many concatenated ones.
    let (a, b) = talk.split_at(20);
    for packed in [
        [gzip(a.as_bytes()), gzip(b.as_bytes())].concat(),
        [zstd(a.as_bytes()), b"\x50\x2a\x4d\x18\x01\0\0\0x".to_vec(), zstd(b.as_bytes())].concat(),
    ] {
        let ending = if packed.starts_with(b"\x1f") { "gz" } else { "zst" };
        let site = SiteTest::new().file(&format!("content/talk.convo.{ending}"), packed);
        let (run, reported) = build(&site);
        assert_eq!((run.code, reported), (Some(0), vec![]), "{ending}");
        assert!(shown(&site).contains("It came in a box."));
    }
}

#[test]
fn member_names_cannot_leave_an_archive() {
    let talk = convo("Fine.");
    let bad = convo("Planted.");
    for name in ["../x.convo", "/etc/x.convo", "C:\\x.convo", "a/../../x.convo", "a\nb.convo"] {
        let members: Members<'_> = &[("good.convo", talk.as_bytes()), (name, bad.as_bytes())];
        let site = SiteTest::new().file("content/a.zip", zip(members));
        let (run, reported) = build(&site);
        assert_eq!(run.code, Some(1), "{name}");
        assert_eq!(reported.len(), 1, "{reported:?}");
        assert!(reported[0].starts_with("content/a.zip: bad-archive: "), "{reported:?}");
        assert!(reported[0].contains("could point out"), "{reported:?}");
        assert!(shown(&site).contains("Fine.") && !shown(&site).contains("Planted."));
    }
}

#[test]
fn links_in_archives_are_not_followed() {
    let mut archive = tar::Builder::new(Vec::new());
    let mut header = tar::Header::new_gnu();
    header.set_entry_type(tar::EntryType::Symlink);
    header.set_size(0);
    archive.append_link(&mut header, "x.convo", "/etc/passwd").expect("a link");
    let talk = convo("Fine.");
    let mut header = tar::Header::new_gnu();
    header.set_size(talk.len() as u64);
    let long = format!("{}/talk.convo", "long".repeat(40));
    archive.append_data(&mut header, &long, talk.as_bytes()).expect("a member");
    let bytes = archive.into_inner().expect("finished");
    let site = SiteTest::new().file("content/a.tar", bytes);
    let (run, reported) = build(&site);
    assert_eq!(run.code, Some(0), "{reported:?}");
    assert_eq!(reported.len(), 1, "{reported:?}");
    assert!(
        reported[0].contains("`x.convo` in it is skipped: links in archives are not followed"),
        "{reported:?}"
    );
    assert!(shown(&site).contains("Fine."));
}

#[test]
fn a_zip_bomb_is_harmless() {
    let zeros = vec![b' '; 64 << 20];
    let site = SiteTest::new()
        .file("content/a.zip", zip(&[("a.md", &zeros), ("b.convo", convo("b").as_bytes())]))
        .file("content/b.md.gz", gzip(&zeros))
        .file("content/c.tgz", gzip(&tar(&[("c.md", &zeros)])));
    let (run, reported) = build(&site);
    assert_eq!(run.code, Some(1));
    for name in ["content/a.zip: ", "content/b.md: ", "content/c.tgz: "] {
        let row = reported.iter().find(|row| row.starts_with(name)).expect("a report");
        assert!(row.contains("bad-archive") && row.contains("unpack"), "{reported:#?}");
    }
}

#[test]
fn the_later_of_two_members_with_the_same_name_is_read() {
    let (old, new) = (convo("The old one."), convo("The new one."));
    let twice: Members<'_> = &[("a.convo", old.as_bytes()), ("a.convo", new.as_bytes())];
    for (name, bytes) in [("a.zip", zip(twice)), ("a.tar", tar(twice))] {
        let site = SiteTest::new().file(&format!("content/{name}"), bytes);
        let (run, reported) = build(&site);
        assert_eq!(run.code, Some(0), "{reported:?}");
        assert_eq!(reported.len(), 1);
        assert!(reported[0].contains("in the archive twice"), "{reported:?}");
        assert!(shown(&site).contains("The new one."));
        assert!(!shown(&site).contains("The old one."));
    }
    let same: Members<'_> = &[("a.convo", old.as_bytes()), ("a.convo", old.as_bytes())];
    let site = SiteTest::new().file("content/a.zip", zip(same));
    assert_eq!(build(&site).1, Vec::<String>::new());
}

/// If an archive contains several copies of a file, a private copy wins, whatever its position, its
/// kind of mark and the spelling of its name.
#[test]
fn a_private_copy_in_an_archive_wins() {
    let talk = |access: &str, text: &str| format!("{access}{}", convo(text));
    let cjson = |access: &str, text: &str| {
        format!(
            r#"{{"id": "one",{access} "conversationTitle": "Birds", "messages": [{{"id": "m",
            "role": "user", "messageType": "composite", "contentBlocks": [{{"blockType": "text",
            "id": "a", "text": "{text}"}}]}}],
            "schemaUrl": "https://schema.cjson.dev/0/conversation/cjson-0.1.0-SNAPSHOT.schema.json"}}"#
        )
    };
    let chat = |access: &str, text: &str| {
        format!(r#"{{{access} "id": "c", "messages": [{{"role": "user", "content": "{text}"}}]}}"#)
    };
    type Make<'a> = &'a dyn Fn(&str, &str) -> String;
    let marks: [(&str, Make<'_>, &str); 6] = [
        ("a.convo", &talk, "---\nprivate: true\n---\n"),
        ("a.convo", &talk, "---\ndraft: true\n---\n"),
        ("a.convo", &talk, "---\npublish: 2099-01-01\n---\n"),
        ("a.json", &cjson, "\"isPrivate\": true,"),
        ("a.json", &chat, "\"visibility\": \"private\","),
        ("a.jsonl", &chat, "\"private\": true,"),
    ];
    let mut site = SiteTest::new();
    // The folder of each archive, the name that its report must have, and what is tried.
    let (mut hidden, mut shown_ones) = (Vec::new(), Vec::new());
    for (name, make, mark) in marks {
        let upper = format!("A{}", &name[1..]);
        let (dotted, packed) = (format!("./{name}"), format!("{name}.gz"));
        for way in ["first", "last", "between", "dotted", "packed", "beside", "case"] {
            for archive in ["x.zip", "x.tar", "x.tgz"] {
                let number = hidden.len();
                let text = format!("Heron {number} came back.");
                let (private, public) = (make(mark, &text), make("", &text));
                let zipped = (gzip(private.as_bytes()), gzip(public.as_bytes()));
                let (private, public) = (private.as_bytes(), public.as_bytes());
                let members: Members<'_> = match way {
                    "first" => &[(name, private), (name, public)],
                    "last" => &[(name, public), (name, private)],
                    "between" => &[(name, public), (name, private), (name, public)],
                    "dotted" => &[(&dotted, private), (name, public)],
                    "packed" => &[(&packed, &zipped.0), (&packed, &zipped.1)],
                    "beside" => &[(&packed, &zipped.0), (name, public)],
                    _ => &[(&upper, private), (name, public)],
                };
                let bytes = match archive {
                    "x.zip" => zip(members),
                    "x.tar" => tar(members),
                    _ => gzip(&tar(members)),
                };
                site = site.file(&format!("content/{number}/{archive}"), bytes);
                let reported = if way == "packed" { name } else { &name[1..] };
                let what = format!("{name}, {mark}, {way}, {archive}");
                hidden.push((format!("content/{number}/{archive}: bad-archive"), reported, what));
            }
        }
        // Without a private copy, nothing changes.
        let text = format!("Crane {} came back.", shown_ones.len());
        let public = make("", &text);
        let members = [(name, public.as_bytes()), (&upper, public.as_bytes())];
        site = site.file(&format!("content/public-{}/x.zip", shown_ones.len()), zip(&members));
        shown_ones.push((text, name));
    }
    let (_, reports) = build(&site);
    let pages = shown(&site);
    assert!(!pages.contains("Heron"), "{pages}");
    for (start, reported, what) in hidden {
        let mut rows = reports.iter().filter(|row| row.starts_with(&start));
        assert!(rows.any(|row| row.contains(reported)), "{what}: {reports:#?}");
    }
    for (text, name) in shown_ones {
        assert!(pages.contains(&text), "{name}");
    }
    // Two private copies may be different conversations.
    let both = [
        talk("---\nprivate: true\n---\n", "The heron came back."),
        talk("---\nprivate: true\n---\nBea: No.\n", "The heron came back."),
    ];
    let members: Members<'_> = &[("a.convo", both[0].as_bytes()), ("a.convo", both[1].as_bytes())];
    let site = SiteTest::new().file("content/x.tar", tar(members));
    assert!(!shown(&site).contains("heron"));
    assert!(build(&site).1.iter().any(|row| row.contains("skipped")));
}

#[test]
fn the_intact_part_of_an_archive_is_read() {
    let first = convo("The first one.");
    let long: String = (0..3_000)
        .map(|n| format!("**Ada:** Word {n}.\n\n**Bob:** Indeed, {}.\n\n", n * 7919))
        .collect();
    let members: Members<'_> = &[("a.convo", first.as_bytes()), ("b.md", long.as_bytes())];
    let tarred = tar(members);
    for (name, bytes) in
        [("a.zip", zip(members)), ("a.tar", tarred.clone()), ("a.tar.gz", gzip(&tarred))]
    {
        let site = SiteTest::new().file(&format!("content/{name}"), &bytes[..bytes.len() * 3 / 4]);
        let (run, reported) = build(&site);
        assert_eq!(run.code, Some(1), "{name}: {reported:?}");
        let archive = format!("content/{name}: bad-archive: the archive is truncated");
        assert!(reported.iter().any(|row| row.starts_with(&archive)), "{reported:#?}");
        let shown = shown(&site);
        assert!(shown.contains("The first one."), "{name}");
        assert!(shown.contains("Word 100."), "{name}: {reported:#?}");
    }
    let packed = gzip(long.as_bytes());
    let site = SiteTest::new().file("content/b.md.gz", &packed[..packed.len() / 2]);
    let (_, reported) = build(&site);
    assert!(reported[0].contains("content/b.md: bad-archive: the archive is truncated"));
    assert!(shown(&site).contains("Word 100."));
}

#[test]
fn every_truncated_archive_is_reported() {
    let talk = convo("Fine.");
    let members: Members<'_> = &[("a.convo", talk.as_bytes()), ("b/c.convo", talk.as_bytes())];
    let site = SiteTest::new();
    for (name, bytes) in [
        ("a.zip", zip(members)),
        ("a.tgz", gzip(&tar(members))),
        ("a.tar.zst", zstd(&tar(members))),
    ] {
        for at in (0..bytes.len()).step_by(bytes.len() / 11) {
            site.write(&format!("content/{name}"), &bytes[..at]);
            let (run, reported) = build(&site);
            // Without the last bytes, a packed archive may still be complete.
            let is_whole =
                site.output().keys().filter(|path| path.ends_with("index.md")).count() == 2;
            assert!(run.code == Some(1) || is_whole, "{name} {at}: {reported:?}");
            assert!(!reported.iter().any(|row| row.contains("internal")), "{reported:?}");
        }
        std::fs::remove_file(site.path(&format!("content/{name}"))).expect("removed");
    }
}

#[test]
fn a_damaged_member_is_skipped_alone() {
    let (a, b) = (convo(&"Broken words. ".repeat(300)), convo("Whole."));
    let mut bytes = zip(&[("a.convo", a.as_bytes()), ("b.convo", b.as_bytes())]);
    bytes[60] ^= 0x55;
    let site = SiteTest::new().file("content/a.zip", bytes);
    let (run, reported) = build(&site);
    assert_eq!(run.code, Some(1));
    assert!(reported.iter().any(|row| row.starts_with("content/a.zip/a.convo: bad-archive")));
    assert!(shown(&site).contains("Whole."));
}

#[test]
fn a_packed_file_in_an_archive_is_read_like_its_content() {
    // Larger than one window, and than one part.
    let numbers = |turn: usize| {
        let numbers = (0..100).map(|n| format!("Number {} of them. ", 100 * turn + n));
        numbers.collect::<String>()
    };
    let turns: Vec<String> = (0..600).map(numbers).collect();
    let long = convo(&turns.join("\n\n### @Ada\n"));
    let (talk, other) = (convo("Packed by gzip."), convo("Packed by Zstandard."));
    let (this, not_this) = (convo("But this one."), gzip(convo("Not this one.").as_bytes()));
    let packed = [gzip(talk.as_bytes()), zstd(other.as_bytes()), gzip(long.as_bytes())];
    let members: Members<'_> = &[
        ("logs/a.convo.gz", &packed[0]),
        ("logs/b.convo.zst", &packed[1]),
        ("logs/c.convo.gz", &packed[2]),
        ("logs/d.convo.gz", &not_this),
        ("logs/d.convo", this.as_bytes()),
    ];
    let mut pages: Vec<String> = Vec::new();
    for (name, bytes) in [
        ("a.zip", zip(members)),
        ("a.tar", tar(members)),
        ("a.tgz", gzip(&tar(members))),
        ("a.tar.zst", zstd(&tar(members))),
    ] {
        let site = SiteTest::new().file(&format!("content/{name}"), bytes);
        let (run, reported) = build(&site);
        assert_eq!(run.code, Some(0), "{name}: {reported:#?}");
        assert_eq!(reported.len(), 1, "{name}: {reported:#?}");
        assert!(reported[0].contains("`logs/d.convo.gz` in it is not read"), "{reported:#?}");
        let shown = shown(&site);
        for text in ["Packed by gzip.", "Packed by Zstandard.", "But this one.", "Number 59999 of"]
        {
            assert!(shown.contains(text), "{name}: {text}");
        }
        assert!(!shown.contains("Not this one."), "{name}");
        pages.push(shown);
    }
    assert!(pages.iter().all(|page| *page == pages[0]));
}

#[test]
fn a_packed_bomb_in_an_archive_is_harmless() {
    let zeros = vec![b'0'; 8 << 20];
    let twice = gzip(&zeros);
    let zstd = zstd(&zeros);
    let members: Members<'_> =
        &[("a.md.gz", &twice), ("b.md.zst", &zstd), ("c.md.gz", &twice[..20])];
    for (name, bytes) in [("a.zip", zip(members)), ("a.tgz", gzip(&tar(members)))] {
        let site = SiteTest::new().file(&format!("content/{name}"), bytes);
        let (run, reported) = build(&site);
        assert_eq!(run.code, Some(1), "{reported:#?}");
        for file in ["a.md", "b.md", "c.md"] {
            let path = format!("content/{name}/{file}: ");
            assert!(reported.iter().any(|note| note.starts_with(&path)), "{file}: {reported:#?}");
        }
        assert!(shown(&site).is_empty());
    }
}

#[test]
fn encrypted_and_nested_archives_are_reported() {
    let talk = convo("Secret.");
    let mut bytes = zip(&[("a.convo", talk.as_bytes())]);
    // The flag is in both the local header and the central directory.
    bytes[6] |= 1;
    let directory = bytes.windows(4).position(|some| some == b"PK\x01\x02").expect("there");
    bytes[directory + 8] |= 1;
    let inner = zip(&[("a.convo", talk.as_bytes())]);
    let outer = zip(&[("inner.zip", &inner), ("b.csv.gz", &gzip(talk.as_bytes()))]);
    let site = SiteTest::new().file("content/a.zip", bytes).file("content/b.zip", outer);
    let (run, reported) = build(&site);
    assert_eq!(run.code, Some(1));
    assert_eq!(
        reported,
        [
            "content/a.zip: bad-archive: `a.convo` in it is encrypted and cannot be read",
            "content/b.zip/b.csv.gz: unknown-format: a gzip-compressed file (cannot be read, not \
             published)",
            "content/b.zip/inner.zip: unknown-format: a ZIP archive (cannot be read, not \
             published)",
        ]
    );
    assert!(shown(&site).is_empty());
}

#[test]
fn a_packed_mailbox_needs_no_extension() {
    let mail = "From wren@mill.example Wed Mar  4 18:20:05 2026\n\
                From: Wren <wren@mill.example>\nTo: quay@mill.example\n\
                List-Id: Tides <list.mill.example>\nSubject: The tide\n\
                Date: Wed, 4 Mar 2026 18:20:05 +0000\n\nIt is in.\n\n";
    let opened = "[[source]]\nfiles = '**'\nvisibility = 'public'\n";
    let site = SiteTest::new()
        .file("site.toml", format!("{BASE}{opened}"))
        .file("content/2026-March.gz", gzip(mail.as_bytes()))
        .file("content/noise.gz", gzip(&[0, 1, 2, 255]));
    let (run, reported) = build(&site);
    assert_eq!(run.code, Some(0), "{reported:#?}");
    assert!(reported.iter().any(|note| note.contains("content/noise")), "{reported:#?}");
    let files = site.output();
    assert!(files.iter().any(|(name, bytes)| name.ends_with("index.html")
        && String::from_utf8_lossy(bytes).contains("It is in.")));
}

#[test]
fn files_that_only_look_like_archives_are_reported() {
    let site = SiteTest::new()
        .file("content/a.zip", "<html>Please log in</html>")
        .file("content/b.md.gz", "**Ada:** Hi")
        .file("content/c.tar.gz", gzip(b"no tar"))
        .file("content/d.convo", convo("Fine."))
        .file("content/data.csv.gz", gzip(b"a,b"));
    let (run, reported) = build(&site);
    assert_eq!(run.code, Some(1));
    assert_eq!(reported.len(), 4, "{reported:#?}");
    assert_eq!(reported[0], "content/a.zip: bad-archive: not a ZIP file");
    assert_eq!(reported[1], "content/b.md.gz: bad-archive: not a gzip file");
    assert!(reported[2].starts_with("content/c.tar.gz: bad-archive: "), "{reported:#?}");
    assert!(reported[3].contains("content/data.csv.gz: unknown-format: a gzip-compressed file"));
}

#[test]
fn rules_for_an_archive_apply_to_its_members() {
    let talk = convo("Not for everybody.");
    let files = |site: SiteTest| {
        site.file("content/a.zip", zip(&[("x/a.convo", talk.as_bytes())]))
            .file("content/b.convo.gz", gzip(convo("Nor this.").as_bytes()))
            .file("content/c.convo", convo("But this."))
    };
    for rule in ["visibility = \"private\"", "ignore = true"] {
        for pattern in ["*.{zip,gz}", "{a.zip,b.convo.gz}"] {
            let rules = format!("{BASE}[[source]]\nfiles = \"{pattern}\"\n{rule}\n");
            let site = files(SiteTest::new()).file("site.toml", rules);
            let (run, reported) = build(&site);
            assert_eq!(run.code, Some(0), "{pattern} {rule}: {reported:?}");
            let shown = shown(&site);
            assert!(shown.contains("But this."), "{pattern} {rule}");
            assert!(!shown.contains("Not for everybody.") && !shown.contains("Nor this."));
        }
    }
    // An ignored archive is not reported, even if it is broken.
    let rules = format!("{BASE}[[source]]\nfiles = \"a.zip\"\nignore = true\n");
    let site = files(SiteTest::new()).file("site.toml", rules);
    site.write("content/a.zip", "PK no more");
    assert_eq!(build(&site).1, Vec::<String>::new());
}

/// A CJSON conversation with this text.
fn cjson(number: usize, words: &str) -> String {
    format!(
        r#"{{"id": "c{number}", "schemaUrl": "https://schema.cjson.dev/0/conversation/cjson-0.1.0-SNAPSHOT.schema.json", "conversationTitle": "Talk {number}", "messages": [{{"id": "m", "role": "user", "messageType": "text", "content": "Number {number} says {words}", "createdAt": "2026-01-02T03:04:05Z"}}]}}"#
    )
}

/// An array of conversations larger than the read buffer.
fn long_array(count: usize) -> String {
    let words = "many words and [brackets} and \\\" quotes ".repeat(40);
    let mut text = "[\n".to_owned();
    for number in 0..count {
        let comma = if number == 0 { "" } else { ",\n" };
        let _ = write!(text, "{comma}{}", cjson(number, &words));
    }
    text + "\n]\n"
}

#[test]
fn a_long_export_is_read_record_by_record() {
    let text = long_array(400);
    assert!(text.len() > 700_000);
    let site = SiteTest::new().file("content/all.json", &text);
    let (run, reported) = build(&site);
    assert_eq!((run.code, reported), (Some(0), vec![]));
    let pages = shown(&site);
    for number in 0..400 {
        assert!(pages.contains(&format!("Number {number} says many")), "{number}");
    }
    // Other containers with the same content produce the same site.
    let files = |site: &SiteTest| {
        let files = site.output().into_keys();
        files.filter(|path| !path.starts_with("search/")).collect::<Vec<_>>()
    };
    for (name, bytes) in [
        ("all.json", format!("\u{feff}{text}").into_bytes()),
        ("all.json.gz", gzip(text.as_bytes())),
        ("all.json.zst", zstd(text.as_bytes())),
        ("all.zip", zip(&[("all.json", text.as_bytes())])),
    ] {
        let other = SiteTest::new().file(&format!("content/{name}"), bytes);
        let (run, reported) = build(&other);
        assert_eq!((run.code, reported), (Some(0), vec![]), "{name}");
        assert!(files(&site) == files(&other), "{name}");
        assert!(pages == shown(&other), "{name}");
    }
}

#[test]
fn a_broken_record_of_a_long_export_is_skipped_alone() {
    let text = long_array(400);
    let broken = text.replacen("\"id\": \"c7\"", "\"id\": c7", 1);
    let cut = &broken[..broken.len() - 500];
    let site = SiteTest::new().file("content/all.json", cut);
    let (run, reported) = build(&site);
    assert_eq!(run.code, Some(1));
    assert_eq!(reported.len(), 2, "{reported:#?}");
    assert!(reported[0].starts_with("content/all.json: bad-json"), "{reported:#?}");
    let notes: Value = serde_json::from_str(&run.stdout).expect("JSON");
    assert_eq!((&notes[0]["line"], &notes[1]["line"]), (&9.into(), &401.into()));
    let pages = shown(&site);
    assert!(!pages.contains("Number 7 says") && pages.contains("Number 398 says"));
}

#[test]
fn a_record_that_is_too_long_is_skipped_alone() {
    let long = cjson(2, &"x".repeat(65 << 20));
    let text = format!("[{},{long},{}]", cjson(1, "a"), cjson(3, "b"));
    let site = SiteTest::new().file("content/all.json", text);
    let (run, reported) = build(&site);
    assert_eq!(run.code, Some(1));
    assert_eq!(reported.len(), 1, "{reported:#?}");
    assert!(reported[0].starts_with("content/all.json: too-large: a record is larger"));
    let pages = shown(&site);
    assert!(pages.contains("Number 1 says") && pages.contains("Number 3 says"));
}

#[test]
fn an_unchanged_archive_is_not_read_again() {
    let talk = convo("As it was.");
    let members: Members<'_> = &[("a.convo", talk.as_bytes())];
    let site = SiteTest::new().file("content/a.zip", zip(members));
    wait_until_times_are_trusted();
    site.build(0);
    let first = site.output();
    let again = site.build(0);
    assert!(again.stderr.contains("0 written") || first == site.output(), "{}", again.stderr);
    site.write("content/a.zip", zip(&[("a.convo", convo("As it is.").as_bytes())]));
    site.build(0);
    assert!(shown(&site).contains("As it is."));
}

#[test]
fn an_archive_can_be_converted() {
    let talk = convo("In a box.");
    let site = SiteTest::new()
        .file("box.zip", zip(&[("x/a.convo", talk.as_bytes()), ("b.convo", talk.as_bytes())]))
        .file("one.convo.gz", gzip(talk.as_bytes()));
    let run = site.run(&["convert", "one.convo.gz", "--to", "json"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert!(run.stdout.contains("In a box."));
    let run = site.run(&["convert", "box.zip", "--to", "json", "-o", "out"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let written: Vec<String> = crate::support::files_below(&site.path("out")).into_keys().collect();
    assert_eq!(written, ["b.json", "x/a.json"]);
    let run = site.run(&["convert", "gone.zip", "--to", "json"]);
    assert_ne!(run.code, Some(0));
    assert!(run.stderr.contains("gone.zip"), "{}", run.stderr);
}

#[test]
fn an_attached_archive_is_published_unless_it_contains_conversations() {
    let talk = |name: &str| {
        format!(
            r#"{{"id": "{name}", "schemaUrl": "https://schema.cjson.dev/0/conversation/cjson-0.1.0-SNAPSHOT.schema.json", "messages": [{{"id": "m", "role": "user", "messageType": "text", "content": "Take this: {name}.", "attachments": [{{"attachmentKind": "file", "id": "a", "name": "{name}", "uri": "{name}"}}]}}]}}"#
        )
    };
    let secret = convo("Private words.");
    let site = SiteTest::new()
        .file("content/a.json", talk("data.zip"))
        .file("content/data.zip", zip(&[("numbers.csv", b"1,2")]))
        .file("content/b.json", talk("talks.zip"))
        .file("content/talks.zip", zip(&[("t.convo", secret.as_bytes())]));
    let run = site.run(&["build", "--message-format", "json"]);
    let reported = reported(&run);
    let zips = site.output().into_keys().filter(|path| path.ends_with(".zip")).count();
    assert_eq!(zips, 1, "{reported:#?}");
    assert!(reported.iter().any(|row| row.contains("refused-attachment")), "{reported:#?}");
}

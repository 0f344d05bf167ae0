//! Closure: keys, redacted words and names of people are planted in any text of random archives of
//! all formats, in many disguises. After builds, rebuilds, killed builds, conversions, pages in one file,
//! searches and questions of an assistant, none of them may be in the output, the cache, the messages or the
//! answers.
//!
//! `CLOSURE_ROUNDS=1000 CLOSURE_SEED=7` tries more and different archives. `CLOSURE_KEEP=1` keeps the
//! last one, whose folder `TMPDIR` has.

use std::collections::BTreeMap;
use std::process::{Command, Stdio};
use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::json;

use crate::archives::{gzip, tar, zip};
use crate::formats::{files, format_of, inputs};
use crate::gate::everything;
use crate::support::assistant::Assistant;
use crate::support::hidden::{KINDS, Kind, Needles, Random, config, word};
use crate::support::{BASE, HAS_SEARCH, Run, SiteTest, files_below, unpacked, write_below};

/// A way to write a word in a text.
struct Disguise {
    name: &'static str,
    /// The kinds of words that are found in this disguise.
    kinds: &'static [Kind],
    place: Place,
    make: fn(&str) -> String,
}

/// The texts in which a disguise works.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    Anywhere,
    /// Anywhere but in a path or a URL, in which markup means nothing.
    NotInAddresses,
    /// Only in JSON, where it is an escape.
    Json,
    /// In the body of a mail with this encoding.
    Mail(&'static str),
}

impl Place {
    /// Returns whether a disguise works at an offset of a text.
    fn is_at(self, text: &str, at: usize) -> bool {
        match self {
            Place::Anywhere => true,
            Place::NotInAddresses => {
                let start = text[..at].rfind(['"', '\n']).map_or(0, |quote| quote + 1);
                !is_address(&text[start..at])
            }
            Place::Json => is_json(text),
            Place::Mail(_) => false,
        }
    }

    /// Returns what is inserted into a text for a disguised word.
    fn insertion(self, text: &str, word: String) -> String {
        let word = match is_json(text) && self != Place::Json {
            true => {
                let quoted = serde_json::Value::from(word).to_string();
                quoted[1..quoted.len() - 1].to_owned()
            }
            false => word,
        };
        // Directly after a letter, it would be part of another word.
        format!(" {word} ")
    }
}

fn is_json(text: &str) -> bool {
    text.trim_start().starts_with(['{', '['])
}

/// Returns the offsets of a text at which words are planted.
fn places(text: &str) -> Vec<usize> {
    if is_json(text) { literal_ends(text) } else { line_ends(text) }
}

const ALL: &[Kind] = &KINDS;
const WORDS: &[Kind] = &[Kind::OwnWord, Kind::Name];

/// All disguises. A kind that a row does not list is not found everywhere in that disguise.
const DISGUISES: [Disguise; 16] = [
    Disguise { name: "plain", kinds: ALL, place: Place::Anywhere, make: str::to_owned },
    Disguise {
        name: "capitals",
        kinds: WORDS,
        place: Place::Anywhere,
        make: |word| word.to_uppercase(),
    },
    Disguise {
        name: "entities",
        kinds: ALL,
        place: Place::Anywhere,
        make: |word| each(word, 5, |c| format!("&#{};", c as u32)),
    },
    Disguise {
        name: "backslashes",
        kinds: ALL,
        place: Place::Anywhere,
        make: |word| word.replace('_', "\\_").replace('-', "\\-"),
    },
    Disguise {
        name: "bold inside",
        kinds: ALL,
        place: Place::NotInAddresses,
        make: |word| inside(word, "**", "**"),
    },
    Disguise {
        name: "a link inside",
        kinds: ALL,
        place: Place::NotInAddresses,
        make: |word| inside(word, "[", "](https://a.example/)"),
    },
    Disguise {
        name: "zero-width",
        kinds: ALL,
        place: Place::Anywhere,
        make: |word| inside(word, "\u{200b}", "\u{2060}"),
    },
    Disguise {
        name: "percent",
        kinds: ALL,
        place: Place::Anywhere,
        make: |word| each(word, 4, |c| format!("%{:02X}", c as u32)),
    },
    Disguise {
        name: "JSON escapes",
        kinds: ALL,
        place: Place::Json,
        make: |word| each(word, 1, |c| format!("\\u{:04x}", c as u32)),
    },
    Disguise {
        name: "quoted-printable",
        kinds: ALL,
        place: Place::Mail("quoted-printable"),
        make: |word| each(word, 3, |c| format!("={:02X}", c as u32)),
    },
    Disguise {
        name: "base64",
        kinds: ALL,
        place: Place::Mail("base64"),
        make: |word| STANDARD.encode(format!("So it goes: {word}, for now.\n")),
    },
    Disguise {
        name: "full-width",
        kinds: ALL,
        place: Place::Anywhere,
        make: |word| {
            let wide = |c: char| char::from_u32(c as u32 - 0x21 + 0xff01);
            each(word, 1, |c| wide(c).expect("a letter").to_string())
        },
    },
    Disguise {
        name: "two lines",
        kinds: &[Kind::OwnWord],
        place: Place::Anywhere,
        make: |word| match word.split_once(' ') {
            Some((given, family)) => format!("{given}\n{family}"),
            None => inside(word, "\\\n", ""),
        },
    },
    Disguise {
        name: "code inside",
        kinds: ALL,
        place: Place::NotInAddresses,
        make: |word| inside(word, "`", "`"),
    },
    Disguise {
        name: "a comment inside",
        kinds: ALL,
        place: Place::NotInAddresses,
        make: |word| inside(word, "<!-- -->", ""),
    },
    Disguise {
        name: "a footnote inside",
        kinds: ALL,
        place: Place::NotInAddresses,
        make: |word| inside(word, "[^1]", ""),
    },
];

/// Disguises every letter or digit whose index is a multiple of `step`.
fn each(word: &str, step: usize, disguise: impl Fn(char) -> String) -> String {
    let letters = word.chars().enumerate().map(|(place, c)| {
        match c.is_ascii_graphic() && place % step == 0 {
            true => disguise(c),
            false => c.to_string(),
        }
    });
    letters.collect()
}

/// Puts marks around a part in the middle of a word.
fn inside(word: &str, before: &str, after: &str) -> String {
    let (start, end) = (word.len() / 3, word.len() / 2);
    let (start, middle, end) = (&word[..start], &word[start..end], &word[end..]);
    format!("{start}{before}{middle}{after}{end}")
}

/// An archive to plant words in.
struct Garden {
    chance: Random,
    /// The planted words, with their positions.
    planted: Vec<(Kind, String, String)>,
    /// The number of the next key.
    key: usize,
}

impl Garden {
    /// Creates a disguised word for a place, and records it.
    fn word(&mut self, is_place: impl Fn(Place) -> bool, about: &str) -> (Place, String) {
        loop {
            let number = self.chance.below(DISGUISES.len());
            let disguise = &DISGUISES[number];
            if !is_place(disguise.place) || disguise.kinds.is_empty() {
                continue;
            }
            let kind = disguise.kinds[self.chance.below(disguise.kinds.len())];
            let number = match kind {
                Kind::Key => {
                    self.key += 1;
                    self.key
                }
                _ => number,
            };
            let plain = word(kind, number);
            let disguised = (disguise.make)(&plain);
            self.planted.push((kind, plain, format!("{}, {about}", disguise.name)));
            return (disguise.place, disguised);
        }
    }

    /// Plants words in some of the texts of a file.
    fn plant(&mut self, text: &str, about: &str) -> String {
        let places = places(text);
        let count = 1 + self.chance.below(6);
        let mut chosen: Vec<usize> = (0..count)
            .filter_map(|_| places.get(self.chance.below(places.len())).copied())
            .collect();
        chosen.sort_unstable();
        chosen.dedup();
        let mut out = text.to_owned();
        for at in chosen.into_iter().rev() {
            let (place, word) = self.word(|place| place.is_at(text, at), about);
            out.insert_str(at, &place.insertion(text, word));
        }
        out
    }

    /// A mail whose body is encoded.
    fn mail(&mut self, number: usize) -> String {
        let (place, word) = self.word(|place| matches!(place, Place::Mail(_)), "a mail");
        let Place::Mail(encoding) = place else { unreachable!("a mail") };
        format!(
            "From: Wren <wren@mill.example>\nTo: boat@mill.example\nSubject: Boat {number}\n\
             Date: Wed, 4 Mar 2026 01:20:05 +0100\nMessage-ID: <m{number}@mill.example>\n\
             MIME-Version: 1.0\nContent-Type: text/plain; charset=utf-8\n\
             Content-Transfer-Encoding: {encoding}\n\n{word}\n"
        )
    }
}

/// Returns whether a string is a path or a URL.
fn is_address(string: &str) -> bool {
    !string.contains(char::is_whitespace) && string.contains(['/', '.'])
}

/// Returns the end positions of JSON strings that are values.
fn literal_ends(text: &str) -> Vec<usize> {
    let bytes = text.as_bytes();
    let (mut ends, mut at) = (Vec::new(), 0);
    while at < bytes.len() {
        if bytes[at] != b'"' {
            at += 1;
            continue;
        }
        let mut end = at + 1;
        while end < bytes.len() && bytes[end] != b'"' {
            end += if bytes[end] == b'\\' { 2 } else { 1 };
        }
        let after = bytes.get(end + 1..).unwrap_or_default();
        let is_key = after.iter().find(|byte| !byte.is_ascii_whitespace()) == Some(&b':');
        if !is_key && end < bytes.len() {
            ends.push(end);
        }
        at = end + 1;
    }
    ends
}

/// Returns the end positions of lines that are not empty.
fn line_ends(text: &str) -> Vec<usize> {
    let ends = text.match_indices('\n').map(|(at, _)| at);
    let is_value =
        |at: &usize| text[..*at].ends_with(|c: char| c.is_alphanumeric() || ".!?".contains(c));
    ends.filter(is_value).collect()
}

/// The configuration of a site with all copies of conversations.
fn settings() -> String {
    format!("{BASE}{COPIES}{}", config(DISGUISES.len()))
}

const COPIES: &str = "downloads = [\"markdown\", \"json\", \"original\"]\nindex = \"auto\"\n";

/// The number of samples in a site.
const SAMPLES: usize = 24;

/// Builds a site of random samples, and uses it as people do.
fn round(seed: u64) {
    let mut garden = Garden { chance: Random::new(seed), planted: Vec::new(), key: 0 };
    let mut site = SiteTest::new();
    if std::env::var_os("CLOSURE_KEEP").is_some() {
        site.keep();
    }
    site.write("site.toml", settings());
    let inputs = inputs();
    let mut texts: Vec<(String, String)> = Vec::new();
    for number in 0..SAMPLES {
        let input = &inputs[garden.chance.below(inputs.len())];
        let case = input.parent().and_then(std::path::Path::file_name).expect("a case");
        let about = format!("{}/{}", format_of(input), case.to_string_lossy());
        let mut members: BTreeMap<String, Vec<u8>> = BTreeMap::new();
        for (path, bytes) in files(input) {
            let planted = match String::from_utf8(bytes) {
                Ok(text) => garden.plant(&text, &about).into_bytes(),
                Err(other) => other.into_bytes(),
            };
            members.insert(path, planted);
        }
        // File names as well.
        let kind = KINDS[garden.chance.below(KINDS.len())];
        let name = match garden.chance.below(3) {
            0 => {
                let plain = word(kind, 0);
                let path = plain.replace(' ', "_");
                garden.planted.push((kind, plain, format!("a file name, {about}")));
                path
            }
            _ => "in".to_owned(),
        };
        let all: Vec<(&str, &[u8])> =
            members.iter().map(|(path, bytes)| (path.as_str(), &bytes[..])).collect();
        match garden.chance.below(4) {
            0 => site.write(&format!("content/{number}/{name}.zip"), zip(&all)),
            1 => site.write(&format!("content/{number}/{name}.tgz"), gzip(&tar(&all))),
            _ => {
                for (path, bytes) in &members {
                    let path = format!("content/{number}/{name}/{path}");
                    site.write(&path, bytes);
                    let text = String::from_utf8(bytes.clone());
                    texts.extend(text.ok().map(|text| (path, text)));
                }
            }
        }
    }
    for number in 0..4 {
        let mail = garden.mail(number);
        site.write(&format!("content/mail/{number}.eml"), mail);
    }
    let mut runs: Vec<Run> = Vec::new();
    let mut run = |args: &[&str]| {
        let run = site.run(args);
        assert!(matches!(run.code, Some(0..=4)), "seed {seed}, {args:?}: {}", run.stderr);
        runs.push(run);
    };
    // Words and names are on the site, and are hidden later.
    site.write("site.toml", format!("{BASE}{COPIES}"));
    let open = site.run(&["build", "-q"]);
    assert!(matches!(open.code, Some(0..=4)), "seed {seed}: {}", open.stderr);
    site.write("site.toml", settings());
    run(&["build", "--message-format", "json"]);
    // These do not read `site.toml`: they only know the keys. A conversion keeps all of a source, and only its
    // messages are looked at.
    let converted = site.run(&["convert", "content", "--to", "markdown", "-o", "converted"]);
    let outside = tempfile::tempdir().expect("a temporary folder");
    write_below(outside.path(), &files_below(&site.path("content")));
    let single = site.run(&["page", outside.path().to_str().expect("UTF-8"), "-o", "single"]);
    // Edits a file.
    if let Some((path, text)) = texts.get(garden.chance.below(texts.len())) {
        let edited = garden.plant(text, "an edit");
        site.write(path, edited);
    }
    run(&["build", "--message-format", "sarif"]);
    let mut build = Command::new(env!("CARGO_BIN_EXE_convo-site"))
        .args(["build", "--no-cache", "-q"])
        .current_dir(site.path(""))
        .stderr(Stdio::null())
        .stdout(Stdio::null())
        .spawn()
        .expect("started");
    std::thread::sleep(Duration::from_millis(garden.chance.below(800) as u64));
    let _ = build.kill();
    let _ = build.wait();
    // Files left by a killed build count too.
    let keys = garden.planted.iter().filter(|(kind, ..)| *kind == Kind::Key).cloned();
    let mut written = files_below(&site.path("single"));
    assert!(!written.is_empty(), "seed {seed}: {}", single.stderr);
    written.insert("messages of convert".to_owned(), converted.stderr.into_bytes());
    written.insert("messages of page".to_owned(), single.stderr.into_bytes());
    let leaked = Needles::new(keys).found(&written);
    assert!(leaked.is_empty(), "seed {seed}, converted: {leaked:#?}");
    let needles = Needles::new(garden.planted);
    let left = needles.found(&everything(&site, &[]));
    assert!(left.is_empty(), "seed {seed}, killed: {left:#?}");
    run(&["build"]);
    if HAS_SEARCH {
        run(&["search", "the", "--json"]);
    }
    run(&["status", "--all"]);
    run(&["review", "--json"]);
    run(&["check", "--publish"]);
    let mut all = everything(&site, &runs.iter().collect::<Vec<_>>());
    all.insert("the index".to_owned(), unpacked(&site.output()).into_bytes());
    if cfg!(feature = "mcp") {
        all.insert("answers".to_owned(), answers(&site).into_bytes());
    }
    let found = needles.found(&all);
    assert!(found.is_empty(), "seed {seed}: {}: {found:#?}", found.len());
}

/// Everything that an assistant is answered who reads all conversations.
fn answers(site: &SiteTest) -> String {
    let mut assistant = Assistant::of(&site.path(""), &[]);
    assistant.call("list_speakers", json!({}));
    assistant.call("search", json!({"query": "the"}));
    let recent = assistant.call("list_recent", json!({"limit": 100}));
    let all = recent["results"].as_array().expect("conversations").clone();
    for conversation in all {
        let mut next = conversation["id"].clone();
        while next.is_string() {
            let mut part = assistant.call("fetch", json!({"id": next}));
            next = part["next"].take();
        }
    }
    std::mem::take(&mut assistant.seen)
}

#[test]
fn hidden_words_are_never_published() {
    let number = |name: &str, usual: u64| {
        std::env::var(name).ok().and_then(|value| value.parse().ok()).unwrap_or(usual)
    };
    let (rounds, first) = (number("CLOSURE_ROUNDS", 5), number("CLOSURE_SEED", 1));
    (first..first + rounds).for_each(round);
}

/// Samples whose formats change texts before they are published, such as paths and labels, and the disguises
/// in which parts of words were left there.
const CHANGED: [(&str, &str, Kind); 18] = [
    ("ai-studio/rich", "a link inside", Kind::Key),
    ("chibi/flat-partitions", "bold inside", Kind::Name),
    ("claude/artifacts", "backslashes", Kind::Key),
    ("convo/fence-shows-turns", "a comment inside", Kind::Name),
    ("gemini-takeout/rich", "bold inside", Kind::OwnWord),
    ("kakaotalk/mac", "entities", Kind::Key),
    ("line/english", "backslashes", Kind::Key),
    ("markdown/plain-names", "plain", Kind::Key),
    ("markdown/podcast-break-only", "plain", Kind::Key),
    ("mattermost/bare-paths", "backslashes", Kind::Key),
    ("signal/broken", "a link inside", Kind::Key),
    ("signal/rich", "bold inside", Kind::OwnWord),
    ("vcon/rich", "a footnote inside", Kind::Key),
    ("vcon/rich", "a link inside", Kind::Key),
    ("vcon/rich", "plain", Kind::Key),
    ("whatsapp/partly-ambiguous", "entities", Kind::Key),
    ("zed/marked", "code inside", Kind::OwnWord),
    ("zulip/broken", "a link inside", Kind::Key),
];

#[test]
fn no_part_of_a_hidden_word_is_left_where_formats_change_texts() {
    let site = SiteTest::new();
    site.write("site.toml", settings());
    let mut planted = Vec::new();
    for (sample, name, kind) in CHANGED {
        let number = DISGUISES.iter().position(|known| known.name == name).expect("a disguise");
        let disguise = &DISGUISES[number];
        let is_sample = |input: &&std::path::PathBuf| {
            input.parent().is_some_and(|parent| parent.ends_with(sample))
        };
        let inputs = inputs();
        let input = inputs.iter().find(is_sample).expect("a sample");
        for (path, bytes) in files(input) {
            let Ok(text) = String::from_utf8(bytes) else { continue };
            for at in places(&text) {
                if !disguise.place.is_at(&text, at) {
                    continue;
                }
                let plain = word(kind, if kind == Kind::Key { planted.len() } else { number });
                let insertion = disguise.place.insertion(&text, (disguise.make)(&plain));
                let (before, after) = text.split_at(at);
                let changed = format!("{before}{insertion}{after}");
                site.write(&format!("content/{}/in/{path}", planted.len()), changed);
                planted.push((kind, plain, format!("{name}, {sample}, {at}")));
            }
        }
    }
    assert!(planted.len() > 100, "{}", planted.len());
    let run = site.run(&["build", "--verbose"]);
    let found = Needles::new(planted).found(&everything(&site, &[&run]));
    assert!(found.is_empty(), "{}: {found:#?}", found.len());
}

//! `tests/formats/<format>/<case>/input.*`: the conversations and diagnostics of each case.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use convo_site::config::{self, Config};
use convo_site::diag::{Diagnostic, emit};
use convo_site::files::Memory;
use convo_site::formats::{self, Write};
use convo_site::model::Conversation;
use convo_site::sources;
use proptest::prelude::*;
use rayon::prelude::*;
use snapbox::{Data, assert_data_eq};

use crate::support::round_trip::{assert_survives_except_open_blocks, assert_survives_writing};
use crate::support::{files_below, project};

/// Every case: the file `input.*` or the folder `input`.
pub(crate) fn inputs() -> Vec<PathBuf> {
    let mut inputs = Vec::new();
    let folder = project().join("tests/formats");
    for format in fs::read_dir(folder).expect("formats").flatten() {
        for case in fs::read_dir(format.path()).expect("cases").flatten() {
            let files = fs::read_dir(case.path()).expect("a case").flatten();
            let input = files
                .map(|file| file.path())
                .find(|path| path.file_stem().is_some_and(|stem| stem == "input"));
            inputs.push(input.unwrap_or_else(|| panic!("no input in {:?}", case.path())));
        }
    }
    inputs.sort();
    assert!(inputs.len() > 30);
    inputs
}

/// The files of a case, by the paths under which they are read.
pub(crate) fn files(input: &Path) -> BTreeMap<String, Vec<u8>> {
    if input.is_dir() {
        return files_below(input);
    }
    let name = input.file_name().expect("a name").to_string_lossy().into_owned();
    [(name, fs::read(input).expect("readable"))].into()
}

/// The format of a case: the name of its folder.
pub(crate) fn format_of(input: &Path) -> String {
    let format = input.parent().and_then(Path::parent).and_then(Path::file_name);
    format.expect("a format").to_string_lossy().into_owned()
}

/// The configuration of a site with a fixed format, or with detected ones.
fn config_for(format: Option<&str>) -> Arc<Config> {
    static KNOWN: Mutex<BTreeMap<String, Arc<Config>>> = Mutex::new(BTreeMap::new());
    let mut known = KNOWN.lock().expect("a lock");
    let rule = format.map(|name| format!("[[source]]\nfiles = '**'\nformat = '{name}'"));
    let text = rule.unwrap_or_default();
    let make = || {
        let mut config = config::load(&text).expect("TOML").value;
        config.content.clear();
        Arc::new(config)
    };
    known.entry(text.clone()).or_insert_with(make).clone()
}

/// The conversations and diagnostics of files.
pub(crate) fn read(
    files: &BTreeMap<String, Vec<u8>>,
    format: &str,
) -> (Vec<Conversation>, Vec<Diagnostic>) {
    let mut memory = Memory::default();
    for (path, bytes) in files {
        memory.insert(path, bytes.clone());
    }
    let mut found = sources::conversations(&memory, &config_for(None));
    let doubtful =
        |note: &Diagnostic| ["unknown-format", "doubtful-transcript"].contains(&note.code);
    if found.value.is_empty() && found.notes.iter().all(doubtful) && format != "convo" {
        // Files without a clear format are read as the format of their folder.
        found = sources::conversations(&memory, &config_for(Some(format)));
    }
    (found.value.into_iter().map(|whole| whole.conversation).collect(), found.notes)
}

/// The diagnostics of a case, and its conversations in the neutral form.
fn dump(input: &Path) -> String {
    let (conversations, notes) = read(&files(input), &format_of(input));
    let messages = emit::render(emit::Format::Human, &notes);
    let messages = anstream::adapter::strip_str(&messages).to_string();
    format!("{messages}{}", json(&conversations))
}

/// Writes a conversation in a format.
pub(crate) fn write_with(format: &str, conversation: &Conversation) -> Vec<(String, String)> {
    match formats::named(format).and_then(|format| format.write.as_ref()) {
        None => panic!("{format} is not written"),
        Some(Write::File(extension, write)) => {
            vec![(format!("x.{extension}"), write(conversation, "x"))]
        }
        Some(Write::Folder(write)) => {
            let files = write(conversation).into_iter();
            files.map(|(name, text)| (format!("x/{name}"), text)).collect()
        }
    }
}

/// Conversations in the neutral form.
pub(crate) fn json(conversations: &[Conversation]) -> String {
    convo_site::json::pretty(conversations) + "\n"
}

/// `SNAPSHOTS=overwrite` updates the expectations; review them before you commit.
#[test]
fn every_input_is_read_as_expected() {
    for input in inputs() {
        let path = input.with_file_name("expected.txt");
        if std::env::var_os("SNAPSHOTS").is_some_and(|value| value == "overwrite") {
            fs::write(&path, dump(&input)).expect("written");
        }
        let expected = Data::read_from(&path, None);
        assert_data_eq!(dump(&input), expected.raw());
    }
}

/// Returns the detected format of a file, and whether another format fits equally well.
fn detected(name: &str, bytes: &[u8]) -> (Option<&'static str>, bool) {
    let (format, notes) = formats::detect(name, &formats::decoded(bytes));
    let is_ambiguous = notes.iter().any(|note| note.code == "ambiguous-format");
    (format.map(|format| format.name), is_ambiguous)
}

/// Files of one format that imitate another one.
const DISGUISED: [&str; 2] =
    ["conv2md/role-and-content/input.json", "markdown/looks-like-convo/input.md"];

/// Extensions of files that are opened only in some folders.
const OTHERWISE_OPENED: [&str; 2] = [".html", ".csv"];

/// Each file alone is detected as its own format or as none. What several files are together
/// follows from their names.
#[test]
fn every_input_is_claimed_by_its_own_format_alone() {
    let mut wrong = Vec::new();
    let mut own = BTreeSet::new();
    for input in inputs() {
        let (format, files) = (format_of(&input), files(&input));
        for (path, bytes) in &files {
            let (found, is_ambiguous) = detected(path, bytes);
            let is_own = found.is_some_and(|found| found == format);
            own.extend(is_own.then(|| format.clone()));
            let is_disguised = DISGUISED.iter().any(|name| input.ends_with(name));
            let is_foreign = !is_own && found.is_some() && files.len() == 1;
            let is_opened =
                formats::may_be_read(path) || OTHERWISE_OPENED.iter().any(|e| path.ends_with(e));
            if is_own && files.len() == 1 && !is_opened {
                wrong.push(format!(
                    "the extension of {path} is not in `EXTENSIONS` of src/formats/extensions.rs"
                ));
            }
            if is_ambiguous || is_foreign && !is_disguised {
                wrong.push(format!("{} {path}: {found:?} {is_ambiguous}", input.display()));
            }
        }
    }
    for (path, bytes) in files_below(&project().join("example-site/content")) {
        if detected(&path, &bytes).1 {
            wrong.push(path);
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let read = formats::ALL.iter().filter(|format| format.read.is_some());
    let silent: Vec<&str> =
        read.map(|format| format.name).filter(|name| !own.contains(*name)).collect();
    assert!(silent.is_empty(), "no input is known by itself as one of {silent:?}");
}

/// The fixed cost of a file.
const A_FILE: usize = 200;

/// The ends of prefixes that differ for a reader. A cut inside of a word or between blanks is the
/// same as one byte earlier.
fn cuts(bytes: &[u8]) -> Vec<usize> {
    let kind = |byte: u8| match byte {
        b' ' => Some(0),
        _ if byte.is_ascii_alphanumeric() => Some(1),
        _ => None,
    };
    let is_within = |end: usize| {
        let [before, last, next] = [end - 2, end - 1, end].map(|at| kind(bytes[at]));
        last.is_some() && last == before && last == next
    };
    let all = (0..bytes.len()).filter(|&end| end < 2 || !is_within(end));
    all.collect()
}

#[test]
fn prefixes_of_every_input_are_read_without_a_panic() {
    read_prefixes(40_000);
}

#[test]
#[ignore = "takes minutes: `sh tests/run` runs it"]
fn every_prefix_of_every_input_is_read_without_a_panic() {
    read_prefixes(4_000_000);
}

/// Reads prefixes of every input. `budget` is for all prefixes of one input: the bytes read, plus [`A_FILE`]
/// for each file. Long inputs only repeat their structure.
fn read_prefixes(budget: usize) {
    // The cases of a format have many files in common.
    let mut seen = BTreeSet::new();
    let mut sources = Vec::new();
    for input in inputs() {
        let (format, whole) = (format_of(&input), files(&input));
        let mut ends: Vec<(String, usize)> = Vec::new();
        for (path, bytes) in &whole {
            if seen.insert((format.clone(), bytes.clone())) {
                ends.extend(cuts(bytes).into_iter().map(|end| (path.clone(), end)));
            }
        }
        sources.push((input, format, whole, ends));
    }
    sources.par_iter().for_each(|(input, format, whole, ends)| {
        let cost: usize = whole.values().map(|bytes| bytes.len() + A_FILE).sum();
        let step = (ends.len() * cost).div_ceil(budget).max(1);
        let mut cut = whole.clone();
        for (path, end) in ends.iter().step_by(step) {
            cut.insert(path.clone(), whole[path][..*end].to_vec());
            let (_, notes) = read(&cut, format);
            let internal = notes.iter().find(|note| note.code == "internal");
            assert!(internal.is_none(), "{input:?}, {path} cut at {end}: {internal:?}");
            cut.insert(path.clone(), whole[path].clone());
        }
    });
}

#[test]
fn every_conversation_survives_the_convo_format() {
    for input in inputs().iter().filter(|input| format_of(input) == "convo") {
        read(&files(input), "convo").0.iter().for_each(assert_survives_writing);
    }
}

/// Text with a meaning in the format, in Markdown or in JSON.
fn piece() -> impl Strategy<Value = String> {
    prop_oneof![
        3 => prop::sample::select(vec![
            "### @Ada\n", "### @Bob\n", "### @Zoë C#\n", "  ### @Ada\n", "###  @Bob ###\n",
            "### @Nobody\n", "\\#\\#\\# @Ada\n", "`\\#\\#\\# @x`", "\\\\#\\#\\# @Ada\n", "----\n",
            "\n----\n{\"a\": 1}\n", "```\n", "````md\n", "~~~\n", "<!--\n", "-->\n", "<div>\n",
            "</div>\n", "> ", "- ", "1. ", "    ", "\t", "\n", "\n\n", "[^1]", "[^1]: ", "$", "$$",
            "### \n", "#", "@", "| a |\n|---|\n", "\\", "`", "*", "_", "<b>", "&amp;", "\u{feff}",
        ]).prop_map(str::to_owned),
        1 => "[ -~\\n]{0,12}",
        1 => "\\PC{0,6}",
    ]
}

/// Participants of every kind; all of them speak.
const METADATA: &str = "\n\n### @Ada\na\n\n### @Bob\nb\n\n### @Zoë C# #\nc\n\n----\n{\"type\": \"x\", \
    \"time\": \"2025-10-23\", \"participants\": [\"Ada\", {\"name\": \"Bob\", \"generative\": true, \
    \"generative:model\": \"m\", \"k\": [1.50]}, {\"name\": \"Zoë C#\", \"kind\": \"tool\"}], \
    \"languages_meta\": {\"speculative\": [\"fr\"]}, \"z\": {\"y\": null}}\n";

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3000))]

    #[test]
    fn parse_of_write_is_the_same(pieces in prop::collection::vec(piece(), 0..40)) {
        let text = format!("{}{METADATA}", pieces.concat());
        let (read, _) = formats::read("x.convo", text.as_bytes());
        read.iter().for_each(assert_survives_except_open_blocks);
    }

    #[test]
    fn any_bytes_are_read_without_a_panic(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        let (_, notes) = formats::read("x.convo", &bytes);
        prop_assert!(notes.iter().all(|note| note.code != "internal"));
    }

    #[test]
    fn turns_keep_their_anchors(before in 0usize..4, after in 0usize..4) {
        let turn = |n: usize| format!("### @Ada\nunique {n}\n\n");
        let middle = "### @Bob\nthe middle\n\n";
        let text = |before: usize, after: usize| {
            let first: String = (0..before).map(turn).collect();
            let last: String = (10..10 + after).map(turn).collect();
            format!("### @Ada\nx\n\n{first}{middle}{last}----\n{{\"type\": \"x\", \
                     \"time\": \"2025-10-23\", \"participants\": [\"Ada\", \"Bob\"]}}\n")
        };
        let anchor = |text: &str| {
            let (read, _) = formats::read("x.convo", text.as_bytes());
            read[0].turns.iter().find(|turn| turn.speaker == "Bob").expect("Bob").id.clone()
        };
        prop_assert_eq!(anchor(&text(0, 0)), anchor(&text(before, after)));
    }
}

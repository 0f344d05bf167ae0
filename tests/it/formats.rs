//! `tests/formats/<format>/<case>/input.*`: what is read from each, and what is said of it.

use std::fs;
use std::path::PathBuf;

use convo_site::diag::emit;
use convo_site::formats;
use convo_site::model::Conversation;
use proptest::prelude::*;
use snapbox::{Data, assert_data_eq};

use crate::support::project;

fn inputs() -> Vec<PathBuf> {
    let mut inputs = Vec::new();
    let folder = project().join("tests/formats");
    for format in fs::read_dir(folder).expect("formats").flatten() {
        for case in fs::read_dir(format.path()).expect("cases").flatten() {
            let files = fs::read_dir(case.path()).expect("a case").flatten();
            let input = files.map(|file| file.path()).find(|path| {
                path.file_name()
                    .is_some_and(|name| name.to_string_lossy().starts_with("input."))
            });
            inputs.push(input.unwrap_or_else(|| panic!("no input in {:?}", case.path())));
        }
    }
    inputs.sort();
    assert!(inputs.len() > 30);
    inputs
}

/// What is said of a file, and its conversations in the neutral form.
fn dump(input: &std::path::Path) -> String {
    let name = input.file_name().expect("a name").to_string_lossy();
    let (conversations, notes) =
        formats::read(&name, &fs::read(input).expect("readable"));
    let said = emit::render(emit::Format::Human, &notes);
    let said = anstream::adapter::strip_str(&said).to_string();
    format!("{said}{}", json(&conversations))
}

fn json(conversations: &[Conversation]) -> String {
    let neutral = formats::ALL.iter().find(|format| format.name == "json").expect("json");
    (neutral.write)(conversations)
}

/// `SNAPSHOTS=overwrite` writes the expectations anew; read them before you commit them.
#[test]
fn every_input_is_read_as_expected() {
    for input in inputs() {
        let expected = Data::read_from(&input.with_file_name("expected.txt"), None);
        assert_data_eq!(dump(&input), expected.raw());
    }
}

#[test]
fn every_prefix_of_every_input_is_read_without_a_panic() {
    for input in inputs() {
        let bytes = fs::read(&input).expect("readable");
        let name = input.file_name().expect("a name").to_string_lossy();
        for end in 0..bytes.len() {
            let (_, notes) = formats::read(&name, &bytes[..end]);
            let internal = notes.iter().find(|note| note.code == "internal");
            assert!(internal.is_none(), "{input:?} cut at {end}: {internal:?}");
        }
    }
}

fn write(conversation: &Conversation) -> String {
    let convo = formats::ALL.iter().find(|format| format.name == "convo").expect("convo");
    (convo.write)(std::slice::from_ref(conversation))
}

#[track_caller]
fn survives_writing(conversation: &Conversation) {
    let written = write(conversation);
    let (again, notes) = formats::read("x.convo", written.as_bytes());
    let before = json(std::slice::from_ref(conversation));
    assert_eq!(before, json(&again), "{written}\n{notes:?}");
}

#[test]
fn what_was_read_is_written_and_read_again() {
    for input in inputs() {
        let name = input.file_name().expect("a name").to_string_lossy();
        let (read, _) = formats::read(&name, &fs::read(&input).expect("readable"));
        read.iter().for_each(survives_writing);
    }
}

/// Pieces that mean something to the format, to Markdown or to JSON.
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

/// Participants of every shape; all of them speak.
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
        read.iter().for_each(survives_writing);
    }

    #[test]
    fn any_bytes_are_read_without_a_panic(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        let (_, notes) = formats::read("x.convo", &bytes);
        prop_assert!(notes.iter().all(|note| note.code != "internal"));
    }

    #[test]
    fn turns_keep_their_anchors(before in 0usize..4, after in 0usize..4) {
        let said = |n: usize| format!("### @Ada\nunique {n}\n\n");
        let middle = "### @Bob\nthe middle\n\n";
        let text = |before: usize, after: usize| {
            let first: String = (0..before).map(said).collect();
            let last: String = (10..10 + after).map(said).collect();
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

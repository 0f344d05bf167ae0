//! Any bytes in any format. The first line of an input names a format and a path, `claude a/b.json`;
//! the rest is the file. A line that starts with U+001E and a path starts another file. Of a format
//! that nobody knows, the files are read as a content folder is.
#![no_main]

use convo_site::config;
use convo_site::diag::Diagnostic;
use convo_site::files::Memory;
use convo_site::formats::{self, Input, Write};
use convo_site::model::Conversation;
use convo_site::query::turns::texts;
use convo_site::sources;
use libfuzzer_sys::fuzz_target;
use std::sync::LazyLock;

#[path = "../../support/round_trip.rs"]
mod round_trip;

fuzz_target!(|data: &[u8]| {
    let line = data.iter().position(|byte| *byte == b'\n').unwrap_or(data.len());
    let (head, rest) = data.split_at(line);
    let head = String::from_utf8_lossy(head);
    let (name, path) = head.split_once(' ').unwrap_or((&head, ""));
    let files = files(path, rest.get(1..).unwrap_or_default());
    let (read, notes) = match formats::named(name) {
        Some(format) if format.read.is_some() => {
            let (_, read, notes) = formats::parse(Some(format), inputs(files));
            (read, notes)
        }
        _ => read_folder(files),
    };
    assert!(notes.iter().all(|note| note.code != "internal"), "{notes:?}");
    for conversation in &read {
        for (_, text) in texts(conversation) {
            std::hint::black_box(text);
        }
        for format in formats::ALL {
            match &format.write {
                Some(Write::File(_, write)) => drop(write(conversation, "x")),
                Some(Write::Folder(write)) => drop(write(conversation)),
                None => {}
            }
        }
        if name == "convo" {
            round_trip::assert_survives_except_open_blocks(conversation);
        }
    }
});

/// The files of an input, by their paths.
fn files(path: &str, mut rest: &[u8]) -> Vec<(String, Vec<u8>)> {
    let mut files = Vec::new();
    let mut path = plain(path);
    loop {
        let next = rest.windows(2).position(|two| two == b"\n\x1e");
        let Some(at) = next else { break };
        files.push((path, rest[..at + 1].to_vec()));
        rest = &rest[at + 2..];
        let end = rest.iter().position(|byte| *byte == b'\n').unwrap_or(rest.len());
        path = plain(&String::from_utf8_lossy(&rest[..end]));
        rest = rest.get(end + 1..).unwrap_or_default();
    }
    files.push((path, rest.to_vec()));
    files
}

/// A path that can stand in a folder.
fn plain(path: &str) -> String {
    let parts: Vec<String> = path
        .split('/')
        .map(|part| {
            part.chars().filter(|c| c.is_alphanumeric() || "._-".contains(*c)).collect()
        })
        .filter(|part: &String| !part.trim_matches('.').is_empty())
        .collect();
    if parts.is_empty() { "x.json".to_owned() } else { parts.join("/") }
}

fn inputs(files: Vec<(String, Vec<u8>)>) -> Vec<Input> {
    let input = |(path, bytes): (String, Vec<u8>)| Input {
        name: path.clone(),
        path,
        bytes,
        first_line: 1,
        is_continued: false,
    };
    files.into_iter().map(input).collect()
}

fn read_folder(files: Vec<(String, Vec<u8>)>) -> (Vec<Conversation>, Vec<Diagnostic>) {
    static CONFIG: LazyLock<config::Config> = LazyLock::new(|| {
        let mut config = config::defaults();
        config.content.clear();
        config
    });
    let mut memory = Memory::default();
    for (path, bytes) in files {
        memory.insert(path, bytes);
    }
    let found = sources::conversations(&memory, &CONFIG);
    (found.value.into_iter().map(|whole| whole.conversation).collect(), found.notes)
}

//! The content folder as an [`Archive`]: read, parse, look once, and keep only the heads.
//!
//! The text of a conversation is dropped after this and read again by the page that shows
//! it ([`Bodies`]), so that memory does not grow with the archive's text.

mod references;

use std::collections::BTreeMap;

use rayon::prelude::*;

use crate::config::Config;
use crate::diag::{Diagnostic, Noted, Severity};
use crate::files::{FileInfo, Files, SharedFiles};
use crate::formats;
use crate::hash::Hash;
use crate::markup;
use crate::model::{Conversation, Kind};
use crate::path::RelPath;
use crate::text;
use crate::time::Time;

pub use self::references::{Media, Target};

/// Everything that may be shown, the newest first.
#[derive(Debug, Default)]
pub struct Archive {
    /// The conversations.
    pub entries: Vec<Entry>,
    /// How many are private and therefore nowhere in `entries`.
    pub held_back: u64,
}

/// What planning needs to know of a conversation: everything but its text.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Entry {
    /// Where its text is.
    pub body: Body,
    /// Tells it from every other one, and stays when turns are added or its file is moved.
    pub id: Hash,
    /// Its own title, else its first words, else the name of its file.
    pub title: String,
    /// Its nature, such as `dialog`.
    pub kind: Option<String>,
    /// When it took place or was published.
    pub time: Option<Time>,
    /// Declared languages, the first one the main one.
    pub languages: Vec<String>,
    /// Who speaks, in the order of the source.
    pub speakers: Vec<Speaker>,
    /// Number of turns.
    pub turns: u64,
    /// Number of words, code aside.
    pub words: u64,
    /// The beginning of the first answer, or of the first turn, on one line.
    pub excerpt: String,
    /// What its relative addresses lead to, as far as anything.
    pub references: BTreeMap<String, Target>,
}

/// A participant as listings show one.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Speaker {
    /// The name as written.
    pub name: String,
    /// What it is.
    pub kind: Kind,
    /// The model's id.
    pub model: Option<String>,
}

/// The place of a conversation's text.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Body {
    /// The file.
    pub file: RelPath,
    /// The hash of the file's bytes.
    pub hash: Hash,
    /// Its place among the conversations of the file.
    pub index: usize,
}

/// The texts of conversations, by their place. What a file says cannot differ from what was
/// planned: its hash is checked.
pub struct Bodies(SharedFiles);

impl Bodies {
    /// The bodies in these files.
    pub fn new(files: SharedFiles) -> Self {
        Self(files)
    }

    /// The whole conversation.
    pub fn get(&self, body: &Body) -> Result<Conversation, Box<Diagnostic>> {
        let bytes = self.0.read(&body.file)?;
        let changed = || {
            let message = "the file changed while the site was built";
            let note = Diagnostic::new(Severity::Error, "changed", message);
            Box::new(note.in_file(body.file.as_str()).hint("build again"))
        };
        if Hash::of_bytes(&bytes) != body.hash {
            return Err(changed());
        }
        let (conversations, _) = formats::read(body.file.as_str(), &bytes);
        conversations.into_iter().nth(body.index).ok_or_else(changed)
    }

    /// The bytes of a media file.
    pub fn media(&self, media: &Media) -> Result<Vec<u8>, Box<Diagnostic>> {
        self.0.read(&media.file)
    }
}

/// Reads every conversation of the content folder.
pub fn read(files: &dyn Files, config: &Config) -> Noted<Archive> {
    let mut notes = Vec::new();
    let listed = files.list(&config.content).take(&mut notes);
    let names: BTreeMap<&str, &FileInfo> =
        listed.iter().map(|file| (file.path.as_str(), file)).collect();
    let known = references::Known::new(files, &names);
    let read: Vec<FileContents> = listed
        .par_iter()
        .filter(|file| formats::may_hold_conversations(file.path.name()))
        .map(|file| read_file(files, config, &known, &file.path))
        .collect();
    let mut archive = Archive::default();
    for contents in read {
        archive.entries.extend(contents.entries);
        archive.held_back += contents.held_back;
        notes.extend(contents.notes);
    }
    if listed.is_empty() {
        let message = format!("no files in `{}`", config.content);
        let note = Diagnostic::new(Severity::Warning, "no-content", message);
        notes.push(note.hint("put conversations there, or set `content` in site.toml"));
    }
    tell_duplicates_apart(&mut archive.entries, &mut notes);
    archive.entries.sort_by(|a, b| {
        let time = |entry: &Entry| entry.time.as_ref().map(Time::instant);
        (time(b), &a.title, &a.body.file, a.body.index).cmp(&(
            time(a),
            &b.title,
            &b.body.file,
            b.body.index,
        ))
    });
    Noted { value: archive, notes }
}

/// What one file gave.
#[derive(Default)]
struct FileContents {
    entries: Vec<Entry>,
    held_back: u64,
    notes: Vec<Diagnostic>,
}

fn read_file(
    files: &dyn Files,
    config: &Config,
    known: &references::Known<'_>,
    file: &RelPath,
) -> FileContents {
    let bytes = match files.read(file) {
        Ok(bytes) => bytes,
        Err(note) => {
            return FileContents { notes: vec![*note], ..FileContents::default() };
        }
    };
    let hash = Hash::of_bytes(&bytes);
    let (conversations, notes) = formats::read(file.as_str(), &bytes);
    let mut contents = FileContents { notes, ..FileContents::default() };
    for (index, conversation) in conversations.into_iter().enumerate() {
        if conversation.private {
            contents.held_back += 1;
            continue;
        }
        let body = Body { file: file.clone(), hash, index };
        contents.entries.push(entry(
            body,
            &conversation,
            config,
            known,
            &mut contents.notes,
        ));
    }
    contents
}

/// Characters of an excerpt: what search engines show of a description.
const EXCERPT: usize = 160;
/// Characters of a title made from the first words.
const TITLE: usize = 60;

fn entry(
    body: Body,
    conversation: &Conversation,
    config: &Config,
    known: &references::Known<'_>,
    notes: &mut Vec<Diagnostic>,
) -> Entry {
    let mut words = text::words(&conversation.preface);
    let mut references = BTreeMap::new();
    let mut opening = String::new();
    let mut answer = String::new();
    let first_speaker = conversation.turns.first().map(|turn| turn.speaker.as_str());
    for turn in &conversation.turns {
        let source = turn.text();
        let scan = markup::scan(&source);
        words += text::words(&scan.text);
        if !scan.references.is_empty() {
            let place = references::Place { file: &body.file, turn, text: &source };
            known.resolve(place, &scan.references, config, &mut references, notes);
        }
        if opening.is_empty() {
            opening = text::excerpt(&scan.text, EXCERPT);
        }
        if answer.is_empty() && Some(turn.speaker.as_str()) != first_speaker {
            answer = text::excerpt(&scan.text, EXCERPT);
        }
    }
    if !conversation.preface.is_empty() {
        let scan = markup::scan(&conversation.preface);
        let turn = crate::model::Turn {
            id: String::new(),
            speaker: String::new(),
            time: None,
            blocks: Vec::new(),
            line: 1,
        };
        let place = references::Place {
            file: &body.file,
            turn: &turn,
            text: &conversation.preface,
        };
        known.resolve(place, &scan.references, config, &mut references, notes);
    }
    let own =
        conversation.title.as_deref().map(str::trim).filter(|title| !title.is_empty());
    let title = match own {
        Some(title) => title.split_whitespace().collect::<Vec<_>>().join(" "),
        None if opening.is_empty() => {
            body.file.name().split('.').next().unwrap_or("").to_owned()
        }
        None => text::excerpt(&opening, TITLE),
    };
    let beginning = conversation.turns.first().map(|turn| (&turn.speaker, turn.text()));
    let id = Hash::of(&(beginning, conversation.time.as_ref().map(Time::as_written)));
    let mut speakers = Vec::new();
    for who in &conversation.participants {
        let (name, model) = (who.name.clone(), who.model.clone());
        speakers.push(Speaker { name, kind: who.kind, model });
    }
    Entry {
        body,
        id,
        title,
        kind: conversation.kind.clone(),
        time: conversation.time.clone(),
        languages: conversation.languages.clone(),
        speakers,
        turns: conversation.turns.len() as u64,
        words,
        excerpt: if answer.is_empty() { opening } else { answer },
        references,
    }
}

/// Two conversations that begin alike at the same time are probably one, exported twice. Both
/// are shown; the later file's gets an id of its own.
fn tell_duplicates_apart(entries: &mut [Entry], notes: &mut Vec<Diagnostic>) {
    let mut seen: BTreeMap<Hash, RelPath> = BTreeMap::new();
    for entry in entries {
        let Some(first) = seen.get(&entry.id) else {
            seen.insert(entry.id, entry.body.file.clone());
            continue;
        };
        let message = format!("this conversation begins as the one in `{first}` does");
        let note = Diagnostic::new(Severity::Warning, "duplicate-conversation", message);
        let note = note.in_file(entry.body.file.as_str());
        notes.push(note.hint("delete one of them if they are the same"));
        entry.id = Hash::of(&(entry.id, &entry.body.file, entry.body.index));
    }
}

//! The content folder as an [`Archive`]: read, parse, look once, and keep only the heads.
//!
//! The text of a conversation is dropped after this and read again by the page that shows
//! it ([`Bodies`]), so that memory does not grow with the archive's text.

mod attachments;
mod head;
mod media;
mod memo;
mod pages;
mod references;
mod relations;
mod rules;
mod sketch;
mod source;

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Arc, Mutex, PoisonError};

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

pub use self::attachments::Attached;
use self::head::Head;
pub use self::media::{Media, Origin, Shown, dimensions_of};
use self::memo::Remembered;
pub use self::memo::{Memo, Table};
pub use self::references::Target;
use self::references::{Folder, Known};
pub use self::rules::Rules;
pub use self::sketch::Sketch;
use self::source::Parts;
pub use self::source::{Part, Piece, Source, is_history};
use crate::config::Config;
use crate::diag::{Diagnostic, Location, Noted, Severity, Span};
use crate::files::{FileInfo, Files, SharedFiles};
use crate::formats::{self, Format, Input};
use crate::hash::Hash;
use crate::model::{self, Block, Conversation, Kind, Turn};
use crate::path::RelPath;
use crate::text::{Word, interned_option};
use crate::time::Time;

/// Everything that may be shown, the newest first.
#[derive(Debug, Default)]
pub struct Archive {
    /// The conversations.
    pub entries: Vec<Arc<Entry>>,
    /// How many are private and therefore nowhere in `entries`.
    pub held_back: u64,
}

/// What planning needs to know of a conversation: everything but its text.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Entry {
    /// Where its text is: one place, or several for a long one that is read in parts.
    pub parts: Vec<Body>,
    /// Tells it from every other one, and stays when turns are added or its file is moved.
    pub id: Hash,
    /// The id that its source gives it.
    pub own_id: Option<String>,
    /// The [`Entry::own_id`] of the conversation that it goes on from, which is in the archive.
    pub parent: Option<String>,
    /// Its own title, else its first words, else the name of its file.
    pub title: String,
    /// Its nature, such as `dialog`.
    pub kind: Option<String>,
    /// What readers are told of where it comes from.
    #[serde(deserialize_with = "interned_option")]
    pub origin: Option<Word>,
    /// When it took place or was published.
    pub time: Option<Time>,
    /// The latest time in it.
    pub updated: Option<Time>,
    /// What opened it, where the site asks for that and every turn of the main path says when it
    /// was.
    pub opener: Option<Opener>,
    /// The id or the file of the conversation that says the same in another language.
    pub translation_of: Option<String>,
    /// Declared languages, the first one the main one.
    pub languages: Vec<String>,
    /// Words under which it is filed.
    pub tags: Vec<String>,
    /// Who speaks, in the order of the source.
    pub speakers: Vec<Speaker>,
    /// Number of turns on the main path.
    pub turns: u64,
    /// Number of words on the main path, code aside.
    pub words: u64,
    /// The beginning of the summary, else of the first answer or the first turn, on one line.
    pub excerpt: Arc<str>,
    /// How often each tool was called.
    pub tools: BTreeMap<String, u64>,
    /// Addresses below the site's at which it stood before.
    pub aliases: Vec<String>,
    /// Whether its source gives it a title.
    pub is_titled: bool,
    /// Whether search engines should list it, where its author decided.
    pub index: Option<bool>,
    /// Whether somebody reviewed it, where its author says so.
    pub reviewed: Option<bool>,
    /// What its text is like, where the site asks for that.
    pub sketch: Option<Sketch>,
    /// Whether search finds it.
    pub is_found: bool,
    /// Whether it is private, and is here because that was asked for.
    pub private: bool,
    /// Whether it has the one file of its source for itself, of which nothing was left out.
    pub is_alone: bool,
    /// Number of fields that the source has and no page shows.
    pub hidden: u64,
    /// Number of things that a placeholder stands for.
    pub unknown: u64,
    /// What its relative addresses lead to, as far as anything.
    pub references: BTreeMap<String, Target>,
    /// What became of its attachments, by the number of the part, the turn's id and the place
    /// among the turn's blocks.
    pub attachments: BTreeMap<(usize, String, usize), Attached>,
}

impl Entry {
    /// The file by which other files refer to it.
    pub fn file(&self) -> &RelPath {
        self.parts[0].file()
    }

    /// The file or folder by which people know it.
    pub fn label(&self) -> &str {
        self.parts[0].source.label()
    }
}

/// A participant as listings show one.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct Speaker {
    /// The name as written.
    pub name: String,
    /// What it is.
    pub kind: Kind,
    /// The model's id.
    pub model: Option<String>,
    /// Number of its turns on the main path.
    pub turns: u64,
    /// Number of words in these, code aside.
    pub words: u64,
}

/// The first turn in which something is said.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Opener {
    /// The place of who speaks among the conversation's speakers.
    pub speaker: usize,
    /// The turn's id.
    pub turn: String,
    /// How it begins, on one line.
    pub text: String,
}

/// The place of a conversation's text, or of the part of it that one page shows.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct Body {
    /// The files.
    pub source: Arc<Source>,
    /// The part of them that is read at once.
    pub part: Part,
    /// Its place among the conversations that are read there.
    pub index: usize,
    /// The turns of the main path, among those that are read there: from this one…
    pub from: usize,
    /// …up to this one, which is not among them.
    pub to: usize,
    /// The number of the page, from 0.
    pub part_number: usize,
    /// The number of turns on the pages before.
    pub turns_before: u64,
}

impl Body {
    /// Whether both are read at once.
    fn is_beside(&self, other: &Self) -> bool {
        (&self.source, &self.part, self.index)
            == (&other.source, &other.part, other.index)
    }

    /// What it holds of what is read at once.
    fn piece_of(&self, whole: Arc<Conversation>) -> Arc<Conversation> {
        if (self.from, self.to) == (0, whole.turns.len()) {
            return whole;
        }
        Arc::new(pages::piece(&whole, self.from..self.to))
    }

    /// The file and the line of a turn of it.
    pub fn place(&self, turn: &Turn) -> (String, u32) {
        let place = Place::of(self, turn);
        (place.file(), place.at.line)
    }

    /// The file by which people know it.
    pub fn file(&self) -> &RelPath {
        let first = self.part.pieces.first().map_or(0, |piece| piece.file);
        &self.source.files[first]
    }
}

/// A place of which something is to be said.
pub(crate) struct Place<'a> {
    body: &'a Body,
    at: model::Place,
}

impl<'a> Place<'a> {
    fn of(body: &'a Body, turn: &Turn) -> Self {
        Self { body, at: turn.place }
    }

    fn file(&self) -> String {
        let piece = self.body.part.pieces.get(self.at.file);
        let path = piece.map_or_else(
            || self.body.file(),
            |piece| &self.body.source.files[piece.file],
        );
        path.to_string()
    }

    /// On the line where the turn starts.
    fn on_line(&self, mut note: Diagnostic) -> Diagnostic {
        let span = Span { line: self.at.line, ..Span::default() };
        note.at = Some(Location { file: self.file(), span: Some(span) });
        note
    }

    /// At a span of the turn's text.
    fn on_span(&self, mut note: Diagnostic, mut span: Span) -> Diagnostic {
        if self.at.quoted {
            return self.on_line(note);
        }
        span.line += self.at.line - 1;
        note.at = Some(Location { file: self.file(), span: Some(span) });
        note
    }
}

/// The texts of conversations, by their place. What a file says cannot differ from what was
/// planned: its hash is checked.
pub struct Bodies {
    files: SharedFiles,
    rules: Rules,
    /// The last few conversations of which several things are made, each with a place in it.
    recent: Mutex<VecDeque<(Body, Arc<Conversation>)>>,
}

/// How many those are: one for each thread, on most machines.
const RECENT: usize = 8;

impl Bodies {
    /// The bodies in these files, read by these rules.
    pub fn new(files: SharedFiles, rules: Rules) -> Self {
        Self { files, rules, recent: Mutex::default() }
    }

    /// Changes whenever the rules do by which they are read.
    pub fn rules(&self) -> Hash {
        self.rules.hash
    }

    /// What a page shows of a conversation.
    pub fn get(&self, body: &Body) -> Result<Arc<Conversation>, Box<Diagnostic>> {
        Ok(body.piece_of(Arc::new(self.read(body)?)))
    }

    fn read(&self, body: &Body) -> Result<Conversation, Box<Diagnostic>> {
        let inputs = source::read_again(self.files.as_ref(), &body.source, &body.part)?;
        let conversations = inputs
            .map(|inputs| parse(&body.source, inputs, &self.rules).1)
            .unwrap_or_default();
        conversations.into_iter().nth(body.index).ok_or_else(|| changed(body.file()))
    }

    /// The same for whoever asks for the same conversation again and again.
    pub fn near(&self, body: &Body) -> Result<Arc<Conversation>, Box<Diagnostic>> {
        let lock = || self.recent.lock().unwrap_or_else(PoisonError::into_inner);
        let found = lock().iter().find(|(known, _)| known.is_beside(body)).cloned();
        if let Some((_, whole)) = found {
            return Ok(body.piece_of(whole));
        }
        let whole = Arc::new(self.read(body)?);
        let mut recent = lock();
        recent.truncate(RECENT - 1);
        recent.push_front((body.clone(), whole.clone()));
        drop(recent);
        Ok(body.piece_of(whole))
    }

    /// A file from which a conversation was read, as it is.
    pub fn original(&self, file: &RelPath) -> Result<Vec<u8>, Box<Diagnostic>> {
        self.files.read(file)
    }

    /// The bytes of a media file.
    pub fn media(&self, media: &Media) -> Result<Vec<u8>, Box<Diagnostic>> {
        match &media.origin {
            Origin::File(file) => self.files.read(file),
            Origin::Inline { body, turn, block } => {
                let conversation = self.near(body)?;
                let turn = conversation.all_turns().find(|known| known.id == *turn);
                let bytes = turn.and_then(|turn| match turn.blocks.get(*block)? {
                    Block::Attachment(attachment) => attachments::bytes_of(attachment),
                    _ => None,
                });
                bytes.ok_or_else(|| changed(body.file()))
            }
        }
    }
}

fn changed(file: &RelPath) -> Box<Diagnostic> {
    let message = "the file changed while the site was built";
    let note = Diagnostic::new(Severity::Error, "changed", message);
    Box::new(note.in_file(file.as_str()).hint("build again"))
}

fn parse(
    source: &Source,
    inputs: Vec<Input>,
    rules: &Rules,
) -> (Option<&'static Format>, Vec<Conversation>, Vec<Diagnostic>) {
    let format = source.format.and_then(formats::named);
    let (format, mut conversations, notes) = formats::parse(format, inputs);
    conversations.iter_mut().for_each(|read| rules.apply(source.rule, read));
    (format, conversations, notes)
}

/// Whether private conversations are published.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Private {
    /// They are held back and counted.
    HeldBack,
    /// They are published like all others.
    Included,
}

/// Reads every conversation of the content folder, and keeps their heads. What `memo` holds of
/// an earlier time and still is so is not read again.
pub fn read(
    files: &dyn Files,
    config: &Config,
    rules: &Rules,
    private: Private,
    memo: &Memo,
) -> Noted<Archive> {
    let mut notes = Vec::new();
    let listed = files.list(&config.content).take(&mut notes);
    let names: BTreeMap<&str, &FileInfo> =
        listed.iter().map(|file| (file.path.as_str(), file)).collect();
    let (sources, closed) = source::find(files, &listed, config, rules);
    let folder = Folder { files, names: &names, closed: &closed };
    let settings = Hash::of(&(config, private));
    let known = memo.recall(settings);
    let read: Vec<(Hash, Arc<Remembered>)> = sources
        .into_par_iter()
        .map(|source| {
            let remembered = known.get(folder, &source);
            let key = Hash::of(&source);
            let read = || read_source(folder, config, rules, source, private);
            (key, remembered.unwrap_or_else(|| Arc::new(read())))
        })
        .collect();
    let mut archive = Archive::default();
    for (_, Remembered { contents, .. }) in read.iter().map(|(key, read)| (key, &**read))
    {
        archive.entries.extend(contents.entries.iter().cloned());
        archive.held_back += contents.held_back;
        notes.extend(contents.notes.iter().cloned());
    }
    memo.replace(settings, read.into_iter().filter(|(_, read)| read.contents.is_sure));
    if listed.is_empty() {
        let message = format!("no files in `{}`", config.content);
        let note = Diagnostic::new(Severity::Warning, "no-content", message);
        notes.push(note.hint("put conversations there, or set `content` in site.toml"));
    }
    relations::tell_duplicates_apart(&mut archive.entries, &mut notes);
    let time = |entry: &Arc<Entry>| entry.time.as_ref().map(Time::instant);
    let mut dated: Vec<_> =
        archive.entries.into_iter().map(|entry| (time(&entry), entry)).collect();
    dated.par_sort_by(|(time_a, a), (time_b, b)| {
        (time_b, &a.title, &a.parts[0]).cmp(&(time_a, &b.title, &b.parts[0]))
    });
    archive.entries = dated.into_iter().map(|(_, entry)| entry).collect();
    relations::relate(&mut archive.entries, &mut notes);
    Noted { value: archive, notes }
}

/// Reads the conversations of a folder, whole, for whoever wants the texts and no site.
pub fn conversations(
    files: &dyn Files,
    config: &Config,
) -> Noted<Vec<(RelPath, Conversation)>> {
    let mut notes = Vec::new();
    let rules = Rules::new(config).take(&mut notes);
    let listed = files.list(&config.content).take(&mut notes);
    let mut all = Vec::new();
    for source in source::find(files, &listed, config, &rules).0 {
        let part = match source::whole(files, &source) {
            Ok(inputs) => inputs,
            Err(note) => {
                notes.push(*note);
                continue;
            }
        };
        let (_, read, more) = parse(&source, part, &rules);
        all.extend(read.into_iter().map(|read| (source.file().clone(), read)));
        notes.extend(more);
    }
    Noted { value: all, notes }
}

/// What one source gave.
#[derive(Default, Serialize, Deserialize)]
struct Contents {
    entries: Vec<Arc<Entry>>,
    held_back: u64,
    notes: Vec<Diagnostic>,
    /// Whether all of it could be read.
    is_sure: bool,
}

fn read_source(
    folder: Folder<'_>,
    config: &Config,
    rules: &Rules,
    mut source: Source,
    private: Private,
) -> Remembered {
    let found = source.clone();
    let known = Known::new(folder);
    let mut contents = Contents { is_sure: true, ..Contents::default() };
    let mut hashes = Vec::new();
    match Parts::new(folder.files, &mut source) {
        Ok(parts) => {
            read_parts(parts, config, rules, &known, private, &mut hashes, &mut contents);
        }
        Err(note) => contents.fail(*note),
    }
    Remembered::new(folder, &found, &hashes, known.asked(), contents)
}

impl Contents {
    fn fail(&mut self, note: Diagnostic) {
        self.is_sure = false;
        self.notes.push(note);
    }
}

fn read_parts(
    mut parts: Parts<'_>,
    config: &Config,
    rules: &Rules,
    known: &Known<'_>,
    private: Private,
    hashes: &mut Vec<Hash>,
    contents: &mut Contents,
) {
    let source = Arc::new(parts.source().clone());
    // A source of several parts is one conversation; any other may hold several.
    let mut heads: Vec<Option<Head>> = Vec::new();
    let mut is_first = true;
    // Of what a reader of the format complained about, some may have been left out.
    let mut is_whole = true;
    while let Some(part) = parts.next() {
        let (part, inputs) = match part {
            Ok(part) => part,
            Err(note) => {
                contents.fail(*note);
                break;
            }
        };
        hashes.push(part.hash);
        let (format, conversations, notes) = parse(&source, inputs, rules);
        is_whole &= notes.is_empty();
        contents.notes.extend(notes);
        for (index, read) in conversations.into_iter().enumerate() {
            if is_first {
                let held_back = read.private && private == Private::HeldBack;
                contents.held_back += u64::from(held_back);
                heads.push((!held_back).then(|| Head::new(&read, format)));
            }
            if heads.is_empty() {
                // The parts before had nothing in them.
                heads.push(Some(Head::new(&read, format)));
            }
            let Some(Some(head)) = heads.get_mut(index) else { continue };
            let read = Arc::new(read);
            for turns in pages::cuts(&read, config) {
                let (part_number, turns_before) = head.next();
                let body = Body {
                    source: source.clone(),
                    part: part.clone(),
                    index,
                    from: turns.start,
                    to: turns.end,
                    part_number,
                    turns_before,
                };
                let page = body.piece_of(read.clone());
                head.add(body, &page, config, known, &mut contents.notes);
            }
            is_first &= !parts.is_cut();
        }
    }
    let is_alone = is_whole && heads.len() == 1 && source.files.len() == 1;
    let entries =
        heads.into_iter().flatten().map(|head| Entry { is_alone, ..head.finish() });
    contents.entries.extend(entries.map(Arc::new));
    if contents.entries.is_empty() && contents.notes.is_empty() && contents.held_back == 0
    {
        contents.notes.extend(nobodys(&source));
    }
}

/// The hint on a file of data that no format knows.
fn nobodys(source: &Source) -> Option<Diagnostic> {
    let name = source.file().name().to_ascii_lowercase();
    if !name.ends_with(".json") && !formats::has_lines(&name) {
        return None;
    }
    let message = "this is a conversation in no format that is known";
    let note = Diagnostic::new(Severity::Hint, "unknown-format", message);
    let hint = "if it is one, name its format in a `[[source]]` of site.toml";
    Some(note.in_file(source.file().as_str()).hint(hint))
}

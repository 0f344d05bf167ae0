//! The content folder as an [`Archive`]: read, parse, look once, and keep only the heads.
//!
//! The text of a conversation is dropped after this and read again by the page that shows
//! it ([`Bodies`]), so that memory does not grow with the archive's text.

mod attachments;
mod coverage;
mod head;
mod lengths;
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
pub use self::coverage::Coverage;
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
use crate::semaphore::Semaphore;
use crate::text::{Word, interned_option, plural};
use crate::time::Time;

/// Everything that may be shown, the newest first.
#[derive(Debug, Default)]
pub struct Archive {
    /// The conversations.
    pub entries: Vec<Arc<Entry>>,
    /// Those that are private and therefore nowhere in `entries`.
    pub held_back: Vec<HeldBack>,
    /// What became of the files of the content folder.
    pub coverage: Coverage,
}

/// What is known of a conversation that is held back.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct HeldBack {
    /// Its [`Entry::id`], as if no other one began alike.
    pub id: Hash,
    /// Its [`Entry::label`].
    pub label: String,
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
    /// Its own title, else its first words, else the name of its file; of an undated one that
    /// has its file for itself the name of the file before its first words.
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
    /// The smallest of the hashes of these turns, in order: of conversations that have turns in
    /// common the same ones.
    pub sample: Vec<u32>,
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

    /// How much is read at once for it. Bytes.
    pub fn size(&self) -> usize {
        self.part.pieces.iter().map(|piece| piece.len as usize).sum()
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

/// Sources that are read at the same time, by their length. Reading takes several times as much
/// memory, and no more is taken on many threads than on few. Bytes.
static READING: Semaphore = Semaphore::new(32 << 20);
/// What a file of lines, of which few are read at a time, counts for at most. Bytes.
const LINES: u64 = 8 << 20;

/// The texts of conversations, by their place. What a file says cannot differ from what was
/// planned: its hash is checked.
pub struct Bodies {
    files: SharedFiles,
    rules: Rules,
    /// What was read last and of which several things are made.
    recent: Mutex<VecDeque<Recent>>,
}

/// What was read at one place, and the piece of it that was asked for last.
#[derive(Clone)]
struct Recent {
    body: Body,
    all: Arc<[Arc<Conversation>]>,
    piece: Arc<Conversation>,
}

/// How many those are: some for each thread, on most machines.
const RECENT: usize = 16;
/// What all but the last of them were read from is at most this long together. Bytes.
const RECENT_SIZE: usize = 32 << 20;

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
        Ok(body.piece_of(one_of(&self.read(body)?, body)?))
    }

    /// All that is read where a conversation is: an export holds thousands of them.
    fn read(&self, body: &Body) -> Result<Arc<[Arc<Conversation>]>, Box<Diagnostic>> {
        let _permit = READING.acquire(body.size());
        let inputs = source::read_again(self.files.as_ref(), &body.source, &body.part)?;
        let conversations = inputs
            .map(|inputs| parse_to_show(&body.source, inputs, &self.rules).1)
            .unwrap_or_default();
        Ok(conversations.into_iter().map(Arc::new).collect())
    }

    /// The same for whoever asks for what is read at the same place again and again.
    pub fn near(&self, body: &Body) -> Result<Arc<Conversation>, Box<Diagnostic>> {
        let lock = || self.recent.lock().unwrap_or_else(PoisonError::into_inner);
        let is_there = |known: &Recent| {
            (&known.body.source, &known.body.part) == (&body.source, &body.part)
        };
        let found = lock().iter().find(|known| is_there(known)).cloned();
        let all = match found {
            Some(known) if known.body == *body => return Ok(known.piece),
            Some(known) => known.all,
            None => self.read(body)?,
        };
        let piece = body.piece_of(one_of(&all, body)?);
        let mut recent = lock();
        recent.retain(|known| !is_there(known));
        recent.push_front(Recent { body: body.clone(), all, piece: piece.clone() });
        let mut size = 0;
        let too_many = recent.iter().skip(1).position(|known| {
            size += known.body.size();
            size > RECENT_SIZE
        });
        recent.truncate(too_many.map_or(RECENT, |place| place + 1).min(RECENT));
        Ok(piece)
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

fn one_of(
    all: &[Arc<Conversation>],
    body: &Body,
) -> Result<Arc<Conversation>, Box<Diagnostic>> {
    all.get(body.index).cloned().ok_or_else(|| changed(body.file()))
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
    let is_long = inputs.iter().map(|input| input.bytes.len()).sum::<usize>() > LONG_TURN;
    let (format, mut conversations, mut notes) = formats::parse(format, inputs);
    if is_long {
        conversations.retain(|read| can_be_shown(read, source, &mut notes));
    }
    for read in &mut conversations {
        rules.apply(source.rule, read);
        // What says of itself that it is private stays so.
        read.private |= source.private || source.private_by.is_some();
    }
    if let Some(file) = &source.private_by {
        let message = "this says that the conversation beside it is private";
        let note = Diagnostic::new(Severity::Hint, "held-back", message);
        notes.push(note.in_file(file.as_str()));
    }
    (format, conversations, notes)
}

/// The same with nothing in it that is too long to stand on every page.
fn parse_to_show(
    source: &Source,
    inputs: Vec<Input>,
    rules: &Rules,
) -> (Option<&'static Format>, Vec<Conversation>, Vec<Diagnostic>) {
    let (format, mut conversations, mut notes) = parse(source, inputs, rules);
    for read in &mut conversations {
        lengths::bound(read, source, &mut notes);
    }
    (format, conversations, notes)
}

/// No page can show a longer turn. Bytes.
const LONG_TURN: usize = 16 << 20;

/// Whether every turn of a conversation can be shown, with a note if not.
fn can_be_shown(
    read: &Conversation,
    source: &Source,
    notes: &mut Vec<Diagnostic>,
) -> bool {
    let Some(turn) = read.all_turns().find(|turn| turn.text().len() > LONG_TURN) else {
        return true;
    };
    let most = crate::text::bytes(LONG_TURN as u64);
    let message = format!("a turn is longer than {most}, which no page can show");
    let note = Diagnostic::new(Severity::Error, "too-large", message);
    let note = note.hint("the conversation is left out; cut the turn into several");
    let file = source.files.get(turn.place.file).unwrap_or(source.file());
    let span = Span { line: turn.place.line, ..Span::default() };
    let at = Location { file: file.to_string(), span: Some(span) };
    notes.push(Diagnostic { at: Some(at), ..note });
    false
}

/// Whether private conversations are published.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Private {
    /// They are held back and counted.
    #[default]
    HeldBack,
    /// They are published like all others.
    Included,
}

/// Reads every conversation of the content folder, and keeps their heads. What `memo` holds of
/// an earlier time and still is so is not read again. The errors are those of rules that may have
/// been meant to keep files private.
pub fn read(
    files: &dyn Files,
    config: &Config,
    rules: &Rules,
    private: Private,
    memo: &Memo,
) -> Result<Noted<Archive>, Vec<Diagnostic>> {
    let mut notes = Vec::new();
    let listed = files.list(&config.content).take(&mut notes);
    notes.extend(rules.check(config, &listed)?);
    let names: BTreeMap<&str, &FileInfo> =
        listed.iter().map(|file| (file.path.as_str(), file)).collect();
    let mut found = source::find(files, &listed, config, rules);
    let sources = std::mem::take(&mut found.sources);
    let folder = Folder { files, names: &names, closed: &found.closed };
    let settings = Hash::of(&(config, private));
    let known = memo.recall(settings);
    let read: Vec<(Vec<RelPath>, Hash, Arc<Remembered>)> = sources
        .into_par_iter()
        .map(|source| {
            let remembered = known.get(folder, &source);
            let (files, key) = (source.files.clone(), Hash::of(&source));
            let read = || read_source(folder, config, rules, source, private);
            (files, key, remembered.unwrap_or_else(|| Arc::new(read())))
        })
        .collect();
    let mut archive = Archive::default();
    for Remembered { contents, .. } in read.iter().map(|(.., read)| &**read) {
        archive.entries.extend(contents.entries.iter().cloned());
        archive.held_back.extend(contents.held_back.iter().cloned());
        notes.extend(contents.notes.iter().cloned());
    }
    let covered = read.iter().map(|(files, _, read)| (&files[..], &*read.contents));
    archive.coverage =
        coverage::cover(folder, &listed, &found, covered, config, &mut notes);
    let sure = read.into_iter().filter(|(.., read)| read.contents.is_sure);
    memo.replace(settings, sure.map(|(_, key, read)| (key, read)));
    notes.extend(nothing(&archive, config));
    relations::tell_duplicates_apart(&mut archive.entries, &mut notes);
    let time = |entry: &Arc<Entry>| entry.time.as_ref().map(Time::instant);
    let mut dated: Vec<_> =
        archive.entries.into_iter().map(|entry| (time(&entry), entry)).collect();
    dated.par_sort_by(|(time_a, a), (time_b, b)| {
        (time_b, &a.title, &a.parts[0]).cmp(&(time_a, &b.title, &b.parts[0]))
    });
    archive.entries = dated.into_iter().map(|(_, entry)| entry).collect();
    relations::relate(&mut archive.entries, &mut notes);
    Ok(Noted { value: archive, notes })
}

/// The note on an archive in which there is nothing, not even something private or broken.
fn nothing(archive: &Archive, config: &Config) -> Option<Diagnostic> {
    let Coverage { files, broken, .. } = archive.coverage;
    // Where one is broken, that was said.
    if !archive.entries.is_empty() || !archive.held_back.is_empty() || broken > 0 {
        return None;
    }
    let folder = &config.content;
    let note = if files == 0 {
        let message = format!("no files in `{folder}`");
        Diagnostic::new(Severity::Warning, "no-content", message)
    } else {
        let files = plural(files, "file", "files");
        let message = format!("no conversation in the {files} of `{folder}`");
        Diagnostic::new(Severity::Error, "no-conversations", message)
    };
    Some(note.hint("put conversations there, or set `content` in site.toml"))
}

/// A conversation with its texts.
pub struct Whole {
    /// The files from which it was read.
    pub source: Arc<Source>,
    /// The paths of its files by their numbers in [`model::Place::file`].
    pub files: Arc<[String]>,
    /// What it was read as.
    pub format: Option<&'static Format>,
    /// What was read.
    pub conversation: Conversation,
}

/// Reads the conversations of a folder for whoever wants the texts and no site.
pub fn conversations(files: &dyn Files, config: &Config) -> Noted<Vec<Whole>> {
    let mut notes = Vec::new();
    let rules = match Rules::new(config) {
        Ok(rules) => rules.take(&mut notes),
        Err(notes) => return Noted { value: Vec::new(), notes },
    };
    let listed = files.list(&config.content).take(&mut notes);
    let mut all = Vec::new();
    for source in source::find(files, &listed, config, &rules).sources {
        let part = match source::whole(files, &source) {
            Ok(inputs) => inputs,
            Err(note) => {
                notes.push(*note);
                continue;
            }
        };
        let files: Arc<[String]> = part.iter().map(|input| input.path.clone()).collect();
        let (format, read, more) = parse(&source, part, &rules);
        let source = Arc::new(source);
        all.extend(read.into_iter().map(|conversation| Whole {
            source: source.clone(),
            files: files.clone(),
            format,
            conversation,
        }));
        notes.extend(more);
    }
    Noted { value: all, notes }
}

/// What one source gave.
#[derive(Default, Serialize, Deserialize)]
struct Contents {
    entries: Vec<Arc<Entry>>,
    held_back: Vec<HeldBack>,
    /// The files that those show which are held back.
    shown: Vec<RelPath>,
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
    let len = |file: &RelPath| folder.len(file);
    let weight = |file: &RelPath| match formats::has_lines(file.name()) {
        true => len(file).min(LINES),
        false => len(file),
    };
    let _permit = READING.acquire(source.files.iter().map(weight).sum::<u64>() as usize);
    match Parts::new(folder.files, &len, &mut source) {
        Ok(parts) => {
            read_parts(parts, config, rules, &known, private, &mut hashes, &mut contents);
        }
        Err(note) => contents.fail(*note),
    }
    Remembered::new(folder, &found, &hashes, known.asked(), contents)
}

impl Contents {
    /// Whether no conversation was found, not even a private one.
    fn is_empty(&self) -> bool {
        self.entries.is_empty() && self.held_back.is_empty()
    }

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
    let mut heads: Vec<Head> = Vec::new();
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
        let (format, conversations, notes) = parse_to_show(&source, inputs, rules);
        is_whole &= notes.is_empty();
        contents.notes.extend(notes);
        for (index, read) in conversations.into_iter().enumerate() {
            // The parts before may have had nothing in them.
            if is_first || heads.is_empty() {
                heads.push(Head::new(&read, format));
            }
            let Some(head) = heads.get_mut(index) else { continue };
            // What a later part says of it holds for all of it.
            head.hold_back(read.private);
            let read = Arc::new(read);
            // Nobody waits for what there is to say of what is not shown.
            let mut unheard = Vec::new();
            let notes = match is_held_back(head, private) {
                true => &mut unheard,
                false => &mut contents.notes,
            };
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
                head.add(body, &page, config, known, notes);
            }
            is_first &= !parts.is_cut();
        }
    }
    let is_alone = is_whole && heads.len() == 1 && source.files.len() == 1;
    let is_only = heads.len() == 1;
    for head in heads {
        let is_held_back = is_held_back(&head, private);
        let entry = Entry { is_alone, ..head.finish(is_only) };
        if is_held_back {
            let (id, label) = (entry.id, entry.label().to_owned());
            contents.held_back.push(HeldBack { id, label });
            contents.shown.extend(coverage::shown(&entry).cloned());
        } else {
            contents.entries.push(Arc::new(entry));
        }
    }
    let says_left_out = |note: &Diagnostic| note.code == formats::visibility::LEFT_OUT;
    if contents.is_empty() && contents.notes.iter().any(says_left_out) {
        // Where no turn may be shown, there is a conversation all the same.
        let label = source.label().to_owned();
        contents.held_back.push(HeldBack { id: Hash::of(&label), label });
    }
}

fn is_held_back(head: &Head, private: Private) -> bool {
    head.is_private() && private == Private::HeldBack
}

//! Reads the content folder into an [`Archive`], which keeps an [`Entry`] for each conversation.
//!
//! The text of a conversation is dropped after this and read again by the page that shows
//! it ([`TextStore`]), so that memory does not grow with the archive's text.

mod assets;
mod attachments;
mod coverage;
mod entry_builder;
mod limits;
mod long_turns;
mod media;
mod memo;
mod minhash;
mod pages;
mod references;
mod relations;
mod rules;
mod source;
mod versions;

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Arc, Mutex, PoisonError};

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

pub use self::attachments::ResolvedAttachment;
pub use self::coverage::Coverage;
use self::entry_builder::EntryBuilder;
pub use self::media::{Media, MediaKind, MediaSource, dimensions_of};
use self::memo::CachedSource;
pub use self::memo::{Memo, Table};
pub use self::minhash::MinHash;
pub use self::references::Target;
use self::references::{FileIndex, Resolver};
pub use self::rules::Rules;
use self::source::PartReader;
pub use self::source::{Part, Piece, Source, is_history};
use crate::config::Config;
use crate::diag::{Diagnostic, Location, Noted, Severity, Span};
use crate::files::{FileInfo, Files, SharedFiles};
use crate::formats::{self, Format, Input};
use crate::hash::Hash;
use crate::model::{self, Block, Conversation, Kind, Turn, Usage};
use crate::path::RelPath;
use crate::semaphore::Semaphore;
use crate::text::{InternedStr, interned_option, plural};
use crate::time::Time;

/// Everything that may be shown, the newest first.
#[derive(Debug, Default)]
pub struct Archive {
    /// The conversations.
    pub entries: Vec<Arc<Entry>>,
    /// Private conversations, which are not in `entries`.
    pub held_back: Vec<HeldBack>,
    /// What became of the files of the content folder.
    pub coverage: Coverage,
}

/// A private conversation that is held back.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct HeldBack {
    /// Its [`Entry::id`], as if no other one began alike.
    pub id: Hash,
    /// Its [`Entry::label`].
    pub label: String,
}

/// The metadata of a conversation: everything that planning needs, without its text.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Entry {
    /// References to its text: one, or several for a long conversation that is read in parts.
    pub parts: Vec<TextRef>,
    /// Tells it from every other one, and stays when turns are added or its file is moved.
    pub id: Hash,
    /// The id that its source gives it.
    pub own_id: Option<String>,
    /// The [`Entry::own_id`] by which its vendor knows it among all conversations, so that two of
    /// one id are versions of one conversation.
    pub vendor_id: Option<Hash>,
    /// When its source says that it was changed.
    pub changed: Option<Time>,
    /// The [`Entry::own_id`] of the conversation that it goes on from, which is in the archive.
    pub parent: Option<String>,
    /// Its own title, else its first words, else the name of its file; of an undated one that
    /// has its file for itself the name of the file before its first words.
    pub title: String,
    /// Its nature, such as `dialog`.
    pub kind: Option<String>,
    /// The label by which readers are told where it comes from.
    #[serde(deserialize_with = "interned_option")]
    pub source_label: Option<InternedStr>,
    /// When it took place or was published.
    pub time: Option<Time>,
    /// The latest time in it.
    pub updated: Option<Time>,
    /// The turn that opened it, where the site asks for that and every turn of the main path says
    /// when it was.
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
    /// What its turns took, by model and by the year and month in which it was.
    pub usage: BTreeMap<UsageKey, UsageSum>,
    /// Addresses below the site's at which it stood before.
    pub aliases: Vec<String>,
    /// Whether its source gives it a title.
    pub is_titled: bool,
    /// Whether search engines should list it, where its author decided.
    pub index: Option<bool>,
    /// Whether somebody reviewed it, where its author says so.
    pub reviewed: Option<bool>,
    /// The MinHash of its text, where the site asks for that.
    pub minhash: Option<MinHash>,
    /// Whether search finds it.
    pub is_searchable: bool,
    /// Whether it is private, and is here because that was asked for.
    pub private: bool,
    /// Whether it has the one file of its source for itself, of which nothing was left out, and
    /// which its author wrote and no other program.
    pub is_alone: bool,
    /// The hash of its turns, by which versions that do not differ are known.
    pub content: Hash,
    /// The title of its oldest version, after which its address is named; `None` where that is its
    /// title.
    pub first_title: Option<String>,
    /// Number of fields that the source has and no page shows.
    pub unpublished_fields: u64,
    /// Number of things that a placeholder stands for.
    pub placeholders: u64,
    /// The targets of its relative addresses, as far as they have any.
    pub references: BTreeMap<String, Target>,
    /// Its attachments, by the number of the part, the turn's id and the place
    /// among the turn's blocks.
    pub attachments: BTreeMap<(usize, String, usize), ResolvedAttachment>,
}

impl Entry {
    /// Returns the file by which other files refer to it.
    pub fn file(&self) -> &RelPath {
        self.parts[0].file()
    }

    /// Returns the file or folder by which people know it.
    pub fn label(&self) -> &str {
        self.parts[0].source.label()
    }
}

/// The model that made turns, and the year and month in which it did.
pub type UsageKey = (Option<String>, Option<(i16, i8)>);

/// The sums of what turns took.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
pub struct UsageSum {
    /// Tokens that models read and wrote.
    pub tokens: u64,
    /// The price, as far as it is known. Millionths of a US dollar.
    pub cost: u64,
}

impl UsageSum {
    /// Adds what one turn took.
    fn count(&mut self, usage: &Usage) {
        let parts = [
            usage.input_tokens,
            usage.cache_read_tokens,
            usage.cache_write_tokens,
            usage.output_tokens,
        ];
        let tokens = parts.into_iter().flatten().fold(0, u64::saturating_add);
        let cost = usage.cost_usd.map_or(0, |dollars| (dollars * 1e6).round() as u64);
        self.add(Self { tokens, cost });
    }

    /// Adds other sums.
    pub fn add(&mut self, other: Self) {
        self.tokens = self.tokens.saturating_add(other.tokens);
        self.cost = self.cost.saturating_add(other.cost);
    }
}

/// A participant as listings show one.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct Speaker {
    /// The name as written.
    pub name: String,
    /// The kind of participant.
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
    /// The beginning of the turn, on one line.
    pub text: String,
}

/// A reference to the text of a conversation, or to the part of it that one page shows.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct TextRef {
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
    /// Other versions of the conversation, such as in an earlier export, the newest first. What they
    /// have more is shown with it.
    pub versions: Vec<Version>,
}

/// Another version of a conversation: where its text is.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct Version {
    /// The files.
    pub source: Arc<Source>,
    /// The part of them that is read at once.
    pub part: Part,
    /// Its place among the conversations that are read there.
    pub index: usize,
}

impl TextRef {
    /// Returns the page of a conversation to which this refers.
    fn page_of(&self, whole: Arc<Conversation>) -> Arc<Conversation> {
        if (self.from, self.to) == (0, whole.turns.len()) {
            return whole;
        }
        Arc::new(pages::page(&whole, self.from..self.to))
    }

    /// Returns the file and the line of one of its turns.
    pub fn place(&self, turn: &Turn) -> (String, u32) {
        let place = NotePlace::of(self, turn);
        (place.file(), place.at.line)
    }

    /// Returns the bytes that are read at once for it.
    pub fn size(&self) -> usize {
        self.part.size()
    }

    /// Returns the file by which people know it.
    pub fn file(&self) -> &RelPath {
        let first = self.part.pieces.first().map_or(0, |piece| piece.file);
        &self.source.files[first]
    }
}

/// A place in a source, for diagnostics.
pub(crate) struct NotePlace<'a> {
    text_ref: &'a TextRef,
    at: model::Place,
}

impl<'a> NotePlace<'a> {
    fn of(text_ref: &'a TextRef, turn: &Turn) -> Self {
        Self { text_ref, at: turn.place }
    }

    fn file(&self) -> String {
        let piece = self.text_ref.part.pieces.get(self.at.file);
        let path = piece.map_or_else(
            || self.text_ref.file(),
            |piece| &self.text_ref.source.files[piece.file],
        );
        path.to_string()
    }

    /// Places a diagnostic on the line where the turn starts.
    fn on_line(&self, mut note: Diagnostic) -> Diagnostic {
        let span = Span { line: self.at.line, ..Span::default() };
        note.at = Some(Location { file: self.file(), span: Some(span) });
        note
    }

    /// Places a diagnostic at a span of the turn's text.
    fn on_span(&self, mut note: Diagnostic, mut span: Span) -> Diagnostic {
        if self.at.quoted {
            return self.on_line(note);
        }
        span.line += self.at.line - 1;
        note.at = Some(Location { file: self.file(), span: Some(span) });
        note
    }
}

/// Bounds the bytes of sources that are read at the same time. Reading takes several times as much
/// memory, and no more is taken on many threads than on few.
static READ_BUDGET: Semaphore = Semaphore::new(32 << 20);
/// The most bytes for which a file of lines counts, because few of its lines are read at a time.
const MAX_LINE_FILE_WEIGHT: u64 = 8 << 20;

/// Reads the texts of conversations again. A text cannot differ from what was planned: its hash is
/// checked.
pub struct TextStore {
    files: SharedFiles,
    rules: Rules,
    /// The texts that were read last, and may be needed for more files.
    recent: Mutex<VecDeque<Recent>>,
}

/// A text that was read recently, and the page of it that was needed last.
#[derive(Clone)]
struct Recent {
    text_ref: TextRef,
    all: Arc<[Arc<Conversation>]>,
    piece: Arc<Conversation>,
}

/// The most recent texts that are kept: some for each thread, on most machines.
const MAX_RECENT: usize = 16;
/// The most bytes from which all recent texts but the last one were read.
const MAX_RECENT_BYTES: usize = 32 << 20;

impl TextStore {
    /// Creates a store of the texts in these files, which are read by these rules.
    pub fn new(files: SharedFiles, rules: Rules) -> Self {
        Self { files, rules, recent: Mutex::default() }
    }

    /// Returns the hash of the rules by which texts are read.
    pub fn rules(&self) -> Hash {
        self.rules.hash
    }

    /// Reads what a page shows of a conversation.
    pub fn get(&self, text_ref: &TextRef) -> Result<Arc<Conversation>, Box<Diagnostic>> {
        let all = self.read(&text_ref.source, &text_ref.part)?;
        Ok(text_ref.page_of(self.one_of(&all, text_ref)?))
    }

    /// Reads all conversations of the same part of a source: an export holds thousands of them.
    fn read(
        &self,
        source: &Source,
        part: &Part,
    ) -> Result<Arc<[Arc<Conversation>]>, Box<Diagnostic>> {
        let _permit = READ_BUDGET.acquire(part.size());
        let inputs = source::read_again(self.files.as_ref(), source, part)?;
        let conversations = inputs
            .map(|inputs| parse_to_show(source, inputs, &self.rules).1)
            .unwrap_or_default();
        Ok(conversations.into_iter().map(Arc::new).collect())
    }

    /// Returns one of the conversations of a part, with what its other versions have more.
    fn one_of(
        &self,
        all: &[Arc<Conversation>],
        text_ref: &TextRef,
    ) -> Result<Arc<Conversation>, Box<Diagnostic>> {
        let changed = || changed(text_ref.file());
        let mut found = all.get(text_ref.index).cloned().ok_or_else(changed)?;
        for version in &text_ref.versions {
            let all = self.read(&version.source, &version.part)?;
            let other = all.get(version.index).cloned().ok_or_else(changed)?;
            let whole = Arc::make_mut(&mut found);
            versions::add(whole, Arc::unwrap_or_clone(other));
        }
        Ok(found)
    }

    /// Returns what a page shows of a conversation, from the recent texts if it is there. It is
    /// made for reading many conversations of the same file one after the other.
    pub fn get_cached(
        &self,
        text_ref: &TextRef,
    ) -> Result<Arc<Conversation>, Box<Diagnostic>> {
        let lock = || self.recent.lock().unwrap_or_else(PoisonError::into_inner);
        let is_there = |known: &Recent| {
            (&known.text_ref.source, &known.text_ref.part)
                == (&text_ref.source, &text_ref.part)
        };
        let found = lock().iter().find(|known| is_there(known)).cloned();
        let all = match found {
            Some(known) if known.text_ref == *text_ref => return Ok(known.piece),
            Some(known) => known.all,
            None => self.read(&text_ref.source, &text_ref.part)?,
        };
        let piece = text_ref.page_of(self.one_of(&all, text_ref)?);
        let mut recent = lock();
        recent.retain(|known| !is_there(known));
        recent.push_front(Recent {
            text_ref: text_ref.clone(),
            all,
            piece: piece.clone(),
        });
        let mut size = 0;
        let too_many = recent.iter().skip(1).position(|known| {
            size += known.text_ref.size();
            size > MAX_RECENT_BYTES
        });
        recent.truncate(too_many.map_or(MAX_RECENT, |place| place + 1).min(MAX_RECENT));
        Ok(piece)
    }

    /// Reads a file from which a conversation was read, as it is.
    pub fn original(&self, file: &RelPath) -> Result<Vec<u8>, Box<Diagnostic>> {
        self.files.read(file)
    }

    /// Reads the bytes of a media file.
    pub fn media(&self, media: &Media) -> Result<Vec<u8>, Box<Diagnostic>> {
        match &media.source {
            MediaSource::File(file) => self.files.read(file),
            MediaSource::Inline { text_ref, turn, block } => {
                let conversation = self.get_cached(text_ref)?;
                let turn = conversation.all_turns().find(|known| known.id == *turn);
                let bytes = turn.and_then(|turn| match turn.blocks.get(*block)? {
                    Block::Attachment(attachment) => attachments::bytes_of(attachment),
                    _ => None,
                });
                bytes.ok_or_else(|| changed(text_ref.file()))
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
    let is_long =
        inputs.iter().map(|input| input.bytes.len()).sum::<usize>() > MAX_TURN_BYTES;
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

/// Parses a source, and cuts metadata that is too long to stand on every page.
fn parse_to_show(
    source: &Source,
    inputs: Vec<Input>,
    rules: &Rules,
) -> (Option<&'static Format>, Vec<Conversation>, Vec<Diagnostic>) {
    let (format, mut conversations, mut notes) = parse(source, inputs, rules);
    for read in &mut conversations {
        limits::enforce(read, source, &mut notes);
        long_turns::divide(read);
    }
    (format, conversations, notes)
}

/// The most bytes of a turn that a page can show.
const MAX_TURN_BYTES: usize = 16 << 20;

/// Returns whether every turn of a conversation can be shown, and adds a note if not.
fn can_be_shown(
    read: &Conversation,
    source: &Source,
    notes: &mut Vec<Diagnostic>,
) -> bool {
    let Some(turn) = read.all_turns().find(|turn| turn.text().len() > MAX_TURN_BYTES)
    else {
        return true;
    };
    let most = crate::text::bytes(MAX_TURN_BYTES as u64);
    let message = format!("a turn is longer than {most}, which no page can show");
    let note = Diagnostic::new(Severity::Error, "too-large", message);
    let note = note.hint("the conversation is left out; cut the turn into several");
    let file = source.files.get(turn.place.file).unwrap_or(source.file());
    let span = Span { line: turn.place.line, ..Span::default() };
    let at = Location { file: file.to_string(), span: Some(span) };
    notes.push(Diagnostic { at: Some(at), ..note });
    false
}

/// The policy for private conversations.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Private {
    /// They are held back and counted.
    #[default]
    HeldBack,
    /// They are published like all others.
    Included,
}

/// Reads every conversation of the content folder, and keeps their entries. Sources that `memo` has
/// and that did not change are not read again. The errors are those of rules that may have
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
    let mut found = source::find_sources(files, &listed, config, rules);
    let sources = std::mem::take(&mut found.sources);
    let index = FileIndex {
        files,
        names: &names,
        reserved: &found.reserved,
        assets: &found.assets,
    };
    let settings = Hash::of(&(config, private));
    let known = memo.table_for(settings);
    let read: Vec<(Vec<RelPath>, Hash, Arc<CachedSource>)> = sources
        .into_par_iter()
        .map(|source| {
            let cached = known.get(index, &source);
            let (files, key) = (source.files.clone(), Hash::of(&source));
            let read = || read_source(index, config, rules, source, private);
            (files, key, cached.unwrap_or_else(|| Arc::new(read())))
        })
        .collect();
    let mut archive = Archive::default();
    for CachedSource { contents, .. } in read.iter().map(|(.., read)| &**read) {
        archive.entries.extend(contents.entries.iter().cloned());
        archive.held_back.extend(contents.held_back.iter().cloned());
        notes.extend(contents.notes.iter().cloned());
    }
    let covered = read.iter().map(|(files, _, read)| (&files[..], &*read.contents));
    archive.coverage =
        coverage::measure(index, &listed, &found, covered, config, &mut notes);
    let sure = read.into_iter().filter(|(.., read)| read.contents.is_complete);
    memo.replace(settings, sure.map(|(_, key, read)| (key, read)));
    notes.extend(empty_note(&archive, config));
    versions::merge(&mut archive.entries, index, config, rules, &mut notes);
    relations::resolve_duplicates(&mut archive.entries, &mut notes);
    let time = |entry: &Arc<Entry>| entry.time.as_ref().map(Time::instant);
    let mut dated: Vec<_> =
        archive.entries.into_iter().map(|entry| (time(&entry), entry)).collect();
    dated.par_sort_by(|(time_a, a), (time_b, b)| {
        (time_b, &a.title, &a.parts[0]).cmp(&(time_a, &b.title, &b.parts[0]))
    });
    archive.entries = dated.into_iter().map(|(_, entry)| entry).collect();
    relations::link_parents(&mut archive.entries, &mut notes);
    Ok(Noted { value: archive, notes })
}

/// Makes the note on an archive in which there is nothing, not even something private or broken.
fn empty_note(archive: &Archive, config: &Config) -> Option<Diagnostic> {
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
pub struct FullConversation {
    /// The files from which it was read.
    pub source: Arc<Source>,
    /// The paths of its files by their numbers in [`model::Place::file`].
    pub files: Arc<[String]>,
    /// The format as which it was read.
    pub format: Option<&'static Format>,
    /// The conversation.
    pub conversation: Conversation,
}

/// Reads the conversations of a folder for whoever wants the texts and no site.
pub fn conversations(files: &dyn Files, config: &Config) -> Noted<Vec<FullConversation>> {
    let mut notes = Vec::new();
    let rules = match Rules::new(config) {
        Ok(rules) => rules.take(&mut notes),
        Err(notes) => return Noted { value: Vec::new(), notes },
    };
    let listed = files.list(&config.content).take(&mut notes);
    let mut all = Vec::new();
    for source in source::find_sources(files, &listed, config, &rules).sources {
        let part = match source::read_whole(files, &source) {
            Ok(inputs) => inputs,
            Err(note) => {
                notes.push(*note);
                continue;
            }
        };
        let files: Arc<[String]> = part.iter().map(|input| input.path.clone()).collect();
        let (format, read, more) = parse(&source, part, &rules);
        let source = Arc::new(source);
        all.extend(read.into_iter().map(|conversation| FullConversation {
            source: source.clone(),
            files: files.clone(),
            format,
            conversation,
        }));
        notes.extend(more);
    }
    Noted { value: all, notes }
}

/// The contents of one source: its conversations, and the notes on it.
#[derive(Default, Serialize, Deserialize)]
struct Contents {
    entries: Vec<Arc<Entry>>,
    held_back: Vec<HeldBack>,
    /// The files that those show which are held back.
    shown: Vec<RelPath>,
    notes: Vec<Diagnostic>,
    /// Whether all of it could be read.
    is_complete: bool,
}

fn read_source(
    index: FileIndex<'_>,
    config: &Config,
    rules: &Rules,
    mut source: Source,
    private: Private,
) -> CachedSource {
    let found = source.clone();
    let resolver = Resolver::new(index);
    let mut contents = Contents { is_complete: true, ..Contents::default() };
    let mut hashes = Vec::new();
    let len = |file: &RelPath| index.len(file);
    let weight = |file: &RelPath| match formats::has_lines(file.name()) {
        true => len(file).min(MAX_LINE_FILE_WEIGHT),
        false => len(file),
    };
    let _permit =
        READ_BUDGET.acquire(source.files.iter().map(weight).sum::<u64>() as usize);
    match PartReader::new(index.files, &len, &mut source) {
        Ok(parts) => {
            read_parts(
                parts,
                config,
                rules,
                &resolver,
                private,
                &mut hashes,
                &mut contents,
            );
        }
        Err(note) => contents.fail(*note),
    }
    CachedSource::new(index, &found, &hashes, resolver.dependencies(), contents)
}

impl Contents {
    /// Returns whether no conversation was found, not even a private one.
    fn is_empty(&self) -> bool {
        self.entries.is_empty() && self.held_back.is_empty()
    }

    fn fail(&mut self, note: Diagnostic) {
        self.is_complete = false;
        self.notes.push(note);
    }
}

fn read_parts(
    mut parts: PartReader<'_>,
    config: &Config,
    rules: &Rules,
    resolver: &Resolver<'_>,
    private: Private,
    hashes: &mut Vec<Hash>,
    contents: &mut Contents,
) {
    let source = Arc::new(parts.source().clone());
    // A source of several parts is one conversation; any other may hold several.
    let mut builders: Vec<EntryBuilder> = Vec::new();
    let mut is_first = true;
    // Of what a reader of the format complained about, some may have been left out.
    let mut is_whole = true;
    // An export holds more than what a page shows.
    let mut is_own_format = true;
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
        is_own_format &= format.is_none_or(|format| format.write.is_some());
        contents.notes.extend(notes);
        for (index, read) in conversations.into_iter().enumerate() {
            // The parts before may have had nothing in them.
            if is_first || builders.is_empty() {
                builders.push(EntryBuilder::new(&read, format));
            }
            let Some(builder) = builders.get_mut(index) else { continue };
            // What a later part says of it holds for all of it.
            builder.mark_private(read.private);
            builder.retitle(&read);
            let read = Arc::new(read);
            // Nobody waits for what there is to say of what is not shown.
            let mut unheard = Vec::new();
            let notes = match is_held_back(builder, private) {
                true => &mut unheard,
                false => &mut contents.notes,
            };
            for turns in pages::page_ranges(&read, config) {
                let (part_number, turns_before) = builder.next_page();
                let text_ref = TextRef {
                    source: source.clone(),
                    part: part.clone(),
                    index,
                    from: turns.start,
                    to: turns.end,
                    part_number,
                    turns_before,
                    versions: Vec::new(),
                };
                let page = text_ref.page_of(read.clone());
                builder.add_page(text_ref, &page, config, resolver, notes);
            }
            is_first &= !parts.is_cut();
        }
    }
    assets::tell_once(&mut contents.notes);
    let is_alone =
        is_whole && is_own_format && builders.len() == 1 && source.files.len() == 1;
    let is_only = builders.len() == 1;
    for builder in builders {
        let is_held_back = is_held_back(&builder, private);
        let entry = Entry { is_alone, ..builder.finish(is_only) };
        if is_held_back {
            let (id, label) = (entry.id, entry.label().to_owned());
            contents.held_back.push(HeldBack { id, label });
            contents.shown.extend(coverage::shown_files(&entry).cloned());
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

fn is_held_back(builder: &EntryBuilder, private: Private) -> bool {
    builder.is_private() && private == Private::HeldBack
}

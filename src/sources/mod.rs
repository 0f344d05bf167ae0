//! Reads the content folder into an [`Archive`], which keeps an [`Entry`] for each conversation.
//!
//! The text of a conversation is dropped after this and read again by the page that shows
//! it ([`TextStore`]), so that memory does not grow with the archive's text.

mod assets;
mod attachments;
mod coverage;
mod elements;
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
mod tally;
mod versions;
mod workers;

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Arc, Mutex, PoisonError};

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

pub use self::attachments::{ResolvedAttachment, attached_file};
pub use self::coverage::Coverage;
use self::entry_builder::EntryBuilder;
pub use self::media::{Media, MediaKind, MediaSource, dimensions_of};
use self::memo::{CachedSource, Dependency};
pub use self::memo::{Memo, Table};
pub use self::minhash::MinHash;
pub use self::references::Target;
use self::references::{FileIndex, Resolver};
pub use self::rules::Rules;
use self::source::LoadedPart;
use self::source::PartReader;
pub use self::source::{Part, Piece, Source, is_history};
use self::tally::Tally;
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
    /// Conversations that a rule does not choose, which are not in `entries` either.
    pub excluded: Vec<HeldBack>,
    /// What became of the files of the content folder.
    pub coverage: Coverage,
}

/// A conversation that is held back: because it is private, or because a rule does not choose it.
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
    let listed = files.list_unpacked(&config.content).take(&mut notes);
    notes.extend(rules.check(config, &listed)?);
    let names: BTreeMap<&str, &FileInfo> =
        listed.iter().map(|file| (file.path.as_str(), file)).collect();
    let mut found = source::find_sources(files, &listed, config, rules);
    let sources = std::mem::take(&mut found.sources);
    // Nobody waits for what is wrong with an archive that is passed over.
    notes.retain(|note| {
        let file = note.at.as_ref().map_or("", |at| at.file.as_str());
        note.code != "bad-archive" || !found.ignored.contains(file)
    });
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
        archive.excluded.extend(contents.excluded.iter().cloned());
        notes.extend(contents.notes.iter().cloned());
    }
    notes.extend(unmatched_filters(rules, read.iter().map(|(.., read)| &*read.contents)));
    let covered = read.iter().map(|(files, _, read)| (&files[..], &*read.contents));
    archive.coverage =
        coverage::measure(index, &listed, &found, covered, config, &mut notes);
    let sure = read.into_iter().filter(|(.., read)| read.contents.is_complete);
    memo.replace(settings, sure.map(|(_, key, read)| (key, read)));
    notes.extend(empty_note(&archive, config));
    versions::hold_back(&mut archive, &mut notes);
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

/// Makes a note on each query of a rule that no conversation meets.
fn unmatched_filters<'a>(
    rules: &Rules,
    read: impl Iterator<Item = &'a Contents>,
) -> Vec<Diagnostic> {
    let mut met: BTreeMap<usize, Vec<bool>> = BTreeMap::new();
    for (rule, some) in read.filter_map(|contents| contents.met.as_ref()) {
        let all = met.entry(*rule).or_insert_with(|| vec![false; some.len()]);
        all.iter_mut().zip(some).for_each(|(all, met)| *all |= met);
    }
    rules.unmatched(&met)
}

/// Makes the note on an archive in which there is nothing, not even something private or broken.
fn empty_note(archive: &Archive, config: &Config) -> Option<Diagnostic> {
    let Coverage { files, broken, .. } = archive.coverage;
    // Where one is broken, that was said.
    let is_empty = archive.entries.is_empty() && archive.held_back.is_empty();
    if !is_empty || !archive.excluded.is_empty() || broken > 0 {
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
    let mut all = Vec::new();
    let notes = each_conversation(files, config, &mut |read| all.push(read));
    Noted { value: all, notes }
}

/// Reads the conversations of a folder one after the other, so that not all of an export are in
/// memory. Returns the notes.
pub fn each_conversation(
    files: &dyn Files,
    config: &Config,
    take: &mut dyn FnMut(FullConversation),
) -> Vec<Diagnostic> {
    let mut notes = Vec::new();
    let rules = match Rules::new(config) {
        Ok(rules) => rules.take(&mut notes),
        Err(notes) => return notes,
    };
    let listed = files.list_unpacked(&config.content).take(&mut notes);
    let names: BTreeMap<&str, &FileInfo> =
        listed.iter().map(|file| (file.path.as_str(), file)).collect();
    let len =
        |file: &RelPath| names.get(file.as_str()).map_or(0, |info: &&FileInfo| info.len);
    for mut source in source::find_sources(files, &listed, config, &rules).sources {
        let found = source.clone();
        let mut tally = Tally::default();
        let mut give = |source: &Arc<Source>, part: Vec<Input>, tally: &mut Tally| {
            let files: Arc<[String]> =
                part.iter().map(|input| input.path.clone()).collect();
            let (format, read, more) = parse(source, part, &rules);
            tally.extend(more);
            for conversation in read {
                if rules.chooses(source.rule, &conversation) {
                    let (source, files) = (source.clone(), files.clone());
                    take(FullConversation { source, files, format, conversation });
                }
            }
        };
        match PartReader::new(files, &len, &mut source) {
            Ok(mut parts) if parts.has_records() => {
                let source = Arc::new(parts.source().clone());
                while let Some(part) = parts.next() {
                    match part {
                        Ok((_, inputs)) => give(&source, inputs, &mut tally),
                        Err(note) => tally.extend([*note]),
                    }
                    tally.extend(parts.take_notes());
                }
                tally.extend(parts.take_notes());
            }
            // What is one conversation is wanted whole.
            _ => match source::read_whole(files, &found) {
                Ok(inputs) => give(&Arc::new(found), inputs, &mut tally),
                Err(note) => tally.extend([*note]),
            },
        }
        notes.extend(tally.finish());
    }
    notes
}

/// The contents of one source: its conversations, and the notes on it.
#[derive(Default, Serialize, Deserialize)]
struct Contents {
    entries: Vec<Arc<Entry>>,
    held_back: Vec<HeldBack>,
    /// Those that the rule does not choose.
    excluded: Vec<HeldBack>,
    /// The number of a rule with queries, and which of them a conversation met.
    met: Option<(usize, Vec<bool>)>,
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
    let mut dependencies = Vec::new();
    let len = |file: &RelPath| index.len(file);
    let weight = |file: &RelPath| match formats::has_lines(file.name()) {
        true => len(file).min(MAX_LINE_FILE_WEIGHT),
        false => len(file),
    };
    let weight = source.files.iter().map(weight).sum::<u64>() as usize;
    match PartReader::new(index.files, &len, &mut source) {
        Ok(mut parts) => {
            // Records are read on all threads, which nothing else shall use then.
            let all = if parts.has_records() { usize::MAX } else { weight };
            let _permit = READ_BUDGET.acquire(all);
            let source = Arc::new(parts.source().clone());
            let reading = Reading { source: &source, config, rules, private };
            if parts.has_records() {
                let needed = &mut dependencies;
                reading.read_records(
                    &mut parts,
                    index,
                    needed,
                    &mut hashes,
                    &mut contents,
                );
            } else {
                reading.read_parts(&mut parts, &resolver, &mut hashes, &mut contents);
            }
        }
        Err(note) => contents.fail(*note),
    }
    dependencies.extend(resolver.dependencies());
    CachedSource::new(index, &found, &hashes, dependencies, contents)
}

impl Contents {
    /// Returns whether no conversation was found, not even a private one.
    fn is_empty(&self) -> bool {
        self.entries.is_empty() && self.held_back.is_empty() && self.excluded.is_empty()
    }

    /// Keeps which queries of the rule a conversation meets.
    fn meet(&mut self, rule: Option<usize>, met: Vec<bool>) {
        let Some(rule) = rule.filter(|_| !met.is_empty()) else { return };
        let (_, all) = self.met.get_or_insert_with(|| (rule, vec![false; met.len()]));
        all.iter_mut().zip(met).for_each(|(all, met)| *all |= met);
    }

    fn fail(&mut self, note: Diagnostic) {
        self.is_complete = false;
        self.notes.push(note);
    }
}

/// What the reading of a source goes by.
#[derive(Clone, Copy)]
struct Reading<'a> {
    source: &'a Arc<Source>,
    config: &'a Config,
    rules: &'a Rules,
    private: Private,
}

/// The entries that some parts of a source gave.
#[derive(Default)]
struct Found<'a> {
    builders: Vec<EntryBuilder<'a>>,
    notes: Vec<Diagnostic>,
    dependencies: Vec<Dependency>,
    /// Whether a reader of the format complained; then some may have been left out.
    has_faults: bool,
    /// Whether the format is that of another program, whose files hold more than what a page shows.
    is_export: bool,
}

impl<'a> Reading<'a> {
    /// Reads a source that is read at once, or one whose parts are one conversation.
    fn read_parts(
        self,
        parts: &mut PartReader<'_>,
        resolver: &Resolver<'_>,
        hashes: &mut Vec<Hash>,
        contents: &mut Contents,
    ) {
        let mut found = Found::default();
        let is_one = parts.is_one();
        while let Some(part) = parts.next() {
            match part {
                Ok(part) => {
                    hashes.push(part.0.hash);
                    self.read_part(part, is_one, resolver, &mut found);
                }
                Err(note) => {
                    contents.fail(*note);
                    break;
                }
            }
        }
        let more = parts.take_notes();
        found.has_faults |= !more.is_empty();
        contents.notes.append(&mut found.notes);
        contents.notes.extend(more);
        assets::tell_once(&mut contents.notes);
        let is_only = found.builders.len() == 1;
        let is_alone = !found.has_faults
            && !found.is_export
            && is_only
            && self.source.files.len() == 1;
        contents.add(found.builders, self.source.rule, is_only, is_alone, self.private);
        contents.hold_back_what_is_left_out(self.source);
    }

    /// Reads a source each of whose parts has conversations of its own, on all threads.
    fn read_records(
        self,
        parts: &mut PartReader<'_>,
        index: FileIndex<'_>,
        dependencies: &mut Vec<Dependency>,
        hashes: &mut Vec<Hash>,
        contents: &mut Contents,
    ) {
        let mut tally = Tally::default();
        // While there is but one conversation it may be the only one.
        let mut waiting: Vec<EntryBuilder<'_>> = Vec::new();
        let mut are_several = false;
        let mut has_faults = false;
        let mut is_over = false;
        while !is_over {
            let mut batch = Vec::new();
            let mut size = 0;
            while size < BATCH_BYTES && batch.len() < BATCH_RECORDS {
                match parts.next() {
                    Some(Ok(part)) => {
                        hashes.push(part.0.hash);
                        size +=
                            part.1.iter().map(|input| input.bytes.len()).sum::<usize>();
                        batch.push(part);
                    }
                    Some(Err(note)) => {
                        contents.fail(*note);
                        is_over = true;
                        break;
                    }
                    None => {
                        is_over = true;
                        break;
                    }
                }
            }
            let read = |part: LoadedPart| {
                let resolver = Resolver::new(index);
                let mut found = Found::default();
                self.read_part(part, false, &resolver, &mut found);
                found.dependencies = resolver.dependencies();
                found
            };
            for found in workers::map(batch, read) {
                has_faults |= found.has_faults | found.is_export;
                tally.extend(found.notes);
                dependencies.extend(found.dependencies);
                waiting.extend(found.builders);
            }
            let told = parts.take_notes();
            has_faults |= !told.is_empty();
            tally.extend(told);
            are_several |= waiting.len() > 1;
            if are_several {
                let some = std::mem::take(&mut waiting);
                contents.add(some, self.source.rule, false, false, self.private);
            }
        }
        let is_alone = !has_faults && !are_several;
        contents.add(waiting, self.source.rule, !are_several, is_alone, self.private);
        contents.notes.extend(tally.finish());
        assets::tell_once(&mut contents.notes);
        contents.hold_back_what_is_left_out(self.source);
    }

    /// Reads a part. Where the parts of a source are one conversation, it goes on with the one that
    /// is there.
    fn read_part(
        self,
        (part, inputs): LoadedPart,
        is_one: bool,
        resolver: &Resolver<'_>,
        found: &mut Found<'a>,
    ) {
        let (format, conversations, notes) =
            parse_to_show(self.source, inputs, self.rules);
        found.has_faults |= !notes.is_empty();
        found.is_export |= format.is_some_and(|format| format.write.is_none());
        found.notes.extend(notes);
        for (index, read) in conversations.into_iter().enumerate() {
            // The parts before may have had nothing in them.
            if !is_one || found.builders.is_empty() {
                let selection = self.rules.selection(self.source.rule, &read);
                found.builders.push(EntryBuilder::new(&read, format, selection));
            }
            let Some(builder) = found.builders.get_mut(index) else { continue };
            // What a later part says of it holds for all of it.
            builder.mark_private(read.private);
            builder.retitle(&read);
            builder.select(&read);
            let read = Arc::new(read);
            // Nobody waits for what there is to say of what is not shown.
            let mut unheard = Vec::new();
            let is_excluded = !is_one && !builder.selected().0;
            let notes = match is_excluded || is_held_back(builder, self.private) {
                true => &mut unheard,
                false => &mut found.notes,
            };
            for turns in pages::page_ranges(&read, self.config) {
                let (part_number, turns_before) = builder.next_page();
                let text_ref = TextRef {
                    source: self.source.clone(),
                    part: part.clone(),
                    index,
                    from: turns.start,
                    to: turns.end,
                    part_number,
                    turns_before,
                    versions: Vec::new(),
                };
                let page = text_ref.page_of(read.clone());
                builder.add_page(text_ref, &page, self.config, resolver, notes);
            }
        }
    }
}

/// The bytes of records that are in memory at a time, but for the last one.
const BATCH_BYTES: usize = 8 << 20;
/// The most records that are in memory at a time.
const BATCH_RECORDS: usize = 4096;

impl Contents {
    /// Adds conversations. `is_only` tells that the source has no other one.
    fn add(
        &mut self,
        builders: Vec<EntryBuilder<'_>>,
        rule: Option<usize>,
        is_only: bool,
        is_alone: bool,
        private: Private,
    ) {
        for builder in builders {
            let is_held_back = is_held_back(&builder, private);
            let (is_chosen, met) = builder.selected();
            self.meet(rule, met);
            let entry = Entry { is_alone, ..builder.finish(is_only) };
            if !is_chosen {
                let (id, label) = (entry.id, entry.label().to_owned());
                self.excluded.push(HeldBack { id, label });
                self.shown.extend(coverage::shown_files(&entry).cloned());
            } else if is_held_back {
                let (id, label) = (entry.id, entry.label().to_owned());
                self.held_back.push(HeldBack { id, label });
                self.shown.extend(coverage::shown_files(&entry).cloned());
            } else {
                self.entries.push(Arc::new(entry));
            }
        }
    }

    /// Where no turn may be shown, there is a conversation all the same.
    fn hold_back_what_is_left_out(&mut self, source: &Source) {
        let says_left_out =
            |note: &Diagnostic| note.code == formats::visibility::LEFT_OUT;
        if self.is_empty() && self.notes.iter().any(says_left_out) {
            let label = source.label().to_owned();
            self.held_back.push(HeldBack { id: Hash::of(&label), label });
        }
    }
}

fn is_held_back(builder: &EntryBuilder, private: Private) -> bool {
    builder.is_private() && private == Private::HeldBack
}

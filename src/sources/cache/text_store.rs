//! Reads the texts of conversations again for the pages that show them.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use crate::diag::{Diagnostic, Location, Severity, Span};
use crate::files::{Reader, SharedFiles};
use crate::hash::Hash;
use crate::model::{Block, Conversation};
use crate::path::RelPath;
use crate::semaphore::Semaphore;
use crate::sources::cache::fresh_texts::{FreshTexts, Texts};
use crate::sources::entry::report_filter::ReportFilter;
use crate::sources::find::rules::Rules;
use crate::sources::find::source::{Part, Source};
use crate::sources::merge::union;
use crate::sources::read::branch_limit;
use crate::sources::read::pages::Paged;
use crate::sources::read::parse::parse_to_show;
use crate::sources::read::part_builder::read_again;
use crate::sources::refs::media::{Media, MediaSource, public_bytes};
use crate::sources::refs::static_files::StaticFile;
use crate::sources::refs::text_ref::TextRef;

/// The maximum length of a line that is searched for the column of a name. Bytes.
const MAX_ROW_BYTES: usize = 1000;

/// Text of the site's own that no reader may see.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Hidden {
    /// A secret of this kind.
    Secret(String),
    /// A word of `[[redact]]`.
    OwnWord,
    /// The name of a person who has a pseudonym.
    Name,
}

/// Limits the bytes of sources that are read at the same time. Reading takes several times as much
/// memory. The limit does not depend on the number of threads.
pub(crate) static READ_BUDGET: Semaphore = Semaphore::new(32 << 20);
/// Reads the texts of conversations again. The hash is checked, so a text cannot differ from the
/// planned one.
pub struct TextStore {
    files: SharedFiles,
    rules: Rules,
    /// The texts that this build has parsed already.
    fresh: FreshTexts,
    /// The texts that were read last, which other outputs may need too.
    recent: Mutex<VecDeque<Recent>>,
    /// Locked while reading a long text, so that no other thread reads the same text meanwhile.
    reading_long: Mutex<()>,
}

/// A recently read text, with the page that was used last.
#[derive(Clone)]
struct Recent {
    text_ref: TextRef,
    all: Texts,
    /// The conversation of that page, because its other pages are probably used next.
    whole: Arc<Paged>,
    piece: Arc<Conversation>,
}

impl Recent {
    /// Returns whether a page belongs to the conversation of the last used page.
    fn is_of_same(&self, text_ref: &TextRef) -> bool {
        (self.text_ref.index, &self.text_ref.versions) == (text_ref.index, &text_ref.versions)
    }
}

/// The number of recent texts per thread. A page, its Markdown copy and other outputs use the same
/// text.
const RECENT_PER_THREAD: usize = 8;
/// The length from which only one thread reads a text, because a whole channel is in memory then.
/// Bytes.
const LONG_BYTES: usize = 4 << 20;
/// The maximum total size of all recent texts except the last. Bytes of their sources.
const MAX_RECENT_BYTES: usize = 32 << 20;

impl TextStore {
    /// Creates a store for the texts of these files, which are read with these rules unless they are
    /// among `fresh`.
    pub fn new(files: SharedFiles, rules: Rules, fresh: FreshTexts) -> Self {
        Self { files, rules, fresh, recent: Mutex::default(), reading_long: Mutex::default() }
    }

    /// Returns the hash of the rules that texts are read with.
    pub fn rules(&self) -> Hash {
        self.rules.hash
    }

    /// Reads what a page shows of a conversation.
    pub fn get(&self, text_ref: &TextRef) -> Result<Arc<Conversation>, Box<Diagnostic>> {
        let all = self.read(&text_ref.source, &text_ref.part)?;
        Ok(text_ref.page_of(&Paged::new(self.one_of(&all, text_ref)?)))
    }

    /// Reads all conversations in the same part of a source. An export can have thousands.
    fn read(&self, source: &Source, part: &Part) -> Result<Texts, Box<Diagnostic>> {
        if let Some(texts) = self.fresh.take(source, part) {
            return Ok(texts);
        }
        let _permit = READ_BUDGET.acquire(part.size());
        let inputs = read_again(self.files.as_ref(), source, part)?;
        let conversations = inputs
            .map(|inputs| parse_to_show(source, part, inputs, &self.rules))
            .unwrap_or_default();
        Ok(conversations.into_iter().map(Arc::new).collect())
    }

    /// Returns a conversation of a part, with the additional turns of its other versions.
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
            union::add(whole, Arc::unwrap_or_clone(other));
        }
        if !text_ref.versions.is_empty() {
            // Merging the versions already reported it.
            let _ = branch_limit::bound(Arc::make_mut(&mut found));
        }
        Ok(found)
    }

    /// Returns what a page shows of a conversation, from the recent texts if possible. Suited for
    /// reading many conversations of the same file in sequence.
    pub fn get_cached(&self, text_ref: &TextRef) -> Result<Arc<Conversation>, Box<Diagnostic>> {
        let lock = || self.recent.lock().unwrap_or_else(PoisonError::into_inner);
        let is_there = |known: &Recent| {
            (&known.text_ref.source, &known.text_ref.part) == (&text_ref.source, &text_ref.part)
        };
        let find = || lock().iter().find(|known| is_there(known)).cloned();
        let mut found = find();
        let mut _reading = None;
        if found.is_none() && text_ref.size() > LONG_BYTES {
            let reading = &self.reading_long;
            _reading = Some(reading.lock().unwrap_or_else(PoisonError::into_inner));
            found = find();
        }
        let whole_of = |all: &[Arc<Conversation>]| -> Result<Arc<Paged>, Box<Diagnostic>> {
            Ok(Arc::new(Paged::new(self.one_of(all, text_ref)?)))
        };
        let (all, whole) = match found {
            Some(known) if known.text_ref == *text_ref => return Ok(known.piece),
            Some(known) if known.is_of_same(text_ref) => (known.all, known.whole),
            Some(known) => {
                let whole = whole_of(&known.all)?;
                (known.all, whole)
            }
            None => {
                let all = self.read(&text_ref.source, &text_ref.part)?;
                let whole = whole_of(&all)?;
                (all, whole)
            }
        };
        let piece = text_ref.page_of(&whole);
        let mut recent = lock();
        recent.retain(|known| !is_there(known));
        recent.push_front(Recent { text_ref: text_ref.clone(), all, whole, piece: piece.clone() });
        let mut size = 0;
        let too_many = recent.iter().skip(1).position(|known| {
            size += known.text_ref.size();
            size > MAX_RECENT_BYTES
        });
        let most = RECENT_PER_THREAD * rayon::current_num_threads();
        recent.truncate(too_many.map_or(most, |place| place + 1).min(most));
        Ok(piece)
    }

    /// Reads a file with conversations unchanged.
    pub fn original(&self, file: &RelPath) -> Result<Vec<u8>, Box<Diagnostic>> {
        self.files.read(file)
    }

    /// Opens a file for reading from an offset on.
    pub fn open(&self, file: &RelPath, from: u64) -> Result<Reader, Box<Diagnostic>> {
        self.files.open(file, from)
    }

    /// Returns the diagnostic for a file that changed after planning.
    pub fn changed(&self, file: &RelPath) -> Box<Diagnostic> {
        changed(file)
    }

    /// Reads the bytes of a copied file, images without metadata.
    pub fn copied(&self, file: &StaticFile) -> Result<Vec<u8>, Box<Diagnostic>> {
        let bytes = self.files.read(&file.source)?;
        // The new content has not been checked.
        let known = Some(bytes).filter(|bytes| Hash::of_bytes(bytes) == file.hash);
        let public = known.and_then(|bytes| public_bytes(bytes).ok());
        public.map(|public| public.bytes).ok_or_else(|| changed(&file.source))
    }

    /// Returns the first thing in a text of the site's own that no reader may see, and its place.
    pub fn hidden_in(&self, file: &str, text: &str) -> Option<(Hidden, Location)> {
        let gate = &self.rules.gate;
        let secret = gate.first_secret(file, text);
        let secret = secret.map(|(name, at)| (Hidden::Secret(name), at));
        let word = || Some((Hidden::OwnWord, gate.first_own_word(file, text)?));
        let name = || Some((Hidden::Name, self.first_name(file, text)?));
        secret.or_else(word).or_else(name)
    }

    /// Returns the name of a secret in a text that is about to be written.
    pub fn secret_in(&self, text: &str) -> Option<&'static str> {
        self.rules.gate.find_last(text).map(|rule| rule.name)
    }

    /// Removes hidden text from diagnostics: secrets, and names that are hidden on the site.
    pub fn clean(&self, notes: &mut [Diagnostic]) {
        ReportFilter::new(&self.rules, &[]).clean_notes(notes);
    }

    /// Removes hidden text from a text.
    pub fn clean_text(&self, text: &mut String) {
        ReportFilter::new(&self.rules, &[]).clean(text);
    }

    /// Returns the place of the first name in a text that is hidden on the site.
    fn first_name(&self, file: &str, text: &str) -> Option<Location> {
        let is_named = |text: &str| self.rules.contains_name(text);
        if !is_named(text) {
            return None;
        }
        let rows = text.lines().zip(1..);
        let (row, line) = rows.into_iter().find(|(row, _)| is_named(row)).unzip();
        // For longer lines, their beginning is reported.
        let row = row.filter(|row| row.len() <= MAX_ROW_BYTES).unwrap_or_default();
        let mut ends = row.char_indices().map(|(at, c)| at + c.len_utf8());
        let row = &row[..ends.find(|end| is_named(&row[..*end])).unwrap_or(row.len())];
        let starts = row.char_indices().map(|(at, _)| at);
        let before = starts.rev().find(|at| is_named(&row[*at..])).unwrap_or_default();
        let column = row[..before].chars().count() as u32 + 1;
        let line = line.unwrap_or(1);
        let span = Span { line, column, end_column: column, ..Span::default() };
        Some(Location { file: file.to_owned(), span: Some(span) })
    }

    /// Reads the bytes of a media file as published.
    pub fn media(&self, media: &Media) -> Result<Vec<u8>, Box<Diagnostic>> {
        let (bytes, file) = match &media.source {
            MediaSource::File(file) => (Some(self.files.read(file)?), file),
            MediaSource::Inline { text_ref, turn, block } => {
                let conversation = self.get_cached(text_ref)?;
                let turn = conversation.all_turns().find(|known| known.id == *turn);
                let bytes = turn.and_then(|turn| match turn.blocks.get(*block)? {
                    Block::Attachment(attachment) => attachment.inline_bytes(),
                    _ => None,
                });
                (bytes, text_ref.file())
            }
        };
        let public = bytes.and_then(|bytes| public_bytes(bytes).ok());
        public.map(|public| public.bytes).ok_or_else(|| changed(file))
    }
}

fn changed(file: &RelPath) -> Box<Diagnostic> {
    let message = "the file changed during the build";
    let note = Diagnostic::new(Severity::Error, "changed", message);
    Box::new(note.in_file(file.as_str()).hint("build again"))
}

//! Sources: which files are read together, and in which parts.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::io::{self, BufRead, ErrorKind, Read as _};

use serde::{Deserialize, Serialize};

use super::assets::AssetTables;
use super::elements::Elements;
use super::rules::{RuleMatch, Rules};
use crate::config::Config;
use crate::diag::{Diagnostic, Lines, Location, Severity, Span};
use crate::files::{FileInfo, Files, Reader, Storage};
use crate::formats::{self, Cut, DETECT_BYTES, Format, Input, Listing, Parts};
use crate::hash::Hash;
use crate::path::RelPath;
use crate::text::{InternedStr, interned_option};

/// A source: files that are read together.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct Source {
    /// The name of its format; `None` while only its text can tell.
    #[serde(deserialize_with = "interned_option")]
    pub format: Option<InternedStr>,
    /// The folder below which its format knows the names of its files.
    pub folder: String,
    /// The files in the order in which they are read.
    pub files: Vec<RelPath>,
    /// The `[[source]]` of the configuration that is about it.
    pub rule: Option<usize>,
    /// Whether the configuration holds it back. One of its files is enough.
    pub private: bool,
    /// The file beside it that says of all of it that it is private.
    pub private_by: Option<RelPath>,
}

impl Source {
    fn format(&self) -> Option<&'static Format> {
        self.format.and_then(formats::named)
    }

    /// Returns the file by which people know it.
    pub fn file(&self) -> &RelPath {
        &self.files[0]
    }

    /// Returns the name of its folder, or of its file if there is only one.
    pub fn label(&self) -> &str {
        match self.folder.trim_end_matches('/') {
            folder if !folder.is_empty() && self.files.len() > 1 => folder,
            _ => self.file().as_str(),
        }
    }

    fn name_in_folder(&self, file: &RelPath) -> String {
        let name = file.as_str();
        match name.strip_prefix(self.folder.as_str()) {
            Some(inside) if !self.folder.is_empty() => inside.to_owned(),
            _ if self.files.len() == 1 => file.name().to_owned(),
            _ => name.to_owned(),
        }
    }
}

/// A part of a source that is read at once: most often all of it.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct Part {
    /// The pieces of files that it consists of.
    pub pieces: Vec<Piece>,
    /// The hash of its bytes.
    pub hash: Hash,
}

impl Part {
    /// Returns the number of its bytes.
    pub fn size(&self) -> usize {
        self.pieces.iter().map(|piece| piece.len as usize).sum()
    }
}

/// A piece of a file: a range of its bytes.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct Piece {
    /// The file's place in the source.
    pub file: usize,
    /// The first byte.
    pub from: u64,
    /// The number of bytes.
    pub len: u64,
    /// The line of the file, from 1, at which it starts.
    pub first_line: u32,
}

/// Finds the sources among the files of a folder.
pub(super) fn find_sources(
    files: &dyn Files,
    listed: &[FileInfo],
    config: &Config,
    rules: &Rules,
) -> FoundSources {
    let text = |name: &str| {
        let bytes = files.read(&RelPath::new(name)).ok()?;
        String::from_utf8(bytes).ok()
    };
    let inside: HashMap<&str, &str> = listed.iter().filter_map(inside).collect();
    let rule_for = |name: &str| rules.of(config, name, inside.get(name).copied());
    let names: Vec<&str> = listed.iter().map(|file| file.path.as_str()).collect();
    let (ignored, names): (Vec<&str>, Vec<&str>) =
        names.into_iter().partition(|name| rule_for(name).ignored);
    let containers: HashSet<&str> = listed
        .iter()
        .filter(|file| file.storage == Storage::Container)
        .map(|file| file.path.as_str())
        .collect();
    let head = |name: &str, bytes: usize| {
        let mut head = Vec::new();
        let reader = files.open(&RelPath::new(name), 0).ok()?;
        reader.take(bytes as u64).read_to_end(&mut head).ok()?;
        Some(String::from_utf8_lossy(&head).into_owned())
    };
    let len = |name: &str| {
        let found = listed.binary_search_by(|file| file.path.as_str().cmp(name));
        found.map_or(0, |place| listed[place].len)
    };
    let listing = Listing { names: &names, text: &text, head: &head, len: &len };
    let assets = formats::assets(&listing);
    let owned: BTreeSet<&str> =
        assets.iter().flat_map(|assets| &assets.owned).map(String::as_str).collect();
    let mut sources = Vec::new();
    let mut taken: BTreeSet<String> = BTreeSet::new();
    for format in formats::ALL {
        let Some(gather) = format.read.as_ref().and_then(|read| read.gather) else {
            continue;
        };
        for bundle in gather(&listing) {
            let free = |file: &String| !taken.contains(file);
            let Some(first) =
                bundle.files.first().filter(|_| bundle.files.iter().all(free))
            else {
                continue;
            };
            let rule = rule_for(first).rule;
            if rules.format(rule).is_some_and(|forced| forced != format.name) {
                continue;
            }
            let source = Source {
                format: Some(format.name),
                private_by: bundle.private.as_ref().map(RelPath::new),
                folder: bundle.folder,
                files: bundle.files.iter().map(RelPath::new).collect(),
                rule,
                private: bundle
                    .files
                    .iter()
                    .chain(&bundle.aside)
                    .any(|file| rule_for(file).private),
            };
            sources.push(source);
            taken.extend(bundle.files);
            taken.extend(bundle.aside);
        }
    }
    let mut taken_by_rule = BTreeSet::new();
    taken_by_rule.extend(
        ignored
            .iter()
            .filter(|name| rule_for(name).private)
            .map(|name| (*name).to_owned()),
    );
    for name in names {
        let RuleMatch { rule, private, .. } = rule_for(name);
        let forced = rules.format(rule);
        if forced.is_some() || private {
            taken_by_rule.insert(name.to_owned());
        }
        let file = RelPath::new(name);
        // What somebody handed over in a conversation is no conversation of its own.
        let may_hold =
            formats::may_hold_conversations(file.name()) && !owned.contains(name);
        let readable = forced.is_some() || may_hold;
        // What a repository remembers is only read with the file that it belongs to.
        let is_source = readable && !is_history(name) && !containers.contains(name);
        if is_source && !taken.contains(name) {
            let (files, folder) = (vec![file], String::new());
            let source =
                Source { format: forced, folder, files, rule, private, private_by: None };
            sources.push(source);
        }
    }
    sources.sort_by(|a, b| a.files.cmp(&b.files));
    let ignored = ignored.into_iter().map(str::to_owned).collect();
    let mut reserved = taken.clone();
    reserved.append(&mut taken_by_rule);
    taken.extend(owned.into_iter().map(str::to_owned));
    let reserved = ReservedFiles(reserved);
    let assets = AssetTables::new(assets);
    FoundSources { sources, members: taken, ignored, reserved, assets }
}

/// Returns the path of a file that is in an archive or packed file, with the path of that.
fn inside(file: &FileInfo) -> Option<(&str, &str)> {
    match &file.storage {
        Storage::Inside(container) => Some((file.path.as_str(), container.as_str())),
        Storage::Plain | Storage::Container => None,
    }
}

/// The sources of a folder, and what its other files are.
pub(super) struct FoundSources {
    /// The sources, in the order of their first files.
    pub(super) sources: Vec<Source>,
    /// The files of those sources that are several files, and of exports, read or not.
    pub(super) members: BTreeSet<String>,
    /// The files that a rule says to pass over.
    pub(super) ignored: BTreeSet<String>,
    /// Files that are never published as they are.
    pub(super) reserved: ReservedFiles,
    /// The files that conversations name by ids.
    pub(super) assets: AssetTables,
}

/// Reserved files, which no page shows as they are: those that are read as conversations whatever
/// their text shows, those that belong to such, and those that a rule holds back.
pub(super) struct ReservedFiles(pub(super) BTreeSet<String>);

/// Returns whether a path is one of those under which the disk presents the history of a
/// repository.
pub fn is_history(name: &str) -> bool {
    name.starts_with(".git/") || name.contains("/.git/")
}

/// Returns the path of the committed file for a path in the history of a repository.
pub(super) fn path_in_work_tree(name: &str) -> Option<String> {
    let at = if name.starts_with(".git/") { 0 } else { name.find("/.git/")? + 1 };
    let inside = &name[at + ".git/".len()..];
    let file = match inside.split_once('/')? {
        ("log", file) => file.strip_suffix(".jsonl").unwrap_or(file),
        ("branches", rest) => rest.rsplit('/').next().unwrap_or_default(),
        _ => return None,
    };
    Some(format!("{}{file}", &name[..at]))
}

/// The most lines of one part; a page with more takes long to load.
const PART_LINES: usize = 1000;
/// The most bytes of one part.
const PART_BYTES: usize = 512 << 10;
/// How many times longer a part may be where there is no good place to cut it, and how many times
/// again where there is none at all.
const OVERLONG_FACTOR: usize = 4;
/// The most bytes that are read at once. Reading takes several times as much memory.
const MAX_READ_BYTES: u64 = 64 << 20;

/// Makes the note on a file of which too much would have to be read at once.
fn too_large(path: &RelPath, what: &str, gone: &str) -> Diagnostic {
    let most = crate::text::bytes(MAX_READ_BYTES);
    let message = format!("{what} is longer than {most}, too much to read at once");
    let note = Diagnostic::new(Severity::Error, "too-large", message);
    let hint = format!("{gone} is left out; cut it into several files");
    note.in_file(path.as_str()).hint(hint)
}

/// A part with its bytes.
pub(super) type LoadedPart = (Part, Vec<Input>);

/// How a source is read.
enum Reading {
    /// All of it at once.
    Whole,
    /// Some lines at a time.
    Lines(fn(&str, &str) -> Cut),
    /// One record at a time, which is a part.
    Records(Elements),
}

/// Reads the parts of a source, one after the other.
pub(super) struct PartReader<'a> {
    files: &'a dyn Files,
    source: &'a Source,
    reading: Reading,
    /// The file that is next, or being read.
    file: usize,
    reader: Option<Reader>,
    /// The place in the file where the next line starts. Bytes.
    offset: u64,
    line: u32,
    /// A line that was read and belongs to the next part.
    next_line: Option<Vec<u8>>,
    /// The files that lines may name.
    named: Option<NamedFiles>,
    /// What there is to say of what could not be read.
    notes: Vec<Diagnostic>,
    done: bool,
}

impl<'a> PartReader<'a> {
    /// Detects the format where that needs a look at the file, and checks that the files are not
    /// too large. `len` returns the length of a file.
    pub(super) fn new(
        files: &'a dyn Files,
        len: &dyn Fn(&RelPath) -> u64,
        source: &'a mut Source,
    ) -> Result<Self, Box<Diagnostic>> {
        let has_lines = formats::has_lines(source.file().name());
        let is_long = source.files.len() == 1 && len(source.file()) > PART_BYTES as u64;
        let mut notes = Vec::new();
        let mut head = Vec::new();
        if is_long || has_lines && source.format.is_none() {
            let reader = files.open(source.file(), 0)?;
            // A file that cannot be read says so again when it is read.
            let _ = reader.take(DETECT_BYTES as u64).read_to_end(&mut head);
        }
        let start = if head.starts_with(UTF8_MARK) { UTF8_MARK.len() } else { 0 };
        if source.format.is_none() && !head.is_empty() {
            let text = String::from_utf8_lossy(&head[start..]);
            if has_lines || formats::opens_json(&text) {
                let name = source.file().name();
                let (format, doubts) = formats::detect(name, &text);
                // What is read at once is looked at once more.
                let format = format.filter(|format| has_lines || is_records(format));
                if let Some(format) = format {
                    source.format = Some(format.name);
                    let lines = Lines::new(&text);
                    let path = source.file().as_str();
                    notes
                        .extend(doubts.into_iter().map(|note| note.locate(path, &lines)));
                }
            }
        }
        let source: &'a Source = source;
        // In UTF-16 every letter of JSON has a byte of zero.
        let is_utf8 = !head.contains(&0) && !head.starts_with(b"\xff\xfe");
        let parts = source.format().and_then(|format| Some(format.read.as_ref()?.parts));
        let parts = match parts {
            Some(Parts::Choose(choose)) => {
                let names = source.files.iter().map(RelPath::as_str);
                Some(choose(&names.collect::<Vec<_>>()))
            }
            parts => parts,
        };
        let mut named = None;
        let reading = match parts {
            Some(Parts::Lines(cut)) => Reading::Lines(cut),
            Some(Parts::Log { cut, names }) => {
                named = Some(NamedFiles::of(source, len, names));
                Reading::Lines(cut)
            }
            Some(Parts::Records) if is_long && is_utf8 => {
                let (start, max) = (start as u64, MAX_READ_BYTES as usize);
                let reader = files.open(source.file(), start)?;
                Reading::Records(Elements::new(reader, start, has_lines, max))
            }
            _ => Reading::Whole,
        };
        let mut whole = 0;
        for path in &source.files {
            // What lines name is read with them.
            if named.is_some() {
                whole = 0;
            }
            match reading {
                Reading::Records(_) => {}
                Reading::Lines(_) if formats::has_lines(path.name()) => {}
                _ => whole += len(path),
            }
            if whole > MAX_READ_BYTES {
                return Err(Box::new(too_large(path, "this", "it")));
            }
        }
        Ok(Self {
            files,
            source,
            reading,
            file: 0,
            reader: None,
            offset: 0,
            line: 1,
            next_line: None,
            named,
            notes,
            done: false,
        })
    }

    /// Returns the source, whose format is known now if it is known at all.
    pub(super) fn source(&self) -> &'a Source {
        self.source
    }

    /// Returns whether the parts of the source are one conversation.
    pub(super) fn is_one(&self) -> bool {
        matches!(self.reading, Reading::Lines(_))
    }

    /// Returns whether every part is read by itself.
    pub(super) fn has_records(&self) -> bool {
        matches!(self.reading, Reading::Records(_))
    }

    /// Takes the notes on what could not be read of the parts so far.
    pub(super) fn take_notes(&mut self) -> Vec<Diagnostic> {
        std::mem::take(&mut self.notes)
    }

    /// Reads the next part.
    pub(super) fn next(&mut self) -> Option<Result<LoadedPart, Box<Diagnostic>>> {
        if self.has_records() {
            return self.next_record();
        }
        if std::mem::replace(&mut self.done, true) {
            return None;
        }
        let mut builder = PartBuilder::default();
        let result = match self.reading {
            Reading::Lines(cut) => self
                .read_lines(cut, &mut builder)
                .and_then(|()| self.read_named(&mut builder)),
            _ => self.read_whole(&mut builder),
        };
        if let Err(note) = result {
            return Some(Err(note));
        }
        Some(Ok(builder.finish(self.source)))
    }

    /// Reads the next record, which is a part of its own: its page needs nothing else to be read
    /// again.
    fn next_record(&mut self) -> Option<Result<LoadedPart, Box<Diagnostic>>> {
        loop {
            let Reading::Records(elements) = &mut self.reading else { return None };
            let element = match elements.next()? {
                Ok(element) => element,
                Err(error) => {
                    let ended = end_early(&mut self.notes, self.source.file(), &error);
                    return ended.err().map(Err);
                }
            };
            let Some(bytes) = element.bytes else {
                let note = too_large(self.source.file(), "a record", "it");
                let span = Span { line: element.line, ..Span::default() };
                let file = self.source.file().to_string();
                self.notes.push(Diagnostic {
                    at: Some(Location { file, span: Some(span) }),
                    ..note
                });
                continue;
            };
            let mut builder = PartBuilder::default();
            builder.start(0, element.from, element.line);
            builder.fill(bytes);
            return Some(Ok(builder.finish(self.source)));
        }
    }

    fn read_whole(&mut self, builder: &mut PartBuilder) -> Result<(), Box<Diagnostic>> {
        for (index, path) in self.source.files.iter().enumerate() {
            builder.start(index, 0, 1);
            let bytes = self.read_file(path)?;
            builder.fill(bytes);
        }
        Ok(())
    }

    /// Reads the files that lines of the part name, and those that these name.
    fn read_named(&mut self, builder: &mut PartBuilder) -> Result<(), Box<Diagnostic>> {
        let next = |reader: &mut Self| reader.named.as_mut()?.next.pop();
        while let Some(file) = next(self) {
            let bytes = self.read_file(&self.source.files[file])?;
            for line in bytes.split(|byte| *byte == b'\n') {
                if let Some(named) = &mut self.named {
                    named.look_at(line);
                }
            }
            builder.start(file, 0, 1);
            builder.fill(bytes);
        }
        Ok(())
    }

    /// Reads a file at once, whose length may not be known before.
    fn read_file(&mut self, path: &RelPath) -> Result<Vec<u8>, Box<Diagnostic>> {
        let mut bytes = Vec::new();
        let reader = self.files.open(path, 0)?;
        if let Err(error) = reader.take(MAX_READ_BYTES + 1).read_to_end(&mut bytes) {
            end_early(&mut self.notes, path, &error)?;
        }
        match bytes.len() as u64 > MAX_READ_BYTES {
            true => Err(Box::new(too_large(path, "this", "it"))),
            false => Ok(bytes),
        }
    }

    fn read_lines(
        &mut self,
        cut: fn(&str, &str) -> Cut,
        builder: &mut PartBuilder,
    ) -> Result<(), Box<Diagnostic>> {
        while self.file < self.source.files.len() {
            let path = &self.source.files[self.file];
            if self.named.as_ref().is_some_and(|named| named.is_read[self.file]) {
                self.file += 1;
                continue;
            }
            if !formats::has_lines(path.name()) {
                builder.start(self.file, 0, 1);
                let bytes = self.read_file(path)?;
                builder.fill(bytes);
                self.file += 1;
                continue;
            }
            if self.reader.is_none() {
                self.reader = Some(self.files.open(path, 0)?);
                (self.offset, self.line) = (0, 1);
            }
            builder.start(self.file, self.offset, self.line);
            let Some(reader) = &mut self.reader else { return Ok(()) };
            loop {
                let line = match self.next_line.take() {
                    Some(line) => line,
                    None => {
                        let mut line = Vec::new();
                        let mut some = reader.by_ref().take(MAX_READ_BYTES + 1);
                        if let Err(error) = some.read_until(b'\n', &mut line) {
                            end_early(&mut self.notes, path, &error)?;
                            *reader = Box::new(io::empty());
                        }
                        if line.len() as u64 > MAX_READ_BYTES {
                            return Err(Box::new(too_large(
                                path,
                                "one of its lines",
                                "it and what follows",
                            )));
                        }
                        line
                    }
                };
                if line.is_empty() {
                    break;
                }
                if builder.is_full(&line, cut) {
                    self.next_line = Some(line);
                    self.done = false;
                    return Ok(());
                }
                builder.push(&line);
                if let Some(named) = &mut self.named {
                    builder.len += named.look_at(&line);
                }
                self.offset += line.len() as u64;
                self.line += 1;
            }
            self.reader = None;
            self.file += 1;
        }
        Ok(())
    }
}

/// The files of a source, but the first one, that lines name.
struct NamedFiles {
    names: fn(&str) -> Vec<String>,
    /// The files by their names without endings, and by those of their folders.
    by_name: HashMap<String, Vec<usize>>,
    /// Whether each file of the source was read with a line, or will be.
    is_read: Vec<bool>,
    lengths: Vec<u64>,
    /// Those that are to be read with this part.
    next: Vec<usize>,
}

impl NamedFiles {
    fn of(
        source: &Source,
        len: &dyn Fn(&RelPath) -> u64,
        names: fn(&str) -> Vec<String>,
    ) -> Self {
        let mut by_name: HashMap<String, Vec<usize>> = HashMap::new();
        for (index, path) in source.files.iter().enumerate().skip(1) {
            let parts = path.as_str().rsplit('/').take(2);
            for part in parts {
                let stem = part.split('.').next().unwrap_or_default();
                by_name.entry(stem.to_owned()).or_default().push(index);
            }
        }
        Self {
            names,
            by_name,
            is_read: vec![false; source.files.len()],
            lengths: source.files.iter().map(len).collect(),
            next: Vec::new(),
        }
    }

    /// Finds the files that a line names, each the first time. Returns their length in bytes.
    fn look_at(&mut self, line: &[u8]) -> usize {
        let mut bytes = 0;
        if self.by_name.is_empty() {
            return bytes;
        }
        for name in (self.names)(&String::from_utf8_lossy(line)) {
            for file in self.by_name.remove(&name).unwrap_or_default() {
                if !std::mem::replace(&mut self.is_read[file], true) {
                    self.next.push(file);
                    bytes += self.lengths[file] as usize;
                }
            }
        }
        bytes
    }
}

/// Ends a file that is packed where its bytes are broken or cut off: what stands before that is
/// read. Any other error is one.
fn end_early(
    notes: &mut Vec<Diagnostic>,
    path: &RelPath,
    error: &io::Error,
) -> Result<(), Box<Diagnostic>> {
    if !matches!(error.kind(), ErrorKind::InvalidData | ErrorKind::UnexpectedEof) {
        return Err(unreadable(path, error));
    }
    let note = Diagnostic::new(Severity::Error, "bad-archive", error.to_string());
    let hint = "what stands before that is read; download it again";
    notes.push(note.in_file(path.as_str()).hint(hint));
    Ok(())
}

fn unreadable(path: &RelPath, error: &io::Error) -> Box<Diagnostic> {
    let message = format!("cannot be read: {error}");
    let note = Diagnostic::new(Severity::Error, "unreadable", message);
    Box::new(note.in_file(path.as_str()))
}

fn is_records(format: &Format) -> bool {
    format.read.as_ref().is_some_and(|read| matches!(read.parts, Parts::Records))
}

/// The byte-order mark of UTF-8.
const UTF8_MARK: &[u8] = b"\xef\xbb\xbf";

/// Puts a part together.
#[derive(Default)]
struct PartBuilder {
    pieces: Vec<Piece>,
    bytes: Vec<Vec<u8>>,
    lines: usize,
    len: usize,
}

impl PartBuilder {
    fn start(&mut self, file: usize, from: u64, first_line: u32) {
        self.pieces.push(Piece { file, from, len: 0, first_line });
        self.bytes.push(Vec::new());
    }

    fn push(&mut self, bytes: &[u8]) {
        if let (Some(piece), Some(last)) = (self.pieces.last_mut(), self.bytes.last_mut())
        {
            piece.len += bytes.len() as u64;
            last.extend_from_slice(bytes);
        }
        self.lines += 1;
        self.len += bytes.len();
    }

    /// Takes a file as a whole.
    fn fill(&mut self, bytes: Vec<u8>) {
        if let (Some(piece), Some(last)) = (self.pieces.last_mut(), self.bytes.last_mut())
        {
            piece.len = bytes.len() as u64;
            self.lines += 1;
            self.len += bytes.len();
            *last = bytes;
        }
    }

    /// Returns whether `line` should start the next part.
    fn is_full(&self, line: &[u8], cut: fn(&str, &str) -> Cut) -> bool {
        let full = |times: usize| {
            self.lines >= times * PART_LINES
                || self.lines > 0 && self.len + line.len() > times * PART_BYTES
        };
        full(1) && {
            let before =
                self.bytes.last().map_or(&[][..], |bytes| bytes.trim_ascii_end());
            let start =
                before.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
            let before = String::from_utf8_lossy(&before[start..]);
            full(match cut(&before, &String::from_utf8_lossy(line)) {
                Cut::Good => 1,
                Cut::Passable => OVERLONG_FACTOR,
                Cut::Bad => OVERLONG_FACTOR * OVERLONG_FACTOR,
            })
        }
    }

    fn finish(self, source: &Source) -> (Part, Vec<Input>) {
        let filled = |(piece, _): &(Piece, Vec<u8>)| piece.len > 0;
        let all: Vec<(Piece, Vec<u8>)> =
            self.pieces.into_iter().zip(self.bytes).collect();
        // An empty file is read only where there is nothing else.
        let some = all.iter().any(filled);
        let kept = all.into_iter().filter(|pair| !some || filled(pair));
        let (pieces, bytes): (Vec<Piece>, Vec<Vec<u8>>) = kept.unzip();
        let hash = hash_of(&bytes);
        let inputs = inputs(source, &pieces, bytes);
        (Part { pieces, hash }, inputs)
    }
}

fn hash_of(bytes: &[Vec<u8>]) -> Hash {
    let hashes: Vec<Hash> = bytes.iter().map(|bytes| Hash::of_bytes(bytes)).collect();
    Hash::of(&hashes)
}

fn inputs(source: &Source, pieces: &[Piece], bytes: Vec<Vec<u8>>) -> Vec<Input> {
    let is_continued =
        pieces.first().is_some_and(|first| first.file > 0 || first.from > 0);
    let input = |(piece, bytes): (&Piece, Vec<u8>)| {
        let file = &source.files[piece.file];
        let name = source.name_in_folder(file);
        let first_line = piece.first_line;
        Input { path: file.to_string(), name, bytes, first_line, is_continued }
    };
    pieces.iter().zip(bytes).map(input).collect()
}

/// Reads all of a source at once.
pub(super) fn read_whole(
    files: &dyn Files,
    source: &Source,
) -> Result<Vec<Input>, Box<Diagnostic>> {
    let mut builder = PartBuilder::default();
    for (index, path) in source.files.iter().enumerate() {
        builder.start(index, 0, 1);
        builder.fill(files.read(path)?);
    }
    Ok(builder.finish(source).1)
}

/// Reads a part again; `None` when its bytes are not what they were.
pub(super) fn read_again(
    files: &dyn Files,
    source: &Source,
    part: &Part,
) -> Result<Option<Vec<Input>>, Box<Diagnostic>> {
    let mut all = Vec::with_capacity(part.pieces.len());
    for piece in &part.pieces {
        let path = &source.files[piece.file];
        let reader = files.open(path, piece.from)?;
        let mut bytes = Vec::with_capacity(piece.len as usize);
        if reader.take(piece.len).read_to_end(&mut bytes).is_err() {
            return Ok(None);
        }
        all.push(bytes);
    }
    Ok((hash_of(&all) == part.hash).then(|| inputs(source, &part.pieces, all)))
}

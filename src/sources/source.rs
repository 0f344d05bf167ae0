//! Sources: which files are read together, and in which parts.

use std::collections::{BTreeSet, HashMap};
use std::io::{BufRead, Read as _};

use serde::{Deserialize, Serialize};

use super::assets::AssetTables;
use super::rules::{RuleMatch, Rules};
use crate::config::Config;
use crate::diag::{Diagnostic, Severity};
use crate::files::{FileInfo, Files, Reader};
use crate::formats::{self, Cut, Format, Input, Listing, Parts};
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
    let rule_for = |name: &str| rules.of(config, name);
    let names: Vec<&str> = listed.iter().map(|file| file.path.as_str()).collect();
    let (ignored, names): (Vec<&str>, Vec<&str>) =
        names.into_iter().partition(|name| rule_for(name).ignored);
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
        if readable && !taken.contains(name) && !is_history(name) {
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
/// The bytes of a file of lines from which its format is detected.
const SNIFF_BYTES: usize = 64 << 10;

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

/// Reads the parts of a source, one after the other.
pub(super) struct PartReader<'a> {
    files: &'a dyn Files,
    source: &'a Source,
    cut: Option<fn(&str, &str) -> Cut>,
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
        if source.format.is_none() && formats::has_lines(source.file().name()) {
            let mut head = Vec::new();
            let reader = files.open(source.file(), 0)?;
            let mut reader = reader.take(SNIFF_BYTES as u64);
            // A file that cannot be read says so again when it is read.
            let _ = reader.read_to_end(&mut head);
            let text = String::from_utf8_lossy(&head);
            source.format =
                formats::detect(source.file().name(), &text).0.map(|format| format.name);
        }
        let source: &'a Source = source;
        let parts = source.format().and_then(|format| Some(format.read.as_ref()?.parts));
        let parts = match parts {
            Some(Parts::Choose(choose)) => {
                let names = source.files.iter().map(RelPath::as_str);
                Some(choose(&names.collect::<Vec<_>>()))
            }
            parts => parts,
        };
        let (cut, named) = match parts {
            Some(Parts::Lines(cut)) => (Some(cut), None),
            Some(Parts::Log { cut, names }) => {
                (Some(cut), Some(NamedFiles::of(source, len, names)))
            }
            _ => (None, None),
        };
        let mut whole = 0;
        for path in &source.files {
            // What lines name is read with them.
            if named.is_some() {
                whole = 0;
            }
            if cut.is_none() || !formats::has_lines(path.name()) {
                whole += len(path);
            }
            if whole > MAX_READ_BYTES {
                return Err(Box::new(too_large(path, "this", "it")));
            }
        }
        Ok(Self {
            files,
            source,
            cut,
            file: 0,
            reader: None,
            offset: 0,
            line: 1,
            next_line: None,
            named,
            done: false,
        })
    }

    /// Returns the source, whose format is known now if it is known at all.
    pub(super) fn source(&self) -> &'a Source {
        self.source
    }

    /// Returns whether the source may come in several parts.
    pub(super) fn is_cut(&self) -> bool {
        self.cut.is_some()
    }

    /// Reads the next part.
    pub(super) fn next(&mut self) -> Option<Result<LoadedPart, Box<Diagnostic>>> {
        if std::mem::replace(&mut self.done, true) {
            return None;
        }
        let mut builder = PartBuilder::default();
        let result = match self.cut {
            Some(cut) => self
                .read_lines(cut, &mut builder)
                .and_then(|()| self.read_named(&mut builder)),
            None => self.read_whole(&mut builder),
        };
        if let Err(note) = result {
            return Some(Err(note));
        }
        Some(Ok(builder.finish(self.source)))
    }

    fn read_whole(&mut self, builder: &mut PartBuilder) -> Result<(), Box<Diagnostic>> {
        for (index, path) in self.source.files.iter().enumerate() {
            builder.start(index, 0, 1);
            builder.fill(self.files.read(path)?);
        }
        Ok(())
    }

    /// Reads the files that lines of the part name, and those that these name.
    fn read_named(&mut self, builder: &mut PartBuilder) -> Result<(), Box<Diagnostic>> {
        let Some(named) = &mut self.named else { return Ok(()) };
        while let Some(file) = named.next.pop() {
            let bytes = self.files.read(&self.source.files[file])?;
            for line in bytes.split(|byte| *byte == b'\n') {
                named.look_at(line);
            }
            builder.start(file, 0, 1);
            builder.fill(bytes);
        }
        Ok(())
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
                builder.fill(self.files.read(path)?);
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
                            let message = format!("cannot be read: {error}");
                            let note =
                                Diagnostic::new(Severity::Error, "unreadable", message);
                            return Err(Box::new(note.in_file(path.as_str())));
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

//! Archives and packed files of the content folder, shown as the folders and files that they hold.
//!
//! `export.zip` is a folder of that name, and `log.jsonl.gz` is a file `log.jsonl` beside it.
//! Nothing is ever unpacked to the disk, and of what is unpacked little is in memory: a
//! [`Stream`] unpacks a part of itself when that is asked for.
//!
//! An archive may have been made to do harm. Names that lead out of it, members that lie over one
//! another, and what unpacks to far more than it is ([`limits`]) are left out and told.

mod base;
mod blocks;
mod deflate;
mod limits;
mod listing;
mod member_name;
mod nested;
mod stream;
mod tar_file;
mod zip_file;

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

use self::base::Base;
use self::limits::{MAX_GUESS, MAX_WHOLE};
use self::listing::Listed;
use self::stream::{Cache, Packing, Stream};
use crate::diag::{Diagnostic, Severity};
use crate::files::{FileInfo, Reader, Stamp, Storage};
use crate::formats;
use crate::path::RelPath;

/// The archives and packed files that were listed.
#[derive(Default)]
pub(super) struct Archives {
    /// By the path of the folder or file as which each is shown.
    known: Mutex<BTreeMap<String, Arc<Container>>>,
    cache: Arc<Cache>,
}

/// An archive or a packed file.
struct Container {
    /// The file that it is.
    path: RelPath,
    stamp: Option<Stamp>,
    /// What is in it, by the paths below it; the one file of a packed file has none.
    members: BTreeMap<String, Member>,
    notes: Vec<Diagnostic>,
}

/// A file in an archive.
#[derive(Clone)]
struct Member {
    stream: Arc<Stream>,
    /// The byte of the stream with which it starts.
    from: u64,
    /// Its length in bytes; a guess where it ends with the stream.
    len: u64,
    ends_with_stream: bool,
    /// The stream from which its own unpacks, for a packed file in an archive.
    within: Option<Arc<Stream>>,
}

impl Member {
    /// Returns the bytes of the stream from one of its own on.
    fn range(&self, from: u64) -> Range<u64> {
        let end = match self.ends_with_stream {
            true => u64::MAX,
            false => self.from.saturating_add(self.len),
        };
        self.from.saturating_add(from).min(end)..end
    }
}

/// What a file is by its name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    Zip,
    Tar(Packing),
    /// One file.
    Packed(Packing),
}

/// The kinds of files that are opened, by their endings.
const ENDINGS: [(&str, Kind); 8] = [
    (".zip", Kind::Zip),
    (".tar", Kind::Tar(Packing::None)),
    (".tar.gz", Kind::Tar(Packing::Gzip)),
    (".tgz", Kind::Tar(Packing::Gzip)),
    (".tar.zst", Kind::Tar(Packing::Zstd)),
    (".tzst", Kind::Tar(Packing::Zstd)),
    (".gz", Kind::Packed(Packing::Gzip)),
    (".zst", Kind::Packed(Packing::Zstd)),
];

/// Returns what a file is by its name, and under which path what is in it is shown.
fn kind_of(path: &str) -> Option<(Kind, &str)> {
    let ends = |ending: &str| {
        let at = path.len().checked_sub(ending.len())?;
        let (stem, end) = (path.get(..at)?, path.get(at..)?);
        let is_named = !stem.is_empty() && !stem.ends_with('/');
        (is_named && end.eq_ignore_ascii_case(ending)).then_some(stem)
    };
    let (kind, stem) =
        ENDINGS.iter().find_map(|(ending, kind)| Some((*kind, ends(ending)?)))?;
    match kind {
        Kind::Packed(_) if !formats::may_hold_conversations(stem) => None,
        Kind::Packed(_) => Some((kind, stem)),
        Kind::Zip | Kind::Tar(_) => Some((kind, path)),
    }
}

/// Returns whether a path is that of an archive, by its name.
pub fn is_archive(path: &str) -> bool {
    kind_of(path).is_some()
}

impl Archives {
    /// Adds what the archives and packed files among `files` hold to them. `open` opens one.
    pub(super) fn list(
        &self,
        files: &mut Vec<FileInfo>,
        open: &dyn Fn(&RelPath) -> io::Result<File>,
        notes: &mut Vec<Diagnostic>,
    ) {
        let mut found: Vec<FileInfo> = Vec::new();
        let mut shown: BTreeMap<String, Arc<Container>> = BTreeMap::new();
        for index in 0..files.len() {
            let path = files[index].path.clone();
            let Some((kind, at)) = kind_of(path.as_str()) else { continue };
            files[index].storage = Storage::Container;
            let is_there =
                |file: &FileInfo| file.path.as_str() == at && at != path.as_str();
            let place = files.partition_point(|file| file.path.as_str() < at);
            if shown.contains_key(at) || files.get(place).is_some_and(is_there) {
                notes.push(beside(&path, at));
                continue;
            }
            let file = &files[index];
            let known = self.known().get(at).cloned().filter(|known| {
                known.path == file.path
                    && known.stamp.is_some()
                    && known.stamp == file.stamp
            });
            let container = known.unwrap_or_else(|| {
                Arc::new(Container::read(file, kind, open, &self.cache))
            });
            notes.extend(container.notes.iter().cloned());
            found.extend(container.members.iter().map(|(name, member)| {
                let path = if name.is_empty() {
                    RelPath::new(at)
                } else {
                    RelPath::new(format!("{at}/{name}"))
                };
                let stamp = file.stamp.map(|stamp| Stamp { len: member.len, ..stamp });
                let storage = Storage::Inside(file.path.clone());
                FileInfo { path, len: member.len, stamp, storage }
            }));
            shown.insert(at.to_owned(), container);
        }
        *self.known() = shown;
        files.append(&mut found);
    }

    /// Returns the archive in which a path is, and what is there.
    fn find(&self, path: &RelPath) -> Option<(Arc<Container>, Member)> {
        let path = path.as_str();
        let known = self.known();
        if known.is_empty() {
            return None;
        }
        let folders =
            path.match_indices('/').map(|(at, _)| (&path[..at], &path[at + 1..]));
        folders.chain([(path, "")]).find_map(|(above, inside)| {
            let container = known.get(above)?;
            Some((container.clone(), container.members.get(inside)?.clone()))
        })
    }

    /// Opens a file in an archive; `None` for any other path.
    pub(super) fn open(
        &self,
        path: &RelPath,
        from: u64,
        open: &dyn Fn(&RelPath) -> io::Result<File>,
    ) -> Option<io::Result<Reader>> {
        let (container, member) = self.find(path)?;
        let range = member.range(from);
        Some(open(&container.path).map(|file| {
            let base = match &member.within {
                Some(within) => Base::unpacked(file, within.clone()),
                None => Base::File(file),
            };
            member.stream.read(base, range)
        }))
    }

    /// Reads a file in an archive; `None` for any other path.
    pub(super) fn read(
        &self,
        path: &RelPath,
        open: &dyn Fn(&RelPath) -> io::Result<File>,
    ) -> Option<io::Result<Vec<u8>>> {
        let read = |reader: Reader| {
            let mut bytes = Vec::new();
            reader.take(MAX_WHOLE + 1).read_to_end(&mut bytes)?;
            if bytes.len() as u64 > MAX_WHOLE {
                let most = crate::text::bytes(MAX_WHOLE);
                return Err(io::Error::other(format!(
                    "it is longer than {most}, too much to be unpacked at once"
                )));
            }
            Ok(bytes)
        };
        Some(self.open(path, 0, open)?.and_then(read))
    }

    fn known(&self) -> std::sync::MutexGuard<'_, BTreeMap<String, Arc<Container>>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Makes the note on a packed file beside which the file that it holds lies.
fn beside(path: &RelPath, shown: &str) -> Diagnostic {
    let message = format!("not read, because `{shown}` is there as well");
    let note = Diagnostic::new(Severity::Warning, "bad-archive", message);
    note.in_file(path.as_str()).hint("remove one of them")
}

impl Container {
    fn read(
        info: &FileInfo,
        kind: Kind,
        open: &dyn Fn(&RelPath) -> io::Result<File>,
        cache: &Arc<Cache>,
    ) -> Self {
        let mut listed = Listed::new(&info.path);
        match open(&info.path) {
            Ok(file) => match kind {
                Kind::Tar(packing) | Kind::Packed(packing)
                    if !is_packed(&file, packing) =>
                {
                    listed.broken(&format!("this is no {} file", packing.name()));
                }
                Kind::Zip => zip_file::list(file, info.len, cache, &mut listed),
                Kind::Tar(packing) => {
                    let stream = Stream::new(packing, 0..info.len, cache);
                    tar_file::list(file, &Arc::new(stream), &mut listed);
                }
                Kind::Packed(packing) => {
                    pack(file, info.len, packing, cache, &mut listed);
                }
            },
            Err(error) => listed.broken(&format!("cannot be read: {error}")),
        }
        if !matches!(kind, Kind::Packed(_)) {
            nested::open_packed(&mut listed, info.len, cache);
        }
        let (members, notes) = listed.finish();
        Self { path: info.path.clone(), stamp: info.stamp, members, notes }
    }
}

/// Returns whether a file starts as what is packed so does.
fn is_packed(mut file: &File, packing: Packing) -> bool {
    let mut magic = [0; 4];
    let is_read = file.seek(SeekFrom::Start(0)).and_then(|_| file.read_exact(&mut magic));
    let is_right = match packing {
        Packing::None => true,
        Packing::Gzip => magic.starts_with(b"\x1f\x8b"),
        Packing::Zstd => magic == *b"\x28\xb5\x2f\xfd" || magic[1..] == *b"\x2a\x4d\x18",
    };
    is_read.is_ok() && is_right && file.seek(SeekFrom::Start(0)).is_ok()
}

/// Lists the one file of a packed file. Its length is a guess: only unpacking it tells.
fn pack(
    mut file: File,
    len: u64,
    packing: Packing,
    cache: &Arc<Cache>,
    listed: &mut Listed,
) {
    // The last bytes of gzip are the length of what it holds.
    let mut last = [0; 4];
    let is_read = packing == Packing::Gzip
        && file.seek(SeekFrom::End(-4)).and_then(|_| file.read_exact(&mut last)).is_ok();
    let told = if is_read { u64::from(u32::from_le_bytes(last)) } else { 0 };
    let guess = told.max(len.saturating_mul(if is_read { 1 } else { 8 }));
    let stream = Arc::new(Stream::new(packing, 0..len, cache));
    let len = guess.min(MAX_GUESS);
    let member = Member { stream, from: 0, len, ends_with_stream: true, within: None };
    listed.put(String::new(), member);
}

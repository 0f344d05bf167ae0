//! Shows archives and packed files of the content folder as folders and files.
//!
//! `export.zip` is shown as a folder with that name, and `log.jsonl.gz` as a file `log.jsonl` next
//! to it. A database of a known program is shown as a folder of its conversations.
//!
//! Nothing is unpacked to the disk, and little is in memory at a time: a `stream::Stream` unpacks
//! the requested part of itself.
//!
//! An archive may be malicious. Names that lead out of it, overlapping members, and members that
//! unpack to a suspicious size (`limits`) are skipped and reported.

mod base;
mod blocks;
mod cache;
#[cfg(feature = "sqlite")]
mod computed;
mod container;
mod copies;
#[cfg(feature = "sqlite")]
mod database;
mod deflate;
mod errors;
mod kind;
mod limits;
mod listing;
mod member;
mod member_name;
mod nested;
mod packing;
mod stream;
mod tar_file;
mod unpacked_base;
mod window;
mod zip_file;

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Read};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use self::cache::Cache;
use self::container::Container;
pub use self::kind::is_archive;
use self::kind::kind_of;
use self::limits::MAX_WHOLE;
use self::member::Member;
use convo_base::diag::{Diagnostic, Severity};
use convo_base::files::{FileInfo, Reader, Stamp, Storage};
use convo_base::path::RelPath;

/// The archives and packed files listed so far.
#[derive(Default)]
pub struct Archives {
    /// By the path of the folder or file that each is shown as.
    known: Mutex<BTreeMap<String, Arc<Container>>>,
    cache: Arc<Cache>,
}

/// Access to archive files.
pub struct Access<'a> {
    /// A function that opens a file.
    pub open: &'a dyn Fn(&RelPath) -> io::Result<File>,
    /// A function that returns the real path of a file, for a library that opens files itself.
    #[cfg_attr(
        not(feature = "sqlite"),
        allow(dead_code, reason = "only databases are opened by path")
    )]
    pub place: &'a dyn Fn(&RelPath) -> io::Result<PathBuf>,
}

impl Archives {
    /// Adds the content of the archives and packed files in `files` to `files`.
    pub fn list(
        &self,
        files: &mut Vec<FileInfo>,
        access: &Access<'_>,
        notes: &mut Vec<Diagnostic>,
    ) {
        let mut found: Vec<FileInfo> = Vec::new();
        let mut shown: BTreeMap<String, Arc<Container>> = BTreeMap::new();
        for index in 0..files.len() {
            let path = files[index].path.clone();
            let Some((kind, at)) = kind_of(path.as_str()) else { continue };
            let is_there = |file: &FileInfo| file.path.as_str() == at && at != path.as_str();
            let place = files.partition_point(|file| file.path.as_str() < at);
            if shown.contains_key(at) || files.get(place).is_some_and(is_there) {
                files[index].storage = Storage::Container;
                notes.push(duplicate_note(&path, at));
                continue;
            }
            let file = &files[index];
            let known = self.known().get(at).cloned();
            let known = known.filter(|known| known.is_current(file, access));
            let container =
                known.or_else(|| Container::read(file, kind, access, &self.cache).map(Arc::new));
            // An unknown database is an ordinary file.
            let Some(container) = container else { continue };
            notes.extend(container.notes.iter().cloned());
            found.extend(container.members.iter().map(|(name, member)| {
                let path = if name.is_empty() {
                    RelPath::new(at)
                } else {
                    RelPath::new(format!("{at}/{name}"))
                };
                let stamp = container.stamp.map(|stamp| Stamp { len: member.len, ..stamp });
                let storage = Storage::Inside(file.path.clone());
                FileInfo { path, len: member.len, stamp, storage }
            }));
            shown.insert(at.to_owned(), container);
            files[index].storage = Storage::Container;
        }
        #[cfg(feature = "sqlite")]
        hide_logs(files);
        *self.known() = shown;
        files.append(&mut found);
    }

    /// Returns the archive that contains a path, and the member.
    fn find(&self, path: &RelPath) -> Option<(Arc<Container>, Member)> {
        let path = path.as_str();
        let known = self.known();
        if known.is_empty() {
            return None;
        }
        let folders = path.match_indices('/').map(|(at, _)| (&path[..at], &path[at + 1..]));
        folders.chain([(path, "")]).find_map(|(above, inside)| {
            let container = known.get(above)?;
            Some((container.clone(), container.members.get(inside)?.clone()))
        })
    }

    /// Opens a file in an archive; `None` for other paths.
    pub fn open(
        &self,
        path: &RelPath,
        from: u64,
        open: &dyn Fn(&RelPath) -> io::Result<File>,
    ) -> Option<io::Result<Reader>> {
        let (container, member) = self.find(path)?;
        Some(open(&container.path).map(|file| member.reader(file, from)))
    }

    /// Reads a file in an archive; `None` for other paths.
    pub fn read(
        &self,
        path: &RelPath,
        open: &dyn Fn(&RelPath) -> io::Result<File>,
    ) -> Option<io::Result<Vec<u8>>> {
        let read = |reader: Reader| {
            let mut bytes = Vec::new();
            reader.take(MAX_WHOLE + 1).read_to_end(&mut bytes)?;
            if bytes.len() as u64 > MAX_WHOLE {
                let most = convo_base::text::bytes(MAX_WHOLE);
                return Err(io::Error::other(format!(
                    "it is larger than {most}, too large to unpack at once"
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

/// Marks files next to databases as parts of them.
#[cfg(feature = "sqlite")]
fn hide_logs(files: &mut [FileInfo]) {
    let is_database = |file: &FileInfo| {
        file.storage == Storage::Container
            && matches!(kind_of(file.path.as_str()), Some((kind::Kind::Database, _)))
    };
    let databases: std::collections::HashSet<String> =
        files.iter().filter(|file| is_database(file)).map(|file| file.path.to_string()).collect();
    for file in files.iter_mut().filter(|_| !databases.is_empty()) {
        let path = file.path.as_str();
        let of = database::BESIDE.iter().find_map(|ending| path.strip_suffix(ending));
        if of.is_some_and(|of| databases.contains(of)) {
            file.storage = Storage::Container;
        }
    }
}

/// Returns the diagnostic for a packed file whose unpacked file exists too.
fn duplicate_note(path: &RelPath, shown: &str) -> Diagnostic {
    let message = format!("not read: `{shown}` exists too");
    let note = Diagnostic::new(Severity::Warning, "bad-archive", message);
    note.in_file(path.as_str()).hint("remove one of them")
}

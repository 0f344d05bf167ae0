//! Archives and packed files of the content folder, shown as the folders and files that they hold.
//!
//! `export.zip` is a folder of that name, and `log.jsonl.gz` is a file `log.jsonl` beside it.
//! Nothing is ever unpacked to the disk, and of what is unpacked little is in memory: a
//! [`stream::Stream`] unpacks a part of itself when that is asked for.
//!
//! An archive may have been made to do harm. Names that lead out of it, members that lie over one
//! another, and what unpacks to far more than it is ([`limits`]) are left out and told.

mod base;
mod blocks;
mod cache;
mod container;
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
use std::sync::{Arc, Mutex, PoisonError};

use self::base::Base;
use self::cache::Cache;
use self::container::Container;
pub use self::kind::is_archive;
use self::kind::kind_of;
use self::limits::MAX_WHOLE;
use self::member::Member;
use self::unpacked_base::UnpackedBase;
use crate::diag::{Diagnostic, Severity};
use crate::files::{FileInfo, Reader, Stamp, Storage};
use crate::path::RelPath;

/// The archives and packed files that were listed.
#[derive(Default)]
pub(super) struct Archives {
    /// By the path of the folder or file as which each is shown.
    known: Mutex<BTreeMap<String, Arc<Container>>>,
    cache: Arc<Cache>,
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
            let base: Box<dyn Base> = match &member.within {
                Some(within) => Box::new(UnpackedBase::new(file, within.clone())),
                None => Box::new(file),
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

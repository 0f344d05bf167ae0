//! The state that is kept between builds, in a folder `.convo-site` in the site folder or in
//! another folder chosen by the user.
//!
//! Everything in it can be deleted. One build at a time locks it. Files written by another build of
//! convo-site count as missing.
//!
//! Work on a partition has its own folder in it, such as `parts/2-of-7`, with the same structure:
//! it is locked on its own, and nobody else writes to it. Everybody reads all of these folders, so
//! caches are merged by copying them into one folder.

use std::fs::File;
use std::io::{self, BufWriter, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError};
use std::time::SystemTime;

use super::blob_folder::{BlobFolder, BlobFolders, Trouble};
use super::folder::{Folder, Kind, Staging, is_staging};
use super::lock::{LOCK, lock};
use super::sealed::Program;
use super::{Error, resolve};
use crate::hash::Hash;
use crate::markup::Highlights;
use crate::partition::Partition;
use crate::pipeline::Memo;
use crate::search::index::RunCache;
use crate::sources::SourceCache;

/// The state folder, locked by this process.
pub struct State {
    /// The folder that contains it.
    site: Folder,
    folder: Folder,
    /// For a partition, the state of the whole site, and the partition.
    whole: Option<(Folder, Partition)>,
    staging: Arc<Staging>,
    /// The running build, whose files are the only trusted ones.
    pub(super) program: Program,
    /// The first error of writing a run.
    trouble: Trouble,
    /// Released by the system when the process ends, even after a crash.
    _lock: Option<File>,
    /// Deleted when it is dropped.
    temporary: Option<tempfile::TempDir>,
}

/// The name of the state folder.
pub(super) const STATE: &str = ".convo-site";
const SOURCES: &str = "heads";
const HIGHLIGHTS: &str = "highlights";
pub(super) const CHECKED: &str = "checked";
pub(super) const ADDRESSES: &str = "addresses";
const RUNS: &str = "runs";
/// The folder with one subfolder for each partition.
const PARTS: &str = "parts";
/// Folders used with [`State::folder_for`].
pub const SEARCH_FOLDERS: [&str; 2] = ["search", "search-private"];
/// The folder for file lists during a deploy, used with [`State::folder_for`].
pub const DEPLOY_FOLDER: &str = "deploy";
const IGNORE: &str = ".gitignore";

impl State {
    /// Opens the state in the folder `site`, creating it if needed. If another build holds the
    /// lock, calls `waiting` once, and fails after ten seconds. If nothing can be written there,
    /// returns an empty temporary state.
    pub fn open(site: &Path, waiting: &dyn Fn(&str)) -> Result<Self, Error> {
        Self::open_part(site, None, waiting)
    }

    /// Opens the state for the work on a partition, next to other processes that do the rest.
    pub fn open_part(
        site: &Path,
        partition: Option<Partition>,
        waiting: &dyn Fn(&str),
    ) -> Result<Self, Error> {
        match Self::open_in(site, partition, waiting) {
            Err(error) if error.is_read_only() => {
                let temporary = tempfile::Builder::new().prefix("convo-site-").tempdir();
                let temporary = temporary.map_err(|cause| {
                    Error::new("create a folder in", &std::env::temp_dir(), cause)
                })?;
                let state = Self::open_in(temporary.path(), partition, waiting)?;
                Ok(Self { temporary: Some(temporary), ..state })
            }
            opened => opened,
        }
    }

    fn open_in(
        site: &Path,
        partition: Option<Partition>,
        waiting: &dyn Fn(&str),
    ) -> Result<Self, Error> {
        let opened = match Folder::open(site) {
            Err(cause) if cause.kind() == ErrorKind::NotFound => Folder::make(site),
            opened => opened,
        };
        let mut site = opened.map_err(|cause| Error::new("open", site, cause))?;
        let (mut whole, mut name) = (None, STATE.to_owned());
        if let Some(partition) = partition {
            let open = |folder: &Folder, name: &str| {
                let failed = |cause| Error::new("open", &folder.path().join(name), cause);
                folder.make_child(name).map_err(|cause| failed(cause).hint_or(REMADE))
            };
            let all = open(&site, STATE)?;
            site = open(&all, PARTS)?;
            (whole, name) = (Some((all, partition)), partition.file_name());
        }
        let (folder, _lock) = lock(&site, &name, REMADE, waiting)?;
        let staging = Arc::new(Staging::new(&folder)?);
        // The folder excludes itself from git.
        let all = whole.as_ref().map_or(&folder, |(all, _)| all);
        if all.kind(IGNORE).is_ok_and(|kind| kind.is_none()) {
            staging.put(all, IGNORE, b"*\n")?;
        }
        Ok(Self {
            site,
            folder,
            whole,
            staging,
            program: Program::this(),
            trouble: Trouble::default(),
            _lock,
            temporary: None,
        })
    }

    /// Returns whether the state is temporary.
    pub fn is_temporary(&self) -> bool {
        self.temporary.is_some()
    }

    /// Returns the caches of earlier builds, here and in the parts.
    pub fn memo(&self) -> Result<Memo, Error> {
        self.memo_of_keys(&|_| true)
    }

    /// Returns the caches that are useful for reading the sources of the partition.
    pub fn memo_to_read(&self) -> Result<Memo, Error> {
        let partition = self.whole.as_ref().map(|(_, partition)| *partition);
        self.memo_of_keys(&|key| partition.is_none_or(|partition| partition.holds(key)))
    }

    fn memo_of_keys(&self, is_wanted: &dyn Fn(Hash) -> bool) -> Result<Memo, Error> {
        let all = self.whole.as_ref().map_or(&self.folder, |(all, _)| all);
        let highlights = (self.program.read_value(&self.folder, HIGHLIGHTS))
            .or_else(|| self.program.read_value(all, HIGHLIGHTS));
        let sources = recall_sources(all, self.program, is_wanted);
        Ok(Memo::new(sources, highlights.unwrap_or_default(), self.run_cache(false)?))
    }

    /// Returns empty caches for a build that trusts none. The stored caches stay until the next
    /// call of `keep`.
    pub fn empty_memo(&self) -> Result<Memo, Error> {
        let (sources, highlights) = (SourceCache::default(), Highlights::default());
        Ok(Memo::new(sources, highlights, self.run_cache(true)?))
    }

    fn run_cache(&self, is_new: bool) -> Result<RunCache, Error> {
        let folder = self.folder.make_child(RUNS).map_err(|cause| {
            Error::new("open", &self.folder.path().join(RUNS), cause).hint_or(REMADE)
        })?;
        let (staging, trouble) = (self.staging.clone(), self.trouble.clone());
        let own = BlobFolder::new(folder, self.program, staging, trouble, is_new);
        let others = match &self.whole {
            _ if is_new => Vec::new(),
            Some((all, _)) => run_folders(all, self.program),
            None => {
                let runs = parts(&self.folder).into_iter();
                let runs = runs.filter_map(|part| part.child(RUNS).ok());
                runs.map(|runs| BlobFolder::of_part(runs, self.program)).collect()
            }
        };
        Ok(RunCache::new(Some(Arc::new(BlobFolders::new(Some(own), others)))))
    }

    /// Stores the caches of this build, and removes what is no longer needed.
    pub fn keep(&self, memo: &Memo) -> Result<(), Error> {
        memo.sweep();
        let (program, staging) = (self.program, &self.staging);
        if let Some((_, partition)) = &self.whole {
            memo.sources.leave(|key| partition.holds(key));
        }
        if memo.sources.is_changed() {
            program.write_value(staging, &self.folder, SOURCES, &memo.sources)?;
        }
        if memo.highlights.is_changed() {
            program.write_value(staging, &self.folder, HIGHLIGHTS, &*memo.highlights)?;
        }
        if self.whole.is_none() {
            // The whole state now has everything that is useful in the parts.
            for part in parts(&self.folder) {
                let _ = part.remove_file(SOURCES);
            }
        }
        let trouble = self.trouble.lock().unwrap_or_else(PoisonError::into_inner).take();
        trouble.map_or(Ok(()), Err)
    }

    /// Stores the current URLs of the conversations in the output folder `dest`, and returns the
    /// previous ones.
    pub fn exchange_addresses(&self, dest: &Path, now: &str) -> Result<String, Error> {
        let name = self.addresses(dest);
        let before = self.text(&name);
        if before != now {
            self.put(&name, now.as_bytes())?;
        }
        Ok(before)
    }

    /// Returns the name under which the URLs of an output folder are stored.
    pub(super) fn addresses(&self, dest: &Path) -> String {
        Self::of_output(ADDRESSES, dest)
    }

    /// Returns the name under which other data about an output folder is stored.
    pub(super) fn of_output(name: &str, dest: &Path) -> String {
        let dest = resolve(dest);
        format!("{name}-{}.txt", Hash::of_bytes(dest.to_string_lossy().as_bytes()).short(16))
    }

    /// Returns the text stored under a name; empty if it cannot be read.
    pub(super) fn text(&self, name: &str) -> String {
        self.folder.read(name).ok().and_then(|all| String::from_utf8(all).ok()).unwrap_or_default()
    }

    /// Stores bytes under a name.
    pub(super) fn put(&self, name: &str, bytes: &[u8]) -> Result<(), Error> {
        self.staging.put(&self.folder, name, bytes)
    }

    /// Stores the output of `write` under a name.
    pub(super) fn write(
        &self,
        name: &str,
        write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> Result<(), Error> {
        self.staging.write(&self.folder, name, |file| {
            let mut to = BufWriter::with_capacity(1 << 16, file);
            write(&mut to)?;
            to.flush()
        })
    }

    /// Deletes what other processes stored about an output folder under a name, except those that
    /// write to the folder now: a build of the whole, or of the same number of parts, makes it
    /// invalid.
    pub(super) fn disown(&self, name: &str) {
        let (all, own) = match &self.whole {
            Some((all, partition)) => (all, Some(*partition)),
            None => (&self.folder, None),
        };
        let is_of_same = |folder: &Folder| {
            let folder = folder.path().file_name().unwrap_or_default().to_string_lossy();
            own.is_some_and(|own| own.is_sibling_name(&folder))
        };
        let parts = parts(all).into_iter().filter(|part| !is_of_same(part));
        // A file that cannot be removed does not exist, or cannot be written either.
        parts.for_each(|part| {
            let _ = part.remove_file(name);
        });
        if own.is_some() {
            let _ = all.remove_file(name);
        }
    }

    /// Returns a folder with this name for other uses, which is deleted with the state. It contains
    /// only files.
    pub fn folder_for(&self, name: &str) -> Result<PathBuf, Error> {
        let open = || {
            let folder = self.folder.make_child(name)?;
            // The user of the folder follows links.
            if folder.entries()?.iter().any(|(_, kind)| *kind != Kind::File) {
                folder.empty()?;
            }
            Ok(folder.path().to_owned())
        };
        open().map_err(|cause| {
            Error::new("open", &self.folder.path().join(name), cause).hint_or(REMADE)
        })
    }

    /// Empties such a folder.
    pub fn empty(&self, name: &str) -> Result<(), Error> {
        let emptied = self.folder.make_child(name).and_then(|folder| folder.empty());
        emptied.map_err(|cause| {
            Error::new("empty", &self.folder.path().join(name), cause).hint_or(REMADE)
        })
    }

    /// Deletes the state, but keeps the folder if it still has lists of our files in other output
    /// folders.
    pub(super) fn forget(self, of_output: &[String]) -> Result<(), Error> {
        let failed = |cause| Error::new("remove from", self.folder.path(), cause);
        let names = of_output.iter().map(String::as_str);
        for name in [SOURCES, HIGHLIGHTS, CHECKED].into_iter().chain(names) {
            self.folder.remove_file(name).map_err(failed)?;
        }
        for folder in SEARCH_FOLDERS.into_iter().chain([RUNS, DEPLOY_FOLDER, PARTS]) {
            let _ = self.folder.remove_folder(folder);
        }
        let known = [LOCK, IGNORE].map(std::ffi::OsStr::new);
        let is_known = |name: &std::ffi::OsStr| known.contains(&name) || is_staging(name);
        let left = self.folder.entries().map_err(failed)?;
        if left.iter().all(|(name, _)| is_known(name)) {
            let _ = self.site.remove_folder(STATE);
        }
        Ok(())
    }
}

/// The hint for errors about unexpected content in the folder.
const REMADE: &str = "delete the folder `.convo-site`; the next build recreates it";

/// Returns the caches of earlier builds from the state in the folder `site`, without writing
/// anything.
pub fn memo_of(site: &Path) -> Memo {
    let folder = Folder::open(site).and_then(|site| site.child(STATE)).ok();
    let program = Program::this();
    let Some(folder) = folder else { return Memo::default() };
    let highlights = program.read_value(&folder, HIGHLIGHTS).unwrap_or_default();
    let runs = BlobFolders::new(None, run_folders(&folder, program));
    let sources = recall_sources(&folder, program, &|_| true);
    Memo::new(sources, highlights, RunCache::new(Some(Arc::new(runs))))
}

/// Reads the cached sources of a whole state and its parts. If several have a source, the one
/// written last counts; sources that cannot be read are parsed again.
fn recall_sources(all: &Folder, program: Program, is_wanted: &dyn Fn(Hash) -> bool) -> SourceCache {
    let parts = parts(all);
    let mut files: Vec<(Option<SystemTime>, &Folder)> =
        [all].into_iter().chain(&parts).map(|one| (one.modified(SOURCES), one)).collect();
    files.retain(|(written, _)| written.is_some());
    files.sort_by_key(|(written, folder)| (*written, folder.path()));
    let read = |folder: &Folder| program.read_value::<SourceCache>(folder, SOURCES);
    if let [(_, only)] = files[..]
        && parts.is_empty()
    {
        return read(only).unwrap_or_default();
    }
    let sources = SourceCache::default();
    for (_, folder) in files {
        // One at a time, so that at most one is in memory in addition to the result.
        if let Some(some) = read(folder) {
            sources.absorb(some, is_wanted);
        }
    }
    sources
}

/// Returns the folders of the parts of a whole state, in order.
pub(super) fn parts(all: &Folder) -> Vec<Folder> {
    let Ok(folder) = all.child(PARTS) else { return Vec::new() };
    let entries = folder.entries().unwrap_or_default().into_iter();
    let mut names: Vec<String> = entries.filter_map(|(name, _)| name.into_string().ok()).collect();
    names.sort();
    names.into_iter().filter_map(|name| folder.child(&name).ok()).collect()
}

/// Returns the search runs stored in a whole state and in its parts, for reading only.
fn run_folders(all: &Folder, program: Program) -> Vec<BlobFolder> {
    let parts = parts(all);
    let runs = [all].into_iter().chain(&parts).filter_map(|folder| folder.child(RUNS).ok());
    runs.map(|runs| BlobFolder::read_only(runs, program)).collect()
}

/// Returns whether the folder `site` has the state of a site that was built.
pub fn has_state(site: &Path) -> bool {
    Folder::open(site).is_ok_and(|site| matches!(site.kind(STATE), Ok(Some(_))))
}

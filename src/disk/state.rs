//! What is remembered between builds: a folder `.convo-site` in the site's, or in the one that the
//! user names for it.
//!
//! Everything in it can be deleted. One build at a time holds it; what it holds was written by
//! the same program, or it counts as nothing.
//!
//! Who does the work of a partition has a folder of its own in it, such as `parts/2-of-7`, which is as
//! the whole one is: it is held alone, and nobody else writes to it. All read what is in all of
//! them, so that caches are merged by copying their folders over each other.

use std::fs::File;
use std::io::{self, BufWriter, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError};
use std::time::SystemTime;

use super::blob_folder::{BlobFolder, BlobFolders, Trouble};
use super::folder::{Folder, Kind, STAGING, Staging};
use super::lock::{LOCK, lock};
use super::sealed::Program;
use super::{Error, resolve};
use crate::hash::Hash;
use crate::markup::Highlights;
use crate::partition::Partition;
use crate::pipeline::Memo;
use crate::search::index::RunCache;
use crate::sources::SourceCache;

/// The folder, held by this process.
pub struct State {
    /// The folder that it is in.
    site: Folder,
    folder: Folder,
    /// What it is a part of, if it is that of a partition.
    whole: Option<(Folder, Partition)>,
    staging: Arc<Staging>,
    /// The program that runs, so that none takes another's word for anything.
    pub(super) program: Program,
    /// What kept a run from being kept.
    trouble: Trouble,
    /// Released by the system when the process ends, however it ends.
    _lock: Option<File>,
    /// Removed when it is dropped.
    temporary: Option<tempfile::TempDir>,
}

/// The name of the folder.
pub(super) const STATE: &str = ".convo-site";
const SOURCES: &str = "heads";
const HIGHLIGHTS: &str = "highlights";
pub(super) const ADDRESSES: &str = "addresses";
const RUNS: &str = "runs";
/// The folder of what is remembered of partitions, each of which has a folder there.
const PARTS: &str = "parts";
/// The folders that [`State::folder_for`] is asked for.
pub const SEARCH_FOLDERS: [&str; 2] = ["search", "search-private"];
/// The folder in which lists are while a site is deployed, for [`State::folder_for`].
pub const DEPLOY_FOLDER: &str = "deploy";
const IGNORE: &str = ".gitignore";

impl State {
    /// The state in the folder `site`: that of a site, or one that is made for it. While another build holds it, `waiting` is
    /// told once, and after ten seconds that is an error. A site in which nothing can be written
    /// has one that knows nothing and is forgotten.
    pub fn open(site: &Path, waiting: &dyn Fn(&str)) -> Result<Self, Error> {
        Self::open_part(site, None, waiting)
    }

    /// The same for who does the work of a partition, beside others that do the rest.
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
        // The folder keeps itself out of git.
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

    /// Whether nothing of it stays.
    pub fn is_temporary(&self) -> bool {
        self.temporary.is_some()
    }

    /// What earlier builds found out, here and in the parts.
    pub fn memo(&self) -> Result<Memo, Error> {
        self.memo_of_keys(&|_| true)
    }

    /// The same without what is of no use for reading the sources of the partition.
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

    /// The same for who believes none of it. It stays until what is found out now is kept.
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
            Some((all, _)) => run_folders(all, true, self.program),
            None => run_folders(&self.folder, false, self.program),
        };
        Ok(RunCache::new(Some(Arc::new(BlobFolders::new(Some(own), others)))))
    }

    /// Keeps what this build found out, and removes what no build needs any more.
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
            // All that is of use is here now.
            for part in parts(&self.folder) {
                let _ = part.remove_file(SOURCES);
            }
        }
        let trouble = self.trouble.lock().unwrap_or_else(PoisonError::into_inner).take();
        trouble.map_or(Ok(()), Err)
    }

    /// Keeps where conversations stand now in the output folder `dest`, and gives what was kept
    /// the last time.
    pub fn exchange_addresses(&self, dest: &Path, now: &str) -> Result<String, Error> {
        let name = self.addresses(dest);
        let before = self.text(&name);
        if before != now {
            self.put(&name, now.as_bytes())?;
        }
        Ok(before)
    }

    /// The name under which the addresses of an output folder are kept.
    pub(super) fn addresses(&self, dest: &Path) -> String {
        Self::of_output(ADDRESSES, dest)
    }

    /// The same for anything else of an output folder.
    pub(super) fn of_output(name: &str, dest: &Path) -> String {
        let dest = resolve(dest);
        format!("{name}-{}.txt", Hash::of_bytes(dest.to_string_lossy().as_bytes()).short(16))
    }

    /// What is kept under a name; nothing if it cannot be read.
    pub(super) fn text(&self, name: &str) -> String {
        self.folder.read(name).ok().and_then(|all| String::from_utf8(all).ok()).unwrap_or_default()
    }

    /// Keeps something under a name.
    pub(super) fn put(&self, name: &str, bytes: &[u8]) -> Result<(), Error> {
        self.staging.put(&self.folder, name, bytes)
    }

    /// Keeps what is written piece by piece under a name.
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

    /// Forgets what others than those who write to an output folder now keep of it under a name: who
    /// builds the whole, or as many parts, makes it wrong.
    pub(super) fn disown(&self, name: &str) {
        let (all, own) = match &self.whole {
            Some((all, partition)) => (all, Some(*partition)),
            None => (&self.folder, None),
        };
        let is_of_same = |folder: &Folder| {
            let folder = folder.path().file_name().unwrap_or_default().to_string_lossy();
            own.is_some_and(|own| own.is_beside(&folder))
        };
        let parts = parts(all).into_iter().filter(|part| !is_of_same(part));
        // What cannot be removed is not there, or cannot be written either.
        parts.for_each(|part| {
            let _ = part.remove_file(name);
        });
        if own.is_some() {
            let _ = all.remove_file(name);
        }
    }

    /// A folder of that name for somebody else's files, which is removed with the rest. Nothing
    /// is in it but files.
    pub fn folder_for(&self, name: &str) -> Result<PathBuf, Error> {
        let open = || {
            let folder = self.folder.make_child(name)?;
            // Who works in it follows links.
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

    /// Removes what is remembered, and the folder unless it says which files of other output
    /// folders are ours.
    pub(super) fn forget(self, of_output: &[String]) -> Result<(), Error> {
        let failed = |cause| Error::new("remove from", self.folder.path(), cause);
        let names = of_output.iter().map(String::as_str);
        for name in [SOURCES, HIGHLIGHTS].into_iter().chain(names) {
            self.folder.remove_file(name).map_err(failed)?;
        }
        for folder in SEARCH_FOLDERS.into_iter().chain([RUNS, DEPLOY_FOLDER, PARTS]) {
            let _ = self.folder.remove_folder(folder);
        }
        let known = [LOCK, IGNORE, STAGING].map(std::ffi::OsStr::new);
        let left = self.folder.entries().map_err(failed)?;
        if left.iter().all(|(name, _)| known.contains(&name.as_os_str())) {
            let _ = self.site.remove_folder(STATE);
        }
        Ok(())
    }
}

/// What to do where something in the folder is not what it should be.
const REMADE: &str = "delete the folder `.convo-site`; the next build recreates it";

/// What earlier builds found out, as the state in the folder `site` has it, for one who writes
/// nothing.
pub fn memo_of(site: &Path) -> Memo {
    let folder = Folder::open(site).and_then(|site| site.child(STATE)).ok();
    let program = Program::this();
    let Some(folder) = folder else { return Memo::default() };
    let highlights = program.read_value(&folder, HIGHLIGHTS).unwrap_or_default();
    let runs = BlobFolders::new(None, run_folders(&folder, true, program));
    let sources = recall_sources(&folder, program, &|_| true);
    Memo::new(sources, highlights, RunCache::new(Some(Arc::new(runs))))
}

/// Reads the sources that were kept in a whole state and in its parts. Where several know one, that
/// counts which was written last; what cannot be read is found out again.
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
        // One after the other, so that no more than one is in memory beside what is wanted.
        if let Some(some) = read(folder) {
            sources.absorb(some, is_wanted);
        }
    }
    sources
}

/// The folders of the parts of a whole state, in order.
pub(super) fn parts(all: &Folder) -> Vec<Folder> {
    let Ok(folder) = all.child(PARTS) else { return Vec::new() };
    let entries = folder.entries().unwrap_or_default().into_iter();
    let mut names: Vec<String> = entries.filter_map(|(name, _)| name.into_string().ok()).collect();
    names.sort();
    names.into_iter().filter_map(|name| folder.child(&name).ok()).collect()
}

/// The runs that the parts of a whole state keep, and it itself if that is asked for, for one who
/// writes none of them.
fn run_folders(all: &Folder, with_own: bool, program: Program) -> Vec<BlobFolder> {
    let parts = parts(all);
    let folders = Some(all).filter(|_| with_own).into_iter().chain(&parts);
    let runs = folders.filter_map(|folder| folder.child(RUNS).ok());
    runs.map(|runs| BlobFolder::read_only(runs, program)).collect()
}

/// Whether the folder `site` holds the state of a site that was built.
pub fn has_state(site: &Path) -> bool {
    Folder::open(site).is_ok_and(|site| matches!(site.kind(STATE), Ok(Some(_))))
}

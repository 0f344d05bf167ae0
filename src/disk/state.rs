//! What is remembered between builds: a folder `.convo-site` in the site's, or in the one that the
//! user names for it.
//!
//! Everything in it can be deleted. One build at a time holds it; what it holds was written by
//! the same program, or it counts as nothing.

use std::fs::File;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError};

use super::blob_folder::{BlobFolder, Trouble};
use super::folder::{Folder, Kind, STAGING, Staging};
use super::lock::{LOCK, lock};
use super::sealed::Program;
use super::{Error, resolve};
use crate::hash::Hash;
use crate::pipeline::Memo;
use crate::search::index::RunCache;

/// The folder, held by this process.
pub struct State {
    /// The folder that it is in.
    site: Folder,
    folder: Folder,
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
        match Self::open_in(site, waiting) {
            Err(error) if error.is_read_only() => {
                let temporary = tempfile::Builder::new().prefix("convo-site-").tempdir();
                let temporary = temporary.map_err(|cause| {
                    Error::new("create a folder in", &std::env::temp_dir(), cause)
                })?;
                let state = Self::open_in(temporary.path(), waiting)?;
                Ok(Self { temporary: Some(temporary), ..state })
            }
            opened => opened,
        }
    }

    fn open_in(site: &Path, waiting: &dyn Fn(&str)) -> Result<Self, Error> {
        let opened = match Folder::open(site) {
            Err(cause) if cause.kind() == ErrorKind::NotFound => Folder::make(site),
            opened => opened,
        };
        let site = opened.map_err(|cause| Error::new("open", site, cause))?;
        let (folder, _lock) = lock(&site, STATE, REMADE, waiting)?;
        let staging = Arc::new(Staging::new(&folder)?);
        // The folder keeps itself out of git.
        if folder.kind(IGNORE).is_ok_and(|kind| kind.is_none()) {
            staging.put(&folder, IGNORE, b"*\n")?;
        }
        Ok(Self {
            site,
            folder,
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

    /// What earlier builds found out.
    pub fn memo(&self) -> Result<Memo, Error> {
        Ok(recall(Some(&self.folder), self.program, self.run_cache(false)?))
    }

    /// The same for who believes none of it. It stays until what is found out now is kept.
    pub fn empty_memo(&self) -> Result<Memo, Error> {
        Ok(recall(None, self.program, self.run_cache(true)?))
    }

    fn run_cache(&self, is_new: bool) -> Result<RunCache, Error> {
        let folder = self.folder.make_child(RUNS).map_err(|cause| {
            Error::new("open", &self.folder.path().join(RUNS), cause).hint_or(REMADE)
        })?;
        let (staging, trouble) = (self.staging.clone(), self.trouble.clone());
        let runs = BlobFolder::new(folder, self.program, staging, trouble, is_new);
        Ok(RunCache::new(Some(Arc::new(runs))))
    }

    /// Keeps what this build found out, and removes what no build needs any more.
    pub fn keep(&self, memo: &Memo) -> Result<(), Error> {
        memo.sweep();
        let (program, staging) = (self.program, &self.staging);
        if memo.sources.is_changed() {
            program.write_value(staging, &self.folder, SOURCES, &memo.sources)?;
        }
        if memo.highlights.is_changed() {
            program.write_value(staging, &self.folder, HIGHLIGHTS, &*memo.highlights)?;
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
        format!(
            "{name}-{}.txt",
            Hash::of_bytes(dest.to_string_lossy().as_bytes()).short(16)
        )
    }

    /// What is kept under a name; nothing if it cannot be read.
    pub(super) fn text(&self, name: &str) -> String {
        self.folder
            .read(name)
            .ok()
            .and_then(|all| String::from_utf8(all).ok())
            .unwrap_or_default()
    }

    /// Keeps something under a name.
    pub(super) fn put(&self, name: &str, bytes: &[u8]) -> Result<(), Error> {
        self.staging.put(&self.folder, name, bytes)
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
        for folder in SEARCH_FOLDERS.into_iter().chain([RUNS, DEPLOY_FOLDER]) {
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
const REMADE: &str = "delete the folder `.convo-site`; all that is in it is made again";

/// What earlier builds found out, as the state in the folder `site` has it, for one who writes
/// nothing.
pub fn memo_of(site: &Path) -> Memo {
    let folder = Folder::open(site).and_then(|site| site.child(STATE)).ok();
    let program = Program::this();
    let runs = folder.as_ref().and_then(|folder| folder.child(RUNS).ok());
    let runs = runs.map(|runs| Arc::new(BlobFolder::read_only(runs, program)) as _);
    recall(folder.as_ref(), program, RunCache::new(runs))
}

/// Reads what was kept in a folder. What cannot be read is found out again.
fn recall(folder: Option<&Folder>, program: Program, runs: RunCache) -> Memo {
    let sources = folder.and_then(|folder| program.read_value(folder, SOURCES));
    let highlights = folder.and_then(|folder| program.read_value(folder, HIGHLIGHTS));
    Memo::new(sources.unwrap_or_default(), highlights.unwrap_or_default(), runs)
}

/// Whether the folder `site` holds the state of a site that was built.
pub fn has_state(site: &Path) -> bool {
    Folder::open(site).is_ok_and(|site| matches!(site.kind(STATE), Ok(Some(_))))
}

//! What is remembered between builds: a folder `.convo-site` in the site's.
//!
//! Everything in it can be deleted. One build at a time holds it; what it holds was written by
//! the same program, or it counts as nothing.

use std::collections::HashSet;
use std::fs::{File, TryLockError};
use std::io::{self, BufReader, BufWriter, ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::folder::{Folder, Kind, STAGING, Staging};
use super::{Error, resolve};
use crate::hash::{Hash, Hashing};
use crate::pipeline::Memo;
use crate::search::index::{BlobStore, RunCache};

/// The folder, held by this process.
pub struct State {
    /// The folder that it is in.
    site: Folder,
    folder: Folder,
    runs: Arc<Folder>,
    staging: Arc<Staging>,
    /// Names the program, so that none takes another's word for anything.
    pub(super) program: Hash,
    /// What kept a run from being kept.
    trouble: Trouble,
    /// Released by the system when the process ends, however it ends.
    _lock: Option<File>,
    /// Removed when it is dropped.
    temporary: Option<tempfile::TempDir>,
}

/// The first error among many of which none stops anything.
type Trouble = Arc<Mutex<Option<Error>>>;

/// The name of the folder.
pub(super) const STATE: &str = ".convo-site";
const HEADS: &str = "heads";
const HIGHLIGHTS: &str = "highlights";
const ADDRESSES: &str = "addresses";
const RUNS: &str = "runs";
/// The folders that [`State::folder_for`] is asked for.
pub const SEARCH_FOLDERS: [&str; 2] = ["search", "search-private"];
const LOCK: &str = "lock";
const IGNORE: &str = ".gitignore";
/// How long another build is waited for.
const LOCK_TIMEOUT: Duration = Duration::from_secs(10);

impl State {
    /// The state of the site in the folder `site`. While another build holds it, `waiting` is
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
        let site = Folder::open(site).map_err(|cause| Error::new("open", site, cause))?;
        let (folder, _lock) = lock(&site, waiting)?;
        let staging = Arc::new(Staging::new(&folder)?);
        // The folder keeps itself out of git.
        if folder.kind(IGNORE).is_ok_and(|kind| kind.is_none()) {
            staging.put(&folder, IGNORE, b"*\n")?;
        }
        let runs = folder.make_child(RUNS);
        let runs = runs.map_err(|cause| {
            Error::new("open", &folder.path().join(RUNS), cause).hint_or(REMADE)
        })?;
        Ok(Self {
            site,
            folder,
            runs: Arc::new(runs),
            staging,
            program: program(),
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
    pub fn memo(&self) -> Memo {
        recall(Some(&self.folder), self.program, self.run_cache())
    }

    /// The same for who believes none of it.
    pub fn empty_memo(&self) -> Result<Memo, Error> {
        let emptied = self.runs.empty();
        emptied.map_err(|cause| Error::new("empty", self.runs.path(), cause))?;
        Ok(Memo::new(Default::default(), Default::default(), self.run_cache()))
    }

    fn run_cache(&self) -> RunCache {
        RunCache::in_store(Arc::new(RunStore {
            folder: self.runs.clone(),
            program: self.program,
            writing: Some((self.staging.clone(), self.trouble.clone())),
        }))
    }

    /// Keeps what this build found out, and removes what no build needs any more.
    pub fn keep(&self, memo: &Memo) -> Result<(), Error> {
        memo.runs.sweep();
        if let Some(sources) = memo.sources.changed() {
            self.write(HEADS, &sources)?;
        }
        if let Some(highlights) = memo.highlights.changed() {
            self.write(HIGHLIGHTS, &*highlights)?;
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
        self.of_output(ADDRESSES, dest)
    }

    /// The same for anything else of an output folder.
    pub(super) fn of_output(&self, name: &str, dest: &Path) -> String {
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

    fn write<T: Serialize>(&self, name: &str, value: &T) -> Result<(), Error> {
        // With a large archive it is large, so it is never in memory as a whole.
        self.staging.write(&self.folder, name, |file| {
            file.write_all(&[0; SEAL])?;
            let to = BufWriter::with_capacity(1 << 18, &mut *file);
            let mut sealing = Sealing { to, hash: Hashing::default(), failed: None };
            let written = postcard::to_io(value, &mut sealing).map(|_| ());
            // The library says only that writing failed.
            sealing.failed.take().map_or(Ok(()), Err)?;
            written.map_err(io::Error::other)?;
            sealing.to.flush()?;
            let seal = seal(self.program, sealing.hash.finish());
            drop(sealing);
            file.rewind()?;
            file.write_all(seal.as_bytes())
        })
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
        for name in [HEADS, HIGHLIGHTS].into_iter().chain(names) {
            self.folder.remove_file(name).map_err(failed)?;
        }
        for folder in SEARCH_FOLDERS.into_iter().chain([RUNS]) {
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

/// What earlier builds of the site in the folder `site` found out, for one who writes nothing.
pub fn memo_of(site: &Path) -> Memo {
    let folder = Folder::open(site).and_then(|site| site.child(STATE)).ok();
    let program = program();
    let runs = folder.as_ref().and_then(|folder| folder.child(RUNS).ok());
    let cache = runs.map_or_else(RunCache::default, |runs| {
        RunCache::in_store(Arc::new(RunStore {
            folder: Arc::new(runs),
            program,
            writing: None,
        }))
    });
    recall(folder.as_ref(), program, cache)
}

fn recall(folder: Option<&Folder>, program: Hash, runs: RunCache) -> Memo {
    let Some(folder) = folder else {
        return Memo::new(Default::default(), Default::default(), runs);
    };
    Memo::new(
        read(folder, program, HEADS).unwrap_or_default(),
        read(folder, program, HIGHLIGHTS).unwrap_or_default(),
        runs,
    )
}

/// The runs of the search index, a file for each.
struct RunStore {
    folder: Arc<Folder>,
    program: Hash,
    /// For who may write, by which way, and where it is told that it failed.
    writing: Option<(Arc<Staging>, Trouble)>,
}

impl BlobStore for RunStore {
    fn get(&self, name: &str) -> Option<Vec<u8>> {
        unsealed(&self.folder, self.program, name)
    }

    fn get_range(&self, name: &str, from: u64, len: usize) -> Option<Vec<u8>> {
        let mut file = self.folder.file(name).ok()?;
        file.seek(SeekFrom::Start(SEAL as u64 + from)).ok()?;
        let mut part = vec![0; len];
        file.read_exact(&mut part).ok()?;
        Some(part)
    }

    fn put(&self, name: &str, bytes: &[u8]) -> bool {
        let Some((staging, trouble)) = &self.writing else { return false };
        let seal = seal(self.program, Hash::of_bytes(bytes));
        let written = staging.write(&self.folder, name, |file| {
            file.write_all(seal.as_bytes()).and_then(|()| file.write_all(bytes))
        });
        let failed = written.err();
        let is_kept = failed.is_none();
        let mut trouble = trouble.lock().unwrap_or_else(PoisonError::into_inner);
        *trouble = trouble.take().or(failed);
        is_kept
    }

    fn retain(&self, names: &HashSet<String>) {
        if self.writing.is_none() {
            return;
        }
        for (name, _) in self.folder.entries().unwrap_or_default() {
            if let Some(name) = name.to_str().filter(|name| !names.contains(*name)) {
                // It is in nobody's way.
                let _ = self.folder.remove_file(name);
            }
        }
    }
}

/// Whether the site in the folder `site` was ever built.
pub fn has_state(site: &Path) -> bool {
    Folder::open(site).is_ok_and(|site| matches!(site.kind(STATE), Ok(Some(_))))
}

/// A damaged file, or one of another program, is none.
fn read<T: DeserializeOwned>(folder: &Folder, program: Hash, name: &str) -> Option<T> {
    postcard::from_bytes(&unsealed(folder, program, name)?).ok()
}

fn unsealed(folder: &Folder, program: Hash, name: &str) -> Option<Vec<u8>> {
    let mut all = folder.read(name).ok()?;
    let (head, bytes) = all.split_at_checked(SEAL)?;
    if head != seal(program, Hash::of_bytes(bytes)).as_bytes() {
        return None;
    }
    all.drain(..SEAL);
    Some(all)
}

/// Characters of a seal.
const SEAL: usize = 32;

/// What only this program puts before these bytes.
fn seal(program: Hash, bytes: Hash) -> String {
    Hash::of(&(program, bytes)).hex()
}

/// Hashes what is written.
struct Sealing<W> {
    to: W,
    hash: Hashing,
    /// Why nothing more was written.
    failed: Option<io::Error>,
}

impl<W: Write> Write for Sealing<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.to.write(bytes).inspect_err(|error| {
            self.failed = error.raw_os_error().map(io::Error::from_raw_os_error);
        })?;
        self.hash.update(&bytes[..written]);
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.to.flush()
    }
}

/// The bytes of the program tell it from every other version, published or not.
fn program() -> Hash {
    let mut hashing = Sealing { to: io::sink(), hash: Hashing::default(), failed: None };
    if let Ok(file) = std::env::current_exe().and_then(File::open) {
        let _ = io::copy(&mut BufReader::with_capacity(1 << 18, file), &mut hashing);
    }
    hashing.hash.finish()
}

/// The folder of a site's state with the held lock; `None` where the file system has none, and
/// every file is still written whole.
fn lock(site: &Folder, waiting: &dyn Fn(&str)) -> Result<(Folder, Option<File>), Error> {
    let failed =
        |cause| Error::new("open", &site.path().join(STATE), cause).hint_or(REMADE);
    let started = Instant::now();
    let mut told = false;
    loop {
        let folder = site.make_child(STATE).map_err(failed)?;
        let path = folder.path().join(LOCK);
        let failed = |cause| Error::new("lock", &path, cause).hint_or(REMADE);
        let mut file = match folder.file_to_change(LOCK) {
            Ok(file) => file,
            // Somebody deleted the folder in between.
            Err(cause)
                if cause.kind() == ErrorKind::NotFound
                    && started.elapsed() < LOCK_TIMEOUT =>
            {
                continue;
            }
            Err(cause) => return Err(failed(cause)),
        };
        match file.try_lock() {
            Ok(()) if is_still(&file, &path) => {
                // For whoever waits; the lock itself needs no text.
                let _ =
                    file.set_len(0).and_then(|()| write!(file, "{}", std::process::id()));
                return Ok((folder, Some(file)));
            }
            Ok(()) => continue,
            Err(TryLockError::WouldBlock) => {}
            Err(TryLockError::Error(error)) if error.kind() == ErrorKind::Unsupported => {
                return Ok((folder, None));
            }
            Err(TryLockError::Error(error)) => return Err(failed(error)),
        }
        let holder = folder.read(LOCK).unwrap_or_default();
        let holder = String::from_utf8_lossy(&holder).into_owned();
        if started.elapsed() >= LOCK_TIMEOUT {
            let message =
                format!("another build of this site (process {holder}) holds it");
            return Err(Error::new("lock", &path, io::Error::other(message)));
        }
        if !std::mem::replace(&mut told, true) {
            waiting(&holder);
        }
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[cfg(unix)]
fn is_still(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let number = |data: std::fs::Metadata| (data.dev(), data.ino());
    file.metadata().ok().map(number) == path.symlink_metadata().ok().map(number)
}

#[cfg(not(unix))]
fn is_still(_: &File, _: &Path) -> bool {
    true
}

#[cfg(test)]
mod tests {
    use super::{Folder, read, seal};
    use crate::hash::Hash;

    #[test]
    fn damage_is_noticed_and_read_as_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let program = Hash::of_bytes(b"program");
        let value = vec!["one".to_owned(), "two".to_owned()];
        let bytes = postcard::to_allocvec(&value).unwrap();
        let mut all = seal(program, Hash::of_bytes(&bytes)).into_bytes();
        all.extend(&bytes);
        let file = folder.path().join("x");
        let here = Folder::open(folder.path()).unwrap();
        let get = || read::<Vec<String>>(&here, program, "x");
        std::fs::write(&file, &all).unwrap();
        assert_eq!(get(), Some(value));
        assert_eq!(read::<Vec<String>>(&here, Hash::of_bytes(b"other"), "x"), None);
        for at in 0..all.len() {
            let mut damaged = all.clone();
            damaged[at] ^= 1 << (at % 8);
            std::fs::write(&file, &damaged).unwrap();
            assert_eq!(get(), None, "{at}");
            std::fs::write(&file, &all[..at]).unwrap();
            assert_eq!(get(), None, "{at}");
        }
    }
}

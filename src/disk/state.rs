//! What is remembered between builds: a folder `.convo-site` in the site's.
//!
//! Everything in it can be deleted. One build at a time holds it; what it holds was written by
//! the same program, or it counts as nothing.

use std::collections::HashSet;
use std::fs::{self, File, TryLockError};
use std::io::{self, BufReader, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::Error;
use super::write::{write_atomically, write_with};
use crate::hash::{Hash, Hashing};
use crate::pipeline::Memo;
use crate::search::index::{Runs, Shelf};

/// The folder, held by this process.
pub struct State {
    pub(super) folder: PathBuf,
    /// Names the program, so that none takes another's word for anything.
    pub(super) program: Hash,
    /// Released by the system when the process ends, however it ends.
    _lock: Option<File>,
}

const HEADS: &str = "heads";
const HIGHLIGHTS: &str = "highlights";
const ADDRESSES: &str = "addresses";
const RUNS: &str = "runs";
/// The folders that [`State::room`] is asked for.
pub const ROOMS: [&str; 2] = ["search", "search-private"];
const LOCK: &str = "lock";
const IGNORE: &str = ".gitignore";
/// How long another build is waited for.
const PATIENCE: Duration = Duration::from_secs(10);

impl State {
    /// The state of the site in the folder `site`. While another build holds it, `waiting` is
    /// told once, and after ten seconds that is an error.
    pub fn open(site: &Path, waiting: &dyn Fn(&str)) -> Result<Self, Error> {
        let folder = folder_of(site);
        fs::create_dir_all(&folder)
            .map_err(|cause| Error::new("create", &folder, cause))?;
        let _lock = lock(&folder.join(LOCK), waiting)?;
        // The folder keeps itself out of git.
        let ignore = folder.join(IGNORE);
        if ignore.symlink_metadata().is_err() {
            write_atomically(&ignore, b"*\n")?;
        }
        Ok(Self { folder, program: program(), _lock })
    }

    /// What earlier builds found out.
    pub fn memo(&self) -> Memo {
        recall(&self.folder, self.program, true)
    }

    /// The same for who believes none of it.
    pub fn empty_memo(&self) -> Result<Memo, Error> {
        self.empty(RUNS)?;
        let runs = shelf(&self.folder, self.program, true);
        Ok(Memo::new(Default::default(), Default::default(), runs))
    }

    /// Keeps what this build found out.
    pub fn keep(&self, memo: &Memo) -> Result<(), Error> {
        if let Some(heads) = memo.heads.changed() {
            self.write(HEADS, &heads)?;
        }
        if let Some(highlights) = memo.highlights.changed() {
            self.write(HIGHLIGHTS, &*highlights)?;
        }
        Ok(())
    }

    /// Keeps where conversations stand now in the output folder `dest`, and gives what was kept
    /// the last time.
    pub fn exchange_addresses(&self, dest: &Path, now: &str) -> Result<String, Error> {
        let path = self.addresses(dest);
        let before = fs::read_to_string(&path).unwrap_or_default();
        if before != now {
            write_atomically(&path, now.as_bytes())?;
        }
        Ok(before)
    }

    /// Where the addresses of an output folder are kept.
    pub(super) fn addresses(&self, dest: &Path) -> PathBuf {
        self.of_output(ADDRESSES, dest)
    }

    /// The file of that name for an output folder.
    pub(super) fn of_output(&self, name: &str, dest: &Path) -> PathBuf {
        let dest = dest.canonicalize().unwrap_or_else(|_| dest.to_owned());
        let hash = Hash::of_bytes(dest.to_string_lossy().as_bytes()).short(16);
        self.folder.join(format!("{name}-{hash}.txt"))
    }

    fn write<T: Serialize>(&self, name: &str, value: &T) -> Result<(), Error> {
        // With a large archive it is large, so it is never in memory as a whole.
        write_with(&self.folder.join(name), |file| {
            file.write_all(&[0; SEAL])?;
            let to = BufWriter::with_capacity(1 << 18, &mut *file);
            let mut sealing = Sealing { to, hash: Hashing::default() };
            postcard::to_io(value, &mut sealing).map_err(io::Error::other)?;
            sealing.to.flush()?;
            let seal = seal(self.program, sealing.hash.finish());
            drop(sealing);
            file.rewind()?;
            file.write_all(seal.as_bytes())
        })
    }

    /// A folder of that name for somebody else's files, which is removed with the rest.
    pub fn room(&self, name: &str) -> Result<PathBuf, Error> {
        let room = self.folder.join(name);
        fs::create_dir_all(&room).map_err(|cause| Error::new("create", &room, cause))?;
        Ok(room)
    }

    /// Empties such a folder.
    pub fn empty(&self, name: &str) -> Result<(), Error> {
        let room = self.folder.join(name);
        match fs::remove_dir_all(&room) {
            Err(cause) if cause.kind() != io::ErrorKind::NotFound => {
                Err(Error::new("remove", &room, cause))
            }
            _ => self.room(name).map(|_| ()),
        }
    }

    /// Removes what is remembered, and the folder unless it says which files of other output
    /// folders are ours.
    pub(super) fn forget(self, of_output: &[PathBuf]) -> Result<(), Error> {
        let known = [HEADS, HIGHLIGHTS].map(|name| self.folder.join(name));
        for path in known.iter().chain(of_output) {
            match fs::remove_file(path) {
                Err(cause) if cause.kind() != io::ErrorKind::NotFound => {
                    return Err(Error::new("remove", path, cause));
                }
                _ => {}
            }
        }
        for room in ROOMS.into_iter().chain([RUNS]) {
            let _ = fs::remove_dir_all(self.folder.join(room));
        }
        let others = fs::read_dir(&self.folder).into_iter().flatten().flatten();
        let others = others.filter(|file| {
            ![LOCK, IGNORE].contains(&&*file.file_name().to_string_lossy())
        });
        if others.count() == 0 {
            let _ = fs::remove_dir_all(&self.folder);
        }
        Ok(())
    }
}

/// What earlier builds of the site in the folder `site` found out, for one who writes nothing.
pub fn memo_of(site: &Path) -> Memo {
    recall(&folder_of(site), program(), false)
}

fn recall(folder: &Path, program: Hash, is_ours: bool) -> Memo {
    Memo::new(
        read(folder, program, HEADS).unwrap_or_default(),
        read(folder, program, HIGHLIGHTS).unwrap_or_default(),
        shelf(folder, program, is_ours),
    )
}

fn shelf(folder: &Path, program: Hash, is_ours: bool) -> Runs {
    Runs::on(Arc::new(RunShelf { folder: folder.join(RUNS), program, is_ours }))
}

/// The runs of the search index, a file for each.
struct RunShelf {
    folder: PathBuf,
    program: Hash,
    /// Whether anything may be written.
    is_ours: bool,
}

impl Shelf for RunShelf {
    fn get(&self, name: &str) -> Option<Vec<u8>> {
        unsealed(&self.folder.join(name), self.program)
    }

    fn part(&self, name: &str, from: u64, len: usize) -> Option<Vec<u8>> {
        let mut file = File::open(self.folder.join(name)).ok()?;
        file.seek(SeekFrom::Start(SEAL as u64 + from)).ok()?;
        let mut part = vec![0; len];
        file.read_exact(&mut part).ok()?;
        Some(part)
    }

    fn put(&self, name: &str, bytes: &[u8]) -> bool {
        let seal = seal(self.program, Hash::of_bytes(bytes));
        let write = |file: &mut File| {
            file.write_all(seal.as_bytes()).and_then(|()| file.write_all(bytes))
        };
        self.is_ours && write_with(&self.folder.join(name), write).is_ok()
    }

    fn keep(&self, names: &HashSet<String>) {
        let files = fs::read_dir(&self.folder).into_iter().flatten().flatten();
        for file in files.filter(|_| self.is_ours) {
            if !names.contains(&*file.file_name().to_string_lossy()) {
                // It is in nobody's way.
                let _ = fs::remove_file(file.path());
            }
        }
    }
}

/// Whether the site in the folder `site` was ever built.
pub fn has_state(site: &Path) -> bool {
    folder_of(site).is_dir()
}

fn folder_of(site: &Path) -> PathBuf {
    site.join(".convo-site")
}

/// A damaged file, or one of another program, is none.
fn read<T: DeserializeOwned>(folder: &Path, program: Hash, name: &str) -> Option<T> {
    postcard::from_bytes(&unsealed(&folder.join(name), program)?).ok()
}

fn unsealed(path: &Path, program: Hash) -> Option<Vec<u8>> {
    let mut all = fs::read(path).ok()?;
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
}

impl<W: Write> Write for Sealing<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.to.write(bytes)?;
        self.hash.update(&bytes[..written]);
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.to.flush()
    }
}

/// The bytes of the program tell it from every other version, published or not.
fn program() -> Hash {
    let mut hashing = Sealing { to: io::sink(), hash: Hashing::default() };
    if let Ok(file) = std::env::current_exe().and_then(File::open) {
        let _ = io::copy(&mut BufReader::with_capacity(1 << 18, file), &mut hashing);
    }
    hashing.hash.finish()
}

/// The held lock; `None` where the file system has none, and every file is still written whole.
fn lock(path: &Path, waiting: &dyn Fn(&str)) -> Result<Option<File>, Error> {
    let failed = |cause| Error::new("lock", path, cause);
    let started = Instant::now();
    let mut told = false;
    loop {
        let mut options = File::options();
        let options = options.read(true).write(true).create(true).truncate(false);
        let mut file = options.open(path).map_err(failed)?;
        match file.try_lock() {
            Ok(()) if is_still(&file, path) => {
                // For whoever waits; the lock itself needs no text.
                let _ =
                    file.set_len(0).and_then(|()| write!(file, "{}", std::process::id()));
                return Ok(Some(file));
            }
            // Somebody deleted the folder in between.
            Ok(()) => continue,
            Err(TryLockError::WouldBlock) => {}
            Err(TryLockError::Error(error))
                if error.kind() == io::ErrorKind::Unsupported =>
            {
                return Ok(None);
            }
            Err(TryLockError::Error(error)) => return Err(failed(error)),
        }
        let holder = fs::read_to_string(path).unwrap_or_default();
        if started.elapsed() >= PATIENCE {
            let message =
                format!("another build of this site (process {holder}) holds it");
            return Err(failed(io::Error::other(message)));
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
    let number = |data: fs::Metadata| (data.dev(), data.ino());
    file.metadata().ok().map(number) == fs::metadata(path).ok().map(number)
}

#[cfg(not(unix))]
fn is_still(_: &File, _: &Path) -> bool {
    true
}

#[cfg(test)]
mod tests {
    use super::{read, seal};
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
        let get = || read::<Vec<String>>(folder.path(), program, "x");
        std::fs::write(&file, &all).unwrap();
        assert_eq!(get(), Some(value));
        assert_eq!(
            read::<Vec<String>>(folder.path(), Hash::of_bytes(b"other"), "x"),
            None
        );
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

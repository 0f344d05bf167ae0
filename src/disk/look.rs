//! The site folder as [`Files`].

use std::collections::BTreeMap;
use std::io::{BufReader, Cursor, ErrorKind, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, SystemTime};

use rayon::prelude::*;
use walkdir::WalkDir;

use super::history::{self, Histories};
use crate::diag::{Diagnostic, Noted, Severity};
use crate::files::{FileInfo, Files, Reader, Stamp};
use crate::hash::Hash;
use crate::path::RelPath;

/// A site folder on disk.
pub struct Disk {
    root: PathBuf,
    /// A folder that is never listed: the output.
    except: PathBuf,
    /// What the repositories that were listed show, by the paths of their folders.
    histories: Mutex<BTreeMap<String, Histories>>,
}

impl Disk {
    /// The site in `root`, whose output goes to `except`.
    pub fn new(root: &Path, except: &Path) -> Self {
        let (root, except) = (root.to_owned(), super::resolve(except));
        Self { root, except, histories: Mutex::default() }
    }

    fn relative(&self, path: &Path) -> RelPath {
        let relative = path.strip_prefix(&self.root).unwrap_or(path);
        // On every system `/` separates, and what is no Unicode is shown as well as can be.
        let text = relative.to_string_lossy();
        RelPath::new(if cfg!(windows) {
            text.replace('\\', "/")
        } else {
            text.into_owned()
        })
    }
}

/// Names that editors and systems make and nobody means to publish.
fn is_hidden(name: &str) -> bool {
    name.starts_with('.') || name.ends_with('~') || name.ends_with(".swp")
}

impl Disk {
    /// Adds what the repository in `folder` shows to `files`.
    fn list_history(
        &self,
        folder: &Path,
        files: &mut Vec<FileInfo>,
        notes: &mut Vec<Diagnostic>,
    ) {
        let git = folder.join(".git");
        // A link, or a file that names another folder, could lead out of the site.
        if !git.symlink_metadata().is_ok_and(|data| data.is_dir()) {
            return;
        }
        let path = self.relative(&git);
        match history::look(folder) {
            Ok(shown) => {
                for name in shown.keys() {
                    files.push(FileInfo {
                        path: RelPath::new(format!("{path}/{name}")),
                        len: 0,
                        stamp: None,
                    });
                }
                let mut histories =
                    self.histories.lock().unwrap_or_else(PoisonError::into_inner);
                histories.insert(path.to_string(), shown);
            }
            Err(error) => {
                let message = format!("the history cannot be read: {error}");
                let note = Diagnostic::new(Severity::Warning, "bad-history", message);
                let hint = "what lies in the folder is read; branches are missing";
                notes.push(note.in_file(path.as_str()).hint(hint));
            }
        }
    }

    /// The bytes of a path that is shown by a repository; `None` for any other path.
    fn read_history(&self, path: &RelPath) -> Option<Result<Vec<u8>, Box<Diagnostic>>> {
        let at = path.as_str().find(".git/")? + ".git".len();
        let (git, inside) = (&path.as_str()[..at], &path.as_str()[at + 1..]);
        let histories = self.histories.lock().unwrap_or_else(PoisonError::into_inner);
        let shown = histories.get(git)?.get(inside)?.clone();
        drop(histories);
        let folder = self.root.join(git);
        let read = history::read(folder.parent().unwrap_or(&folder), &shown);
        Some(read.map_err(|error| {
            let message = format!("the history cannot be read: {error}");
            let note = Diagnostic::new(Severity::Error, "bad-history", message);
            Box::new(note.in_file(path.as_str()))
        }))
    }
}

impl Files for Disk {
    fn list(&self, folder: &str) -> Noted<Vec<FileInfo>> {
        let mut notes = Vec::new();
        let mut files = Vec::new();
        let root = self.root.join(folder);
        let mut regular = Vec::new();
        let walk =
            WalkDir::new(&root).sort_by_file_name().into_iter().filter_entry(|entry| {
                let hidden =
                    entry.depth() > 0 && is_hidden(&entry.file_name().to_string_lossy());
                let output = entry.file_type().is_dir()
                    && Some(entry.file_name()) == self.except.file_name()
                    && super::resolve(entry.path()) == self.except;
                !hidden && !output
            });
        for entry in walk {
            let entry = match entry {
                Ok(entry) => entry,
                Err(error) => {
                    let missing = error.io_error().map(std::io::Error::kind);
                    if error.depth() > 0 || missing != Some(ErrorKind::NotFound) {
                        let path = error.path().map_or_else(
                            || folder.to_owned(),
                            |path| self.relative(path).to_string(),
                        );
                        notes.push(unreadable(&path, error.io_error()));
                    }
                    continue;
                }
            };
            let path = self.relative(entry.path());
            let kind = entry.file_type();
            if kind.is_file() {
                regular.push((path, entry.into_path()));
            } else if kind.is_dir() {
                self.list_history(entry.path(), &mut files, &mut notes);
                if entry.depth() > 0
                    && path.name().to_ascii_lowercase().ends_with(".convo")
                {
                    let message = format!("`{}` is a folder", path.name());
                    let note = Diagnostic::new(Severity::Warning, "folder", message);
                    let hint = "the files in it are read as in any other folder";
                    notes.push(note.in_file(path.as_str()).hint(hint));
                }
            } else if kind.is_symlink() {
                notes.push(link(&path, entry.path()));
            } else {
                let message = "neither a file nor a folder, so it is not read";
                let note = Diagnostic::new(Severity::Warning, "special-file", message);
                notes.push(note.in_file(path.as_str()));
            }
        }
        let now = SystemTime::now();
        files.par_extend(regular.into_par_iter().map(|(path, real)| {
            let data = real.symlink_metadata().ok();
            let len = data.as_ref().map_or(0, std::fs::Metadata::len);
            FileInfo { path, len, stamp: data.and_then(|data| stamp(&data, now)) }
        }));
        files.sort_by(|a, b| a.path.cmp(&b.path));
        Noted { value: files, notes }
    }

    fn read(&self, path: &RelPath) -> Result<Vec<u8>, Box<Diagnostic>> {
        if let Some(read) = self.read_history(path) {
            return read;
        }
        std::fs::read(self.root.join(path.as_str()))
            .map_err(|error| Box::new(unreadable(path.as_str(), Some(&error))))
    }

    fn open(&self, path: &RelPath, from: u64) -> Result<Reader, Box<Diagnostic>> {
        if let Some(read) = self.read_history(path) {
            let mut bytes = Cursor::new(read?);
            bytes.set_position(from);
            return Ok(Box::new(bytes));
        }
        let open = || {
            let mut file = std::fs::File::open(self.root.join(path.as_str()))?;
            file.seek(SeekFrom::Start(from))?;
            Ok(BufReader::new(file))
        };
        open().map(|reader| Box::new(reader) as Reader).map_err(
            |error: std::io::Error| Box::new(unreadable(path.as_str(), Some(&error))),
        )
    }
}

/// A hash of what the file system says of the files in some folders of a site and of its
/// `site.toml`: it changes when one of them does.
pub fn fingerprint(site: &Path, folders: &[String]) -> Hash {
    let inputs = folders.iter().map(|folder| site.join(folder));
    let mut rows: Vec<(PathBuf, u64, Option<SystemTime>)> = Vec::new();
    for root in inputs.chain([site.join("site.toml")]) {
        let walk = WalkDir::new(root).sort_by_file_name().into_iter().flatten();
        rows.extend(walk.filter(|entry| !entry.file_type().is_dir()).map(|entry| {
            let data = entry.metadata().ok();
            let len = data.as_ref().map_or(0, std::fs::Metadata::len);
            (entry.into_path(), len, data.and_then(|data| data.modified().ok()))
        }));
    }
    Hash::of(&rows)
}

/// Those of some folders of a site that are there, each with its number in the file system.
pub fn numbered(site: &Path, folders: &[String]) -> Vec<(PathBuf, u64)> {
    let paths = folders.iter().map(|folder| site.join(folder));
    let there = paths.filter_map(|path| {
        let data = std::fs::metadata(&path).ok().filter(std::fs::Metadata::is_dir)?;
        Some((path, inner(&data).1))
    });
    there.collect()
}

/// Whether there is anything at a path.
pub fn is_there(path: &Path) -> bool {
    path.symlink_metadata().is_ok()
}

/// A file that changed so recently could change again without its times saying so: file systems
/// count time in steps, of up to two seconds on memory cards.
const RECENT: Duration = Duration::from_secs(2);

fn stamp(data: &std::fs::Metadata, now: SystemTime) -> Option<Stamp> {
    let modified = data.modified().ok()?;
    if now.duration_since(modified).ok()? <= RECENT {
        return None;
    }
    let modified = modified.duration_since(SystemTime::UNIX_EPOCH).ok()?;
    let modified = u64::try_from(modified.as_nanos()).ok()?;
    let (changed, number) = inner(data);
    Some(Stamp { len: data.len(), modified, changed, number })
}

#[cfg(unix)]
fn inner(data: &std::fs::Metadata) -> (i64, u64) {
    use std::os::unix::fs::MetadataExt;
    (data.ctime().wrapping_mul(1_000_000_000).wrapping_add(data.ctime_nsec()), data.ino())
}

#[cfg(not(unix))]
fn inner(_: &std::fs::Metadata) -> (i64, u64) {
    (0, 0)
}

fn unreadable(path: &str, error: Option<&std::io::Error>) -> Diagnostic {
    let cause = error.map_or_else(|| "unknown cause".to_owned(), ToString::to_string);
    let note = Diagnostic::new(
        Severity::Error,
        "unreadable",
        format!("cannot be read: {cause}"),
    );
    note.in_file(path).hint("check that it exists and that you may read it")
}

/// Links are not followed: they may leave the site folder, and they may lead in circles.
fn link(path: &RelPath, real: &Path) -> Diagnostic {
    let around = std::fs::canonicalize(real);
    let above = real.parent().and_then(|parent| parent.canonicalize().ok());
    let message = match (&around, above) {
        (Ok(target), Some(above)) if above.starts_with(target) => {
            "a symbolic link that leads in a circle"
        }
        (Err(_), _) => "a symbolic link that leads nowhere or in a circle",
        _ => "a symbolic link, which is not followed",
    };
    let note = Diagnostic::new(Severity::Warning, "symlink", message);
    note.in_file(path.as_str()).hint("put the file or folder itself here")
}

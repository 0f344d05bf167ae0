//! The site folder on disk, as [`Files`].

use std::collections::HashMap;
use std::fs::File;
use std::io::{self, BufReader, Cursor, ErrorKind, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, SystemTime};

use rayon::prelude::*;
use walkdir::WalkDir;

use super::commits;
use super::folder::{self, Folder};
use super::history::Repositories;
use super::names::{Spellings, is_plain};
use crate::diag::{Diagnostic, Severity, WithNotes};
use crate::files::{FileInfo, Files, Reader, Stamp, Storage};
use crate::hash::Hash;
use crate::path::RelPath;
use crate::path::is_hidden;
use convo_archives::{Access, Archives};

/// The default output folder, below the site folder.
pub const OUTPUT: &str = "public";

/// A site folder on disk. Nothing outside of it is read, even through links.
pub struct Disk {
    root: PathBuf,
    /// A handle of the root, if it exists.
    folder: Option<Folder>,
    /// The output folder, which is never listed.
    except: PathBuf,
    /// If not empty, only files with these names are listed, hidden or not, instead of all files
    /// that are not hidden.
    only: &'static [&'static str],
    /// The repositories listed so far.
    repositories: Repositories,
    /// The archives listed so far.
    archives: Archives,
    /// The shown names, by the paths of their folders.
    spellings: Mutex<HashMap<PathBuf, Arc<Spellings>>>,
}

impl Disk {
    /// Opens the site in `root`, with the default output folder.
    pub fn new(root: &Path) -> Self {
        Self::with_output(root, &root.join(OUTPUT))
    }

    /// Opens the site in `root`, with the output folder `except`.
    pub fn with_output(root: &Path, except: &Path) -> Self {
        Self {
            root: root.to_owned(),
            folder: Folder::open(root).ok(),
            except: super::resolve(except),
            only: &[],
            repositories: Repositories::default(),
            archives: Archives::default(),
            spellings: Mutex::default(),
        }
    }

    /// Opens the folder `root`, and lists only files with these names, even in hidden folders.
    pub fn only(root: &Path, names: &'static [&'static str]) -> Self {
        Self { only: names, ..Self::new(root) }
    }

    /// Returns how a path below the root is shown.
    fn relative(&self, path: &Path) -> RelPath {
        let relative = path.strip_prefix(&self.root).unwrap_or(path);
        if let Some(text) = relative.to_str().filter(|text| text.is_ascii()) {
            // Shown paths use `/` on every system.
            return RelPath::new(if cfg!(windows) {
                text.replace('\\', "/")
            } else {
                text.to_owned()
            });
        }
        let (mut real, mut shown) = (PathBuf::new(), Vec::new());
        for part in relative.components() {
            let name = part.as_os_str();
            shown.push(match is_plain(name) {
                true => name.to_string_lossy().into_owned(),
                false => self.spellings(&real).shown(name),
            });
            real.push(name);
        }
        RelPath::new(shown.join("/"))
    }

    /// Returns the real path below the root for a shown path.
    pub(super) fn real(&self, shown: &str) -> PathBuf {
        let mut real = PathBuf::new();
        for name in shown.split('/') {
            real.push(self.spellings(&real).real(name));
        }
        real
    }

    fn spellings(&self, folder: &Path) -> Arc<Spellings> {
        let lock = || self.spellings.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = lock().get(folder) {
            return known.clone();
        }
        let entries = std::fs::read_dir(self.root.join(folder)).into_iter().flatten();
        let names = entries.flatten().map(|entry| entry.file_name());
        let spellings = Arc::new(Spellings::new(names));
        lock().insert(folder.to_owned(), spellings.clone());
        spellings
    }

    /// Returns the path of a folder of the site, if it exists and no link leads out of the site.
    fn folder(&self, name: &str) -> io::Result<PathBuf> {
        let (mut path, root) = (self.root.join(name), self.root.canonicalize()?);
        let mut real = path.canonicalize();
        if real.as_ref().is_err_and(|error| error.kind() == ErrorKind::NotFound) {
            path = self.root.join(self.real(name));
            real = path.canonicalize();
        }
        let real = real?;
        if !real.starts_with(&root) {
            return Err(io::Error::other(LEADS_OUT));
        }
        if !real.is_dir() {
            return Err(io::Error::other("it is not a folder"));
        }
        Ok(path)
    }

    /// Returns the real path of a file of the site, if no link leads out of the site.
    fn place_of(&self, path: &RelPath) -> io::Result<PathBuf> {
        self.file(path)?;
        let root = self.root.canonicalize()?;
        let real = self.root.join(path.as_str()).canonicalize();
        let real = real.or_else(|_| self.root.join(self.real(path.as_str())).canonicalize())?;
        match real.starts_with(&root) {
            true => Ok(real),
            false => Err(io::Error::other(LEADS_OUT)),
        }
    }

    fn file(&self, path: &RelPath) -> io::Result<File> {
        let opened;
        let folder = match &self.folder {
            Some(folder) => folder,
            None => {
                opened = Folder::open(&self.root)?;
                &opened
            }
        };
        let shown = path.as_str();
        let found = match folder.file_below(shown.as_ref()) {
            Err(error) if error.kind() == ErrorKind::NotFound => {
                let real = self.real(shown);
                if real == Path::new(shown) {
                    return Err(error);
                }
                folder.file_below(&real)
            }
            found => found,
        };
        found.map_err(|error| {
            let is_refused = error.kind() == ErrorKind::PermissionDenied;
            match error.raw_os_error() {
                None if is_refused => io::Error::other(LEADS_OUT),
                _ => error,
            }
        })
    }
}

impl Disk {
    /// Returns the archive with this name that is shown as a folder.
    fn archive(&self, path: &str) -> Option<FileInfo> {
        let path = RelPath::new(path);
        let file = super::is_archive(path.as_str()).then(|| self.file(&path).ok())??;
        let data = file.metadata().ok()?;
        let stamp = stamp(&data, SystemTime::now());
        Some(FileInfo { path, len: data.len(), stamp, storage: Storage::Plain })
    }
}

const LEADS_OUT: &str = "a link points outside the site folder";

impl Files for Disk {
    fn names(&self, folder: &str) -> Vec<String> {
        let entries = self.folder(folder).and_then(std::fs::read_dir);
        let entries = entries.into_iter().flatten().filter_map(Result::ok);
        let name = |entry: std::fs::DirEntry| {
            let name = entry.file_name().to_string_lossy().into_owned();
            match entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                true if super::resolve(&entry.path()) == self.except => None,
                true => Some(format!("{name}/")),
                false => Some(name),
            }
        };
        let mut names: Vec<String> = entries.filter_map(name).collect();
        names.sort();
        names
    }

    fn list(&self, folder: &str) -> WithNotes<Vec<FileInfo>> {
        let mut notes = Vec::new();
        let mut files = Vec::new();
        let root = match self.folder(folder) {
            Ok(root) => root,
            Err(error) if error.kind() == ErrorKind::NotFound => {
                return WithNotes::plain(files);
            }
            Err(error) => {
                notes.push(unreadable(folder, Some(&error)));
                return WithNotes { value: files, notes };
            }
        };
        let mut regular = Vec::new();
        let walk = WalkDir::new(&root).sort_by_file_name().into_iter().filter_entry(|entry| {
            let name = entry.file_name().to_string_lossy();
            let hidden = entry.depth() > 0
                && match self.only {
                    [] => is_hidden(&name),
                    _ if entry.file_type().is_dir() => name == ".git",
                    only => !only.contains(&&*name),
                };
            let output = entry.file_type().is_dir()
                && Some(entry.file_name()) == self.except.file_name()
                && super::resolve(entry.path()) == self.except;
            !hidden && !output
        });
        for entry in walk {
            let entry = match entry {
                Ok(entry) => entry,
                Err(error) => {
                    let path = error
                        .path()
                        .map_or_else(|| folder.to_owned(), |path| self.relative(path).to_string());
                    notes.push(unreadable(&path, error.io_error()));
                    continue;
                }
            };
            let path = self.relative(entry.path());
            let kind = entry.file_type();
            if entry.file_name().to_str().is_none() {
                let message =
                    "the file name is not valid UTF-8; invalid bytes are shown as numbers";
                let note = Diagnostic::new(Severity::Hint, "file-name", message);
                notes.push(note.in_file(path.as_str()).hint("rename it"));
            }
            if kind.is_file() {
                regular.push((path, entry.into_path()));
            } else if kind.is_dir() {
                let git = self.relative(&entry.path().join(".git"));
                if self.only.is_empty() {
                    let found = self.repositories.list(entry.path(), &git, &mut notes);
                    files.extend(found);
                }
                if entry.depth() > 0 && path.name().to_ascii_lowercase().ends_with(".convo") {
                    let message = format!("`{}` is a folder", path.name());
                    let note = Diagnostic::new(Severity::Warning, "folder", message);
                    let hint = "its files are read as in any other folder";
                    notes.push(note.in_file(path.as_str()).hint(hint));
                }
            } else if kind.is_symlink() {
                notes.push(link(&path, entry.path()));
            } else {
                let message = "not read: neither a file nor a folder";
                let note = Diagnostic::new(Severity::Warning, "special-file", message);
                notes.push(note.in_file(path.as_str()));
            }
        }
        let now = SystemTime::now();
        files.par_extend(regular.into_par_iter().map(|(path, real)| {
            let data = real.symlink_metadata().ok();
            let len = data.as_ref().map_or(0, std::fs::Metadata::len);
            let stamp = data.and_then(|data| stamp(&data, now));
            FileInfo { path, len, stamp, storage: Storage::Plain }
        }));
        files.sort_by(|a, b| a.path.cmp(&b.path));
        WithNotes { value: files, notes }
    }

    fn list_unpacked(&self, folder: &str) -> WithNotes<Vec<FileInfo>> {
        let mut notes = Vec::new();
        let mut files = match self.archive(folder) {
            Some(archive) => vec![archive],
            None => self.list(folder).take(&mut notes),
        };
        let access = Access { open: &|path| self.file(path), place: &|path| self.place_of(path) };
        self.archives.list(&mut files, &access, &mut notes);
        files.sort_by(|a, b| a.path.cmp(&b.path));
        WithNotes { value: files, notes }
    }

    fn read(&self, path: &RelPath) -> Result<Vec<u8>, Box<Diagnostic>> {
        if let Some(read) = self.repositories.read(path) {
            return read;
        }
        if let Some(read) = self.archives.read(path, &|path| self.file(path)) {
            return read.map_err(|error| Box::new(unreadable_inside(path, &error)));
        }
        self.file(path)
            .and_then(folder::all)
            .map_err(|error| Box::new(unreadable(path.as_str(), Some(&error))))
    }

    fn open(&self, path: &RelPath, from: u64) -> Result<Reader, Box<Diagnostic>> {
        if let Some(read) = self.repositories.read(path) {
            let mut bytes = Cursor::new(read?);
            bytes.set_position(from);
            return Ok(Box::new(bytes));
        }
        if let Some(opened) = self.archives.open(path, from, &|path| self.file(path)) {
            return opened.map_err(|error| Box::new(unreadable_inside(path, &error)));
        }
        let open = || {
            let mut file = self.file(path)?;
            file.seek(SeekFrom::Start(from))?;
            Ok(BufReader::new(file))
        };
        open()
            .map(|reader| Box::new(reader) as Reader)
            .map_err(|error: io::Error| Box::new(unreadable(path.as_str(), Some(&error))))
    }

    fn last_changes(&self, files: &[RelPath]) -> WithNotes<HashMap<RelPath, i64>> {
        let mut notes = Vec::new();
        let mut times = HashMap::new();
        let real: HashMap<String, &RelPath> = files
            .iter()
            .map(|file| {
                let real = self.real(file.as_str());
                (real.to_string_lossy().replace('\\', "/"), file)
            })
            .collect();
        let mut report = |message: String, hint: &str| {
            let note = Diagnostic::new(Severity::Warning, "bad-history", message);
            notes.push(note.hint(hint));
        };
        match commits::last_changes(&self.root, real.keys().map(String::as_str)) {
            Ok(found) => {
                let known = found.times.into_iter();
                times
                    .extend(known.filter_map(|(file, at)| Some(((*real.get(&file)?).clone(), at))));
                if found.is_shallow && times.len() < files.len() {
                    report(
                        "the repository is a shallow clone, so some files have no date of last \
                         change"
                            .to_owned(),
                        "fetch the full history: run `git fetch --unshallow`, or set \
                         `fetch-depth: 0` for `actions/checkout`",
                    );
                }
            }
            Err(why) => report(
                format!("cannot find out when files were last changed: {why}"),
                "the dates are requested by `updated = \"git\"`; times in conversations are still shown",
            ),
        }
        WithNotes { value: times, notes }
    }

    fn has(&self, path: &RelPath) -> bool {
        // In an archive, which is a file, nothing is found this way.
        let is_missing = |error: io::Error| {
            matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory)
        };
        !self.file(path).is_err_and(is_missing)
    }

    fn require(&self, folder: &str) -> Result<(), Box<Diagnostic>> {
        let Err(error) = self.folder(folder) else { return Ok(()) };
        let message = match error.kind() {
            ErrorKind::NotFound => format!("the folder `{folder}` does not exist"),
            _ => format!("the folder `{folder}` cannot be read: {error}"),
        };
        let note = Diagnostic::new(Severity::Error, "no-content-folder", message);
        Err(Box::new(
            note.in_file(folder).hint(
                "create it, or set `content` in site.toml to the folder of your conversations",
            ),
        ))
    }
}

/// Returns a hash of the metadata of the files in some folders of a site, and of its `site.toml`.
/// It changes when one of them changes.
pub fn fingerprint(site: &Path, folders: &[String]) -> Hash {
    let inputs = folders.iter().map(|folder| place(site, folder));
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

/// Returns those of some folders of a site that exist, each with its inode number.
pub fn numbered(site: &Path, folders: &[String]) -> Vec<(PathBuf, u64)> {
    let paths = folders.iter().map(|folder| place(site, folder));
    let there = paths.filter_map(|path| {
        let data = std::fs::metadata(&path).ok().filter(std::fs::Metadata::is_dir)?;
        Some((path, inner(&data).1))
    });
    there.collect()
}

/// Returns the real path of something in a site by its shown path.
pub(super) fn place(site: &Path, shown: &str) -> PathBuf {
    let path = site.join(shown);
    if shown.is_ascii() || is_there(&path) {
        return path;
    }
    site.join(Disk::new(site).real(shown))
}

/// Returns whether anything exists at a path.
pub fn is_there(path: &Path) -> bool {
    path.symlink_metadata().is_ok()
}

/// The time in which a file could change again without a change of its timestamp. Some file systems
/// on memory cards store time in steps of two seconds.
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
    let note = Diagnostic::new(Severity::Error, "unreadable", format!("cannot be read: {cause}"));
    note.in_file(path).hint("check that it exists and that you have permission to read it")
}

fn unreadable_inside(path: &RelPath, error: &io::Error) -> Diagnostic {
    let note = Diagnostic::new(Severity::Error, "bad-archive", format!("cannot be read: {error}"));
    note.in_file(path.as_str()).hint("download the archive again, or unpack it yourself")
}

/// Explains why a link is not followed: it may leave the site folder or lead in circles.
fn link(path: &RelPath, real: &Path) -> Diagnostic {
    let around = std::fs::canonicalize(real);
    let above = real.parent().and_then(|parent| parent.canonicalize().ok());
    let message = match (&around, above) {
        (Ok(target), Some(above)) if above.starts_with(target) => {
            "this symbolic link is part of a loop"
        }
        (Err(_), _) => "this symbolic link is broken or part of a loop",
        _ => "symbolic links are not followed",
    };
    let note = Diagnostic::new(Severity::Warning, "symlink", message);
    note.in_file(path.as_str()).hint("replace it with the file or folder itself")
}

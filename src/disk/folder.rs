//! Folders held by handles, so that nothing outside of them is changed, whatever is planted in
//! them.
//!
//! The path of the first folder comes from the user, and links in it are followed. Below it, links
//! are never followed for writing or removing, and links that lead out of it are not followed for
//! reading. Only regular files are opened, because reading a pipe could block forever.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{self, ErrorKind, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::SystemTime;

use cap_fs_ext::{DirExt, FollowSymlinks, OpenOptionsFollowExt, OpenOptionsSyncExt};
use cap_std::ambient_authority;
use cap_std::fs::{Dir, FileType, Metadata, OpenOptions};

use super::Error;
use crate::hash::{Hash, Hashing};
use crate::path::OutPath;

/// A folder, with its path for messages.
pub(super) struct Folder {
    dir: Dir,
    path: PathBuf,
}

/// The kind of a directory entry.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    File,
    Folder,
    Link,
    /// A pipe, a device or a socket.
    Special,
}

impl Kind {
    fn new(is_file: bool, is_folder: bool, is_link: bool) -> Self {
        match (is_file, is_folder, is_link) {
            (true, ..) => Self::File,
            (_, true, _) => Self::Folder,
            (.., true) => Self::Link,
            _ => Self::Special,
        }
    }

    /// Returns a description.
    pub(super) fn words(self) -> &'static str {
        match self {
            Self::File => "a file",
            Self::Folder => "a folder",
            Self::Link => "a link",
            Self::Special => "neither a file nor a folder",
        }
    }
}

impl From<std::fs::FileType> for Kind {
    fn from(kind: std::fs::FileType) -> Self {
        Self::new(kind.is_file(), kind.is_dir(), kind.is_symlink())
    }
}

impl From<FileType> for Kind {
    fn from(kind: FileType) -> Self {
        Self::new(kind.is_file(), kind.is_dir(), kind.is_symlink())
    }
}

impl Folder {
    /// Opens the folder at a path chosen by the user.
    pub(super) fn open(path: &Path) -> io::Result<Self> {
        let dir = Dir::open_ambient_dir(path, ambient_authority())?;
        Ok(Self { dir, path: path.to_owned() })
    }

    /// Opens the folder at a path, creating it if needed.
    pub(super) fn make(path: &Path) -> io::Result<Self> {
        Dir::create_ambient_dir_all(path, ambient_authority())?;
        Self::open(path)
    }

    /// Returns another handle of the folder.
    pub(super) fn again(&self) -> io::Result<Self> {
        Ok(Self { dir: self.dir.try_clone()?, path: self.path.clone() })
    }

    /// Returns its path.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the kind of an entry, without following links; `None` if it does not exist.
    pub(super) fn kind(&self, name: &str) -> io::Result<Option<Kind>> {
        match self.dir.symlink_metadata(name) {
            Ok(data) => Ok(Some(kind_of(&data))),
            Err(cause) if cause.kind() == ErrorKind::NotFound => Ok(None),
            Err(cause) => Err(cause),
        }
    }

    /// Returns the length of a regular file in bytes.
    pub(super) fn len(&self, name: &str) -> Option<u64> {
        let data = self.dir.symlink_metadata(name).ok()?;
        (kind_of(&data) == Kind::File).then(|| data.len())
    }

    /// Returns when a regular file was last written.
    pub(super) fn modified(&self, name: &str) -> Option<SystemTime> {
        let data = self.dir.symlink_metadata(name).ok()?;
        let written = data.modified().ok().map(cap_std::time::SystemTime::into_std);
        written.filter(|_| kind_of(&data) == Kind::File)
    }

    /// Returns the names of its entries.
    pub(super) fn entries(&self) -> io::Result<Vec<(OsString, Kind)>> {
        let entry = |entry: io::Result<cap_std::fs::DirEntry>| {
            let entry = entry?;
            Ok((entry.file_name(), Kind::from(entry.file_type()?)))
        };
        self.dir.entries()?.map(entry).collect()
    }

    /// Opens a subfolder that is not a link.
    pub(super) fn child(&self, name: &str) -> io::Result<Self> {
        let dir = self.dir.open_dir_nofollow(name).map_err(|cause| match self.kind(name) {
            Ok(Some(kind)) if kind != Kind::Folder => not_followed(kind),
            _ => cause,
        })?;
        Ok(Self { dir, path: self.path.join(name) })
    }

    /// Opens a subfolder that is not a link, creating it if needed.
    pub(super) fn make_child(&self, name: &str) -> io::Result<Self> {
        match self.child(name) {
            Err(cause) if cause.kind() == ErrorKind::NotFound => {}
            found => return found,
        }
        match self.dir.create_dir(name) {
            Err(cause) if cause.kind() != ErrorKind::AlreadyExists => Err(cause),
            _ => self.child(name),
        }
    }

    /// Opens the folder of a file below it, creating it if needed, and returns it with the file's
    /// name.
    pub(super) fn make_parent<'a>(&self, path: &'a OutPath) -> Result<(Self, &'a str), Error> {
        let failed = |cause| Error::new("write", &self.path.join(path.as_str()), cause);
        let mut folder = self.again().map_err(failed)?;
        let mut rest = path.as_str();
        while let Some((name, after)) = rest.split_once('/') {
            folder = folder.make_child(name).map_err(failed)?;
            rest = after;
        }
        Ok((folder, rest))
    }

    /// Opens a regular file in it that is not a link.
    pub(super) fn file(&self, name: &str) -> io::Result<File> {
        let mut options = OpenOptions::new();
        options.read(true).nonblock(true).follow(FollowSymlinks::No);
        regular(self.dir.open_with(name, &options)?)
    }

    /// Opens a regular file in it for reading and writing, creating it if needed.
    pub(super) fn file_to_change(&self, name: &str) -> io::Result<File> {
        let mut options = OpenOptions::new();
        options.read(true).write(true).create(true).truncate(false);
        options.nonblock(true).follow(FollowSymlinks::No);
        let opened = self.dir.open_with(name, &options).map_err(|cause| match self.kind(name) {
            Ok(Some(Kind::Link)) => not_followed(Kind::Link),
            _ => cause,
        })?;
        regular(opened)
    }

    /// Opens a regular file below it. Follows links that stay below it.
    pub(super) fn file_below(&self, path: &Path) -> io::Result<File> {
        let mut options = OpenOptions::new();
        options.read(true).nonblock(true);
        regular(self.dir.open_with(path, &options)?)
    }

    /// Reads a regular file in it.
    pub(super) fn read(&self, name: &str) -> io::Result<Vec<u8>> {
        all(self.file(name)?)
    }

    /// Reads a regular file below it, without following links.
    pub(super) fn read_below(&self, path: &OutPath) -> io::Result<Vec<u8>> {
        let (folder, name) = self.parent_of(path)?;
        folder.read(name)
    }

    /// Returns whether a regular file in it has these bytes.
    pub(super) fn holds(&self, name: &str, bytes: &[u8]) -> bool {
        self.len(name) == Some(bytes.len() as u64)
            && self.read(name).is_ok_and(|there| there == bytes)
    }

    /// Returns whether a regular file in it has this length and hash. Reads a few bytes at a time.
    pub(super) fn holds_hash(&self, name: &str, len: u64, hash: Hash) -> bool {
        let mut hashing = Hashing::default();
        let mut read = || io::copy(&mut self.file(name)?, &mut hashing);
        self.len(name) == Some(len) && read().is_ok() && hashing.finish() == hash
    }

    /// Returns whether a regular file below it has this length and hash, without following links.
    pub(super) fn holds_hash_below(&self, path: &OutPath, len: u64, hash: Hash) -> bool {
        let found = self.parent_of(path);
        found.is_ok_and(|(folder, name)| folder.holds_hash(name, len, hash))
    }

    /// Opens the folder that contains a file below it, without following links, and returns it with
    /// the file's name.
    pub(super) fn parent_of<'a>(&self, path: &'a OutPath) -> io::Result<(Self, &'a str)> {
        let mut folder = self.again()?;
        let mut rest = path.as_str();
        while let Some((name, after)) = rest.split_once('/') {
            folder = folder.child(name)?;
            rest = after;
        }
        Ok((folder, rest))
    }

    /// Removes a file, or a link but not its target; returns whether there was one.
    pub(super) fn remove_file(&self, name: &str) -> io::Result<bool> {
        match self.dir.remove_file(name) {
            Ok(()) => Ok(true),
            Err(cause) if cause.kind() == ErrorKind::NotFound => Ok(false),
            Err(cause) => Err(cause),
        }
    }

    /// Removes a folder with its contents, without following links.
    pub(super) fn remove_folder(&self, name: &str) -> io::Result<()> {
        match self.kind(name)? {
            None => Ok(()),
            Some(Kind::Folder) => self.dir.remove_dir_all(name),
            Some(kind) => Err(not_followed(kind)),
        }
    }

    /// Removes a folder if it is empty; returns whether it was.
    pub(super) fn remove_empty(&self, name: &str) -> bool {
        self.dir.remove_dir(name).is_ok()
    }

    /// Removes all its contents.
    pub(super) fn empty(&self) -> io::Result<()> {
        for (name, kind) in self.entries()? {
            match kind {
                Kind::Folder => self.dir.remove_dir_all(name)?,
                _ => self.dir.remove_file(name)?,
            }
        }
        Ok(())
    }

    /// Removes one of our files below it, and folders that are empty after that. Returns whether
    /// the file existed. Folders, and anything behind a link, are not our files.
    pub(super) fn remove_below(&self, path: &OutPath) -> Result<bool, Error> {
        let failed = |cause| Error::new("remove", &self.path.join(path.as_str()), cause);
        let mut folders = vec![self.again().map_err(failed)?];
        let mut names: Vec<&str> = path.as_str().split('/').collect();
        let file = names.pop().unwrap_or_default();
        for name in &names {
            let above = folders.last().expect("one at least");
            match above.kind(name).map_err(failed)? {
                Some(Kind::Folder) => {}
                _ => return Ok(false),
            }
            let child = match above.child(name) {
                // Another process that builds another part may have removed it.
                Err(cause) if cause.kind() == ErrorKind::NotFound => return Ok(false),
                child => child.map_err(failed)?,
            };
            folders.push(child);
        }
        let holder = folders.last().expect("one at least");
        match holder.kind(file).map_err(failed)? {
            None | Some(Kind::Folder) => return Ok(false),
            Some(_) => holder.remove_file(file).map_err(failed)?,
        };
        while let Some(name) = names.pop() {
            folders.pop();
            if !folders.last().is_some_and(|above| above.remove_empty(name)) {
                break;
            }
        }
        Ok(true)
    }
}

/// Reads an open file.
pub(super) fn all(mut file: File) -> io::Result<Vec<u8>> {
    let len = file.metadata().map_or(0, |data| data.len());
    let mut bytes = Vec::with_capacity(usize::try_from(len).unwrap_or(0).min(1 << 30));
    file.read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Counts all reparse points of Windows as links, since they lead elsewhere.
#[cfg(windows)]
fn kind_of(data: &Metadata) -> Kind {
    use cap_std::fs::MetadataExt;
    const REPARSE_POINT: u32 = 0x400;
    if data.file_attributes() & REPARSE_POINT != 0 {
        return Kind::Link;
    }
    data.file_type().into()
}

#[cfg(not(windows))]
fn kind_of(data: &Metadata) -> Kind {
    data.file_type().into()
}

fn not_followed(kind: Kind) -> io::Error {
    let what = kind.words();
    io::Error::other(match kind {
        Kind::Link => {
            format!("it is {what}, and links are not followed when writing or removing")
        }
        _ => format!("it is {what}, but a folder is needed here"),
    })
}

fn regular(file: cap_std::fs::File) -> io::Result<File> {
    let file = file.into_std();
    let data = file.metadata()?;
    if data.is_file() {
        return Ok(file);
    }
    let what = if data.is_dir() { "it is a folder" } else { "it is not a regular file" };
    Err(io::Error::other(what))
}

/// The name prefix of staging folders.
pub(super) const STAGING: &str = ".convo-site-tmp";

/// Returns whether an entry is a staging folder, including those of parts.
pub(super) fn is_staging(name: &OsStr) -> bool {
    name.to_str().is_some_and(|name| name.starts_with(STAGING))
}

/// Writes files so that nobody sees them incomplete: into a new staging folder next to the final
/// files, from where they are moved into place. The next build removes the staging folder of a
/// killed build.
pub(super) struct Staging {
    parent: Folder,
    folder: Folder,
    name: String,
    /// The name of the next file. Only this process creates files in the folder.
    next: AtomicUsize,
}

impl Staging {
    /// Creates a staging folder for files in or below `parent`.
    pub(super) fn new(parent: &Folder) -> Result<Self, Error> {
        Self::named(parent, STAGING.to_owned())
    }

    /// Creates a staging folder with this name, which starts with [`STAGING`], if several processes
    /// write to `parent` at the same time.
    pub(super) fn named(parent: &Folder, name: String) -> Result<Self, Error> {
        let make = || {
            parent.remove_folder(&name)?;
            parent.dir.create_dir(&name)?;
            Ok((parent.again()?, parent.child(&name)?))
        };
        let made = make().map_err(|cause| {
            let path = parent.path.join(&name);
            Error::new("create", &path, cause)
        });
        let (parent, folder) = made?;
        Ok(Self { parent, folder, name, next: AtomicUsize::default() })
    }

    /// Writes a file completely or not at all. Replaces a link instead of following it.
    pub(super) fn write(
        &self,
        folder: &Folder,
        name: &str,
        write: impl FnOnce(&mut File) -> io::Result<()>,
    ) -> Result<(), Error> {
        let temporary = self.next.fetch_add(1, Ordering::Relaxed).to_string();
        let mut options = OpenOptions::new();
        options.write(true).create_new(true).follow(FollowSymlinks::No);
        let make = || {
            let mut file = self.folder.dir.open_with(&temporary, &options)?.into_std();
            write(&mut file)?;
            drop(file);
            self.folder.dir.rename(&temporary, &folder.dir, name)
        };
        make().map_err(|cause| {
            let _ = self.folder.dir.remove_file(&temporary);
            Error::new("write", &folder.path.join(name), cause)
        })
    }

    /// Writes a file from memory, completely or not at all.
    pub(super) fn put(&self, folder: &Folder, name: &str, bytes: &[u8]) -> Result<(), Error> {
        self.write(folder, name, |file| file.write_all(bytes))
    }
}

impl Drop for Staging {
    fn drop(&mut self) {
        let _ = self.parent.remove_folder(&self.name);
    }
}

#[cfg(all(test, unix))]
mod tests {
    use std::fs;
    use std::os::unix::fs::symlink;

    use super::{Folder, Staging};
    use crate::path::OutPath;

    #[test]
    fn nothing_is_written_or_removed_through_links() {
        let (inside, outside) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let victim = outside.path().join("victim");
        fs::write(&victim, "theirs").unwrap();
        symlink(outside.path(), inside.path().join("folder")).unwrap();
        symlink(&victim, inside.path().join("file")).unwrap();
        let folder = Folder::open(inside.path()).unwrap();
        let staging = Staging::new(&folder).unwrap();
        let behind = OutPath::new("folder/victim").unwrap();
        assert!(folder.child("folder").is_err() && folder.file("file").is_err());
        assert!(folder.file_to_change("file").is_err());
        assert!(folder.file_below("file".as_ref()).is_err());
        assert!(folder.make_parent(&behind).is_err());
        assert!(!folder.remove_below(&behind).unwrap());
        assert!(folder.remove_folder("folder").is_err());
        staging.put(&folder, "file", b"ours").unwrap();
        assert_eq!(folder.read("file").unwrap(), b"ours");
        drop(staging);
        folder.empty().unwrap();
        assert_eq!(fs::read_to_string(victim).unwrap(), "theirs");
        assert_eq!(fs::read_dir(inside.path()).unwrap().count(), 0);
    }
}

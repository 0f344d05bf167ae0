//! The content folder of a site as a place to which files are brought.

use std::io;
use std::path::{Path, PathBuf};

use super::folder::{Folder, Kind, STAGING, Staging};
use super::{Disk, Error};
use crate::diag::{Diagnostic, Noted};
use crate::files::{FileInfo, Files};
use crate::path::{OutPath, RelPath};

/// A folder to which files are brought, whole or not at all. Nothing outside of it is written, and
/// nothing is made there before there is something to bring.
pub struct Inbox {
    path: PathBuf,
    disk: Disk,
    staging: Option<(Folder, Staging)>,
}

impl Inbox {
    /// The folder at a path, which need not be there.
    pub fn new(path: &Path) -> Self {
        // Nothing in it is a site.
        let disk = Disk::with_output(path, &path.join(STAGING));
        Self { path: path.to_owned(), disk, staging: None }
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The files that are in it.
    pub fn list(&self) -> Noted<Vec<FileInfo>> {
        self.disk.list("")
    }

    /// The bytes of a file that is in it.
    pub fn read(&self, file: &RelPath) -> Result<Vec<u8>, Box<Diagnostic>> {
        self.disk.read(file)
    }

    /// Whether nothing stands under a name.
    pub fn is_free(&self, name: &str) -> bool {
        self.path.join(name).symlink_metadata().is_err()
    }

    /// Replaces a file that is in it.
    pub fn replace(&mut self, file: &RelPath, bytes: &[u8]) -> Result<(), Error> {
        let real = self.disk.real(file.as_str());
        let path = self.path.join(&real);
        let failed = |cause| Error::new("write", &path, cause);
        let Some(name) = real.file_name().and_then(|name| name.to_str()) else {
            return Err(failed(io::Error::other("its name is not valid UTF-8")));
        };
        let (root, staging) = staging(&mut self.staging, &self.path)?;
        let mut folder = root.again().map_err(failed)?;
        for part in real.parent().into_iter().flat_map(Path::components) {
            let Some(part) = part.as_os_str().to_str() else {
                return Err(failed(io::Error::other("its name is not valid UTF-8")));
            };
            folder = folder.child(part).map_err(failed)?;
        }
        staging.put(&folder, name, bytes)
    }

    /// Adds a file under a name that nothing has; whether that was so.
    pub fn add(&mut self, path: &OutPath, bytes: &[u8]) -> Result<bool, Error> {
        let (root, staging) = staging(&mut self.staging, &self.path)?;
        let (folder, name) = root.make_parent(path)?;
        let there: Option<Kind> = folder
            .kind(name)
            .map_err(|cause| Error::new("write", &folder.path().join(name), cause))?;
        if there.is_some() {
            return Ok(false);
        }
        staging.put(&folder, name, bytes)?;
        Ok(true)
    }
}

fn staging<'a>(
    staging: &'a mut Option<(Folder, Staging)>,
    path: &Path,
) -> Result<&'a (Folder, Staging), Error> {
    match staging {
        Some(known) => Ok(known),
        none => {
            let folder = Folder::make(path).map_err(|cause| Error::new("create", path, cause))?;
            let made = Staging::new(&folder)?;
            Ok(none.insert((folder, made)))
        }
    }
}

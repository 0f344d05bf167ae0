//! What a build may read: the site folder as a value, so that no stage touches the disk.

use std::sync::Arc;

use crate::diag::Diagnostic;
use crate::diag::Noted;
use crate::path::RelPath;

/// A file that exists.
#[derive(Clone, Debug)]
pub struct FileInfo {
    /// Where it is.
    pub path: RelPath,
    /// Its length in bytes.
    pub len: u64,
}

/// The files of a site folder.
pub trait Files: Send + Sync {
    /// All regular files below `folder`, sorted by path, with a note on each thing there that
    /// could not be listed. An absent folder is empty.
    fn list(&self, folder: &str) -> Noted<Vec<FileInfo>>;

    /// The bytes of a file; the error is a diagnostic on that file.
    fn read(&self, path: &RelPath) -> Result<Vec<u8>, Box<Diagnostic>>;
}

/// Shared by every recipe that reads.
pub type SharedFiles = Arc<dyn Files>;

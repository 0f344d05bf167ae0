//! The bytes that a stream unpacks: those of a file, or of a file in an archive.

use std::fs::File;
use std::io::{self, Read, Seek};

/// Bytes that can be read from any offset.
pub(super) trait Base: Read + Seek + Send {
    /// Returns another handle of the same bytes.
    fn try_clone(&self) -> io::Result<Box<dyn Base>>;
}

impl Base for File {
    fn try_clone(&self) -> io::Result<Box<dyn Base>> {
        Ok(Box::new(Self::try_clone(self)?))
    }
}

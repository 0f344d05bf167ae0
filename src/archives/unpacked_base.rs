//! The unpacked content of a stream, as the input of another stream: for packed files in an
//! archive.

use std::fs::File;
use std::io::{self, ErrorKind, Read, Seek, SeekFrom};
use std::sync::Arc;

use super::base::Base;
use super::stream::Stream;
use convo_base::files::Reader;

/// The unpacked content of a stream.
pub(super) struct UnpackedBase {
    file: File,
    stream: Arc<Stream>,
    at: u64,
    /// The reader at offset `at`.
    reader: Option<Reader>,
}

impl UnpackedBase {
    /// Creates the unpacked content of `stream` in a file.
    pub(super) fn new(file: File, stream: Arc<Stream>) -> Self {
        Self { file, stream, at: 0, reader: None }
    }
}

impl Base for UnpackedBase {
    fn try_clone(&self) -> io::Result<Box<dyn Base>> {
        Ok(Box::new(Self::new(self.file.try_clone()?, self.stream.clone())))
    }
}

impl Read for UnpackedBase {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let reader = match &mut self.reader {
            Some(reader) => reader,
            None => {
                let file = Box::new(self.file.try_clone()?);
                self.reader.insert(self.stream.read(file, self.at..u64::MAX))
            }
        };
        let read = reader.read(out)?;
        self.at += read as u64;
        Ok(read)
    }
}

impl Seek for UnpackedBase {
    fn seek(&mut self, place: SeekFrom) -> io::Result<u64> {
        match place {
            SeekFrom::Start(at) => {
                if at != self.at {
                    (self.at, self.reader) = (at, None);
                }
                Ok(at)
            }
            _ => Err(ErrorKind::Unsupported.into()),
        }
    }
}

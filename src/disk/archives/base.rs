//! The bytes from which a stream unpacks: those of a file, or of a file in an archive.

use std::fs::File;
use std::io::{self, ErrorKind, Read, Seek, SeekFrom};
use std::sync::Arc;

use super::stream::Stream;
use crate::files::Reader;

/// Bytes that are read from any place.
pub(super) enum Base {
    /// A file as it is.
    File(File),
    /// What another stream of a file unpacks to.
    Unpacked(Box<Unpacked>),
}

/// What a stream of a file unpacks to.
pub(super) struct Unpacked {
    file: File,
    stream: Arc<Stream>,
    at: u64,
    /// Reads on at `at`.
    reader: Option<Reader>,
}

impl Base {
    /// What `stream` unpacks from a file.
    pub(super) fn unpacked(file: File, stream: Arc<Stream>) -> Self {
        Self::Unpacked(Box::new(Unpacked { file, stream, at: 0, reader: None }))
    }

    /// Returns another one of the same bytes.
    pub(super) fn try_clone(&self) -> io::Result<Self> {
        Ok(match self {
            Self::File(file) => Self::File(file.try_clone()?),
            Self::Unpacked(inner) => {
                Self::unpacked(inner.file.try_clone()?, inner.stream.clone())
            }
        })
    }
}

impl Read for Base {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        match self {
            Self::File(file) => file.read(out),
            Self::Unpacked(inner) => inner.read(out),
        }
    }
}

impl Seek for Base {
    fn seek(&mut self, place: SeekFrom) -> io::Result<u64> {
        match (self, place) {
            (Self::File(file), place) => file.seek(place),
            (Self::Unpacked(inner), SeekFrom::Start(at)) => {
                if at != inner.at {
                    (inner.at, inner.reader) = (at, None);
                }
                Ok(at)
            }
            (Self::Unpacked(_), _) => Err(ErrorKind::Unsupported.into()),
        }
    }
}

impl Unpacked {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let reader = match &mut self.reader {
            Some(reader) => reader,
            None => {
                let file = Base::File(self.file.try_clone()?);
                self.reader.insert(self.stream.read(file, self.at..u64::MAX))
            }
        };
        let read = reader.read(out)?;
        self.at += read as u64;
        Ok(read)
    }
}

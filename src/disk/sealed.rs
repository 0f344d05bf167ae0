//! Sealed files, which start with a seal that only the same build of convo-site writes. Damaged
//! files, and files of other builds, count as missing.

use std::io::{self, BufWriter, Read, Seek, SeekFrom, Write};

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::Error;
use super::folder::{Folder, Staging};
use crate::hash::{Hash, Hashing};

/// Identifies the running build by a hash of its sources, so that files of any other version, released or
/// not, are not trusted.
#[derive(Clone, Copy)]
pub(super) struct Program(pub(super) Hash);

/// The length of a seal in hexadecimal digits.
const SEAL_BYTES: usize = 32;

impl Program {
    /// Returns the running build.
    pub(super) fn this() -> Self {
        Self(Hash::of(env!("CONVO_SITE_SOURCES")))
    }

    /// Reads the bytes of a sealed file.
    pub(super) fn read(self, folder: &Folder, name: &str) -> Option<Vec<u8>> {
        let mut all = folder.read(name).ok()?;
        let (head, bytes) = all.split_at_checked(SEAL_BYTES)?;
        if head != self.seal(Hash::of_bytes(bytes)).as_bytes() {
            return None;
        }
        all.drain(..SEAL_BYTES);
        Some(all)
    }

    /// Reads some bytes of a file whose seal was checked before.
    pub(super) fn read_range(
        self,
        folder: &Folder,
        name: &str,
        from: u64,
        len: usize,
    ) -> Option<Vec<u8>> {
        let mut file = folder.file(name).ok()?;
        file.seek(SeekFrom::Start(SEAL_BYTES as u64 + from)).ok()?;
        let mut part = vec![0; len];
        file.read_exact(&mut part).ok()?;
        Some(part)
    }

    /// Reads a value.
    pub(super) fn read_value<T: DeserializeOwned>(self, folder: &Folder, name: &str) -> Option<T> {
        postcard::from_bytes(&self.read(folder, name)?).ok()
    }

    /// Writes a sealed file.
    pub(super) fn write(
        self,
        staging: &Staging,
        folder: &Folder,
        name: &str,
        bytes: &[u8],
    ) -> Result<(), Error> {
        let seal = self.seal(Hash::of_bytes(bytes));
        staging.write(folder, name, |file| {
            file.write_all(seal.as_bytes()).and_then(|()| file.write_all(bytes))
        })
    }

    /// Writes a value, which is never in memory as a whole.
    pub(super) fn write_value<T: Serialize>(
        self,
        staging: &Staging,
        folder: &Folder,
        name: &str,
        value: &T,
    ) -> Result<(), Error> {
        staging.write(folder, name, |file| {
            file.write_all(&[0; SEAL_BYTES])?;
            let to = BufWriter::with_capacity(1 << 18, &mut *file);
            let mut hashing = HashingWriter::new(to);
            let written = postcard::to_io(value, &mut hashing).map(|_| ());
            // The library only reports that writing failed, not why.
            hashing.failed.take().map_or(Ok(()), Err)?;
            written.map_err(io::Error::other)?;
            hashing.to.flush()?;
            let seal = self.seal(hashing.hash.finish());
            drop(hashing);
            file.rewind()?;
            file.write_all(seal.as_bytes())
        })
    }

    /// Returns the seal for bytes with this hash.
    fn seal(self, bytes: Hash) -> String {
        Hash::of(&(self.0, bytes)).hex()
    }
}

/// A writer that hashes what it writes.
struct HashingWriter<W> {
    to: W,
    hash: Hashing,
    /// Why writing failed.
    failed: Option<io::Error>,
}

impl<W> HashingWriter<W> {
    fn new(to: W) -> Self {
        Self { to, hash: Hashing::default(), failed: None }
    }
}

impl<W: Write> Write for HashingWriter<W> {
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

#[cfg(test)]
mod tests {
    use super::{Folder, Program};
    use crate::hash::Hash;

    #[test]
    fn damage_is_noticed_and_read_as_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let program = Program(Hash::of_bytes(b"program"));
        let value = vec!["one".to_owned(), "two".to_owned()];
        let bytes = postcard::to_allocvec(&value).unwrap();
        let mut all = program.seal(Hash::of_bytes(&bytes)).into_bytes();
        all.extend(&bytes);
        let file = folder.path().join("x");
        let here = Folder::open(folder.path()).unwrap();
        let get = || program.read_value::<Vec<String>>(&here, "x");
        std::fs::write(&file, &all).unwrap();
        assert_eq!(get(), Some(value));
        let other = Program(Hash::of_bytes(b"other"));
        assert_eq!(other.read_value::<Vec<String>>(&here, "x"), None);
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

//! Files that are copied piece by piece, because they may be longer than memory.

use std::io::Read;
use std::sync::Arc;

use crate::diag::Diagnostic;
use crate::files::Reader;
use crate::hash::{Hash, Hashing};
use crate::path::RelPath;
use crate::sources::{Media, MediaSource, TextStore};

/// A file of the site folder that is copied as it is.
pub struct LargeFile {
    texts: Arc<TextStore>,
    file: RelPath,
    /// The hash of its bytes.
    pub hash: Hash,
    /// Its length. Bytes.
    pub len: u64,
}

/// The bytes that are in memory at a time.
const PIECE_BYTES: usize = 1 << 16;

impl LargeFile {
    /// Returns sound or a film that lies in the site folder.
    pub(super) fn of(media: &Media, texts: &Arc<TextStore>) -> Option<Self> {
        let MediaSource::File(file) = &media.source else { return None };
        let is_long = ["audio/", "video/"]
            .iter()
            .any(|kind| super::media_type(&format!(".{}", media.extension)).starts_with(kind));
        is_long.then(|| Self {
            texts: texts.clone(),
            file: file.clone(),
            hash: media.hash,
            len: media.size,
        })
    }

    /// Opens it for reading its bytes from an offset on.
    pub fn open(&self, from: u64) -> Result<Reader, Box<Diagnostic>> {
        self.texts.open(&self.file, from)
    }

    /// Shows its bytes to `take`, piece by piece. The error is that it is not what it was when the site
    /// was planned, or that it cannot be read; `take` may have seen some of it by then.
    pub fn copy(
        &self,
        mut take: impl FnMut(&[u8]) -> std::io::Result<()>,
    ) -> Result<std::io::Result<()>, Box<Diagnostic>> {
        let mut reader = self.open(0)?;
        let (mut hashing, mut piece) = (Hashing::default(), vec![0; PIECE_BYTES]);
        loop {
            let count = match reader.read(&mut piece) {
                Ok(0) => break,
                Ok(count) => count,
                Err(_) => return Err(self.texts.changed(&self.file)),
            };
            hashing.update(&piece[..count]);
            if let Err(cause) = take(&piece[..count]) {
                return Ok(Err(cause));
            }
        }
        match hashing.finish() == self.hash {
            true => Ok(Ok(())),
            false => Err(self.texts.changed(&self.file)),
        }
    }
}

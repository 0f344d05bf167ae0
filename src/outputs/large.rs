//! Files that are copied in chunks, because they may be larger than memory.

use std::io::Read;
use std::sync::Arc;

use crate::diag::Diagnostic;
use crate::files::Reader;
use crate::hash::{Hash, Hashing};
use crate::path::RelPath;
use crate::sources::{Media, MediaSource, TextStore};

/// A file of the site folder that is copied unchanged.
pub struct LargeFile {
    texts: Arc<TextStore>,
    file: RelPath,
    /// The hash of the content.
    pub hash: Hash,
    /// The length in bytes.
    pub len: u64,
}

/// The chunk size in bytes.
const PIECE_BYTES: usize = 1 << 16;

impl LargeFile {
    /// Returns an audio or video file in the site folder.
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

    /// Opens the file for reading from an offset.
    pub fn open(&self, from: u64) -> Result<Reader, Box<Diagnostic>> {
        self.texts.open(&self.file, from)
    }

    /// Passes the content to `take` in chunks. Fails if the file changed since the site was planned, or
    /// cannot be read; `take` may already have received some of the content.
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

//! A file in an archive.

use std::fs::File;
use std::ops::Range;
use std::sync::Arc;

use super::base::Base;
use super::stream::Stream;
use super::unpacked_base::UnpackedBase;
use convo_base::files::Reader;

/// A file in an archive.
#[derive(Clone)]
pub(super) struct Member {
    pub(super) stream: Arc<Stream>,
    /// The offset in the stream where it starts.
    pub(super) from: u64,
    /// Its length in bytes; a guess if it extends to the end of the stream.
    pub(super) len: u64,
    pub(super) ends_with_stream: bool,
    /// The stream that its own stream unpacks, for a packed file in an archive.
    pub(super) within: Option<Arc<Stream>>,
}

impl Member {
    /// Reads the member from an offset on. `file` is the archive.
    pub(super) fn reader(&self, file: File, from: u64) -> Reader {
        let base: Box<dyn Base> = match &self.within {
            Some(within) => Box::new(UnpackedBase::new(file, within.clone())),
            None => Box::new(file),
        };
        self.stream.read(base, self.range(from))
    }

    /// Returns the bytes of the stream from an offset on.
    fn range(&self, from: u64) -> Range<u64> {
        let end = match self.ends_with_stream {
            true => u64::MAX,
            false => self.from.saturating_add(self.len),
        };
        self.from.saturating_add(from).min(end)..end
    }
}

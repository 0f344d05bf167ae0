//! A file in an archive.

use std::ops::Range;
use std::sync::Arc;

use super::stream::Stream;

/// A file in an archive.
#[derive(Clone)]
pub(super) struct Member {
    pub(super) stream: Arc<Stream>,
    /// The byte of the stream with which it starts.
    pub(super) from: u64,
    /// Its length in bytes; a guess where it ends with the stream.
    pub(super) len: u64,
    pub(super) ends_with_stream: bool,
    /// The stream from which its own unpacks, for a packed file in an archive.
    pub(super) within: Option<Arc<Stream>>,
}

impl Member {
    /// Returns the bytes of the stream from one of its own on.
    pub(super) fn range(&self, from: u64) -> Range<u64> {
        let end = match self.ends_with_stream {
            true => u64::MAX,
            false => self.from.saturating_add(self.len),
        };
        self.from.saturating_add(from).min(end)..end
    }
}

//! Windows: unpacked data in pieces of equal length.

use std::io::ErrorKind;

/// The length of each window except the last. Bytes.
pub(super) const WINDOW: usize = 1 << 20;

/// A contiguous piece of unpacked bytes.
pub(super) struct Window {
    pub(super) bytes: Vec<u8>,
    /// For the last one, how the stream ends.
    pub(super) end: Option<End>,
}

/// The end of a stream.
#[derive(Clone, Debug)]
pub(super) enum End {
    /// The stream is complete.
    Over,
    /// The rest cannot be read.
    Broken(ErrorKind, String),
}

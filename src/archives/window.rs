//! Windows: what is unpacked, in pieces of one length.

use std::io::ErrorKind;

/// The bytes of a window, but for the last one.
pub(super) const WINDOW: usize = 1 << 20;

/// Some bytes in a row of what was unpacked.
pub(super) struct Window {
    pub(super) bytes: Vec<u8>,
    /// For the last one, how it ends.
    pub(super) end: Option<End>,
}

/// The end of a stream.
#[derive(Clone, Debug)]
pub(super) enum End {
    /// Nothing follows.
    Over,
    /// What follows cannot be read.
    Broken(ErrorKind, String),
}

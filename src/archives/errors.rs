//! Errors of what is packed.

use std::io::{self, ErrorKind};

/// The error of what is not as it should be.
pub(super) fn broken(why: &str) -> io::Error {
    io::Error::new(ErrorKind::InvalidData, format!("the compressed data cannot be read: {why}"))
}

/// The error of what ends too early.
pub(super) fn cut_off() -> io::Error {
    io::Error::new(ErrorKind::UnexpectedEof, "the archive is truncated")
}

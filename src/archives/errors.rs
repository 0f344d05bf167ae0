//! Errors in compressed data.

use std::io::{self, ErrorKind};

/// Creates the error for invalid data.
pub(super) fn broken(why: &str) -> io::Error {
    io::Error::new(ErrorKind::InvalidData, format!("the compressed data cannot be read: {why}"))
}

/// Creates the error for data that ends too early.
pub(super) fn cut_off() -> io::Error {
    io::Error::new(ErrorKind::UnexpectedEof, "the archive is truncated")
}

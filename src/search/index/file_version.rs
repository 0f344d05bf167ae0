//! Versions of files, which are a part of their URLs.

use serde::{Deserialize, Serialize};

/// The number of digits of the version of a file.
pub const VERSION_DIGITS: usize = 4;

/// The version of a file: the last digits, in base 36, of the checksum of its bytes. Two versions of a file have the
/// same digits once in 1.7 million times.
#[derive(Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct FileVersion([u8; VERSION_DIGITS]);

impl FileVersion {
    /// Returns the version of a file.
    pub(super) fn of(file: &[u8]) -> Self {
        let mut rest = checksum(file);
        let mut digits = [0; VERSION_DIGITS];
        for digit in digits.iter_mut().rev() {
            *digit = b"0123456789abcdefghijklmnopqrstuvwxyz"[rest as usize % 36];
            rest /= 36;
        }
        Self(digits)
    }

    /// Returns its digits.
    pub(super) fn text(&self) -> &str {
        std::str::from_utf8(&self.0).unwrap_or_default()
    }
}

/// The FNV-1a checksum, which is just as easy to compute in a script.
pub(super) fn checksum(bytes: &[u8]) -> u32 {
    bytes.iter().fold(0x811C_9DC5, |sum, byte| (sum ^ u32::from(*byte)).wrapping_mul(0x0100_0193))
}

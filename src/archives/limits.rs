//! Limits for archives. Real exports stay far below them.

/// The maximum number of files in an archive.
pub(super) const MAX_MEMBERS: usize = 100_000;
/// The maximum unpacked size of an archive or packed file. Bytes.
pub(super) const MAX_UNPACKED: u64 = 8 << 30;
/// The maximum ratio of unpacked to packed size for anything that unpacks to more than
/// [`UNSUSPICIOUS`]. Text usually has a ratio of about ten.
pub(super) const MAX_RATIO: u64 = 200;
/// The unpacked size that is always allowed. Bytes.
pub(super) const UNSUSPICIOUS: u64 = 32 << 20;
/// The same for a packed file in an archive, of which there may be many. Bytes.
pub(super) const UNSUSPICIOUS_INSIDE: u64 = 256 << 10;
/// The maximum size of a file that is unpacked into memory as a whole. Bytes.
pub(super) const MAX_WHOLE: u64 = 512 << 20;
/// The maximum guess for the length of a file that is known only after unpacking. Bytes.
pub(super) const MAX_GUESS: u64 = 64 << 20;

/// The guess for the length of a conversation in a database. Bytes.
#[cfg(feature = "sqlite")]
pub(super) const TALK_GUESS: u64 = 256 << 10;

/// Returns whether something unpacks to a suspicious size.
pub(super) fn is_bomb(packed: u64, unpacked: u64) -> bool {
    unpacked > UNSUSPICIOUS && unpacked / MAX_RATIO > packed
}

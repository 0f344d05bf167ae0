//! How much an archive may hold. No export that people have comes near.

/// The most files of an archive.
pub(super) const MAX_MEMBERS: usize = 100_000;
/// The most bytes that an archive or a packed file may unpack to.
pub(super) const MAX_UNPACKED: u64 = 8 << 30;
/// How many times more than its own bytes something may unpack to, once that is more than
/// [`UNSUSPICIOUS`]: text becomes about a tenth.
pub(super) const MAX_RATIO: u64 = 200;
/// The unpacked bytes that are let through however small they were.
pub(super) const UNSUSPICIOUS: u64 = 32 << 20;
/// The same of a packed file in an archive, of which there may be many.
pub(super) const UNSUSPICIOUS_INSIDE: u64 = 256 << 10;
/// The most bytes of a file that are unpacked into memory at once.
pub(super) const MAX_WHOLE: u64 = 512 << 20;
/// The most bytes that a file is guessed to have of which only unpacking it tells.
pub(super) const MAX_GUESS: u64 = 64 << 20;

/// The bytes that a conversation in a database is guessed to have.
#[cfg(feature = "sqlite")]
pub(super) const TALK_GUESS: u64 = 256 << 10;

/// Returns whether something unpacks to more than an honest file does.
pub(super) fn is_bomb(packed: u64, unpacked: u64) -> bool {
    unpacked > UNSUSPICIOUS && unpacked / MAX_RATIO > packed
}

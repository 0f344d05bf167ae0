//! Parts of files for `Range` requests, as players send them.

use std::convert::Infallible;
use std::io::Read;
use std::ops::Range;
use std::pin::Pin;
use std::task::{Context, Poll};

use hyper::body::{Body, Bytes, Frame, SizeHint};

use crate::files::Reader;

/// The number of bytes to keep in memory at a time.
const PIECE_BYTES: u64 = 1 << 16;

/// Returns the bytes that a `Range` header requests from a file of this length. Returns `None` for an unsupported
/// header, for which the whole file is sent, and `Some(None)` if the file has no such bytes.
pub(super) fn range(wanted: &str, len: u64) -> Option<Option<Range<u64>>> {
    let (first, last) = wanted.strip_prefix("bytes=")?.split_once('-')?;
    let number = |text: &str| text.trim().parse::<u64>().ok();
    let found = match (first.trim(), last.trim()) {
        ("", last) => len.saturating_sub(number(last)?)..len,
        (first, "") => number(first)?..len,
        (first, last) => {
            let (first, last) = (number(first)?, number(last)?);
            if last < first {
                return None;
            }
            first..last.saturating_add(1).min(len)
        }
    };
    Some((found.start < found.end).then_some(found))
}

/// A body that is read from a file while it is sent.
pub(super) struct Piece {
    reader: Reader,
    left: u64,
}

impl Piece {
    /// Creates a body of the next `left` bytes.
    pub(super) fn new(reader: Reader, left: u64) -> Self {
        Self { reader, left }
    }
}

impl Body for Piece {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        let mut bytes = Vec::new();
        let most = self.left.min(PIECE_BYTES);
        // If the file was truncated meanwhile, the body ends early, which the client detects.
        let read = self.reader.by_ref().take(most).read_to_end(&mut bytes);
        if most == 0 || read.is_err() || bytes.is_empty() {
            return Poll::Ready(None);
        }
        self.left -= bytes.len() as u64;
        Poll::Ready(Some(Ok(Frame::data(Bytes::from(bytes)))))
    }

    fn size_hint(&self) -> SizeHint {
        SizeHint::with_exact(self.left)
    }
}

#[cfg(test)]
mod tests {
    use super::range;

    #[test]
    fn ranges_are_those_of_players() {
        for (wanted, expected) in [
            ("bytes=0-", Some(Some(0..10))),
            ("bytes=4-7", Some(Some(4..8))),
            ("bytes=4-99", Some(Some(4..10))),
            ("bytes=-3", Some(Some(7..10))),
            ("bytes=-99", Some(Some(0..10))),
            ("bytes=10-", Some(None)),
            ("bytes=-0", Some(None)),
            ("bytes=7-4", None),
            ("bytes=0-1,4-5", None),
            ("bytes=a-b", None),
            ("lines=0-", None),
        ] {
            assert_eq!(range(wanted, 10), expected, "{wanted}");
        }
    }
}

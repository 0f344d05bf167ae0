//! Removes metadata from images: places, cameras, names, comments, thumbnails, and data appended
//! after the end.
//!
//! Nothing is decoded. An image is copied piece by piece, and only the pieces that the picture
//! needs are kept: pixels, colours and orientation.

mod exif;
mod gif;
mod heif;
mod jpeg;
mod png_chunks;
mod webp;

/// The result of stripping an image.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Stripped {
    /// There is nothing to remove, or the file is not an image of a supported format.
    AsIs,
    /// The image without metadata.
    Changed(Vec<u8>),
    /// The image is truncated or malformed, for this reason.
    Damaged(&'static str),
    /// The image contains metadata that cannot be removed.
    Kept,
}

/// Strips an image; its format is detected from its first bytes.
pub fn strip(bytes: &[u8]) -> Stripped {
    let stripped = match bytes {
        [0xff, 0xd8, ..] => jpeg::strip(bytes),
        [0x89, b'P', b'N', b'G', b'\r', b'\n', 0x1a, b'\n', ..] => png_chunks::strip(bytes),
        [b'G', b'I', b'F', b'8', b'7' | b'9', b'a', ..] => gif::strip(bytes),
        [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'E', b'B', b'P', ..] => webp::strip(bytes),
        [_, _, _, _, b'f', b't', b'y', b'p', brand @ ..] if heif::is_image(brand) => {
            return heif::strip(bytes);
        }
        _ => return Stripped::AsIs,
    };
    match stripped {
        Some(stripped) if stripped == bytes => Stripped::AsIs,
        Some(stripped) => Stripped::Changed(stripped),
        None => Stripped::Damaged("it is truncated or malformed"),
    }
}

/// Reads bytes sequentially.
#[derive(Clone, Copy)]
struct Cursor<'a> {
    rest: &'a [u8],
}

impl<'a> Cursor<'a> {
    fn new(rest: &'a [u8]) -> Self {
        Self { rest }
    }

    fn take(&mut self, count: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.rest.split_at_checked(count)?;
        self.rest = rest;
        Some(taken)
    }

    fn byte(&mut self) -> Option<u8> {
        self.take(1)?.first().copied()
    }

    fn array<const N: usize>(&mut self) -> Option<[u8; N]> {
        self.take(N)?.try_into().ok()
    }

    /// Reads a big-endian number of this many bytes.
    fn number(&mut self, bytes: usize) -> Option<u64> {
        let bytes = self.take(bytes).filter(|bytes| bytes.len() <= 8)?;
        Some(bytes.iter().fold(0, |number, byte| number << 8 | u64::from(*byte)))
    }
}

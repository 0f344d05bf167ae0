//! Images without what is not the picture: places, cameras, names, comments, thumbnails, and what
//! was hung on behind the end.
//!
//! Nothing is decoded. What an image consists of is copied piece by piece, and of the pieces only
//! those that the picture needs: its pixels, its colours and which side is up.

mod exif;
mod gif;
mod heif;
mod jpeg;
mod png_chunks;
mod webp;

/// An image as it may be published.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Stripped {
    /// It has nothing but the picture already, or is no image of a kind that is known here.
    AsIs,
    /// These bytes are the picture alone.
    Changed(Vec<u8>),
    /// It ends before its end, or is not built as its kind must be. Holds the reason.
    Damaged(&'static str),
    /// There is something beside the picture that cannot be taken out.
    Kept,
}

/// Strips an image, whose kind its first bytes tell.
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

/// Bytes that are read one after the other.
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

    /// A number of so many bytes, the most significant first.
    fn number(&mut self, bytes: usize) -> Option<u64> {
        let bytes = self.take(bytes).filter(|bytes| bytes.len() <= 8)?;
        Some(bytes.iter().fold(0, |number, byte| number << 8 | u64::from(*byte)))
    }
}

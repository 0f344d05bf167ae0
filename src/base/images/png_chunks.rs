//! Strips PNG files, which consist of chunks with a length, a name and a checksum.

use super::{Cursor, exif};

/// Chunks for the picture, its colours and the frames of an animation.
const KEPT: [&[u8; 4]; 18] = [
    b"IHDR", b"PLTE", b"IDAT", b"IEND", b"tRNS", b"cHRM", b"gAMA", b"iCCP", b"sBIT", b"sRGB",
    b"cICP", b"mDCV", b"cLLI", b"bKGD", b"hIST", b"acTL", b"fcTL", b"fdAT",
];

/// The physical size of pixels, which scans of paper need.
const DOTS: &[u8; 4] = b"pHYs";

/// The name that replaces those of colour profiles.
const PROFILE_NAME: &[u8] = b"icc";

pub(super) fn strip(bytes: &[u8]) -> Option<Vec<u8>> {
    let mut from = Cursor::new(bytes);
    let mut out = Vec::with_capacity(bytes.len());
    out.extend(from.take(8)?);
    let (mut is_first, mut has_pixels) = (true, false);
    loop {
        let whole = from.rest;
        let length = from.array().map(u32::from_be_bytes)?;
        let name: [u8; 4] = from.array()?;
        let data = from.take(usize::try_from(length).ok()?)?;
        from.take(4)?;
        let chunk = whole.get(..whole.len() - from.rest.len())?;
        if is_first != (&name == b"IHDR") {
            return None;
        }
        is_first = false;
        has_pixels |= &name == b"IDAT";
        if &name == b"iCCP" {
            // The name of a colour profile may reveal something.
            let end = data.iter().position(|byte| *byte == 0)?;
            put(&name, &[PROFILE_NAME, data.get(end..)?].concat(), &mut out);
        } else if KEPT.contains(&&name) || &name == DOTS {
            out.extend(chunk);
        } else if &name == b"eXIf"
            && let Some(orientation) = exif::orientation(data)
        {
            put(&name, &exif::with_orientation(orientation), &mut out);
        } else if name.first().is_some_and(u8::is_ascii_uppercase) {
            // Viewers must not skip unknown chunks of this kind.
            return None;
        }
        if &name == b"IEND" {
            return has_pixels.then_some(out);
        }
    }
}

/// Appends a chunk.
fn put(name: &[u8; 4], data: &[u8], out: &mut Vec<u8>) {
    out.extend((data.len() as u32).to_be_bytes());
    let named = [&name[..], data].concat();
    out.extend(&named);
    out.extend(crc32fast::hash(&named).to_be_bytes());
}

//! PNG: chunks with a length, a name and a check sum.

use super::{Cursor, exif};

/// What the picture and its colours need, and the frames of one that moves.
const KEPT: [&[u8; 4]; 18] = [
    b"IHDR", b"PLTE", b"IDAT", b"IEND", b"tRNS", b"cHRM", b"gAMA", b"iCCP", b"sBIT", b"sRGB",
    b"cICP", b"mDCV", b"cLLI", b"bKGD", b"hIST", b"acTL", b"fcTL", b"fdAT",
];

/// The size of its dots belongs to a picture on paper.
const DOTS: &[u8; 4] = b"pHYs";

/// The name that every colour profile gets.
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
            // What somebody called the profile is nobody's business.
            let end = data.iter().position(|byte| *byte == 0)?;
            put(&name, &[PROFILE_NAME, data.get(end..)?].concat(), &mut out);
        } else if KEPT.contains(&&name) || &name == DOTS {
            out.extend(chunk);
        } else if &name == b"eXIf"
            && let Some(orientation) = exif::orientation(data)
        {
            put(&name, &exif::with_orientation(orientation), &mut out);
        } else if name.first().is_some_and(u8::is_ascii_uppercase) {
            // No viewer may pass over what it does not know of this kind.
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

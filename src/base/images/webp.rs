//! Strips WebP files, which consist of chunks in a RIFF container.

use super::{Cursor, exif};

/// The feature flags for Exif and XMP.
const HAS_EXIF: u8 = 0x08;
const HAS_XMP: u8 = 0x04;
/// The size of a frame header, in bytes.
const FRAME_HEAD: usize = 16;

pub(super) fn strip(bytes: &[u8]) -> Option<Vec<u8>> {
    let mut from = Cursor::new(bytes);
    from.take(4)?;
    let length = from.array().map(u32::from_le_bytes)?;
    // Anything after this length is not part of the image.
    let mut from = Cursor::new(from.take(usize::try_from(length).ok()?)?);
    from.take(4)?;
    let mut out = b"RIFF\0\0\0\0WEBP".to_vec();
    out.reserve(bytes.len());
    let mut features = None;
    let (mut has_pixels, mut has_orientation) = (false, false);
    while !from.rest.is_empty() {
        let (name, data) = chunk(&mut from)?;
        match &name {
            b"VP8X" => {
                // The position of the feature flags.
                features = Some(out.len() + 8);
                put(&mut out, &name, data)?;
            }
            b"VP8 " | b"VP8L" => {
                has_pixels = true;
                put(&mut out, &name, data)?;
            }
            b"ALPH" | b"ANIM" | b"ICCP" => put(&mut out, &name, data)?,
            b"ANMF" => {
                has_pixels = true;
                put(&mut out, &name, &frame(data)?)?;
            }
            b"EXIF" if !has_orientation => {
                let tiff = data.strip_prefix(b"Exif\0\0").unwrap_or(data);
                if let Some(orientation) = exif::orientation(tiff) {
                    has_orientation = true;
                    put(&mut out, &name, &exif::with_orientation(orientation))?;
                }
            }
            _ => {}
        }
    }
    if let Some(features) = features.and_then(|at| out.get_mut(at)) {
        *features &= !(HAS_XMP | HAS_EXIF);
        *features |= if has_orientation { HAS_EXIF } else { 0 };
    }
    let length = u32::try_from(out.len() - 8).ok()?;
    out.get_mut(4..8)?.copy_from_slice(&length.to_le_bytes());
    has_pixels.then_some(out)
}

fn chunk<'a>(from: &mut Cursor<'a>) -> Option<([u8; 4], &'a [u8])> {
    let name = from.array()?;
    let length = usize::try_from(from.array().map(u32::from_le_bytes)?).ok()?;
    let data = from.take(length)?;
    // Chunks of odd length are padded; some programs forget this at the end of the file.
    if length % 2 == 1 && !from.rest.is_empty() {
        from.take(1)?;
    }
    Some((name, data))
}

fn put(out: &mut Vec<u8>, name: &[u8; 4], data: &[u8]) -> Option<()> {
    out.extend(name);
    out.extend(u32::try_from(data.len()).ok()?.to_le_bytes());
    out.extend(data);
    if data.len() % 2 == 1 {
        out.push(0);
    }
    Some(())
}

/// Returns a frame with only its pixels.
fn frame(data: &[u8]) -> Option<Vec<u8>> {
    let mut from = Cursor::new(data);
    let mut out = from.take(FRAME_HEAD)?.to_vec();
    while !from.rest.is_empty() {
        let (name, data) = chunk(&mut from)?;
        if matches!(&name, b"VP8 " | b"VP8L" | b"ALPH") {
            put(&mut out, &name, data)?;
        }
    }
    Some(out)
}

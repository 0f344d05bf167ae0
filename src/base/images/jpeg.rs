//! Strips JPEG files, which consist of segments and scans of entropy-coded data.

use super::{Cursor, exif};

const EXIF: &[u8] = b"Exif\0\0";
const JFIF: &[u8] = b"JFIF\0";
const ICC: &[u8] = b"ICC_PROFILE\0";
const ADOBE: &[u8] = b"Adobe";
/// The size of an Adobe segment without its length field, in bytes.
const ADOBE_LEN: usize = 12;
/// The size of a JFIF segment without a thumbnail, including its length field, in bytes.
const JFIF_LEN: usize = 16;

/// Copies the picture up to its end. Anything after that is another picture, a video or an archive,
/// which viewers do not show.
pub(super) fn strip(bytes: &[u8]) -> Option<Vec<u8>> {
    let mut from = Cursor::new(bytes);
    let mut out = Vec::with_capacity(bytes.len());
    out.extend(from.take(2)?);
    let (mut has_scan, mut has_orientation) = (false, false);
    loop {
        if from.byte()? != 0xff {
            return None;
        }
        let mut marker = from.byte()?;
        while marker == 0xff {
            marker = from.byte()?;
        }
        match marker {
            // End of image.
            0xd9 => {
                out.extend([0xff, 0xd9]);
                return has_scan.then_some(out);
            }
            // Markers without a segment.
            0x01 | 0xd0..=0xd7 => {
                out.extend([0xff, marker]);
                continue;
            }
            0x00 | 0xd8 => return None,
            _ => {}
        }
        let length = from.array().map(u16::from_be_bytes)?;
        let data = from.take(usize::from(length).checked_sub(2)?)?;
        match marker {
            0xe0 if data.starts_with(JFIF) => {
                let mut head = data.get(..JFIF_LEN - 2)?.to_vec();
                // The width and height of the thumbnail.
                head.iter_mut().skip(JFIF_LEN - 4).for_each(|size| *size = 0);
                put(&mut out, marker, &head);
            }
            0xe1 if data.starts_with(EXIF) && !has_orientation => {
                let orientation = data.get(EXIF.len()..).and_then(exif::orientation);
                if let Some(orientation) = orientation {
                    has_orientation = true;
                    let tiff = exif::with_orientation(orientation);
                    put(&mut out, marker, &[EXIF, &tiff].concat());
                }
            }
            0xe2 if data.starts_with(ICC) => put(&mut out, marker, data),
            // The colour transform of the components.
            0xee if data.starts_with(ADOBE) => {
                put(&mut out, marker, data.get(..ADOBE_LEN)?);
            }
            // Start of scan: two bytes per component, and three more.
            0xda => {
                put(&mut out, marker, data.get(..4 + 2 * usize::from(*data.first()?))?);
                out.extend(from.take(scan_len(from.rest)?)?);
                has_scan = true;
            }
            // The restart interval.
            0xdd => put(&mut out, marker, data.get(..2)?),
            // Tables.
            0xc4 | 0xcc | 0xdb | 0xdc | 0xde | 0xdf => put(&mut out, marker, data),
            // The size of the picture, and three bytes per component.
            0xc0..=0xcf if marker != 0xc8 => {
                put(&mut out, marker, data.get(..6 + 3 * usize::from(*data.get(5)?))?);
            }
            // Other application data, comments and unused segments are dropped.
            _ => {}
        }
    }
}

fn put(out: &mut Vec<u8>, marker: u8, data: &[u8]) {
    let length = u16::try_from(data.len() + 2).unwrap_or(u16::MAX);
    out.extend([0xff, marker]);
    out.extend(length.to_be_bytes());
    out.extend(data);
}

/// Returns the length of a scan, up to the first marker that is not part of it.
fn scan_len(rest: &[u8]) -> Option<usize> {
    let belongs = |byte: u8| matches!(byte, 0x00 | 0xd0..=0xd7);
    let ends = |pair: &[u8]| matches!(pair, [0xff, next] if *next != 0xff && !belongs(*next));
    rest.windows(2).position(ends)
}

//! The orientation in Exif data. Nothing else in it is kept.

/// The tag of the orientation.
const ORIENTATION: u16 = 0x0112;
/// The type of two-byte numbers.
const SHORT: u16 = 3;
/// The maximum number of tags that are read.
const MAX_TAGS: usize = 1000;

/// Returns the orientation from Exif data without the header of its container; `None` if the
/// picture is already upright.
pub(super) fn orientation(tiff: &[u8]) -> Option<u8> {
    let is_big = match tiff.get(..4)? {
        b"MM\0*" => true,
        b"II*\0" => false,
        _ => return None,
    };
    let short = |at: usize| -> Option<u16> {
        let bytes = tiff.get(at..at.checked_add(2)?)?.try_into().ok()?;
        Some(if is_big { u16::from_be_bytes(bytes) } else { u16::from_le_bytes(bytes) })
    };
    let long = |at: usize| -> Option<usize> {
        let bytes = tiff.get(at..at.checked_add(4)?)?.try_into().ok()?;
        let number = if is_big { u32::from_be_bytes(bytes) } else { u32::from_le_bytes(bytes) };
        usize::try_from(number).ok()
    };
    let table = long(4)?;
    let count = usize::from(short(table)?).min(MAX_TAGS);
    for index in 0..count {
        let at = table.checked_add(2 + 12 * index)?;
        if short(at)? == ORIENTATION && short(at + 2)? == SHORT {
            let value = u8::try_from(short(at + 8)?).ok()?;
            return Some(value).filter(|value| (2..=8).contains(value));
        }
    }
    None
}

/// Returns Exif data with only an orientation.
pub(super) fn with_orientation(orientation: u8) -> Vec<u8> {
    let mut tiff = b"MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0".to_vec();
    tiff.extend([orientation, 0, 0, 0, 0, 0, 0]);
    tiff
}

//! Strips GIF files, which consist of images and extensions.

use super::Cursor;

/// Application extensions for animation loops and colour profiles.
const KEPT: [&[u8]; 3] = [b"NETSCAPE2.0", b"ANIMEXTS1.0", b"ICCRGBG1012"];

pub(super) fn strip(bytes: &[u8]) -> Option<Vec<u8>> {
    let mut from = Cursor::new(bytes);
    let mut out = Vec::with_capacity(bytes.len());
    let head = from.take(13)?;
    out.extend(head);
    out.extend(from.take(colors_len(*head.get(10)?))?);
    let mut has_pixels = false;
    loop {
        let whole = from.rest;
        match from.byte()? {
            0x2c => {
                let head = from.take(9)?;
                from.take(colors_len(*head.get(8)?))?;
                from.byte()?;
                sub_blocks(&mut from)?;
                out.extend(whole.get(..whole.len() - from.rest.len())?);
                has_pixels = true;
            }
            0x21 => {
                let label = from.byte()?;
                let first = sub_blocks(&mut from)?;
                let is_kept = match label {
                    0xf9 => true,
                    0xff => KEPT.contains(&first),
                    _ => false,
                };
                if is_kept {
                    out.extend(whole.get(..whole.len() - from.rest.len())?);
                }
            }
            0x3b => {
                out.push(0x3b);
                return has_pixels.then_some(out);
            }
            _ => return None,
        }
    }
}

/// Returns the size of a colour table, in bytes, from its flags.
fn colors_len(flags: u8) -> usize {
    if flags & 0x80 == 0 { 0 } else { 3 << ((flags & 7) + 1) }
}

/// Skips sub-blocks, and returns the first.
fn sub_blocks<'a>(from: &mut Cursor<'a>) -> Option<&'a [u8]> {
    let length = usize::from(from.byte()?);
    let first = from.take(length)?;
    let mut length = length;
    while length > 0 {
        length = usize::from(from.byte()?);
        from.take(length)?;
    }
    Some(first)
}

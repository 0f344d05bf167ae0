//! Strips AVIF and HEIC files, which consist of boxes and a table of items. Metadata is overwritten
//! with zeros, so that no offset changes.

use std::collections::BTreeSet;

use super::{Cursor, Stripped};

/// The maximum number of items, and of their extents.
const MAX_ITEMS: u64 = 4096;
const MAX_PLACES: u64 = 4 * MAX_ITEMS;

/// Returns whether a file with this brand is an image.
pub(super) fn is_image(brand: &[u8]) -> bool {
    matches!(
        brand.get(..4),
        Some(b"avif" | b"avis" | b"heic" | b"heix" | b"hevc" | b"mif1" | b"msf1")
    )
}

pub(super) fn strip(bytes: &[u8]) -> Stripped {
    let Some(found) = find(bytes) else {
        return Stripped::Damaged("it is truncated or malformed");
    };
    let mut out = bytes.to_vec();
    for (from, to) in found.ranges {
        match out.get_mut(from..to) {
            Some(range) => range.fill(0),
            None => {
                return Stripped::Damaged("it has data in an unexpected place");
            }
        }
    }
    match (found.is_sure, out == bytes) {
        (false, _) => Stripped::Kept,
        (true, true) => Stripped::AsIs,
        (true, false) => Stripped::Changed(out),
    }
}

/// The parts of a file that are not the picture.
struct Found {
    ranges: Vec<(usize, usize)>,
    /// Whether all such parts were found.
    is_sure: bool,
}

fn find(bytes: &[u8]) -> Option<Found> {
    let mut found = Found { ranges: Vec::new(), is_sure: true };
    let mut has_items = false;
    for top in Boxes::new(bytes, 0) {
        let top = top?;
        match &top.name {
            b"ftyp" | b"mdat" => {}
            b"free" | b"skip" | b"uuid" => found.ranges.push((top.from, top.to)),
            b"meta" => {
                has_items = true;
                let items = items(bytes, &top)?;
                found.is_sure &= items.is_sure;
                found.ranges.extend(items.ranges);
            }
            // Image sequences and unknown boxes.
            _ => found.is_sure = false,
        }
    }
    has_items.then_some(found)
}

/// A box: its name, and the range of its content.
struct Boxed {
    name: [u8; 4],
    from: usize,
    to: usize,
}

struct Boxes<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Boxes<'a> {
    /// Iterates over the boxes from an offset to the end.
    fn new(bytes: &'a [u8], at: usize) -> Self {
        Self { bytes, at }
    }

    fn read(&self) -> Option<Boxed> {
        let mut from = Cursor::new(self.bytes.get(self.at..)?);
        let all = from.rest.len();
        let short = from.number(4)?;
        let name = from.array()?;
        let length = match short {
            0 => all,
            1 => usize::try_from(from.number(8)?).ok()?,
            short => usize::try_from(short).ok()?,
        };
        let head = all - from.rest.len();
        from.take(length.checked_sub(head)?)?;
        Some(Boxed { name, from: self.at + head, to: self.at + length })
    }
}

impl Iterator for Boxes<'_> {
    type Item = Option<Boxed>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.at >= self.bytes.len() {
            return None;
        }
        let found = self.read();
        self.at = found.as_ref().map_or(self.bytes.len(), |found| found.to);
        Some(found)
    }
}

/// Finds the items that are metadata.
fn items(bytes: &[u8], meta: &Boxed) -> Option<Found> {
    let inside = bytes.get(..meta.to)?;
    let (mut reported, mut places, mut data) = (BTreeSet::new(), None, None);
    let mut is_sure = true;
    for part in Boxes::new(inside, meta.from.checked_add(4)?) {
        let part = part?;
        match &part.name {
            b"iinf" => (reported, is_sure) = metadata_items(inside.get(..part.to)?, part.from)?,
            b"iloc" => places = inside.get(part.from..part.to),
            b"idat" => data = Some(part.from),
            _ => {}
        }
    }
    let mut ranges = Vec::new();
    if !reported.is_empty() {
        let mut seen = 0;
        places_of(places?, &mut |item, method, from, length| {
            let base = match method {
                0 => Some(0),
                1 => data,
                _ => None,
            };
            if reported.contains(&item) {
                seen += 1;
                let from = base.and_then(|base| base.checked_add(from));
                match from.and_then(|from| Some((from, from.checked_add(length)?))) {
                    // A length of 0 means the rest of the file.
                    Some(range) if length > 0 => ranges.push(range),
                    _ => is_sure = false,
                }
            }
        })?;
        is_sure &= seen >= reported.len();
    }
    Some(Found { ranges, is_sure })
}

/// Returns the ids of items with Exif data or text, and whether all others are known to be
/// pictures.
fn metadata_items(bytes: &[u8], at: usize) -> Option<(BTreeSet<u64>, bool)> {
    let mut head = Cursor::new(bytes.get(at..)?);
    let version = head.number(4)? >> 24;
    let wide = if version == 0 { 2 } else { 4 };
    head.number(wide)?;
    let (mut reported, mut is_sure) = (BTreeSet::new(), true);
    for entry in Boxes::new(bytes, at + 4 + wide) {
        let entry = entry?;
        let mut from = Cursor::new(bytes.get(entry.from..entry.to)?);
        let version = from.number(4)? >> 24;
        if &entry.name != b"infe" || version < 2 || reported.len() as u64 >= MAX_ITEMS {
            is_sure = false;
            continue;
        }
        let id = from.number(if version == 2 { 2 } else { 4 })?;
        from.number(2)?;
        match &from.array()? {
            b"Exif" | b"mime" | b"uri " => _ = reported.insert(id),
            b"av01" | b"hvc1" | b"grid" | b"iovl" | b"iden" | b"jpeg" | b"tmap" => {}
            _ => is_sure = false,
        }
    }
    Some((reported, is_sure))
}

/// Calls `tell` for each extent of each item with its id, construction method, offset and length.
fn places_of(bytes: &[u8], report: &mut dyn FnMut(u64, u64, usize, usize)) -> Option<()> {
    let mut from = Cursor::new(bytes);
    let version = from.number(4)? >> 24;
    let sizes = from.number(2)?;
    let size = |shift: u32| (sizes >> shift & 15) as usize;
    let (offset, length, base) = (size(12), size(8), size(4));
    let index = if version == 0 { 0 } else { size(0) };
    let wide = if version < 2 { 2 } else { 4 };
    let count = from.number(wide)?;
    if count > MAX_ITEMS {
        return None;
    }
    let mut left = MAX_PLACES;
    for _ in 0..count {
        let id = from.number(wide)?;
        let method = if version == 0 { 0 } else { from.number(2)? & 15 };
        from.number(2)?;
        let start = from.number(base)?;
        let extents = from.number(2)?;
        for _ in 0..extents {
            left = left.checked_sub(1)?;
            from.number(index)?;
            let at = start.checked_add(from.number(offset)?)?;
            let length = from.number(length)?;
            report(id, method, usize::try_from(at).ok()?, usize::try_from(length).ok()?);
        }
    }
    Some(())
}

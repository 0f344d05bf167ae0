//! ZIP files: the directory at the end or, if it is missing, the headers before the files.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::ops::Range;
use std::sync::Arc;

use rawzip::{MAX_CENTRAL_DIRECTORY_RECORD_SIZE, ZipArchive};

use super::cache::Cache;
use super::deflate::{Deflated, Wrapper};
use super::listing::{Listed, Reason};
use super::member::Member;
use super::member_name;
use super::packing::Packing;
use super::stream::Stream;

/// The number of the method without compression.
const STORED: u16 = 0;
/// The number of the method DEFLATE.
const DEFLATED: u16 = 8;
/// The maximum number of headers: files and folders.
const MAX_HEADS: usize = 500_000;
/// The signature at the start of a file header.
const HEAD: [u8; 4] = *b"PK\x03\x04";
/// The length of a file header before the name. Bytes.
const HEAD_BYTES: usize = 30;

/// A file according to the directory or its header.
struct HeaderInfo {
    name: Vec<u8>,
    is_encrypted: bool,
    is_link: bool,
    method: u16,
    packed: u64,
    len: u64,
    crc: u32,
    /// The offset of its header.
    head: u64,
}

/// Lists the content of a ZIP file.
pub(super) fn list(mut file: File, len: u64, cache: &Arc<Cache>, listed: &mut Listed) {
    let mut start = [0; 2];
    let is_zip = file.read_exact(&mut start).is_ok() && start == *b"PK";
    let mut count = 0;
    let result = directory(&file, &mut |header| {
        count += 1;
        take(&file, &header, cache, listed);
        !listed.is_full()
    });
    if let Err(why) = result {
        if !is_zip {
            listed.broken("not a ZIP file");
            return;
        }
        listed.broken(&format!("the archive is truncated or damaged ({why})"));
        if count == 0 {
            // The damage has been reported, so further errors are ignored.
            let _ = salvage(&file, len, cache, listed);
        }
    }
    drop_overlapping(listed);
}

/// Adds a file to the list.
fn take(file: &File, header: &HeaderInfo, cache: &Arc<Cache>, listed: &mut Listed) {
    let Some(name) = listed.name(&member_name::text(&header.name)) else { return };
    let reason = match header.method {
        _ if header.is_encrypted => Some(Reason::Encrypted),
        _ if header.is_link => Some(Reason::Link),
        STORED | DEFLATED => None,
        _ => Some(Reason::Method),
    };
    if let Some(reason) = reason {
        listed.skip(reason, &name);
        return;
    }
    let Ok(from) = data_of(file, header.head) else {
        listed.skip(Reason::Lost, &name);
        return;
    };
    let range = from..from.saturating_add(header.packed);
    let stream = match header.method {
        STORED => Stream::new(Packing::None, range, cache),
        _ => Stream::deflated(range, Some((header.len, header.crc)), cache),
    };
    let len = if header.method == STORED { header.packed } else { header.len };
    let (stream, from) = (Arc::new(stream), 0);
    let member = Member { stream, from, len, ends_with_stream: false, within: None };
    listed.add(name, header.packed, Some(header.crc), member);
}

/// Returns the offset of the compressed data after the header at `head`.
fn data_of(mut file: &File, head: u64) -> io::Result<u64> {
    let mut bytes = [0; HEAD_BYTES];
    file.seek(SeekFrom::Start(head))?;
    file.read_exact(&mut bytes)?;
    if !bytes.starts_with(&HEAD) {
        return Err(io::Error::other("no file at the offset given in the directory"));
    }
    let (name, extra) = (number(&bytes, 26, 2), number(&bytes, 28, 2));
    Ok(head + HEAD_BYTES as u64 + name + extra)
}

/// Returns a number of this many bytes; 0 if there are not enough bytes.
fn number(bytes: &[u8], at: usize, len: usize) -> u64 {
    let found = bytes.get(at..at + len).unwrap_or_default();
    found.iter().rev().fold(0, |sum, byte| sum << 8 | u64::from(*byte))
}

/// Removes files that overlap others. Real archives have none, but small archives that unpack to
/// petabytes do.
fn drop_overlapping(listed: &mut Listed) {
    let place = |(name, member): (&str, &Member)| (member.stream.place(), name.to_owned());
    let mut places: Vec<(Range<u64>, String)> = listed.members().map(place).collect();
    places.sort_by_key(|(place, _)| (place.start, place.end));
    let mut end = 0;
    for (place, name) in places {
        if place.start < end {
            listed.remove(&name, Reason::Overlap);
        }
        end = end.max(place.end);
    }
}

/// Finds the files one after the other if there is no directory. The last one may be truncated.
fn salvage(mut file: &File, len: u64, cache: &Arc<Cache>, listed: &mut Listed) -> io::Result<()> {
    let mut at = 0;
    for _ in 0..MAX_HEADS {
        let mut bytes = [0; HEAD_BYTES];
        file.seek(SeekFrom::Start(at))?;
        file.read_exact(&mut bytes)?;
        if !bytes.starts_with(&HEAD) || listed.is_full() {
            return Ok(());
        }
        let mut name = vec![0; number(&bytes, 26, 2) as usize];
        let mut extra = vec![0; number(&bytes, 28, 2) as usize];
        file.read_exact(&mut name)?;
        file.read_exact(&mut extra)?;
        let (flags, method) = (number(&bytes, 6, 2), number(&bytes, 8, 2) as u16);
        let (mut packed, mut unpacked) = (number(&bytes, 18, 4), number(&bytes, 22, 4));
        if packed == ESCAPED || unpacked == ESCAPED {
            (unpacked, packed) = long_sizes(&extra).unwrap_or((unpacked, packed));
        }
        let crc = number(&bytes, 14, 4) as u32;
        let from = at + HEAD_BYTES as u64 + (name.len() + extra.len()) as u64;
        let is_encrypted = flags & 1 != 0;
        let has_descriptor = flags & 8 != 0;
        if has_descriptor && (method != DEFLATED || is_encrypted) {
            return Ok(());
        }
        let mut is_cut = from.saturating_add(packed) > len;
        if has_descriptor || is_cut && method == DEFLATED {
            // Its end is known only after unpacking.
            let deflated = Deflated::new(from..len, Wrapper::Bare(None));
            let measured = deflated.measure(&mut file.try_clone()?);
            (packed, unpacked, is_cut) = measured;
        }
        let header = HeaderInfo {
            is_link: false,
            name,
            is_encrypted,
            method,
            packed,
            len: unpacked,
            crc,
            head: at,
        };
        if has_descriptor || is_cut {
            if let Some(name) = listed.name(&member_name::text(&header.name)) {
                let stream = match method {
                    STORED => Stream::new(Packing::None, from..len, cache),
                    _ => Stream::deflated(from..from + packed, None, cache),
                };
                let (stream, ends_with_stream) = (Arc::new(stream), method == DEFLATED);
                let (from, len, within) = (0, unpacked, None);
                let member = Member { stream, from, len, ends_with_stream, within };
                listed.add(name, packed, None, member);
            }
        } else {
            take(file, &header, cache, listed);
        }
        if is_cut {
            return Ok(());
        }
        at = from + packed;
        if has_descriptor {
            at = next_head(file, at)?;
        }
    }
    Ok(())
}

/// The value of a size that is stored in the extra field instead.
const ESCAPED: u64 = 0xffff_ffff;

/// Returns the unpacked and the packed size from the extra field.
fn long_sizes(extra: &[u8]) -> Option<(u64, u64)> {
    let mut rest = extra;
    while rest.len() >= 4 {
        let (id, len) = (number(rest, 0, 2), number(rest, 2, 2) as usize);
        if id == 1 && len >= 16 {
            return Some((number(rest, 4, 8), number(rest, 12, 8)));
        }
        rest = rest.get(4 + len..)?;
    }
    None
}

/// Returns the offset of the next file, after a data descriptor.
fn next_head(mut file: &File, at: u64) -> io::Result<u64> {
    let mut bytes = Vec::new();
    file.seek(SeekFrom::Start(at))?;
    file.take(28).read_to_end(&mut bytes)?;
    let lens = [12, 16, 20, 24];
    let fits = |len: &u64| {
        let rest = bytes.get(*len as usize..).unwrap_or_default();
        rest.starts_with(&HEAD) || rest.starts_with(b"PK\x01\x02")
    };
    let len = lens.into_iter().find(fits);
    len.map(|len| at + len).ok_or_else(|| io::Error::other("no file follows"))
}

/// Reads the directory at the end.
fn directory(
    file: &File,
    take: &mut dyn FnMut(HeaderInfo) -> bool,
) -> Result<(), Box<dyn std::error::Error>> {
    let mut buffer = vec![0; MAX_CENTRAL_DIRECTORY_RECORD_SIZE];
    let archive = ZipArchive::from_file(file.try_clone()?, &mut buffer)?;
    let mut entries = archive.entries(&mut buffer);
    let mut count = 0;
    while let Some(entry) = entries.next_entry()? {
        count += 1;
        if count > MAX_HEADS {
            return Err("it has too many entries".into());
        }
        if entry.is_dir() {
            continue;
        }
        let flags = entry.flags();
        let continues = take(HeaderInfo {
            name: entry.file_path().as_bytes().to_vec(),
            is_encrypted: flags.is_encrypted() || flags.is_masked(),
            is_link: entry.mode().is_symlink(),
            method: entry.compression_method().as_u16(),
            packed: entry.compressed_size_hint(),
            len: entry.uncompressed_size_hint(),
            crc: entry.crc32(),
            head: entry.local_header_offset(),
        });
        if !continues {
            break;
        }
    }
    Ok(())
}

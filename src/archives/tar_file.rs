//! Tar files: a header before each file.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, ErrorKind, Read};
use std::sync::Arc;

use tar::{Archive, EntryType};

use super::listing::{Listed, Reason};
use super::member::Member;
use super::member_name;
use super::stream::Stream;

/// The maximum length of a name that is stored before its file. Bytes.
const MAX_NAME: u64 = 64 << 10;
/// The maximum number of headers: files, folders and extended headers.
const MAX_HEADS: usize = 500_000;

/// Lists the content of a tar file.
pub(super) fn list(file: File, stream: &Arc<Stream>, listed: &mut Listed) {
    let result = if stream.is_plain() {
        let mut archive = Archive::new(file);
        let entries = archive.entries_with_seek();
        entries.and_then(|entries| read(entries.raw(true), stream, listed))
    } else {
        let mut archive = Archive::new(stream.read(Box::new(file), 0..u64::MAX));
        let entries = archive.entries();
        entries.and_then(|entries| read(entries.raw(true), stream, listed))
    };
    if let Err(error) = result {
        let is_first = listed.members().next().is_none();
        listed.broken(&match error.kind() {
            ErrorKind::UnexpectedEof => "the archive is truncated".to_owned(),
            _ if is_first => format!("not a tar file: {error}"),
            _ => format!("the archive is damaged after the files that were read: {error}"),
        });
    }
}

fn read<R: Read>(
    entries: tar::Entries<'_, R>,
    stream: &Arc<Stream>,
    listed: &mut Listed,
) -> io::Result<()> {
    let place = stream.place();
    // The attributes in an extended header apply to the next file.
    let mut overrides: BTreeMap<&str, Vec<u8>> = BTreeMap::new();
    for (count, entry) in entries.enumerate() {
        let mut entry = entry?;
        let (kind, len) = (entry.header().entry_type(), entry.size());
        if count >= MAX_HEADS || listed.is_full() {
            let name = member_name::text(&entry.path_bytes());
            listed.skip(Reason::TooMany, &name);
            return Ok(());
        }
        match kind {
            EntryType::GNULongName => {
                let mut name = text(&mut entry, len)?;
                let end = name.iter().position(|byte| *byte == 0);
                name.truncate(end.unwrap_or(name.len()));
                overrides.insert("path", name);
                continue;
            }
            EntryType::XHeader => {
                let extension = text(&mut entry, len)?;
                overrides.extend(path_of(&extension).map(|path| ("path", path)));
                let is_sparse = extension.windows(10).any(|some| some == b"GNU.sparse");
                overrides.extend(is_sparse.then(|| ("sparse", Vec::new())));
                continue;
            }
            EntryType::GNULongLink | EntryType::XGlobalHeader => continue,
            _ => {}
        }
        let is_sparse = overrides.remove("sparse").is_some();
        let name = overrides.remove("path").unwrap_or_else(|| entry.path_bytes().into_owned());
        let name = member_name::text(&name);
        overrides.clear();
        match kind {
            EntryType::Directory => {}
            EntryType::Regular | EntryType::Continuous if is_sparse => {
                listed.skip(Reason::Special, &name);
            }
            // Old programs mark folders by a slash in the name.
            EntryType::Regular if name.ends_with('/') => {}
            EntryType::Regular | EntryType::Continuous => {
                let from = entry.raw_file_position();
                let Some(name) = listed.name(&name) else { continue };
                if stream.is_plain() && from.saturating_add(len) > place.end {
                    listed.broken("the archive is truncated in the last file");
                }
                let stream = stream.clone();
                let (ends_with_stream, within) = (false, None);
                let member = Member { stream, from, len, ends_with_stream, within };
                // The compression is only known for the archive as a whole.
                listed.add(name, len, None, member);
            }
            EntryType::Symlink | EntryType::Link => {
                if listed.name(&name).is_some() {
                    listed.skip(Reason::Link, &name);
                }
            }
            _ => listed.skip(Reason::Special, &name),
        }
    }
    Ok(())
}

/// Reads an extended header about the next file.
fn text(entry: &mut impl Read, len: u64) -> io::Result<Vec<u8>> {
    if len > MAX_NAME {
        return Err(io::Error::other("a name is too long"));
    }
    let mut text = Vec::new();
    entry.take(MAX_NAME).read_to_end(&mut text)?;
    Ok(text)
}

/// Finds the path among records such as `17 path=a/b.json`, which start with their length.
fn path_of(rows: &[u8]) -> Option<Vec<u8>> {
    let mut rest = rows;
    let mut found = None;
    while let Some(space) = rest.iter().position(|byte| *byte == b' ') {
        let len: usize = std::str::from_utf8(&rest[..space]).ok()?.parse().ok()?;
        let row = rest.get(space + 1..len.checked_sub(1)?)?;
        found = row.strip_prefix(b"path=").map(<[u8]>::to_vec).or(found);
        rest = rest.get(len..)?;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::path_of;

    #[test]
    fn a_path_follows_its_length() {
        assert_eq!(path_of(b"17 path=a/b.json\n"), Some(b"a/b.json".to_vec()));
        assert_eq!(path_of(b"12 mtime=1.\n9 path=x\n"), Some(b"x".to_vec()));
        for broken in [&b"9 path"[..], b"0 path=x\n", b"x path=x\n", b""] {
            assert_eq!(path_of(broken), None);
        }
    }
}

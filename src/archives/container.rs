//! An archive or a packed file, with its members.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::sync::Arc;
#[cfg(feature = "sqlite")]
use std::{path::Path, time::SystemTime};

use super::cache::Cache;
#[cfg(feature = "sqlite")]
use super::database;
use super::kind::Kind;
#[cfg(feature = "sqlite")]
use super::kind::kind_of;
use super::limits::MAX_GUESS;
use super::listing::Listed;
use super::member::Member;
use super::packing::Packing;
use super::stream::Stream;
use super::{Access, copies, nested, tar_file, zip_file};
use convo_base::diag::Diagnostic;
use convo_base::files::{FileInfo, Stamp};
use convo_base::path::RelPath;

/// An archive or a packed file.
pub(super) struct Container {
    /// The archive file itself.
    pub(super) path: RelPath,
    /// The stamp of the file, and the one that changes whenever its content does, including the log
    /// of a database.
    own: Option<Stamp>,
    pub(super) stamp: Option<Stamp>,
    /// The members by their paths inside the container; the path of a packed file's only member is
    /// empty.
    pub(super) members: BTreeMap<String, Member>,
    pub(super) notes: Vec<Diagnostic>,
}

impl Container {
    /// Returns whether the listing is up to date.
    pub(super) fn is_current(&self, file: &FileInfo, access: &Access<'_>) -> bool {
        let is_same = self.path == file.path && self.own.is_some() && self.own == file.stamp;
        #[cfg(feature = "sqlite")]
        if is_same && is_database_name(file.path.as_str()) {
            let now = (access.place)(&file.path).ok();
            return now.and_then(|path| with_log(self.own?, &path)) == self.stamp;
        }
        let _ = access;
        is_same
    }

    pub(super) fn read(
        info: &FileInfo,
        kind: Kind,
        access: &Access<'_>,
        cache: &Arc<Cache>,
    ) -> Option<Self> {
        let mut listed = Listed::new(&info.path);
        #[cfg_attr(
            not(feature = "sqlite"),
            allow(unused_mut, reason = "only a database has another stamp")
        )]
        let mut stamp = info.stamp;
        match (access.open)(&info.path) {
            #[cfg(feature = "sqlite")]
            Ok(file) if kind == Kind::Database => {
                let path = (access.place)(&info.path).ok()?;
                if !is_database(&file) || !database::list(&path, cache, &mut listed) {
                    return None;
                }
                stamp = stamp.and_then(|stamp| with_log(stamp, &path));
            }
            Ok(file) => match kind {
                Kind::Tar(packing) | Kind::Packed(packing) if !is_packed(&file, packing) => {
                    listed.broken(&format!("not a {} file", packing.name()));
                }
                Kind::Zip => zip_file::list(file, info.len, cache, &mut listed),
                Kind::Tar(packing) => {
                    let stream = Stream::new(packing, 0..info.len, cache);
                    tar_file::list(file, &Arc::new(stream), &mut listed);
                }
                Kind::Packed(packing) => {
                    pack(file, info.len, packing, cache, &mut listed);
                }
                #[cfg(feature = "sqlite")]
                Kind::Database => return None,
            },
            Err(error) => listed.broken(&format!("cannot be read: {error}")),
        }
        if matches!(kind, Kind::Zip | Kind::Tar(_)) {
            nested::open_packed(&mut listed, info.len, cache);
            copies::choose(&mut listed, &|member, most| {
                let file = (access.open)(&info.path).ok()?;
                let mut bytes = Vec::new();
                member.reader(file, 0).take(most + 1).read_to_end(&mut bytes).ok()?;
                (bytes.len() as u64 <= most).then_some(bytes)
            });
        }
        let (members, notes) = listed.finish();
        Some(Self { path: info.path.clone(), own: info.stamp, stamp, members, notes })
    }
}

/// Returns whether a file has the name of a database.
#[cfg(feature = "sqlite")]
fn is_database_name(path: &str) -> bool {
    matches!(kind_of(path), Some((Kind::Database, _)))
}

/// Returns whether a file is a database.
#[cfg(feature = "sqlite")]
fn is_database(mut file: &File) -> bool {
    let mut magic = [0; 16];
    file.read_exact(&mut magic).is_ok() && magic == *b"SQLite format 3\0"
}

/// Returns the stamp of a database together with its log of recent changes.
#[cfg(feature = "sqlite")]
fn with_log(stamp: Stamp, database: &Path) -> Option<Stamp> {
    let Some(log) = database::log_of(database) else { return Some(stamp) };
    let modified = log.modified().ok()?.duration_since(SystemTime::UNIX_EPOCH).ok()?;
    let modified = u64::try_from(modified.as_nanos()).ok()?;
    let changed = stamp.changed.wrapping_add_unsigned(modified ^ log.len().rotate_left(40));
    Some(Stamp { changed, ..stamp })
}

/// Returns whether a file starts like data in this packing.
fn is_packed(mut file: &File, packing: Packing) -> bool {
    let mut magic = [0; 4];
    let is_read = file.seek(SeekFrom::Start(0)).and_then(|_| file.read_exact(&mut magic));
    let is_right = match packing {
        Packing::None => true,
        Packing::Gzip => magic.starts_with(b"\x1f\x8b"),
        Packing::Zstd => magic == *b"\x28\xb5\x2f\xfd" || magic[1..] == *b"\x2a\x4d\x18",
    };
    is_read.is_ok() && is_right && file.seek(SeekFrom::Start(0)).is_ok()
}

/// Lists the only member of a packed file. Its length is a guess, because it is known only after
/// unpacking.
fn pack(mut file: File, len: u64, packing: Packing, cache: &Arc<Cache>, listed: &mut Listed) {
    // The last bytes of a gzip file are the unpacked length.
    let mut last = [0; 4];
    let is_read = packing == Packing::Gzip
        && file.seek(SeekFrom::End(-4)).and_then(|_| file.read_exact(&mut last)).is_ok();
    let reported = if is_read { u64::from(u32::from_le_bytes(last)) } else { 0 };
    let guess = reported.max(len.saturating_mul(if is_read { 1 } else { 8 }));
    let stream = Arc::new(Stream::new(packing, 0..len, cache));
    let len = guess.min(MAX_GUESS);
    let member = Member { stream, from: 0, len, ends_with_stream: true, within: None };
    listed.put(String::new(), member);
}

//! An archive or a packed file, with what is in it.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::sync::Arc;

use super::cache::Cache;
use super::kind::Kind;
use super::limits::MAX_GUESS;
use super::listing::Listed;
use super::member::Member;
use super::packing::Packing;
use super::stream::Stream;
use super::{nested, tar_file, zip_file};
use crate::diag::Diagnostic;
use crate::files::{FileInfo, Stamp};
use crate::path::RelPath;

/// An archive or a packed file.
pub(super) struct Container {
    /// The file that it is.
    pub(super) path: RelPath,
    pub(super) stamp: Option<Stamp>,
    /// What is in it, by the paths below it; the one file of a packed file has none.
    pub(super) members: BTreeMap<String, Member>,
    pub(super) notes: Vec<Diagnostic>,
}

impl Container {
    pub(super) fn read(
        info: &FileInfo,
        kind: Kind,
        open: &dyn Fn(&RelPath) -> io::Result<File>,
        cache: &Arc<Cache>,
    ) -> Self {
        let mut listed = Listed::new(&info.path);
        match open(&info.path) {
            Ok(file) => match kind {
                Kind::Tar(packing) | Kind::Packed(packing)
                    if !is_packed(&file, packing) =>
                {
                    listed.broken(&format!("this is no {} file", packing.name()));
                }
                Kind::Zip => zip_file::list(file, info.len, cache, &mut listed),
                Kind::Tar(packing) => {
                    let stream = Stream::new(packing, 0..info.len, cache);
                    tar_file::list(file, &Arc::new(stream), &mut listed);
                }
                Kind::Packed(packing) => {
                    pack(file, info.len, packing, cache, &mut listed);
                }
            },
            Err(error) => listed.broken(&format!("cannot be read: {error}")),
        }
        if !matches!(kind, Kind::Packed(_)) {
            nested::open_packed(&mut listed, info.len, cache);
        }
        let (members, notes) = listed.finish();
        Self { path: info.path.clone(), stamp: info.stamp, members, notes }
    }
}

/// Returns whether a file starts as what is packed so does.
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

/// Lists the one file of a packed file. Its length is a guess: only unpacking it tells.
fn pack(
    mut file: File,
    len: u64,
    packing: Packing,
    cache: &Arc<Cache>,
    listed: &mut Listed,
) {
    // The last bytes of gzip are the length of what it holds.
    let mut last = [0; 4];
    let is_read = packing == Packing::Gzip
        && file.seek(SeekFrom::End(-4)).and_then(|_| file.read_exact(&mut last)).is_ok();
    let told = if is_read { u64::from(u32::from_le_bytes(last)) } else { 0 };
    let guess = told.max(len.saturating_mul(if is_read { 1 } else { 8 }));
    let stream = Arc::new(Stream::new(packing, 0..len, cache));
    let len = guess.min(MAX_GUESS);
    let member = Member { stream, from: 0, len, ends_with_stream: true, within: None };
    listed.put(String::new(), member);
}

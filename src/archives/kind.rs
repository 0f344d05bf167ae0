//! What a file is by its name.

use super::packing::Packing;

/// What a file is by its name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    Zip,
    Tar(Packing),
    /// One file.
    Packed(Packing),
    /// A database, in which each conversation is a file.
    #[cfg(feature = "sqlite")]
    Database,
}

/// The kinds of files that are opened, by their endings.
const ENDINGS: &[(&str, Kind)] = &[
    (".zip", Kind::Zip),
    (".tar", Kind::Tar(Packing::None)),
    (".tar.gz", Kind::Tar(Packing::Gzip)),
    (".tgz", Kind::Tar(Packing::Gzip)),
    (".tar.zst", Kind::Tar(Packing::Zstd)),
    (".tzst", Kind::Tar(Packing::Zstd)),
    (".gz", Kind::Packed(Packing::Gzip)),
    (".zst", Kind::Packed(Packing::Zstd)),
    #[cfg(feature = "sqlite")]
    (".vscdb", Kind::Database),
    #[cfg(feature = "sqlite")]
    (".db", Kind::Database),
    #[cfg(feature = "sqlite")]
    (".sqlite", Kind::Database),
    #[cfg(feature = "sqlite")]
    (".sqlite3", Kind::Database),
];

/// Returns what a file is by its name, and under which path what is in it is shown.
pub(super) fn kind_of(path: &str) -> Option<(Kind, &str)> {
    let ends = |ending: &str| {
        let at = path.len().checked_sub(ending.len())?;
        let (stem, end) = (path.get(..at)?, path.get(at..)?);
        let is_named = !stem.is_empty() && !stem.ends_with('/');
        (is_named && end.eq_ignore_ascii_case(ending)).then_some(stem)
    };
    let (kind, stem) = ENDINGS.iter().find_map(|(ending, kind)| Some((*kind, ends(ending)?)))?;
    match kind {
        Kind::Packed(_) if !is_looked_at(stem) => None,
        Kind::Packed(_) => Some((kind, stem)),
        _ => Some((kind, path)),
    }
}

/// Returns whether a packed file is looked at, by its name without the ending of the packing. Mailboxes
/// have names without an ending.
fn is_looked_at(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    convo_formats::is_looked_at(name) || !name.contains('.')
}

/// Returns whether a path is that of an archive, by its name.
pub fn is_archive(path: &str) -> bool {
    kind_of(path).is_some()
}

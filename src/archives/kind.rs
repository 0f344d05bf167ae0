//! Detects archives, packed files and databases by their names.

use super::packing::Packing;

/// The kind of a file, by its name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    Zip,
    Tar(Packing),
    /// A packed file.
    Packed(Packing),
    /// A database, in which each conversation is a file.
    #[cfg(feature = "sqlite")]
    Database,
}

/// The file extensions of each kind.
const EXTENSIONS: &[(&str, Kind)] = &[
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

/// Returns the kind of a file, and the path under which its content is shown.
pub(super) fn kind_of(path: &str) -> Option<(Kind, &str)> {
    let ends = |extension: &str| {
        let at = path.len().checked_sub(extension.len())?;
        let (stem, end) = (path.get(..at)?, path.get(at..)?);
        let is_named = !stem.is_empty() && !stem.ends_with('/');
        (is_named && end.eq_ignore_ascii_case(extension)).then_some(stem)
    };
    let (kind, stem) =
        EXTENSIONS.iter().find_map(|(extension, kind)| Some((*kind, ends(extension)?)))?;
    match kind {
        Kind::Packed(_) if !may_be_read(stem) => None,
        Kind::Packed(_) => Some((kind, stem)),
        _ => Some((kind, path)),
    }
}

/// Returns whether a packed file is opened, by its name without the extension of the packing.
/// Mailboxes may have names without an extension.
fn may_be_read(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    convo_formats::may_be_read(name) || !name.contains('.')
}

/// Returns whether a path has the name of an archive.
pub fn is_archive(path: &str) -> bool {
    kind_of(path).is_some()
}

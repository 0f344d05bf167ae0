//! The record of what the files of an output folder were made from.

use rayon::prelude::*;
use rustc_hash::FxHashMap;

use super::Error;
use super::sealed::Program;
use super::state::State;
use crate::hash::Hash;
use crate::path::OutPath;

/// Identifies the state of a folder: a hash of its change time, which copying does not preserve,
/// its inode, and the names of our files in it.
pub(super) type FolderHash = Hash;

/// The record of an output folder, with one line per file, for fast reading.
#[derive(Default)]
pub(super) struct Manifest {
    /// Sorted by path.
    files: Vec<(Box<str>, Option<Written>)>,
    /// See [`super::output_scan::OutputScan::unchanged`].
    unchanged: FxHashMap<Box<str>, FolderHash>,
}

/// A file that was written.
#[derive(Clone, Copy)]
pub(super) struct Written {
    /// The key of the output it was made from; `None` if it is out of date.
    pub(super) key: Option<Hash>,
    /// Its length in bytes.
    pub(super) len: u64,
    /// The hash of its bytes.
    pub(super) hash: Hash,
}

impl Written {
    /// Creates an entry for a file with these bytes, made from an output with this key.
    pub(super) fn new(key: Hash, bytes: &[u8]) -> Self {
        let (len, hash) = (bytes.len() as u64, Hash::of_bytes(bytes));
        Self { key: Some(key), len, hash }
    }

    /// Creates an entry for a file of this length and hash.
    pub(super) fn of(key: Hash, len: u64, hash: Hash) -> Self {
        Self { key: Some(key), len, hash }
    }

    /// Returns the entry if it was made from an output with this key.
    pub(super) fn made_from(self, key: Hash) -> Option<Self> {
        Some(self).filter(|known| known.key == Some(key))
    }

    /// Returns the entry without its key.
    pub(super) fn outdated(self) -> Self {
        Self { key: None, ..self }
    }

    /// Returns whether the file has these bytes.
    pub(super) fn is(&self, bytes: &[u8]) -> bool {
        self.len == bytes.len() as u64 && self.hash == Hash::of_bytes(bytes)
    }
}

/// The start of a line about a folder.
const UNCHANGED: &str = "settled";

fn unchanged_row(line: &str) -> Option<(FolderHash, &str)> {
    let (unchanged, prefix) = line.strip_prefix(UNCHANGED)?.strip_prefix(' ')?.split_once(' ')?;
    Some((Hash::from_hex(unchanged)?, prefix))
}

fn file_row(line: &str, is_ours: bool) -> Option<(Option<Written>, &str)> {
    let mut parts = line.splitn(4, ' ');
    let key = Hash::from_hex(parts.next()?).filter(|_| is_ours);
    let len = parts.next()?.parse().ok();
    let hash = Hash::from_hex(parts.next()?);
    let known = len.zip(hash).map(|(len, hash)| Written { key, len, hash });
    Some((known, parts.next()?))
}

/// The placeholder for a hash.
const OUTDATED: &str = "outdated";

impl Manifest {
    /// Reads a manifest. An unreadable one counts as empty, so everything is made again. If another
    /// version of convo-site wrote it, keys are ignored, but files are still known.
    pub(super) fn read(state: &State, name: &str) -> Self {
        Self::parse(&state.text(name), state.program)
    }

    /// Parses the text of a manifest.
    pub(super) fn parse(text: &str, program: Program) -> Self {
        let (program_line, rows) = text.split_once('\n').unwrap_or((text, ""));
        let is_ours = program_line == program.0.hex();
        let is_unchanged = |line: &&str| line.starts_with(UNCHANGED);
        let unchanged = rows.lines().rev().take_while(is_unchanged).filter_map(unchanged_row);
        let unchanged = unchanged.map(|(unchanged, prefix)| (prefix.into(), unchanged)).collect();
        let file = |line: &str| {
            if is_unchanged(&line) {
                return None;
            }
            let (known, path) = file_row(line, is_ours)?;
            Some((path.into(), known))
        };
        let mut files: Vec<(Box<str>, _)> = rows.par_lines().filter_map(file).collect();
        // The lines were written in this order.
        files.sort_by(|(a, _), (b, _)| a.cmp(b));
        Self { files, unchanged }
    }

    /// Returns the stamp of a folder with nothing but our files.
    pub(super) fn unchanged(&self, prefix: &str) -> Option<FolderHash> {
        self.unchanged.get(prefix).copied()
    }

    /// Records the folders with nothing but our files; returns whether that changed anything.
    pub(super) fn set_unchanged(&mut self, unchanged: Vec<(String, FolderHash)>) -> bool {
        let now = unchanged.into_iter().map(|(prefix, unchanged)| (prefix.into(), unchanged));
        let now = now.collect();
        let before = std::mem::replace(&mut self.unchanged, now);
        self.unchanged != before
    }

    /// Returns what was last written at a path.
    pub(super) fn written(&self, path: &str) -> Option<Written> {
        let place = self.files.binary_search_by(|(known, _)| (**known).cmp(path)).ok()?;
        self.files[place].1
    }

    /// Removes and returns the entries of these paths, which are sorted, and drops all others.
    pub(super) fn take_written_at<'a>(
        &mut self,
        paths: impl Iterator<Item = &'a str>,
    ) -> Vec<Option<Written>> {
        let mut files = std::mem::take(&mut self.files).into_iter().peekable();
        let find = |path: &str| {
            while files.next_if(|(known, _)| **known < *path).is_some() {}
            files.next_if(|(known, _)| **known == *path)?.1
        };
        paths.map(find).collect()
    }

    /// Returns the written files with their entries.
    pub(super) fn files(&self) -> impl Iterator<Item = (&str, Option<Written>)> {
        self.files.iter().map(|(path, known)| (&**path, *known))
    }

    /// Writes the entries of files, in this order, and of folders. The content of a file with
    /// `None` is unknown.
    pub(super) fn write<'a>(
        &self,
        state: &State,
        name: &str,
        files: impl Iterator<Item = (&'a OutPath, Option<Written>)>,
    ) -> Result<(), Error> {
        let digits =
            |hash: Option<Hash>| hash.map_or_else(|| OUTDATED.to_owned(), |hash| hash.hex());
        let mut unchanged: Vec<(&str, FolderHash)> =
            self.unchanged.iter().map(|(prefix, unchanged)| (&**prefix, *unchanged)).collect();
        unchanged.sort_unstable_by_key(|(prefix, _)| *prefix);
        state.write(name, |to| {
            writeln!(to, "{}", state.program.0.hex())?;
            for (path, known) in files {
                let key = digits(known.and_then(|known| known.key));
                let hash = digits(known.map(|known| known.hash));
                let len = known.map_or(0, |known| known.len);
                writeln!(to, "{key} {len} {hash} {path}")?;
            }
            unchanged.into_iter().try_for_each(|(prefix, unchanged)| {
                writeln!(to, "{UNCHANGED} {} {prefix}", unchanged.hex())
            })
        })
    }
}

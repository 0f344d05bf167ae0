//! Which files of an output folder are ours, and what they were made from.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use super::Error;
use super::state::State;
use super::write::write_atomically;
use crate::hash::Hash;
use crate::outputs::Output;

/// Path → key and length. One line each, so that it is read quickly.
#[derive(Clone, Default, PartialEq, Eq)]
pub(super) struct Manifest(pub(super) BTreeMap<String, (String, u64)>);

/// No key of an output: the file is ours and may be anything.
pub(super) const OUTDATED: &str = "outdated";

impl Manifest {
    /// One for every output folder.
    pub(super) fn path(state: &State, dest: &Path) -> PathBuf {
        let dest = dest.canonicalize().unwrap_or_else(|_| dest.to_owned());
        let name = Hash::of_bytes(dest.to_string_lossy().as_bytes()).short(16);
        state.folder.join(format!("written-{name}.txt"))
    }

    /// An unreadable one is an empty one: everything is made again. Keys of another program
    /// say nothing, but its files are ours.
    pub(super) fn read(path: &Path, program: Hash) -> Self {
        let text = fs::read_to_string(path).unwrap_or_default();
        let mut lines = text.lines();
        let is_ours = lines.next() == Some(&program.hex());
        let rows = lines.filter_map(|line| {
            let (key, rest) = line.split_once(' ')?;
            let (len, path) = rest.split_once(' ')?;
            let key = if is_ours { key } else { OUTDATED };
            Some((path.to_owned(), (key.to_owned(), len.parse().ok()?)))
        });
        Self(rows.collect())
    }

    pub(super) fn insert(&mut self, output: &Output, len: u64) {
        self.0.insert(output.path.as_str().to_owned(), (output.key.hex(), len));
    }

    /// The file is ours and may be anything.
    pub(super) fn insert_outdated(&mut self, path: &str) {
        self.0.insert(path.to_owned(), (OUTDATED.to_owned(), 0));
    }

    pub(super) fn write(&self, path: &Path, program: Hash) -> Result<(), Error> {
        let mut text = format!("{}\n", program.hex());
        for (path, (key, len)) in &self.0 {
            text.push_str(&format!("{key} {len} {path}\n"));
        }
        write_atomically(path, text.as_bytes())
    }
}

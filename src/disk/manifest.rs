//! Which files of an output folder are ours, and what they were made from.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use super::Error;
use super::state::State;
use super::write::write_atomically;
use crate::hash::Hash;
use crate::outputs::Output;

/// Path → what is known of the file. One line each, so that it is read quickly.
#[derive(Default)]
pub(super) struct Manifest(pub(super) BTreeMap<Box<str>, Known>);

/// The key and the length of a file; `None` when it is ours and may be anything.
pub(super) type Known = Option<(Hash, u64)>;

/// Stands for a key.
const OUTDATED: &str = "outdated";

impl Manifest {
    /// One for every output folder.
    pub(super) fn path(state: &State, dest: &Path) -> PathBuf {
        state.of_output("written", dest)
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
            let known = Hash::from_hex(key).zip(len.parse().ok()).filter(|_| is_ours);
            Some((path.into(), known))
        });
        Self(rows.collect())
    }

    pub(super) fn insert(&mut self, output: &Output, known: Known) {
        self.0.insert(output.path.as_str().into(), known);
    }

    pub(super) fn write(&self, path: &Path, program: Hash) -> Result<(), Error> {
        let mut text = format!("{}\n", program.hex());
        for (path, known) in &self.0 {
            let _ = match known {
                Some((key, len)) => writeln!(text, "{} {len} {path}", key.hex()),
                None => writeln!(text, "{OUTDATED} 0 {path}"),
            };
        }
        write_atomically(path, text.as_bytes())
    }
}

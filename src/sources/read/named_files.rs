//! The files that the lines of a log refer to.

use std::collections::HashMap;

use crate::path::RelPath;
use crate::sources::find::source::Source;

/// All files of a source except the first, which its lines refer to.
pub(crate) struct NamedFiles {
    names: fn(&str) -> Vec<String>,
    /// The files by their names without extensions, and by the names of their folders.
    by_name: HashMap<String, Vec<usize>>,
    /// For each file of the source, whether it was already read with a line, or will be.
    pub(crate) is_read: Vec<bool>,
    lengths: Vec<u64>,
    /// The files to read with this part.
    pub(crate) next: Vec<usize>,
}

impl NamedFiles {
    pub(crate) fn of(
        source: &Source,
        len: &dyn Fn(&RelPath) -> u64,
        names: fn(&str) -> Vec<String>,
    ) -> Self {
        let mut by_name: HashMap<String, Vec<usize>> = HashMap::new();
        for (index, path) in source.files.iter().enumerate().skip(1) {
            let parts = path.as_str().rsplit('/').take(2);
            for part in parts {
                let stem = part.split('.').next().unwrap_or_default();
                by_name.entry(stem.to_owned()).or_default().push(index);
            }
        }
        Self {
            names,
            by_name,
            is_read: vec![false; source.files.len()],
            lengths: source.files.iter().map(len).collect(),
            next: Vec::new(),
        }
    }

    /// Finds the files that a line refers to for the first time. Returns their total length in
    /// bytes.
    pub(super) fn look_at(&mut self, line: &[u8]) -> usize {
        let mut bytes = 0;
        if self.by_name.is_empty() {
            return bytes;
        }
        for name in (self.names)(&String::from_utf8_lossy(line)) {
            for file in self.by_name.remove(&name).unwrap_or_default() {
                if !std::mem::replace(&mut self.is_read[file], true) {
                    self.next.push(file);
                    bytes += self.lengths[file] as usize;
                }
            }
        }
        bytes
    }
}

//! What a build changed in an output folder, as a list for whoever uploads it.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::{Mutex, PoisonError};

use crate::path::OutPath;

/// The files that were written and removed, by their paths.
#[derive(Default)]
pub struct Changes(Mutex<BTreeMap<String, Change>>);

/// What became of a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Change {
    Written,
    Removed,
}

impl Changes {
    /// Notes that a file was written.
    pub(super) fn written(&self, path: &OutPath) {
        self.note(path, Change::Written);
    }

    /// Notes that a file was removed.
    pub(super) fn removed(&self, path: &OutPath) {
        self.note(path, Change::Removed);
    }

    fn note(&self, path: &OutPath, change: Change) {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        all.insert(path.to_string(), change);
    }

    /// Returns a line for each file, in the order of their paths: `written` or `removed`, a tab, and
    /// the path, in which neither tabs nor ends of lines can stand.
    pub fn to_text(&self) -> String {
        let all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let mut text = String::new();
        for (path, change) in &*all {
            let word = match change {
                Change::Written => "written",
                Change::Removed => "removed",
            };
            let _ = writeln!(text, "{word}\t{path}");
        }
        text
    }
}

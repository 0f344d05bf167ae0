//! What a build changed in an output folder, as a list for whoever uploads it.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::{Mutex, PoisonError};

use crate::path::OutPath;

/// The files that were written and removed, by their paths, where somebody wants to know.
pub struct Changes(Option<Mutex<BTreeMap<String, Change>>>);

/// What became of a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Change {
    Written,
    Removed,
}

impl Changes {
    /// Creates a list of no changes yet, which stays empty unless it `is_wanted`.
    pub fn new(is_wanted: bool) -> Self {
        Self(is_wanted.then(Mutex::default))
    }

    /// Notes that a file was written.
    pub(super) fn written(&self, path: &OutPath) {
        self.note(path, Change::Written);
    }

    /// Notes that a file was removed.
    pub(super) fn removed(&self, path: &OutPath) {
        self.note(path, Change::Removed);
    }

    fn note(&self, path: &OutPath, change: Change) {
        let Some(all) = &self.0 else { return };
        let mut all = all.lock().unwrap_or_else(PoisonError::into_inner);
        all.insert(path.to_string(), change);
    }

    /// Returns a line for each file, in the order of their paths: `written` or `removed`, a tab, and
    /// the path, in which neither tabs nor ends of lines can stand.
    pub fn to_text(&self) -> String {
        let mut text = String::new();
        let Some(all) = &self.0 else { return text };
        let all = all.lock().unwrap_or_else(PoisonError::into_inner);
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

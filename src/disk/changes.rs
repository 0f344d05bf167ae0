//! Lists what a build changed in an output folder, for uploading.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::{Mutex, PoisonError};

use crate::path::OutPath;

/// The written and removed files by path, if a list is wanted.
pub struct Changes(Option<Mutex<BTreeMap<String, Change>>>);

/// What happened to a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Change {
    Written,
    Removed,
}

impl Changes {
    /// Creates an empty list, which stays empty unless it `is_wanted`.
    pub fn new(is_wanted: bool) -> Self {
        Self(is_wanted.then(Mutex::default))
    }

    /// Records that a file was written.
    pub(super) fn written(&self, path: &OutPath) {
        self.note(path, Change::Written);
    }

    /// Records that a file was removed.
    pub(super) fn removed(&self, path: &OutPath) {
        self.note(path, Change::Removed);
    }

    fn note(&self, path: &OutPath, change: Change) {
        let Some(all) = &self.0 else { return };
        let mut all = all.lock().unwrap_or_else(PoisonError::into_inner);
        all.insert(path.to_string(), change);
    }

    /// Returns a line for each file, sorted by path: `written` or `removed`, a tab, and the path.
    /// Paths contain neither tabs nor line breaks.
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

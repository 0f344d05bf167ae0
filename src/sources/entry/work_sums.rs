//! What agents did in a conversation, in numbers.

use rustc_hash::FxHashSet;
use serde::{Deserialize, Serialize};

use crate::hash::fnv1a;
use crate::model::{Action, ToolCall};

/// What agents did in a conversation, in numbers.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
pub struct WorkSums {
    /// The number of files that were changed.
    pub files: u64,
    /// The number of lines that were added.
    pub added: u64,
    /// The number of lines that were removed.
    pub removed: u64,
    /// The number of commands.
    pub commands: u64,
    /// The number of commands that failed.
    pub failed: u64,
}

/// Counts the work of a conversation.
#[derive(Default)]
pub(crate) struct WorkCounter {
    sums: WorkSums,
    /// Hashes of the paths of changed files.
    files: FxHashSet<u64>,
}

impl WorkCounter {
    pub(crate) fn add(&mut self, call: &ToolCall) {
        match &call.action {
            Some(Action::Command { .. }) => {
                self.sums.commands += 1;
                self.sums.failed += u64::from(call.has_failed());
            }
            Some(Action::Edit { files }) if !call.has_failed() => {
                for file in files {
                    let (added, removed) = file.changed_lines();
                    self.sums.added += added;
                    self.sums.removed += removed;
                    self.files.insert(fnv1a(file.path.bytes()));
                }
            }
            _ => {}
        }
    }

    pub(crate) fn finish(self) -> WorkSums {
        WorkSums { files: self.files.len() as u64, ..self.sums }
    }
}

//! Repositories, in builds without the feature `git`, which cannot read them.

use std::path::Path;

use crate::diag::{Diagnostic, Severity};
use crate::files::FileInfo;
use crate::formats;
use crate::path::RelPath;

/// The repositories of a site, which are not read.
#[derive(Default)]
pub(super) struct Repositories {}

impl Repositories {
    /// Returns no files, and adds a diagnostic if the repository in `folder` may have
    /// conversations.
    pub(super) fn list(
        &self,
        folder: &Path,
        git: &RelPath,
        notes: &mut Vec<Diagnostic>,
    ) -> Vec<FileInfo> {
        let has_history =
            |entry: std::fs::DirEntry| entry.file_name().to_str().is_some_and(formats::has_history);
        if super::is_folder(&folder.join(".git"))
            && folder.read_dir().into_iter().flatten().flatten().any(has_history)
        {
            let message = "the history is not read: convo-site was built without the feature `git`";
            let note = Diagnostic::new(Severity::Warning, "bad-history", message);
            let hint = "the files in the folder are read, without branches";
            notes.push(note.in_file(git.as_str()).hint(hint));
        }
        Vec::new()
    }

    /// Returns nothing: no path belongs to a repository.
    pub(super) fn read(&self, _: &RelPath) -> Option<Result<Vec<u8>, Box<Diagnostic>>> {
        None
    }
}

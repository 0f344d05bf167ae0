//! Diagnostics about files that cannot be read, at least not completely.

use std::io::{self, ErrorKind};

use crate::diag::{Diagnostic, Severity};
use crate::path::RelPath;

/// The maximum size that is read at a time. Bytes. Reading takes several times as much memory.
pub(super) const MAX_READ_BYTES: u64 = 64 << 20;

/// Ends a packed file at the place where it is damaged or truncated; everything before that is
/// read. Other errors are returned.
pub(super) fn end_early(
    notes: &mut Vec<Diagnostic>,
    path: &RelPath,
    error: &io::Error,
) -> Result<(), Box<Diagnostic>> {
    if !matches!(error.kind(), ErrorKind::InvalidData | ErrorKind::UnexpectedEof) {
        return Err(unreadable(path, error));
    }
    let note = Diagnostic::new(Severity::Error, "bad-archive", error.to_string());
    let hint = "everything before that was read; download the file again";
    notes.push(note.in_file(path.as_str()).hint(hint));
    Ok(())
}

fn unreadable(path: &RelPath, error: &io::Error) -> Box<Diagnostic> {
    let message = format!("cannot be read: {error}");
    let note = Diagnostic::new(Severity::Error, "unreadable", message);
    Box::new(note.in_file(path.as_str()))
}

/// Returns the diagnostic for a file with too much to read at a time.
pub(super) fn too_large(path: &RelPath, what: &str, gone: &str) -> Diagnostic {
    let most = crate::text::bytes(MAX_READ_BYTES);
    let message = format!("{what} is larger than {most}, too large to read at once");
    let note = Diagnostic::new(Severity::Error, "too-large", message);
    let hint = format!("{gone} is skipped; split it into several files");
    note.in_file(path.as_str()).hint(hint)
}

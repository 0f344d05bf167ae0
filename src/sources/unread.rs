//! What there is to say of files that cannot be read, or not as a whole.

use std::io::{self, ErrorKind};

use crate::diag::{Diagnostic, Severity};
use crate::path::RelPath;

/// The most bytes that are read at once. Reading takes several times as much memory.
pub(super) const MAX_READ_BYTES: u64 = 64 << 20;

/// Ends a file that is packed where its bytes are broken or cut off: what stands before that is
/// read. Any other error is one.
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

/// Makes the note on a file of which too much would have to be read at once.
pub(super) fn too_large(path: &RelPath, what: &str, gone: &str) -> Diagnostic {
    let most = crate::text::bytes(MAX_READ_BYTES);
    let message = format!("{what} is larger than {most}, too large to read at once");
    let note = Diagnostic::new(Severity::Error, "too-large", message);
    let hint = format!("{gone} is skipped; split it into several files");
    note.in_file(path.as_str()).hint(hint)
}

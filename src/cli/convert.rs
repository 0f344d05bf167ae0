//! `convo-site convert`

use std::path::PathBuf;

use super::args::MessageFormat;
use super::report;
use super::{Failure, Outcome};
use crate::diag::{self, Severity};
use crate::disk;
use crate::formats;

pub(super) fn run(
    files: &[PathBuf],
    to: &str,
    format: MessageFormat,
) -> Result<Outcome, Failure> {
    let Some(target) = formats::ALL.iter().find(|target| target.name == to) else {
        return Err(Failure::Usage(format!("no format `{to}`")));
    };
    let mut conversations = Vec::new();
    let mut notes = Vec::new();
    for file in files {
        let name = file.to_string_lossy().replace('\\', "/");
        let bytes = disk::read(file)?;
        let (mut read, more) = formats::read(&name, &bytes);
        if read.is_empty() && more.is_empty() {
            let message = "holds no conversation in a format that is known";
            let note = diag::Diagnostic::new(Severity::Error, "unknown-format", message);
            notes.push(note.in_file(name));
        }
        conversations.append(&mut read);
        notes.extend(more);
    }
    diag::sort(&mut notes);
    if matches!(format, MessageFormat::Human | MessageFormat::Short) {
        report::notes(&notes, format);
    } else {
        // Standard output belongs to the conversations.
        report::summary(diag::emit::render(diag::emit::Format::Json, &notes).trim_end());
    }
    report::output(&(target.write)(&conversations));
    let failed = notes.iter().any(|note| note.severity == Severity::Error);
    Ok(if failed { Outcome::Findings } else { Outcome::Fine })
}

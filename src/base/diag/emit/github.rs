//! Workflow commands of GitHub Actions, shown beside the changed lines of a pull request.

use std::fmt::Write;

use super::visible;
use crate::diag::{Diagnostic, Severity};

pub(super) fn render(notes: &[Diagnostic]) -> String {
    let mut out = String::new();
    for note in notes {
        let command = match note.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Hint => "notice",
        };
        let _ = write!(out, "::{command} title={}", property(note.code));
        if let Some(at) = &note.at {
            let _ = write!(out, ",file={}", property(&at.file));
            if let Some(span) = &at.span {
                let _ = write!(
                    out,
                    ",line={},col={},endColumn={}",
                    span.line, span.column, span.end_column
                );
            }
        }
        let hints = note.hints.iter().map(|hint| format!("%0Ahelp: {}", data(hint)));
        let _ = writeln!(out, "::{}{}", data(&note.message), hints.collect::<String>());
    }
    out
}

/// Percent-encodes escapes and line ends.
fn data(text: &str) -> String {
    visible(text).replace('%', "%25")
}

/// Percent-encodes everything that would end a property.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

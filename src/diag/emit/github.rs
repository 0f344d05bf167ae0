//! Workflow commands, which GitHub shows beside the changed lines of a pull request.

use std::fmt::Write;

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
        let mut message = note.message.clone();
        for hint in &note.hints {
            message.push_str("\nhelp: ");
            message.push_str(hint);
        }
        let _ = writeln!(out, "::{}", data(&message));
    }
    out
}

/// Percent-encodes what would end a message.
fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// Percent-encodes what would end a property.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

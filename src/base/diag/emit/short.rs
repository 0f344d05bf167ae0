//! One line per diagnostic, as in compilers: `file:line:column: error[code]: message`.

use std::fmt::Write;

use super::visible;
use crate::diag::Diagnostic;

pub(super) fn render(notes: &[Diagnostic]) -> String {
    let mut out = String::new();
    for note in notes {
        if let Some(at) = &note.at {
            out.push_str(&visible(&at.file));
            if let Some(span) = &at.span {
                let _ = write!(out, ":{}:{}", span.line, span.column);
            }
            out.push_str(": ");
        }
        let (word, code) = (note.severity.word(), note.code);
        let _ = writeln!(out, "{word}[{code}]: {}", visible(&note.message));
    }
    out
}

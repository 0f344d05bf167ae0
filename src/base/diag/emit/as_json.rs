//! A JSON array with one object per diagnostic.

use serde::Serialize;

use super::visible_json;
use crate::diag::{Diagnostic, Severity};

#[derive(Serialize)]
struct Row<'a> {
    severity: Severity,
    code: &'a str,
    message: &'a str,
    file: Option<&'a str>,
    line: Option<u32>,
    column: Option<u32>,
    end_column: Option<u32>,
    hints: &'a [String],
}

pub(super) fn render(notes: &[Diagnostic]) -> String {
    let rows: Vec<Row<'_>> = notes
        .iter()
        .map(|note| {
            let span = note.at.as_ref().and_then(|at| at.span.as_ref());
            Row {
                severity: note.severity,
                code: note.code,
                message: &note.message,
                file: note.at.as_ref().map(|at| at.file.as_str()),
                line: span.map(|span| span.line),
                column: span.map(|span| span.column),
                end_column: span.map(|span| span.end_column),
                hints: &note.hints,
            }
        })
        .collect();
    visible_json(&rows)
}

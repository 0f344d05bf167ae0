//! SARIF 2.1.0 (OASIS), for code hosts and editors.

use std::collections::BTreeSet;

use serde_json::json;

use super::visible_json;
use crate::diag::{Diagnostic, Severity, codes};
use crate::text::percent_encode;

pub(super) fn render(notes: &[Diagnostic]) -> String {
    let known: BTreeSet<&str> = notes.iter().map(|note| note.code).collect();
    let rules: Vec<_> = known.into_iter().map(rule).collect();
    let results: Vec<_> = notes.iter().map(result).collect();
    visible_json(&json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "convo-site",
                "version": env!("CARGO_PKG_VERSION"),
                "rules": rules,
            }},
            "columnKind": "unicodeCodePoints",
            "results": results,
        }],
    }))
}

fn rule(code: &str) -> serde_json::Value {
    let Some(row) = codes::find(code) else { return json!({ "id": code }) };
    json!({
        "id": code,
        "shortDescription": { "text": row.meaning },
        "help": { "text": row.help },
    })
}

fn result(note: &Diagnostic) -> serde_json::Value {
    let level = match note.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Hint => "note",
    };
    let mut text = note.message.clone();
    for hint in &note.hints {
        text.push_str("\nhelp: ");
        text.push_str(hint);
    }
    let mut result = json!({
        "ruleId": note.code,
        "level": level,
        "message": { "text": text },
    });
    if let Some(at) = &note.at {
        let mut place = json!({ "artifactLocation": { "uri": percent_encode(&at.file) } });
        if let Some(span) = &at.span {
            place["region"] = json!({
                "startLine": span.line,
                "startColumn": span.column,
                "endColumn": span.end_column,
            });
        }
        result["locations"] = json!([{ "physicalLocation": place }]);
    }
    result
}

//! Text as a code block.

/// Returns a text as a code block whose fence is longer than any in it.
pub(crate) fn fenced(info: &str, text: &str) -> String {
    let runs = text.split(|c| c != '`').map(str::len).max().unwrap_or_default();
    let fence = "`".repeat(3.max(runs + 1));
    format!("{fence}{info}\n{text}\n{fence}")
}

//! Turns text into Markdown: code blocks, quotations and literal text.

/// Returns a text as a code block, with a fence longer than any in the text.
pub fn fenced(info: &str, text: &str) -> String {
    let runs = text.split(|c| c != '`').map(str::len).max().unwrap_or_default();
    let fence = "`".repeat(3.max(runs + 1));
    format!("{fence}{info}\n{text}\n{fence}")
}

/// Escapes a text on one line, so that Markdown shows it literally.
pub(super) fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.split_whitespace().collect::<Vec<_>>().join(" ").chars() {
        if c.is_ascii_punctuation() && !",.:;?'\"/()-".contains(c) {
            out.push('\\');
        }
        out.push(c);
    }
    out
}

/// Returns Markdown as a quotation.
pub fn quoted(text: &str) -> String {
    let lines: Vec<String> = text.lines().map(|line| format!("> {line}")).collect();
    lines.join("\n")
}

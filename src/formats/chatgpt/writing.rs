//! Drafts that ChatGPT shows in a frame of their own: letters, posts, documents.
//!
//! ```text
//! :::writing{variant="email" id="12345" subject="Herons"}
//! Dear warden, …
//! :::
//! ```

use super::unmarked::escaped;

/// Returns a text without the lines around drafts. What one is called stands above it.
pub(super) fn unfenced(text: String) -> String {
    if !text.contains(":::writing") {
        return text;
    }
    let mut out = String::with_capacity(text.len());
    let mut is_draft = false;
    let mut fence: Option<&str> = None;
    for whole in text.split_inclusive('\n') {
        let line = whole.trim();
        // Code that shows such a line is left as it is.
        if line.starts_with("```") || line.starts_with("~~~") {
            fence = match fence {
                Some(mark) if line.starts_with(mark) => None,
                None => Some(&line[..3]),
                open => open,
            };
        }
        let head = line.strip_prefix(":::writing").filter(|_| fence.is_none());
        if let Some(head) = head.filter(|head| head.is_empty() || head.starts_with('{')) {
            is_draft = true;
            let name = ["subject", "title"].iter().find_map(|key| value(head, key));
            if let Some(name) = name {
                out.push_str(&format!("**{}**\n\n", escaped(name)));
            }
        } else if is_draft && line == ":::" && fence.is_none() {
            is_draft = false;
        } else {
            out.push_str(whole);
        }
    }
    out
}

/// Returns the value of a key in `{key="value"}`.
fn value<'a>(head: &'a str, key: &str) -> Option<&'a str> {
    let start = [" ", "{"].iter().find_map(|before| {
        let found = format!("{before}{key}=\"");
        head.find(&found).map(|at| at + found.len())
    })?;
    let inside = head.get(start..)?;
    let value = inside.split('"').next()?.trim();
    (!value.is_empty()).then_some(value)
}

//! Drafts that ChatGPT shows in a frame: letters, posts, documents.
//!
//! ```text
//! :::writing{variant="email" id="12345" subject="Herons"}
//! Dear warden, …
//! :::
//! ```

use super::unmarked::escaped;
use convo_base::fences::{FenceLine, Fences};

/// Returns a text without the fences around drafts. The subject of a draft is shown above it.
pub(super) fn unfenced(text: String) -> String {
    if !text.contains(":::writing") {
        return text;
    }
    let mut out = String::with_capacity(text.len());
    let mut is_draft = false;
    let mut fences = Fences::default();
    for whole in text.split_inclusive('\n') {
        let line = whole.trim();
        // Such lines in code are left unchanged.
        let is_code = fences.next(whole) != FenceLine::Outside;
        let head = line.strip_prefix(":::writing").filter(|_| !is_code);
        if let Some(head) = head.filter(|head| head.is_empty() || head.starts_with('{')) {
            is_draft = true;
            let name = ["subject", "title"].iter().find_map(|key| value(head, key));
            if let Some(name) = name {
                out.push_str(&format!("**{}**\n\n", escaped(name)));
            }
        } else if is_draft && line == ":::" && !is_code {
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

#[cfg(test)]
mod tests {
    use super::unfenced;

    #[test]
    fn code_that_shows_a_draft_is_left_as_it_is() {
        for code in [
            "````md\n```\n:::writing\na\n:::\n````\n",
            "~~~\n```\n~~~\n```\n:::writing\n```\n",
            "- a\n\n  ```\n  :::writing\n  ```\n",
        ] {
            assert_eq!(unfenced(code.to_owned()), code);
        }
        let spans = "```a``` b\n:::writing\nc\n:::\n";
        assert_eq!(unfenced(spans.to_owned()), "```a``` b\nc\n");
    }
}

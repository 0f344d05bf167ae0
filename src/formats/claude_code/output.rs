//! The text output of tools.

/// The start of an output that was too long for the log, and the path of the full output.
pub(super) struct Persisted<'a> {
    pub(super) preview: &'a str,
    pub(super) path: &'a str,
}

/// Reads the text that replaces an output that was too long.
pub(super) fn persisted(text: &str) -> Option<Persisted<'_>> {
    let (_, inside) = text.split_once("<persisted-output>")?;
    let inside = inside.split("</persisted-output>").next().unwrap_or_default();
    let (_, behind) = inside.split_once("saved to:")?;
    let (path, rest) = behind.split_once('\n').unwrap_or((behind, ""));
    let rest = rest.trim_start();
    let preview = match rest.split_once('\n') {
        Some((head, preview)) if head.starts_with("Preview") => preview,
        _ => rest,
    };
    Some(Persisted { preview: preview.trim_end(), path: path.trim() })
}

#[cfg(test)]
mod tests {
    use super::persisted;

    #[test]
    fn text_before_an_output_is_read() {
        let text = "<persisted-output>\nOutput too large (1 MB). Full output saved to: /x/toolu_1.txt\n\
                    \nPreview (first 2KB):\nline 1\n...\n</persisted-output>";
        let found = persisted(text).unwrap();
        assert_eq!((found.path, found.preview), ("/x/toolu_1.txt", "line 1\n..."));
    }
}

//! The mark that Claude Code leaves where a person stops it.

/// Returns the text after the mark, if the text begins with it.
pub(crate) fn after_interruption(text: &str) -> Option<&str> {
    let behind = text.trim_start().strip_prefix("[Request interrupted by user")?;
    let behind = behind.strip_prefix(" for tool use").unwrap_or(behind);
    behind.strip_prefix(']').map(str::trim)
}

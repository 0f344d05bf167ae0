//! Code blocks.

use super::highlight::{Highlights, highlight};
use super::html::escape;

/// The bytes of a line of code that fits on a screen of 360 pixels.
const NARROW_LINE_BYTES: usize = 30;

/// Appends a code block with its info string, all of which is shown: only its first word
/// names the language.
pub(super) fn print(out: &mut String, info: &str, code: &str, highlights: &Highlights) {
    let language = info.split([' ', '\t', ',', '{']).next().unwrap_or_default();
    if !info.is_empty() {
        out.push_str("<figure class=\"code\"><figcaption>");
        escape(out, info);
        out.push_str("</figcaption>");
    }
    print_bare(out, language, code, highlights);
    out.push_str(if info.is_empty() { "\n" } else { "</figure>\n" });
}

/// Appends a code block without a caption.
pub(super) fn print_bare(
    out: &mut String,
    language: &str,
    code: &str,
    highlights: &Highlights,
) {
    // What scrolls must be reachable by keyboard, and code is never right-to-left or translated.
    let wide = code.lines().any(|line| line.len() > NARROW_LINE_BYTES);
    let focus = if wide { " tabindex=\"0\"" } else { "" };
    out.push_str(&format!("<pre dir=\"ltr\" translate=\"no\"{focus}><code>"));
    highlight(out, language, code, highlights);
    out.push_str("</code></pre>");
}

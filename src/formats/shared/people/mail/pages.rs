//! Conversion of HTML mails to lines of Markdown.

use super::lines::{Line, lines};
use crate::shared::text::html::{Token, attribute, name, to_markdown, tokens};
use crate::shared::text::web_links::public_url;

/// Returns the lines of an HTML mail as Markdown.
pub(super) fn lines_of(html: &str) -> Vec<Line> {
    let text = to_markdown(&without_pictures(html));
    // Spaces at the end of a line would be lost.
    let text = text.replace("  \n", "\\\n");
    let mut lines = lines(&text, false, false);
    for line in &mut lines {
        let bare = line.text.trim_end_matches('\\').trim_end();
        if matches!(bare, "\\--" | "\\-\\-" | "--") {
            line.text = "--".to_owned();
        }
    }
    lines
}

/// Returns lines that are already Markdown.
pub(super) fn as_it_is(lines: &[Line]) -> String {
    let marked = |line: &Line| format!("{}{}", "> ".repeat(line.depth), line.text);
    let lines: Vec<String> = lines.iter().map(marked).collect();
    lines.join("\n").trim_matches('\n').trim_end_matches('\\').to_owned()
}

/// Replaces pictures with text, and links that do not lead to the web with their text. Remote
/// pictures would tell their hosts who reads the page, and embedded ones are listed below the mail.
fn without_pictures(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    // For each open link, whether it is kept.
    let mut links = Vec::new();
    for token in tokens(text) {
        let tag = match token {
            Token::Text(text) => {
                out.push_str(text);
                continue;
            }
            Token::Tag(tag) => tag,
        };
        match (name(tag).0.as_str(), name(tag).1) {
            ("img", _) => {
                let words = attribute(tag, "alt").unwrap_or_default();
                let words = words.replace('&', "&amp;").replace('<', "&lt;");
                if !words.trim().is_empty() {
                    out.push_str(&format!(" {} ", words.trim()));
                }
            }
            ("a", false) => {
                let address = attribute(tag, "href").unwrap_or_default();
                let is_kept = address.starts_with("http") && public_url(&address).is_some();
                links.push(is_kept);
                out.push_str(&if is_kept { format!("<{tag}>") } else { String::new() });
            }
            ("a", true) if links.pop() == Some(false) => {}
            _ => out.push_str(&format!("<{tag}>")),
        }
    }
    out
}

//! Splits HTML into tags and the texts between them.

use crate::shared::text::entities::decoded;

/// A piece of HTML.
pub(crate) enum Token<'t> {
    /// The raw text between tags.
    Text(&'t str),
    /// The text between `<` and `>`.
    Tag(&'t str),
}

/// Splits HTML into tags and texts. Comments are dropped.
pub(crate) fn tokens(html: &str) -> impl Iterator<Item = Token<'_>> {
    let (mut rest, mut has_end) = (html, true);
    std::iter::from_fn(move || {
        loop {
            if rest.is_empty() {
                return None;
            }
            let Some(inside) = rest.strip_prefix('<') else {
                let end = rest.find('<').unwrap_or(rest.len());
                let (text, behind) = rest.split_at(end);
                rest = behind;
                return Some(Token::Text(text));
            };
            if let Some(comment) = inside.strip_prefix("!--") {
                rest = comment.split_once("-->").map_or("", |(_, behind)| behind);
                continue;
            }
            let is_tag =
                inside.starts_with(|c: char| c.is_ascii_alphabetic() || c == '/' || c == '!');
            // Once no tag is closed any more, do not search again.
            let end = if is_tag && has_end { inside.find('>') } else { None };
            has_end &= !is_tag || end.is_some();
            let Some(end) = end else {
                let (text, behind) = rest.split_at(1);
                rest = behind;
                return Some(Token::Text(text));
            };
            let (tag, behind) = inside.split_at(end);
            rest = behind.get(1..).unwrap_or_default();
            return Some(Token::Tag(tag));
        }
    })
}

/// Returns the name of a tag in lower case, and whether it is an end tag.
pub(crate) fn name(tag: &str) -> (String, bool) {
    let (is_end, tag) = match tag.strip_prefix('/') {
        Some(tag) => (true, tag),
        None => (false, tag),
    };
    let letters = tag.chars().take_while(char::is_ascii_alphanumeric).take(20);
    (letters.collect::<String>().to_ascii_lowercase(), is_end)
}

/// Returns the value of an attribute.
pub(crate) fn attribute(tag: &str, name: &str) -> Option<String> {
    ["\"", "'"].iter().find_map(|mark| {
        let (_, value) = tag.split_once(&format!(" {name}={mark}"))?;
        value.split(*mark).next().map(|value| decoded(value).into_owned())
    })
}

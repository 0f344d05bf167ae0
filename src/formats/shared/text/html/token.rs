//! Splits HTML into tags and the texts between them.

use crate::shared::text::entities::decoded;

/// A piece of HTML.
pub(crate) enum Token<'t> {
    /// The raw text between tags.
    Text(&'t str),
    /// The text between `<` and `>`.
    Tag(&'t str),
}

/// Elements whose content is text, whatever is in it.
pub(super) const RAW: [&str; 2] = ["script", "style"];

/// Splits HTML into tags and texts. Comments are dropped.
pub(crate) fn tokens(html: &str) -> impl Iterator<Item = Token<'_>> {
    let (mut rest, mut has_end) = (html, true);
    let mut raw: Option<&str> = None;
    std::iter::from_fn(move || {
        loop {
            if let Some(name) = raw.take() {
                let (text, behind) = rest.split_at(end_of_raw(rest, name));
                rest = behind;
                return Some(Token::Text(text));
            }
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
            let (own, is_end) = name(tag);
            raw = RAW.into_iter().find(|name| *name == own && !is_end && !tag.ends_with('/'));
            return Some(Token::Tag(tag));
        }
    })
}

/// Returns where the content of an element ends whose content is text.
fn end_of_raw(text: &str, name: &str) -> usize {
    let is_end = |at: &usize| {
        let tag = text.get(at + 2..at + 2 + name.len());
        tag.is_some_and(|tag| tag.eq_ignore_ascii_case(name))
    };
    text.match_indices("</").map(|(at, _)| at).find(is_end).unwrap_or(text.len())
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

/// Returns the attributes of a tag, which starts with its name: their names and raw values.
pub(crate) fn attributes(tag: &str) -> impl Iterator<Item = (&str, &str)> {
    let is_gap = |c: char| c.is_whitespace() || c == '/';
    let mut rest = tag.find(is_gap).map_or("", |end| &tag[end..]);
    std::iter::from_fn(move || {
        rest = rest.trim_start_matches(is_gap);
        if rest.is_empty() {
            return None;
        }
        // A name may start with `=`.
        let is_end = |(at, c): (usize, char)| (at > 0 && c == '=' || is_gap(c)).then_some(at);
        let end = rest.char_indices().find_map(is_end).unwrap_or(rest.len());
        let (name, behind) = rest.split_at(end);
        let Some(value) = behind.trim_start().strip_prefix('=') else {
            rest = behind;
            return Some((name, ""));
        };
        let value = value.trim_start();
        let mark = value.chars().next().filter(|c| ['"', '\''].contains(c));
        let (value, behind) = match mark {
            Some(mark) => value[1..].split_once(mark).unwrap_or((&value[1..], "")),
            None => value.split_at(value.find(char::is_whitespace).unwrap_or(value.len())),
        };
        rest = behind;
        Some((name, value))
    })
}

/// Returns the value of an attribute.
pub(crate) fn attribute(tag: &str, name: &str) -> Option<String> {
    let (_, value) = attributes(tag).find(|(known, _)| known.eq_ignore_ascii_case(name))?;
    Some(decoded(value).into_owned())
}

#[cfg(test)]
mod tests {
    use super::attributes;

    #[test]
    fn attributes_may_be_written_in_any_way() {
        let tag = "a b=\"1 > 0\" C='x' d=e/f\n\tg h = \"\" i=\"j";
        let expected = [("b", "1 > 0"), ("C", "x"), ("d", "e/f"), ("g", ""), ("h", ""), ("i", "j")];
        assert_eq!(attributes(tag).collect::<Vec<_>>(), expected);
        for tag in ["", "a", "a /", "a="] {
            assert_eq!(attributes(tag).count(), 0, "{tag}");
        }
        assert_eq!(attributes("a =\u{e4}").collect::<Vec<_>>(), [("=\u{e4}", "")]);
    }
}

//! Texts of Google Chat: markup in the text itself, and separate annotations for styles and links.

use crate::shared::agents::thread::whole;
use crate::shared::json::object::text;
use crate::shared::people::channel::{HeldLinks, Prose, Style};
use crate::shared::text::verbatim::verbatim;
use crate::shared::text::web_links::public_url;
use convo_base::json::{Map, Value};

/// A style or a link of a range of a text. Google counts positions in UTF-16 units.
struct Span {
    from: u64,
    to: u64,
    style: Style,
    link: Option<String>,
}

/// The maximum number of annotations of a text that are read.
const MAX_SPANS: usize = 500;

/// Returns a text as Markdown. `annotations` describe its parts.
pub(super) fn to_markdown<'a>(text: &str, annotations: impl Iterator<Item = &'a Map>) -> String {
    let spans: Vec<Span> = annotations.filter_map(span).take(MAX_SPANS).collect();
    // If there are style annotations, markup characters in the text are literal.
    let has_styles = spans.iter().any(|span| span.style != Style::PLAIN);
    let mut held = HeldLinks::default();
    let mut ends: Vec<u64> = spans.iter().flat_map(|span| [span.from, span.to]).collect();
    ends.sort_unstable();
    ends.dedup();
    let mut ends = ends.into_iter().peekable();
    let (mut at, mut start, mut place) = (0, 0, 0);
    let mut out = Prose::default();
    let mut add = |part: &str, place: u64| {
        let own: Vec<&Span> =
            spans.iter().filter(|span| span.from <= place && place < span.to).collect();
        let style = own.iter().fold(Style::PLAIN, |style, span| style.with(span.style));
        let link = own.iter().find_map(|span| span.link.as_deref());
        match link {
            Some(url) if !part.contains("://") && !part.contains('\n') => {
                let link = format!("[{}](<{url}>)", verbatim(part));
                match has_styles {
                    true => out.put(&link, style),
                    false => held.put(link),
                }
            }
            _ if has_styles => out.add(part, style),
            _ => held.push_text(part),
        }
    };
    for (byte, c) in text.char_indices() {
        while ends.peek().is_some_and(|end| *end <= at) {
            if byte > start {
                add(&text[start..byte], place);
            }
            (start, place) = (byte, at);
            ends.next();
        }
        at += c.len_utf16() as u64;
    }
    add(&text[start..], place);
    match has_styles {
        true => out.finish(),
        false => held.finish(),
    }
}

fn span(annotation: &Map) -> Option<Span> {
    let from = whole(annotation.get("start_index"))?;
    let length = whole(annotation.get("length")).filter(|length| *length > 0)?;
    let to = from.saturating_add(length);
    let inside = |key: &str| annotation.get(key).and_then(Value::as_object);
    if let Some(format) = inside("format_metadata") {
        let style = match text(format, "format_type")? {
            "BOLD" => Style::BOLD,
            "ITALIC" => Style::ITALIC,
            "STRIKE" => Style::STRUCK,
            "MONOSPACE" | "SOURCE_CODE" | "MONOSPACE_BLOCK" => Style::CODE,
            _ => return None,
        };
        return Some(Span { from, to, style, link: None });
    }
    let url = inside("url_metadata")?.get("url")?.as_object()?;
    let url = text(url, "private_do_not_access_or_else_safe_url_wrapped_value")?;
    let link = Some(public_url(url)?);
    Some(Span { from, to, style: Style::PLAIN, link })
}

//! The text of a turn as Markdown that links only to files of the site.

use crate::commonmark::{self, Event, LinkType, Tag, cap_quotes};
use crate::config::Config;
use crate::markup::Links;
use crate::model::{Attachment, Block, Content, Turn};
use crate::site::ConversationPage;
use crate::sources::ResolvedAttachment;

/// Returns the text of a turn of a page. Published attachments have their URLs on the site; others are
/// reduced to their names.
pub(crate) fn published_text(turn: &Turn, page: &ConversationPage, config: &Config) -> String {
    let is_attachment = |block: &Block| matches!(block, Block::Attachment(_));
    if !turn.blocks.iter().any(is_attachment) {
        return with_urls(turn.text(), &page.links, config);
    }
    let mut turn = turn.clone();
    for (at, block) in turn.blocks.iter_mut().enumerate() {
        if let Block::Attachment(attachment) = block {
            attach(attachment, page.attachments.get(&(turn.id.clone(), at)), config);
        }
    }
    with_urls(turn.text(), &page.links, config)
}

/// Returns Markdown in which the inline links and images that lead to files of the site have the URLs there. Those with a
/// definition elsewhere, `[this one][1]`, stay as they are written.
pub(super) fn with_urls(text: String, links: &Links, config: &Config) -> String {
    let Links::Known(known) = links else { return text };
    if !known.keys().any(|address| text.contains(address)) {
        return text;
    }
    let mut changes = Vec::new();
    for (event, range) in commonmark::events(&cap_quotes(&text, "x"), config.math) {
        let Event::Start(
            Tag::Link { link_type: LinkType::Inline, dest_url, .. }
            | Tag::Image { link_type: LinkType::Inline, dest_url, .. },
        ) = event
        else {
            continue;
        };
        let place = known.get(&*dest_url).zip(destination(&text[range.clone()], &dest_url));
        changes.extend(place.map(|(found, at)| {
            let start = range.start + at;
            (start..start + dest_url.len(), &found.url)
        }));
    }
    // The image in a link comes after the link, but before its destination.
    changes.sort_by_key(|(place, _)| place.start);
    let mut out = String::with_capacity(text.len());
    let mut done = 0;
    for (place, url) in changes {
        let Some(before) = text.get(done..place.start) else { continue };
        out.push_str(before);
        out.push_str(&config.base_url.origin);
        out.push_str(url);
        done = place.end;
    }
    out.push_str(&text[done..]);
    out
}

/// Returns where the destination of an inline link is written in it: after the first `](` that is followed by it, an
/// optional title and the end of the link.
fn destination(link: &str, address: &str) -> Option<usize> {
    let openings = link.match_indices("](").map(|(at, opening)| at + opening.len());
    let places = openings.filter_map(|at| {
        let start = at + link[at..].find(|c: char| !c.is_whitespace())?;
        Some(start + usize::from(link[start..].starts_with('<')))
    });
    places.into_iter().find(|start| link[*start..].strip_prefix(address).is_some_and(is_end))
}

/// Returns whether a text is the rest of an inline link after its destination.
fn is_end(rest: &str) -> bool {
    let rest = rest.strip_prefix('>').unwrap_or(rest);
    let Some(inside) = rest.strip_suffix(')') else { return false };
    let title = inside.trim();
    let is_in = |open: char, close: char| {
        title.len() > 1 && title.starts_with(open) && title.ends_with(close)
    };
    let is_title = is_in('"', '"') || is_in('\'', '\'') || is_in('(', ')');
    title.is_empty() || is_title && inside.starts_with(char::is_whitespace)
}

/// Sets the URL of an attachment to that on the page, if it is published.
pub(super) fn attach(
    attachment: &mut Attachment,
    found: Option<&(ResolvedAttachment, Option<String>)>,
    config: &Config,
) {
    attachment.unpublished.clear();
    match found {
        Some((ResolvedAttachment::External, _)) => {}
        Some((ResolvedAttachment::Stored { media, .. }, Some(url))) => {
            if media.is_stripped {
                (attachment.size, attachment.sha256) = (Some(media.size), None);
            }
            attachment.content = Content::Uri(format!("{}{url}", config.base_url.origin));
        }
        _ => (attachment.content, attachment.sha256) = (Content::Missing, None),
    }
}

#[cfg(test)]
mod tests {
    use super::destination;

    #[test]
    fn destinations_are_found_as_they_are_written() {
        for (link, address, place) in [
            ("[x](a.md)", "a.md", Some(4)),
            ("[x](  <a b.md> \"t\")", "a b.md", Some(7)),
            ("[![p](p.png)](a.md)", "a.md", Some(14)),
            ("![p](p.png)", "p.png", Some(5)),
            ("[x](a.md \"](a.md)\")", "a.md", Some(4)),
            ("[x](a.md \"t ](b.md\")", "a.md", Some(4)),
            ("[![p](a.md)](a.md)", "a.md", Some(13)),
            ("[x](a.md5)", "a.md", None),
            ("[x][1]", "a.md", None),
        ] {
            assert_eq!(destination(link, address), place, "{link}");
        }
    }
}

//! Discord markup: `<@7>`, `<#2>`, `<:name:9>`, `<t:1772647205>`, `||spoiler||`.

use super::OwnChannel;
use crate::shared::people::channel::{Dialect, Members, markdown_of};
use crate::shared::text::verbatim::verbatim;
use crate::shared::text::web_links::{is_web, public_url};
use convo_base::time::Time;

/// Returns a Discord text as Markdown.
pub(super) fn to_markdown(text: &str, own: &OwnChannel, members: &mut Members) -> String {
    let mut mark = |text: &str| match text.strip_prefix("||") {
        Some(inside) => spoiler(inside),
        None => in_angles(text, own, members),
    };
    markdown_of(text, &mut Dialect { has_tables: false, mark: &mut mark })
}

/// Returns a Discord text without markup.
pub(super) fn to_plain(text: &str, own: &OwnChannel, members: &mut Members) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('<') {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        let (count, words) = plain(rest, own, members).unwrap_or_else(|| (1, "<".to_owned()));
        out.push_str(&words);
        rest = &rest[count..];
    }
    out.push_str(rest);
    out
}

/// The maximum number of bytes of a spoiler.
const MAX_SPOILER: usize = 4_000;

fn spoiler(inside: &str) -> Option<(usize, String)> {
    let head = &inside[..inside.floor_char_boundary(MAX_SPOILER)];
    let end = head.find("||").filter(|end| *end > 0)?;
    Some((end + 4, format!("(*spoiler:* {})", verbatim(&inside[..end]))))
}

/// The maximum number of bytes of a mark.
const MAX_MARK: usize = 2_000;

fn inside_of(text: &str) -> Option<&str> {
    let head = &text[..text.floor_char_boundary(MAX_MARK)];
    head.strip_prefix('<')?.split_once('>').map(|(inside, _)| inside)
}

fn in_angles(text: &str, own: &OwnChannel, members: &mut Members) -> Option<(usize, String)> {
    let inside = inside_of(text)?;
    if is_web(inside) {
        let url = public_url(inside)?;
        return Some((inside.len() + 2, format!("<{url}>")));
    }
    let (count, words) = plain(text, own, members)?;
    Some((count, verbatim(&words)))
}

fn plain(text: &str, own: &OwnChannel, members: &mut Members) -> Option<(usize, String)> {
    let inside = inside_of(text)?;
    let is_id = |id: &str| !id.is_empty() && id.bytes().all(|byte| byte.is_ascii_digit());
    let words = if let Some(id) = inside.strip_prefix("@&").filter(|id| is_id(id)) {
        _ = id;
        "@role".to_owned()
    } else if let Some(id) = inside.strip_prefix('@') {
        let id = id.strip_prefix('!').unwrap_or(id);
        is_id(id).then(|| format!("@{}", members.name_in_text(id)))?
    } else if let Some(id) = inside.strip_prefix('#').filter(|id| is_id(id)) {
        let name = if id == own.id { own.name.as_str() } else { "" };
        format!("#{}", if name.is_empty() { "channel" } else { name })
    } else if let Some(emoji) = inside.strip_prefix("a:").or(inside.strip_prefix(':')) {
        let (name, id) = emoji.split_once(':')?;
        is_id(id).then(|| format!(":{name}:"))?
    } else if let Some(time) = inside.strip_prefix("t:") {
        let seconds = time.split(':').next()?.parse().ok()?;
        let time = Time::from_unix(seconds)?;
        let clock = time.clock().map(|(clock, _)| format!(" {clock}"));
        format!("{}{} UTC", time.day(), clock.unwrap_or_default())
    } else if let Some(command) = inside.strip_prefix('/') {
        let (name, id) = command.rsplit_once(':')?;
        is_id(id).then(|| format!("/{name}"))?
    } else if inside.starts_with("id:") {
        "#channel".to_owned()
    } else {
        return None;
    };
    Some((inside.len() + 2, words))
}

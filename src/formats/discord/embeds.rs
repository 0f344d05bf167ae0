//! Embeds of bots, and link previews.

use super::{OwnChannel, marks};
use crate::shared::json::object::text;
use crate::shared::people::channel::{Members, objects};
use crate::shared::text::verbatim::verbatim;
use crate::shared::text::web_links::public_url;
use convo_base::json::{Map, Value};

/// Returns an embed as Markdown; `None` for the preview of a link in `content`, which adds nothing
/// to the link.
pub(super) fn read(
    embed: &Map,
    content: &str,
    own: &OwnChannel,
    members: &mut Members,
) -> Option<String> {
    let address = text(embed, "url").unwrap_or_default();
    if !address.is_empty() && content.contains(address) {
        return None;
    }
    let mut parts: Vec<String> = Vec::new();
    let author = embed.get("author").and_then(Value::as_object);
    parts.extend(author.and_then(|author| text(author, "name")).map(verbatim));
    if let Some(title) = text(embed, "title") {
        let title = verbatim(&marks::to_plain(title, own, members));
        parts.push(match public_url(address) {
            Some(url) => format!("[{title}](<{url}>)"),
            None => format!("**{title}**"),
        });
    }
    if let Some(words) = text(embed, "description") {
        parts.push(marks::to_markdown(words, own, members));
    }
    for field in objects(embed, "fields") {
        let name = marks::to_plain(text(field, "name").unwrap_or_default(), own, members);
        let value = text(field, "value").unwrap_or_default();
        let value = marks::to_markdown(value, own, members);
        parts.push(format!("**{}**\\\n{value}", verbatim(&name)));
    }
    let footer = embed.get("footer").and_then(Value::as_object);
    parts.extend(footer.and_then(|footer| text(footer, "text")).map(verbatim));
    parts.retain(|part| !part.trim().is_empty());
    (!parts.is_empty()).then(|| parts.join("\n\n"))
}

//! Reads files that are attached to messages.

use super::values::{first, whole};
use crate::shared::tally::Tally;
use crate::shared::text::attachment_kind::kind_of;
use crate::shared::text::web_links::public_url;
use convo_base::json::Map;
use convo_base::model::{Attachment, Content, is_data};
use convo_base::text::base_name;

/// Reads the description of a file from any application: its name, type and size and, if they are public,
/// its bytes or its URL. Counts missing files.
pub(crate) fn file(map: &Map, tally: &mut Tally) -> Attachment {
    let name = first(map, &["name", "filename", "file_name", "fileName", "title"]);
    let mime = first(map, &["content_type", "mime_type", "mimeType", "mediatype", "type"]);
    let kind = kind_of(name.unwrap_or_default(), mime);
    let address = first(map, &["url", "data", "image_url", "filepath", "path"]);
    let content = match address {
        Some(address) if is_data(address) => Content::Uri(address.to_owned()),
        Some(address) => public_url(address).map_or(Content::Missing, Content::Uri),
        None => Content::Missing,
    };
    if content == Content::Missing {
        tally.missing_file();
    }
    let name = name.map_or_else(|| kind.word(), base_name);
    let sizes = ["size", "bytes", "file_size", "fileSize", "sizeBytes"];
    Attachment {
        mime: mime.filter(|mime| mime.contains('/')).map(str::to_owned),
        size: sizes.iter().find_map(|key| whole(map.get(*key))),
        content,
        ..Attachment::new(name, kind)
    }
}

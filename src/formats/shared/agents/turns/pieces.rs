//! Blocks for attached files, and the names under which they may be shown.

use crate::shared::text::attachment_kind::kind_of;
use crate::shared::text::web_links::without_query;
use convo_base::model::{Attachment, AttachmentKind, Block, Content};
use convo_base::text::base_name;

/// Returns an attachment with Base64 data.
pub(crate) fn inline_file(mime: Option<&str>, data: &str, name: &str) -> Block {
    let kind = kind_of(name, mime);
    Block::Attachment(Box::new(Attachment {
        mime: mime.map(str::to_owned),
        content: Content::Base64(data.to_owned()),
        ..Attachment::new(name, kind)
    }))
}

/// Returns a placeholder for a missing file.
pub(crate) fn missing(name: &str, kind: AttachmentKind) -> Block {
    Block::Attachment(Box::new(Attachment::new(name, kind)))
}

/// Returns an image or a file with a known URL or path. Local paths are private, so only their last part is
/// kept.
pub(super) fn attachment(call: Option<String>, name: &str, address: &str) -> Block {
    let name = base_name(without_query(name).trim_end_matches('/'));
    let mime = address.strip_prefix("data:").and_then(|rest| rest.split([';', ',']).next());
    let kind = kind_of(name, mime);
    let content = match address.starts_with("data:") {
        true => Content::Uri(address.to_owned()),
        false => Content::Missing,
    };
    Block::Attachment(Box::new(Attachment { content, call, ..Attachment::new(name, kind) }))
}

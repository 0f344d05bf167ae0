//! The text of a turn as Markdown that links only to files of the site.

use crate::config::Config;
use crate::model::{Attachment, Block, Content, Turn};
use crate::site::ConversationPage;
use crate::sources::ResolvedAttachment;

/// Returns the text of a turn of a page. Published attachments have their URLs on the site; others are
/// reduced to their names.
pub(crate) fn published_text(turn: &Turn, page: &ConversationPage, config: &Config) -> String {
    let is_attachment = |block: &Block| matches!(block, Block::Attachment(_));
    if !turn.blocks.iter().any(is_attachment) {
        return turn.text();
    }
    let mut turn = turn.clone();
    for (at, block) in turn.blocks.iter_mut().enumerate() {
        if let Block::Attachment(attachment) = block {
            attach(attachment, page.attachments.get(&(turn.id.clone(), at)), config);
        }
    }
    turn.text()
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

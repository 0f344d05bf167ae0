//! The web pages and files that blocks link to, in files of other programs: which of them may be named and linked.
//!
//! This runs on everything that a format read, so that no format publishes what another one withholds.

use crate::shared::text::web_links::{
    content_at, is_private_host, is_web, public_url, without_query,
};
use convo_base::model::{Action, Attachment, Block, Citation, Content, Turn};
use convo_base::text::base_name;

/// Removes links that grant access or lead to private documents, mails and messages, and the titles of those.
pub(crate) fn withhold_private_links(turn: &mut Turn) {
    turn.blocks.retain_mut(|block| match block {
        Block::Citations { citations } => {
            citations.iter_mut().for_each(close_citation);
            citations.iter().any(|citation| *citation != withheld())
        }
        Block::Tool(call) => {
            if let Some(Action::Search { results, .. }) = &mut call.action {
                results.iter_mut().for_each(close_citation);
                results.retain(|citation| *citation != withheld());
            }
            true
        }
        Block::Attachment(file) => {
            close_attachment(file);
            true
        }
        _ => true,
    });
}

/// A page that keeps its number in a list, because the text may refer to the number.
fn withheld() -> Citation {
    Citation { title: Some("…".to_owned()), url: None }
}

fn close_citation(citation: &mut Citation) {
    let address = citation.title.take_if(|title| is_web(title));
    let Some(url) = citation.url.take().or(address) else { return };
    if !is_private_host(&url) {
        citation.url = public_url(&url);
        if citation.title.is_some() || citation.url.is_some() {
            return;
        }
    }
    *citation = withheld();
}

fn close_attachment(file: &mut Attachment) {
    if is_web(&file.name) {
        let name = base_name(without_query(&file.name)).to_owned();
        file.name = match is_private_host(&file.name) || name.is_empty() {
            true => file.kind.word().to_owned(),
            false => name,
        };
    }
    if let Content::Uri(address) = &mut file.content {
        file.content = content_at(std::mem::take(address));
    }
}

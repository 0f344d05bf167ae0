//! The web pages and files that blocks link to, in files of other programs: which of them may be named and linked.
//!
//! This runs on everything that a format read, so that no format publishes what another one withholds.

use crate::shared::text::web_links::{content_at, file_name, is_private_host, is_web, public_url};
use convo_base::model::{Action, Attachment, Block, Citation, Content, Turn};

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
    let address = citation.title.take_if(|title| is_web(title.trim()));
    let Some(url) = citation.url.take().or(address) else {
        // A title may be an address without its scheme.
        if citation
            .title
            .as_deref()
            .is_some_and(|title| is_private_host(&format!("https://{title}")))
        {
            *citation = withheld();
        }
        return;
    };
    if !is_private_host(&url) {
        citation.url = public_url(&url);
        if citation.title.is_some() || citation.url.is_some() {
            return;
        }
    }
    *citation = withheld();
}

fn close_attachment(file: &mut Attachment) {
    let address = match &file.content {
        Content::Uri(address) if is_web(address) => Some(address.clone()),
        _ => None,
    };
    // The name may be the URL, or what was left of it without its path.
    let url = address.as_deref().or(Some(&*file.name).filter(|name| is_web(name)));
    if let Some(url) = url {
        let name = file_name(url);
        let is_host = name.is_none() && url.contains(&*file.name);
        if is_web(&file.name) || is_host || is_private_host(url) {
            file.name = name.unwrap_or(file.kind.word()).to_owned();
        }
    }
    if let Content::Uri(address) = &mut file.content {
        file.content = content_at(std::mem::take(address));
    }
}

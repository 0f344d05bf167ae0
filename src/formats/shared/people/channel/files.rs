//! Files shared in channels.

use crate::shared::tally::Tally;
use crate::shared::text::attachment_kind::kind_of;
use crate::shared::text::web_links::public_url;
use convo_base::model::{Attachment, Block, Content};
use convo_base::text::{base_name, percent_encode};

/// A file as described by a program.
#[derive(Debug, Default)]
pub(crate) struct NamedFile<'a> {
    pub(crate) name: &'a str,
    pub(crate) mime: Option<&'a str>,
    /// The size in bytes.
    pub(crate) size: Option<u64>,
    /// A URL, or the path of a file beside the source.
    pub(crate) address: Option<&'a str>,
}

impl NamedFile<'_> {
    /// Returns the attachment block. A URL that grants access by itself is omitted, and the file is
    /// counted as missing.
    pub(crate) fn block(self, tally: &mut Tally) -> Block {
        let kind = kind_of(self.name, self.mime);
        let is_local =
            |address: &str| !address.contains(':') && !address.starts_with(['/', '\\', '#']);
        let content = match self.address.filter(|address| !address.is_empty()) {
            Some(path) if is_local(path) => Content::Uri(percent_encode(&path.replace('\\', "/"))),
            Some(address) => public_url(address).map_or(Content::Missing, Content::Uri),
            None => Content::Missing,
        };
        if content == Content::Missing {
            tally.missing_file();
        }
        let name = base_name(self.name).trim();
        let name = if name.is_empty() { kind.word() } else { name };
        Block::Attachment(Box::new(Attachment {
            mime: self.mime.filter(|mime| mime.contains('/')).map(str::to_owned),
            size: self.size,
            content,
            ..Attachment::new(name, kind)
        }))
    }
}

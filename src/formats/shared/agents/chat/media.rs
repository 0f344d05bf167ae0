//! Handles images, audio and videos of a row, and the marks that stand for them.

use std::collections::VecDeque;

use crate::shared::text::web_links::{content_at, file_name, is_web};
use convo_base::json::Value;
use convo_base::model::{Attachment, AttachmentKind, Block, Content};
use convo_base::text::base_name;

/// The media of a row. Its texts contain marks such as `<image>` in the same order.
#[derive(Default)]
pub(crate) struct Media {
    images: VecDeque<String>,
    videos: VecDeque<String>,
    audios: VecDeque<String>,
}

pub(super) const MARKS: [(&str, AttachmentKind); 3] = [
    ("<image>", AttachmentKind::Image),
    ("<video>", AttachmentKind::Video),
    ("<audio>", AttachmentKind::Audio),
];

impl Media {
    /// Takes the media that a row lists.
    pub(crate) fn of(mut take: impl FnMut(&str) -> Option<Value>) -> Self {
        let mut list = |keys: [&str; 2]| {
            let mut found = VecDeque::new();
            for value in keys.into_iter().filter_map(&mut take) {
                let values = match value {
                    Value::Array(values) => values,
                    value => vec![value],
                };
                found.extend(values.iter().filter_map(address));
            }
            found
        };
        Self {
            images: list(["images", "image"]),
            videos: list(["videos", "video"]),
            audios: list(["audios", "audio"]),
        }
    }

    pub(super) fn next(&mut self, kind: AttachmentKind) -> Option<String> {
        match kind {
            AttachmentKind::Image => self.images.pop_front(),
            AttachmentKind::Video => self.videos.pop_front(),
            AttachmentKind::Audio => self.audios.pop_front(),
            _ => None,
        }
    }

    /// Returns the media without a mark.
    pub(crate) fn rest(&mut self) -> Vec<Block> {
        let mut blocks = Vec::new();
        for (_, kind) in MARKS {
            while let Some(address) = self.next(kind) {
                blocks.push(attachment(address, kind));
            }
        }
        blocks
    }
}

/// Returns the URL that a value is or contains.
pub(super) fn address(value: &Value) -> Option<String> {
    let text = |value: &Value| value.as_str().map(str::to_owned);
    let keys = ["url", "path", "image", "video", "audio"];
    text(value).or_else(|| keys.iter().find_map(|key| text(value.get(*key)?)))
}

/// Returns an attachment for a URL, which may be a `data:` URL.
pub(super) fn attachment(address: String, kind: AttachmentKind) -> Block {
    let is_data = address.starts_with("data:");
    let path = address.split(['?', '#']).next().unwrap_or_default();
    let name = match is_web(&address) {
        true => file_name(&address).unwrap_or(kind.word()),
        false if is_data => kind.word(),
        false => base_name(path),
    };
    let name = name.to_owned();
    let mime = address.strip_prefix("data:").and_then(|rest| rest.split([';', ',']).next());
    let mime = mime.filter(|mime| !mime.is_empty()).map(str::to_owned);
    attached(name, kind, mime, content_at(address))
}

pub(super) fn attached(
    name: String,
    kind: AttachmentKind,
    mime: Option<String>,
    content: Content,
) -> Block {
    let attachment = Attachment::new(name, kind);
    Block::Attachment(Box::new(Attachment { mime, content, ..attachment }))
}

//! Pictures, which logs contain as `data:` URLs.

use crate::shared::text::web_links::{content_at, is_web};
use convo_base::hash::Hash;
use convo_base::model::{Attachment, AttachmentKind, Content};
use convo_base::text::base_name;

/// A picture in a log.
#[derive(Debug)]
pub(super) struct Picture {
    /// Identifies the picture.
    pub(super) key: Hash,
    /// The picture itself.
    pub(super) attachment: Attachment,
}

impl Picture {
    /// Returns the picture at a URL.
    pub(super) fn at(url: String) -> Self {
        let Some(rest) = url.strip_prefix("data:") else {
            let name = file_name(url.split(['?', '#']).next().unwrap_or_default());
            let key = Hash::of(&url);
            // A local path is private.
            let content = if is_web(&url) { content_at(url) } else { Content::Missing };
            return Self { key, attachment: image(name, None, content) };
        };
        let (head, data) = rest.split_once(',').unwrap_or((rest, ""));
        let mime = head.split(';').next().filter(|mime| mime.contains('/'));
        match head.ends_with(";base64") {
            true => Self::base64(data.to_owned(), mime),
            false => {
                let key = Hash::of(&url);
                let (name, mime) = (named(mime), mime.map(str::to_owned));
                Self { key, attachment: image(name, mime, Content::Uri(url)) }
            }
        }
    }

    /// Returns the picture of these bytes.
    pub(super) fn base64(data: String, mime: Option<&str>) -> Self {
        let guessed = match data.as_bytes() {
            [b'i', b'V', b'B', b'O', b'R', ..] => Some("image/png"),
            [b'/', b'9', b'j', ..] => Some("image/jpeg"),
            [b'R', b'0', b'l', b'G', ..] => Some("image/gif"),
            [b'U', b'k', b'l', b'G', ..] => Some("image/webp"),
            _ => None,
        };
        let mime = mime.or(guessed);
        let key = Hash::of_bytes(data.as_bytes());
        let (name, mime) = (named(mime), mime.map(str::to_owned));
        Self { key, attachment: image(name, mime, Content::Base64(data)) }
    }

    /// Returns a picture of which only the path is known.
    pub(super) fn file(path: &str) -> Self {
        let key = Hash::of(&("file", path));
        Self { key, attachment: image(file_name(path), None, Content::Missing) }
    }

    /// Returns whether its data or a public URL is known.
    pub(super) fn is_there(&self) -> bool {
        self.attachment.content != Content::Missing
    }
}

fn named(mime: Option<&str>) -> String {
    let extension = mime.and_then(|mime| mime.split('/').nth(1)).unwrap_or_default();
    match extension.split('+').next().unwrap_or_default() {
        "" => "image".to_owned(),
        "jpeg" => "image.jpg".to_owned(),
        extension => format!("image.{extension}"),
    }
}

fn file_name(path: &str) -> String {
    let name = base_name(path);
    if name.is_empty() { "image".to_owned() } else { name.to_owned() }
}

fn image(name: String, mime: Option<String>, content: Content) -> Attachment {
    Attachment { mime, content, ..Attachment::new(name, AttachmentKind::Image) }
}

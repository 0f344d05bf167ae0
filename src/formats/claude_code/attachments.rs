//! Pictures, documents and files that were attached.

use super::talk::Talk;
use crate::shared::access::hidden_tags::{Author, without_hidden};
use crate::shared::text::attachment_kind::kind_of;
use convo_base::hash::Hash;
use convo_base::json::{Map, Value};
use convo_base::model::{Attachment, AttachmentKind, Block, Content, fenced};

impl Talk<'_> {
    /// Adds an attachment that Claude Code added to a prompt.
    pub(super) fn attached(&mut self, attached: &Map) {
        let text = |key: &str| attached.get(key).and_then(Value::as_str);
        let name = text("displayPath").or_else(|| text("filename")).or_else(|| text("path"));
        let name = name.or_else(|| text("planFilePath")).unwrap_or_default();
        let inside = attached.get("content");
        let words = text("planContent").or_else(|| text("content")).or_else(|| {
            let file = inside?.get("file")?;
            file.get("content")?.as_str()
        });
        let is_plan = text("type") == Some("plan_file_reference");
        let detail = words.map(|words| match (is_plan, without_hidden(words, Author::Program)) {
            (true, words) => words.into_owned(),
            (false, words) => fenced("", &words),
        });
        let image = inside.and_then(|inside| inside.get("file")).and_then(|file| {
            let (data, kind) = (file.get("base64")?.as_str()?, file.get("type")?.as_str()?);
            Some((data.to_owned(), kind.to_owned()))
        });
        match image {
            Some((data, mime)) => {
                if let Some(block) = self.bytes(data, mime, Some(name)) {
                    self.aside(block);
                }
            }
            None => self.event("file", name.to_owned(), detail),
        }
    }

    /// Returns a picture or a document, unless it was added before.
    pub(super) fn attachment(&mut self, block: &Value) -> Option<Block> {
        let source = block.get("source")?;
        let text = |key: &str| source.get(key).and_then(Value::as_str);
        let name = block.get("title").and_then(Value::as_str);
        match text("type") {
            Some("url") => {
                let url = text("url")?;
                let kind = AttachmentKind::Link;
                Some(attachment(name.unwrap_or(url), kind, None, Content::Uri(url.to_owned())))
            }
            Some("text") => {
                let text = fenced("", &without_hidden(text("data")?, Author::Program));
                Some(Block::Event {
                    name: "file".to_owned(),
                    text: name.unwrap_or_default().to_owned(),
                    detail: Some(text),
                })
            }
            _ => self.bytes(text("data")?.to_owned(), text("media_type")?.to_owned(), name),
        }
    }

    fn bytes(&mut self, data: String, mime: String, name: Option<&str>) -> Option<Block> {
        if !self.images.insert(Hash::of(&data)) {
            return None;
        }
        let kind = kind_of("", Some(&mime));
        let extension = mime.rsplit('/').next().unwrap_or_default();
        let extension = extension.split(['+', ';']).next().unwrap_or_default();
        let number = self.images.len();
        let what = if kind == AttachmentKind::Image { "image" } else { "file" };
        let made = format!("{what}-{number}.{extension}");
        let name = name.filter(|name| !name.is_empty()).unwrap_or(&made);
        Some(attachment(name, kind, Some(mime), Content::Base64(data)))
    }
}

fn attachment(name: &str, kind: AttachmentKind, mime: Option<String>, content: Content) -> Block {
    let attachment = Attachment::new(name, kind);
    Block::Attachment(Box::new(Attachment { mime, content, ..attachment }))
}

//! Builds the template view models of the blocks of a turn.

use super::tools::{self, ToolRenderer};
use crate::locale::Locale;
use crate::markup::{self, Folded, Html, Options};
use crate::model::{
    AttachmentKind, Block, COMPACTION, Content, EXPANSION, INTERRUPTION, Turn, Usage,
    citation_list_with_hosts,
};
use crate::outputs::format::duration;
use crate::site::ConversationPage;
use crate::sources::{MediaKind, ResolvedAttachment};
use crate::text::{bytes, words};
use crate::theme::view::{AttachmentView, BlockView};

/// Renders the blocks of the turns of a page.
pub(super) struct BlockRenderer<'a> {
    pub(crate) planned: &'a ConversationPage,
    pub(crate) options: &'a Options,
    /// The options for prompts, if they are as somebody typed them.
    pub(super) of_prompts: Option<Options>,
    pub(crate) locale: &'a Locale,
}

impl BlockRenderer<'_> {
    /// Returns whether a block is an attachment that can be omitted without loss.
    pub(super) fn is_absent(&self, turn: &Turn, at: usize) -> bool {
        let found = self.planned.attachments.get(&(turn.id.clone(), at));
        matches!(found, Some((ResolvedAttachment::Absent, _)))
    }

    fn markdown(&self, turn: &Turn, at: usize, text: &str) -> Html {
        markup::render(text, &id(turn, at), self.options, &self.planned.links)
    }

    /// Renders a part of a prompt. The end of a long one is folded.
    fn prompt(&self, turn: &Turn, at: usize, text: &str, options: &Options) -> BlockView {
        let (id, links) = (id(turn, at), &self.planned.links);
        let text = markup::with_fences(text);
        let view = BlockView::new("markdown");
        match markup::folded(&text) {
            Some(Folded { start, rest, lines }) => BlockView {
                body: Some(markup::render(&start, &id, options, links)),
                rest: Some(markup::render(&rest, &format!("{id}-rest"), options, links)),
                more: self.locale.count("count.lines", lines as u64),
                ..view
            },
            None => BlockView { body: Some(markup::render(&text, &id, options, links)), ..view },
        }
    }

    /// Renders the block at index `at` of a turn, which may be a prompt.
    pub(crate) fn block(
        &self,
        turn: &Turn,
        at: usize,
        block: &Block,
        is_prompt: bool,
    ) -> BlockView {
        let of_prompts = self.of_prompts.as_ref().filter(|_| is_prompt);
        match (block, of_prompts) {
            (Block::Markdown { text }, Some(options)) => self.prompt(turn, at, text, options),
            _ => self.other_block(turn, at, block),
        }
    }

    fn other_block(&self, turn: &Turn, at: usize, block: &Block) -> BlockView {
        match block {
            Block::Markdown { text } => BlockView {
                body: Some(self.markdown(turn, at, text)),
                ..BlockView::new("markdown")
            },
            Block::Thinking { text } => BlockView {
                body: Some(self.markdown(turn, at, text)),
                name: self.locale.count("count.words", words(text)),
                ..BlockView::new("thinking")
            },
            Block::Tool(call) => {
                let markdown = |text: &str| self.markdown(turn, at, text);
                let (options, locale) = (self.options, self.locale);
                let tools =
                    ToolRenderer { options, locale, at: (&turn.id, at), markdown: &markdown };
                BlockView { tool: Some(tools.view(call)), ..BlockView::new("tool") }
            }
            Block::Attachment(attachment) => {
                let key = (turn.id.clone(), at);
                let found = self.planned.attachments.get(&key);
                let attachment = attachment_view(attachment, found, self.locale);
                BlockView { attachment: Some(attachment), ..BlockView::new("attachment") }
            }
            Block::Event { name, text, detail } => BlockView {
                name: match (name.as_str(), text.as_str()) {
                    (COMPACTION, "") => self.locale.text("event.compaction").to_owned(),
                    (EXPANSION, "") => self.locale.text("event.expansion").to_owned(),
                    (INTERRUPTION, "") => self.locale.text("event.interruption").to_owned(),
                    (name, "") => name.to_owned(),
                    (_, text) => text.to_owned(),
                },
                body: detail.as_ref().map(|text| self.markdown(turn, at, text)),
                ..BlockView::new("event")
            },
            Block::Citations { citations } => BlockView {
                body: Some(self.markdown(turn, at, &citation_list_with_hosts(citations))),
                ..BlockView::new("citations")
            },
            Block::Unknown { name, value } => BlockView {
                name: name.clone(),
                body: Some(tools::data(value, self.options)),
                ..BlockView::new("unknown")
            },
        }
    }
}

/// Returns the id of a block. The first one has the turn's own id, so that its footnotes keep their ids.
fn id(turn: &Turn, at: usize) -> String {
    if at == 0 { turn.id.clone() } else { format!("{}-{at}", turn.id) }
}

/// Returns the usage of a turn as readable keys and values.
pub(super) fn usage_rows(usage: &Usage, locale: &Locale) -> Vec<(String, String)> {
    let number = |count: Option<u64>| count.map(|count| locale.number(count));
    let rows = [
        ("usage.model", usage.model.clone()),
        ("usage.input", number(usage.input_tokens)),
        ("usage.cache_read", number(usage.cache_read_tokens)),
        ("usage.cache_write", number(usage.cache_write_tokens)),
        ("usage.output", number(usage.output_tokens)),
        ("usage.reasoning", number(usage.reasoning_tokens)),
        ("usage.cost", usage.cost_usd.map(dollars)),
        ("usage.duration", usage.duration_ms.map(|time| duration(time as f64))),
    ];
    let known = rows.into_iter().filter_map(|(key, value)| Some((key, value?)));
    known.map(|(key, value)| (locale.text(key).to_owned(), value)).collect()
}

/// Formats a price. Small prices get more digits.
pub(super) fn dollars(price: f64) -> String {
    if price >= 0.995 { format!("${price:.2}") } else { format!("${price:.4}") }
}

fn attachment_view(
    attachment: &crate::model::Attachment,
    found: Option<&(ResolvedAttachment, Option<String>)>,
    locale: &Locale,
) -> AttachmentView {
    let called = match found {
        Some((ResolvedAttachment::Stored { media, .. }, _)) => media.name.as_str(),
        _ => "",
    };
    let names = [attachment.name.as_str(), called].map(str::trim);
    let name = match names.into_iter().find(|name| !name.is_empty()).unwrap_or_default() {
        "" => locale.text("conversation.unnamed").to_owned(),
        name => name.to_owned(),
    };
    let mut view = AttachmentView {
        kind: "missing".to_owned(),
        name,
        url: None,
        size: attachment.size.map(bytes),
        media_type: attachment.mime.clone(),
        width: None,
        height: None,
        problem: None,
    };
    match found {
        Some((ResolvedAttachment::Stored { media, kind }, url)) => {
            view.kind = match kind {
                MediaKind::Image => "image",
                MediaKind::Audio => "audio",
                MediaKind::Video => "video",
                MediaKind::File => "file",
            }
            .to_owned();
            view.url.clone_from(url);
            view.size = Some(bytes(media.size));
            view.media_type = Some(media.extension.to_ascii_uppercase());
            (view.width, view.height) = media.dimensions.unzip();
        }
        Some((ResolvedAttachment::External, _)) => {
            view.kind = "link".to_owned();
            if let Content::Uri(uri) = &attachment.content {
                view.url = Some(uri.clone());
            }
            if attachment.kind != AttachmentKind::Link {
                view.problem = Some(locale.text("conversation.elsewhere").to_owned());
            }
        }
        Some((ResolvedAttachment::Broken(why), _)) => {
            view.problem = Some(locale.state(why));
        }
        Some((ResolvedAttachment::Absent, _)) | None => {
            view.problem = Some(locale.state("missing"));
        }
    }
    view
}

//! Blocks and attachments of messages.

use super::workspace::Workspace;
use super::{mrkdwn, rich_text};
use crate::shared::access::visibility;
use crate::shared::agents::thread::{first, text, whole};
use crate::shared::people::channel::{NamedFile, event_block, is_contact, objects};
use crate::shared::tally::Tally;
use crate::shared::text::verbatim::verbatim;
use crate::shared::text::web_links::public_url;
use convo_base::json::{Map, Value};
use convo_base::model::{Block, fenced, quoted};

/// The contents of a message: Markdown and files.
#[derive(Default)]
pub(super) struct Body {
    parts: Vec<String>,
    files: Vec<Block>,
}

impl Body {
    /// Adds Markdown.
    pub(super) fn push_text(&mut self, markdown: String) {
        if !markdown.trim().is_empty() {
            self.parts.push(markdown);
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.parts.is_empty() && self.files.is_empty()
    }

    /// Returns all contents as blocks.
    pub(super) fn done(self) -> Vec<Block> {
        let text = self.parts.join("\n\n");
        let own_text = (!text.is_empty()).then_some(Block::Markdown { text });
        own_text.into_iter().chain(self.files).collect()
    }

    /// Adds the blocks of a message.
    pub(super) fn blocks(
        &mut self,
        blocks: &[Value],
        workspace: &mut Workspace,
        tally: &mut Tally,
    ) {
        for block in blocks.iter().filter_map(Value::as_object) {
            let elements = list(block, "elements");
            match text(block, "type").unwrap_or_default() {
                "rich_text" => {
                    self.push_text(rich_text::to_markdown(elements, workspace, tally));
                }
                "section" => {
                    self.push_text(composed(block.get("text"), workspace));
                    let fields = list(block, "fields").iter();
                    let fields: Vec<String> =
                        fields.map(|field| composed(Some(field), workspace)).collect();
                    self.push_text(fields.join("\n\n"));
                    if let Some(image) = block.get("accessory").and_then(Value::as_object) {
                        self.image(image, tally);
                    }
                }
                "header" => {
                    let words = composed(block.get("text"), workspace);
                    self.push_text(format!("**{}**", words.trim()));
                }
                "context" => {
                    let parts = elements.iter().filter(|part| part.get("text").is_some());
                    let parts: Vec<String> =
                        parts.map(|part| composed(Some(part), workspace)).collect();
                    self.push_text(parts.join(" · "));
                }
                "markdown" => {
                    self.push_text(text(block, "text").unwrap_or_default().to_owned());
                }
                "image" => self.image(block, tally),
                "video" => {
                    let title = composed(block.get("title"), workspace);
                    let address = first(block, &["title_url", "video_url"]);
                    self.push_text(titled(&title, address));
                }
                "table" => self.push_text(table(list(block, "rows"), workspace, tally)),
                "divider" => self.push_text("---".to_owned()),
                "call" => self.files.push(event_block("call", "A call")),
                "actions" | "input" | "context_actions" | "plan" | "task_card" => {
                    tally.not_shown("form", "forms");
                }
                "file" => {}
                kind => tally.unknown_skipped(kind),
            }
        }
    }

    fn image(&mut self, image: &Map, tally: &mut Tally) {
        if text(image, "type").is_some_and(|kind| kind != "image") {
            return;
        }
        let name = text(image, "alt_text").unwrap_or_default();
        let address = first(image, &["image_url", "url"]);
        let file = NamedFile { name, mime: Some("image"), address, size: None };
        self.files.push(file.block(tally));
    }

    /// Adds an attachment of an app, or a shared message. A link preview is skipped, because it
    /// adds nothing to its link.
    pub(super) fn attachment(
        &mut self,
        attachment: &Map,
        workspace: &mut Workspace,
        tally: &mut Tally,
    ) {
        let is_message = visibility::is_set_in(attachment, &["ismsgunfurl", "isshare"]);
        if is_from_closed_channel(attachment, is_message, workspace) {
            self.files.push(event_block("shared", "A message from a private channel"));
            return;
        }
        if attachment.contains_key("from_url") && !is_message {
            tally.not_shown("link preview", "link previews");
            return;
        }
        if let Some(pretext) = text(attachment, "pretext") {
            self.push_text(mrkdwn::to_markdown(pretext, workspace));
        }
        let mut inner = Self::default();
        let author = text(attachment, "author_name").filter(|name| !is_contact(name));
        let author = match text(attachment, "author_id").filter(|_| is_message) {
            Some(id) if workspace.members.knows(id) => Some(workspace.members.name_in_text(id)),
            _ => author.map(str::to_owned),
        };
        inner.push_text(author.map(|name| verbatim(&name)).unwrap_or_default());
        let title = text(attachment, "title").unwrap_or_default();
        let title = mrkdwn::to_plain(title, workspace);
        inner.push_text(titled(&verbatim(&title), text(attachment, "title_link")));
        let before = inner.parts.len();
        let shared = list(attachment, "message_blocks").iter();
        let shared = shared.filter_map(|shared| shared.get("message")?.get("blocks"));
        let shared = shared.filter_map(Value::as_array).flatten().cloned();
        let blocks: Vec<Value> = shared.chain(list(attachment, "blocks").iter().cloned()).collect();
        inner.blocks(&blocks, workspace, tally);
        if inner.parts.len() == before
            && let Some(words) = text(attachment, "text")
        {
            inner.push_text(mrkdwn::to_markdown(words, workspace));
        }
        for field in objects(attachment, "fields") {
            let name = verbatim(text(field, "title").unwrap_or_default());
            let value = mrkdwn::to_markdown(text(field, "value").unwrap_or_default(), workspace);
            inner.push_text(match name.is_empty() {
                true => value,
                false => format!("**{name}** {value}"),
            });
        }
        if inner.is_empty()
            && let Some(fallback) = text(attachment, "fallback")
        {
            inner.push_text(mrkdwn::to_markdown(fallback, workspace));
        }
        if let Some(address) = text(attachment, "image_url") {
            let file =
                NamedFile { mime: Some("image"), address: Some(address), ..NamedFile::default() };
            inner.files.push(file.block(tally));
        }
        for file in objects(attachment, "files") {
            inner.file(file, tally);
        }
        self.push_text(quoted(&inner.parts.join("\n\n")));
        self.files.append(&mut inner.files);
    }

    /// Adds a file by name. Its bytes are stored at Slack, under a URL for those who may read it
    /// there.
    pub(super) fn file(&mut self, file: &Map, tally: &mut Tally) {
        match text(file, "mode") {
            Some("tombstone") => {
                self.files.push(event_block("deleted", "A file was deleted"));
                return;
            }
            Some("snippet") => {
                let code = text(file, "preview").unwrap_or_default();
                let kind = text(file, "filetype").unwrap_or_default();
                let is_word = |c: char| c.is_ascii_alphanumeric();
                let kind = if kind.chars().all(is_word) { kind } else { "" };
                if !code.is_empty() {
                    self.push_text(fenced(kind, code.trim_end_matches('\n')));
                }
            }
            _ => {}
        }
        let is_external = file.get("is_external") == Some(&Value::Bool(true));
        let address = text(file, "url_private").filter(|_| is_external);
        let named = NamedFile {
            name: first(file, &["name", "title"]).unwrap_or_default(),
            mime: text(file, "mimetype"),
            size: whole(file.get("size")),
            address,
        };
        self.files.push(named.block(tally));
    }
}

/// Returns whether an attachment is a message from a channel that not everyone could read.
fn is_from_closed_channel(attachment: &Map, is_message: bool, workspace: &Workspace) -> bool {
    let marks = ["isprivate", "isim", "ismpim", "privatechannelprompt"];
    let channel = text(attachment, "channel_id");
    let address = text(attachment, "from_url").and_then(|url| {
        let (_, behind) = url.split_once("/archives/")?;
        behind.split(['/', '?']).next()
    });
    let is_closed = |id: &str| workspace.is_closed(id);
    visibility::is_set_in(attachment, &marks)
        || visibility::is_marked(attachment)
        || is_message && [channel, address].into_iter().flatten().any(is_closed)
}

pub(super) fn list<'a>(map: &'a Map, key: &str) -> &'a [Value] {
    map.get(key).and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

fn titled(title: &str, address: Option<&str>) -> String {
    match address.and_then(public_url).filter(|_| !title.is_empty()) {
        Some(url) => format!("[{title}](<{url}>)"),
        None => title.to_owned(),
    }
}

/// Returns a text object as Markdown: `{"type": "mrkdwn", "text": …}`.
fn composed(value: Option<&Value>, workspace: &mut Workspace) -> String {
    let (words, is_plain) = match value {
        Some(Value::String(words)) => (words.as_str(), true),
        Some(Value::Object(map)) => {
            let is_plain = text(map, "type") != Some("mrkdwn");
            (text(map, "text").unwrap_or_default(), is_plain)
        }
        _ => return String::new(),
    };
    match is_plain {
        true => {
            let words = mrkdwn::to_plain(words, workspace);
            words.lines().map(verbatim).collect::<Vec<_>>().join("\\\n")
        }
        false => mrkdwn::to_markdown(words, workspace),
    }
}

/// Returns rows of cells as a table; the first row is the header.
fn table(rows: &[Value], workspace: &mut Workspace, tally: &mut Tally) -> String {
    let mut out: Vec<String> = Vec::new();
    for row in rows.iter().filter_map(Value::as_array) {
        let cells: Vec<String> = row
            .iter()
            .filter_map(Value::as_object)
            .map(|cell| match text(cell, "type") {
                Some("rich_text") => {
                    rich_text::to_markdown(list(cell, "elements"), workspace, tally)
                }
                _ => verbatim(text(cell, "text").unwrap_or_default()),
            })
            .map(|cell| cell.replace("\\\n", " ").replace('\n', " "))
            .collect();
        out.push(format!("| {} |", cells.join(" | ")));
        if out.len() == 1 {
            out.push(format!("|{}", "---|".repeat(cells.len().max(1))));
        }
    }
    out.join("\n")
}

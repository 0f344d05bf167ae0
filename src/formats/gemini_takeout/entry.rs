//! One record of the activity: a prompt with its answer.

use super::verb::{self, Title};
use crate::shared::json::object::{Object, text};
use crate::shared::text::attachment_kind::kind_of;
use crate::shared::text::html;
use crate::shared::text::web_links::is_web;
use convo_base::diag::Note;
use convo_base::json::{self, Map, Value};
use convo_base::model::{Attachment, Block, Citation, Content};
use convo_base::text::percent_encode;
use convo_base::time::Time;

/// The start of the URL of a conversation.
const CONVERSATION: &str = "gemini.google.com/app/";

/// A record.
#[derive(Default)]
pub(super) struct Entry {
    pub(super) time: Option<Time>,
    /// The id of the conversation, if it is unambiguous.
    pub(super) conversation: Option<String>,
    /// The prompt, with its attachments.
    pub(super) asked: Vec<Block>,
    /// The answer.
    pub(super) answered: Vec<Block>,
    /// The title of a product such as a canvas.
    pub(super) made: Option<String>,
    /// Whether it is not an exchange.
    pub(super) is_bookkeeping: bool,
}

/// Returns whether the text of a record, possibly truncated, is about Gemini: by its header or products, or
/// by the URL of a conversation, in addition to a title and a time.
pub(super) fn is_about_gemini(text: &str) -> bool {
    let keys = json::keys(text);
    let value = |key: &str| value(&keys, key);
    let names = |key: &str| {
        let value = value(key).unwrap_or_default();
        value.contains("Gemini") || value.contains("Bard")
    };
    let is_chat = value("details").is_some_and(|details| details.contains(CONVERSATION));
    value("title").is_some()
        && value("time").is_some()
        && (names("header") || names("products") || is_chat)
}

/// Returns whether it has the keys of all activity records.
pub(super) fn is_activity(text: &str) -> bool {
    let keys = json::keys(text);
    let has = |key: &str| value(&keys, key).is_some();
    has("header") && (has("products") || has("safeHtmlItem"))
}

fn value<'t>(keys: &[(&str, &'t str)], key: &str) -> Option<&'t str> {
    keys.iter().find(|(known, _)| *known == key).map(|(_, value)| *value)
}

/// Reads a record.
pub(super) fn read(mut object: Object<'_>, notes: &mut Vec<Note>) -> Entry {
    let header = object.text("header", notes).unwrap_or_default();
    let title = object.text("title", notes).unwrap_or_default();
    let time = object.time("time", notes);
    let conversation = conversation(object.take("details").as_ref());
    let mut entry = Entry { time, conversation, ..Entry::default() };
    for (item, _) in object.array("safeHtmlItem", notes).unwrap_or_default() {
        let html = item.get("html").and_then(Value::as_str).or(item.as_str());
        let text = html::to_markdown(html.unwrap_or_default());
        if !text.is_empty() {
            entry.answered.push(Block::Markdown { text });
        }
    }
    let files = files(&mut object);
    let subtitles = object.array("subtitles", notes).unwrap_or_default();
    let subtitles = subtitles.iter().map(|(subtitle, _)| subtitle);
    let (mut sources, mut named) = (Vec::new(), Vec::new());
    let mut reported = Vec::new();
    for subtitle in subtitles.filter_map(Value::as_object) {
        let name = text(subtitle, "name").unwrap_or_default();
        let name = name.trim().trim_start_matches("- ").trim();
        let url = text(subtitle, "url").unwrap_or_default();
        if url.contains("gemini.google.com/gems") {
            reported.push(name.to_owned());
        } else if is_web(url) || url.is_empty() && is_web(name) {
            let url = if url.is_empty() { name } else { url };
            let title = Some(name).filter(|name| !name.is_empty() && *name != url);
            sources.push(Citation { title: title.map(str::to_owned), url: Some(url.to_owned()) });
        } else if !url.is_empty() {
            named.push((name.to_owned(), url.to_owned()));
        } else if !name.is_empty() && files.is_empty() && !is_about_files(name) {
            reported.push(name.to_owned());
        }
    }
    match verb::read(&title, &header) {
        Title::Prompt(prompt) => entry.ask(prompt),
        // Products themselves are not in the export.
        Title::Made(_)
            if entry.answered.is_empty() && reported.is_empty() && entry.conversation.is_none() =>
        {
            entry.is_bookkeeping = true;
        }
        Title::Made(made) => {
            entry.made = Some(made.to_owned());
            // In accounts of 2025, these lines contain the product.
            let words = reported.drain(..).map(|text| Block::Markdown { text });
            entry.answered.extend(words);
        }
        // Feedback is not a prompt.
        Title::Bookkeeping if entry.answered.is_empty() => entry.is_bookkeeping = true,
        Title::Other if entry.answered.is_empty() && files.is_empty() => {
            entry.is_bookkeeping = true;
        }
        Title::Bookkeeping | Title::Other => entry.ask(&title),
    }
    for name in reported {
        entry.asked.push(Block::Event { name: "note".to_owned(), text: name, detail: None });
    }
    for file in &files {
        if !named.iter().any(|(_, url)| url == file) {
            named.push((file.clone(), file.clone()));
        }
    }
    entry.asked.extend(named.into_iter().map(|(name, file)| attachment(&name, &file)));
    if !sources.is_empty() {
        entry.answered.push(Block::Citations { citations: sources });
    }
    entry
}

impl Entry {
    fn ask(&mut self, prompt: &str) {
        if !prompt.is_empty() {
            self.asked.push(Block::Markdown { text: prompt.to_owned() });
        }
    }
}

/// Returns whether a line only announces attached files.
fn is_about_files(name: &str) -> bool {
    let name = name.trim_end_matches('.');
    name.starts_with("Attached ") && (name.ends_with("file") || name.ends_with("files"))
}

fn list(value: Option<&Value>) -> impl Iterator<Item = &Value> {
    value.and_then(Value::as_array).into_iter().flatten()
}

/// Returns the names of the files beside the list.
fn files(object: &mut Object<'_>) -> Vec<String> {
    let mut files: Vec<String> = Vec::new();
    let found = [object.take("attachedFiles"), object.take("imageFile"), object.take("audioFiles")];
    for value in found.iter().flatten() {
        let one = value.as_str().into_iter();
        let many = list(Some(value)).filter_map(|file| {
            let name = |file: &Map| text(file, "name").map(str::to_owned);
            file.as_str().map(str::to_owned).or_else(|| name(file.as_object()?))
        });
        for name in one.map(str::to_owned).chain(many) {
            if !name.is_empty() && !files.contains(&name) {
                files.push(name);
            }
        }
    }
    files
}

fn attachment(name: &str, file: &str) -> Block {
    let kind = kind_of(file, None);
    let content = Content::Uri(percent_encode(file));
    Block::Attachment(Box::new(Attachment { content, ..Attachment::new(name, kind) }))
}

/// Returns the id of the conversation from URLs in the details, if there is exactly one.
fn conversation(details: Option<&Value>) -> Option<String> {
    let mut found: Option<String> = None;
    for detail in list(details).filter_map(Value::as_object) {
        for address in ["url", "name"].iter().filter_map(|key| text(detail, key)) {
            let Some((_, id)) = address.split_once(CONVERSATION) else { continue };
            let end = id.find(|c: char| !c.is_ascii_alphanumeric() && !"-_".contains(c));
            let id = id.get(..end.unwrap_or(id.len())).unwrap_or_default();
            match &found {
                _ if id.is_empty() => {}
                Some(known) if known != id => return None,
                _ => found = Some(id.to_owned()),
            }
        }
    }
    found
}

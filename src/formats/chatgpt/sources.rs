//! Web pages and files that an answer is based on, from the metadata of messages.

use std::collections::HashMap;

use super::links::public_url;
use super::message::{Message, list, object, text, words};
use convo_base::json::{Map, Value};
use convo_base::model::Citation;
use convo_base::text::base_name;

/// The meaning of a mark.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Meaning {
    /// Source pages.
    Sources(Vec<Citation>),
    /// Text, as Markdown.
    Words(String),
    /// Data that is not shown.
    Nothing,
}

/// A mark that is explained by the metadata.
pub(super) struct Reference<'a> {
    /// The mark with its surroundings, as in the text.
    pub(super) matched: &'a str,
    pub(super) meaning: Meaning,
}

/// The marks of a message according to its metadata.
#[derive(Default)]
pub(super) struct References<'a> {
    /// The references in the order of the text.
    pub(super) list: Vec<Reference<'a>>,
    /// Search results, by names such as `turn0search3`.
    pub(super) results: Option<&'a HashMap<String, Citation>>,
    /// Old citations: the first character, the number in the mark, and the page.
    pub(super) old: Vec<(Option<u64>, Option<u64>, Citation)>,
    /// Whether the user wrote the text, so that its brackets are not marks.
    pub(super) is_user_text: bool,
    /// Sources without a mark.
    pub(super) footnote: Vec<Citation>,
}

impl<'a> References<'a> {
    /// Reads the metadata of a message; `results` are those of the searches of the same answer.
    pub(super) fn new(message: Message<'a>, results: &'a HashMap<String, Citation>) -> Self {
        let mut all = Self { results: Some(results), ..Self::default() };
        let mut found: Vec<(u64, Reference<'a>)> = Vec::new();
        for item in message.list("content_references").iter().filter_map(Value::as_object) {
            if text(item, "type") == Some("sources_footnote") {
                all.footnote.extend(pages(list(item, "sources")));
            }
            // A footnote matches a space, which occurs everywhere.
            let matched = text(item, "matched_text").filter(|text| !text.trim().is_empty());
            let Some(matched) = matched else { continue };
            let start = item.get("start_idx").and_then(Value::as_u64).unwrap_or_default();
            found.push((start, Reference { matched, meaning: meaning(item) }));
        }
        found.sort_by_key(|(start, _)| *start);
        all.list = found.into_iter().map(|(_, reference)| reference).collect();
        for item in message.list("citations").iter().filter_map(Value::as_object) {
            let Some(metadata) = object(item, "metadata") else { continue };
            let start = item.get("start_ix").and_then(Value::as_u64);
            let number = object(metadata, "extra")
                .and_then(|extra| extra.get("cited_message_idx").and_then(Value::as_u64));
            all.old.extend(page(metadata).map(|page| (start, number, page)));
        }
        all
    }
}

/// Returns the search results of a message, by names such as `turn0search3`, in order.
pub(super) fn results(message: Message<'_>) -> Vec<(Option<String>, Citation)> {
    let groups = message.list("search_result_groups").iter().filter_map(Value::as_object);
    let groups = groups.filter(|group| !is_of_connector(group));
    let entries = groups.flat_map(|group| list(group, "entries")).filter_map(Value::as_object);
    entries.filter_map(|entry| Some((name(entry), page(entry)?))).collect()
}

fn name(entry: &Map) -> Option<String> {
    let id = object(entry, "ref_id")?;
    let number = |key: &str| id.get(key).and_then(Value::as_u64);
    let (turn, kind) = (number("turn_index")?, text(id, "ref_type")?);
    Some(format!("turn{turn}{kind}{}", number("ref_index")?))
}

/// Returns the page that an object refers to.
pub(super) fn page(item: &Map) -> Option<Citation> {
    // Data from connectors is private, including its name.
    if is_of_connector(item) {
        return None;
    }
    let title = words(item, "title").or_else(|| words(item, "name")).map(super::unmarked::bare);
    if let Some(url) = words(item, "url").and_then(public_url) {
        return Some(Citation { title, url: Some(url) });
    }
    // URLs of the user's own documents are private, too.
    if words(item, "url").is_some_and(super::links::is_private_host) {
        return None;
    }
    let is_upload = match text(item, "source") {
        None => text(item, "type").is_none_or(|kind| kind.contains("file")),
        Some(source) => UPLOADS.contains(&source),
    };
    let is_file = ["file_id", "id", "type"]
        .iter()
        .any(|key| text(item, key).is_some_and(|text| text.starts_with("file")));
    let name = |title: String| base_name(&title).to_owned();
    (is_upload && is_file).then_some(Citation { title: Some(title.map(name)?), url: None })
}

/// Origins of files that the user attached.
const UPLOADS: [&str; 4] = ["my_files", "file_search", "upload", "uploads"];
/// Origins of public web pages.
const WEB: [&str; 8] =
    ["web", "web_search", "search", "news", "bing", "browser", "youtube", "wikipedia"];

/// Returns whether an object comes from a connector.
fn is_of_connector(item: &Map) -> bool {
    let is_there = |key: &String, value: &Value| {
        !value.is_null()
            && *value != false
            && *value != ""
            && (key.starts_with("connector") || key.starts_with("cloud_doc"))
    };
    let source = words(item, "source").map(str::to_ascii_lowercase);
    let is_file = text(item, "type").is_some_and(|kind| kind.starts_with("file"));
    let is_elsewhere = source.is_some_and(|source| {
        let is_site = source.contains('.') && !is_file;
        !is_site && !UPLOADS.contains(&&*source) && !WEB.contains(&&*source)
    });
    is_elsewhere
        || text(item, "type").is_some_and(|kind| kind.contains("connector"))
        || item.iter().any(|(key, value)| is_there(key, value))
}

fn pages(items: &[Value]) -> impl Iterator<Item = Citation> {
    items.iter().filter_map(|item| page(item.as_object()?))
}

fn meaning(item: &Map) -> Meaning {
    let kind = text(item, "type").unwrap_or_default();
    match kind {
        "hidden" | "attribution" | "tldr" | "image_v2" | "image_group" | "image_inline" => {
            Meaning::Nothing
        }
        "nav_list" | "navigation" | "products" => links(item),
        "entity" | "product_entity" | "video" => match (label(item), page(item)) {
            (Some(label), Some(Citation { url: Some(url), .. })) => {
                Meaning::Words(format!("[{}](<{url}>)", super::unmarked::escaped(&label)))
            }
            (Some(label), _) => Meaning::Words(super::unmarked::escaped(&label)),
            (None, _) => Meaning::Nothing,
        },
        "alt_text" => match words(item, "alt") {
            Some(alt) => Meaning::Words(super::unmarked::bare(alt)),
            None => Meaning::Nothing,
        },
        _ => cited(item),
    }
}

fn label(item: &Map) -> Option<String> {
    let product = object(item, "product");
    let known = ["name", "title"].iter().find_map(|key| words(item, key));
    let known = known.or_else(|| words(product?, "title")).or_else(|| words(item, "alt"));
    known.map(super::unmarked::bare).filter(|label| !label.is_empty())
}

/// The list of links at the end of some answers.
fn links(item: &Map) -> Meaning {
    let items = list(item, "items").iter().chain(list(item, "products"));
    let row = |page: Citation| {
        let label = super::unmarked::escaped(page.label());
        page.url.map(|url| format!("- [{label}](<{url}>)"))
    };
    let rows: Vec<String> = items.filter_map(|item| row(page(item.as_object()?)?)).collect();
    match rows.is_empty() {
        true => Meaning::Nothing,
        false => Meaning::Words(format!("\n\n{}\n\n", rows.join("\n"))),
    }
}

fn cited(item: &Map) -> Meaning {
    let mut found: Vec<Citation> = Vec::new();
    for list_of in ["items", "fallback_items"] {
        for entry in list(item, list_of).iter().filter_map(Value::as_object) {
            found.extend(page(entry));
            found.extend(pages(list(entry, "supporting_websites")));
        }
        if !found.is_empty() {
            return Meaning::Sources(found);
        }
    }
    found.extend(page(item));
    if found.is_empty() {
        let urls = list(item, "safe_urls").iter().filter_map(Value::as_str);
        let page = |url: &str| Some(Citation { title: None, url: Some(public_url(url)?) });
        found.extend(urls.filter_map(page));
    }
    match found.is_empty() {
        true => Meaning::Nothing,
        false => Meaning::Sources(found),
    }
}

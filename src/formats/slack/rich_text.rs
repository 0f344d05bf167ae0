//! Rich text from Slack's editor: sections, lists, quotations and code.

use super::mrkdwn::link;
use super::workspace::Workspace;
use crate::shared::agents::thread::{text, whole};
use crate::shared::people::channel::{Prose, Style, emoji, emoji_of_code};
use crate::shared::tally::Tally;
use convo_base::json::{Map, Value};
use convo_base::model::{fenced, quoted};

/// The maximum nesting depth of lists.
const MAX_DEPTH: u64 = 8;

/// The maximum start number of a continued list.
const MAX_NUMBER: u64 = 1_000_000;

/// The preceding list.
#[derive(Clone, Copy)]
struct ListAbove {
    depth: u64,
    is_ordered: bool,
}

/// Returns the elements of a rich text block as Markdown.
pub(super) fn to_markdown(
    elements: &[Value],
    workspace: &mut Workspace,
    tally: &mut Tally,
) -> String {
    let mut out = String::new();
    let mut above: Option<ListAbove> = None;
    for element in elements.iter().filter_map(Value::as_object) {
        let kind = text(element, "type").unwrap_or_default();
        let inner = inner(element);
        let mut list = None;
        let part = match kind {
            "rich_text_section" => words(inner, workspace, tally),
            "rich_text_quote" => quoted(&words(inner, workspace, tally)),
            "rich_text_preformatted" => fenced("", plain(inner, workspace).trim_matches('\n')),
            "rich_text_list" => {
                let wanted = whole(element.get("indent")).unwrap_or_default();
                let most = above.map_or(0, |above| above.depth + 1).min(MAX_DEPTH);
                let depth = wanted.min(most);
                let is_ordered = text(element, "style") == Some("ordered");
                list = Some(ListAbove { depth, is_ordered });
                items(element, depth, is_ordered, workspace, tally)
            }
            kind => {
                tally.unknown_skipped(kind);
                continue;
            }
        };
        if part.trim().is_empty() {
            continue;
        }
        let continues = match (above, list) {
            (Some(above), Some(list)) => {
                list.depth != above.depth || list.is_ordered == above.is_ordered
            }
            _ => false,
        };
        if !out.is_empty() {
            out.push_str(if continues { "\n" } else { "\n\n" });
        }
        out.push_str(&part);
        above = list;
    }
    out
}

fn inner(element: &Map) -> &[Value] {
    element.get("elements").and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

fn items(
    list: &Map,
    depth: u64,
    is_ordered: bool,
    workspace: &mut Workspace,
    tally: &mut Tally,
) -> String {
    let first = whole(list.get("offset")).unwrap_or_default().min(MAX_NUMBER) + 1;
    let space = " ".repeat(4 * depth as usize);
    let rows = inner(list).iter().filter_map(Value::as_object).zip(first..);
    let rows = rows.map(|(item, number)| {
        let mark = if is_ordered { format!("{number}.") } else { "-".to_owned() };
        let words = words(inner(item), workspace, tally);
        // The further lines of an item are indented below its text.
        let words = words.replace('\n', &format!("\n{space}{}", " ".repeat(mark.len() + 1)));
        format!("{space}{mark} {words}")
    });
    rows.collect::<Vec<_>>().join("\n")
}

/// Returns text, mentions and links as Markdown.
fn words(elements: &[Value], workspace: &mut Workspace, tally: &mut Tally) -> String {
    let mut words = Prose::default();
    for element in elements.iter().filter_map(Value::as_object) {
        let style = style(element);
        match text(element, "type").unwrap_or_default() {
            "link" => {
                let address = text(element, "url").unwrap_or_default();
                let label = text(element, "text").unwrap_or_default();
                words.put(&link(address, label), style);
            }
            // Nested sections belong to a quotation.
            "rich_text_section" => {
                words.put(&self::words(inner(element), workspace, tally), style);
            }
            kind => match plain_element(element, workspace) {
                Some(text) => words.add(&text, style),
                None => tally.unknown_skipped(kind),
            },
        }
    }
    words.finish()
}

/// Returns text without style, as in code.
fn plain(elements: &[Value], workspace: &mut Workspace) -> String {
    let parts = elements.iter().filter_map(Value::as_object);
    let parts = parts.map(|element| match text(element, "type") {
        Some("link") => {
            let label = raw(element, "text").or(raw(element, "url"));
            label.unwrap_or_default().to_owned()
        }
        _ => plain_element(element, workspace).unwrap_or_default(),
    });
    parts.collect()
}

/// Returns a text, even if it is blank.
fn raw<'a>(map: &'a Map, key: &str) -> Option<&'a str> {
    map.get(key).and_then(Value::as_str).filter(|text| !text.is_empty())
}

fn plain_element(element: &Map, workspace: &mut Workspace) -> Option<String> {
    let get = |key: &str| raw(element, key).unwrap_or_default();
    Some(match get("type") {
        "text" => get("text").to_owned(),
        "user" => format!("@{}", workspace.members.name_in_text(get("user_id"))),
        "channel" => {
            let name = workspace.channel_name(get("channel_id")).unwrap_or("channel");
            format!("#{name}")
        }
        "usergroup" | "team" => "@group".to_owned(),
        "broadcast" => format!("@{}", get("range")),
        "emoji" => emoji_of_code(get("unicode")).unwrap_or_else(|| emoji(get("name"))),
        "date" => get("fallback").to_owned(),
        "color" => get("value").to_owned(),
        "link" => get("text").to_owned(),
        _ => return None,
    })
}

fn style(element: &Map) -> Style {
    let own = element.get("style").and_then(Value::as_object);
    let has = |key: &str| own.is_some_and(|style| style.get(key) == Some(&Value::Bool(true)));
    Style { bold: has("bold"), italic: has("italic"), struck: has("strike"), code: has("code") }
}

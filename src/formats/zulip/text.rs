//! Zulip texts: Markdown with `@**Wren|10**`, `#**mill>eels**`, quotations and spoilers between
//! fences, and links to uploaded files.

use crate::shared::people::channel::{Dialect, Members, NamedFile, emoji_at, markdown_of};
use crate::shared::tally::Tally;
use crate::shared::text::verbatim::verbatim;
use convo_base::fences::Fence;
use convo_base::json::Value;
use convo_base::model::{Block, fenced, quoted};

/// The contents of a message.
#[derive(Default)]
pub(super) struct MessageText {
    pub(super) blocks: Vec<Block>,
    /// The id of the message that it quotes.
    pub(super) answers: Option<String>,
}

/// The path of uploaded files in texts.
const UPLOADS: &str = "/user_uploads/";
/// The maximum nesting depth of fences.
const MAX_DEPTH: usize = 6;

/// Reads the text of a message.
pub(super) fn read(text: &str, members: &mut Members, tally: &mut Tally) -> MessageText {
    let mut files = Vec::new();
    let markdown =
        widget(text, members, &mut files).unwrap_or_else(|| nested(text, members, &mut files, 0));
    let own_text = (!markdown.is_empty()).then_some(Block::Markdown { text: markdown });
    let files = files.into_iter().map(|(name, path)| {
        let address = Some(path.as_str());
        NamedFile { name: &name, address, ..NamedFile::default() }.block(tally)
    });
    MessageText { blocks: own_text.into_iter().chain(files).collect(), answers: answered(text) }
}

/// Reads a widget: `/me waves`, or `/poll` and `/todo` with a title and a line for each answer or
/// task. Votes are not part of the message.
fn widget(text: &str, members: &mut Members, files: &mut Files) -> Option<String> {
    if let Some(action) = text.strip_prefix("/me ") {
        let action = nested(action.trim(), members, files, 0);
        let is_plain = !action.contains(['*', '_', '\n', '`']);
        return Some(if is_plain { format!("*{action}*") } else { action });
    }
    let rest = ["/poll", "/todo"].iter().find_map(|name| text.strip_prefix(name))?;
    let (title, lines) = rest.split_once('\n').unwrap_or((rest, ""));
    if !title.is_empty() && !title.starts_with(' ') {
        return None;
    }
    let mut parts: Vec<String> = Vec::new();
    if !title.trim().is_empty() {
        parts.push(words(title.trim(), members, files));
    }
    let items = lines.lines().map(|line| line.trim().trim_start_matches(['-', '*', ' ']));
    let items = items.filter(|line| !line.is_empty());
    let items: Vec<String> =
        items.map(|line| format!("- {}", words(line, members, files))).collect();
    parts.push(items.join("\n"));
    parts.retain(|part| !part.is_empty());
    (!parts.is_empty()).then(|| parts.join("\n\n"))
}

/// Returns whether an edit changed the content of a message, rather than its topic or channel.
pub(super) fn is_of_content(history: &Value) -> bool {
    match history {
        Value::String(text) => text.contains("prev_content"),
        Value::Array(list) => list.iter().any(|edit| edit.get("prev_content").is_some()),
        _ => true,
    }
}

/// Returns the id of the first quoted message: `@_**Wren|10** [said](…/near/123):`.
fn answered(text: &str) -> Option<String> {
    let line = text.lines().next()?;
    let (_, link) = line.split_once("** [said](")?;
    let (_, id) = link.split_once(')')?.0.rsplit_once("/near/")?;
    id.bytes().all(|byte| byte.is_ascii_digit()).then(|| id.to_owned())
}

type Files = Vec<(String, String)>;

fn nested(text: &str, members: &mut Members, files: &mut Files, depth: usize) -> String {
    let mut parts: Vec<String> = Vec::new();
    let mut plain = String::new();
    let mut lines = text.split('\n');
    while let Some(line) = lines.next() {
        let fence = Fence::of(line.trim()).filter(|_| depth < MAX_DEPTH);
        let Some(Fence { mark, info }) = fence else {
            plain.push_str(line);
            plain.push('\n');
            continue;
        };
        let end = mark.closing();
        let inside: Vec<&str> = lines.by_ref().take_while(|line| line.trim() != end).collect();
        let inside = inside.join("\n");
        parts.push(words(&std::mem::take(&mut plain), members, files));
        parts.push(match info.split_once(' ').unwrap_or((info, "")) {
            ("quote", _) => quoted(&nested(&inside, members, files, depth + 1)),
            ("spoiler", title) => {
                let title = if title.is_empty() { "spoiler" } else { title };
                let inside = nested(&inside, members, files, depth + 1);
                quoted(&format!("*{}*\n\n{inside}", verbatim(title)))
            }
            ("math", _) => format!("$$\n{inside}\n$$"),
            (info, _) => fenced(info, &inside),
        });
    }
    parts.push(words(&plain, members, files));
    parts.retain(|part| !part.trim().is_empty());
    parts.join("\n\n")
}

fn words(text: &str, members: &mut Members, files: &mut Files) -> String {
    let text = without_uploads(text.trim_matches('\n'), files);
    let mut mark = |text: &str| marked(text, members);
    markdown_of(&text, &mut Dialect { has_tables: true, mark: &mut mark })
}

/// Removes links to uploaded files from a text: `[boat.png](/user_uploads/2/ab/boat.png)`.
fn without_uploads(text: &str, files: &mut Files) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    let link = format!("]({UPLOADS}");
    while let Some((before, behind)) = rest.split_once(link.as_str()) {
        let Some((label_start, (path, after))) = before.rfind('[').zip(behind.split_once(')'))
        else {
            out.push_str(before);
            out.push_str(&link);
            rest = behind;
            continue;
        };
        let kept = before[..label_start].trim_end_matches('!');
        out.push_str(kept);
        let name = &before[label_start + 1..];
        files.push((name.to_owned(), format!("uploads/{path}")));
        rest = after;
    }
    out.push_str(rest);
    out
}

/// The maximum number of bytes of a mark.
const MAX_MARK: usize = 400;

fn marked(text: &str, members: &mut Members) -> Option<(usize, String)> {
    let head = &text[..text.floor_char_boundary(MAX_MARK)];
    if let Some(start) = ["@**", "@_**", "#**"].iter().find(|start| head.starts_with(**start)) {
        let (inside, _) = head[start.len()..].split_once("**")?;
        let count = start.len() + inside.len() + 2;
        if start.starts_with('#') {
            let (channel, topic) = inside.split_once('>').unwrap_or((inside, ""));
            let topic = topic.split('@').next().unwrap_or_default();
            let topic = if topic.is_empty() { "" } else { &format!(" › {topic}") };
            return Some((count, verbatim(&format!("#{channel}{topic}"))));
        }
        let name = match inside.rsplit_once('|') {
            Some((_, id)) if members.knows(id) => members.name_in_text(id),
            named => {
                let name = named.map_or(inside, |(name, _)| name);
                members.called(name);
                name.to_owned()
            }
        };
        return Some((count, verbatim(&format!("@{name}"))));
    }
    if let Some(group) = head.strip_prefix("@*").or(head.strip_prefix("@_*")) {
        let (name, behind) = group.split_once('*')?;
        let count = head.len() - behind.len();
        return Some((count, verbatim(&format!("@{name}"))));
    }
    emoji_at(head)
}

//! The parts of an answer.

use super::tool;
use crate::shared::access::visibility;
use crate::shared::json::object::text;
use crate::shared::tally::{BOOKKEEPING, MARKED, Tally};
use convo_base::diag::Counted;
use convo_base::fences::{Fence, FenceLine, FenceMark, Fences};
use convo_base::json::{Map, Value};
use convo_base::model::{Block, Citation, fenced};
use convo_base::text::base_name;

/// Kinds of parts that are redundant or not relevant to readers.
const SKIPPED: [&str; 22] = [
    "codeblockUri",
    "undoStop",
    "prepareToolInvocation",
    "mcpServersStarting",
    "mcpServersStartingSerialized",
    "progressMessage",
    "progressTask",
    "progressTaskSerialized",
    "progressTaskResult",
    "command",
    "commandButton",
    "references",
    "reference",
    "usedContext",
    "confirmation",
    "elicitation",
    "elicitationSerialized",
    "elicitation2",
    "clearToPreviousToolInvocation",
    "pullRequest",
    "extensions",
    "hook",
];

/// Edits whose text is not shown.
const EDITS: Counted = Counted::not_shown("file edit", "file edits");

/// Reads an answer.
pub(super) fn blocks(response: Option<&Value>, tally: &mut Tally) -> Vec<Block> {
    let mut answer = Answer { blocks: Vec::new(), tally, fence: None };
    match response {
        Some(Value::Array(list)) => list.iter().for_each(|part| answer.part(part)),
        Some(one) => answer.part(one),
        None => {}
    }
    answer.blocks
}

struct Answer<'t> {
    blocks: Vec<Block>,
    /// The fence of a code block around an edit, whose end is still to come.
    fence: Option<FenceMark>,
    tally: &'t mut Tally,
}

impl Answer<'_> {
    fn part(&mut self, part: &Value) {
        let map = match part {
            Value::String(words) => return self.push_text(words),
            Value::Object(map) if visibility::is_marked(map) => {
                return self.tally.add(MARKED);
            }
            Value::Object(map) => map,
            _ => return,
        };
        match text(map, "kind").unwrap_or_default() {
            "" | "markdownContent" | "markdownVuln" => match words(map) {
                Some(words) => self.push_text(&words),
                None => self.tally.add(BOOKKEEPING),
            },
            "thinking" => {
                let thought = match map.get("value") {
                    Some(Value::Array(list)) => {
                        list.iter().filter_map(Value::as_str).collect::<String>()
                    }
                    Some(Value::String(thought)) => thought.clone(),
                    _ => String::new(),
                };
                match self.blocks.last_mut() {
                    // A new heading begins a new thought.
                    Some(Block::Thinking { text }) => {
                        let is_new =
                            thought.starts_with("**") && !text.ends_with(char::is_whitespace);
                        text.push_str(if is_new { "\n\n" } else { "" });
                        text.push_str(&thought);
                    }
                    _ if thought.is_empty() => {}
                    _ => self.blocks.push(Block::Thinking { text: thought }),
                }
            }
            "inlineReference" => {
                if let Some(name) = reference(map) {
                    // It is part of a sentence.
                    self.push_text(&format!("`{}`", name.replace(['`', '\n'], "")));
                }
            }
            "toolInvocationSerialized" | "toolInvocation" => {
                self.blocks.push(Block::Tool(Box::new(tool::call(map))));
            }
            kind @ ("textEditGroup" | "notebookEditGroup" | "workspaceEdit" | "multiDiffData") => {
                self.tally.add(EDITS);
                self.leave_fence();
                let path = map.get("uri").and_then(Value::as_object).and_then(path);
                if let Some(path) = path.filter(|_| kind.ends_with("EditGroup")) {
                    let text = format!("Edited {}", base_name(path));
                    let name = "edit".to_owned();
                    self.blocks.push(Block::Event { name, text, detail: None });
                }
            }
            "warning" => {
                let text = words(map).unwrap_or_else(|| "warning".to_owned());
                self.blocks.push(Block::Event { name: "warning".to_owned(), text, detail: None });
            }
            "codeCitation" => {
                let url = text(map, "value").or_else(|| text(map, "uri")).map(str::to_owned);
                let title = text(map, "license").map(str::to_owned);
                let citations = vec![Citation { title, url }];
                self.blocks.push(Block::Citations { citations });
            }
            "treeData" => {
                let names = tree(map.get("treeData"));
                if !names.is_empty() {
                    self.push_text(&format!("\n\n{}\n\n", fenced("", names.trim_end())));
                }
            }
            kind if SKIPPED.contains(&kind) => {}
            kind => {
                self.tally.unknown(kind);
                self.blocks.push(Block::Unknown { name: kind.to_owned(), value: Value::Null });
            }
        }
    }

    /// Appends text to the preceding text.
    fn push_text(&mut self, words: &str) {
        let mut words = words;
        if let Some(open) = self.fence.take() {
            let bare = words.trim_start();
            let (first, rest) = bare.split_once('\n').unwrap_or((bare, ""));
            if Fence::of(first).is_some_and(|fence| fence.closes(open)) {
                words = rest.trim_start_matches('\n');
            }
        }
        if words.is_empty() {
            return;
        }
        match self.blocks.last_mut() {
            Some(Block::Markdown { text }) => text.push_str(words),
            _ => self.blocks.push(Block::Markdown { text: words.to_owned() }),
        }
    }

    /// Removes the start of a code block at the end of the text. The editor puts edits, whose text is not
    /// shown, into such blocks.
    fn leave_fence(&mut self) {
        let Some(Block::Markdown { text }) = self.blocks.last_mut() else { return };
        let start = text.trim_end().rfind('\n').map_or(0, |at| at + 1);
        let mut fences = Fences::default();
        let last = text.trim_end().lines().map(|line| fences.next(line)).last();
        if let Some(FenceLine::Opens(fence)) = last {
            self.fence = Some(fence.mark);
            text.truncate(start);
            let is_empty = text.trim().is_empty();
            self.blocks.pop_if(|_| is_empty);
        }
    }
}

/// Returns the text of a part, from any of its keys.
pub(super) fn words(map: &Map) -> Option<String> {
    let inside = ["content", "value", "message"].iter().find_map(|key| map.get(*key))?;
    match inside {
        Value::String(words) => Some(words.clone()),
        Value::Object(map) => map.get("value")?.as_str().map(str::to_owned),
        _ => None,
    }
}

/// Returns the name of a reference inside a sentence.
fn reference(map: &Map) -> Option<String> {
    let inside = map.get("inlineReference")?.as_object()?;
    let named = text(map, "name").or_else(|| text(inside, "name"));
    if let Some(name) = named {
        return Some(name.to_owned());
    }
    let place = inside.get("location").or_else(|| inside.get("uri"));
    let place = place.and_then(Value::as_object);
    let place = place.map(|place| place.get("uri").and_then(Value::as_object).unwrap_or(place));
    let place = place.unwrap_or(inside);
    path(place).map(|path| base_name(path).to_owned())
}

/// Returns the path of a URI in the notation of the editor.
fn path(uri: &Map) -> Option<&str> {
    ["fsPath", "path", "external"].iter().find_map(|key| text(uri, key))
}

/// Returns the names of a file tree, one per line.
fn tree(data: Option<&Value>) -> String {
    let mut out = String::new();
    let mut open: Vec<(&Value, usize)> = data.map(|data| (data, 0)).into_iter().collect();
    while let Some((node, depth)) = open.pop() {
        let label = node.get("label").and_then(Value::as_str);
        if let Some(label) = label {
            out.push_str(&format!("{}{label}\n", "  ".repeat(depth.min(20))));
        }
        let inside = node.get("children").and_then(Value::as_array);
        open.extend(inside.into_iter().flatten().rev().map(|child| (child, depth + 1)));
    }
    out
}

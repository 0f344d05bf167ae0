//! Items of paginated sessions: `item_completed`.

use super::line::{take_text, text};
use super::message::{generated_picture, texts};
use super::output::duration;
use super::scope::{Role, Source};
use super::search;
use super::session::{At, Session};
use crate::shared::tally::PROGRAM_NOTES;
use convo_base::json::{Map, Value};
use convo_base::model::Block;

const ITEM: Source = Source::Item;

impl Session {
    /// Reads an item.
    pub(super) fn item(&mut self, at: &At, mut event: Map) {
        let Some(Value::Object(mut item)) = event.remove("item") else { return };
        let kind = text(&item, "type").unwrap_or_default().to_owned();
        let plain: String = kind.chars().filter(|c| *c != '_').collect();
        let take_words = |item: &mut Map, key: &str| take_text(item, key).unwrap_or_default();
        match plain.to_ascii_lowercase().as_str() {
            "usermessage" => {
                let parts = match item.remove("content") {
                    Some(Value::Array(parts)) => parts,
                    Some(Value::String(text)) => vec![text.into()],
                    _ => Vec::new(),
                };
                let is_typed = |part: &Value| {
                    let kind = part.get("type").and_then(Value::as_str).unwrap_or_default();
                    !["skill", "mention"].contains(&kind)
                };
                let parts = parts.into_iter().filter(is_typed).collect();
                self.user_message(at, ITEM, parts);
            }
            "agentmessage" => {
                let words = texts(item.remove("content")).join("\n\n");
                let words = if words.is_empty() { take_words(&mut item, "text") } else { words };
                self.say(at, ITEM, &words);
            }
            "reasoning" => {
                for key in ["summary_text", "raw_content"] {
                    for part in texts(item.remove(key)) {
                        self.think(at, ITEM, part);
                    }
                }
            }
            "plan" => {
                let plan = take_words(&mut item, "text");
                // The plan is part of the answer, unless the answer was lost.
                if !plan.trim().is_empty()
                    && self.scope.is_new(Role::Answer, Source::Summary, plan.trim())
                    && let Some(blocks) = self.blocks(at)
                    && !holds(blocks, plan.trim())
                {
                    blocks.push(Block::Markdown { text: plan.trim().to_owned() });
                }
            }
            "commandexecution" => self.command(at, ITEM, item),
            "filechange" => self.patched(at, ITEM, item),
            "mcptoolcall" => {
                let length = item.get("duration").and_then(duration);
                let error = item.get_mut("error").and_then(|error| error.get_mut("message"));
                let result = match error.map(Value::take) {
                    Some(error) => Map::from_iter([("Err".to_owned(), error)]).into(),
                    None => item.remove("result").unwrap_or_default(),
                };
                self.served(at, ITEM, item, result, length);
            }
            "dynamictoolcall" => {
                let space = text(&item, "namespace").map(|space| format!("{space}."));
                let name = space.unwrap_or_default() + &take_words(&mut item, "tool");
                self.dynamic(at, ITEM, name, item);
            }
            "websearch" => self.search_item(at, &item),
            "imageview" => {
                let id = take_words(&mut item, "id");
                let path =
                    text(&item, "path").map(|path| path.strip_prefix("file://").unwrap_or(path));
                self.view_image(at, ITEM, id, path);
            }
            "imagegeneration" => self.painted_item(at, item),
            "extension" => match text(&item, "kind").unwrap_or_default() {
                "web.search" => self.search_item(at, &item),
                "image_gen.generation" => self.painted_item(at, item),
                "clock.sleep" => {}
                kind => self.unknown(at, &format!("Extension {kind}")),
            },
            "contextcompaction" => self.compact(at, None),
            "subagentactivity"
            | "collabagenttoolcall"
            | "sleep"
            | "enteredreviewmode"
            | "exitedreviewmode" => {}
            "hookprompt" => self.tally.add(PROGRAM_NOTES),
            _ => self.unknown(at, &kind),
        }
    }

    fn search_item(&mut self, at: &At, item: &Map) {
        let action = item.get("action");
        if let Some(search) = search::search(text(item, "query"), action) {
            self.search(at, ITEM, search, true);
        }
    }

    fn painted_item(&mut self, at: &At, mut item: Map) {
        let prompt = take_text(&mut item, "revised_prompt");
        let data = take_text(&mut item, "result").filter(|data| !data.is_empty());
        let id = take_text(&mut item, "id").unwrap_or_default();
        self.add_generated_picture(at, ITEM, &id, prompt, data.map(generated_picture));
    }
}

/// Returns whether the last text of an answer contains another text.
fn holds(blocks: &[Block], text: &str) -> bool {
    let last = blocks.iter().rev().take(4).find_map(|block| match block {
        Block::Markdown { text } => Some(text),
        _ => None,
    });
    last.is_some_and(|last| last.contains(text))
}

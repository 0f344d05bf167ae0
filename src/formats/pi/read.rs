//! Reads a session: its entries along the paths through them.

use super::entry::{self, Content};
use super::session::Session;
use crate::shared::access::home;
use crate::shared::agents::thread::{Context, Message, arrange};
use crate::shared::agents::turns::{Along, To, Turns, walk};
use crate::shared::json::object::Object;
use crate::shared::tally::{OF_PRIVATE, ORPHANS};
use convo_base::json::Value;
use convo_base::model::{Block, Conversation, Kind, Turn};

/// Reads the session in the entries of a file.
pub(super) fn read(records: Vec<Object<'_>>, context: &mut Context<'_>) -> Vec<Conversation> {
    let mut session = Session::default();
    let mut cwd = None;
    let mut entries = Vec::with_capacity(records.len());
    for mut object in records {
        if object.get("type").is_some_and(|kind| kind == "session") {
            session.read.private |= object.holds_back("private", &[], context.notes);
            // `direct`, or the kind of a group.
            let chat = object.get("chatType").and_then(Value::as_str);
            session.read.private |= chat.is_some_and(|chat| chat != "direct");
            session.read.id = object.text("id", context.notes).filter(|id| !id.is_empty());
            session.read.time = object.time("timestamp", context.notes);
            cwd = object.text("cwd", context.notes);
            session.is_openclaw = cwd.as_deref().is_some_and(is_of_openclaw);
            let parent =
                ["parentSession", "branchedFrom"].iter().find_map(|key| object.get(key)?.as_str());
            session.read.parent = parent.and_then(id_in_name);
            continue;
        }
        entries.push(entry::read(object, &mut session, context));
    }
    let last =
        entries.iter().rev().find(|entry| !entry.id.is_empty()).map(|entry| entry.id.clone());
    let Session { mut read, leaf, private_calls, .. } = session;
    let known = leaf.filter(|leaf| entries.iter().any(|entry| entry.id == *leaf)).or(last);
    let (entries, paths) = arrange(&mut read, entries, |_, _| known.clone(), context.notes);
    let mut turns = Turns::default();
    if !private_calls.is_empty() {
        turns.withhold_calls(&private_calls, "id");
    }
    walk(entries, paths, &mut turns);
    context.tally.add_all(ORPHANS, turns.orphans());
    context.tally.add_all(OF_PRIVATE, turns.private_result_count());
    turns.fill(&mut read);
    home::hide_with(&mut read, cwd.as_deref());
    vec![read]
}

/// Returns whether the folder of a session is one of OpenClaw, or of the program before it was renamed.
fn is_of_openclaw(cwd: &str) -> bool {
    cwd.split(['/', '\\'])
        .any(|part| [".openclaw", ".clawdbot", ".moltbot", "clawd"].contains(&part))
}

/// Returns the id in the name of a session file: `…/2026-06-29T10-39-00-200Z_<id>.jsonl`.
fn id_in_name(path: &str) -> Option<String> {
    let (_, id) = path.strip_suffix(".jsonl")?.rsplit_once('_')?;
    Some(id.to_owned()).filter(|id| !id.is_empty())
}

impl Along<Message<Content>> for Turns {
    fn turns(&mut self) -> &mut Turns {
        self
    }

    fn add_message(&mut self, message: Message<Content>) -> bool {
        let Message { kind, mut turn, contents, .. } = message;
        match contents {
            Content::Turn(blocks) => {
                turn.blocks = Vec::new();
                let usage = turn.usage.take();
                self.add(&turn.speaker.clone(), kind, turn);
                for block in blocks {
                    match block {
                        Block::Tool(call) => self.call(*call),
                        block => self.push(block),
                    }
                }
                usage.into_iter().for_each(|usage| self.add_usage(&usage));
                true
            }
            Content::Events(blocks) => {
                let turn = Turn { blocks, withheld: false, ..turn };
                self.add("", Kind::System, turn);
                true
            }
            Content::Result { id, tool, outcome, files } => {
                self.result(To::Call { id: &id, name: &tool }, *outcome);
                for file in files {
                    match file {
                        Block::Attachment(file) => self.push_beside(&id, *file),
                        block => self.push(block),
                    }
                }
                true
            }
            Content::Nothing => false,
        }
    }
}

//! The finished conversation of a session, and the notes on it.

use std::collections::HashMap;
use std::rc::Rc;

use super::session::{CODEX, Part, Session};
use crate::shared::access::home;
use crate::shared::agents::turns::Turns;
use convo_base::diag::{Counted, Note, Severity};
use convo_base::json::Value;
use convo_base::model::{Conversation, turn_id};
use convo_base::text::plural;

const COPIED: Counted = Counted::not_shown(
    "record copied from the parent session",
    "records copied from the parent session",
);

impl Session {
    /// Returns the conversation.
    pub(super) fn finish(&mut self) -> Conversation {
        let mut read = std::mem::take(&mut self.read);
        let drafts = std::mem::take(&mut self.drafts);
        let first = drafts.iter().find(|draft| draft.part == Part::Answer);
        let effort = first.and_then(|draft| draft.effort.clone());
        let mut turns = Turns::with_separate_turns(0);
        let mut numbers: HashMap<(Rc<str>, Part), u32> = HashMap::new();
        for draft in drafts {
            let mut turn = draft.turn;
            if let Some(task) = draft.task.filter(|_| draft.part != Part::Other) {
                let number = numbers.entry((task.clone(), draft.part)).or_default();
                *number += 1;
                turn.id = turn_id(&format!("{task}/{:?}/{number}", draft.part));
            }
            if draft.part == Part::Answer {
                turn.usage = draft.costs.total(draft.model.as_deref());
                if draft.effort != effort
                    && let Some(effort) = &draft.effort
                {
                    turn.extra.insert("effort".to_owned(), effort.as_ref().into());
                }
            }
            turns.add(&turn.speaker.clone(), draft.kind, turn);
        }
        turns.fill(&mut read);
        if let (Some(effort), Some(who)) = (effort, read.participants.named_mut(CODEX)) {
            who.extra.insert("effort".to_owned(), effort.as_ref().into());
        }
        if !self.context.is_empty() && read.turns.is_empty() {
            let context = std::mem::take(&mut self.context);
            read.unpublished.insert("context".to_owned(), context.into());
        }
        home::hide_with(&mut read, self.cwd.as_deref());
        read
    }

    /// Returns the notes on records that are not shown.
    pub(super) fn notes(&mut self) -> Vec<Note> {
        let mut tally = std::mem::take(&mut self.tally);
        tally.add_all(COPIED, self.copied);
        let mut notes: Vec<Note> = tally.notes().collect();
        if self.out_of_reach > 0 {
            let turns = plural(self.out_of_reach, "turn", "turns");
            let message = format!(
                "{turns} rolled back in this log are too far up to be removed, so the whole session \
                 is withheld"
            );
            let note = Note::new(Severity::Error, "too-large", None, message);
            notes.push(
                note.hint("delete the rolled-back turns from the log, or the lines before them"),
            );
        }
        if let Some(at) = &self.unclear {
            let message = "a rollback without a number of turns";
            let note = Note::error("wrong-type", at.range.clone(), message).in_file(at.file);
            let hint = "the session is withheld; set `num_turns`, or delete the rolled-back turns \
                        and this line";
            notes.push(note.hint(hint));
        }
        notes
    }
}

/// Returns the unpublished metadata of the first record.
pub(super) fn kept(meta: &convo_base::json::Map) -> Value {
    const KEYS: [&str; 15] = [
        "id", "timestamp", "cwd", "originator", "cli_version", "source", "thread_source",
        "model_provider", "git", "forked_from_id", "parent_thread_id", "history_mode",
        "history_base", "agent_nickname", "agent_role",
    ];
    let kept = KEYS.iter().filter_map(|key| {
        let value = meta.get(*key).filter(|value| !value.is_null())?;
        Some(((*key).to_owned(), value.clone()))
    });
    Value::Object(kept.collect())
}

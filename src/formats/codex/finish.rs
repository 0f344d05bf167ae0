//! The finished conversation of a session, and the notes on it.

use std::collections::HashMap;
use std::rc::Rc;

use super::session::{CODEX, Dropped, Part, Session};
use crate::shared::access::home;
use crate::shared::tally::{ORPHANS, PROGRAM_NOTES, Tally, UNKNOWN};
use convo_base::diag::{Counted, Note, Severity};
use convo_base::json::Value;
use convo_base::model::{Block, Conversation, name_turns, turn_id};
use convo_base::text::plural;

impl Session {
    /// Returns the conversation.
    pub(super) fn finish(&mut self) -> Conversation {
        let mut read = std::mem::take(&mut self.read);
        let drafts = std::mem::take(&mut self.drafts);
        let mut answers = drafts.iter().filter(|draft| draft.part == Part::Answer);
        let first = answers.next();
        let model = first.and_then(|draft| draft.model.clone());
        let effort = first.and_then(|draft| draft.effort.clone());
        for who in read.participants.iter_mut().filter(|who| who.name == CODEX) {
            who.model = model.as_deref().map(str::to_owned);
            if let Some(effort) = &effort {
                who.extra.insert("effort".to_owned(), effort.as_ref().into());
            }
        }
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
            read.turns.push(turn);
        }
        if !self.context.is_empty() && read.turns.is_empty() {
            let context = std::mem::take(&mut self.context);
            read.unpublished.insert("context".to_owned(), context.into());
        }
        // Pictures from accounts of the user were removed, which can leave turns empty.
        let is_nothing =
            |block: &Block| matches!(block, Block::Markdown { text } if text.is_empty());
        for turn in &mut read.turns {
            turn.blocks.retain(|block| !is_nothing(block));
        }
        // Codex records empty lines, which are not turns.
        read.turns.retain(|turn| !turn.blocks.is_empty());
        name_turns(&mut read.turns);
        home::hide_with(&mut read, self.cwd.as_deref());
        read
    }

    /// Returns the notes on records that are not shown.
    pub(super) fn notes(&self) -> Vec<Note> {
        let mut notes = Vec::new();
        for (kind, (count, at)) in &self.unknown {
            let first = at.range.start..at.range.start;
            notes.push(Note::counted(UNKNOWN, kind, *count, Some(first)).in_file(at.file));
        }
        notes.extend(not_shown(&self.dropped));
        if self.dropped.out_of_reach > 0 {
            let turns = plural(self.dropped.out_of_reach, "turn", "turns");
            let message = format!(
                "{turns} rolled back in this log are too far up to be removed, so the whole session \
                 is withheld"
            );
            let note = Note::new(Severity::Error, "too-large", None, message);
            notes.push(
                note.hint("delete the rolled-back turns from the log, or the lines before them"),
            );
        }
        if let Some(at) = &self.dropped.unclear {
            let message = "a rollback without a number of turns";
            let note = Note::error("wrong-type", at.range.clone(), message).in_file(at.file);
            let hint = "the session is withheld; set `num_turns`, or delete the rolled-back turns \
                        and this line";
            notes.push(note.hint(hint));
        }
        notes
    }
}

/// Counts the records that are not shown.
fn not_shown(dropped: &Dropped) -> impl Iterator<Item = Note> {
    const COPIED: Counted = Counted::not_shown(
        "record copied from the parent session",
        "records copied from the parent session",
    );
    const ROLLED_BACK: Counted = Counted::not_shown("rolled-back turn", "rolled-back turns");
    let mut tally = Tally::default();
    tally.add_all(COPIED, dropped.copied);
    tally.add_all(ROLLED_BACK, dropped.rolled_back);
    tally.add_all(ORPHANS, dropped.orphans);
    tally.add_all(PROGRAM_NOTES, dropped.noise);
    tally.notes()
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

//! What a format could not hold: found by reading what was written, and not by believing the
//! writer.

use std::collections::BTreeMap;

use crate::json::Map;
use crate::model::{Block, Conversation, Turn};

/// Something that is not there any more.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Loss {
    /// `loss-thinking` and so on.
    pub code: &'static str,
    /// How many of its kind.
    pub count: u64,
    /// What it is in words, after the count.
    pub what: &'static str,
}

/// What `before` says and `after`, which was written and read again, does not. Ids and other
/// bookkeeping that a format makes up are no gain, and are no loss where they were made up.
pub fn losses(before: &Conversation, after: &Conversation) -> Vec<Loss> {
    let mut found: BTreeMap<(&'static str, &'static str), u64> = BTreeMap::new();
    let mut lose = |code, what, count: usize| {
        if count > 0 {
            *found.entry((code, what)).or_default() += count as u64;
        }
    };
    let one = |differs: bool| usize::from(differs);
    if before.private && !after.private {
        lose("loss-private", "mark that it is private", 1);
    }
    lose(
        "loss-title",
        "title",
        one(before.title.is_some() && before.title != after.title),
    );
    lose("loss-type", "type", one(before.kind.is_some() && before.kind != after.kind));
    lose("loss-time", "time", one(before.time.is_some() && before.time != after.time));
    lose(
        "made-up-time",
        "time that nobody stated",
        one(before.time.is_none()
            && after.time.is_some()
            && after.turns.iter().all(|turn| turn.time.is_none())),
    );
    lose(
        "loss-languages",
        "language tags",
        missing(&before.languages, &after.languages)
            + missing(&before.speculative_languages, &after.speculative_languages),
    );
    lose("loss-tags", "tags", missing(&before.tags, &after.tags));
    lose(
        "loss-preface",
        "text before the first turn",
        one(!before.preface.trim().is_empty() && before.preface != after.preface),
    );
    lose(
        "loss-parent",
        "link to the conversation before it",
        one(before.parent.is_some() && before.parent != after.parent),
    );
    lose(
        "loss-metadata",
        "fields of metadata",
        one(before.id.is_some() && before.id != after.id)
            + missing_keys(&before.extra, &after.extra)
            + missing_keys(&before.unpublished, &after.unpublished),
    );
    let changed = before.participants.iter().filter(|who| {
        after.participant(&who.name).is_none_or(|other| {
            (other.kind, &other.model, &other.extra) != (who.kind, &who.model, &who.extra)
        })
    });
    lose("loss-participants", "participants' names, kinds or models", changed.count());
    let lost_branches = before.branches.iter().filter(|branch| {
        !after.branches.iter().any(|other| {
            branch.rejoins == other.rejoins
                && branch.name == other.name
                && branch.turns.len() == other.turns.len()
        })
    });
    lose("loss-branches", "branches or alternatives", lost_branches.count());
    if before.turns.len() != after.turns.len() {
        lose(
            "loss-turns",
            "borders between turns",
            before.turns.len().abs_diff(after.turns.len()),
        );
    }
    let pairs: Vec<(&Turn, Option<&Turn>)> = if before.turns.len() == after.turns.len() {
        before.turns.iter().zip(after.turns.iter().map(Some)).collect()
    } else {
        before.turns.iter().map(|turn| (turn, None)).collect()
    };
    let mut kinds_before = Parts::default();
    before.turns.iter().for_each(|turn| kinds_before.add(turn));
    let mut kinds_after = Parts::default();
    after.turns.iter().for_each(|turn| kinds_after.add(turn));
    for ((code, what), count) in kinds_before.0 {
        let kept = kinds_after.0.get(&(code, what)).copied().unwrap_or_default();
        lose(code, what, count.saturating_sub(kept));
    }
    for (turn, other) in pairs {
        let Some(other) = other else { continue };
        lose(
            "loss-turn-times",
            "times of turns",
            one(turn.time.is_some() && turn.time != other.time)
                + one(turn.offset.is_some() && turn.offset != other.offset),
        );
        lose("loss-pins", "pins", one(turn.pinned && !other.pinned));
        lose("loss-pending", "marks of what waits", one(turn.pending && !other.pending));
        lose("loss-speakers", "speakers of turns", one(turn.speaker != other.speaker));
        lose(
            "loss-metadata",
            "fields of metadata",
            missing_keys(&turn.extra, &other.extra)
                + missing_keys(&turn.unpublished, &other.unpublished),
        );
        lose("loss-tool-details", "details of tool calls", tool_details(turn, other));
        lose(
            "loss-text",
            "texts that read differently",
            one(prose(turn) != prose(other) && turn.text() != other.text()),
        );
    }
    found.into_iter().map(|((code, what), count)| Loss { code, count, what }).collect()
}

/// Parts of turns by kind, and how many of each.
#[derive(Default)]
struct Parts(BTreeMap<(&'static str, &'static str), usize>);

impl Parts {
    fn add(&mut self, turn: &Turn) {
        for block in &turn.blocks {
            let kind = match block {
                Block::Markdown { .. } => continue,
                Block::Thinking { .. } => {
                    ("loss-thinking", "thoughts that became plain text")
                }
                Block::Tool(_) => ("loss-tools", "tool calls that became plain text"),
                Block::Attachment(_) => {
                    ("loss-attachments", "attachments that became plain text")
                }
                Block::Event { .. } => ("loss-events", "events that became plain text"),
                Block::Unknown { .. } => {
                    ("loss-unknown", "unknown parts that became plain text")
                }
            };
            *self.0.entry(kind).or_default() += 1;
        }
    }
}

fn prose(turn: &Turn) -> Vec<&str> {
    fn text(block: &Block) -> Option<&str> {
        match block {
            Block::Markdown { text } => Some(text.trim()),
            _ => None,
        }
    }
    turn.blocks.iter().filter_map(text).collect()
}

/// Parts of tool calls that both turns have and that differ.
fn tool_details(turn: &Turn, other: &Turn) -> usize {
    let calls = |turn: &'_ Turn| {
        turn.blocks
            .iter()
            .filter_map(|block| match block {
                Block::Tool(call) => Some(call.clone()),
                _ => None,
            })
            .collect::<Vec<_>>()
    };
    let (calls, others) = (calls(turn), calls(other));
    if calls.len() != others.len() {
        return 0;
    }
    let mut lost = 0;
    for (call, other) in calls.iter().zip(&others) {
        lost += usize::from(call.name != other.name || call.input != other.input);
        lost += usize::from(
            call.requires_approval.is_some()
                && call.requires_approval != other.requires_approval,
        );
        lost += missing_keys(&call.extra, &other.extra);
        lost += call
            .approvals
            .iter()
            .filter(|approval| {
                !other.approvals.iter().any(|kept| {
                    (&kept.state, &kept.by, &kept.reason)
                        == (&approval.state, &approval.by, &approval.reason)
                })
            })
            .count();
        lost += call
            .results
            .iter()
            .filter(|result| {
                !other.results.iter().any(|kept| {
                    (&kept.output, &kept.error, &kept.duration)
                        == (&result.output, &result.error, &result.duration)
                        && (result.state.is_empty() || kept.state == result.state)
                })
            })
            .count();
    }
    lost
}

fn missing(before: &[String], after: &[String]) -> usize {
    before.iter().filter(|item| !after.contains(item)).count()
}

fn missing_keys(before: &Map, after: &Map) -> usize {
    before.iter().filter(|(key, value)| after.get(*key) != Some(*value)).count()
}

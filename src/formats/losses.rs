//! What a format could not hold: found by reading what was written, and not by believing the
//! writer.

use std::collections::BTreeMap;

use crate::json::{Map, Value};
use crate::model::{Approval, Block, Conversation, ToolCall, ToolResult, Turn};

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
    let same_turns = before.turns.len() == after.turns.len();
    lose(
        "loss-turns",
        "borders between turns",
        before.turns.len().abs_diff(after.turns.len()),
    );
    let mut kinds_before = Parts::default();
    before.turns.iter().for_each(|turn| kinds_before.add(turn));
    let mut kinds_after = Parts::default();
    after.turns.iter().for_each(|turn| kinds_after.add(turn));
    for ((code, what), count) in kinds_before.0 {
        let kept = kinds_after.0.get(&(code, what)).copied().unwrap_or_default();
        lose(code, what, count.saturating_sub(kept));
    }
    let count = |read: &Conversation, has: fn(&Turn) -> bool| {
        read.turns.iter().filter(|turn| has(turn)).count()
    };
    let fewer =
        |has: fn(&Turn) -> bool| count(before, has).saturating_sub(count(after, has));
    lose("loss-pins", "pins", fewer(|turn| turn.pinned));
    lose("loss-pending", "marks of what waits", fewer(|turn| turn.pending));
    lose("loss-tool-details", "details of tool calls", tool_details(before, after));
    if same_turns {
        for (turn, other) in before.turns.iter().zip(&after.turns) {
            let time = turn.time.is_some() && turn.time != other.time;
            let offset = turn.offset.is_some() && turn.offset != other.offset;
            lose("loss-turn-times", "times of turns", one(time) + one(offset));
            lose(
                "loss-speakers",
                "speakers of turns",
                one(turn.speaker != other.speaker),
            );
            let kept = other.text();
            let text = prose(turn).iter().any(|text| !kept.contains(text));
            lose("loss-text", "texts that read differently", one(text));
        }
    } else {
        let times =
            fewer(|turn| turn.time.is_some()) + fewer(|turn| turn.offset.is_some());
        lose("loss-turn-times", "times of turns", times);
        lose(
            "loss-speakers",
            "speakers of turns",
            one(speakers(before) != speakers(after)),
        );
        let kept: Vec<String> = after.turns.iter().map(Turn::text).collect();
        let kept = kept.join("\n\n");
        let texts =
            before.turns.iter().flat_map(prose).filter(|text| !kept.contains(text));
        lose("loss-text", "texts that read differently", texts.count());
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

/// Who speaks after whom.
fn speakers(read: &Conversation) -> Vec<&str> {
    let mut names: Vec<&str> =
        read.turns.iter().map(|turn| turn.speaker.as_str()).collect();
    names.dedup();
    names
}

/// Parts of tool calls that both conversations have and that differ.
fn tool_details(before: &Conversation, after: &Conversation) -> usize {
    fn calls(read: &Conversation) -> Vec<&ToolCall> {
        let blocks = read.turns.iter().flat_map(|turn| &turn.blocks);
        blocks
            .filter_map(|block| match block {
                Block::Tool(call) => Some(&**call),
                _ => None,
            })
            .collect()
    }
    let (calls, others) = (calls(before), calls(after));
    if calls.len() != others.len() {
        return 0;
    }
    let mut lost = 0;
    for (call, other) in calls.into_iter().zip(others) {
        lost += usize::from(call.name != other.name || call.input != other.input);
        let required = call.requires_approval;
        lost += usize::from(required.is_some() && required != other.requires_approval);
        lost += missing_keys(&call.extra, &other.extra);
        lost += missing_keys(&call.unpublished, &other.unpublished);
        for approval in &call.approvals {
            let same = |kept: &Approval| {
                (&kept.state, &kept.by, &kept.reason)
                    == (&approval.state, &approval.by, &approval.reason)
            };
            lost += usize::from(!other.approvals.iter().any(same));
        }
        for result in &call.results {
            let same = |kept: &ToolResult| {
                (&kept.output, &kept.error, &kept.duration)
                    == (&result.output, &result.error, &result.duration)
                    && (result.state.is_empty() || kept.state == result.state)
            };
            lost += usize::from(!other.results.iter().any(same));
        }
    }
    lost
}

fn missing(before: &[String], after: &[String]) -> usize {
    before.iter().filter(|item| !after.contains(item)).count()
}

fn missing_keys(before: &Map, after: &Map) -> usize {
    let kept = |key: &str, value: &Value| {
        after.get(key).is_some_and(|other| holds(other, value))
    };
    before.iter().filter(|(key, value)| !kept(key, value)).count()
}

/// Whether a value says at least what another one says.
fn holds(after: &Value, before: &Value) -> bool {
    match (after, before) {
        (Value::Object(after), Value::Object(before)) => missing_keys(before, after) == 0,
        (Value::Array(after), Value::Array(before)) => {
            after.len() == before.len()
                && after.iter().zip(before).all(|(a, b)| holds(a, b))
        }
        _ => after == before,
    }
}

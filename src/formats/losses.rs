//! Finds what is lost when a conversation is written in a format, by reading the result again instead of
//! trusting the writer.

use std::collections::BTreeMap;

use convo_base::json::{Map, Value};
use convo_base::model::{Approval, Block, Conversation, ToolCall, ToolResult, Turn};
use convo_base::text::plural;

/// Something that is missing or changed in the result.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Loss {
    /// A code such as `loss-thinking`.
    pub code: &'static str,
    /// How many there are.
    pub count: u64,
    /// What was lost, for one and for several.
    pub words: Words,
    /// The affected turns, as indexes in the main path; empty for losses of the whole conversation.
    pub turns: Vec<usize>,
}

/// Returns what `before` contains and `after`, the result of writing and reading it again, does not. Ids
/// and other bookkeeping that a format makes up count neither as a gain nor as a loss.
pub fn losses(before: &Conversation, after: &Conversation) -> Vec<Loss> {
    let mut found = LossCounts::default();
    whole(before, after, &mut found);
    turns(before, after, &mut found);
    let losses = found.0.into_iter();
    losses.map(|((code, words), (count, turns))| Loss { code, count, words, turns }).collect()
}

/// What was lost, in words that follow a count: for one and for several.
type Words = (&'static str, &'static str);

/// A code and its description.
type Name = (&'static str, Words);

const TURN_TIMES: Words = ("turn time lost or changed", "turn times lost or changed");
const TURN_SPEAKERS: Words =
    ("speaker of a turn lost or changed", "speakers of turns lost or changed");
const TEXTS: Words = ("text changed", "texts changed");

impl Loss {
    /// Describes it with its count.
    pub fn text(&self) -> String {
        plural(self.count, self.words.0, self.words.1)
    }
}

/// The count of each loss, and the affected turns.
#[derive(Default)]
struct LossCounts(BTreeMap<Name, (u64, Vec<usize>)>);

impl LossCounts {
    fn lose(&mut self, code: &'static str, what: Words, count: usize) {
        if count > 0 {
            self.0.entry((code, what)).or_default().0 += count as u64;
        }
    }

    fn at(&mut self, turn: usize, code: &'static str, what: Words, count: usize) {
        if count > 0 {
            let (all, turns) = self.0.entry((code, what)).or_default();
            *all += count as u64;
            if turns.last() != Some(&turn) {
                turns.push(turn);
            }
        }
    }
}

fn one(differs: bool) -> usize {
    usize::from(differs)
}

/// Compares the metadata of the conversations.
fn whole(before: &Conversation, after: &Conversation, found: &mut LossCounts) {
    let mut lose = |code, what, count| found.lose(code, what, count);
    if before.private && !after.private {
        lose("loss-private", ("private mark lost", "private marks lost"), 1);
    }
    lose(
        "loss-title",
        ("title lost or changed", "titles lost or changed"),
        one(before.title.is_some() && before.title != after.title),
    );
    lose(
        "loss-type",
        ("type lost or changed", "types lost or changed"),
        one(before.kind.is_some() && before.kind != after.kind),
    );
    lose(
        "loss-time",
        ("time lost or changed", "times lost or changed"),
        one(before.time.is_some() && before.time != after.time),
    );
    lose(
        "made-up-time",
        ("made-up time added", "made-up times added"),
        one(before.time.is_none()
            && after.time.is_some()
            && after.turns.iter().all(|turn| turn.time.is_none())),
    );
    lose(
        "loss-languages",
        ("language lost", "languages lost"),
        missing(&before.languages, &after.languages)
            + missing(&before.speculative_languages, &after.speculative_languages),
    );
    lose("loss-tags", ("tag lost", "tags lost"), missing(&before.tags, &after.tags));
    lose(
        "loss-preface",
        (
            "text before the first turn lost or changed",
            "texts before the first turn lost or changed",
        ),
        one(!before.preface.trim().is_empty() && before.preface != after.preface),
    );
    lose(
        "loss-parent",
        ("link to an earlier conversation lost", "links to earlier conversations lost"),
        one(before.parent.is_some() && before.parent != after.parent),
    );
    lose(
        "loss-metadata",
        ("metadata field lost or changed", "metadata fields lost or changed"),
        one(before.id.is_some() && before.id != after.id)
            + one(before.updated.is_some() && before.updated != after.updated)
            + one(before.excluded_from_search && !after.excluded_from_search)
            + missing_keys(&before.extra, &after.extra)
            + missing_keys(&before.unpublished, &after.unpublished),
    );
    let changed = before.participants.iter().filter(|who| {
        after.participant(&who.name).is_none_or(|other| {
            (other.kind, &other.model, &other.extra) != (who.kind, &who.model, &who.extra)
        })
    });
    let words = (
        "participant whose name, kind or model is lost or changed",
        "participants whose name, kind or model is lost or changed",
    );
    lose("loss-participants", words, changed.count());
}

/// Compares the turns.
fn turns(before: &Conversation, after: &Conversation, found: &mut LossCounts) {
    let places: BTreeMap<&str, usize> = match before.branches.is_empty() {
        true => BTreeMap::new(),
        false => before.turns.iter().map(|turn| turn.id.as_str()).zip(0..).collect(),
    };
    for branch in &before.branches {
        let kept = after.branches.iter().any(|other| {
            branch.rejoins == other.rejoins
                && branch.name == other.name
                && branch.started_by == other.started_by
                && branch.turns.len() == other.turns.len()
        });
        let (code, what) =
            ("loss-branches", ("branch lost or changed", "branches lost or changed"));
        match branch.after.as_deref().and_then(|id| places.get(id)) {
            Some(turn) => found.at(*turn, code, what, one(!kept)),
            None => found.lose(code, what, one(!kept)),
        }
    }
    found.lose(
        "loss-turns",
        ("turn added or lost", "turns added or lost"),
        before.turns.len().abs_diff(after.turns.len()),
    );
    parts(before, after, found);
    if before.turns.len() == after.turns.len() {
        for (at, (turn, other)) in before.turns.iter().zip(&after.turns).enumerate() {
            let time = turn.time.is_some() && turn.time != other.time;
            let offset = turn.offset.is_some() && turn.offset != other.offset;
            found.at(at, "loss-turn-times", TURN_TIMES, one(time) + one(offset));
            let made_up = turn.time.is_none() && other.time.is_some();
            found.at(
                at,
                "made-up-time",
                ("made-up turn time added", "made-up turn times added"),
                one(made_up),
            );
            let speaker = turn.speaker != other.speaker;
            found.at(at, "loss-speakers", TURN_SPEAKERS, one(speaker));
            let kept = other.text();
            let text = prose(turn).iter().any(|text| !kept.contains(text));
            found.at(at, "loss-text", TEXTS, one(text));
        }
        return;
    }
    fewer(before, after, found, "loss-turn-times", TURN_TIMES, |turn| {
        one(turn.time.is_some()) + one(turn.offset.is_some())
    });
    let speakers = speakers(before) != speakers(after);
    found.lose("loss-speakers", TURN_SPEAKERS, one(speakers));
    let kept: Vec<String> = after.turns.iter().map(Turn::text).collect();
    let kept = kept.join("\n\n");
    for (at, turn) in before.turns.iter().enumerate() {
        let lost = prose(turn).iter().filter(|text| !kept.contains(**text)).count();
        found.at(at, "loss-text", TEXTS, lost);
    }
}

/// Compares the parts of turns that may have become something else.
fn parts(before: &Conversation, after: &Conversation, found: &mut LossCounts) {
    type Part = (Name, fn(&Block) -> bool);
    const KINDS: [Part; 6] = [
        (
            (
                "loss-thinking",
                ("reasoning block became plain text", "reasoning blocks became plain text"),
            ),
            |block| matches!(block, Block::Thinking { .. }),
        ),
        (
            ("loss-tools", ("tool call became plain text", "tool calls became plain text")),
            |block| matches!(block, Block::Tool(_)),
        ),
        (
            ("loss-attachments", ("attachment became plain text", "attachments became plain text")),
            |block| matches!(block, Block::Attachment(_)),
        ),
        (("loss-events", ("event became plain text", "events became plain text")), |block| {
            matches!(block, Block::Event { .. })
        }),
        (
            (
                "loss-citations",
                ("list of sources became plain text", "lists of sources became plain text"),
            ),
            |block| matches!(block, Block::Citations { .. }),
        ),
        (
            ("loss-unknown", ("unknown part became plain text", "unknown parts became plain text")),
            |block| matches!(block, Block::Unknown { .. }),
        ),
    ];
    for ((code, what), is_one) in KINDS {
        let count = |turn: &Turn| turn.blocks.iter().filter(|block| is_one(block)).count();
        fewer(before, after, found, code, what, count);
    }
    fewer(before, after, found, "loss-pins", ("pin lost", "pins lost"), |turn| one(turn.pinned));
    let pending = ("mark of a pending message lost", "marks of pending messages lost");
    fewer(before, after, found, "loss-pending", pending, |turn| one(turn.pending));
    let usage = (
        "turn without its model, token counts and cost",
        "turns without their models, token counts and costs",
    );
    fewer(before, after, found, "loss-usage", usage, |turn| one(turn.usage.is_some()));
    let withheld = ("mark of withheld instructions lost", "marks of withheld instructions lost");
    fewer(before, after, found, "loss-withheld", withheld, |turn| one(turn.withheld));
    tool_details(before, after, found);
}

/// Records a loss if there are fewer of something than before. The affected turns are those that have fewer
/// or, if turns cannot be compared, those that had any.
fn fewer(
    before: &Conversation,
    after: &Conversation,
    found: &mut LossCounts,
    code: &'static str,
    what: Words,
    count: impl Fn(&Turn) -> usize,
) {
    let had: Vec<usize> = before.turns.iter().map(&count).collect();
    let has: Vec<usize> = after.turns.iter().map(&count).collect();
    let lost = had.iter().sum::<usize>().saturating_sub(has.iter().sum());
    if lost == 0 {
        return;
    }
    let same_turns = had.len() == has.len();
    let kept = |at: usize| if same_turns { has[at] } else { 0 };
    let turns = (0..had.len()).filter(|at| had[*at] > kept(*at));
    found.0.insert((code, what), (lost as u64, turns.collect()));
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

/// Returns the speakers of the turns in order, without repetitions.
fn speakers(read: &Conversation) -> Vec<&str> {
    let mut names: Vec<&str> = read.turns.iter().map(|turn| turn.speaker.as_str()).collect();
    names.dedup();
    names
}

/// Compares the details of tool calls that both conversations have.
fn tool_details(before: &Conversation, after: &Conversation, found: &mut LossCounts) {
    fn calls(read: &Conversation) -> Vec<(usize, &ToolCall)> {
        let turns = read.turns.iter().enumerate();
        turns
            .flat_map(|(at, turn)| turn.blocks.iter().map(move |block| (at, block)))
            .filter_map(|(at, block)| match block {
                Block::Tool(call) => Some((at, &**call)),
                _ => None,
            })
            .collect()
    }
    let (calls, others) = (calls(before), calls(after));
    if calls.len() != others.len() {
        return;
    }
    for ((at, call), (_, other)) in calls.into_iter().zip(others) {
        let action = call.action.is_some() && call.action != other.action;
        let what =
            ("action of a tool became plain arguments", "actions of tools became plain arguments");
        found.at(at, "loss-actions", what, one(action));
        let lost = differences(call, other);
        let what = ("detail of a tool call lost", "details of tool calls lost");
        found.at(at, "loss-tool-details", what, lost);
    }
}

fn differences(call: &ToolCall, other: &ToolCall) -> usize {
    let mut lost = one(call.name != other.name || call.input != other.input);
    let required = call.requires_approval;
    lost += one(required.is_some() && required != other.requires_approval);
    lost += missing_keys(&call.extra, &other.extra);
    lost += missing_keys(&call.unpublished, &other.unpublished);
    for approval in &call.approvals {
        let same = |kept: &Approval| {
            (&kept.state, &kept.by, &kept.reason)
                == (&approval.state, &approval.by, &approval.reason)
        };
        lost += one(!other.approvals.iter().any(same));
    }
    for result in &call.results {
        let same = |kept: &ToolResult| {
            (&kept.output, &kept.error, &kept.duration)
                == (&result.output, &result.error, &result.duration)
                && (result.state.is_empty() || kept.state == result.state)
        };
        lost += one(!other.results.iter().any(same));
    }
    lost
}

fn missing(before: &[String], after: &[String]) -> usize {
    before.iter().filter(|item| !after.contains(item)).count()
}

fn missing_keys(before: &Map, after: &Map) -> usize {
    let kept = |key: &str, value: &Value| after.get(key).is_some_and(|other| holds(other, value));
    before.iter().filter(|(key, value)| !kept(key, value)).count()
}

/// Returns whether a value contains everything that another one does.
fn holds(after: &Value, before: &Value) -> bool {
    match (after, before) {
        (Value::Object(after), Value::Object(before)) => missing_keys(before, after) == 0,
        (Value::Array(after), Value::Array(before)) => {
            after.len() == before.len() && after.iter().zip(before).all(|(a, b)| holds(a, b))
        }
        _ => after == before,
    }
}

//! The views of turns, forks and the parts of turns.

use serde::Serialize;

use super::page::{LinkView, TimeView};
use crate::markup::Html;

/// One item of a conversation's page: a turn, or the border of a fork or of one of its options.
///
/// A fork is a row of options, of which a reader sees one at a time:
/// `fork` (`option` turn… `option-end`)… `fork-end`. Options may hold forks.
///
/// The replies of a thread in a channel are inside one: `thread` turn… `thread-end`.
///
/// A turn that started a subagent encloses its conversation: `turn` (`agent` turn… `agent-end`
/// `rest`)…, where `rest` has more parts of that turn.
#[derive(Serialize)]
pub struct ItemView {
    /// `turn`, `rest`, `agent`, `agent-end`, `thread`, `thread-end`, `fork`, `option`, `option-end` or
    /// `fork-end`.
    pub kind: &'static str,
    /// The turn, or the rest of a turn.
    pub turn: Option<TurnView>,
    /// The name that the options of a fork share.
    pub group: String,
    /// The number of the option, such as `Answer 2 of 3`; for a thread or a subagent, how long it
    /// is.
    pub label: String,
    /// The name of the option or of the subagent.
    pub name: Option<String>,
    /// `main`, `alternative` (the conversation continues after it) or `branch` (it does not).
    pub class: &'static str,
    /// Whether the option is shown first; for a thread, whether it is short.
    pub open: bool,
}

impl ItemView {
    /// A border.
    pub fn new(kind: &'static str) -> Self {
        Self {
            kind,
            turn: None,
            group: String::new(),
            label: String::new(),
            name: None,
            class: "",
            open: false,
        }
    }

    /// A turn.
    pub fn turn(turn: TurnView) -> Self {
        Self { turn: Some(turn), ..Self::new("turn") }
    }

    /// Returns the start of an option.
    pub fn option(group: &str, label: String, name: Option<String>, class: &'static str) -> Self {
        Self { group: group.to_owned(), label, name, class, ..Self::new("option") }
    }
}

/// A turn.
#[derive(Serialize)]
pub struct TurnView {
    /// The anchor.
    pub id: String,
    /// Its number, from 1.
    pub number: usize,
    /// The speaker: an index into `conversation.speakers`; absent for an event.
    pub speaker: Option<usize>,
    /// When it was sent.
    pub time: Option<TimeView>,
    /// Its start in a recording.
    pub offset: Option<String>,
    /// The URL that plays the recording from there.
    pub play: Option<String>,
    /// The accessible label of that link.
    pub play_label: String,
    /// Whether it waits for an answer or for delivery.
    pub pending: bool,
    /// Whether it was pinned or marked as important.
    pub pinned: bool,
    /// In a discussion, `post` for the first post and `comment` for a reply; else empty.
    pub role: &'static str,
    /// The language tag of the turn, if it is not the conversation's main language.
    pub language: Option<String>,
    /// Whether it is empty.
    pub empty: bool,
    /// Whether it has only tool calls and thoughts.
    pub is_work: bool,
    /// For a long system message, which is folded: how long it is.
    pub fold: Option<String>,
    /// In a channel, whether it follows a message of the same person within minutes.
    pub follows: bool,
    /// Whether it was edited after it was sent.
    pub edited: bool,
    /// The message that it replies to.
    pub answers: Option<AnsweredView>,
    /// The reactions to it.
    pub reactions: Vec<ReactionView>,
    /// The parts of the turn, in order.
    pub blocks: Vec<BlockView>,
    /// Other metadata from its source, as key and value.
    pub extra: Vec<(String, String)>,
    /// Whether the conversation of a subagent follows, and then more of this turn.
    pub continues: bool,
}

impl TurnView {
    /// Returns the rest of a turn that was interrupted by the conversation of a subagent.
    pub fn rest() -> Self {
        Self {
            id: String::new(),
            number: 0,
            speaker: None,
            time: None,
            offset: None,
            play: None,
            play_label: String::new(),
            pending: false,
            pinned: false,
            role: "",
            language: None,
            empty: false,
            is_work: false,
            fold: None,
            follows: false,
            edited: false,
            answers: None,
            reactions: Vec::new(),
            blocks: Vec::new(),
            extra: Vec::new(),
            continues: false,
        }
    }
}

/// The message that a turn replies to.
#[derive(Serialize)]
pub struct AnsweredView {
    /// The URL of the message; empty if it is not published.
    pub url: String,
    /// A text such as `In reply to Ada:`.
    pub label: String,
    /// Its first words; empty if it is not published.
    pub text: String,
}

/// A reaction to a message.
#[derive(Serialize)]
pub struct ReactionView {
    /// An emoji, or its name between colons.
    pub emoji: String,
    /// The number of people who reacted like this; empty for one.
    pub count: String,
}

/// A part of a turn.
#[derive(Serialize)]
pub struct BlockView {
    /// `markdown`, `thinking`, `tool`, `attachment`, `event`, `citations` or `unknown`; or a border:
    /// `work` and `work-end` enclose a run of tool calls; `step` and `step-end` enclose the calls of a
    /// turn that has nothing else and continues the run.
    pub kind: &'static str,
    /// The text of an event, the name of an unknown part, the length of a thought, or the anchor of a
    /// step.
    pub name: String,
    /// The text, the details of an event, the list of sources, or an unknown part, unchanged.
    pub body: Option<Html>,
    /// The folded rest of a long prompt.
    pub rest: Option<Html>,
    /// The length of `rest`, as text.
    pub more: String,
    /// A tool call.
    pub tool: Option<ToolView>,
    /// An attachment.
    pub attachment: Option<AttachmentView>,
    /// A run of tool calls, at its start.
    pub work: Option<WorkView>,
    /// A turn that continues a run of tool calls, at its end.
    pub step: Option<StepTurnView>,
}

/// A run of tool calls without text between them.
#[derive(Serialize)]
pub struct WorkView {
    /// What the calls did: `Read 8 files · edited 2 files (+41 −12)`.
    pub summary: String,
    /// How many calls failed, as text; empty for none.
    pub failed: String,
}

/// A turn that has only tool calls and thoughts, and is shown inside the turn before.
#[derive(Serialize)]
pub struct StepTurnView {
    /// The anchor.
    pub id: String,
    /// Its number, from 1.
    pub number: usize,
    /// When it was sent.
    pub time: Option<TimeView>,
    /// Other metadata from its source, as key and value.
    pub extra: Vec<(String, String)>,
}

impl BlockView {
    /// An empty part.
    pub fn new(kind: &'static str) -> Self {
        Self {
            kind,
            name: String::new(),
            body: None,
            rest: None,
            more: String::new(),
            tool: None,
            attachment: None,
            work: None,
            step: None,
        }
    }
}

/// A tool call with its results.
#[derive(Serialize)]
pub struct ToolView {
    /// The name of the tool; empty if only the result is known.
    pub name: String,
    /// What it does: `read`, `find`, `edit`, `command`, `fetch`, `search`, `plan`, `agent` or
    /// `other`.
    pub kind: &'static str,
    /// Its state, as text; empty if it succeeded or nothing is known.
    pub state: String,
    /// Whether it failed.
    pub failed: bool,
    /// Whether it is shown without a click.
    pub open: bool,
    /// How long it took, such as `1.2 s`.
    pub duration: Option<String>,
    /// What it did, in a few words; absent if only its arguments are known.
    pub subject: Option<String>,
    /// The path of the file that it read, if `subject` contains only its end.
    pub path: Option<String>,
    /// How many lines it changed: `+41 −12`.
    pub change: Option<String>,
    /// How much it read or found, such as `120 lines`.
    pub count: Option<String>,
    /// The number of lines that it added.
    pub added: u64,
    /// The number of lines that it removed.
    pub removed: u64,
    /// What it did, in detail.
    pub action: Option<ActionView>,
    /// The arguments, unless `action` describes the call.
    pub input: Option<Html>,
    /// Whether a person had to approve it.
    pub requires_approval: bool,
    /// The decisions of people.
    pub approvals: Vec<ApprovalView>,
    /// The results.
    pub results: Vec<ResultView>,
    /// Other metadata from its source, as key and value.
    pub extra: Vec<(String, String)>,
}

/// What a tool call did.
#[derive(Serialize)]
pub struct ActionView {
    /// `command`, `edit`, `plan` or `search`.
    pub kind: &'static str,
    /// The anchor of a plan.
    pub id: String,
    /// The command, or the pages that a search found.
    pub body: Option<Html>,
    /// The exit code of a command that failed, as text.
    pub exit_code: Option<String>,
    /// The files that were changed.
    pub files: Vec<FileView>,
    /// The steps of a plan.
    pub steps: Vec<StepView>,
    /// The search query.
    pub query: Option<String>,
}

impl ActionView {
    /// Returns an action whose details are all empty.
    pub fn new(kind: &'static str) -> Self {
        let (files, steps) = (Vec::new(), Vec::new());
        Self { kind, id: String::new(), body: None, exit_code: None, files, steps, query: None }
    }
}

/// A change of a file.
#[derive(Serialize)]
pub struct FileView {
    /// The anchor.
    pub id: String,
    /// The path of the file.
    pub path: String,
    /// The new path of a file that was moved.
    pub moved_to: Option<String>,
    /// Whether the file was created or deleted, as text; empty if it was only changed.
    pub note: String,
    /// The changed lines.
    pub diff: Option<Html>,
}

/// A step of a plan.
#[derive(Serialize)]
pub struct StepView {
    /// What to do.
    pub text: String,
    /// Whether it is done.
    pub is_done: bool,
    /// Whether it is in progress.
    pub is_active: bool,
    /// A link to the turn after which it is done, in the list of a session.
    pub done: Option<LinkView>,
}

/// A person's decision on a tool call.
#[derive(Serialize)]
pub struct ApprovalView {
    /// `approved`, `rejected` or `canceled`.
    pub state: String,
    /// The person who decided.
    pub by: Option<String>,
    /// The reason.
    pub reason: Option<String>,
}

/// The result of a tool call.
#[derive(Serialize)]
pub struct ResultView {
    /// Its state, as text; empty if it succeeded or nothing is known.
    pub state: String,
    /// How long it took.
    pub duration: Option<String>,
    /// Whether the output is an empty text.
    pub empty: bool,
    /// Whether the source has an output that is not shown.
    pub hidden: bool,
    /// The output, or its first lines; of a command, its last lines.
    pub output: Option<Html>,
    /// The other lines.
    pub rest: Option<Html>,
    /// Whether the other lines are before the output.
    pub rest_is_first: bool,
    /// Whether the output and the rest are rendered Markdown, as answers of agents are.
    pub is_markdown: bool,
    /// The number of other lines, as text.
    pub more: String,
    /// The error of a tool call.
    pub error: Option<ToolErrorView>,
}

/// The error of a tool call.
#[derive(Serialize)]
pub struct ToolErrorView {
    /// The error code.
    pub code: Option<String>,
    /// The error message.
    pub message: Option<String>,
    /// Other data of the error.
    pub data: Option<Html>,
}

/// An attachment of a turn.
#[derive(Serialize)]
pub struct AttachmentView {
    /// `image`, `audio`, `video`, `file`, `link` or `missing`.
    pub kind: String,
    /// Its name.
    pub name: String,
    /// Its URL.
    pub url: Option<String>,
    /// Its size, such as `31 KB`.
    pub size: Option<String>,
    /// Its type, such as `PDF`.
    pub media_type: Option<String>,
    /// The width of an image. Pixels.
    pub width: Option<u32>,
    /// The height of an image. Pixels.
    pub height: Option<u32>,
    /// Why the file is not published.
    pub problem: Option<String>,
}

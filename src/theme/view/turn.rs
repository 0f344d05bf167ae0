//! The views of turns, forks and the parts of turns.

use serde::Serialize;

use super::page::TimeView;
use crate::markup::Html;

/// One step of a conversation's page: a turn, or the border of a fork or of one of its
/// options.
///
/// A fork is a row of options, of which a reader sees one at a time:
/// `fork` (`option` turn… `option-end`)… `fork-end`. Options may hold forks.
///
/// The answers of a thread of a channel stand in one: `thread` turn… `thread-end`.
///
/// A turn that started a subagent stands around its conversation: `turn` (`agent` turn…
/// `agent-end` `rest`)…, where `rest` has more parts of that turn.
#[derive(Serialize)]
pub struct ItemView {
    /// `turn`, `rest`, `agent`, `agent-end`, `thread`, `thread-end`, `fork`, `option`, `option-end` or
    /// `fork-end`.
    pub kind: &'static str,
    /// The turn, or the rest of one.
    pub turn: Option<TurnView>,
    /// The name that the options of a fork have in common.
    pub group: String,
    /// Which option of how many, such as `Answer 2 of 3`; how long a thread or the conversation of a
    /// subagent is.
    pub label: String,
    /// The name of the option or of the subagent.
    pub name: Option<String>,
    /// `main`, `alternative` (the conversation goes on after it) or `branch` (it does not).
    pub class: &'static str,
    /// Whether the option is the one that is shown first, and whether a thread is short.
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

    /// Returns the beginning of an option.
    pub fn option(group: &str, label: String, name: Option<String>, class: &'static str) -> Self {
        Self { group: group.to_owned(), label, name, class, ..Self::new("option") }
    }
}

/// A turn.
#[derive(Serialize)]
pub struct TurnView {
    /// The anchor.
    pub id: String,
    /// Its place, from 1.
    pub number: usize,
    /// Who speaks: an index into `conversation.speakers`; absent for an event.
    pub speaker: Option<usize>,
    /// When.
    pub time: Option<TimeView>,
    /// When, from the start of a recording.
    pub offset: Option<String>,
    /// The address that plays the recording from there on.
    pub play: Option<String>,
    /// What tells of it.
    pub play_label: String,
    /// Whether it waits for an answer or for delivery.
    pub pending: bool,
    /// Whether a reader marked it as important.
    pub pinned: bool,
    /// In a discussion, `post` for what opened it, `comment` for an answer, else empty.
    pub role: &'static str,
    /// The tag of its language, where it is another of the conversation's languages.
    pub language: Option<String>,
    /// Whether nothing was said.
    pub empty: bool,
    /// Whether it has nothing but tool calls and thoughts.
    pub is_work: bool,
    /// For a long message of the system, which is folded, how long it is.
    pub fold: Option<String>,
    /// For a message of a channel, whether it follows one of the same person within minutes.
    pub follows: bool,
    /// Whether it was changed after it was sent.
    pub edited: bool,
    /// The message that it answers.
    pub answers: Option<AnsweredView>,
    /// How others reacted to it.
    pub reactions: Vec<ReactionView>,
    /// What was said.
    pub blocks: Vec<BlockView>,
    /// What else its source says, key and value.
    pub extra: Vec<(String, String)>,
    /// Whether the conversation of a subagent stands behind these parts, and more of the turn behind
    /// that: see [`ItemView`].
    pub continues: bool,
}

impl TurnView {
    /// More of a turn that began before the conversation of a subagent.
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

/// A message that another one answers.
#[derive(Serialize)]
pub struct AnsweredView {
    /// Where it stands; empty where that is nowhere on the site.
    pub url: String,
    /// Words for that it is answered, with the name of who wrote it, if that is known.
    pub label: String,
    /// Its first words; empty where it is nowhere on the site.
    pub text: String,
}

/// A reaction to a message.
#[derive(Serialize)]
pub struct ReactionView {
    /// An emoji, or the name of one between colons.
    pub emoji: String,
    /// How many people reacted so; empty for one.
    pub count: String,
}

/// A part of a turn.
#[derive(Serialize)]
pub struct BlockView {
    /// `markdown`, `thinking`, `tool`, `attachment`, `event`, `citations` or `unknown`.
    pub kind: &'static str,
    /// What an event is, what an unknown part is called, or how long a thought is.
    pub name: String,
    /// The text, the details of an event, the list of sources, or an unknown part as it stands.
    pub body: Option<Html>,
    /// A tool call.
    pub tool: Option<ToolView>,
    /// An attachment.
    pub attachment: Option<AttachmentView>,
}

impl BlockView {
    /// An empty part.
    pub fn new(kind: &'static str) -> Self {
        Self { kind, name: String::new(), body: None, tool: None, attachment: None }
    }
}

/// A tool call with everything that came of it.
#[derive(Serialize)]
pub struct ToolView {
    /// The tool; empty when only its result is known.
    pub name: String,
    /// Its state in words; empty when it is not known.
    pub state: String,
    /// Whether it went wrong.
    pub failed: bool,
    /// How long it took, such as `1.2 s`.
    pub duration: Option<String>,
    /// What it did, in a few words; absent where only its arguments are known.
    pub subject: Option<String>,
    /// What it did.
    pub action: Option<ActionView>,
    /// The arguments, unless it is known what it did.
    pub input: Option<Html>,
    /// Whether a person had to allow it.
    pub requires_approval: bool,
    /// What people decided.
    pub approvals: Vec<ApprovalView>,
    /// What came of it.
    pub results: Vec<ResultView>,
    /// What else its source says, key and value.
    pub extra: Vec<(String, String)>,
}

/// What a tool call did.
#[derive(Serialize)]
pub struct ActionView {
    /// `command`, `edit`, `plan` or `search`.
    pub kind: &'static str,
    /// The command, or the pages that a search found.
    pub body: Option<Html>,
    /// How a command ended, in words.
    pub exit_code: Option<String>,
    /// The files that were changed.
    pub files: Vec<FileView>,
    /// The things to do.
    pub steps: Vec<StepView>,
    /// What was searched for.
    pub query: Option<String>,
}

impl ActionView {
    /// An action of which nothing is known yet.
    pub fn new(kind: &'static str) -> Self {
        let (files, steps) = (Vec::new(), Vec::new());
        Self { kind, body: None, exit_code: None, files, steps, query: None }
    }
}

/// A change of a file.
#[derive(Serialize)]
pub struct FileView {
    /// The path of the file.
    pub path: String,
    /// Its path afterwards, if that is another one.
    pub moved_to: Option<String>,
    /// That it is new or gone, in words; empty where it was only changed.
    pub note: String,
    /// The lines that differ.
    pub diff: Option<Html>,
}

/// A thing to do.
#[derive(Serialize)]
pub struct StepView {
    /// What.
    pub text: String,
    /// Whether it is done.
    pub is_done: bool,
    /// Whether somebody is at it.
    pub is_active: bool,
}

/// The decision of a person on a tool call.
#[derive(Serialize)]
pub struct ApprovalView {
    /// `approved`, `rejected` or `canceled`.
    pub state: String,
    /// Who.
    pub by: Option<String>,
    /// Why.
    pub reason: Option<String>,
}

/// The result of a tool call.
#[derive(Serialize)]
pub struct ResultView {
    /// Its state in words; empty when it is not known.
    pub state: String,
    /// How long it took.
    pub duration: Option<String>,
    /// Whether it is an empty text.
    pub empty: bool,
    /// Whether the source has an output that is not to be shown.
    pub hidden: bool,
    /// The output, or its first lines.
    pub output: Option<Html>,
    /// The other lines.
    pub rest: Option<Html>,
    /// How many those are, in words.
    pub more: String,
    /// The error of a tool call.
    pub error: Option<ToolErrorView>,
}

/// The error of a tool call.
#[derive(Serialize)]
pub struct ToolErrorView {
    /// The tool's code.
    pub code: Option<String>,
    /// In words.
    pub message: Option<String>,
    /// Whatever else the tool said.
    pub data: Option<Html>,
}

/// Something that was handed over.
#[derive(Serialize)]
pub struct AttachmentView {
    /// `image`, `audio`, `video`, `file`, `link` or `missing`.
    pub kind: String,
    /// Its name.
    pub name: String,
    /// Its address.
    pub url: Option<String>,
    /// Its size, such as `31 KB`.
    pub size: Option<String>,
    /// Its type, such as `PDF`.
    pub media_type: Option<String>,
    /// The width of an image. Pixels.
    pub width: Option<u32>,
    /// The height of an image. Pixels.
    pub height: Option<u32>,
    /// Why it is not here.
    pub problem: Option<String>,
}

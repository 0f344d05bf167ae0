//! The data that a reader passes for a turn: who speaks, where and when, and what it follows.

use convo_base::model::{Block, Place, Turn, Usage, turn_id};
use convo_base::time::Time;

/// The speaker of a turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Who {
    Person,
    Assistant,
    /// An instruction from the program, which is withheld.
    System,
    /// The program itself, in events without a speaker.
    Program,
}

/// Where and when something was written.
#[derive(Clone, Default)]
pub(crate) struct At {
    /// The line of the file, from 1.
    pub(crate) line: u32,
    /// Whether the source has the text in an encoded form, such as a JSON string.
    pub(crate) quoted: bool,
    pub(crate) time: Option<Time>,
    /// The id in the source.
    pub(crate) id: Option<String>,
}

/// A whole message.
#[derive(Default)]
pub(crate) struct Message {
    /// The id in the source.
    pub(crate) id: Option<String>,
    /// When it was said.
    pub(crate) time: Option<Time>,
    /// What was said.
    pub(crate) blocks: Vec<Block>,
    /// The usage of the message.
    pub(crate) usage: Usage,
    /// The place in the source.
    pub(crate) place: Place,
}

impl From<Message> for Turn {
    fn from(message: Message) -> Self {
        let Message { id, time, blocks, usage, place } = message;
        let id = id.filter(|id| !id.is_empty()).map(|id| turn_id(&id)).unwrap_or_default();
        let usage = (!usage.is_empty()).then(|| Box::new(usage));
        Self { id, time, blocks, usage, place, ..Self::default() }
    }
}

/// Where a path branches off.
#[derive(Default)]
pub(crate) struct BranchStart {
    pub(crate) name: Option<String>,
    /// The turn that it follows: the number of its path, and its number there.
    pub(crate) after: Option<(usize, usize)>,
    /// The call that started it, used if the turn is unknown.
    pub(crate) call: Option<String>,
    /// Whether the parent path continues after it.
    pub(crate) rejoins: bool,
}

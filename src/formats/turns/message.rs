//! What a reader says of a turn: who speaks, where and when, and what it follows.

use convo_base::model::{Block, Place, Turn, Usage, turn_id};
use convo_base::time::Time;

/// Who a turn is of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Who {
    Person,
    Assistant,
    /// An instruction of the program, which is withheld.
    System,
    /// The program itself, which nobody hears speak.
    Program,
}

/// Where and when something was said.
#[derive(Clone, Default)]
pub(crate) struct At {
    /// The line of the file, from 1.
    pub(crate) line: u32,
    /// Whether the text there is a form of it, such as a JSON string.
    pub(crate) quoted: bool,
    pub(crate) time: Option<Time>,
    /// The id that the program gave it.
    pub(crate) id: Option<String>,
}

/// A whole message.
#[derive(Default)]
pub(crate) struct Message {
    /// The id that its source gives it.
    pub(crate) id: Option<String>,
    /// When it was said.
    pub(crate) time: Option<Time>,
    /// What was said.
    pub(crate) blocks: Vec<Block>,
    /// What making it took.
    pub(crate) usage: Usage,
    /// Where it is.
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

/// A way beside the main one.
#[derive(Default)]
pub(crate) struct Way {
    pub(crate) name: Option<String>,
    /// The turn that it follows: the number of its way, and its number there.
    pub(crate) after: Option<(usize, usize)>,
    /// The call that started it, which it follows where no turn is known.
    pub(crate) call: Option<String>,
    /// Whether the way that it parts from goes on after it.
    pub(crate) rejoins: bool,
}

//! What a reader says of a turn: who speaks, where and when, and what it follows.

use crate::model::{Block, Place, Turn, Usage, turn_id};
use crate::time::Time;

/// Who a turn is of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::formats) enum Who {
    Person,
    Assistant,
    /// An instruction of the program, which is withheld.
    System,
    /// The program itself, which nobody hears speak.
    Program,
}

/// Where and when something was said.
#[derive(Clone, Default)]
pub(in crate::formats) struct At {
    /// The line of the file, from 1.
    pub(in crate::formats) line: u32,
    /// Whether the text there is a form of it, such as a JSON string.
    pub(in crate::formats) quoted: bool,
    pub(in crate::formats) time: Option<Time>,
    /// The id that the program gave it.
    pub(in crate::formats) id: Option<String>,
}

/// A whole message.
#[derive(Default)]
pub(in crate::formats) struct Message {
    /// The id that its source gives it.
    pub(in crate::formats) id: Option<String>,
    /// When it was said.
    pub(in crate::formats) time: Option<Time>,
    /// What was said.
    pub(in crate::formats) blocks: Vec<Block>,
    /// What making it took.
    pub(in crate::formats) usage: Usage,
    /// Where it is.
    pub(in crate::formats) place: Place,
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
pub(in crate::formats) struct Way {
    pub(in crate::formats) name: Option<String>,
    /// The turn that it follows: the number of its way, and its number there.
    pub(in crate::formats) after: Option<(usize, usize)>,
    /// The call that started it, which it follows where no turn is known.
    pub(in crate::formats) call: Option<String>,
    /// Whether the way that it parts from goes on after it.
    pub(in crate::formats) rejoins: bool,
}

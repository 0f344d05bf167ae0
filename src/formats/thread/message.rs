//! A message of a conversation.

use std::ops::Range;

use super::super::object::Object;
use super::source::Context;
use convo_base::model::{Kind, Place, Turn, Usage, turn_id};

/// The person, whose name stands nowhere.
pub(crate) const USER: &str = "User";
/// The program itself.
pub(crate) const SYSTEM: &str = "System";

/// A message, and what was said in its place.
pub(crate) struct Message {
    /// The id of its program; empty where it has none.
    pub(crate) id: String,
    /// The message before it.
    pub(crate) parent: Parent,
    /// What the one who speaks is.
    pub(crate) kind: Kind,
    /// What it says. Without blocks it has no place on a page.
    pub(crate) turn: Turn,
    /// What was said in its place, and not chosen.
    pub(crate) alternatives: Vec<Turn>,
    /// Whether somebody marked it as private.
    pub(crate) is_left_out: bool,
    /// Its first byte.
    pub(crate) start: Range<usize>,
}

/// What a message says of the one before it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Parent {
    /// Nothing: it follows the one before it in the list.
    Above,
    /// There is none.
    Nobody,
    /// This one.
    Id(String),
}

impl Parent {
    /// The message of that id; none where there is no id.
    pub(crate) fn of(id: Option<String>) -> Self {
        id.filter(|id| !id.is_empty()).map_or(Self::Nobody, Self::Id)
    }
}

/// The keys of the parts of a message.
const PARTS: [&str; 3] = ["content", "contentChunks", "fragments"];

impl Message {
    /// A message that says nothing yet, at the place of an object, which nothing was taken from.
    pub(crate) fn new(
        object: &Object<'_>,
        id: Option<String>,
        (speaker, kind): (&str, Kind),
        context: &mut Context<'_>,
    ) -> Self {
        let start = object.start();
        let place =
            Place { file: object.file(), line: context.lines.line(start.start), quoted: true };
        let id = id.unwrap_or_default();
        let turn = Turn {
            id: if id.is_empty() { String::new() } else { turn_id(&id) },
            speaker: speaker.to_owned(),
            withheld: kind == Kind::System,
            place,
            ..Turn::default()
        };
        Self {
            id,
            parent: Parent::Above,
            kind,
            turn,
            alternatives: Vec::new(),
            is_left_out: object.is_marked() && object.is_left_out(context.notes)
                || PARTS.iter().any(|key| object.has_marked_part(key)),
            start,
        }
    }

    /// Names the model that made it.
    pub(crate) fn made_by(&mut self, model: Option<&str>) {
        if let Some(model) = model.map(str::trim).filter(|model| !model.is_empty()) {
            self.usage().model = Some(model.to_owned());
        }
    }

    /// What it took to make it, to be filled in.
    pub(crate) fn usage(&mut self) -> &mut Usage {
        self.turn.usage.get_or_insert_default()
    }
}

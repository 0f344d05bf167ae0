//! A message of a conversation.

use std::ops::Range;

use super::source::Context;
use crate::shared::json::object::Object;
use convo_base::model::{Kind, Place, Turn, Usage, turn_id};

/// The name for the user, whose name the source does not have.
pub(crate) const USER: &str = "User";
/// The name for the program itself.
pub(crate) const SYSTEM: &str = "System";

/// A message and its alternatives, with contents that its format reads later.
pub(crate) struct Message<T = ()> {
    /// The id in the source; empty if there is none.
    pub(crate) id: String,
    /// The previous message.
    pub(crate) parent: Parent,
    /// The kind of the speaker.
    pub(crate) kind: Kind,
    /// The content. A turn without blocks is not shown.
    pub(crate) turn: Turn,
    /// Alternatives that were not chosen.
    pub(crate) alternatives: Vec<Turn>,
    /// Whether it is marked as private.
    pub(crate) is_withheld: bool,
    /// The range of its first byte.
    pub(crate) start: Range<usize>,
    pub(crate) contents: T,
}

/// What a message says about the previous message.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Parent {
    /// Nothing: it follows the one above it in the list.
    Above,
    /// There is no previous message.
    Nobody,
    /// The id of the previous message.
    Id(String),
}

impl Parent {
    /// Returns the parent with this id, or `Nobody` without an id.
    pub(crate) fn of(id: Option<String>) -> Self {
        id.filter(|id| !id.is_empty()).map_or(Self::Nobody, Self::Id)
    }
}

impl Message {
    /// Creates an empty message at the place of an object from which nothing was taken yet.
    pub(crate) fn new(
        object: &Object<'_>,
        id: Option<String>,
        who: (&str, Kind),
        context: &mut Context<'_>,
    ) -> Self {
        Self::of_parts(object, id, who, (), &[], context)
    }
}

impl<T> Message<T> {
    /// Does the same for a message whose parts below the keys `apart` are withheld one by one.
    pub(crate) fn of_parts(
        object: &Object<'_>,
        id: Option<String>,
        (speaker, kind): (&str, Kind),
        contents: T,
        apart: &[&str],
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
            is_withheld: object.is_withheld_but(apart, context.notes),
            start,
            contents,
        }
    }

    /// Sets the model of the message.
    pub(crate) fn made_by(&mut self, model: Option<&str>) {
        if let Some(model) = model.map(str::trim).filter(|model| !model.is_empty()) {
            self.usage().model = Some(model.to_owned());
        }
    }

    /// Returns the usage of the message, to be filled in.
    pub(crate) fn usage(&mut self) -> &mut Usage {
        self.turn.usage.get_or_insert_default()
    }
}

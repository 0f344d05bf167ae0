//! Damaged messages of a record: one note for each kind of damage.

use crate::shared::json::object::wrong_type;
use convo_base::diag::Note;
use convo_base::json::{Value, type_of};
use convo_base::text::{grouped, plural};

/// The damaged messages of a record.
#[derive(Default)]
pub(super) struct Damage {
    /// Nodes that are not objects.
    nodes: Option<Wrong>,
    /// Nodes whose `message` is not an object.
    messages: Option<Wrong>,
    /// Duplicate ids: their number, and the position of the first one.
    repeats: Option<(u64, usize)>,
}

/// Values of the wrong type.
struct Wrong {
    count: u64,
    /// The position of the first one in the file, and its type.
    at: usize,
    found: &'static str,
}

impl Damage {
    /// Checks the value of an id, which is at byte `at` of the file.
    pub(super) fn look_at(&mut self, node: &Value, at: impl FnOnce() -> usize) {
        let message = match node {
            Value::Object(map) => map.get("message"),
            _ => None,
        };
        let (list, value) = match (node, message) {
            (Value::Object(_), None | Some(Value::Null | Value::Object(_))) => return,
            (Value::Object(_), Some(message)) => (&mut self.messages, message),
            (node, _) => (&mut self.nodes, node),
        };
        match list {
            Some(wrong) => wrong.count += 1,
            None => *list = Some(Wrong { count: 1, at: at(), found: type_of(value) }),
        }
    }

    /// Counts a duplicate id at byte `at` of the file.
    pub(super) fn repeats(&mut self, at: usize) {
        self.repeats.get_or_insert((0, at)).0 += 1;
    }

    /// Returns the notes.
    pub(super) fn notes(self) -> impl Iterator<Item = Note> {
        let wrong = [(self.nodes, "a value of `mapping`"), (self.messages, "a `message`")];
        let wrong = wrong.into_iter().filter_map(|(wrong, what)| {
            let Wrong { count, at, found } = wrong?;
            let mut note = wrong_type(what, "message", found, at..at + 1);
            if count > 1 {
                note.hints = vec![format!("only these {} messages are skipped", grouped(count))];
            }
            Some(note)
        });
        let repeats = self.repeats.map(|(count, at)| {
            let message = match count {
                1 => "duplicate message id; the last one is used".to_owned(),
                _ => {
                    let ids = plural(count, "duplicate message id", "duplicate message ids");
                    format!("{ids}; the last one of each is used")
                }
            };
            Note::warning("repeated-key", at..at + 1, message).hint("remove one of them")
        });
        wrong.chain(repeats)
    }
}

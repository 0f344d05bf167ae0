//! Reads and writes branches that CJSON cannot represent. Their messages are stored under convo-site's key.

use serde_json::json;

use super::extension_data::{key, string};
use super::message::{Message, message};
use super::schema::OWN_KEY;
use super::turn::finish;
use crate::shared::json::object::Object;
use convo_base::diag::{Lines, Note};
use convo_base::json::{self, Map, Step, Value};
use convo_base::model::{Branch, Turn};

/// The branches of a document, with their indexes among all branches.
#[derive(Default)]
pub(super) struct Branches(Vec<(usize, Branch)>);

/// Reads the branches, and adds their messages, marked as theirs, to those of the main path.
pub(super) fn read(
    messages: &mut Vec<Message>,
    list: Option<Value>,
    lines: &Lines<'_>,
    object: &Object<'_>,
    notes: &mut Vec<Note>,
) -> Branches {
    let mut branches = Branches::default();
    let Some(Value::Array(list)) = list else { return branches };
    let own = [Step::Key("extensions"), Step::Key(OWN_KEY), Step::Key(key::BRANCHES)];
    let (text, all) = (object.source(), object.place(&own));
    let places = json::elements(&text[all.clone()], &[]).into_iter();
    for (value, found) in list.into_iter().zip(places) {
        let at = all.start + found.start..all.start + found.end;
        let Value::Object(mut map) = value else { continue };
        let place = map.get("place").and_then(Value::as_u64).unwrap_or(u64::MAX);
        let mut word = |key: &str| map.shift_remove(key).and_then(string);
        let (name, after, started_by) = (word("name"), word("after"), word("started_by"));
        let rejoins = map.get("rejoins") == Some(&Value::Bool(true));
        if let Some(Value::Array(list)) = map.shift_remove("messages") {
            let inside = json::elements(&text[at.clone()], &[Step::Key("messages")]);
            for (value, inside) in list.into_iter().zip(inside) {
                let Value::Object(map) = value else { continue };
                let inside = at.start + inside.start..at.start + inside.end;
                let line = lines.line(inside.start);
                let object = object.at(map, inside).named("messages");
                let read = message(object, line, notes);
                messages.push(Message { branch: Some(branches.0.len()), ..read });
            }
        }
        let branch = Branch { name, after, rejoins, started_by, turns: Vec::new() };
        branches.0.push((usize::try_from(place).unwrap_or(usize::MAX), branch));
    }
    branches
}

impl Branches {
    /// Takes the messages of the branches out of the list of all messages.
    pub(super) fn take(&mut self, messages: &mut Vec<Message>) {
        if self.0.is_empty() {
            return;
        }
        for message in std::mem::take(messages) {
            match message.branch.and_then(|branch| self.0.get_mut(branch)) {
                Some((_, branch)) => branch.turns.push(finish(message)),
                None => messages.push(message),
            }
        }
    }

    /// Iterates over the turns of the branches.
    pub(super) fn turns_mut(&mut self) -> impl Iterator<Item = &mut Turn> {
        self.0.iter_mut().flat_map(|(_, branch)| &mut branch.turns)
    }

    /// Inserts the branches at their places among the others.
    pub(super) fn put_into(&mut self, all: &mut Vec<Branch>) {
        let own = std::mem::take(&mut self.0);
        let mut others = std::mem::take(all).into_iter();
        for (place, branch) in own.into_iter().filter(|(_, one)| !one.turns.is_empty()) {
            all.extend(others.by_ref().take(place.saturating_sub(all.len())));
            all.push(branch);
        }
        all.extend(others);
    }
}

/// Returns the form of a branch under convo-site's key.
pub(super) fn document(place: usize, branch: &Branch, messages: Vec<Value>) -> Value {
    let mut map = Map::new();
    map.insert("place".to_owned(), place.into());
    let texts =
        [("name", &branch.name), ("after", &branch.after), ("started_by", &branch.started_by)];
    for (key, text) in texts {
        if let Some(text) = text {
            map.insert(key.to_owned(), text.clone().into());
        }
    }
    if branch.rejoins {
        map.insert("rejoins".to_owned(), true.into());
    }
    map.insert("messages".to_owned(), json!(messages));
    map.into()
}

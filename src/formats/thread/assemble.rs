//! Messages as turns: the main path, and what was said beside it.

use std::collections::{HashMap, HashSet};

use super::super::tree::{self, Node, Path, Paths};
use super::super::visibility;
use super::message::{Message, Parent};
use super::source::Context;
use crate::model::{Branch, Conversation, Kind, Turn, name_turns, turn_id};

/// Puts messages into a conversation. The main path ends at the message of the id `leaf`, if there is
/// one; else it takes what stands last at every fork. Of messages of one id the last one counts.
pub(crate) fn assemble(
    read: &mut Conversation,
    messages: Vec<Message>,
    leaf: Option<&str>,
    context: &mut Context<'_>,
) {
    let messages = latest(messages);
    let hidden: Vec<&Message> = messages.iter().filter(|message| message.is_left_out).collect();
    read.left_out = hidden.iter().filter(|m| !m.id.is_empty()).map(|m| turn_id(&m.id)).collect();
    if let Some(first) = hidden.first() {
        let file = first.turn.place.file;
        let note = visibility::left_out(hidden.len(), first.start.clone());
        context.notes.push(note.in_file(file));
    }
    let paths = order(&messages, leaf);
    introduce(read, &messages, &paths);
    let mut ways = Ways::new(messages);
    ways.add(Path { after: None, nodes: paths.main }, true);
    paths.branches.into_iter().for_each(|path| ways.add(path, false));
    ways.fill(read);
    if read.time.is_none() {
        read.time = read.turns.iter().find_map(|turn| turn.time.clone());
    }
}

/// Leaves of messages of one id the last one, at the place of the first one. One that is left out
/// once is left out.
fn latest(messages: Vec<Message>) -> Vec<Message> {
    let mut all: Vec<Message> = Vec::with_capacity(messages.len());
    let mut places: HashMap<String, usize> = HashMap::new();
    for message in messages {
        let known = places.get(&message.id).and_then(|place| all.get_mut(*place));
        match known.filter(|_| !message.id.is_empty()) {
            Some(known) => {
                let is_left_out = message.is_left_out || known.is_left_out;
                *known = Message { is_left_out, ..message };
            }
            None => {
                places.insert(message.id.clone(), all.len());
                all.push(message);
            }
        }
    }
    all
}

/// Finds the ways through the messages.
fn order(messages: &[Message], leaf: Option<&str>) -> Paths {
    let made_up: Vec<String> = (0..messages.len()).map(|at| format!("#{at}")).collect();
    let id = |at: usize| match messages[at].id.as_str() {
        "" => made_up[at].as_str(),
        id => id,
    };
    let known: HashSet<&str> = (0..messages.len()).map(id).collect();
    let node = |at: usize| {
        let parent = match &messages[at].parent {
            Parent::Nobody => None,
            Parent::Id(parent) if known.contains(parent.as_str()) => Some(parent.as_str()),
            // It is not there: what stands above it is.
            Parent::Id(_) | Parent::Above => at.checked_sub(1).map(id),
        };
        Node { id: id(at), parent }
    };
    let nodes: Vec<Node<'_>> = (0..messages.len()).map(node).collect();
    tree::paths(&nodes, leaf)
}

/// Adds who speaks, in the order in which they do. Who used one model only has that one.
fn introduce(read: &mut Conversation, messages: &[Message], paths: &Paths) {
    let beside = paths.branches.iter().flat_map(|path| &path.nodes);
    let mut models: HashMap<String, HashSet<String>> = HashMap::new();
    let said = paths.main.iter().chain(beside).filter_map(|at| messages.get(*at));
    let said: Vec<&Message> = said.filter(|message| !message.is_left_out).collect();
    for message in said {
        for turn in std::iter::once(&message.turn).chain(&message.alternatives) {
            if turn.blocks.is_empty() {
                continue;
            }
            read.introduce(&turn.speaker, message.kind);
            let model = turn.usage.as_ref().and_then(|usage| usage.model.clone());
            models.entry(turn.speaker.clone()).or_default().extend(model);
        }
    }
    for who in read.participants.iter_mut().filter(|who| who.kind == Kind::Assistant) {
        let models = models.get(&who.name).filter(|models| models.len() == 1);
        who.model = models.and_then(|models| models.iter().next().cloned());
    }
}

/// The ways through a conversation that were walked so far.
struct Ways {
    messages: Vec<Option<Message>>,
    list: Vec<Way>,
    /// For each message the turn in which it is shown or, where it is not, the one before it.
    shown: Vec<Option<(usize, usize)>>,
}

/// A way: the turn that it follows, whether the path that it parts from goes on, and its turns.
struct Way {
    after: Option<(usize, usize)>,
    rejoins: bool,
    turns: Vec<Turn>,
}

impl Ways {
    fn new(messages: Vec<Message>) -> Self {
        let shown = vec![None; messages.len()];
        Self { messages: messages.into_iter().map(Some).collect(), list: Vec::new(), shown }
    }

    /// Walks a path. The main one has a way although nothing may be shown of it.
    fn add(&mut self, path: Path, is_main: bool) {
        let start = path.after.and_then(|node| self.shown.get(node).copied().flatten());
        let (number, mut last) = (self.list.len(), start);
        let mut own = Way { after: start, rejoins: false, turns: Vec::new() };
        let mut instead = Vec::new();
        for node in path.nodes {
            let message = self.messages.get_mut(node).and_then(Option::take);
            let message = message.filter(|message| !message.is_left_out);
            if let Some(Message { turn, alternatives, .. }) = message {
                let before = last;
                let says = |turn: &Turn| !turn.blocks.is_empty();
                if says(&turn) {
                    last = Some((number, own.turns.len()));
                    own.turns.push(turn);
                }
                let others = alternatives.into_iter().filter(says);
                instead.extend(others.map(|turn| Way {
                    after: before,
                    rejoins: true,
                    turns: vec![turn],
                }));
            }
            if let Some(shown) = self.shown.get_mut(node) {
                *shown = last;
            }
        }
        if is_main || !own.turns.is_empty() {
            self.list.push(own);
        }
        self.list.append(&mut instead);
    }

    fn fill(mut self, read: &mut Conversation) {
        name_turns(self.list.iter_mut().flat_map(|way| &mut way.turns));
        let id =
            |(way, turn): (usize, usize)| Some(self.list.get(way)?.turns.get(turn)?.id.clone());
        let after: Vec<Option<String>> =
            self.list.iter().map(|way| way.after.and_then(id)).collect();
        let mut ways = self.list.into_iter().zip(after);
        read.turns = ways.next().map(|(way, _)| way.turns).unwrap_or_default();
        for (Way { rejoins, turns, .. }, after) in ways {
            read.branches.push(Branch { after, rejoins, turns, ..Branch::default() });
        }
    }
}

//! Reads session file names, and finds where timelines fork.

use std::collections::HashMap;

use convo_base::hash::Hash;
use convo_base::model::{Branch, Conversation, Turn, TurnNames};

/// Splits the name of a session file: date and time, agent, and the start of the id.
pub(super) fn session_name(name: &str) -> Option<(&str, &str, &str)> {
    let stem = name.strip_suffix(".json")?;
    let (time, rest) = stem.split_once('_')?;
    let (agent, short) = rest.rsplit_once('_')?;
    let shape = time.len() == 20
        && time.bytes().zip(*b"dddd-dd-ddTdd-dd-ddZ").all(|(byte, shape)| match shape {
            b'd' => byte.is_ascii_digit(),
            shape => byte == shape,
        });
    (shape && !agent.is_empty() && !short.is_empty()).then_some((time, agent, short))
}

/// Returns whether a file has the name of a session file.
pub(super) fn is_session(name: &str) -> bool {
    session_name(name).is_some()
}

/// The turns of a conversation, keyed by the turns before them.
#[derive(Default)]
pub(super) struct Timelines {
    names: TurnNames,
    /// The index in `ids` of each turn, keyed by that of the previous turn and the content. The start of
    /// the conversation has index 0.
    known: HashMap<(usize, Hash), usize>,
    ids: Vec<String>,
}

impl Timelines {
    /// Starts with a conversation that has only a main path, and gives its turns ids.
    pub(super) fn new(read: &mut Conversation) -> Self {
        let mut timelines = Self { ids: vec![String::new()], ..Self::default() };
        let mut at = 0;
        for turn in &mut read.turns {
            at = timelines.enter(at, turn_hash(turn), turn);
        }
        timelines
    }

    fn enter(&mut self, before: usize, hash: Hash, turn: &mut Turn) -> usize {
        self.names.name(turn);
        let at = *self.known.entry((before, hash)).or_insert(self.ids.len());
        if at == self.ids.len() {
            self.ids.push(turn.id.clone());
        }
        at
    }

    /// Adds a timeline. Turns that it shares with earlier timelines are not repeated.
    pub(super) fn add(&mut self, read: &mut Conversation, name: &str, turns: Vec<Turn>) {
        let mut turns = turns.into_iter().map(|turn| (turn_hash(&turn), turn)).peekable();
        let mut at = 0;
        while let Some((hash, _)) = turns.peek()
            && let Some(known) = self.known.get(&(at, *hash))
        {
            at = *known;
            turns.next();
        }
        let after = (at > 0).then(|| self.ids[at].clone());
        let mut rest = Vec::new();
        for (hash, mut turn) in turns {
            turn.id.clear();
            at = self.enter(at, hash, &mut turn);
            rest.push(turn);
        }
        if !rest.is_empty() {
            let name = Some(name.to_owned());
            read.branches.push(Branch { name, after, turns: rest, ..Branch::default() });
        }
    }
}

/// Returns a hash that is equal for identical turns.
fn turn_hash(turn: &Turn) -> Hash {
    Hash::of(&(&turn.speaker, turn.time.as_ref(), turn.text()))
}

//! Reduces conversations to speakers and text, for formats that support nothing else.

use std::collections::HashSet;

use convo_base::model::{Block, Conversation, Kind, Participant};
use convo_base::time::Time;

/// A turn as a speaker and text.
pub(crate) struct PlainTurn {
    pub(crate) speaker: String,
    pub(crate) kind: Kind,
    pub(crate) text: String,
    pub(crate) time: Option<Time>,
}

/// Returns the main path. Blocks other than prose become Markdown, and events become turns of `System`.
pub(crate) fn plain_turns(conversation: &Conversation) -> Vec<PlainTurn> {
    conversation
        .turns
        .iter()
        .map(|turn| {
            let kind = conversation.participant(&turn.speaker).map(|who| who.kind);
            let has_no_speaker = turn.speaker.trim().is_empty();
            let speaker = if has_no_speaker { "System".to_owned() } else { turn.speaker.clone() };
            let kind = kind.unwrap_or(Kind::System);
            PlainTurn { speaker, kind, text: turn.text(), time: turn.time.clone() }
        })
        .collect()
}

/// Returns a conversation that has only text blocks, and whose participants are exactly its speakers.
pub(crate) fn flattened(conversation: &Conversation) -> Conversation {
    let mut flat = conversation.clone();
    flat.branches.clear();
    for (turn, spoken) in flat.turns.iter_mut().zip(plain_turns(conversation)) {
        turn.speaker = one_line(&spoken.speaker);
        turn.blocks = vec![Block::Markdown { text: spoken.text }];
    }
    let speaking: HashSet<&str> = flat.turns.iter().map(|turn| turn.speaker.as_str()).collect();
    let named = conversation.participants.iter().cloned();
    let named = named.map(|who| Participant { name: one_line(&who.name), ..who });
    flat.participants = named.filter(|who| speaking.contains(&*who.name)).collect();
    for turn in &conversation.turns {
        if turn.speaker.trim().is_empty() {
            flat.introduce("System", Kind::System);
        }
    }
    flat
}

/// Returns a name on a single line.
pub(crate) fn one_line(name: &str) -> String {
    name.split_whitespace().collect::<Vec<_>>().join(" ")
}

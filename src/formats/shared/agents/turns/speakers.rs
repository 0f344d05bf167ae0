//! Collects the speakers of a conversation and their models.

use std::collections::HashMap;

use convo_base::model::{Conversation, Kind};

/// The speakers, in the order of their first turns.
#[derive(Default)]
pub(super) struct Speakers {
    list: Vec<(String, Kind, Vec<String>)>,
    places: HashMap<String, usize>,
}

impl Speakers {
    /// Adds a speaker, unless the name is already known.
    pub(super) fn add(&mut self, name: &str, kind: Kind) {
        if !name.is_empty() && !self.places.contains_key(name) {
            self.places.insert(name.to_owned(), self.list.len());
            self.list.push((name.to_owned(), kind, Vec::new()));
        }
    }

    /// Records a model of a speaker.
    pub(super) fn uses(&mut self, name: &str, model: &str) {
        let known = self.places.get(name).and_then(|place| self.list.get_mut(*place));
        // Two models are enough to know that there are several.
        let models = known.map(|(_, _, models)| models).filter(|models| models.len() < 2);
        if let Some(models) = models
            && !models.iter().any(|known| known == model)
        {
            models.push(model.to_owned());
        }
    }

    /// Adds the participants to a conversation. An assistant that used exactly one model gets that model.
    pub(super) fn fill(self, read: &mut Conversation) {
        for (name, kind, models) in self.list {
            read.introduce(&name, kind);
            if let [only] = models.as_slice()
                && kind == Kind::Assistant
                && let Some(who) = read.participants.named_mut(&name)
            {
                who.model.get_or_insert_with(|| only.clone());
            }
        }
    }
}

/// The letters of names of speakers that no other agent may have.
const TAKEN: [&str; 5] = ["user", "human", "assistant", "subagent", "system"];

/// Returns the display name of another agent, which never equals that of a known speaker.
pub(crate) fn agent_name(name: &str, assistant: &str) -> String {
    let letters = |name: &str| {
        let letters = name.chars().filter(|c| c.is_alphanumeric());
        letters.flat_map(char::to_lowercase).collect::<String>()
    };
    let (name, plain) = (name.trim(), letters(name));
    match name {
        "" => "Agent".to_owned(),
        _ if plain == letters(assistant) || TAKEN.contains(&plain.as_str()) => {
            format!("{name} (agent)")
        }
        _ => name.to_owned(),
    }
}

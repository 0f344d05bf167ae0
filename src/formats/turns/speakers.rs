//! Who speaks in a conversation, and with which models.

use std::collections::HashMap;

use convo_base::model::{Conversation, Kind};

/// Who speaks, in the order in which they do.
#[derive(Default)]
pub(super) struct Speakers {
    list: Vec<(String, Kind, Vec<String>)>,
    places: HashMap<String, usize>,
}

impl Speakers {
    /// Adds somebody, unless one of that name is there.
    pub(super) fn add(&mut self, name: &str, kind: Kind) {
        if !name.is_empty() && !self.places.contains_key(name) {
            self.places.insert(name.to_owned(), self.list.len());
            self.list.push((name.to_owned(), kind, Vec::new()));
        }
    }

    /// Notes the model with which somebody speaks.
    pub(super) fn uses(&mut self, name: &str, model: &str) {
        let known = self.places.get(name).and_then(|place| self.list.get_mut(*place));
        // Two are as many as need be known.
        let models = known.map(|(_, _, models)| models).filter(|models| models.len() < 2);
        if let Some(models) = models
            && !models.iter().any(|known| known == model)
        {
            models.push(model.to_owned());
        }
    }

    /// Puts them into a conversation. An assistant that used one model only has that one.
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

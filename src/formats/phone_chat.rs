//! A chat that the app of a phone saved as a text.

use super::channel::{Contacts, Message, assemble, beginning};
use crate::diag::Note;
use crate::model::{Channel, Conversation, Kind, Split, turn_id};

/// A pause that parts two conversations in a chat that never ends. Minutes.
const PAUSE: u32 = 6 * 60;

/// What is known of a chat besides its messages.
pub(super) struct PhoneChat<'a> {
    /// The app, as it calls itself.
    pub(super) app: &'static str,
    /// What the chat is called; empty where nothing tells.
    pub(super) name: &'a str,
    /// Whether that is the name of the other one of a chat of two.
    pub(super) is_of_two: bool,
}

impl PhoneChat<'_> {
    /// Makes a conversation of messages; `None` where nobody says anything.
    pub(super) fn conversation(
        &self,
        messages: Vec<Message>,
        notes: &mut Vec<Note>,
    ) -> Option<Conversation> {
        let mut contacts = Contacts::default();
        let key = format!("{}|{}|{}", self.app, self.name, beginning(&messages));
        let mut read = Conversation::default();
        assemble(&mut read, messages, &mut contacts, notes);
        if read.turns.is_empty() {
            return None;
        }
        let name = contacts.name(self.name).into_owned();
        for member in self.members(&read) {
            let member = contacts.name(member).into_owned();
            read.introduce(&member, Kind::Person);
        }
        read.id = Some(format!("{}-{}", self.app.to_lowercase(), turn_id(&key)));
        read.title = (!name.is_empty()).then(|| name.clone());
        let title = if name.is_empty() { self.app } else { &name };
        read.file_title = Some(title.to_owned());
        let split = Split::Pause { minutes: PAUSE };
        read.channel = Some(Channel { name, is_direct: false, split });
        Some(read)
    }

    /// Returns those whom the name of the chat names: the other one of a chat of two, or the members of a
    /// group that nobody gave a name to.
    fn members(&self, read: &Conversation) -> Vec<&str> {
        let members: Vec<&str> =
            self.name.split([',', '、', '，']).map(str::trim).collect();
        let wrote = |name: &&str| read.participants.iter().any(|who| who.name == **name);
        let is_list = members.len() > 1 && members.iter().any(wrote);
        let is_other = self.is_of_two || read.participants.len() < 2;
        let names = match (is_list, is_other) {
            (true, _) => members,
            (false, true) => vec![self.name],
            (false, false) => Vec::new(),
        };
        names.into_iter().filter(|name| !name.is_empty()).collect()
    }
}

/// Returns the lines of a text with their numbers, from 1, and the bytes before each.
pub(super) fn rows(text: &str) -> impl Iterator<Item = (u32, usize, &str)> {
    let mut at = 0;
    (1..).zip(text.split_inclusive('\n')).map(move |(number, row)| {
        let start = at;
        at += row.len();
        (number, start, row.trim_end_matches('\n'))
    })
}

//! Chats that phone apps export as text or tables.

use std::collections::BTreeSet;

use super::channel::{Contacts, Message, PAUSE, assemble_log, beginning, notices};
use convo_base::diag::Note;
use convo_base::model::{Channel, Conversation, Kind, Split, turn_id};
use convo_base::time::Time;

/// Characters between names in the name of a group.
const SEPARATORS: [char; 4] = [',', '、', '，', '&'];
/// The end of a group name that lists only some members: `Ada, Bela 외 3명`.
const MORE: [(&str, &str); 2] = [(" 외 ", "명"), ("、他", "名")];

/// What is known about a chat besides its messages.
pub(crate) struct PhoneChat<'a> {
    /// The app, by its own name.
    pub(crate) app: &'static str,
    /// The name of the chat; empty if unknown.
    pub(crate) name: &'a str,
    /// Whose name it is.
    pub(crate) members: Members,
    /// People who are named but wrote nothing.
    pub(crate) called: NamedPeople,
}

/// The size of a chat.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum Members {
    /// Two people; the chat is named after the other one.
    Two,
    /// More people; the chat has its own name, or is named after some of them.
    Group,
    /// Unknown.
    #[default]
    Unknown,
}

/// People named in notices, and senders of messages without content.
#[derive(Debug, Default)]
pub(crate) struct NamedPeople(BTreeSet<String>);

impl NamedPeople {
    /// Adds a person.
    pub(crate) fn person(&mut self, name: &str) {
        if !name.trim().is_empty() {
            self.0.insert(name.trim().to_owned());
        }
    }

    /// Adds people mentioned with `@`: the next word, and the one after it if both begin with a
    /// Latin capital letter.
    pub(crate) fn mentions(&mut self, text: &str) {
        const EVERYBODY: [&str; 5] = ["all", "everyone", "here", "All", "everybody"];
        let mut rest = text;
        while let Some((before, behind)) = rest.split_once('@') {
            rest = behind;
            let is_word = |c: char| c.is_alphanumeric() || ['_', '-', '/', '.'].contains(&c);
            let end = behind.find(|c| !is_word(c)).unwrap_or(behind.len());
            let word = behind[..end].trim_end_matches('.');
            let is_address = before.ends_with(is_word);
            if is_address || word.chars().count() < 2 || EVERYBODY.contains(&word) {
                continue;
            }
            let capital = |text: &str| text.starts_with(|c: char| c.is_ascii_uppercase());
            let second = behind[end..].strip_prefix(' ').unwrap_or_default();
            let until = second.find(|c: char| !c.is_alphabetic()).unwrap_or(second.len());
            match capital(word) && capital(second) {
                true => self.person(&behind[..end + 1 + until]),
                false => self.person(word),
            }
        }
    }

    /// Adds everyone named in a notice.
    pub(crate) fn notice(&mut self, text: &str) {
        notices::each_named(text, &mut |name| self.person(name));
    }
}

impl PhoneChat<'_> {
    /// Makes a conversation of messages; `None` if no turns remain.
    pub(crate) fn conversation(
        &self,
        messages: Vec<Message>,
        notes: &mut Vec<Note>,
    ) -> Option<Conversation> {
        let mut contacts = Contacts::default();
        // Many chats begin with the same text, but few with the same person at the same time.
        let first = messages.iter().find(|message| !message.sender.is_empty());
        let first = first.map(|message| {
            let time = message.time.as_ref().map(Time::machine);
            format!("{}|{}", message.sender, time.unwrap_or_default())
        });
        let first = first.unwrap_or_default();
        let key = format!("{}|{}|{first}|{}", self.app, self.name, beginning(&messages));
        let mut read = Conversation::default();
        assemble_log(&mut read, messages, &mut contacts, notes);
        if read.turns.is_empty() {
            return None;
        }
        let listed = self.listed();
        let is_writer = read.participants.iter().any(|who| who.name == self.name);
        let is_list = listed.len() > 1 && !is_writer;
        let name = match is_list {
            true => {
                let shown = self.name.split(SEPARATORS);
                let shown = shown.map(|name| contacts.name(name).into_owned());
                shown.collect::<Vec<_>>().join(", ")
            }
            false => contacts.title(self.name),
        };
        let is_other = match self.members {
            Members::Two => true,
            Members::Group => false,
            Members::Unknown => read.participants.len() <= 2,
        };
        let named = match (is_list, is_other) {
            (true, _) => listed,
            (false, true) => vec![self.name],
            (false, false) => Vec::new(),
        };
        let called = self.called.0.iter().map(String::as_str);
        for person in named.into_iter().chain(called) {
            let person = contacts.name(person).into_owned();
            if !person.is_empty() {
                read.introduce(&person, Kind::Person);
            }
        }
        read.id = Some(format!("{}-{}", self.app.to_lowercase(), turn_id(&key)));
        read.title = (!name.is_empty()).then(|| name.clone());
        let title = if name.is_empty() { self.app } else { &name };
        read.file_title = Some(title.to_owned());
        let split = Split::Pause { minutes: PAUSE };
        read.channel = Some(Channel { name, is_direct: false, split });
        Some(read)
    }

    /// Returns the members listed in the name of the chat, as in groups without a name of their
    /// own.
    fn listed(&self) -> Vec<&str> {
        let is_number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
        let more = MORE.iter().find_map(|(before, behind)| {
            let (names, count) = self.name.strip_suffix(behind)?.rsplit_once(before)?;
            is_number(count).then_some(names)
        });
        let names = more.unwrap_or(self.name).split(SEPARATORS).map(str::trim);
        names.filter(|name| !name.is_empty()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::super::channel::plain;
    use super::{Members, Message, NamedPeople, PhoneChat};

    /// Returns the people of a chat with this name and these writers, and its title.
    fn people(name: &str, members: Members, wrote: &[&str]) -> (String, String) {
        let message = |sender: &&str| Message {
            sender: (*sender).to_owned(),
            blocks: plain("Hi").into_iter().collect(),
            ..Message::default()
        };
        let messages = wrote.iter().map(message).collect();
        let chat = PhoneChat { app: "LINE", name, members, called: NamedPeople::default() };
        let read = chat.conversation(messages, &mut Vec::new()).expect("a chat");
        let names: Vec<&str> = read.participants.iter().map(|who| who.name.as_str()).collect();
        (names.join("|"), read.title.unwrap_or_default())
    }

    #[test]
    fn the_person_that_a_chat_is_named_after_is_known() {
        use Members::{Group, Two, Unknown};
        for (name, members, wrote, expected) in [
            ("Ada", Two, &["Bela"][..], "Bela|Ada"),
            ("Ada", Unknown, &["Bela", "Cleo"], "Bela|Cleo|Ada"),
            ("The watch", Unknown, &["Ada", "Bela", "Cleo"], "Ada|Bela|Cleo"),
            ("The watch", Group, &["Ada", "Bela"], "Ada|Bela"),
            ("Ada, Bela, Cleo", Group, &["Ada", "Bela"], "Ada|Bela|Cleo"),
            ("Bela & Cleo", Group, &["Ada", "Dan"], "Ada|Dan|Bela|Cleo"),
            ("Ada, Cleo 외 3명", Unknown, &["Ada", "Bela"], "Ada|Bela|Cleo"),
            ("Ada, the first", Two, &["Ada, the first", "Bela"], "Ada, the first|Bela"),
        ] {
            assert_eq!(people(name, members, wrote).0, expected, "{name}");
        }
        let title = people("+44 7700 900123, Ada", Members::Group, &["Ada", "Bela"]).1;
        assert_eq!(title, "Person 1, Ada");
    }

    #[test]
    fn mentioned_people_are_known() {
        let mut called = NamedPeople::default();
        called.mentions("@Cleo Marsh come, hi @bela! ada@example.org @all @홍길동/95 와요");
        assert_eq!(called.0.into_iter().collect::<Vec<_>>(), ["Cleo Marsh", "bela", "홍길동/95"]);
    }
}

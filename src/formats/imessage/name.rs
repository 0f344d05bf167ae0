//! The title of a chat. Its file is named after the group, with a number, or after the
//! participants.

use crate::shared::people::channel::{Contacts, is_contact};
use crate::stem;

/// The title of a chat.
#[derive(Debug, Default)]
pub(super) struct Name {
    pub(super) title: String,
    /// The names of the participants, if the title consists of them.
    pub(super) people: Vec<String>,
}

/// The file of messages whose chat is unknown.
const ORPHANED: &str = "orphaned";

/// Returns the title of the chat in a file, without phone numbers and addresses.
pub(super) fn of_file(path: &str, contacts: &mut Contacts) -> Name {
    let stem = stem(path.rsplit('/').next().unwrap_or(path));
    if stem == ORPHANED {
        return Name::default();
    }
    // The database id of a group follows its name.
    let group = stem.rsplit_once(" - ").filter(|(_, number)| is_number(number));
    if let Some((name, _)) = group {
        return Name { title: masked(name, contacts), people: Vec::new() };
    }
    let (names, others) = match stem.rsplit_once(", and ") {
        Some((names, others)) if others.ends_with(" others") => (names, Some(others)),
        _ => (stem, None),
    };
    let names = names.split(", ").filter(|name| !is_id(name));
    let people: Vec<String> = names.map(|name| masked(name, contacts)).collect();
    let mut title = people.join(", ");
    if let Some(others) = others {
        title.push_str(&format!(", and {others}"));
    }
    Name { title, people }
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Returns whether a name is an internal id: `chat123456789012345678`.
fn is_id(name: &str) -> bool {
    name.strip_prefix("chat").is_some_and(|number| number.len() > 6 && is_number(number))
}

/// Returns a name, or the replacement for a phone number or address, which may be cut off.
fn masked(name: &str, contacts: &mut Contacts) -> String {
    let is_cut = !name.contains(char::is_alphabetic) && name.contains(|c: char| c.is_ascii_digit())
        || name.contains('@');
    match is_contact(name) || is_cut {
        true => contacts.number(name),
        false => contacts.without_numbers(name.trim()),
    }
}

#[cfg(test)]
mod tests {
    use super::of_file;
    use crate::shared::people::channel::Contacts;

    #[test]
    fn numbers_are_not_names() {
        for (file, title) in [
            ("+447700900123.txt", "Person 1"),
            ("chats/heron@example.org.html", "Person 1"),
            ("Ada Wren, +447700900123.txt", "Ada Wren, Person 1"),
            ("Ada, +4477, and 3 others.txt", "Ada, Person 1, and 3 others"),
            ("The quay - 12.txt", "The quay"),
            ("chat123456789012345678.txt", ""),
            ("orphaned.txt", ""),
        ] {
            let name = of_file(file, &mut Contacts::default());
            assert_eq!(name.title, title, "{file}");
        }
    }
}

//! The title of a chat: from its file name, its group or its participants.

use crate::shared::people::channel::Contacts;

/// Words between `WhatsApp Chat` and the name in file names.
const WITH: [&str; 14] = [
    "with", "mit", "con", "com", "avec", "met", "med", "z", "с", "de", "entre", "ile", "dengan",
    "-",
];
/// Words with which such a name begins.
const CHAT: [&str; 12] = [
    "whatsapp", "chat", "whatsapp-chat", "conversa", "conversación", "conversation", "discussion",
    "do", "del", "de", "gesprek", "на",
];

/// Returns the title of a chat.
pub(super) fn title(file: &str, group: Option<&str>, contacts: &mut Contacts) -> Option<String> {
    let title = of_file(file).or_else(|| group.map(str::to_owned))?;
    Some(contacts.title(&title))
}

/// Returns the name in a file name: `WhatsApp Chat with Ada.txt`.
fn of_file(file: &str) -> Option<String> {
    let mut above = file.rsplit('/');
    let name = above.next().unwrap_or(file);
    if name == "_chat.txt" {
        let folder = above.next()?;
        return of_file(folder.strip_suffix(".zip").unwrap_or(folder));
    }
    let name = name.strip_suffix(".txt").unwrap_or(name);
    let name =
        [".dmy", ".mdy", ".ymd"].iter().find_map(|end| name.strip_suffix(end)).unwrap_or(name);
    if !name.to_lowercase().contains("whatsapp") {
        return None;
    }
    let name = without_count(name);
    let mut rest = name.trim();
    while let Some((word, behind)) = rest.split_once(' ') {
        let lower = word.to_lowercase();
        let is_known = |words: &[&str]| words.contains(&lower.as_str());
        if !is_known(&CHAT) && !is_known(&WITH) {
            break;
        }
        rest = behind.trim_start();
    }
    let is_named = !rest.is_empty() && !rest.to_lowercase().contains("whatsapp");
    is_named.then(|| rest.to_owned())
}

/// Returns a name without the number that browsers add to copies: `Chat (1)`. The name of a chat
/// may be `Mill 2`.
fn without_count(name: &str) -> &str {
    let Some((before, last)) = name.trim_end().rsplit_once(' ') else { return name };
    let number = last.strip_prefix('(').and_then(|last| last.strip_suffix(')'));
    let is_count = number.is_some_and(|number| {
        matches!(number.len(), 1..=2) && number.bytes().all(|byte| byte.is_ascii_digit())
    });
    if is_count { before.trim_end() } else { name }
}

#[cfg(test)]
mod tests {
    use super::of_file;

    #[test]
    fn files_are_named_in_many_languages() {
        for (file, title) in [
            ("WhatsApp Chat with The night watch.txt", Some("The night watch")),
            ("WhatsApp-Chat mit Ada.txt", Some("Ada")),
            ("Chat de WhatsApp con Ada Bel.dmy.txt", Some("Ada Bel")),
            ("Discussion WhatsApp avec Ada.txt", Some("Ada")),
            ("WhatsApp Chat - Ada.txt", Some("Ada")),
            ("_chat.txt", None),
            ("WhatsApp Chat - Ada/_chat.txt", Some("Ada")),
            ("WhatsApp Chat - Ada (2).zip/_chat.txt", Some("Ada")),
            ("WhatsApp Chat with Ada (1).txt", Some("Ada")),
            ("WhatsApp Chat with Ada (12).dmy.txt", Some("Ada")),
            ("WhatsApp Chat with Agent 47.txt", Some("Agent 47")),
            ("WhatsApp.txt", None),
        ] {
            assert_eq!(of_file(file).as_deref(), title, "{file}");
        }
    }
}

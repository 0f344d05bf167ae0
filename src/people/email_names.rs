//! Names next to e-mail addresses: `Tested-by: Eric Elm <eric@mill.example>`. Pages do not show e-mail
//! addresses, and a name with one belongs to a person.

use std::collections::BTreeSet;

use super::is_role;
use crate::model::{Conversation, TextRole, TextVisitor};
use crate::rendered_text::RenderedText;
use crate::text::is_everyday_name;

/// The maximum number of words of a name.
const MAX_WORDS: usize = 5;
/// The maximum length in bytes of an e-mail address or a name.
const MAX_BYTES: usize = 200;
/// Lower-case words that occur inside names.
const SMALL: [&str; 16] = [
    "al", "bin", "da", "de", "del", "della", "den", "der", "di", "du", "la", "le", "ten", "van",
    "von", "zu",
];
/// The text in place of an e-mail address that was redacted at the source.
const HIDDEN: &str = "redacted";

/// Returns the names next to e-mail addresses in a conversation.
pub(super) fn names_near_emails(read: &mut Conversation) -> BTreeSet<String> {
    let mut names = Beside(BTreeSet::new());
    read.visit_texts(&mut names);
    names.0
}

struct Beside(BTreeSet<String>);

impl TextVisitor for Beside {
    fn text(&mut self, role: TextRole, text: &mut String) {
        if role.is_shown() && text.contains(['<', '(', '[', '&']) {
            names_in(RenderedText::folded(text).unescaped(), &mut self.0);
        }
    }
}

fn names_in(text: &str, names: &mut BTreeSet<String>) {
    for (at, _) in text.match_indices(['<', '(', '[']) {
        let (before, inside) = text.split_at(at);
        let inside = inside.get(1..).unwrap_or_default();
        let most = inside.get(..inside.floor_char_boundary(MAX_BYTES)).unwrap_or(inside);
        let Some(end) = most.find(['>', ')', ']', '<', '(', '\n']) else { continue };
        let inside = most.get(..end).unwrap_or_default();
        let before = before.trim_end_matches(['(', '<', '[', ' ', '\\']);
        let from = before.ceil_char_boundary(before.len().saturating_sub(MAX_BYTES));
        let before = before.get(from..).unwrap_or_default();
        match address(inside) {
            Some(local) => names.extend(name_before(before, local)),
            None => {
                // `eric@mill.example (Eric Elm)`
                let word = before.rsplit(char::is_whitespace).next().unwrap_or_default();
                if address(word.trim_matches(['<', '>', '[', ']'])).is_some() {
                    names.extend(name_before(inside, ""));
                }
            }
        }
    }
}

/// Returns the part of an e-mail address before the `@`; empty if the address was redacted.
fn address(text: &str) -> Option<&str> {
    let text = text.trim().trim_start_matches("mailto:");
    let hidden = text.trim_matches(['[', ']', '*', '…', '.']).to_lowercase();
    if hidden.split(' ').any(|part| part == HIDDEN) {
        return Some("");
    }
    let (local, host) = text.split_once('@').or_else(|| text.split_once(" at "))?;
    let is_plain = |text: &str| !text.is_empty() && !text.contains(char::is_whitespace);
    let is_web = local.contains(['/', ':']);
    (is_plain(local) && is_plain(host) && !is_web).then_some(local)
}

/// Returns the name at the end of a text, before an e-mail address whose local part is `local`.
fn name_before(text: &str, local: &str) -> Option<String> {
    let line = text.rsplit('\n').next().unwrap_or_default();
    let line = line.trim_end_matches(['"', '\'', '”', ' ']);
    let start = line.rfind(['"', '“', ':', ';', '<', '>', '(', ')', '[', ']', '|', '@']);
    let part = start.map_or(line, |start| {
        let mark = line.get(start..).and_then(|rest| rest.chars().next());
        line.get(start + mark.map_or(1, char::len_utf8)..).unwrap_or_default()
    });
    let is_name = |word: &&str| {
        let first = word.chars().find(|c| c.is_alphabetic());
        let is_capital = first.is_some_and(|c| !c.is_lowercase());
        (is_capital || SMALL.contains(word)) && !word.contains(|c: char| c.is_ascii_digit())
    };
    let mut words: Vec<&str> =
        part.split_whitespace().rev().take(MAX_WORDS).take_while(is_name).collect();
    words.reverse();
    let is_small = |word: &&&str| SMALL.contains(*word);
    let small = words.iter().take_while(is_small).count();
    // The text before a comma is another person, or the family name.
    let all: Vec<&str> = part.split_whitespace().collect();
    let is_all = words.len() == all.len();
    let comma = words.iter().rposition(|word| word.ends_with(',')).map_or(0, |at| at + 1);
    let from = if is_all && comma == 1 { small } else { small.max(comma) };
    let words = words.get(from..).unwrap_or_default();
    let name = words.join(" ");
    let name = name.trim_matches(|c: char| !c.is_alphanumeric() && c != '.');
    let local = local.to_lowercase();
    let is_local = |word: &&str| {
        let word = word.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
        word.chars().count() > 1 && local.contains(&word)
    };
    let is_word = is_everyday_name(&name.to_lowercase());
    let is_person = match words {
        [] => false,
        [only] => is_local(only) || !is_word && is_all,
        words => !is_word || is_all || words.iter().any(is_local),
    };
    (is_person && !is_role(name) && name.chars().filter(|c| c.is_alphabetic()).count() > 1)
        .then(|| name.to_owned())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::names_in;

    #[test]
    fn names_are_next_to_addresses() {
        for (text, expected) in [
            ("Tested-by: Eric Elm <eric@mill.example>", &["Eric Elm"][..]),
            (
                "Cc: Ada Alder <a@m.example>, Bob van Birch <b@m.example>",
                &["Ada Alder", "Bob van Birch"],
            ),
            ("From: \"Elm, Eric\" <eric@mill.example>", &["Elm, Eric"]),
            ("> Eric Elm [mailto:eric@mill.example] wrote", &["Eric Elm"]),
            ("eric@mill.example (Eric Elm)", &["Eric Elm"]),
            ("On Monday, I asked Eric Elm (eric at mill.example).", &["Eric Elm"]),
            ("Acked-by: Eric Elm <[redacted]>", &["Eric Elm"]),
            ("Will <will@mill.example>", &["Will"]),
            ("write to me <eric@mill.example>", &[]),
            ("Thanks for this <eric@mill.example>", &[]),
            ("See [the page](https://mill.example/@eric)", &[]),
        ] {
            let mut names = BTreeSet::new();
            names_in(text, &mut names);
            let names: Vec<&str> = names.iter().map(String::as_str).collect();
            assert_eq!(names, expected, "{text}");
        }
    }
}

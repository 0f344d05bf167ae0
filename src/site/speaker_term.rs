//! The term under which a speaker is listed: the name or, for a mere role, the name with the program or
//! channel. `User` in exports of two programs may be different people, and so may `Person 1` in two
//! channels.

use std::borrow::Cow;

use crate::formats;
use crate::people;
use crate::sources::{Entry, Speaker};

/// Generic names of assistants.
const ASSISTANTS: [&str; 5] = ["ai", "assistant", "bot", "chatbot", "model"];

/// Returns the term under which a speaker of a conversation is listed. It does not depend on the rest of
/// the site, so its URL is stable.
pub(super) fn listed_as<'a>(entry: &'a Entry, who: &'a Speaker) -> Cow<'a, str> {
    let is_word = people::is_role(&who.name)
        || ASSISTANTS.iter().any(|word| who.name.eq_ignore_ascii_case(word));
    let is_numbered = || {
        let number = who.name.strip_prefix("Person ");
        number.is_some_and(|number| number.bytes().all(|byte| byte.is_ascii_digit()))
    };
    if !entry.channel.is_empty() && is_numbered() {
        return Cow::Owned(format!("{} ({})", who.name, entry.channel));
    }
    match entry.source_label.filter(|label| is_word && is_of_program(label)) {
        Some(label) => Cow::Owned(format!("{} ({label})", who.name)),
        None => Cow::Borrowed(&who.name),
    }
}

/// Returns whether a source label belongs to the exports of a program that nobody writes by hand.
fn is_of_program(label: &str) -> bool {
    let found = formats::ALL.iter().find(|format| format.source_label == label);
    found.is_some_and(|format| format.write.is_none())
}

//! Under what a speaker is listed: the name, and for a name that is only a word for what one does the
//! program in whose export it stands. `User` of one program need not be `User` of another, and those
//! without a name are counted in each channel: `Person 1` of one is not the one of another.

use std::borrow::Cow;

use crate::formats;
use crate::people;
use crate::sources::{Entry, Speaker};

/// Names of assistants that are none.
const ASSISTANTS: [&str; 5] = ["ai", "assistant", "bot", "chatbot", "model"];

/// Returns the term under which lists have a speaker of a conversation. It does not depend on what else
/// there is on the site, so that its address stays.
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

/// Returns whether exports of another program have this label, which nobody writes by hand.
fn is_of_program(label: &str) -> bool {
    let found = formats::ALL.iter().find(|format| format.source_label == label);
    found.is_some_and(|format| format.write.is_none())
}

//! Names of speakers that are too long: each is on every page on which somebody speaks, and is looked for
//! in every text.

use std::borrow::Cow;

use crate::diag::{Counted, Note, Severity};
use crate::hash::Hash;
use crate::model::{Conversation, TextRole, TextVisitor};

/// The most characters of the name of a speaker.
const MAX_CHARS: usize = 1000;
/// Names that are longer.
const TOO_LONG: Counted = Counted::new(
    Severity::Warning,
    "too-long",
    "name of a speaker is longer than 1000 characters",
    "names of speakers are longer than 1000 characters",
)
.hint("the beginning is the name, with a mark for the rest");
/// The characters of the hash of a whole name, by which two names of one beginning differ.
const TAIL_CHARS: usize = 8;

/// Cuts the names of speakers that are too long. Returns a warning if there are any.
pub(super) fn cut(conversations: &mut [Conversation]) -> Option<Note> {
    let mut count = 0;
    for read in conversations {
        let long = read.participants.iter().filter(|who| is_long(&who.name)).count();
        let is_spoken = || read.all_turns().any(|turn| is_long(&turn.speaker));
        let is_called = || read.participants.iter().any(|who| has_long_alias(&who.aliases));
        if long == 0 && !is_spoken() && !is_called() {
            continue;
        }
        count += long.max(1);
        read.visit_texts(&mut Names);
        for who in read.participants.iter_mut() {
            // A text that names somebody at such a length names nobody.
            who.aliases.retain(|alias| !is_long(alias));
        }
    }
    (count > 0).then(|| Note::counted(TOO_LONG, "", count as u64, None))
}

struct Names;

impl TextVisitor for Names {
    fn text(&mut self, role: TextRole, text: &mut String) {
        if role == TextRole::Name
            && let Cow::Owned(short) = shortened(text)
        {
            *text = short;
        }
    }
}

/// Returns a name of at most [`MAX_CHARS`] characters. Names that differ still do.
fn shortened(name: &str) -> Cow<'_, str> {
    if !is_long(name) {
        return Cow::Borrowed(name);
    }
    let kept: String = name.chars().take(MAX_CHARS - TAIL_CHARS - 2).collect();
    Cow::Owned(format!("{} …{}", kept.trim_end(), Hash::of(name).short(TAIL_CHARS)))
}

fn has_long_alias(aliases: &[String]) -> bool {
    aliases.iter().any(|alias| is_long(alias))
}

fn is_long(name: &str) -> bool {
    name.len() > MAX_CHARS && name.chars().nth(MAX_CHARS).is_some()
}

#[cfg(test)]
mod tests {
    use super::{MAX_CHARS, is_long, shortened};

    #[test]
    fn names_that_differ_behind_the_cut_still_do() {
        let [one, other] = ["a", "b"].map(|end| "é".repeat(5000) + end);
        let [one, other] = [shortened(&one), shortened(&other)];
        assert!(one != other && !is_long(&one) && !is_long(&other));
        let longest = "é".repeat(MAX_CHARS);
        assert_eq!(shortened(&longest), longest);
    }
}

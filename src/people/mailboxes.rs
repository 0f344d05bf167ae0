//! Names of people before the `@` of e-mail addresses: `alovelace@loom.example`, `ada.l@loom.example`.

use std::collections::HashMap;
use std::sync::Arc;

use super::found::Found;
use super::words::is_role;
use crate::rendered_text::{RenderedText, WordsBuilder};
use crate::text::is_everyday_name;
use crate::text::unique_slug;

/// The maximum number of bytes before an `@` to read.
const MAX_BYTES: usize = 64;
/// The minimum number of letters of a name that identifies a mailbox.
const MIN_LETTERS: usize = 3;

/// Local parts of e-mail addresses, or parts of them, and the people that they belong to.
#[derive(Clone, Debug, Default)]
pub(super) struct Mailboxes(HashMap<String, Vec<Owner>>);

/// The owner of a mailbox.
#[derive(Clone, Debug)]
struct Owner {
    /// The index of the file pattern to which the name is limited.
    scope: Option<usize>,
    /// The replacement.
    by: Arc<str>,
}

impl Mailboxes {
    /// Adds the mailboxes of a person. `words` are the words of the name that are not shared with a person
    /// whose names are kept; `count` is the number of all words.
    pub(super) fn add(
        &mut self,
        words: &[&str],
        count: usize,
        made_up: &str,
        scope: Option<usize>,
    ) {
        let by: Arc<str> = unique_slug(made_up, MAX_BYTES).into();
        let compared =
            |word: &&str| WordsBuilder::forms(word).into_iter().next().unwrap_or_default();
        let words: Vec<String> = words.iter().map(compared).collect();
        let mut all: Vec<String> = words.clone();
        if let [first, .., last] = &words[..]
            && words.len() == count
        {
            let start = |word: &str| word.chars().take(1).collect::<String>();
            let joined = [
                format!("{}{last}", start(first)),
                format!("{last}{}", start(first)),
                format!("{first}{}", start(last)),
                format!("{}{first}", start(last)),
                format!("{last}{first}"),
                format!("{first}{last}"),
            ];
            all.extend(joined.into_iter().filter(|joined| !is_everyday_name(joined)));
        }
        let is_long =
            |word: &String| word.chars().filter(|c| c.is_alphabetic()).count() >= MIN_LETTERS;
        for word in all.into_iter().filter(|word| is_long(word) && !is_role(word)) {
            let owners = self.0.entry(word).or_default();
            if owners.iter().all(|owner| owner.scope != scope) {
                owners.push(Owner { scope, by: by.clone() });
            }
        }
    }

    /// Finds mailboxes in a text.
    pub(super) fn find<'a>(
        &'a self,
        text: &str,
        view: &RenderedText,
        in_scope: &[bool],
        found: &mut Vec<Found<'a>>,
    ) {
        if self.0.is_empty() {
            return;
        }
        let seen = view.text();
        for (at, _) in seen.match_indices('@') {
            let before = seen.get(..at).unwrap_or_default();
            let after = seen.get(at + 1..).unwrap_or_default();
            let floor = before.ceil_char_boundary(at.saturating_sub(MAX_BYTES));
            let before = before.get(floor..).unwrap_or_default();
            let len: usize = before
                .chars()
                .rev()
                .take_while(|c| c.is_alphanumeric() || matches!(c, '.' | '_' | '-' | '+'))
                .map(char::len_utf8)
                .sum();
            let local = before.get(before.len() - len..).unwrap_or_default();
            if !after.starts_with(char::is_alphanumeric) {
                continue;
            }
            let parts = local.split(['.', '_', '-', '+']);
            let mut parts = parts.map(|part| part.trim_matches(|c: char| c.is_numeric()));
            let is_about =
                |owner: &&Owner| owner.scope.is_none_or(|at| in_scope.get(at) == Some(&true));
            let owner = parts.find_map(|part| self.0.get(part)?.iter().find(is_about));
            if let Some(Owner { by, .. }) = owner {
                let written = view.written_whole(text, at - len..at);
                found.push(Found { from: written.start, to: written.end, by });
            }
        }
    }
}

//! Which speakers have a page of their own. A page costs what a few hundred words do, so where very many
//! speakers say little, those have none: their pages would be many times what they said.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::speaker_term::listed_as;
use crate::diag::{Diagnostic, Noted, Severity};
use crate::sources::Entry;
use crate::text::plural;

/// The words for which a page of a speaker takes about as many bytes as all else that is made of them, and
/// those for each conversation that it lists.
const WORDS_PER_PAGE: u64 = 200;
const WORDS_PER_CONVERSATION: u64 = 40;
/// The words for which pages are made although nobody says as many: those of 1,000 speakers of one
/// conversation.
const FREE_WORDS: u64 = 1_000 * (WORDS_PER_PAGE + WORDS_PER_CONVERSATION);

/// The speakers without a page, by the terms under which lists have them.
pub(super) type WithoutPage = HashSet<String>;

/// Finds the speakers without a page, with a diagnostic if there are any.
pub(super) fn without_page(entries: &[Arc<Entry>]) -> Noted<WithoutPage> {
    let mut speakers: HashMap<Cow<'_, str>, Said> = HashMap::new();
    for entry in entries {
        for who in &entry.speakers {
            let said = speakers.entry(listed_as(entry, who)).or_default();
            said.words = said.words.saturating_add(who.words);
            said.conversations += 1;
        }
    }
    let all = speakers.len();
    speakers.retain(|_, said| said.words < said.words_for_page());
    let missing = speakers.values().map(|said| said.words_for_page() - said.words);
    if missing.sum::<u64>() <= FREE_WORDS {
        return Noted::plain(WithoutPage::new());
    }
    let count = plural(speakers.len() as u64, "speaker has", "speakers have");
    let all = plural(all as u64, "speaker", "speakers");
    let message = format!("{count} no page, out of {all}");
    let note = Diagnostic::new(Severity::Hint, "speakers-without-page", message);
    let hint = format!(
        "with this many speakers, a page needs at least {WORDS_PER_PAGE} words by the speaker, \
         and {WORDS_PER_CONVERSATION} more for each conversation"
    );
    let without = speakers.into_keys().map(Cow::into_owned).collect();
    Noted { value: without, notes: vec![note.hint(hint)] }
}

/// What a speaker said in all conversations.
#[derive(Default)]
struct Said {
    words: u64,
    conversations: u64,
}

impl Said {
    /// Returns the fewest words for which there is a page where there are many speakers.
    fn words_for_page(&self) -> u64 {
        WORDS_PER_PAGE + self.conversations * WORDS_PER_CONVERSATION
    }
}

//! Decides which speakers have a page. A page costs as much as a few hundred words. If very many speakers
//! write little, they get no page, because the pages would be many times larger than what they wrote.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::speaker_term::listed_as;
use crate::diag::{Diagnostic, Severity, WithNotes};
use crate::sources::Entry;
use crate::text::plural;

/// The number of words at which the page of a speaker takes about as many bytes as everything else made
/// from these words; the second number is per listed conversation.
const WORDS_PER_PAGE: u64 = 200;
const WORDS_PER_CONVERSATION: u64 = 40;
/// The total number of words that speakers may lack and still get a page: that of 1,000 speakers with one
/// conversation each.
const FREE_WORDS: u64 = 1_000 * (WORDS_PER_PAGE + WORDS_PER_CONVERSATION);

/// The speakers without a page, by their terms in lists.
pub(super) type WithoutPage = HashSet<String>;

/// Finds the speakers without a page, and reports how many there are.
pub(super) fn without_page(entries: &[Arc<Entry>]) -> WithNotes<WithoutPage> {
    let mut speakers: HashMap<Cow<'_, str>, SpeakerTotals> = HashMap::new();
    for entry in entries {
        for who in &entry.speakers {
            let sums = speakers.entry(listed_as(entry, who)).or_default();
            sums.words = sums.words.saturating_add(who.words);
            sums.conversations += 1;
        }
    }
    let all = speakers.len();
    speakers.retain(|_, sums| sums.words < sums.words_for_page());
    let missing = speakers.values().map(|sums| sums.words_for_page() - sums.words);
    if missing.sum::<u64>() <= FREE_WORDS {
        return WithNotes::plain(WithoutPage::new());
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
    WithNotes { value: without, notes: vec![note.hint(hint)] }
}

/// The total of a speaker in all conversations.
#[derive(Default)]
struct SpeakerTotals {
    words: u64,
    conversations: u64,
}

impl SpeakerTotals {
    /// Returns the minimum number of words for a page if there are many speakers.
    fn words_for_page(&self) -> u64 {
        WORDS_PER_PAGE + self.conversations * WORDS_PER_CONVERSATION
    }
}

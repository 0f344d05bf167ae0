//! Messages that pages quote from other pages of the site.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use super::page::{QuotedMessage, SharedCard};
use crate::config::BaseUrl;
use crate::hash::Hash;
use crate::path::part_folder;
use crate::sources::{Entry, Quote, Quotes};

/// The messages that are answered on other pages, with the indices of their conversations.
pub(super) struct QuotedMessages<'a> {
    by_id: HashMap<(Hash, &'a str), (usize, &'a Quote)>,
}

impl<'a> QuotedMessages<'a> {
    /// Finds such messages in all conversations. If several conversations contain a message, the first one
    /// is used.
    pub(super) fn new(entries: &'a [Arc<Entry>]) -> Self {
        let mut by_id = HashMap::new();
        for (place, entry) in entries.iter().enumerate() {
            let Some(Quotes { channel, answered, .. }) = entry.quotes.as_deref() else {
                continue;
            };
            for (id, quote) in answered {
                by_id.entry((*channel, id.as_str())).or_insert((place, quote));
            }
        }
        Self { by_id }
    }

    /// Returns the messages that a conversation quotes from other pages, by the number of the quoting page
    /// and the message id.
    pub(super) fn of(
        &self,
        place: usize,
        entry: &Entry,
        cards: &[SharedCard],
        base_url: &BaseUrl,
    ) -> BTreeMap<(usize, String), QuotedMessage> {
        let Some(quotes) = entry.quotes.as_deref() else { return BTreeMap::new() };
        let find = |id: &str| {
            let own = quotes.answered.get(id).map(|quote| (place, quote));
            own.or_else(|| self.by_id.get(&(quotes.channel, id)).copied())
        };
        let quoted = quotes.answers.iter().filter_map(|(page, id)| {
            let (place, Quote { page: there, speaker, text }) = find(id)?;
            let address = base_url.link(&part_folder(&cards[place].path, *there));
            let (url, speaker) = (format!("{address}#{id}"), speaker.clone());
            let quoted = QuotedMessage { url, speaker, text: text.clone() };
            Some(((*page, id.clone()), quoted))
        });
        quoted.collect()
    }
}

//! Selects what is published on a site that publishes only listed or reviewed conversations.

use std::collections::BTreeSet;

use super::conversation_table::ConversationTable;
use super::reason::Reason;
use crate::config::{Config, LocatedText, PublishList, Review};
use crate::diag::{Diagnostic, Severity};
use crate::hash::Hash;
use crate::model::{Conversation, REVIEWED};
use crate::query::choice::{Choice, Chooser};
use crate::text::{normalized_name, plural};

/// The conditions under which conversations are published.
#[derive(Clone, Debug)]
pub(crate) struct Publication {
    list: Option<CompiledList>,
    is_review_required: bool,
}

/// A [`PublishList`] prepared for fast lookup. Its lines are numbered: first tags, then filters,
/// then conversations.
#[derive(Clone, Debug)]
struct CompiledList {
    written: PublishList,
    tags: Vec<String>,
    choices: Vec<Choice>,
    /// The listed conversations.
    conversations: ConversationTable,
}

impl Publication {
    /// Compiles the conditions of a configuration, or returns what is wrong with them.
    pub(crate) fn new(config: &Config) -> Result<Self, Vec<Diagnostic>> {
        let list = match &config.publish_list {
            Some(list) => Some(CompiledList::new(list, config)?),
            None => None,
        };
        Ok(Self { list, is_review_required: config.review == Review::Required })
    }

    /// Starts to check whether a conversation is published. The first part must still be added,
    /// like every other part.
    pub(super) fn candidate<'a>(
        &'a self,
        names: impl Iterator<Item = String>,
        first: &Conversation,
        language: &str,
        is_section: bool,
    ) -> Option<Candidate<'a>> {
        if self.list.is_none() && !self.is_review_required {
            return None;
        }
        // If no conversation of a folder is listed, the folder's introduction is not shown either.
        let list = self.list.as_ref().filter(|_| !is_section);
        let listing = list.map(|list| Listing {
            list,
            of_file: list.conversations.of_files(names),
            chooser: Chooser::new(&list.choices, first, language),
            matched: vec![false; list.len()],
        });
        let review = self.is_review_required.then_some(false);
        Some(Candidate { listing, review, is_rejected: false })
    }

    /// Starts to check whether a page of the pages folder is published. It is, unless reviews are
    /// required and the page is marked as not reviewed.
    pub(super) fn chosen_page(&self) -> Option<Candidate<'_>> {
        let review = self.is_review_required.then_some(true)?;
        Some(Candidate { listing: None, review: Some(review), is_rejected: false })
    }

    /// Returns diagnostics for lines of the list that match nothing. `matched` says which lines match.
    pub(crate) fn unmatched(&self, matched: &[bool]) -> Vec<Diagnostic> {
        let Some(list) = &self.list else { return Vec::new() };
        let PublishList { tags, filters, conversations } = &list.written;
        let is_unmatched = |line: usize| matched.get(line) != Some(&true);
        let mut notes = Vec::new();
        let first = tags.len() + filters.len();
        let texts = tags.iter().map(|tag| ("tags", tag));
        let texts = texts.chain(filters.iter().map(|query| ("filters", query)));
        for (_, (key, text)) in texts.enumerate().filter(|(line, _)| is_unmatched(*line)) {
            let message = format!("`{}` in `{key}` matches no conversation", text.text);
            let note = Diagnostic::new(Severity::Warning, "unmatched-filter", message);
            notes.push(Diagnostic { at: text.at.clone(), ..note });
        }
        let named = conversations.iter().enumerate();
        let missing: Vec<&LocatedText> = named
            .filter(|(at, _)| is_unmatched(first + at))
            .filter_map(|(_, one)| one.file.as_ref().or(one.id.as_ref()))
            .collect();
        if let Some(one) = missing.first() {
            let others = plural(missing.len() as u64 - 1, "other", "others");
            let message = match missing.len() {
                1 => format!("conversation `{}` not found", one.text),
                _ => format!("conversation `{}` and {others} not found", one.text),
            };
            let note = Diagnostic::new(Severity::Warning, "unmatched-listing", message);
            let hint = "conversations that are not listed are not published; correct or remove these lines";
            notes.push(Diagnostic { at: one.at.clone(), ..note.hint(hint) });
        }
        notes
    }
}

impl CompiledList {
    fn new(written: &PublishList, config: &Config) -> Result<Self, Vec<Diagnostic>> {
        let mut wrong = Vec::new();
        let mut report = |of: &LocatedText, what: &str, why: String| {
            let message = format!("`{what}`: {why}");
            let note = Diagnostic::new(Severity::Error, "bad-value", message);
            let note = note.hint("nothing is written until this is fixed");
            wrong.push(Diagnostic { at: of.at.clone(), ..note });
        };
        let mut choices = Vec::new();
        for query in &written.filters {
            match Choice::parse(&query.text) {
                Ok(choice) => choices.push(choice),
                Err(why) => report(query, "filters", why),
            }
        }
        let names: Vec<_> = written.conversations.iter().collect();
        let named = ConversationTable::new(&names, config, false);
        let conversations = named.unwrap_or_else(|(at, why)| {
            if let Some(file) = &written.conversations[at].file {
                report(file, "file", why);
            }
            ConversationTable::default()
        });
        let tags = written.tags.iter().map(|tag| normalized_name(tag.text.trim())).collect();
        let list = Self { written: written.clone(), tags, choices, conversations };
        if wrong.is_empty() { Ok(list) } else { Err(wrong) }
    }

    /// Returns the number of its lines.
    fn len(&self) -> usize {
        self.tags.len() + self.choices.len() + self.written.conversations.len()
    }
}

/// A conversation that may be published, as far as it has been read.
pub(crate) struct Candidate<'a> {
    listing: Option<Listing<'a>>,
    /// Whether it was reviewed, if reviews are required.
    review: Option<bool>,
    /// Whether one of its parts is marked as not reviewed.
    is_rejected: bool,
}

/// The state of matching a conversation against the list.
struct Listing<'a> {
    list: &'a CompiledList,
    /// The listed conversations whose file matches.
    of_file: BTreeSet<usize>,
    chooser: Chooser<'a>,
    matched: Vec<bool>,
}

impl Candidate<'_> {
    /// Adds a part of the conversation.
    pub(crate) fn add(&mut self, part: &Conversation) {
        if let Some(listing) = &mut self.listing {
            listing.add(part);
        }
        let review = part.choice(REVIEWED);
        self.is_rejected |= review == Some(false);
        if let Some(is_reviewed) = &mut self.review {
            *is_reviewed |= review == Some(true);
        }
    }

    /// Returns why it is not published, if so, and which lines of the list match.
    pub(crate) fn finish(&self) -> (Option<Reason>, Vec<bool>) {
        let matched = self.listing.as_ref().map(Listing::finish).unwrap_or_default();
        let is_reviewed = self.review.is_none_or(|reviewed| reviewed && !self.is_rejected);
        let exclusion = match () {
            () if self.listing.is_some() && !matched.contains(&true) => Some(Reason::NotListed),
            () if !is_reviewed => Some(Reason::NotReviewed),
            () => None,
        };
        (exclusion, matched)
    }
}

impl Listing<'_> {
    fn add(&mut self, part: &Conversation) {
        let CompiledList { tags, choices, conversations, .. } = self.list;
        self.chooser.add(part);
        for tag in &part.tags {
            let tag = normalized_name(tag.trim());
            let same = tags.iter().enumerate().filter(|(_, listed)| **listed == tag);
            same.for_each(|(at, _)| self.matched[at] = true);
        }
        let first = tags.len() + choices.len();
        let ids: Vec<Hash> = part.id.iter().map(|id| Hash::of(&**id)).collect();
        for at in conversations.named(&self.of_file, &ids) {
            self.matched[first + at] = true;
        }
    }

    fn finish(&self) -> Vec<bool> {
        let mut matched = self.matched.clone();
        let first = self.list.tags.len();
        for (line, is_matched) in matched.iter_mut().skip(first).zip(self.chooser.finish()) {
            *line |= is_matched;
        }
        matched
    }
}

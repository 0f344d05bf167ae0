//! A conversation in the search index.

use std::sync::Arc;

use super::super::doc_terms::DocTerms;
use super::super::tokenizer::Stemmer;
use crate::hash::Hash;
use crate::model::Conversation;
use crate::path::part_folder;
use crate::query::filters::conversation_filters;
use crate::sources::Entry;
use crate::time::Time;

/// The version of the format. Increase it whenever conversations could give other files than
/// before.
pub const VERSION: u32 = 4;

/// A document of the index: a conversation that search can find.
#[derive(Clone, Debug)]
pub struct Document {
    /// Its metadata.
    pub entry: Arc<Entry>,
    /// Its folder in the output.
    pub path: Arc<str>,
    /// The stemmer of its first declared language, or else of the site's language.
    pub stemmer: Stemmer,
}

impl Document {
    /// Returns the folder of the page with a part, from 0.
    pub fn part_folder(&self, part: usize) -> String {
        part_folder(&self.path, part)
    }

    /// Returns its day, such as `2025-10-23`, or as much of it as is known.
    pub fn day(&self) -> Option<String> {
        self.entry.time.as_ref().map(Time::day)
    }

    /// Returns its day as a number, such as 20251023.
    pub fn day_number(&self) -> Option<u32> {
        self.entry.time.as_ref().map(Time::day_number).filter(|number| *number > 0)
    }

    /// Returns whether readers of the site can find it; authors always can. Withheld conversations
    /// are never in the site's index, even if they are included in a preview. A published one may be
    /// excluded from the search.
    pub fn is_public(&self) -> bool {
        self.entry.is_searchable && self.entry.withheld.is_none()
    }

    /// Hashes everything that the index contains of it.
    pub fn key(&self) -> Hash {
        // The same bytes give other texts when names are replaced, or words redacted.
        let Entry { parts, content, title, languages, kind, tags, .. } = &*self.entry;
        let parts: Vec<_> = parts
            .iter()
            .map(|text_ref| (text_ref.part.hash, text_ref.index, &text_ref.versions))
            .collect();
        let speakers = self.entry.speakers.iter();
        let speakers: Vec<_> = speakers.map(|who| (&who.name, &who.model)).collect();
        let about = (&self.path, title, self.day(), self.stemmer.name(), languages);
        Hash::of(&(parts, content, about, kind, tags, speakers))
    }

    /// Returns the filter terms that match all of its turns.
    pub fn filters(&self) -> Vec<String> {
        let Entry { languages, kind, tags, .. } = &*self.entry;
        conversation_filters(languages, kind.as_deref(), tags)
    }

    /// Hashes everything that a run contains of it.
    pub(super) fn terms_key(&self) -> Hash {
        let parts = self.entry.parts.iter().map(|text_ref| {
            let turns = (text_ref.from, text_ref.to);
            (
                text_ref.part.hash, text_ref.index, turns, text_ref.source.format,
                text_ref.source.rule, &text_ref.versions,
            )
        });
        let parts: Vec<_> = parts.collect();
        let names: Vec<&str> = self.entry.speakers.iter().map(|who| who.name.as_str()).collect();
        let Entry { title, content, .. } = &*self.entry;
        Hash::of(&(parts, content, title, self.stemmer.name(), names, self.filters()))
    }

    /// Collects the terms of a part.
    pub(super) fn terms_of_part(&self, part: usize, read: &Conversation) -> DocTerms {
        let title = (part == 0).then_some(&*self.entry.title);
        DocTerms::new(title, read, self.stemmer)
    }
}

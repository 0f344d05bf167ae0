//! Words and names, found in one pass over what readers see.

use std::ops::Range;

use aho_corasick::{AhoCorasick, AhoCorasickBuilder, AhoCorasickKind, MatchKind};

use super::AsSeen;

/// Words that are looked for, whole ones only.
#[derive(Clone, Debug, Default)]
pub(crate) struct Words(Option<AhoCorasick>);

/// Collects words.
#[derive(Default)]
pub(crate) struct WordsBuilder(Vec<String>);

/// There are more words than can be looked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct TooManyWords;

/// The most bytes of all words, in all their forms.
const MAX_BYTES: usize = 8 << 20;

impl WordsBuilder {
    /// Adds a word in the form in which it is compared, which [`compared`](Self::compared) makes. Their
    /// numbers count from zero.
    pub(crate) fn add(&mut self, compared: String) {
        self.0.push(compared);
    }

    /// Returns the form of a word in which it is compared.
    pub(crate) fn compared(word: &str) -> String {
        AsSeen::folded(word).text().trim().to_owned()
    }

    /// Returns what finds them.
    pub(crate) fn finish(self) -> Result<Words, TooManyWords> {
        if self.0.is_empty() {
            return Ok(Words::default());
        }
        if self.0.iter().map(String::len).sum::<usize>() > MAX_BYTES {
            return Err(TooManyWords);
        }
        let mut builder = AhoCorasickBuilder::new();
        builder.match_kind(MatchKind::Standard);
        // The one that takes the least memory for each word.
        builder.kind(Some(AhoCorasickKind::ContiguousNFA));
        let words = builder.build(&self.0).map_err(|_| TooManyWords)?;
        Ok(Words(Some(words)))
    }
}

impl Words {
    /// Returns whether there are none.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_none()
    }

    /// Finds all of them in a text, also where they overlap: the number of each, and where it stands in
    /// the text that is compared.
    pub(crate) fn find<'a>(
        &'a self,
        view: &'a AsSeen,
    ) -> impl Iterator<Item = (usize, Range<usize>)> + 'a {
        let hits =
            self.0.iter().flat_map(|words| words.find_overlapping_iter(view.text()));
        let hits = hits.map(|hit| (hit.pattern().as_usize(), hit.range()));
        hits.filter(|(_, range)| view.is_whole(range.clone()))
    }
}

//! Finds words and names in a view, in a single pass.

use std::ops::Range;

use aho_corasick::{AhoCorasick, AhoCorasickBuilder, AhoCorasickKind, MatchKind};

use super::{RenderedText, literal};

/// The words to find, in parts: the number of the first word of each part, and its automaton.
#[derive(Clone, Debug, Default)]
pub struct Words(Vec<(usize, AhoCorasick)>);

/// Collects words to find.
#[derive(Default)]
pub struct WordsBuilder(Vec<String>);

/// There are too many words to search for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TooManyWords;

/// The maximum size of all words in all their forms, in bytes.
const MAX_BYTES: usize = 8 << 20;
/// The maximum number of words of an automaton. The time to build one grows with the square of it.
const PART: usize = 8192;
/// The maximum size of the words of one automaton, in bytes. While it is built, it needs a hundred
/// times as much memory.
const PART_BYTES: usize = 256 << 10;

impl WordsBuilder {
    /// Adds a word in a form returned by [`forms`](Self::forms). Words are numbered from 0.
    pub fn add(&mut self, compared: String) {
        self.0.push(compared);
    }

    /// Returns the forms of a word to search for: with its punctuation read as Markdown, and with
    /// literal punctuation, as in `Foo\*Bar`. Some may be empty.
    pub fn forms(word: &str) -> Vec<String> {
        let mut forms = vec![RenderedText::folded(word).text().trim().to_owned()];
        let unmarked = literal(word).trim().to_owned();
        if forms.first() != Some(&unmarked) {
            forms.push(unmarked);
        }
        forms
    }

    /// Builds the automata.
    pub fn finish(self) -> Result<Words, TooManyWords> {
        if self.0.iter().map(String::len).sum::<usize>() > MAX_BYTES {
            return Err(TooManyWords);
        }
        let mut builder = AhoCorasickBuilder::new();
        builder.match_kind(MatchKind::Standard);
        // The kind that needs the least memory per word.
        builder.kind(Some(AhoCorasickKind::ContiguousNFA));
        let mut parts = Vec::new();
        let mut first = 0;
        while let Some(rest) = self.0.get(first..).filter(|rest| !rest.is_empty()) {
            let mut bytes = 0;
            let fits = |word: &&String| {
                bytes += word.len();
                bytes <= PART_BYTES
            };
            let count = rest.iter().take(PART).take_while(fits).count().max(1);
            let part = rest.iter().take(count);
            parts.push((first, builder.build(part).map_err(|_| TooManyWords)?));
            first += count;
        }
        Ok(Words(parts))
    }
}

impl Words {
    /// Returns whether there are no words.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Finds all whole words in a view, including overlapping ones. Returns the number of each word
    /// and its range in the normalized text.
    pub fn find<'a>(
        &'a self,
        view: &'a RenderedText,
    ) -> impl Iterator<Item = (usize, Range<usize>)> + 'a {
        self.find_parts(view).filter(|(_, range)| view.is_whole(range.clone()))
    }

    /// Like [`Self::find`], and also finds parts of longer words.
    pub fn find_parts<'a>(
        &'a self,
        view: &'a RenderedText,
    ) -> impl Iterator<Item = (usize, Range<usize>)> + 'a {
        self.0.iter().flat_map(|(first, words)| {
            let hits = words.find_overlapping_iter(view.text());
            hits.map(move |hit| (first + hit.pattern().as_usize(), hit.range()))
        })
    }
}

//! Words and names, found in one pass over what readers see.

use std::ops::Range;

use aho_corasick::{AhoCorasick, AhoCorasickBuilder, AhoCorasickKind, MatchKind};

use super::{AsSeen, literal};

/// Words that are looked for, in parts: the number of the first word of each, and what finds them.
#[derive(Clone, Debug, Default)]
pub struct Words(Vec<(usize, AhoCorasick)>);

/// Collects words.
#[derive(Default)]
pub struct WordsBuilder(Vec<String>);

/// There are more words than can be looked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TooManyWords;

/// The most bytes of all words, in all their forms.
const MAX_BYTES: usize = 8 << 20;
/// The most words of an automaton. The time in which one is built grows with the square of their number.
const PART: usize = 8192;
/// The most bytes of the words of an automaton of several. One that is being built takes a hundred times as much.
const PART_BYTES: usize = 256 << 10;

impl WordsBuilder {
    /// Adds a word in a form in which it is compared, which [`forms`](Self::forms) makes. Their numbers
    /// count from zero.
    pub fn add(&mut self, compared: String) {
        self.0.push(compared);
    }

    /// Returns the forms in which a word is compared: as readers see it where its marks are those of
    /// Markdown, and where they stand for themselves, as in `Foo\*Bar`. Some may be empty.
    pub fn forms(word: &str) -> Vec<String> {
        let mut forms = vec![AsSeen::folded(word).text().trim().to_owned()];
        let unmarked = literal(word).trim().to_owned();
        if forms.first() != Some(&unmarked) {
            forms.push(unmarked);
        }
        forms
    }

    /// Returns what finds them.
    pub fn finish(self) -> Result<Words, TooManyWords> {
        if self.0.iter().map(String::len).sum::<usize>() > MAX_BYTES {
            return Err(TooManyWords);
        }
        let mut builder = AhoCorasickBuilder::new();
        builder.match_kind(MatchKind::Standard);
        // The one that takes the least memory for each word.
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
    /// Returns whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Finds all whole words in a text, including overlapping ones. Returns the number of each and its range in
    /// the text that is compared.
    pub fn find<'a>(
        &'a self,
        view: &'a AsSeen,
    ) -> impl Iterator<Item = (usize, Range<usize>)> + 'a {
        self.find_parts(view).filter(|(_, range)| view.is_whole(range.clone()))
    }

    /// The same, and those that are a part of a longer word.
    pub fn find_parts<'a>(
        &'a self,
        view: &'a AsSeen,
    ) -> impl Iterator<Item = (usize, Range<usize>)> + 'a {
        self.0.iter().flat_map(|(first, words)| {
            let hits = words.find_overlapping_iter(view.text());
            hits.map(move |hit| (first + hit.pattern().as_usize(), hit.range()))
        })
    }
}

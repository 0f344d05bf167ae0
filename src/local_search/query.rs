//! Resolves a query: finds the terms of the index for its words.

use std::ops::Bound;

use tantivy::query::{
    BooleanQuery, ConstScoreQuery, DisjunctionMaxQuery, Occur, PhraseQuery, Query as TantivyQuery,
    RangeQuery, TermQuery,
};
use tantivy::schema::{Field, IndexRecordOption};
use tantivy::{Searcher, Term};

use super::schema::{Fields, TITLE_FILTER};
use crate::query::filters::CONVERSATION_FIELDS;
use crate::search::query::{Clause, Condition, PrefixMatch, Query};
use crate::search::tokenizer::{QueryTerm, Stemmer};
use crate::text::edit_distance;

/// The maximum number of terms that a prefix is expanded to.
const MAX_EXPANSIONS: usize = 100;
/// The maximum number of combinations of word forms in a phrase.
const MAX_PHRASES: usize = 256;

/// A query whose words are terms of the index.
pub(super) struct ResolvedQuery {
    pub(super) query: Query,
    /// Words that no turn has, each with its correction.
    pub(super) corrected: Vec<(String, String)>,
}

/// The tantivy queries for a query.
pub(super) struct QueryPlan {
    /// The query for each word or phrase.
    pub(super) words: Vec<WordQueries>,
    /// The other conditions that turns must meet.
    pub(super) others: Option<BooleanQuery>,
    /// The conditions that turns must not meet.
    pub(super) excluded: Vec<Box<dyn TantivyQuery>>,
}

/// The query for a word or for consecutive words.
pub(super) struct WordQueries {
    /// Matches turns by their text.
    pub(super) text: Box<dyn TantivyQuery>,
    /// Matches turns by the speaker's name.
    pub(super) name: Box<dyn TantivyQuery>,
}

impl ResolvedQuery {
    /// Finds the terms of each word, and corrects words that no turn has, unless they are quoted.
    pub(super) fn of(
        mut query: Query,
        searcher: &Searcher,
        fields: Fields,
        stemmers: &[Stemmer],
    ) -> tantivy::Result<Self> {
        let mut corrected = Vec::new();
        for Clause { is_negated, condition } in &mut query.clauses {
            let Condition::Words(words, prefix) = condition else { continue };
            let last = words.len().saturating_sub(1);
            for (index, word) in words.iter_mut().enumerate() {
                let may_correct = !*is_negated && *prefix != PrefixMatch::Exact;
                let prefix = if index == last { *prefix } else { PrefixMatch::Never };
                let better = resolve(word, prefix, may_correct, searcher, fields, stemmers)?;
                corrected.extend(better.map(|better| (word.surface.clone(), better)));
            }
        }
        let positive = |clause: &Clause| match clause.condition {
            Condition::Words(..) | Condition::Filter(..) => !clause.is_negated,
            Condition::Before(_) | Condition::After(_) => true,
        };
        if !query.clauses.is_empty() && !query.clauses.iter().any(positive) {
            let note = crate::locale::english().text("search.only_nots");
            query.notes.push(note.to_owned());
        }
        Ok(Self { query, corrected })
    }

    /// Returns the terms to mark in excerpts.
    pub(super) fn wanted(&self) -> Vec<&str> {
        let words = self.query.clauses.iter().filter(|clause| !clause.is_negated);
        let words = words.filter_map(|clause| match &clause.condition {
            Condition::Words(words, _) => Some(words),
            _ => None,
        });
        words.flatten().flat_map(|word| &word.forms).map(String::as_str).collect()
    }

    /// Returns the tantivy queries; `None` if nothing can match.
    ///
    /// Negated conditions are separate, because an excluded phrase makes tantivy 0.27 seek
    /// backwards, which fails an assertion in debug builds.
    pub(super) fn plan(&self, fields: Fields) -> Option<QueryPlan> {
        let (mut excluded, mut asked) = (Vec::new(), Vec::new());
        let mut parts: Vec<(Occur, Box<dyn TantivyQuery>)> = Vec::new();
        let mut by_field: Vec<(&str, Vec<Box<dyn TantivyQuery>>)> = Vec::new();
        let (mut is_positive, mut is_narrow) = (false, false);
        for Clause { is_negated, condition } in &self.query.clauses {
            match condition {
                Condition::Words(words, _) if *is_negated => {
                    excluded.push(phrase(fields.terms, words));
                }
                Condition::Words(words, _) => {
                    asked.push(WordQueries {
                        text: phrase(fields.terms, words),
                        name: phrase(fields.names, words),
                    });
                    (is_positive, is_narrow) = (true, true);
                }
                Condition::Filter(field, terms) => {
                    let all = filter(fields.filters, terms);
                    if *is_negated {
                        excluded.push(all);
                        continue;
                    }
                    is_positive = true;
                    is_narrow |= !CONVERSATION_FIELDS.contains(field);
                    match by_field.iter_mut().find(|(known, _)| known == field) {
                        Some((_, known)) => known.push(all),
                        None => by_field.push((field, vec![all])),
                    }
                }
                Condition::Before(day) => {
                    let first = Term::from_field_u64(fields.day, 1);
                    let end = Term::from_field_u64(fields.day, u64::from(*day));
                    let range = RangeQuery::new(Bound::Included(first), Bound::Excluded(end));
                    parts.push((Occur::Must, without_score(range)));
                    is_positive = true;
                }
                Condition::After(day) => {
                    let first = Term::from_field_u64(fields.day, u64::from(*day).max(1));
                    let range = RangeQuery::new(Bound::Included(first), Bound::Unbounded);
                    parts.push((Occur::Must, without_score(range)));
                    is_positive = true;
                }
            }
        }
        if !is_positive {
            return None;
        }
        for (_, any) in by_field {
            let any = any.into_iter().map(|query| (Occur::Should, query)).collect();
            parts.push((Occur::Must, Box::new(BooleanQuery::new(any))));
        }
        if !is_narrow {
            // No condition applies to turns, so the conversation itself is found.
            parts.push((Occur::Must, filter(fields.filters, &[TITLE_FILTER.to_owned()])));
        }
        let others = (!parts.is_empty()).then(|| BooleanQuery::new(parts));
        Some(QueryPlan { words: asked, others, excluded })
    }
}

/// Returns a query for turns with these words in a row, or with one of the forms of a single word.
fn phrase(field: Field, words: &[QueryTerm]) -> Box<dyn TantivyQuery> {
    if let [word] = words {
        let forms = word.forms.iter().map(|form| -> Box<dyn TantivyQuery> {
            let term = Term::from_field_text(field, form);
            Box::new(TermQuery::new(term, IndexRecordOption::WithFreqs))
        });
        return best(forms.collect());
    }
    let mut combined: Vec<Vec<Term>> = vec![Vec::new()];
    for word in words {
        let longer = combined.iter().flat_map(|start| {
            word.forms.iter().map(|form| {
                let mut longer = start.clone();
                longer.push(Term::from_field_text(field, form));
                longer
            })
        });
        combined = longer.take(MAX_PHRASES).collect();
    }
    let phrases = combined
        .into_iter()
        .map(|terms| -> Box<dyn TantivyQuery> { Box::new(PhraseQuery::new(terms)) });
    best(phrases.collect())
}

/// Returns a query for turns that match any of these, scored by the best match.
fn best(mut any: Vec<Box<dyn TantivyQuery>>) -> Box<dyn TantivyQuery> {
    match any.len() {
        1 => any.remove(0),
        _ => Box::new(DisjunctionMaxQuery::new(any)),
    }
}

/// Returns a query for turns with all of these filter terms.
fn filter(field: Field, terms: &[String]) -> Box<dyn TantivyQuery> {
    let all = terms.iter().map(|term| {
        let term = Term::from_field_text(field, term);
        let query: Box<dyn TantivyQuery> = Box::new(TermQuery::new(term, IndexRecordOption::Basic));
        (Occur::Must, query)
    });
    without_score(BooleanQuery::new(all.collect()))
}

/// Returns a query that does not change the score.
fn without_score(query: impl TantivyQuery) -> Box<dyn TantivyQuery> {
    Box::new(ConstScoreQuery::new(Box::new(query), 0.0))
}

/// Replaces the forms of a word by terms of the index. Returns the correction, if there was one.
fn resolve(
    word: &mut QueryTerm,
    prefix: PrefixMatch,
    may_correct: bool,
    searcher: &Searcher,
    fields: Fields,
    stemmers: &[Stemmer],
) -> tantivy::Result<Option<String>> {
    let add = |word: &mut QueryTerm, more: Vec<String>| {
        for term in more {
            if !word.forms.contains(&term) {
                word.forms.push(term);
            }
        }
    };
    if word.is_prefix || prefix == PrefixMatch::Always {
        let longer = starting(&word.surface, searcher, fields)?;
        add(word, longer);
        return Ok(None);
    }
    for form in &word.forms {
        for field in [fields.terms, fields.names] {
            if searcher.doc_freq(&Term::from_field_text(field, form))? > 0 {
                return Ok(None);
            }
        }
    }
    if prefix == PrefixMatch::Fallback && word.surface.chars().count() > 1 {
        let longer = starting(&word.surface, searcher, fields)?;
        if !longer.is_empty() {
            word.forms = longer;
            return Ok(None);
        }
    }
    let better = match may_correct {
        true => correct(&word.surface, searcher, fields, stemmers)?,
        false => None,
    };
    if let Some(better) = &better {
        word.forms.clear();
        let forms = stemmers.iter().map(|stemmer| stem(better, *stemmer)).collect();
        add(word, forms);
    }
    Ok(better)
}

/// Returns the first terms that start with a prefix.
fn starting(letters: &str, searcher: &Searcher, fields: Fields) -> tantivy::Result<Vec<String>> {
    let mut found: Vec<String> = Vec::new();
    let segments = searcher.segment_readers().iter();
    for (segment, field) in segments.flat_map(|one| [(one, fields.terms), (one, fields.names)]) {
        let inverted = segment.inverted_index(field)?;
        let mut stream = inverted.terms().range().ge(letters).into_stream()?;
        let mut count = 0;
        while count < MAX_EXPANSIONS && stream.advance() {
            if !stream.key().starts_with(letters.as_bytes()) {
                break;
            }
            found.push(String::from_utf8_lossy(stream.key()).into_owned());
            count += 1;
        }
    }
    found.sort_unstable();
    found.dedup();
    found.truncate(MAX_EXPANSIONS);
    Ok(found)
}

/// Finds the most likely correction: the fewest edits, then the same first letter, then the most
/// frequent word.
fn correct(
    word: &str,
    searcher: &Searcher,
    fields: Fields,
    stemmers: &[Stemmer],
) -> tantivy::Result<Option<String>> {
    let most = match word.chars().count() {
        0..4 => return Ok(None),
        4..8 => 1,
        _ => 2,
    };
    let stems: Vec<String> = stemmers.iter().map(|each| stem(word, *each)).collect();
    let lengths = word.chars().count().saturating_sub(3)..=word.chars().count() + 3;
    let mut best: Option<(usize, bool, u32, String)> = None;
    for segment in searcher.segment_readers() {
        let inverted = segment.inverted_index(fields.words)?;
        let mut stream = inverted.terms().stream()?;
        while stream.advance() {
            let Ok(candidate) = std::str::from_utf8(stream.key()) else { continue };
            let length = candidate.chars().count();
            let is_word = candidate.chars().all(char::is_alphabetic);
            if length < 3 || !is_word || !lengths.contains(&length) {
                continue;
            }
            let of_stems = stems.iter().zip(stemmers);
            let far = of_stems
                .map(|(own, stemmer)| edit_distance(own, &stem(candidate, *stemmer)))
                .chain([edit_distance(word, candidate)])
                .min()
                .unwrap_or(usize::MAX);
            if far > most {
                continue;
            }
            let start = |word: &str| -> Vec<char> { word.chars().take(2).collect() };
            let (own, other) = (start(word), start(candidate));
            let is_swapped = own.len() == 2 && other.iter().eq(own.iter().rev());
            let other_start = own.first() != other.first() && !is_swapped;
            let rare = u32::MAX - stream.value().doc_freq.max(1).ilog2();
            let found = (far, other_start, rare, candidate.to_owned());
            if best.as_ref().is_none_or(|best| found < *best) {
                best = Some(found);
            }
        }
    }
    Ok(best.map(|(.., word)| word))
}

fn stem(word: &str, stemmer: Stemmer) -> String {
    let mut word = word.to_owned();
    stemmer.stem(&mut word);
    word
}

//! The local index: a tantivy document for each turn, and one for each title.

use std::collections::{HashMap, HashSet};
use std::path::Path;

use tantivy::collector::{DocSetCollector, TopDocs};
use tantivy::directory::MmapDirectory;
use tantivy::schema::IndexRecordOption;
use tantivy::tokenizer::{PreTokenizedString, Token};
use tantivy::{
    DocSet, Index, IndexReader, IndexWriter, ReloadPolicy, Searcher, TERMINATED, TantivyDocument,
    Term,
};

use super::corpus::Corpus;
use super::matching::{self, FoundTurn, Places, Rows, Scores, Tier};
use super::query::ResolvedQuery;
use super::result::{self, SearchResults};
use super::schema::{Fields, TITLE_FILTER, key_of, number_of, schema};
use crate::disk::{Error, SEARCH_FOLDERS, State};
use crate::query::filters::{name_words, turn_filters};
use crate::search::index::Document;
use crate::search::query::Query;
use crate::search::tokenizer::{Stemmer, terms};
use crate::search::turns::{plain_text, texts};

/// The memory for turns that are not written yet, in bytes.
const WRITER_MEMORY_BYTES: usize = 64 << 20;

/// A search index in a folder on this machine.
pub struct LocalIndex {
    index: Index,
    reader: IndexReader,
    fields: Fields,
}

impl LocalIndex {
    /// Opens the index in a site's state; private conversations have their own. An index of another
    /// version, or a damaged one, is built again.
    pub fn open(state: &State, private: bool) -> Result<Self, Error> {
        let name = SEARCH_FOLDERS[usize::from(private)];
        let folder = state.folder_for(name)?;
        Self::open_in(&folder).or_else(|_| {
            state.empty(name)?;
            Self::open_in(&folder).map_err(|error| failed(&folder, error))
        })
    }

    fn open_in(folder: &Path) -> tantivy::Result<Self> {
        let (schema, fields) = schema();
        let index = Index::open_or_create(MmapDirectory::open(folder)?, schema)?;
        let reader = index.reader_builder().reload_policy(ReloadPolicy::Manual).try_into()?;
        Ok(Self { index, reader, fields })
    }

    /// Brings the index up to date. `progress` is called after each conversation with (done,
    /// total).
    pub fn update(
        &mut self,
        corpus: Corpus<'_>,
        progress: &dyn Fn(usize, usize),
    ) -> Result<(), Error> {
        self.try_update(corpus, progress).map_err(|error| failed(Path::new("search"), error))
    }

    fn try_update(
        &mut self,
        corpus: Corpus<'_>,
        progress: &dyn Fn(usize, usize),
    ) -> tantivy::Result<()> {
        let wanted: HashMap<String, &Document> =
            corpus.documents.iter().map(|one| (key_of(one), &**one)).collect();
        let known = self.keys()?;
        let mut missing: Vec<_> = wanted.iter().filter(|(key, _)| !known.contains(*key)).collect();
        let gone: Vec<_> = known.iter().filter(|key| !wanted.contains_key(*key)).collect();
        if missing.is_empty() && gone.is_empty() {
            return Ok(());
        }
        let mut writer = self.index.writer_with_num_threads(1, WRITER_MEMORY_BYTES)?;
        for key in gone {
            writer.delete_term(Term::from_field_text(self.fields.key, key));
        }
        missing.sort_by(|a, b| a.0.cmp(b.0));
        let count = missing.len();
        for (done, (key, document)) in missing.into_iter().enumerate() {
            self.add(&writer, key, document, corpus)?;
            progress(done + 1, count);
        }
        writer.commit()?;
        writer.wait_merging_threads()?;
        self.reader.reload()
    }

    /// Returns the keys of the conversations in the index.
    fn keys(&self) -> tantivy::Result<HashSet<String>> {
        let mut keys = HashSet::new();
        for segment in self.reader.searcher().segment_readers() {
            let inverted = segment.inverted_index(self.fields.key)?;
            let mut stream = inverted.terms().stream()?;
            while stream.advance() {
                let basic = IndexRecordOption::Basic;
                let mut turns = inverted.read_postings_from_terminfo(stream.value(), basic)?;
                let mut is_alive = false;
                while turns.doc() != TERMINATED && !is_alive {
                    let turn = turns.doc();
                    is_alive = segment.alive_bitset().is_none_or(|all| all.is_alive(turn));
                    turns.advance();
                }
                if is_alive {
                    keys.insert(String::from_utf8_lossy(stream.key()).into_owned());
                }
            }
        }
        Ok(keys)
    }

    fn add(
        &self,
        writer: &IndexWriter,
        key: &str,
        document: &Document,
        corpus: Corpus<'_>,
    ) -> tantivy::Result<()> {
        let fields = self.fields;
        let stemmer = document.stemmer;
        let document_filters = document.filters();
        let day = document.day_number().map_or(0, u64::from);
        let put = |part: usize, turn: usize, text: &str, speaker: &str, filters: Vec<String>| {
            let mut row = TantivyDocument::new();
            row.add_text(fields.key, key);
            row.add_u64(fields.conversation, number_of(key));
            row.add_u64(fields.part, part as u64);
            row.add_u64(fields.turn, turn as u64);
            row.add_u64(fields.day, day);
            let (mut found, mut words) = (Vec::new(), Vec::new());
            let len = terms(text, stemmer, |term| {
                // A whole chunk has the position of its first part; phrases do not use it.
                let next = found.last().map_or(0, |last: &Token| last.position + 1);
                let position = term.position.map_or(next, |position| position as usize);
                found.push(token(&term.stem(), position));
                words.push(token(term.surface, words.len()));
            });
            debug_assert!(len as usize <= found.len());
            row.add_pre_tokenized_text(fields.terms, tokenized(found));
            let mut name: Vec<Token> = Vec::new();
            name_words(speaker, stemmer, |term| {
                let next = name.last().map_or(0, |last| last.position + 1);
                let position = term.position.map_or(next, |position| position as usize);
                name.push(token(&term.stem(), position));
                words.push(token(term.surface, words.len()));
            });
            row.add_pre_tokenized_text(fields.names, tokenized(name));
            row.add_pre_tokenized_text(fields.words, tokenized(words));
            let filters = filters.iter().chain(&document_filters).enumerate();
            let filters = filters.map(|(index, term)| token(term, index)).collect();
            row.add_pre_tokenized_text(fields.filters, tokenized(filters));
            writer.add_document(row).map(|_| ())
        };
        for (part, text_ref) in document.entry.parts.iter().enumerate() {
            // The build reports texts that cannot be read.
            let Ok(read) = corpus.texts.get_cached(text_ref) else { continue };
            if part == 0 {
                let text = format!("{}\n{}", document.entry.title, plain_text(&read.preface).0);
                put(0, 0, &text, "", vec![TITLE_FILTER.to_owned()])?;
            }
            for (index, (turn, text)) in texts(&read).enumerate() {
                let filters = turn_filters(&read, turn, &text);
                put(part, index + 1, &text.text, &turn.speaker, filters)?;
            }
        }
        Ok(())
    }

    /// Runs a query and returns the best turns first, with excerpts for the first `limit`.
    pub fn find(
        &self,
        text: &str,
        corpus: Corpus<'_>,
        limit: usize,
    ) -> Result<SearchResults, Error> {
        let find = || -> tantivy::Result<SearchResults> {
            let stemmers = stemmers(corpus);
            let query = Query::parse(text, &stemmers);
            let searcher = self.reader.searcher();
            let resolved = ResolvedQuery::of(query, &searcher, self.fields, &stemmers)?;
            let (tier, hits) = self.hits(&searcher, &resolved, corpus)?;
            Ok(result::of(text, resolved, (tier, hits), corpus, &stemmers, limit))
        };
        find().map_err(|error| failed(Path::new("search"), error))
    }

    /// Returns all turns that match, the best first, and how close together the words are.
    fn hits(
        &self,
        searcher: &Searcher,
        resolved: &ResolvedQuery,
        corpus: Corpus<'_>,
    ) -> tantivy::Result<(Tier, Vec<FoundTurn>)> {
        let Some(plan) = resolved.plan(self.fields) else {
            return Ok((Tier::Turn, Vec::new()));
        };
        let mut dropped = HashSet::new();
        for query in plan.excluded {
            dropped.extend(searcher.search(&*query, &DocSetCollector)?);
        }
        let others = plan.others;
        let others = others.map(|query| searcher.search(&query, &DocSetCollector)).transpose()?;
        let passes = |turn| {
            others.as_ref().is_none_or(|others| others.contains(&turn)) && !dropped.contains(&turn)
        };
        let rows = Rows::of(searcher)?;
        let most = searcher.num_docs().max(1);
        let mut words = Vec::new();
        for query in plan.words {
            let all = TopDocs::with_limit(most as usize).order_by_score();
            let text = searcher.search(&*query.text, &all)?.into_iter();
            let text: Scores = text.map(|(score, turn)| (turn, score)).collect();
            let names = searcher.search(&*query.name, &DocSetCollector)?;
            words.push(Places::new(text, names, &rows, most));
        }
        let order: HashMap<u64, usize> = corpus
            .documents
            .iter()
            .enumerate()
            .map(|(place, document)| (number_of(&key_of(document)), place))
            .collect();
        let order = |conversation| order.get(&conversation).copied().unwrap_or_default();
        let others = others.iter().flatten().copied();
        Ok(matching::find(&words, &rows, passes, others, order))
    }
}

/// Returns the stemmers of all conversations.
fn stemmers(corpus: Corpus<'_>) -> Vec<Stemmer> {
    let mut all: Vec<Stemmer> = Vec::new();
    for document in corpus.documents {
        let stemmer = document.stemmer;
        if !all.contains(&stemmer) {
            all.push(stemmer);
        }
    }
    if all.is_empty() { vec![Stemmer::Identity] } else { all }
}

fn token(text: &str, position: usize) -> Token {
    Token { text: text.to_owned(), position, ..Token::default() }
}

fn tokenized(tokens: Vec<Token>) -> PreTokenizedString {
    PreTokenizedString { text: String::new(), tokens }
}

fn failed(folder: &Path, error: tantivy::TantivyError) -> Error {
    Error::new("search", folder, std::io::Error::other(error))
}

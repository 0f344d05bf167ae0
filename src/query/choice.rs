//! Queries that select whole conversations: the ones to publish from an export, or to import.
//!
//! The conditions that the search applies to a turn apply to the conversation here: each word is
//! anywhere in it, a phrase is in one of its turns, and words with a `-` are nowhere in it. Only a
//! `*` makes a word match longer ones.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::filters::{content_filters, conversation_filters, filter_terms, speaker_filters};
use super::tokenizer::{Stemmer, terms};
use super::turns::{plain_text, whole_texts};
use super::{Clause, Condition, PrefixMatch, Query};
use crate::model::Conversation;

/// A query that selects conversations.
#[derive(Clone, Debug)]
pub struct Choice {
    /// The query for each stemmer.
    queries: Vec<(Stemmer, Query)>,
}

impl Choice {
    /// Parses a query. Unlike in the search, every part must be valid; the error says what is not.
    pub fn parse(text: &str) -> Result<Self, String> {
        let queries: Vec<(Stemmer, Query)> =
            Stemmer::all().map(|one| (one, Query::parse(text, &[one]))).collect();
        let first = queries.first().map(|(_, query)| query);
        match first {
            Some(Query { errors, .. }) if !errors.is_empty() => Err(errors.join("; ")),
            Some(Query { clauses, .. }) if clauses.is_empty() => {
                Err("the query is empty".to_owned())
            }
            _ => Ok(Self { queries }),
        }
    }

    /// Returns the number of its conditions.
    pub fn condition_count(&self) -> usize {
        self.queries.first().map_or(0, |(_, query)| query.clauses.len())
    }

    /// Returns a condition with a `-`, as it can be written in a query; `None` for other conditions.
    pub fn negated(&self, condition: usize) -> Option<String> {
        let (_, query) = self.queries.first()?;
        let clause = query.clauses.get(condition).filter(|clause| clause.is_negated)?;
        Some(match &clause.condition {
            Condition::Words(words, _) => {
                let words: Vec<&str> = words.iter().map(|word| word.surface.as_str()).collect();
                if words.len() == 1 {
                    format!("-{}", words[0])
                } else {
                    format!("-\"{}\"", words.join(" "))
                }
            }
            Condition::Filter(_, terms) => format!("-{}", terms.join(" ")),
            Condition::Before(day) => format!("-before:{}", written_day(*day)),
            Condition::After(day) => format!("-after:{}", written_day(*day)),
        })
    }

    fn query(&self, stemmer: Stemmer) -> Option<&Query> {
        self.queries.iter().find(|(known, _)| *known == stemmer).map(|(_, query)| query)
    }
}

/// Finds out which of several queries match a conversation, which can be read part by part.
pub struct Chooser<'a> {
    stemmer: Stemmer,
    queries: Vec<&'a Query>,
    /// For each query, the conditions that were met so far, negated ones included.
    met: Vec<Vec<bool>>,
    /// Words of the queries by the forms that match them: query, clause, and index in the clause.
    words: HashMap<&'a str, Vec<(usize, usize, usize)>>,
    /// The same for prefixes.
    beginnings: Vec<(&'a str, (usize, usize, usize))>,
    /// Whether any condition depends on the text of turns.
    reads_text: bool,
}

impl<'a> Chooser<'a> {
    /// Starts with the first part of a conversation. `language` is the default if the conversation
    /// declares none.
    pub fn new(choices: &'a [Choice], first: &Conversation, language: &str) -> Self {
        let language = first.languages.first().map_or(language, String::as_str);
        let stemmer = Stemmer::of(language);
        let queries: Vec<&Query> =
            choices.iter().filter_map(|choice| choice.query(stemmer)).collect();
        let mut chooser = Self {
            stemmer,
            met: queries.iter().map(|query| vec![false; query.clauses.len()]).collect(),
            queries: queries.clone(),
            words: HashMap::new(),
            beginnings: Vec::new(),
            reads_text: false,
        };
        for (at, query) in queries.into_iter().enumerate() {
            for (clause, Clause { condition, .. }) in query.clauses.iter().enumerate() {
                chooser.expect(condition, at, clause);
            }
        }
        chooser.reads_text |= !chooser.words.is_empty() || !chooser.beginnings.is_empty();
        chooser
    }

    fn expect(&mut self, condition: &'a Condition, query: usize, clause: usize) {
        self.reads_text |= matches!(condition, Condition::Filter("has", _));
        let Condition::Words(words, prefix) = condition else { return };
        for (place, word) in words.iter().enumerate() {
            let wanted = (query, clause, place);
            let is_last = place + 1 == words.len();
            if word.is_prefix || is_last && *prefix == PrefixMatch::Always {
                self.beginnings.push((&word.surface, wanted));
            }
            for form in &word.forms {
                self.words.entry(form).or_default().push(wanted);
            }
        }
    }

    /// Reads a part.
    pub fn add(&mut self, part: &Conversation) {
        let own = conversation_filters(&part.languages, part.kind.as_deref(), &part.tags);
        self.record_filters(&own.iter().map(String::as_str).collect());
        if let Some(time) = &part.time {
            let day = time.day_number();
            self.record_matches(|condition| match condition {
                Condition::Before(end) => (1..*end).contains(&day),
                Condition::After(first) => day >= (*first).max(1),
                _ => false,
            });
        }
        let mut speakers = HashSet::new();
        for turn in part.all_turns() {
            if speakers.insert(turn.speaker.as_str()) {
                let filters = speaker_filters(part, &turn.speaker);
                self.record_filters(&filters.iter().map(String::as_str).collect());
            }
            if let Some(model) = turn.usage.as_ref().and_then(|usage| usage.model.as_ref()) {
                let filters = filter_terms("model", model);
                self.record_filters(&filters.iter().map(String::as_str).collect());
            }
        }
        if !self.reads_text {
            return;
        }
        self.read(part.title.as_deref().unwrap_or_default());
        self.read(&plain_text(&part.preface).0);
        for (_, text) in whole_texts(part) {
            self.record_filters(&content_filters(&text).collect());
            self.read(&text.text);
        }
    }

    /// Records the filter conditions that a speaker, a turn or a conversation meets.
    fn record_filters(&mut self, filters: &HashSet<&str>) {
        self.record_matches(|condition| match condition {
            Condition::Filter(_, terms) => terms.iter().all(|term| filters.contains(term.as_str())),
            _ => false,
        });
    }

    fn record_matches(&mut self, is_met: impl Fn(&Condition) -> bool) {
        for (query, met) in self.queries.iter().zip(&mut self.met) {
            for (clause, met) in query.clauses.iter().zip(met) {
                *met = *met || is_met(&clause.condition);
            }
        }
    }

    /// Records the word conditions that a text meets.
    fn read(&mut self, text: &str) {
        // The positions of words in phrases.
        let mut found: BTreeMap<(usize, usize), Vec<(u32, usize)>> = BTreeMap::new();
        let (words, beginnings) = (&self.words, &self.beginnings);
        let (queries, met) = (&self.queries, &mut self.met);
        let mut record_match = |(query, clause, place): (usize, usize, usize), at: Option<u32>| {
            let is_alone = match &queries[query].clauses[clause].condition {
                Condition::Words(words, _) => words.len() == 1,
                _ => false,
            };
            if is_alone {
                met[query][clause] = true;
            } else if let Some(at) = at.filter(|_| !met[query][clause]) {
                found.entry((query, clause)).or_default().push((at, place));
            }
        };
        let stemmer = self.stemmer;
        terms(text, stemmer, |term| {
            let stem = term.stem();
            for wanted in words.get(stem.as_str()).into_iter().flatten() {
                record_match(*wanted, term.position);
            }
            for (start, wanted) in beginnings {
                if stem.starts_with(start) || term.surface.starts_with(start) {
                    record_match(*wanted, term.position);
                }
            }
        });
        for ((query, clause), places) in found {
            let Condition::Words(words, _) = &self.queries[query].clauses[clause].condition else {
                continue;
            };
            self.met[query][clause] |= has_phrase(&places, words.len());
        }
    }

    /// Returns for each query which of its conditions the conversation meets, negated ones included.
    pub fn met(&self) -> &[Vec<bool>] {
        &self.met
    }

    /// Returns for each query whether the conversation matches it.
    pub fn finish(&self) -> Vec<bool> {
        let pairs = self.queries.iter().zip(&self.met);
        pairs.map(|(query, met)| fits(&query.clauses, met)).collect()
    }
}

/// Returns a day as in a query: without the parts that are zero.
fn written_day(day: u32) -> String {
    match (day / 10_000, day / 100 % 100, day % 100) {
        (year, 0, _) => format!("{year:04}"),
        (year, month, 0) => format!("{year:04}-{month:02}"),
        (year, month, day) => format!("{year:04}-{month:02}-{day:02}"),
    }
}

/// Returns whether words are consecutive, given their positions and their indices in the phrase.
fn has_phrase(places: &[(u32, usize)], len: usize) -> bool {
    let all: HashSet<(u32, usize)> = places.iter().copied().collect();
    let follows = |at: u32| {
        (1..len).all(|place| {
            let next = u32::try_from(place).ok().and_then(|more| at.checked_add(more));
            next.is_some_and(|next| all.contains(&(next, place)))
        })
    };
    places.iter().any(|(at, place)| *place == 0 && follows(*at))
}

/// Returns whether a conversation that meets some conditions matches the query. One of several
/// values of a filter is enough.
fn fits(clauses: &[Clause], met: &[bool]) -> bool {
    let pairs = || clauses.iter().zip(met);
    pairs().all(|(clause, met)| match &clause.condition {
        _ if clause.is_negated => !met,
        Condition::Filter(field, _) => pairs().any(|(other, met)| {
            *met && !other.is_negated
                && matches!(&other.condition, Condition::Filter(same, _) if same == field)
        }),
        _ => *met,
    })
}

#[cfg(test)]
mod tests {
    use super::{Choice, Chooser};
    use crate::model::{Block, Conversation, Kind, ToolCall, Turn};
    use crate::time::Time;

    fn conversation() -> Conversation {
        let mut read = Conversation {
            title: Some("Moss on the north side".into()),
            time: Time::parse("2025-03-04T10:00:00Z").ok().map(|(time, _)| time),
            languages: vec!["en".into()],
            tags: vec!["machine learning".into()],
            ..Conversation::default()
        };
        read.introduce("Ada", Kind::Person);
        read.introduce("Wren", Kind::Assistant);
        read.turns = vec![
            Turn::from_text("Ada", "Which mosses grow on the borrow checker?"),
            Turn::from_text("Wren", "None. 漢字かな `code`"),
        ];
        let call = ToolCall { name: "look".into(), ..ToolCall::default() };
        read.turns[1].blocks.push(Block::Tool(Box::new(call)));
        read
    }

    #[track_caller]
    fn check(query: &str, expected: bool) {
        let choices = [Choice::parse(query).unwrap()];
        let read = conversation();
        let mut chooser = Chooser::new(&choices, &read, "en");
        chooser.add(&read);
        assert_eq!(chooser.finish(), [expected], "{query}");
    }

    #[test]
    fn a_query_is_asked_of_the_conversation_as_a_whole() {
        for yes in [
            "moss", "growing", "\"borrow checker\"", "moss none", "-rust", "speaker:ada",
            "speaker:wren speaker:nobody", "speaker:ada none", "tag:\"machine learning\"",
            "before:2025-04 after:2025", "has:tool", "chec*", "漢字", "-before:2025",
        ] {
            check(yes, true);
        }
        for no in [
            "rust", "moss -none", "\"checker borrow\"", "-speaker:ada", "chec",
            "before:2025-03-04", "after:2025-03-05", "has:code", "tag:learning -tag:machine",
            "字漢",
        ] {
            check(no, false);
        }
    }

    #[test]
    fn a_choice_must_be_meant() {
        for wrong in [
            "", "  ", "speaker:", "before:soon", "before:2025-13", "has:fun", "\"open",
            "colour:red", "colour: red",
        ] {
            assert!(Choice::parse(wrong).is_err(), "{wrong}");
        }
    }
}

//! The query parser. `search/script/query.js` does the same; the vectors in
//! `tests/data/search/queries.json` and random texts hold both to one meaning.
//!
//! * `lifetime elision` – turns with all of these words, in any form;
//! * `"borrow checker"` – these words one after the other;
//! * `-async` – not this;
//! * `kuber*` – words that begin so. The last word of a query is read so if no turn has it as
//!   it stands, because it may still be being typed;
//! * `speaker:ada`, `model:`, `lang:`, `type:`, `tag:"machine learning"` – what a turn or its
//!   conversation is filed under: any of the values for one field, all fields;
//! * `before:2025-06`, `after:2024` – the conversation's day; where nothing is asked of a turn, the
//!   conversations themselves are found;
//! * `has:code`, `has:tool` – what stands in the turn.
//!
//! There are no wrong queries: what cannot be meant is left out or taken for words, and a note
//! says so.

pub mod choice;
pub mod filters;
pub mod stem;
pub mod tokenizer;
pub mod turns;

use self::filters::filter_terms;
use self::tokenizer::{QueryTerm, Stemmer, query_terms};
use crate::locale;

/// The filters whose values are words.
pub const FILTER_FIELDS: [&str; 5] = ["speaker", "model", "lang", "type", "tag"];
/// The most characters of a query that count.
pub const MAX_CHARACTERS: usize = 1000;
/// The most clauses of a query that count.
pub const MAX_CLAUSES: usize = 32;

/// A parsed query.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Query {
    /// The clauses, all of which a turn must meet.
    pub clauses: Vec<Clause>,
    /// What was left out of it or taken otherwise, for the reader.
    pub notes: Vec<String>,
}

/// A clause: a condition that a turn must, or must not, meet.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Clause {
    /// Whether a turn must not meet it.
    pub is_negated: bool,
    /// The condition.
    pub condition: Condition,
}

/// A condition on a turn or its conversation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Condition {
    /// These terms, one after the other.
    Words(Vec<QueryTerm>, PrefixMatch),
    /// All of these terms of a filter, which have the field's name in them.
    Filter(&'static str, Vec<String>),
    /// A day before this one: year, month and day as one number, zeros for what was not said.
    Before(u32),
    /// This day or a later one.
    After(u32),
}

/// The rule by which the last of some words matches longer words that begin with it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PrefixMatch {
    /// It does not.
    Never,
    /// It does if no turn has the word as it stands.
    Fallback,
    /// It does.
    Always,
}

impl Query {
    /// Parses a query for an archive whose words are stemmed by these stemmers.
    pub fn parse(text: &str, stemmers: &[Stemmer]) -> Self {
        let mut query = Self::default();
        if text.chars().count() > MAX_CHARACTERS {
            query.note("search.cut_letters", "n", &MAX_CHARACTERS.to_string());
        }
        let text: String = text.chars().take(MAX_CHARACTERS).map(normalize_quote).collect();
        let mut rest = text.as_str();
        let mut last = None;
        loop {
            rest = rest.trim_start();
            if rest.is_empty() {
                break;
            }
            if query.clauses.len() == MAX_CLAUSES {
                query.note("search.cut_words", "n", &MAX_CLAUSES.to_string());
                break;
            }
            let (token, after) = Token::take(rest);
            let raw = &rest[..rest.len() - after.len()];
            rest = after;
            last = None;
            if token.is_open {
                query.note("search.open_quote", "", "");
            }
            if let Some(condition) = query.condition(&token, raw, stemmers) {
                let is_last = rest.is_empty() && token.is_bare && !token.is_negated;
                if is_last && matches!(condition, Condition::Words(_, PrefixMatch::Never)) {
                    last = Some(query.clauses.len());
                }
                query.clauses.push(Clause { is_negated: token.is_negated, condition });
            }
        }
        if let Some(Clause { condition: Condition::Words(_, prefix), .. }) =
            last.and_then(|last| query.clauses.get_mut(last))
        {
            *prefix = PrefixMatch::Fallback;
        }
        query
    }

    /// Whoever asks on the command line is answered in English.
    fn note(&mut self, key: &'static str, name: &str, value: &str) {
        self.notes.push(locale::english().fill(key, &[(name, value)]));
    }

    fn condition(
        &mut self,
        token: &Token<'_>,
        raw: &str,
        stemmers: &[Stemmer],
    ) -> Option<Condition> {
        let mut text = token.text.to_owned();
        if let Some(name) = token.field {
            let field = name.to_ascii_lowercase();
            if let Some(known) = FILTER_FIELDS.into_iter().find(|known| *known == field) {
                return self.filter(known, token.text.trim());
            }
            match field.as_str() {
                "has" => return self.has(token.text.trim()),
                "before" => {
                    return self.day(&field, token.text.trim()).map(Condition::Before);
                }
                "after" => {
                    return self.day(&field, token.text.trim()).map(Condition::After);
                }
                _ => {}
            }
            if !token.is_empty {
                self.note("search.no_filter", "filter", name);
            }
            text = format!("{name} {text}");
        }
        let words = query_terms(&text, stemmers);
        if words.is_empty() {
            self.note("search.no_letters", "word", raw);
            return None;
        }
        let is_prefix = token.is_bare && token.text.ends_with('*');
        Some(Condition::Words(
            words,
            if is_prefix { PrefixMatch::Always } else { PrefixMatch::Never },
        ))
    }

    fn needs_value(&mut self, field: &str, value: &str) -> bool {
        if value.is_empty() {
            self.note("search.no_value", "filter", field);
        }
        value.is_empty()
    }

    fn filter(&mut self, field: &'static str, value: &str) -> Option<Condition> {
        if self.needs_value(field, value) {
            return None;
        }
        let mut terms: Vec<String> = Vec::new();
        for term in filter_terms(field, value) {
            if !terms.contains(&term) {
                terms.push(term);
            }
        }
        if terms.is_empty() {
            self.note("search.no_letters", "word", value);
            return None;
        }
        Some(Condition::Filter(field, terms))
    }

    fn has(&mut self, value: &str) -> Option<Condition> {
        if self.needs_value("has", value) {
            return None;
        }
        let value = value.to_ascii_lowercase();
        if value == "code" || value == "tool" {
            return Some(Condition::Filter("has", vec![format!("has:{value}")]));
        }
        self.note("search.has_takes", "", "");
        None
    }

    /// A day as one number, such as 20251023; 20251000 for a month, 20250000 for a year.
    fn day(&mut self, field: &str, value: &str) -> Option<u32> {
        if self.needs_value(field, value) {
            return None;
        }
        let parts: Vec<&str> = value.split('-').collect();
        let fits = parts.len() <= 3
            && parts.iter().zip([4, 2, 2]).all(|(part, digits)| {
                part.len() == digits && part.bytes().all(|byte| byte.is_ascii_digit())
            });
        if !fits {
            self.note("search.takes_day", "filter", field);
            return None;
        }
        let part = |at: usize| -> u32 {
            parts.get(at).and_then(|part| part.parse().ok()).unwrap_or_default()
        };
        Some(part(0) * 10_000 + part(1) * 100 + part(2))
    }
}

/// Quotation marks that are taken for the straight one.
pub const QUOTES: &str = "“”„«»";

/// Returns the straight quotation mark for a quotation mark of any kind.
fn normalize_quote(c: char) -> char {
    if QUOTES.contains(c) { '"' } else { c }
}

/// A piece of a query between spaces, or between quotation marks.
struct Token<'a> {
    is_negated: bool,
    field: Option<&'a str>,
    text: &'a str,
    /// Whether it is a word and neither quoted nor the value of a field.
    is_bare: bool,
    /// Whether there is nothing after the field.
    is_empty: bool,
    /// Whether its quotation mark is not closed.
    is_open: bool,
}

impl<'a> Token<'a> {
    /// Returns the token that a text starts with, and the rest.
    fn take(text: &'a str) -> (Self, &'a str) {
        let inner = text
            .strip_prefix('-')
            .filter(|rest| rest.chars().next().is_some_and(|c| !c.is_whitespace()));
        let is_negated = inner.is_some();
        let text = inner.unwrap_or(text);
        let token = Self {
            is_negated,
            field: None,
            text: "",
            is_bare: false,
            is_empty: false,
            is_open: false,
        };
        let letters = text.bytes().take_while(u8::is_ascii_alphabetic).count();
        if letters > 0 && text[letters..].starts_with(':') {
            let (field, value) = (Some(&text[..letters]), &text[letters + 1..]);
            match value.chars().next() {
                None => return (Self { field, is_empty: true, ..token }, value),
                Some(c) if c.is_whitespace() => {
                    return (Self { field, is_empty: true, ..token }, value);
                }
                Some('"') => {
                    let (text, is_open, rest) = quoted(&value[1..]);
                    return (Self { field, text, is_open, ..token }, rest);
                }
                Some(':' | '/') => {}
                Some(_) => {
                    let (text, rest) = bare(value);
                    return (Self { field, text, ..token }, rest);
                }
            }
        }
        if let Some(inside) = text.strip_prefix('"') {
            let (text, is_open, rest) = quoted(inside);
            return (Self { text, is_open, ..token }, rest);
        }
        let (text, rest) = bare(text);
        (Self { text, is_bare: true, ..token }, rest)
    }
}

/// Returns the text up to a quotation mark, whether there is none, and the rest.
fn quoted(text: &str) -> (&str, bool, &str) {
    match text.split_once('"') {
        Some((inside, rest)) => (inside, false, rest),
        None => (text, true, ""),
    }
}

fn bare(text: &str) -> (&str, &str) {
    let end = text.find(|c: char| c.is_whitespace() || c == '"').unwrap_or(text.len());
    text.split_at(end)
}

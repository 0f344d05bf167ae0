//! The query parser. `search/script/query.js` does the same; tests compare both on
//! `tests/data/search/queries.json` and on random texts.
//!
//! * `lifetime elision` – turns with all of these words, in any form;
//! * `"borrow checker"` – these words in a row, spelt like this;
//! * `-async` – without this word;
//! * `kuber*` – words that start with this. The last word of a query is read like this if no turn
//!   has the exact word, because it may be incomplete;
//! * `speaker:ada`, `model:`, `lang:`, `type:`, `tag:"machine learning"` – metadata of a turn or
//!   its conversation: any of the values of one field, all fields;
//! * `before:2025-06`, `after:2024` – the day of the conversation; without other conditions, the
//!   conversations themselves are found;
//! * `has:code`, `has:tool` – turns with code or a tool call.
//!
//! No query is invalid: parts without a meaning are ignored or searched for as words, with a note.

pub mod choice;
pub mod filters;
mod problem;
pub mod stem;
pub mod tokenizer;
pub mod turns;

use self::filters::filter_terms;
use self::problem::Problem;
use self::tokenizer::{QueryTerm, Stemmer, query_terms};
use crate::partial_date::PartialDate;

/// The filters whose values are words.
pub const FILTER_FIELDS: [&str; 5] = ["speaker", "model", "lang", "type", "tag"];
/// The maximum length of a query, in characters; the rest is ignored.
pub const MAX_CHARACTERS: usize = 1000;
/// The maximum number of clauses; the rest are ignored.
pub const MAX_CLAUSES: usize = 32;

/// A parsed query.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Query {
    /// The clauses, all of which a turn must match.
    pub clauses: Vec<Clause>,
    /// Notes for the reader on parts that were ignored or reinterpreted.
    pub notes: Vec<String>,
    /// The same parts, and others that are unlikely to be meant, as errors for an author.
    errors: Vec<String>,
}

/// A clause: a condition that a turn must, or must not, meet.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Clause {
    /// Whether the condition is negated.
    pub is_negated: bool,
    /// The condition.
    pub condition: Condition,
}

/// A condition on a turn or its conversation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Condition {
    /// These terms in a row.
    Words(Vec<QueryTerm>, PrefixMatch),
    /// All of these terms of a filter, which include the field's name.
    Filter(&'static str, Vec<String>),
    /// Before this day: year, month and day as one number, with zeros for missing parts.
    Before(u32),
    /// On or after this day.
    After(u32),
}

/// Whether the last of several words also matches longer words that start with it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PrefixMatch {
    /// Never, and unknown words are not corrected: they are quoted.
    Exact,
    /// Never.
    Never,
    /// Only if no turn has the exact word.
    Fallback,
    /// Always.
    Always,
}

impl Query {
    /// Parses a query for an archive whose words use these stemmers.
    pub fn parse(text: &str, stemmers: &[Stemmer]) -> Self {
        let mut query = Self::default();
        if text.chars().count() > MAX_CHARACTERS {
            query.report(&Problem::TooLong);
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
                query.report(&Problem::TooManyClauses);
                break;
            }
            let (token, after) = Token::take(rest);
            let raw = &rest[..rest.len() - after.len()];
            rest = after;
            last = None;
            if token.is_open {
                query.report(&Problem::OpenQuote);
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

    fn report(&mut self, problem: &Problem<'_>) {
        self.notes.extend(problem.note());
        self.errors.push(problem.error());
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
            self.report(&Problem::UnknownFilter { name, has_value: !token.is_empty });
            text = format!("{name} {text}");
        }
        let words = query_terms(&text, stemmers);
        if words.is_empty() {
            self.report(&Problem::NoLetters(raw));
            return None;
        }
        let is_quoted = !token.is_bare && token.field.is_none();
        let prefix = match token.is_bare && token.text.ends_with('*') {
            true => PrefixMatch::Always,
            false if is_quoted => PrefixMatch::Exact,
            false => PrefixMatch::Never,
        };
        Some(Condition::Words(words, prefix))
    }

    fn needs_value(&mut self, field: &str, value: &str) -> bool {
        if value.is_empty() {
            self.report(&Problem::NoValue(field));
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
            self.report(&Problem::NoLetters(value));
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
        self.report(&Problem::UnknownFeature);
        None
    }

    /// Parses a day, a month or a year as one number.
    fn day(&mut self, field: &str, value: &str) -> Option<u32> {
        if self.needs_value(field, value) {
            return None;
        }
        let day = PartialDate::parse(value).map(PartialDate::number);
        if day.is_none() {
            self.report(&Problem::NoDate(field));
        }
        day
    }
}

/// Quotation marks that are treated as straight ones.
pub const QUOTES: &str = "“”„«»";

/// Returns the straight quotation mark for a quotation mark of any kind.
fn normalize_quote(c: char) -> char {
    if QUOTES.contains(c) { '"' } else { c }
}

/// A part of a query, delimited by spaces or quotation marks.
struct Token<'a> {
    is_negated: bool,
    field: Option<&'a str>,
    text: &'a str,
    /// Whether it is a word, neither quoted nor the value of a field.
    is_bare: bool,
    /// Whether the value of the field is missing.
    is_empty: bool,
    /// Whether the closing quotation mark is missing.
    is_open: bool,
}

impl<'a> Token<'a> {
    /// Returns the first token of a text, and the rest.
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

/// Returns the text up to a quotation mark, whether the mark is missing, and the rest.
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

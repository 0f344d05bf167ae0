//! What a reader typed. `script/query.js` says the same; the vectors in
//! `tests/data/search/queries.json` hold both to it.
//!
//! * `lifetime elision` – turns with all of these words, in any form;
//! * `"borrow checker"` – these words one after the other;
//! * `-async` – not this;
//! * `kuber*` – words that begin so. The last word of a query is taken so if no turn has it as
//!   it stands, because it may still be being typed;
//! * `speaker:ada`, `model:`, `lang:`, `type:`, `tag:"machine learning"` – what a turn or its
//!   conversation is filed under: any of the values for one field, all fields;
//! * `before:2025-06`, `after:2024` – the conversation's day; where nothing is asked of a turn, the
//!   conversations themselves are found;
//! * `has:code`, `has:tool` – what stands in the turn.
//!
//! There are no wrong queries: what cannot be meant is left out or taken for words, and a note
//! says so.

use super::digest::values;
use super::words::{Sought, Stemmer, sought};
use crate::locale;

/// Fields whose values are words.
const FIELDS: [&str; 5] = ["speaker", "model", "lang", "type", "tag"];
/// More characters of a query do not count.
const CHARACTERS: usize = 1000;
/// Nor do more words.
const ITEMS: usize = 32;

/// A query.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Query {
    /// What it asks for.
    pub items: Vec<Item>,
    /// What was left out of it or taken otherwise, for the reader.
    pub notes: Vec<String>,
}

/// One condition.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Item {
    /// Whether a turn must not meet it.
    pub is_not: bool,
    /// The condition.
    pub what: What,
}

/// What a turn must have.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum What {
    /// These terms, one after the other.
    Words(Vec<Sought>, Prefix),
    /// All of these terms of a filter, which have the field's name in them.
    Filter(&'static str, Vec<String>),
    /// A day before this one: year, month and day as one number, zeros for what was not said.
    Before(u32),
    /// This day or a later one.
    After(u32),
}

/// Whether the last of some words may be the beginning of a longer one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Prefix {
    /// No.
    Never,
    /// If nothing has it as it stands.
    Unknown,
    /// Yes.
    Always,
}

impl Query {
    /// Reads a query for an archive whose words are cut by these stemmers.
    pub fn parse(text: &str, stemmers: &[Stemmer]) -> Self {
        let mut query = Self::default();
        if text.chars().count() > CHARACTERS {
            query.note("search.cut_letters", "n", &CHARACTERS.to_string());
        }
        let text: String = text.chars().take(CHARACTERS).map(straight).collect();
        let mut rest = text.as_str();
        let mut last = None;
        loop {
            rest = rest.trim_start();
            if rest.is_empty() {
                break;
            }
            if query.items.len() == ITEMS {
                query.note("search.cut_words", "n", &ITEMS.to_string());
                break;
            }
            let (token, after) = Token::take(rest);
            let raw = &rest[..rest.len() - after.len()];
            rest = after;
            last = None;
            if token.is_open {
                query.note("search.open_quote", "", "");
            }
            if let Some(what) = query.condition(&token, raw, stemmers) {
                let is_last = rest.is_empty() && token.is_bare && !token.is_not;
                if is_last && matches!(what, What::Words(_, Prefix::Never)) {
                    last = Some(query.items.len());
                }
                query.items.push(Item { is_not: token.is_not, what });
            }
        }
        if let Some(Item { what: What::Words(_, prefix), .. }) =
            last.and_then(|last| query.items.get_mut(last))
        {
            *prefix = Prefix::Unknown;
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
    ) -> Option<What> {
        let mut text = token.text.to_owned();
        if let Some(name) = token.field {
            let field = name.to_ascii_lowercase();
            if let Some(known) = FIELDS.into_iter().find(|known| *known == field) {
                return self.filter(known, token.text.trim());
            }
            match field.as_str() {
                "has" => return self.has(token.text.trim()),
                "before" => return self.day(&field, token.text.trim()).map(What::Before),
                "after" => return self.day(&field, token.text.trim()).map(What::After),
                _ => {}
            }
            if !token.is_empty {
                self.note("search.no_filter", "filter", name);
            }
            text = format!("{name} {text}");
        }
        let words = sought(&text, stemmers);
        if words.is_empty() {
            self.note("search.no_letters", "word", raw);
            return None;
        }
        let is_prefix = token.is_bare && token.text.ends_with('*');
        Some(What::Words(words, if is_prefix { Prefix::Always } else { Prefix::Never }))
    }

    fn needs_value(&mut self, field: &str, value: &str) -> bool {
        if value.is_empty() {
            self.note("search.no_value", "filter", field);
        }
        value.is_empty()
    }

    fn filter(&mut self, field: &'static str, value: &str) -> Option<What> {
        if self.needs_value(field, value) {
            return None;
        }
        let mut terms: Vec<String> = Vec::new();
        for term in values(field, value) {
            if !terms.contains(&term) {
                terms.push(term);
            }
        }
        if terms.is_empty() {
            self.note("search.no_letters", "word", value);
            return None;
        }
        Some(What::Filter(field, terms))
    }

    fn has(&mut self, value: &str) -> Option<What> {
        if self.needs_value("has", value) {
            return None;
        }
        let value = value.to_ascii_lowercase();
        if value == "code" || value == "tool" {
            return Some(What::Filter("has", vec![format!("has:{value}")]));
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

/// Quotation marks of any kind are the straight ones.
fn straight(c: char) -> char {
    if "“”„«»".contains(c) { '"' } else { c }
}

/// A piece of a query between spaces, or between quotation marks.
struct Token<'a> {
    is_not: bool,
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
    /// The token that a text starts with, and the rest.
    fn take(text: &'a str) -> (Self, &'a str) {
        let inner = text
            .strip_prefix('-')
            .filter(|rest| rest.chars().next().is_some_and(|c| !c.is_whitespace()));
        let is_not = inner.is_some();
        let text = inner.unwrap_or(text);
        let token = Self {
            is_not,
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

/// The text up to a quotation mark, whether there is none, and the rest.
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

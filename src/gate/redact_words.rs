//! The author's own words and patterns to redact (`[[redact]]`).

use std::collections::BTreeSet;
use std::ops::Range;

use regex::{Regex, RegexBuilder};

use super::replace::replaced;
use crate::config::{LocatedText, OwnWords};
use crate::diag::{Diagnostic, Severity};
use crate::model::TextRole;
use crate::rendered_text::{RenderedText, TooManyWords, Words, WordsBuilder};

/// All words and patterns, with their replacements.
#[derive(Clone, Debug, Default)]
pub struct RedactPatterns {
    words: Words,
    /// The index of the `[[redact]]` for each word.
    of_words: Vec<usize>,
    patterns: Vec<(Regex, usize)>,
    /// The replacement of each `[[redact]]`.
    with: Vec<String>,
    /// Indices of the `[[redact]]`s that match one of the replacements.
    in_replacements: Vec<usize>,
}

/// Words of `[[redact]]` are left in a text.
#[derive(Debug)]
pub struct WordsLeft;

/// A match: its range, its replacement, and the index of the `[[redact]]`.
pub(super) type Found<'a> = (Range<usize>, &'a str, usize);

/// The maximum number of passes over a text for words that appear only after other words are removed.
const MAX_PASSES: usize = 4;
/// The maximum number of characters of a pattern or a word.
const MAX_PATTERN_CHARS: usize = 1000;
/// The maximum size in bytes of a compiled pattern.
const MAX_COMPILED_BYTES: usize = 4 << 20;
/// Separators that may join the parts of a phrase.
const BETWEEN: [&str; 13] =
    [" ", "_ ", " _", "-", "_", ".", "+", "/", r"\n", r"\n ", r"\r\n", r"\r\n ", r"\t"];
/// Words between two parts of a name, which names of files and hosts leave out.
const ANDS: [&str; 5] = ["&", "and", "und", "et", ""];
/// The minimum number of letters of a phrase that is also found without separators.
const MIN_JOINED_LETTERS: usize = 6;

impl RedactPatterns {
    /// Compiles words and patterns, or returns what is wrong with them.
    pub fn new(all: &[OwnWords]) -> Result<Self, Vec<Diagnostic>> {
        let mut own = Self::default();
        let mut words = WordsBuilder::default();
        let mut wrong = Vec::new();
        for (number, one) in all.iter().enumerate() {
            own.with.push(one.with.clone());
            for word in &one.words {
                match forms_of(&word.text) {
                    Ok(forms) => forms.into_iter().for_each(|form| {
                        words.add(form);
                        own.of_words.push(number);
                    }),
                    Err(why) => wrong.push(note(word, &why)),
                }
            }
            if let Some(pattern) = &one.pattern {
                match own_pattern(&pattern.text) {
                    Ok(compiled) => own.patterns.push((compiled, number)),
                    Err(why) => wrong.push(note(pattern, &why)),
                }
            }
        }
        match words.finish() {
            Ok(words) => own.words = words,
            Err(TooManyWords) => {
                let first = all.iter().find_map(|one| one.words.first());
                let why = "too many words to search for";
                wrong.extend(first.map(|word| note(word, why)));
            }
        }
        let reported = own.with.iter().flat_map(|with| own.find(with));
        own.in_replacements = reported.map(|(_, _, number)| number).collect();
        if wrong.is_empty() { Ok(own) } else { Err(wrong) }
    }

    /// Finds all words and patterns in a text, in every spelling that readers would see, both in the source
    /// text and on a page.
    pub(super) fn find<'a>(&'a self, text: &str) -> Vec<Found<'a>> {
        let mut found = self.all_in(text);
        // A word inside a matched phrase is not a match of its own.
        let mut end = 0;
        found.retain(|(range, _)| {
            let is_new = range.end > end;
            end = end.max(range.end);
            is_new
        });
        let with = |number: usize| self.with.get(number).map_or("", String::as_str);
        found.into_iter().map(|(range, number)| (range, with(number), number)).collect()
    }

    /// Finds the ranges of all matches, also of those inside of others, sorted by their starts.
    fn all_in(&self, text: &str) -> Vec<(Range<usize>, usize)> {
        let mut found: Vec<(Range<usize>, usize)> = Vec::new();
        if !self.words.is_empty() {
            let unmarked = RenderedText::without_markup(text, true);
            for view in [RenderedText::folded(text)].iter().chain(&unmarked) {
                let hits = self.words.find(view);
                found.extend(hits.filter_map(|(word, range)| {
                    Some((view.written_whole(text, range), *self.of_words.get(word)?))
                }));
            }
        }
        if !self.patterns.is_empty() {
            let unmarked = RenderedText::without_markup(text, false);
            let views: Vec<RenderedText> =
                RenderedText::plain(text).into_iter().chain(unmarked).collect();
            for (pattern, number) in &self.patterns {
                found.extend(pattern.find_iter(text).map(|hit| (hit.range(), *number)));
                for view in &views {
                    let hits = pattern.find_iter(view.text()).map(|hit| hit.range());
                    let places = hits.map(|hit| view.written_whole(text, hit));
                    found.extend(places.map(|range| (range, *number)));
                }
            }
        }
        found.retain(|(range, _)| !range.is_empty());
        found.sort_by_key(|(range, number)| (range.start, std::cmp::Reverse(range.end), *number));
        found
    }

    /// Returns whether there is a match in a text.
    pub fn are_in(&self, text: &str) -> bool {
        !self.find(text).is_empty()
    }

    /// Returns the indices of the `[[redact]]`s that match in a text, also inside of a longer match.
    pub fn numbers_in(&self, text: &str) -> BTreeSet<usize> {
        self.all_in(text).into_iter().map(|(_, number)| number).collect()
    }

    /// Redacts a text.
    pub fn redact(&self, text: &mut String, role: TextRole) -> Result<(), WordsLeft> {
        let found = self.find(text);
        let numbers: Vec<usize> = found.iter().map(|(_, _, number)| *number).collect();
        let ranges = found.iter().map(|(range, with, _)| (range, *with));
        let Some(redacted) = replaced(text, role, ranges) else { return Ok(()) };
        *text = redacted;
        if self.redact_left(text, role, &numbers).is_empty() { Ok(()) } else { Err(WordsLeft) }
    }

    /// Redacts matches of the given `[[redact]]`s that appear only after others are redacted. Returns those that are
    /// left after the last pass.
    pub(super) fn redact_left<'a>(
        &'a self,
        text: &mut String,
        role: TextRole,
        numbers: &[usize],
    ) -> Vec<Found<'a>> {
        for _ in 1..MAX_PASSES {
            let left = self.left(text, numbers);
            let ranges = left.iter().map(|(range, with, _)| (range, *with));
            let Some(redacted) = replaced(text, role, ranges) else { return Vec::new() };
            *text = redacted;
        }
        self.left(text, numbers)
    }

    /// Finds matches of the given `[[redact]]`s that are left in a text after they were redacted. Ignores
    /// matches in the replacements.
    fn left<'a>(&'a self, text: &str, numbers: &[usize]) -> Vec<Found<'a>> {
        let mut found = self.find(text);
        found.retain(|(_, _, number)| {
            numbers.contains(number) && !self.in_replacements.contains(number)
        });
        found
    }
}

fn own_pattern(pattern: &str) -> Result<Regex, String> {
    let compiled = compile(pattern)?;
    match compiled.is_match("") {
        true => Err("the pattern matches the empty text".to_owned()),
        false => Ok(compiled),
    }
}

fn compile(pattern: &str) -> Result<Regex, String> {
    if pattern.chars().count() > MAX_PATTERN_CHARS {
        return Err(format!("the pattern has more than {MAX_PATTERN_CHARS} characters"));
    }
    let mut builder = RegexBuilder::new(pattern);
    builder.size_limit(MAX_COMPILED_BYTES);
    builder.build().map_err(|error| match error {
        regex::Error::CompiledTooBig(_) => "the pattern is too complex".to_owned(),
        // The library's message quotes the pattern, which may be private.
        error => {
            let all = error.to_string();
            let last = all.lines().last().unwrap_or_default();
            last.strip_prefix("error: ").unwrap_or("not a valid regular expression").to_owned()
        }
    })
}

/// Returns the spellings of a word or phrase to search for. A space also matches other spaces, line ends,
/// and the separators in URLs and file names.
fn forms_of(word: &str) -> Result<Vec<String>, String> {
    if word.chars().count() > MAX_PATTERN_CHARS {
        return Err(format!("a word has more than {MAX_PATTERN_CHARS} characters"));
    }
    let mut forms: Vec<String> = WordsBuilder::forms(word).into_iter().flat_map(joined).collect();
    if forms.is_empty() {
        return Err("a word is empty".to_owned());
    }
    forms.sort_unstable();
    forms.dedup();
    Ok(forms)
}

/// Returns a phrase with each possible separator between its parts, and with each word for "and".
fn joined(whole: String) -> Vec<String> {
    let parts = whole.split(|c: char| c.is_whitespace() || matches!(c, '-' | '_'));
    let parts: Vec<&str> = parts.filter(|part| !part.is_empty()).collect();
    if parts.is_empty() {
        return Vec::new();
    }
    let mut forms = Vec::new();
    if let [_, between @ .., _] = parts.as_slice()
        && between.iter().any(|part| ANDS.contains(part))
    {
        for and in ANDS {
            let with = parts.iter().map(|part| if ANDS.contains(part) { and } else { part });
            add_joined(with.filter(|part| !part.is_empty()).collect(), &mut forms);
        }
    } else {
        add_joined(parts, &mut forms);
    }
    forms.push(whole);
    forms
}

/// Adds the parts with each separator.
fn add_joined(parts: Vec<&str>, forms: &mut Vec<String>) {
    if parts.len() < 2 {
        return;
    }
    forms.extend(BETWEEN.iter().map(|between| parts.join(between)));
    let letters =
        parts.iter().flat_map(|part| part.chars()).filter(|c| c.is_alphanumeric()).count();
    if letters >= MIN_JOINED_LETTERS {
        forms.push(parts.concat());
    }
}

fn note(of: &LocatedText, why: &str) -> Diagnostic {
    let message = format!("invalid `redact`: {why}");
    let note = Diagnostic::new(Severity::Error, "bad-value", message);
    let hint = "nothing is written until this is fixed, because it decides what is private";
    Diagnostic { at: of.at.clone(), ..note.hint(hint) }
}

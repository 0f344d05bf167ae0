//! The author's own words that no page shows, as patterns.

use std::ops::Range;

use regex::{Regex, RegexBuilder};

use crate::config::{OwnWords, Placed};
use crate::diag::{Diagnostic, Severity};

/// All patterns, each with what stands in place of what it finds.
#[derive(Clone, Debug, Default)]
pub(super) struct OwnPatterns(Vec<(Regex, String)>);

/// The most characters of a pattern, or of a word.
const MAX_PATTERN_CHARS: usize = 1000;
/// The most bytes of a compiled pattern.
const MAX_COMPILED_BYTES: usize = 4 << 20;
/// The most words in one pattern.
const WORDS_PER_PATTERN: usize = 200;

impl OwnPatterns {
    pub(super) fn new(all: &[OwnWords]) -> Result<Self, Vec<Diagnostic>> {
        let mut patterns = Vec::new();
        let mut wrong = Vec::new();
        for own in all {
            for words in own.words.chunks(WORDS_PER_PATTERN) {
                let mut parts = Vec::new();
                for word in words {
                    match pattern_of(&word.text) {
                        Ok(part) => parts.push(part),
                        Err(why) => wrong.push(note(word, &why)),
                    }
                }
                // Of two that begin alike the longer one is found.
                parts.sort_by_key(|part| std::cmp::Reverse(part.len()));
                match compile(&parts.join("|"), true) {
                    Ok(pattern) => patterns.push((pattern, own.with.clone())),
                    Err(why) => wrong.extend(words.first().map(|word| note(word, &why))),
                }
            }
            if let Some(pattern) = &own.pattern {
                match own_pattern(&pattern.text) {
                    Ok(compiled) => patterns.push((compiled, own.with.clone())),
                    Err(why) => wrong.push(note(pattern, &why)),
                }
            }
        }
        if wrong.is_empty() { Ok(Self(patterns)) } else { Err(wrong) }
    }

    /// Finds all of them in a text, each with what stands in its place and its number.
    pub(super) fn find<'a>(
        &'a self,
        text: &'a str,
    ) -> impl Iterator<Item = (Range<usize>, &'a str, usize)> {
        self.0.iter().enumerate().flat_map(move |(number, (pattern, with))| {
            let found = pattern.find_iter(text).filter(|found| !found.is_empty());
            found.map(move |found| (found.range(), with.as_str(), number))
        })
    }
}

fn own_pattern(pattern: &str) -> Result<Regex, String> {
    let compiled = compile(pattern, false)?;
    match compiled.is_match("") {
        true => Err("it fits a text in which nothing is".to_owned()),
        false => Ok(compiled),
    }
}

fn compile(pattern: &str, ignores_case: bool) -> Result<Regex, String> {
    if pattern.chars().count()
        > MAX_PATTERN_CHARS * if ignores_case { 2 * WORDS_PER_PATTERN } else { 1 }
    {
        return Err(format!("it has more than {MAX_PATTERN_CHARS} characters"));
    }
    let mut builder = RegexBuilder::new(pattern);
    builder.case_insensitive(ignores_case).size_limit(MAX_COMPILED_BYTES);
    builder.build().map_err(|error| match error {
        regex::Error::CompiledTooBig(_) => "it is too large".to_owned(),
        // The library shows the pattern, which may be what is to be hidden.
        error => {
            let all = error.to_string();
            let last = all.lines().last().unwrap_or_default();
            last.strip_prefix("error: ")
                .unwrap_or("it is no regular expression")
                .to_owned()
        }
    })
}

/// Returns the pattern of a word or phrase, which stands where no letter is before or after it. Any
/// space stands for any other, and for the end of a line.
fn pattern_of(word: &str) -> Result<String, String> {
    let parts: Vec<String> = word.split_whitespace().map(regex::escape).collect();
    if parts.is_empty() {
        return Err("a word is empty".to_owned());
    }
    if word.chars().count() > MAX_PATTERN_CHARS {
        return Err(format!("a word has more than {MAX_PATTERN_CHARS} characters"));
    }
    let edge = |c: Option<char>| if c.is_some_and(ends_words) { r"\b" } else { "" };
    let word = word.trim();
    let (first, last) = (edge(word.chars().next()), edge(word.chars().next_back()));
    Ok(format!("{first}{}{last}", parts.join(r"\s+")))
}

/// Returns whether a letter is of a script that puts something between words.
fn ends_words(c: char) -> bool {
    let has_no_spaces = matches!(c,
        '\u{0e00}'..='\u{0eff}' | '\u{1000}'..='\u{109f}' | '\u{1780}'..='\u{17ff}'
        | '\u{2e80}'..='\u{a4cf}' | '\u{ac00}'..='\u{d7ff}' | '\u{f900}'..='\u{faff}'
        | '\u{20000}'..='\u{3ffff}');
    (c.is_alphanumeric() || c == '_') && !has_no_spaces
}

fn note(of: &Placed, why: &str) -> Diagnostic {
    let message = format!("a `[[redact]]`: {why}");
    let note = Diagnostic::new(Severity::Error, "bad-value", message);
    let hint = "until this is mended nothing is written: it says what is private";
    Diagnostic { at: of.at.clone(), ..note.hint(hint) }
}

//! The search engine: scans a text once and runs a matcher at each prefix or keyword of the table.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::LazyLock;

use rustc_hash::FxHashMap;

use super::classes::{self, Class};
use super::found::Found;
use super::keywords::Keywords;
use super::matches::Match;
use super::rule::{Finder, Rule, Way};
use super::rule_set::RuleSet;
use super::shape::{Edge, Shape, Span};
use super::tier::Tier;
use super::{entropy, placeholders, runs, table};

/// The keywords and the matchers for them.
struct Engine {
    keywords: Keywords,
    /// The matchers for each keyword.
    targets: Vec<Vec<Target>>,
    /// Matchers for shapes that occur only in long runs, by the first byte of their keywords.
    in_runs: Vec<Vec<Target>>,
    matchers: Vec<Matcher>,
}

/// A matcher, and whether its keyword is case-sensitive.
struct Target {
    matcher: usize,
    exact: Option<String>,
}

struct Matcher {
    rule: &'static Rule,
    /// The index of the rule in the table.
    number: usize,
    how: How,
}

enum How {
    Shape(Known),
    Named(Known),
    Finder(&'static Finder),
}

/// A shape and the length of its literal prefix.
struct Known {
    shape: Shape,
    fixed: usize,
}

impl Known {
    fn read(pattern: &str) -> Option<Known> {
        let shape = Shape::read(pattern)?;
        Some(Known { fixed: shape.prefix().unwrap_or_default(), shape })
    }

    /// Returns whether a match is a value of its own and not a part of a longer name. Next to a letter or
    /// digit, only a checksum can tell. Next to `_` and `-`, the value without its prefix must look random,
    /// and without a prefix, only one of its ends may be there.
    fn is_separate(&self, span: &Span, body: &str) -> bool {
        match (span.before, span.after) {
            (Edge::Inside, _) | (_, Edge::Inside) => false,
            (Edge::Word, Edge::Word) => true,
            (Edge::Separator, Edge::Separator) if !self.is_marked() => false,
            _ => entropy::is_generated(body),
        }
    }

    /// Returns whether the shape has a prefix, or enough literals elsewhere.
    fn is_marked(&self) -> bool {
        self.fixed > 0 || self.shape.literal_bytes >= MIN_LITERALS
    }

    /// Returns whether words that make a value look like an example only follow it, as in
    /// `glpat-…_example`. The value before them must look random.
    fn is_before_words(&self, text: &str, span: &Span) -> bool {
        let rest = text.get(span.min_end..span.range.end).unwrap_or_default();
        let Some(words) = rest.find(['_', '-']) else { return false };
        let value = text.get(span.range.start + self.fixed..span.min_end + words);
        let is_secret =
            |value: &str| entropy::is_generated(value) && !placeholders::is_placeholder(value);
        value.is_some_and(is_secret)
    }
}

/// The minimum number of literal bytes of a shape without a prefix that is recognised between two
/// separators.
const MIN_LITERALS: usize = 3;

/// The minimum length in bytes of a keyword. Shorter ones occur in every sentence.
const LEAST_KEYWORD: usize = 3;

static ENGINE: LazyLock<Engine> = LazyLock::new(Engine::new);

impl Engine {
    fn new() -> Engine {
        let mut matchers = Vec::new();
        let mut patterns: BTreeMap<String, Vec<Target>> = BTreeMap::new();
        let mut in_runs: Vec<Vec<Target>> = (0..256).map(|_| Vec::new()).collect();
        for (number, rule) in table::ALL.iter().enumerate() {
            let mut add = |how: How, words: Vec<String>, exact: bool| {
                let is_in_run = |word: &String| {
                    word.len() < LEAST_KEYWORD
                        && matches!(&how, How::Shape(known) if known.shape.is_in_run())
                };
                for word in words {
                    let target =
                        Target { matcher: matchers.len(), exact: exact.then(|| word.clone()) };
                    let first = word.bytes().next().map(usize::from);
                    let cell = first.and_then(|first| in_runs.get_mut(first));
                    match cell.filter(|_| is_in_run(&word)) {
                        Some(cell) => cell.push(target),
                        None => patterns.entry(word.to_ascii_lowercase()).or_default().push(target),
                    }
                }
                matchers.push(Matcher { rule, number, how });
            };
            let owned = |words: &[&str]| words.iter().map(|w| (*w).to_owned()).collect();
            match rule.way {
                Way::Shapes(shapes) => {
                    for shape in shapes.iter().filter_map(|pattern| Known::read(pattern)) {
                        let mut keywords = shape.shape.keywords();
                        keywords.sort_unstable();
                        keywords.dedup();
                        add(How::Shape(shape), keywords, true);
                    }
                }
                Way::Named { words, values } => {
                    for shape in values.iter().filter_map(|value| Known::read(value)) {
                        add(How::Named(shape), owned(words), false);
                    }
                }
                Way::Finder(finder) => {
                    add(How::Finder(finder), owned(finder.words), false);
                }
                Way::Sweep(_) => {}
            }
        }
        let keywords = Keywords::new(patterns.keys().map(String::as_str));
        let targets = patterns.into_values().collect();
        Engine { keywords, targets, in_runs, matchers }
    }
}

/// Finds values with a prefix or a keyword. `runs` are the long runs of the text.
pub(super) fn search(text: &str, runs: &[Range<usize>], wanted: &RuleSet) -> Vec<Match> {
    let engine = &*ENGINE;
    let mut search = Search { text, engine, wanted, ends: FxHashMap::default(), found: Vec::new() };
    engine.keywords.each(text, |place, number| {
        let targets = engine.targets.get(number);
        targets.into_iter().flatten().for_each(|target| search.look(target, place.clone()));
    });
    for at in runs.iter().cloned().flatten() {
        let first = text.as_bytes().get(at).map(|byte| usize::from(*byte));
        for target in first.and_then(|first| engine.in_runs.get(first)).into_iter().flatten() {
            let len = target.exact.as_ref().map_or(0, String::len);
            search.look(target, at..at + len);
        }
    }
    search.found
}

/// Finds values with a prefix or a keyword in a decoded text.
pub(super) fn search_inside(text: &str, wanted: &RuleSet) -> Vec<Match> {
    search(text, &runs::of(text, &runs::BASE64, runs::LEAST), wanted)
}

/// A search in one text.
struct Search<'a> {
    text: &'a str,
    engine: &'static Engine,
    wanted: &'a RuleSet,
    /// The end of the last match of each matcher, which does not search inside it again.
    ends: FxHashMap<usize, usize>,
    found: Vec<Match>,
}

impl Search<'_> {
    /// Runs a target at an occurrence of its keyword, in any case.
    fn look(&mut self, target: &Target, place: Range<usize>) {
        let here = self.text.as_bytes().get(place.clone());
        if target.exact.as_ref().is_some_and(|word| here != Some(word.as_bytes())) {
            return;
        }
        let Some(matcher) = self.engine.matchers.get(target.matcher) else { return };
        let end = self.ends.get(&target.matcher);
        if end.is_some_and(|end| place.start < *end) || !self.wanted.has(matcher.number) {
            return;
        }
        if let Some(next) = matcher.look(self.text, place) {
            self.ends.insert(target.matcher, next.range.end);
            let beside = next.rule.beside.and_then(|beside| beside(self.text, &next.range));
            self.found.extend(beside.map(|range| Match { range, ..next.clone() }));
            self.found.push(next);
        }
    }
}

impl Matcher {
    /// Runs the matcher at an occurrence of one of its keywords.
    fn look(&self, text: &str, place: Range<usize>) -> Option<Match> {
        let rule = self.rule;
        let found = match &self.how {
            How::Shape(shape) => {
                let inside_words = rule.has_sum();
                let span = shape.shape.at_keyword(text.as_bytes(), place.start, inside_words)?;
                self.sure(text, span, shape)?
            }
            How::Named(shape) => {
                let span = named(text, place, &shape.shape)?;
                self.sure(text, span, shape)?
            }
            How::Finder(finder) => (finder.find)(text, place)?,
        };
        let tier = found.tier.unwrap_or(rule.tier);
        Some(Match { range: found.range, rule, tier })
    }

    /// Decides whether the match of a shape is a secret. A valid checksum outweighs the text around the
    /// value and signs of an example; a random value outweighs the name that it is assigned to.
    fn sure(&self, text: &str, span: Span, shape: &Known) -> Option<Found> {
        let value = text.get(span.range.clone())?;
        if self.rule.check.is_some_and(|check| check.is_sum && (check.holds)(value)) {
            return if placeholders::is_known(value) { None } else { Found::at(span.range) };
        }
        let body = value.get(shape.fixed..).unwrap_or(value);
        if !shape.is_separate(&span, body)
            || placeholders::is_placeholder(body) && !shape.is_before_words(text, &span)
        {
            return None;
        }
        let is_random = || match self.rule.tier {
            Tier::Certain => entropy::is_varied(body),
            _ => entropy::is_generated(body),
        };
        if placeholders::is_named_fake(assigned_name(text, span.range.start)) && !is_random() {
            return None;
        }
        let Some(check) = self.rule.check else { return Found::at(span.range) };
        if (check.holds)(value) {
            return Found::at(span.range);
        }
        match check.otherwise {
            Some(tier) => Found::with(span.range, tier),
            None => None,
        }
    }
}

/// The maximum distance in bytes from a keyword to its value.
const REACH: usize = 64;

/// Parts of names that indicate a credential.
const CREDENTIAL: [&str; 13] = [
    "key", "token", "secret", "pass", "pwd", "auth", "cred", "_pat", "license", "licence", "dsn",
    "bearer", "session",
];

/// Finds a value of a shape that is assigned to a name with a keyword: `datadog_api_key = "…"`.
fn named(text: &str, place: Range<usize>, shape: &Shape) -> Option<Span> {
    let bytes = text.as_bytes();
    // Skip keywords inside a word, such as `probably`.
    let small = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_lowercase);
    if small(place.start) && place.start.checked_sub(1).is_some_and(small) {
        return None;
    }
    let begin = place.start - Class::NAME.run_back(bytes, place.start, 32);
    let window = bytes.get(place.end..)?;
    let gives =
        |(at, byte): (usize, &u8)| matches!(byte, b'=' | b':' | b',').then_some(place.end + at);
    let line = window.iter().take(REACH).take_while(|byte| **byte != b'\n').enumerate();
    for operator in line.filter_map(gives) {
        let name = bytes.get(begin..operator)?.to_ascii_lowercase();
        let name = String::from_utf8_lossy(&name);
        if !CREDENTIAL.iter().any(|word| name.contains(word)) {
            continue;
        }
        let gap = Class::EMPTY.and(b"=:,> \t\"'`\\([{");
        let value = operator + gap.run(bytes, operator, 10);
        // Skip the scheme of a header value: `Bearer`, `Basic`, `Token` and so on.
        let scheme = Class::ALPHANUMERIC.run(bytes, value, 8);
        let after = value + scheme;
        let behind = after + Class::EMPTY.and(b" ").run(bytes, after, 1);
        for start in [value, behind] {
            if start > value && behind == after {
                continue;
            }
            if let Some(span) = shape.at(bytes, start)
                && classes::begins_word(bytes, start)
                && mixed(bytes.get(span.range.clone())?)
                && (span.after == Edge::Word
                    || entropy::is_generated(text.get(span.range.clone())?))
            {
                return Some(span);
            }
        }
    }
    None
}

/// Returns whether a value without a prefix looks random: it mixes letters and digits, or has capital
/// letters in positions unusual for names in source code.
fn mixed(value: &[u8]) -> bool {
    let digits = value.iter().filter(|byte| byte.is_ascii_digit()).count();
    let two = |pair: &&[u8]| pair.iter().all(u8::is_ascii_uppercase);
    let lower = value.iter().any(u8::is_ascii_lowercase);
    let capitals = value.windows(2).filter(two).count();
    if digits == 0 { lower && capitals >= 2 } else { true }
}

/// Returns the name to which a value is assigned, as in `name = "value"` and `"name": "value"`; empty if
/// there is none.
fn assigned_name(text: &str, at: usize) -> &[u8] {
    let bytes = text.as_bytes();
    let skip_back = |class: Class, at: usize, most| at - class.run_back(bytes, at, most);
    let at = skip_back(Class::EMPTY.and(b"\\\"'`("), at, 4);
    let at = skip_back(Class::EMPTY.and(b" \t"), at, 8);
    let operator = skip_back(Class::EMPTY.and(b"=:>"), at, 2);
    if operator == at {
        return &[];
    }
    let end = skip_back(Class::EMPTY.and(b" \t\\\"'`]"), operator, 8);
    let start = skip_back(Class::NAME, end, 64);
    bytes.get(start..end).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::ENGINE;

    #[test]
    fn no_keyword_is_a_short_word() {
        let engine = &*ENGINE;
        // Keywords of two letters must not be parts of words.
        let are_words = engine
            .targets
            .iter()
            .flatten()
            .filter_map(|target| target.exact.as_ref().filter(|word| word.len() < 3));
        let words: Vec<_> =
            are_words.filter(|word| word.chars().all(char::is_alphabetic)).collect();
        assert!(words.is_empty(), "{words:?}");
        assert!(engine.in_runs.iter().flatten().count() > 5);
    }
}

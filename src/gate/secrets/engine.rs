//! One pass over a text, which calls a matcher where a prefix or word of the table stands.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::LazyLock;

use aho_corasick::{AhoCorasick, AhoCorasickKind, MatchKind};
use rustc_hash::FxHashMap;

use super::classes::{self, Class};
use super::found::Found;
use super::matches::Match;
use super::rule::{Finder, Rule, Way};
use super::rule_set::RuleSet;
use super::shape::Shape;
use super::tier::Tier;
use super::{placeholders, runs, table};

/// The automaton, and what to do where one of its patterns stands.
struct Engine {
    automaton: AhoCorasick,
    /// For each pattern of the automaton the matchers that it calls.
    targets: Vec<Vec<Target>>,
    /// Matchers of shapes that are looked for in long runs alone, by the byte with which their
    /// keywords begin.
    in_runs: Vec<Vec<Target>>,
    matchers: Vec<Matcher>,
}

/// A matcher, and whether its word counts only in the case in which it is written.
struct Target {
    matcher: usize,
    exact: Option<String>,
}

struct Matcher {
    rule: &'static Rule,
    /// The place of the rule in the table.
    number: usize,
    how: How,
}

enum How {
    Shape(Known),
    Named(Known),
    Finder(&'static Finder),
}

/// A shape, and how long the literal is with which it begins.
struct Known {
    shape: Shape,
    fixed: usize,
}

impl Known {
    fn read(pattern: &str) -> Option<Known> {
        let shape = Shape::read(pattern)?;
        Some(Known { fixed: shape.prefix().unwrap_or_default(), shape })
    }
}

/// The most bytes of the literal of a shape that the automaton looks for: it stays small, and the
/// shape is matched whole anyway.
const PREFIX: usize = 6;

/// The fewest bytes of a keyword for the automaton. A shorter one stands in every sentence.
const LEAST_KEYWORD: usize = 3;

static ENGINE: LazyLock<Option<Engine>> = LazyLock::new(Engine::new);

impl Engine {
    fn new() -> Option<Engine> {
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
                        keywords.iter_mut().for_each(|word| word.truncate(PREFIX));
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
        let automaton = AhoCorasick::builder()
            .match_kind(MatchKind::Standard)
            .ascii_case_insensitive(true)
            .kind(Some(AhoCorasickKind::DFA))
            .build(patterns.keys())
            .ok()?;
        let targets = patterns.into_values().collect();
        Some(Engine { automaton, targets, in_runs, matchers })
    }
}

/// Finds what has a prefix or a word. `runs` are the long runs of the text.
pub(super) fn search(text: &str, runs: &[Range<usize>], wanted: &RuleSet) -> Vec<Match> {
    let Some(engine) = &*ENGINE else { return Vec::new() };
    let mut search = Search { text, engine, wanted, ends: FxHashMap::default(), found: Vec::new() };
    for hit in engine.automaton.find_overlapping_iter(text) {
        let targets = engine.targets.get(hit.pattern().as_usize());
        targets.into_iter().flatten().for_each(|target| search.look(target, hit.range()));
    }
    for at in runs.iter().cloned().flatten() {
        let first = text.as_bytes().get(at).map(|byte| usize::from(*byte));
        for target in first.and_then(|first| engine.in_runs.get(first)).into_iter().flatten() {
            let len = target.exact.as_ref().map_or(0, String::len);
            search.look(target, at..at + len);
        }
    }
    search.found
}

/// Finds what has a prefix or a word in a text that stands below an encoding.
pub(super) fn search_inside(text: &str, wanted: &RuleSet) -> Vec<Match> {
    search(text, &runs::of(text, &runs::BASE64, runs::LEAST), wanted)
}

/// A search in one text.
struct Search<'a> {
    text: &'a str,
    engine: &'static Engine,
    wanted: &'a RuleSet,
    /// Where the last match of each matcher ends: nothing inside it is looked at again by it.
    ends: FxHashMap<usize, usize>,
    found: Vec<Match>,
}

impl Search<'_> {
    /// Looks at a place where the word of a target stands, in any case.
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
            self.found.push(next);
        }
    }
}

impl Matcher {
    /// Looks at the place of one of its words.
    fn look(&self, text: &str, place: Range<usize>) -> Option<Match> {
        let rule = self.rule;
        let found = match &self.how {
            How::Shape(shape) => {
                let range = shape.shape.at_keyword(text.as_bytes(), place.start)?;
                self.sure(text, range, shape)?
            }
            How::Named(shape) => {
                let range = named(text, place, &shape.shape)?;
                self.sure(text, range, shape)?
            }
            How::Finder(finder) => (finder.find)(text, place)?,
        };
        let tier = found.tier.unwrap_or(rule.tier);
        Some(Match { range: found.range, rule, tier })
    }

    /// Judges what a shape has matched. Neither its letters nor its name make an example of a value
    /// whose check sum holds, and no name does of a random value behind a prefix.
    fn sure(&self, text: &str, range: Range<usize>, shape: &Known) -> Option<Found> {
        let value = text.get(range.clone())?;
        if self.rule.check.is_some_and(|check| check.is_sum && (check.holds)(value)) {
            return if placeholders::is_known(value) { None } else { Found::at(range) };
        }
        let body = value.get(shape.fixed..).unwrap_or(value);
        let is_random = || self.rule.tier == Tier::Certain && is_random(body);
        if placeholders::is_placeholder(body)
            || placeholders::is_named_fake(assigned_name(text, range.start)) && !is_random()
        {
            return None;
        }
        let Some(check) = self.rule.check else { return Found::at(range) };
        if (check.holds)(value) {
            return Found::at(range);
        }
        match check.otherwise {
            Some(tier) => Found::with(range, tier),
            None => None,
        }
    }
}

/// How far behind a word its value may begin.
const REACH: usize = 64;

/// What a name has that means a credential.
const CREDENTIAL: [&str; 13] = [
    "key", "token", "secret", "pass", "pwd", "auth", "cred", "_pat", "license", "licence", "dsn",
    "bearer", "session",
];

/// Finds the value of a shape that is given to a name with a word: `datadog_api_key = "…"`.
fn named(text: &str, place: Range<usize>, shape: &Shape) -> Option<Range<usize>> {
    let bytes = text.as_bytes();
    // Not within a word: `probably`.
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
        // `Bearer`, `Basic`, `Token` and the like before the value of a header.
        let scheme = Class::ALPHANUMERIC.run(bytes, value, 8);
        let after = value + scheme;
        let behind = after + Class::EMPTY.and(b" ").run(bytes, after, 1);
        for start in [value, behind] {
            if start > value && behind == after {
                continue;
            }
            if let Some(end) = shape.at(bytes, start)
                && classes::begins_word(bytes, start)
                && mixed(bytes.get(start..end)?)
            {
                return Some(start..end);
            }
        }
    }
    None
}

/// Whether a value without a prefix is mixed as chance does it: it has letters and digits, or
/// capital letters in other places than names of programs have them.
fn mixed(value: &[u8]) -> bool {
    let digits = value.iter().filter(|byte| byte.is_ascii_digit()).count();
    let two = |pair: &&[u8]| pair.iter().all(u8::is_ascii_uppercase);
    let lower = value.iter().any(u8::is_ascii_lowercase);
    let capitals = value.windows(2).filter(two).count();
    if digits == 0 { lower && capitals >= 2 } else { true }
}

/// Returns whether the part of a value behind its prefix looks random.
fn is_random(body: &str) -> bool {
    body.len() >= 12 && classes::distinct(body) >= 7
}

/// Returns the name to which a value is assigned, as in `name = "value"` and `"name": "value"`; empty
/// if it is not assigned to one.
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
    fn the_automaton_looks_for_no_single_letter() {
        let engine = ENGINE.as_ref().unwrap();
        assert!(engine.automaton.min_pattern_len() >= 2);
        // Those of two letters are no parts of words.
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

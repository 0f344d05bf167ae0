//! Finds names in texts: whole words of every script, and nothing else.

use std::sync::Arc;

use aho_corasick::{AhoCorasick, AhoCorasickBuilder, AhoCorasickKind, MatchKind};

use super::made_up::MadeUp;
use crate::query::tokenizer::is_bigram_script;
use crate::text::{is_mark, percent_encode, to_nfc, to_nfd, unique_slug};

/// Names, and what stands in their place.
#[derive(Clone, Debug, Default)]
pub(super) struct Names {
    patterns: Vec<Pattern>,
    automaton: Option<AhoCorasick>,
}

/// A form of a name.
#[derive(Clone, Debug)]
struct Pattern {
    /// The form as it must be written; any case will do where there is none.
    exact: Option<String>,
    /// Whether it is an account, in whose place no blank may stand.
    is_account: bool,
    /// Whether it is so common or so short a word that it is a name only behind an `@`.
    is_only_mentioned: bool,
    /// The number of the pattern of files in which it is a name.
    scope: Option<usize>,
    /// What stands in its place.
    by: Arc<str>,
    /// The same in addresses.
    slug: Arc<str>,
}

/// A place in a text where a name stands.
struct Found<'a> {
    from: usize,
    to: usize,
    by: &'a str,
}

/// Words of which a name may be a part, that mean something else as well.
const COMMON: [&str; 84] = [
    "amber",
    "and",
    "angel",
    "april",
    "art",
    "august",
    "autumn",
    "baker",
    "best",
    "bill",
    "bird",
    "black",
    "bond",
    "brook",
    "brooks",
    "brown",
    "bush",
    "carpenter",
    "chance",
    "chase",
    "church",
    "cook",
    "dawn",
    "day",
    "dean",
    "del",
    "den",
    "der",
    "dos",
    "drew",
    "faith",
    "field",
    "fields",
    "fisher",
    "ford",
    "forest",
    "fox",
    "frank",
    "good",
    "grace",
    "grant",
    "gray",
    "green",
    "hall",
    "hill",
    "hope",
    "hunter",
    "iris",
    "ivy",
    "joy",
    "june",
    "king",
    "lane",
    "little",
    "long",
    "love",
    "major",
    "mark",
    "marsh",
    "may",
    "miles",
    "mills",
    "page",
    "park",
    "pat",
    "pearl",
    "price",
    "rich",
    "rob",
    "rose",
    "ruby",
    "sky",
    "stone",
    "summer",
    "the",
    "van",
    "von",
    "waters",
    "wells",
    "white",
    "will",
    "wolf",
    "wood",
    "young",
];

/// Words that stand for somebody and are nobody's name.
const ROLES: [&str; 30] = [
    "admin",
    "agent",
    "anonymous",
    "author",
    "caller",
    "client",
    "customer",
    "guest",
    "host",
    "human",
    "i",
    "interviewee",
    "interviewer",
    "me",
    "moderator",
    "operator",
    "owner",
    "participant",
    "patient",
    "person",
    "player",
    "prompter",
    "speaker",
    "student",
    "teacher",
    "therapist",
    "unknown",
    "user",
    "visitor",
    "you",
];

/// Returns whether a speaker's name is only a word for what one does, such as `User` or
/// `Speaker 2`.
pub(super) fn is_role(name: &str) -> bool {
    let number = |c: char| c.is_ascii_digit() || matches!(c, '#' | '_' | '-' | ' ');
    let word = name.trim().trim_end_matches(number).to_lowercase();
    word.is_empty() || ROLES.contains(&word.as_str())
}

/// Returns whether a name is that of an account, of which the case means nothing.
fn is_account(name: &str) -> bool {
    let fits = |c: char| c.is_ascii_graphic() && !c.is_ascii_uppercase();
    name.contains('@') && !name.contains(char::is_whitespace) || name.chars().all(fits)
}

/// Collects names.
#[derive(Default)]
pub(super) struct NamesBuilder {
    names: Names,
    texts: Vec<String>,
}

impl NamesBuilder {
    /// Adds a name in all its forms. Parts that are in `kept` are somebody's who keeps them.
    pub(super) fn add(
        &mut self,
        name: &str,
        made_up: &MadeUp,
        scope: Option<usize>,
        kept: &dyn Fn(&str) -> bool,
    ) {
        let name = to_nfc(name.trim().trim_start_matches('@')).into_owned();
        if name.is_empty() || is_role(&name) {
            return;
        }
        let whole = &made_up.whole;
        if is_account(&name) {
            self.push(name.replace('@', "%40"), false, true, scope, whole);
            self.push(name, false, true, scope, whole);
            return;
        }
        let words: Vec<&str> = name.split_whitespace().collect();
        if let [first, .., last] = words[..] {
            for between in [" ", "%20", "+", "-", "_", ".", ""] {
                // Whoever joins them otherwise writes an address or an identifier.
                self.push(words.join(between), false, between != " ", scope, whole);
            }
            self.push(format!("{last}, {first}"), false, false, scope, whole);
            for (at, part) in words.iter().enumerate() {
                let letters = part.chars().filter(|c| c.is_alphabetic()).count();
                let is_name = part.starts_with(char::is_uppercase)
                    && letters >= 3
                    && !COMMON.contains(&part.to_lowercase().as_str());
                if is_name && !kept(part) {
                    let by = if at == 0 { &made_up.given } else { &made_up.family };
                    self.push((*part).to_owned(), true, false, scope, by);
                }
            }
        } else {
            self.push(name.clone(), true, false, scope, whole);
        }
        if !name.is_ascii() {
            self.push(percent_encode(&name), false, true, scope, whole);
        }
    }

    fn push(
        &mut self,
        text: String,
        is_exact: bool,
        is_account: bool,
        scope: Option<usize>,
        by: &str,
    ) {
        let is_only_mentioned =
            is_account && (text.len() < 3 || COMMON.contains(&text.as_str()));
        let decomposed = to_nfd(&text);
        for form in [Some(decomposed).filter(|form| *form != text), Some(text)] {
            let Some(form) = form else { continue };
            self.names.patterns.push(Pattern {
                exact: is_exact.then(|| form.clone()),
                is_account,
                is_only_mentioned,
                scope,
                by: by.into(),
                slug: unique_slug(by, MAX_SLUG_BYTES).into(),
            });
            self.texts.push(form);
        }
    }

    /// Returns the names, which are found in one pass.
    pub(super) fn finish(self) -> Names {
        let mut builder = AhoCorasickBuilder::new();
        builder.ascii_case_insensitive(true).match_kind(MatchKind::Standard);
        // The one that takes the least memory for each name.
        builder.kind(Some(AhoCorasickKind::ContiguousNFA));
        // More than fits into a table are more names than a site can have.
        let automaton = match self.texts.is_empty() {
            true => None,
            false => builder.build(&self.texts).ok(),
        };
        Names { automaton, ..self.names }
    }
}

/// The most bytes of a made-up name in an address.
const MAX_SLUG_BYTES: usize = 60;

impl Names {
    /// Returns whether one of them stands in a text.
    pub(super) fn are_in(&self, text: &str, in_scope: &[bool]) -> bool {
        let mut found = Vec::new();
        self.find(text, in_scope, &mut found);
        !found.is_empty()
    }

    fn find<'a>(&'a self, text: &str, in_scope: &[bool], found: &mut Vec<Found<'a>>) {
        let Some(automaton) = &self.automaton else { return };
        for hit in automaton.find_overlapping_iter(text) {
            let Some(pattern) = self.patterns.get(hit.pattern().as_usize()) else {
                continue;
            };
            let (from, to) = (hit.start(), hit.end());
            let (Some(before), Some(inside), Some(after)) =
                (text.get(..from), text.get(from..to), text.get(to..))
            else {
                continue;
            };
            let is_about = pattern.scope.is_none_or(|at| in_scope.get(at) == Some(&true));
            let is_mention = before.ends_with('@');
            let is_written = is_mention
                || !pattern.is_only_mentioned
                    && pattern.exact.as_ref().is_none_or(|exact| exact == inside);
            if is_about && is_written && is_whole(before, inside, after) {
                let glued = before.ends_with(GLUE) || after.starts_with(GLUE);
                let by = match pattern.is_account || glued {
                    true => &pattern.slug,
                    false => &pattern.by,
                };
                found.push(Found { from, to, by });
            }
        }
    }
}

/// Characters that bind a name into an address or an identifier.
const GLUE: [char; 7] = ['/', '@', '-', '_', '=', '\\', '~'];

/// Returns whether a name is no part of a longer word. Scripts that have no blanks between words,
/// or not between all, have none around names either.
fn is_whole(before: &str, inside: &str, after: &str) -> bool {
    let is_word = |c: char| c.is_alphanumeric() || is_mark(c);
    let parts = |outer: Option<char>, inner: Option<char>| match (outer, inner) {
        (Some(outer), Some(inner)) if is_mark(outer) => is_bigram_script(inner),
        (Some(outer), Some(inner)) => {
            !is_word(outer) || !is_word(inner) || is_bigram_script(inner)
        }
        _ => true,
    };
    // What stands for a byte in an address is no part of a word.
    let is_escape =
        before.len().checked_sub(3).and_then(|at| before.get(at..)).is_some_and(|end| {
            end.starts_with('%') && end.chars().skip(1).all(|c| c.is_ascii_hexdigit())
        });
    let starts = is_escape || parts(before.chars().next_back(), inside.chars().next());
    starts && parts(after.chars().next(), inside.chars().next_back())
}

/// Replaces names in a text, and returns whether there were any. Where names overlap, the first
/// counts, and of those the longest.
pub(super) fn replace(text: &mut String, all: &[&Names], in_scope: &[bool]) -> bool {
    let mut found = Vec::new();
    all.iter().for_each(|names| names.find(text, in_scope, &mut found));
    if found.is_empty() {
        return false;
    }
    found.sort_by(|a, b| (a.from, b.to).cmp(&(b.from, a.to)));
    let mut out = String::with_capacity(text.len());
    let mut done = 0;
    for Found { from, to, by } in found {
        if let Some(between) = text.get(done..from) {
            out.push_str(between);
            out.push_str(by);
            done = to;
        }
    }
    out.push_str(text.get(done..).unwrap_or_default());
    *text = out;
    true
}

//! Finds names in texts: whole words of every script, and nothing else.

use std::collections::HashSet;
use std::ops::Range;
use std::sync::Arc;

use super::made_up::MadeUp;
use super::name_parts::{is_name_part, parts_of, words_of};
use super::words::{COMMON, is_account, is_role};
use crate::as_seen::{AsSeen, Literals, TooManyWords, Words, WordsBuilder};
use crate::model::TextRole;
use crate::text::{to_nfc, unique_slug};

/// Names, and what stands in their place.
#[derive(Clone, Debug, Default)]
pub(super) struct Names {
    patterns: Vec<Pattern>,
    words: Words,
}

/// A form of a name.
#[derive(Clone, Debug)]
struct Pattern {
    /// In which case it must be written.
    case: Case,
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

/// In which case a form of a name is one.
#[derive(Clone, Debug)]
enum Case {
    Any,
    /// It begins with a capital letter, or is all in capitals.
    Capital,
    /// As it is written here: in another case it is too short a word.
    Exact(String),
}

/// A place in a text where a name stands.
struct Found<'a> {
    from: usize,
    to: usize,
    by: &'a str,
}

/// Collects names.
#[derive(Default)]
pub(super) struct NamesBuilder {
    names: Names,
    words: WordsBuilder,
    /// The forms that are there, with their scopes: of several people of one name the first counts.
    known: HashSet<(String, Option<usize>, bool)>,
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
            self.push(&name, false, true, scope, whole);
            return;
        }
        let words = words_of(&name);
        let has_capitals = name.chars().any(char::is_uppercase);
        if let [first, .., last] = words[..] {
            // As it is written, with whatever stands between its parts.
            self.push(&name, false, false, scope, whole);
            for between in BETWEEN {
                // Whoever joins them otherwise writes an address or an identifier.
                let is_joined = !between.contains([' ', '\\']);
                self.push(&words.join(between), false, is_joined, scope, whole);
            }
            self.push(&format!("{last}, {first}"), false, false, scope, whole);
            self.push(&format!("{last} {first}"), false, false, scope, whole);
        } else {
            self.push(&name, is_cased(&name), false, scope, whole);
            if let [only] = words[..]
                && only != name
                && is_name_part(only, has_capitals)
                && !kept(only)
            {
                self.push(only, is_cased(only), false, scope, whole);
            }
        }
        for (part, is_first) in parts_of(&words) {
            let is_common = COMMON.contains(&part.to_lowercase().as_str());
            // Small words behind the first, such as `zum`, are no names.
            let needs_capital = has_capitals && !is_first;
            if is_name_part(part, needs_capital) && !is_common && !kept(part) {
                let by = if is_first { &made_up.given } else { &made_up.family };
                self.push(part, true, false, scope, by);
            }
        }
    }

    fn push(
        &mut self,
        text: &str,
        is_cased: bool,
        is_account: bool,
        scope: Option<usize>,
        by: &str,
    ) {
        for form in WordsBuilder::forms(text) {
            self.push_form(form, text, is_cased, is_account, scope, by);
        }
    }

    fn push_form(
        &mut self,
        form: String,
        text: &str,
        is_cased: bool,
        is_account: bool,
        scope: Option<usize>,
        by: &str,
    ) {
        if form.is_empty() || !self.known.insert((form.clone(), scope, is_cased)) {
            return;
        }
        let is_only_mentioned =
            is_account && (text.len() < 3 || COMMON.contains(&form.as_str()));
        let letters = text.chars().filter(|c| c.is_alphabetic()).count();
        self.names.patterns.push(Pattern {
            case: match is_cased {
                false => Case::Any,
                // Capitals inside, as in `kyTe`, are in no word.
                true if has_inner_capitals(text) => Case::Any,
                true if letters < 3 => Case::Exact(text.to_owned()),
                true => Case::Capital,
            },
            is_account,
            is_only_mentioned,
            scope,
            by: by.into(),
            slug: unique_slug(by, MAX_SLUG_BYTES).into(),
        });
        self.words.add(form);
    }

    /// Returns the names, which are found in one pass.
    pub(super) fn finish(self) -> Result<Names, TooManyWords> {
        Ok(Names { words: self.words.finish()?, ..self.names })
    }
}

/// Returns whether the case of a name of one word means something. One in small letters is found in any
/// case, unless it is a word as well or too short.
fn is_cased(name: &str) -> bool {
    let letters = name.chars().filter(|c| c.is_alphabetic()).count();
    let is_small =
        name.chars().any(char::is_lowercase) && !name.chars().any(char::is_uppercase);
    !is_small || letters < 3 || COMMON.contains(&name.to_lowercase().as_str())
}

/// Returns whether a name begins with a small letter and has capitals behind it.
fn has_inner_capitals(name: &str) -> bool {
    name.starts_with(char::is_lowercase) && name.chars().any(char::is_uppercase)
}

/// What may stand between the parts of a name.
const BETWEEN: [&str; 14] = [
    " ", "_ ", " _", r"\n", r"\n ", r"\r\n", r"\r\n ", r"\t", "+", "-", "_", ".", "/", "",
];

/// The most bytes of a made-up name in an address.
const MAX_SLUG_BYTES: usize = 60;

impl Names {
    /// Returns whether one of them stands in a text.
    pub(super) fn are_in(&self, text: &str, in_scope: &[bool]) -> bool {
        !all_in(text, &[self], in_scope).is_empty()
    }

    fn find<'a>(
        &'a self,
        text: &str,
        view: &AsSeen,
        in_scope: &[bool],
        found: &mut Vec<Found<'a>>,
    ) {
        for (number, range) in self.words.find(view) {
            let Some(pattern) = self.patterns.get(number) else { continue };
            let before = view.text().get(..range.start).unwrap_or_default();
            let after = view.text().get(range.end..).unwrap_or_default();
            let is_about = pattern.scope.is_none_or(|at| in_scope.get(at) == Some(&true));
            let is_mention = before.ends_with('@');
            let is_cased = || match &pattern.case {
                Case::Any => true,
                Case::Capital => {
                    let first = view.shown(range.clone()).chars().next();
                    first.is_some_and(|c| !c.is_lowercase())
                }
                Case::Exact(exact) => to_nfc(view.shown(range.clone())) == *exact,
            };
            let is_written = is_mention || !pattern.is_only_mentioned && is_cased();
            if is_about && is_written {
                let written = view.written_whole(text, range);
                let glued = before.ends_with(GLUE)
                    || after.starts_with(GLUE)
                    || is_in_address(text, &written);
                let by = match pattern.is_account || glued {
                    true => &pattern.slug,
                    false => &pattern.by,
                };
                found.push(Found { from: written.start, to: written.end, by });
            }
        }
    }
}

/// Characters that bind a name into an address or an identifier.
const GLUE: [char; 7] = ['/', '@', '-', '_', '=', '\\', '~'];

/// Returns whether a place in a text is beside an escape of addresses, such as `%20`, or has one in it.
fn is_in_address(text: &str, place: &Range<usize>) -> bool {
    let is_escape = |at: usize| {
        let escape = text.as_bytes().get(at..at + 3);
        matches!(escape, Some([b'%', high, low])
            if high.is_ascii_hexdigit() && low.is_ascii_hexdigit())
    };
    let has_blank = text.get(place.clone()).is_some_and(|name| name.contains("%20"));
    has_blank || is_escape(place.end) || place.start.checked_sub(3).is_some_and(is_escape)
}

/// Finds names in a text as it stands, and as a page shows it.
fn all_in<'a>(text: &str, all: &[&'a Names], in_scope: &[bool]) -> Vec<Found<'a>> {
    let mut found = Vec::new();
    if all.iter().all(|names| names.words.is_empty()) {
        return found;
    }
    let unmarked = AsSeen::without_markup(text, true);
    for view in [AsSeen::folded(text)].iter().chain(&unmarked) {
        all.iter().for_each(|names| names.find(text, view, in_scope, &mut found));
    }
    found
}

/// Replaces names in a text, and returns whether there were any. Where names overlap, the first
/// counts, and of those the longest.
pub(super) fn replace(
    text: &mut String,
    role: TextRole,
    all: &[&Names],
    in_scope: &[bool],
) -> bool {
    let mut found = all_in(text, all, in_scope);
    if found.is_empty() {
        return false;
    }
    found.sort_by(|a, b| (a.from, b.to).cmp(&(b.from, a.to)));
    let mut out = String::with_capacity(text.len());
    let mut done = 0;
    let literals = (role == TextRole::Markdown).then(|| Literals::new(text));
    for Found { from, to, by } in found {
        let Some(between) = text.get(done..from) else { continue };
        out.push_str(between);
        match &literals {
            Some(literals) => out.push_str(&literals.at(&(from..to), by)),
            None => out.push_str(by),
        }
        done = to;
    }
    out.push_str(text.get(done..).unwrap_or_default());
    *text = out;
    true
}

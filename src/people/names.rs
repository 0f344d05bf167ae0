//! Finds names in texts, as whole words of any script.

use std::collections::HashSet;
use std::ops::Range;
use std::sync::Arc;

use super::context::{is_part_of_word, starts_sentence, word_around};
use super::encoded::replace_encoded;
use super::found::Found;
use super::mailboxes::Mailboxes;
use super::name_parts::{is_name_part, parts_of, words_of};
use super::pseudonym::Pseudonym;
use super::words::{is_account, is_role};
use crate::model::TextRole;
use crate::rendered_text::{Literals, RenderedText, TooManyWords, Words, WordsBuilder};
use crate::text::{COMMON, Languages, is_everyday_name, to_nfc, unique_slug};

/// Names to find and their replacements.
#[derive(Clone, Debug, Default)]
pub(super) struct Names {
    patterns: Vec<Pattern>,
    words: Words,
    /// The mailboxes of people, by the part before the `@`.
    mailboxes: Mailboxes,
}

/// Whether a person writes in a conversation, or is only known to its source.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Presence {
    Writes,
    /// With the languages of the conversation, whose everyday words are not names.
    Absent(Languages),
}

impl Presence {
    /// Returns whether a lower-case name may as well be meant as an ordinary word.
    pub(super) fn is_word(self, name: &str) -> bool {
        matches!(self, Self::Absent(languages) if languages.is_everyday_name(name))
    }
}

/// A form of a name.
#[derive(Clone, Debug)]
struct Pattern {
    /// The case in which it is a name.
    case: Case,
    /// Whether it is an account, whose replacement must not contain a space.
    is_account: bool,
    /// Whether it is such a common or short word that it is a name only after an `@`.
    is_only_mentioned: bool,
    /// Whether it consists of dictionary words and belongs to a person who does not write. It is then a
    /// name only after an `@`, or with a capital letter that no sentence start explains.
    is_word: bool,
    /// The index of the file pattern to which it is limited.
    scope: Option<usize>,
    /// The replacement.
    by: Arc<str>,
    /// The replacement in URLs.
    slug: Arc<str>,
}

/// The case in which a form is a name.
#[derive(Clone, Debug)]
enum Case {
    Any,
    /// It starts with a capital letter, or is all in capitals.
    Capital,
    /// Exactly as written here; in another case, the word is too short.
    Exact(String),
}

/// The names found in a text.
#[derive(Default)]
struct AllFound<'a> {
    names: Vec<Found<'a>>,
    /// Words that are similar to a name but may not be one, with their positions.
    near: Vec<(usize, NearWord)>,
}

/// A word that is similar to a name and may not be one.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum NearWord {
    /// No everyday word.
    Rare,
    /// What is similar to the name is an everyday word of another language than English, or inside one. Both in lower
    /// case. In a text in that language, it is not a name.
    Foreign {
        /// The similar part.
        part: String,
        /// The word that contains it.
        word: String,
    },
}

impl NearWord {
    /// Returns whether it may be a name in a text in these languages.
    pub(super) fn may_be_name(&self, languages: Languages) -> bool {
        match self {
            Self::Rare => true,
            Self::Foreign { part, word } => {
                !languages.is_everyday_name(part) && !languages.is_everyday_name(word)
            }
        }
    }
}

/// The result of replacing names in a text.
#[derive(Default)]
pub(super) struct Replaced {
    pub(super) is_changed: bool,
    /// The words that are similar to a name and were kept.
    pub(super) near: Vec<NearWord>,
}

/// A form of a name to search for.
struct Form<'a> {
    text: &'a str,
    is_cased: bool,
    is_account: bool,
    by: &'a str,
}

/// Collects names.
#[derive(Default)]
pub(super) struct NamesBuilder {
    names: Names,
    words: WordsBuilder,
    /// The known forms, with their scopes. If several people share a name, the first one applies.
    known: HashSet<(String, Option<usize>, bool)>,
}

impl NamesBuilder {
    /// Adds a name in all its forms. Skips parts in `kept`, which belong to people who keep their names.
    pub(super) fn add(
        &mut self,
        name: &str,
        made_up: &Pseudonym,
        presence: Presence,
        scope: Option<usize>,
        kept: &dyn Fn(&str) -> bool,
    ) {
        let name = to_nfc(name.trim().trim_start_matches('@')).into_owned();
        if name.is_empty() || is_role(&name) {
            return;
        }
        let whole = made_up.whole.as_str();
        let mut push = |text: &str, is_cased: bool, is_account: bool, by: &str| {
            let form = Form { text, is_cased, is_account, by };
            self.push(&form, presence, scope);
        };
        if is_account(&name) {
            push(&name, false, true, whole);
            return;
        }
        if name.len() > MAX_BYTES {
            push(&name, false, false, whole);
            return;
        }
        let words = words_of(&name);
        let has_capitals = name.chars().any(char::is_uppercase);
        let is_cased = |name: &str| is_cased(name, presence);
        if let [first, .., last] = words[..] {
            // As written, with any separator between its parts.
            push(&name, false, false, whole);
            for between in BETWEEN {
                // Other separators occur only in URLs and identifiers.
                let is_joined = !between.contains([' ', '\\']);
                push(&words.join(between), false, is_joined, whole);
            }
            push(&format!("{last}, {first}"), false, false, whole);
            push(&format!("{last} {first}"), false, false, whole);
        } else {
            push(&name, is_cased(&name), false, whole);
            if let [only] = words[..]
                && only != name
                && is_name_part(only, has_capitals)
                && !kept(only)
            {
                push(only, is_cased(only), false, whole);
            }
        }
        for (part, is_first) in parts_of(&words) {
            let is_common = COMMON.contains(&part.to_lowercase().as_str());
            // Lower-case words after the first, such as `zum`, are not names.
            let needs_capital = has_capitals && !is_first;
            if is_name_part(part, needs_capital) && !is_common && !kept(part) {
                let by = if is_first { &made_up.given } else { &made_up.family };
                push(part, !is_rare(part, presence), false, by);
            }
        }
        let own: Vec<&str> = words.iter().filter(|word| !kept(word)).copied().collect();
        self.names.mailboxes.add(&own, words.len(), whole, scope);
    }

    fn push(&mut self, form: &Form<'_>, presence: Presence, scope: Option<usize>) {
        for compared in WordsBuilder::forms(form.text) {
            self.push_form(compared, form, presence, scope);
        }
    }

    fn push_form(
        &mut self,
        compared: String,
        form: &Form<'_>,
        presence: Presence,
        scope: Option<usize>,
    ) {
        let Form { text, is_cased, is_account, by } = *form;
        if compared.is_empty() || !self.known.insert((compared.clone(), scope, is_cased)) {
            return;
        }
        let is_only_mentioned =
            is_account && (text.len() < 3 || COMMON.contains(&compared.as_str()));
        let letters = text.chars().filter(|c| c.is_alphabetic()).count();
        self.names.patterns.push(Pattern {
            case: match is_cased {
                false => Case::Any,
                // Words do not have capitals inside, as in `kyTe`.
                true if has_inner_capitals(text) => Case::Any,
                true if letters < 3 => Case::Exact(text.to_owned()),
                true => Case::Capital,
            },
            is_account,
            is_only_mentioned,
            is_word: presence.is_word(&compared),
            scope,
            by: by.into(),
            slug: unique_slug(by, MAX_SLUG_BYTES).into(),
        });
        self.words.add(compared);
    }

    /// Compiles the names, so that one pass finds all of them.
    pub(super) fn finish(self) -> Result<Names, TooManyWords> {
        Ok(Names { words: self.words.finish()?, ..self.names })
    }
}

/// Returns whether the case of a name of one word matters. It does not matter for names in lower case,
/// unless they are everyday words or too short, nor for rare names.
fn is_cased(name: &str, presence: Presence) -> bool {
    let letters = name.chars().filter(|c| c.is_alphabetic()).count();
    let is_small = name.chars().any(char::is_lowercase) && !name.chars().any(char::is_uppercase);
    let is_everyday = letters < 3 || COMMON.contains(&name.to_lowercase().as_str());
    (!is_small || is_everyday) && !is_rare(name, presence)
}

/// Returns whether a word is the name of a person who writes, and too long and rare to be anything else.
/// Such names are also found in lower case.
fn is_rare(name: &str, presence: Presence) -> bool {
    let letters = name.chars().filter(|c| c.is_alphabetic()).count();
    presence == Presence::Writes && letters >= MIN_RARE && !is_everyday_name(&name.to_lowercase())
}

/// Returns whether a name starts with a lower-case letter and has capitals after it.
fn has_inner_capitals(name: &str) -> bool {
    name.starts_with(char::is_lowercase) && name.chars().any(char::is_uppercase)
}

/// Separators that may occur between the parts of a name.
const BETWEEN: [&str; 14] =
    [" ", "_ ", " _", r"\n", r"\n ", r"\r\n", r"\r\n ", r"\t", "+", "-", "_", ".", "/", ""];

/// The minimum number of letters of a name with capitals that is also found in lower case.
const MIN_RARE: usize = 5;

/// The minimum number of letters of a part of a name that is reported as similar.
const MIN_NEAR: usize = 3;

/// The maximum length in bytes of a name that is searched for in other forms than its own.
const MAX_BYTES: usize = 1000;

/// The maximum length in bytes of a pseudonym in a URL.
const MAX_SLUG_BYTES: usize = 60;

impl Names {
    /// Returns whether a text contains one of the names.
    pub(super) fn are_in(&self, text: &str, in_scope: &[bool]) -> bool {
        replace(&mut text.to_owned(), TextRole::Shown, &[self], in_scope).is_changed
    }

    fn find<'a>(
        &'a self,
        text: &str,
        view: &RenderedText,
        in_scope: &[bool],
        found: &mut AllFound<'a>,
    ) {
        self.mailboxes.find(text, view, in_scope, &mut found.names);
        for (number, range) in self.words.find_parts(view) {
            let Some(pattern) = self.patterns.get(number) else { continue };
            let is_whole = view.is_whole(range.clone());
            if !is_whole && range.len() < MIN_RARE {
                continue;
            }
            let before = view.text().get(..range.start).unwrap_or_default();
            let after = view.text().get(range.end..).unwrap_or_default();
            let shown = view.shown(range.clone());
            let is_about = pattern.scope.is_none_or(|at| in_scope.get(at) == Some(&true));
            if !is_about || is_part_of_word(before, after, shown) {
                continue;
            }
            let written = || view.written_whole(text, range.clone());
            if !is_whole {
                let word = word_around(view.text(), &range);
                found.near.extend(pattern.near(shown, word).map(|near| (written().start, near)));
                continue;
            }
            let is_name = || match pattern.is_word {
                true => {
                    is_capitalised(shown)
                        && (shown.contains(char::is_whitespace)
                            || !starts_sentence(view.shown_before(range.start)))
                }
                false => pattern.fits(shown),
            };
            let is_mention = before.ends_with('@');
            if is_mention || !pattern.is_only_mentioned && is_name() {
                let written = written();
                let glued = before.ends_with(GLUE)
                    || after.starts_with(GLUE)
                    || is_in_address(text, &written);
                let by = match pattern.is_account || glued {
                    true => &pattern.slug,
                    false => &pattern.by,
                };
                found.names.push(Found { from: written.start, to: written.end, by });
            } else {
                found.near.extend(pattern.near(shown, shown).map(|near| (written().start, near)));
            }
        }
    }
}

impl Pattern {
    /// Returns whether a word is written in the case in which it is a name.
    fn fits(&self, shown: &str) -> bool {
        match &self.case {
            Case::Any => true,
            Case::Capital => shown.chars().next().is_some_and(|c| !c.is_lowercase()),
            Case::Exact(exact) => to_nfc(shown) == *exact,
        }
    }

    /// Returns how similar text that does not count as a name is to it, if it may still be meant as one. `word` is the
    /// word around it.
    fn near(&self, shown: &str, word: &str) -> Option<NearWord> {
        let letters = shown.chars().filter(|c| c.is_alphabetic()).count();
        let is_account = self.is_account || self.is_only_mentioned;
        let is_whole_name = !is_account && !matches!(self.case, Case::Exact(_));
        if !is_whole_name || letters < MIN_NEAR {
            return None;
        }
        let (part, word) = (shown.to_lowercase(), word.to_lowercase());
        if !is_everyday_name(&part) && !is_everyday_name(&word) {
            return Some(NearWord::Rare);
        }
        let near = NearWord::Foreign { part, word };
        near.may_be_name(Languages::ENGLISH).then_some(near)
    }
}

/// Returns whether each word starts with a capital letter.
fn is_capitalised(shown: &str) -> bool {
    shown.split_whitespace().all(|word| !word.starts_with(char::is_lowercase))
}

/// Characters that make a name part of a URL or an identifier.
const GLUE: [char; 7] = ['/', '@', '-', '_', '=', '\\', '~'];

/// Returns whether a range of a text contains or is next to a URL escape such as `%20`.
fn is_in_address(text: &str, place: &Range<usize>) -> bool {
    let is_escape = |at: usize| {
        let escape = text.as_bytes().get(at..at + 3);
        matches!(escape, Some([b'%', high, low])
            if high.is_ascii_hexdigit() && low.is_ascii_hexdigit())
    };
    let has_blank = text.get(place.clone()).is_some_and(|name| name.contains("%20"));
    has_blank || is_escape(place.end) || place.start.checked_sub(3).is_some_and(is_escape)
}

/// Finds names in a text, both as written and as a page shows it.
fn all_in<'a>(text: &str, all: &[&'a Names], in_scope: &[bool]) -> AllFound<'a> {
    let mut found = AllFound::default();
    let others = RenderedText::without_markup(text, true);
    for view in
        [RenderedText::folded(text)].iter().chain(&others).chain(&RenderedText::in_latin(text))
    {
        all.iter().for_each(|names| names.find(text, view, in_scope, &mut found));
    }
    found
}

/// Replaces names in a text, and returns whether there were any. If names overlap, the first one applies,
/// and at the same position the longest.
pub(super) fn replace(
    text: &mut String,
    role: TextRole,
    all: &[&Names],
    in_scope: &[bool],
) -> Replaced {
    if all.iter().all(|names| names.words.is_empty()) {
        return Replaced::default();
    }
    let is_encoded = replace_encoded(text, &mut |inside| {
        replace(inside, TextRole::Shown, all, in_scope).is_changed
    });
    let AllFound { names: mut found, mut near } = all_in(text, all, in_scope);
    found.sort_by(|a, b| (a.from, b.to).cmp(&(b.from, a.to)));
    near.sort_unstable();
    near.dedup_by_key(|(at, _)| *at);
    if found.is_empty() {
        let near = near.into_iter().map(|(_, near)| near).collect();
        return Replaced { is_changed: is_encoded, near };
    }
    let mut out = String::with_capacity(text.len());
    let mut done = 0;
    let literals = (role == TextRole::Markdown).then(|| Literals::new(text));
    let mut near = near.into_iter().peekable();
    let mut left = Vec::new();
    for Found { from, to, by } in found {
        let Some(between) = text.get(done..from) else { continue };
        while let Some((_, kept)) = near.next_if(|(at, _)| *at < from) {
            left.push(kept);
        }
        while near.next_if(|(at, _)| *at < to).is_some() {}
        out.push_str(between);
        match &literals {
            Some(literals) => out.push_str(&literals.at(&(from..to), by)),
            None => out.push_str(by),
        }
        done = to;
    }
    out.push_str(text.get(done..).unwrap_or_default());
    *text = out;
    left.extend(near.map(|(_, kept)| kept));
    Replaced { is_changed: true, near: left }
}

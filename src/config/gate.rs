//! `[gate]` and `[[redact]]` of `site.toml`: how secrets and personal data are handled.
//!
//! These tables decide what is private, so that no default can replace a wrong value: any error makes the whole
//! configuration invalid.

use std::collections::BTreeMap;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use toml::Spanned;
use toml::de::{DeTable, DeValue, Deserializer};

use super::located_text::LocatedText;
use super::toml_file::{FILE, NOTHING_WRITTEN, first_line};
use crate::diag::{Diagnostic, Lines, Location, Note};
use crate::text::closest;

/// The action for a finding.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Action {
    /// The conversation is not published.
    Hold,
    /// A placeholder replaces it.
    Redact,
    /// It is published, with a warning.
    Warn,
    /// Nothing.
    Off,
}

/// The actions for each kind of finding that are set in `[gate]`, for the whole site, or in the `gate` of a
/// `[[source]]`, for its files.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct GatePolicy {
    /// For secrets in an unmistakable format.
    pub certain: Option<Action>,
    /// For text that is a secret according to its format and the words around it.
    pub likely: Option<Action>,
    /// For text that may be a secret.
    pub possible: Option<Action>,
    /// For personal data, such as e-mail addresses.
    pub personal: Option<PersonalAction>,
    /// Whether home folders of people are replaced with `~`.
    pub home_folders: Option<bool>,
    /// For findings of single rules, by rule id.
    pub rules: BTreeMap<LocatedText, Action>,
}

/// The action for personal data, which never withholds a conversation.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum PersonalAction {
    /// See [`Action::Redact`].
    Redact,
    /// See [`Action::Warn`].
    Warn,
    /// See [`Action::Off`].
    Off,
}

impl From<PersonalAction> for Action {
    fn from(action: PersonalAction) -> Self {
        match action {
            PersonalAction::Redact => Self::Redact,
            PersonalAction::Warn => Self::Warn,
            PersonalAction::Off => Self::Off,
        }
    }
}

/// The keys of `[gate]`, and of the `gate` of a `[[source]]`.
pub(super) const GATE_KEYS: [&str; 6] =
    ["certain", "likely", "possible", "personal", "home_folders", "rules"];

/// One `[[redact]]`: words that the author removes from all pages.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OwnWords {
    /// Words and phrases, which are matched as whole words; case, accents, escapes and the characters between words
    /// are ignored.
    #[serde(default)]
    pub words: Vec<LocatedText>,
    /// A regular expression.
    #[serde(default)]
    pub pattern: Option<LocatedText>,
    /// The replacement.
    #[serde(default = "redacted")]
    pub with: String,
}

impl OwnWords {
    /// Returns the setting that redacts one word or phrase.
    pub fn word(word: LocatedText) -> Self {
        Self { words: vec![word], pattern: None, with: redacted() }
    }
}

fn redacted() -> String {
    "[redacted]".to_owned()
}

/// The keys of [`OwnWords`].
pub(super) const REDACT_KEYS: [&str; 3] = ["words", "pattern", "with"];

/// Returns the policy in the value of `[gate]`, or its errors.
pub(super) fn policy(
    value: &Spanned<DeValue<'_>>,
    lines: &Lines<'_>,
) -> Result<GatePolicy, Vec<Diagnostic>> {
    let mut policy: GatePolicy = table(value, "[gate]", &GATE_KEYS, &[], lines)?;
    place_rules(&mut policy, value, lines);
    Ok(policy)
}

/// Sets the locations of rule ids.
pub(super) fn place_rules(
    policy: &mut GatePolicy,
    value: &Spanned<DeValue<'_>>,
    lines: &Lines<'_>,
) {
    let rules = value.get_ref().as_table().and_then(|table| table.get("rules"));
    let rules = rules.and_then(|rules| rules.get_ref().as_table());
    let all = std::mem::take(&mut policy.rules).into_iter();
    policy.rules = all
        .map(|(id, action)| {
            let key = rules.and_then(|rules| rules.get_key_value(id.text.as_str()));
            (key.map_or(id.clone(), |(key, _)| id.at(key.span(), lines)), action)
        })
        .collect();
}

/// Returns the values of all `[[redact]]` tables, or their errors.
pub(super) fn own_words(
    value: &Spanned<DeValue<'_>>,
    lines: &Lines<'_>,
) -> Result<Vec<OwnWords>, Vec<Diagnostic>> {
    let DeValue::Array(list) = value.get_ref() else {
        let message = "`redact` must be a list: write `[[redact]]`, with two brackets";
        let note = Note::error("bad-value", value.span(), message);
        return Err(vec![wrong(note, lines, true)]);
    };
    let mut all = Vec::new();
    let mut notes = Vec::new();
    for one in list.iter() {
        let read = table(one, "[[redact]]", &REDACT_KEYS, &["words", "pattern"], lines);
        match read {
            Ok(words) => all.push(placed(words, one, lines)),
            Err(more) => notes.extend(more),
        }
    }
    if notes.is_empty() { Ok(all) } else { Err(notes) }
}

fn placed(mut own: OwnWords, value: &Spanned<DeValue<'_>>, lines: &Lines<'_>) -> OwnWords {
    let get = |key: &str| value.get_ref().as_table().and_then(|table| table.get(key));
    let place = |value: &Spanned<DeValue<'_>>| {
        let mut span = lines.span(value.span());
        span.hide_excerpt();
        Some(Location { file: FILE.to_owned(), span: Some(span) })
    };
    let list = get("words").and_then(|value| value.get_ref().as_array());
    for (word, value) in own.words.iter_mut().zip(list.into_iter().flatten()) {
        word.at = place(value);
    }
    if let (Some(pattern), Some(value)) = (&mut own.pattern, get("pattern")) {
        pattern.at = place(value);
    }
    own
}

/// Reads a table, in which all keys must be known and, unless `needed` is empty, one of `needed` must be present.
fn table<T: DeserializeOwned>(
    value: &Spanned<DeValue<'_>>,
    head: &str,
    keys: &[&str],
    needed: &[&str],
    lines: &Lines<'_>,
) -> Result<T, Vec<Diagnostic>> {
    let hides = head == "[[redact]]";
    let DeValue::Table(table) = value.get_ref() else {
        let message = format!("`{head}` must be a table");
        let note = Note::error("bad-value", value.span(), message);
        return Err(vec![wrong(note, lines, hides)]);
    };
    let mut notes = Vec::new();
    for (key, value) in table {
        let name = key.get_ref().as_ref();
        if !keys.contains(&name) {
            let message = format!("unknown key `{name}` in `{head}`");
            let note = Note::error("unknown-key", key.span(), message);
            notes.push(match closest(name, keys.iter().copied()) {
                Some(near) => note.hint(format!("did you mean `{near}`?")),
                None => note.hint(format!("known keys: `{}`", keys.join("`, `"))),
            });
            continue;
        }
        let mut alone = DeTable::new();
        alone.insert(key.clone(), value.clone());
        if let Err(error) = read::<T>(alone) {
            let at = error.span().filter(|span| !span.is_empty()).unwrap_or(value.span());
            let message = format!("`{name}` of `{head}`: {}", first_line(error.message()));
            notes.push(Note::error("bad-value", at, message));
        }
    }
    if !needed.is_empty() && !needed.iter().any(|key| table.contains_key(*key)) {
        let message = format!("`{head}` needs `{}`", needed.join("` or `"));
        notes.push(Note::error("missing-key", value.span(), message));
    }
    if !notes.is_empty() {
        return Err(notes.into_iter().map(|note| wrong(note, lines, hides)).collect());
    }
    read(table.clone()).map_err(|error| {
        let message = first_line(error.message());
        vec![wrong(Note::error("bad-value", value.span(), message), lines, hides)]
    })
}

/// Returns an error about the table, without an excerpt of the file if `hides`.
fn wrong(note: Note, lines: &Lines<'_>, hides: bool) -> Diagnostic {
    let mut note = note.hint(NOTHING_WRITTEN).locate(FILE, lines);
    let span = note.at.as_mut().and_then(|at| at.span.as_mut());
    if let Some(span) = span.filter(|_| hides) {
        span.hide_excerpt();
    }
    note
}

fn read<T: DeserializeOwned>(table: DeTable<'_>) -> Result<T, toml::de::Error> {
    T::deserialize(Deserializer::from(Spanned::new(0..0, table)))
}

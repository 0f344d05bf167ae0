//! The `[[source]]`s of `site.toml`. One of them may say what is private, so that a slip in any is
//! no matter of defaults: all of it fits, or there is no configuration.

use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::ops::Range;

use serde::Deserialize;
use toml::Spanned;
use toml::de::{DeTable, DeValue, Deserializer};

use super::gate::{self, GatePolicy};
use super::load::{FILE, first_line};
use super::misplaced;
use crate::diag::{Diagnostic, Lines, Location, Note};
use crate::model::Kind;
use crate::text::closest;

/// One `[[source]]`: what files that match a pattern do not say of themselves.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SourceRule {
    /// A pattern of paths below the content folder, such as `podcasts/**/*.md`, or a folder.
    pub files: Placed,
    /// The name of their format.
    #[serde(default)]
    pub format: Option<Placed>,
    /// What speakers are, by their names.
    #[serde(default)]
    pub speakers: BTreeMap<String, Kind>,
    /// The time zone of times that name none.
    #[serde(default)]
    pub time_zone: Option<Placed>,
    /// Words under which their conversations are filed.
    #[serde(default)]
    pub tags: Vec<String>,
    /// Whether they are published, where this is said.
    #[serde(default)]
    pub visibility: Option<Visibility>,
    /// Whether they are passed over: they hold no conversations and are nobody's business.
    #[serde(default)]
    pub ignore: bool,
    /// Whether system prompts are published, which are otherwise left out.
    #[serde(default)]
    pub show_system: bool,
    /// Queries, of which a conversation must meet one to be on the site; none for all of them.
    #[serde(default)]
    pub include: Vec<Placed>,
    /// Queries, of which a conversation on the site meets none.
    #[serde(default)]
    pub exclude: Vec<Placed>,
    /// What becomes of secrets and personal data in them, where that differs from `[gate]`.
    #[serde(default)]
    pub gate: GatePolicy,
    /// Whether search finds them.
    #[serde(default = "yes")]
    pub search: bool,
}

impl SourceRule {
    /// Returns all that it says but what becomes of secrets.
    pub fn without_gate(&self) -> Self {
        Self { gate: GatePolicy::default(), ..self.clone() }
    }
}

fn yes() -> bool {
    true
}

/// The keys of a [`SourceRule`].
pub(super) const KEYS: [&str; 12] = [
    "files",
    "format",
    "speakers",
    "time_zone",
    "tags",
    "visibility",
    "ignore",
    "show_system",
    "include",
    "exclude",
    "gate",
    "search",
];

/// The visibility of conversations.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Visibility {
    /// Those that do not say that they are private.
    Public,
    /// None.
    Private,
}

/// A text of `site.toml`, and its place there, which changes nothing about it.
#[derive(Clone, Debug, Deserialize)]
#[serde(from = "String")]
pub struct Placed {
    /// The text.
    pub text: String,
    /// The place, for a text that was read.
    pub at: Option<Location>,
}

impl From<String> for Placed {
    fn from(text: String) -> Self {
        Self { text, at: None }
    }
}

impl Placed {
    /// Sets its place to that of a value in `site.toml`.
    pub(super) fn at(self, range: Range<usize>, lines: &Lines<'_>) -> Self {
        let span = Some(lines.span(range));
        Self { at: Some(Location { file: FILE.to_owned(), span }), ..self }
    }
}

impl PartialEq for Placed {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text
    }
}

impl Eq for Placed {}

impl PartialOrd for Placed {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Placed {
    fn cmp(&self, other: &Self) -> Ordering {
        self.text.cmp(&other.text)
    }
}

impl std::hash::Hash for Placed {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.text.hash(state);
    }
}

/// The hint for a key that does not exist.
const INSTEAD: &str = "write `visibility = \"private\"` to hold back its conversations, and \
    `ignore = true` to pass over files that hold none";

/// The hint for any error in a `[[source]]`.
pub(super) const NOTHING_WRITTEN: &str =
    "until this is mended nothing is written: it may say what is private";

/// Returns the rules in the value of `source`, or all that is wrong with them.
pub(super) fn rules(
    source: &Spanned<DeValue<'_>>,
    lines: &Lines<'_>,
) -> Result<Vec<SourceRule>, Vec<Diagnostic>> {
    let DeValue::Array(list) = source.get_ref() else {
        let message = "`source` is a list: write `[[source]]`, with two brackets";
        let note = Note::error("bad-value", source.span(), message);
        return Err(vec![note.hint(NOTHING_WRITTEN).locate(FILE, lines)]);
    };
    let mut rules = Vec::new();
    let mut wrong = Vec::new();
    for one in list.iter() {
        match rule(one, lines) {
            Ok(rule) => rules.push(rule),
            Err(notes) => wrong.extend(
                notes
                    .into_iter()
                    .map(|note| note.hint(NOTHING_WRITTEN).locate(FILE, lines)),
            ),
        }
    }
    if wrong.is_empty() { Ok(rules) } else { Err(wrong) }
}

fn rule(one: &Spanned<DeValue<'_>>, lines: &Lines<'_>) -> Result<SourceRule, Vec<Note>> {
    let DeValue::Table(table) = one.get_ref() else {
        let message = "a `[[source]]` is a table with `files` in it";
        return Err(vec![Note::error("bad-value", one.span(), message)]);
    };
    let mut wrong = Vec::new();
    for (key, value) in table {
        let name = key.get_ref().as_ref();
        if !KEYS.contains(&name) {
            let message = format!("unknown key `{name}` in a `[[source]]`");
            let note = Note::error("unknown-key", key.span(), message);
            wrong.push(match closest(name, KEYS) {
                Some(near) => note.hint(format!("did you mean `{near}`?")),
                None if misplaced::chooses_files(name) => note.hint(INSTEAD),
                None => note.hint("keys of the whole site stand above the first `[`"),
            });
            continue;
        }
        // One key at a time, so that all that is wrong is told.
        let mut alone = DeTable::new();
        let files = DeValue::String("*".into());
        alone.insert(Spanned::new(0..0, "files".into()), Spanned::new(0..0, files));
        alone.insert(key.clone(), value.clone());
        if let Err(error) = read(alone) {
            let at = error.span().filter(|span| !span.is_empty()).unwrap_or(value.span());
            let message =
                format!("`{name}` of a `[[source]]`: {}", first_line(error.message()));
            wrong.push(Note::error("bad-value", at, message));
        }
    }
    if !table.contains_key("files") {
        let message = "a `[[source]]` without `files`";
        wrong.push(Note::error("missing-key", one.span(), message));
    }
    if !wrong.is_empty() {
        return Err(wrong);
    }
    let mut rule = read(table.clone()).map_err(|error| {
        let message = first_line(error.message());
        vec![Note::error("bad-value", one.span(), message)]
    })?;
    let place = |key: &str| {
        let span = table.get(key).map(|value| lines.span(value.span()));
        Some(Location { file: FILE.to_owned(), span })
    };
    rule.files.at = place("files");
    for (key, text) in [("format", &mut rule.format), ("time_zone", &mut rule.time_zone)]
    {
        if let Some(text) = text {
            text.at = place(key);
        }
    }
    if let Some(value) = table.get("gate") {
        gate::place_rules(&mut rule.gate, value, lines);
    }
    for (key, queries) in [("include", &mut rule.include), ("exclude", &mut rule.exclude)]
    {
        let list = table.get(key).and_then(|value| value.get_ref().as_array());
        for (query, value) in queries.iter_mut().zip(list.into_iter().flatten()) {
            let span = Some(lines.span(value.span()));
            query.at = Some(Location { file: FILE.to_owned(), span });
        }
    }
    Ok(rule)
}

fn read(table: DeTable<'_>) -> Result<SourceRule, toml::de::Error> {
    SourceRule::deserialize(Deserializer::from(Spanned::new(0..0, table)))
}

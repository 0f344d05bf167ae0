//! The `[people]` of `site.toml`: the names of people, and the names shown on the site.
//!
//! The table can keep names off the site, so that no default can replace a wrong value: any error makes the whole
//! configuration invalid.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use serde::Deserialize;
use toml::Spanned;
use toml::de::{DeTable, DeValue, Deserializer};

use super::located_text::LocatedText;
use super::toml_file::{FILE, first_line};
use crate::diag::{Diagnostic, Lines, Note};
use crate::text::{closest, folded, normalized_name};

/// The people of a site.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct People {
    /// The listed people.
    pub listed: Vec<Person>,
    /// How other people are shown; if unset, participants in channels get pseudonyms.
    pub others: Option<Others>,
}

/// A listed person.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Person {
    /// The name in the list.
    pub name: LocatedText,
    /// Their names and accounts, this name among them.
    pub aliases: Vec<PersonAlias>,
    /// The name shown instead.
    pub shown_as: Option<String>,
    /// Whether a pseudonym replaces all their names.
    pub pseudonym: bool,
    /// A short description.
    pub bio: String,
    /// The URL of their page.
    pub url: String,
    /// Their other pages: titles and URLs.
    pub links: Vec<(String, String)>,
    /// The path of an image in the site folder.
    pub avatar: String,
}

/// A name or an account of a person.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct PersonAlias {
    /// The name, or the account.
    pub name: LocatedText,
    /// The pattern of the files in which the name belongs to them; `None` for all files.
    pub scope: Option<LocatedText>,
}

/// How people who are not listed are shown.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Others {
    /// With their names.
    Keep,
    /// With pseudonyms.
    Pseudonym,
}

/// The table of a person.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PersonTable {
    #[serde(default)]
    names: Vec<Spanned<AliasValue>>,
    #[serde(default, rename = "as")]
    shown_as: Option<String>,
    #[serde(default)]
    pseudonym: bool,
    #[serde(default)]
    bio: String,
    #[serde(default)]
    url: String,
    #[serde(default)]
    links: BTreeMap<String, String>,
    #[serde(default)]
    avatar: String,
}

/// The keys of a [`PersonTable`].
pub(super) const KEYS: [&str; 7] = ["names", "as", "pseudonym", "bio", "url", "links", "avatar"];

#[derive(Deserialize)]
#[serde(untagged)]
enum AliasValue {
    Name(String),
    Scoped(ScopedAlias),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ScopedAlias {
    name: String,
    #[serde(rename = "in")]
    scope: String,
}

/// The hint for any error in `[people]`.
const NOTHING_WRITTEN: &str =
    "nothing is written until this is fixed, as it may keep names off the site";

/// Returns the people in the value of `people`, or its errors.
pub(super) fn people(
    value: &Spanned<DeValue<'_>>,
    lines: &Lines<'_>,
) -> Result<People, Vec<Diagnostic>> {
    let mut people = People::default();
    let mut wrong = Vec::new();
    match value.get_ref() {
        DeValue::Table(table) => {
            for (key, value) in table {
                let name = key.get_ref().as_ref();
                if name == "others" {
                    match read_value(value) {
                        Ok(others) => people.others = Some(others),
                        Err((at, why)) => wrong.push(bad(at, "others", &why)),
                    }
                    continue;
                }
                match person(name, key.span(), value, lines) {
                    Ok(person) => people.listed.push(person),
                    Err(notes) => wrong.extend(notes),
                }
            }
        }
        _ => {
            let message = "`people` must be a table: write `[people]`, with single brackets";
            wrong.push(Note::error("bad-value", value.span(), message));
        }
    }
    let mut wrong: Vec<Diagnostic> =
        wrong.into_iter().map(|note| note.hint(NOTHING_WRITTEN).locate(FILE, lines)).collect();
    wrong.extend(conflicts(&people).map(|note| note.hint(NOTHING_WRITTEN)));
    if wrong.is_empty() { Ok(people) } else { Err(wrong) }
}

fn person(
    name: &str,
    at: Range<usize>,
    value: &Spanned<DeValue<'_>>,
    lines: &Lines<'_>,
) -> Result<Person, Vec<Note>> {
    let mut wrong = Vec::new();
    let mut table = PersonTable {
        names: Vec::new(),
        shown_as: None,
        pseudonym: false,
        bio: String::new(),
        url: String::new(),
        links: BTreeMap::new(),
        avatar: String::new(),
    };
    match value.get_ref() {
        DeValue::Array(_) => match read_value(value) {
            Ok(names) => table.names = names,
            Err((at, why)) => wrong.push(bad(at, name, &why).hint(LIST)),
        },
        DeValue::Table(inside) => {
            let unknown = inside.keys().filter(|key| !KEYS.contains(&key.get_ref().as_ref()));
            for key in unknown {
                let message = format!("unknown key `{}` for a person", key.get_ref());
                let note = Note::error("unknown-key", key.span(), message);
                wrong.push(match closest(key.get_ref(), KEYS) {
                    Some(near) => note.hint(format!("did you mean `{near}`?")),
                    None => note.hint(format!("known keys: {}", KEYS.join(", "))),
                });
            }
            if wrong.is_empty() {
                match read_value(value) {
                    Ok(read) => table = read,
                    Err((at, why)) => wrong.push(bad(at, name, &why).hint(LIST)),
                }
            }
        }
        _ => {
            let message = format!("`{name}` must be a list of names or a table");
            wrong.push(Note::error("bad-value", value.span(), message).hint(LIST));
        }
    }
    let mut aliases = vec![PersonAlias {
        name: LocatedText::from(name.to_owned()).at(at.clone(), lines),
        scope: None,
    }];
    for alias in std::mem::take(&mut table.names) {
        let span = alias.span();
        let (text, scope) = match alias.into_inner() {
            AliasValue::Name(text) => (text, None),
            AliasValue::Scoped(ScopedAlias { name, scope }) => {
                (name, Some(LocatedText::from(scope).at(span.clone(), lines)))
            }
        };
        if text.trim().is_empty() {
            wrong.push(Note::error("bad-value", span.clone(), "empty name"));
        }
        let name = LocatedText::from(text.trim().to_owned()).at(span, lines);
        aliases.push(PersonAlias { name, scope });
    }
    if name.trim().is_empty() {
        wrong.push(Note::error("bad-value", at.clone(), "empty name"));
    }
    let shown_as = table.shown_as.map(|shown| shown.trim().to_owned());
    if shown_as.as_deref() == Some("") {
        let message = format!("empty `as` for `{name}`");
        wrong.push(Note::error("bad-value", value.span(), message));
    }
    let url = table.url;
    let one = std::iter::once(("url", &url)).filter(|(_, url)| !url.is_empty());
    for (key, url) in one.chain(table.links.values().map(|url| ("links", url))) {
        if !["https://", "http://"].iter().any(|start| url.starts_with(start)) {
            let message = format!("`{key}` of `{name}` is not a URL");
            let note = Note::error("bad-value", value.span(), message);
            wrong.push(note.hint("use a URL that starts with `https://`"));
        }
    }
    let revealing = [
        ("url", !url.is_empty()),
        ("links", !table.links.is_empty()),
        ("bio", names_one_of(&table.bio, name, &aliases)),
    ];
    for (key, _) in revealing.into_iter().filter(|(_, reports)| table.pseudonym && *reports) {
        let message = format!("`{name}` has a pseudonym and a `{key}`, which reveals the person");
        let note = Note::error("bad-value", value.span(), message);
        wrong.push(note.hint("remove one of the two"));
    }
    if !wrong.is_empty() {
        return Err(wrong);
    }
    Ok(Person {
        name: LocatedText::from(name.to_owned()).at(at, lines),
        aliases,
        shown_as,
        pseudonym: table.pseudonym,
        bio: table.bio.trim().to_owned(),
        url,
        links: table.links.into_iter().collect(),
        avatar: table.avatar,
    })
}

const LIST: &str = "write a list such as `\"Ada\" = [\"ada@example.org\", { name = \"User\", in = \
    \"exports\" }]`, or a table `[people.\"Ada\"]`";

fn bad(at: Range<usize>, name: &str, why: &str) -> Note {
    Note::error("bad-value", at, format!("`{name}` of `people`: {why}"))
}

/// Reports names that belong to two people.
fn conflicts(people: &People) -> impl Iterator<Item = Diagnostic> {
    let mut notes = Vec::new();
    let mut owners: BTreeMap<(String, Option<&LocatedText>), &str> = BTreeMap::new();
    let mut shown: BTreeSet<&str> = BTreeSet::new();
    for person in &people.listed {
        let name = person.name.text.as_str();
        let mut report = |message: String, at: &LocatedText| {
            let note = Note::error("bad-value", 0..0, message);
            let note = note.locate(FILE, &Lines::new(""));
            notes.push(Diagnostic { at: at.at.clone(), ..note });
        };
        for PersonAlias { name: alias, scope } in &person.aliases {
            let key = (normalized_name(&alias.text), scope.as_ref());
            let owner = owners.entry(key).or_insert(name);
            if *owner != name {
                report(format!("`{}` is a name of both `{owner}` and `{name}`", alias.text), alias);
            }
        }
        let as_whom = person.shown_as.as_deref().unwrap_or(name);
        let is_shown = person.shown_as.is_some() || !person.pseudonym;
        if is_shown && !shown.insert(as_whom) {
            report(format!("two people are shown as `{as_whom}`"), &person.name);
        }
    }
    notes.into_iter()
}

fn read_value<T: for<'de> Deserialize<'de>>(
    value: &Spanned<DeValue<'_>>,
) -> Result<T, (Range<usize>, String)> {
    // Wrapping the value in a table makes errors include their location.
    #[derive(Deserialize)]
    struct Only<T> {
        value: T,
    }
    let mut table = DeTable::new();
    table.insert(Spanned::new(0..0, "value".into()), value.clone());
    Only::<T>::deserialize(Deserializer::from(Spanned::new(0..0, table)))
        .map(|only| only.value)
        .map_err(|error| {
            let at = error.span().filter(|at| !at.is_empty()).unwrap_or(value.span());
            (at, first_line(error.message()))
        })
}

/// Returns whether a text contains a word of a person's names.
fn names_one_of(text: &str, name: &str, aliases: &[PersonAlias]) -> bool {
    let text = folded(text);
    let all = std::iter::once(name).chain(aliases.iter().map(|one| &*one.name.text));
    let mut words = all.flat_map(str::split_whitespace).map(folded);
    words.any(|word| word.chars().count() > 2 && text.contains(&word))
}

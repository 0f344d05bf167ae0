//! The `[people]` of `site.toml`: who is one person under several names, and who is shown under
//! another one. Such a line keeps names off the site, so that a slip in any is no matter of
//! defaults: all of it fits, or there is no configuration.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use serde::Deserialize;
use toml::Spanned;
use toml::de::{DeTable, DeValue, Deserializer};

use super::placed::Placed;
use super::toml_file::{FILE, first_line};
use crate::diag::{Diagnostic, Lines, Note};
use crate::text::{closest, folded, normalized_name};

/// What is known of people.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct People {
    /// Those who are listed.
    pub listed: Vec<Person>,
    /// What becomes of everybody else; where it is not said, those who write to each other in a
    /// channel get made-up names.
    pub others: Option<Others>,
}

/// A person of the list.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Person {
    /// The name under which the list has them.
    pub name: Placed,
    /// Their names and accounts, this name among them.
    pub aliases: Vec<PersonAlias>,
    /// What readers see in place of the name.
    pub shown_as: Option<String>,
    /// Whether none of their names may be on the site.
    pub pseudonym: bool,
    /// A sentence or two on who they are.
    pub bio: String,
    /// The address of a page of theirs.
    pub url: String,
    /// Other pages of theirs: what they are called, and their addresses.
    pub links: Vec<(String, String)>,
    /// The path of a picture in the site folder.
    pub avatar: String,
}

/// A name or an account of a person.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct PersonAlias {
    /// The name, or the account.
    pub name: Placed,
    /// The pattern of the files in which it is theirs; everywhere where there is none.
    pub scope: Option<Placed>,
}

/// What becomes of the people who are not listed.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Others {
    /// They keep their names.
    Keep,
    /// Each is shown under a made-up name.
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
    "until this is mended nothing is written: it may say which names are not to be on the site";

/// Returns the people in the value of `people`, or all that is wrong with them.
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
            let message = "`people` is a table: write `[people]`, with one bracket";
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
                let message = format!("unknown key `{}` of a person", key.get_ref());
                let note = Note::error("unknown-key", key.span(), message);
                wrong.push(match closest(key.get_ref(), KEYS) {
                    Some(near) => note.hint(format!("did you mean `{near}`?")),
                    None => note.hint(format!("it has: {}", KEYS.join(", "))),
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
            let message = format!("`{name}` is no list of names and no table");
            wrong.push(Note::error("bad-value", value.span(), message).hint(LIST));
        }
    }
    let mut aliases = vec![PersonAlias {
        name: Placed::from(name.to_owned()).at(at.clone(), lines),
        scope: None,
    }];
    for alias in std::mem::take(&mut table.names) {
        let span = alias.span();
        let (text, scope) = match alias.into_inner() {
            AliasValue::Name(text) => (text, None),
            AliasValue::Scoped(ScopedAlias { name, scope }) => {
                (name, Some(Placed::from(scope).at(span.clone(), lines)))
            }
        };
        if text.trim().is_empty() {
            wrong.push(Note::error("bad-value", span.clone(), "a name is empty"));
        }
        let name = Placed::from(text.trim().to_owned()).at(span, lines);
        aliases.push(PersonAlias { name, scope });
    }
    if name.trim().is_empty() {
        wrong.push(Note::error("bad-value", at.clone(), "a name is empty"));
    }
    let shown_as = table.shown_as.map(|shown| shown.trim().to_owned());
    if shown_as.as_deref() == Some("") {
        let message = format!("`as` of `{name}` is empty");
        wrong.push(Note::error("bad-value", value.span(), message));
    }
    let url = table.url;
    let one = std::iter::once(("url", &url)).filter(|(_, url)| !url.is_empty());
    for (key, url) in one.chain(table.links.values().map(|url| ("links", url))) {
        if !["https://", "http://"].iter().any(|start| url.starts_with(start)) {
            let message = format!("`{key}` of `{name}` is no address");
            let note = Note::error("bad-value", value.span(), message);
            wrong.push(note.hint("write one that starts with `https://`"));
        }
    }
    let telling = [
        ("url", !url.is_empty()),
        ("links", !table.links.is_empty()),
        ("bio", names_one_of(&table.bio, name, &aliases)),
    ];
    for (key, _) in telling.into_iter().filter(|(_, tells)| table.pseudonym && *tells) {
        let message = format!("`{name}` has a made-up name and a `{key}`, which tells who it is");
        let note = Note::error("bad-value", value.span(), message);
        wrong.push(note.hint("take one of the two away"));
    }
    if !wrong.is_empty() {
        return Err(wrong);
    }
    Ok(Person {
        name: Placed::from(name.to_owned()).at(at, lines),
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

/// Finds names that are two people's.
fn conflicts(people: &People) -> impl Iterator<Item = Diagnostic> {
    let mut notes = Vec::new();
    let mut owners: BTreeMap<(String, Option<&Placed>), &str> = BTreeMap::new();
    let mut shown: BTreeSet<&str> = BTreeSet::new();
    for person in &people.listed {
        let name = person.name.text.as_str();
        let mut tell = |message: String, at: &Placed| {
            let note = Note::error("bad-value", 0..0, message);
            let note = note.locate(FILE, &Lines::new(""));
            notes.push(Diagnostic { at: at.at.clone(), ..note });
        };
        for PersonAlias { name: alias, scope } in &person.aliases {
            let key = (normalized_name(&alias.text), scope.as_ref());
            let owner = owners.entry(key).or_insert(name);
            if *owner != name {
                tell(format!("`{}` is a name of `{owner}` and of `{name}`", alias.text), alias);
            }
        }
        let as_whom = person.shown_as.as_deref().unwrap_or(name);
        let is_shown = person.shown_as.is_some() || !person.pseudonym;
        if is_shown && !shown.insert(as_whom) {
            tell(format!("two people are shown as `{as_whom}`"), &person.name);
        }
    }
    notes.into_iter()
}

fn read_value<T: for<'de> Deserialize<'de>>(
    value: &Spanned<DeValue<'_>>,
) -> Result<T, (Range<usize>, String)> {
    // A value is read as that of a key, whose place is then known.
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

/// Returns whether a text has a name of somebody in it, or a word of one.
fn names_one_of(text: &str, name: &str, aliases: &[PersonAlias]) -> bool {
    let text = folded(text);
    let all = std::iter::once(name).chain(aliases.iter().map(|one| &*one.name.text));
    let mut words = all.flat_map(str::split_whitespace).map(folded);
    words.any(|word| word.chars().count() > 2 && text.contains(&word))
}

//! People: merges all names and accounts of a person into one speaker, and replaces names with pseudonyms.
//!
//! This runs before anything else sees a conversation, so everything derived from it has the new names.
//! Names of listed people are found in every text; names of other people are found in the conversations in
//! which they take part. Pseudonyms are made from a secret of the site ([`KEY_FILE`]); without it, nobody
//! can find the real name by trying names.

mod email_names;
mod encoded;
mod found;
mod pseudonym;
mod mailboxes;
mod name_parts;
mod names;
mod similar;
mod others;
mod renaming;
mod context;
mod vocabulary;
mod words;

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use self::names::{Names, NamesBuilder, Presence, replace};
use self::others::Other;
use self::pseudonym::Pseudonym;
use self::renaming::Renaming;
use self::similar::Near;
use self::vocabulary::Vocabulary;
pub use self::words::is_role;
use crate::config::{Config, LocatedText, Others, Person};
use crate::diag::{Diagnostic, Severity, WithNotes};
use crate::files::Files;
use crate::hash::Hash;
use crate::model::{Conversation, TextRole};
use crate::path::RelPath;
use crate::rendered_text::TooManyWords;
use crate::text::normalized_name;

/// The file in the site folder with the secret from which pseudonyms are made.
pub const KEY_FILE: &str = "people.key";

/// The environment variable that may contain the secret instead of the file.
pub const KEY_VARIABLE: &str = "CONVO_SITE_PEOPLE_KEY";

/// The diagnostic code for a missing secret.
pub const MISSING_KEY: &str = "missing-people-key";

/// Reads the secret if the configuration needs one. If it is missing, uses a fallback and reports that.
pub fn key_or(
    files: &dyn Files,
    config: &Config,
    fallback: Option<Hash>,
) -> Result<WithNotes<Option<Hash>>, Box<Diagnostic>> {
    match (key(files, config), fallback) {
        (Err(note), Some(_)) if note.code == MISSING_KEY => {
            let message = format!("`{KEY_FILE}` is missing, so pseudonyms change with every run");
            let hint = "run `convo-site build` to create it";
            let note = Diagnostic::new(Severity::Warning, MISSING_KEY, message).hint(hint);
            let at = Some(config.places.of("people"));
            Ok(WithNotes { value: fallback, notes: vec![Diagnostic { at, ..note }] })
        }
        (key, _) => Ok(WithNotes { value: key?, notes: Vec::new() }),
    }
}

/// Reads the secret if the configuration needs one.
fn key(files: &dyn Files, config: &Config) -> Result<Option<Hash>, Box<Diagnostic>> {
    if !config.uses_pseudonyms() {
        return Ok(None);
    }
    let at = Some(config.places.of("people"));
    let Ok(bytes) = files.read(&RelPath::new(KEY_FILE)) else {
        let message = format!("pseudonyms are made from `{KEY_FILE}`, which is missing");
        let note = Diagnostic::new(Severity::Error, MISSING_KEY, message);
        let hint = "run `convo-site build` to create it; if there was one, restore it, or \
                    everyone gets a different pseudonym";
        let note = note.hint(hint).hint(format!(
            "on a server without this file, set the variable `{KEY_VARIABLE}` to its contents"
        ));
        return Err(Box::new(Diagnostic { at, ..note }));
    };
    let key = std::str::from_utf8(&bytes).ok().and_then(|text| Hash::from_hex(text.trim()));
    key.map(Some).ok_or_else(|| {
        let message = "expected a key of 32 hexadecimal digits";
        let note = Diagnostic::new(Severity::Error, "bad-value", message).in_file(KEY_FILE);
        Box::new(
            note.hint("restore the original file; if it is lost, delete this one and build again"),
        )
    })
}

/// Returns a warning for each name that gets a pseudonym and is also an everyday word, because it is
/// replaced wherever it starts with a capital letter.
pub fn everyday_names(config: &Config) -> Vec<Diagnostic> {
    let people = config.people.listed.iter().filter(|person| person.pseudonym);
    let aliases = people.flat_map(|person| &person.aliases);
    let everyday = aliases
        .filter(|alias| alias.scope.is_none() && words::is_everyday_name(alias.name.text.trim()));
    let notes = everyday.map(|alias| {
        let name = alias.name.text.trim();
        let message = format!(
            "`{name}` is also an everyday word; in text, it is replaced wherever it is capitalised"
        );
        let note = Diagnostic::new(Severity::Warning, "everyday-name", message);
        let note = note.hint(format!(
            "if it is the name of a speaker, limit it to certain files: `{{ name = \"{name}\", in = \
             \"chats\" }}`"
        ));
        let note = note.hint(
            "otherwise, list only full names: parts of names that are everyday words are kept",
        );
        Diagnostic { at: alias.name.at.clone(), ..note }
    });
    notes.collect()
}

/// Returns an error for each text in `site.toml` that names a person with a pseudonym, because every page
/// would show it.
pub fn named_by_site(config: &Config) -> Vec<Diagnostic> {
    let people = match People::new(config) {
        Ok(people) => people,
        Err(note) => return vec![*note],
    };
    let mut revealing: BTreeSet<&str> = BTreeSet::new();
    config.clone().for_each_shown_text(&mut |key, text| {
        if people.mentions_name(text) {
            revealing.insert(key);
        }
    });
    let notes = revealing.into_iter().map(|key| {
        let message = format!("`{key}` names a person who has a pseudonym");
        let note = Diagnostic::new(Severity::Error, "bad-value", message);
        let note = note.hint("use the pseudonym or a different name");
        let note =
            note.hint("nothing is written until this is fixed, because it reveals who that is");
        Diagnostic { at: Some(config.places.of(key)), ..note }
    });
    notes.collect()
}

/// Returns the person whom readers see under a name, with the index in the list.
pub fn shown_as<'a>(config: &'a Config, name: &str) -> Option<(usize, &'a Person)> {
    let is_shown = |person: &Person| match &person.shown_as {
        Some(shown) => shown == name,
        None if person.pseudonym => {
            let key = config.people_key.unwrap_or(NO_KEY);
            Pseudonym::of(key, person).whole == name
        }
        None => person.name.text == name,
    };
    config.people.listed.iter().enumerate().find(|(_, person)| is_shown(person))
}

/// The readable names of a file.
#[derive(Clone, Copy)]
pub struct FileNames<'a> {
    /// The title for readers if there is no better one.
    pub title: &'a str,
    /// The path in reports.
    pub label: &'a str,
}

/// Decodes bytes to text, whatever the encoding; `None` if they are not text.
pub type TextOf = fn(&[u8]) -> Option<Cow<'_, str>>;

/// The configuration of people, ready to be applied to conversations.
#[derive(Clone, Debug, Default)]
pub struct People {
    /// Listed people, by name and by the index of the file pattern to which the name is limited.
    by_name: HashMap<(String, Option<usize>), Listed>,
    /// The file patterns.
    scopes: Vec<LocatedText>,
    /// The names of listed people that are replaced in texts.
    names: Arc<Names>,
    /// The names of people who keep their names.
    kept: BTreeSet<String>,
    others: Option<Others>,
    key: Option<Hash>,
}

/// How readers see a listed person.
#[derive(Clone, Debug)]
struct Listed {
    shown: String,
    is_pseudonym: bool,
}

impl People {
    /// Compiles the configuration. Returns an error if it has too many names.
    pub fn new(config: &Config) -> Result<Self, Box<Diagnostic>> {
        let mut people =
            Self { others: config.people.others, key: config.people_key, ..Self::default() };
        let listed = &config.people.listed;
        for person in listed.iter().filter(|person| !person.pseudonym) {
            let aliases = person.aliases.iter().map(|alias| alias.name.text.as_str());
            people.kept.extend(aliases.chain(person.shown_as.as_deref()).map(normalized_name));
        }
        let mut names = NamesBuilder::default();
        for person in listed {
            let made_up = person.pseudonym.then(|| match &person.shown_as {
                Some(chosen) => Pseudonym::chosen(chosen),
                None => Pseudonym::of(people.key.unwrap_or(NO_KEY), person),
            });
            let shown = match &made_up {
                Some(made_up) => made_up.whole.clone(),
                None => person.shown_as.as_ref().unwrap_or(&person.name.text).clone(),
            };
            for alias in &person.aliases {
                let scope = alias.scope.as_ref().map(|pattern| people.scope(pattern));
                if let Some(made_up) = &made_up {
                    let kept = |part: &str| people.kept.contains(&normalized_name(part));
                    names.add(&alias.name.text, made_up, Presence::Writes, scope, &kept);
                }
                let key = (identity(&alias.name.text), scope);
                let is_made_up = made_up.is_some();
                let shown = shown.clone();
                people.by_name.entry(key).or_insert(Listed { shown, is_pseudonym: is_made_up });
            }
        }
        people.names = Arc::new(names.finish().map_err(|TooManyWords| {
            let message = "too many names to search for";
            let note = Diagnostic::new(Severity::Error, "bad-value", message);
            let hint =
                "nothing is written until there are fewer, because real names would be published";
            let at = Some(config.places.of("people"));
            Box::new(Diagnostic { at, ..note.hint(hint) })
        })?);
        Ok(people)
    }

    /// Returns whether there is nothing to change in a conversation of this kind.
    pub fn is_empty(&self, read: &Conversation) -> bool {
        self.by_name.is_empty() && !self.renames_others(read)
    }

    /// Returns whether people who are not listed get pseudonyms.
    pub fn renames_others(&self, read: &Conversation) -> bool {
        match self.others {
            Some(others) => others == Others::Pseudonym,
            None => read.channel.is_some(),
        }
    }

    /// Returns whether people who are not listed should get pseudonyms, but the secret to make them from is missing.
    pub fn cannot_rename(&self, read: &Conversation) -> bool {
        self.key.is_none() && self.renames_others(read)
    }

    /// Returns the hashes of the ids of a conversation: of that in the source, and for a channel of that which readers
    /// see.
    pub fn ids_of(&self, read: &Conversation) -> Vec<Hash> {
        let of_channel = read.id.as_ref().filter(|_| read.channel.is_some());
        let shown = self.key.zip(of_channel).map(|(key, id)| renaming::channel_id(key, id));
        read.id.iter().map(|id| Hash::of(&**id)).chain(shown.map(|id| Hash::of(&*id))).collect()
    }

    /// Returns the file patterns to which names are limited.
    pub fn scopes(&self) -> &[LocatedText] {
        &self.scopes
    }

    /// Renames people in the conversations of a file and in the diagnostics about it. `in_scope` contains
    /// whether each file pattern matches the file. `text_of` decodes files. Conversations in which a real
    /// name may remain are removed and reported.
    pub fn apply(
        &self,
        in_scope: &[bool],
        file: FileNames<'_>,
        conversations: &mut Vec<Conversation>,
        notes: &mut Vec<Diagnostic>,
        text_of: TextOf,
    ) {
        let mut all: BTreeMap<String, Other> = BTreeMap::new();
        let kept = |part: &str| self.kept.contains(&normalized_name(part));
        let mut is_withheld = false;
        let mut near = Near::default();
        conversations.retain_mut(|read| {
            let others = self.others_of(in_scope, read);
            let mut builder = NamesBuilder::default();
            let vocabulary = Vocabulary::of(read, &others);
            for other in others.iter().filter(|other| vocabulary.may_have(&other.name)) {
                builder.add(&other.name, &other.made_up, other.presence, None, &kept);
            }
            let Ok(names) = builder.finish() else {
                is_withheld = true;
                return false;
            };
            if !notes.is_empty() {
                all.extend(others.iter().map(|one| (one.name.clone(), one.clone())));
            }
            let sure = others.iter().filter(|other| other.is_sure());
            read.hidden_names = sure.map(|other| other.name.clone()).collect();
            let mut by_name: HashMap<String, Listed> = HashMap::new();
            for Other { name, made_up, .. } in others {
                let listed = Listed { shown: made_up.whole, is_pseudonym: true };
                by_name.entry(identity(&name)).or_insert(listed);
            }
            let renaming = Renaming { people: self, in_scope, others: by_name, names, text_of };
            near.add(renaming.apply(file, read));
            true
        });
        if !notes.is_empty() {
            let mut reported = NamesBuilder::default();
            for Other { name, made_up, presence } in all.values() {
                reported.add(name, made_up, *presence, None, &kept);
            }
            match reported.finish() {
                Ok(reported) => self.rename_in_notes(&reported, in_scope, notes),
                // Existing diagnostics may contain names.
                Err(TooManyWords) => {
                    is_withheld = true;
                    notes.clear();
                }
            }
        }
        if is_withheld {
            let message = "this conversation has too many speakers to search for their names";
            let note = Diagnostic::new(Severity::Error, "too-large", message);
            let hint = "the conversation is not published; split it, or keep the names of its \
                        people";
            notes.push(note.hint(hint));
        }
        notes.extend(near.note());
    }

    fn rename_in_notes(&self, listed: &Names, in_scope: &[bool], notes: &mut [Diagnostic]) {
        let replace = |text: &mut String| {
            let all = [&*self.names, listed];
            replace(text, TextRole::Shown, &all, in_scope).is_changed
        };
        for note in notes {
            replace(&mut note.message);
            note.hints.iter_mut().for_each(|hint| _ = replace(hint));
            let Some(at) = &mut note.at else { continue };
            replace(&mut at.file);
            if let Some(span) = &mut at.span
                && replace(&mut span.excerpt)
            {
                // The columns are those of the original text, and an excerpt without them would be useless.
                span.excerpt.clear();
                span.end_column = span.column;
            }
        }
    }

    /// Returns whether a text contains a name that must not be published, whatever file pattern it is
    /// limited to.
    pub fn mentions_name(&self, text: &str) -> bool {
        self.names.are_in(text, &vec![true; self.scopes.len()])
    }

    /// Returns whether a text contains a name that must not be published and is not limited to a file
    /// pattern.
    pub fn mentions_unscoped_name(&self, text: &str) -> bool {
        self.names.are_in(text, &[])
    }

    /// Replaces names that must not be published in the text of a report, and the names of `others` with
    /// "someone".
    pub fn replace_in_report(&self, text: &mut String, others: Option<&NameFinder>) -> bool {
        let in_scope = vec![true; self.scopes.len()];
        let listed = [&*self.names].into_iter();
        let all: Vec<&Names> = listed.chain(others.map(|others| &others.0)).collect();
        replace(text, TextRole::Shown, &all, &in_scope).is_changed
    }

    /// Returns a finder for the names of people who are not listed; `None` if there are too many.
    pub fn finder(&self, names: &[String]) -> Option<NameFinder> {
        let kept = |part: &str| self.kept.contains(&normalized_name(part));
        let mut builder = NamesBuilder::default();
        let someone = Pseudonym::chosen(SOMEONE);
        let presence = Presence::Writes;
        names.iter().for_each(|name| builder.add(name, &someone, presence, None, &kept));
        builder.finish().ok().map(NameFinder)
    }

    /// Returns the index of a file pattern, and adds it if it is new.
    fn scope(&mut self, pattern: &LocatedText) -> usize {
        self.scopes.iter().position(|known| known == pattern).unwrap_or_else(|| {
            self.scopes.push(pattern.clone());
            self.scopes.len() - 1
        })
    }

    fn listed(&self, in_scope: &[bool], name: &str) -> Option<&Listed> {
        let name = identity(name);
        let scoped = in_scope.iter().enumerate().filter(|(_, fits)| **fits);
        let scopes = scoped.map(|(scope, _)| Some(scope)).chain([None]);
        let mut key = (name, None);
        scopes.into_iter().find_map(|scope| {
            key.1 = scope;
            self.by_name.get(&key)
        })
    }
}

/// The name in reports for people who are not listed.
const SOMEONE: &str = "someone";

/// Finds the names of some people in texts.
pub struct NameFinder(Names);

impl NameFinder {
    /// Returns whether a text contains one of the names.
    pub fn is_in(&self, text: &str) -> bool {
        self.0.are_in(text, &[])
    }
}

/// A placeholder: pseudonyms are made only if there is a key, so this one is never used.
const NO_KEY: Hash = Hash::ZERO;

/// Normalises the name of a speaker, so that different spellings compare as equal.
fn identity(name: &str) -> String {
    normalized_name(name.trim().trim_start_matches('@'))
}

//! Findings and the diagnostics about them.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use crate::config::Action;
use crate::diag::{Diagnostic, Location, Severity};
use crate::hash::Hash;
use crate::secrets;
use crate::text::{InternedStr, grouped, interned, plural};

/// The rule id for words of a `[[redact]]`.
pub(super) const OWN_RULE: &str = "own-word";
/// The rule id for values of environment files.
pub(super) const ENV_RULE: &str = "env-value";

/// A secret, or other text that the gate searches for, with all its occurrences in one conversation.
/// Contains at most a few characters of the secret.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Finding {
    /// The id of the rule that found it.
    #[serde(deserialize_with = "interned")]
    pub rule: InternedStr,
    /// A readable name, such as `GitHub token`.
    pub name: String,
    /// The kind.
    pub kind: FindingKind,
    /// How certain the rule is: `certain`, `likely` or `possible`.
    #[serde(deserialize_with = "interned")]
    pub tier: InternedStr,
    /// The action to take.
    pub action: Action,
    /// The hash of the secret, under the key of the baseline.
    pub secret: Hash,
    /// At most the first four and the last two characters.
    pub preview: String,
    /// The number of occurrences in the conversation.
    pub places: u64,
    /// The location of the first occurrence.
    pub at: Location,
    /// The id of the conversation, or its file if it has none.
    pub conversation: String,
}

/// The kind of a finding.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum FindingKind {
    /// A credential that gives access to something.
    Secret,
    /// Personal data.
    Personal,
    /// A word of the author's `[[redact]]`.
    Own,
}

impl Finding {
    /// Merges this finding into findings of the same conversation.
    pub fn add_to(self, all: &mut Vec<Self>) {
        let is_same = |known: &&mut Self| (known.rule, known.secret) == (self.rule, self.secret);
        match all.iter_mut().find(is_same) {
            Some(known) => {
                known.places += self.places;
                known.action = known.action.min(self.action);
            }
            None => all.push(self),
        }
    }
}

/// The maximum number of warnings for one rule.
const MAX_WARNINGS: usize = 20;
/// The maximum number of files named for one secret.
const MAX_FILES: usize = 5;

/// The findings of one secret in all conversations.
struct Group<'a> {
    first: &'a Finding,
    places: u64,
    conversations: BTreeSet<(&'a str, &'a str)>,
    files: BTreeSet<&'a str>,
    secrets: BTreeSet<Hash>,
}

impl<'a> Group<'a> {
    fn add(
        groups: &mut BTreeMap<(Action, &'a str, Hash), Self>,
        key: (Action, &'a str, Hash),
        found: &'a Finding,
    ) {
        let group = groups.entry(key).or_insert_with(|| Self {
            first: found,
            places: 0,
            conversations: BTreeSet::new(),
            files: BTreeSet::new(),
            secrets: BTreeSet::new(),
        });
        if found.at < group.first.at {
            group.first = found;
        }
        group.places = group.places.saturating_add(found.places);
        group.conversations.insert((&found.at.file, &found.conversation));
        group.files.insert(&found.at.file);
        group.secrets.insert(found.secret);
    }

    /// Returns ` in 500 places of 3 conversations`, or nothing for a single occurrence.
    fn places(&self) -> String {
        let places = plural(self.places, "place", "places");
        match self.conversations.len() as u64 {
            0 | 1 if self.places == 1 => String::new(),
            0 | 1 => format!(" in {places}"),
            count => format!(" in {places} of {} conversations", grouped(count)),
        }
    }

    /// Returns a list of the other files that contain the secret.
    fn other_files(&self) -> Option<String> {
        let others = || self.files.iter().filter(|file| **file != self.first.at.file);
        let count = others().count();
        let names: Vec<String> = others().take(MAX_FILES).map(|file| format!("`{file}`")).collect();
        let more = count.saturating_sub(MAX_FILES) as u64;
        (count > 0).then(|| match more {
            0 => format!("also found in {}", names.join(", ")),
            _ => format!("also found in {} and {} more", names.join(", "), grouped(more)),
        })
    }
}

/// Returns the diagnostics for findings. Each secret is reported once, however many files contain it.
pub fn notes(findings: &[Finding]) -> Vec<Diagnostic> {
    let mut groups = BTreeMap::new();
    for found in findings {
        // Intended redactions, and findings that are not secrets, are reported once per rule.
        let alone = found.kind == FindingKind::Secret
            && matches!(found.action, Action::Hold | Action::Warn);
        let secret = if alone { found.secret } else { Hash::of(&()) };
        Group::add(&mut groups, (found.action, found.rule, secret), found);
    }
    let mut notes = Vec::new();
    let mut warned: BTreeMap<&str, usize> = BTreeMap::new();
    for ((action, rule, _), group) in &groups {
        let note = match (action, group.first.kind) {
            (Action::Hold, _) => held(group),
            (Action::Warn, FindingKind::Secret) => {
                let count = warned.entry(rule).or_default();
                *count += 1;
                if *count > MAX_WARNINGS {
                    continue;
                }
                warning(group)
            }
            (Action::Warn, _) => personal(group),
            (Action::Redact, _) => redacted(group),
            (Action::Off, _) => continue,
        };
        notes.push(Diagnostic { at: Some(group.first.at.clone()), ..note });
    }
    for (rule, count) in warned {
        if count > MAX_WARNINGS {
            let more = grouped((count - MAX_WARNINGS) as u64);
            let message = format!("possible secrets that are not shown (`{rule}`): {more}");
            let note = Diagnostic::new(Severity::Warning, "secret-found", message);
            notes.push(note.hint("list them all with `convo-site review`"));
        }
    }
    notes
}

const REVOKE: &str = "first revoke the key with its issuer; redacting does not revoke it";

/// Returns a label such as `` `ghp_…9x` (GitHub token)``.
fn shown(group: &Group<'_>) -> String {
    let Finding { name, preview, .. } = group.first;
    match preview.as_str() {
        "" => format!("({name})"),
        preview => format!("`{preview}` ({name})"),
    }
}

fn held(group: &Group<'_>) -> Diagnostic {
    if group.first.kind == FindingKind::Own {
        let places = group.places();
        let message = format!(
            "a word of `[[redact]]` would still be visible{places}: the conversation is withheld"
        );
        let note = Diagnostic::new(Severity::Error, "secret-held", message);
        return note
            .hint("in the conversation, write the word without links or other markup inside it");
    }
    let held = match group.conversations.len() {
        0 | 1 => "the conversation is withheld",
        _ => "these conversations are withheld",
    };
    let message = format!("found a secret: {}{}; {held}", shown(group), group.places());
    let note = Diagnostic::new(Severity::Error, "secret-held", message).hint(REVOKE);
    let note = note.hint(match group.first.rule {
        ENV_RULE => "then redact it: set `certain = \"redact\"` in `[gate]` of site.toml, or run \
                      `convo-site review`"
            .to_owned(),
        rule => format!(
            "then redact it: set `{rule} = \"redact\"` in `[gate.rules]` of site.toml, or run \
             `convo-site review` to redact or accept it"
        ),
    });
    match group.other_files() {
        Some(files) => note.hint(files),
        None => note,
    }
}

fn warning(group: &Group<'_>) -> Diagnostic {
    let message = format!("possible secret: {}{}; it is published", shown(group), group.places());
    let note = Diagnostic::new(Severity::Warning, "secret-found", message).hint(REVOKE);
    let rule = group.first.rule;
    let note = note.hint(format!(
        "to redact it, set `{rule} = \"redact\"` in `[gate.rules]` of site.toml; if it is not a \
         secret, accept it with `convo-site review`"
    ));
    match group.other_files() {
        Some(files) => note.hint(files),
        None => note,
    }
}

/// Returns `one value`, `3 different values` and so on.
fn values(group: &Group<'_>) -> String {
    match group.secrets.len() as u64 {
        1 => "one value".to_owned(),
        count => format!("{} different values", grouped(count)),
    }
}

fn personal(group: &Group<'_>) -> Diagnostic {
    let Finding { name, rule, .. } = group.first;
    let message =
        format!("personal data ({name}) is published: {}{}", values(group), group.places());
    let note = Diagnostic::new(Severity::Warning, "personal-data", message);
    note.hint(format!("to redact it, set `{rule} = \"redact\"` in `[gate.rules]` of site.toml"))
}

fn redacted(group: &Group<'_>) -> Diagnostic {
    let places = plural(group.places, "place", "places");
    let conversations = plural(group.conversations.len() as u64, "conversation", "conversations");
    let name = &group.first.name;
    let what = match group.first.kind {
        FindingKind::Own => "words of `[[redact]]` are".to_owned(),
        _ => {
            let verb = if group.secrets.len() == 1 { "is" } else { "are" };
            format!("{name}: {} {verb}", values(group))
        }
    };
    let message = format!("{what} redacted in {places} of {conversations}");
    let note = Diagnostic::new(Severity::Hint, "redacted", message);
    match group.first.kind {
        FindingKind::Secret => note.hint(REVOKE),
        FindingKind::Personal | FindingKind::Own => note,
    }
}

/// Returns the readable name of a rule.
pub(super) fn rule_name(id: &str) -> String {
    match id {
        ENV_RULE => "value from an environment file".to_owned(),
        OWN_RULE => "word of `[[redact]]`".to_owned(),
        id => secrets::rule(id).map_or_else(|| format!("`{id}`"), |rule| rule.name.to_owned()),
    }
}

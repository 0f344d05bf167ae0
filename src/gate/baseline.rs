//! The baseline, `gate.toml`: the author's decisions about single findings. Secrets are stored as hashes
//! that are keyed with a random key in the file.

use std::collections::{BTreeSet, HashMap};

use serde::Deserialize;

use super::findings::rule_name;
use crate::config;
use crate::diag::{Diagnostic, Lines, Location, Severity};
use crate::hash::Hash;

/// The file name, next to `site.toml`.
pub const FILE: &str = "gate.toml";

/// The last day on which an accepted finding stays accepted, such as 2026-11-22.
pub type Day = jiff::civil::Date;

/// The author's decisions about single findings.
#[derive(Clone, Debug)]
pub struct Baseline {
    key: [u8; 32],
    entries: Vec<Entry>,
    /// Indices of the valid `entries`, by the hash of the secret.
    by_secret: HashMap<Hash, Vec<usize>>,
}

/// The key to use without a baseline; hashes made with it are compared with nothing.
const NO_KEY: [u8; 32] = *b"convo-site has no gate.toml here";

impl Default for Baseline {
    fn default() -> Self {
        Self { key: NO_KEY, entries: Vec::new(), by_secret: HashMap::new() }
    }
}

#[derive(Clone, Debug)]
struct Entry {
    secret: Hash,
    rule: String,
    verdict: Verdict,
    /// The id or file of the conversation that the entry applies to; `None` for all.
    conversation: Option<String>,
    is_over: bool,
    until: Option<Day>,
    at: Location,
}

/// A decision about a finding.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Verdict {
    /// Withhold the conversation.
    Hold,
    /// Publish the secret.
    Accept,
    /// Replace the secret with a placeholder.
    Redact,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Document {
    #[serde(default)]
    key: String,
    #[serde(default)]
    accept: Vec<Accepted>,
    #[serde(default)]
    redact: Vec<Decided>,
    #[serde(default)]
    hold: Vec<Decided>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Accepted {
    secret: String,
    rule: String,
    conversation: String,
    reason: String,
    #[serde(default)]
    until: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Decided {
    secret: String,
    rule: String,
}

impl Baseline {
    /// Returns an empty baseline with a key.
    pub fn with_key(key: [u8; 32]) -> Self {
        Self { key, ..Self::default() }
    }

    /// Parses a `gate.toml`. If any part of it is invalid, returns no baseline at all, because it decides
    /// what may be published.
    pub fn read(text: &str, today: Option<Day>) -> Result<Self, Vec<Diagnostic>> {
        let document: Document = config::parse(FILE, text).map_err(|mut note| {
            note.hints.push(NOTHING_WRITTEN.to_owned());
            vec![*note]
        })?;
        let mut wrong = Vec::new();
        let lines = Lines::new(text);
        let mut from = HashMap::new();
        let mut place = |what: &str| {
            let start: &mut usize = from.entry(what.to_owned()).or_default();
            let found = text.get(*start..).and_then(|rest| rest.find(what));
            let at = found.map_or(0, |found| *start + found);
            *start = at + what.len();
            let span = Some(lines.span(at..at + what.len()));
            Location { file: FILE.to_owned(), span }
        };
        let mut entries = Vec::new();
        for one in document.accept {
            let at = place(&one.secret);
            let until = match one.until.as_deref().map(str::parse::<Day>) {
                Some(Err(_)) => {
                    let why = "`until` must be a date such as \"2027-01-31\"";
                    wrong.push(error(why, at.clone()));
                    continue;
                }
                Some(Ok(day)) => Some(day),
                None => None,
            };
            if one.reason.trim().is_empty() || one.conversation.is_empty() {
                let why = "`[[accept]]` needs a `conversation` and a `reason`";
                wrong.push(error(why, at.clone()));
            }
            entries.push(Entry {
                secret: hash(&one.secret, &at, &mut wrong),
                rule: one.rule,
                verdict: Verdict::Accept,
                conversation: Some(one.conversation),
                // Without today's date it is unknown whether the entry has expired.
                is_over: until.is_some_and(|day| today.is_none_or(|today| today > day)),
                until,
                at,
            });
        }
        let redacted = document.redact.into_iter().map(|one| (Verdict::Redact, one));
        let held = document.hold.into_iter().map(|one| (Verdict::Hold, one));
        for (verdict, one) in redacted.chain(held) {
            let at = place(&one.secret);
            entries.push(Entry {
                secret: hash(&one.secret, &at, &mut wrong),
                rule: one.rule,
                verdict,
                conversation: None,
                is_over: false,
                until: None,
                at,
            });
        }
        let key = match key(&document.key) {
            Some(key) => key,
            None if document.key.is_empty() && entries.is_empty() => NO_KEY,
            None => {
                let why =
                    "expected a `key` of 64 hexadecimal digits, as `convo-site review` writes it";
                wrong.push(error(why, place("key")));
                NO_KEY
            }
        };
        if !wrong.is_empty() {
            return Err(wrong);
        }
        let mut by_secret: HashMap<Hash, Vec<usize>> = HashMap::new();
        for (number, entry) in entries.iter().enumerate().filter(|(_, one)| !one.is_over) {
            by_secret.entry(entry.secret).or_default().push(number);
        }
        Ok(Self { key, entries, by_secret })
    }

    /// Returns the key for the hashes of secrets.
    pub fn key(&self) -> &[u8; 32] {
        &self.key
    }

    /// Returns whether the baseline has a key of its own.
    pub fn has_key(&self) -> bool {
        self.key != NO_KEY
    }

    /// Returns whether the baseline has no entries.
    pub(super) fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Returns the hash of everything in the baseline that affects a decision.
    pub(super) fn hash(&self) -> Hash {
        let fields = |one: &Entry| {
            let about = (one.secret, one.rule.clone(), one.conversation.clone());
            (about, one.verdict, one.is_over)
        };
        Hash::of(&(self.key, self.entries.iter().map(fields).collect::<Vec<_>>()))
    }

    /// Returns the hash of a secret.
    pub(super) fn hash_of(&self, secret: &str) -> Hash {
        Hash::keyed(&self.key, secret.as_bytes())
    }

    /// Returns the author's decision about a secret that a rule found in a conversation. `names` are all
    /// names of the conversation. Adds the indices of all matching entries to `matched`. The first match
    /// applies, and accepting entries come before all others.
    pub(super) fn verdict(
        &self,
        secret: Hash,
        rule: &str,
        names: &[&str],
        matched: &mut BTreeSet<usize>,
    ) -> Option<Verdict> {
        let mut verdict = None;
        for number in self.by_secret.get(&secret)? {
            let Some(entry) = self.entries.get(*number) else { continue };
            let is_there = |name: &String| names.contains(&name.as_str());
            if entry.rule == rule && entry.conversation.as_ref().is_none_or(is_there) {
                matched.insert(*number);
                verdict = verdict.or(Some(entry.verdict));
            }
        }
        verdict
    }

    /// Returns whether the author accepted a secret in any conversation.
    pub(super) fn accepts_anywhere(&self, secret: Hash) -> bool {
        let entries = self.by_secret.get(&secret).into_iter().flatten();
        let mut entries = entries.filter_map(|number| self.entries.get(*number));
        entries.any(|entry| entry.verdict == Verdict::Accept)
    }

    /// Reports each entry that matched nothing and each entry that has expired. `matched` contains the indices
    /// of entries that matched. `was_looked_for` returns whether a rule searched for a given secret.
    pub(super) fn notes(
        &self,
        matched: &BTreeSet<usize>,
        was_looked_for: &dyn Fn(&str, Hash) -> bool,
    ) -> Vec<Diagnostic> {
        let mut notes = Vec::new();
        for (number, entry) in self.entries.iter().enumerate() {
            let what = rule_name(&entry.rule);
            let note = if entry.is_over {
                if self.is_renewed(entry) {
                    continue;
                }
                let until = entry.until.map(|day| day.to_string()).unwrap_or_default();
                let message =
                    format!("an accepted finding has expired: {what}, accepted until {until}");
                let note = Diagnostic::new(Severity::Warning, "expired-accept", message);
                note.hint("it no longer applies; decide again with `convo-site review`")
            } else if !matched.contains(&number) && was_looked_for(&entry.rule, entry.secret) {
                let message = format!("this entry no longer matches anything ({what})");
                let note = Diagnostic::new(Severity::Warning, "unused-accept", message);
                note.hint("delete the entry")
            } else {
                continue;
            };
            notes.push(Diagnostic { at: Some(entry.at.clone()), ..note });
        }
        notes
    }

    /// Returns whether a newer entry repeats the decision of an expired one.
    fn is_renewed(&self, old: &Entry) -> bool {
        let numbers = self.by_secret.get(&old.secret).into_iter().flatten();
        let entries = numbers.filter_map(|number| self.entries.get(*number));
        entries.into_iter().any(|new| {
            new.rule == old.rule
                && (new.conversation.is_none() || new.conversation == old.conversation)
        })
    }
}

fn key(digits: &str) -> Option<[u8; 32]> {
    let mut key = [0; 32];
    if digits.len() != 64 || !digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return None;
    }
    for (byte, at) in key.iter_mut().zip((0..64).step_by(2)) {
        *byte = u8::from_str_radix(&digits[at..at + 2], 16).ok()?;
    }
    Some(key)
}

fn hash(digits: &str, at: &Location, wrong: &mut Vec<Diagnostic>) -> Hash {
    Hash::from_hex(digits).unwrap_or_else(|| {
        let why = "expected a `secret` of 32 hexadecimal digits, as `convo-site review` writes it";
        wrong.push(error(why, at.clone()));
        Hash::of(&())
    })
}

const NOTHING_WRITTEN: &str =
    "nothing is written until this is fixed, because it decides what may be published";

fn error(why: &str, at: Location) -> Diagnostic {
    let note = Diagnostic::new(Severity::Error, "bad-value", why).hint(NOTHING_WRITTEN);
    Diagnostic { at: Some(at), ..note }
}

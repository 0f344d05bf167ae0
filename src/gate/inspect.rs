//! Searches a conversation for secrets, personal data and the author's words, and redacts them.

use std::collections::{BTreeSet, HashMap};
use std::ops::Range;

use serde::{Deserialize, Serialize};

use super::baseline::Verdict;
use super::env::EnvHit;
use super::findings::{ENV_RULE, Finding, FindingKind, OWN_RULE};
use super::policy::Policy;
use super::replace::replaced;
use super::spellings::{SpelledMatch, spelled_matches};
use super::split::split_secrets;
use super::traces::{Trace, Traces};
use super::{Gate, redact_words};
use crate::config::Action;
use crate::diag::Location;
use crate::formats;
use crate::hash::{Hash, Hashing};
use crate::model::{Conversation, Place, TextRole, TextVisitor, Turn};
use crate::secrets::{self, RuleKind};

/// The findings in a conversation, or in a part of one.
#[derive(Default)]
pub struct Inspection {
    /// The findings, in the order of their first occurrences.
    pub found: Vec<Found>,
    /// Indices of the baseline entries that matched.
    pub matched: BTreeSet<usize>,
    /// What was changed; `None` if nothing was.
    pub changed: Option<Redaction>,
}

/// A record of the changes to a conversation, or to a part of a source.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct Redaction {
    /// The hash of all changed texts, after the change.
    hash: Hash,
    /// Whether anything was redacted. If not, the only change is `~` in place of home folders.
    removed_text: bool,
}

impl Redaction {
    /// Combines the changes of several conversations.
    pub fn of(all: &[Option<Self>]) -> Option<Self> {
        let mut changed = all.iter().flatten().peekable();
        changed.peek()?;
        let removed_text = changed.any(|one| one.removed_text);
        Some(Self { hash: Hash::of(&all), removed_text })
    }

    /// Returns whether anything was redacted.
    pub fn removed_text(self) -> bool {
        self.removed_text
    }
}

/// A finding together with the secret itself, which is never stored.
pub struct Found {
    /// The finding, without its location.
    pub finding: Finding,
    /// The secret.
    pub secret: String,
    /// The start of the turn with the first occurrence; `None` if it is outside of all turns.
    pub turn: Option<Place>,
}

/// A match in a text.
struct Hit {
    range: Range<usize>,
    action: Action,
    /// The replacement text.
    placeholder: String,
    what: What,
    /// The text as readers see it, if it differs from the source text.
    seen: Option<String>,
}

impl Hit {
    /// Returns whether another match adds nothing: it lies within this one, and its rule is no more
    /// certain.
    fn covers(&self, other: &Self) -> bool {
        let is_as_sure = match (&self.what, &other.what) {
            (What::Rule(_, tier), What::Rule(_, other)) => tier >= other,
            _ => false,
        };
        is_as_sure && self.range.start <= other.range.start && other.range.end <= self.range.end
    }
}

enum What {
    Rule(&'static secrets::Rule, secrets::Tier),
    Env { key: String, value: String },
    Own(usize),
}

/// The maximum length in bytes of a value that is checked together with its key.
const MAX_VALUE_BYTES: usize = 4096;

/// Parts of keys whose values may be secrets that are recognisable only with the key.
const SECRET_KEYS: [&str; 10] =
    ["pass", "pwd", "secret", "token", "key", "auth", "cred", "cookie", "session", "phrase"];

impl Gate {
    /// Inspects a conversation of a `[[source]]` and redacts it. `label` is the file name used in reports, and
    /// `traces` are the secrets in the bytes that it was read from.
    pub fn inspect(
        &self,
        source: Option<usize>,
        label: &str,
        read: &mut Conversation,
        traces: &Traces,
    ) -> Inspection {
        let id = read.id.clone().unwrap_or_default();
        // If the file path itself must be redacted, reports use the redacted path, so the baseline does
        // too.
        let masked_label = (!self.baseline.is_empty()).then(|| {
            let reported = read.file_label.as_deref().unwrap_or(label);
            self.masked(reported).into_owned()
        });
        let names = [id.as_str(), label].into_iter().chain(masked_label.as_deref());
        let names = names.filter(|name| !name.is_empty()).collect();
        let mut inspector = Inspector::new(self, self.policy_for(source, read), names);
        let split = split_secrets(read, &self.last);
        let with_split = (!split.is_empty()).then(|| traces.with(&split));
        inspector.traces = with_split.as_ref().or(Some(traces));
        read.visit_texts(&mut inspector);
        let Inspector { changes, is_changed, removed_text, mut done, .. } = inspector;
        done.changed = is_changed.then(|| Redaction { hash: changes.finish(), removed_text });
        // If the id contains a secret, it cannot serve as a name.
        let is_secret = done.found.iter().any(|found| id.contains(&found.secret));
        let name = if id.is_empty() || is_secret { label } else { &id };
        for found in &mut done.found {
            name.clone_into(&mut found.finding.conversation);
        }
        done
    }

    /// Repeats the changes of an earlier [`Gate::inspect`]. If that redacted nothing, does not search
    /// again, and needs no `traces`.
    pub fn redact_again(
        &self,
        source: Option<usize>,
        label: &str,
        read: &mut Conversation,
        redaction: Redaction,
        traces: &Traces,
    ) {
        if redaction.removed_text {
            self.inspect(source, label, read, traces);
            return;
        }
        let policy = self.policy_for(source, read);
        let mut inspector = Inspector::new(self, policy, Vec::new());
        inspector.looks = false;
        read.visit_texts(&mut inspector);
    }

    /// Inspects a text that belongs to a conversation, such as an attached file. In texts that readers see,
    /// home folders are replaced as well.
    pub fn inspect_text(
        &self,
        source: Option<usize>,
        names: &[&str],
        text: &str,
        role: TextRole,
    ) -> Inspection {
        let mut inspector = Inspector::new(self, self.policy(source), names.to_vec());
        let redacted = inspector.redacted(text, role);
        let Inspector { removed_text, mut done, .. } = inspector;
        done.changed =
            redacted.map(|text| Redaction { hash: Hash::of_bytes(text.as_bytes()), removed_text });
        done
    }

    /// Returns a short text of a conversation, such as a file name, without anything that is redacted or
    /// withheld.
    pub fn clean(&self, source: Option<usize>, text: String) -> String {
        let policy = self.policy(source);
        let mut hits = self.hits(policy, None, &text);
        hits.retain(|hit| matches!(hit.action, Action::Redact | Action::Hold));
        let cleaned = with_placeholders(&text, TextRole::Shown, &hits);
        let cleaned = cleaned.unwrap_or(text);
        match policy.hides_homes {
            true => formats::without_homes(&cleaned).unwrap_or(cleaned),
            false => cleaned,
        }
    }

    /// Returns the replacement for an id with redacted text, which must stay distinct, and the same in every place.
    pub fn redacted_id(&self, id: &str) -> String {
        let key = self.hash.hex() + &self.hash.hex();
        let key = Hash::of_bytes(key.as_bytes());
        format!("redacted-{}", Hash::of(&(key, self.baseline.hash_of(id))).short(10))
    }

    /// Finds everything in a text that requires an action, in every spelling that readers would see.
    fn hits(&self, policy: &Policy, key: Option<&str>, text: &str) -> Vec<Hit> {
        let mut hits = rule_hits(policy, key, text);
        let exact = policy.exact();
        for EnvHit { range, key, value } in self.env.find(text) {
            let placeholder = format!("[redacted: {key}]");
            let what = What::Env { key: key.to_owned(), value: value.to_owned() };
            hits.push(Hit { range, action: exact, placeholder, what, seen: None });
        }
        hits.extend(self.own.find(text).into_iter().map(own_hit));
        hits.retain(|hit| hit.action != Action::Off);
        sort(&mut hits);
        hits
    }
}

/// Runs the rules on a text, which may be the value of a key.
fn rule_hits(policy: &Policy, key: Option<&str>, text: &str) -> Vec<Hit> {
    let mut found = spelled_matches(text, &policy.wanted);
    if found.is_empty() && text.len() <= MAX_VALUE_BYTES {
        let may_be_secret_key = |key: &&str| {
            let key = key.to_lowercase();
            SECRET_KEYS.iter().any(|word| key.contains(word))
        };
        if let Some(key) = key.filter(may_be_secret_key) {
            // Rebuild the JSON spelling where possible, because rules expect it.
            let quote = if text.contains(['"', '\\', '\n']) { "" } else { "\"" };
            let before = format!("{key}: {quote}");
            let whole = format!("{before}{text}{quote}");
            let of_key = spelled_matches(&whole, &policy.wanted).into_iter();
            found.extend(of_key.filter_map(|found| {
                let start = found.range.start.checked_sub(before.len())?;
                let range = start..(found.range.end - before.len()).min(text.len());
                Some(SpelledMatch { range, ..found })
            }));
        }
    }
    let mut hits: Vec<Hit> = Vec::new();
    for SpelledMatch { range, rule, tier, seen } in found {
        let action = policy.action(rule, tier);
        if action != Action::Off && !range.is_empty() {
            let placeholder = format!("[redacted: {}]", rule.name);
            let what = What::Rule(rule, tier);
            hits.push(Hit { range, action, placeholder, what, seen });
        }
    }
    sort(&mut hits);
    without_covered(hits)
}

/// Removes matches in other spellings that are part of a match that is already known.
fn without_covered(hits: Vec<Hit>) -> Vec<Hit> {
    let mut kept: Vec<Hit> = Vec::with_capacity(hits.len());
    // The index of the match that ends last.
    let mut last = 0;
    for hit in hits {
        let known = kept.get(last);
        if hit.seen.is_some() && known.is_some_and(|known| known.covers(&hit)) {
            continue;
        }
        if known.is_none_or(|known| known.range.end <= hit.range.end) {
            last = kept.len();
        }
        kept.push(hit);
    }
    kept
}

/// Adds the traces of secrets in a text that no other match covers. The matches are sorted.
fn add_traces(hits: &mut Vec<Hit>, policy: &Policy, traces: &Traces, text: &str) {
    let mut known = hits.iter().map(|hit| hit.range.clone()).peekable();
    let (mut added, mut end) = (Vec::new(), 0);
    for Trace { range, rule, secret } in traces.find(text) {
        while let Some(before) = known.next_if(|known| known.start <= range.start) {
            end = end.max(before.end);
        }
        let action = policy.action(rule, secrets::Tier::Certain);
        if action != Action::Off && range.end > end {
            let placeholder = format!("[redacted: {}]", rule.name);
            let what = What::Rule(rule, secrets::Tier::Certain);
            added.push(Hit { range, action, placeholder, what, seen: Some(secret.to_owned()) });
        }
    }
    hits.append(&mut added);
    sort(hits);
}

fn own_hit((range, with, number): redact_words::Found<'_>) -> Hit {
    let (placeholder, what) = (with.to_owned(), What::Own(number));
    Hit { range, action: Action::Redact, placeholder, what, seen: None }
}

/// Sorts matches by position, longer ones first.
fn sort(hits: &mut [Hit]) {
    hits.sort_by_key(|hit| (hit.range.start, std::cmp::Reverse(hit.range.end)));
}

/// Returns the text with each match replaced; `None` without any match. The matches are sorted.
fn with_placeholders(text: &str, role: TextRole, hits: &[Hit]) -> Option<String> {
    replaced(text, role, hits.iter().map(|hit| (&hit.range, hit.placeholder.as_str())))
}

struct Inspector<'a> {
    gate: &'a Gate,
    policy: &'a Policy,
    /// Whether to search at all.
    looks: bool,
    /// The secrets in the source.
    traces: Option<&'a Traces>,
    /// The names of the conversation.
    names: Vec<&'a str>,
    turn: Option<Place>,
    key: Option<String>,
    /// The number of texts so far.
    texts: u64,
    /// Indices of the findings, by rule and secret.
    known: HashMap<(String, String), usize>,
    changes: Hashing,
    is_changed: bool,
    /// Whether anything was redacted.
    removed_text: bool,
    done: Inspection,
}

impl TextVisitor for Inspector<'_> {
    fn text(&mut self, role: TextRole, text: &mut String) {
        self.texts += 1;
        // Data URLs are inspected as files.
        let is_file = role == TextRole::Address && is_data(text);
        if role == TextRole::Unpublished || text.is_empty() || is_file {
            return;
        }
        let Some(redacted) = self.redacted(text, role) else { return };
        self.is_changed = true;
        self.changes.update(&self.texts.to_le_bytes());
        self.changes.update(&(redacted.len() as u64).to_le_bytes());
        self.changes.update(redacted.as_bytes());
        *text = redacted;
    }

    fn under(&mut self, key: Option<&str>) {
        self.key = key.map(str::to_owned);
    }

    fn enter(&mut self, turn: Option<&Turn>) {
        self.turn = turn.map(|turn| turn.place);
    }
}

impl<'a> Inspector<'a> {
    fn new(gate: &'a Gate, policy: &'a Policy, names: Vec<&'a str>) -> Self {
        Self {
            gate,
            policy,
            looks: true,
            traces: None,
            names,
            turn: None,
            key: None,
            texts: 0,
            known: HashMap::new(),
            changes: Hashing::default(),
            is_changed: false,
            removed_text: false,
            done: Inspection::default(),
        }
    }

    /// Records the findings in a text, and returns the redacted text if it differs.
    fn redacted(&mut self, text: &str, role: TextRole) -> Option<String> {
        let mut hits = match self.looks {
            true => self.gate.hits(self.policy, self.key.as_deref(), text),
            false => Vec::new(),
        };
        if let Some(traces) = self.traces {
            add_traces(&mut hits, self.policy, traces, text);
        }
        for hit in &mut hits {
            self.note(hit, text);
        }
        hits.retain(|hit| hit.action == Action::Redact);
        let mut redacted = with_placeholders(text, role, &hits);
        if let Some(redacted) = &mut redacted {
            self.redact_remaining(redacted, role, &hits);
        }
        self.removed_text |= redacted.is_some();
        if role == TextRole::Id {
            return redacted.map(|_| self.gate.redacted_id(text));
        }
        if self.policy.hides_homes && role.is_shown() {
            let shown = redacted.as_deref().unwrap_or(text);
            return formats::without_homes(shown).or(redacted);
        }
        redacted
    }

    /// Redacts words that appear only after other words are removed. If words are still left after the last
    /// pass, the conversation is withheld.
    fn redact_remaining(&mut self, redacted: &mut String, role: TextRole, hits: &[Hit]) {
        let of_hit = |hit: &Hit| match hit.what {
            What::Own(number) => Some(number),
            _ => None,
        };
        let numbers: Vec<usize> = hits.iter().filter_map(of_hit).collect();
        if numbers.is_empty() {
            return;
        }
        for left in self.gate.own.redact_left(redacted, role, &numbers) {
            let mut hit = Hit { action: Action::Hold, ..own_hit(left) };
            self.note(&mut hit, redacted);
        }
    }

    /// Counts a match, and sets its action by the baseline.
    fn note(&mut self, hit: &mut Hit, text: &str) {
        let Some(secret) = text.get(hit.range.clone()) else { return };
        let secret = match &hit.what {
            What::Env { value, .. } => value,
            What::Rule(..) | What::Own(_) => hit.seen.as_deref().unwrap_or(secret),
        };
        let (rule, name, kind, tier) = match &hit.what {
            What::Rule(rule, tier) => {
                let kind = match rule.kind {
                    RuleKind::Secret => FindingKind::Secret,
                    RuleKind::Personal => FindingKind::Personal,
                };
                (rule.id, rule.name.to_owned(), kind, *tier)
            }
            What::Env { key, .. } => {
                let name = format!("value of `{key}`");
                (ENV_RULE, name, FindingKind::Secret, secrets::Tier::Certain)
            }
            What::Own(_) => {
                let name = "word of `[[redact]]`".to_owned();
                (OWN_RULE, name, FindingKind::Own, secrets::Tier::Certain)
            }
        };
        let baseline = &self.gate.baseline;
        let hash = match &hit.what {
            What::Own(number) => Hash::of(number),
            // Hash the key and not the value, so that the value cannot be guessed from the hash.
            What::Env { key, .. } if !baseline.has_key() => Hash::of(&(ENV_RULE, key)),
            What::Env { .. } | What::Rule(..) => baseline.hash_of(secret),
        };
        match baseline.verdict(hash, rule, &self.names, &mut self.done.matched) {
            Some(Verdict::Accept) => {
                hit.action = Action::Off;
                return;
            }
            Some(Verdict::Hold) => hit.action = Action::Hold,
            Some(Verdict::Redact) => hit.action = Action::Redact,
            None => {}
        }
        if self.gate.redacts_all {
            hit.action = Action::Redact;
        }
        let known = match &hit.what {
            What::Own(number) => number.to_string(),
            _ => secret.to_owned(),
        };
        let found = &mut self.done.found;
        let place = *self.known.entry((rule.to_owned(), known)).or_insert(found.len());
        if let Some(known) = found.get_mut(place) {
            known.finding.places += 1;
            // The more certain tier applies.
            known.finding.action = known.finding.action.min(hit.action);
            return;
        }
        found.push(Found {
            finding: Finding {
                rule,
                name,
                kind,
                tier: tier_word(tier),
                action: hit.action,
                secret: hash,
                preview: match kind {
                    FindingKind::Own => String::new(),
                    FindingKind::Secret | FindingKind::Personal => secrets::preview(secret),
                },
                places: 1,
                at: Location { file: String::new(), span: None },
                conversation: String::new(),
            },
            secret: secret.to_owned(),
            turn: self.turn,
        });
    }
}

fn tier_word(tier: secrets::Tier) -> &'static str {
    match tier {
        secrets::Tier::Certain => "certain",
        secrets::Tier::Likely => "likely",
        secrets::Tier::Possible => "possible",
    }
}

/// Returns whether a URL contains the bytes of a file, which are inspected as a file.
fn is_data(text: &str) -> bool {
    let is_digit = |byte: u8| byte.is_ascii_alphanumeric() || b"+/=-_%".contains(&byte);
    let data = text.strip_prefix("data:").and_then(|rest| rest.split_once(";base64,"));
    data.is_some_and(|(kind, data)| {
        kind.len() < 200 && !kind.contains([' ', '\n']) && data.bytes().all(is_digit)
    })
}

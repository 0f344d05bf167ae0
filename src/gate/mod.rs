//! The gate between an archive and the web: finds secrets and personal data in conversations, and decides
//! what happens to them.
//!
//! The main pass is [`Gate::inspect`], which runs when sources are read, before anything else sees a
//! conversation. It redacts the conversation and returns [`Finding`]s; a finding with [`Action::Hold`]
//! withholds the conversation. It also removes [`Traces`] of the secrets in the source. A fast last pass
//! covers texts derived from conversations ([`Gate::inspect_derived`]) and every text that is written
//! ([`Gate::find_last`]).
//!
//! [`secrets`](crate::secrets) finds matches, [`policy`] decides what to do about them, and the
//! [`baseline`] has the author's decisions about single findings.

pub mod baseline;
pub mod decisions;
pub mod env;
mod findings;
mod fragments;
mod inspect;
mod final_check;
mod locate;
mod redact_words;
mod replace;
mod plain_text;
pub mod policy;
mod scrub;
mod spellings;
mod split;
mod traces;

use std::collections::BTreeSet;

pub use self::baseline::Baseline;
pub use self::env::EnvValues;
pub use self::final_check::{MISSED, is_suspicious};
pub use self::findings::{Finding, FindingKind, notes};
pub use self::inspect::{Found, Inspection, Redaction};
pub use self::locate::locate;
use self::policy::{Policies, Policy};
pub use self::redact_words::RedactPatterns;
pub use self::scrub::Scrubber;
pub use self::traces::Traces;
use crate::config::{Action, Config};
use crate::diag::Diagnostic;
use crate::hash::Hash;
use crate::model::Conversation;
use crate::secrets::RuleSet;

/// The compiled configuration: what to search for and what to do about it, including `gate.toml` and
/// environment files.
#[derive(Clone, Debug)]
pub struct Gate {
    /// The policies of the site.
    site: Policies,
    /// The policies of each `[[source]]`, by index.
    sources: Vec<Policies>,
    own: RedactPatterns,
    env: EnvValues,
    baseline: Baseline,
    /// The rules for everything that is written.
    last: RuleSet,
    /// Whether to redact what would otherwise withhold a conversation or cause a warning.
    redacts_all: bool,
    /// The hash of everything that affects findings and actions.
    pub hash: Hash,
}

impl Gate {
    /// Compiles the configuration. If any part of it is invalid, returns no gate at all, because that part
    /// may protect something private.
    pub fn new(
        config: &Config,
        baseline: Baseline,
        env: EnvValues,
    ) -> Result<Self, Vec<Diagnostic>> {
        let mut wrong = policy::unknown_rules(config);
        let own = RedactPatterns::new(&config.redact).map_err(|notes| wrong.extend(notes));
        let (Ok(own), true) = (own, wrong.is_empty()) else { return Err(wrong) };
        let site = Policies::new(&config.gate, &Default::default());
        let of_source = |rule: &crate::config::SourceRule| Policies::new(&config.gate, &rule.gate);
        let sources: Vec<Policies> = config.source.iter().map(of_source).collect();
        let gates: Vec<_> = config.source.iter().map(|rule| &rule.gate).collect();
        let settings = (&config.gate, gates, &config.redact);
        let hash = Hash::of(&(settings, baseline.hash(), env.hash(baseline.key())));
        let all: Vec<&Policies> = std::iter::once(&site).chain(&sources).collect();
        let last = final_check::final_rules(&all);
        let redacts_all = false;
        Ok(Self { site, sources, own, env, baseline, last, redacts_all, hash })
    }

    /// Returns a gate that lets everything pass, for commands that build no site.
    pub fn open() -> Self {
        Self {
            site: Policies::open(),
            sources: Vec::new(),
            own: RedactPatterns::default(),
            env: EnvValues::default(),
            baseline: Baseline::default(),
            last: final_check::final_rules(&[&Policies::open()]),
            redacts_all: false,
            hash: Hash::of(&()),
        }
    }

    /// Returns this gate for files that anyone may read: it redacts what would otherwise withhold a
    /// conversation or cause a warning.
    pub fn redacting(self) -> Self {
        Self { redacts_all: true, hash: Hash::of(&(self.hash, "redacting")), ..self }
    }

    /// Returns whether this gate is for files that anyone may read.
    pub fn redacts_all(&self) -> bool {
        self.redacts_all
    }

    fn policies(&self, source: Option<usize>) -> &Policies {
        source.and_then(|source| self.sources.get(source)).unwrap_or(&self.site)
    }

    fn policy(&self, source: Option<usize>) -> &Policy {
        &self.policies(source).usual
    }

    /// Returns the policy for a conversation of a `[[source]]`.
    fn policy_for(&self, source: Option<usize>, read: &Conversation) -> &Policy {
        // If a source knows more than names of people, their contact details are redacted.
        let is_known = || read.participants.iter().any(|who| !who.aliases.is_empty());
        match read.channel.is_some() || is_known() {
            true => &self.policies(source).of_messages,
            false => self.policy(source),
        }
    }

    /// Returns the key for the hashes of secrets.
    pub fn key(&self) -> &[u8; 32] {
        self.baseline.key()
    }

    /// Returns the diagnostics about the baseline. `matched` contains the indices of entries that matched.
    /// Unless everything was read, unused entries are unknown.
    pub fn baseline_notes(&self, matched: &BTreeSet<usize>, is_all_read: bool) -> Vec<Diagnostic> {
        self.baseline.notes(matched, &|rule, secret| {
            let is_known = rule != findings::ENV_RULE || self.env.have(secret, &self.baseline);
            is_all_read && is_known
        })
    }
}

/// Returns whether one of the findings withholds its conversation.
pub fn holds(findings: &[Finding]) -> bool {
    findings.iter().any(|finding| finding.action == Action::Hold)
}

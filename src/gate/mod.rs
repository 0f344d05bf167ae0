//! The gate between an archive and the web: what finds secrets and personal data in conversations,
//! and decides what becomes of them.
//!
//! Its main pass is where sources are read: it inspects every conversation before anything else sees it.
//! [`Gate::inspect`] changes the conversation (nothing after it sees what is redacted) and returns
//! [`Finding`]s, of which one with [`Action::Hold`] holds the conversation back. A last, fast pass
//! looks through what is derived from conversations ([`Gate::inspect_derived`]) and through every text
//! that is written ([`Gate::find_last`]). What is found is decided by [`secrets`], what is done about it by the
//! [`policy`] of the site, and what the author said of single findings by the [`baseline`].

pub mod baseline;
pub mod decisions;
pub mod env;
mod findings;
mod inspect;
mod last;
mod locate;
mod own_words;
mod plain_text;
pub mod policy;
mod scrub;
pub mod secrets;
mod sightings;

use std::collections::BTreeSet;

pub use self::baseline::Baseline;
pub use self::env::EnvValues;
pub use self::findings::{Finding, FindingKind, notes};
pub use self::inspect::{Found, Inspection, Redaction};
pub use self::last::{MISSED, is_suspicious};
pub use self::locate::locate;
use self::own_words::OwnPatterns;
use self::policy::{Policies, Policy};
pub use self::scrub::Scrubber;
use self::secrets::RuleSet;
use crate::config::{Action, Config};
use crate::diag::Diagnostic;
use crate::hash::Hash;
use crate::model::Conversation;

/// What is looked for, and what is done about it: the configuration, compiled, with the files that
/// complete it.
#[derive(Clone, Debug)]
pub struct Gate {
    /// Those of the whole site.
    site: Policies,
    /// Those of the `[[source]]`s, by their numbers.
    sources: Vec<Policies>,
    own: OwnPatterns,
    env: EnvValues,
    baseline: Baseline,
    /// What is looked for in everything that is written.
    last: RuleSet,
    /// Whether what is to be held back, or warned of, is redacted.
    redacts_all: bool,
    /// The hash of all that decides what is found and what is done about it.
    pub hash: Hash,
}

impl Gate {
    /// Compiles what the configuration says. Where something in it is wrong there is no gate: it may
    /// say what is private.
    pub fn new(
        config: &Config,
        baseline: Baseline,
        env: EnvValues,
    ) -> Result<Self, Vec<Diagnostic>> {
        let mut wrong = policy::unknown_rules(config);
        let own = OwnPatterns::new(&config.redact).map_err(|notes| wrong.extend(notes));
        let (Ok(own), true) = (own, wrong.is_empty()) else { return Err(wrong) };
        let site = Policies::new(&config.gate, &Default::default());
        let of_source = |rule: &crate::config::SourceRule| Policies::new(&config.gate, &rule.gate);
        let sources: Vec<Policies> = config.source.iter().map(of_source).collect();
        let gates: Vec<_> = config.source.iter().map(|rule| &rule.gate).collect();
        let said = (&config.gate, gates, &config.redact);
        let hash = Hash::of(&(said, baseline.hash(), env.hash(baseline.key())));
        let all: Vec<&Policies> = std::iter::once(&site).chain(&sources).collect();
        let last = last::wanted(&all);
        let redacts_all = false;
        Ok(Self { site, sources, own, env, baseline, last, redacts_all, hash })
    }

    /// Returns one through which everything goes, for whoever builds no site.
    pub fn open() -> Self {
        Self {
            site: Policies::open(),
            sources: Vec::new(),
            own: OwnPatterns::default(),
            env: EnvValues::default(),
            baseline: Baseline::default(),
            last: last::wanted(&[&Policies::open()]),
            redacts_all: false,
            hash: Hash::of(&()),
        }
    }

    /// Returns the same for files that everybody may read: what is to be held back, or warned of, is
    /// redacted.
    pub fn redacting(self) -> Self {
        Self { redacts_all: true, hash: Hash::of(&(self.hash, "redacting")), ..self }
    }

    /// Returns whether it is one for files that everybody may read.
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
        // Of whom a source knows more than a name, nobody is told how to reach them.
        let is_known = || read.participants.iter().any(|who| !who.aliases.is_empty());
        match read.channel.is_some() || is_known() {
            true => &self.policies(source).of_messages,
            false => self.policy(source),
        }
    }

    /// Returns the key under which secrets are hashed.
    pub fn key(&self) -> &[u8; 32] {
        self.baseline.key()
    }

    /// Returns what there is to say of the baseline, of whose entries `met` are those that fit
    /// something; where not all was read nobody knows which fit nothing.
    pub fn baseline_notes(&self, met: &BTreeSet<usize>, is_all_read: bool) -> Vec<Diagnostic> {
        self.baseline.notes(met, &|rule, secret| {
            let is_known = rule != findings::ENV_RULE || self.env.have(secret, &self.baseline);
            is_all_read && is_known
        })
    }
}

/// Returns whether one of these findings holds a conversation back.
pub fn holds(findings: &[Finding]) -> bool {
    findings.iter().any(|finding| finding.action == Action::Hold)
}

//! Writes the author's decisions about single findings as text of `gate.toml`.

use std::fmt::Write;

use super::baseline::Day;
use super::findings::Finding;
use crate::hash::Hash;
use crate::text::toml_string;

/// A decision of the author about one finding.
pub struct Decision {
    /// The hash of the secret.
    secret: Hash,
    rule: &'static str,
    name: String,
    what: Decided,
}

/// The kind of decision.
#[derive(Clone)]
pub enum Decided {
    /// Withhold conversations that contain the secret.
    Hold,
    /// Replace the secret with a placeholder.
    Redact,
    /// Publish the secret.
    Accept {
        /// The conversation in which it may be published.
        conversation: String,
        /// The reason that the author gave.
        reason: String,
        /// The last day on which it may be published; `None` for no limit.
        until: Option<Day>,
    },
}

impl Decision {
    /// Creates a decision about a finding.
    pub fn of(finding: &Finding, what: Decided) -> Self {
        let (secret, rule) = (finding.secret, finding.rule);
        Self { secret, rule, name: finding.name.clone(), what }
    }
}

const HEAD: &str = "\
# Decisions about secrets that convo-site found in this site, as written by `convo-site review`.
# This file contains no secrets: each `secret` is a keyed hash. Anyone who has this file can test
# guesses against the hashes, so change short passwords that are listed here.
";

/// Returns the text of a `gate.toml` with decisions added. Writes `key`, if there is one, at the top.
pub fn with_decisions(text: &str, key: Option<&[u8; 32]>, decisions: &[Decision]) -> String {
    let mut out = String::new();
    if let Some(key) = key {
        // In TOML, a top-level key must come before all tables.
        let digits: String = key.iter().map(|byte| format!("{byte:02x}")).collect();
        let _ = writeln!(out, "{HEAD}key = \"{digits}\"");
    }
    out.push_str(text);
    if !out.ends_with('\n') {
        out.push('\n');
    }
    for Decision { secret, rule, name, what } in decisions {
        let head = match what {
            Decided::Hold => "hold",
            Decided::Redact => "redact",
            Decided::Accept { .. } => "accept",
        };
        let _ = writeln!(out, "\n# {}", one_line(name));
        let _ = writeln!(out, "[[{head}]]\nsecret = \"{}\"", secret.hex());
        let _ = writeln!(out, "rule = {}", toml_string(&one_line(rule)));
        if let Decided::Accept { conversation, reason, until } = what {
            let _ = writeln!(out, "conversation = {}", toml_string(&one_line(conversation)));
            let _ = writeln!(out, "reason = {}", toml_string(&one_line(reason)));
            if let Some(day) = until {
                let _ = writeln!(out, "until = \"{day}\"");
            }
        }
    }
    out
}

fn one_line(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}

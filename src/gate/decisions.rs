//! What the author decides of single findings, as text of `gate.toml`.

use std::fmt::Write;

use super::baseline::Day;
use super::findings::Finding;
use crate::hash::Hash;

/// A decision of the author.
pub struct Decision {
    /// The hash of the secret.
    secret: Hash,
    rule: &'static str,
    name: String,
    what: Decided,
}

/// What was decided.
#[derive(Clone)]
pub enum Decided {
    /// Conversations in which it stands are held back.
    Hold,
    /// A placeholder stands in its place.
    Redact,
    /// It may be published.
    Accept {
        /// The conversation in which it may.
        conversation: String,
        /// Why.
        reason: String,
        /// The last day on which it may; `None` for ever.
        until: Option<Day>,
    },
}

impl Decision {
    /// Decides what becomes of a finding.
    pub fn of(finding: &Finding, what: Decided) -> Self {
        let (secret, rule) = (finding.secret, finding.rule);
        Self { secret, rule, name: finding.name.clone(), what }
    }
}

const HEAD: &str = "\
# Decisions about secrets that convo-site found in this site, as written by `convo-site review`.
# This file contains no secrets: each `secret` is a hash that was made with the key. Anyone who has the key
# can test guesses against it, so put short passwords into `[[redact]]` and not into `[[accept]]`.
";

/// Returns the text of a `gate.toml` with decisions added to it, under a key that is written where
/// none stands.
pub fn with_decisions(text: &str, key: Option<&[u8; 32]>, decisions: &[Decision]) -> String {
    let mut out = String::new();
    if let Some(key) = key {
        // A key of the whole file stands above all tables.
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
        let _ = writeln!(out, "rule = {}", quoted(rule));
        if let Decided::Accept { conversation, reason, until } = what {
            let _ = writeln!(out, "conversation = {}", quoted(conversation));
            let _ = writeln!(out, "reason = {}", quoted(&one_line(reason)));
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

/// Quotes a text; what JSON writes is a string of TOML as well.
fn quoted(text: &str) -> String {
    serde_json::Value::from(one_line(text)).to_string()
}

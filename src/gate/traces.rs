//! Traces of secrets: what is left of a secret in a source after its format has changed the text, such as the
//! end of a path whose beginning is dropped, or a label with spaces in place of underscores.
//!
//! The rules cannot recognise them, so the secrets are searched for in the bytes of the source, and parts of
//! them in the texts that were read from it.

use std::ops::Range;

use super::Gate;
use super::fragments::Fragments;
use super::spellings::spelled_matches;
use crate::formats::Input;
use crate::secrets::{self, Rule};

/// The number of bytes before a place where a secret may begin that are searched with it.
const BEFORE_BYTES: usize = 32;
/// The number of bytes after it. A secret of 100 characters may be written with six bytes each.
const AFTER_BYTES: usize = 700;

/// The secrets of a source.
#[derive(Clone, Default)]
pub struct Traces {
    fragments: Fragments,
    /// The rules of the secrets.
    rules: Vec<&'static Rule>,
}

/// A trace in a text.
pub(super) struct Trace<'a> {
    pub(super) range: Range<usize>,
    pub(super) rule: &'static Rule,
    /// The whole secret.
    pub(super) secret: &'a str,
}

impl Gate {
    /// Finds the certain secrets in the bytes of a source.
    pub fn traces(&self, inputs: &[Input]) -> Traces {
        let mut traces = Traces::default();
        // Databases are binary, with texts in them.
        let chunks = inputs.iter().flat_map(|input| input.bytes.utf8_chunks());
        for text in chunks.map(|chunk| chunk.valid()) {
            for text in stretches(text).into_iter().filter_map(|range| text.get(range)) {
                for found in spelled_matches(text, &self.last) {
                    let written = text.get(found.range.clone()).unwrap_or_default();
                    traces.add(found.rule, found.seen.as_deref().unwrap_or(written));
                }
            }
        }
        traces
    }
}

/// Returns the stretches of a text in which a secret may be.
fn stretches(text: &str) -> Vec<Range<usize>> {
    let mut stretches: Vec<Range<usize>> = Vec::new();
    secrets::each_beginning(text, |at| {
        let start = text.floor_char_boundary(at.saturating_sub(BEFORE_BYTES));
        let end = text.ceil_char_boundary((at + AFTER_BYTES).min(text.len()));
        match stretches.last_mut().filter(|last| start <= last.end) {
            Some(last) => last.end = end,
            None => stretches.push(start..end),
        }
    });
    stretches
}

impl Traces {
    fn add(&mut self, rule: &'static Rule, secret: &str) {
        if self.fragments.add(secret, is_random) {
            self.rules.push(rule);
        }
    }

    /// Returns these traces with those of other secrets.
    pub(super) fn with(&self, secrets: &[(&'static Rule, String)]) -> Self {
        let mut all = self.clone();
        secrets.iter().for_each(|(rule, secret)| all.add(rule, secret));
        all
    }

    /// Adds the secrets of another source.
    pub fn join(&mut self, other: &Self) {
        let secrets = other.rules.iter().zip(other.fragments.secrets());
        secrets.for_each(|(rule, secret)| self.add(rule, secret));
    }

    /// Returns the traces in a text, in order.
    pub(super) fn find(&self, text: &str) -> impl Iterator<Item = Trace<'_>> {
        self.fragments.find(text).into_iter().filter_map(|found| {
            let rule = *self.rules.get(found.secret)?;
            Some(Trace { range: found.range, rule, secret: self.fragments.secret(found.secret) })
        })
    }
}

/// Returns whether letters and digits occur in this sequence by chance only, unlike words.
fn is_random(window: &[u8]) -> bool {
    let has = |kind: fn(&u8) -> bool| window.iter().any(kind);
    let is_mixed =
        || has(u8::is_ascii_lowercase) && window.iter().skip(1).any(u8::is_ascii_uppercase);
    let is_word = window.iter().all(u8::is_ascii_alphanumeric);
    is_word && (has(u8::is_ascii_digit) && !window.iter().all(u8::is_ascii_digit) || is_mixed())
}

#[cfg(test)]
mod tests {
    use super::Traces;
    use crate::config;
    use crate::formats::Input;
    use crate::gate::{Baseline, EnvValues, Gate};
    use crate::secrets;

    fn traces_of(text: &str) -> Traces {
        let config = config::load("").expect("a configuration").value;
        let gate = Gate::new(&config, Baseline::default(), EnvValues::default()).expect("a gate");
        let input = Input {
            path: "a.json".to_owned(),
            name: "a.json".to_owned(),
            bytes: text.as_bytes().to_vec(),
            first_line: 1,
            is_continued: false,
        };
        gate.traces(&[input])
    }

    #[test]
    fn what_a_format_leaves_of_a_secret_is_found() {
        let rule = secrets::rule("github-token").expect("a rule");
        let secret = rule.example(3).secret().to_owned();
        let (start, end) = secret.split_at(secret.len() / 2);
        let escaped: String = secret.bytes().map(|byte| format!("\\u{byte:04x}")).collect();
        for source in [
            secret.clone(),
            secret.replace('_', "\\\\_"),
            format!("{start}](https://a.example/){end}"),
            format!("{start}[^1]{end}"),
            escaped,
        ] {
            let source = format!("{{\"a\": \"so it goes, {source} \"}}");
            let traces = traces_of(&source);
            for (text, left) in [
                (format!("so {}", secret.replace('_', " ")), "so "),
                (format!("{end}.pdf"), ".pdf"),
                (format!("so {}", secret.to_lowercase()), "so "),
                (format!("a\\_{}", end.replace('_', "\\_")), "a\\_"),
                (format!("a%20{start}%5B{end}%5D"), "a%20%5D"),
            ] {
                let mut rest = text.clone();
                for trace in traces.find(&text).collect::<Vec<_>>().into_iter().rev() {
                    rest.replace_range(trace.range, "");
                }
                assert_eq!(
                    rest.replace("ghp_", "").replace("ghp", "").trim_end(),
                    left.trim_end(),
                    "{source}"
                );
            }
            let twice = format!("{secret} and {secret}");
            assert_eq!(traces.find(&twice).count(), 2);
            let other = "nothing of it is here, not even github or ghp_";
            assert_eq!(traces.find(other).count(), 0);
        }
        assert!(traces_of("a text with ghp_ and \\u0041 alone").rules.is_empty());
    }
}

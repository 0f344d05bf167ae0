//! Traces of secrets: what is left of a secret in a source after its format has changed the text, such as the
//! end of a path whose beginning is dropped, or a label with spaces in place of underscores.
//!
//! The rules cannot recognise them, so the secrets are searched for in the bytes of the source, and parts of
//! them in the texts that were read from it.

use std::ops::Range;

use rustc_hash::FxHashMap;

use super::Gate;
use super::secrets::{self, Rule};
use super::spellings::{Unescaped, spelled_matches};
use crate::formats::Input;

/// The number of letters and digits by which a trace is recognised.
const WINDOW: usize = 8;
/// The maximum number of other bytes inside a trace, such as the URL of a link.
const MAX_GAP_BYTES: usize = 64;
/// The number of bytes before a place where a secret may begin that are searched with it.
const BEFORE_BYTES: usize = 32;
/// The number of bytes after it. A secret of 100 characters may be written with six bytes each.
const AFTER_BYTES: usize = 700;
/// The maximum number of secrets of a source whose traces are searched for. It bounds the memory.
const MAX_SECRETS: usize = 10_000;

/// The secrets of a source.
#[derive(Clone, Default)]
pub struct Traces {
    secrets: Vec<(&'static Rule, String)>,
    /// The place of each sequence of [`WINDOW`] letters and digits, in lower case, as in names of kinds.
    windows: FxHashMap<[u8; WINDOW], Place>,
}

/// A place in a secret.
#[derive(Clone, Copy)]
struct Place {
    /// The index of the secret.
    secret: usize,
    /// The number of letters and digits before it.
    before: usize,
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
                    let written = || text.get(found.range.clone()).unwrap_or_default().to_owned();
                    traces.add(found.rule, found.seen.unwrap_or_else(written));
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
    fn add(&mut self, rule: &'static Rule, secret: String) {
        let letters: Vec<u8> = secret.bytes().filter(u8::is_ascii_alphanumeric).collect();
        let windows = letters.windows(WINDOW).enumerate();
        let windows = windows
            .filter(|(_, window)| is_random(window))
            .map(|(at, window)| (at, window.to_ascii_lowercase()))
            .filter_map(|(at, window)| Some((at, <[u8; WINDOW]>::try_from(window).ok()?)));
        let windows: Vec<(usize, [u8; WINDOW])> = windows.collect();
        let same = windows.first().and_then(|(_, first)| self.windows.get(first));
        let is_known = same
            .and_then(|same| self.secrets.get(same.secret))
            .is_some_and(|(_, known)| *known == secret);
        if is_known || self.secrets.len() == MAX_SECRETS {
            return;
        }
        for (before, window) in windows {
            self.windows.entry(window).or_insert(Place { secret: self.secrets.len(), before });
        }
        self.secrets.push((rule, secret));
    }

    /// Adds the secrets of another source.
    pub fn join(&mut self, other: &Self) {
        other.secrets.iter().for_each(|(rule, secret)| self.add(rule, secret.clone()));
    }

    /// Returns the traces in a text, in order.
    pub(super) fn find(&self, text: &str) -> Vec<Trace<'_>> {
        if self.windows.is_empty() {
            return Vec::new();
        }
        let mut found = self.ranges(text);
        let unescaped = Unescaped::new(text);
        for (level, view) in unescaped.views().enumerate() {
            let shown = self.ranges(view).into_iter();
            found.extend(shown.map(|(range, place)| (unescaped.written(level, range), place)));
        }
        found.sort_by_key(|(range, _)| (range.start, range.end));
        let mut traces: Vec<Trace<'_>> = Vec::new();
        let mut last: Option<Place> = None;
        for (range, place) in found {
            let Some((rule, secret)) = self.secrets.get(place.secret) else { continue };
            let goes_on = |trace: &Trace<'_>, last: Place| {
                let is_next = last.secret == place.secret && last.before < place.before;
                range.start < trace.range.end
                    || is_next && range.start <= trace.range.end + MAX_GAP_BYTES
            };
            match traces.last_mut().filter(|trace| last.is_some_and(|last| goes_on(trace, last))) {
                Some(trace) => trace.range.end = trace.range.end.max(range.end),
                None => traces.push(Trace { range, rule, secret }),
            }
            last = Some(place);
        }
        traces
    }

    /// Returns the range of each known sequence of letters and digits in a text, and its place in the secret.
    fn ranges(&self, text: &str) -> Vec<(Range<usize>, Place)> {
        let bytes = text.bytes().enumerate();
        let letters: Vec<(usize, u8)> =
            bytes.filter(|(_, byte)| byte.is_ascii_alphanumeric()).collect();
        let known = |window: &[(usize, u8)]| {
            let mut key = [0; WINDOW];
            key.iter_mut().zip(window).for_each(|(to, (_, byte))| *to = byte.to_ascii_lowercase());
            let place = *self.windows.get(&key)?;
            let ((start, _), (end, _)) = (window.first()?, window.last()?);
            Some((*start..end + 1, place))
        };
        letters.windows(WINDOW).filter_map(known).collect()
    }
}

/// Returns whether letters and digits occur in this sequence by chance only, unlike words.
fn is_random(window: &[u8]) -> bool {
    let has = |kind: fn(&u8) -> bool| window.iter().any(kind);
    let is_varied = window.iter().any(|byte| Some(byte) != window.first());
    let is_mixed =
        || has(u8::is_ascii_lowercase) && window.iter().skip(1).any(u8::is_ascii_uppercase);
    is_varied && (has(u8::is_ascii_digit) && !window.iter().all(u8::is_ascii_digit) || is_mixed())
}

#[cfg(test)]
mod tests {
    use super::Traces;
    use crate::config;
    use crate::formats::Input;
    use crate::gate::{Baseline, EnvValues, Gate, secrets};

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
                for trace in traces.find(&text).into_iter().rev() {
                    rest.replace_range(trace.range, "");
                }
                assert_eq!(
                    rest.replace("ghp_", "").replace("ghp", "").trim_end(),
                    left.trim_end(),
                    "{source}"
                );
            }
            let twice = format!("{secret} and {secret}");
            assert_eq!(traces.find(&twice).len(), 2);
            assert!(traces.find("nothing of it is here, not even github or ghp_").is_empty());
        }
        assert!(traces_of("a text with ghp_ and \\u0041 alone").secrets.is_empty());
    }
}

//! Shortens speaker names that are too long. A name is on every page of its speaker, and every text is
//! searched for it.

use std::collections::HashMap;
use std::ops::Range;

use convo_base::diag::{Counted, Note, Severity};
use convo_base::hash::Hash;
use convo_base::model::{Conversation, TextRole, TextVisitor};

/// The maximum number of characters in a speaker name.
const MAX_CHARS: usize = 1000;
/// Longer names.
const TOO_LONG: Counted = Counted::new(
    Severity::Warning,
    "too-long",
    "speaker name is longer than 1000 characters",
    "speaker names are longer than 1000 characters",
)
.hint("long names are shortened and end in a hash");
/// The number of hash characters at the end of a shortened name, which keep names with the same beginning
/// distinct.
const TAIL_CHARS: usize = 8;
/// The maximum number of characters of a secret at the place where a name is cut.
const MAX_SECRET_CHARS: usize = 16_000;

/// Returns the secrets in a text.
type SecretsIn<'a> = &'a dyn Fn(&str) -> Vec<String>;

/// Shortens speaker names that are too long. No part of a secret remains at the cut. Returns a warning if
/// any name was shortened.
pub fn cut_long_names(
    conversations: &mut [Conversation],
    secrets_in: SecretsIn<'_>,
) -> Option<Note> {
    let mut count = 0;
    for read in conversations {
        let long = read.participants.iter().filter(|who| is_long(&who.name)).count();
        let is_spoken = || read.all_turns().any(|turn| is_long(&turn.speaker));
        let is_called = || read.participants.iter().any(|who| has_long_alias(&who.aliases));
        if long == 0 && !is_spoken() && !is_called() {
            continue;
        }
        count += long.max(1);
        read.visit_texts(&mut Names { secrets_in, cut: HashMap::new() });
        for who in read.participants.iter_mut() {
            // No text refers to somebody by such a long name.
            who.aliases.retain(|alias| !is_long(alias));
        }
    }
    (count > 0).then(|| Note::counted(TOO_LONG, "", count as u64, None))
}

struct Names<'a> {
    secrets_in: SecretsIn<'a>,
    /// The names that were already shortened, by the hashes of the originals.
    cut: HashMap<Hash, String>,
}

impl TextVisitor for Names<'_> {
    fn text(&mut self, role: TextRole, text: &mut String) {
        if role == TextRole::Name && is_long(text) {
            let hash = Hash::of(text.as_str());
            let short = || shortened(text, hash, self.secrets_in);
            *text = self.cut.entry(hash).or_insert_with(short).clone();
        }
    }
}

/// Returns a name of at most [`MAX_CHARS`] characters for a longer one. Different names stay different.
fn shortened(name: &str, hash: Hash, secrets_in: SecretsIn<'_>) -> String {
    let most = end_of(name, MAX_CHARS - TAIL_CHARS - 2);
    let looked_at = &name[..end_of(name, MAX_CHARS + MAX_SECRET_CHARS)];
    let mut secrets: Vec<Range<usize>> = Vec::new();
    for secret in secrets_in(looked_at) {
        let places = looked_at.match_indices(&secret).map(|(at, _)| at..at + secret.len());
        let known = secrets.len();
        secrets.extend(places);
        if secrets.len() == known {
            // It is spelled differently in the text and may be anywhere.
            secrets.push(0..looked_at.len());
        }
    }
    let mut end = most;
    while let Some(secret) = secrets.iter().find(|place| place.start < end && end < place.end) {
        end = secret.start;
    }
    let mark = format!("…{}", hash.short(TAIL_CHARS));
    match name[..end].trim_end() {
        "" => mark,
        kept => format!("{kept} {mark}"),
    }
}

/// Returns the byte offset after the first `chars` characters of a text.
fn end_of(text: &str, chars: usize) -> usize {
    text.char_indices().nth(chars).map_or(text.len(), |(at, _)| at)
}

fn has_long_alias(aliases: &[String]) -> bool {
    aliases.iter().any(|alias| is_long(alias))
}

fn is_long(name: &str) -> bool {
    name.len() > MAX_CHARS && name.chars().nth(MAX_CHARS).is_some()
}

#[cfg(test)]
mod tests {
    use super::{MAX_CHARS, is_long, shortened};
    use convo_base::hash::Hash;

    fn cut(name: &str, secret: &str) -> String {
        let secrets = |text: &str| match text.contains(secret) && !secret.is_empty() {
            true => vec![secret.to_owned()],
            false => Vec::new(),
        };
        shortened(name, Hash::of(name), &secrets)
    }

    #[test]
    fn names_that_differ_behind_the_cut_still_do() {
        let [one, other] = ["a", "b"].map(|end| "é".repeat(5000) + end);
        let [one, other] = [cut(&one, ""), cut(&other, "")];
        assert!(one != other && !is_long(&one) && !is_long(&other));
        assert!(!is_long(&"é".repeat(MAX_CHARS)));
    }

    #[test]
    fn no_part_of_a_secret_is_left_of_the_cut() {
        let secret = "key of tern and kite";
        for before in 960..1010 {
            let name = format!("{}{secret}{}", "n".repeat(before), "m".repeat(100));
            let short = cut(&name, secret);
            let kept = short.trim_start_matches('n').replacen(secret, "", 1);
            let kept = kept.trim_start_matches('m').trim_start();
            assert!(kept.starts_with('…'), "{before}: {short}");
            assert!(short.starts_with(&"n".repeat(before.min(990))), "{before}: {short}");
        }
    }
}

//! Speaker names before colons in meetings and transcripts: `Ada: Good morning.`

use std::collections::{HashMap, HashSet};

use super::cue::Cue;

/// The maximum length of a name. Characters and words.
const MAX_CHARS: usize = 48;
const MAX_WORDS: usize = 5;

/// Uses names at the beginning of cues as voices if no cue has a voice. A name counts if it occurs
/// more than once. If most candidates do, or if every cue begins with a candidate, the others count
/// too.
pub(super) fn take_names(cues: &mut [Cue]) {
    if cues.iter().any(|cue| cue.voice.is_some()) {
        return;
    }
    let mut counts: HashMap<&str, usize> = HashMap::new();
    for (name, _) in cues.iter().filter_map(|cue| candidate(&cue.text)) {
        *counts.entry(name).or_default() += 1;
    }
    let all: usize = counts.values().sum();
    let again: usize = counts.values().filter(|count| **count > 1).sum();
    // If every cue begins with a candidate, all of them are names.
    let is_everywhere = all > 1 && all == cues.len();
    let is_sure = again * 2 >= all || is_everywhere;
    let names: Vec<String> = counts
        .into_iter()
        .filter(|(_, count)| (again > 0 || is_everywhere) && (*count > 1 || is_sure))
        .map(|(name, _)| name.to_owned())
        .collect();
    let mut names: HashSet<String> = names.into_iter().collect();
    names.extend(handles(cues));
    for cue in cues {
        let found = candidate(&cue.text).or_else(|| handle(&cue.text));
        let Some((name, words)) = found else { continue };
        if names.contains(name) {
            (cue.voice, cue.text) = (Some(name.to_owned()), words.to_owned());
        }
    }
}

/// Returns repeated names of accounts and devices, if nearly all cues begin with such a name, as in
/// meetings: `ada k: Good morning.`
fn handles(cues: &[Cue]) -> Vec<String> {
    let names = cues
        .iter()
        .filter_map(|cue| candidate(&cue.text).or_else(|| handle(&cue.text)).map(|(name, _)| name));
    let mut counts: HashMap<&str, usize> = HashMap::new();
    names.for_each(|name| *counts.entry(name).or_default() += 1);
    let again = counts.values().filter(|count| **count > 1).sum::<usize>();
    match again > 2 && again * 10 >= cues.len() * 9 {
        true => counts.into_keys().map(str::to_owned).collect(),
        false => Vec::new(),
    }
}

/// Returns a possible account or device name, and the text after it: `iPhone: Hello?`
fn handle(text: &str) -> Option<(&str, &str)> {
    let (name, words) = text.trim_start().split_once(": ")?;
    let is_one = name.chars().count() <= MAX_CHARS
        && (1..=MAX_WORDS).contains(&name.split(' ').count())
        && name.starts_with(|c: char| c.is_alphanumeric() || c == '+')
        && !name.contains([':', '!', '?', ',', ';', '\n', '"', '/', '<', '>'])
        && !name.ends_with('.');
    is_one.then(|| (name, words.trim_start()))
}

/// Returns a possible name, and the text after it.
fn candidate(text: &str) -> Option<(&str, &str)> {
    let text = text.trim_start().trim_start_matches(['-', '–', '—', '>', ' ']);
    let (name, words) = text.split_once(':')?;
    let name = name.trim();
    let is_apart = words.starts_with(char::is_whitespace);
    let count = name.split_whitespace().count();
    let starts = |word: &str| word.starts_with(|c: char| c.is_uppercase() || !c.is_lowercase());
    let is_name = name.starts_with(|c: char| c.is_alphabetic())
        && name.chars().count() <= MAX_CHARS
        && (1..=MAX_WORDS).contains(&count)
        && name.split_whitespace().all(starts)
        && !name.contains(['.', '!', '?', ',', ';', '\n', '"'])
        || is_initialed(name);
    (is_apart && is_name).then_some((name, words.trim_start()))
}

/// Returns whether the dots in a name belong to initials and titles: `J. R. Moss`, `Dr. Moss`.
fn is_initialed(name: &str) -> bool {
    let count = name.split_whitespace().count();
    let fits = |word: &str| match word.strip_suffix('.') {
        Some(initial) => initial.chars().count() <= 4 && initial.chars().all(char::is_alphabetic),
        None => word.chars().all(|c| c.is_alphabetic() || "-'’".contains(c)),
    };
    (2..=MAX_WORDS).contains(&count)
        && name.chars().count() <= MAX_CHARS
        && name.split_whitespace().all(|word| fits(word) && word.starts_with(char::is_uppercase))
}

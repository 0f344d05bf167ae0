//! Recognises placeholders and published examples.

use std::sync::LazyLock;

use aho_corasick::AhoCorasick;

/// Words, in lower case, that do not occur in random secrets.
const WORDS: [&str; 34] = [
    "example", "fake", "dummy", "placeholder", "xxxx", "....", "****", "____", "your-", "your_",
    "yourkey", "yourtoken", "yourapi", "changeme", "change-me", "change_me", "replaceme",
    "replace-me", "replace_me", "insert-", "insert_", "hunter2", "redacted", "sample", "notreal",
    "not-real", "not_real", "deadbeef", "test_token", "test-token", "testkey", "testtoken",
    "secret-here", "my-secret",
];

static STANDING: LazyLock<Option<AhoCorasick>> = LazyLock::new(|| AhoCorasick::new(WORDS).ok());

/// Short words that count only between separators, because they could occur by chance.
const PARTS: [&str; 14] = [
    "test", "testing", "mock", "demo", "foo", "bar", "here", "todo", "secret", "key", "token",
    "abc", "abc123", "123",
];

/// Published example values from documentation.
const PUBLIC: [&str; 9] = [
    // AWS
    "wJalrXUtnFEMI/K7MDENG",
    // GitHub
    "16C7e42F292c6912E7710c838347Ae178B4a",
    // jwt.io: the signature under the names of John Doe, HS256
    "SflKxwRJSMeKKF2QT4fwpMeJf36POk6yJV_adQssw5c",
    "TJVA95OrM7E2cBab30RMHrHDcEfxjoYZgeFONFh7HgQ",
    // Stripe
    "4eC39HqLyjWDarjtT1zdp7dc",
    "BQokikJOvBiI2HlWgH4olfQ2",
    // Slack
    "T00000000",
    // Azurite and the storage emulator
    "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq",
    // The empty string's SHA-256
    "e3b0c44298fc1c149afbf4c8996fb924",
];

/// Returns whether a value (without its prefix) is a placeholder.
pub(super) fn is_placeholder(value: &str) -> bool {
    let lower = value.to_ascii_lowercase();
    STANDING.as_ref().is_some_and(|words| words.is_match(&lower))
        || PUBLIC.iter().any(|known| value.contains(known))
        || lower.split(['-', '_', '.']).any(|part| PARTS.contains(&part))
        || value.contains(['<', '>', '…'])
        || ["${", "{{", "$(", "{}", "%{"].iter().any(|mark| value.contains(mark))
        || has_few_characters(value.as_bytes())
        || is_sequence(lower.as_bytes())
}

/// Returns whether a value of some length has very few distinct characters.
fn has_few_characters(value: &[u8]) -> bool {
    let mut seen = [false; 256];
    for byte in value {
        if let Some(seen) = seen.get_mut(usize::from(*byte)) {
            *seen = true;
        }
    }
    let different = seen.iter().filter(|seen| **seen).count();
    value.len() >= 8 && different <= 3 || value.len() >= 20 && different <= 5
}

/// Returns whether seven consecutive characters are in alphabetical or numerical order.
fn is_sequence(value: &[u8]) -> bool {
    let mut run = 0;
    for (before, after) in value.iter().zip(value.iter().skip(1)) {
        let next = before.wrapping_add(1) == *after || (*before == b'9' && *after == b'0');
        let wraps = *before == b'9' && *after == b'a';
        run = if next || wraps { run + 1 } else { 0 };
        if run >= 6 {
            return true;
        }
    }
    false
}

/// Returns whether a value is a published example.
pub(super) fn is_known(value: &str) -> bool {
    PUBLIC.iter().any(|known| value.contains(known))
}

/// Returns whether the lines of a key are an example, with dots or words instead of characters.
pub(super) fn is_placeholder_block(body: &str) -> bool {
    let lower = body.to_ascii_lowercase();
    ["...", "xxxx", "****", "example", "redacted", "your"].iter().any(|word| lower.contains(word))
        || has_few_characters(body.as_bytes())
}

/// Words in the names of fake values.
const FAKE: [&str; 5] = ["fake", "dummy", "mock", "bogus", "example"];

/// What may follow such a word without a separator: endings, and words for credentials.
const AFTER_FAKE: [&str; 16] = [
    "s", "d", "ed", "key", "keys", "token", "tokens", "secret", "secrets", "pass", "passwd",
    "password", "pwd", "apikey", "credential", "credentials",
];

/// Returns whether the name of a value indicates that it is fake: `fakeToken = "…"`. Only whole words of
/// the name count; `hammock` contains no `mock`.
pub(super) fn is_named_fake(name: &[u8]) -> bool {
    let is_word = |a: &u8, b: &u8| {
        a.is_ascii_alphabetic()
            && b.is_ascii_alphabetic()
            && (a.is_ascii_uppercase() || b.is_ascii_lowercase())
    };
    name.chunk_by(is_word).any(|word| {
        FAKE.iter().filter_map(|fake| after(word, fake)).any(|rest| {
            let is_rest = |known: &&str| rest.eq_ignore_ascii_case(known.as_bytes());
            rest.is_empty() || AFTER_FAKE.iter().any(is_rest)
        })
    })
}

/// Returns the rest of a word after its beginning, in any case.
fn after<'w>(word: &'w [u8], begin: &str) -> Option<&'w [u8]> {
    let (head, rest) = word.split_at_checked(begin.len())?;
    head.eq_ignore_ascii_case(begin.as_bytes()).then_some(rest)
}

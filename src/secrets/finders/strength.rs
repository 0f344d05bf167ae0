//! Estimates whether a value looks like a generated password or key.

use super::super::classes::distinct;
use super::super::{entropy, placeholders};

/// How much a value looks like a secret.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Strength {
    /// Not a secret: an example, a word, a name in source code.
    None,
    /// Possibly a secret.
    Weak,
    /// Letters, digits and punctuation that look random.
    Strong,
}

/// Common values that are not secrets.
const USUAL: [&str; 40] = [
    "password", "passwd", "secret", "token", "admin", "root", "postgres", "postgresql", "mysql",
    "string", "str", "true", "false", "null", "none", "undefined", "required", "optional",
    "default", "user", "guest", "username", "value", "basic", "bearer", "string;", "number",
    "boolean", "object", "unknown", "disabled", "enabled", "password1", "password123", "admin123",
    "secret123", "letmein", "qwerty", "mongodb", "minioadmin",
];

/// Prefixes of references to values that are stored elsewhere.
const LOOKED_UP: [&str; 14] = [
    "process.", "os.", "env.", "env(", "secrets.", "config.", "settings.", "self.", "this.",
    "vault:", "op://", "import.", "/run/secrets", "file:",
];

/// Estimates the strength of a value.
pub(super) fn of(value: &str) -> Strength {
    if !(6..=256).contains(&value.len()) {
        return Strength::None;
    }
    let lower = value.to_ascii_lowercase();
    if USUAL.contains(&lower.as_str())
        || value.starts_with(['$', '%', '@', '{', '[', '(', '/', '.', '#', '~'])
        || LOOKED_UP.iter().any(|start| lower.starts_with(start))
        || value.contains("](")
        || value.contains("()")
        || value.contains("://")
        || placeholders::is_placeholder(value)
    {
        return Strength::None;
    }
    let has = |test: fn(&u8) -> bool| usize::from(value.as_bytes().iter().any(test));
    let (lower, upper) = (has(u8::is_ascii_lowercase), has(u8::is_ascii_uppercase));
    let (digit, mark) = (has(u8::is_ascii_digit), has(u8::is_ascii_punctuation));
    let classes = lower + upper + digit + mark;
    if digit == 0 && classes < 3 || lower + upper == 0 {
        return Strength::None;
    }
    if entropy::is_of_words(value) || is_uuid(value) {
        return Strength::Weak;
    }
    let long = value.len() >= 16 && digit == 1 && distinct(value) >= 8;
    let mixed = value.len() >= 8 && classes >= 3 && digit == 1;
    if long || mixed { Strength::Strong } else { Strength::Weak }
}

/// Returns whether a value is a UUID: groups of eight, four, four, four and twelve digits.
fn is_uuid(value: &str) -> bool {
    let parts = value.split('-').map(str::len);
    parts.eq([8, 4, 4, 4, 12])
}

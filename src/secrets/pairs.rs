//! Secrets that are recognised by the id next to them.

use std::ops::Range;

use super::classes::Class;
use super::{entropy, placeholders};

/// Characters between the parts of a pair, as in CSV files and tables.
const BETWEEN: Class = Class::EMPTY.and(b" \t\r\n,;:|\"'`\\=()[]{}<>*-");

/// The maximum number of separators between the parts of a pair.
const MAX_BETWEEN: usize = 16;

/// The maximum distance in bytes from an id to its secret on the same line.
const REACH: usize = 64;

/// The length of an AWS secret key.
const AWS_SECRET_BYTES: usize = 40;

/// Characters of AWS secret keys.
const AWS_SECRET: Class = Class::ALPHANUMERIC.and(b"+/");

/// Returns the AWS secret key that belongs to an access key id: next to it, or after it on its line.
pub(super) fn aws_secret(text: &str, id: &Range<usize>) -> Option<Range<usize>> {
    let bytes = text.as_bytes();
    let after = id.end + BETWEEN.run(bytes, id.end, MAX_BETWEEN);
    let before = id.start - BETWEEN.run_back(bytes, id.start, MAX_BETWEEN);
    let before = before.checked_sub(AWS_SECRET_BYTES);
    let near = [Some(after), before].into_iter().flatten();
    let rest = bytes.get(id.end..)?.iter().take(REACH);
    let line = rest.take_while(|byte| **byte != b'\n').count();
    near.chain(after..id.end + line).find_map(|start| aws_secret_at(text, start))
}

fn aws_secret_at(text: &str, start: usize) -> Option<Range<usize>> {
    let bytes = text.as_bytes();
    let end = start + AWS_SECRET_BYTES;
    if AWS_SECRET.run_back(bytes, start, 1) > 0
        || AWS_SECRET.run(bytes, start, AWS_SECRET_BYTES + 1) != AWS_SECRET_BYTES
    {
        return None;
    }
    let value = text.get(start..end)?;
    let has = |test: fn(&u8) -> bool| value.as_bytes().iter().any(test);
    // A commit has no capital letters.
    let is_mixed = has(u8::is_ascii_lowercase) && has(u8::is_ascii_uppercase);
    let is_secret =
        is_mixed && entropy::is_generated(value) && !placeholders::is_placeholder(value);
    is_secret.then_some(start..end)
}

//! Writes a value of a database row as JSON.

use rusqlite::types::ValueRef;

use super::super::blocks::unpacked;
use convo_base::json;

/// The maximum length of a cell, and the maximum unpacked length of a packed one. Bytes.
pub(super) const MAX_CELL: u64 = 32 << 20;

/// The signature at the start of Zstandard data.
const ZSTD: &[u8] = b"\x28\xb5\x2f\xfd";

/// Returns a short text, such as an id.
pub(super) fn short_text(value: ValueRef<'_>) -> Option<String> {
    match value {
        ValueRef::Text(text) | ValueRef::Blob(text) if text.len() < 1000 => {
            Some(String::from_utf8_lossy(text).into_owned())
        }
        ValueRef::Integer(number) => Some(number.to_string()),
        _ => None,
    }
}

/// Writes a value as JSON. A value that is JSON itself is included unchanged if allowed, without
/// its line breaks. The error is the length of a value that is too long to read. Bytes.
pub(super) fn write(value: ValueRef<'_>, may_be_json: bool, out: &mut String) -> Result<(), u64> {
    match value {
        ValueRef::Null => out.push_str("null"),
        ValueRef::Integer(number) => out.push_str(&number.to_string()),
        ValueRef::Real(number) => match serde_json::Number::from_f64(number) {
            Some(number) => out.push_str(&number.to_string()),
            None => out.push_str("null"),
        },
        ValueRef::Text(text) => {
            write_text(&String::from_utf8_lossy(text), may_be_json, out);
        }
        ValueRef::Blob(blob) if blob.starts_with(ZSTD) => {
            let text = unpacked(blob, MAX_CELL).ok_or(blob.len() as u64)?;
            write_text(&String::from_utf8_lossy(&text), may_be_json, out);
        }
        ValueRef::Blob(blob) => {
            let text = std::str::from_utf8(blob).map_err(|_| blob.len() as u64)?;
            write_text(text, may_be_json, out);
        }
    }
    Ok(())
}

fn write_text(text: &str, may_be_json: bool, out: &mut String) {
    let bare = text.trim();
    let is_json = may_be_json
        && bare.starts_with(['{', '['])
        && serde_json::from_str::<serde::de::IgnoredAny>(bare).is_ok();
    match is_json {
        true => out.extend(bare.chars().map(|c| if c.is_control() { ' ' } else { c })),
        false => out.push_str(&json::value(text).to_string()),
    }
}

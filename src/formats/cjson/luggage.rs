//! What a conversation carries with it that has no place in the model: as far as the schema
//! allows it, it is written back.

use crate::json::{Map, Value};

/// Keeps of a luggage what the schema has a place for.
pub(super) fn fitting(luggage: Map, keys: &[&str]) -> Map {
    let fits = |key: &str, value: &Value| match key {
        "metadata" => value.is_object(),
        "isStreaming" => value.is_boolean(),
        "auditTrail" => {
            value.as_array().is_some_and(|list| list.iter().all(is_audit_entry))
        }
        "toolOverrides" => {
            value.as_array().is_some_and(|list| list.iter().all(is_override))
        }
        _ => value.is_string(),
    };
    luggage
        .into_iter()
        .filter(|(key, value)| keys.contains(&key.as_str()) && fits(key, value))
        .collect()
}

fn is_audit_entry(entry: &Value) -> bool {
    let text = |key: &str| entry.get(key).and_then(Value::as_str);
    let known = ["created", "updated", "deleted", "restored"];
    text("action").is_some_and(|action| known.contains(&action))
        && text("actorId").is_some()
        && text("timestamp").is_some()
        && entry.get("changeDescription").is_none_or(Value::is_string)
}

fn is_override(entry: &Value) -> bool {
    let flag = |key: &str| entry.get(key).is_none_or(Value::is_boolean);
    entry.get("toolId").is_some_and(Value::is_string)
        && flag("enabled")
        && flag("requiresApproval")
        && entry.get("configOverrides").is_none_or(Value::is_object)
}

/// Keys of a block that the schema has and the model has not.
pub(super) const OF_BLOCK: [&str; 4] = ["id", "createdAt", "updatedAt", "isStreaming"];

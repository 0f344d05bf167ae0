//! Handles values that the model has no place for, and that are written back as far as the schema allows.

use convo_base::json::{Map, Value};

/// Keeps the values that the schema allows.
pub(super) fn fitting(passthrough: Map, keys: &[&str]) -> Map {
    let fits = |key: &str, value: &Value| match key {
        "metadata" => value.is_object(),
        "isStreaming" => value.is_boolean(),
        "auditTrail" => value.as_array().is_some_and(|list| list.iter().all(is_audit_entry)),
        "toolOverrides" => value.as_array().is_some_and(|list| list.iter().all(is_override)),
        _ => value.is_string(),
    };
    passthrough
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

/// Keys of blocks that the schema has and the model does not.
pub(super) const BLOCK_KEYS: [&str; 4] = ["id", "createdAt", "updatedAt", "isStreaming"];

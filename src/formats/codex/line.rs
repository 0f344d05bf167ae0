//! One line of the log: a record, in any of its historical forms.

use super::super::Cut;
pub(super) use crate::shared::json::object::text;
use crate::shared::text::dates::of_value;
use convo_base::json::{self, Map, Value};
use convo_base::model::LogEnd;
use convo_base::time::Time;

/// The kinds of records that have a `payload`.
pub(super) const KINDS: [&str; 11] = [
    "session_meta",
    "response_item",
    "event_msg",
    "turn_context",
    "compacted",
    "world_state",
    "token_usage_record",
    "inter_agent_communication",
    "inter_agent_communication_metadata",
    "realtime_item",
    "retained_context",
];

/// A record.
#[derive(Debug)]
pub(super) struct Line {
    /// One of the [`KINDS`], `state`, or an unknown kind.
    pub(super) kind: String,
    /// Its contents.
    pub(super) payload: Map,
    /// When it was written.
    pub(super) time: Option<Time>,
    /// Its number in the session; only in new logs.
    pub(super) ordinal: Option<u64>,
    /// Whether it is copied from another session, or was not sent to the model.
    pub(super) is_inherited: bool,
    /// The other keys of the line.
    pub(super) rest: Map,
}

/// Reads a line.
pub(super) fn line(mut map: Map) -> Line {
    let time = map.get("timestamp").and_then(time);
    if let Some(Value::Object(payload)) = map.get_mut("payload") {
        let payload = std::mem::take(payload);
        let kind = map.get("type").and_then(Value::as_str).unwrap_or_default();
        let kind = match kind {
            "" if payload.contains_key("cwd") => "session_meta".to_owned(),
            kind => kind.to_owned(),
        };
        let time = time.or_else(|| self::time(payload.get("timestamp")?));
        let ordinal = map.get("ordinal").and_then(Value::as_u64);
        let about = map.get("metadata");
        let is = |key: &str| about.and_then(|about| about.get(key)).is_some_and(is_true);
        let is_inherited = is("inherited_user_message") || is("compaction_output");
        map.retain(|key, _| !["timestamp", "type", "payload", "ordinal"].contains(&&**key));
        return Line { kind, payload, time, ordinal, is_inherited, rest: map };
    }
    let has = |key: &str| map.contains_key(key);
    let kind = if has("record_type") {
        "state"
    } else if has("type") && !has("payload") || has("role") && has("content") {
        "response_item"
    } else if has("id") && has("timestamp") {
        "session_meta"
    } else {
        ""
    };
    let (kind, rest) = (kind.to_owned(), Map::new());
    Line { kind, payload: map, time, ordinal: None, is_inherited: false, rest }
}

/// Returns whether a flag is set, in any notation.
fn is_true(flag: &Value) -> bool {
    match flag {
        Value::Bool(flag) => *flag,
        Value::Number(number) => number.as_f64().is_some_and(|number| number != 0.0),
        Value::String(text) => {
            let text = text.trim();
            ["true", "1", "yes"].iter().any(|yes| text.eq_ignore_ascii_case(yes))
        }
        _ => false,
    }
}

/// A time before Codex existed, in seconds since 1970.
const OLDEST: i64 = 1_700_000_000;

/// Returns a time as it is written in logs.
pub(super) fn time(value: &Value) -> Option<Time> {
    match value {
        Value::Number(_) => of_value(value).filter(|time| time.unix().0 > OLDEST),
        _ => of_value(value),
    }
}

/// Removes a text and returns it.
pub(super) fn take_text(map: &mut Map, key: &str) -> Option<String> {
    match map.get_mut(key) {
        Some(Value::String(text)) => Some(std::mem::take(text)),
        _ => None,
    }
}

/// Returns the number of bytes of a log that are before a place; `None` if all of them are. The log may be
/// a part that starts after `from` bytes.
pub(super) fn bytes_before(log: &[u8], from: u64, end: &LogEnd) -> Option<usize> {
    let mut at = 0;
    let mut is_numbered = false;
    for line in log.split_inclusive(|byte| *byte == b'\n') {
        let number = ordinal(&String::from_utf8_lossy(line));
        is_numbered |= number.is_some();
        let is_behind = match (number, end.record, end.bytes) {
            (Some(number), Some(first), _) => number >= first,
            _ if is_numbered && end.record.is_some() => false,
            (_, _, Some(bytes)) => from + (at + line.len()) as u64 > bytes,
            // The place is unknown.
            _ => end.record.is_none(),
        };
        if is_behind {
            return Some(at);
        }
        at += line.len();
    }
    // Without numbers the place cannot be found, and text that may be after it is not shown.
    (!is_numbered && end.bytes.is_none() && !log.is_empty()).then_some(0)
}

fn ordinal(line: &str) -> Option<u64> {
    let keys = json::keys(line);
    let (_, value) = keys.iter().find(|(key, _)| *key == "ordinal")?;
    value.trim().parse().ok()
}

/// Decides where a long log is cut: before a question. It is not cut early in the log, because rollbacks
/// must be in the same part as the turns they remove.
pub(super) fn cut(before: &str, after: &str) -> Cut {
    let opens = match Sketch::of(after) {
        // The records of a request come in different orders; the first one opens it.
        Sketch::Start => true,
        Sketch::Context | Sketch::Asked => {
            !matches!(Sketch::of(before), Sketch::Start | Sketch::Context | Sketch::Asked)
        }
        Sketch::Other => false,
    };
    if opens { Cut::Passable } else { Cut::Bad }
}

/// The kind of a line, for cutting.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Sketch {
    /// The start of a turn.
    Start,
    /// The settings of a turn, or context for the model.
    Context,
    /// A question.
    Asked,
    /// Anything else.
    Other,
}

impl Sketch {
    fn of(line: &str) -> Self {
        let outer = json::keys(line);
        fn value<'a>(keys: &[(&'a str, &'a str)], key: &str) -> &'a str {
            let found = keys.iter().find(|(known, _)| *known == key);
            found.map_or("", |(_, value)| *value)
        }
        let word = |keys: &[(&str, &str)], key: &str| value(keys, key).trim_matches('"').to_owned();
        let payload = value(&outer, "payload");
        let kind = word(&outer, "type");
        if ["session_meta", "turn_context", "world_state"].contains(&kind.as_str()) {
            return Self::Context;
        }
        let inner = match payload.is_empty() {
            true => outer,
            false => json::keys(payload),
        };
        match word(&inner, "type").as_str() {
            "task_started" | "turn_started" => Self::Start,
            "user_message" => Self::Asked,
            "thread_settings_applied" => Self::Context,
            "item_completed" => {
                let item = json::keys(value(&inner, "item"));
                match word(&item, "type").as_str() {
                    "UserMessage" => Self::Asked,
                    _ => Self::Other,
                }
            }
            _ => match word(&inner, "role").as_str() {
                "user" => Self::Asked,
                "developer" | "system" => Self::Context,
                _ => Self::Other,
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::Cut;
    use super::{bytes_before, cut};
    use convo_base::model::LogEnd;

    #[test]
    fn text_after_a_place_is_found_by_number_or_by_byte() {
        let line = |n: u64| format!("{{\"type\":\"event_msg\",\"ordinal\":{n}}}\n");
        let numbered = line(7) + &line(8) + &line(9);
        let one = line(7).len();
        let plain = numbered.replace("ordinal", "another");
        let find = |text: &str, from, record, bytes| {
            let end = LogEnd { log: String::new(), record, bytes };
            bytes_before(text.as_bytes(), from, &end)
        };
        assert_eq!(find(&numbered, 0, Some(8), Some(3)), Some(one));
        assert_eq!(find(&numbered, 0, Some(10), None), None);
        assert_eq!(find(&numbered, 0, Some(0), None), Some(0));
        assert_eq!(find(&plain, 0, Some(8), Some(2 * one as u64)), Some(2 * one));
        assert_eq!(find(&plain, 100, None, Some(100 + one as u64 + 1)), Some(one));
        assert_eq!(find(&plain, 0, Some(8), None), Some(0));
        assert_eq!(find(&plain, 0, None, None), Some(0));
    }

    #[test]
    fn a_log_is_cut_before_a_request() {
        let started = r#"{"type":"event_msg","payload":{"type":"task_started"}}"#;
        let context = r#"{"type":"turn_context","payload":{"model":"m"}}"#;
        let asked = r#"{"payload":{"type":"message","role":"user"},"type":"response_item"}"#;
        let output = r#"{"type":"response_item","payload":{"type":"function_call_output"}}"#;
        assert_eq!(cut(output, started), Cut::Passable);
        assert_eq!(cut(started, context), Cut::Bad);
        assert_eq!(cut(context, asked), Cut::Bad);
        assert_eq!(cut(output, asked), Cut::Passable);
        assert_eq!(cut(asked, output), Cut::Bad);
        let bare = r#"{"type":"message","role":"user","content":[]}"#;
        assert_eq!(cut(r#"{"record_type":"state"}"#, bare), Cut::Passable);
    }
}

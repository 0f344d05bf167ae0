//! Reads the audit trail of a conversation or message, which records deletions.

use convo_base::json::Value;
use convo_base::time::Time;

/// Returns whether the item was deleted and not restored afterwards, by the order of the entries or by
/// their times.
pub(super) fn is_deleted(trail: Option<&Value>) -> bool {
    let entries: Vec<&Value> = match trail {
        Some(Value::Array(list)) => list.iter().collect(),
        Some(Value::Null) | None => Vec::new(),
        Some(one) => vec![one],
    };
    let fates = entries.into_iter().filter_map(|entry| Some((fate(entry)?, time(entry))));
    let fates: Vec<(bool, Option<Time>)> = fates.collect();
    let last_written = fates.last().is_some_and(|(deleted, _)| *deleted);
    let timed =
        fates.iter().filter_map(|(deleted, time)| Some((time.as_ref()?.instant(), *deleted)));
    let last_timed = timed.max().is_some_and(|(_, deleted)| deleted);
    last_written || last_timed
}

/// Returns `Some(true)` if an entry deletes the item, and `Some(false)` if it restores it.
fn fate(entry: &Value) -> Option<bool> {
    let action = entry.get("action")?.as_str()?.to_lowercase();
    if action.contains("restore") || action.contains("undelete") {
        return Some(false);
    }
    ["delete", "remove", "trash", "purge"].iter().any(|word| action.contains(word)).then_some(true)
}

fn time(entry: &Value) -> Option<Time> {
    Time::parse(entry.get("timestamp")?.as_str()?).ok().map(|(time, _)| time)
}

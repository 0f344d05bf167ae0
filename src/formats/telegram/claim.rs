//! Detection of Telegram exports.

use crate::probe::value_of;
use crate::{Claim, Probe};
use convo_base::json;

/// The keys of an account export besides chats.
const OF_ACCOUNT: [&str; 10] = [
    "personal_information", "profile_pictures", "stories", "contacts", "frequent_contacts",
    "sessions", "web_sessions", "other_data", "chats", "left_chats",
];

const MESSAGES: [&str; 3] = ["message", "service", "unsupported"];

/// Returns the claim to a file of JSON.
pub(super) fn claims(probe: &Probe<'_>) -> Claim {
    let text = probe.text;
    if !text.trim_start().starts_with('{') {
        return Claim::No;
    }
    let is_account = probe.value("about").is_some_and(|about| about.contains("Telegram"))
        && OF_ACCOUNT.iter().any(|key| probe.value(key).is_some());
    let is_list = |key: &&str| probe.value(key).is_some_and(has_chats);
    match is_account || is_chat(probe.keys()) || ["chats", "left_chats"].iter().any(is_list) {
        true => Claim::Signature,
        false => Claim::No,
    }
}

/// Returns whether an object has a list of chats.
fn has_chats(text: &str) -> bool {
    let mut members = json::members(text);
    let list = members.find(|(key, value)| *key == "list" && value.starts_with('['));
    text.starts_with('{') && list.is_some_and(|(_, list)| is_chat(&json::keys(list)))
}

fn is_chat(keys: &[(&str, &str)]) -> bool {
    let get = |name: &str| value_of(keys, name);
    let Some(messages) = get("messages").filter(|list| list.starts_with('[')) else {
        return false;
    };
    let first = json::keys(messages);
    let has = |name: &str| first.iter().any(|(key, _)| *key == name);
    let kind = value_of(&first, "type");
    let is_message = kind.is_some_and(|kind| MESSAGES.contains(&kind.trim_matches('"')));
    let is_dated = has("date_unixtime") || has("from_id") || has("actor_id");
    let is_named = get("id").is_some()
        && get("type").is_some_and(|kind| {
            let kind = kind.trim_matches('"');
            ["_chat", "_messages", "_group", "_supergroup", "_channel", "replies"]
                .iter()
                .any(|end| kind.ends_with(end))
        });
    let is_empty = first.is_empty() && messages[1..].trim_start().starts_with(']');
    is_message && (is_dated || is_named) || is_named && is_empty
}

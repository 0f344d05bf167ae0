//! Events of a chat.

use super::names::name;
use crate::shared::agents::thread::{text as word, whole};
use crate::shared::people::channel::{Contacts, event_block};
use crate::shared::tally::Tally;
use convo_base::json::{Map, Value};
use convo_base::model::{Block, Conversation, Kind};

/// Actions, with the event name and text for each. The actor precedes the text; the members or the
/// title follow it.
const ACTIONS: [(&str, &str, &str); 44] = [
    ("create_group", "created", "created the group"),
    ("create_channel", "created", "created the channel"),
    ("edit_group_title", "renamed", "named the chat"),
    ("edit_group_photo", "changed", "changed the chat picture"),
    ("delete_group_photo", "changed", "removed the chat picture"),
    ("invite_members", "joined", "added"),
    ("remove_members", "left", "removed"),
    ("join_group_by_link", "joined", "joined with an invite link"),
    ("join_group_by_request", "joined", "joined by request"),
    ("join_by_request", "joined", "joined by request"),
    ("joined_telegram", "joined", "joined Telegram"),
    ("migrate_to_supergroup", "changed", "converted the group to a supergroup"),
    ("migrate_from_group", "changed", "converted the group to a supergroup"),
    ("pin_message", "pinned", "pinned a message"),
    ("clear_history", "changed", "cleared the history"),
    ("score_in_game", "game", "set a score in a game"),
    ("send_payment", "payment", "paid"),
    ("send_payment_refund", "payment", "refunded a payment"),
    ("phone_call", "call", "called"),
    ("group_call", "call", "started a call"),
    ("conference_call", "call", "started a call"),
    ("invite_to_group_call", "call", "invited to a call:"),
    ("group_call_scheduled", "call", "scheduled a call"),
    ("take_screenshot", "notice", "took a screenshot"),
    ("allow_sending_messages", "notice", "allowed messages"),
    ("send_passport_values", "notice", "sent documents"),
    ("proximity_reached", "location", "is nearby"),
    ("requested_phone_number", "contact", "asked for a phone number"),
    ("requested_peer", "contact", "shared a chat"),
    ("set_messages_ttl", "changed", "changed the auto-delete timer"),
    ("edit_chat_theme", "changed", "changed the chat theme"),
    ("set_chat_wallpaper", "changed", "changed the chat background"),
    ("set_same_chat_wallpaper", "changed", "changed the chat background"),
    ("topic_created", "created", "opened the topic"),
    ("topic_edit", "renamed", "changed the topic"),
    ("suggest_profile_photo", "notice", "suggested a picture"),
    ("attach_menu_bot_allowed", "notice", "allowed messages"),
    ("web_app_bot_allowed", "notice", "allowed messages"),
    ("send_webview_data", "notice", "sent data to a bot"),
    ("send_premium_gift", "gift", "sent a gift"),
    ("send_star_gift", "gift", "sent a gift"),
    ("send_stars_gift", "gift", "sent a gift"),
    ("gift_code_prize", "gift", "sent a gift"),
    ("boost_apply", "notice", "boosted the chat"),
];

/// Returns the event of a service message; `None` for an unknown action.
pub(super) fn service(
    map: &Map,
    read: &mut Conversation,
    contacts: &mut Contacts,
    tally: &mut Tally,
) -> Option<Block> {
    let action = word(map, "action").unwrap_or_default();
    let Some((_, kind, words)) = ACTIONS.iter().find(|(known, ..)| *known == action) else {
        tally.unknown_skipped(action);
        return None;
    };
    let actor = name(map, "actor", contacts);
    let list = map.get("members").and_then(Value::as_array);
    let members = list.into_iter().flatten().filter_map(Value::as_str);
    let members: Vec<String> = members.map(|name| contacts.name(name).into_owned()).collect();
    // The names of people who only joined may need a pseudonym too.
    for name in actor.iter().chain(&members) {
        read.introduce(name, Kind::Person);
    }
    let is_actor = |list: &[String]| list.len() == 1 && Some(&list[0]) == actor.as_ref();
    let words = match (action, is_actor(&members)) {
        ("invite_members", true) => "joined",
        ("remove_members", true) => "left",
        _ => words,
    };
    let who = actor.clone().unwrap_or_else(|| "Somebody".to_owned());
    let mut text = format!("{who} {words}");
    let title = word(map, "title").or(word(map, "new_title"));
    if let Some(title) = title.filter(|_| !["migrate_to_supergroup"].contains(&action)) {
        text.push_str(&format!(" “{title}”"));
    } else if !members.is_empty() && !is_actor(&members) {
        text.push(' ');
        text.push_str(&members.join(", "));
    }
    if *kind == "call" {
        text.push_str(&call_outcome(map));
    }
    Some(event_block(kind, text))
}

/// The duration of a call, or why it did not take place.
fn call_outcome(map: &Map) -> String {
    let seconds = ["duration_seconds", "duration"].iter().find_map(|key| whole(map.get(*key)));
    match (seconds, word(map, "discard_reason")) {
        (Some(seconds), _) => format!(" ({}:{:02})", seconds / 60, seconds % 60),
        (None, Some("missed")) => ", no answer".to_owned(),
        (None, Some("busy")) => ", busy".to_owned(),
        _ => String::new(),
    }
}

//! Converts a chat to a conversation.

use super::super::{File, Parsed};
use super::replay::{Chat, REQUESTS, replay};
use super::request;
use crate::shared::access::home;
use crate::shared::access::visibility::{self, Scope};
use crate::shared::agents::turns::Turns;
use crate::shared::tally::{EMPTY, Tally};
use crate::shared::text::dates::of_value;
use convo_base::diag::{Counted, Note};
use convo_base::json::{Map, Value};
use convo_base::model::{Conversation, Place};

/// Requests that the user undid.
const UNDONE: Counted = Counted::not_shown("undone request", "undone requests");

/// Names and pictures of accounts, and unsent input.
const OF_ACCOUNTS: [&str; 8] = [
    "requesterUsername", "requesterAvatarIconUri", "responderAvatarIconUri", "responderUsername",
    "inputState", "input", "hasPendingEdits", "pendingRequests",
];

pub(super) fn parse(files: &[File]) -> Parsed {
    let mut parsed = Parsed::default();
    for (index, file) in files.iter().enumerate() {
        let mut tally = Tally::default();
        let chat = replay(file, index, &mut parsed.notes);
        if let Some(mut read) = conversation(chat, index, &mut tally, &mut parsed.notes) {
            home::hide(&mut read);
            parsed.conversations.push(read);
        }
        parsed.notes.extend(tally.notes().map(|note| note.in_file(index)));
    }
    parsed
}

/// Returns whether metadata marks its object as private, and reports why.
fn is_held_back(map: &Map, scope: Scope, index: usize, notes: &mut Vec<Note>) -> bool {
    let settings = visibility::read_access_of_map(map, scope);
    let reported = visibility::notes(&settings, |_| 0..0).into_iter();
    if matches!(scope, Scope::Conversation) {
        notes.extend(reported.map(|note| Note { range: None, ..note }.in_file(index)));
    }
    visibility::holds_back(&settings)
}

fn conversation(
    mut chat: Chat,
    index: usize,
    tally: &mut Tally,
    notes: &mut Vec<Note>,
) -> Option<Conversation> {
    let requests = match chat.state.shift_remove(REQUESTS) {
        Some(Value::Array(requests)) => requests,
        _ => Vec::new(),
    };
    let mut state = chat.state;
    let private = is_held_back(&state, Scope::Conversation, index, notes);
    let mut read = Conversation { private, ..Conversation::default() };
    let mut text = |keys: [&str; 2]| {
        let found = keys.iter().find_map(|key| state.get(*key)?.as_str().map(str::to_owned));
        keys.iter().for_each(|key| _ = state.shift_remove(*key));
        found.filter(|text| !text.trim().is_empty())
    };
    read.id = text(["sessionId", "id"]);
    read.title = text(["customTitle", "computedTitle"]);
    let who = text(["responderUsername", "responderName"]);
    // Only names that are certainly not those of an account.
    let who = who.filter(|who| who.contains("Copilot"));
    let who = who.unwrap_or_else(|| "GitHub Copilot".to_owned());
    let mut time = |key: &str| of_value(&state.shift_remove(key)?);
    read.time = time("creationDate");
    read.updated = time("lastMessageDate");
    let mut turns = Turns::default();
    let mut marked = 0;
    for (number, request) in requests.into_iter().enumerate() {
        let Value::Object(mut request) = request else { continue };
        let line = chat.lines.get(number).copied().unwrap_or(1);
        let place = Place { file: index, line, quoted: true };
        if is_held_back(&request, Scope::Turn, index, notes) {
            marked += 1;
        } else if is_taken_back(&request) {
            tally.add(UNDONE);
        } else {
            if is_asked_in_private(&request) {
                marked += 1;
                request.shift_remove("message");
                request.shift_remove("variableData");
                request.shift_remove("attachedContext");
            }
            request::read(request, &who, place, &mut turns, tally);
        }
    }
    if marked > 0 {
        notes.push(visibility::withheld_turns_note(marked, 0..0).in_file(index));
    }
    turns.fill(&mut read);
    read.time = read.time.or_else(|| read.turns.iter().find_map(|turn| turn.time.clone()));
    for key in OF_ACCOUNTS {
        state.shift_remove(key);
    }
    state.retain(|_, value| !value.is_null());
    read.unpublished = state;
    if read.turns.is_empty() {
        tally.add(EMPTY);
        return None;
    }
    Some(read)
}

/// Returns whether a request or a part of it is marked as private.
fn is_asked_in_private(request: &Map) -> bool {
    let message = request.get("message").and_then(Value::as_object);
    message.is_some_and(visibility::is_marked)
}

/// Returns whether the user went back to before a request.
fn is_taken_back(request: &Map) -> bool {
    visibility::is_set_in(request, &["shouldberemovedonsend", "ishidden"])
}

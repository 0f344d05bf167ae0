//! Writes conversations as session files.

use crate::shared::text::plain;
use convo_base::hash::Hash;
use convo_base::json::{self, Map, Value};
use convo_base::model::{Conversation, Kind};
use convo_base::time::Time;

/// Returns the session file of one conversation, with the name that the format prescribes.
pub(super) fn write(conversation: &Conversation) -> Vec<(String, String)> {
    let agent = conversation.participants.iter().find(|who| who.kind == Kind::Assistant);
    let agent = agent.map_or("agent", |who| who.name.as_str());
    let session = match &conversation.id {
        Some(id) if id.starts_with("ses-") => id.clone(),
        other => {
            let first = conversation.turns.first().map(|turn| &turn.id);
            format!("ses-{}", Hash::of(&(other, &conversation.title, first)).uuid())
        }
    };
    let mut history = Vec::new();
    let mut open = Value::Null;
    for (turn, spoken) in conversation.turns.iter().zip(plain::plain_turns(conversation)) {
        let mut entry = Map::new();
        // Everything that a person did not write belongs to the agent's side.
        let key = if spoken.kind == Kind::Person { "user" } else { "agent" };
        entry.insert(key.to_owned(), spoken.text.clone().into());
        if let Some(Value::String(submission)) = turn.extra.get("submission") {
            entry.insert("submission".to_owned(), submission.clone().into());
        }
        if let Some(time) = &spoken.time {
            entry.insert("at".to_owned(), utc(time).into());
        }
        if turn.pending && key == "user" {
            open = spoken.text.into();
        }
        history.push(Value::Object(entry));
    }
    let mut document = Map::new();
    document.insert("open".to_owned(), open);
    document.insert("session".to_owned(), session.clone().into());
    document.insert("agent".to_owned(), agent.into());
    document.insert("history".to_owned(), history.into());
    let time = conversation.time.as_ref().map_or_else(|| "1970-01-01T00:00:00Z".to_owned(), utc);
    let short: String = session
        .trim_start_matches("ses-")
        .chars()
        .filter(|c| c.is_alphanumeric())
        .take(8)
        .collect();
    let in_name: String =
        agent.chars().map(|c| if c.is_alphanumeric() || c == '-' { c } else { '-' }).collect();
    let name = format!("{}_{in_name}_{short}.json", time.replace(':', "-"));
    vec![(name, json::pretty(&document) + "\n")]
}

/// Returns the time in UTC. A time that is written in UTC stays as is.
fn utc(time: &Time) -> String {
    let (seconds, _) = time.unix();
    let plain = Time::from_unix(seconds).map(|time| time.as_written().to_owned());
    match plain {
        Some(utc) if !time.as_written().ends_with('Z') => utc,
        _ => time.as_written().to_owned(),
    }
}

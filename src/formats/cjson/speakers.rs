//! Assigns speakers. CJSON has roles, account ids and models, but no names.

use std::collections::{BTreeSet, HashMap};

use super::message::Message;
use convo_base::json::Value;
use convo_base::model::{Conversation, Kind, Participant};

/// Sets the speaker of every message and the participants of the conversation.
pub(super) fn assign(
    messages: &mut [Message],
    conversation: &mut Conversation,
    model: Option<&str>,
) {
    let own_model = |message: &Message| {
        message.model.clone().or_else(|| model.map(str::to_owned)).unwrap_or_default()
    };
    let models: BTreeSet<String> =
        messages.iter().filter(|m| m.role == "assistant").map(own_model).collect();
    // Anonymous users are numbered.
    let mut nameless: HashMap<String, usize> = HashMap::new();
    for sender in messages.iter().filter(|m| m.role == "user").map(|m| &m.sender) {
        let sender = sender.clone().unwrap_or_default();
        let next = nameless.len() + 1;
        if !is_a_name(&sender) {
            nameless.entry(sender).or_insert(next);
        }
    }
    let known = conversation.participants.iter().enumerate();
    let mut places: HashMap<String, usize> =
        known.map(|(place, who)| (who.name.clone(), place)).collect();
    for message in messages {
        let stored = message.ours.get("speaker").and_then(Value::as_str).map(str::to_owned);
        let kind = match message.role.as_str() {
            "assistant" => Kind::Assistant,
            "tool" => Kind::Tool,
            "system" | "developer" => Kind::System,
            _ => Kind::Person,
        };
        let model = own_model(message);
        let sender = message.sender.clone().unwrap_or_default();
        let derived = match kind {
            Kind::Assistant if models.len() > 1 && !model.is_empty() => {
                format!("Assistant ({model})")
            }
            Kind::Assistant => "Assistant".to_owned(),
            Kind::Tool => "Tool".to_owned(),
            Kind::System => "System".to_owned(),
            Kind::Person if message.role != "user" && !message.role.is_empty() => {
                message.role.clone()
            }
            Kind::Person if is_a_name(&sender) => sender.clone(),
            Kind::Person if nameless.len() > 1 => {
                format!("User {}", nameless.get(&sender).copied().unwrap_or(1))
            }
            Kind::Person => "User".to_owned(),
        };
        let speaker = stored.unwrap_or(derived);
        if !sender.is_empty() && sender != speaker {
            message.turn.unpublished.insert("senderId".to_owned(), sender.into());
        }
        let place = *places.entry(speaker.clone()).or_insert_with(|| {
            // An event has no speaker, so it adds no participant.
            let before = conversation.participants.len();
            conversation.introduce(&speaker, kind);
            before
        });
        let who = conversation.participants.iter_mut().nth(place);
        let who = who.filter(|who| who.name == speaker);
        if let Some(Participant { kind: Kind::Assistant, model: known, .. }) = who
            && known.is_none()
            && !model.is_empty()
        {
            *known = Some(model);
        }
        message.turn.speaker = speaker;
    }
}

/// Returns whether an id may be shown as a name: not an e-mail address, a number or a long run of digits.
pub(super) fn is_a_name(id: &str) -> bool {
    let digits = id.chars().filter(char::is_ascii_digit).count();
    let letters = id.chars().filter(|c| c.is_alphabetic()).count();
    !id.contains('@') && id.chars().count() <= 40 && letters > 0 && digits <= 2 && id.trim() == id
}

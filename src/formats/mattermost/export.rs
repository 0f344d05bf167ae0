//! Sorts the lines of an export into channels.

use std::collections::HashMap;

use super::super::Parsed;
use super::post;
use crate::shared::access::visibility::{Field, Public};
use crate::shared::json::object::{Object, text};
use crate::shared::people::channel::{Members, Message, assemble};
use crate::shared::tally::Tally;
use crate::shared::text::dates::of_value;
use convo_base::diag::{Note, Severity};
use convo_base::json::{Map, Step, Value, type_of};
use convo_base::model::{Channel, Conversation, Place, Split};

/// The key of a channel: team and channel name, or an empty team and the members of a direct
/// message.
type Key = (String, String);

/// What is known about a channel.
#[derive(Default)]
struct Found {
    name: String,
    is_direct: bool,
    is_listed: bool,
    is_held_back: bool,
    messages: Vec<Message>,
}

/// The part of an export read so far.
#[derive(Default)]
pub(super) struct Export {
    members: Members,
    tally: Tally,
    /// The channels in file order.
    order: Vec<Key>,
    channels: HashMap<Key, Found>,
}

impl Export {
    /// Reads a line.
    pub(super) fn line(&mut self, mut object: Object<'_>, place: Place, notes: &mut Vec<Note>) {
        let kind = object.text("type", notes).unwrap_or_default();
        let at = object.place(&[Step::Key(&kind)]);
        // The data of a line is under a key named after its type.
        let map = match object.take(&kind) {
            Some(Value::Object(map)) => map,
            _ if kind == "version" => return,
            _ => {
                notes.push(object.missing(Severity::Warning, &kind));
                return;
            }
        };
        let mut own = object.at(map.clone(), at);
        let is_held_back = object.is_withheld(notes) | own.is_withheld(notes);
        match kind.as_str() {
            "user" => self.add_user(&map),
            "bot" => {
                let id = text(&map, "username").unwrap_or_default();
                self.members.add(id, &[text(&map, "display_name"), Some(id)], true);
            }
            "channel" => {
                let name = text(&map, "display_name").or(text(&map, "name"));
                let name = name.unwrap_or_default().to_owned();
                let open = Field::always(&["type"], Public::Words(&["O"]));
                let is_direct = !own.is_public(&[open]);
                let found = self.channel(key_of(&map, "name"));
                // If a channel is listed twice, the stricter entry wins.
                found.is_direct = is_direct || found.is_listed && found.is_direct;
                (found.name, found.is_listed) = (name, true);
                found.is_held_back |= is_held_back;
            }
            "post" | "direct_post" => {
                doubts(&object, &map, notes);
                let key = match kind.as_str() {
                    "post" => key_of(&map, "channel"),
                    _ => (String::new(), members_of(&map).join(",")),
                };
                let (members, tally) = (&mut self.members, &mut self.tally);
                let messages = post::read(&mut own, place, is_held_back, members, tally, notes);
                self.channel(key).messages.extend(messages);
            }
            "info" | "role" | "scheme" | "emoji" | "team" | "direct_channel" => {}
            kind => self.tally.unknown_skipped(kind),
        }
    }

    fn add_user(&mut self, map: &Map) {
        let id = text(map, "username").unwrap_or_default();
        let parts = ["first_name", "last_name"].map(|key| text(map, key));
        let whole: Vec<&str> = parts.into_iter().flatten().collect();
        let whole = whole.join(" ");
        let [first, last] = parts;
        let nickname = text(map, "nickname");
        let names = [nickname, Some(whole.as_str()), Some(id), first, last];
        self.members.add(id, &names, map.get("is_bot") == Some(&Value::Bool(true)));
    }

    /// Returns a channel. For unlisted channels it is unknown who could read them.
    fn channel(&mut self, key: Key) -> &mut Found {
        self.channels.entry(key.clone()).or_insert_with(|| {
            let name = if key.0.is_empty() { String::new() } else { key.1.clone() };
            self.order.push(key);
            Found { name, is_direct: true, ..Found::default() }
        })
    }

    /// Makes the conversations of all channels.
    pub(super) fn finish(mut self, parsed: &mut Parsed) {
        for key in std::mem::take(&mut self.order) {
            let Some(found) = self.channels.remove(&key) else { continue };
            let mut read = Conversation { private: found.is_held_back, ..Conversation::default() };
            let contacts = &mut self.members.contacts;
            assemble(&mut read, found.messages, contacts, &mut parsed.notes);
            if read.turns.is_empty() && read.withheld_ids.is_empty() {
                continue;
            }
            let (team, channel) = &key;
            let name = match team.is_empty() {
                true => {
                    let ids = channel.split(',');
                    let names = ids.map(|id| self.members.name_in_text(id));
                    names.collect::<Vec<_>>().join(", ")
                }
                false => found.name,
            };
            self.members.introduce(&mut read);
            read.id = Some(format!("mattermost-{team}-{channel}"));
            read.title = Some(name.clone()).filter(|name| !name.is_empty());
            let is_direct = found.is_direct;
            read.channel = Some(Channel { name, is_direct, split: Split::Day });
            parsed.conversations.push(read);
        }
        parsed.notes.extend(self.tally.notes());
    }
}

/// Reports a post without a time or text.
fn doubts(object: &Object<'_>, map: &Map, notes: &mut Vec<Note>) {
    if map.get("create_at").and_then(of_value).is_none() {
        let message = "`create_at` is not a valid time".to_owned();
        let note = object.note(Severity::Warning, "bad-time", "", message);
        notes.push(note.hint("it was placed after the preceding message"));
    }
    if let Some(other) = map.get("message").filter(|value| !value.is_string()) {
        let message = format!("`message` must be a string, not {}", type_of(other));
        notes.push(object.note(Severity::Warning, "wrong-type", "", message));
    }
}

fn key_of(map: &Map, name: &str) -> Key {
    let get = |key: &str| text(map, key).unwrap_or_default().to_owned();
    (get("team"), get(name))
}

/// Returns the members of a direct message.
fn members_of(map: &Map) -> Vec<&str> {
    let list = map.get("channel_members").and_then(Value::as_array);
    let mut names: Vec<&str> = list.into_iter().flatten().filter_map(Value::as_str).collect();
    names.sort_unstable();
    names
}

//! The users and channels of an organization.

use std::collections::HashMap;

use super::super::File;
use super::{LISTS, REALM};
use crate::shared::access::visibility::{self, Field, Public};
use crate::shared::agents::thread::words;
use crate::shared::json::object::{document, text};
use crate::shared::people::channel::{Members, emoji, emoji_of_code, objects, react};
use convo_base::diag::Note;
use convo_base::json::{self, Map, Value};
use convo_base::model::Reaction;

/// What is known about an organization.
#[derive(Default)]
pub(super) struct Realm {
    /// A prefix for ids: its URL name with a dash, or empty.
    pub(super) id: String,
    pub(super) members: Members,
    /// The reactions to messages that are not read yet, by message id.
    pub(super) reactions: HashMap<String, Vec<Reaction>>,
    streams: HashMap<String, Recipient>,
    /// For each recipient, whether it is a channel, and the id of the channel or user.
    recipients: HashMap<String, (bool, String)>,
    /// The members of each group.
    groups: HashMap<String, Vec<String>>,
}

/// The recipient of a message.
#[derive(Clone, Default)]
pub(super) struct Recipient {
    pub(super) name: String,
    pub(super) is_direct: bool,
    pub(super) is_held_back: bool,
}

impl Realm {
    /// Reads all tables except the messages.
    pub(super) fn new(files: &[File], notes: &mut Vec<Note>) -> Self {
        let mut realm = Self::default();
        for (index, file) in files.iter().enumerate() {
            let map = match file.name.ends_with(REALM) {
                true => {
                    let all = 0..file.text.len();
                    match document(&file.text, all, index, notes) {
                        Some(Value::Object(map)) => map,
                        _ => continue,
                    }
                }
                // Message files contain other tables as well.
                false => small_tables(&file.text),
            };
            realm.add(&map);
            realm.add_channels(&file.text);
        }
        realm
    }

    fn add(&mut self, map: &Map) {
        let of = objects(map, "zerver_realm").find_map(|realm| text(realm, "string_id"));
        if let Some(name) = of {
            self.id = format!("{name}-");
        }
        for table in [
            "zerver_userprofile",
            "zerver_userprofile_mirrordummy",
            "zerver_userprofile_crossrealm",
        ] {
            for user in objects(map, table) {
                let id = id(user, "id");
                let is_bot = user.get("is_bot") == Some(&Value::Bool(true));
                self.members.add(&id, &[text(user, "full_name")], is_bot);
            }
        }
        for subscription in objects(map, "zerver_subscription") {
            let group = self.groups.entry(id(subscription, "recipient")).or_default();
            group.push(id(subscription, "user_profile"));
        }
        for reaction in objects(map, "zerver_reaction") {
            let name = text(reaction, "emoji_name").unwrap_or_default();
            let is_unicode = text(reaction, "reaction_type") == Some("unicode_emoji");
            let code = text(reaction, "emoji_code").filter(|_| is_unicode);
            let shown = code.and_then(emoji_of_code).unwrap_or_else(|| emoji(name));
            let own = self.reactions.entry(id(reaction, "message")).or_default();
            react(own, &shown, 1);
        }
    }

    /// Adds the fields that say who could read a message. If a row is repeated, the stricter one
    /// wins.
    fn add_channels(&mut self, file: &str) {
        for row in rows(file, "zerver_stream") {
            let Ok((Value::Object(stream), _)) = json::parse(row) else { continue };
            // `STREAM_FIELDS` covers closed channels, and archived channels may be published.
            let but = ["invite_only", "deactivated"];
            let known = self.streams.entry(id(&stream, "id")).or_default();
            if known.name.is_empty() {
                text(&stream, "name").unwrap_or_default().clone_into(&mut known.name);
            }
            known.is_direct |= !visibility::is_public(row, &STREAM_FIELDS);
            let settings = visibility::read_access(row, visibility::Scope::Conversation, &but);
            known.is_held_back |= visibility::holds_back(&settings);
        }
        for row in rows(file, "zerver_recipient") {
            let Ok((Value::Object(recipient), _)) = json::parse(row) else { continue };
            let is_stream = visibility::is_public(row, &RECIPIENT_FIELDS);
            let found = (is_stream, id(&recipient, "type_id"));
            let known = self.recipients.entry(id(&recipient, "id"));
            let known = known.or_insert_with(|| found.clone());
            let is_same = *known == found;
            known.0 &= is_same;
        }
    }

    /// Returns the recipient of messages. Unknown recipients count as private.
    pub(super) fn recipient(&mut self, id: &str) -> Recipient {
        let unknown = Recipient { is_direct: true, ..Recipient::default() };
        let Some((is_stream, of)) = self.recipients.get(id) else { return unknown };
        if *is_stream {
            return self.streams.get(of).cloned().unwrap_or(unknown);
        }
        let group = self.groups.get(id).cloned().unwrap_or_default();
        let names: Vec<String> = group.iter().map(|who| self.members.name_in_text(who)).collect();
        Recipient { name: names.join(", "), ..unknown }
    }
}

/// The field in which a channel says who can read it.
const STREAM_FIELDS: [Field<'_>; 1] = [Field::always(&["inviteonly"], Public::False)];
/// The field in which a recipient says that it is a channel.
const RECIPIENT_FIELDS: [Field<'_>; 1] = [Field::always(&["type"], Public::Numbers(&[2.0]))];

/// Iterates over the rows of a table, as source text.
fn rows<'a>(file: &'a str, table: &'a str) -> impl Iterator<Item = &'a str> {
    let tables = json::members(file).filter(move |(key, _)| *key == table);
    tables.flat_map(|(_, rows)| json::elements(rows, &[]).into_iter().map(|at| &rows[at]))
}

/// Returns the small tables of a message file.
fn small_tables(file: &str) -> Map {
    let keys = json::keys(file).into_iter();
    let small = keys.filter(|(key, _)| !LISTS.contains(key) && *key != "zerver_usermessage");
    let parsed = small.filter_map(|(key, value)| {
        let (value, _) = json::parse(value).ok()?;
        Some((key.to_owned(), value))
    });
    parsed.collect()
}

fn id(map: &Map, key: &str) -> String {
    map.get(key).and_then(words).unwrap_or_default()
}

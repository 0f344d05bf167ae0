//! The members and channels of a workspace.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use super::super::File;
use super::super::stem;
use super::names::{ABOUT, is_closed_id, is_closed_name};
use crate::shared::access::visibility::{self, Field, Public};
use crate::shared::agents::thread::text as words;
use crate::shared::json::object::{Object, document, text};
use crate::shared::people::channel::{Members, each};
use convo_base::diag::Note;
use convo_base::hash::Hash;
use convo_base::json::{self, Map, Value};

/// The workspace that was read last, by the hash of its lists. Its channels are separate sources
/// and need it one after the other.
static LAST: Mutex<Option<(Hash, Arc<Workspace>)>> = Mutex::new(None);

/// What is known about a workspace.
#[derive(Clone, Default)]
pub(super) struct Workspace {
    pub(super) members: Members,
    /// The channels by id.
    channels: HashMap<String, Entry>,
    /// The channels by folder name.
    folders: HashMap<String, Entry>,
    /// Whether there is a list of channels or people.
    has_lists: bool,
    /// What a file of messages says about its channel.
    own: Option<Entry>,
    /// Whether a file of messages does not say that its channel is open to the workspace.
    is_unclear: bool,
}

/// A channel as listed by its workspace.
#[derive(Clone, Default)]
struct Entry {
    id: String,
    name: String,
    is_direct: bool,
    is_held_back: bool,
    /// The ids of its members, if it has no name.
    members: Vec<String>,
}

/// The channel of a source.
pub(super) struct Own {
    pub(super) id: Option<String>,
    pub(super) name: String,
    pub(super) is_direct: bool,
    pub(super) is_held_back: bool,
}

/// Returns whether the file at a path contains lists rather than messages.
pub(super) fn is_about_workspace(path: &str) -> bool {
    ABOUT.contains(&file_name(path))
}

fn file_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

impl Entry {
    /// Merges another entry for the same channel; the stricter one wins.
    fn restrict(&mut self, other: &Self) {
        self.is_direct |= other.is_direct;
        self.is_held_back |= other.is_held_back;
    }
}

/// Fields in which a channel says who in its workspace can read it. In older exports only the list
/// that contains it shows that.
const FIELDS: [Field<'_>; 1] =
    [Field::optional(&["isprivate", "isim", "ismpim", "isgroup"], Public::False)];
/// The field in which a file of messages says so. Without a list, it must be there.
const OWN_FIELDS: [Field<'_>; 1] = [Field::always(&["isprivate"], Public::False)];
/// Access keys of Slack itself, which do not say whether to publish the channel.
const PASSED_OVER: [&str; 6] =
    ["is_private", "is_im", "is_mpim", "is_group", "is_archived", "is_shared"];

impl Workspace {
    /// Returns the workspace described by its files. The same files are read only once.
    pub(super) fn new(files: &[File], notes: &mut Vec<Note>) -> Self {
        let about = files.iter().filter(|file| is_about_workspace(&file.name));
        let about: Vec<(&str, &str)> =
            about.map(|file| (file.name.as_str(), file.text.as_str())).collect();
        if about.is_empty() {
            return Self::of(files, notes);
        }
        let key = Hash::of(&about);
        // Threads that wait for the lock need the same workspace.
        let mut last = LAST.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, known)) = last.as_ref().filter(|(known, _)| *known == key) {
            let known = known.clone();
            drop(last);
            return Self::clone(&known);
        }
        let before = notes.len();
        let workspace = Self::of(files, notes);
        // Problems in these files are reported for each channel.
        if notes.len() == before {
            *last = Some((key, Arc::new(workspace.clone())));
        }
        workspace
    }

    fn of(files: &[File], notes: &mut Vec<Note>) -> Self {
        let mut workspace = Self::default();
        workspace.members.add("USLACKBOT", &[Some("Slackbot")], true);
        for (index, file) in files.iter().enumerate() {
            let name = file_name(&file.name);
            if !ABOUT.contains(&name) {
                continue;
            }
            each(file, index, &[], notes, &mut |object, _, notes| match name {
                "users.json" | "org_users.json" => workspace.add_user(&object.copy()),
                _ => workspace.add_channel(&object, name != "channels.json", notes),
            });
            workspace.has_lists = true;
        }
        workspace
    }

    fn add_user(&mut self, map: &Map) {
        let profile = map.get("profile").and_then(Value::as_object);
        let of_profile = |key: &str| profile.and_then(|profile| words(profile, key));
        let names = [
            of_profile("display_name"),
            of_profile("real_name"),
            of_profile("display_name_normalized"),
            of_profile("real_name_normalized"),
            words(map, "real_name"),
            words(map, "name"),
        ];
        let is_bot = map.get("is_bot") == Some(&Value::Bool(true));
        for id in [words(map, "id"), of_profile("bot_id")].into_iter().flatten() {
            if !self.members.knows(id) && (is_bot || Some(id) == words(map, "id")) {
                self.members.add(id, &names, is_bot);
            }
        }
    }

    fn add_channel(&mut self, object: &Object<'_>, is_direct: bool, notes: &mut Vec<Note>) {
        let map = object.copy();
        let own = Entry {
            is_direct: is_direct || !object.is_public(&FIELDS),
            is_held_back: object.is_withheld_but(&PASSED_OVER, notes),
            ..entry(&map)
        };
        // The folder of a direct message is named after its id.
        let folder = if own.name.is_empty() { own.id.clone() } else { own.name.clone() };
        for (key, entries) in [(folder, &mut self.folders), (own.id.clone(), &mut self.channels)] {
            if !key.is_empty() {
                entries.entry(key).or_insert_with(|| own.clone()).restrict(&own);
            }
        }
    }

    /// Reads what a message file with an object says about its channel, and returns whether it must
    /// not be published.
    pub(super) fn read_settings(
        &mut self,
        file: &File,
        index: usize,
        notes: &mut Vec<Note>,
    ) -> bool {
        let text = file.text.as_str();
        let Some(head) = without_messages(text) else {
            self.is_unclear = true;
            return false;
        };
        self.is_unclear |= !visibility::is_public(&head, &OWN_FIELDS);
        let parsed = document(&head, 0..head.len(), index, &mut Vec::new());
        let parsed = match parsed {
            Some(Value::Object(map)) => Some(map),
            _ => None,
        };
        let map = parsed.clone().unwrap_or_default();
        let own = entry(&map);
        // A truncated object may have contained more restrictions.
        let is_direct = parsed.is_none()
            || !visibility::is_public(&head, &FIELDS)
            || is_closed_name(&own.id)
            || is_closed_name(&own.name);
        if is_direct || !own.id.is_empty() || !own.name.is_empty() {
            let known = self.own.get_or_insert_with(|| own.clone());
            known.restrict(&Entry { is_direct, ..own });
        }
        let mut object = Object::new(map, text, index, 0..text.len());
        object.holds_back("private", &super::LISTS, notes)
    }

    /// Returns whether a channel may be closed to some people, as far as is known.
    pub(super) fn is_closed(&self, id: &str) -> bool {
        match self.channels.get(id) {
            Some(entry) => entry.is_direct || entry.is_held_back,
            None => self.has_lists || id.starts_with(['D', 'G']),
        }
    }

    /// Returns the name of a channel by id.
    pub(super) fn channel_name(&self, id: &str) -> Option<&str> {
        let entry = self.channels.get(id)?;
        Some(entry.name.as_str()).filter(|name| !name.is_empty() && !entry.is_direct)
    }

    /// Returns the channel of a message file by its path.
    pub(super) fn channel(&mut self, path: &str) -> Own {
        let folder = path.split_once('/').map(|(folder, _)| folder);
        let name = folder.unwrap_or_else(|| stem(file_name(path)));
        let own = self.own.take();
        let id = own.as_ref().map(|own| own.id.as_str()).unwrap_or_default();
        let listed = self.folders.get(name).or_else(|| self.channels.get(id)).cloned();
        // For unlisted channels it is unknown who could read them. Only without lists does the word
        // of the file itself count.
        let is_unknown =
            listed.is_none() && (folder.is_some() || self.has_lists || self.is_unclear);
        let is_direct = is_unknown || listed.is_none() && is_closed_name(name);
        let first = listed.as_ref().or(own.as_ref()).cloned();
        let mut entry =
            first.unwrap_or_else(|| Entry { name: name.to_owned(), ..Entry::default() });
        entry.restrict(&own.unwrap_or_default());
        entry.is_direct |= is_direct;
        let is_unnamed = entry.name.is_empty()
            || entry.is_direct && entry.name.starts_with("mpdm-")
            || is_closed_id(&entry.name);
        let names: Vec<String> =
            entry.members.iter().map(|id| self.members.name_in_text(id)).collect();
        let name = match is_unnamed {
            true if names.is_empty() => "Direct message".to_owned(),
            true => names.join(", "),
            false => entry.name,
        };
        Own {
            id: Some(entry.id).filter(|id| !id.is_empty()),
            name,
            is_direct: entry.is_direct,
            is_held_back: entry.is_held_back,
        }
    }
}

/// Returns the text of a message file with an object, without the messages; `None` for a list.
fn without_messages(text: &str) -> Option<String> {
    if !text.trim_start().starts_with('{') {
        return None;
    }
    let keys = json::keys(text);
    let (_, list) = keys.iter().find(|(key, _)| *key == super::LISTS[0])?;
    let from = list.as_ptr() as usize - text.as_ptr() as usize;
    Some(format!("{}[]{}", &text[..from], &text[from + list.len()..]))
}

fn entry(map: &Map) -> Entry {
    let first = |keys: &[&str]| keys.iter().find_map(|key| text(map, key));
    let members = map.get("members").and_then(Value::as_array).into_iter().flatten();
    Entry {
        id: first(&["id", "channel_id"]).unwrap_or_default().to_owned(),
        name: first(&["name", "channel_name"]).unwrap_or_default().to_owned(),
        members: members.filter_map(Value::as_str).map(str::to_owned).collect(),
        ..Entry::default()
    }
}

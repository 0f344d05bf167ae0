//! The folder `storage`: a file for each session, each message and each part.

use std::collections::BTreeMap;

use super::super::{Bundle, File, Listing, Parsed};
use super::message::Message;
use super::session;
use crate::shared::json::object::document;
use convo_base::json::{Map, Value};

/// The kind of a file in the folder.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Kind {
    Session,
    Message,
    Part,
}

/// Returns the kind of a file, by its path: `…/message/ses_1/msg_1.json`.
pub(super) fn kind(path: &str) -> Option<Kind> {
    Some(place(path)?.0)
}

/// Returns the kind of a file, the path above the storage folders, and the names of its folder and of the
/// file.
fn place(path: &str) -> Option<(Kind, &str, &str, &str)> {
    let (folder, file) = path.strip_suffix(".json")?.rsplit_once('/')?;
    let (above, own) = folder.rsplit_once('/')?;
    let (root, name) = above.rsplit_once('/').unwrap_or(("", above));
    let kind = match name {
        "session" if file.starts_with("ses_") => Kind::Session,
        "message" if file.starts_with("msg_") && own.starts_with("ses_") => Kind::Message,
        "part" if file.starts_with("prt_") && own.starts_with("msg_") => Kind::Part,
        _ => return None,
    };
    Some((kind, root, own, file))
}

/// Returns each session with its messages and their parts.
pub(super) fn gather(listing: &Listing<'_>) -> Vec<Bundle> {
    let mut sessions: BTreeMap<(&str, &str), Vec<&str>> = BTreeMap::new();
    let mut of_message: BTreeMap<(&str, &str), &str> = BTreeMap::new();
    let mut parts: Vec<(&str, &str, &str)> = Vec::new();
    for name in listing.names {
        match place(name) {
            Some((Kind::Session, root, _, file)) => {
                sessions.entry((root, file)).or_default().insert(0, name);
            }
            Some((Kind::Message, root, session, file)) => {
                sessions.entry((root, session)).or_default().push(name);
                of_message.insert((root, file), session);
            }
            Some((Kind::Part, root, message, _)) => parts.push((root, message, name)),
            None => {}
        }
    }
    for (root, message, name) in parts {
        let session = of_message.get(&(root, message));
        let files = session.and_then(|session| sessions.get_mut(&(root, *session)));
        files.into_iter().for_each(|files| files.push(name));
    }
    let found = sessions.into_iter().filter(|(_, files)| files.len() > 1);
    let bundle = |((root, session), files): ((&str, &str), Vec<&str>)| {
        let folder = if root.is_empty() { String::new() } else { format!("{root}/") };
        let beside = ["todo", "session_diff"].map(|name| format!("{folder}{name}/{session}.json"));
        let is_there = |path: &String| listing.names.binary_search(&path.as_str()).is_ok();
        Bundle {
            files: files.into_iter().map(str::to_owned).collect(),
            aside: beside.into_iter().filter(is_there).collect(),
            folder,
            shared: Vec::new(),
            private: None,
            neighbours: None,
        }
    };
    found.map(bundle).collect()
}

pub(super) fn read(files: &[File], parsed: &mut Parsed) {
    let mut info = Map::new();
    let mut messages: BTreeMap<String, Message> = BTreeMap::new();
    let notes = &mut parsed.notes;
    let mut parts: Vec<(String, Value)> = Vec::new();
    let mut private = false;
    for (index, file) in files.iter().enumerate() {
        let Some((kind, _, own, name)) = place(&file.name) else { continue };
        let found = document(&file.text, 0..file.text.len(), index, notes);
        let Some(Value::Object(map)) = found else { continue };
        let object = || {
            crate::shared::json::object::Object::new(
                map.clone(),
                &file.text,
                index,
                0..file.text.len(),
            )
        };
        match kind {
            Kind::Session => {
                private |= object().holds_back("private", &[], notes);
                info = map;
            }
            Kind::Message => {
                let withheld = object().is_withheld(notes).then_some(0);
                let id = Some(name.to_owned());
                let message =
                    Message { file: index, line: 1, id, info: map, parts: Vec::new(), withheld };
                messages.insert(name.to_owned(), message);
            }
            Kind::Part => parts.push((own.to_owned(), map.into())),
        }
    }
    // They are in the order of their names, which is chronological.
    for (of, part) in parts {
        if let Some(message) = messages.get_mut(&of) {
            message.parts.push(part);
        }
    }
    let read = session::read(0, &info, messages.into_values().collect(), &[], notes);
    parsed.conversations.extend(read.map(|mut read| {
        read.private |= private;
        read
    }));
}

//! The names of people.

use crate::channel::Contacts;
use crate::thread::text as word;
use convo_base::json::Map;

/// Returns the name of a person; for deleted accounts only the id is known.
pub(super) fn name(map: &Map, key: &str, contacts: &mut Contacts) -> Option<String> {
    match word(map, key) {
        Some(name) => Some(contacts.name(name).into_owned()),
        None => word(map, &format!("{key}_id")).map(|id| contacts.number(id)),
    }
}

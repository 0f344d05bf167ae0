//! The names of people.

use crate::shared::agents::thread::text as word;
use crate::shared::people::channel::Contacts;
use convo_base::json::Map;

/// Returns the name of a person; for deleted accounts only the id is known.
pub(super) fn name(map: &Map, key: &str, contacts: &mut Contacts) -> Option<String> {
    match word(map, key) {
        Some(name) => Some(contacts.name(name).into_owned()),
        None => word(map, &format!("{key}_id")).map(|id| contacts.number(id)),
    }
}

//! The addresses of conversations, and which of them changed since the last build.

use std::collections::{HashMap, HashSet};
use std::fmt::Write;
use std::sync::Arc;

use crate::hash::Hash;

/// The address of a conversation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Address {
    /// The conversation.
    pub id: Hash,
    /// The file or folder by which people know it.
    pub label: String,
    /// Its folder in the output.
    pub folder: Arc<str>,
}

/// Encodes addresses as a text of one line each, which every version of this program reads.
pub fn to_text(all: &[Address]) -> String {
    let mut text = String::new();
    for Address { id, label, folder } in all {
        let label = label.replace(['\n', '\r'], " ");
        let _ = writeln!(text, "{} {folder} {label}", id.hex());
    }
    text
}

/// Reads such a text.
pub fn of_text(text: &str) -> Vec<Address> {
    text.lines().filter_map(read).collect()
}

/// Finds conversations whose address changed since such a text was written: the old and the new
/// address of each.
pub fn moved(before: &str, now: &[Address]) -> Vec<(Address, Address)> {
    let before = of_text(before);
    let by_id: HashMap<Hash, &Address> =
        now.iter().map(|address| (address.id, address)).collect();
    let (unique, unique_before) = (unique_by_label(now), unique_by_label(&before));
    let labels: HashSet<&str> = before.iter().map(|old| &*old.label).collect();
    let moved = before.iter().filter_map(|old| {
        // Of conversations that begin alike one has the id of another that is there no more.
        let is_it =
            |new: &&Address| new.label == old.label || !labels.contains(&*new.label);
        // One whose beginning changed is known by its file, if that holds no other.
        let label = old.label.as_str();
        let of_file = || unique_before.get(label).and(unique.get(label)).copied();
        let new = by_id.get(&old.id).copied().filter(is_it).or_else(of_file)?;
        (new.folder != old.folder).then(|| (old.clone(), new.clone()))
    });
    moved.collect()
}

/// Returns the conversations whose files hold no other one, by the label of the file.
fn unique_by_label(all: &[Address]) -> HashMap<&str, &Address> {
    let mut found: HashMap<&str, Option<&Address>> = HashMap::new();
    for address in all {
        let entry = found.entry(&address.label);
        entry.and_modify(|known| *known = None).or_insert(Some(address));
    }
    found.into_iter().filter_map(|(label, known)| Some((label, known?))).collect()
}

fn read(line: &str) -> Option<Address> {
    let (id, rest) = line.split_once(' ')?;
    let (folder, label) = rest.split_once(' ')?;
    let (folder, label) = (folder.into(), label.to_owned());
    Some(Address { id: Hash::from_hex(id)?, label, folder })
}

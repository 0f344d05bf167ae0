//! The URLs of conversations, and which of them changed since the last build.

use std::collections::{HashMap, HashSet};
use std::fmt::Write;
use std::sync::Arc;

use crate::hash::Hash;

/// The URL of a conversation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ConversationUrl {
    /// The id of the conversation.
    pub id: Hash,
    /// The file or folder to name in reports.
    pub label: String,
    /// The folder in the output.
    pub folder: Arc<str>,
}

/// Formats URLs as text, one per line. Every version of convo-site can read it.
pub fn to_text(all: &[ConversationUrl]) -> String {
    let mut text = String::new();
    for ConversationUrl { id, label, folder } in all {
        let label = label.replace(['\n', '\r'], " ");
        let _ = writeln!(text, "{} {folder} {label}", id.hex());
    }
    text
}

/// Parses such a text.
pub fn of_text(text: &str) -> Vec<ConversationUrl> {
    text.lines().filter_map(read).collect()
}

/// Returns the old and new URL of each conversation whose URL changed since the URLs were `before`.
pub fn moved(
    before: &[ConversationUrl],
    now: &[ConversationUrl],
) -> Vec<(ConversationUrl, ConversationUrl)> {
    let by_id: HashMap<Hash, &ConversationUrl> =
        now.iter().map(|address| (address.id, address)).collect();
    let changed = before.iter().filter_map(|old| {
        let of_id = by_id.get(&old.id).copied();
        (of_id != Some(old)).then_some((old, of_id))
    });
    let changed: Vec<(&ConversationUrl, Option<&ConversationUrl>)> = changed.collect();
    if changed.is_empty() {
        return Vec::new();
    }
    let all = changed.iter().flat_map(|(old, of_id)| of_id.iter().chain([old]));
    let labels: HashSet<&str> = all.map(|address| address.label.as_str()).collect();
    let (by_label, by_label_before) = (by_label(now, &labels), by_label(before, &labels));
    let moved = changed.into_iter().filter_map(|(old, of_id)| {
        // Conversations with the same beginning share an id, so this id may have belonged to another one
        // that is now gone.
        let is_it = |new: &&ConversationUrl| {
            new.label == old.label || !by_label_before.contains_key(&*new.label)
        };
        // A conversation whose beginning changed is recognised by its file, if it is the only one in it.
        let of_file = || {
            let of_label = (by_label_before.get(&*old.label)?, by_label.get(&*old.label)?);
            match (&of_label.0[..], &of_label.1[..]) {
                ([_], [new]) => Some(*new),
                _ => None,
            }
        };
        let new = of_id.filter(is_it).or_else(of_file)?;
        (new.folder != old.folder).then(|| (old.clone(), new.clone()))
    });
    moved.collect()
}

/// Returns the URLs with each of these labels.
fn by_label<'a>(
    all: &'a [ConversationUrl],
    labels: &HashSet<&str>,
) -> HashMap<&'a str, Vec<&'a ConversationUrl>> {
    let mut found: HashMap<&str, Vec<&ConversationUrl>> = HashMap::new();
    for address in all.iter().filter(|address| labels.contains(&*address.label)) {
        found.entry(&address.label).or_default().push(address);
    }
    found
}

fn read(line: &str) -> Option<ConversationUrl> {
    let (id, rest) = line.split_once(' ')?;
    let (folder, label) = rest.split_once(' ')?;
    let (folder, label) = (folder.into(), label.to_owned());
    Some(ConversationUrl { id: Hash::from_hex(id)?, label, folder })
}

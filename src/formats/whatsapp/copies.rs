//! Copies of a chat beside it, which operating systems name `Chat 2.txt`.

use std::collections::BTreeMap;

use super::{HEAD, claims};
use crate::{Bundle, Claim, Listing, Probe};

/// The number of lines that a chat and its copy share.
const COMMON_LINES: usize = 2;

/// Returns each chat that has copies, with these copies. A chat may also be named `Mill 2`, so both
/// files must begin with the same messages.
pub(super) fn gather(listing: &Listing<'_>) -> Vec<Bundle> {
    let mut chats: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for name in listing.names {
        let Some(chat) = original(name) else { continue };
        let is_there = listing.names.binary_search(&chat.as_str()).is_ok();
        if is_there && begin_alike(&chat, name, listing) {
            chats.entry(chat).or_default().push((*name).to_owned());
        }
    }
    // A copy of a copy belongs to the original chat.
    let copies: Vec<String> = chats.values().flatten().cloned().collect();
    chats.retain(|chat, _| !copies.contains(chat));
    let bundles = chats.into_iter().map(|(chat, copies)| Bundle {
        folder: chat.rfind('/').map_or("", |at| &chat[..=at]).to_owned(),
        files: [chat].into_iter().chain(copies).collect(),
        shared: Vec::new(),
        aside: Vec::new(),
        private: None,
        neighbours: None,
    });
    bundles.collect()
}

/// Returns the name of the original of a file, if its name is that of a copy.
fn original(name: &str) -> Option<String> {
    let (stem, number) = name.strip_suffix(".txt")?.rsplit_once(' ')?;
    let is_count = matches!(number.len(), 1..=2)
        && number.bytes().all(|byte| byte.is_ascii_digit())
        && !number.starts_with(['0', '1']);
    is_count.then(|| format!("{stem}.txt"))
}

fn begin_alike(chat: &str, copy: &str, listing: &Listing<'_>) -> bool {
    let lines = |name: &str| -> Option<Vec<String>> {
        let head = (listing.head)(name, HEAD)?;
        let is_chat = claims(&Probe::new(name, &head)) != Claim::No;
        let lines = head.lines().take(COMMON_LINES).map(str::to_owned).collect();
        is_chat.then_some(lines)
    };
    let (a, b) = (lines(chat), lines(copy));
    a.as_ref().is_some_and(|lines| lines.len() == COMMON_LINES) && a == b
}

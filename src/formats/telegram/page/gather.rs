//! Groups the pages of a chat.

use std::collections::BTreeMap;

use crate::probe::Probe;
use crate::telegram::claim;
use crate::{Bundle, Claim, Listing};

/// The export of the same chats as JSON, which says more.
const JSON: &str = "result.json";
/// The number of bytes in which a file is recognised.
const HEAD: usize = 16 << 10;

pub(in crate::telegram) fn gather(listing: &Listing<'_>) -> Vec<Bundle> {
    let mut folders: BTreeMap<&str, Vec<(u64, &str)>> = BTreeMap::new();
    for name in listing.names {
        let (folder, file) = name.rsplit_once('/').unwrap_or(("", name));
        if let Some(number) = number(file) {
            folders.entry(folder).or_default().push((number, name));
        }
    }
    let head = |name: &str| (listing.head)(name, HEAD).unwrap_or_default();
    let mut bundles = Vec::new();
    let mut repeated: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (folder, mut files) in folders {
        files.sort();
        files.retain(|(_, name)| super::is_one(&head(name)));
        if files.is_empty() {
            continue;
        }
        let files = files.into_iter().map(|(_, name)| name.to_owned());
        match json_beside(folder, listing, &head) {
            Some(json) => repeated.entry(json).or_default().extend(files),
            None => bundles.push(Bundle { files: files.collect(), ..bundle(folder) }),
        }
    }
    bundles.extend(repeated.into_iter().map(|(json, pages)| {
        let folder = json.rsplit_once('/').map_or("", |(folder, _)| folder);
        Bundle { files: vec![json.clone()], aside: pages, ..bundle(folder) }
    }));
    bundles
}

fn bundle(folder: &str) -> Bundle {
    Bundle { folder: folder.to_owned(), files: Vec::new(), ..Bundle::of_one("") }
}

/// Returns the number of a page: 1 for `messages.html`, 12 for `messages12.html`.
fn number(file: &str) -> Option<u64> {
    match file.strip_prefix("messages")?.strip_suffix(".html")? {
        "" => Some(1),
        digits => digits.parse().ok(),
    }
}

/// Returns the path of the same export as JSON: in the folder of the chat, or in that of the account.
fn json_beside(
    folder: &str,
    listing: &Listing<'_>,
    head: &dyn Fn(&str) -> String,
) -> Option<String> {
    let account = folder
        .rsplit_once('/')
        .and_then(|(chats, _)| chats.strip_suffix("chats").map(|root| root.trim_end_matches('/')));
    [Some(folder), account].into_iter().flatten().find_map(|folder| {
        let path = if folder.is_empty() { JSON.to_owned() } else { format!("{folder}/{JSON}") };
        listing.names.binary_search(&path.as_str()).ok()?;
        let text = head(&path);
        let claim = claim::claims(&Probe::new(&path, &text));
        // The export of an account need not contain its chats.
        let has_messages = text.contains("\"messages\"") && !text.contains("\"messages\": []");
        (claim == Claim::Signature && has_messages).then_some(path)
    })
}

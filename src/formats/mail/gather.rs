//! Mails that are files: those of Maildir folders and `.eml` files, a source for each thread; and
//! mailboxes whose names do not show what they are, or in whose folders mails are left out.

use std::collections::BTreeMap;

use super::head::{Head, Sorter, of_path};
use super::roster::{Roster, people_of};
use super::{is_eml, is_mail, is_mbox};
use crate::{Bundle, Listing, decode};

/// The bytes of a file in which its fields are.
const HEAD: usize = 64 << 10;
/// The bytes of a file from which it is known as a mailbox.
const START: usize = 4096;

/// The names of the mailboxes of Thunderbird that hold the two halves of threads. Whoever has the one in a
/// folder of a profile has the other one there.
const INBOX: &str = "Inbox";
const SENT: &str = "Sent";

/// Finds the files of each thread.
pub(super) fn gather(listing: &Listing<'_>) -> Vec<Bundle> {
    let mut folders: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    let mut mailboxes: Vec<&str> = Vec::new();
    for name in listing.names {
        let (folder, file) = name.rsplit_once('/').unwrap_or(("", name));
        if let Some(root) = maildir(folder, file) {
            folders.entry(format!("{root}//")).or_default().push(name);
        } else if is_eml(file) {
            folders.entry(folder.to_owned()).or_default().push(name);
        } else if may_be_mailbox(name, file) && (listing.len)(name) > 0 {
            let head = (listing.head)(name, START);
            if head.is_some_and(|head| is_mail(file, head.as_bytes())) {
                mailboxes.push(name);
            }
        }
    }
    let mut bundles: Vec<Bundle> = Vec::new();
    for name in &mailboxes {
        let other = |own: &str, other: &str| {
            let folder = name.strip_suffix(own).filter(|above| is_folder(above))?;
            let other = format!("{folder}{other}");
            let both = mailboxes.binary_search(&other.as_str()).is_ok()
                && has_index(name, listing)
                && has_index(&other, listing);
            both.then_some(other)
        };
        if other(SENT, INBOX).is_none() {
            let all = [(*name).to_owned()].into_iter().chain(other(INBOX, SENT));
            bundles.push(mailbox(all.collect(), listing));
        }
    }
    bundles.extend(folders.into_values().flat_map(|files| threads(&files, listing)));
    bundles
}

/// Returns whether a file is a mailbox by its name, or one whose name does not tell. Those with another
/// ending are known by themselves, unless their folder says that they are left out.
fn may_be_mailbox(path: &str, file: &str) -> bool {
    is_mbox(file) || !file.contains('.') || of_path(path).is_some()
}

/// Returns the folder above a Maildir, if a file is a mail in one. Folders in it begin with a dot.
fn maildir<'a>(folder: &'a str, file: &str) -> Option<&'a str> {
    let (above, state) = folder.rsplit_once('/').unwrap_or(("", folder));
    let is_unique = file.starts_with(|c: char| c.is_ascii_digit()) && file.contains(['.', ':']);
    if !matches!(state, "cur" | "new") || !is_unique || is_eml(file) {
        return None;
    }
    let (root, last) = above.rsplit_once('/').unwrap_or(("", above));
    Some(if last.starts_with('.') { root } else { above })
}

fn is_folder(above: &str) -> bool {
    above.is_empty() || above.ends_with('/')
}

/// Returns the index of a mailbox of Thunderbird, beside it.
fn index(name: &str) -> String {
    format!("{name}.msf")
}

fn has_index(name: &str, listing: &Listing<'_>) -> bool {
    listing.names.binary_search(&index(name).as_str()).is_ok()
}

fn mailbox(names: Vec<String>, listing: &Listing<'_>) -> Bundle {
    let with_index = names.iter().filter(|name| has_index(name, listing));
    let aside = with_index.map(|name| index(name)).collect();
    bundle(names, aside)
}

/// Returns the bundles of the threads of a folder, and of the mails that are left out. Whoever writes or gets a
/// mail of the folder may be named in all of its threads.
fn threads(files: &[&str], listing: &Listing<'_>) -> Vec<Bundle> {
    let mut sorter = Sorter::default();
    let mut roster = Roster::default();
    let (mut kept, mut others) = (Vec::new(), Vec::new());
    for name in files {
        let head = (listing.head)(name, HEAD);
        let Some(head) = head.as_deref() else { continue };
        let head = decode::without_mark(head.as_bytes()).trim_ascii_start();
        let (fields, _) = super::fields::divide(head);
        let found = Head::read(fields);
        if found.is_none() && !is_eml(name) {
            continue;
        }
        let found = found.unwrap_or_else(|| Head::of_nothing(kept.len(), 0));
        match sorter.add(&found, of_path(name)) {
            true => {
                people_of(fields).iter().for_each(|person| _ = roster.add(person));
                roster.add_lists(&found.lists);
                kept.push((*name).to_owned());
            }
            false => others.push((*name).to_owned()),
        }
    }
    let neighbours = roster.into_neighbours();
    let of = |thread: super::threads::Thread| {
        let files = thread.mails.iter().filter_map(|mail| kept.get(*mail).cloned());
        Bundle { neighbours: neighbours.clone(), ..bundle(files.collect(), Vec::new()) }
    };
    let (threads, _) = sorter.finish();
    let mut bundles: Vec<Bundle> = threads.into_iter().map(of).collect();
    if !others.is_empty() {
        bundles.push(bundle(others, Vec::new()));
    }
    bundles
}

/// Makes a bundle. Its files are known by the names of the folders that they are in, of which each may say
/// that a mail is left out.
fn bundle(files: Vec<String>, aside: Vec<String>) -> Bundle {
    let first = files.first().map_or("", String::as_str);
    let top = first.find('/').map_or("", |at| &first[..=at]);
    let is_common = of_path(top).is_none() && files.iter().all(|file| file.starts_with(top));
    let folder = if is_common { top.to_owned() } else { String::new() };
    Bundle { folder, files, shared: Vec::new(), aside, private: None, neighbours: None }
}

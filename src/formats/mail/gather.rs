//! Collects mail sources: the files of Maildir and MH folders and `.eml` files, one source for each
//! thread; and mailboxes that cannot be recognised by name, or whose folder is skipped.

use std::collections::BTreeMap;

use super::head::{Head, Sorter, of_path};
use super::roster::{Roster, people_of};
use super::{KNOWN, has_field, is_eml, is_mail, is_mbox};
use crate::shared::people::mail::fields::divide;
use crate::shared::text::decode;
use crate::{Bundle, Listing};

/// The maximum size of the header of a mail file. Bytes.
const HEAD: usize = 64 << 10;
/// The number of bytes from which a mailbox is recognised.
const START: usize = 4096;

/// The Thunderbird mailboxes that hold the two halves of each thread. A profile folder with one of
/// them usually has the other.
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
        } else if is_eml(file) || may_be_message(file) && is_message(name, listing) {
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

/// Returns whether a file may be a mailbox: it has the name of one, has no extension, or is in a
/// folder that is skipped. Files with other extensions are detected later by their content.
fn may_be_mailbox(path: &str, file: &str) -> bool {
    is_mbox(file) || !file.contains('.') || of_path(path).is_some()
}

/// Returns whether a file has the name of a message in an MH folder, `12`, or in the copy of a folder of a Maildir,
/// `1614592000.M81P12.host:2,S`.
fn may_be_message(file: &str) -> bool {
    let digits = file.bytes().take_while(u8::is_ascii_digit).count();
    let rest = &file[digits..];
    match rest.is_empty() {
        true => digits > 0 && !file.starts_with('0'),
        false => {
            (9..12).contains(&digits) && rest.starts_with('.') && !is_eml(file) && !is_mbox(file)
        }
    }
}

/// Returns whether a file without an extension begins with the header of a mail. Notes can have numbers as names, and
/// begin with a word and a colon.
fn is_message(name: &str, listing: &Listing<'_>) -> bool {
    let head = (listing.head)(name, HEAD).unwrap_or_default();
    let (fields, _) = divide(head.as_bytes());
    KNOWN.iter().filter(|field| has_field(fields, field)).count() >= 3
}

/// Returns the parent folder of a Maildir if a file is a mail in one. Subfolders begin with a dot.
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

/// Returns the path of the index that Thunderbird keeps beside a mailbox.
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

/// Returns the bundles of the threads of a folder, and a bundle of the skipped mails. Senders and
/// recipients of any mail of the folder may be named in all its threads.
fn threads(files: &[&str], listing: &Listing<'_>) -> Vec<Bundle> {
    let mut sorter = Sorter::default();
    let mut roster = Roster::default();
    let (mut kept, mut others) = (Vec::new(), Vec::new());
    for name in files {
        let head = (listing.head)(name, HEAD);
        let Some(head) = head.as_deref() else { continue };
        let head = decode::without_mark(head.as_bytes()).trim_ascii_start();
        let (fields, _) = divide(head);
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

/// Makes a bundle. Its files keep the names of their folders, because a folder name can be the
/// reason to skip a mail.
fn bundle(files: Vec<String>, aside: Vec<String>) -> Bundle {
    let first = files.first().map_or("", String::as_str);
    let top = first.find('/').map_or("", |at| &first[..=at]);
    let is_common = of_path(top).is_none() && files.iter().all(|file| file.starts_with(top));
    let folder = if is_common { top.to_owned() } else { String::new() };
    Bundle { folder, files, shared: Vec::new(), aside, private: None, neighbours: None }
}

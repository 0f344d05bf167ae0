//! Files that are in an archive more than once, under the same name or under names that differ only
//! in case.
//!
//! Unpacking keeps the last copy. If an earlier copy is marked as private, the conversation is
//! private.

use std::collections::{BTreeMap, BTreeSet};

use super::listing::{Listed, Reason};
use super::member::Member;
use convo_base::hash::Hash;
use convo_formats::{is_marked_private, may_hold_conversations};

/// The maximum size of all copies that are read. Bytes.
const MAX_READ: u64 = 256 << 20;

/// Reads a member up to this length; `None` if it is longer or damaged.
pub(super) type ReadMember<'a> = &'a dyn Fn(&Member, u64) -> Option<Vec<u8>>;

/// Decides which copy of each file is used.
pub(super) fn choose(listed: &mut Listed, read: ReadMember<'_>) {
    let mut copies = Copies { read, left: MAX_READ };
    for (name, earlier) in listed.take_copies() {
        copies.choose(listed, &name, earlier);
    }
    let mut twins: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (name, _) in listed.members().filter(|(name, _)| may_hold_conversations(name)) {
        twins.entry(name.to_lowercase()).or_default().push(name.to_owned());
    }
    for names in twins.into_values().filter(|names| names.len() > 1) {
        copies.hide_twins(listed, &names);
    }
}

struct Copies<'a> {
    read: ReadMember<'a>,
    /// The number of bytes that may still be read.
    left: u64,
}

/// The result of reading a copy.
struct Copy {
    hash: Hash,
    is_private: bool,
}

impl Copies<'_> {
    /// Reads a copy; `None` if it cannot be checked.
    fn look(&mut self, name: &str, member: &Member) -> Option<Copy> {
        let bytes = (self.read)(member, self.left)?;
        self.left = self.left.saturating_sub(bytes.len() as u64);
        let is_private = may_hold_conversations(name) && is_marked_private(name, &bytes);
        Some(Copy { hash: Hash::of_bytes(&bytes), is_private })
    }

    /// Selects the last copy under a name, or the private one.
    fn choose(&mut self, listed: &mut Listed, name: &str, earlier: Vec<Member>) {
        let Some(last) = listed.member(name).cloned() else { return };
        let all: Vec<Member> = earlier.into_iter().chain([last]).collect();
        let seen: Option<Vec<Copy>> = all.iter().map(|member| self.look(name, member)).collect();
        let Some(seen) = seen else {
            match may_hold_conversations(name) {
                true => listed.remove(name, Reason::Unclear),
                false => listed.report_repeated(name),
            }
            return;
        };
        let different: BTreeSet<Hash> = seen.iter().map(|copy| copy.hash).collect();
        if different.len() == 1 {
            return;
        }
        let closed = || seen.iter().zip(&all).filter(|(copy, _)| copy.is_private);
        let private: BTreeSet<Hash> = closed().map(|(copy, _)| copy.hash).collect();
        match (private.len(), closed().next()) {
            (1, Some((_, member))) => {
                listed.put(name.to_owned(), member.clone());
                listed.skip(Reason::Private, name);
            }
            (0, _) => listed.report_repeated(name),
            // Each may be about a different conversation.
            _ => listed.remove(name, Reason::Unclear),
        }
    }

    /// Removes the public files among names that are the same on case-insensitive disks, if one of
    /// them is private.
    fn hide_twins(&mut self, listed: &mut Listed, names: &[String]) {
        let mut open = Vec::new();
        for name in names {
            let Some(member) = listed.member(name).cloned() else { continue };
            match self.look(name, &member) {
                Some(copy) if copy.is_private => {}
                _ => open.push(name),
            }
        }
        if open.len() < names.len() {
            open.into_iter().for_each(|name| listed.remove(name, Reason::Twin));
        }
    }
}

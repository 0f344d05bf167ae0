//! Collects the members of an archive while it is listed, and reports those that are skipped.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};

use super::limits::{MAX_MEMBERS, MAX_UNPACKED, is_bomb};
use super::member::Member;
use super::member_name::{self, Refused};
use convo_base::diag::{Diagnostic, Severity};
use convo_base::path::RelPath;
use convo_base::text::{bytes, plural};

/// The members of an archive, and the skipped ones.
pub(super) struct Listed {
    path: RelPath,
    members: BTreeMap<String, (Member, Option<u32>)>,
    /// Earlier members with the same names, in order.
    copies: BTreeMap<String, Vec<Member>>,
    /// Members that the archive also contains in packed form.
    beside: BTreeSet<String>,
    unpacked: u64,
    /// Whether the limit is reached.
    is_full: bool,
    skipped: BTreeMap<Reason, (u64, String)>,
    notes: Vec<Diagnostic>,
}

/// The reason why a member is skipped.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Reason {
    Unsafe,
    Encrypted,
    /// It is compressed with an unsupported method.
    Method,
    /// It is not at the given offset.
    Lost,
    Link,
    /// It is a device, a pipe or similar.
    Special,
    Bomb,
    /// It overlaps another member.
    Overlap,
    /// A later member has the same name.
    Repeated,
    /// Another member with the same name is private.
    Private,
    /// Another member with the same name may be private.
    Unclear,
    /// A member whose name differs only in case is private.
    Twin,
    /// It is packed, and its unpacked file is in the archive too.
    Beside,
    TooMany,
}

impl Listed {
    pub(super) fn new(path: &RelPath) -> Self {
        Self {
            path: path.clone(),
            members: BTreeMap::new(),
            copies: BTreeMap::new(),
            beside: BTreeSet::new(),
            unpacked: 0,
            is_full: false,
            skipped: BTreeMap::new(),
            notes: Vec::new(),
        }
    }

    /// Returns the path of a member, if its name is acceptable.
    pub(super) fn name(&mut self, name: &str) -> Option<String> {
        match member_name::checked(name) {
            Ok(name) => Some(name),
            Err(Refused::Hidden) => None,
            Err(Refused::Unsafe) => {
                self.skip(Reason::Unsafe, name);
                None
            }
        }
    }

    /// Adds a file with a compressed size of `packed` bytes. Files with the same name are all kept
    /// until one is chosen; `crc` shows whether they are identical.
    pub(super) fn add(&mut self, name: String, packed: u64, crc: Option<u32>, member: Member) {
        if is_bomb(packed, member.len) {
            self.skip(Reason::Bomb, &name);
            return;
        }
        let unpacked = self.unpacked.saturating_add(member.len);
        if self.members.len() >= MAX_MEMBERS || unpacked > MAX_UNPACKED {
            self.is_full = true;
            self.skip(Reason::TooMany, &name);
            return;
        }
        self.unpacked = unpacked;
        match self.members.entry(name) {
            Entry::Vacant(place) => {
                place.insert((member, crc));
            }
            Entry::Occupied(mut place) => {
                let (before, other) = place.get();
                let is_same = crc.is_some() && crc == *other && before.len == member.len;
                let name = place.key().clone();
                let (earlier, _) = place.insert((member, crc));
                if !is_same {
                    self.copies.entry(name).or_default().push(earlier);
                }
            }
        }
    }

    /// Adds a member without checks.
    pub(super) fn put(&mut self, name: String, member: Member) {
        self.members.insert(name, (member, None));
    }

    /// Shows a member as another one.
    pub(super) fn replace(&mut self, name: &str, shown: String, member: Member) {
        self.members.remove(name);
        self.put(shown, member);
    }

    /// Adds an earlier copy of a member.
    pub(super) fn add_copy(&mut self, name: String, member: Member) {
        self.copies.entry(name).or_default().push(member);
    }

    /// Removes a packed file, which counts as an earlier copy of its unpacked file `shown`.
    pub(super) fn put_behind(&mut self, name: &str, shown: String, inner: Member) {
        self.remove(name, Reason::Beside);
        self.beside.insert(shown.clone());
        self.add_copy(shown, inner);
    }

    /// Reports that the last of several different copies is read, unless that was reported for the
    /// packed file.
    pub(super) fn report_repeated(&mut self, name: &str) {
        if !self.beside.contains(name) {
            self.skip(Reason::Repeated, name);
        }
    }

    /// Takes the earlier members with the same names.
    pub(super) fn take_copies(&mut self) -> BTreeMap<String, Vec<Member>> {
        std::mem::take(&mut self.copies)
    }

    /// Returns the member with a name.
    pub(super) fn member(&self, name: &str) -> Option<&Member> {
        self.members.get(name).map(|(member, _)| member)
    }

    /// Returns whether there is a member with that name.
    pub(super) fn has(&self, name: &str) -> bool {
        self.members.contains_key(name)
    }

    /// Removes a member.
    pub(super) fn remove(&mut self, name: &str, why: Reason) {
        if self.members.remove(name).is_some() {
            self.skip(why, name);
        }
    }

    /// Returns the members with their names.
    pub(super) fn members(&self) -> impl Iterator<Item = (&str, &Member)> {
        self.members.iter().map(|(name, (member, _))| (name.as_str(), member))
    }

    /// Returns whether the limit is reached.
    pub(super) fn is_full(&self) -> bool {
        self.is_full
    }

    pub(super) fn skip(&mut self, why: Reason, name: &str) {
        let shown: String = name.chars().filter(|c| !c.is_control()).take(100).collect();
        self.skipped.entry(why).or_insert((0, shown)).0 += 1;
    }

    /// Reports that the archive is damaged.
    pub(super) fn broken(&mut self, message: &str) {
        let note = Diagnostic::new(Severity::Error, "bad-archive", message);
        let hint =
            "the files found so far are read; download the archive again, or unpack it yourself";
        self.notes.push(note.in_file(self.path.as_str()).hint(hint));
    }

    /// Reports that a database cannot be read, at least not completely.
    #[cfg(feature = "sqlite")]
    pub(super) fn broken_database(&mut self, why: &str) {
        let message = format!("cannot read the database: {why}");
        let note = Diagnostic::new(Severity::Error, "bad-archive", message);
        let hint = "the conversations found so far are read; close the program that owns the database, \
                    and copy the database again together with the files next to it";
        self.notes.push(note.in_file(self.path.as_str()).hint(hint));
    }

    /// Reports database rows that belong to no conversation.
    #[cfg(feature = "sqlite")]
    pub(super) fn strays(&mut self, table: &str, count: u64) {
        let rows = plural(count, "row", "rows");
        let belong = if count == 1 { "belongs" } else { "belong" };
        let message = format!("{rows} of `{table}` {belong} to no conversation in the database");
        let note = Diagnostic::new(Severity::Warning, "stray-rows", message);
        let hint = "they are not shown: their conversation was deleted or never saved";
        self.notes.push(note.in_file(self.path.as_str()).hint(hint));
    }

    /// Returns the members and the diagnostics.
    pub(super) fn finish(mut self) -> (BTreeMap<String, Member>, Vec<Diagnostic>) {
        for (why, (count, first)) in std::mem::take(&mut self.skipped) {
            self.notes.push(why.note(count, &first).in_file(self.path.as_str()));
        }
        let members = self.members.into_iter();
        (members.map(|(name, (member, _))| (name, member)).collect(), self.notes)
    }
}

impl Reason {
    /// Returns the diagnostic for this number of members, the first of which is named.
    fn note(self, count: u64, name: &str) -> Diagnostic {
        let one = format!("`{name}` in it");
        let all = match count {
            1 => one,
            _ => format!("{one} and {}", plural(count - 1, "more file", "more files")),
        };
        let be = if count == 1 { "is" } else { "are" };
        let copies = if count == 1 { "it is" } else { "they are" };
        let its = if count == 1 { "its name" } else { "their names" };
        let (severity, message, hint) = match self {
            Self::Unsafe => (
                Severity::Error,
                format!("{all} {be} skipped: {its} could point outside the archive"),
                "unpack it yourself if you know what they are",
            ),
            Self::Encrypted => (
                Severity::Error,
                format!("{all} {be} encrypted and cannot be read"),
                "unpack it yourself and replace it with the folder",
            ),
            Self::Method => (
                Severity::Error,
                format!("{all} {be} compressed with an unsupported method"),
                "unpack it yourself and replace it with the folder",
            ),
            Self::Lost => (
                Severity::Error,
                format!("{all} {be} not at the offset given in the archive"),
                "download it again",
            ),
            Self::Link => (
                Severity::Warning,
                format!("{all} {be} skipped: links in archives are not followed"),
                "unpack it yourself and replace it with the files themselves",
            ),
            Self::Special => (
                Severity::Warning,
                format!("{all} {be} skipped: neither a file nor a folder"),
                "only files and folders are read",
            ),
            Self::Bomb => (
                Severity::Error,
                format!("{all} {be} skipped: the unpacked size is suspiciously large"),
                "unpack it yourself if you know what it is",
            ),
            Self::Overlap => (
                Severity::Error,
                format!("{all} {be} skipped: other files use the same bytes"),
                "the archive is damaged or malicious",
            ),
            Self::Repeated => (
                Severity::Warning,
                format!(
                    "{all} {be} in the archive twice with different content; the later copy is read"
                ),
                "unpack it yourself to see both copies",
            ),
            Self::Private => (
                Severity::Warning,
                format!("{all} {be} in the archive more than once; the private copy is read"),
                "unpack it yourself to see all copies",
            ),
            Self::Unclear => (
                Severity::Warning,
                format!(
                    "{all} {be} skipped: {copies} in the archive more than once, and may be private"
                ),
                "unpack it yourself and keep one copy",
            ),
            Self::Twin => (
                Severity::Warning,
                format!("{all} {be} skipped: a file whose name differs only in case is private"),
                "unpack it yourself and keep one copy",
            ),
            Self::Beside => (
                Severity::Warning,
                format!("{all} {be} not read: the unpacked file is in the archive too"),
                "remove one of them",
            ),
            Self::TooMany => (
                Severity::Error,
                format!(
                    "{all} {be} skipped: the limit for an archive is {MAX_MEMBERS} files and {}",
                    bytes(MAX_UNPACKED)
                ),
                "unpack it yourself and replace it with the folder",
            ),
        };
        Diagnostic::new(severity, "bad-archive", message).hint(hint)
    }
}

//! Shows packed files in an archive as the files that they contain.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::cache::Cache;
use super::kind::{Kind, kind_of};
use super::limits::{MAX_GUESS, MAX_RATIO, MAX_UNPACKED, UNSUSPICIOUS_INSIDE};
use super::listing::Listed;
use super::member::Member;
use super::stream::Stream;

/// Shows packed files as the files that they contain. The archive is `archive_len` bytes long. If
/// the unpacked file is in the archive too, the packed one counts as an earlier copy.
pub(super) fn open_packed(listed: &mut Listed, archive_len: u64, cache: &Arc<Cache>) {
    let unpacked: u64 = listed.members().map(|(_, member)| member.len).sum();
    let share = Share { archive_len, unpacked };
    let mut found: BTreeMap<String, (String, Member)> = BTreeMap::new();
    let mut beside = Vec::new();
    for (name, member) in listed.members() {
        let Some((shown, inner)) = share.open(name, member, cache) else { continue };
        if listed.has(&shown) || found.contains_key(&shown) {
            beside.push((name.to_owned(), shown, inner));
            continue;
        }
        found.insert(shown, (name.to_owned(), inner));
    }
    let mut copies = Vec::new();
    for (name, earlier) in listed.take_copies() {
        for member in earlier {
            let inner = share.open(&name, &member, cache);
            copies.push(inner.unwrap_or_else(|| (name.clone(), member)));
        }
    }
    for (name, shown, inner) in beside {
        listed.put_behind(&name, shown, inner);
    }
    for (shown, (name, member)) in found {
        listed.replace(&name, shown, member);
    }
    copies.into_iter().for_each(|(name, member)| listed.add_copy(name, member));
}

/// The sizes needed to compute each member's share of the archive.
struct Share {
    archive_len: u64,
    unpacked: u64,
}

impl Share {
    /// Returns the file in a packed file, with its name.
    fn open(&self, name: &str, member: &Member, cache: &Arc<Cache>) -> Option<(String, Member)> {
        let Some((Kind::Packed(packing), shown)) = kind_of(name) else { return None };
        let outer = &member.stream;
        let range = member.from..member.from.saturating_add(member.len);
        // Its size in the archive, or its share of the archive's size.
        let share = u128::from(member.len) * u128::from(self.archive_len.min(self.unpacked))
            / u128::from(self.unpacked.max(1));
        let most = (share as u64).saturating_mul(MAX_RATIO).max(UNSUSPICIOUS_INSIDE);
        let most = most.min(MAX_UNPACKED);
        let (range, within) = match outer.is_plain() {
            true => {
                let start = outer.place().start;
                (range.start + start..range.end + start, None)
            }
            false => (range, Some(outer.clone())),
        };
        let stream = Arc::new(Stream::nested(packing, range, most, cache));
        let len = member.len.saturating_mul(8).min(MAX_GUESS).min(most);
        let inner = Member { stream, from: 0, len, ends_with_stream: true, within };
        Some((shown.to_owned(), inner))
    }
}

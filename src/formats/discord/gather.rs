//! Collects the partition files of a channel: `Mill - quay [part 2].json`.

use std::collections::BTreeMap;

use super::super::{Bundle, Claim, Listing, Probe};

/// The number of bytes from which a file is recognised.
const HEAD_BYTES: usize = 16 << 10;

/// Returns every channel that consists of several files, and pages, which are recognised by their contents alone.
pub(super) fn gather(listing: &Listing<'_>) -> Vec<Bundle> {
    let mut channels: BTreeMap<(&str, &str), Vec<(u32, &str)>> = BTreeMap::new();
    for name in listing.names {
        let Some((stem, extension @ ("json" | "html"))) = name.rsplit_once('.') else { continue };
        let (whole, part) = split_part_number(stem).unwrap_or((stem, 1));
        channels.entry((whole, extension)).or_default().push((part, name));
    }
    let channels = channels.into_iter();
    let several =
        channels.filter(|((_, extension), parts)| parts.len() > 1 || *extension == "html");
    let several = several.map(|(_, parts)| parts);
    let bundle = |mut parts: Vec<(u32, &str)>| {
        parts.sort_unstable();
        let is_own = |(_, name): &(u32, &str)| {
            let head = (listing.head)(name, HEAD_BYTES).unwrap_or_default();
            super::claims(&Probe::new(name, &head)) == Claim::Signature
        };
        parts.iter().all(is_own).then(|| Bundle {
            folder: String::new(),
            files: parts.iter().map(|(_, name)| (*name).to_owned()).collect(),
            shared: Vec::new(),
            aside: Vec::new(),
            private: None,
            neighbours: None,
        })
    };
    several.filter_map(bundle).collect()
}

/// Splits a file name into the name and the number of its part.
fn split_part_number(stem: &str) -> Option<(&str, u32)> {
    let (name, number) = stem.strip_suffix(']')?.rsplit_once(" [part ")?;
    Some((name, number.parse().ok()?))
}

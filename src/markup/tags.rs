//! Distinguishes tags that people write about from tags that format a text.

use std::collections::BTreeMap;

/// Elements without an end tag. A text uses them for its layout.
const VOID: [&str; 14] = [
    "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source",
    "track", "wbr",
];

/// A start or end tag.
struct Tag<'t> {
    name: &'t str,
    is_end: bool,
}

impl<'t> Tag<'t> {
    /// Reads a tag; `None` for comments and the like.
    fn of(text: &'t str) -> Option<Self> {
        let inside = text.strip_prefix('<')?;
        let bare = inside.trim_start_matches('/');
        let end = bare.find(|c: char| !c.is_ascii_alphanumeric() && c != '-');
        let name = bare.get(..end.unwrap_or(bare.len())).filter(|name| !name.is_empty())?;
        Some(Self { name, is_end: bare.len() < inside.len() })
    }

    /// Returns whether it is named like a component or a type, such as `Suspense`.
    fn is_component(&self) -> bool {
        self.name.starts_with(|c: char| c.is_ascii_uppercase())
            && self.name.contains(|c: char| c.is_ascii_lowercase())
    }
}

/// Inserts the tags at these offsets that are text: those without a counterpart, and those of components.
pub(super) fn insert_tags(text: String, tags: &[(usize, String)]) -> String {
    if tags.is_empty() {
        return text;
    }
    let read: Vec<Option<Tag<'_>>> = tags.iter().map(|(_, tag)| Tag::of(tag)).collect();
    let is_paired = pairs(&read);
    let mut all = String::with_capacity(text.len());
    let mut from = 0;
    for (((at, written), tag), is_paired) in tags.iter().zip(&read).zip(is_paired) {
        let Some(tag) = tag else { continue };
        let is_void = VOID.iter().any(|name| tag.name.eq_ignore_ascii_case(name));
        if !is_void && (!is_paired || tag.is_component()) {
            all.push_str(text.get(from..*at).unwrap_or_default());
            all.push_str(written);
            from = *at;
        }
    }
    all.push_str(text.get(from..).unwrap_or_default());
    all
}

/// Returns for each tag whether it has a counterpart.
fn pairs(tags: &[Option<Tag<'_>>]) -> Vec<bool> {
    let mut paired = vec![false; tags.len()];
    let mut open: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for (number, tag) in tags.iter().enumerate() {
        let Some(tag) = tag else { continue };
        let starts = open.entry(tag.name.to_ascii_lowercase()).or_default();
        match tag.is_end {
            false => starts.push(number),
            true => {
                let both = starts.pop().map(|start| [start, number]);
                for at in both.into_iter().flatten() {
                    paired.get_mut(at).into_iter().for_each(|paired| *paired = true);
                }
            }
        }
    }
    paired
}

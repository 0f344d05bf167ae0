//! Finds parts of known secrets in texts: what is left of a secret where a report quotes only some of it, or a
//! format changes the text around it.

use std::ops::Range;

use rustc_hash::FxHashMap;

use super::spellings::Unescaped;

/// The number of bytes by which a part of a secret is recognised.
pub(super) const WINDOW: usize = 8;
/// The maximum number of other bytes inside a part, such as the URL of a link.
const MAX_GAP_BYTES: usize = 64;
/// The maximum total size of the secrets. Bytes.
const MAX_SECRET_BYTES: usize = 1 << 20;

/// Known secrets, by all sequences of [`WINDOW`] bytes in them.
///
/// Blanks and the marks that formats add, drop or replace are ignored, and so is case, because names of kinds
/// are in lower case.
#[derive(Clone, Default)]
pub(super) struct Fragments {
    secrets: Vec<String>,
    windows: FxHashMap<[u8; WINDOW], Place>,
    /// The total size of the secrets. Bytes.
    size: usize,
}

/// A place in a secret.
#[derive(Clone, Copy)]
struct Place {
    /// The index of the secret.
    secret: usize,
    /// The number of bytes before it that count.
    before: usize,
}

/// A part of a secret in a text.
pub(super) struct Fragment {
    pub(super) range: Range<usize>,
    /// The index of the secret.
    pub(super) secret: usize,
}

impl Fragments {
    /// Adds a secret that is recognised by those of its windows that `reveals` accepts. Returns whether it is
    /// new.
    pub(super) fn add(&mut self, secret: &str, reveals: fn(&[u8]) -> bool) -> bool {
        let bytes: Vec<u8> = secret.bytes().filter(counts).collect();
        let windows = bytes.windows(WINDOW).enumerate().filter(|(_, window)| reveals(window));
        let windows: Vec<(usize, [u8; WINDOW])> =
            windows.map(|(at, window)| (at, key_of(window.iter()))).collect();
        let same = windows.first().and_then(|(_, first)| self.windows.get(first));
        let is_known = same.is_some_and(|same| self.secret(same.secret) == secret);
        if is_known || windows.is_empty() || self.size + secret.len() > MAX_SECRET_BYTES {
            return false;
        }
        for (before, window) in windows {
            self.windows.entry(window).or_insert(Place { secret: self.secrets.len(), before });
        }
        self.size += secret.len();
        self.secrets.push(secret.to_owned());
        true
    }

    /// Returns the secrets, in the order in which they were added.
    pub(super) fn secrets(&self) -> &[String] {
        &self.secrets
    }

    /// Returns the secret with an index.
    pub(super) fn secret(&self, index: usize) -> &str {
        self.secrets.get(index).map_or("", String::as_str)
    }

    /// Returns the parts of secrets in a text, as written and without escapes, in order.
    pub(super) fn find(&self, text: &str) -> Vec<Fragment> {
        if self.windows.is_empty() {
            return Vec::new();
        }
        let mut found = self.windows_in(text);
        let unescaped = Unescaped::new(text);
        for (level, view) in unescaped.views().enumerate() {
            let shown = self.windows_in(view).into_iter();
            found.extend(shown.map(|(range, place)| (unescaped.written(level, range), place)));
        }
        found.sort_by_key(|(range, _)| (range.start, range.end));
        let mut fragments: Vec<Fragment> = Vec::new();
        let mut last: Option<Place> = None;
        for (range, place) in found {
            let continues = |fragment: &Fragment| {
                let is_later = last
                    .is_some_and(|last| last.secret == place.secret && last.before < place.before);
                range.start < fragment.range.end
                    || is_later && range.start <= fragment.range.end + MAX_GAP_BYTES
            };
            match fragments.last_mut().filter(|fragment| continues(fragment)) {
                Some(fragment) => fragment.range.end = fragment.range.end.max(range.end),
                None => fragments.push(Fragment { range, secret: place.secret }),
            }
            last = Some(place);
        }
        fragments
    }

    /// Returns the range of each known window in a text, and its place in the secret.
    fn windows_in(&self, text: &str) -> Vec<(Range<usize>, Place)> {
        let bytes: Vec<(usize, u8)> =
            text.bytes().enumerate().filter(|(_, byte)| counts(byte)).collect();
        let known = |window: &[(usize, u8)]| {
            let place = *self.windows.get(&key_of(window.iter().map(|(_, byte)| byte)))?;
            let ((start, _), (end, _)) = (window.first()?, window.last()?);
            let range = text.floor_char_boundary(*start)..text.ceil_char_boundary(end + 1);
            Some((range, place))
        };
        bytes.windows(WINDOW).filter_map(known).collect()
    }
}

/// Returns whether a byte counts, because formats leave it as it is.
fn counts(byte: &u8) -> bool {
    !byte.is_ascii_whitespace() && !b"-_*`~\\".contains(byte)
}

/// Returns the key of a window, in lower case.
fn key_of<'a>(window: impl Iterator<Item = &'a u8>) -> [u8; WINDOW] {
    let mut key = [0; WINDOW];
    key.iter_mut().zip(window).for_each(|(to, byte)| *to = byte.to_ascii_lowercase());
    key
}

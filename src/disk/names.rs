//! Shows file names as text: in composed form, and for all possible bytes.
//!
//! On some systems `ü` in a file name is one character and on others two, and a name may not be
//! text at all. Each file has one shown name, and no two files of a folder have the same.

use std::collections::{HashMap, HashSet};
use std::ffi::{OsStr, OsString};

use crate::text::to_nfc;

/// The names of a folder that are shown differently.
#[derive(Default)]
pub(super) struct Spellings {
    shown: HashMap<OsString, String>,
    real: HashMap<String, OsString>,
}

impl Spellings {
    /// Finds these names among all names of a folder.
    pub(super) fn new(names: impl Iterator<Item = OsString>) -> Self {
        let (plain, mut odd): (Vec<_>, Vec<_>) = names.partition(|name| is_plain(name));
        let mut spellings = Self::default();
        if odd.is_empty() {
            return spellings;
        }
        odd.sort();
        let mut taken: HashSet<String> =
            plain.into_iter().filter_map(|name| name.into_string().ok()).collect();
        for name in odd {
            let mut text = to_nfc(&text_of(&name)).into_owned();
            if taken.contains(&text) {
                text = text_of(&name);
            }
            while !taken.insert(text.clone()) {
                // The mark goes before the extension, which determines the format.
                let at = text.rfind('.').unwrap_or(text.len());
                text.insert(at, char::REPLACEMENT_CHARACTER);
            }
            spellings.real.insert(text.clone(), name.clone());
            spellings.shown.insert(name, text);
        }
        spellings
    }

    /// Returns how a name is shown.
    pub(super) fn shown(&self, name: &OsStr) -> String {
        let known = self.shown.get(name).cloned();
        known.unwrap_or_else(|| name.to_string_lossy().into_owned())
    }

    /// Returns the real name for a shown name.
    pub(super) fn real(&self, shown: &str) -> OsString {
        let shown = to_nfc(shown);
        self.real.get(&*shown).cloned().unwrap_or_else(|| OsString::from(&*shown))
    }
}

/// Returns whether a name is shown unchanged.
pub(super) fn is_plain(name: &OsStr) -> bool {
    name.to_str().is_some_and(|text| text.is_ascii() || to_nfc(text) == text)
}

/// Shows invalid bytes as numbers, so that different names stay different.
#[cfg(unix)]
fn text_of(name: &OsStr) -> String {
    use std::os::unix::ffi::OsStrExt;
    let mut text = String::new();
    for chunk in name.as_bytes().utf8_chunks() {
        text.push_str(chunk.valid());
        for byte in chunk.invalid() {
            text.push_str(&format!("{}{byte:02X}", char::REPLACEMENT_CHARACTER));
        }
    }
    text
}

#[cfg(not(unix))]
fn text_of(name: &OsStr) -> String {
    name.to_string_lossy().into_owned()
}

#[cfg(all(test, unix))]
mod tests {
    use std::ffi::OsString;
    use std::os::unix::ffi::OsStringExt;

    use super::Spellings;

    #[test]
    fn names_are_composed_and_no_two_become_one() {
        let names: [&[u8]; 7] = [
            b"u\xcc\x88.md",
            b"o\xcc\x88.md",
            "ö.md".as_bytes(),
            b"a\xff.md",
            b"a\xfe.md",
            "a\u{fffd}FF.md".as_bytes(),
            b"plain.md",
        ];
        let names = names.map(|name| OsString::from_vec(name.to_vec()));
        let spellings = Spellings::new(names.iter().cloned());
        let shown = names.each_ref().map(|name| spellings.shown(name));
        let expected = [
            "ü.md", "o\u{308}.md", "ö.md", "a\u{fffd}FF\u{fffd}.md", "a\u{fffd}FE.md",
            "a\u{fffd}FF.md", "plain.md",
        ];
        assert_eq!(shown, expected);
        // The name in decomposed form is found by its real name.
        for (name, shown) in names.iter().zip(&shown).filter(|(_, shown)| *shown != "o\u{308}.md") {
            assert_eq!(spellings.real(shown), *name, "{shown}");
        }
    }
}

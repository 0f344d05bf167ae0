//! Paths as values: where something was read and where something will be written.

use std::fmt;

/// A file of the site folder, relative to it, with `/` between components.
///
/// Only the disk makes these, from what it has seen; they are for look-up and for people. They cannot
/// be serialized: the name of a file may say what no cache may hold.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct RelPath(String);

impl RelPath {
    /// A path as it stands.
    pub fn new(path: impl Into<String>) -> Self {
        Self(path.into())
    }

    /// Returns the whole path.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns the last component.
    pub fn name(&self) -> &str {
        self.0.rsplit('/').next().unwrap_or_default()
    }

    /// Returns the file that `reference`, a relative URL path in this file, points to.
    ///
    /// `None` when it leaves the site folder.
    pub fn join(&self, reference: &str) -> Option<Self> {
        let mut parts: Vec<&str> = self.0.split('/').collect();
        parts.pop();
        for part in reference.split('/') {
            match part {
                "" | "." => {}
                ".." => {
                    parts.pop()?;
                }
                part => parts.push(part),
            }
        }
        Some(Self(parts.join("/")))
    }
}

impl fmt::Display for RelPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A file of the output folder. It cannot leave that folder, whatever a title holds.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct OutPath(String);

impl OutPath {
    /// A checked path: non-empty components of at most 255 bytes, none of them `.` or `..`,
    /// no backslash, colon or control character.
    pub fn new(path: impl Into<String>) -> Option<Self> {
        let path = path.into();
        let fits = |part: &str| {
            !matches!(part, "" | "." | "..")
                && part.len() <= 255
                && !part.contains(|c: char| matches!(c, '\\' | ':') || c.is_control())
        };
        path.split('/').all(fits).then_some(Self(path))
    }

    /// Returns the whole path.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for OutPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Returns the folder of a part of a conversation, from 0, in the output; the first one stands in that
/// of the conversation.
pub fn part_folder(folder: &str, part: usize) -> String {
    if part == 0 { folder.to_owned() } else { format!("{folder}{}/", part + 1) }
}

/// Windows keeps these names for devices, with any extension.
pub fn is_reserved_name(name: &str) -> bool {
    let stem = name.split('.').next().unwrap_or_default().to_ascii_lowercase();
    let numbered = |prefix: &str| {
        stem.strip_prefix(prefix).is_some_and(|n| n.len() == 1 && n.as_bytes()[0].is_ascii_digit())
    };
    matches!(stem.as_str(), "con" | "prn" | "aux" | "nul" | "conin$" | "conout$")
        || numbered("com")
        || numbered("lpt")
}

/// Returns whether a file name is one that editors and systems make and that nobody means to publish.
pub fn is_hidden(name: &str) -> bool {
    name.starts_with('.') || name.ends_with('~') || name.ends_with(".swp")
}

#[cfg(test)]
mod tests {
    use super::{OutPath, RelPath, is_reserved_name};

    #[test]
    fn an_output_path_stays_inside() {
        for bad in ["", "/a", "a//b", "../a", "a/..", "a/./b", "a\\b", "C:x", "a\0", "a\nb"] {
            assert!(OutPath::new(bad).is_none(), "{bad:?}");
        }
        assert!(OutPath::new("x".repeat(256)).is_none());
        assert!(OutPath::new("c/2025-天气/index.html").is_some());
    }

    #[test]
    fn a_reference_is_relative_to_its_file() {
        let file = RelPath::new("content/2025/a.convo");
        assert_eq!(file.join("images/x.png").unwrap().as_str(), "content/2025/images/x.png");
        assert_eq!(file.join("../b.png").unwrap().as_str(), "content/b.png");
        assert_eq!(file.join("../../../b.png"), None);
    }

    #[test]
    fn device_names_are_known() {
        assert!(is_reserved_name("CON") && is_reserved_name("lpt1.txt"));
        assert!(!is_reserved_name("console") && !is_reserved_name("com"));
    }
}

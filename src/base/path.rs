//! Paths as values: of input files and of output files.

use std::fmt;

/// A file of the site folder, relative to it, with `/` between components.
///
/// Only the disk module creates these, for files it has seen. They are for lookups and messages.
/// They cannot be serialized, because a file name may contain something that must not be in a
/// cache.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct RelPath(String);

impl RelPath {
    /// Creates a path without changing it.
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

    /// Resolves `reference`, a URL path relative to this file.
    ///
    /// Returns `None` if it leaves the site folder.
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

/// The path of a file in the output folder. It cannot leave that folder, whatever a title contains.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct OutPath(String);

impl OutPath {
    /// Creates a checked path: non-empty components of at most 255 bytes, without `.`, `..`,
    /// backslashes, colons and control characters.
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

/// Returns the output folder of a part of a conversation, counted from 0. The first part is in the
/// folder of the conversation itself.
pub fn part_folder(folder: &str, part: usize) -> String {
    if part == 0 { folder.to_owned() } else { format!("{folder}{}/", part + 1) }
}

/// Returns whether Windows reserves this name for a device, with any extension.
pub fn is_reserved_name(name: &str) -> bool {
    let stem = name.split('.').next().unwrap_or_default().to_ascii_lowercase();
    let numbered = |prefix: &str| {
        stem.strip_prefix(prefix).is_some_and(|n| n.len() == 1 && n.as_bytes()[0].is_ascii_digit())
    };
    matches!(stem.as_str(), "con" | "prn" | "aux" | "nul" | "conin$" | "conout$")
        || numbered("com")
        || numbered("lpt")
}

/// Returns whether a file name is one that editors and systems create and nobody means to publish.
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

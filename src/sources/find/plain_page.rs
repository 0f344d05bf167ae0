//! Plain pages: pages written by the site's author that are not conversations.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::diag::Span;
use crate::hash::Hash;
use crate::json::Value;
use crate::model::{Conversation, MENU, SLUG, WEIGHT};
use crate::path::RelPath;
use crate::text::slug;

/// The folder of the site in which every Markdown file is a page.
pub const FOLDER: &str = "pages";

/// The maximum length of a URL segment. Bytes.
const MAX_PART_BYTES: usize = 60;

/// The metadata of a plain page in addition to its entry.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
pub struct PlainPage {
    /// Its folder in the output, such as `about/`; empty for the text of the home page.
    pub path: String,
    /// Whether the menu includes it, and under which label, if that is not its title.
    pub menu: Option<Option<String>>,
    /// Its weight in the menu; lighter items come first.
    pub weight: i64,
    /// The places of its site-internal URLs, by URL.
    pub places: BTreeMap<String, Span>,
}

impl PlainPage {
    /// Returns the metadata of the page read from `file`.
    pub(crate) fn new(read: &Conversation, file: &RelPath, content: &str) -> Self {
        let given = |key: &str| read.extra.get(key);
        let menu = match given(MENU) {
            Some(Value::Bool(true)) => Some(None),
            Some(Value::String(words)) if !words.trim().is_empty() => {
                Some(Some(words.trim().to_owned()))
            }
            _ => None,
        };
        Self {
            path: path(file, content, given(SLUG).and_then(Value::as_str)),
            menu,
            weight: given(WEIGHT).and_then(Value::as_i64).unwrap_or_default(),
            places: BTreeMap::new(),
        }
    }
}

/// Returns whether each file with such a name is a page.
pub(crate) fn is_in_folder(file: &str, content: &str) -> bool {
    let is_below =
        |folder: &str| file.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/'));
    is_below(FOLDER) && !is_below(content.trim_end_matches('/'))
}

/// Returns whether a file of the pages folder is a page.
pub(crate) fn is_page_file(file: &str, content: &str) -> bool {
    let name = file.to_ascii_lowercase();
    let is_markdown = [".md", ".markdown"].iter().any(|ending| name.ends_with(ending));
    is_markdown && is_in_folder(file, content)
}

/// Returns the output folder of a page, named after its file and the folders that contain it.
fn path(file: &RelPath, content: &str, slug_given: Option<&str>) -> String {
    let root = match is_in_folder(file.as_str(), content) {
        true => FOLDER,
        false => content.trim_end_matches('/'),
    };
    let inside = file.as_str().strip_prefix(root).unwrap_or(file.as_str());
    let inside = inside.trim_start_matches('/');
    let (folders, name) = inside.rsplit_once('/').unwrap_or(("", inside));
    let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
    let is_top = folders.is_empty();
    let own = match slug_given.map(|slug| slug.trim_matches('/')) {
        Some(given) if !given.is_empty() => given,
        _ if matches!(stem, "index" | "_index") || is_top && stem == "home" => "",
        _ => stem,
    };
    let parts = folders.split('/').chain(own.split('/'));
    parts
        .filter(|part| !matches!(*part, "" | "." | ".."))
        .map(|part| match slug(part, MAX_PART_BYTES) {
            slug if slug.is_empty() => format!("{}/", Hash::of(part).short(6)),
            slug => format!("{slug}/"),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::path;
    use crate::path::RelPath;

    #[test]
    fn pages_have_the_paths_of_their_files() {
        for (file, slug, expected) in [
            ("pages/about.md", None, "about/"),
            ("pages/home.md", None, ""),
            ("pages/The Mill/Über uns.md", None, "the-mill/über-uns/"),
            ("pages/mill/index.md", None, "mill/"),
            ("pages/mill/_index.md", None, "mill/"),
            ("pages/mill/home.md", None, "mill/home/"),
            ("talks/2024/note.md", None, "2024/note/"),
            ("talks/2024/note.md", Some("A note/two"), "2024/a-note/two/"),
            ("pages/about.md", Some("../../etc"), "etc/"),
            ("pages/🎉.md", Some("/"), "kc7r1z/"),
        ] {
            let found = path(&RelPath::new(file), "talks", slug);
            match expected.contains("kc7") {
                true => assert_eq!(found.len(), expected.len(), "{file}"),
                false => assert_eq!(found, expected, "{file}"),
            }
        }
    }
}

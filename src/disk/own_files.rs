//! The list of files that convo-site wrote to an output folder.
//!
//! The list is in the output folder itself, so that it survives whatever happens to the site's folder. It has
//! nothing but paths, which are public anyway. It permits only this: a file at one of these paths, not reached
//! through a link, may be replaced or removed.

use super::Error;
use super::folder::{Folder, Staging};
use crate::hash::Hash;
use crate::outputs::Outputs;
use crate::path::OutPath;

/// The name of the list.
pub(super) const LIST: &str = ".convo-site-files";
/// What the list says about itself. Other versions may say it in other words.
const ABOUT: &str = "# Files that convo-site wrote. Builds remove those that they no longer write.";

/// Paths below an output folder, sorted, without duplicates.
#[derive(Default)]
pub(super) struct OwnFiles(Vec<Box<str>>);

impl OwnFiles {
    /// Reads the list of an output folder; `None` if it is missing or damaged.
    pub(super) fn read(folder: &Folder) -> Option<Self> {
        Self::parse(&String::from_utf8(folder.read(LIST).ok()?).ok()?)
    }

    /// Parses a list; `None` if it is damaged.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let (head, rows) = text.split_once('\n')?;
        let (_, hash) = head.strip_suffix(')')?.rsplit_once(" (")?;
        (hash == hash_of(rows)).then(|| rows.lines().collect())
    }

    /// Returns whether a path is in the list.
    pub(super) fn holds(&self, path: &str) -> bool {
        self.0.binary_search_by(|known| (**known).cmp(path)).is_ok()
    }

    /// Returns all paths.
    pub(super) fn paths(&self) -> impl Iterator<Item = OutPath> {
        self.0.iter().filter_map(|path| OutPath::new(&**path))
    }

    /// Returns the paths that no output has.
    pub(super) fn not_in(&self, outputs: &Outputs) -> Vec<OutPath> {
        // Both are sorted.
        let mut wanted = outputs.iter().map(|output| output.path.as_str()).peekable();
        let is_gone = |path: &&str| {
            while wanted.next_if(|wanted| wanted < path).is_some() {}
            wanted.peek() != Some(path)
        };
        let paths = self.0.iter().map(|path| &**path);
        paths.filter(is_gone).filter_map(OutPath::new).collect()
    }

    /// Writes the list for these outputs.
    pub(super) fn write(
        folder: &Folder,
        staging: &Staging,
        outputs: &Outputs,
    ) -> Result<(), Error> {
        let paths = outputs.iter().map(|output| output.path.as_str());
        staging.put(folder, LIST, list(paths).as_bytes())
    }

    /// Returns the text of the list.
    pub(super) fn text(&self) -> String {
        list(self.0.iter().map(|path| &**path))
    }

    /// Returns whether these are exactly the paths of the outputs.
    pub(super) fn are(&self, outputs: &Outputs) -> bool {
        let paths = outputs.iter().map(|output| output.path.as_str());
        self.0.iter().map(|path| &**path).eq(paths)
    }
}

impl<P: Into<Box<str>>> FromIterator<P> for OwnFiles {
    fn from_iter<I: IntoIterator<Item = P>>(paths: I) -> Self {
        let mut paths: Vec<Box<str>> = paths.into_iter().map(Into::into).collect();
        paths.sort_unstable();
        paths.dedup();
        Self(paths)
    }
}

/// Returns the text of a list of these sorted paths. The first line has a hash that shows whether it is complete.
fn list<'a>(paths: impl Iterator<Item = &'a str>) -> String {
    let mut rows = String::new();
    for path in paths {
        rows.push_str(path);
        rows.push('\n');
    }
    format!("{ABOUT} ({})\n{rows}", hash_of(&rows))
}

fn hash_of(rows: &str) -> String {
    Hash::of_bytes(rows.as_bytes()).hex()
}

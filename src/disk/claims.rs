//! The list in an output folder of the files there that are ours.
//!
//! It lies where they lie, so it is there whatever becomes of the site's folder, and it holds
//! nothing but their paths, which are public as they are. It is believed only in this: what
//! stands at such a path below the output, and behind no link, may be replaced and removed.

use super::Error;
use super::folder::{Folder, Staging};
use crate::hash::Hash;
use crate::outputs::Outputs;
use crate::path::OutPath;

/// The name of the list.
pub(super) const LIST: &str = ".convo-site-files";
const ABOUT: &str = "# Files that convo-site wrote, and removes when the site has them no more";

/// Paths below an output folder, in order, each once.
#[derive(Default)]
pub(super) struct Claims(Vec<Box<str>>);

impl Claims {
    /// Those of an output folder. `None` if there is no list, or a damaged one.
    pub(super) fn read(folder: &Folder) -> Option<Self> {
        Self::parse(&String::from_utf8(folder.read(LIST).ok()?).ok()?)
    }

    /// Reads the text of a list; `None` for a damaged one.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let (head, rows) = text.split_once('\n')?;
        (head == first_line(rows)).then(|| rows.lines().collect())
    }

    /// Whether what stands at a path is ours.
    pub(super) fn holds(&self, path: &str) -> bool {
        self.0.binary_search_by(|known| (**known).cmp(path)).is_ok()
    }

    /// All of them.
    pub(super) fn paths(&self) -> impl Iterator<Item = OutPath> {
        self.0.iter().filter_map(|path| OutPath::new(&**path))
    }

    /// The paths that no output has.
    pub(super) fn not_in(&self, outputs: &Outputs) -> Vec<OutPath> {
        // Both are in order.
        let mut wanted = outputs.iter().map(|output| output.path.as_str()).peekable();
        let is_gone = |path: &&str| {
            while wanted.next_if(|wanted| wanted < path).is_some() {}
            wanted.peek() != Some(path)
        };
        let paths = self.0.iter().map(|path| &**path);
        paths.filter(is_gone).filter_map(OutPath::new).collect()
    }

    /// Writes the list of these outputs.
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

    /// Whether these are the paths of the outputs, all of them and no others.
    pub(super) fn are(&self, outputs: &Outputs) -> bool {
        let paths = outputs.iter().map(|output| output.path.as_str());
        self.0.iter().map(|path| &**path).eq(paths)
    }
}

impl<P: Into<Box<str>>> FromIterator<P> for Claims {
    fn from_iter<I: IntoIterator<Item = P>>(paths: I) -> Self {
        let mut paths: Vec<Box<str>> = paths.into_iter().map(Into::into).collect();
        paths.sort_unstable();
        paths.dedup();
        Self(paths)
    }
}

/// Returns the text of a list of these paths, which are in order.
fn list<'a>(paths: impl Iterator<Item = &'a str>) -> String {
    let mut rows = String::new();
    for path in paths {
        rows.push_str(path);
        rows.push('\n');
    }
    format!("{}\n{rows}", first_line(&rows))
}

/// It tells a whole list from what is left of one.
fn first_line(rows: &str) -> String {
    format!("{ABOUT} ({})", Hash::of_bytes(rows.as_bytes()).hex())
}

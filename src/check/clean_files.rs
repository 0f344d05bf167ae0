//! What checks remember of files without problems, so that a file is made and read again only after it changed.

use std::sync::Arc;

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

use super::html::Facts;
use crate::config::BaseUrl;
use crate::hash::Hash;
use crate::outputs::Outputs;

/// The content of a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Content {
    /// Its length in bytes.
    pub len: u64,
    /// The hash of its bytes.
    pub hash: Hash,
}

impl Content {
    /// Returns the content of a file with these bytes.
    pub fn of(bytes: &[u8]) -> Self {
        Self { len: bytes.len() as u64, hash: Hash::of_bytes(bytes) }
    }
}

/// The files without problems of the last check. Everything that they say is in it as a hash only, so that no
/// text is kept after its page is gone.
#[derive(Default, Serialize, Deserialize)]
pub struct CleanFiles {
    /// The hash of what else decides whether there are problems: see [`Circumstances`].
    circumstances: Option<Hash>,
    /// The hashes of the paths of all outputs; links are indices of this list.
    paths: Vec<Hash>,
    /// The files, by the key of their output.
    files: FxHashMap<Hash, CleanFile>,
}

/// What decides whether files have problems, besides their content.
#[derive(Clone, Copy, Hash)]
pub(super) struct Circumstances<'a> {
    /// The base URL, on which the targets of links depend.
    pub(super) base_url: &'a BaseUrl,
    /// The hash of the rules for secrets, with the author's decisions.
    pub(super) gate: Hash,
}

/// A file without problems.
#[derive(Clone, Serialize, Deserialize)]
pub(super) struct CleanFile {
    pub(super) content: Content,
    /// What is known of it as a page.
    pub(super) page: Option<Page>,
}

/// What the problems of a whole site depend on in one page. Texts are hashes.
#[derive(Clone, Serialize, Deserialize)]
pub(super) struct Page {
    pub(super) title: Hash,
    pub(super) description: Hash,
    pub(super) canonical: Option<Hash>,
    pub(super) is_unlisted: bool,
    /// The indices of the outputs that it links to, sorted.
    links: Arc<[u32]>,
    /// The indices of the other outputs that it loads, sorted.
    loads: Arc<[u32]>,
}

impl Page {
    /// Creates it from the facts about a page, with the indices of the outputs that it links to or loads, and
    /// whether they are links.
    pub(super) fn new(facts: &Facts, targets: Vec<(usize, bool)>) -> Self {
        let hash = |text: &String| Hash::of_bytes(text.as_bytes());
        let of_kind = |is_wanted: bool| {
            let targets = targets.iter().filter(|(_, is_link)| *is_link == is_wanted);
            let mut places: Vec<u32> = targets.map(|(place, _)| number(*place)).collect();
            places.sort_unstable();
            places.dedup();
            places.into()
        };
        Self {
            title: hash(&facts.title),
            description: hash(&facts.description),
            canonical: facts.canonical.as_ref().map(hash),
            is_unlisted: facts.is_unlisted,
            links: of_kind(true),
            loads: of_kind(false),
        }
    }

    /// Returns whether search engines list it.
    pub(super) fn is_listed(&self) -> bool {
        !self.is_unlisted && self.canonical.is_some()
    }

    /// Returns the indices of the outputs that it links to.
    pub(super) fn links(&self) -> impl Iterator<Item = usize> {
        self.links.iter().map(|place| *place as usize)
    }

    /// Returns it with indices into another list of outputs, or `None` if a target is missing there.
    fn moved(self, places: &[Option<u32>]) -> Option<Self> {
        let moved = |old: &[u32]| -> Option<Arc<[u32]>> {
            old.iter().map(|place| *places.get(*place as usize)?).collect()
        };
        Some(Self { links: moved(&self.links)?, loads: moved(&self.loads)?, ..self })
    }
}

/// Returns the index of an output in 32 bits, as a site has far fewer files.
fn number(place: usize) -> u32 {
    u32::try_from(place).unwrap_or(u32::MAX)
}

impl CleanFiles {
    /// Returns the files that are still outputs, and whose links still lead to outputs.
    pub(super) fn known(self, outputs: &Outputs, circumstances: Circumstances<'_>) -> Known {
        let count = self.files.len();
        if self.circumstances != Some(Hash::of(&circumstances)) {
            return Known { files: FxHashMap::default(), is_changed: count > 0 };
        }
        let paths = outputs.iter().enumerate();
        let now: FxHashMap<Hash, u32> =
            paths.map(|(place, output)| (path_hash(&output.path), number(place))).collect();
        let places: Vec<Option<u32>> =
            self.paths.iter().map(|path| now.get(path).copied()).collect();
        let is_same = places.iter().copied().eq((0..number(outputs.len())).map(Some));
        let mut before = self.files;
        let moved = |file: CleanFile| {
            let Some(page) = file.page else { return Some(file) };
            let page = if is_same { page } else { page.moved(&places)? };
            Some(CleanFile { page: Some(page), ..file })
        };
        let mut files = FxHashMap::default();
        for output in outputs.iter() {
            if let Some(file) = before.remove(&output.key).and_then(moved) {
                files.insert(output.key, file);
            }
        }
        Known { is_changed: !is_same || files.len() != count, files }
    }
}

/// The files of an earlier check that are still known to be without problems.
pub(super) struct Known {
    files: FxHashMap<Hash, CleanFile>,
    /// Whether the last check kept others.
    is_changed: bool,
}

impl Known {
    /// Returns the file of the output with a key.
    pub(super) fn get(&self, key: Hash) -> Option<&CleanFile> {
        self.files.get(&key)
    }

    /// Adds new files, and returns what to keep, or `None` if it is kept already.
    pub(super) fn into_clean_files(
        self,
        new: Vec<(Hash, CleanFile)>,
        outputs: &Outputs,
        circumstances: Circumstances<'_>,
    ) -> Option<CleanFiles> {
        if new.is_empty() && !self.is_changed {
            return None;
        }
        let mut files = self.files;
        files.extend(new);
        let paths = outputs.iter().map(|output| path_hash(&output.path)).collect();
        Some(CleanFiles { circumstances: Some(Hash::of(&circumstances)), paths, files })
    }
}

fn path_hash(path: &crate::path::OutPath) -> Hash {
    Hash::of_bytes(path.as_str().as_bytes())
}

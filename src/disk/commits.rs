//! Finds out when files were last changed, from the history of the site's repository.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::Path;
use std::sync::Arc;

use gix_hash::ObjectId;

use super::git::{Error, Repository};
use super::is_there;

/// What a history says about some files.
#[derive(Default)]
pub(super) struct LastChanges {
    /// The time of the last commit that changed each file. Seconds since 1970.
    pub(super) times: HashMap<String, i64>,
    /// Whether the clone is shallow, so that nothing is known about files that did not change since
    /// it starts.
    pub(super) is_shallow: bool,
}

/// The maximum number of commits to follow. Files that none of them changed have no date.
const COMMITS: usize = 1_000_000;
/// The number of trees to keep in memory. Neighbouring commits share most trees.
const KEPT_FOLDERS: usize = 4096;

/// Finds the last changes of some files. Their paths are relative to `root`, the site folder, which
/// is in a repository or contains one.
pub(super) fn last_changes<'a>(
    root: &Path,
    files: impl Iterator<Item = &'a str>,
) -> Result<LastChanges, Error> {
    let root = root.canonicalize()?;
    let top = root.ancestors().find(|folder| is_there(&folder.join(".git")));
    let top = top.ok_or("the site is not in a git repository")?;
    let inside = root.strip_prefix(top).unwrap_or(Path::new(""));
    let inside: Vec<String> =
        inside.iter().map(|part| part.to_string_lossy().into_owned()).collect();
    let mut wanted = Wanted::default();
    for file in files {
        let parts = inside.iter().map(String::as_str).chain(file.split('/'));
        wanted.add(&parts.collect::<Vec<_>>(), file);
    }
    let repository = Repository::open(top)?;
    let cut = repository.shallow_commits();
    let mut found = LastChanges { is_shallow: !cut.is_empty(), ..LastChanges::default() };
    let mut trees = Trees { repository: &repository, known: HashMap::new() };
    for commit in repository.history([repository.head()?])?.take(COMMITS) {
        if wanted.is_empty() {
            break;
        }
        let id = commit?;
        // In the first commit of a shallow clone, the changes are unknown.
        if cut.contains(&id) {
            continue;
        }
        let commit = repository.commit(id)?;
        let mut before = Vec::new();
        for parent in commit.parents {
            before.push(Some(repository.commit(parent)?.tree));
        }
        let mut changed = Vec::new();
        wanted.take_changed(commit.tree, &before, &mut trees, &mut changed)?;
        found.times.extend(changed.into_iter().map(|file| (file, commit.seconds)));
    }
    Ok(found)
}

/// The wanted files of a folder, and the subfolders with wanted files.
#[derive(Default)]
struct Wanted {
    /// The wanted files by name, with the paths given by the caller.
    files: BTreeMap<String, String>,
    folders: BTreeMap<String, Wanted>,
}

impl Wanted {
    fn add(&mut self, parts: &[&str], path: &str) {
        match parts {
            [] => {}
            [name] => _ = self.files.insert((*name).to_owned(), path.to_owned()),
            [name, rest @ ..] => {
                self.folders.entry((*name).to_owned()).or_default().add(rest, path);
            }
        }
    }

    fn is_empty(&self) -> bool {
        self.files.is_empty() && self.folders.is_empty()
    }

    /// Removes the files that differ from all previous trees, if there are any.
    fn take_changed(
        &mut self,
        tree: ObjectId,
        before: &[Option<ObjectId>],
        trees: &mut Trees<'_>,
        changed: &mut Vec<String>,
    ) -> Result<(), Error> {
        if before.contains(&Some(tree)) {
            return Ok(());
        }
        let now = trees.get(tree)?;
        let mut old = Vec::new();
        for tree in before {
            old.push(tree.map(|tree| trees.get(tree)).transpose()?);
        }
        let was = |name: &str| -> Vec<Option<ObjectId>> {
            let of = |tree: &Option<Arc<Tree>>| tree.as_ref()?.get(name).copied();
            old.iter().map(of).collect()
        };
        let is_changed = |name: &str| {
            let id = now.get(name);
            id.is_some() && was(name).iter().all(|other| other.as_ref() != id)
        };
        let names: BTreeSet<String> =
            self.files.keys().filter(|name| is_changed(name)).cloned().collect();
        changed.extend(names.iter().filter_map(|name| self.files.remove(name)));
        for (name, inside) in &mut self.folders {
            let Some(id) = now.get(name.as_str()).filter(|_| is_changed(name)) else {
                continue;
            };
            inside.take_changed(*id, &was(name), trees, changed)?;
        }
        self.folders.retain(|_, inside| !inside.is_empty());
        Ok(())
    }
}

/// The contents of a folder, by name.
type Tree = HashMap<String, ObjectId>;

/// Reads the folders of a repository.
struct Trees<'a> {
    repository: &'a Repository,
    known: HashMap<ObjectId, Arc<Tree>>,
}

impl Trees<'_> {
    /// Returns the contents of a folder; nothing for a file.
    fn get(&mut self, id: ObjectId) -> Result<Arc<Tree>, Error> {
        if let Some(known) = self.known.get(&id) {
            return Ok(known.clone());
        }
        let entries = self.repository.tree(id)?.into_iter();
        let tree: Tree = entries.map(|entry| (entry.name, entry.id)).collect();
        if self.known.len() >= KEPT_FOLDERS {
            self.known.clear();
        }
        let tree = Arc::new(tree);
        self.known.insert(id, tree.clone());
        Ok(tree)
    }
}

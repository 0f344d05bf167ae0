//! When files were last changed, by the history of the repository that the site is in.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::path::Path;
use std::sync::Arc;

use gix::ObjectId;
use gix::bstr::ByteSlice;
use gix::revision::walk::Sorting;
use gix::traverse::commit::simple::CommitTimeOrder;

use super::is_there;

/// What a history says of some files.
#[derive(Default)]
pub(super) struct LastChanges {
    /// When the last commit was made that changed a file. Seconds since 1970.
    pub(super) times: HashMap<String, i64>,
    /// Whether the history begins later than that of the repository from which it was cloned, so
    /// that of files that did not change since nothing is known.
    pub(super) is_shallow: bool,
}

/// Why a history cannot be read, in words.
type Error = Box<dyn std::error::Error + Send + Sync>;

/// Commits that are followed; of files that none of them changed nothing is told.
const COMMITS: usize = 1_000_000;
/// Folders of which the contents are kept: neighbours in a history share most of theirs.
const KEPT_FOLDERS: usize = 4096;

/// Finds the last changes of some files. Their paths are those below `root`, the site's folder, which
/// is in a repository or holds it.
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
    // Isolated: no configuration but the repository's own, nothing from the environment.
    let repository = gix::open_opts(top, gix::open::Options::isolated())?;
    let cut: HashSet<ObjectId> = match repository.shallow_commits()? {
        Some(commits) => commits.iter().copied().collect(),
        None => HashSet::new(),
    };
    let mut found = LastChanges { is_shallow: !cut.is_empty(), ..LastChanges::default() };
    let mut trees = Trees { repository: &repository, known: HashMap::new() };
    let sorting = Sorting::ByCommitTime(CommitTimeOrder::NewestFirst);
    let walk = repository.rev_walk([repository.head_id()?.detach()]).sorting(sorting);
    for commit in walk.all()?.take(COMMITS) {
        if wanted.is_empty() {
            break;
        }
        let id = commit?.id;
        // What changed in the first one that is here nobody knows.
        if cut.contains(&id) {
            continue;
        }
        let commit = repository.find_commit(id)?;
        let tree = commit.tree_id()?.detach();
        let mut before = Vec::new();
        for parent in commit.parent_ids() {
            before.push(repository.find_commit(parent.detach())?.tree_id()?.detach());
        }
        let before: Vec<Option<ObjectId>> = before.into_iter().map(Some).collect();
        let mut changed = Vec::new();
        wanted.take_changed(tree, &before, &mut trees, &mut changed)?;
        let seconds = commit.time()?.seconds;
        found.times.extend(changed.into_iter().map(|file| (file, seconds)));
    }
    Ok(found)
}

/// The files of a folder that are looked for, and the folders below it with such files.
#[derive(Default)]
struct Wanted {
    /// Each by its name, with the path by which it was asked for.
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

    /// Takes the files that differ from what they were in all trees before, if there were any.
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

/// The folders of a repository.
struct Trees<'a> {
    repository: &'a gix::Repository,
    known: HashMap<ObjectId, Arc<Tree>>,
}

impl Trees<'_> {
    /// Returns the contents of a folder; nothing for what is a file.
    fn get(&mut self, id: ObjectId) -> Result<Arc<Tree>, Error> {
        if let Some(known) = self.known.get(&id) {
            return Ok(known.clone());
        }
        let mut tree = Tree::new();
        let object = self.repository.find_object(id)?;
        if object.kind == gix::object::Kind::Tree {
            for entry in object.into_tree().iter() {
                let entry = entry?;
                if let Ok(name) = entry.filename().to_str() {
                    tree.insert(name.to_owned(), entry.object_id());
                }
            }
        }
        if self.known.len() >= KEPT_FOLDERS {
            self.known.clear();
        }
        let tree = Arc::new(tree);
        self.known.insert(id, tree.clone());
        Ok(tree)
    }
}

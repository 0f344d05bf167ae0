//! Reads a git repository: its branches, commits and trees. Nothing is read from the environment or from
//! configurations outside of the repository.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::path::{Path, PathBuf};

use gix_hash::{Kind, ObjectId, oid};
use gix_object::bstr::ByteSlice;
use gix_object::{Exists, FindExt};
use gix_ref::Target;
use gix_ref::file::{ReferenceExt, Store};
use gix_traverse::commit::Simple;
use gix_traverse::commit::simple::{CommitTimeOrder, Sorting};

/// The reason why a repository cannot be read.
pub(super) type Error = Box<dyn std::error::Error + Send + Sync>;

/// A repository that is open for reading.
pub(super) struct Repository {
    references: Store,
    objects: gix_odb::Handle,
    /// The commits whose parents a shallow clone does not have.
    shallow: BTreeSet<ObjectId>,
}

/// A commit.
pub(super) struct Commit {
    pub(super) tree: ObjectId,
    pub(super) parents: Vec<ObjectId>,
    /// When it was committed: seconds since 1970.
    pub(super) seconds: i64,
    pub(super) message: String,
}

/// An entry of a tree.
pub(super) struct Entry {
    pub(super) name: String,
    pub(super) id: ObjectId,
    /// Whether it is a file, not a folder, a link or a submodule.
    pub(super) is_file: bool,
}

impl Repository {
    /// Opens the repository whose working folder this is.
    pub(super) fn open(folder: &Path) -> Result<Self, Error> {
        let git = git_folder(folder)?;
        let shared = named_in(&git.join("commondir"), "")?.map(|path| git.join(path));
        let common = shared.clone().unwrap_or_else(|| git.clone());
        let references = match shared {
            Some(common) => Store::for_linked_worktree(git, common, Kind::Sha1),
            None => Store::at(git, Kind::Sha1),
        };
        let objects = gix_odb::at(common.join("objects"), Kind::Sha1)?;
        let shallow = match std::fs::read_to_string(common.join("shallow")) {
            Ok(ids) => ids.lines().map(|id| id.parse()).collect::<Result<_, _>>()?,
            Err(_) => BTreeSet::new(),
        };
        Ok(Self { references, objects, shallow })
    }

    /// Returns the name of the current branch, which may have no commit yet; `None` if a commit is checked
    /// out that is not a branch.
    pub(super) fn current_branch(&self) -> Result<Option<String>, Error> {
        Ok(match self.references.find("HEAD")?.target {
            Target::Symbolic(name) => Some(name.as_ref().shorten().to_string()),
            Target::Object(_) => None,
        })
    }

    /// Returns the commit that is checked out.
    pub(super) fn head(&self) -> Result<ObjectId, Error> {
        Ok(self.references.find("HEAD")?.peel_to_id(&self.references, &self.objects)?)
    }

    /// Returns the local branches with their last commits.
    pub(super) fn branches(&self) -> Result<BTreeMap<String, ObjectId>, Error> {
        let mut branches = BTreeMap::new();
        for branch in self.references.iter()?.prefixed(b"refs/heads/".as_bstr().try_into()?)? {
            let mut branch = branch?;
            let name = branch.name.as_ref().shorten().to_string();
            branches.insert(name, branch.peel_to_id(&self.references, &self.objects)?);
        }
        Ok(branches)
    }

    /// Returns the commits whose parents are missing, because the clone is shallow.
    pub(super) fn shallow_commits(&self) -> &BTreeSet<ObjectId> {
        &self.shallow
    }

    /// Reads a commit.
    pub(super) fn commit(&self, id: ObjectId) -> Result<Commit, Error> {
        let mut buffer = Vec::new();
        let commit = self.objects.find_commit(&id, &mut buffer)?;
        Ok(Commit {
            tree: commit.tree(),
            parents: commit.parents().collect(),
            seconds: commit.time()?.seconds,
            message: commit.message.to_str_lossy().into_owned(),
        })
    }

    /// Returns the entries of a tree; none for an object that is not a tree. Entries whose names are not
    /// UTF-8 are left out.
    pub(super) fn tree(&self, id: ObjectId) -> Result<Vec<Entry>, Error> {
        let mut buffer = Vec::new();
        let Some(entries) = self.objects.find(&id, &mut buffer)?.try_into_tree_iter() else {
            return Ok(Vec::new());
        };
        let mut tree = Vec::new();
        for entry in entries {
            let entry = entry?;
            if let Ok(name) = entry.filename.to_str() {
                let is_file = entry.mode.is_blob();
                tree.push(Entry { name: name.to_owned(), id: entry.oid.to_owned(), is_file });
            }
        }
        Ok(tree)
    }

    /// Reads the bytes of an object.
    pub(super) fn bytes(&self, id: ObjectId) -> Result<Vec<u8>, Error> {
        let mut buffer = Vec::new();
        self.objects.find(&id, &mut buffer)?;
        Ok(buffer)
    }

    /// Iterates over commits and everything before them, newest first.
    pub(super) fn history(
        &self,
        tips: impl IntoIterator<Item = ObjectId>,
    ) -> Result<impl Iterator<Item = Result<ObjectId, Error>> + '_, Error> {
        let mut cut_off = HashSet::new();
        for id in &self.shallow {
            cut_off.extend(self.commit(*id)?.parents);
        }
        let is_there = move |id: &oid| !cut_off.contains(id) || self.objects.exists(id);
        let walk = Simple::filtered(tips, &self.objects, is_there)
            .sorting(Sorting::ByCommitTime(CommitTimeOrder::NewestFirst))?;
        Ok(walk.map(|commit| Ok(commit?.id)))
    }
}

/// Returns the folder of a repository: `.git`, or the folder that a file of this name leads to, as in
/// worktrees and submodules.
fn git_folder(folder: &Path) -> Result<PathBuf, Error> {
    let git = folder.join(".git");
    if git.is_dir() {
        return Ok(git);
    }
    let named = named_in(&git, "gitdir:")?.ok_or("`.git` is missing")?;
    Ok(folder.join(named))
}

/// Returns the path that the first line of a file has behind `key`; `None` if the file does not exist.
fn named_in(file: &Path, key: &str) -> Result<Option<PathBuf>, Error> {
    if !file.is_file() {
        return Ok(None);
    }
    let text = std::fs::read_to_string(file)?;
    let path = text.lines().next().and_then(|line| line.strip_prefix(key));
    let path = path.ok_or_else(|| format!("`{}` names no folder", file.display()))?;
    Ok(Some(PathBuf::from(path.trim())))
}

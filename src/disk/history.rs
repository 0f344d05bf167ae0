//! Shows the history of a repository as files below its `.git/`.
//!
//! `branches/<branch>/<file>` is a file on another branch, if it differs from the file in the
//! folder. `log/<file>.jsonl` has a line for each commit that changed the file, newest first:
//! `{"id": "<sha>", "message": "…"}`. Only files whose format has a history
//! ([`formats::has_history`]) are shown. Only ids are kept in memory.

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use gix_hash::ObjectId;
use serde_json::json;
use walkdir::WalkDir;

use super::git::{Error, Repository};
use super::is_there;
use crate::diag::{Diagnostic, Severity};
use crate::files::{FileInfo, Storage};
use crate::formats;
use crate::path::RelPath;

/// The listed repositories of a site.
#[derive(Default)]
pub(super) struct Repositories {
    /// For each repository, by the shown path of its `.git`: its folder, and the files it shows.
    listed: Mutex<BTreeMap<String, (PathBuf, Histories)>>,
}

impl Repositories {
    /// Returns the files shown by the repository in `folder`, if there is one. Its `.git` is shown
    /// as `git`.
    pub(super) fn list(
        &self,
        folder: &Path,
        git: &RelPath,
        notes: &mut Vec<Diagnostic>,
    ) -> Vec<FileInfo> {
        let real = folder.join(".git");
        // A link, or a file that names another folder, could lead out of the site.
        if !real.symlink_metadata().is_ok_and(|data| data.is_dir()) {
            return Vec::new();
        }
        let looked = match borrows(&real) {
            None => look(folder).map_err(|error| error.to_string()),
            Some(from) => Err(format!("`{from}` may point outside the site folder")),
        };
        match looked {
            Ok(shown) => {
                let path = |name: &String| RelPath::new(format!("{git}/{name}"));
                let storage = Storage::Plain;
                let file = |name| {
                    let storage = storage.clone();
                    FileInfo { path: path(name), len: 0, stamp: None, storage }
                };
                let files = shown.keys().map(file).collect();
                let mut listed = self.listed.lock().unwrap_or_else(PoisonError::into_inner);
                listed.insert(git.to_string(), (folder.to_owned(), shown));
                files
            }
            Err(error) => {
                let message = format!("cannot read the history: {error}");
                let note = Diagnostic::new(Severity::Warning, "bad-history", message);
                let hint = "the files in the folder are read, without branches";
                notes.push(note.in_file(git.as_str()).hint(hint));
                Vec::new()
            }
        }
    }

    /// Returns the bytes of a path shown by a repository; `None` for other paths.
    pub(super) fn read(&self, path: &RelPath) -> Option<Result<Vec<u8>, Box<Diagnostic>>> {
        let at = path.as_str().find(".git/")? + ".git".len();
        let (git, inside) = (&path.as_str()[..at], &path.as_str()[at + 1..]);
        let listed = self.listed.lock().unwrap_or_else(PoisonError::into_inner);
        let (folder, shown) = listed.get(git)?;
        let (folder, shown) = (folder.clone(), shown.get(inside)?.clone());
        drop(listed);
        Some(read(&folder, &shown).map_err(|error| {
            let message = format!("cannot read the history: {error}");
            let note = Diagnostic::new(Severity::Error, "bad-history", message);
            Box::new(note.in_file(path.as_str()))
        }))
    }
}

/// Returns the entry of a `.git` folder that could make us read another repository: a reference to
/// a work tree, to borrowed objects, or anything that is neither a file nor a folder.
fn borrows(git: &Path) -> Option<String> {
    let inside = |path: &Path| {
        let path = path.strip_prefix(git).unwrap_or(path);
        format!(".git/{}", path.to_string_lossy().replace('\\', "/"))
    };
    let others = ["commondir", "objects/info/alternates", "objects/info/http-alternates"];
    let other = others.iter().map(|name| git.join(name)).find(|path| is_there(path));
    if let Some(path) = other {
        return Some(inside(&path));
    }
    // These are never read.
    let hooks = |entry: &walkdir::DirEntry| entry.depth() == 1 && entry.file_name() == "hooks";
    let walk = WalkDir::new(git).into_iter().filter_entry(|entry| !hooks(entry));
    let is_plain = |kind: std::fs::FileType| kind.is_file() || kind.is_dir();
    let mut odd = walk.flatten().filter(|entry| !is_plain(entry.file_type()));
    odd.next().map(|entry| inside(entry.path()))
}

/// The meaning of a path below `.git/`.
#[derive(Clone, Debug)]
enum VirtualFile {
    /// The content of a file on a branch.
    Blob(ObjectId),
    /// The commits that changed a file.
    Log(Vec<ObjectId>),
}

/// The files shown by a repository, by their paths below its `.git/`.
type Histories = BTreeMap<String, VirtualFile>;

/// The files of a tree whose formats have a history, by name.
type Names = BTreeMap<String, ObjectId>;

/// The maximum number of commits to follow; longer histories show the newest ones.
const COMMITS: usize = 1_000_000;

/// Lists the files shown by the repository in `folder`.
fn look(folder: &Path) -> Result<Histories, Error> {
    let repository = Repository::open(folder)?;
    let head = repository.current_branch()?;
    let tips = repository.branches()?;
    let mut shown = Histories::new();
    let mut trees: HashMap<ObjectId, Names> = HashMap::new();
    let mut names_of = |commit: ObjectId| -> Result<Names, Error> {
        let tree = repository.commit(commit)?.tree;
        if let Some(names) = trees.get(&tree) {
            return Ok(names.clone());
        }
        let names = names_in(&repository, tree)?;
        // Neighbouring commits share trees and parents; older ones are not needed again.
        if trees.len() > 64 {
            trees.clear();
        }
        trees.insert(tree, names.clone());
        Ok(names)
    };
    let default = ["main", "master"].into_iter().find(|name| tips.contains_key(*name));
    let on_head = match head.as_ref().and_then(|head| tips.get(head)) {
        Some(tip) => names_of(*tip)?,
        None => Names::new(),
    };
    for (branch, tip) in &tips {
        let is_head = Some(branch) == head.as_ref();
        // The files of the current branch are in the folder. It is listed only to distinguish it
        // from the default branch.
        if is_head && default.is_none_or(|default| default == branch) {
            continue;
        }
        for (name, blob) in names_of(*tip)? {
            if is_head || on_head.get(&name) != Some(&blob) || Some(branch.as_str()) == default {
                shown.insert(format!("branches/{branch}/{name}"), VirtualFile::Blob(blob));
            }
        }
    }
    let mut logs: BTreeMap<String, Vec<ObjectId>> = BTreeMap::new();
    for commit in repository.history(tips.into_values())?.take(COMMITS) {
        let commit = commit?;
        let is_cut = repository.shallow_commits().contains(&commit);
        let parents = if is_cut { Vec::new() } else { repository.commit(commit)?.parents };
        let before = match parents.first() {
            Some(parent) => names_of(*parent)?,
            None => Names::new(),
        };
        for (name, blob) in names_of(commit)? {
            if before.get(&name) != Some(&blob) {
                logs.entry(name).or_default().push(commit);
            }
        }
    }
    shown.extend(
        logs.into_iter()
            .map(|(name, commits)| (format!("log/{name}.jsonl"), VirtualFile::Log(commits))),
    );
    Ok(shown)
}

fn names_in(repository: &Repository, tree: ObjectId) -> Result<Names, Error> {
    let mut entries = repository.tree(tree)?;
    entries.retain(|entry| entry.is_file && formats::has_history(&entry.name));
    Ok(entries.into_iter().map(|entry| (entry.name, entry.id)).collect())
}

/// Reads the bytes of a shown path.
fn read(folder: &Path, shown: &VirtualFile) -> Result<Vec<u8>, Error> {
    let repository = Repository::open(folder)?;
    match shown {
        VirtualFile::Blob(id) => repository.bytes(*id),
        VirtualFile::Log(commits) => {
            let mut lines = String::new();
            for id in commits {
                let message = repository.commit(*id)?.message;
                let line = json!({ "id": id.to_string(), "message": message });
                lines.push_str(&format!("{line}\n"));
            }
            Ok(lines.into_bytes())
        }
    }
}

//! Shows the history of a repository as files below its `.git/`.
//!
//! `branches/<branch>/<file>` is a file on another branch, if it differs from the file in the
//! folder. `log/<file>.jsonl` has a line for each commit that changed the file, newest first:
//! `{"id": "<sha>", "message": "…"}`. Only files whose format has a history
//! ([`formats::has_history`]) are shown. Only ids are kept in memory.

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use gix::ObjectId;
use gix::bstr::ByteSlice;
use serde_json::json;
use walkdir::WalkDir;

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
            Some(from) => Err(format!("`{from}` may lead outside the site folder")),
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
                let hint = "the files in the folder are read; branches are missing";
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

/// The reason why a repository cannot be read.
type Error = Box<dyn std::error::Error + Send + Sync>;

/// The files of a tree whose formats have a history, by name.
type Names = BTreeMap<String, ObjectId>;

/// The maximum number of commits to follow; longer histories show the newest ones.
const COMMITS: usize = 1_000_000;

fn open(folder: &Path) -> Result<gix::Repository, Error> {
    // Isolated: uses only the repository's own configuration, and nothing from the environment.
    Ok(gix::open_opts(folder, gix::open::Options::isolated())?)
}

/// Lists the files shown by the repository in `folder`.
fn look(folder: &Path) -> Result<Histories, Error> {
    let repository = open(folder)?;
    let head = repository.head_name()?.map(|name| name.shorten().to_string());
    let mut tips: BTreeMap<String, ObjectId> = BTreeMap::new();
    for branch in repository.references()?.local_branches()? {
        let mut branch = branch?;
        let name = branch.name().shorten().to_string();
        tips.insert(name, branch.peel_to_id()?.detach());
    }
    let mut shown = Histories::new();
    let mut trees: HashMap<ObjectId, Names> = HashMap::new();
    let mut names_of = |commit: ObjectId| -> Result<Names, Error> {
        let tree = repository.find_commit(commit)?.tree()?;
        if let Some(names) = trees.get(&tree.id) {
            return Ok(names.clone());
        }
        let names = names_in(&tree)?;
        // Neighbouring commits share trees and parents; older ones are not needed again.
        if trees.len() > 64 {
            trees.clear();
        }
        trees.insert(tree.id, names.clone());
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
    for commit in repository.rev_walk(tips.into_values()).all()?.take(COMMITS) {
        let commit = commit?;
        let before = match commit.parent_ids().next() {
            Some(parent) => names_of(parent.detach())?,
            None => Names::new(),
        };
        for (name, blob) in names_of(commit.id)? {
            if before.get(&name) != Some(&blob) {
                logs.entry(name).or_default().push(commit.id);
            }
        }
    }
    shown.extend(
        logs.into_iter()
            .map(|(name, commits)| (format!("log/{name}.jsonl"), VirtualFile::Log(commits))),
    );
    Ok(shown)
}

fn names_in(tree: &gix::Tree<'_>) -> Result<Names, Error> {
    let mut names = Names::new();
    for entry in tree.iter() {
        let entry = entry?;
        if let Ok(name) = entry.filename().to_str()
            && entry.mode().is_blob()
            && formats::has_history(name)
        {
            names.insert(name.to_owned(), entry.object_id());
        }
    }
    Ok(names)
}

/// Reads the bytes of a shown path.
fn read(folder: &Path, shown: &VirtualFile) -> Result<Vec<u8>, Error> {
    let repository = open(folder)?;
    match shown {
        VirtualFile::Blob(id) => Ok(repository.find_object(*id)?.detach().data),
        VirtualFile::Log(commits) => {
            let mut lines = String::new();
            for id in commits {
                let commit = repository.find_commit(*id)?;
                let message = commit.message_raw()?.to_str_lossy().into_owned();
                let line = json!({ "id": id.to_string(), "message": message });
                lines.push_str(&format!("{line}\n"));
            }
            Ok(lines.into_bytes())
        }
    }
}

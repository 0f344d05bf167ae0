//! Writes git repositories as test input.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use gix_hash::{Kind, ObjectId};
use gix_object::Write as _;

/// A repository that tests write to.
pub(crate) struct GitRepository {
    git: PathBuf,
}

impl GitRepository {
    /// Creates the repository of a folder, if it has none yet.
    pub(crate) fn new(folder: &Path) -> Self {
        let git = folder.join(".git");
        for name in ["objects", "refs/heads"] {
            fs::create_dir_all(git.join(name)).expect("folders");
        }
        if !git.join("HEAD").exists() {
            fs::write(git.join("HEAD"), "ref: refs/heads/main\n").expect("written");
            fs::write(git.join("config"), "[core]\n\tbare = false\n").expect("written");
        }
        Self { git }
    }

    /// Commits files, by name and content, to a branch. A name may have one folder. The time is in seconds since 1970.
    pub(crate) fn commit(
        &self,
        branch: &str,
        files: &[(&str, &str)],
        time: i64,
        message: &str,
        parent: Option<ObjectId>,
    ) -> ObjectId {
        let mut folders: BTreeMap<&str, Vec<Entry<'_>>> = BTreeMap::new();
        for (path, text) in files {
            let (folder, name) = path.split_once('/').unwrap_or(("", path));
            let id = self.write(gix_object::Kind::Blob, text.as_bytes());
            folders.entry(folder).or_default().push(("100644", name, id));
        }
        let mut top = folders.remove("").unwrap_or_default();
        for (folder, entries) in folders {
            top.push(("40000", folder, self.tree(entries)));
        }
        let tree = self.tree(top);
        let parent = parent.map_or_else(String::new, |id| format!("parent {id}\n"));
        let who = format!("Ada <ada@site.example> {time} +0000");
        let text = format!("tree {tree}\n{parent}author {who}\ncommitter {who}\n\n{message}");
        let id = self.write(gix_object::Kind::Commit, text.as_bytes());
        fs::write(self.git.join("refs/heads").join(branch), format!("{id}\n")).expect("written");
        id
    }

    fn tree(&self, mut entries: Vec<Entry<'_>>) -> ObjectId {
        entries.sort_by_key(|(_, name, _)| *name);
        let mut bytes = Vec::new();
        for (mode, name, id) in entries {
            bytes.extend(format!("{mode} {name}\0").bytes());
            bytes.extend(id.as_slice());
        }
        self.write(gix_object::Kind::Tree, &bytes)
    }

    fn write(&self, kind: gix_object::Kind, bytes: &[u8]) -> ObjectId {
        let objects = gix_odb::loose::Store::at(self.git.join("objects"), Kind::Sha1);
        objects.write_buf(kind, bytes).expect("an object")
    }
}

/// The mode, name and id of an entry of a tree.
type Entry<'a> = (&'static str, &'a str, ObjectId);

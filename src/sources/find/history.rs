//! Paths under which the disk presents the history of a repository.

/// Returns whether a path belongs to the history of a repository.
pub fn is_history(name: &str) -> bool {
    name.starts_with(".git/") || name.contains("/.git/")
}

/// Returns the path of the committed file for a path in a repository's history.
pub(super) fn path_in_work_tree(name: &str) -> Option<String> {
    let at = if name.starts_with(".git/") { 0 } else { name.find("/.git/")? + 1 };
    let inside = &name[at + ".git/".len()..];
    let file = match inside.split_once('/')? {
        ("log", file) => file.strip_suffix(".jsonl").unwrap_or(file),
        ("branches", rest) => rest.rsplit('/').next().unwrap_or_default(),
        _ => return None,
    };
    Some(format!("{}{file}", &name[..at]))
}
